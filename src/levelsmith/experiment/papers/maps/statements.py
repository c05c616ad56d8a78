"""The statements of the two papers on binary maps, read so that runs can say yes or no.

Each edition is judged by its own sentences: FDG 2020 by those of its abstract and sections 4 and 5, the
earlier edition of 2019 by those of its abstract and sections VII and VIII.
"""

from __future__ import annotations

from collections.abc import Mapping

from levelsmith.experiment.claims import Statement, Threshold
from levelsmith.experiment.papers.maps import outliers, performance
from levelsmith.experiment.papers.maps.judging import Judge
from levelsmith.experiment.papers.maps.map_cells import maps_of
from levelsmith.experiment.results import Results

THRESHOLDS = {
    "little": Threshold(0.05, (0.02, 0.1), "a difference of shares that does not count where “most” is said"),
    "equal": Threshold(0.10, (0.05, 0.2), "“the same amount of solutions”: shares at most so far apart"),
    "decent": Threshold(0.5, (0.7, 0.3), "“decently”: the share of runs that is solved"),
    "well": Threshold(0.8, (0.9, 0.6), "“very well”: the share of runs that is solved"),
    "half": Threshold(0.25, (0.15, 0.4), "“almost half” of the depth: at most so far from a half"),
    "alike": Threshold(3.0, (2.0, 5.0), "“comparable” time: one at most so many times the other"),
    "far": Threshold(2.0, (4.0, 1.0), "“a lot” less time, “far” deeper: at least so many times"),
    "almost none": Threshold(0.1, (0.05, 0.2), "“almost no time”: at most so much of that on path length"),
    "tiles": Threshold(5.0, (3.0, 8.0), "“the same amount of empty tiles”: means at most so far apart"),
    "steps": Threshold(3.0, (2.0, 5.0), "“similar path length”: means at most so many steps apart"),
    "middle": Threshold(
        0.25, (0.35, 0.15), "“medium”, “average”: so far from either end of the range of all cells' means"
    ),
    "different": Threshold(
        0.05,
        (0.1, 0.02),
        "“different” styles: energy distance, as of bells half a deviation apart in both metrics",
    ),
    "totally": Threshold(
        0.2,
        (0.4, 0.1),
        "“totally different”: energy distance, as of bells one deviation apart in both metrics",
    ),
    "two": Threshold(
        0.25,
        (0.4, 0.1),
        "“two intervals”: how far the second heap rises above the valley, of the first's height",
    ),
}


def statements(results: Results, t: Mapping[str, float]) -> list[Statement]:
    """Returns the statements of the edition that was run, of the runs of its main parts."""
    parts = maps_of(results)
    return judged_by(Judge(parts.main, parts.by_work, t))


def judged_by(j: Judge) -> list[Statement]:
    """Returns the statements of an edition as a comparison has them; time is counted in evaluations."""
    found = [*performance.statements(j), *outliers.statements(j)]
    return sorted(found, key=lambda each: (int(each.name.strip("Tabcd")), each.name))
