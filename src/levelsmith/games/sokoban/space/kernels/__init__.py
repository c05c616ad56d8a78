"""The compiled part of space."""
