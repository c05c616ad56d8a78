"""Rooms like Boxoban's, by the thousand."""
