"""Levels by simulated play (Kartal et al. 2016)."""
