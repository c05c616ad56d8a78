"""The compiled part of the environments."""
