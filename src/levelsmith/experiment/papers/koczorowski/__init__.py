"""Koczorowski on optimisations for Sokoban (2023)."""
