"""The rules of Lode Runner."""
