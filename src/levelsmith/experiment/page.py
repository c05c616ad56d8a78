"""A report as one HTML page that needs nothing else, and its tables as CSV."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from levelsmith.core import Level
from levelsmith.experiment.figures import DOTS, Figure, inline_svg
from levelsmith.experiment.statistics import Estimate
from levelsmith.levels.look import HOUSE

APPENDIX = "Appendix"  # its heading
USUAL_COLUMNS = 3  # of a figure: with more, a wide page keeps its rows as they are


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text and numbers; an Estimate may stand wherever a number does."""

    name: str  # the stem of its file
    title: str
    columns: Mapping[str, str]  # heading -> text, count, share, number, seconds, chance or bytes
    rows: Sequence[Sequence[Any]]
    paper: str = ""
    note: str = ""
    folded: bool = False
    linked: bool = True  # whether it is a file too


@dataclass(frozen=True, slots=True)
class Gallery:
    """Levels with a line about each."""

    title: str
    levels: Sequence[tuple[Level, str]]
    paper: str = ""
    note: str = ""
    side: int = 110  # pixels that a picture has at least
    ours: bool = True  # whether it is ours to publish: no level is made from levels of others


@dataclass(frozen=True, slots=True)
class Finding:
    """What the runs say about a statement of a paper."""

    name: str
    statement: str
    verdict: str  # one of `verdicts.VERDICTS`
    because: str
    details: Table | None = None
    rate: float = math.nan  # of false discoveries among the paper's statements, at which it still counts
    deciding: str = ""  # the number that it rests on, and why that one
    claim: str = ""  # what that number is of
    number: str = ""  # the number itself, with its interval


Item = str | Table | Figure | Gallery | Finding


@dataclass(slots=True)
class Section:
    title: str
    items: list[Item] = field(default_factory=list)
    appendix: bool = False  # such sections come last, behind what everybody reads


@dataclass(slots=True)
class Page:
    title: str
    lead: str
    sections: list[Section] = field(default_factory=list)

    def items(self) -> list[Item]:
        return [item for section in self.sections for item in section.items]

    @property
    def behind(self) -> int:
        """Returns the number of the first section of the appendix; how many there are where there is none."""
        return next((i for i, each in enumerate(self.sections) if each.appendix), len(self.sections))


# ------------------------------------------------------------------------------------------------------- HTML


