"""The one error type for a user's mistake, and the words such errors are made of; imports nothing heavy.

A message names what can be asked for by `option` and `setting`. They leave a mark in the text, which each
reader is shown in words of their own: `seed=3` in Python, `--seed 3` on the command line.
"""

from __future__ import annotations

import re
import unicodedata
from ast import literal_eval
from collections.abc import Callable, Iterable
from typing import Any

LONGEST_QUOTE = 60
ALIKE = 0.65  # of 1, how like what was typed a name must be to be taken for what was meant
LONGEST_MESSAGE = 900  # what a file says about itself may be a million characters long
_MARK = re.compile("⟦(set )?([a-z][a-zA-Z_.]*)(?:=([^⟦⟧]*))?⟧")
_IN_PYTHON = {"limit_side": "limits", "limit_bytes": "limits"}  # options whose keyword has another name

Words = Callable[[str, Any, bool], str]  # of a name, a value or None, and whether it is a parameter


class LevelsmithError(ValueError):
    """What was expected, what came, what to type next: one line, shown without a traceback.

    As it is a ValueError, `except ValueError` takes it too: say `except LevelsmithError: raise` before, where
    one may come.
    """

    def __init__(self, message: str):
        super().__init__(_fitted(printable(message)))

    def __str__(self) -> str:
        return worded(self.marked, in_python)

    @property
    def marked(self) -> str:
        """The message as it was written, with marks for what can be asked for."""
        return str(self.args[0])

    @property
    def for_command_line(self) -> str:
        """The message in the words of the command line."""
        return worded(self.marked, on_command_line)


class RefusedError(LevelsmithError):
    """What is asked for is not to be had of any level of a game."""


class MissingLevelsError(LevelsmithError):
    """Not every level that was asked for could be made; `result` has those that were."""

    def __init__(self, message: str, result: Any = None):
        super().__init__(message)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.marked, self.result)


class UnknownTilesError(LevelsmithError):
    """A file does not say what some of its tiles are in a game; `found` are their numbers and names."""

    def __init__(self, message: str, found: Iterable[str] = (), game: str = ""):
        super().__init__(message)
        self.found, self.game = tuple(found), game

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.marked, self.found, self.game)


class UnknownKeywordError(LevelsmithError, TypeError):
    """A keyword that there is not, which Python calls a TypeError."""


def option(name: str, value: Any = None) -> str:
    """Returns the mark of an option, with its value where one is meant: `option("seed", 3)`."""
    return f"⟦{name}⟧" if value is None else f"⟦{name}={value!r}⟧"


def setting(name: str, value: Any = None) -> str:
    """Returns the mark of a parameter, which is asked for under `set`: `setting("mcts.memory", 2048)`."""
    return option(f"set {name}", value)


def worded(text: str, words: Words) -> str:
    """Returns a text with each mark in other words.

    >>> worded(f"leave out {option('device')}, or {setting('optimal', False)}", on_command_line)
    'leave out --device, or --optimal false'
    """

    def written(mark: re.Match[str]) -> str:
        try:
            value = None if mark[3] is None else literal_eval(mark[3])
        except (ValueError, SyntaxError):
            return mark[0]  # what somebody else wrote
        return words(mark[2], value, mark[1] is not None)

    return _MARK.sub(written, text)


def in_python(name: str, value: Any, parameter: bool) -> str:
    """Returns the keyword of a function."""
    if parameter:
        return name if value is None else f'set={{"{name}": {_literal(value)}}}'
    keyword = _IN_PYTHON.get(name, name)
    return keyword if value is None else f"{keyword}={_literal(value)}"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def on_command_line(name: str, value: Any, parameter: bool) -> str:
    """Returns the option of a command."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    if parameter and "." in name:
        return "--set" if value is None else f"--set {name}={text}"
    if isinstance(value, dict):  # a repeated option, called by one of them: --tile 3=wall for tiles
        return " ".join(f"--{name.removesuffix('s')} {key}={one}" for key, one in value.items())
    dashed = f"--{name.replace('_', '-')}"
    return dashed if value is None else f"{dashed} {text}"


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


def amount(number: float, noun: str) -> str:
    """Returns how many there are of a thing: 1 push, 2 pushes, 3 tries, 1,000 levels."""
    return f"{number:,.12g} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    if noun[-1] == "y" and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun[-1] in "hx" else f"{noun}s"


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Returns the known name that a typo most likely meant."""
    from difflib import get_close_matches

    by_lower = {known.lower(): known for known in names}
    begun = [known for known in by_lower if len(name) > 1 and known.startswith(name.lower())]
    close = begun if len(begun) == 1 else get_close_matches(name.lower(), by_lower, n=1, cutoff=ALIKE)
    return by_lower[close[0]] if close else None


def unknown(
    kind: str, name: str, names: Iterable[str], hint: str = "", meant: str | None = None
) -> LevelsmithError:
    """Returns the error for a name that is not in a list, with the one that was `meant`, or probably was."""
    if not isinstance(name, str):
        return LevelsmithError(f"expected the name of a {kind}, got {quoted(name)}")
    names = list(names)
    meant = meant or nearest(str(name), names)
    suggestion = f"; did you mean {quoted(meant)}?" if meant else f"; expected one of: {listed(names)}"
    return LevelsmithError(f"no {kind} is called {quoted(name)}{suggestion}{f' ({hint})' if hint else ''}")
