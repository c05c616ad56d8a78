"""The documents of the project, and the blocks of code in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]

FENCE = re.compile(r"^```(?P<info>[^`\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
INCLUDED = "{literalinclude}"
PROMPT, CONTINUED = "$ ", "> "


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """One fenced block: what stands behind its opening fence, its text, the line it begins on."""

    info: str
    body: str
    line: int


def blocks(path: Path, *infos: str) -> Iterator[Block]:
    text = path.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        info = match["info"].strip()
        if info in infos or info.partition("} ")[0] + "}" in infos:
            yield Block(info, match["body"], text.count("\n", 0, match.start("body")) + 1)


def saving(path: Path, block: Block) -> str:
    """The command that saves an included file under its caption; its end alone stands for all of it."""
    options = dict(re.findall(r"^:([\w-]+): (.*)$", block.body, re.MULTILINE))
    text = (path.parent / block.info.split(" ")[1]).read_text(encoding="utf-8")
    if "end-before" in options:
        kept = text.splitlines()[: [options["end-before"] in line for line in text.splitlines()].index(True)]
        text = "\n".join([*kept, options["append"], ""])
    return f"cat > {options['caption']} <<'END'\n{text}END"


@dataclass
class Command:
    """One line behind a prompt, with the output that the document shows below it."""

    line: int
    text: str
    output: list[str]


def commands(path: Path) -> list[Command]:
    """The commands of every block marked `console` alone, in order; files that are shown are saved."""
    found: list[Command] = []
    for block in blocks(path, "console", INCLUDED):
        if block.info != "console":
            found.append(Command(block.line, saving(path, block), []))
            continue
        for number, line in enumerate(block.body.splitlines(), start=block.line):
            if line.startswith(PROMPT):
                found.append(Command(number, line.removeprefix(PROMPT), []))
            elif line.startswith(CONTINUED) and found[-1].text.endswith("\\"):
                found[-1].text += "\n" + line.removeprefix(CONTINUED)
            else:
                found[-1].output.append(line)
    return found
