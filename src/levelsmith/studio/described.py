"""A level as the interface tells it, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.text import parse
from levelsmith.levels.measure import details, measure


def described(level: Level) -> dict[str, Any]:
    """Returns a level as the interface tells it, measured."""
    from levelsmith.levels.formats.json import plain_data

    try:
        metrics, told = measure(level), details(level)
    except LevelsmithError:
        metrics, told = {}, {}
    score = level.provenance.get("score")
    return {
        "game": level.game,
        "size": f"{level.size[1]}x{level.size[0]}",
        "text": level.text,
        "title": level.title,
        "author": level.author,
        "solution": level.solution,
        "score": float(score) if isinstance(score, int | float) and abs(score) < 1e300 else None,
        "metrics": {
            name: value for name, value in metrics.items() if value is not None and abs(value) < float("inf")
        },
        "tier": told.get("tier"),
        "provenance": plain_data(level.provenance),
    }


def level_of(data: Mapping[str, Any]) -> Level:
    """Returns a level of the store as the library knows it."""
    level = parse(data["text"], data["game"])
    return replace(
        level,
        title=data.get("title") or "",
        author=data.get("author") or "",
        solution=data.get("solution"),
        provenance=data.get("provenance") or {},
    )
