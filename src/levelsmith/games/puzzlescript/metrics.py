"""What a shortest solution of a PuzzleScript level tells: keys, states, bends, the rules that fire."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from levelsmith.core import Level, Verdict
from levelsmith.games.puzzlescript.twin import Twin

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

MILLION = 1_000_000
BY_SOLUTION: Mapping[str, str] = {
    "moves": "keys of a shortest solution",
    "states": "states that are met until it is found",
    "difficulty": "those states, from 0 for one to 100 for a million, by their logarithm",
    "bends": "times that a key is another than the one before",
    "rules": "lines of rules that change something on its way",
    "coverage": "share of the lines of rules that do",
}
BY_PLAY = frozenset({"rules", "coverage"})  # which the twin tells


def told_by(
    game: PuzzleGame, level: Level, verdict: Verdict, names: Collection[str] = BY_SOLUTION
) -> dict[str, float]:
    """Returns metrics of a level by the solution that a solver has found."""
    keys, states = verdict.solution or "", float(verdict.statistics.get("states", 1))
    found = {
        "moves": float(len(keys)),
        "states": states,
        "difficulty": min(100.0, 100.0 * math.log(max(states, 1)) / math.log(MILLION)),
        "bends": float(sum(a != b for a, b in pairwise(keys))),
    }
    if BY_PLAY & {*names}:
        fired, lines = len(rules_of(game, level, keys)), {*map(int, game.program.tables.rules.line)}
        found |= {"rules": float(fired), "coverage": fired / len(lines) if lines else 1.0}
    return found


def rules_of(game: PuzzleGame, level: Level, keys: str) -> list[int]:
    """Returns the lines of the rules that change something or command on the way of a solution, in the order
    in which they first do."""
    twin: list[Twin] = []

    def played(*given: object) -> Twin:
        twin.append(Twin(*given))  # type: ignore[arg-type]
        return twin[-1]

    game.verify(replace(level, solution=keys), played)
    lines = game.program.tables.rules.line
    return list(dict.fromkeys(int(lines[rule]) for one in twin for rule in one.fired))
