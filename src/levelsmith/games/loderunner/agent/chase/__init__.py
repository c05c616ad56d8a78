"""The agent against guards who chase: a plan of timed keys, searched for in the exact game."""
