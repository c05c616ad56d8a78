"""How a search sees and changes a level, for any game."""
