"""PuzzleScript: games as their authors wrote them, compiled to tables and played exactly."""
