"""Statements of the papers on binary maps about expressive range: what kinds of maps the searches make.

They are those of section 4.2 of the FDG 2020 paper, of section VII-B of its earlier edition, and of the
conclusions.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from levelsmith.experiment.claims import ALL, MOST, Claim, Statement, above, below
from levelsmith.experiment.papers.maps.judging import CONNECTED, EMPTY, PATH, Judge, named
from levelsmith.experiment.papers.maps.map_cells import Key

WHICH = "The maps compared are those that solve."
DISTANCE = "Styles are told apart by the energy distance of the two metrics in the figure, from 0 to 1."


def statements(j: Judge) -> list[Statement]:
    own = _earlier(j) if j.maps.earlier else _later(j)
    return [*own, *_conclusions(j)]


def _of(j: Judge, searches: Sequence[str], goal: str, representation: str) -> list[Key]:
    return j.keys(searches, goal, representation)


def _connected_and_long(j: Judge, one: Key, rivals: Sequence[Key]) -> list[Claim]:
    """Returns that a cell's maps have fewer regions and longer paths than those of each rival."""
    return [
        claim
        for rival in rivals
        for claim in (j.has_less([one], [rival], "regions"), j.has_more([one], [rival], "path"))
    ]


def _two_heaps(j: Judge, key: Key, are_two: bool) -> Claim:
    label = f"{named(key)}: second heap of empty tiles"
    side = above if are_two else below
    return side(label, j.heaps(key).estimate, j.t["two"], kind="number")


# --------------------------------------------------------------------------------------------------- FDG 2020


def _later(j: Judge) -> list[Statement]:
    return [*_on_empty_tiles(j), *_on_path_length(j), *_on_connectivity(j)]


def _on_empty_tiles(j: Judge) -> list[Statement]:
    bfs, dfs, hc = ("bfs", "narrow", EMPTY), ("dfs", "turtle", EMPTY), ("hc", "wide", EMPTY)
    flat = _of(j, ("bfs", "mcts"), EMPTY, "wide")
    deep: list[Claim] = []
    for one in _of(j, ("best", "dfs"), EMPTY, "wide"):
        deep += [j.has_less([one], flat, "regions"), *j.in_the_middle(one, "path")]
    medium = "Medium is away from both ends of the range of the cells' means. "
    return [
        Statement(
            "T15a",
            "Empty tiles: the maps of BFS on narrow are more connected and have longer paths than most of "
            "the others' there (section 4.2).",
            _connected_and_long(j, bfs, j.rest(bfs, j.maps.trees)),
            2 / 3,
            f"Read: in two thirds of the comparisons. {WHICH}",
        ),
        Statement(
            "T15b",
            "Empty tiles: the maps of DFS on turtle are more connected, with longer paths (section 4.2).",
            _connected_and_long(j, dfs, j.rest(dfs, j.maps.trees)),
            2 / 3,
            f"Read: than the other tree searches' there, in two thirds of the comparisons. {WHICH}",
        ),
        Statement(
            "T15c",
            "Empty tiles: the maps of HC are more connected, with medium paths (section 4.2).",
            [j.has_less([hc], j.rest(hc, j.maps.optimisers), "regions"), *j.in_the_middle(hc, "path")],
            ALL,
            f"Read: than the other optimisers'. {medium}{WHICH}",
        ),
        Statement(
            "T15d",
            "Empty tiles on wide: the maps of best-first and DFS have medium paths and are more connected "
            "than those of BFS and MCTS (section 4.2).",
            deep,
            ALL,
            f"{medium}{WHICH}",
        ),
        *_alike_but(
            j,
            "section 4.2",
            [bfs, hc, ("best", "wide", EMPTY), dfs],
            "BFS on narrow, HC, best-first on wide and DFS on turtle",
        ),
    ]


