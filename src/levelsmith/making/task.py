"""One run as a plain value of names and numbers: sent to any process, recorded with the level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from levelsmith.contracts import Drawing, Game
from levelsmith.core import Budget, Canvas, Level, Size, Values
from levelsmith.levels.solve import against
from levelsmith.making.canvas import canvas
from levelsmith.making.wants import Want
from levelsmith.registry import games, generators


@dataclass(frozen=True)
class Task:
    """What to run. `values` holds every parameter of every part, by the part's name."""

    game: str
    size: Size
    search: str
    representation: str | None  # None where a maker of the game does without a search
    objectives: tuple[str, ...]
    combine: str
    values: Mapping[str, Values]
    budget: Budget
    seed: int
    run: int = 0
    start_level: Level | None = None
    lock: tuple[str, ...] = ()
    tree: int = 0  # which of the independent trees of this run
    keep_above: float | None = None  # also keep every level with this score
    keep_most: int = 100  # of those, at most
    wants: tuple[Want, ...] = ()  # ranges that the level must lie in
    range_presets: Mapping[str, str] = field(default_factory=dict)  # who asked for the range of a metric
    keep_gains: bool = False  # also keep every level that was the best until then
    device: str = "cpu"  # or "cuda"
    guards: str | None = None  # what they do while a level is proved, in a game that has some
    unlike: tuple[Level, ...] = ()  # levels that its maker shall stay away from

    @property
    def played(self) -> Game:
        """The game against the guards of this task."""
        game: Game = against(games.get(self.game), self.guards)
        return game

    @property
    def wins(self) -> bool:
        """Whether a level must be won against guards."""
        return self.guards == "chase"

    @property
    def needs_proof(self) -> bool:
        """Whether a level that meets its goal is none without a solution."""
        return self.wins or games.get(self.game).proof_needed

    @property
    def sequence(self) -> np.random.SeedSequence:
        """The seed of this run: run i of a seed is the same whether one or a thousand are asked for."""
        seed: np.random.SeedSequence = self.seeds([self.run])[0]
        return seed

    def seeds(self, runs: Sequence[int], again: int = 0) -> Sequence[np.random.SeedSequence]:
        """Returns a seed for each run, or the one after so many where its level is made `again`."""
        from levelsmith.kernels.seeds import Seeds

        parts = [part for part in (self.tree, again) if part]
        if not parts:
            return Seeds(self.seed, runs)
        return [np.random.SeedSequence(self.seed, spawn_key=(run, *parts)) for run in runs]

    @property
    def trees(self) -> int:
        """How many independent searches share the budget of this run; the best of them is its result."""
        return int(self.values[self.search].get("trees", 1))

    @property
    def has_goal(self) -> bool:
        """Whether there is a score at which a level is what was asked for."""
        game = games.get(self.game)
        goals = [game.objectives[name].goal for name in self.objectives]
        return self.representation is None or (bool(goals or self.wants) and all(goals))

    @property
    def batches(self) -> bool:
        """Whether its levels are made in batches: by makers that do without a search, and without a clock."""
        if self.representation is not None:
            return False
        maker = generators.get(self.search)
        return not issubclass(maker, Drawing) or (maker.batches and self.budget.evaluations is not None)

    @property
    def tells_apart(self) -> bool:
        """Whether its runs are done one by one, and one whose level repeats an earlier one is done anew.

        Runs that look for the highest score may well end at the same level.
        """
        return self.has_goal and not self.batches

    @property
    def canvas(self) -> Canvas:
        """What a run starts from, and which of its cells must stay."""
        return canvas(self.size, self.start_level, self.lock)

    def provenance(self) -> dict[str, Any]:
        """Returns what a level says about where it came from."""
        from levelsmith import __version__
        from levelsmith.kernels.compile import BUILT, way

        wanted = {want.metric for want in self.wants}
        models = {name: model for name, model in games.get(self.game).models.items() if name in wanted}
        return {
            "levelsmith": __version__,
            "game": self.game,
            "size": f"{self.size[1]}x{self.size[0]}",
            "search": self.search,
            **({"representation": self.representation} if self.representation else {}),
            "objective": list(self.objectives),
            "combine": self.combine,
            **({"want": {want.metric: want.range for want in self.wants}} if self.wants else {}),
            **({"models": models} if models else {}),
            "parameters": {owner: dict(values) for owner, values in self.values.items()},
            "seed": self.seed,
            "run": self.run,
            **({"tree": self.tree} if self.trees > 1 and self.device == "cpu" else {}),
            **({"device": self.device} if self.device != "cpu" else {}),
            **({"kernels": way()} if way() != BUILT else {}),
            **({"guards": self.guards} if self.guards else {}),
            **({"start": self.start_level.text, "lock": list(self.lock)} if self.start_level else {}),
        }
