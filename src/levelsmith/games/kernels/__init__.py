"""The kernels that several games share: how a player walks through the states of a puzzle."""
