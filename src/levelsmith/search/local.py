"""Local search: one candidate that changes a little at a time."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from levelsmith.core import Parameter, Parameters, Problem, Values
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.kernels import counts as at
from levelsmith.search.kernels.local import AnnealOptions, ClimbOptions, anneal, ascend, climb

RATE = Parameter("rate", 0.0, "chance of each place to change; 0 for exactly one change", low=0.0, high=1.0)


class HillClimbing(CompiledSearch):
    """Bhaumik et al. (FDG 2020), section 3.2.1, is steepest, without plateaus and with a patience of 0."""

    summary = "keeps a change that is no worse, restarts when stuck"
    needs = "variation"
    parameters: ClassVar[Parameters] = (
        Parameter("patience", 2_000, "tries without a gain before a restart; 0 for never", low=0),
        RATE,
        Parameter("plateaus", True, "also keeps a change that is just as good"),
        Parameter("steepest", False, "looks at every single change and takes the best"),
    )
    options_type = ClimbOptions
    states = 3

    def __init__(self, problem: Problem, seed: np.random.SeedSequence, values: Values):
        super().__init__(problem, seed, values)
        self.steepest = values["steepest"]

    def advance(self, evaluations: int) -> None:
        self.call(ascend if self.steepest else climb, evaluations)

    def statistics(self) -> dict[str, Any]:
        return {"restarts": int(self.run.counts[at.RESTARTS])}


class SimulatedAnnealing(CompiledSearch):
    """Kirkpatrick et al. (1983); the chance and the cooling are those of Bhaumik et al., section 3.2.2."""

    kernel = anneal
    options_type = AnnealOptions
    summary = "also keeps a worse change, ever more seldom"
    needs = "variation"
    parameters: ClassVar[Parameters] = (
        Parameter("temperature", 0.3, "temperature at the start", low=1e-9),
        Parameter("cooling", 0.999, "what the temperature is multiplied by each time", low=0.0, high=1.0),
        Parameter("floor", 0.005, "lowest temperature", low=1e-9),
        RATE,
    )
