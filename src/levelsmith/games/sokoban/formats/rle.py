"""Run-length codes of rows and moves: `3#2-` is `###--`, and `2(3(dr)R)` is `drdrdrRdrdrdrR`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from levelsmith.errors import LevelsmithError, quoted

LONGEST_COUNT = 9  # digits
DEEPEST = 16  # brackets in brackets
_CODE = re.compile("[0-9()]")
_TOKEN = re.compile(r"[0-9]+|[()]|[^0-9()]+")
T = TypeVar("T", int, bytearray)


def is_packed(text: str) -> bool:
    return _CODE.search(text) is not None


def length(text: str) -> int:
    """Returns how long it will be, known without unpacking it; raises LevelsmithError for a code that is
    none."""
    return _added(text, int, len)


def unpack(text: str) -> str:
    """Returns what the code stands for; its text is ASCII, and its length has been asked for before."""
    return _added(text, bytearray, lambda part: bytearray(part, "ascii")).decode("ascii")


def _added(text: str, nothing: Callable[[], T], worth: Callable[[str], T]) -> T:
    """Returns the sum of what the parts are worth, each as often as its count says."""
    counts: list[int] = []  # of the brackets that are open
    sums = [nothing()]
    count: int | None = None
    for token in _TOKEN.finditer(text):
        part = token[0]
        if part.isdecimal():
            count = _count(part)
            continue
        if part == ")":
            if count is not None or not counts:
                raise _error("something to repeat", f"{count or ''})", text)
            inner = sums.pop()
            sums[-1] += inner * counts.pop()
        elif part == "(":
            if len(counts) == DEEPEST:
                raise LevelsmithError(f"expected at most {DEEPEST} brackets in each other, got more")
            counts.append(count or 1)
            sums.append(nothing())
        else:
            sums[-1] += worth(part[0]) * (count or 1)
            sums[-1] += worth(part[1:])
        count = None
    if count is not None or counts:
        raise _error("a closing bracket" if counts else "something to repeat", "the end", text)
    return sums[0]


def _count(digits: str) -> int:
    if len(digits) > LONGEST_COUNT or int(digits) == 0:
        raise LevelsmithError(f"expected counts from 1 to {'9' * LONGEST_COUNT}, got {quoted(digits)}")
    return int(digits)


def _error(expected: str, came: str, text: str) -> LevelsmithError:
    return LevelsmithError(f"expected {expected}, got {came} in the run lengths {quoted(text)}")
