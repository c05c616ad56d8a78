"""The studio: levels made, watched, edited and played in the browser."""
