"""The games: each knows its own tiles, rules, metrics and looks, and nothing of the others."""
