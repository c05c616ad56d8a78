"""The values that everything else passes around."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from levelsmith.errors import LevelsmithError, listed, printable, quoted, unknown
from levelsmith.numbers import LARGEST_INTEGER, check_number, check_seconds, plain_number, whole_number
from levelsmith.registry import formats, games
from levelsmith.tiles import Grid as Grid
from levelsmith.tiles import Tile as Tile
from levelsmith.tiles import Tiles as Tiles

Size = tuple[int, int]  # (height, width)

Member = tuple[float, Grid, str | None, dict[str, Any]]  # score, grid, proof, what its provenance adds

LONGEST_TITLE = 200
MALFORMED = "malformed"  # where a level came from says so, and why, of what is no level in a file of many
UNSURE = "unsure"  # where a level came from says so where its board or its solution may be another one by now
SOLVED = 1.0  # the score at which an objective with a goal is met


# --------------------------------------------------------------------------------------------------- levels


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Level:
    """An immutable grid of one game's tiles, where it came from, and the proof that it can be played.

    Levels are equal when game and grid are. `text` is the canonical form.
    """

    game: str
    tiles: Tiles
    grid: Grid  # [H, W]
    title: str = ""
    author: str = ""
    solution: str | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.tiles, Tiles) or not isinstance(self.provenance, Mapping):
            raise LevelsmithError(
                "expected Tiles and a mapping as provenance; Level.from_grid finds the tiles"
            )
        for name in ("title", "author", "solution"):
            text = getattr(self, name)
            if not isinstance(text, str) and (text is not None or name != "solution"):
                raise LevelsmithError(f"expected text as the {name} of a level, got {quoted(text)}")
        try:
            given = np.asarray(self.grid)
            grid = np.array(given, np.uint8, order="C")  # a copy
        except (TypeError, ValueError, OverflowError):
            raise LevelsmithError(
                f"expected a grid of tile numbers for {self.game}, got {quoted(self.grid)}; "
                "Level.from_grid takes names and symbols too"
            ) from None
        if grid.ndim != 2 or grid.size == 0:
            raise LevelsmithError(f"expected a grid of at least 1x1 cells, got shape {grid.shape}")
        exact = given.dtype == np.uint8 or np.array_equal(grid, given)
        if not exact or grid.max() >= len(self.tiles):
            raise LevelsmithError(
                f"expected cells from 0 to {len(self.tiles) - 1} for {self.game} "
                f"({listed(self.tiles.names)}), got {quoted(given.min() if given.min() < 0 else given.max())}"
            )
        grid.flags.writeable = False
        object.__setattr__(self, "grid", grid)
        for name in ("title", "author", "solution"):
            if not isinstance(getattr(self, name) or "", str):
                raise LevelsmithError(f"expected text as {name}, got {quoted(getattr(self, name))}")
        for name in ("title", "author"):  # they end up in terminals and pages, so no control characters
            object.__setattr__(self, name, printable(getattr(self, name))[:LONGEST_TITLE].strip())
        if self.solution is not None:
            object.__setattr__(self, "solution", printable(self.solution))
        if self.provenance:
            object.__setattr__(self, "provenance", _origin_of(self.provenance, grid))

    @classmethod
    def from_grid(
        cls,
        game: str,
        cells: ArrayLike,
        *,
        title: str = "",
        author: str = "",
        solution: str | None = None,
        provenance: Mapping[str, Any] | None = None,
    ) -> Level:
        """Returns a level of a game from its cells.

        >>> import levelsmith
        >>> print(levelsmith.Level.from_grid("orchard", [[1, 0], ["grass", "^"]]))
        ^.
        .^

        Args:
            game: a name, as `catalogue("games")` has it.
            cells: rows of cells, or an array `[height, width]`: a cell is the number, the name or the symbol
                of a tile.
            title: of the level.
            author: of the level.
            solution: in the game's own letters; it is taken as it is.
            provenance: where the level came from.
        """
        found = games.get(game)
        grid = found.tiles.grid(cells, found.name)
        return cls(found.name, found.tiles, grid, title, author, solution, provenance or {})

    @property
    def size(self) -> Size:
        """(height, width)"""
        return self.grid.shape[0], self.grid.shape[1]

    @property
    def text(self) -> str:
        return "\n".join(self.tiles.rows(self.grid))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"levelsmith.parse({self.text!r}, game={self.game!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Level) and self.game == other.game and np.array_equal(self.grid, other.grid)

    def __hash__(self) -> int:
        return hash((self.game, self.size, self.grid.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        # An array forgets on its way to another process that it must not be written to.
        made_of = (self.game, self.tiles, self.grid, self.title, self.author, self.solution, self.provenance)
        return Level, made_of

    def __deepcopy__(self, memo: Any) -> Level:
        return self  # nothing of it changes

    def _repr_svg_(self) -> str:
        form = formats.get("svg")
        return form.write([self], "", settle("svg", form.parameters, {}))[""].decode()


class _Origin(dict[str, Any]):
    """Where a level came from, with the board that it was said of."""

    board: bytes


def _origin_of(told: Mapping[str, Any], grid: Grid) -> Mapping[str, Any]:
    """Returns where a level came from, marked as unsure if that was said of another board."""
    board = grid.tobytes()
    if isinstance(told, _Origin):
        if told.board == board:
            return told
        told = {**told, UNSURE: True}
    origin = _Origin(told)
    origin.board = board
    return origin


def check_level(value: Any) -> Level:
    """Returns the value, if it is a level."""
    if not isinstance(value, Level):
        raise LevelsmithError(
            f"expected a level, got {quoted(value)}; `load` reads files, `parse` reads text"
        )
    return value


def check_levels(values: Any) -> list[Level]:
    """Returns the values as a list, if each of them is a level."""
    if isinstance(values, Level | str) or not isinstance(values, Iterable):
        raise LevelsmithError(f"expected a list of levels, got {quoted(values)}; `load` reads files")
    return [check_level(value) for value in values]


# --------------------------------------------------------------------------------- what a run costs and gives


@dataclass(frozen=True, slots=True)
class Budget:
    """When a run stops: whatever comes first. All None means the default of 50,000 evaluations.

    Only a budget of evaluations (with or without a score) makes a run repeatable to the byte.
    """

    evaluations: int | None = None
    seconds: float | None = None
    score: float | None = None

    DEFAULT_EVALUATIONS = 50_000  # about what a plain Python program does in a minute on a 10x10 map

    def __post_init__(self) -> None:
        if self.evaluations is not None:
            evaluations = whole_number(self.evaluations, "a budget", 1, " evaluations")
            object.__setattr__(self, "evaluations", evaluations)
        if self.seconds is not None:
            check_seconds(self.seconds, "a budget")
        if self.score is not None:
            check_number(self.score, "the score to stop at")
        if self.evaluations is None and self.seconds is None:
            object.__setattr__(self, "evaluations", self.DEFAULT_EVALUATIONS)


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands; `stream` yields these."""

    run: int  # which of the runs, from 0
    evaluations: int
    seconds: float
    score: float
    best: Level | None
    kept: tuple[Level, ...] = ()  # besides the best, since the last event

    @property
    def rate(self) -> float:
        """Evaluations per second."""
        return self.evaluations / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """What a run found: its best level first of all, and why it stopped."""

    best: Level
    levels: tuple[Level, ...]  # all levels kept, in the order they were made
    score: float
    solved: bool
    stopped: str  # "solved", "score", "evaluations", "seconds", "exhausted", "memory", "cancelled"
    evaluations: int
    seconds: float
    history: tuple[tuple[int, float, float], ...] = ()  # (evaluations, seconds, score) at each improvement
    statistics: Mapping[str, Any] = field(default_factory=dict)
    missed: str = ""  # where nothing was made: how near it came
    missing: int = 0  # levels that were asked for and could not be made

    @property
    def ended(self) -> str:
        """Why it stopped, in words."""
        return "done" if self.stopped == "solved" else f"stopped by {self.stopped}"

    def __repr__(self) -> str:
        return (
            f"<Result score {self.score:.4g} after {self.evaluations:,} evaluations "
            f"in {self.seconds:.2f} s, {self.ended}>\n{self.best.text}"
        )


