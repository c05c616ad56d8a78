"""The agent while nobody moves: a plan that takes all gold, found on a map of the level."""
