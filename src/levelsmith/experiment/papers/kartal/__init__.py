"""Kartal, Sohre and Guy on Sokoban (2016)."""
