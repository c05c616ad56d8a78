"""What to say of levels that were asked for and could not be made."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from levelsmith.core import Level
from levelsmith.errors import listed, option
from levelsmith.levels.measure import measure
from levelsmith.making.build import terms_of
from levelsmith.making.task import Task
from levelsmith.making.wants import Want


def shortfall(task: Task, missing: int, asked: int, near: str = "", within: float | None = None) -> str:
    """Tells in a line how many levels are missing, in which ranges and whose, and what to try.

    Args:
        near: how near the best came, where that is known.
        within: the time limit for all levels together, where there was one.
    """
    which = f"{missing:,} of {asked:,} levels" if asked > 1 else "the level"
    ranges = listed(_told(task, want.metric, want.range) for want in task.wants)
    asked_for = f" with {ranges}" if task.wants else ""
    apart = ", no two alike" if task.distinct and asked > 1 else ""
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
