"""The agent that plays Lode Runner."""
