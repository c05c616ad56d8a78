"""The compiled part of the agent."""
