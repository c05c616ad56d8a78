"""Verifies a certificate of levels with nothing but Python: `python verify_certificate.py certificate.json`.

It shares no code with what made and solved the levels. Each solution is played by the rules below. A bound
says that no solution is shorter, or that there is none: it is found again by a plain search, which meets
positions in the order of what they take. A fault is a line, and the status is then 1. Where a search would
take more than `--states` positions the bound is not verified, which is said, and with `--strict` a fault.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

FORMAT, VERSION = "levelsmith certificate", 1
MOST_TOLD = 50  # faults that are printed
Rows = list[list[int]]  # of the numbers of tiles


class Fault(Exception):  # noqa: N818 - it is one of the certificate
    """What is wrong."""


class TooMany(Exception):  # noqa: N818 - a search that would take too long
    """There are more positions than may be looked at."""


play: Callable[[Rows, str], None] | None = None  # raises Fault unless the moves solve the level
fewest: Callable[[Rows, int], int | None] | None = None  # the least that any solution takes; None for none


def counts_of(solution: str) -> dict[str, int]:
    """Returns what a solution takes, by the names of units."""
    return {"moves": len(solution)}


# Here stand the rules that a game hands out, with functions of these names.
# The end of the rules.


def rules_digest() -> str:
    """Returns a digest of the rules above, as they stand in this file, and of those in `rulebook/`."""
    text = Path(__file__).read_text(encoding="utf-8")
    first = "# Here stand the rules that a game hands out, with functions of these names.\n"
    rules = text.split("\n" + first)[1].split("\n# The end of the rules.\n")[0]
    found = hashlib.sha256(rules.encode())
    for file in sorted((Path(__file__).parent / "rulebook").glob("*.py")):
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    return found.hexdigest()


def grid_of(text: Any, symbols: str) -> Rows:
    """Returns a level as rows of the numbers of its tiles."""
    if not isinstance(text, str) or not text:
        raise Fault("its level is no text")
    rows = text.split("\n")
    if len({len(row) for row in rows}) != 1 or not rows[0]:
        raise Fault("its rows are not of one length")
    tiles = {symbol: i for i, symbol in enumerate(symbols)}
    if any(character not in tiles for row in rows for character in row):
        raise Fault("it holds a character that is no tile")
    return [[tiles[character] for character in row] for row in rows]


def verify(entry: Any, told: Any, most: int) -> bool:
    """Returns whether all of an entry was verified, or all but its bound; raises Fault where it is not so."""
    grid = grid_of(entry["level"], told["symbols"])
    if hashlib.sha256(entry["level"].encode()).hexdigest() != entry["sha256"]:
        raise Fault("its level is not the one that was certified")
    claim, solution, bound = entry["claim"], entry["solution"], entry["bound"]
    if claim not in ("fewest", "can be won", "cannot be won"):
        raise Fault(f"it claims {claim!r}, which is nothing that can be verified")
    if claim == "cannot be won":
        if solution is not None or bound is not None:
            raise Fault("it cannot be won, and has a solution or a bound")
    else:
        if play is None or not isinstance(solution, str):
            raise Fault("it has no solution to play")
        play(grid, solution)
        length = counts_of(solution).get(told["unit"])
        if length != entry["length"]:
            raise Fault(f"it says {entry['length']} {told['unit']}, the solution has {length}")
        if claim == "can be won":
            return True
        if bound != length:
            raise Fault(f"its bound is {bound}, and its solution has {length} {told['unit']}")
    if fewest is None:
        return False
    try:
        least = fewest(grid, most)
    except TooMany:
        return False
    if least != bound:
        raise Fault(f"a plain search finds {'no solution' if least is None else least}, it says {bound}")
    return True


def main() -> int:
    """Verifies all entries of a certificate and prints what was found; returns the status."""
    words = argparse.ArgumentParser(description="verifies a certificate of levels")
    words.add_argument("certificate", type=Path)
    words.add_argument("--states", type=int, default=200_000, help="most positions to look at for a bound")
    words.add_argument("--strict", action="store_true", help="a bound that is not verified is a fault")
    asked = words.parse_args()
    try:
        told = json.loads(asked.certificate.read_text(encoding="utf-8"))
        entries = told["levels"]
        if told["format"] != FORMAT or told["version"] != VERSION:
            raise Fault(f"expected a {FORMAT} of version {VERSION}")
        if told["rules"] != rules_digest():
            raise Fault(f"it was made under other rules of {told['game']} than those of this program")
    except (OSError, ValueError, KeyError, TypeError, Fault) as error:
        print(f"{asked.certificate}: no certificate that can be verified: {error}")
        return 1
    faults, bounded = 0, 0
    for number, entry in enumerate(entries, 1):
        try:
            whole = verify(entry, told, asked.states)
            bounded += whole
            if not whole and asked.strict:
                raise Fault("its bound was not verified: too many positions, or no search for this game")
        except (Fault, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            faults += 1
            if faults <= MOST_TOLD:
                name = entry.get("name", "") if isinstance(entry, dict) else ""
                print(f"level {number} {name}: {error if isinstance(error, Fault) else type(error).__name__}")
    print(f"{len(entries) - faults} of {len(entries)} levels accepted, {bounded} of them with all they claim")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
