"""The statements T15 to T19: the outliers in expressive range that the papers on binary maps name.

They are those of section 4.2 of the FDG 2020 paper, and of section VII-B of its earlier edition.
"""

from __future__ import annotations

from collections.abc import Sequence

from levelsmith.experiment.claims import ALL, Claim, Statement, above, below
from levelsmith.experiment.papers.maps.judging import CONNECTED, EMPTY, PATH, Judge, named
from levelsmith.experiment.papers.maps.map_cells import WORDS, Key
from levelsmith.experiment.statistics import Spread, deviation_of


def statements(j: Judge) -> list[Statement]:
    return _earlier(j) if j.maps.earlier else _later(j)


def _more(j: Judge, ones: Sequence[Key], others: Sequence[Key], metric: str) -> Claim:
    """Returns the maps of some cells have more of a metric than those of others."""
    label = f"{WORDS[metric]}: {_names(ones)} against {_names(others)}"
    return above(label, j.more(ones, others, metric), kind="number")


def _less(j: Judge, ones: Sequence[Key], others: Sequence[Key], metric: str) -> Claim:
    label = f"{WORDS[metric]}: {_names(ones)} against {_names(others)}"
    return below(label, j.more(ones, others, metric), kind="number")


def _names(keys: Sequence[Key]) -> str:
    searches = dict.fromkeys(key[0] for key in keys)
    return f"{', '.join(searches)} {keys[0][1]}" if keys else "none"


def _rest(j: Judge, one: Key, searches: Sequence[str]) -> list[Key]:
    """Returns what other searches made on the same representation for the same goal."""
    return [key for key in j.keys(searches, one[2], one[1]) if key != one]


def _connected(j: Judge) -> list[Claim]:
    """BFS on narrow and DFS on turtle make more connected maps with longer paths; HC more connected ones."""
    claims = []
    for one in (("bfs", "narrow", EMPTY), ("dfs", "turtle", EMPTY)):
        others = _rest(j, one, j.maps.trees)
        claims += [_less(j, [one], others, "regions"), _more(j, [one], others, "path")]
    climber = ("hc", "wide", EMPTY)
    return [*claims, _less(j, [climber], _rest(j, climber, j.maps.optimisers), "regions")]


def _later(j: Judge) -> list[Statement]:
    maps = j.maps
    which = "The maps compared are those that solve."
    deep = [("best", "wide", EMPTY), ("dfs", "wide", EMPTY)]
    flat = [("bfs", "wide", EMPTY), ("mcts", "wide", EMPTY)]
    greedy = [("best", "narrow", PATH)]
    narrow = []
    for search in ("bfs", "dfs", "mcts"):
        one = [(search, "narrow", PATH)]
        narrow += [_more(j, one, greedy, "empty"), _less(j, one, greedy, "regions")]
    trees = [key for key in j.keys(maps.trees, PATH, "wide") if key[0] != "best"]
    wide = []
    for search in ("sa", "best"):
        one = [(search, "wide", PATH)]
        wide += [_less(j, one, trees, "empty"), _more(j, one, trees, "regions")]
    turtle = [
        _wider(j, ("best", "turtle", PATH), key)
        for key in j.keys(maps.trees, PATH, "turtle")
        if key[0] != "best"
    ]
    connected = []
    for each in ("narrow", "turtle"):
        others = [key for key in j.keys(maps.trees, CONNECTED, each) if key[0] != "best"]
        connected.append(_less(j, [("best", each, CONNECTED)], others, "empty"))
    annealing = ("sa", "wide", CONNECTED)
    connected.append(_more(j, [annealing], _rest(j, annealing, maps.optimisers), "path"))
    return [
        Statement(
            "T15",
            "Empty tiles: BFS on narrow and DFS on turtle make more connected maps with longer paths; HC, "
            "and best-first and DFS on wide, more connected ones.",
            [*_connected(j), _less(j, deep, flat, "regions")],
            ALL,
            which,
        ),
        Statement(
            "T16",
            "Path length on narrow: BFS, DFS and MCTS have more empty tiles and fewer regions than "
            "best-first.",
            narrow,
            ALL,
            which,
        ),
        Statement(
            "T17",
            "Path length on wide: tree searches make connected maps with many empty tiles, but SA and "
            "best-first do not.",
            wide,
            ALL,
            which,
        ),
        Statement(
            *("T18", "Path length on turtle: best-first has a bigger spectrum of maps.", turtle, ALL),
            f"Read: the standard deviation of empty tiles is larger. {which}",
        ),
        Statement(
            "T19",
            "Connectivity: best-first has fewer empty tiles than other tree searches on narrow and turtle; "
            "SA has longer paths than other optimisers.",
            connected,
            ALL,
            which,
        ),
    ]


def _earlier(j: Judge) -> list[Statement]:
    maps = j.maps
    which = "The maps compared are the best of all runs."
    plain = ("bfs", "dfs", "astar")
    rest = [key for key in j.keys(maps.searches, PATH, "narrow") if key[0] not in plain]
    narrow = []
    for search in plain:
        one = [(search, "narrow", PATH)]
        narrow += [_more(j, one, rest, "empty"), _less(j, one, rest, "regions")]
    annealing, others = [("sa", "wide", PATH)], j.keys(maps.trees, PATH, "wide")
    wide = [_less(j, annealing, others, "empty"), _more(j, annealing, others, "regions")]
    trees, optimisers = (j.keys(kind, PATH, "turtle") for kind in (maps.trees, maps.optimisers))
    turtle = [_more(j, trees, optimisers, "empty"), _less(j, trees, optimisers, "regions")]
    connected = []
    for each in ("narrow", "turtle"):
        trees, optimisers = (j.keys(kind, CONNECTED, each) for kind in (maps.trees, maps.optimisers))
        connected.append(_more(j, trees, optimisers, "empty"))
        if each == "narrow":
            connected.append(_less(j, trees, optimisers, "path"))
    alone = ("sa", "wide", CONNECTED)
    connected.append(_more(j, [alone], _rest(j, alone, maps.searches), "path"))
    return [
        Statement(
            "T15",
            "Empty tiles: BFS on narrow and DFS on turtle make more connected maps with longer paths, HC on "
            "wide more connected ones.",
            _connected(j),
            ALL,
            which,
        ),
        Statement(
            "T16",
            "Path length on narrow: BFS, DFS and A* have more empty tiles and fewer regions than the rest.",
            narrow,
            ALL,
            which,
        ),
        Statement(
            "T17",
            "Path length on wide: all make connected maps with many empty tiles, but SA does not.",
            wide,
            ALL,
            which,
        ),
        Statement(
            "T18",
            "Path length on turtle: tree searches make more connected maps with more empty tiles than "
            "optimisers.",
            turtle,
            ALL,
            which,
        ),
        Statement(
            "T19",
            "Connectivity: tree searches have more empty tiles than optimisers on narrow and turtle, and "
            "shorter paths on narrow; SA has longer paths on wide.",
            connected,
            ALL,
            which,
        ),
    ]


def _wider(j: Judge, one: Key, other: Key) -> Claim:
    """Returns the spread of empty tiles in one cell over that in another."""
    quotient = _deviation(j, one) / _deviation(j, other)
    return above(
        f"deviation of empty tiles: {named(one)} over {other[0]}", quotient.estimate, 1, kind="ratio"
    )


def _deviation(j: Judge, key: Key) -> Spread:
    return deviation_of(j.maps.made(key, "empty"))
