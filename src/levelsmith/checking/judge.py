"""From answers to findings: what is wrong with each level, with all levels of a file, and between files."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain
from math import inf
from typing import Any

from levelsmith.checking import examine
from levelsmith.checking.examine import DIFFICULTY, INSPECT, NEEDS, Answer, counted, in_units
from levelsmith.checking.findings import (
    MALFORMED,
    OFF,
    UNREADABLE,
    Finding,
    Kinds,
    every_game,
    kinds_of,
    place_of,
)
from levelsmith.checking.outcome import FileOutcome, Memory, Outcome
from levelsmith.checking.reading import minimum_of
from levelsmith.checking.run import Checked, Examined
from levelsmith.checking.settings import OWN, Settings
from levelsmith.contracts import Found, Inspectable
from levelsmith.errors import amount, listed
from levelsmith.registry import games

SLACK = 5.0  # how much easier than those before it a level may be and still be in order


def findings_of(checked: Checked, settings: Settings, memory: Memory | None = None) -> list[Finding]:
    """Returns all findings, file by file, each file's by their lines; known exceptions are marked.

    What came of each file is put into `checked`, and kept in the memory.
    """
    kinds = kinds_of([*every_game(), *map(games.get, {each.placed.level.game for each in checked.all()})])
    settings.severities.check(kinds)
    judge = _Judge(checked, settings, kinds)
    for path, levels in checked.levels.items():
        checked.outcomes[path] = FileOutcome([_outcome(each) for each in levels], judge.of_file(path, levels))
    if memory is not None:
        memory.keep((path, checked.outcomes[path]) for path in checked.levels)
    found = list(judge.all())
    order = {read.path: number for number, read in enumerate(checked.project.files)}
    found.sort(key=lambda one: (order.get(one.path, len(order)), one.line, one.column, one.name))
    return found


def told_verdict(answer: Answer, game: Any) -> str:
    """Returns a verdict in words."""
    status, why = answer["status"], answer.get("why") or answer.get("limit")
    behind = f": {why}" if why else ""
    if status in (examine.WON, examine.WINNABLE):
        count = answer["metrics"].get(counted(game))
        number = "" if count is None else f" in {in_units(count, game)}"
        if status == examine.WON:
            return f"won{number} (fewest, proved)"
        return f"can be won{number}"
    return {
        examine.UNWINNABLE: f"cannot be won (proved){behind}",
        examine.UNKNOWN: f"not known within the limit{behind}",
        examine.UNPROVABLE: f"cannot be proved{behind}",
    }.get(status, f"no level{behind}")


def _outcome(each: Examined) -> Outcome:
    """Returns what came of a level as plain data."""
    placed, verdict = each.placed, each.verdict
    level, (line, column) = placed.level, place_of(placed)
    about = (placed.name, level.title, placed.path, line, column, level.game)
    if verdict is None:
        return Outcome(*about)
    return Outcome(
        *about,
        status=verdict["status"],
        told=told_verdict(verdict, games.get(level.game)),
        solution=verdict["solution"],
        metrics=verdict["metrics"],
        reason={name: verdict[name] for name in ("why", "limit") if name in verdict},
        seconds=verdict.get("seconds", 0.0),
        kept=each.proved == 0,
        unsure=each.unsure,
        alike=each.answers.get(examine.ALIKE, {}).get("key"),
        cells=blake2b(level.grid.tobytes(), digest_size=8).hexdigest(),
    )


class _Judge:
    def __init__(self, checked: Checked, settings: Settings, kinds: Kinds):
        self.checked, self.settings, self.kinds = checked, settings, kinds
        self.severities = settings.severities
        self.used: set[int] = set()  # exceptions that a finding needs

    def of_file(self, path: str, levels: Sequence[Examined]) -> list[Finding]:
        """Returns what is found in the levels of a file, before it is said how grave it is."""
        found = chain.from_iterable(self._of_level(each) for each in levels)
        return [*found, *self._of_file(path, levels)]

    def all(self) -> Iterator[Finding]:
        """Yields all findings that are not off, with how grave they are."""
        for read in self.checked.project.files:
            for wrong in read.wrong:
                yield from self._graded(self._made(UNREADABLE, wrong, read.path))
        for outcome in self.checked.outcomes.values():
            yield from self._graded(outcome.findings)
        yield from self._graded(self._duplicates())
        complete = not self.checked.stopped
        for number, known in enumerate(self.settings.known) if complete else ():
            if number not in self.used:
                text = f"no {known.finding} is found in {known.level} any more ({known.reason})"
                yield from self._graded(self._made("stale-exception", Found("", text), OWN))

    def _graded(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        for one in findings:
            severity = self.severities.of(one.name, self.kinds)
            if severity == OFF:
                continue
            reason = ""
            for number, known in enumerate(self.settings.known):
                pattern = replace(known, level=self.settings.folder + known.level)
                if pattern.covers(one.level or one.path, one.name):
                    self.used.add(number)
                    reason = known.reason
            yield replace(one, severity=severity, known=reason)

    def _made(self, name: str, found: Found, path: str, each: Examined | None = None) -> Iterator[Finding]:
        """Yields a finding, of which is not said yet how grave it is."""
        line, column = (found.line or 1, found.column) if each is None else place_of(each.placed, found)
        level = "" if each is None else each.placed.name
        fatal = name == UNREADABLE or (
            each is not None and (each.verdict or {}).get("status") == examine.BROKEN
        )
        yield Finding(name, "", found.text, path, line, column, level, fatal=fatal)

    def _at(self, name: str, text: str, each: Examined) -> Iterator[Finding]:
        return self._made(name, Found(name, text), each.placed.path, each)

    # one level

    def _of_level(self, each: Examined) -> Iterator[Finding]:
        verdict, game = each.verdict, games.get(each.placed.level.game)
        if verdict is None:
            return
        status = verdict["status"]
        if status == examine.BROKEN:
            yield from self._broken(each, verdict, game)
            return
        names = {
            examine.UNWINNABLE: "unwinnable",
            examine.UNKNOWN: "unknown",
            examine.UNPROVABLE: "unprovable",
        }
        if status in names:
            yield from self._at(names[status], told_verdict(verdict, game), each)
        yield from self._solution(each, verdict, game)
        if verdict["solution"] == "":
            yield from self._at("won-at-once", "is won before anybody moves", each)
        for asked, answer in each.answers.items():
            if asked.startswith(NEEDS):
                yield from self._needed(each, asked.removeprefix(NEEDS).strip(), answer)
            elif asked.startswith(INSPECT):
                for found in answer.get("found", ()):
                    one = Found(found[0], found[1], found[2] and tuple(found[2]), *found[3:])
                    yield from self._made(one.name, one, each.placed.path, each)

    def _broken(self, each: Examined, verdict: Answer, game: Any) -> Iterator[Finding]:
        faults = list(game.faults(each.placed.level)) if isinstance(game, Inspectable) else []
        for fault in faults:
            yield from self._made(fault.name, fault, each.placed.path, each)
        if not faults:
            yield from self._at(MALFORMED, verdict["why"], each)

    def _solution(self, each: Examined, verdict: Answer, game: Any) -> Iterator[Finding]:
        fewest, replayed = None, each.replayed
        unit = counted(game)
        if verdict["status"] == examine.WON:
            fewest = verdict["metrics"].get(unit)
        if replayed.get("wins") is False:
            yield from self._at("wrong-solution", f"the solution does not win: {replayed['why']}", each)
        elif replayed.get("wins") and fewest is not None:
            carried = replayed.get("length")
            if carried is not None and carried > fewest:
                text = f"the solution takes {in_units(carried, game)}, {fewest:g} would do"
                yield from self._at("longer-solution", text, each)
        said = minimum_of(each.placed, each.notes, self.settings, unit)
        if said is None:
            return
        if verdict["status"] == examine.UNWINNABLE or (fewest is not None and said != fewest):
            proved = "nobody can win it" if fewest is None else f"the fewest is {fewest:g}"
            text = f"what is written beside it says {in_units(said, game)}, {proved}"
            yield from self._at("wrong-minimum", text, each)

    def _needed(self, each: Examined, need: str, answer: Answer) -> Iterator[Finding]:
        if wrong := answer.get("wrong"):
            yield from self._at("needless", f"is said to need {need}: {wrong}", each)
        elif answer.get("wins"):
            what = f"the rule of line {need}" if need.isdecimal() else need
            yield from self._at("needless", f"is said to need {what}, but {answer['how']}", each)

    # several levels

    def _of_file(self, path: str, levels: Sequence[Examined]) -> Iterator[Finding]:
        by_game: dict[str, list[Examined]] = defaultdict(list)
        for each in levels:
            by_game[each.placed.level.game].append(each)
        for name, some in by_game.items():
            game = games.get(name)
            if isinstance(game, Inspectable):
                yield from self._together(game, path, some)
            if self.severities.of("out-of-order", self.kinds) != OFF:
                yield from self._order(some)
        behind = ""
        for each in levels:
            if behind:
                yield from self._at("behind-unwinnable", f"comes after {behind}, which cannot be won", each)
            elif each.verdict is not None and each.verdict["status"] == examine.UNWINNABLE:
                behind = each.placed.name

    def _together(self, game: Inspectable, path: str, levels: Sequence[Examined]) -> Iterator[Finding]:
        """Yields what a game finds in all levels of a file together."""
        for kind in game.inspections:
            if self.severities.of(kind, self.kinds) != OFF:
                facts = [each.answers.get(f"{INSPECT} {kind}", {}).get("facts") for each in levels]
                for found in game.inspect_all(kind, [each.placed.level for each in levels], facts):
                    yield from self._made(found.name, found, path)

    def _order(self, levels: Sequence[Examined]) -> Iterator[Finding]:
        graded = [(each, each.answers.get(DIFFICULTY, {}).get("value")) for each in levels]
        known = [(each, float(value)) for each, value in graded if value is not None]
        for number, text in out_of_order([value for _, value in known]):
            yield from self._at("out-of-order", text, known[number][0])

    def _duplicates(self) -> Iterator[Finding]:
        first: dict[tuple[str, str], Outcome] = {}
        for each in self.checked.told():
            if each.alike is None:
                continue
            other = first.setdefault((each.game, each.alike), each)
            if other is not each:
                how = "" if other.cells == each.cells else ", turned, mirrored or moved"
                text = f"is {other.name}{how}"
                yield Finding("duplicate", "", text, each.path, each.line, each.column, each.name)


def out_of_order(difficulties: Sequence[float]) -> Iterator[tuple[int, str]]:
    """Yields the fewest levels without which the others go from easy to hard, and what is said of each."""
    kept = longest_rise(difficulties)
    for number, value in enumerate(difficulties):
        place = bisect_right(kept, number)
        before = difficulties[kept[place - 1]] if place else -inf
        after = difficulties[kept[place]] if place < len(kept) else inf
        if value < before - SLACK:
            yield number, f"its difficulty is {value:.0f}, and one before it has {before:.0f}"
        elif value > after + SLACK:
            yield number, f"its difficulty is {value:.0f}, and one after it has {after:.0f}"


def longest_rise(values: Sequence[float]) -> list[int]:
    """Returns the places of a longest part of a sequence that never falls."""
    ends: list[float] = []
    at: list[int] = []
    before: list[int] = []
    for number, value in enumerate(values):
        place = bisect_right(ends, value)
        before.append(at[place - 1] if place else -1)
        ends[place : place + 1] = [value]
        at[place : place + 1] = [number]
    found = at[-1:]
    while found and before[found[-1]] >= 0:
        found.append(before[found[-1]])
    return found[::-1]


def summary(checked: Checked, findings: Iterable[Finding]) -> str:
    """Returns how many levels came out how, in one line."""
    counts: dict[str, int] = defaultdict(int)
    for each in checked.told():
        counts[each.status or "left"] += 1
    words = {
        examine.WON: "won with the fewest",
        examine.WINNABLE: "can be won",
        examine.UNWINNABLE: "cannot be won",
        examine.UNKNOWN: "not known",
        examine.UNPROVABLE: "cannot be proved",
        examine.BROKEN: "no level",
        "left": "not looked at",
    }
    told = [f"{counts[status]} {word}" for status, word in words.items() if counts[status]]
    number = sum(counts.values())
    some = list(findings)
    graves = [sum(one.counts and one.severity == grave for one in some) for grave in ("error", "warning")]
    known = sum(not one.counts for one in some)
    skipped = checked.project.skipped
    asked = Counter(chain.from_iterable(each.unsure for each in checked.told()))
    unsure = listed(f"{name} of {amount(count, 'level')}" for name, count in asked.items())
    return (
        f"{number} level{'s' * (number != 1)} in {len(checked.project.files)} "
        f"file{'s' * (len(checked.project.files) != 1)}, {checked.seconds:.1f} s: "
        f"{listed(told) or 'none'}; "
        f"{graves[0]} error{'s' * (graves[0] != 1)}, {graves[1]} warning{'s' * (graves[1] != 1)}"
        + (f", {known} known" if known else "")
        + (f"; {skipped} file{'s' * (skipped != 1)} of other kinds skipped" if skipped else "")
        + (f"; not known within the limit: {unsure}" if asked else "")
        + f"; {checked.looked_at} proved now"
    )
