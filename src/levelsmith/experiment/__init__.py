"""Experiments: many runs of many settings, kept in one file, stopped and gone on with at any time.

>>> from levelsmith import experiment
>>> experiment.run("fdg20", "fdg20.db", quick=True)  # doctest: +SKIP
>>> experiment.open("fdg20.db").meta["experiment"]  # doctest: +SKIP
'fdg20'
"""

from levelsmith.experiment.comparison import Comparison, Difference, compare, compare_cells
from levelsmith.experiment.merge import merge
from levelsmith.experiment.results import Results
from levelsmith.experiment.runner import Standing, follow, run
from levelsmith.experiment.spec import Spec, read
from levelsmith.experiment.store import open

__all__ = [
    "Comparison",
    "Difference",
    "Results",
    "Spec",
    "Standing",
    "compare",
    "compare_cells",
    "follow",
    "merge",
    "open",
    "read",
    "run",
]
