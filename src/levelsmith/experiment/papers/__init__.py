"""The pages on each paper, a folder a paper."""
