"""The compiled part of playing many levels at once."""