@dataclass(frozen=True, slots=True)
class Effort:
    """How much a solver may spend on one level; None where there is no limit.

    Only a limit of states, without one of seconds, gives the same answer on every machine.
    """

    states: int | None = None
    seconds: float | None = 10.0
    memory: int = 1_000_000_000  # bytes of its tables

    def __post_init__(self) -> None:
        if self.states is not None:
            object.__setattr__(self, "states", whole_number(self.states, "a limit", 1, " states"))
        if self.seconds is not None:
            check_seconds(self.seconds, "a limit")
        object.__setattr__(self, "memory", whole_number(self.memory, "a limit", 1, " bytes of memory"))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a solver found out about a level."""

    status: str  # "solved", "unsolvable" (proved), "unknown" (a limit was reached), "malformed" (no level)
    optimal: bool  # no solution is shorter
    solution: str | None
    metrics: Mapping[str, int | float | None] = field(default_factory=dict)  # of the solution, by name
    statistics: Mapping[str, Any] = field(
        default_factory=dict
    )  # states, seconds, a limit, an error, what is `estimated`

    STATUSES = ("solved", "unsolvable", "unknown", "malformed")


# ---------------------------------------------------------------------------------- parameters and objectives


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named setting of a search, a representation or an objective; its default gives its type."""

    name: str
    default: Any
    summary: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: Any) -> Any:
        """Returns the value in the parameter's type, or an error that names what was expected."""
        try:
            value = self._typed(value)
        except (TypeError, ValueError, KeyError, OverflowError):
            raise LevelsmithError(
                f"expected {self._expected()} for {self.name}, got {quoted(value)}"
            ) from None
        if type(value) is int and abs(value) > LARGEST_INTEGER:
            raise LevelsmithError(
                f"expected {self._expected()} within 64 bits for {self.name}, got {quoted(value)}"
            )
        if self.choices and value not in self.choices:
            raise unknown(f"choice of {self.name}", str(value), self.choices)
        low_ok = self.low is None or value >= self.low
        if not low_ok or (self.high is not None and value > self.high):
            raise LevelsmithError(f"expected {self._expected()} for {self.name}, got {value}")
        return value

    def _typed(self, value: Any) -> Any:
        kind = type(self.default)
        if kind is bool and isinstance(value, str):
            return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}[
                value.lower()
            ]
        if isinstance(value, bool) != (kind is bool):
            raise TypeError
        if kind is int and isinstance(value, float) and value != int(value):
            raise ValueError
        typed = kind(value)
        if kind is float and not np.isfinite(typed):
            raise ValueError
        return typed

    def _expected(self) -> str:
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}
        word = words[type(self.default)]
        low, high = (None if end is None else plain_number(end) for end in (self.low, self.high))
        if low is not None and high is not None:
            return f"{word} from {low} to {high}"
        if low is not None:
            return f"{word} of at least {low}"
        return f"{word} of at most {high}" if high is not None else word


