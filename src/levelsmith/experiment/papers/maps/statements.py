"""The statements T1 to T20 of the papers on binary maps, read so that runs can say yes or no."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from levelsmith.experiment.claims import ALL, MOST, Claim, Statement, Threshold, above, below, within
from levelsmith.experiment.papers.maps import outliers
from levelsmith.experiment.papers.maps.judging import CONNECTED, EMPTY, PATH, Judge, named
from levelsmith.experiment.papers.maps.map_cells import Key, main_maps
from levelsmith.experiment.results import Results

THRESHOLDS = {
    "little": Threshold(
        0.05, (0.02, 0.1), "a difference of shares that does not count where “as many” is said"
    ),
    "equal": Threshold(0.10, (0.05, 0.2), "shares that are about equal: so far apart at most"),
    "decent": Threshold(0.5, (0.7, 0.3), "the share that wide must solve to be decent"),
    "alike": Threshold(3.0, (2.0, 5.0), "times that are about equal: one at most so many times the other"),
    "far": Threshold(2.0, (4.0, 1.0), "“a lot less time”: so many times less"),
    "almost none": Threshold(0.1, (0.05, 0.2), "“almost no time”: of that on path length"),
    "well": Threshold(0.8, (0.9, 0.6), "the share that a search must solve to do well"),
}


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns T1 to T20 as the runs of the main parts have them; time is counted in evaluations."""
    j = Judge(main_maps(results), t)
    return [
        *(_first(j), _second(j), _third(j), _fourth(j), _fifth(j), _sixth(j)),
        *(*_depth(j), *_time(j), *_goals(j), *outliers.statements(j), _last(j)),
    ]


# ----------------------------------------------------------------------------------- T1 to T6: what is solved


def _first(j: Judge) -> Statement:
    others = [search for search in j.maps.searches if search not in ("es", "ga")]
    pairs = _pairs(j, ("es", "ga"), others)
    reading = f"Read: no other search solves more than {100 * j.t['little']:g} points more than either."
    return Statement(
        "T1", "ES and GA solve most on every objective.", j.differences(pairs, j.t["little"]), ALL, reading
    )


def _pairs(j: Judge, ones: tuple[str, ...], others: list[str] | tuple[str, ...]) -> list[tuple[Key, Key]]:
    """Returns cells of some searches with those of others; in the earlier edition, on the same
    representation."""
    return [
        (one, other)
        for goal in j.maps.goals
        for one in j.keys(ones, goal)
        for other in j.keys(others, goal)
        if one[1] == other[1] or not j.maps.earlier
    ]


def _second(j: Judge) -> Statement:
    pairs = []
    for goal in j.maps.goals:
        rivals = [("dfs", "wide"), (j.informed, "wide"), ("mcts", "narrow"), ("mcts", "turtle")]
        pairs += [((*rival, goal), ("mcts", "wide", goal)) for rival in rivals]
    return Statement(
        "T2",
        f"MCTS on wide solves less than DFS and {j.informed_name} there, and less than MCTS on narrow and "
        "turtle.",
        j.differences(pairs),
        ALL,
        "",
    )


def _third(j: Judge) -> Statement:
    pairs: list[tuple[Key, Key]] = [
        (("dfs", each, goal), ("bfs", each, goal))
        for goal in j.maps.goals
        for each in j.maps.representations("dfs")
    ]
    return Statement(
        *(
            "T3",
            "DFS solves at least as much as BFS in almost all cells.",
            j.differences(pairs, j.t["little"]),
            8 / 9,
        ),
        f"Read: in eight of nine, give or take {100 * j.t['little']:g} points.",
    )


def _fourth(j: Judge) -> Statement:
    pairs = _pairs(j, (j.informed, "mcts"), ("hc", "sa"))
    if j.maps.earlier:
        return Statement(
            *(
                "T4",
                "A* and MCTS find more solutions than HC and SA in most cases.",
                j.differences(pairs),
                MOST,
            ),
            "Read: on the same representation.",
        )
    equal = [
        within(f"{named(a)} against {named(b)}", j.shares(a, b), -j.t["equal"], j.t["equal"])
        for a, b in pairs
    ]
    return Statement(
        *("T4", "Best-first and MCTS find about as many solutions as HC and SA in most cases.", equal, MOST),
        f"Read: in most pairs the shares lie within {100 * j.t['equal']:g} points of each other.",
    )


