"""Random play, the level of chance that every other search must beat."""

from typing import ClassVar

from levelsmith.core import Parameter, Parameters
from levelsmith.search.compiled import CompiledSearch
from levelsmith.search.kernels.local import PlayOptions, play


class RandomPlay(CompiledSearch):
    kernel = play
    options_type = PlayOptions
    summary = "random actions to the end, the level of chance"
    needs = "steps"
    parameters: ClassVar[Parameters] = (
        Parameter("length", 1000, "most actions before the end is scored", low=1),
    )
    states = 1