def _alike_but(j: Judge, section: str, outliers: list[Key], names: str) -> list[Statement]:
    """Returns that most cells of empty tiles have similar styles, and that these do not."""
    others = [key for key in j.maps.cells if key[2] == EMPTY and key not in outliers]
    like = [j.is_like([key], [other for other in others if other != key]) for key in others]
    unlike = [j.differs([key], others) for key in outliers]
    return [
        Statement(
            "T21a",
            f"Empty tiles: most of the algorithms have similar generation styles ({section}).",
            like,
            MOST,
            f"Read: of the cells that the paper does not except, each against the rest. {DISTANCE} {WHICH}",
        ),
        Statement(
            "T21b",
            f"Empty tiles: exceptions are {names} ({section}).",
            unlike,
            ALL,
            f"Read: each against all cells that are no exceptions. {DISTANCE} {WHICH}",
        ),
    ]


def _on_path_length(j: Judge) -> list[Statement]:
    greedy = [("best", "narrow", PATH)]
    narrow: list[Claim] = []
    for one in _of(j, ("bfs", "dfs", "mcts"), PATH, "narrow"):
        narrow += [j.has_more([one], greedy, "empty"), j.has_less([one], greedy, "regions")]
    best, sa = ("best", "wide", PATH), ("sa", "wide", PATH)
    trees = j.rest(best, j.maps.trees)
    wide = [j.has_less([best], trees, "empty"), j.has_more([best], trees, "regions")]
    wide += [j.is_like([one], [other]) for one, other in combinations(trees, 2)]
    others = j.rest(sa, j.maps.optimisers)
    spans = [j.is_wider(other, sa, "empty") for other in others]
    average = [*j.in_the_middle(sa, "empty"), j.has_more([sa], others, "regions")]
    spectrum = ("best", "turtle", PATH)
    turtle = [j.is_wider(spectrum, other, "empty") for other in j.rest(spectrum, j.maps.trees)]
    return [
        Statement(
            "T16",
            "Path length on narrow: the maps of BFS, DFS and MCTS have more empty tiles and are more "
            "connected than those of best-first (section 4.2).",
            narrow,
            ALL,
            f"Read: more connected is fewer regions. {WHICH}",
        ),
        Statement(
            "T17a",
            "Path length on wide: tree searches make similar maps, highly connected with many empty tiles, "
            "but best-first's are less connected with few (section 4.2).",
            wide,
            ALL,
            f"{DISTANCE} {WHICH}",
        ),
        Statement(
            "T17b",
            "Path length: optimisers span a big spectrum of empty tiles, SA does not (section 4.2).",
            spans,
            ALL,
            f"Read: their standard deviation is larger than SA's. {WHICH}",
        ),
        Statement(
            "T17c",
            "Path length: the maps of SA have an average number of empty tiles and low connectivity "
            "(section 4.2).",
            average,
            ALL,
            "Read: average is away from both ends of the range of the cells' means; low connectivity is "
            f"more regions than the other optimisers'. {WHICH}",
        ),
        Statement(
            "T18",
            "Path length on turtle: best-first has a bigger spectrum of maps than the other tree searches "
            "(section 4.2).",
            turtle,
            ALL,
            f"Read: the standard deviation of empty tiles is larger. {WHICH}",
        ),
    ]


def _on_connectivity(j: Judge) -> list[Statement]:
    fewer, same = [], []
    for each in ("narrow", "turtle", "wide"):
        best = ("best", each, CONNECTED)
        others = j.rest(best, j.maps.trees)
        if each != "wide":
            fewer.append(j.has_less([best], others, "empty"))
        alike = others if each != "wide" else _of(j, j.maps.trees, CONNECTED, each)
        for one, other in combinations(alike, 2):
            same += [j.has_as_much([one], [other], metric) for metric in ("empty", "path")]
    sa = ("sa", "wide", CONNECTED)
    others = j.rest(sa, j.maps.optimisers)
    similar = [j.has_as_much([one], [other], "path") for one, other in combinations(others, 2)]
    heaps = [_two_heaps(j, key, are_two=True) for key in others]
    return [
        Statement(
            "T19a",
            "Connectivity: the maps of best-first have fewer empty tiles than other tree searches' on "
            "narrow and turtle (section 4.2).",
            fewer,
            ALL,
            WHICH,
        ),
        Statement(
            "T19b",
            "Connectivity: otherwise tree searches have the same amount of empty tiles and path lengths "
            "(section 4.2).",
            same,
            ALL,
            f"Read: within {j.t['tiles']:g} tiles and {j.t['steps']:g} steps, on the same representation. "
            f"{WHICH}",
        ),
        Statement(
            "T19c",
            "Connectivity: optimisers have a variable range of empty tiles with similar path lengths, but "
            "SA has longer paths (section 4.2).",
            [*similar, j.has_more([sa], others, "path")],
            ALL,
            WHICH,
        ),
        Statement(
            "T19d",
            "Connectivity: the empty tiles of optimisers span two intervals, SA's do not (section 4.2).",
            [*heaps, _two_heaps(j, sa, are_two=False)],
            ALL,
            WHICH,
        ),
    ]


