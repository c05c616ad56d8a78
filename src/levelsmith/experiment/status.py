"""How far the file of an experiment is, from any terminal, while it is written or not."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from levelsmith.experiment import models
from levelsmith.experiment.damage import damage_explained
from levelsmith.experiment.runner import parse_shard
from levelsmith.experiment.store import Reader, plain_errors

COUNTED = """SELECT part, count(*), sum(solved), sum(seconds)
FROM runs JOIN cells ON cells.id = cell GROUP BY part"""
LATELY = 100  # the runs that a rate is taken from


def status(path: str | Path) -> dict[str, Any]:
    """Counts of runs by part, and how fast they came lately."""
    with damage_explained(path), Reader(path) as reader, plain_errors(str(path)):
        return _status(reader)


def _status(reader: Reader) -> dict[str, Any]:
    meta, execute = reader.meta, reader.connection.execute
    share, shares = parse_shard(meta.get("shard") or None)
    parts: dict[str, dict[str, Any]] = {}
    for cell, part, runs in execute("SELECT id, part, runs FROM cells ORDER BY id"):
        told = parts.setdefault(part, {"part": part, "cells": 0, "asked": 0, "done": 0, "solved": 0})
        told["cells"] += 1
        told["asked"] += len(range((share - cell) % shares, runs, shares))
    compute = 0.0
    for part, done, solved, seconds in execute(COUNTED):
        parts[part] |= {"done": done, "solved": solved}
        compute += seconds
    ended = [text for (text,) in execute("SELECT ended FROM runs ORDER BY rowid DESC LIMIT ?", (LATELY,))]
    last = max(ended, default=None)
    told = {
        "experiment": meta["experiment"],
        "title": reader.spec["title"],
        "quick": meta["quick"] == "1",
        "shard": meta.get("shard", ""),
        "levelsmith": meta["levelsmith"],
        "done": sum(part["done"] for part in parts.values()),
        "asked": sum(part["asked"] for part in parts.values()),
        "compute": round(compute, 3),
        "training": round(sum(each or 0.0 for each in models.seconds_of(meta)), 1),
        "last": last,
        "ago": None if last is None else round((datetime.now(UTC) - _time(last)).total_seconds(), 1),
        "rate": _rate(ended),
        "parts": list(parts.values()),
    }
    if (told["done"],) != execute("SELECT count(*) FROM runs").fetchone():
        raise ValueError("there are runs of cells that are not there")
    if not all(type(part["solved"]) is int for part in parts.values()):
        raise ValueError("expected whole numbers of runs that are solved")
    return told


def _rate(ended: list[str]) -> float:
    """Runs a second, of the last ones."""
    seconds = (_time(max(ended)) - _time(min(ended))).total_seconds() if ended else 0.0
    return round((len(ended) - 1) / seconds, 2) if seconds > 0 else 0.0


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
