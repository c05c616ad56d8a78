"""What is wrong in a PuzzleScript source: all of it, each with its line and column."""

from __future__ import annotations

from dataclasses import dataclass, field

MOST_TOLD = 1000
MOST_ERRORS = 5  # the original plays a game with up to five errors, without the faulty parts


@dataclass(frozen=True, order=True)
class Fault:
    line: int  # from 1; 0 where the whole file is meant
    column: int  # from 1
    text: str
    weight: int = 1  # for how many errors it counts in the original

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.text}" if self.line else self.text


@dataclass
class Faults:
    """The errors of one source, and what is only odd in it."""

    errors: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    fatal: bool = False  # no part of the game is played, for an error that may be one of too many to tell
    _known: set[tuple[int, str]] = field(default_factory=set)

    def error(self, line: int, column: int, text: str, weight: int = 1, fatal: bool = False) -> None:
        """Adds an error, unless the same one is known."""
        self.fatal |= fatal
        if (line, text) not in self._known and len(self.errors) < MOST_TOLD:
            self._known.add((line, text))
            self.errors.append(Fault(line, column, text, weight))

    def warn(self, line: int, column: int, text: str) -> None:
        """Adds a warning."""
        if len(self.warnings) < MOST_TOLD:
            self.warnings.append(Fault(line, column, text))

    @property
    def refused(self) -> bool:
        """Whether the original would not play such a game."""
        return self.fatal or self.weight > MOST_ERRORS

    @property
    def weight(self) -> int:
        """How many errors the original counts."""
        return sum(fault.weight for fault in self.errors)