# ------------------------------------------------------------------------------------------- earlier edition


def _earlier(j: Judge) -> list[Statement]:
    maps = j.maps
    bfs, dfs, hc = ("bfs", "narrow", EMPTY), ("dfs", "turtle", EMPTY), ("hc", "wide", EMPTY)
    climbing = [j.has_less([hc], j.rest(hc), "regions"), *j.in_the_middle(hc, "path", only="below")]
    plain = ("bfs", "dfs", "astar")
    rest = [key for key in _of(j, maps.searches, PATH, "narrow") if key[0] not in plain]
    narrow: list[Claim] = []
    for one in _of(j, plain, PATH, "narrow"):
        narrow += [j.has_more([one], rest, "empty"), j.has_less([one], rest, "regions")]
    sa = ("sa", "wide", PATH)
    others = j.rest(sa)
    alike = [j.is_like([key], [other for other in others if other != key]) for key in others]
    opposite = [j.has_less([sa], others, "empty"), j.has_more([sa], others, "regions")]
    trees, optimisers = (_of(j, kind, PATH, "turtle") for kind in (maps.trees, maps.optimisers))
    single, several = (_of(j, kind, PATH, "turtle") for kind in (("hc", "sa"), ("es", "ga")))
    return [
        Statement(
            "T15a",
            "Empty tiles: the maps of BFS on narrow are more connected and have longer paths than most of "
            "the others' there (section VII-B).",
            _connected_and_long(j, bfs, j.rest(bfs)),
            MOST,
            f"Read: in most of the comparisons. {WHICH}",
        ),
        Statement(
            "T15b",
            "Empty tiles: the maps of DFS on turtle are more connected, with longer paths (section VII-B).",
            _connected_and_long(j, dfs, j.rest(dfs)),
            MOST,
            f"Read: than the others' there, in most of the comparisons. {WHICH}",
        ),
        Statement(
            "T15c",
            "Empty tiles: the maps of HC on wide are more connected, with shorter to medium paths (section "
            "VII-B).",
            climbing,
            ALL,
            f"Read: not at the high end of the range of the cells' means. {WHICH}",
        ),
        *_alike_but(j, "section VII-B", [bfs, hc, dfs], "BFS on narrow, HC on wide and DFS on turtle"),
        Statement(
            "T16",
            "Path length on narrow: the maps of BFS, DFS and A* have more empty tiles and are more "
            "connected than the rest's (section VII-B).",
            narrow,
            ALL,
            WHICH,
        ),
        Statement(
            "T17a",
            "Path length on wide: almost all make similar maps, but SA does not (section VII-B).",
            alike,
            6 / 7,
            f"Read: six of the seven others, each against the rest. {DISTANCE} {WHICH}",
        ),
        Statement(
            "T17b",
            "Path length on wide: the maps of SA are the opposite of highly connected with many empty tiles "
            "(section VII-B).",
            opposite,
            ALL,
            WHICH,
        ),
        Statement(
            "T18a",
            "Path length on turtle: tree searches make more connected maps with more empty tiles than "
            "optimisers (section VII-B).",
            [j.has_more(trees, optimisers, "empty"), j.has_less(trees, optimisers, "regions")],
            ALL,
            WHICH,
        ),
        Statement(
            "T18b",
            "Path length on turtle: ES and GA have fewer empty tiles and less connectivity than HC and SA "
            "(section VII-B).",
            [j.has_less(several, single, "empty"), j.has_more(several, single, "regions")],
            ALL,
            WHICH,
        ),
        *_connectivity_earlier(j),
    ]


