"""Levels by the million as a dataset: made, labelled and split, stopped and gone on with at any time."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Unpack

from levelsmith import __version__
from levelsmith.contracts import Game, Playable, Provable, Solvable, WithRuleBook
from levelsmith.core import Batch, Cancel, Result
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.levels.dataset.rows import Labels
from levelsmith.levels.dataset.shards import Shards, check_format
from levelsmith.levels.formats.json import dumps
from levelsmith.levels.solve import against
from levelsmith.levels.splits import USUAL, Keyed, Shares, Splits, canonical_keys
from levelsmith.making.driver import runs_of
from levelsmith.making.flow import flow
from levelsmith.making.outcome import levels_of
from levelsmith.making.runs import Runs
from levelsmith.making.task import Task
from levelsmith.numbers import whole_number
from levelsmith.registry import arenas, arenas_by_game, games
from levelsmith.request import DATASET, FIELDS, Keywords, Request

A_SHARD = 10_000  # levels
A_CHUNK = 20  # runs that a batch without levels is taken to be of
MOST_MISSES = 1_000  # runs in a row that give no new level, before it is given up
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")  # of a split
UNLIKE = "unlike.json"  # the levels that others shall not be like, where no file of them is known


class Unlisted(set[int]):
    """Holds every level for new: it is by their hashes that repeated levels are left out."""

    def __contains__(self, key: object) -> bool:
        return False

    def add(self, key: int) -> None:
        return


def dataset(
    game: str,
    folder: str | os.PathLike[str],
    *,
    splits: Splits | Shares = USUAL,
    format: str = "jsonl",
    shard: int = A_SHARD,
    cancel: Cancel | None = None,
    progress: Callable[[int], object] | None = None,
    **asked: Unpack[Keywords],
) -> dict[str, int]:
    """Makes levels as a dataset in a folder, and goes on where the same call was stopped.

    Every level has a solution that was played, and no two are alike up to symmetry, whatever their split.
    The same seed gives the same bytes for any number of workers. Beside the levels lie `dataset.json`,
    `README.md`, and `verify.py`, which checks all of them without levelsmith.

    Args:
        game: one whose levels come with a solution, such as "sokoban".
        folder: a new one, or one that was begun in the same way.
        splits: the shares of train and test, or of train, validation and test; or shares by name.
        format: "jsonl", or "parquet" where pyarrow is installed.
        shard: levels in a shard, which has a file for each split.
        cancel: asked again and again while levels are made; True stops.
        progress: called with how many levels there are.
        asked: as for `generate`, the count (how many levels there shall be), size, search, representation,
            objective, combine, preset, set, evaluations, seed, guards, want, skip, unlike and workers.
            Without a search, representation, objective or preset, levels are made as for the game's
            environment.

    Returns:
        How many levels each split has.
    """
    if not isinstance(folder, str | os.PathLike):
        raise LevelsmithError(f"expected the path of a folder for the dataset, got {quoted(folder)}")
    request = Request(game, **asked)
    order = Order(request, Path(folder), splits, format, shard)
    for made in order.write(cancel):
        if progress is not None:
            progress(made)
    return order.counts


class Order:
    """A dataset that is asked for: everything is checked before anything is made.

    Args:
        request: what is asked for.
        folder: where it is written.
        splits: as for `dataset`; so are `format` and `shard`.
        files: those that the levels of `unlike` come from, as the command names them.
    """

    def __init__(
        self,
        request: Request,
        folder: Path,
        splits: Splits | Shares = USUAL,
        format: str = "jsonl",
        shard: int = A_SHARD,
        files: Sequence[str] = (),
    ):
        game = _proved_game(request.game)
        request = request.at(DATASET)
        self.count = whole_number(request.count, "a count", 1, " levels")
        self.shard = whole_number(shard, "a shard", 1, " levels")
        self.splits, self.format, self.folder = Splits.of(splits), check_format(format), folder
        for name in self.splits.names:
            if not NAME.fullmatch(name):
                raise LevelsmithError(
                    f"expected letters, digits, - and _ for the name of a split, which files are named by, "
                    f"got {quoted(name)}"
                )
        begun = Shards.read(folder)
        request = Request(request.game, **{k: v for k, v in request.given.items() if k != "count"})
        if request.seed is None and begun is not None:
            request = request.but(seed=begun["made"]["seed"])
        self.request, self.files = _usual(request), files
        self.runs = runs_of(self.request.but(count=None))
        self.game: Game = against(game, self.task.guards)
        self.counts: dict[str, int] = {}

    @property
    def task(self) -> Task:
        return self.runs.task

    @property
    def command(self) -> str:
        """The command that makes the dataset."""
        given = {
            name: value
            for name, value in {**self.request.given, "seed": self.task.seed}.items()
            if name not in ("workers", "unlike") and value not in (FIELDS[name].default, {}, [])
        }
        if self.task.guards is not None:
            given["guards"] = self.task.guards
        words = Request(self.game.name, **given).words()
        own = ["--count", str(self.count), "--splits", self.splits.text]
        own += ["--format", self.format] if self.format != "jsonl" else []
        own += ["--shard", str(self.shard)] if self.shard != A_SHARD else []
        folder = os.path.basename(os.path.abspath(self.folder))  # of "." too
        kept = [f"{folder}/{UNLIKE}"] if self.request.unlike else []
        own += [word for file in self.files or kept for word in ("--unlike", file)]
        return shlex.join(["levelsmith", "dataset", *words[2:], *own, "-o", folder])

    def settings(self, unlike: Sequence[int]) -> dict[str, Any]:
        """Returns all that decides about the levels, but for how many there are."""
        task = self.task
        made = {name: value for name, value in task.provenance().items() if name not in ("levelsmith", "run")}
        made |= {"evaluations": task.budget.evaluations, "skip": self.runs.first}
        if unlike:
            made["unlike"] = [f"{key:016x}" for key in sorted(unlike)]
        return {
            "levelsmith": __version__,
            "format": self.format,
            "game": self.game.name,
            "symbols": self.game.tiles.symbols,
            "alike": _alike(self.game),
            "splits": dict(zip(self.splits.names, self.splits.shares, strict=True)),
            "ranges": {want.metric: [_end(want.low), _end(want.high)] for want in task.wants},
            "shard": self.shard,
            "made": made,
        }

    def write(self, cancel: Cancel | None = None) -> Iterator[int]:
        """Makes what is missing; yields again and again how many levels there are."""
        unlike = canonical_keys(self.request.unlike).tolist()
        book = self.game.rule_book() if isinstance(self.game, WithRuleBook) else None
        settings, metrics = self.settings(unlike), list(self.game.metrics)
        shards = Shards(self.folder, settings, metrics, self.command, book, self._beside())
        try:
            seen = {*unlike, *shards.keys()}
            yield shards.levels
            left = self.runs if shards.next_run is None else self.runs.rest(shards.next_run)
            yield from self._fill(shards, left, seen, cancel)
        finally:
            shards.close()
            self.counts = shards.counts

    def _beside(self) -> dict[str, bytes]:
        """Returns what lies beside the levels: those to be unlike, where no file of them is known."""
        if self.files or not self.request.unlike:
            return {}
        return {UNLIKE: dumps(self.request.unlike).encode("utf-8", "backslashreplace")}

    def _fill(self, shards: Shards, left: Runs, seen: set[int], cancel: Cancel | None) -> Iterator[int]:
        labels, misses = Labels(self.game, self.splits, self.task.seed), 0
        if shards.levels >= self.count:
            return
        for task, made in flow(left, self.request.workers, cancel, Unlisted()):
            if not isinstance(made, Batch | Result):
                continue
            before = shards.levels
            for run, row, key in self._labelled(labels, task, made):
                if key not in seen:
                    seen.add(key)
                    shards.add(row, run)
                if shards.levels == self.count:
                    yield shards.levels
                    return
            yield shards.levels
            misses = misses + _runs(made) if shards.levels == before else 0
            if misses >= MOST_MISSES:
                raise LevelsmithError(
                    f"no new level came of {misses:,} runs in a row, after {shards.levels:,} of "
                    f"{self.count:,}; try wider ranges, a larger size or a smaller count"
                )

    def _labelled(self, labels: Labels, task: Task, made: Batch | Result) -> Iterator[tuple[int, Any, int]]:
        """Yields the run, the row and the key of each level that has a solution."""
        if isinstance(made, Batch):
            if len(made):
                first = next(levels_of(task, made.part(0, 1)))
                optimal = self.game.is_shortest(first)
                rows, keys = labels.rows(made.runs.tolist(), made.grids, made.solutions, optimal)
                yield from zip(made.runs.tolist(), rows, keys, strict=True)
            return
        for level in made.levels:
            if level.solution is None:
                continue
            self.game.verify(level)  # type: ignore[attr-defined]
            run = int(level.provenance["run"])
            optimal = self.game.is_shortest(level)
            rows, keys = labels.rows([run], level.grid[None], [level.solution], optimal)
            yield run, rows[0], keys[0]


def _runs(made: Batch | Result) -> int:
    """Returns about how many runs something was made in."""
    return (len(made) or A_CHUNK) if isinstance(made, Batch) else 1


def _proved_game(name: str) -> Game:
    """Returns the game, if its levels come with solutions that can be played."""
    game = games.get(name)
    if not isinstance(game, Playable) or not isinstance(game, Solvable | Provable):
        able = [each for each in games if isinstance(games.get(each), Playable)]
        raise LevelsmithError(
            f"a dataset holds proved levels, and {name} has no solutions; expected one of: {listed(able)}"
        )
    return game


def _usual(request: Request) -> Request:
    """Returns the request with what the game's environment has, where it does not say how to make levels."""
    name = arenas_by_game().get(request.game)
    if name is None or any(map(request.given.get, ("search", "representation", "objective", "preset"))):
        return request
    practice: Mapping[str, Any] = arenas.get(name).against(request.guards).practice
    return Request(request.game, **{**practice, **request.given})


def _alike(game: Game) -> str | None:
    """Returns how the verifier finds the hash of a level; None where only the game itself can."""
    if isinstance(game, Keyed):
        return game.name
    return "plain" if type(game).canonical is Game.canonical else None


def _end(value: float) -> float | None:
    return None if value in (inf, -inf) else value