Parameters = tuple[Parameter, ...]
Values = Mapping[str, Any]


def settle(owner: str, parameters: Parameters, given: Values) -> dict[str, Any]:
    """Returns every parameter of `owner` with its value: the given one, checked, or the default."""
    names = [p.name for p in parameters]
    for name in given:
        if name not in names:
            raise unknown(f"parameter of {owner}", name, names, hint="levelsmith list shows them all")
    return {p.name: p.check(given[p.name]) if p.name in given else p.default for p in parameters}


@dataclass(frozen=True, slots=True)
class Aim:
    """A metric that an improved level has more of, and those of which it may not have less, or not more."""

    metric: str
    grows: tuple[str, ...] = ()  # those that a harder level rather has no less of; an easier one may
    at_least: tuple[str, ...] = ()
    at_most: tuple[str, ...] = ()
    falls: tuple[str, ...] = ()  # those that a harder level rather has less of, where they are known
    same: tuple[str, ...] = ()  # tags of tiles: as many cells as before have one of each
    most: float = float("inf")  # of the metric


@dataclass(frozen=True, slots=True)
class Term:
    """One row of a score: how one metric counts.

    `ramp` is 0 up to `zero`, rises to 1 at `low`, is 1 up to `high`, falls to 0 at `end`.
    An infinite `zero` or `end` leaves that side at 1.
    `inverse` is `low` / metric, and 0 below `low`. `linear` is (metric - zero) / (low - zero), unlimited.
    `part` is no row of its own: metric / `low` is added to the metric of the next one.
    """

    metric: str
    shape: str
    zero: float = 0.0
    low: float = 1.0
    high: float = float("inf")
    end: float = float("inf")
    weight: float = 1.0

    SHAPES = ("ramp", "inverse", "linear", "part")

    def __post_init__(self) -> None:
        if self.shape not in self.SHAPES:
            raise unknown("shape of a term", str(self.shape), self.SHAPES)