def _fifth(j: Judge) -> Statement:
    claims = []
    for goal in j.maps.goals:
        for search in j.maps.searches if j.maps.earlier else j.maps.trees:
            for each in ("turtle", "wide"):
                narrow, other = (search, "narrow", goal), (search, each, goal)
                if goal == PATH:
                    claims.append(above(f"{named(other)} over narrow", j.shares(other, narrow)))
                else:
                    claims.append(
                        above(f"{named(narrow)} over {each}", j.shares(narrow, other), margin=j.t["little"])
                    )
    return Statement(
        *("T5", "Narrow is the easiest representation for most, except for path length.", claims, MOST),
        f"Read: it solves as much as turtle and wide, give or take {100 * j.t['little']:g} points, and on "
        "path length less.",
    )


def _sixth(j: Judge) -> Statement:
    claims = []
    for goal in j.maps.goals:
        for search in ("dfs", j.informed):
            label = f"{search} wide {goal} solves half"
            claims.append(above(label, j.share((search, "wide", goal)), j.t["decent"], kind="share"))
        for search in ("bfs", "mcts"):
            label = f"{search} wide {goal} solves less than half"
            claims.append(below(label, j.share((search, "wide", goal)), j.t["decent"], kind="share"))
    return Statement(
        *("T6", "Wide is decent for tree search, except for BFS and MCTS.", claims, 0.75),
        "Read: decent is half of the runs; three quarters of the claims must hold.",
    )


# ------------------------------------------------------------------------------------------- T7 and T8: depth


def _depth(j: Judge) -> list[Statement]:
    small, half, deeper = [], [], []
    for goal in j.maps.goals:
        wide = [("bfs", "wide", goal)]
        for each in ("narrow", "turtle"):
            number = j.more([("bfs", each, goal)], wide, "depth_needed")
            small.append(above(f"BFS {goal}: depth on {each} over that on wide", number, kind="depth"))
        for flat in ("bfs", "mcts"):
            reached = j.mean([(flat, "wide", goal)], "depth_reached")
            quotient = reached / j.mean(wide, "depth_needed")
            label = f"{flat} wide {goal}: depth reached over depth needed"
            half.append(within(label, quotient.estimate, 0.25, 0.75, "ratio"))
            for deep in ("dfs", j.informed):
                number = j.more([(deep, "wide", goal)], [(flat, "wide", goal)], "depth_reached")
                deeper.append(above(f"{deep} over {flat}, wide {goal}", number, kind="depth"))
    return [
        Statement(
            *("T7", "Solutions on wide lie at small depth.", small, ALL),
            "Read: less deep than on narrow and turtle, as BFS finds them; one below what it reached where "
            "it finds none.",
        ),
        Statement(
            "T8",
            f"BFS and MCTS reach about half the depth needed on wide; DFS and {j.informed_name} go deeper.",
            [*half, *deeper],
            ALL,
            "Read: half is a quarter to three quarters. The depth needed is that of BFS, one more than it "
            "reached where it finds nothing.",
        ),
    ]


# -------------------------------------------------------------------------------------------- T9 to T14: time


