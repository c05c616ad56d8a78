"""The compiled part of the solver."""
