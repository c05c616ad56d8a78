"""The compiled part of making levels."""
