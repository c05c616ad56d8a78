"""The compiled part of the models."""
