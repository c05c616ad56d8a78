"""Writes the files that a page shows into it anew: `python docs/shown.py docs/own-game.md`.

A comment before a block says which file of the project it shows, and how much of it:
`<!-- file: examples/game/src/game/__init__.py | end-before: def compiled | append: GAME = MyGame() -->`
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHOWN = re.compile(
    r"^<!-- file: (?P<told>[^>]*) -->\n\n```python\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL
)


def options_of(told: str) -> dict[str, str]:
    """Returns what a comment says: the `file`, and where it has them `start-at`, `end-before`, `append`."""
    file, *pairs = told.split(" | ")
    return {"file": file, **dict(pair.split(": ", 1) for pair in pairs)}


def text_of(options: dict[str, str]) -> str:
    """Returns the part of the file that is shown."""
    lines = (ROOT / options["file"]).read_text(encoding="utf-8").splitlines()
    if "start-at" in options:
        lines = lines[[options["start-at"] in line for line in lines].index(True) :]
    if "end-before" in options:
        lines = lines[: [options["end-before"] in line for line in lines].index(True)]
    text = "\n".join(lines).rstrip() + "\n"
    return f"{text}\n\n{options['append']}\n" if "append" in options else text


def name_of(options: dict[str, str]) -> str:
    """Returns what the file is called where the page's reader has it."""
    return options["file"].removeprefix("examples/")


def refreshed(page: str) -> str:
    """Returns a page with the files as they are now."""

    def block(match: re.Match[str]) -> str:
        options = options_of(match["told"])
        rest = " (the end of it)" if "start-at" in options else ""
        return (
            f"<!-- file: {match['told']} -->\n\n```python\n# {name_of(options)}{rest}\n{text_of(options)}```"
        )

    return SHOWN.sub(block, page)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
