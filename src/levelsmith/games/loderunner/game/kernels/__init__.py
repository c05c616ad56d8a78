"""What is compiled of it."""
