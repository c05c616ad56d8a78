"""What PuzzleScript Plus and Next run in other ways, written out in the original language.

With `local_radius` a rule matches near the first player alone: the cells around him are marked before the
rules run, and every cell of such a rule asks for a mark. A subroutine is written out where it is called:
the rule that calls it marks the board, and the first cell of every rule of the subroutine asks for a mark.
As each cell is marked or none, rules match as often, and in the same order, as in the dialect. No mark is
there between two turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

HIDDEN = "\u02e0"  # a letter that begins the names of marks, and no name of an author
FIRST, LINE, NEAR, ENDED = (HIDDEN + name for name in ("first", "line", "near", "ended"))
MOST_RADIUS = 60
DEEPEST = 4  # subroutines in subroutines
MOST_CALLED = 20_000  # lines of all of them
_ROW = re.compile(r"\[([^\[\]]*)\]")
_CALL = re.compile(r"(?<!\S)gosub\s+(.*)", re.I)
_SUBROUTINE = re.compile(r"\s*subroutine\s+(.*)", re.I)
_ENDS = re.compile(r"(?<!\S)(?:cancel|restart)(?!\S)", re.I)  # after it, nothing is called any more
_LATE = re.compile(r"(?<!\S)late(?!\S)", re.I)
_ABSENT = re.compile(r"(?<!\S)no\s+\S+")

Line = tuple[int, str]  # its number in the source, and text


class NoEqualError(Exception):
    """A call of a subroutine cannot be written out."""

    def __init__(self, line: int):
        super().__init__(line)
        self.line = line


def near_rules(radius: int) -> list[str]:
    """Returns the rules that mark the cells around the first player, which stand before all others."""
    rules = [
        f"[ player ] -> [ player {FIRST} ]",
        f"down [ {FIRST} | ... | {FIRST} ] -> [ {FIRST} | ... | ]",
        f"[ {FIRST} ] -> [ {FIRST} {LINE} ]",
        f"vertical [ {LINE} | no {LINE} ] -> [ {LINE} | {LINE} ]",
        f"right [ {LINE} | ... | {FIRST} ] -> [ {LINE} | ... | ]",
        f"[ {LINE} no {FIRST} ] -> [ ]",
    ]
    rules += _around(FIRST, LINE, "horizontal", radius)
    rules += [f"[ {FIRST} ] -> [ ]", f"[ {LINE} ] -> [ {LINE} {NEAR} ]"]
    rules += _around(LINE, NEAR, "vertical", radius)
    return [*rules, f"[ {LINE} ] -> [ ]"]


def _around(begin: str, mark: str, ways: str, radius: int) -> Iterator[str]:
    for far in range(1, radius + 1):
        between = "| " * (far - 1)
        yield f"{ways} [ {begin} | {between}] -> [ {begin} | {between}{mark} ]"


def near_alone(rule: str) -> str:
    """Returns a rule that matches in marked cells alone; rows with ... match everywhere."""
    return _ROW.sub(lambda row: row.group() if "..." in row.group() else _marked(row, NEAR), rule)


def _marked(row: re.Match[str], mark: str, cells: int | None = None) -> str:
    """Returns a row with a mark in its first cells, by default in all of them."""
    parts = row.group(1).split("|")
    most = len(parts) if cells is None else cells
    return f"[{'|'.join(f'{part} {mark} ' if n < most else part for n, part in enumerate(parts))}]"


def called(rule: str, mark: str) -> str:
    """Returns a rule that matches only where its first cell has a mark."""
    left, arrow, right = _asking(rule, mark).partition("->")
    return left + arrow + _ROW.sub(lambda row: _marked(row, mark, 1), right, count=1)


class Subroutines:
    """The rules of a source, with each subroutine written out where it is called."""

    def __init__(self, lines: Iterable[Line]):
        self.bodies: dict[str, list[Line]] = {"": []}
        self.marks: list[str] = []  # that are in use
        name, self.written = "", 0
        for number, line in lines:
            if head := _SUBROUTINE.fullmatch(line):
                name = head.group(1).strip().lower()
                self.bodies[name] = []
            else:
                self.bodies[name].append((number, line))

    def lines(self, name: str = "", deep: int = 0) -> Iterator[Line]:
        """Yields the lines of a body; the main one has no name."""
        goal, mark, loops = "", "", 0
        number = 0
        for number, line in self.bodies[name]:
            word = line.strip().lower()
            if not word:
                continue
            loops += (word == "startloop") - (word == "endloop")
            if goal and not word.startswith("+"):
                yield from self._body(number, goal, mark, deep)
                goal = ""
            call = _CALL.search(line)
            if call:
                if loops or goal or deep == DEEPEST or call.group(1).strip().lower() not in self.bodies:
                    raise NoEqualError(number)
                goal, mark = call.group(1).strip().lower(), f"{HIDDEN}called{'x' * deep}"
                line = _calling(number, line[: call.start()], mark)
                line = _asking(line, f"no {ENDED}")
                self._use(ENDED)
            yield from self._ended(number, line) if len(self.bodies) > 1 else [(number, line)]
        if goal:
            yield from self._body(number, goal, mark, deep)

    def _use(self, mark: str) -> None:
        if mark not in self.marks:
            self.marks.append(mark)

    def _ended(self, number: int, line: str) -> Iterator[Line]:
        """Yields a rule, and where it ends the turn, a mark of that."""
        if _LATE.search(line) or not _ENDS.search(line.rpartition("]")[2]):
            yield number, line
            return
        self._use(ENDED)
        yield number, _calling(number, line, ENDED)
        yield number, _everywhere(ENDED)

    def _body(self, number: int, name: str, mark: str, deep: int) -> Iterator[Line]:
        self._use(mark)
        yield number, _everywhere(mark)
        for here, line in self.lines(name, deep + 1):
            self.written += 1
            if self.written > MOST_CALLED or _LATE.search(line):
                raise NoEqualError(here)
            yield here, called(line, mark) if "[" in line else line
        yield number, f"[ {mark} ] -> [ ]"


def _everywhere(mark: str) -> str:
    return f"[ {mark} ] [ no {mark} ] -> [ {mark} ] [ {mark} ]"


def _asking(rule: str, mark: str) -> str:
    """Returns a rule whose first cell on the left asks for more."""
    left, arrow, right = rule.partition("->")
    return _ROW.sub(lambda row: _marked(row, mark, 1), left, count=1) + arrow + right


def _calling(number: int, rule: str, mark: str) -> str:
    """Returns a rule that marks its first cell."""
    left, arrow, right = rule.partition("->")
    if not arrow or not _ROW.search(left):
        raise NoEqualError(number)
    if not _ROW.search(right):
        rows = " ".join(row.group() for row in _ROW.finditer(left))
        right = f" {_ABSENT.sub('', rows)} {right}"
    return left + arrow + _ROW.sub(lambda row: _marked(row, mark, 1), right, count=1)
