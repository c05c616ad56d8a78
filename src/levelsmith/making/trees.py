"""The independent trees of one run, joined to one result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from levelsmith.core import Level, Result
from levelsmith.making.archive import distinct


def as_one_run(trees: Sequence[Result], most: int) -> Result:
    """Returns the best of the trees as the result of their run; its history goes on from tree to tree.

    Args:
        most: levels to keep of all trees together.
    """
    if len(trees) == 1:
        return trees[0]
    best = max(trees, key=lambda result: result.score)
    history: list[tuple[int, float, float]] = []
    levels: list[Level] = []
    evaluations, seconds = 0, 0.0
    for tree in trees:
        for spent, taken, score in tree.history:
            if not history or score > history[-1][2]:
                history.append((evaluations + spent, seconds + taken, score))
        levels += [_later(level, evaluations) for level in tree.levels]
        evaluations, seconds = evaluations + tree.evaluations, seconds + tree.seconds
    kept = sorted(levels, key=lambda level: -_score(level))
    return replace(
        best,
        levels=distinct(tuple(kept))[:most] if any(len(tree.levels) > 1 for tree in trees) else best.levels,
        stopped=best.stopped if best.stopped in ("solved", "score") else trees[-1].stopped,
        evaluations=evaluations,
        seconds=seconds,
        history=tuple(history),
        statistics=_summed([tree.statistics for tree in trees]),
    )


def _later(level: Level, before: int) -> Level:
    """Returns a level of a tree that began after so many evaluations of others."""
    after = level.provenance.get("evaluations")
    return (
        level
        if after is None
        else replace(level, provenance={**level.provenance, "evaluations": before + after})
    )


def _score(level: Level) -> float:
    return float(level.provenance["score"])


def _summed(many: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Counts are added up; of depths the one of the deepest, or of the first, is kept."""
    return {
        name: max(each[name] for each in many) if "depth" in name else sum(each[name] for each in many)
        for name in many[0]
        if all(name in each for each in many)
    }
