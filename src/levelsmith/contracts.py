"""What plugs in: games, representations, searches and makers, with all that each of them may declare.

A part inherits from its contract and so has every default. What only some parts can do is a small protocol of
its own, asked for with `isinstance(game, Solvable)`. A part that inherits from nothing is given the defaults
that it lacks by `registry.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import (
    Aim,
    Canvas,
    Effort,
    Grid,
    Level,
    Made,
    Member,
    Objective,
    Parameters,
    Problem,
    Size,
    Term,
    Tiles,
    Values,
    Verdict,
)

if TYPE_CHECKING:
    from pathlib import Path

    from levelsmith.levels.formats.peers import Peer
    from levelsmith.levels.look import Look, Mark

Mask = NDArray[np.bool_]  # [H, W]
Range = tuple[float, float]  # both ends belong to it
NONE: Mapping[str, Any] = MappingProxyType({})


# ----------------------------------------------------------------------------------------------------- games


class Game(Protocol):
    """Tiles, what can be measured about a grid of them, and what can be asked for."""

    name: str
    summary: str
    tiles: Tiles
    default_size: Size
    smallest: Size
    largest: Size
    objectives: Mapping[str, Objective] = NONE
    if TYPE_CHECKING:  # attributes or properties, as suits the game

        @property
        def metrics(self) -> Mapping[str, str]:
            """What each metric counts, by its name."""

        @property
        def defaults(self) -> Mapping[str, str]:
            """The search, representation and objective to take by default, the `generator`, the `repair`."""

    score_parts: Sequence[str] = ()  # that an objective may have beside metrics: only kernels know them
    # What is made
    takes: frozenset[str] | None = None  # the representations that serve it; None for all that serve any game
    settings: Mapping[str, Any] = NONE  # "search.parameter" -> its default for this game
    fresh_defaults: Mapping[str, str] = NONE  # search and representation of new levels of `default_size`
    mix: Mapping[str, int] = NONE  # how often each tile is drawn; empty for evenly
    border: int = 0  # cells around a level that its size does not count
    # Ranges of metrics
    ranges: Mapping[str, Mapping[str, Range]] = NONE  # metric -> name -> range
    always: Mapping[str, Range] = NONE  # what is asked for wherever any range is
    ranges_suffice: bool = True  # to make a level; else its first objective stays beside them
    usual: Mapping[str, Range] = NONE  # what a ramp goes through where no range says
    never_above: Sequence[tuple[str, str]] = ()  # no level has more of the first than of the second
    at_least: Sequence[str] = ()  # metrics of which one number asks for that and more, not for that alone
    unmeasured: Mapping[str, str] = NONE  # metrics that no level of it has, and why
    models: Mapping[str, str] = NONE  # metrics that a model tells, and its version
    # Levels that are changed, read, written, compared and learnt from
    aims: Sequence[Aim] = ()  # what `improve` can have more of
    keeps: Sequence[str] = ()  # tiles that a repair takes away only where nothing else helps
    scripts: str = ""  # the folder of what pages play it by, where that is not called as the game is
    text_format: str = "text"  # of its levels, among files for other programs
    example: tuple[str, str] | None = None  # a small level as text, and its solution
    packs: Mapping[str, Path] = NONE  # files of levels that ship with it, by name
    peers: Mapping[str, Peer] = NONE  # how other tools number its tiles, by the tool's name
    alike: Mapping[str, str] = NONE  # tiles that count as another one where levels are compared
    mirrors: bool = False  # whether the mirror image of a level is a level
    channels: Sequence[str] = ()  # tiles that models in the mode `paper` know, later ones win; () for all
    placed_after: Sequence[str] = ()  # tiles that models leave out
    # Solutions
    solution_columns: Sequence[str] = ()  # metrics of a solution that a table shows
    fewest: str | None = None  # of what an optimal solution has the fewest: push
    proof_needed: bool = False  # whether a level without a solution is none, however well it scores
    capitals: str = ""  # what a capital letter of a solution is; "" where that means nothing

    @abstractmethod
    def measure(self, grids: Grid) -> NDArray[np.float64]:
        """Returns the metrics of each grid. grids: `[B, H, W]` -> `[B, K]`, columns as in `metrics`."""

    @abstractmethod
    def check(self, level: Level) -> None:
        """Raises LevelsmithError, with the reason, for a grid that is no level of this game."""

    @abstractmethod
    def compiled(self, size: Size) -> Any:
        """Returns the NamedTuple whose type carries the compiled `metric`; None where there is none."""

    @abstractmethod
    def look(self) -> Look:
        """Returns the sprites and palettes."""

    def check_start(self, level: Level) -> None:
        """Raises LevelsmithError for a level that cannot be begun; by default every level can."""
        return

    def closed(self, level: Level) -> Level:
        """Returns the level with what nobody can reach filled in; by default the level itself."""
        return level

    def canonical(self, grid: Grid) -> bytes:
        """Returns the same bytes for grids that are the same level; by default only for equal ones."""
        return grid.tobytes()

    def most(self, size: Size) -> Mapping[str, float]:
        """Returns the most that metrics can be at a size, as far as that is known."""
        return NONE

    def details(self, level: Level) -> dict[str, Any]:
        """Returns what there is to say of a level besides numbers."""
        return {}

    def headline(self, level: Level) -> str:
        """Returns what a reader wants to know of a level first, in one line; "" for nothing."""
        return ""

    def grade(self, metrics: Mapping[str, float | None]) -> str | None:
        """Returns how hard a level with such metrics is, in a word; None where the game has none."""
        return None

    def is_shortest(self, level: Level) -> bool:
        """Returns whether what made the level knows that no solution is shorter than the one it carries."""
        return False

    def marks(self, level: Level) -> list[Mark]:
        """Returns what is marked on a picture of the level."""
        return []

    def outside(self, grid: Grid) -> Mask:
        """Returns which cells are no part of the level; pictures leave them blank."""
        return np.zeros(grid.shape, np.bool_)

    def path(self, level: Level) -> list[tuple[int, int]] | None:
        """Returns the cells (row, col) of the path that an editor shows; None for a game without one."""
        return None

    def hopeless(self, level: Level, free: Mask) -> str | None:
        """Returns why no change of the free cells makes a level that can be played, where that is known."""
        return None


@runtime_checkable
class MeasuredBySolution(Protocol):
    """A game whose metrics depend on the solution that a level carries."""

    def measure_level(self, level: Level) -> NDArray[np.float64]:
        """Returns the metrics of one level, in the order of `metrics`; nan where one is not known."""


@runtime_checkable
class MeasuredOnGPU(Protocol):
    """A game whose `measure` takes a second argument, the device.

    One that is measured by solutions too has `with_solution(level, row)`: it gives the metrics of a level of
    whose board a GPU has told them.
    """

    def gpu_lacks(self, size: Size) -> str | None:
        """Returns why a GPU does not measure levels of a size; None where it does."""


@runtime_checkable
class WithRuleSets(Protocol):
    """A game that has several sets of rules."""

    @property
    def rule_sets(self) -> tuple[str, ...]: ...

    def under(self, rules: str) -> Game:
        """Returns the same game under another of its rule sets."""


@runtime_checkable
class Scripted(Protocol):
    """A game whose rules pages are told as data, beside its levels."""

    def plain_game(self, levels: Sequence[Level]) -> dict[str, Any]:
        """Returns all that a page plays these levels by, as plain data."""


@runtime_checkable
class WithGuards(Protocol):
    """A game whose enemies may chase or stand still."""

    @property
    def guards(self) -> str: ...

    @property
    def guard_sets(self) -> tuple[str, ...]: ...

    def against(self, guards: str) -> Game:
        """Returns the same game against guards that do one of these."""

    def variants(self, level: Level) -> Iterator[Level]:
        """Yields the level with its enemies in other places, to be proved where it could not be as it is."""


@runtime_checkable
class Solvable(Protocol):
    """A game with a solver."""

    def solve(self, level: Level, effort: Effort, **choices: Any) -> Verdict:
        """Returns whether a level can be solved, and how; `cancel` and options of the solver are choices."""


@runtime_checkable
class Provable(Protocol):
    """A game whose solver looks at every level that was made without a solution."""

    def prove(self, level: Level) -> str | None:
        """Returns a solution, the same on every machine, or None where none was found."""


@runtime_checkable
class Playable(Protocol):
    """A game with rules that replay a solution, written apart from what finds it."""

    def verify(self, level: Level) -> None:
        """Raises LevelsmithError where the solution that the level carries does not solve it."""

    def frames(self, level: Level) -> Iterator[Grid]:
        """Returns the grid at the start and after each move of the level's solution."""


