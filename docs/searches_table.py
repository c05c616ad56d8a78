"""Writes the tables of how searches compare: `python docs/searches_table.py figures/`."""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

COLUMNS = ("narrow", "turtle", "wide", "rooms")
NEW = ("graft", "plan", "roots")
SURE = 0.05


def rows(folder: Path, name: str) -> list[dict[str, str]]:
    with open(folder / f"{name}.csv", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    for line in (head, ["---"] * len(head), *lines):
        print(f"|{'|'.join(line)}|" if line[0] == "---" else f"| {' | '.join(line)} |")
    print()


def mean(row: dict[str, str], factor: int = 1) -> str:
    digits = 3 if factor == 1 else 1
    value, low, high = (
        f"{factor * float(row[key]):.{digits}f}" for key in ("score", "score low", "score high")
    )
    return f"{value} ({low} to {high})"


def means(folder: Path) -> None:
    """All searches, the new ones first."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for row in rows(folder, "maps-cells"):
        search, representation = row["cell"].split()
        found[search][representation] = mean(row)
    for row in rows(folder, "rooms-cells"):
        found[row["cell"]]["rooms"] = mean(row, 100)
    order = [*NEW, *(search for search in found if search not in NEW)]
    lines = [[f"`{search}`", *(found[search].get(column, "") for column in COLUMNS)] for search in order]
    table(["mean of the best", *COLUMNS[:3], "rooms, pushes"], lines)


def tests(folder: Path) -> None:
    """What the new searches win and lose, where chance is ruled out."""
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for part in ("maps", "rooms"):
        for row in rows(folder, f"{part}-tests"):
            column = row["cell"] if part == "maps" else part
            more = float(row["first − second"])
            for one, other, gain in (
                (row["first"], row["second"], more),
                (row["second"], row["first"], -more),
            ):
                word = "open" if float(row["p, corrected"]) >= SURE else "wins" if gain > 0 else "loses"
                found[one, column][word].append(f"`{other}`")
    words = ("wins", "loses", "open")
    lines = [
        [f"`{search}`", column, *(" ".join(found[search, column][word]) or "–" for word in words)]
        for search in NEW
        for column in COLUMNS
    ]
    table(["", "in", "wins against", "loses to", "cannot be told from"], lines)


def roots(folder: Path) -> None:
    """How many roots, and whose turn it is."""
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in rows(folder, "roots-cells"):
        representation, *values = row["cell"].split()
        number, turns = (value.split("=")[1] for value in values)
        found[number, turns][representation] = mean(row)
    lines = [[number, f"`{turns}`", *found[number, turns].values()] for number, turns in found]
    table(["roots", "turns", *COLUMNS[:3]], lines)


if __name__ == "__main__":
    figures = Path(sys.argv[1])
    means(figures)
    tests(figures)
    roots(figures)
