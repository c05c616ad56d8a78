"""The compiled judge."""
