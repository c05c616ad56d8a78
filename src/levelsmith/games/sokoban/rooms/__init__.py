"""Rooms whose boxes start as far from their goals as can be."""
