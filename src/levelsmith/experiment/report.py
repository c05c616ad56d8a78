"""The report on an experiment: its pages put together and written, with figures and tables as files.

`judge` gives the verdicts alone. Both read the file of an experiment, or the tables that `write_rows` makes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

from levelsmith.errors import LevelsmithError, unknown
from levelsmith.experiment import figures, general, markdown, rows, verdicts
from levelsmith.experiment.claims import Threshold
from levelsmith.experiment.damage import damage_explained
from levelsmith.experiment.figures import Figure
from levelsmith.experiment.join import join
from levelsmith.experiment.page import Finding, Gallery, Item, Page, Section, Table, as_csv, write
from levelsmith.experiment.papers import freeze
from levelsmith.experiment.papers.captions import Front
from levelsmith.experiment.results import Results
from levelsmith.experiment.rows import Kept
from levelsmith.experiment.store import plain_errors
from levelsmith.files import write_files

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Results
PAGES = {  # what each reads of the runs
    "maps": Kept(gains=1),
    "kartal": Kept(),
    "koczorowski": Kept(),
    "thakkar": Kept(levels=False),  # they come from levels that belong to others
}
FIGURES = "Three figures like the paper's"
HERE = (
    "**Here** is the number that decides: the least sure one of what is confirmed, the farthest off of what "
    "is not, the most open of what is open, with its interval of 95 %."
)


def opened(paths: Paths) -> Results:
    """Returns the runs of a file, or of several files of one experiment as if they were one."""
    if isinstance(paths, Results):
        return paths
    return Results(join([paths] if isinstance(paths, str | os.PathLike) else list(paths)))


def report(
    path: Paths,
    to: str | os.PathLike[str],
    folder: str | None = None,
    axes: tuple[str, str] | None = None,
) -> list[Path]:
    """Writes the report on an experiment's file, and into a folder its figures and tables.

    Args:
        path: a file that `levelsmith experiment run` wrote, finished or not, or several: see `opened`.
        to: the page: HTML that needs nothing else, or with the ending .md Markdown, whose pictures and tables
            go into a folder of the same name beside it.
        folder: where figures go as PNG, SVG and PDF, and tables as CSV.
        axes: two metrics to draw the expressive range of.
    """
    figures.matplotlib()  # before any work is done
    to = Path(to)
    results = opened(path)
    with damage_explained(results.path):
        page = build(results, axes)
        if to.suffix == ".md":
            text, beside = markdown.write(page, to.stem)
            made = {to: text.encode()} | {to.with_suffix("") / name: data for name, data in beside.items()}
        else:
            made = {to: write(page).encode()}
        if folder is not None:
            made |= {Path(folder) / name: data for name, data in files(page).items()}
    write_files(made)
    return list(made)


def build(results: Results, axes: tuple[str, str] | None = None) -> Page:
    """Returns the page of an experiment."""
    with damage_explained(results.path):
        for name in axes or ():
            results.check_metric(name)
        chosen = _paper(results)
        title = results.spec.get("title") or results.meta.get("experiment", "an experiment")
        ran = general.what_was_run(results)
        sections = (
            _on_paper(results, chosen, ran, axes) if chosen else [ran, *general.sections(results, axes)]
        )
        lead = f"Made by levelsmith from {results.path.name}, with {len(results.numbers):,} runs."
        return Page(title, lead, sections)


def _on_paper(results: Results, paper: str, ran: Section, axes: tuple[str, str] | None) -> list[Section]:
    """Returns verdicts, what they teach and three figures; behind them all the rest."""
    pages = import_module(f"levelsmith.experiment.papers.{paper}.pages")
    own: list[Section] = pages.sections(results)
    front: Front = pages.front(results)
    found, readings, details = _judged(results, paper)
    shown = _taken(own, front.figures)
    first = [
        Section("Verdicts", [f"**{verdicts.counted(found)}.**", *_box(found, front, readings)]),
        Section("What to take from it", [f"{front.lesson} {verdicts.lesson(found, front.clauses)}"]),
        Section(FIGURES, shown),
    ]
    ranges = [general.range_section(results, axes)] if axes else []
    cells = [cell for cell in results.cells if cell.runs]
    table = general.cells_table(results, cells, "cells", f"{len(cells)} cells", folded=True)
    statements = Section("All verdicts", [verdicts.all_statements(found, readings)])
    rest = [statements, ran, *own, details, *ranges, Section("All cells", [table])]
    behind = [replace(section, appendix=True) for section in rest if section.items]
    return [section for section in first if section.items] + behind


def _box(
    found: Sequence[Finding], front: Front, readings: Mapping[str, verdicts.Turned]
) -> list[str | Table]:
    table = verdicts.box(found, front.box, readings)
    which = (
        f"Here are {front.choice}; the appendix has all {len(found)}. "
        if len(table.rows) < len(found)
        else ""
    )
    return [table, which + HERE]


def _taken(sections: Sequence[Section], names: Sequence[str]) -> list[Item]:
    """Takes figures by name, and galleries by how their titles begin, out of sections; returns them."""
    found: dict[str, Item] = {}
    for section in sections:
        for item in section.items:
            told = item.name if isinstance(item, Figure) else item.title if isinstance(item, Gallery) else ""
            name = next((name for name in names if told.startswith(name)), "")
            if name and name not in found:
                found[name] = item
        section.items = [item for item in section.items if not any(item is each for each in found.values())]
    return [found[name] for name in names if name in found]


def _paper(results: Results) -> str:
    """Returns the paper that an experiment repeats; empty for none."""
    chosen: str = results.spec.get("pages") or ""
    if chosen and chosen not in PAGES:
        raise unknown("set of pages", chosen, PAGES)
    return chosen


def _said(results: Results, paper: str) -> tuple[verdicts.Statements, Mapping[str, Threshold]]:
    """Returns what a paper says, given thresholds, and the thresholds that are taken."""
    module = import_module(f"levelsmith.experiment.papers.{paper}.statements")
    return partial(module.statements, results), module.THRESHOLDS


def _verdicts(results: Results, paper: str) -> list[Finding]:
    said, thresholds = _said(results, paper)
    return verdicts.judge(said(_values(thresholds)))


def _values(thresholds: Mapping[str, Threshold]) -> dict[str, float]:
    return {name: each.value for name, each in thresholds.items()}


def _judged(results: Results, paper: str) -> tuple[list[Finding], dict[str, verdicts.Turned], Section]:
    """Returns a paper's verdicts, those of other readings, and its statements with their claims."""
    said, thresholds = _said(results, paper)
    usual = _values(thresholds)
    found = verdicts.judge(said(usual))
    module = import_module(f"levelsmith.experiment.papers.{paper}.statements")
    otherwise = module.readings(results) if hasattr(module, "readings") else {}
    readings = verdicts.turned(otherwise, usual, found)
    moves = verdicts.moved(said, thresholds, found)
    frozen = freeze.told(paper, results.meta.get("created", ""))
    return found, readings, verdicts.details(found, moves, *verdicts.by_reading(readings), frozen)


