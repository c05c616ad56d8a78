"""The statements of the two papers on binary maps, which `statements.toml` has, of an edition's runs."""

from __future__ import annotations

from collections.abc import Mapping

from levelsmith.experiment.claims import Asked, Paper, Statement
from levelsmith.experiment.papers.maps import outliers, performance
from levelsmith.experiment.papers.maps.judging import Judge
from levelsmith.experiment.papers.maps.map_cells import maps_of
from levelsmith.experiment.results import Results

PAPER = Paper(__package__)
THRESHOLDS = PAPER.thresholds
LATER: dict[str, Asked] = {**performance.BOTH, **performance.LATER, **outliers.BOTH, **outliers.LATER}
EARLIER: dict[str, Asked] = {**performance.BOTH, **performance.EARLIER, **outliers.BOTH, **outliers.EARLIER}


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns the statements of the edition that was run, of the runs of its main parts."""
    parts = maps_of(results)
    return judged_by(Judge(parts.main, parts.by_work, t))


def judged_by(j: Judge) -> list[Statement]:
    """Returns the statements of an edition as a comparison has them; time is counted in evaluations."""
    edition, asked = ("arxiv19", EARLIER) if j.maps.earlier else ("fdg20", LATER)
    return PAPER.statements(PAPER.rows[edition], asked, j, j.t)
