"""Lode Runner: collect all the gold over ladders and ropes while guards chase the runner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.contracts import Found, Game, Inspected, RuleBook
from levelsmith.core import (
    Aim,
    Cancel,
    Effort,
    Grid,
    Level,
    Objective,
    Parameter,
    Size,
    Term,
    Tile,
    Tiles,
    Values,
    Verdict,
)
from levelsmith.errors import LevelsmithError, amount, unknown
from levelsmith.games.arena import Session
from levelsmith.games.loderunner.difficulty import TIER_RANGES, tier
from levelsmith.levels.formats.peers import Peer
from levelsmith.levels.look import Look

BOARD_METRICS = {
    "gold": "cells that are gold",
    "enemies": "cells that are enemy",
    "players": "cells that are player",
    "ground": "cells that are brick or solid",
    "ladders": "cells that are ladder",
    "ropes": "cells that are rope",
    "empty": "cells that are empty",
    "ground_share": "share of the cells that are brick or solid",
    "ladder_share": "share of the cells that are ladder",
    "rope_share": "share of the cells that are rope",
    "density": "share of the cells that hold something, the player aside: sparse, medium or dense",
    "gold_collectable": "gold that one walk collects from the player, or without one from the best start",
    "gold_share": "share of the gold that one walk collects",
    "connectivity": "share of the cells that can be reached, of those that are neither brick nor solid",
    "playable": "1 if there is gold and the one player can collect all of it, else 0",
    "dig_gold": "gold that no walk without a dig collects",
    "dig_share": "share of the gold that no walk without a dig collects",
    "timed_gold": "gold that takes several holes at once, or a way out through one before it fills",
    "layers": "bricks to dig through on the way to the gold that has most of them above it",
}
SOLUTION_METRICS = {
    "moves": "keys of the solution, digs and waits among them; while nobody moves, one for each step",
    "ticks": "how long the solution takes, in steps of one cell",
    "digs": "holes dug by the solution",
    "ladder_use": "share of its moves that end on a ladder",
    "rope_use": "share of its moves that end on a rope",
    "trapped": "guards that fall into its holes",
    "buried": "guards over whom its holes fill",
    "heads": "times that it walks over the head of a guard",
    "steady": "share of 100 replays that it wins where chance decides, as in the original game",
    "difficulty": "how hard it is to win against its guards, from 0 to 100, by the level and its plan",
}
AGAINST_NOBODY = {
    "steady": "no chance decides while guards stand still",
    "difficulty": "it says how hard it is to win against guards who chase",
}
# About a third of the levels of the original game lie in each.
DENSITIES = {"sparse": (0.0, 0.35), "medium": (0.35, 0.5), "dense": (0.5, 1.0)}
EMPTY, GOLD, ENEMY, PLAYER = 0, 5, 6, 7  # tiles
MOST_ENEMIES = 5  # of a level of the original game
ANSWERS = {  # what a prompt says of guards, and of how a plan is written
    "chase": "Guards chase the runner, who loses if one catches him or a hole fills over him. A step of one "
    "cell takes 5 ticks, digging takes 11, and a hole stays open for 186. Answer with keys and the ticks for "
    "which each stays down, such as r45 L12 .5: l r u d to go, L R to dig on a side, a dot for no key.",
    "still": "Guards stand still and are in nobody's way. Answer with the moves in order, a letter each: "
    "l r u d for a step of one cell (d also for each cell of a fall), L R to dig a hole on a side, a dot to "
    "wait. A step takes one tick, a dig 3, and a hole fills after 35.",
}
PROOF_STATES = 1_000_000  # for a plan while guards stand still
WIN_STATES = 30_000  # for one against guards: other places of theirs win more levels than more states do
MOST_WEIGHT = 3.0  # of gold against everything else
LEAST_WEIGHT = 0.02  # of connectivity in `thakkar2019`: all of it is less than one gold of a level full of it


def _playable(size: Size, values: Values) -> list[Term]:
    """Returns gold first, and connectivity up to what is asked for."""
    cells = size[0] * size[1]
    return [
        Term("gold_share", "ramp", weight=MOST_WEIGHT),
        Term("connectivity", "ramp", low=values["reach"]),
        Term("players", "ramp", zero=-inf, low=0, high=1, end=cells),  # where there is none, one is placed
        Term("gold", "ramp", low=min(values["pieces"], cells // 6), high=cells // 6, end=cells),
    ]


def _thakkar2019(size: Size, values: Values) -> list[Term]:
    """Returns a score that is below 1 until all gold can be collected, then the higher the more is connected.

    Thakkar et al. (2019), section III-C2: playability first, then "the more blocks are connected, the higher
    fitness scores are returned".
    """
    return [
        Term("gold_share", "ramp", weight=MOST_WEIGHT),
        Term("players", "ramp", zero=-inf, low=0, high=1, end=size[0] * size[1]),
        Term("gold", "ramp", low=values["pieces"]),
        Term("connectivity", "linear", zero=-1.0, low=0.0, weight=LEAST_WEIGHT),
    ]


def _collectable(size: Size, values: Values) -> list[Term]:
    """Returns what the judge calls playable."""
    cells = size[0] * size[1]
    return [
        Term("gold_share", "ramp", weight=MOST_WEIGHT),
        Term("players", "ramp", low=1, high=1, end=cells),
    ]


class LodeRunner(Game):
    """The game under one of the judge's rule sets."""

    name = "loderunner"
    summary = "collect all the gold while guards chase you"
    # Symbols and tags are those of the VGLC, so its files are plain text to us.
    tiles = Tiles(
        Tile("empty", ".", " ", tags=("passable", "empty")),
        Tile("brick", "b", tags=("solid", "diggable", "ground")),
        Tile("solid", "B", tags=("solid", "ground")),
        Tile("ladder", "#", tags=("passable", "climbable", "ladder")),
        Tile("rope", "-", tags=("passable", "climbable", "rope")),
        Tile("gold", "G", tags=("passable", "pickupable", "gold"), parts=("empty", "gold")),
        Tile("enemy", "E", tags=("damaging", "enemy"), parts=("empty", "enemy")),
        Tile("player", "M", tags=("passable", "spawn"), parts=("empty", "player")),
        Tile("trap", "t", tags=("trap",), read_only=True),
        Tile("escape", "h", tags=("escape",), read_only=True),
    )
    metrics: Mapping[str, str] = {**BOARD_METRICS, **SOLUTION_METRICS}
    objectives: Mapping[str, Objective] = {
        "playable": Objective(
            "playable",
            "one player who can collect all gold and reach much of the level",
            _playable,
            (
                Parameter("pieces", 6, "least gold", low=1),
                Parameter("reach", 0.5, "least connectivity", low=0.01, high=1.0),
            ),
        ),
        "thakkar2019": Objective(
            "thakkar2019",
            "all gold can be collected, then the more of the level can be reached the better",
            _thakkar2019,
            (Parameter("pieces", 1, "least gold", low=1),),
        ),
        "collectable": Objective(
            "collectable", "one player who can collect all gold, however little", _collectable
        ),
    }
    defaults: Mapping[str, str] = {
        "search": "hc",
        "representation": "wide",
        "objective": "playable",
        "repair": "collectable",
        "generator": "construct",
    }
    settings: Mapping[str, Any] = {
        "wide.fill": 0.6,
        "narrow.fill": 0.6,
        "turtle.fill": 0.6,
        "sa.temperature": 0.01,
        "sa.floor": 0.0001,
        "elites.by": "ground_share:0..1:10, gold:0..50:10, enemies:0..10:10",
    }
    mix: Mapping[str, int] = {  # how often each tile is drawn, as in the original game; players are placed
        "empty": 112,
        "brick": 47,
        "solid": 7,
        "ladder": 20,
        "rope": 6,
        "gold": 6,
        "enemy": 1,
    }
    ranges: Mapping[str, Mapping[str, tuple[float, float]]] = {
        "density": DENSITIES,
        "difficulty": TIER_RANGES,
    }
    always: Mapping[str, tuple[float, float]] = {  # wherever ranges are asked for
        "gold_share": (1.0, 1.0),
        "connectivity": (0.5, 1.0),
        "players": (0.0, 1.0),
    }
    fresh_defaults: Mapping[str, str] = {"search": "hc", "representation": "latent"}  # of levels of its size
    alike: Mapping[str, str] = {"solid": "brick", "player": "empty"}  # held to be the same by `compare`
    channels = ("brick", "rope", "ladder", "gold", "enemy")  # of Thakkar et al. (2019), later ones win
    mirrors = True  # the mirror image of a level is a level
    placed_after = ("player",)  # no model learns where it stands
    peers: Mapping[str, Peer] = {
        "pcg-benchmark": Peer(
            ("brick", "empty", "player", "gold", "enemy", "ladder", "rope"), also={"solid": "brick"}
        )
    }
    default_size: Size = (22, 32)
    smallest: Size = (6, 6)
    largest: Size = (64, 64)
    rule_sets = ("no-dig", "dig", "mmneat", "pcg-benchmark", "relaxed")  # what the judge knows
    packs: Mapping[str, Path] = {
        "corpus": Path(__file__).parent / "levels" / "corpus.txt"
    }  # they ship with it
    aims = (
        Aim("moves", at_least=("playable",), same=("gold", "enemy")),
        Aim("digs", ("moves",), ("playable",), same=("gold", "enemy")),
    )
    keeps = ("gold",)  # a repair opens a way to it before it takes it away
    solution_columns = ("moves", "ticks", "digs", "steady")
    at_least = ("steady",)
    capitals = "dig"  # what a capital letter of a solution is

    guard_sets = ("chase", "still")  # what its enemies do while a level is solved

    def __init__(self, rules: str = "dig", guards: str = "chase"):
        if rules not in self.rule_sets:
            raise unknown("rule set", rules, self.rule_sets)
        if guards not in self.guard_sets:
            raise unknown("kind of guards", guards, self.guard_sets)
        self.rules, self.guards = rules, guards
        self.unmeasured = {} if guards == "chase" else AGAINST_NOBODY

    def rule_book(self) -> RuleBook:
        from levelsmith.games.loderunner.rules import plan, verify_chase, verify_still

        answers = ANSWERS[self.guards]
        if self.guards == "still":
            note = "Solutions are for guards who stand still (`--guards still`)."
            return RuleBook(verify_still, answers=answers, note=note)
        note = "Solutions win against guards who chase (`--guards chase`)."
        plays = "plays every solution against guards who chase, by the rules in `rulebook/`"
        return RuleBook(verify_chase, plan.rule_book(), answers, note, plays)

    def under(self, rules: str) -> LodeRunner:
        """Returns the same game, judged by another rule set."""
        return LodeRunner(rules, self.guards)

    def against(self, guards: str) -> LodeRunner:
        """Returns the same game, won against guards that chase, or where they stand still."""
        return LodeRunner(self.rules, guards)

    def gpu_lacks(self, size: Size) -> str | None:
        """Why a GPU does not judge levels of a size: it does."""
        return None

    def measure(self, grids: Grid, device: str = "cpu") -> NDArray[np.float64]:
        from levelsmith.games.loderunner.judge.kernels.metrics import measure_grids
        from levelsmith.kernels.device import chosen

        batch, height, width = grids.shape
        game = self.compiled((height, width))
        if chosen(device, self.gpu_lacks((height, width))) == "cuda":
            from levelsmith.games.loderunner.judge.kernels import gpu

            return gpu.measure(game, grids.reshape(batch, height * width), len(self.metrics))
        out = np.zeros((batch, len(self.metrics)))
        boards = np.require(grids.reshape(batch, height * width), requirements=["C", "W"])
        measure_grids(game, boards, out)
        return out

    def most(self, size: Size) -> dict[str, float]:
        """Returns the most that metrics can be on a board."""
        cells = size[0] * size[1]
        return {
            "difficulty": 100.0,
            **dict.fromkeys(("ground_share", "ladder_share", "rope_share", "density"), 1.0),
            **dict.fromkeys(("gold_share", "dig_share", "connectivity", "playable"), 1.0),
            **dict.fromkeys(("ladder_use", "rope_use", "steady"), 1.0),
            **dict.fromkeys(("gold", "gold_collectable", "dig_gold", "timed_gold"), cells - 1),
        }

    def measure_level(self, level: Level) -> NDArray[np.float64]:
        """Returns the metrics of one level, with those of the solution it carries; without one they are not
        known, nor is the difficulty where the plan is one while nobody moves."""
        return self.with_solution(level, self.measure(level.grid[None])[0])

    def with_solution(self, level: Level, row: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the metrics of a level whose board is measured already, with those of its solution."""
        from levelsmith.games.loderunner.rules.plan import is_timed
        from levelsmith.games.loderunner.rules.solution import fought, measured

        if level.solution is not None and is_timed(level.solution):
            from levelsmith.games.loderunner.difficulty import difficulty_of
            from levelsmith.games.loderunner.steady import steady

            metrics, facts = fought(level, level.solution)
            board = dict(zip(BOARD_METRICS, row.tolist(), strict=False))
            number = difficulty_of(level, {**board, **metrics, **facts})
            row[len(BOARD_METRICS) :] = [*metrics.values(), steady(level, level.solution), number]
        elif level.solution is not None:
            row[len(BOARD_METRICS) :] = [*measured(level, level.solution).values(), np.nan, np.nan]
        else:
            row[len(BOARD_METRICS) :] = np.nan
        return row

    def details(self, level: Level) -> dict[str, Any]:
        """Returns what the judge says, the start from which most gold can be collected, as (x, y), and from
        where to where `difficulty` goes by several plans, if the level carries one against its guards."""
        from levelsmith.games.loderunner.judge.judge import judge

        told, best = judge(level.grid, self.rules), judge(level.grid, self.rules, best_start=True)
        return {
            "rules": self.rules,
            "playable": told.playable,
            "gold": told.gold,
            "gold_collectable": told.gold_collectable,
            "connectivity": told.connectivity,
            "best_start": None if best.start is None else [best.start[1], best.start[0]],
            "best_collectable": best.gold_collectable,
            **({"difficulty_range": [min(found), max(found)]} if (found := self.difficulties(level)) else {}),
        }

    def difficulties(self, level: Level) -> list[float]:
        """Returns the difficulty of a level by the plan against its guards that it carries, and by others
        that the agent finds; without one, none."""
        from levelsmith.games.loderunner.difficulty import difficulties
        from levelsmith.games.loderunner.rules.plan import is_timed

        if level.solution is None or not is_timed(level.solution):
            return []
        row = self.measure(level.grid[None])[0]
        return difficulties(level, dict(zip(BOARD_METRICS, row.tolist(), strict=False)))

    def grade(self, metrics: Mapping[str, float | None]) -> str | None:
        number = metrics.get("difficulty")
        return None if number is None else tier(number)

    def headline(self, level: Level) -> str:
        """Tells gold, enemies, and how long the plan is that the level carries."""
        enemies = int((level.grid == ENEMY).sum())
        told = f"{(level.grid == GOLD).sum()} gold, {amount(enemies, 'enemy')}"
        if level.solution is None:
            return f"{told}, no plan known"
        from levelsmith.games.loderunner.rules.plan import is_timed, length_of
        from levelsmith.games.loderunner.rules.solution import fought
        from levelsmith.games.loderunner.steady import steady

        if not is_timed(level.solution):
            digs = sum(letter.isupper() for letter in level.solution)
            return f"{told}, a plan of {len(level.solution)} moves ({amount(digs, 'dig')})"
        found = fought(level, level.solution)[0]
        done = [amount(int(found["digs"]), "dig")]
        done += [f"{amount(int(found['trapped']), 'guard')} trapped"] if found["trapped"] else []
        done += [f"{amount(int(found['heads']), 'guard')} walked over"] if found["heads"] else []
        ticks = length_of(level.solution)
        done.append(f"steady {steady(level, level.solution):g}")
        return f"{told}, won against the guards in {ticks} ticks ({', '.join(done)})"

    def check(self, level: Level) -> None:
        """Any grid of the right size is a level, be it unfinished; `check_start` wants player and gold."""
        from levelsmith.games.loderunner.rules.rules import SIDES

        (height, width), (least, most) = level.size, SIDES
        if not (least <= min(height, width) and max(height, width) <= most):
            raise LevelsmithError(
                f"expected a level from {least}x{least} to {most}x{most} cells, got {width}x{height}"
            )

    def check_start(self, level: Level) -> None:
        """Refuses a level that cannot be begun or has nothing to do."""
        from levelsmith.games.loderunner.rules.rules import LodeRunnerBoard

        self.check(level)
        try:
            LodeRunnerBoard(level.grid)
        except LevelsmithError as error:
            raise LevelsmithError(
                f"this level of loderunner cannot be played: {error}\n{level.text}"
            ) from None

    def with_start(self, level: Level) -> Level:
        """Returns the level with its player where most gold can be collected."""
        from levelsmith.games.loderunner.judge.judge import with_best_start

        return with_best_start(level, self.rules)

    def verify(self, level: Level) -> None:
        """Plays the level's plan by the rule book: one with ticks against the guards, others while nobody
        moves. Raises where it does not win, or gold is left."""
        from levelsmith.games.loderunner.rules import plan, rules

        if level.solution is None:
            return
        if plan.is_timed(level.solution):
            plan.win(level, level.solution)
        else:
            rules.replay(level, level.solution)

    def solve(self, level: Level, effort: Effort, *, guards: str | None = None, **choices: Any) -> Verdict:
        """Returns a plan that wins against the guards, or with `still` one while nobody moves."""
        if guards is not None:
            return self.against(guards).solve(level, effort, **choices)
        if self.guards == "still":
            from levelsmith.games.loderunner.agent.still.solve import solve

            return solve(level, effort, **choices)
        from levelsmith.games.loderunner.agent.chase.win import win

        return win(level, effort, least=choices.get("steady", 0.0), cancel=choices.get("cancel"))

    @property
    def inspections(self) -> Mapping[str, tuple[str, str]]:
        from levelsmith.games.loderunner.inspect import INSPECTIONS

        return INSPECTIONS

    def faults(self, level: Level) -> Iterator[Found]:
        from levelsmith.games.loderunner.inspect import faults

        self.check(level)
        return faults(level)

    def inspect(
        self, name: str, level: Level, verdict: Verdict, effort: Effort, cancel: Cancel | None
    ) -> Inspected:
        from levelsmith.games.loderunner.inspect import inspect

        return Inspected(inspect(name, level))

    def inspect_all(self, name: str, levels: Sequence[Level], facts: Sequence[Any]) -> Iterator[Found]:
        """Nothing is found in several levels together."""
        return iter(())

    def completed(self, grid: Grid, counted: Mapping[str, float] | None = None) -> Grid:
        """Returns the grid with a player where most gold can be collected, if it has none.

        Where guards chase, the player is drawn among the cells that are as good, as far as that is counted,
        and one to five enemies (or as many as there are, where their number counts) start away from him.
        """
        counted = counted or {}
        from levelsmith.games.loderunner.judge.judge import judge

        if self.guards == "chase":
            from levelsmith.games.loderunner.placing import with_enemies, with_player

            if not (grid == PLAYER).any():
                grid = with_player(grid, self.rules, counted.get("connectivity", 0.0))
            return with_enemies(grid, "enemies" in counted)
        start = None if (grid == PLAYER).any() else judge(grid, self.rules, best_start=True).start
        if start is None:
            return grid
        grid = grid.copy()
        grid[start] = PLAYER
        return grid

    def hopeless(self, level: Level, free: NDArray[np.bool_]) -> str | None:
        """Tells why nothing can be made of the cells that must stay, where that is known."""
        from levelsmith.games.loderunner.judge.judge import hopeless

        return hopeless(level.grid, free)

    def opened(self, grid: Grid, free: NDArray[np.bool_]) -> Grid:
        """Returns a copy with ways cut to gold that is out of reach."""
        from levelsmith.games.loderunner.judge.openings import opened

        return opened(grid, free)

    def settled(self, grid: Grid, free: NDArray[np.bool_]) -> Grid:
        """Returns a copy without the players and enemies in free cells that are too many."""
        grid = grid.copy()
        for tile, most in ((PLAYER, 1), (ENEMY, MOST_ENEMIES)):
            over = max(0, int((grid == tile).sum()) - most)
            grid.flat[np.flatnonzero((grid == tile) & free)[:over]] = EMPTY
        return grid

    def mends(self, grid: Grid) -> tuple[str, ...]:
        """Returns the tiles that a repair tries; it skips those that would not help.

        Solid is as hard as brick, but brick can be dug. From a rope no way leads that does not lead from a
        ladder. Gold and enemies are empty ground, and more gold is more to collect.
        """
        return ("empty", "brick", "ladder", "player", *(() if (grid == GOLD).any() else ("gold",)))

    def prove(self, level: Level, **choices: Any) -> str | None:
        """Returns a plan for a level that was made, where the agent finds one with an effort that is no
        clock's."""
        if (level.grid == PLAYER).sum() != 1 or not (level.grid == GOLD).any():
            return None
        states = WIN_STATES if self.guards == "chase" else PROOF_STATES
        return self.solve(level, Effort(states=states, seconds=None), **choices).solution

    def variants(self, level: Level) -> Iterator[Level]:
        """Yields the level with its enemies in other places, where they chase."""
        from levelsmith.games.loderunner.placing import other_places

        if self.guards == "chase":
            told = dict(level.provenance)
            yield from (replace(level, grid=grid, provenance=told) for grid in other_places(level.grid))

    def joined(self, whole: Level, room: Level) -> Level:
        from levelsmith.games.loderunner.chain import joined

        return joined(self, whole, room)

    def frames(self, level: Level) -> Iterator[Grid]:
        from levelsmith.games.loderunner.rules import plan, rules

        timed = plan.is_timed(level.solution or "")
        return plan.frames(level) if timed else rules.frames(level)

    def live(self, level: Level, speed: float) -> Session:
        from levelsmith.games.loderunner.live import LiveGame

        return LiveGame(level, speed)

    def trail(self, level: Level) -> list[tuple[int, int]]:
        """Returns the cells of the runner's way, to draw over a picture."""
        from levelsmith.games.loderunner.rules import plan, rules

        if plan.is_timed(level.solution or ""):
            return plan.trail(level)
        return [position.runner for position in rules.replay(level, level.solution or "")]

    def compiled(self, size: Size) -> Any:
        from levelsmith.games.loderunner.judge.kernels import judge as kernels
        from levelsmith.games.loderunner.judge.kernels import metrics as metrics  # which registers them

        return kernels.make(size, self.rule_sets.index(self.rules))

    def look(self) -> Look:
        from levelsmith.games.loderunner.look import LOOK

        return LOOK


GAME = LodeRunner()
