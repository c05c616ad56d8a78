"""The solver of Sokoban."""
