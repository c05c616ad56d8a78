"""Lode Runner for agents to play."""
