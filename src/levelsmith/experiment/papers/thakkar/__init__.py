"""Thakkar et al. on Lode Runner (2019)."""