@runtime_checkable
class WithBound(Protocol):
    """A game whose shortest solutions can be found again without levelsmith."""

    def bound_book(self) -> ModuleType:
        """Returns plain Python with `fewest(grid, most)`: the least that any solution takes, by a search that
        shares no code with the solver; None where there is none. It raises TooMany beyond `most` states."""


class RuleBook(NamedTuple):
    """What a game gives those who check its levels without levelsmith, by the program beside a dataset."""

    rules: ModuleType  # plain Python that is put into `verify.py`: `play`, as there, `key_of`, `counts_of`
    files: Mapping[str, str] = NONE  # further files of it, by name, in the folder `rulebook`
    answers: str = ""  # how solutions are written, in sentences; "" for moves, a letter each
    note: str = ""  # a sentence on its solutions, where there are several kinds of them
    plays: str = "plays every solution"  # what the program does with solutions, in words


@runtime_checkable
class WithRuleBook(Protocol):
    """A game whose levels can be checked without levelsmith."""

    def rule_book(self) -> RuleBook:
        """Returns rules that share no code with what makes and solves levels."""


class Found(NamedTuple):
    """What is found in a level, or in the file of a game, that its maker wants to be warned of."""

    name: str  # of one of the kinds that the game declares, or of those that there are for any game
    text: str
    cell: tuple[int, int] | None = None  # (row, col) of a level
    line: int = 0  # of the game's own file, from 1; 0 where a level is meant
    column: int = 1


