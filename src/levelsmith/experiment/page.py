"""A report as one HTML page that needs nothing else, and its tables as CSV."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from levelsmith.core import Level
from levelsmith.experiment.figures import DOTS, Figure, inline_svg
from levelsmith.experiment.statistics import Estimate
from levelsmith.levels.look import HOUSE

# What a column of a table holds; an Estimate may stand wherever a number does.
KINDS = ("text", "count", "share", "number", "seconds", "chance", "bytes")


@dataclass(frozen=True, slots=True)
class Table:
    name: str  # the stem of its file
    title: str
    columns: Mapping[str, str]  # heading -> kind
    rows: Sequence[Sequence[Any]]
    paper: str = ""
    note: str = ""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Gallery:
    """Levels with a line about each."""

    title: str
    levels: Sequence[tuple[Level, str]]
    paper: str = ""
    note: str = ""
    side: int = 110  # pixels that a picture has at least


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the runs say about a statement of a paper."""

    name: str
    statement: str
    verdict: str  # "confirmed", "not confirmed", "cannot be said"
    because: str
    details: Table | None = None


Item = str | Table | Figure | Gallery | Verdict


@dataclass(slots=True)
class Section:
    title: str
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    title: str
    lead: str
    sections: list[Section] = field(default_factory=list)

    def items(self) -> list[Item]:
        return [item for section in self.sections for item in section.items]


# ------------------------------------------------------------------------------------------------------- HTML