def judge(path: Paths) -> list[Finding]:
    """Returns the verdicts on the statements of the paper that a file repeats; none if it repeats none.

    Args:
        path: the file of an experiment, or one of the tables that `write_rows` made of it, or several.
    """
    results = opened(path)
    with damage_explained(results.path):
        paper = _paper(results)
        return _verdicts(results, paper) if paper else []


def write_rows(path: Paths, folder: str | os.PathLike[str]) -> list[Path]:
    """Writes every run of an experiment's file into a folder, as tables that can be judged again.

    Args:
        path: a file that `levelsmith experiment run` wrote, or several, of which some may be rows.
        folder: where the tables go, with their checksums; named after the first file.
    """
    results = opened(path)
    with damage_explained(results.path):
        if rows.stem_of(results.path) is not None:
            raise LevelsmithError(
                f"{results.path} is such a table already: expected the file that it was made of"
            )
        paper = _paper(results)
        kept, measured = PAGES.get(paper, Kept()), {}
        if not kept.levels:
            measured = import_module(f"levelsmith.experiment.papers.{paper}.measured").of_levels(results)
        meta = results.meta | {"digest": results.digest()}
        with plain_errors(str(results.path)):
            made = rows.files(results.reader.connection, meta, results.path.stem, kept, measured)
    named = {Path(folder) / name: data for name, data in made.items()}
    write_files(named)
    return list(named)


def files(page: Page) -> dict[str, bytes]:
    """Returns figures and tables of a page, by file name."""
    made: dict[str, bytes] = {}
    for item in page.items():
        if isinstance(item, Figure):
            made |= figures.files(item)
        table = item.details if isinstance(item, Finding) else item
        if isinstance(table, Table) and table.linked:
            made[f"{table.name}.csv"] = as_csv(table).encode()
    return made
