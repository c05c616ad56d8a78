"""What a level of Lode Runner has within reach."""
