"""What was changed after runs had been seen, with the verdicts before and after, as a page."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from levelsmith.experiment.page import Page, Section, Table
from levelsmith.experiment.papers import freeze

COLUMNS = ("date", "statements", "what was changed, and why", "before", "after", "commit")
LEAD = (
    "Every change of a statement, a threshold, a reading or a statistic that was made after runs had been "
    "seen, with the verdict before and after. A reader who trusts no decision of ours takes the verdicts "
    "before. The rows are `papers/deviations.toml`; the words for verdicts are those of their day."
)
FROZEN = (
    "Before full runs the files with the statements, their readings and their thresholds are frozen: "
    "`python tools/results.py --freeze` notes the SHA-256 of each, and a page says whether the file that "
    "judges it was frozen before its runs were begun. `sha256sum` gives the same of a commit's files."
)


def page() -> Page:
    """Returns the page: changes by experiment, and what is frozen."""
    changes = tomllib.loads((files(__package__) / "deviations.toml").read_text("utf-8"))["change"]
    page = Page("Deviations and changes", LEAD)
    for name in dict.fromkeys(each["experiment"] for each in changes):
        mine = [each for each in changes if each["experiment"] == name]
        rows = [
            [
                str(each["date"]),
                f"{each['statements']} ({each['kind']})",
                f"{each['what']} {each['why']}",
                *(each[key] for key in ("before", "after", "commit")),
            ]
            for each in mine
        ]
        title = "All papers" if name == "all" else name
        page.sections.append(
            Section(title, [Table(f"changes-{name}", "", dict.fromkeys(COLUMNS, "text"), rows)])
        )
    columns = dict.fromkeys(("frozen on", *freeze.PAPERS), "text")
    rows = [[each["on"], *(each.get(paper, "")[:12] for paper in freeze.PAPERS)] for each in freeze.frozen()]
    table = (
        [Table("frozen", "", columns, rows)]
        if rows
        else ["Nothing was frozen before the runs of these pages."]
    )
    page.sections.append(Section("Frozen statements", [FROZEN, *table]))
    return page
