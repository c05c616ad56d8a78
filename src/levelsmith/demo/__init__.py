"""The demo: a few levels of each game, and one page on which they are played."""
