"""What is measured about a level of Sokoban."""
