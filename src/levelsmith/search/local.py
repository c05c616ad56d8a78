"""Local search: one candidate that changes a little at a time."""

from typing import ClassVar

from levelsmith.core import Parameter, Parameters
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.kernels import climb


class HillClimbing(CompiledSearch):
    kernel = climb
    summary = "keeps a change that is no worse, restarts when stuck"
    needs = "variation"
    parameters: ClassVar[Parameters] = (
        Parameter("patience", 2_000, "tries without a gain before a restart", low=1),
    )
