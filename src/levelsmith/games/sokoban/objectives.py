"""What can be asked of a Sokoban level: its metrics by name, and objectives, named scores made of them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from levelsmith.core import Objective, Parameter, Size, Term, Values
from levelsmith.games.sokoban.metrics.difficulty import TIERS

ALPHA = "weight of boxes between a box and its goal"
BETA = "weight of goals between them"


def _kartal2016(size: Size, values: Values) -> list[Term]:
    """Returns the square root of terrain times congestion, over k (Kartal et al., technical report 16-005,
    eq. 2)."""
    alpha, beta, gamma, k = (values[name] for name in ("alpha", "beta", "gamma", "k"))
    more = {"border": values["terrain_border"], "box_walls": values["empty"] == "open"}
    return [
        *(Term(name, "part") for name, counts in more.items() if counts),
        Term("terrain", "linear", low=k),
        *_parts({"boxes": alpha + beta, "boxes_between": alpha, "goals_between": beta}, gamma),
        Term("walls_between", "linear", low=k / gamma),  # a box's own corners count: they are alpha + beta
    ]


def _parts(factors: Mapping[str, float], last: float) -> list[Term]:
    """Returns metrics with their factors, as parts of a last one that has a factor too."""
    return [Term(name, "part", low=last / factor) for name, factor in factors.items() if factor]


def _weighed(values: Values, k: float) -> list[Term]:
    """(w_b · blocks + w_c · congestion + w_n · boxes) / k, congestion as in Kartal et al. (AIIDE 2016)."""
    crowd = values["w_c"] / values["gamma"]
    factors = {
        "blocks": values["w_b"],
        "box_density": crowd * values["alpha"],
        "goal_density": crowd * values["beta"],
        "diagonals": values.get("w_d", 0.0),
    }
    return [*_parts(factors, values["w_n"]), Term("boxes", "linear", low=k / values["w_n"])]


def _aiide2016(size: Size, values: Values) -> list[Term]:
    return _weighed(values, values["k"])


def _koczorowski2023(size: Size, values: Values) -> list[Term]:
    """As in AIIDE 2016, with weights of its own, scaled by the area: 25 / area as in the thesis' program."""
    area = size[0] * size[1] / 25
    return _weighed(values, values["k"] * (area if values["scale"] == "program" else 1 / area))


def _weights(**defaults: float) -> tuple[Parameter, ...]:
    summaries = {
        "alpha": ALPHA,
        "beta": BETA,
        "gamma": "weight of the open cells there",
        "w_b": "weight of 3x3 blocks",
        "w_c": "weight of congestion",
        "w_n": "weight of the number of boxes",
        "w_d": "weight of diagonals, a pattern",
        "k": "what the sum is divided by",
    }
    low = {"gamma": 1e-6, "k": 1e-6, "w_n": 1e-6}
    return tuple(Parameter(n, float(v), summaries[n], low=low.get(n, 0.0)) for n, v in defaults.items())


BOARD_METRICS = {
    "boxes": "boxes that have a goal",
    "solved": "boxes that start on a goal",
    "blocks": "3x3 windows with both wall and no wall in them",
    "terrain": "walls beside empty cells",
    "border": "sides of empty cells that touch the edge of the board",
    "boxes_between": "other boxes in the rectangles between a box and its goal",
    "goals_between": "other goals in those rectangles",
    "walls_between": "walls in those rectangles",
    "box_density": "other boxes there for each cell that is no wall",
    "goal_density": "other goals there for each cell that is no wall",
    "diagonals": "2x2 squares with walls on two opposite corners alone",
    "goal_groups": "groups of goals that lie side by side",
    "lone_goals": "share of the goals with no goal beside them",
    "areas": "open areas: connected floor in 2x2 squares",
    "corridors": "share of the floor that lies in no 2x2 square of floor",
    "entrances": "cells of corridors beside areas with goals",
    "mirror_share": "share of the room that is the same in a mirror, from left to right or upside down",
    "turn_share": "share of the room that is the same after half a turn",
    "compactness": "share of floor in the rectangle around the room",
}
SOLUTION_METRICS = {
    "pushes": "pushes of the solution",
    "moves": "moves of the solution, pushes among them",
    "box_lines": "runs of pushes of one box in one direction",
    "box_changes": "how often the next push is of another box",
    "pushing_sessions": "runs of pushes with no other move in between",
    "counterintuitive": "pushes that take a box farther from its nearest goal",
    "detour": "pushes beyond those that the boxes would need if none were in another's way",
    "decomposition": "fewest switches between two groups of boxes, over all ways to make two groups",
    "dead_share": "share of the cells from which a box alone on the board reaches no goal",
    "unused_floor": "share of the floor that the solution never uses",
    "seldom_pushed": "share of the boxes that the solution pushes at most twice",
    "difficulty": "from 0 to 100, by a model of how many people solve it",
}
SCORE_PARTS = ("box_walls",)  # walls beside boxes
METRICS = {**BOARD_METRICS, **SOLUTION_METRICS}
FORM_SHARES = ("mirror_share", "turn_share", "compactness")  # of which a level can have all
SHARES = ("lone_goals", "corridors", *FORM_SHARES, "dead_share", "unused_floor", "seldom_pushed")
PARTS_OF_PUSHES = ("box_lines", "box_changes", "pushing_sessions", "counterintuitive", "detour")
TIER_RANGES = {  # of difficulty, each up to where the next begins
    name: (float(least), math.nextafter([*TIERS.values(), 101][i + 1], 0.0))
    for i, (name, least) in enumerate(TIERS.items())
}
# The search on the representation that serves an objective best, of those that were measured for 3 s each, on
# 7x6 cells, with two seeds. What play scores is of the solution that it carries; rooms has a shortest one.
BY_ROOMS = {"search": "sa", "representation": "rooms"}
BY_CLIMBING = {"search": "hc", "representation": "rooms"}
BY_PLAY = {"search": "mcts", "representation": "play"}
OF_PLAY = 500_000  # evaluations of a run by it: as long as others take for a tenth
PERCENT = 100  # a score of 1 for a metric that has no end


