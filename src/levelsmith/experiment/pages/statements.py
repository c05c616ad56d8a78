"""The statements T1 to T20 of the papers on binary maps, read so that runs can say yes or no."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from levelsmith.experiment.page import Verdict
from levelsmith.experiment.pages.claims import ALL, MOST, Claim, above, below, judge, within
from levelsmith.experiment.pages.maps import Key, Maps
from levelsmith.experiment.statistics import (
    Estimate,
    Numbers,
    Spread,
    average,
    share,
    share_difference,
    spread,
)

Number = Callable[[float], Estimate]

EMPTY, PATH, CONNECTED = "empty-tiles", "path-length", "connectivity"
LITTLE = 0.05  # a difference of shares that does not count where "as many" is said
EQUAL = 0.10  # shares that are about equal
ALIKE = 3.0  # times that are about equal: one within three of the other
FAR = 2.0  # "a lot less time"


class Judge:
    """Claims about one comparison, in few words each."""

    def __init__(self, maps: Maps):
        self.maps = maps
        self.informed = "astar" if maps.earlier else "best"
        self.spreads: dict[tuple[Key, str], Spread] = {}

    def shares(self, one: Key, other: Key) -> Number:
        first, second = self.maps.values(one, "solved"), self.maps.values(other, "solved")
        return lambda level: share_difference(first, second, level)

    def spread(self, key: Key, name: str) -> Spread:
        if (key, name) not in self.spreads:
            maps = self.maps
            special: dict[str, Callable[[Key], Numbers]] = {
                "depth_needed": maps.depth_needed,
                "empty": lambda key: maps.made(key, "empty"),
                "path": lambda key: maps.made(key, "path"),
                "regions": lambda key: maps.made(key, "regions"),
            }
            column = special[name](key) if name in special else maps.values(key, name)
            self.spreads[key, name] = spread(column)
        return self.spreads[key, name]

    def mean(self, keys: Sequence[Key], name: str) -> Spread:
        return average([self.spread(key, name) for key in keys if key in self.maps.cells])

    def ratio(self, ones: Sequence[Key], others: Sequence[Key], name: str = "seconds") -> Number:
        quotient = self.mean(ones, name) / self.mean(others, name)
        return quotient.estimate

    def more(self, ones: Sequence[Key], others: Sequence[Key], name: str) -> Number:
        return (self.mean(ones, name) - self.mean(others, name)).estimate

    def keys(self, searches: Sequence[str], goal: str, *representations: str) -> list[Key]:
        return [
            key
            for search in searches
            for each in (representations or self.maps.representations(search))
            if (key := (search, each, goal)) in self.maps.cells
        ]

    def differences(self, pairs: Sequence[tuple[Key, Key]], margin: float = 0.0) -> list[Claim]:
        return [above(f"{_name(a)} over {_name(b)}", self.shares(a, b), margin=margin) for a, b in pairs]


def _name(key: Key) -> str:
    return " ".join(key)


def verdicts(maps: Maps) -> list[Verdict]:
    judged = Judge(maps)
    return [*_solving(judged), *_depth(judged), *_time(judged), *_ranges(judged), _last(judged)]


# ------------------------------------------------------------------------------------------------- T1 to T6


def _solving(j: Judge) -> list[Verdict]:
    maps, goals, best = j.maps, j.maps.goals, j.informed
    others = [search for search in maps.searches if search not in ("es", "ga")]
    t1 = [
        (one, other)
        for goal in goals
        for one in j.keys(("es", "ga"), goal)
        for other in j.keys(others, goal)
        if one[1] == other[1] or not maps.earlier
    ]
    t2 = [
        (one, ("mcts", "wide", goal))
        for goal in goals
        for one in (
            ("dfs", "wide", goal),
            (best, "wide", goal),
            ("mcts", "narrow", goal),
            ("mcts", "turtle", goal),
        )
    ]
    t3 = [
        (("dfs", each, goal), ("bfs", each, goal)) for goal in goals for each in maps.representations("dfs")
    ]
    t4 = [
        (one, other)
        for goal in goals
        for one in j.keys((best, "mcts"), goal)
        for other in j.keys(("hc", "sa"), goal)
        if one[1] == other[1] or not maps.earlier
    ]
    searches = maps.searches if maps.earlier else maps.trees
    t5 = [
        (("narrow", each), search, goal)
        for goal in goals
        for search in searches
        for each in maps.representations(search)
        if each != "narrow"
    ]
    equal = [within(f"{_name(a)} against {_name(b)}", j.shares(a, b), -EQUAL, EQUAL) for a, b in t4]
    easiest = [
        above(
            f"{search} {goal}: narrow over {each}",
            j.shares((search, "narrow", goal), (search, each, goal)),
            margin=LITTLE,
        )
        for (_, each), search, goal in t5
        if goal != PATH
    ]
    easiest += [
        above(
            f"{search} {goal}: {each} over narrow", j.shares((search, each, goal), (search, "narrow", goal))
        )
        for (_, each), search, goal in t5
        if goal == PATH
    ]
    decent = [
        above(f"{search} wide {goal} solves half", _share(maps, (search, "wide", goal)), 0.5, kind="share")
        for goal in goals
        for search in ("dfs", best)
    ]
    decent += [
        below(
            f"{search} wide {goal} solves less than half",
            _share(maps, (search, "wide", goal)),
            0.5,
            kind="share",
        )
        for goal in goals
        for search in ("bfs", "mcts")
    ]
    fourth = judge(
        *("T4", "Best-first and MCTS find about as many solutions as HC and SA.", equal, MOST),
        "Read: in most pairs the shares lie within 10 points of each other.",
    )
    if maps.earlier:
        fourth = judge(
            *("T4", "A* and MCTS find more solutions than HC and SA in most cases.", j.differences(t4), MOST),
            "Read: on the same representation.",
        )
    return [
        judge(
            *("T1", "ES and GA solve most on every objective.", j.differences(t1, LITTLE), ALL),
            f"Read: no other search solves more than {100 * LITTLE:g} points more than either.",
        ),
        judge(
            "T2",
            "MCTS on wide solves less than DFS and best-first there, and less than MCTS on narrow and turtle.",
            j.differences(t2),
            ALL,
            "",
        ),
        judge(
            *(
                "T3",
                "DFS solves at least as much as BFS in almost all cells.",
                j.differences(t3, LITTLE),
                8 / 9,
            ),
            f"Read: in eight of nine, give or take {100 * LITTLE:g} points.",
        ),
        fourth,
        judge(
            *("T5", "Narrow is the easiest representation for most, except for path length.", easiest, MOST),
            f"Read: it solves as much as turtle and wide, give or take {100 * LITTLE:g} points, and on path length less.",
        ),
        judge(
            *("T6", "Wide is decent for tree search, except for BFS and MCTS.", decent, 0.75),
            "Read: decent is half of the runs; three quarters of the claims must hold.",
        ),
    ]


def _share(maps: Maps, key: Key) -> Number:
    values = maps.values(key, "solved")
    return lambda level: share(values, level)


# ------------------------------------------------------------------------------------------------- T7 and T8


def _depth(j: Judge) -> list[Verdict]:
    goals, best = j.maps.goals, j.informed
    small = [
        above(
            f"BFS {goal}: depth on {each} over that on wide",
            j.more([("bfs", each, goal)], [("bfs", "wide", goal)], "depth_needed"),
            kind="depth",
        )
        for goal in goals
        for each in ("narrow", "turtle")
    ]
    half = [
        within(
            f"{search} wide {goal}: depth reached over depth needed",
            (
                j.mean([(search, "wide", goal)], "depth_reached")
                / j.mean([("bfs", "wide", goal)], "depth_needed")
            ).estimate,
            *(0.25, 0.75, "ratio"),
        )
        for goal in goals
        for search in ("bfs", "mcts")
    ]
    deeper = [
        above(
            f"{deep} over {flat}, wide {goal}",
            j.more([(deep, "wide", goal)], [(flat, "wide", goal)], "depth_reached"),
            kind="depth",
        )
        for goal in goals
        for deep in ("dfs", best)
        for flat in ("bfs", "mcts")
    ]
    return [
        judge(
            *("T7", "Solutions on wide lie at small depth.", small, ALL),
            "Read: less deep than on narrow and turtle, as BFS finds them; one below what it reached where it finds none.",
        ),
        judge(
            "T8",
            "BFS and MCTS reach about half the depth needed on wide; DFS and best-first go deeper.",
            [*half, *deeper],
            ALL,
            "Read: half is a quarter to three quarters. The depth needed is that of BFS, at least one more than it reached.",
        ),
    ]


# ------------------------------------------------------------------------------------------------- T9 to T14


def _time(j: Judge) -> list[Verdict]:
    maps, goals, best = j.maps, j.maps.goals, j.informed
    faster = []
    for goal in goals:
        trees = j.keys(maps.trees, goal)
        for search in maps.optimisers:
            number = j.ratio(trees, j.keys((search,), goal))
            slow = goal == CONNECTED and search in ("hc", "es")
            label = f"{goal}: tree searches' time over that of {search}"
            faster.append(
                below(label, number, FAR, "ratio") if slow else above(label, number, FAR, kind="ratio")
            )
    like = [
        within(
            f"{goal}: {best} over optimisers",
            j.ratio(j.keys((best,), goal), j.keys(maps.optimisers, goal)),
            1 / ALIKE,
            ALIKE,
            "ratio",
        )
        for goal in goals
    ]
    simple = [
        within(
            f"mcts over {best}, {each}",
            j.ratio([("mcts", each, EMPTY)], [(best, each, EMPTY)]),
            1 / ALIKE,
            ALIKE,
            "ratio",
        )
        for each in ("narrow", "turtle")
    ]
    simple.append(
        above(
            f"mcts over {best}, wide",
            j.ratio([("mcts", "wide", EMPTY)], [(best, "wide", EMPTY)]),
            ALIKE,
            kind="ratio",
        )
    )
    quick = [
        above(
            f"bfs over dfs, {each}",
            j.ratio([("bfs", each, EMPTY)], [("dfs", each, EMPTY)]),
            FAR,
            kind="ratio",
        )
        for each in ("narrow", "wide")
    ]
    quick += [
        above(
            f"dfs turtle over dfs {each}",
            j.ratio([("dfs", "turtle", EMPTY)], [("dfs", each, EMPTY)]),
            FAR,
            kind="ratio",
        )
        for each in ("narrow", "wide")
    ]
    everything = {goal: j.keys(maps.searches, goal) for goal in (EMPTY, PATH, CONNECTED)}
    slowest = [
        above(
            f"time on path length over {goal}", j.ratio(everything[PATH], everything[goal]), 1, kind="ratio"
        )
        for goal in (EMPTY, CONNECTED)
    ]
    slowest += [
        below(f"solved on path length over {goal}", j.more(everything[PATH], everything[goal], "solved"))
        for goal in (EMPTY, CONNECTED)
    ]
    slowest.append(
        below(
            "time on empty tiles over path length", j.ratio(everything[EMPTY], everything[PATH]), 0.1, "ratio"
        )
    )
    goal, rivals = (PATH, ("es", "ga")) if maps.earlier else (CONNECTED, ("es", "hc"))
    pairs = [(one, other) for other in j.keys(rivals, goal) for one in j.keys(("sa",), goal, other[1])]
    annealing = [
        above(f"time of {_name(b)} over {_name(a)}", j.ratio([b], [a]), 1, kind="ratio") for a, b in pairs
    ]
    annealing += j.differences(pairs)
    reading = "Time is the mean of all runs' seconds; figure 3 has evaluations too."
    return [
        judge(
            *(
                "T9",
                "Optimisers take a lot less time than tree search, except HC and ES on connectivity.",
                faster,
                ALL,
            ),
            f"Read: less than half the mean time of the tree searches. {reading}",
        ),
        judge(
            *(
                "T10",
                "Best-first takes about the time of the optimisers."
                if not maps.earlier
                else "A* takes about the time of the optimisers.",
                like,
                ALL,
            ),
            "Read: within a factor of three.",
        ),
        judge(
            *(
                "T11",
                f"MCTS takes about the time of {best}-first on empty tiles, except on wide."
                if best == "best"
                else "MCTS takes about the time of A* on empty tiles, except on wide.",
                simple,
                ALL,
            ),
            "Read: within a factor of three.",
        ),
        judge(
            *("T12", "DFS is quick on empty tiles, except on turtle.", quick, ALL),
            "Read: less than half of BFS's time; on turtle more than twice its own on narrow and wide.",
        ),
        judge(
            "T13",
            "Path length is slowest, with the fewest solutions; empty tiles take almost no time.",
            slowest,
            ALL,
            "Read: over all cells alike; almost no time is less than a tenth of that on path length.",
        ),
        judge(
            "T14",
            f"SA is fast on {'path length' if maps.earlier else 'connectivity'} and solves more than {rivals[0].upper()} and {rivals[1].upper()}.",
            annealing,
            ALL,
            "The two editions name different goals; this is that of the edition that was run.",
        ),
    ]


# ------------------------------------------------------------------------------------------------- T15 to T19


def _ranges(j: Judge) -> list[Verdict]:
    """The outliers in expressive range that section 4.2 (VII-B of the earlier edition) names."""
    maps, best = j.maps, j.informed
    earlier = maps.earlier

    def more(ones: Sequence[Key], others: Sequence[Key], metric: str, sign: int = 1) -> Claim:
        words = {"empty": "empty tiles", "path": "path", "regions": "regions"}[metric]
        label = f"{words}: {_names(ones)} against {_names(others)}"
        number = j.more(ones, others, metric)
        return above(label, number, kind="number") if sign > 0 else below(label, number, kind="number")

    def rest(one: Key, searches: Sequence[str]) -> list[Key]:
        return [key for key in j.keys(searches, one[2], one[1]) if key != one]

    first: list[Claim] = []
    for one in (("bfs", "narrow", EMPTY), ("dfs", "turtle", EMPTY)):
        first += [
            more([one], rest(one, maps.trees), "regions", -1),
            more([one], rest(one, maps.trees), "path"),
        ]
    climber = ("hc", "wide", EMPTY)
    first.append(more([climber], rest(climber, maps.optimisers), "regions", -1))
    if not earlier:
        first.append(
            more(
                [(best, "wide", EMPTY), ("dfs", "wide", EMPTY)],
                [("bfs", "wide", EMPTY), ("mcts", "wide", EMPTY)],
                "regions",
                -1,
            )
        )
    plain = ["bfs", "dfs", "astar"] if earlier else ["bfs", "dfs", "mcts"]
    narrow = [
        key for key in j.keys(maps.searches if earlier else maps.trees, PATH, "narrow") if key[0] not in plain
    ]
    second = [
        claim
        for search in plain
        for claim in (
            more([(search, "narrow", PATH)], narrow, "empty"),
            more([(search, "narrow", PATH)], narrow, "regions", -1),
        )
    ]
    wide_trees = [key for key in j.keys(maps.trees, PATH, "wide") if earlier or key[0] != best]
    annealing = [("sa", "wide", PATH)]
    third = [more(annealing, wide_trees, "empty", -1), more(annealing, wide_trees, "regions")]
    if not earlier:
        third += [
            more([(best, "wide", PATH)], wide_trees, "empty", -1),
            more([(best, "wide", PATH)], wide_trees, "regions"),
        ]
    turtle = [key for key in j.keys(maps.trees, PATH, "turtle") if earlier or key[0] != best]
    if earlier:
        others = j.keys(maps.optimisers, PATH, "turtle")
        fourth = [more(turtle, others, "empty"), more(turtle, others, "regions", -1)]
    else:
        fourth = [_wider(j, (best, "turtle", PATH), key) for key in turtle]
    fifth = []
    for each in ("narrow", "turtle"):
        trees = [key for key in j.keys(maps.trees, CONNECTED, each) if key[0] != best or earlier]
        others = j.keys(maps.optimisers, CONNECTED, each) if earlier else [(best, each, CONNECTED)]
        fifth.append(more(trees, others, "empty"))
        if earlier and each == "narrow":
            fifth.append(more(trees, others, "path", -1))
    fifth.append(more([("sa", "wide", CONNECTED)], rest(("sa", "wide", CONNECTED), maps.optimisers), "path"))
    which = (
        "The maps compared are the best of all runs."
        if earlier
        else "The maps compared are those that solve."
    )
    return [
        judge(
            "T15",
            "Empty tiles: BFS on narrow and DFS on turtle make more connected maps with longer paths; HC, and best-first and DFS on wide, more connected ones."
            if not earlier
            else "Empty tiles: BFS on narrow and DFS on turtle make more connected maps with longer paths, HC on wide more connected ones.",
            first,
            ALL,
            which,
        ),
        judge(
            "T16",
            f"Path length on narrow: {', '.join(plain)} have more empty tiles and fewer regions than {'the rest' if earlier else 'best-first'}.",
            second,
            ALL,
            which,
        ),
        judge(
            "T17",
            "Path length on wide: tree searches make connected maps with many empty tiles; SA does not"
            + (", nor does best-first." if not earlier else "."),
            third,
            ALL,
            which,
        ),
        judge(
            "T18",
            "Path length on turtle: tree searches make connected maps with many empty tiles"
            + ("; best-first has a bigger spectrum." if not earlier else ", more so than optimisers."),
            fourth,
            ALL,
            which + ("" if earlier else " Read: the standard deviation of empty tiles is larger."),
        ),
        judge(
            "T19",
            "Connectivity: "
            + (
                "tree searches have more empty tiles than optimisers on narrow and turtle, and shorter paths on narrow; SA has longer paths on wide."
                if earlier
                else "best-first has fewer empty tiles than other tree searches on narrow and turtle; SA has longer paths than other optimisers."
            ),
            fifth,
            ALL,
            which,
        ),
    ]


def _names(keys: Sequence[Key]) -> str:
    if len(keys) == 1:
        return " ".join(keys[0][:2])
    return f"{', '.join(dict.fromkeys(key[0] for key in keys))} {keys[0][1]}" if keys else "none"


def _wider(j: Judge, one: Key, other: Key) -> Claim:
    """The spread of empty tiles in one cell over that in another."""

    def deviation(key: Key) -> Spread:
        values = j.maps.made(key, "empty")
        centre = spread(values)
        square = spread(values**2)
        draws = np.sqrt(np.maximum(0.0, square.draws - centre.draws**2))
        return Spread(float(np.sqrt(max(0.0, square.value - centre.value**2))), draws, centre.runs)

    quotient = deviation(one) / deviation(other)
    return above(
        f"deviation of empty tiles: {_name(one)} over {other[0]}", quotient.estimate, 1, kind="ratio"
    )


# ------------------------------------------------------------------------------------------------------- T20


def _last(j: Judge) -> Verdict:
    maps = j.maps
    claims = [
        above(
            f"{goal}: tree searches' time over that of {search}",
            j.ratio(j.keys(maps.trees, goal), j.keys((search,), goal)),
            1,
            kind="ratio",
        )
        for goal in maps.goals
        for search in ("es", "ga")
        if j.keys((search,), goal)
    ]
    for goal in maps.goals:
        best = {}
        for search in maps.trees:
            columns = {key: maps.values(key, "solved") for key in j.keys((search,), goal)}
            if columns:
                best[search] = max(columns, key=lambda key: float(np.nanmean(columns[key])))
        ranked = sorted(best.values(), key=lambda key: -float(np.nanmean(maps.values(key, "solved"))))
        if len(ranked) > 1:
            claims.append(
                above(f"{_name(ranked[1])} solves four of five", _share(maps, ranked[1]), 0.8, kind="share")
            )
    return judge(
        *("T20", "Evolution is faster, but several tree searches do well given time.", claims, ALL),
        "Read: ES and GA take less time than tree searches on average, and on each goal at least two tree searches, each "
        "where it does best, solve four runs of five.",
    )
