"""Levels in the cells of a grid by two metrics: the expressive range of Smith and Whitehead (2010)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def binned(rows: Sequence[tuple[Any, ...]], x: str, y: str, bins: int) -> dict[str, Any]:
    """Returns rows of (id, score, x, y) as cells: how many levels lie in each, and the one with the best
    score."""
    known = [row for row in rows if all(isinstance(value, int | float) for value in row[2:])]
    axes = [_axis([row[2 + i] for row in known], bins) for i in range(2)]
    cells: dict[tuple[int, int], dict[str, Any]] = {}
    for number, score, *place in known:
        key = tuple(
            min(int((value - axis["low"]) / axis["step"]), axis["bins"] - 1)
            for value, axis in zip(place, axes, strict=True)
        )
        cell = cells.setdefault(
            (key[0], key[1]), {"x": key[0], "y": key[1], "count": 0, "best": None, "score": None}
        )
        cell["count"] += 1
        if cell["best"] is None or (score is not None and (cell["score"] is None or score > cell["score"])):
            cell["best"], cell["score"] = number, score
    return {
        "x": {"metric": x, **axes[0]},
        "y": {"metric": y, **axes[1]},
        "cells": list(cells.values()),
        "total": len(known),
    }


def _axis(values: Sequence[float], bins: int) -> dict[str, Any]:
    """Returns where the cells of an axis begin and how wide they are, in round numbers or in whole ones."""
    low, high = (min(values), max(values)) if values else (0, 1)
    if all(float(value).is_integer() for value in values):
        step: float = math.ceil((high - low + 1) / bins)
        return {"low": low, "step": step, "bins": max(1, math.ceil((high - low + 1) / step)), "whole": True}
    least = (high - low) / max(1, bins - 1) or 1.0  # its ends may lie within a cell
    power = 10.0 ** math.floor(math.log10(least))
    step = next(round(many * power, 12) for many in (1, 2, 5, 10) if many * power >= least * (1 - 1e-9))
    begin = round(math.floor(low / step) * step, 12)
    return {"low": begin, "step": step, "bins": max(1, math.floor((high - begin) / step) + 1), "whole": False}
