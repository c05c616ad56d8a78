"""The documents of the project, and the blocks of code in them."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(DOCS.glob("*.md")),
    *sorted(DOCS.glob("environments/*.md")),
]

_SPEC = importlib.util.spec_from_file_location("shown", DOCS / "shown.py")
assert _SPEC is not None
assert _SPEC.loader is not None
shown = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(shown)

FENCE = re.compile(r"^```(?P<info>[^`\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SETTINGS = re.compile(r"# (\w+)/(levelsmith\.toml)\n")
PROMPT, CONTINUED = "$ ", "> "


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """One fenced block: what stands behind its opening fence, its text, the line and place it begins on."""

    info: str
    body: str
    line: int
    start: int


def blocks(path: Path, *infos: str) -> Iterator[Block]:
    text = path.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        info = match["info"].strip()
        if info in infos:
            begin = match.start("body")
            yield Block(info, match["body"], text.count("\n", 0, begin) + 1, begin)


def saving(told: str) -> str:
    """The command that saves a file that is shown; its end alone stands for all of it."""
    options = {key: value for key, value in shown.options_of(told).items() if key != "start-at"}
    return f"cat > {shown.name_of(options)} <<'END'\n{shown.text_of(options)}END"


@dataclass
class Command:
    """One line behind a prompt, with the output that the document shows below it."""

    line: int
    text: str
    output: list[str]


def commands(path: Path) -> list[Command]:
    """The commands of every block marked `console` alone, in order; files that are shown are saved, and
    settings whose first line names their file."""
    found: list[Command] = []
    text = path.read_text(encoding="utf-8")
    files = {match.start("body"): match["told"] for match in shown.SHOWN.finditer(text)}
    for block in blocks(path, "console", "python", "toml"):
        if block.info == "toml":
            if (file := SETTINGS.match(block.body)) is not None:
                make = f"mkdir -p {file[1]} && cat > {file[1]}/{file[2]} <<'END'\n{block.body}END"
                found.append(Command(block.line, make, []))
            continue
        if block.info != "console":
            if block.start in files:
                found.append(Command(block.line, saving(files[block.start]), []))
            continue
        for number, line in enumerate(block.body.splitlines(), start=block.line):
            if line.startswith(PROMPT):
                found.append(Command(number, line.removeprefix(PROMPT), []))
            elif line.startswith(CONTINUED) and found[-1].text.endswith("\\"):
                found[-1].text += "\n" + line.removeprefix(CONTINUED)
            else:
                found[-1].output.append(line)
    return found
