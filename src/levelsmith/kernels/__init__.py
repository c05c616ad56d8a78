"""The compiled ground: bit sets, random numbers, scores, the names a problem implements, what is built."""
