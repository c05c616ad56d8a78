"""The compiled part of carve."""
