"""A report as a Markdown page with its pictures and tables in a folder, for a repository or a site."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from levelsmith.experiment import figures
from levelsmith.experiment.figures import Figure
from levelsmith.experiment.page import (
    APPENDIX,
    Finding,
    Gallery,
    Item,
    Page,
    Table,
    as_csv,
    file_stem,
    plain_cell,
)
from levelsmith.experiment.verdicts import SIGNS
from levelsmith.levels.formats.picture import few_colours, sheet_png

MOST_ROWS = 44  # of a table on the page, as of all statements of a paper; a longer one is a file alone
COLOURS = 96  # of a picture, which makes it a third as large
WIDEST = 1000  # pixels of a sheet of levels
SCALE = 12  # of a tile
LONGEST = 48  # letters of a sheet's name
MOST_TOLD = 24  # levels of a sheet that a line below tells of; of more, each has a word under it
PRIVATE = (
    "These levels come from models of levels that belong to others, and are not published. The report as "
    "HTML shows them to whoever runs the experiment."
)


def write(page: Page, folder: str) -> tuple[str, dict[str, bytes]]:
    """Returns the text of a page, and by name the files that it expects in a folder beside it."""
    files: dict[str, bytes] = {}
    lines = [f"# {page.title}", "", page.lead, ""]
    behind = page.behind
    for number, section in enumerate(page.sections):
        if number == behind:
            lines += [f"## {APPENDIX}", ""]
        level = "##" if number < behind else "###"
        lines += [f"{level} {section.title}", ""]
        for item in section.items:
            lines += [*_item(item, folder, files, level), ""]
    return "\n".join(lines).rstrip() + "\n", files


def _item(item: Item, folder: str, files: dict[str, bytes], level: str) -> list[str]:
    if isinstance(item, str):
        return [item]
    if isinstance(item, Finding):
        return _finding(item, folder, files, level)
    if isinstance(item, Table):
        return _around(item, _table(item, folder, files))
    if isinstance(item, Figure):
        files[f"{item.name}.png"] = few_colours(
            figures.files(item, ["png"], dots=120)[f"{item.name}.png"], COLOURS
        )
        return _around(item, [f"![{item.title}]({folder}/{item.name}.png)"])
    return _around(item, _gallery(item, folder, files))


def _around(item: Table | Figure | Gallery, inside: list[str]) -> list[str]:
    """Returns what an item shows with its title, the paper's words and a note."""
    lines = [f"**{item.title}**", "", *inside] if item.title else inside
    lines = [*lines, "", f"> In the paper: {item.paper}"] if item.paper else lines
    return [*lines, "", item.note] if item.note else lines


def _table(table: Table, folder: str, files: dict[str, bytes]) -> list[str]:
    name, number = f"{table.name}.csv", len(table.rows)
    if table.linked:
        files[name] = as_csv(table).encode()
    link = f"[{name}]({folder}/{name}), {number} row{'s' * (number != 1)}"
    if table.folded or number > MOST_ROWS:
        return [link]
    aligned = "|".join("---" if kind == "text" else "--:" for kind in table.columns.values())
    lines = [_row(table.columns), f"|{aligned}|"]
    kinds = list(table.columns.values())
    lines += [
        _row(plain_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)) for row in table.rows
    ]
    return [*lines, "", link] if table.linked else lines


def _row(cells: Any) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _finding(item: Finding, folder: str, files: dict[str, bytes], level: str) -> list[str]:
    sure = "" if math.isnan(item.rate) else f" q {plain_cell(item.rate, 'chance')}."
    lines = [f"{level}# {SIGNS[item.verdict]} {item.name}: {item.statement}", ""]
    lines += [f"**{item.verdict}**: {item.because}{sure}"]
    if item.details is not None:
        lines += ["", *_table(replace(item.details, folded=True), folder, files)]
    return lines


# --------------------------------------------------------------------------------------------------- pictures


def _gallery(gallery: Gallery, folder: str, files: dict[str, bytes]) -> list[str]:
    if not gallery.ours:
        return [PRIVATE]
    if not gallery.levels:
        return ["There are none."]
    levels, many = [level for level, _ in gallery.levels], len(gallery.levels) > MOST_TOLD
    stem = file_stem(gallery.title)[:LONGEST].strip("-")
    name = next(f"{stem}{end}.png" for end in ["", *range(2, 1000)] if f"{stem}{end}.png" not in files)
    widest = max(level.size[1] for level in levels)
    columns = max(1, min(len(levels), 12, WIDEST // (SCALE * (widest + 1))))
    titles = [about.partition(" · ")[0] if many else "" for _, about in gallery.levels]
    named = [replace(level, title=title) for level, title in zip(levels, titles, strict=True)]
    files[name] = few_colours(sheet_png(named, SCALE, columns), COLOURS)
    told = [f"{number}: {about}" for number, (_, about) in enumerate(gallery.levels, start=1)]
    return [f"![{gallery.title}]({folder}/{name})", "", *([] if many else ["; ".join(told) + "."])]
