"""Names of games, representations, searches, formats, generators, arenas, each loaded when first asked for.

A plug-in adds its own through an entry point of the group `levelsmith.<kind>`; a script through `register`.
`catalogue` tells what there is to choose from: the same for programs and for `levelsmith list`.
"""

from __future__ import annotations

import logging
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from types import FunctionType, MappingProxyType, MethodType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from levelsmith.errors import LevelsmithError, quoted, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from levelsmith.contracts import Game, GameMaker, Representation, Search
    from levelsmith.core import Parameters
    from levelsmith.games.arena import Arena
    from levelsmith.levels.formats.format import Format

T = TypeVar("T")
NO_FILES = "LEVELSMITH_NO_FILES"  # a variable, set where names come from a page: no file is an entry then


class Registry(Generic[T]):
    """Names of one kind. `"module:attribute"` references are imported on first use.

    Args:
        kind: the word for one entry, in the singular.
        own: the names that ship with levelsmith, each with its reference.
        contract: the reference of the class that has the defaults of an entry, if there is one.
        finder: the module whose `find` returns the entry that any other name stands for, such as a file, or
            None, whose `names` returns those that ship, and whose `KIND` is what they are called together.
        also_called: what people may type for a name; the error for that says which was meant.
    """

    def __init__(
        self,
        kind: str,
        own: dict[str, str],
        contract: str | None = None,
        finder: str | None = None,
        also_called: Mapping[str, str] = MappingProxyType({}),
    ):
        self.kind, self.contract, self.finder, self.also_called = kind, contract, finder, also_called
        self.plural = "searches" if kind == "search" else f"{kind}s"
        self._own = own
        self._loaded: dict[str, T] = {}
        self.lent: set[str] = set()  # names of what a text or a file is, while somebody works with it

    @cached_property
    def _plugins(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points  # slow to import, and names that ship do without

        return {point.name: point for point in entry_points(group=f"levelsmith.{self.plural}")}

    @property
    def names(self) -> list[str]:
        own = list(self._own)
        return own + sorted((set(self._plugins) | set(self._loaded)) - set(own))

    @property
    def added(self) -> list[str]:
        """The names that plug-ins and scripts have brought."""
        return [name for name in self.names if name not in self._own]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._loaded or name in self._plugins

    def register(self, name: str, entry: T) -> None:
        """Adds an entry for this process; a name that is taken is refused."""
        if name in self:
            raise LevelsmithError(f"a {self.kind} called {quoted(name)} exists already; choose another name")
        self._loaded[name] = self.complete(entry)

    def unregister(self, name: str) -> None:
        del self._loaded[name]

    @contextmanager
    def lend(self, entry: Any) -> Iterator[Any]:
        """Lets an entry be found by its own name while the block lasts."""
        self._loaded[entry.name] = entry
        self.lent.add(entry.name)
        try:
            yield entry
        finally:
            del self._loaded[entry.name]
            self.lent.discard(entry.name)

    def get(self, name: str) -> T:
        if not isinstance(name, str):
            raise LevelsmithError(f"expected the name of a {self.kind}, got {quoted(name)}")
        if name not in self._loaded:
            if name not in self and (found := self.found(name)) is not None:
                return found  # which a file may change at any time
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def found(self, name: str) -> T | None:
        """Returns the entry that a name which is in no list stands for; None where there is none."""
        entry: T | None = import_module(self.finder).find(name) if self.finder else None
        return entry

    @property
    def findable_as(self) -> list[str]:
        """What entries that are found are called together."""
        return [import_module(self.finder).KIND] if self.finder else []

    @property
    def findable(self) -> list[str]:
        """The names that ship besides those that are gone through."""
        names: list[str] = import_module(self.finder).names() if self.finder else []
        return names

    @property
    def sources(self) -> dict[str, str]:
        """The texts of those that ship besides, by name."""
        found: dict[str, str] = import_module(self.finder).sources() if self.finder else {}
        return found

    def explained(self, text: str) -> dict[str, Any]:
        """Returns what a text that may be an entry holds, as plain data: mistakes, and what is played."""
        found: dict[str, Any] = import_module(str(self.finder)).explained(text)
        return found

    def of_text(self, text: str) -> Any:
        """Returns the entry that a text is."""
        return import_module(str(self.finder)).of_text(text)

    def _load(self, name: str) -> T:
        if name in self._own:
            entry: T = _referred(self._own[name])
            return entry
        if name in self._plugins:
            point = self._plugins[name]
            try:
                plugged: T = point.load()
            except Exception as error:  # a broken plug-in must not take levelsmith down with it
                raise LevelsmithError(
                    f"the {self.kind} {quoted(name)} comes from the package "
                    f"{quoted(point.dist.name if point.dist else point.module)}, which fails to load: "
                    f"{type(error).__name__}: {error}; update or uninstall it"
                ) from error
            return self.complete(plugged)
        hint = f"levelsmith list {self.plural}"
        raise unknown(self.kind, name, self.names, hint, meant=self.also_called.get(name.lower()))

    def complete(self, entry: T) -> T:
        """Gives a part that does not inherit from its contract the defaults that it lacks, and returns it."""
        if self.contract is None:
            return entry
        contract = _referred(self.contract)
        own = [vars(base) for base in contract.__mro__ if base.__module__ == contract.__module__]
        for name, default in ChainMap(*own).items():
            required = name.startswith("_") or getattr(default, "__isabstractmethod__", False)
            if required or hasattr(entry, name):
                continue
            if isinstance(entry, type):
                setattr(entry, name, default)
            elif hasattr(entry, "__dict__"):
                bound = MethodType(default, entry) if isinstance(default, FunctionType) else default
                object.__setattr__(entry, name, bound)  # of a frozen dataclass, too
            else:
                setattr(type(entry), name, default)
        return entry

    def working(self) -> Iterator[T]:
        """Yields every entry that loads; a plug-in that does not is left out, and told to the log."""
        for name in self:
            try:
                entry = self.get(name)
            except LevelsmithError as error:
                logging.getLogger("levelsmith").warning("%s", error)
            else:
                yield entry

    def ships(self, name: str) -> bool:
        """Tells whether an entry comes with levelsmith."""
        return name in self._own

    def portable(self, name: str) -> bool:
        """Tells whether another process finds the name too."""
        listed = name in self._own or name in self._plugins
        return listed or (name not in self._loaded and self.found(name) is not None)


def _referred(reference: str) -> Any:
    """Returns what `"module:attribute"` refers to."""
    module, attribute = reference.split(":")
    return getattr(import_module(module), attribute)


games: Registry[Game] = Registry(
    "game",
    {
        "binary": "levelsmith.games.binary:GAME",
        "sokoban": "levelsmith.games.sokoban:GAME",
        "loderunner": "levelsmith.games.loderunner:GAME",
        "orchard": "levelsmith.games.orchard:GAME",
    },
    contract="levelsmith.contracts:Game",
    finder="levelsmith.games.puzzlescript.find",
    also_called={"cave": "binary", "caves": "binary", "maze": "binary", "mazes": "binary"},
)
representations: Registry[Representation] = Registry(
    "representation",
    {
        "narrow": "levelsmith.representations.grid:NARROW",
        "turtle": "levelsmith.representations.grid:TURTLE",
        "wide": "levelsmith.representations.grid:WIDE",
        "play": "levelsmith.games.sokoban.play.representation:PLAY",
        "rooms": "levelsmith.games.sokoban.rooms.representation:ROOMS",
        "latent": "levelsmith.learn.latent:LATENT",
    },
    contract="levelsmith.contracts:Representation",
)
searches: Registry[type[Search]] = Registry(
    "search",
    {
        "random": "levelsmith.search.sampling:RandomPlay",
        "bfs": "levelsmith.search.frontier:BreadthFirst",
        "dfs": "levelsmith.search.frontier:DepthFirst",
        "best": "levelsmith.search.frontier:BestFirst",
        "astar": "levelsmith.search.frontier:AStar",
        "mcts": "levelsmith.search.tree:MonteCarloTreeSearch",
        "roots": "levelsmith.search.roots:ManyRoots",
        "plan": "levelsmith.search.planning:OnlinePlanning",
        "graft": "levelsmith.search.graft:Graft",
        "hc": "levelsmith.search.local:HillClimbing",
        "sa": "levelsmith.search.local:SimulatedAnnealing",
        "es": "levelsmith.search.evolution:EvolutionStrategy",
        "ga": "levelsmith.search.evolution:GeneticAlgorithm",
        "islands": "levelsmith.search.evolution:Islands",
        "elites": "levelsmith.search.elites:MapElites",
    },
    contract="levelsmith.contracts:Search",
)
formats: Registry[Format] = Registry(
    "format",
    {
        "text": "levelsmith.levels.formats.text:FORMAT",
        "json": "levelsmith.levels.formats.json:FORMAT",
        "jsonl": "levelsmith.levels.formats.json:LINES",
        "vglc": "levelsmith.levels.formats.vglc:FORMAT",
        "tmj": "levelsmith.levels.formats.tiled:TMJ",
        "tmx": "levelsmith.levels.formats.tiled:TMX",
        "ldtk": "levelsmith.levels.formats.ldtk:FORMAT",
        "godot": "levelsmith.levels.formats.godot:GODOT",
        "npz": "levelsmith.levels.formats.npz:FORMAT",
        "csv": "levelsmith.levels.formats.csv:FORMAT",
        "xsb": "levelsmith.games.sokoban.formats.files:XSB",
        "sok": "levelsmith.games.sokoban.formats.files:SOK",
        "totalrecall": "levelsmith.games.loderunner.formats:TOTAL_RECALL",
        "kgoldrunner": "levelsmith.games.loderunner.formats:KGOLDRUNNER",
        "png": "levelsmith.levels.formats.picture:PNG",
        "svg": "levelsmith.levels.formats.picture:SVG",
        "gif": "levelsmith.levels.formats.gif:FORMAT",
    },
)
generators: Registry[type[GameMaker]] = Registry(
    "generator",
    {
        "carve": "levelsmith.games.sokoban.carve.maker:Carve",
        "warehouse": "levelsmith.games.sokoban.warehouse.maker:Warehouse",
        "construct": "levelsmith.games.loderunner.construct.maker:Construct",
        "caves": "levelsmith.games.binary.caves:Caves",
        "remix": "levelsmith.games.puzzlescript.remix:Remix",
    },
    contract="levelsmith.contracts:GameMaker",
)
arenas: Registry[type[Arena]] = Registry(
    "arena",
    {
        "Sokoban": "levelsmith.games.sokoban.arena.arena:SokobanArena",
        "LodeRunner": "levelsmith.games.loderunner.arena.arena:LodeRunnerArena",
    },
    contract="levelsmith.games.arena:Arena",
)


def representations_of(game: Game) -> list[str]:
    """Returns the names of the representations that serve a game: general ones, and its own."""
    found = []
    for name in representations:
        made_for = representations.get(name).games
        anyone = not made_for and (game.takes is None or name in game.takes)
        if anyone or game.name in made_for:
            found.append(name)
    return found


def generators_of(game: Game) -> list[str]:
    """Returns the names of the makers that do without a search: those of a game, or of all of its kind, such
    as files that are found."""
    listed = game.name in games and game.name not in games.lent
    kinds = {game.name} if listed else {game.name, *games.findable_as}
    return [name for name in generators if generators.get(name).game in kinds]


def arenas_by_game() -> dict[str, str]:
    """Returns the name of each game's arena, by that of the game; nothing is loaded for it."""
    called = {name.replace("_", ""): name for name in games}
    return {called[name.lower()]: name for name in arenas if name.lower() in called}


ALL: dict[str, Registry[Any]] = {
    registry.plural: registry for registry in (games, representations, searches, formats, generators)
}

# ---------------------------------------------------------------------------------------------- the catalogue


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be chosen, by its name."""

    kind: str  # in the plural, such as "searches"
    name: str
    summary: str
    games: tuple[str, ...] = ()  # those that it is for; none for one that serves any game
    parameters: Parameters = ()  # what `set` may change of it
    extensions: tuple[str, ...] = ()  # of a format
    metrics: Mapping[str, str] = field(default_factory=dict)  # of a game, with what each counts
    tiles: Mapping[str, str] = field(default_factory=dict)  # of a game: the name of each symbol


def catalogue(kind: str, game: str | None = None) -> list[Entry]:
    """Returns everything of a kind, or what serves the game that you name.

    >>> import levelsmith
    >>> [metric.name for metric in levelsmith.catalogue("metrics", game="orchard")]
    ['trees', 'crowded']

    Args:
        kind: "games", "metrics", "searches", "objectives", "representations", "formats", "generators",
            "presets" or "packs".
        game: leaves out what does not serve this game.
    """
    if not isinstance(kind, str):
        raise LevelsmithError(f"expected the name of a list, got {quoted(kind)}")
    if kind not in LISTS:
        raise unknown("list", kind, LISTS)
    return list(LISTS[kind](None if game is None else games.get(game)))


def _games(game: Game | None) -> Iterator[Entry]:
    for each in _each(game):
        tiles = {tile.symbol: tile.name for tile in each.tiles}
        yield Entry("games", each.name, each.summary, metrics=dict(each.metrics), tiles=tiles)


def _metrics(game: Game | None) -> Iterator[Entry]:
    for each in _each(game):
        for name, summary in each.metrics.items():
            yield Entry("metrics", name, summary, (each.name,))


def _objectives(game: Game | None) -> Iterator[Entry]:
    for each in _each(game):
        for name, objective in each.objectives.items():
            suited = " on ".join(objective.defaults.values())  # a search on a representation
            told = f"{objective.summary} ({suited})" if suited else objective.summary
            yield Entry("objectives", name, told, (each.name,), objective.parameters)


def _searches(game: Game | None) -> Iterator[Entry]:
    served = representations if game is None else representations_of(game)
    offers = {each for name in served for each in representations.get(name).offers}
    for name in searches:
        search = searches.get(name)
        if game is None or search.needs in offers:
            yield Entry("searches", name, search.summary, parameters=tuple(search.parameters))


def _representations(game: Game | None) -> Iterator[Entry]:
    for name in representations if game is None else representations_of(game):
        found = representations.get(name)
        yield Entry("representations", name, found.summary, tuple(found.games), tuple(found.parameters))


def _formats(game: Game | None) -> Iterator[Entry]:
    for name in formats:
        found = formats.get(name)
        extensions = tuple(found.extensions)
        yield Entry("formats", name, found.summary, (), tuple(found.parameters), extensions)


def _generators(game: Game | None) -> Iterator[Entry]:
    for name in generators if game is None else generators_of(game):
        found = generators.get(name)
        yield Entry("generators", name, found.summary, (found.game,), tuple(found.parameters))


def _presets(game: Game | None) -> Iterator[Entry]:
    from levelsmith import presets

    for name in presets.names():
        found = presets.load(name)
        if game is None or game.name in found.games:
            yield Entry("presets", name, found.summary, tuple(found.games))


def _packs(game: Game | None) -> Iterator[Entry]:
    for each in _each(game):
        for name in each.packs:
            yield Entry("packs", f"{each.name}:{name}", f"levels of {each.name}", (each.name,))
    for name in games.findable if game is None else ():
        yield Entry("packs", name, games.get(name).summary, (name,))


def _each(game: Game | None) -> Iterator[Game]:
    yield from map(games.get, games) if game is None else (game,)


LISTS: Mapping[str, Callable[[Game | None], Iterator[Entry]]] = {
    "games": _games,
    "metrics": _metrics,
    "searches": _searches,
    "objectives": _objectives,
    "representations": _representations,
    "formats": _formats,
    "generators": _generators,
    "presets": _presets,
    "packs": _packs,
}
