"""A whole project checked: levels whose answers are kept are not looked at again, the others are spread over
processes, and what is known when somebody stops it is told."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

from levelsmith import processes
from levelsmith.checking.examine import (
    INSPECT,
    NEEDS,
    REPLAY,
    UNKNOWN,
    VERDICT,
    WINNABLE,
    Answer,
    Job,
    counted,
    examined,
    questions_of,
    work,
)
from levelsmith.checking.findings import OFF, kinds_of
from levelsmith.checking.identity import identity_of, question
from levelsmith.checking.outcome import FileOutcome, Outcome
from levelsmith.checking.proofs import Proofs
from levelsmith.checking.reading import Project, Read, needs_of
from levelsmith.checking.settings import Settings, matches
from levelsmith.core import Cancel, Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.files import Placed
from levelsmith.registry import games

SAVE_SECONDS = 2.0  # between two times that answers are kept
MOST_BEGUN = 200  # levels for each worker that are begun before earlier ones are told


@dataclass
class Examined:
    """A level and the answers that are known about it, by question."""

    placed: Placed
    notes: dict[str, str]
    answers: dict[str, Answer] = field(default_factory=dict)
    proved: int = 0  # answers that were found now

    @property
    def verdict(self) -> Answer | None:
        """What came out; a level that no solver knows can be won where the solution in its file wins."""
        found, replayed = self.answers.get(VERDICT), self.replayed
        if found is None or found["status"] != UNKNOWN or not replayed.get("wins"):
            return found
        length = replayed.get("length")
        unit = counted(games.get(self.placed.level.game))
        told = {"metrics": {} if length is None else {unit: length}, "solution": self.placed.level.solution}
        return {**found, "status": WINNABLE, **told}

    @property
    def unsure(self) -> list[str]:
        """What was asked about it besides the verdict and is not known, as a limit was reached first."""
        return [
            asked.removeprefix(INSPECT).strip()
            for asked, answer in self.answers.items()
            if "unsure" in answer
        ]

    @property
    def replayed(self) -> Answer:
        """What came of the solution in the file; nothing where there is none."""
        return next((answer for asked, answer in self.answers.items() if asked.startswith(REPLAY)), {})


@dataclass
class Checked:
    """All levels of a project, file by file, with what was found out."""

    project: Project
    outcomes: dict[str, FileOutcome] = field(default_factory=dict)  # by path, as they are told
    levels: dict[str, list[Examined]] = field(default_factory=dict)  # by the path of their file
    stopped: str = ""  # why not all was looked at
    seconds: float = 0.0
    looked_at: int = 0  # levels of which something was proved now

    def all(self) -> Iterator[Examined]:
        return chain.from_iterable(self.levels.values())

    def told(self) -> Iterator[Outcome]:
        """Yields what came of each level, in the order of the files."""
        for path in dict.fromkeys(read.path for read in self.project.files):
            if path in self.outcomes:
                yield from self.outcomes[path].levels


def checked(
    project: Project,
    settings: Settings,
    proofs: Proofs,
    cancel: Cancel | None = None,
    told: Callable[[int, int], None] | None = None,
    graded: bool = False,
) -> Checked:
    """Returns what is known of all levels of a project after its check.

    Args:
        project: its files.
        settings: what to look for, and the limits.
        proofs: what is known, and where more is kept.
        cancel: asked now and then; True stops, and keeps what is known.
        told: called with how many levels are done, and of how many, now and then.
        graded: whether the difficulty of each level is asked for.
    """
    started = time.monotonic()
    until = None if settings.within is None else time.time() + settings.within
    result = Checked(project)
    levels = list(chain.from_iterable(_begun(read, result) for read in project.files))
    jobs = _jobs(levels, settings, proofs, until, graded)
    open_ones = [(each, asked) for each, asked in jobs if len(asked[0].known) < len(asked[0].questions)]
    result.looked_at = _run(open_ones, settings, proofs, cancel, told, len(levels))
    if cancel is not None and cancel():
        result.stopped = "interrupted"
    elif until is not None and time.time() >= until and any(each.verdict is None for each in levels):
        result.stopped = f"{settings.within:g} s for all levels are over"
    result.seconds = time.monotonic() - started
    return result


def _begun(read: Read, result: Checked) -> list[Examined]:
    if read.outcome is not None:
        result.outcomes[read.path] = read.outcome
        return []
    found = [Examined(placed, notes) for placed, notes in zip(read.levels, read.notes, strict=True)]
    result.levels.setdefault(read.path, []).extend(found)
    return found


Asked = tuple[Job, dict[str, bytes]]  # with the number of each question


def _jobs(
    levels: Sequence[Examined], settings: Settings, proofs: Proofs, until: float | None, graded: bool
) -> list[tuple[Examined, Asked]]:
    """Returns what is asked about each level, with what is known of it."""
    severities, found = settings.severities, []
    wanted_of: dict[str, list[str]] = {}
    for each in levels:
        placed = each.placed
        if placed.level.game not in wanted_of:
            kinds = kinds_of([games.get(placed.level.game)])
            wanted_of[placed.level.game] = [name for name in kinds if severities.of(name, kinds) != OFF]
        wanted = wanted_of[placed.level.game]
        needs = needs_of(placed, each.notes, settings)
        asked = questions_of(placed.level, wanted, needs, graded or "out-of-order" in wanted)
        numbers = _numbered(placed.level, settings.guards, asked)
        found.append((each, asked, numbers))
    known = proofs.known((number for *_, numbers in found for number in numbers.values()), settings.effort)
    jobs = []
    for each, asked, numbers in found:
        each.answers = {one: known[number] for one, number in numbers.items() if number in known}
        job = Job(
            each.placed.level, asked, dict(each.answers), settings.effort, settings.guards, until, os.getcwd()
        )
        jobs.append((each, (job, numbers)))
    return jobs


def _numbered(level: Level, guards: str | None, asked: Sequence[str]) -> dict[str, bytes]:
    """Returns the number of each question about a level."""
    by_line = {one: one.startswith((INSPECT, NEEDS)) for one in asked}
    identity = {lines: identity_of(level, guards, lines) for lines in set(by_line.values())}
    return {one: question(identity[lines], one) for one, lines in by_line.items()}


def _run(
    left: list[tuple[Examined, Asked]],
    settings: Settings,
    proofs: Proofs,
    cancel: Cancel | None,
    told: Callable[[int, int], None] | None,
    count: int,
) -> int:
    """Asks what is left, and keeps the answers; returns of how many levels something was found out."""
    same: dict[tuple[bytes, ...], list[tuple[Examined, Asked]]] = defaultdict(list)
    for one in left:
        same[tuple(one[1][1].values())].append(one)
    alike = list(same.values())  # levels that are the same are looked at once
    fresh: dict[bytes, Answer] = {}
    done, looked_at, due = count - len(left), 0, time.monotonic() + SAVE_SECONDS
    try:
        answered = answers_to([first[1][0] for first, *_ in alike], settings.processes, cancel)
        for some, new in zip(alike, answered, strict=False):
            for each, (_, numbers) in some:
                each.answers |= new
                each.proved = len(new)
                fresh |= {numbers[one]: answer for one, answer in new.items()}
            done += len(some)
            looked_at += bool(new)
            if told is not None:
                told(done, count)
            if time.monotonic() >= due:
                proofs.keep(fresh, settings.effort)
                fresh, due = {}, time.monotonic() + SAVE_SECONDS
    finally:
        proofs.keep(fresh, settings.effort)
    return looked_at


def answers_to(jobs: list[Job], workers: int, cancel: Cancel | None) -> Iterator[dict[str, Answer]]:
    """Yields the answers to each job in order: the first from here, the others from processes."""
    started, first = time.monotonic(), 0
    for first, job in enumerate(jobs):
        soon = time.monotonic() - started < processes.SOON
        if workers > 1 and not soon and len(jobs) - first > 1 and games.portable(job.level.game):
            break
        yield examined(job, cancel)
    else:
        return
    rest = jobs[first:]
    if all(games.portable(name) for name in {job.level.game for job in rest}):
        yield from processes.spread(work, rest, min(workers, len(rest)), cancel, MOST_BEGUN)
    else:
        yield from (examined(job, cancel) for job in rest)


def check_needs(settings: Settings, checked: Checked) -> None:
    """Refuses settings for levels that there are not."""
    names = [each.name for each in checked.told()]
    for told in settings.levels:
        if not any(matches(name, settings.folder + told.level) for name in names):
            raise LevelsmithError(f"[[check.levels]] is about {told.level!r}, and no level is called so")
