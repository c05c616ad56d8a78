"""The compiled part of the representations."""
