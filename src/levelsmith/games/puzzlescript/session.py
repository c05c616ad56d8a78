"""A game played level after level, as the original records it: keys, undo, restart, ticks, again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from levelsmith.games.puzzlescript.compile import Program
from levelsmith.games.puzzlescript.kernels.codes import (
    ENDS,
    GOES_ON,
    MOST_AGAIN,
    PENDING,
    PLAY,
    PUSHED,
    START,
    WON,
)
from levelsmith.games.puzzlescript.tables import Words

Input = int | str  # 0 up, 1 left, 2 down, 3 right, 4 action; "tick", "undo", "restart"


class Engine(Protocol):
    """What plays one board: the kernel or its twin."""

    on_win: int
    told: int  # one more than the rule whose message is to be shown

    def load(self, board: Words, seed: str | None = None) -> None: ...
    def board(self) -> Words: ...
    def put(self, board: Words) -> None: ...
    def restart(self) -> int: ...
    def turn(self, key: int | None, kind: int = PLAY) -> int: ...


class Session:
    """Plays a program from one of its levels on; `won` counts the wins.

    Messages never stop it. A win loads the next level at once; where that is a message, or there is none,
    play goes on where it was, and nothing can be won any more.
    """

    def __init__(self, program: Program, engine: Any, level: int = 0, seed: str = "1"):
        self.program, self.make = program, engine
        self.won = 0
        self.endless = False  # again-turns were cut off
        self._load(level, seed)
        self._settle()

    def press(self, key: Input) -> None:
        """Takes one input and plays the again-turns that follow."""
        tables, self.engine.told = self.program.tables, 0
        if key == "undo":
            if not tables.no_undo:
                self._undo()
        elif key == "restart":
            if not tables.no_restart:
                self.undos.append(self.engine.board())
                self._after(self.engine.restart(), None)
        else:
            self._turn(None if key == "tick" else int(key))
        self._settle()

    @property
    def message(self) -> str:
        """Returns the message that the last input brought; "" for none."""
        rule = self.engine.told - 1
        return self.program.messages.get(int(self.program.tables.rules.line[rule]), "") if rule >= 0 else ""

    def _load(self, level: int, seed: str | None) -> None:
        found = self.program.levels[level]
        self.level, self.undos, self.pending = level, list[Words](), False
        following = self.program.levels[level + 1 : level + 2]
        self.engine: Engine = self.make(self.program.tables, found.height, found.width)
        self.engine.on_win = ENDS if following and following[0].board is not None else GOES_ON
        self.engine.load(found.board, seed)
        if self.program.tables.start_turn:
            self._after(self.engine.turn(None, START), None)

    def _settle(self) -> None:
        for _ in range(MOST_AGAIN):
            if not self.pending:
                return
            self._turn(None)
        self.endless, self.pending = True, False

    def _turn(self, key: int | None) -> None:
        self.pending = False
        before = self.engine.board()
        self._after(self.engine.turn(key), before)

    def _after(self, outcome: int, before: Words | None) -> None:
        self.pending = bool(outcome & PENDING)
        if outcome & PUSHED and before is not None:
            self.undos.append(before)
        if outcome & WON:
            self.won += 1
            if self.engine.on_win == ENDS:
                self._load(self.level + 1, "")

    def _undo(self) -> None:
        self.pending = False
        now = self.engine.board()
        while self.undos and (self.undos[-1] == now).all():
            self.undos.pop()
        if self.undos:
            self.engine.put(self.undos.pop())


def board_text(names: Sequence[str], board: Words, height: int, width: int) -> str:
    """Returns a board as sessions record it: its cells, column after column, cut into lines of `width`."""
    seen: dict[str, int] = {}
    lines = []
    for r in range(height):
        line = ""
        for c in range(width):
            words = board[r * width + c]
            found = [name for i, name in enumerate(names) if int(words[i // 64]) >> (i % 64) & 1]
            key = " ".join(sorted(found))
            line += f"{seen[key]}," if key in seen else f"{key}:{len(seen)},"
            seen.setdefault(key, len(seen))
        lines.append(line + "\n")
    return "".join(lines)
