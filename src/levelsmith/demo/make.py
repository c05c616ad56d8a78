"""Makes the levels of the demo, game by game; where something must be compiled first, two at a time."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Any

from levelsmith import processes
from levelsmith.core import Level, Result
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.cold import ColdError, refuse_compiling
from levelsmith.levels.measure import Known, known
from levelsmith.numbers import check_workers
from levelsmith.search.driver import stream

SEED = 192  # whose levels are fine ones, of all games


@dataclass(frozen=True, slots=True)
class Part:
    """What the demo shows of one game: the files' name, the name that people read, what is asked for."""

    stem: str
    name: str
    game: str
    choices: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Made:
    """The levels of a part, from easy to hard, and what is known of each."""

    part: Part
    levels: tuple[Level, ...]
    known: tuple[Known, ...]

    @property
    def told(self) -> list[str]:
        """What a reader wants to know of each level."""
        return [headline or "" for _, headline in self.known]


# Those that take longest to compile first.
PARTS = (
    Part(
        "sokoban",
        "Sokoban",
        "sokoban",
        {
            "size": (7, 7),
            "set": {"boxes": 3},
            "want": {"difficulty": "10..95"},
            "ramp": "difficulty",
            "count": 6,
        },
    ),
    Part("loderunner", "Lode Runner", "loderunner", {"search": "construct"}),
    Part("cave", "Cave", "binary", {"size": (14, 24)}),
)


def make(seed: int = SEED, workers: int = 2) -> Iterator[Made]:
    """Yields what is made for each part, in their order; the same seed gives the same levels.

    Args:
        seed: any whole number from 0 to 2**63 - 1.
        workers: processes that make parts at the same time, where something must be compiled for them.
    """
    left = list(PARTS)
    while left and check_workers(workers) > 1:
        try:
            with refuse_compiling():
                made = _made(left[0], seed)
        except ColdError:
            break
        yield made
        del left[0]
    if len(left) > 1 and workers > 1:
        yield from _make_apart(left, seed, min(workers, len(left)))
    else:
        yield from (_made(part, seed) for part in left)


def _make_apart(parts: Sequence[Part], seed: int, workers: int) -> Iterator[Made]:
    """The same in processes of their own, which are ended where nobody waits for them any more."""
    before = set(multiprocessing.active_children())
    stop = multiprocessing.get_context("spawn").Event()
    pool = processes.started(workers, processes.settle_in, stop)
    ours = set(multiprocessing.active_children()) - before
    whole = False
    try:
        for future in [pool.submit(_made, part, seed) for part in parts]:
            yield future.result()
        whole = True
    except BrokenProcessPool:
        raise LevelsmithError(
            "a process that made levels has ended too soon (killed, or out of memory?); try --workers 1"
        ) from None
    finally:
        if not whole:  # one that compiles hears nothing for seconds
            for process in ours:
                process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _made(part: Part, seed: int) -> Made:
    """Makes the levels of one part."""
    choices = {"workers": 1, **part.choices}
    results = [event for event in stream(part.game, seed=seed, **choices) if isinstance(event, Result)]
    if any(result.stopped == "cancelled" for result in results):  # a run keeps its best; the demo wants all
        raise KeyboardInterrupt
    levels = [level for result in results for level in result.levels]
    expected = part.choices.get("count", 1)
    if len(levels) != expected:
        raise LevelsmithError(
            f"expected {expected} levels of {part.game} from the seed {seed}, got {len(levels)}; "
            "try another --seed"
        )
    titled = tuple(replace(level, title=_title(part, i)) for i, level in enumerate(levels, 1))
    return Made(part, titled, tuple(map(known, titled)))


def _title(part: Part, number: int) -> str:
    return f"{part.name} {number}" if part.choices.get("count", 1) > 1 else part.name