class Inspected(NamedTuple):
    """What came of looking for one kind of finding in a level."""

    found: list[Found]
    facts: Any = None  # plain data, for what is found in all levels of a file together
    complete: bool = True  # False where a limit was reached first


@runtime_checkable
class Inspectable(Protocol):
    """A game that finds more in a level than whether it can be won."""

    @property
    def inspections(self) -> Mapping[str, tuple[str, str]]:
        """What it looks for: by name `error`, `warning` or `off` where nobody says, and what that is."""

    def faults(self, level: Level) -> Iterator[Found]:
        """Yields what keeps a grid from being a level, as far as that has a name."""

    def inspect(
        self, name: str, level: Level, verdict: Verdict, effort: Effort, cancel: Callable[[], bool] | None
    ) -> Inspected:
        """Returns what is found of one kind in a level that was solved or not."""

    def inspect_all(self, name: str, levels: Sequence[Level], facts: Sequence[Any]) -> Iterator[Found]:
        """Yields what is found of one kind in all levels of a file together, by the facts of each; None
        stands for facts that are not known."""


@runtime_checkable
class Identified(Protocol):
    """A game whose rules lie in a file: what a proof hangs on are they and the level, not the file's name."""

    def identity(self, level: Level, lines: bool) -> bytes:
        """Returns the same bytes for a level under the same rules, whatever either is called; with `lines`
        only where the rules stand on the same lines."""


@runtime_checkable
class Lessened(Protocol):
    """A game that can be asked whether a level needs a rule, or a thing in it."""

    def without(self, line: int) -> Game:
        """Returns the game without the rule of a line; raises LevelsmithError where none stands there."""

    def erased(self, level: Level, thing: str) -> Level:
        """Returns a level without a thing; raises LevelsmithError for a name that is none."""


@runtime_checkable
class WithTrail(Protocol):
    """A game where one figure moves."""

    def trail(self, level: Level) -> list[tuple[int, int]]:
        """Returns the cells (row, col) that the figure comes by on the way of the level's solution."""


@runtime_checkable
class WithStart(Protocol):
    """A game that places its player where a level has none."""

    def with_start(self, level: Level) -> Level:
        """Returns the level with its player in the best place."""

    def completed(self, grid: Grid, counted: Mapping[str, float] | None = None) -> Grid:
        """Returns a grid as it is handed out: with a player, if it has none. Metrics that are `counted` stay,
        or where that is less, at what is enough of them."""


