"""Writes a certificate of levels, and beside it the program that verifies it without levelsmith."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from levelsmith.checking import examine
from levelsmith.checking.run import Checked, Examined
from levelsmith.contracts import WithBound, WithRuleBook
from levelsmith.errors import LevelsmithError, listed
from levelsmith.files import write_files
from levelsmith.levels.certificate.verify_certificate import FORMAT, VERSION
from levelsmith.levels.dataset.program import PLACE, alone
from levelsmith.registry import games

PROGRAM = "verify_certificate.py"
END = "# The end of the rules.\n"
CLAIMS = {examine.WON: "fewest", examine.WINNABLE: "can be won", examine.UNWINNABLE: "cannot be won"}


def program_of(game: Any) -> tuple[dict[str, bytes], str]:
    """Returns the program that verifies certificates of a game, with what lies beside it, and the digest of
    its rules."""
    if not isinstance(game, WithRuleBook):
        able = [each.name for each in games.working() if isinstance(each, WithRuleBook)]
        raise LevelsmithError(
            f"{game.name} hands out no rules that a certificate could be verified by; expected {listed(able)}"
        )
    book = game.rule_book()
    rules = alone(book.rules) + (f"\n\n{alone(game.bound_book())}" if isinstance(game, WithBound) else "")
    text = files("levelsmith.levels.certificate").joinpath(PROGRAM).read_text(encoding="utf-8")
    whole = text.replace("\n" + PLACE + END, f"\n{PLACE}{rules}\n{END}")
    found = sha256(rules.encode())
    beside = {f"rulebook/{name}": other.encode() for name, other in book.files.items()}
    for name in sorted(beside):
        found.update(Path(name).name.encode() + b"\0" + beside[name])
    return {PROGRAM: whole.encode(), **beside}, found.hexdigest()


def certify(checked: Checked, output: str) -> tuple[int, int]:
    """Writes a certificate of all levels of which something is proved, and the program beside it.

    Returns how many levels it has, and how many were left out.
    """
    everyone = list(checked.all())
    sure = [each for each in everyone if each.verdict is not None and each.verdict["status"] in CLAIMS]
    if not sure:
        wrong = [f"{read.path}: {found.text}" for read in checked.project.files for found in read.wrong]
        raise LevelsmithError(
            wrong[0] if wrong else "expected at least one level of which something is proved, got none"
        )
    names = list(dict.fromkeys(each.placed.level.game for each in sure))
    if len(names) > 1:
        raise LevelsmithError(f"expected levels of one game in a certificate, got {listed(names)}")
    game = games.get(names[0])
    program, digest = program_of(game)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "symbols": game.tiles.symbols,
        "unit": examine.counted(game),
        "rules": digest,
        "levels": entries(sure),
    }
    path = Path(output)
    data = (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
    write_files({**{path.parent / name: text for name, text in program.items()}, path: data})
    return len(sure), len(everyone) - len(sure)


def entries(levels: Sequence[Examined]) -> list[dict[str, Any]]:
    """Returns what is certified of each level."""
    found = []
    for each in levels:
        verdict, level = each.verdict or {}, each.placed.level
        length = verdict["metrics"].get(examine.counted(games.get(level.game)))
        fewest = verdict["status"] == examine.WON
        found.append(
            {
                "name": each.placed.name,
                "title": level.title,
                "level": level.text,
                "sha256": sha256(level.text.encode()).hexdigest(),
                "claim": CLAIMS[verdict["status"]],
                "solution": verdict["solution"],
                "length": length,
                "bound": length if fewest else None,
            }
        )
    return found
