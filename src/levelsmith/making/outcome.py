"""What comes of a run: levels with where they came from, and in words why there are no others."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import inf

from levelsmith.contracts import WithGuards, WithStart
from levelsmith.core import SOLVED, Batch, Grid, Level, Made, Result
from levelsmith.errors import listed, option
from levelsmith.levels.measure import measure
from levelsmith.levels.proof import WithShortest, check_replay
from levelsmith.making.build import terms_of
from levelsmith.making.task import Task
from levelsmith.making.wants import Want
from levelsmith.registry import games, generators, representations


def level_of(task: Task, grid: Grid, score: float, proof: str | None, after: int | None = None) -> Level:
    """Returns the level that is handed out of a grid; a proof is played by the game's own rule book first."""
    game = games.get(task.game)
    origin = {**task.provenance(), "score": score, **({} if after is None else {"evaluations": after})}
    grid = finished(task, _completed(task, grid))
    level = Level(task.game, game.tiles, grid, solution=proof, provenance=origin)
    if proof is not None:
        check_replay(level)
    return level


def _completed(task: Task, grid: Grid) -> Grid:
    """Returns a grid with what its game places; enemies of a level that was given stay where they are."""
    game = task.played
    if task.start_level is not None and isinstance(game, WithGuards):
        game = game.against("still")
    return game.completed(grid, counted(task)) if isinstance(game, WithStart) else grid


def finished(task: Task, grid: Grid) -> Grid:
    """Returns a grid as it is handed out, where the representation has a last word on fresh levels."""
    if task.representation is None or task.start_level is not None:
        return grid
    values = task.values[task.representation]
    return representations.get(task.representation).finished(grid, values, counted(task))


def counted(task: Task) -> dict[str, float]:
    """Returns what is enough, or infinity, of each metric asked for, or by which levels are told apart."""
    axes = str(task.values[task.search].get("by", "")).split(",")
    found = {axis.partition(":")[0].strip().replace("-", "_"): inf for axis in axes}
    for term in terms_of(task):
        enough = term.low if term.shape == "ramp" else inf
        found[term.metric] = max(enough, found.get(term.metric, -inf))
    return found


def levels_of(task: Task, made: Made) -> Iterator[Level]:
    """Yields the levels that were made as values, with where they came from."""
    if not isinstance(made, Batch):
        yield from made.levels if isinstance(made, Result) else ()
        return
    tiles, origin = games.get(task.game).tiles, task.provenance()
    strange = not generators.ships(task.search)  # makers of our own are replayed by the tests
    for run, grid, solution, spent in zip(
        made.runs.tolist(), made.grids, made.solutions, made.evaluations.tolist(), strict=True
    ):
        provenance = {**origin, "run": run, "score": 1.0, "evaluations": spent}
        level = Level(task.game, tiles, grid, solution=solution, provenance=provenance)
        if strange and solution:
            check_replay(level)
        yield level


def meets_goal(task: Task, level: Level) -> bool:
    """Tells whether a level has the score of one that was asked for."""
    return task.has_goal and bool(level.provenance["score"] >= SOLVED)


def no_level(task: Task) -> str | None:
    """Returns what to say of a candidate without a proof, where that is no level; else None."""
    if task.representation is None:
        return None
    values = task.values[task.representation]
    return representations.get(task.representation).no_level(task.size, values, bool(task.lock))


def why_none(task: Task, level: Level) -> str:
    """Tells how near the best of a run came to being a level that was asked for."""
    if (why := no_level(task)) and level.solution is None:
        return why
    if task.wins and level.solution is None:
        return "the agent did not win it against the guards"
    if task.needs_proof and level.solution is None and meets_goal(task, level):
        return f"{task.game} finds no solution of a level that meets all that was asked for"
    if task.representation is None and level.solution is None and isinstance(task.played, WithShortest):
        return "no candidate was proved"
    return missed(task.wants, measure(level))


def missed(wants: Collection[Want], found: Mapping[str, float | None]) -> str:
    """Tells in a line how near a level came to ranges that it does not lie in."""
    parts = []
    for want in wants:
        value = found[want.metric]
        if value is None or not want.low <= value <= want.high:
            shown = "unknown" if value is None else f"{value:.4g}"
            end = "most" if value is None or value < want.low else "least"
            parts.append((shown, want, end))
    if len(parts) == 1:
        shown, want, end = parts[0]
        many = want.metric.endswith("s")
        words = f"{shown} {_words(want)} were" if many else f"{_words(want)} {shown} was"
        return f"{words} the {end} found; asked for {want.range}"
    told = [f"{_words(want)} {shown} (asked for {want.range})" for shown, want, _ in parts]
    return f"the nearest level has {listed(told)}" if told else ""


def _words(want: Want) -> str:
    return want.metric.replace("_", " ")


def shortfall(task: Task, missing: int, asked: int, near: str = "", within: float | None = None) -> str:
    """Tells in a line how many levels are missing, in which ranges and whose, and what to try.

    Args:
        near: how near the best came, where that is known.
        within: the time limit for all levels together, where there was one.
    """
    which = f"{missing:,} of {asked:,} levels" if asked > 1 else "the level"
    ranges = listed(_told(task, want.metric, want.range) for want in task.wants)
    asked_for = f" with {ranges}" if task.wants else ""
    apart = ", no two alike" if (task.batches or task.tells_apart) and asked > 1 else ""
    budget = task.budget
    spent = [
        *([f"{budget.evaluations:,} evaluations"] if budget.evaluations is not None else []),
        *([f"{budget.seconds:g} s"] if budget.seconds is not None else []),
    ]
    each = " each" if asked > 1 else ""
    limits = f"{' or '.join(spent)}{each}"
    more = "evaluations" if budget.evaluations is not None else "seconds"
    if within is not None:
        limits, more = f"{within:g} s", "within"
    came = f" ({near})" if near else ""
    others = "try other ranges, or more" if task.wants else "try more"
    return f"{which}{asked_for} could not be made in {limits}{apart}{came}; {others} {option(more)}"


def lacking(task: Task, level: Level) -> str:
    """Tells what of its goal a level does not meet: `pushes 8.. and difficulty 40..70`; "" where all is met,
    or where the goal is no range."""
    terms = terms_of(task) if task.has_goal and task.representation is not None else []
    if any(term.shape != "ramp" for term in terms):
        return ""
    found = measure(level)
    wants = [Want(term.metric, term.low, term.high) for term in terms]
    short = [want for want in wants if not want.low <= (found[want.metric] or 0.0) <= want.high]
    return listed(f"{want.metric.replace('_', ' ')} {want.range}" for want in short) if short else ""


def _told(task: Task, metric: str, range: str) -> str:
    preset = task.range_presets.get(metric)
    return f"{metric} {range}" + (f" (of the preset {preset})" if preset else "")
