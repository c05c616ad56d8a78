"""What stands around the figures, tables and levels on the pages of a paper."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from levelsmith.core import Level
from levelsmith.experiment import general
from levelsmith.experiment.figures import Figure, Panel
from levelsmith.experiment.page import Gallery, Table


@dataclass(frozen=True)
class Front:
    """What a reader sees first on a paper's pages."""

    choice: str  # which of the statements stand in the box
    box: Mapping[str, Sequence[str]]  # of each what the paper says in few words, and the number that it gives
    clauses: Mapping[str, str]  # the same statements, or fewer, as what follows “that”
    lesson: str  # what to know about all of them
    figures: Sequence[str]  # the names of figures, and how the titles of galleries begin


class Captions:
    """The words on a paper's pages, as the file `pages.toml` of its package has them.

    Each of its tables is of a figure, a table or a gallery:
        title, note: what stands above it and below.
        paper: what the paper says.
        columns: of a table, a list `[kind, heading, …]` for each run of columns of one kind, or the name of a
            table that has the same; of a figure, how many panels stand side by side.
        folded, side: as `Table` and `Gallery` have them.
    In words and headings `{name}` is filled in. The table `front` is a `Front`.
    """

    def __init__(self, package: str):
        self.rows: dict[str, Any] = tomllib.loads((files(package) / "pages.toml").read_text("utf-8"))

    def text(self, name: str, key: str = "text", /, **words: Any) -> str:
        """Returns one of the texts of a row; empty where it has none."""
        return " ".join(self.rows[name].get(key, "").split()).format_map(words)

    def front(self, name: str = "front", more: str = "") -> Front:
        """Returns what a reader sees first, with more to know about it."""
        row = self.rows[name]
        lesson = " ".join(f"{self.text(name, 'lesson')} {more}".split())
        return Front(self.text(name, "choice"), row["box"], row["clauses"], lesson, row["figures"])

    def columns(self, name: str, /, **words: Any) -> dict[str, str]:
        """Returns the kind of each column by its heading."""
        kinds = self.rows[name]["columns"]
        kinds = self.rows[kinds]["columns"] if isinstance(kinds, str) else kinds
        return {heading.format_map(words): kind for kind, *headings in kinds for heading in headings}

    def table(self, name: str, rows: Sequence[Sequence[Any]], /, *, stem: str = "", **words: Any) -> Table:
        """Returns a table; `stem` is that of its file where it is not the name of the row."""
        folded = self.rows[name].get("folded", False)
        columns = self.columns(name, **words)
        around = self._around(name, words)
        return Table(stem or name, around["title"], columns, rows, around["paper"], around["note"], folded)

    def figure(
        self, name: str, panels: Sequence[Panel], *, stem: str = "", legend: Any = None, **words: Any
    ) -> Figure:
        columns = self.rows[name].get("columns", 3)
        around = self._around(name, words)
        return Figure(stem or name, panels=panels, columns=columns, legend=legend or {}, **around)

    def gallery(
        self, name: str, shown: Sequence[tuple[Level, str]], /, *, ours: bool = True, **words: Any
    ) -> Gallery:
        """Returns a gallery; `{proof}` is what playing the solutions again says about them."""
        row = self.rows[name]
        if "{proof}" in row.get("note", ""):
            words["proof"] = general.proof(shown)
        return Gallery(levels=shown, side=row.get("side", 110), ours=ours, **self._around(name, words))

    def _around(self, name: str, words: dict[str, Any]) -> dict[str, str]:
        return {key: self.text(name, key, **words) for key in ("title", "paper", "note")}
