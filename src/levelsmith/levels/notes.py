"""The words that comments above a level begin with, for people and for checks."""

NOTES = ("minimum", "needs", "difficulty")  # what a comment may tell a check; none is a title