@dataclass(frozen=True, slots=True)
class Objective:
    """What to search for: a named score made of metrics, with named parameters."""

    name: str
    summary: str
    terms: Callable[[Size, Values], Sequence[Term]]
    parameters: Parameters = ()
    goal: bool = True  # a score of 1 means solved
    combine: str = "mean"  # how its terms make one score, where nothing else is asked for
    defaults: Mapping[str, str] = field(default_factory=dict)  # the search and representation that suit it
    evaluations: int | None = None  # the budget of a run by these, where none is asked for


NOT_WON = "not_won"  # in statistics: levels that were thrown away, as no plan won against their guards
REPEATS = "repeats"  # in statistics: times that a level was made anew, as it repeated another one
LACKS = "lacks"  # in the statistics of a run: what keeps its best from being a level, in words


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Levels of one game and size, as arrays."""

    runs: NDArray[np.int64]  # [N] which run of the seed each is; a run that made none is missing
    grids: Grid  # [N, H, W]
    solutions: tuple[str, ...]  # [N]
    keys: NDArray[np.uint64]  # [N] the same for levels that the game holds alike
    evaluations: NDArray[np.int64]  # [N] candidates that each took
    not_won: NDArray[np.int64] | None = None  # [N] of these, how many no plan won against guards

    def __len__(self) -> int:
        return len(self.runs)

    def part(self, first: int, last: int) -> Batch:
        cut = slice(first, last)
        return Batch(
            self.runs[cut],
            self.grids[cut],
            self.solutions[cut],
            self.keys[cut],
            self.evaluations[cut],
            None if self.not_won is None else self.not_won[cut],
        )


def joined(parts: Sequence[Batch]) -> Batch:
    """Returns batches as one."""
    return Batch(
        np.concatenate([part.runs for part in parts]),
        np.concatenate([part.grids for part in parts]),
        tuple(solution for part in parts for solution in part.solutions),
        np.concatenate([part.keys for part in parts]),
        np.concatenate([part.evaluations for part in parts]),
        None if parts[0].not_won is None else np.concatenate([part.not_won for part in parts]),
    )


Cancel = Callable[[], bool]  # asked again and again; True stops
Event = Progress | Result
Made = Progress | Result | Batch


@dataclass(frozen=True, slots=True, eq=False)
class Canvas:
    """The cells that a level is made on: what they hold at the start, and which of them must stay so."""

    size: Size
    start: Grid | None = None  # [H, W]; None for a random one
    locked: NDArray[np.bool_] | None = None  # [H, W]


@dataclass(frozen=True, slots=True)
class Problem:
    """What a search works on: three compiled NamedTuples and the way back to a grid."""

    representation: Any
    game: Any
    objective: Any
    grid: Callable[[Any], Grid]
    metrics: tuple[str, ...]  # of the game, in order
    cells: int
    proof: Callable[[Any], str | None] = lambda row: None  # the solution that a packed state holds