def write(page: Page) -> str:
    """Returns the page as HTML; plain text with **bold** and `code` in what was given."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(page.title)}</title><style>{_paints()}{_style()}</style></head><body><main>",
        f"<header><h1>{html.escape(page.title)}</h1><p>{_text(page.lead)}</p></header>",
        "<nav>"
        + " ".join(f'<a href="#s{i}">{html.escape(s.title)}</a>' for i, s in enumerate(page.sections))
        + "</nav>",
    ]
    behind = page.behind
    for i, section in enumerate(page.sections):
        if i == behind:
            parts.append(f'<h2 class="appendix">{APPENDIX}</h2>')
        parts.append(f'<section id="s{i}"><h2>{html.escape(section.title)}</h2>')
        parts += [_item(item) for item in section.items]
        parts.append("</section>")
    parts.append("</main></body></html>")
    return "\n".join(parts) + "\n"


def _item(item: Item) -> str:
    if isinstance(item, str):
        return f"<p>{_text(item)}</p>"
    if isinstance(item, Table):
        if item.folded:
            note = f'<p class="note">{_text(item.note)}</p>' if item.note else ""
            return f"<details><summary>{_text(item.title)}</summary>{note}{_table(item)}</details>"
        return _block(item, _table(item))
    if isinstance(item, Finding):
        return _verdict(item)
    return _block(item, _figure(item) if isinstance(item, Figure) else _gallery(item))


def _block(item: Table | Figure | Gallery, inside: str) -> str:
    """Returns what an item shows with its title, a note, and what the paper says beside it."""
    aside = f"<aside><h4>In the paper</h4><p>{_text(item.paper)}</p></aside>" if item.paper else ""
    below = f'<p class="note">{_text(item.note)}</p>' if item.note else ""
    kind = "block beside" if item.paper else "block"
    inside = f"<figcaption>{_text(item.title)}</figcaption>{inside}{below}"
    return f'<figure class="{kind}"><div>{inside}</div>{aside}</figure>'


def _figure(figure: Figure) -> str:
    keys = "".join(
        f'<span><i style="background:{colour}"></i>{html.escape(name)}</span>'
        for name, colour in figure.legend.items()
    )
    least = round(DOTS * min(panel.width for panel in figure.panels) - 16)
    panels = "".join(
        f'<div class="panel"><h4>{html.escape(panel.title)}</h4>{inline_svg(panel)}</div>'
        for panel in figure.panels
    )
    keys = f'<div class="keys">{keys}</div>' if keys else ""
    rows = " rows" if figure.columns > USUAL_COLUMNS else ""
    style = f"--least:{least}px;--columns:{figure.columns}"
    return f'{keys}<div class="panels{rows}" style="{style}">{panels}</div>'


def _table(table: Table) -> str:
    kinds = list(table.columns.values())
    head = "".join(f'<th class="{kind}">{html.escape(name)}</th>' for name, kind in table.columns.items())
    rows = "".join(
        "<tr>"
        + "".join(
            f'<td class="{kind}">{shown(cell, kind)}</td>' for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _gallery(gallery: Gallery) -> str:
    pictures = "".join(
        f'<div class="level">{picture(level)}<span>{_text(text)}</span></div>'
        for level, text in gallery.levels
    )
    return f'<div class="levels" style="--side:{gallery.side}px">{pictures or "There are none."}</div>'


def _verdict(item: Finding) -> str:
    details = ""
    if item.details is not None:
        details = (
            f"<details><summary>{html.escape(item.details.title)}</summary>{_table(item.details)}</details>"
        )
    kind = item.verdict.replace(" ", "-")
    sure = "" if math.isnan(item.rate) else f" q {html.escape(plain(item.rate, 'chance'))}."
    return (
        f'<article class="verdict {kind}"><h3><b>{html.escape(item.name)}</b> {_text(item.statement)}</h3>'
        f"<p><strong>{html.escape(item.verdict)}</strong> {_text(item.because)}{sure}</p>{details}</article>"
    )


def _text(text: str) -> str:
    safe = html.escape(text, quote=False)
    safe = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", safe)
    return re.sub(r"`(.+?)`", r"<code>\1</code>", safe)


def picture(level: Level) -> str:
    """Returns a level as SVG that takes its colours from the page."""
    from levelsmith.levels.formats.svg import svg

    text = re.sub(r"<metadata>.*?</metadata>\n?", "", svg(level, scale=16), flags=re.DOTALL)
    return re.sub(r'"(#[0-9a-f]{6})"', lambda found: f'"{_BY_LIGHT.get(found[1], found[1])}"', text)


_BY_LIGHT = {light: f"var(--{name.replace(' ', '-')})" for name, (light, _) in HOUSE.items()}


def _style() -> str:
    return (files("levelsmith.experiment") / "report.css").read_text(encoding="utf-8")


def _paints() -> str:
    """Returns the colours of levels, on light pages and on dark ones."""
    sides = [
        "".join(f"--{name.replace(' ', '-')}:{pair[i]};" for name, pair in HOUSE.items()) for i in (0, 1)
    ]
    return f":root{{{sides[0]}}}@media (prefers-color-scheme:dark){{:root{{{sides[1]}}}}}"


# ---------------------------------------------------------------------------------------------------- numbers


def shown(cell: Any, kind: str) -> str:
    """Returns a cell of a table as HTML, with its interval where it has one."""
    value, ends = _written(cell, kind)
    value = _text(value) if isinstance(cell, str) else html.escape(value)
    return f'{value} <span class="ends">{ends}</span>' if ends else value


def plain_cell(cell: Any, kind: str) -> str:
    """Returns a cell of a table as text, with its interval where it has one."""
    value, ends = _written(cell, kind)
    return f"{value} ({ends})" if ends else value


def _written(cell: Any, kind: str) -> tuple[str, str]:
    """Returns what a cell says, and the ends of its interval."""
    if isinstance(cell, Estimate) and cell:
        if math.isinf(cell.high - cell.low):
            return f"{plain(cell.value, kind)}{_unit(kind)}", ""
        digits = digits_of(cell.high - cell.low, kind)
        value, low, high = (plain(each, kind, digits) for each in (cell.value, cell.low, cell.high))
        return f"{value}{_unit(kind)}", f"{low} … {high}"
    if cell is None or isinstance(cell, Estimate) or (isinstance(cell, float) and math.isnan(cell)):
        return "–", ""
    return (cell if isinstance(cell, str) else f"{plain(cell, kind)}{_unit(kind)}"), ""


def _unit(kind: str) -> str:
    return {"share": " %", "seconds": " s"}.get(kind, "")


def digits_of(width: float, kind: str) -> int | None:
    """Returns how many digits behind the point mean something, beside an interval of this width."""
    if kind not in ("number", "seconds") or not 0 < width < math.inf:
        return None
    return min(6, max(0, 1 - math.floor(math.log10(width))))


def plain(value: float, kind: str, digits: int | None = None) -> str:
    """Returns a number as people read it."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if kind == "share":
        return f"{100 * value:.1f}"
    if kind == "count":
        return f"{value:,.0f}"
    if kind == "chance":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if kind == "bytes":
        return f"{value:,.0f} B" if value < 1e4 else f"{value / 1e6:,.1f} MB"
    if digits is None:
        digits = 0 if value == 0 else min(6, max(0, 2 - math.floor(math.log10(abs(value)))))
    return f"{value:,.{digits}f}"


def file_stem(text: str) -> str:
    """Returns a name for files: letters, digits and single dashes."""
    return re.sub(r"[^\w]+|_", "-", text.lower()).strip("-")


def as_csv(table: Table) -> str:
    """Returns the table with the ends of intervals in columns of their own."""
    wide = [any(isinstance(row[i], Estimate) for row in table.rows) for i in range(len(table.columns))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head: list[str] = []
    for name, has_ends in zip(table.columns, wide, strict=True):
        head += [name, f"{name} low", f"{name} high"] if has_ends else [name]
    writer.writerow(head)
    for row in table.rows:
        cells: list[Any] = []
        for cell, has_ends in zip(row, wide, strict=True):
            if isinstance(cell, Estimate):
                cells += [_number(cell.value), _number(cell.low), _number(cell.high)]
            else:
                cells += [_number(cell), *(["", ""] if has_ends else [])]
        writer.writerow(cells)
    return out.getvalue()


def _number(cell: Any) -> Any:
    if isinstance(cell, float):
        return f"{cell:.6g}" if math.isfinite(cell) else ""
    return "" if cell is None else cell
