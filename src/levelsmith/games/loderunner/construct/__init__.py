"""Levels of Lode Runner, built from pieces."""
