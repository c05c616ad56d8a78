"""The searches, written once for all games."""
