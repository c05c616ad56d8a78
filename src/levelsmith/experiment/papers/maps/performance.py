"""The numbers behind statements on binary maps about what is solved, how deep, and how fast.

The statements are those of section 4.1 of the FDG 2020 paper, of section VII-A of its earlier edition, and of
abstract and conclusion of both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from levelsmith.experiment.claims import Asked, Claim, Number, Numbered, above, below, each, within
from levelsmith.experiment.papers.maps.judging import CONNECTED, EMPTY, PATH, Judge, named
from levelsmith.experiment.papers.maps.map_cells import REPRESENTATIONS, Key, Parts, maps_of
from levelsmith.experiment.statistics import share_difference, spread

MCTS = ("mcts", "wide", EMPTY)

# --------------------------------------------------------------------------------------------- what is solved


def _pairs(j: Judge, ones: Sequence[str], others: Sequence[str]) -> list[tuple[Key, Key]]:
    """Returns cells of some searches with those of others; in the earlier edition on the same
    representation."""
    return [
        (one, other)
        for goal in j.maps.goals
        for one in j.keys(ones, goal)
        for other in j.keys(others, goal)
        if one[1] == other[1] or not j.maps.earlier
    ]


def _easiest(j: Judge) -> list[Claim]:
    """Returns that narrow solves about as much as turtle and wide, and on path length less."""
    claims = []
    for goal, search in product(j.maps.goals, j.maps.searches if j.maps.earlier else j.maps.trees):
        for where in ("turtle", "wide"):
            narrow, other = (search, "narrow", goal), (search, where, goal)
            if goal == PATH:
                claims.append(above(f"{named(other)} over narrow", j.shares(other, narrow)))
            else:
                shares = j.shares(narrow, other)
                claims.append(above(f"{named(narrow)} over {where}", shares, -j.t["little"]))
    return claims


def _decent(j: Judge) -> list[Claim]:
    """Returns which tree searches solve as much on wide as is decent, and which do not."""
    sides: dict[str, tuple[Callable[..., Claim], str]] = {
        "dfs": (above, ""),
        "best": (above, ""),
        "bfs": (below, "less than "),
        "mcts": (below, "less than "),
    }
    return [
        side(
            f"{search} wide {goal} solves {less}{100 * j.t['decent']:g} %",
            j.share((search, "wide", goal)),
            j.t["decent"],
            kind="share",
        )
        for goal in j.maps.goals
        for search, (side, less) in sides.items()
    ]


def _second_best(j: Judge, goal: str) -> Key | None:
    """Returns the cell of the tree search that solves most but for one, each where it does best."""
    shares = {key: float(np.nanmean(j.maps.values(key, "solved"))) for key in j.keys(j.maps.trees, goal)}
    cells = [j.keys((search,), goal) for search in j.maps.trees]
    best = [max(keys, key=lambda key: shares[key]) for keys in cells if keys]
    return sorted(best, key=lambda key: -shares[key])[1] if len(best) > 1 else None


def _scores(j: Judge, ones: Sequence[str], others: Sequence[str]) -> Numbered:
    """Returns how much more the best map of a run scores on average, of some searches over others."""
    return {f"{named(a)} over {named(b)}": j.more([a], [b], "score") for a, b in _pairs(j, ones, others)}


def _competitive(j: Judge) -> list[Claim]:
    numbers = _scores(j, ("best", "mcts"), ("hc", "sa"))
    return each(above, numbers, -j.t["fitness"], kind="number")


def _harder(j: Judge) -> list[Claim]:
    """Returns that on connectivity fewer runs solve than on path length, and that they take longer."""
    path, connected = (j.keys(j.maps.searches, goal) for goal in (PATH, CONNECTED))
    return [
        above("solved: path length over connectivity", j.more(path, connected, "solved")),
        above("evaluations: connectivity over path length", j.ratio(connected, path), 1, kind="ratio"),
    ]


# ---------------------------------------------------------------------------------------------- C of the MCTS


def _by_variable_c(j: Judge) -> Numbered:
    """Returns how much more MCTS solves with the variable C than with a fixed one."""
    parts = maps_of(j.maps.results)
    return {named(key): _more_solved(parts, key) for key in parts.fixed.cells}


def _more_solved(parts: Parts, key: Key) -> Number:
    variable, fixed = (maps.values(key, "solved") for maps in (parts.main, parts.fixed))
    return lambda level: share_difference(variable, fixed, level)


def _balanced(j: Judge) -> Numbered:
    """Returns how much deeper MCTS with a fixed C gets than BFS."""
    parts = maps_of(j.maps.results)
    found = {}
    for key in parts.fixed.cells:
        bfs, fixed = ("bfs", *key[1:]), parts.fixed.values(key, "depth_reached")
        same = parts.main.values(bfs, "depth_reached")[: len(fixed)]
        found[f"{named(key)}: depth with a fixed C over that of bfs"] = spread(fixed) / spread(same)
    return found


# ------------------------------------------------------------------------------------------------------ depth


def _half_the_depth(j: Judge) -> Numbered:
    """Returns which share of the depth that is needed BFS and MCTS reach on wide, where it is known."""
    return {
        f"{search} wide {EMPTY}: depth reached over depth needed": j.mean(
            [(search, "wide", EMPTY)], "depth_reached"
        )
        / j.mean([(search, "wide", EMPTY)], "changes_needed")
        for search in ("bfs", "mcts")
    }


def _deeper_goals(j: Judge) -> list[Claim]:
    """Returns that the nearest goal map of most starts lies deeper than BFS gets: that BFS finds none."""
    claims = [
        below(f"{named(key)}: starts with a goal map within reach", j.share(key), 0.5, kind="share")
        for goal in j.maps.goals
        for key in j.keys(("bfs",), goal)
    ]
    wide = [("bfs", "wide", EMPTY)]
    deeper = j.mean(wide, "changes_needed") / j.mean(wide, "depth_reached")
    return [*claims, above("bfs wide empty-tiles: depth needed over depth reached", deeper, 1, kind="ratio")]


# ------------------------------------------------------------------------------------------------------- time


def _over_trees(j: Judge, goal: str, search: str) -> tuple[str, Number]:
    label = f"{goal}: tree searches' time over that of {search}"
    return label, j.ratio(j.keys(j.maps.trees, goal), j.keys((search,), goal))


def _less_time(j: Judge) -> list[Claim]:
    slow = [("hc", CONNECTED), ("es", CONNECTED)]
    return [
        (below if (search, goal) in slow else above)(*_over_trees(j, goal, search), j.t["far"], kind="ratio")
        for goal in j.maps.goals
        for search in j.maps.optimisers
    ]


def _alike(j: Judge, label: str, ones: Sequence[Key], others: Sequence[Key]) -> Claim:
    return within(label, j.ratio(ones, others), 1 / j.t["alike"], j.t["alike"], "ratio")


def _like_best_first(j: Judge) -> list[Claim]:
    cells = {each: ([("mcts", each, EMPTY)], [("best", each, EMPTY)]) for each in REPRESENTATIONS}
    wide = above("mcts over best, wide", j.ratio(*cells.pop("wide")), j.t["alike"], kind="ratio")
    return [*(_alike(j, f"mcts over best, {where}", *pair) for where, pair in cells.items()), wide]


def _quick(j: Judge) -> Numbered:
    found = {}
    for where in ("narrow", "wide"):
        dfs = [("dfs", where, EMPTY)]
        found[f"bfs over dfs, {where}"] = j.ratio([("bfs", where, EMPTY)], dfs)
        found[f"dfs turtle over {where}"] = j.ratio([("dfs", "turtle", EMPTY)], dfs)
    return found


def _slowest(j: Judge, name: str) -> list[Claim]:
    """Returns that path length takes longer than the others and solves less, of the same budget of work."""
    goals = (EMPTY, CONNECTED)
    times, solved = (
        {goal: j.mean_by_work(goal, each) for goal in (PATH, *goals)} for each in (name, "solved")
    )
    longer = {f"time on path length over {goal}": times[PATH] / times[goal] for goal in goals}
    fewer = {f"solved on path length over {goal}": solved[PATH] - solved[goal] for goal in goals}
    return [*each(above, longer, 1, kind="ratio"), *each(below, fewer)]


def _several_do_well(j: Judge) -> list[Claim]:
    """Returns that evolution takes less time than tree searches, and that two of these solve most runs."""
    claims = []
    for goal in j.maps.goals:
        claims += [above(*_over_trees(j, goal, search), 1, kind="ratio") for search in ("es", "ga")]
        if second := _second_best(j, goal):
            label = f"{named(second)} solves {100 * j.t['well']:g} %"
            claims.append(above(label, j.share(second), j.t["well"], kind="share"))
    return claims


def _time_over_sa(j: Judge) -> Numbered:
    mine = j.keys(("sa",), CONNECTED)
    return {
        f"time of {search} over sa": j.ratio(j.keys((search,), CONNECTED), mine) for search in j.but("sa")
    }


# --------------------------------------------------------------------------------------------- the statements

BOTH: dict[str, Asked] = {
    "T1": lambda j, t: j.differences(_pairs(j, ("es", "ga"), j.but("es", "ga")), t["little"]),
    "T2": lambda j, t: j.differences(
        (other, mine)
        for goal in j.maps.goals
        for mine in j.keys(("mcts",), goal, "wide")
        for other in j.rest(mine, j.maps.trees)
    ),
    "T3": lambda j, t: j.differences(
        (("dfs", where, goal), ("bfs", where, goal))
        for goal in j.maps.goals
        for where in j.maps.representations("dfs")
    ),
    "T5": lambda j, t: _easiest(j),
    "T20": lambda j, t: _several_do_well(j),
}
LATER: dict[str, Asked] = {
    "T4": lambda j, t: {
        f"{named(a)} against {named(b)}": j.shares(a, b) for a, b in _pairs(j, ("best", "mcts"), ("hc", "sa"))
    },
    "T6": lambda j, t: _decent(j),
    "T7": lambda j, t: {
        f"BFS {goal}: depth on {where} over that on wide": j.more(
            [("bfs", where, goal)], [("bfs", "wide", goal)], "solution_depth"
        )
        for goal in j.maps.goals
        for where in ("narrow", "turtle")
    },
    "T8a": lambda j, t: _half_the_depth(j),
    "T8b": lambda j, t: {
        f"{deep} over {flat}, wide {goal}": j.more(
            [(deep, "wide", goal)], [(flat, "wide", goal)], "depth_reached"
        )
        for goal, flat, deep in product(j.maps.goals, ("bfs", "mcts"), ("dfs", "best"))
    },
    "T9": lambda j, t: _less_time(j),
    "T10": lambda j, t: [
        _alike(j, f"{goal}: best over optimisers", j.keys(("best",), goal), j.keys(j.maps.optimisers, goal))
        for goal in j.maps.goals
    ],
    "T11a": lambda j, t: _like_best_first(j),
    "T11b": lambda j, t: [
        _alike(
            j,
            f"{goal}: mcts over bfs and dfs, {where}",
            [("mcts", where, goal)],
            j.keys(("bfs", "dfs"), goal, where),
        )
        for where in REPRESENTATIONS
        for goal in (PATH, CONNECTED)
    ],
    "T12": lambda j, t: _quick(j),
    "T13": lambda j, t: _slowest(j, "work"),
    "T14a": lambda j, t: _time_over_sa(j),
    "T14b": lambda j, t: j.differences(product(j.keys(("sa",), CONNECTED), j.keys(("es", "hc"), CONNECTED))),
    "T26a": lambda j, t: _by_variable_c(j),
    "T26b": lambda j, t: _balanced(j),
    "T27a": lambda j, t: _competitive(j),
    "T27b": lambda j, t: _scores(j, ("es", "ga"), ("best", "mcts")),
    "T28": lambda j, t: _harder(j),
}
EARLIER: dict[str, Asked] = {
    "T4": lambda j, t: j.differences(_pairs(j, ("astar", "mcts"), ("hc", "sa"))),
    "T8a": lambda j, t: {
        "mcts wide empty-tiles: depth needed over depth reached": j.mean([MCTS], "changes_needed")
        / j.mean([MCTS], "depth_reached")
    },
    "T8b": lambda j, t: {
        f"{where} {goal}: dfs over bfs": j.ratio(
            [("dfs", where, goal)], [("bfs", where, goal)], "depth_reached"
        )
        for goal in j.maps.goals
        for where in j.maps.representations("dfs")
    },
    "T8c": lambda j, t: _deeper_goals(j),
    "T13a": lambda j, t: _slowest(j, "work if solved"),
    "T13b": lambda j, t: {
        "share of its budget that a run takes which solves empty tiles": j.mean_by_work(
            EMPTY, "work if solved"
        )
    },
    "T14a": lambda j, t: {
        f"time of {named(other)} over sa": j.ratio([other], [one], "spent if solved")
        for one in j.keys(("sa",), PATH)
        for other in j.rest(one)
    },
    "T14b": lambda j, t: j.differences(
        (one, other) for one in j.keys(("sa",), PATH) for other in j.rest(one, ("es", "ga"))
    ),
}
