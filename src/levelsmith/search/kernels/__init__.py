"""The compiled part of the searches."""
