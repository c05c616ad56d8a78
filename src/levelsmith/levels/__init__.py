"""Levels of any game: read, written, drawn, measured, solved, compared, joined, and kept by the million."""
