"""The rules of Sokoban."""
