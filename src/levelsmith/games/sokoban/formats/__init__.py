"""Sokoban's own file formats."""
