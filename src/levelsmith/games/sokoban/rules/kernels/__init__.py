"""Boards of bits, and solutions replayed, compiled."""