def _most(metric: str) -> Objective:
    """As much of a metric as can be."""
    return Objective(
        metric.replace("_", "-"),
        "as hard as possible"
        if metric == "difficulty"
        else f"as many as possible: {SOLUTION_METRICS[metric]}",
        lambda size, values: [Term(metric, "linear", low=PERCENT)],
        goal=False,
        defaults=BY_ROOMS,
    )


def _all(metric: str) -> Objective:
    """All of a share."""
    return Objective(
        metric.replace("_", "-"),
        f"as much as possible: {BOARD_METRICS[metric]}",
        lambda size, values: [Term(metric, "ramp")],
        defaults=BY_ROOMS,
    )


def _form(size: Size, values: Values) -> list[Term]:
    """Returns goals in one or two groups and none alone, no floor without use, and no box that is hardly
    pushed."""
    return [
        Term("boxes", "ramp"),
        Term("goal_groups", "ramp", low=1, high=2, end=6),
        Term("lone_goals", "ramp", zero=-math.inf, low=0, high=0, end=1),
        Term("unused_floor", "ramp", zero=-math.inf, low=0, high=0, end=0.5),
        Term("seldom_pushed", "ramp", zero=-math.inf, low=0, high=0, end=1),
    ]


def _puzzle(size: Size, values: Values) -> list[Term]:
    """Returns a puzzle of a tier, of more than a few pushes, and not solved box by box."""
    low, high = TIER_RANGES[values["tier"]]
    tier = Term("difficulty", "ramp", zero=0.0 if low else -math.inf, low=low, high=high, end=2 * high + 1)
    return [Term("boxes", "ramp"), tier, Term("pushes", "ramp", low=8), Term("box_changes", "ramp", low=2)]


OBJECTIVES: Mapping[str, Objective] = {
    "puzzle": Objective(
        "puzzle",
        "a puzzle to enjoy, of a chosen difficulty",
        _puzzle,
        (Parameter("tier", "medium", "how hard it is", choices=tuple(TIERS)),),
        defaults=BY_ROOMS,
    ),
    "form": Objective(
        "form",
        "built as people build: goals together, every cell of use, every box pushed more than twice",
        _form,
        defaults=BY_ROOMS,
    ),
    "koczorowski2023": Objective(
        "koczorowski2023",
        "blocks, congestion and boxes as weighed by Koczorowski (2023)",
        _koczorowski2023,
        (
            *_weights(alpha=1.9, beta=0.1, gamma=1.3, w_b=3, w_c=7, w_n=8, w_d=0, k=55),
            Parameter(
                "scale", "program", "25 / area, or area / 25 as in the text", choices=("program", "text")
            ),
        ),
        goal=False,
        defaults=BY_PLAY,
        evaluations=OF_PLAY,
    ),
    "aiide2016": Objective(
        "aiide2016",
        "blocks, congestion and boxes as in Kartal, Sohre and Guy (AIIDE 2016)",
        _aiide2016,
        _weights(alpha=1, beta=1, gamma=1, w_b=10, w_c=5, w_n=1, k=50),
        goal=False,
        defaults=BY_ROOMS,
    ),
    "kartal2016": Objective(
        "kartal2016",
        "the square root of terrain times congestion, as in Kartal, Sohre and Guy (2016)",
        _kartal2016,
        (
            Parameter("alpha", 4.0, ALPHA, low=0.0),
            Parameter("beta", 4.0, BETA, low=0.0),
            Parameter("gamma", 1.0, "weight of walls between them", low=1e-6),
            Parameter("k", 200.0, "what the root is divided by", low=1e-6),
            Parameter("terrain_border", False, "terrain counts the edge of the board too"),
            Parameter(
                "empty",
                "free",
                "cells that terrain counts walls beside: those free of boxes, or all that are open",
                choices=("free", "open"),
            ),
        ),
        goal=False,
        defaults=BY_CLIMBING,
        combine="product",
    ),
    **{_most(metric).name: _most(metric) for metric in SOLUTION_METRICS if metric not in SHARES},
    **{_all(metric).name: _all(metric) for metric in FORM_SHARES},
}