@runtime_checkable
class Joinable(Protocol):
    """A game whose levels can be joined to a larger one."""

    def joined(self, whole: Level, room: Level) -> Level:
        """Returns the whole with a room added at its right."""


@runtime_checkable
class Nudgeable(Protocol):
    """A game that knows small changes as a designer would make them; others are changed cell by cell."""

    def nudged(self, grid: Grid, free: Mask, rng: np.random.Generator) -> Grid:
        """Returns a copy with one or two of its free cells changed."""


@runtime_checkable
class Mendable(Protocol):
    """A game whose solver decides whether a level is repaired; others are repaired by their objectives."""

    def trouble(self, grid: Grid) -> float:
        """Returns how far a grid is from a level that a solver should look at; 0 where it is one."""

    def things(self, grid: Grid) -> tuple[int, ...]:
        """Returns counts of which a repair takes nothing away if it can."""

    def mendings(self, grid: Grid, free: Mask) -> Iterator[Grid]:
        """Yields copies with a small change that might mend the grid."""

    def furnished(self, grid: Grid, free: Mask, rng: np.random.Generator) -> Grid | None:
        """Returns a copy with what a level lacks put into its free cells; None where that cannot be."""

    def sealed(self, grid: Grid, free: Mask) -> Grid:
        """Returns a copy without free cells that nobody can reach."""


@runtime_checkable
class Openable(Protocol):
    """A game that knows where a level needs a way."""

    def opened(self, grid: Grid, free: Mask) -> Grid:
        """Returns a copy with ways cut through its free cells."""

    def settled(self, grid: Grid, free: Mask) -> Grid:
        """Returns a copy without what is in its free cells too often."""

    def mends(self, grid: Grid) -> tuple[str, ...]:
        """Returns the tiles that a repair may have to put."""


@runtime_checkable
class Designable(Protocol):
    """A game whose `compiled` knows more than tiles; environments to design in measure tiles alone."""

    def compiled_grids(self, size: Size) -> Any:
        """Returns what measures boards of tiles, a NamedTuple whose type carries `metric`."""


@runtime_checkable
class Stepwise(Protocol):
    """A game that shows how a level of it is built."""

    def steps(self, size: Size, seed: int) -> dict[str, Any]:
        """Returns `steps` (each an action and the text after it), all `actions`, and the `solution`."""


# ------------------------------------------------------------------------------------------- representations


class Representation(Protocol):
    """How a search sees and changes a level."""

    name: str
    summary: str
    offers: frozenset[str]  # of "steps", "variation"
    parameters: Parameters = ()
    games: frozenset[str] = frozenset()  # those that it is made for; empty for any
    defaults: Mapping[str, str] = NONE  # the search and objective to take with it where none is named
    instead: str = ""  # what can be done with a game that it does not serve

    @abstractmethod
    def build(self, game: Game, canvas: Canvas, values: Values, needs: str) -> Any:
        """Returns the NamedTuple whose type carries the compiled functions that a search needs."""

    @abstractmethod
    def grid(self, built: Any, board: Any) -> Grid:
        """Returns a board of the compiled part as a grid `[H, W]`."""

    def proof(self, built: Any, row: Any) -> str | None:
        """Returns the solution that a packed state holds, where it holds one."""
        return None

    def ready(self, game: Game, values: Values) -> bool:
        """Tells whether it can be built at once: no model has to be trained first."""
        return True

    def fitting(self, wants: Iterable[Any], start: Level | None) -> Mapping[str, Any]:
        """Returns settings that suit the ranges of metrics and the level to start from."""
        return NONE

    def no_level(self, size: Size, values: Values, locked: bool) -> str | None:
        """Returns what to say where a candidate without a proof is no level; None where it is one."""
        return None

    def finished(self, grid: Grid, values: Values, metrics: Collection[str]) -> Grid:
        """Returns a new level as it is handed out; `metrics` are those that were asked for."""
        return grid


# ------------------------------------------------------------------------------------------------- searches


