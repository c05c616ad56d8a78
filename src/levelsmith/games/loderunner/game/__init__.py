"""The game with guards that chase, compiled."""
