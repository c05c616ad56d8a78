"""Small changes of a level: nudges, and what mends it."""