class Resumable(Protocol):
    """A run that spends evaluations and remembers its best: of a search, or of a level that is drawn.
    One driver spends the budget; `advance` in any chunks gives the same result."""

    ended_by: str = "exhausted"  # why it has nothing left to try
    chunk: int | None = None  # evaluations to spend at a time; None leaves that to the driver
    told: Mapping[str, Any] = {}  # what the best says of where it came from, besides its request
    if TYPE_CHECKING:  # attributes or properties, as suits the search

        @property
        def evaluations(self) -> int:
            """How many were spent."""

        @property
        def score(self) -> float:
            """That of the best so far."""

        @property
        def exhausted(self) -> bool:
            """Whether nothing is left to try."""

    @abstractmethod
    def advance(self, evaluations: int) -> None:
        """Spends that many more evaluations, or fewer where a solution is found or nothing is left."""

    @abstractmethod
    def best(self) -> Grid:
        """Returns the best grid so far `[H, W]`."""

    @property
    def settled(self) -> bool:
        """Whether a run may stop once its best is solved; by default it may."""
        return True

    def proof(self) -> str | None:
        """Returns the solution of the best grid, where one is known."""
        return None

    def statistics(self) -> dict[str, Any]:
        """Returns what else there is to say about the run."""
        return {}


class Search(Resumable, Protocol):
    """A search for the best candidate of a problem."""

    summary: ClassVar[str]
    parameters: ClassVar[Parameters] = ()
    needs: ClassVar[str]  # "steps" or "variation"

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values): ...

    @staticmethod
    def check(values: Values, metrics: Sequence[str], cells: int) -> None:
        """Raises LevelsmithError for values that do not fit the game's metrics and the number of cells."""


@runtime_checkable
class Keeping(Protocol):
    """A search that can keep more than its best level."""

    def keep(self, bar: float) -> None:
        """Keeps candidates with a score of at least `bar` from now on; infinity ends it."""

    def taken(self) -> Iterator[tuple[float, Grid, Callable[[], str | None], int]]:
        """Yields what was kept since the last time: score, grid, proof, and after how many evaluations."""


@runtime_checkable
class Populated(Protocol):
    """A search whose whole population is its result."""

    def everyone(self) -> Iterator[Member]:
        """Yields the members."""


# --------------------------------------------------------------------------------------------------- makers


class Maker(Protocol):
    """Makes the levels of runs, one from each seed, alone or among others the same; so does each search."""

    chunk: int  # runs to ask for at a time, at most

    @abstractmethod
    def make(
        self,
        runs: Sequence[int],
        seeds: Sequence[np.random.SeedSequence],
        evaluations: int | None,
        cancel: Callable[[], bool],
    ) -> Iterator[Made]:
        """Makes a level from each seed, by at most so many evaluations, and stops once cancelled: yields one
        batch of all that were made, or for each run its progress and then its result."""

    @abstractmethod
    def known(self, levels: Sequence[Level]) -> set[int]:
        """Returns what the keys of levels would be in a batch."""


class GameMaker(Maker, Protocol):
    """Makes batches of one game's levels without a search; it is registered as a generator."""

    game: ClassVar[str]
    summary: ClassVar[str]
    parameters: ClassVar[Parameters] = ()
    sure: ClassVar[Sequence[str]] = ()  # metrics that the game always asks for, and all levels of it meet
    batches: ClassVar[bool] = True  # its levels are of one size, made many at a time; False for one by one
    insists: ClassVar[frozenset[str]] = frozenset()  # parameters: who gives one asks for this maker
    default_size: ClassVar[Size | None] = None  # where none is asked for; None for that of the game
    begins: ClassVar[bool] = False  # it also gets the `canvas`, and levels to be `unlike`

    def __init__(self, game: Game, size: Size, values: Values, terms: Sequence[Term], **begun: Any):
        """Prepares to make levels of a size that meet all terms, which are ranges of metrics."""

    @staticmethod
    def serves(size: Size, wants: Collection[Any]) -> bool:
        """Returns whether its levels can have a size, and often enough lie in the ranges."""
        return True


@runtime_checkable
class Drawing(Protocol):
    """A maker that can be watched at one level, and stopped by a clock."""

    def start(self, seed: np.random.SeedSequence) -> Resumable:
        """Returns a run that draws one candidate for each evaluation, until one will do."""
