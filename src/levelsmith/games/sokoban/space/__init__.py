"""All positions that can come up in a level, and what they say about how hard it is."""
