"""The one error type for a user's mistake, and the words such errors are made of; imports nothing heavy."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

LONGEST_QUOTE = 60
LONGEST_MESSAGE = 900  # what a file says about itself may be a million characters long


class LevelsmithError(Exception):
    """What was expected, what came, what to type next: one line, shown without a traceback."""

    def __init__(self, message: str):
        super().__init__(_fitted(printable(message)))


def _fitted(message: str) -> str:
    """Returns a message without the middle of one that is too long: its end says what to type next."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    return f"{message[: 2 * LONGEST_MESSAGE // 3]} … {message[-LONGEST_MESSAGE // 4 :]}"


def printable(text: str) -> str:
    """Returns text on one line, safe for any terminal: control characters become spaces or vanish.

    >>> printable("two\\nlines \\x1b[31mred")
    'two lines [31mred'
    """
    if text.isascii() and text.isprintable():  # most text is, and some of it is long
        return text
    kept = (" " if c in "\r\n\t\v\f" else c for c in text if c in "\r\n\t\v\f" or _harmless(c))
    return "".join(kept)


def _harmless(character: str) -> bool:
    # Cc: escapes. Cf: invisible marks that reorder text. Cs: lone surrogates that no stream can encode.
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def quoted(value: object) -> str:
    """Returns a value as it came, in quotes, cut to a length that fits a line."""
    # A wrong value may be ten megabytes of list: name its kind instead of spelling it out.
    kinds: dict[type, str] = {dict: "an object", list: "a list", tuple: "a list"}
    if type(value) in kinds:
        return kinds[type(value)]
    if hasattr(value, "__fspath__"):  # a path is of use only whole
        return f"'{printable(str(value))}'"
    try:
        text = printable(str(value)[: 4 * LONGEST_QUOTE])
    except ValueError:  # Python spells out no number of more than 4,300 digits
        return "a number of thousands of digits"
    if len(text) > LONGEST_QUOTE:
        text = text[: LONGEST_QUOTE - 1] + "…"
    return f"'{text}'"


def listed(names: Iterable[str]) -> str:
    """Returns names as a person would list them: a, b, c."""
    return ", ".join(names) or "none"


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Returns the known name that a typo most likely meant."""
    from difflib import get_close_matches

    by_lower = {known.lower(): known for known in names}
    begun = [known for known in by_lower if len(name) > 1 and known.startswith(name.lower())]
    close = begun if len(begun) == 1 else get_close_matches(name.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[close[0]] if close else None


def unknown(kind: str, name: str, names: Iterable[str], hint: str = "") -> LevelsmithError:
    """Returns the error for a name that is not in a list, with the one that was probably meant."""
    if not isinstance(name, str):
        return LevelsmithError(f"expected the name of a {kind}, got {quoted(name)}")
    names = list(names)
    meant = nearest(name, names)
    suggestion = f"; did you mean {quoted(meant)}?" if meant else f"; expected one of: {listed(names)}"
    return LevelsmithError(f"no {kind} is called {quoted(name)}{suggestion}{f' ({hint})' if hint else ''}")
