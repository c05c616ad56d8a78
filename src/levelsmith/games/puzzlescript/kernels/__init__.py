"""The compiled interpreter of PuzzleScript: one for all games, over their tables."""
