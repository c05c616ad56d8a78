"""How well the difficulty of levels ranks them as one's own players do, by plays that were kept.

A file of plays has a line of JSON for each: the `game`, the level as `text`, whether it was `solved`, and if
known the `seconds`, `moves`, `undos` and `restarts`. The play page of the studio writes such files. A play
with `hints`, or in which the page `told_lost`, is left out: it does not say how hard a level is without.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.experiment.statistics import Numbers, rank_correlation
from levelsmith.levels.formats.text import parse
from levelsmith.levels.measure import measure
from levelsmith.registry import games

METRIC = "difficulty"
COUNTED = ("seconds", "moves", "undos", "restarts")
HELP = ("hints", "told_lost")  # how often the page has helped
SHARES = (3 / 4, 2 / 3, 3 / 5)  # of players who solve a level, where the tiers after the first begin
FEWEST_LEVELS = 5  # for anything to be said about how they are ranked
FEWEST_PLAYS = 30  # for cuts
DRAWS = 1_000
FARTHEST = 0.5  # from 0 and from 100, of a difficulty


class Play(NamedTuple):
    """A level that somebody began, and how it went."""

    game: str
    text: str
    solved: bool
    counts: dict[str, float]
    helped: bool = False  # by a hint, or by being told that it is lost


class Ranked(NamedTuple):
    """A rank correlation with its interval of 95 %."""

    value: float
    low: float
    high: float


class Cut(NamedTuple):
    """Where a tier of difficulty begins."""

    now: float
    fitted: float  # by the plays


@dataclass(frozen=True)
class Calibration:
    """What plays say about the difficulty of the levels that were played."""

    game: str
    plays: int
    levels: int
    solved: float  # share of the plays
    unrated: int  # levels whose difficulty nobody knows
    helped: int  # plays that are left out, as the page has helped
    ranks: dict[str, Ranked]  # against the share solved, and what a solve took in the median
    cuts: dict[str, Cut]  # by tier
    why_not: str  # why there are no cuts

    def summary(self) -> dict[str, Any]:
        ranks = {name: rank._asdict() for name, rank in self.ranks.items()}
        return vars(self) | {"ranks": ranks, "cuts": {name: cut._asdict() for name, cut in self.cuts.items()}}


def read_plays(path: Path) -> list[Play]:
    """Returns the plays of a file; a line that is none is refused by its number."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "no text"
        raise LevelsmithError(f"{path}: expected a file of plays, a line of JSON each ({why})") from None
    plays = [_play(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not plays:
        raise LevelsmithError(f"{path}: expected a line of JSON for each play, got none")
    return plays


def _play(path: Path, number: int, line: str) -> Play:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("solved"), bool):
        raise LevelsmithError(
            f'{path}, line {number}: expected {{"game": …, "text": …, "solved": true or false}}, '
            f"got {quoted(line)}"
        )
    game, text = told.get("game"), told.get("text")
    if not isinstance(game, str) or not isinstance(text, str):
        raise LevelsmithError(f"{path}, line {number}: expected a game and the text of a level")
    counts = {}
    for name in (*COUNTED, *HELP):
        value = told.get(name)
        if value is not None:
            if type(value) not in (int, float) or not 0 <= value < float("inf"):
                raise LevelsmithError(
                    f"{path}, line {number}: expected a number from 0 as {name}, got {quoted(value)}"
                )
            counts[name] = float(value)
    helped = sum(counts.pop(name, 0) for name in HELP) > 0
    return Play(game, text, told["solved"], counts, helped)


def calibrated(plays: Sequence[Play]) -> Calibration:
    """Returns what plays of one game say about its difficulty."""
    names = sorted({play.game for play in plays})
    if len(names) > 1:
        raise LevelsmithError(f"expected plays of one game, got {' and '.join(names)}: split the file")
    game = games.get(names[0])
    if METRIC not in game.metrics:
        raise LevelsmithError(f"{game.name} has no difficulty that plays could be held against")
    given, plays = plays, [play for play in plays if not play.helped]
    if not plays:
        raise LevelsmithError("expected a play without help by the page, got none")
    by_level: dict[Level, list[Play]] = {}
    for number, play in enumerate(given, 1):
        try:
            level = parse(play.text, game.name)
        except LevelsmithError as error:
            raise LevelsmithError(f"play {number}: {error}") from None
        if play.helped:
            continue
        by_level.setdefault(level, []).append(play)
    numbers = [measure(level)[METRIC] for level in by_level]
    told = zip(numbers, by_level.values(), strict=True)
    rated = [(float(number), own) for number, own in told if number is not None]
    solved = sum(play.solved for play in plays) / len(plays)
    known = game.name, len(plays), len(by_level), solved, len(by_level) - len(rated), len(given) - len(plays)
    return Calibration(*known, _ranks(rated), *_cuts(game.ranges.get(METRIC, {}), rated))


def _ranks(rated: Sequence[tuple[float, list[Play]]]) -> dict[str, Ranked]:
    """Returns how difficulty ranks levels: by the share solved, and by what their solves took."""
    numbers = np.array([number for number, _ in rated])
    columns = {"share solved": np.array([np.mean([play.solved for play in own]) for _, own in rated])}
    for name in COUNTED:
        took = [[p.counts[name] for p in own if p.solved and name in p.counts] for _, own in rated]
        columns[name] = np.array([np.median(each) if each else np.nan for each in took])
    found = {name: _ranked(numbers, column) for name, column in columns.items()}
    return {name: rank for name, rank in found.items() if rank is not None}


def _ranked(numbers: Numbers, column: Numbers) -> Ranked | None:
    """Returns the rank correlation of two columns, its interval by drawing levels again and again."""
    known = np.isfinite(column)
    one, other = numbers[known], column[known]
    if len(one) < FEWEST_LEVELS or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    rng = np.random.default_rng(0)
    draws = rng.integers(0, len(one), (DRAWS, len(one)))
    drawn = [rank_correlation(one[chosen], other[chosen]) for chosen in draws]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return Ranked(rank_correlation(one, other), float(low), float(high))


def _cuts(tiers: Any, rated: Sequence[tuple[float, list[Play]]]) -> tuple[dict[str, Cut], str]:
    """Returns where tiers begin: where as many solve a level as `SHARES` says; or why that is not known."""
    names = list(tiers)[1:]
    if len(names) != len(SHARES):
        return {}, "the game has no tiers of difficulty"
    number = np.array([n for n, own in rated for _ in own])
    solved = np.array([play.solved for _, own in rated for play in own])
    if len(number) < FEWEST_PLAYS or len(rated) < FEWEST_LEVELS:
        return {}, f"expected {FEWEST_PLAYS} plays of {FEWEST_LEVELS} levels or more"
    if solved.all() or not solved.any():
        return {}, "all plays ended alike"
    offset, slope = _logistic(_logit(number), solved)
    if slope >= 0:
        return {}, "harder levels were not solved more seldom"
    ends = [100 / (1 + np.exp(-(np.log(share / (1 - share)) - offset) / slope)) for share in SHARES]
    return {name: Cut(tiers[name][0], float(end)) for name, end in zip(names, ends, strict=True)}, ""


def _logit(number: Numbers) -> Numbers:
    inside = np.clip(number, FARTHEST, 100 - FARTHEST)
    return np.log(inside / (100 - inside))


def _logistic(x: Numbers, solved: NDArray[np.bool_]) -> tuple[float, float]:
    """Returns by which offset and slope the logarithm of the odds of a solve follows x.

    A little penalty on the slope keeps it finite where all plays are told apart.
    """
    given = np.column_stack([np.ones(len(x)), x])
    weights = np.zeros(2)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (solved - chance) - [0.0, 1e-2 * weights[1]]
        bend = (given * (chance * (1 - chance))[:, None]).T @ given + np.diag([1e-9, 1e-2])
        step = np.linalg.solve(bend, slope)
        weights += np.clip(step, -2, 2)
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0]), float(weights[1])
