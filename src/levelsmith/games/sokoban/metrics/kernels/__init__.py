"""The compiled metrics of Sokoban."""
