"""The searches, written once for all games, and the driver that runs them."""
