"""What `levelsmith check` finds in a PuzzleScript game besides whether its levels can be won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from levelsmith.contracts import Found, Inspected
from levelsmith.core import Cancel, Effort, Level, Verdict
from levelsmith.errors import LevelsmithError, listed, quoted
from levelsmith.games.kernels.walker import LOST, Graph, steps_to_end
from levelsmith.games.puzzlescript.kernels.spread import FOUND, LOOSE, WINS
from levelsmith.games.puzzlescript.metrics import rules_of
from levelsmith.games.puzzlescript.solve import LETTERS, Hunt
from levelsmith.games.puzzlescript.tables import Tables, as_int
from levelsmith.games.puzzlescript.traits import why_not
from levelsmith.levels.spending import SolverLimit, Spending

if TYPE_CHECKING:
    from levelsmith.games.puzzlescript.game import PuzzleGame

INSPECTIONS = {
    "script-error": ("error", "what the original's compiler calls an error; the game is played without it"),
    "script-warning": ("warning", "what the original's compiler warns of"),
    "unused-object": ("warning", "an object that is in no level and that no rule can make"),
    "hidden-message": ("warning", "a message that no player can ever see"),
    "won-at-once": ("warning", "a level whose win conditions hold before anybody moves"),
    "idle-rule": ("off", "a rule that no level needs: each can be won without it"),
    "dead-rule": ("off", "a rule that changes nothing in any state of any level"),
    "lost-at-start": ("off", "a first key after which nobody can win any more"),
}
ROOM = 20_000  # states, of all of which there is a graph
WAYS = {"u": "up", "l": "left", "d": "down", "r": "right", "x": "action"}


def identity(tables: Tables, board: bytes, lines: bool) -> bytes:
    """Returns a digest of rules and a board, without names and sprites; with `lines`, of the rules' too."""
    found = blake2b(digest_size=16)
    for name, value in ((field.name, getattr(tables, field.name)) for field in fields(tables)):
        columns = value._asdict() if isinstance(value, tuple) else {name: value}  # type: ignore[attr-defined]
        for column, told in columns.items():
            if column != "line" or lines:
                text = told.tobytes() if isinstance(told, np.ndarray) else repr(told).encode()
                found.update(f"{name}.{column} {np.shape(told)}\n".encode() + text)
    found.update(board)
    return found.digest()


def inspect(
    game: PuzzleGame, name: str, level: Level, verdict: Verdict, effort: Effort, cancel: Cancel | None
) -> Inspected:
    """Returns what is found of one kind in a level, and the facts that `inspect_all` goes by."""
    if name == "won-at-once" and game.plain_metrics(level.grid)["unmet"] == 0 and not _only_by_rule(game):
        return Inspected([Found(name, "its win conditions hold before anybody moves")])
    if why_not(game.program.tables):
        return Inspected([])
    if name == "idle-rule":
        needed = _needed(game, level, verdict, effort, cancel)
        return Inspected([], needed, needed is not None)
    if name == "dead-rule":
        fired = _fired(game, level, effort, cancel)
        return Inspected([], fired, fired is not None)
    if name == "hidden-message":
        fired = _fired(game, level, effort, cancel) if game.program.messages else []
        return Inspected([], {"status": verdict.status, "fired": fired}, fired is not None)
    if name == "lost-at-start" and verdict.status == "solved":
        found = _lost(game, level, effort, cancel)
        return Inspected(found or [], complete=found is not None)
    return Inspected([])


def inspect_all(
    game: PuzzleGame, name: str, levels: Sequence[Level], facts: Sequence[Any]
) -> Iterator[Found]:
    """Yields what is found of one kind in all levels together, each at its line of the source."""
    faults = game.program.source.faults
    if name == "script-error":
        yield from (Found(name, f.text, None, max(1, f.line), max(1, f.column)) for f in faults.told)
    elif name == "script-warning":
        yield from (
            Found(name, f.text, None, max(1, f.line), max(1, f.column)) for f in sorted(faults.warnings)
        )
    elif name == "unused-object":
        yield from _unused(game)
    elif name == "hidden-message":
        yield from _hidden(game, levels, facts)
    elif name in ("idle-rule", "dead-rule") and facts and None not in facts:
        said = "no level needs this rule" if name == "idle-rule" else "this rule never changes anything"
        used = {line for some in facts for line in some}
        for line in sorted({int(line) for line in game.program.tables.rules.line} - used):
            yield Found(name, f"{said}: {quoted(' '.join(game.lines[line - 1].split()))}", None, line)


def _only_by_rule(game: PuzzleGame) -> bool:
    """Tells whether a game is won by the command of a rule alone: it has no conditions."""
    return not len(game.program.tables.wins.kind)


# ---------------------------------------------------------------------------------------------------- levels


def _needed(
    game: PuzzleGame, level: Level, verdict: Verdict, effort: Effort, cancel: Cancel | None
) -> list[int] | None:
    """Returns the lines of the rules without which a level cannot be won; None where that is not known."""
    if verdict.solution is None:
        return [] if verdict.status == "unsolvable" else None
    needed = []
    for line in rules_of(game, level, verdict.solution):  # without any other the same keys win
        other = game.without(line)
        try:
            other.verify(replace(level, solution=verdict.solution))
            continue
        except LevelsmithError:
            found = other.solve(level, effort, cancel=cancel).status
        if found == "unknown":
            return None
        if found == "unsolvable":
            needed.append(line)
    return needed


