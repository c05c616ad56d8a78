"""The compiled part of binary maps."""
