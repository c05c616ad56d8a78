"""The numbers behind statements on binary maps about expressive range: what maps the searches make.

The statements are those of section 4.2 of the FDG 2020 paper, of section VII-B of its earlier edition, and
of the conclusions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from levelsmith.experiment.claims import Asked, Claim, above, below
from levelsmith.experiment.papers.maps.judging import CONNECTED, EMPTY, PATH, Judge
from levelsmith.experiment.papers.maps.map_cells import Key

BFS, DFS, HC = ("bfs", "narrow", EMPTY), ("dfs", "turtle", EMPTY), ("hc", "wide", EMPTY)
SA_PATH, SA_CONNECTED = ("sa", "wide", PATH), ("sa", "wide", CONNECTED)
BEST_NARROW, BEST_TURTLE, BEST_WIDE = (("best", each, PATH) for each in ("narrow", "turtle", "wide"))
PLAIN = ("bfs", "dfs", "astar")  # what the earlier edition tells from the rest on narrow


def _exceptions(j: Judge) -> list[Key]:
    """Returns the cells of empty tiles that the paper says have styles of their own."""
    return [BFS, HC, *([] if j.maps.earlier else [("best", "wide", EMPTY)]), DFS]


def _usual(j: Judge) -> list[Key]:
    exceptions = _exceptions(j)
    return [key for key in j.maps.cells if key[2] == EMPTY and key not in exceptions]


def _unlike_others(j: Judge, mine: Sequence[str], threshold: str = "different") -> list[Claim]:
    """Returns that the cells of some searches differ from all other searches' on the same representation.

    In the later edition they are compared with optimisers too, which have one of their own.
    """
    claims = []
    for goal in j.maps.goals:
        for key in j.keys(mine, goal):
            others = j.keys(j.but(*mine), goal, key[1])
            if not j.maps.earlier:
                others += [each for each in j.keys(j.maps.optimisers, goal) if each not in others]
            claims.append(j.differs([key], others, threshold))
    return claims


def _connected_and_medium(j: Judge, flat: Sequence[Key]) -> list[Claim]:
    """Returns that best-first and DFS on wide are more connected than others there, with medium paths."""
    claims = []
    for key in j.keys(("best", "dfs"), EMPTY, "wide"):
        claims += [*j.against([key], flat, "less regions"), *j.in_the_middle(key, "path")]
    return claims


def _same_but_best(j: Judge) -> list[Claim]:
    """Returns that tree searches on the same representation make like maps, but best-first on two of them."""
    claims = []
    for each in ("narrow", "turtle", "wide"):
        best = ("best", each, CONNECTED)
        trees = j.keys(j.maps.trees, CONNECTED, each)
        others = [key for key in trees if key != best or each == "wide"]
        claims += j.two_by_two(others, "same empty", "same path")
    return claims


def _families(j: Judge, goal: str, representation: str) -> tuple[list[Key], list[Key]]:
    """Returns the cells of the tree searches and of the optimisers."""
    return j.keys(j.maps.trees, goal, representation), j.keys(j.maps.optimisers, goal, representation)


BOTH: dict[str, Asked] = {
    "T21a": lambda j, t: j.all_like(_usual(j)),
    "T21b": lambda j, t: [j.differs([key], _usual(j)) for key in _exceptions(j)],
    "T22": lambda j, t: _unlike_others(j, ("bfs", "dfs"), "totally"),
    "T24": lambda j, t: [
        j.differs([key], rivals)
        for goal in j.maps.goals
        for key in j.keys(("hc", "sa"), goal)
        if (rivals := j.keys(("es", "ga"), goal, key[1]))
    ],
    "T25": lambda j, t: [
        j.differs(j.keys(j.maps.trees, goal), j.keys(j.maps.optimisers, goal)) for goal in j.maps.goals
    ],
}
LATER: dict[str, Asked] = {
    "T15a": lambda j, t: j.with_each(BFS, j.rest(BFS, j.maps.trees), "less regions", "more path"),
    "T15b": lambda j, t: j.with_each(DFS, j.rest(DFS, j.maps.trees), "less regions", "more path"),
    "T15c": lambda j, t: [
        *j.against([HC], j.rest(HC, j.maps.optimisers), "less regions"),
        *j.in_the_middle(HC, "path"),
    ],
    "T15d": lambda j, t: _connected_and_medium(j, j.keys(("bfs", "mcts"), EMPTY, "wide")),
    "T16": lambda j, t: j.each_with(
        j.keys(("bfs", "dfs", "mcts"), PATH, "narrow"), [BEST_NARROW], "more empty", "less regions"
    ),
    "T17a": lambda j, t: [
        *j.against([BEST_WIDE], j.rest(BEST_WIDE, j.maps.trees), "less empty", "more regions"),
        *(j.differs([a], [b], side=below) for a, b in combinations(j.rest(BEST_WIDE, j.maps.trees), 2)),
    ],
    "T17b": lambda j, t: [j.is_wider(key, SA_PATH, "empty") for key in j.rest(SA_PATH, j.maps.optimisers)],
    "T17c": lambda j, t: [
        *j.in_the_middle(SA_PATH, "empty"),
        *j.against([SA_PATH], j.rest(SA_PATH, j.maps.optimisers), "more regions"),
    ],
    "T18": lambda j, t: [j.is_wider(BEST_TURTLE, key, "empty") for key in j.rest(BEST_TURTLE, j.maps.trees)],
    "T19a": lambda j, t: [
        claim
        for best in (("best", "narrow", CONNECTED), ("best", "turtle", CONNECTED))
        for claim in j.against([best], j.rest(best, j.maps.trees), "less empty")
    ],
    "T19b": lambda j, t: _same_but_best(j),
    "T19c": lambda j, t: [
        *j.two_by_two(j.rest(SA_CONNECTED, j.maps.optimisers), "same path"),
        *j.against([SA_CONNECTED], j.rest(SA_CONNECTED, j.maps.optimisers), "more path"),
    ],
    "T19d": lambda j, t: [
        *(j.heaps(above, key) for key in j.rest(SA_CONNECTED, j.maps.optimisers)),
        j.heaps(below, SA_CONNECTED),
    ],
    "T23": lambda j, t: _unlike_others(j, ("best",)),
}
EARLIER: dict[str, Asked] = {
    "T15a": lambda j, t: j.with_each(BFS, j.rest(BFS), "less regions", "more path"),
    "T15b": lambda j, t: j.with_each(DFS, j.rest(DFS), "less regions", "more path"),
    "T15c": lambda j, t: [*j.against([HC], j.rest(HC), "less regions"), *j.in_the_middle(HC, "path")[1:]],
    "T16": lambda j, t: j.each_with(
        j.keys(PLAIN, PATH, "narrow"), j.keys(j.but(*PLAIN), PATH, "narrow"), "more empty", "less regions"
    ),
    "T17a": lambda j, t: j.all_like(j.rest(SA_PATH)),
    "T17b": lambda j, t: j.against([SA_PATH], j.rest(SA_PATH), "less empty", "more regions"),
    "T18a": lambda j, t: j.against(*_families(j, PATH, "turtle"), "more empty", "less regions"),
    "T18b": lambda j, t: j.against(
        j.keys(("es", "ga"), PATH, "turtle"),
        j.keys(("hc", "sa"), PATH, "turtle"),
        "less empty",
        "more regions",
    ),
    "T19a": lambda j, t: j.against(*_families(j, CONNECTED, "narrow"), "more empty", "less path"),
    "T19b": lambda j, t: j.with_each(SA_CONNECTED, j.rest(SA_CONNECTED), "more path"),
    "T19c": lambda j, t: j.against(*_families(j, CONNECTED, "turtle"), "more empty", "same path"),
}