def _explored(
    game: PuzzleGame, level: Level, effort: Effort, cancel: Cancel | None
) -> tuple[Any, list[int]] | None:
    """Returns what each key leads to in each state of a level, and the lines of the rules that changed
    something on the way; None where there are too many states."""
    limits = Effort(min(ROOM, effort.states or ROOM), effort.seconds, effort.memory)
    hunt = Hunt(game, level, Spending(limits, cancel), plain=True)
    graph = np.zeros((ROOM + len(hunt.keys), len(hunt.keys)), np.int32)
    try:
        hunt.run(graph)
    except SolverLimit:
        return None
    if hunt.tally[LOOSE]:
        return None
    lines = game.program.tables.rules.line
    return graph[: int(hunt.tally[FOUND])], sorted({int(lines[rule]) for rule in hunt.engine.fired})


def _fired(game: PuzzleGame, level: Level, effort: Effort, cancel: Cancel | None) -> list[int] | None:
    found = _explored(game, level, effort, cancel)
    return None if found is None else found[1]


def _lost(game: PuzzleGame, level: Level, effort: Effort, cancel: Cancel | None) -> list[Found] | None:
    """Returns one finding for each key that cannot be made good at the start; None where a limit was
    reached."""
    found = _explored(game, level, effort, cancel)
    if found is None:
        return None
    to = found[0]
    states = len(to)
    moving = to != np.arange(states)[:, None]
    first = np.r_[0, np.cumsum(moving.sum(axis=1)), moving.sum()]
    graph = Graph(
        first.astype(np.int64),
        np.where(to == WINS, states, to)[moving].astype(np.int32),
        np.zeros(states + 1),
        (np.arange(states + 1) == states).astype(np.uint8),
    )
    steps, _ = steps_to_end(graph)
    keys = [LETTERS[int(key)] for key in Hunt(game, level, Spending(effort, cancel), plain=True).keys]
    return [
        Found("lost-at-start", f"after {WAYS[letter]} as the first key nobody can win")
        for letter, there in zip(keys, to[0].tolist(), strict=True)
        if there not in (WINS, 0) and steps[there] == LOST
    ]


# ------------------------------------------------------------------------------------------------- all levels


def _unused(game: PuzzleGame) -> Iterator[Found]:
    """Yields the objects that can never be seen: by going from those in levels to what rules make of them."""
    program = game.program
    there = 0
    for level in program.levels:
        if level.board is not None:
            there |= as_int(np.bitwise_or.reduce(level.board, axis=0))
    there |= game.cells.background
    rules = list(_asked_and_made(program.tables))
    while True:
        before = there
        for asked, one_of, made in rules:
            if asked & ~there == 0 and all(some & there for some in one_of):
                there |= made
        if there == before:
            break
    for number, name in enumerate(program.names):
        if name and not there >> number & 1:
            thing = program.source.objects[name]
            yield Found("unused-object", f"{name} is in no level, and no rule makes one", None, thing.line)


def _asked_and_made(tables: Tables) -> Iterator[tuple[int, list[int], int]]:
    """Yields for each rule the objects that must be there, sets of which one must be, and those it makes."""
    rules, cells = tables.rules, tables.cells

    def below(first: Any, count: Any, some: Iterable[int]) -> list[int]:
        return [i for one in some for i in range(int(first[one]), int(first[one] + count[one]))]

    for rule in range(len(rules.line)):
        parts = below(rules.part_first, rules.part_count, below(rules.row_first, rules.row_count, [rule]))
        asked, made, one_of = 0, 0, []
        for cell in below(rules.cell_first, rules.cell_count, parts):
            asked |= as_int(cells.present[cell])
            made |= as_int(cells.set[cell]) | as_int(cells.random[cell])
            first = int(cells.any_first[cell])
            one_of += [as_int(some) for some in cells.any_of[first : first + int(cells.any_count[cell])]]
        yield asked, one_of, made


def _hidden(game: PuzzleGame, levels: Sequence[Level], facts: Sequence[Any]) -> Iterator[Found]:
    """Yields messages that come after a level that nobody can win, and those of rules that never change or
    command anything in any state of any level."""
    known = [fact for fact in facts if fact]
    behind, number = "", 0
    for shown in game.program.levels:
        if shown.board is not None:
            fact = facts[number] if number < len(facts) else None
            number += 1
            if fact and fact["status"] == "unsolvable":
                behind = f"level {number}"
        elif behind:
            text = f"nobody sees {quoted(shown.message)}: {behind} before it cannot be won"
            yield Found("hidden-message", text, None, shown.line)
    if len(known) == len(facts) and all(fact["fired"] is not None for fact in known) and known:
        fired = {line for fact in known for line in fact["fired"]}
        for line, text in sorted(game.program.messages.items()):
            if line not in fired:
                yield Found(
                    "hidden-message", f"nobody sees {quoted(text)}: its rule never matches", None, line
                )


def erased(game: PuzzleGame, level: Level, thing: str) -> Level:
    """Returns a level without an object, or all those that a name of the legend stands for."""
    cells, members = game.cells, game.program.source.members(thing.lower())[1]
    gone = sum(1 << i for i, name in enumerate(game.program.names) if name and name in members)
    if not gone:
        raise LevelsmithError(f"{game.name} has no object called {quoted(thing)}")
    grid = level.grid.copy()
    for tile in np.unique(level.grid).tolist():
        left = cells.sets[tile] & ~gone
        if left != cells.sets[tile]:
            left = left if left & cells.grounds else left | cells.background
            if left not in cells.index:
                names = listed(cells.name(one) for one in (cells.sets[tile],))
                raise LevelsmithError(f"{game.name} has no cell like {names} without {thing}")
            grid[level.grid == tile] = cells.index[left]
    return replace(level, grid=grid, solution=None)
