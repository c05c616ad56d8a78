"""Levels by the million as labelled rows, for those who train on them: what a row holds, and their shards."""
