"""What there is to choose from, by kind: the same facts for programs and for `levelsmith list`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from levelsmith import presets
from levelsmith.contracts import Game
from levelsmith.core import Parameters
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.registry import (
    formats,
    games,
    generators,
    generators_of,
    representations,
    representations_of,
    searches,
)


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
    if kind not in KINDS:
        raise unknown("list", kind, KINDS)
    return list(KINDS[kind](None if game is None else games.get(game)))


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


KINDS: Mapping[str, Callable[[Game | None], Iterator[Entry]]] = {
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