def _time(j: Judge) -> list[Statement]:
    maps, best = j.maps, j.informed
    faster, like = [], []
    for goal in maps.goals:
        trees = j.keys(maps.trees, goal)
        for search in maps.optimisers:
            number = j.ratio(trees, j.keys((search,), goal))
            label = f"{goal}: tree searches' time over that of {search}"
            slow = goal == CONNECTED and search in ("hc", "es")
            faster.append(
                below(label, number, j.t["far"], "ratio")
                if slow
                else above(label, number, j.t["far"], kind="ratio")
            )
        number = j.ratio(j.keys((best,), goal), j.keys(maps.optimisers, goal))
        like.append(
            within(f"{goal}: {best} over optimisers", number, 1 / j.t["alike"], j.t["alike"], "ratio")
        )
    simple, quick = [], []
    for each in ("narrow", "turtle", "wide"):
        number = j.ratio([("mcts", each, EMPTY)], [(best, each, EMPTY)])
        label = f"mcts over {best}, {each}"
        alike = each != "wide"
        simple.append(
            within(label, number, 1 / j.t["alike"], j.t["alike"], "ratio")
            if alike
            else above(label, number, j.t["alike"], kind="ratio")
        )
    for each in ("narrow", "wide"):
        one = [("dfs", each, EMPTY)]
        slower = {
            f"bfs over dfs, {each}": ("bfs", each, EMPTY),
            f"dfs turtle over {each}": ("dfs", "turtle", EMPTY),
        }
        quick += [
            above(label, j.ratio([key], one), j.t["far"], kind="ratio") for label, key in slower.items()
        ]
    return [
        Statement(
            "T9",
            "Optimisers take a lot less time than tree search, except HC and ES on connectivity.",
            faster,
            ALL,
            "Read: less than half of the tree searches' mean. Time is the mean of all runs' evaluations.",
        ),
        Statement(
            *("T10", f"{j.informed_name.capitalize()} takes about the time of the optimisers.", like, ALL),
            f"Read: within a factor of {j.t['alike']:g}.",
        ),
        Statement(
            "T11",
            f"MCTS takes about the time of {j.informed_name} on empty tiles, except on wide.",
            simple,
            ALL,
            f"Read: within a factor of {j.t['alike']:g}.",
        ),
        Statement(
            *("T12", "DFS is quick on empty tiles, except on turtle.", quick, ALL),
            "Read: less than half of BFS's time; on turtle more than twice its own on narrow and wide.",
        ),
    ]


def _goals(j: Judge) -> list[Statement]:
    maps = j.maps
    cells = {goal: j.keys(maps.searches, goal) for goal in (EMPTY, PATH, CONNECTED)}
    slowest: list[Claim] = []
    for goal in (EMPTY, CONNECTED):
        times, shares = j.ratio(cells[PATH], cells[goal]), j.more(cells[PATH], cells[goal], "solved")
        slowest.append(above(f"time on path length over {goal}", times, 1, kind="ratio"))
        slowest.append(below(f"solved on path length over {goal}", shares))
    number = j.ratio(cells[EMPTY], cells[PATH])
    slowest.append(below("time on empty tiles over path length", number, j.t["almost none"], "ratio"))
    goal, rivals = (PATH, ("es", "ga")) if maps.earlier else (CONNECTED, ("es", "hc"))
    pairs = [(one, other) for other in j.keys(rivals, goal) for one in j.keys(("sa",), goal, other[1])]
    annealing = [
        above(f"time of {named(b)} over {named(a)}", j.ratio([b], [a]), 1, kind="ratio") for a, b in pairs
    ]
    names = " and ".join(name.upper() for name in rivals)
    return [
        Statement(
            "T13",
            "Path length is slowest, with the fewest solutions; empty tiles take almost no time.",
            slowest,
            ALL,
            "Read: over all cells alike; almost no time is less than a tenth of that on path length.",
        ),
        Statement(
            "T14",
            f"SA is fast on {goal} and solves more than {names}.",
            [*annealing, *j.differences(pairs)],
            ALL,
            "The two editions name different goals; this is that of the edition that was run.",
        ),
    ]


# -------------------------------------------------------------------------------------------------------- T20


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
            label = f"{named(ranked[1])} solves four of five"
            claims.append(above(label, j.share(ranked[1]), j.t["well"], kind="share"))
    return Statement(
        *("T20", "Evolution is faster, but several tree searches do well given time.", claims, ALL),
        "Read: ES and GA take less time than tree searches on average, and on each goal at least two tree "
        "searches, each where it does best, solve four runs of five.",
    )