def write(page: Page) -> str:
    """The page as HTML; plain text with **bold** and `code` in what was given."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html.escape(page.title)}</title><style>{_paints()}{STYLE}</style></head><body><main>",
        f"<header><h1>{html.escape(page.title)}</h1><p>{_text(page.lead)}</p></header>",
        "<nav>"
        + " ".join(f'<a href="#s{i}">{html.escape(s.title)}</a>' for i, s in enumerate(page.sections))
        + "</nav>",
    ]
    for i, section in enumerate(page.sections):
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
        return _block(_table(item), item.title, item.paper, item.note)
    if isinstance(item, Figure):
        return _block(_figure(item), item.title, item.paper, item.note)
    if isinstance(item, Gallery):
        return _block(_gallery(item), item.title, item.paper, item.note)
    return _verdict(item)


def _block(inside: str, title: str, paper: str, note: str) -> str:
    """A figure or table with what the paper says beside it."""
    aside = f"<aside><h4>In the paper</h4><p>{_text(paper)}</p></aside>" if paper else ""
    below = f'<p class="note">{_text(note)}</p>' if note else ""
    kind = "block beside" if paper else "block"
    return f'<figure class="{kind}"><div><figcaption>{_text(title)}</figcaption>{inside}{below}</div>{aside}</figure>'


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
    return f'{keys}<div class="panels" style="--least:{least}px">{panels}</div>'


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
    return f'<div class="levels" style="--side:{gallery.side}px">{pictures}</div>'


def _verdict(item: Verdict) -> str:
    details = ""
    if item.details is not None:
        details = (
            f"<details><summary>{html.escape(item.details.title)}</summary>{_table(item.details)}</details>"
        )
    kind = item.verdict.replace(" ", "-")
    return (
        f'<article class="verdict {kind}"><h3><b>{html.escape(item.name)}</b> {_text(item.statement)}</h3>'
        f"<p><strong>{html.escape(item.verdict)}</strong> {_text(item.because)}</p>{details}</article>"
    )


def _text(text: str) -> str:
    safe = html.escape(text, quote=False)
    safe = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", safe)
    return re.sub(r"`(.+?)`", r"<code>\1</code>", safe)


def picture(level: Level) -> str:
    """A level as SVG that takes its colours from the page."""
    from levelsmith.levels.svg import svg

    text = re.sub(r"<metadata>.*?</metadata>\n?", "", svg(level, scale=16), flags=re.DOTALL)
    return re.sub(r'"(#[0-9a-f]{6})"', lambda found: f'"{_BY_LIGHT.get(found[1], found[1])}"', text)


_BY_LIGHT = {light: f"var(--{name.replace(' ', '-')})" for name, (light, _) in HOUSE.items()}


def _paints() -> str:
    """The colours of levels, on light pages and on dark ones."""
    sides = [
        "".join(f"--{name.replace(' ', '-')}:{pair[i]};" for name, pair in HOUSE.items()) for i in (0, 1)
    ]
    return f":root{{{sides[0]}}}@media (prefers-color-scheme:dark){{:root{{{sides[1]}}}}}"


# ------------------------------------------------------------------------------------------------------ numbers


def shown(cell: Any, kind: str) -> str:
    """A cell of a table as HTML, with its interval where it has one."""
    if isinstance(cell, Estimate):
        if not cell:
            return "–"
        digits = digits_of(cell.high - cell.low, kind)
        value, low, high = (plain(each, kind, digits) for each in (cell.value, cell.low, cell.high))
        return f'{value}{_unit(kind)} <span class="ends">{low} … {high}</span>'
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, str):
        return _text(cell)
    return f"{plain(cell, kind)}{_unit(kind)}"


def _unit(kind: str) -> str:
    return {"share": " %", "seconds": " s"}.get(kind, "")


def digits_of(width: float, kind: str) -> int | None:
    """As many digits behind the point as an interval of this width gives a meaning to."""
    if kind not in ("number", "seconds") or not 0 < width < math.inf:
        return None
    return min(6, max(0, 1 - math.floor(math.log10(width))))


def plain(value: float, kind: str, digits: int | None = None) -> str:
    """A number as people read it."""
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


def as_csv(table: Table) -> str:
    """The table with the ends of intervals in columns of their own."""
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
        return "" if math.isnan(cell) else f"{cell:.6g}"
    return "" if cell is None else cell


STYLE = """
:root{color-scheme:light dark;--page:#fff;--ink:#1f2530;--soft:#5c6575;--line:#dde1e8;--shade:#f5f6f9;
--yes:#13785d;--no:#b3471a;--open:#6a7080}
@media (prefers-color-scheme:dark){:root{--page:#14161c;--ink:#d9dee7;--soft:#98a1b3;--line:#2f3440;--shade:#1c1f28;
--yes:#4cc7a4;--no:#f0915f;--open:#a3abba}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:1.2rem 1rem 4rem}
h1{font-size:1.6rem;line-height:1.2;margin:.4rem 0}h2{font-size:1.25rem;margin:2.6rem 0 .6rem;padding-top:.6rem;
border-top:1px solid var(--line)}h3{font-size:1rem;margin:0;font-weight:500}h4{font-size:.85rem;margin:0 0 .2rem;
font-weight:600}
p{max-width:75ch;margin:.5rem 0;overflow-wrap:break-word}header p,.note{color:var(--soft)}.note{font-size:.85rem}
nav{display:flex;flex-wrap:wrap;gap:.3rem 1rem;font-size:.9rem}a{color:inherit;text-underline-offset:3px}
code{font:.9em ui-monospace,monospace;background:var(--shade);padding:0 .25em;border-radius:3px;overflow-wrap:anywhere}
.block{margin:1.4rem 0 2rem}.block figcaption{font-weight:600;margin-bottom:.5rem}
.block>div{min-width:0}
aside{border-left:3px solid var(--line);padding:.1rem 0 .1rem .8rem;color:var(--soft);font-size:.88rem;margin-top:.6rem}
aside p{margin:.2rem 0}
@media (min-width:900px){.beside{display:grid;grid-template-columns:minmax(0,1fr) 15.5rem;gap:1.6rem}
.beside aside{margin-top:1.9rem;align-self:start}}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,var(--least)),1fr));gap:1rem .8rem}
.panel{min-width:0}.panel svg{max-width:100%;height:auto;display:block}.panel h4{padding-left:.2rem}
.keys{display:flex;flex-wrap:wrap;gap:.1rem .9rem;font-size:.82rem;margin-bottom:.5rem}
.keys i{display:inline-block;width:.75em;height:.75em;border-radius:2px;margin-right:.35em}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.84rem;font-variant-numeric:tabular-nums}
th,td{padding:.22rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap;vertical-align:top}
th{font-weight:600;border-bottom-color:var(--soft);vertical-align:bottom}.text{text-align:left}
th:first-child,td:first-child{padding-left:.1rem}
.ends{color:var(--soft);font-size:.85em;margin-left:.25em}
.levels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(45%,var(--side)),1fr));gap:.8rem}
.level svg{width:100%;height:auto;display:block;max-width:calc(1.6*var(--side));border-radius:3px}
.level span{font-size:.76rem;color:var(--soft);display:block;line-height:1.35;margin-top:.2rem;overflow-wrap:anywhere}
.verdict{border-left:3px solid var(--open);padding:.15rem 0 .15rem .8rem;margin:1rem 0}
.verdict p{margin:.25rem 0}.verdict strong{color:var(--open);margin-right:.3em}
.confirmed{border-color:var(--yes)}.confirmed strong{color:var(--yes)}
.not-confirmed{border-color:var(--no)}.not-confirmed strong{color:var(--no)}
details{margin:.3rem 0}summary{cursor:pointer;font-size:.84rem;color:var(--soft)}
"""
