"""Models that learn from levels: trained in JAX, kept as plain arrays, sampled without it."""
