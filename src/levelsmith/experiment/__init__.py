"""Experiments: many runs, stored as they end, and what they say."""
