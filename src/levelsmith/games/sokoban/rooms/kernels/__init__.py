"""The compiled part of rooms."""
