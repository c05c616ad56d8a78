"""The compiled part of simulated play."""
