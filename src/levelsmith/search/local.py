"""Local search: one candidate that changes a little at a time."""

from typing import ClassVar

from levelsmith.core import Parameter, Parameters
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.kernels import anneal, climb


class HillClimbing(CompiledSearch):
    kernel = climb
    summary = "keeps a change that is no worse, restarts when stuck"
    needs = "variation"
    parameters: ClassVar[Parameters] = (
        Parameter("patience", 2_000, "tries without a gain before a restart", low=1),
    )


class SimulatedAnnealing(CompiledSearch):
    """Kirkpatrick et al. (1983); the chance and the cooling are those of Bhaumik et al., section 3.2.2."""

    kernel = anneal
    summary = "also keeps a worse change, ever more seldom"
    needs = "variation"
    parameters: ClassVar[Parameters] = (
        Parameter("start", 0.3, "temperature at the start", low=1e-9),
        Parameter("cooling", 0.999, "what the temperature is multiplied by each time", low=0.0, high=1.0),
        Parameter("floor", 0.005, "lowest temperature", low=1e-9),
    )
