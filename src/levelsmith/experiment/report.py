"""The report on an experiment: its pages put together and written, with figures and tables as files."""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path

from levelsmith.errors import unknown
from levelsmith.experiment import figures, general, markdown, verdicts
from levelsmith.experiment.damage import damage_explained
from levelsmith.experiment.figures import Figure
from levelsmith.experiment.page import Finding, Page, Section, Table, as_csv, write
from levelsmith.experiment.papers import freeze
from levelsmith.experiment.results import Results
from levelsmith.files import write_files

PAGES = ("maps", "kartal", "koczorowski", "thakkar")


def report(
    path: str | os.PathLike[str],
    to: str | os.PathLike[str],
    folder: str | None = None,
    axes: tuple[str, str] | None = None,
) -> list[Path]:
    """Writes the report on an experiment's file, and into a folder its figures and tables.

    Args:
        path: a file that `levelsmith experiment run` wrote, finished or not.
        to: the page: HTML that needs nothing else, or with the ending .md Markdown, whose pictures and tables
            go into a folder of the same name beside it.
        folder: where figures go as PNG, SVG and PDF, and tables as CSV.
        axes: two metrics to draw the expressive range of.
    """
    figures.matplotlib()  # before any work is done
    to = Path(to)
    with damage_explained(path):
        page = build(Results(path), axes)
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
        chosen = results.spec.get("pages") or ""
        if chosen and chosen not in PAGES:
            raise unknown("set of pages", chosen, PAGES)
        title = results.spec.get("title") or results.meta.get("experiment", "an experiment")
        ran = general.what_was_run(results)
        sections = (
            _on_paper(results, chosen, ran, axes) if chosen else [ran, *general.sections(results, axes)]
        )
        return Page(title, f"Made by levelsmith from {results.path.name}.", sections)


def _on_paper(results: Results, paper: str, ran: Section, axes: tuple[str, str] | None) -> list[Section]:
    """Returns verdicts, what was run, the paper's own pages, and all cells."""
    own: list[Section] = import_module(f"levelsmith.experiment.papers.{paper}.pages").sections(results)
    box, details = _judged(results, paper)
    ranges = [general.range_section(results, axes)] if axes else []
    cells = [cell for cell in results.cells if cell.runs]
    table = general.cells_table(results, cells, "cells", f"{len(cells)} cells", folded=True)
    return [box, ran, *own, details, *ranges, Section("All cells", [table])]


def _judged(results: Results, chosen: str) -> list[Section]:
    """Returns the box of a paper's verdicts, and its statements with their claims."""
    paper = import_module(f"levelsmith.experiment.papers.{chosen}.statements")
    thresholds = paper.THRESHOLDS
    usual = {name: each.value for name, each in thresholds.items()}
    said = partial(paper.statements, results)
    found = verdicts.judge(said(usual))
    otherwise = paper.readings(results) if hasattr(paper, "readings") else {}
    readings = {name: verdicts.judge(read(usual)) for name, read in otherwise.items()}
    moves, turns = verdicts.moved(said, thresholds, found), verdicts.by_reading(found, readings)
    frozen = freeze.told(chosen, results.meta.get("created", ""))
    return [verdicts.box(found, readings), verdicts.details(found, moves, turns, frozen)]


def files(page: Page) -> dict[str, bytes]:
    """Returns figures and tables of a page, by file name."""
    made: dict[str, bytes] = {}
    for item in page.items():
        if isinstance(item, Figure):
            made |= figures.files(item)
        table = item.details if isinstance(item, Finding) else item
        if isinstance(table, Table):
            made[f"{table.name}.csv"] = as_csv(table).encode()
    return made
