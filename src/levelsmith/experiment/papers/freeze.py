"""Statements as they were before runs were seen: digests of their files, dated, in `frozen.toml`.

`python tools/results.py --freeze` adds the files as they are now. A page says which of them judged it, and
whether that file was frozen before its runs were begun.
"""

from __future__ import annotations

import hashlib
import tomllib
from importlib.resources import files

PAPERS = ("maps", "kartal", "koczorowski", "thakkar")
FILE = "frozen.toml"
HEAD = "# The statements of papers by the SHA-256 of their files, each time before runs that they judge.\n"


def digest(paper: str) -> str:
    """Returns the SHA-256 of the file with a paper's statements, readings and thresholds."""
    return hashlib.sha256((files(__package__) / paper / "statements.toml").read_bytes()).hexdigest()


def frozen() -> list[dict[str, str]]:
    """Returns what was frozen, the earliest first: `on`, when, and a digest by paper."""
    file = files(__package__) / FILE
    found: list[dict[str, str]] = tomllib.loads(file.read_text("utf-8"))["frozen"] if file.is_file() else []
    return found


def written(on: str) -> str:
    """Returns the file with the statements of all papers as they are now."""
    entries = [*frozen(), {"on": on, **{paper: digest(paper) for paper in PAPERS}}]
    told = ["\n".join(f'{key} = "{value}"' for key, value in each.items()) for each in entries]
    return HEAD + "".join(f"\n[[frozen]]\n{each}\n" for each in told)


def told(paper: str, begun: str, known: list[dict[str, str]] | None = None) -> str:
    """Returns which statements judge a page, and whether they were there before its runs."""
    known = frozen() if known is None else known
    mine = digest(paper)
    when = [each["on"] for each in known if each.get(paper) == mine]
    if when:
        early = bool(begun) and when[0] <= begun
        state = f"It was frozen on {when[0][:10]}, {'before' if early else 'after'} these runs were begun."
    elif any(paper in each for each in known):
        state = f"It has changed since it was frozen last, on {known[-1]['on'][:10]}."
    else:
        state = "It was not frozen before these runs."
    return (
        f"The statements, how they are read, and the thresholds are `papers/{paper}/statements.toml`, with "
        f"the SHA-256 `{mine}`. {state} What was changed after runs were seen is in "
        "`docs/results/deviations.md`."
    )