def _connectivity_earlier(j: Judge) -> list[Statement]:
    maps = j.maps
    trees, optimisers = (
        {each: _of(j, kind, CONNECTED, each) for each in ("narrow", "turtle")}
        for kind in (maps.trees, maps.optimisers)
    )
    on_narrow, on_turtle = ((trees[each], optimisers[each]) for each in ("narrow", "turtle"))
    sa = ("sa", "wide", CONNECTED)
    longer = [j.has_more([sa], [other], "path") for other in j.rest(sa)]
    narrow = [j.has_more(*on_narrow, "empty"), j.has_less(*on_narrow, "path")]
    turtle = [j.has_more(*on_turtle, "empty"), j.has_as_much(*on_turtle, "path")]
    return [
        Statement(
            "T19a",
            "Connectivity on narrow: tree searches have more empty tiles and shorter paths (section VII-B).",
            narrow,
            ALL,
            f"Read: than optimisers. {WHICH}",
        ),
        Statement(
            "T19b",
            "Connectivity on wide: only SA differs, with slightly longer paths (section VII-B).",
            longer,
            ALL,
            f"Read: than each of the others. {WHICH}",
        ),
        Statement(
            "T19c",
            "Connectivity on turtle: tree searches have more empty tiles but equal path lengths (section "
            "VII-B).",
            turtle,
            ALL,
            f"Read: than optimisers; equal within {j.t['steps']:g} steps. {WHICH}",
        ),
    ]


# ------------------------------------------------------------------------------------------------ conclusions


def _conclusions(j: Judge) -> list[Statement]:
    """Returns what both editions conclude of styles, and one more of the later edition."""
    maps = j.maps
    section = "section VIII" if maps.earlier else "section 5"
    apart = [
        j.differs([key], _others(j, key, ("bfs", "dfs")), "totally")
        for goal in maps.goals
        for key in j.keys(("bfs", "dfs"), goal)
    ]
    greedy = [
        j.differs([key], _others(j, key, ("best",))) for goal in maps.goals for key in j.keys(("best",), goal)
    ]
    points = []
    for goal in maps.goals:
        for key in j.keys(("hc", "sa"), goal):
            rivals = _of(j, ("es", "ga"), goal, key[1])
            points += [j.differs([key], rivals)] if rivals else []
    families = [j.differs(j.keys(maps.trees, goal), j.keys(maps.optimisers, goal)) for goal in maps.goals]
    found = [
        Statement(
            "T22",
            f"BFS and DFS usually find solutions that are totally different from the rest ({section}).",
            apart,
            MOST,
            "Read: in most cells, from all other searches on the same representation and the optimisers. "
            f"{DISTANCE} {WHICH}",
        ),
        Statement(
            "T24",
            f"Some of the styles of HC and SA differ from those of ES and GA ({section}).",
            points,
            min(1.0, 2 / max(1, len(points))),
            f"Read: at least two. {DISTANCE} {WHICH}",
        ),
        Statement(
            "T25",
            f"Tree searches have their own generative styles compared to optimisers ({section}).",
            families,
            ALL,
            f"Read: all maps of either family, on each objective. {DISTANCE} {WHICH}",
        ),
    ]
    if not maps.earlier:
        text = "Best-first has different styles because it is greedy (section 5)."
        reading = f"Read: in most cells, from all other searches. {DISTANCE} {WHICH}"
        found.insert(1, Statement("T23", text, greedy, MOST, reading))
    return found


def _others(j: Judge, key: Key, mine: Sequence[str]) -> list[Key]:
    """Returns what the rest makes on the same representation; optimisers have theirs in the later edition."""
    rest = [search for search in j.maps.searches if search not in mine]
    own = _of(j, rest, key[2], key[1])
    return own + [
        each for each in j.keys(j.maps.optimisers, key[2]) if each not in own and not j.maps.earlier
    ]
