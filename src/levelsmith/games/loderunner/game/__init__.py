"""The game with guards who chase, compiled: the rules of `rules/game.py`, for agents and environments."""
