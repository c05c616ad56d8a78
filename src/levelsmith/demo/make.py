"""Makes the levels of the demo, game by game."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from levelsmith.core import Level, Result
from levelsmith.errors import LevelsmithError, option
from levelsmith.levels.measure import Known, known
from levelsmith.making.driver import runs_of
from levelsmith.making.flow import follow
from levelsmith.registry import games
from levelsmith.request import Request

SEED = 208  # whose levels are fine ones, of all games


@dataclass(frozen=True, slots=True)
class Part:
    """What the demo shows of one game, a table of `parts.toml`."""

    stem: str  # of its files
    name: str  # that people read
    files: tuple[str, ...]  # their endings
    request: Request


@dataclass(frozen=True, slots=True)
class DemoLevels:
    """The levels of a part, from easy to hard, and what is known of each."""

    part: Part
    levels: tuple[Level, ...]
    known: tuple[Known, ...]

    @property
    def headlines(self) -> list[str]:
        """What a reader wants to know of each level."""
        return [headline or "" for _, headline in self.known]


def _parts() -> tuple[Part, ...]:
    text = Path(__file__).with_name("parts.toml").read_text(encoding="utf-8")
    return tuple(
        Part(stem, told["name"], tuple(told["files"]), Request(told["game"], **told["request"]))
        for stem, told in tomllib.loads(text).items()
    )


PARTS = _parts()


def make(seed: int = SEED) -> Iterator[DemoLevels]:
    """Yields what is made for each part, in their order; the same seed gives the same levels."""
    for part in PARTS:
        request = part.request.but(seed=seed)
        events = follow(runs_of(request), request.workers)
        levels = [level for event in events if isinstance(event, Result) for level in event.levels]
        expected = part.request.count
        if len(levels) != expected:
            raise LevelsmithError(
                f"expected {expected} levels of {part.request.game} from the seed {seed}, got {len(levels)}; "
                f"try another {option('seed')}"
            )
        titled = tuple(replace(level, title=_title(part, i)) for i, level in enumerate(levels, 1))
        graded = "difficulty" in games.get(part.request.game).metrics
        yield DemoLevels(part, titled, tuple(known(level, graded) for level in titled))


def _title(part: Part, number: int) -> str:
    return f"{part.name} {number}" if part.request.count > 1 else part.name
