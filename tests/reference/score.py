"""Slow twins of `levelsmith.kernels.score`, straight from the words of `core.Term`."""

from __future__ import annotations

from math import inf, prod


def shaped(term, value):
    if term.shape == "ramp":
        return ramp(term, value)
    if term.shape == "inverse":
        return 0.0 if value < term.low else term.low / value
    return (value - term.zero) / (term.low - term.zero)


def ramp(term, value):
    """0 up to `zero`, up to 1 at `low`, 1 up to `high`, down to 0 at `end`; an infinite side stays at 1."""
    if term.low <= value <= term.high:
        return 1.0
    if value < term.low:
        if term.zero == -inf:
            return 1.0
        return 0.0 if value <= term.zero else (value - term.zero) / (term.low - term.zero)
    if term.end == inf:
        return 1.0
    return 0.0 if value >= term.end else (term.end - value) / (term.end - term.high)


def score(terms, metrics, product=False):
    """The weighted mean, or weighted geometric mean, of the terms; exactly 1 when every goal is met."""
    values = [shaped(term, metrics[term.metric]) for term in terms]
    if all(term.shape != "linear" and value >= 1 for term, value in zip(terms, values, strict=True)):
        return 1.0
    total = sum(term.weight for term in terms)
    shares = [term.weight / total for term in terms]
    if product:
        return prod(max(0.0, value) ** share for value, share in zip(values, shares, strict=True))
    mean = 0.0
    for value, share in zip(values, shares, strict=True):
        mean += share * value
    return mean
