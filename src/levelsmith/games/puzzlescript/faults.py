"""What is wrong in a PuzzleScript source: all of it, each with its line and column."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from levelsmith.errors import nearest

MOST_TOLD = 1000
MOST_ERRORS = 5  # the original plays a game with up to five errors, without the faulty parts
MOST_MESSAGES = 100  # errors and warnings, after which the original gives up
MOST_GUESSED = 20  # unknown names for which a known one is looked for


@dataclass(frozen=True, order=True)
class Fault:
    line: int  # from 1; 0 where the whole file is meant
    column: int  # from 1
    text: str
    weight: int = 1  # for how many errors it counts in the original; 0 for a warning

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.text}" if self.line else self.text


@dataclass
class Faults:
    """The errors of one source, and what is only odd in it."""

    errors: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    dialect: Fault | None = None  # which the source is for, by the first word of it
    fatal: bool = False  # no part of the game is played, for an error that may be one of too many to tell
    _known: dict[tuple[int, str], int] = field(default_factory=dict)  # where it is in its list
    _counted: set[tuple[int, str, bool]] = field(default_factory=set)

    def error(
        self,
        line: int,
        column: int,
        text: str,
        weight: int = 1,
        fatal: bool = False,
        compiling: bool = False,
    ) -> None:
        """Adds an error, unless the same one is known.

        One that the original finds both when it reads and when it compiles counts twice.
        """
        self.fatal |= fatal
        if (line, text, compiling) in self._counted:
            return
        known = self._known.get((line, text))
        if known is not None:
            self.errors[known] = replace(self.errors[known], weight=self.errors[known].weight + weight)
        elif len(self.errors) < MOST_TOLD:
            self._known[line, text] = len(self.errors)
            self.errors.append(Fault(line, column, text, weight))
        else:
            return
        self._counted.add((line, text, compiling))

    def warn(self, line: int, column: int, text: str) -> None:
        """Adds a warning, unless the same one is known."""
        if (line, text, False) not in self._counted and len(self.warnings) < MOST_TOLD:
            self._counted.add((line, text, False))
            self.warnings.append(Fault(line, column, text, 0))

    def guess(self, name: str, names: Collection[str]) -> str:
        """Returns the end of a message about an unknown name: the one that was probably meant."""
        if name in names or len(self.errors) >= MOST_GUESSED:
            return ""
        meant = nearest(name, names)
        return f"; did you mean {meant!r}?" if meant else ""

    @property
    def told(self) -> list[Fault]:
        """The errors in the order of the lines; what names a dialect comes first, the whole file last."""
        ordered = sorted(self.errors, key=lambda fault: (not fault.line, fault))
        return ordered if self.dialect is None else [self.dialect, *ordered]

    @property
    def refused(self) -> bool:
        """Whether the original would not play such a game."""
        return self.fatal or self.weight > MOST_ERRORS

    @property
    def weight(self) -> int:
        """How many errors the original counts."""
        return sum(fault.weight for fault in self.errors)
