"""Sokoban for agents to play."""
