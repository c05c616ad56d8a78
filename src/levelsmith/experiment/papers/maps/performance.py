"""Statements of the papers on binary maps about what is solved, how deep, and how fast.

They are those of section 4.1 of the FDG 2020 paper, of section VII-A of its earlier edition, and of
abstract and conclusion of both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from levelsmith.experiment.claims import ALL, MOST, Claim, Number, Statement, above, below, within
from levelsmith.experiment.papers.maps.judging import CONNECTED, EMPTY, PATH, Judge, at_most, named
from levelsmith.experiment.papers.maps.map_cells import Key

TENSION = (
    "It pulls against T14b: both can hold only while SA leads by less than the margin here, so that the "
    "paper is at odds with itself where the lead is larger."
)


def statements(j: Judge) -> list[Statement]:
    if j.maps.earlier:
        return [
            *(_first(j), _second(j), _third(j), _more_solutions(j), _fifth(j), *_deep_enough(j)),
            *(*_slowest_to_solve(j), *_annealing_on_paths(j), _last(j)),
        ]
    return [
        *(_first(j), _second(j), _third(j), _same_amount(j), _fifth(j), _decent(j), _low_depth(j)),
        *(*_half_the_depth(j), _less_time(j), _comparable(j), *_simple_and_others(j), _quick(j)),
        *(_slowest(j), *_annealing_on_connectivity(j), _last(j)),
    ]


# --------------------------------------------------------------------------------------------- what is solved


def _first(j: Judge) -> Statement:
    others = [search for search in j.maps.searches if search not in ("es", "ga")]
    claims = j.differences(_pairs(j, ("es", "ga"), others), j.t["little"])
    reading = (
        f"Read: no other search solves {100 * j.t['little']:g} points more than either, on any objective. "
        f"{TENSION}"
    )
    return Statement(
        "T1", f"ES and GA outperform the other algorithms ({_section(j)}).", claims, ALL, reading
    )


def _section(j: Judge) -> str:
    return "section VII-A" if j.maps.earlier else "section 4.1"


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


def _second(j: Judge) -> Statement:
    pairs = [
        (other, mine)
        for goal in j.maps.goals
        for mine in j.keys(("mcts",), goal, "wide")
        for other in j.rest(mine, j.maps.trees)
    ]
    text = f"MCTS performs worse on wide than the other tree searches ({_section(j)})."
    return Statement(
        "T2", text, j.differences(pairs), ALL, "Read: each of them solves more, on every objective."
    )


def _third(j: Judge) -> Statement:
    pairs: list[tuple[Key, Key]] = [
        (("dfs", each, goal), ("bfs", each, goal))
        for goal in j.maps.goals
        for each in j.maps.representations("dfs")
    ]
    text = f"DFS performs better than BFS in almost all experiments ({_section(j)})."
    return Statement("T3", text, j.differences(pairs), 8 / 9, "Read: in eight of nine it solves more.")


def _same_amount(j: Judge) -> Statement:
    apart = j.t["equal"]
    claims = [
        within(f"{named(a)} against {named(b)}", j.shares(a, b), -apart, apart)
        for a, b in _pairs(j, ("best", "mcts"), ("hc", "sa"))
    ]
    text = "Best-first and MCTS find the same amount of solutions as HC and SA in most cases (section 4.1)."
    reading = f"Read: in most pairs of cells the shares lie within {100 * apart:g} points of each other."
    return Statement("T4", text, claims, MOST, reading)


def _more_solutions(j: Judge) -> Statement:
    claims = j.differences(_pairs(j, ("astar", "mcts"), ("hc", "sa")))
    text = "A* and MCTS find more solutions than HC and SA in most cases (section VII-A)."
    return Statement("T4", text, claims, MOST, "Read: on the same representation.")


def _fifth(j: Judge) -> Statement:
    claims = []
    for goal in j.maps.goals:
        for search in j.maps.searches if j.maps.earlier else j.maps.trees:
            for each in ("turtle", "wide"):
                narrow, other = (search, "narrow", goal), (search, each, goal)
                if goal == PATH:
                    claims.append(above(f"{named(other)} over narrow", j.shares(other, narrow)))
                else:
                    label = f"{named(narrow)} over {each}"
                    claims.append(above(label, j.shares(narrow, other), margin=j.t["little"]))
    text = f"Narrow is the easiest representation for most, except for path length ({_section(j)})."
    reading = (
        f"Read: it solves as much as turtle and wide, give or take {100 * j.t['little']:g} points, and on "
        "path length less."
    )
    return Statement("T5", text, claims, MOST, reading)


def _decent(j: Judge) -> Statement:
    claims = []
    for goal in j.maps.goals:
        for search, is_decent in (("dfs", True), ("best", True), ("bfs", False), ("mcts", False)):
            number = j.share((search, "wide", goal))
            label = (
                f"{search} wide {goal} solves {'' if is_decent else 'less than '}{100 * j.t['decent']:g} %"
            )
            side = above if is_decent else below
            claims.append(side(label, number, j.t["decent"], kind="share"))
    text = "Wide performs decently for tree search, except with BFS and MCTS (section 4.1)."
    return Statement("T6", text, claims, 0.75, "Read: three quarters of the claims must hold.")


# ------------------------------------------------------------------------------------------------------ depth


def _low_depth(j: Judge) -> Statement:
    claims = []
    for goal in j.maps.goals:
        for each in ("narrow", "turtle"):
            number = j.more([("bfs", each, goal)], [("bfs", "wide", goal)], "depth of solutions")
            claims.append(above(f"BFS {goal}: depth on {each} over that on wide", number, kind="depth"))
    reading = (
        "Read: less deep than on narrow and turtle, of the solutions that BFS finds; where it finds none "
        "the depth is not known. An action on narrow or turtle changes one tile at most, so that no map can "
        "have its nearest solution deeper on wide."
    )
    return Statement("T7", "Solutions on wide lie at low depth (section 4.1).", claims, ALL, reading)


def _half_the_depth(j: Judge) -> list[Statement]:
    half, deeper = [], []
    low, high = 0.5 - j.t["half"], 0.5 + j.t["half"]
    for goal in j.maps.goals:
        for flat in ("bfs", "mcts"):
            mine = ("bfs", "wide", goal) if goal != EMPTY else (flat, "wide", goal)
            needed = j.mean([mine], "changes needed" if goal == EMPTY else "depth_needed")
            number: Number = (j.mean([(flat, "wide", goal)], "depth_reached") / needed).estimate
            label = f"{flat} wide {goal}: depth reached over depth needed"
            if goal != EMPTY:
                label, number = f"{label}, at most", at_most(number)
            half.append(within(label, number, low, high, "ratio"))
            for deep in ("dfs", "best"):
                number = j.more([(deep, "wide", goal)], [(flat, "wide", goal)], "depth_reached")
                deeper.append(above(f"{deep} over {flat}, wide {goal}", number, kind="depth"))
    reading = (
        f"Read: {low:g} to {high:g} of it. For empty tiles the depth needed is known: the tiles that a start "
        "map has too few or too many. For the others it is that of BFS's solutions, and where BFS finds "
        "none one more than it reached, as in the paper: that is a bound, so that the share is known from "
        "above alone."
    )
    return [
        Statement(
            "T8a",
            "BFS and MCTS expand almost half of the depth required, on wide above all (section 4.1).",
            half,
            ALL,
            reading,
        ),
        Statement(
            "T8b",
            "DFS and best-first reach deeper nodes than BFS and MCTS (section 4.1).",
            deeper,
            ALL,
            "Read: on wide.",
        ),
    ]


def _deep_enough(j: Judge) -> list[Statement]:
    wide = [("mcts", "wide", EMPTY)]
    needed = (j.mean(wide, "changes needed") / j.mean(wide, "depth_reached")).estimate
    shallow = [above("mcts wide empty-tiles: depth needed over depth reached", needed, 1, kind="ratio")]
    deeper = []
    for goal in j.maps.goals:
        for each in j.maps.representations("dfs"):
            number = j.ratio([("dfs", each, goal)], [("bfs", each, goal)], "depth_reached")
            deeper.append(above(f"{each} {goal}: dfs over bfs", number, j.t["far"], kind="ratio"))
    reading = (
        "Read: for empty tiles, where the depth needed is known: the tiles that a start map has too few or "
    )
    reading += "too many."
    return [
        Statement(
            "T8a",
            "MCTS on wide does not expand deep enough to find a solution (section VII-A).",
            shallow,
            ALL,
            reading,
        ),
        Statement(
            "T8b",
            "DFS goes far deeper than BFS (section VII-A).",
            deeper,
            ALL,
            f"Read: {j.t['far']:g} times as deep, everywhere.",
        ),
    ]


# ------------------------------------------------------------------------------------------------------- time


def _less_time(j: Judge) -> Statement:
    claims = []
    for goal in j.maps.goals:
        trees = j.keys(j.maps.trees, goal)
        for search in j.maps.optimisers:
            number = j.ratio(trees, j.keys((search,), goal))
            side = below if goal == CONNECTED and search in ("hc", "es") else above
            label = f"{goal}: tree searches' time over that of {search}"
            claims.append(side(label, number, j.t["far"], kind="ratio"))
    text = "Optimisers take a lot less time, except HC and ES on connectivity (section 4.1)."
    reading = (
        f"Read: the mean of the tree searches is more than {j.t['far']:g} times theirs, and not for the two. "
        "Time is counted in evaluations of all runs, solved or not."
    )
    return Statement("T9", text, claims, ALL, reading)


def _comparable(j: Judge) -> Statement:
    claims = [
        _alike(j, f"{goal}: best over optimisers", j.keys(("best",), goal), j.keys(j.maps.optimisers, goal))
        for goal in j.maps.goals
    ]
    text = "Best-first takes a small amount of time, comparable to the optimisers (section 4.1)."
    return Statement("T10", text, claims, ALL, f"Read: within a factor of {j.t['alike']:g}.")


def _alike(j: Judge, label: str, ones: Sequence[Key], others: Sequence[Key]) -> Claim:
    return within(label, j.ratio(ones, others), 1 / j.t["alike"], j.t["alike"], "ratio")


def _simple_and_others(j: Judge) -> list[Statement]:
    simple, others = [], []
    for each in ("narrow", "turtle", "wide"):
        mine, best = [("mcts", each, EMPTY)], [("best", each, EMPTY)]
        label = f"mcts over best, {each}"
        if each == "wide":
            simple.append(above(label, j.ratio(mine, best), j.t["alike"], kind="ratio"))
        else:
            simple.append(_alike(j, label, mine, best))
        for goal in (PATH, CONNECTED):
            plain = j.keys(("bfs", "dfs"), goal, each)
            others.append(_alike(j, f"{goal}: mcts over bfs and dfs, {each}", [("mcts", each, goal)], plain))
    reading = f"Read: within a factor of {j.t['alike']:g}"
    return [
        Statement(
            "T11a",
            "MCTS takes about best-first's time on empty tiles, except on wide (section 4.1).",
            simple,
            ALL,
            f"{reading}, and on wide more.",
        ),
        Statement(
            "T11b",
            "On the other objectives MCTS takes about the time of BFS and DFS (section 4.1).",
            others,
            ALL,
            f"{reading} of their mean.",
        ),
    ]


def _quick(j: Judge) -> Statement:
    claims = []
    for each in ("narrow", "wide"):
        slower = {f"bfs over dfs, {each}": ("bfs", each), f"dfs turtle over {each}": ("dfs", "turtle")}
        for label, (search, where) in slower.items():
            number = j.ratio([(search, where, EMPTY)], [("dfs", each, EMPTY)])
            claims.append(above(label, number, j.t["far"], kind="ratio"))
    text = "On empty tiles DFS, unlike BFS, does not take long, except on turtle (section 4.1)."
    reading = (
        f"Read: BFS takes {j.t['far']:g} times as long, and so does DFS on turtle. The paper's sentence "
        "breaks off (“we were surprised to see that DFS on the empty tiles …”); its explanation says what "
        "is meant."
    )
    return Statement("T12", text, claims, ALL, reading)


def _over_goals(j: Judge, name: str) -> list[Claim]:
    """Returns that path length takes longer than the others, of the same budget of work."""
    path = j.mean_by_work(PATH, name)
    return [
        above(
            f"time on path length over {goal}", (path / j.mean_by_work(goal, name)).estimate, 1, kind="ratio"
        )
        for goal in (EMPTY, CONNECTED)
    ]


def _fewer(j: Judge) -> list[Claim]:
    path = j.mean_by_work(PATH, "solved")
    return [
        below(f"solved on path length over {goal}", (path - j.mean_by_work(goal, "solved")).estimate)
        for goal in (EMPTY, CONNECTED)
    ]


BY_WORK = (
    "Read: over all cells alike, with the same budget of work for each goal, as the papers' 60 seconds "
    "were: an evaluation of path length looks at every pair of tiles, one of connectivity at every tile and "
    "its neighbours."
)


def _slowest(j: Judge) -> Statement:
    text = "Path length is the slowest objective, with fewer solutions than the others (section 5)."
    return Statement("T13", text, [*_over_goals(j, "work"), *_fewer(j)], ALL, BY_WORK)


def _slowest_to_solve(j: Judge) -> list[Statement]:
    almost = j.mean_by_work(EMPTY, "work if solved") / j.mean_by_work(PATH, "work if solved")
    none = below("time on empty tiles over path length", almost.estimate, j.t["almost none"], "ratio")
    which = f"{BY_WORK} Time is that of runs that solved."
    return [
        Statement(
            "T13a",
            "Path length takes longest to find solutions, and has fewer (sections VII-A, VIII).",
            [*_over_goals(j, "work if solved"), *_fewer(j)],
            ALL,
            which,
        ),
        Statement(
            "T13b", "Empty tiles take almost no time to find solutions (section VII-A).", [none], ALL, which
        ),
    ]


def _annealing_on_connectivity(j: Judge) -> list[Statement]:
    mine = j.keys(("sa",), CONNECTED)
    others = [search for search in j.maps.searches if search != "sa"]
    faster = [
        above(
            f"time of {search} over sa", j.ratio(j.keys((search,), CONNECTED), mine), j.t["far"], kind="ratio"
        )
        for search in others
    ]
    pairs = [(one, other) for one in mine for other in j.keys(("es", "hc"), CONNECTED)]
    return [
        Statement(
            "T14a",
            "SA is a lot faster than most of the algorithms on connectivity (section 5).",
            faster,
            MOST,
            f"Read: {j.t['far']:g} times as fast as most of the seven others.",
        ),
        Statement(
            "T14b",
            "On connectivity SA succeeds more often than ES and HC (section 5).",
            j.differences(pairs),
            ALL,
            "Read: “a high percentage of success when compared to” is more than theirs. It pulls against T1.",
        ),
    ]


def _annealing_on_paths(j: Judge) -> list[Statement]:
    pairs = [(one, other) for one in j.keys(("sa",), PATH) for other in j.rest(one)]
    faster = [
        above(f"time of {named(other)} over sa", j.ratio([other], [one], "spent if solved"), 1, kind="ratio")
        for one, other in pairs
    ]
    rivals = [(one, other) for one, other in pairs if other[0] in ("es", "ga")]
    return [
        Statement(
            "T14a",
            "SA is the fastest to find solutions on path length (section VIII).",
            faster,
            ALL,
            "Read: of runs that solved, on the same representation.",
        ),
        Statement(
            "T14b",
            "On path length SA succeeds more often than ES and GA (section VIII).",
            j.differences(rivals),
            ALL,
            "Read: “a high percentage of success when compared to” is more than theirs. It pulls against T1.",
        ),
    ]


def _last(j: Judge) -> Statement:
    maps = j.maps
    claims = []
    for goal in maps.goals:
        trees = j.keys(maps.trees, goal)
        for search in ("es", "ga"):
            number = j.ratio(trees, j.keys((search,), goal))
            claims.append(
                above(f"{goal}: tree searches' time over that of {search}", number, 1, kind="ratio")
            )
        shares = {key: float(np.nanmean(maps.values(key, "solved"))) for key in trees}
        best = [max(j.keys((search,), goal), key=lambda key: shares[key]) for search in maps.trees]
        ranked = sorted(best, key=lambda key: -shares[key])
        if len(ranked) > 1:
            label = f"{named(ranked[1])} solves {100 * j.t['well']:g} %"
            claims.append(above(label, j.share(ranked[1]), j.t["well"], kind="share"))
    text = (
        "Evolution makes good maps faster, and several tree searches perform very well given time (abstract)."
    )
    reading = (
        "Read: ES and GA take less time than tree searches on average, and on each objective at least two "
        f"tree searches, each where it does best, solve {100 * j.t['well']:g} % of the runs."
    )
    return Statement("T20", text, claims, ALL, reading)
