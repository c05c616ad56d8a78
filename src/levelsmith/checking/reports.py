"""What a check has found as text, as JSON, and as builds read it: JUnit's XML, SARIF, GitHub's commands."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from levelsmith import __version__
from levelsmith.checking.examine import BROKEN, UNKNOWN, UNPROVABLE
from levelsmith.checking.findings import ERROR, Finding, Kinds, every_game, kinds_of, titled
from levelsmith.checking.judge import summary
from levelsmith.checking.outcome import Outcome
from levelsmith.checking.run import Checked
from levelsmith.errors import printable
from levelsmith.registry import games

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


def status_of(checked: Checked, findings: Sequence[Finding]) -> int:
    """Returns the exit status: 2 where something cannot be read, 1 where there is an error, else 0."""
    grave = [one for one in findings if one.counts and one.severity == ERROR]
    if any(one.fatal for one in grave):
        return 2
    return 1 if grave else 0


def line_of(finding: Finding) -> str:
    """Returns a finding as one line that editors and other programs understand."""
    level = f" ({finding.level})" if "#" in finding.level else ""
    known = f" - known: {finding.known}" if finding.known else ""
    grave = "note" if finding.known else finding.severity
    where = f"{finding.path}:{finding.line}:{finding.column}"
    return printable(f"{where}: {grave}: {finding.text} [{finding.name}]{level}{known}")


def verdict_lines(checked: Checked) -> Iterator[str]:
    """Yields a line for each level that was looked at: what came out."""
    for each in checked.told():
        if each.status:
            yield printable(f"{each.name}{titled(each.title)}: {each.told}")


def as_text(checked: Checked, findings: Sequence[Finding], verdicts: bool = True) -> str:
    lines = [*(verdict_lines(checked) if verdicts else ()), *map(line_of, findings)]
    return "".join(f"{line}\n" for line in lines)


def as_json(checked: Checked, findings: Sequence[Finding]) -> str:
    document = {
        "levelsmith": __version__,
        "levels": [_level(each) for each in checked.told() if each.status],
        "findings": [{**one.as_object(), "counts": one.counts} for one in findings],
        "skipped": checked.project.skipped,
        "left": sum(not each.status for each in checked.told()),
        "seconds": round(checked.seconds, 3),
        "summary": summary(checked, findings),
    }
    return json.dumps(document, indent=1, ensure_ascii=True, allow_nan=False) + "\n"


def _level(each: Outcome) -> dict[str, Any]:
    where = {"level": each.name, "path": each.path, "line": each.line, "column": each.column}
    told = {"status": each.status, "solution": each.solution, "metrics": each.metrics, **each.reason}
    about = {"game": each.game, "title": each.title}
    return {**where, **about, **told, "kept": each.kept, "unsure": each.unsure}


# ----------------------------------------------------------------------------------------------------- JUnit


def as_junit(checked: Checked, findings: Sequence[Finding]) -> str:
    """Returns a suite for each file, with a case for each level and one for what is about the file itself."""
    root = Element("testsuites", name="levelsmith check", time=f"{checked.seconds:.3f}")
    totals = dict.fromkeys(("tests", "failures", "errors"), 0)  # the schema has no others here
    for read in checked.project.files:
        levels = checked.outcomes[read.path].levels if read.path in checked.outcomes else []
        suite = SubElement(root, "testsuite", name=_safe(read.path))
        mine = [one for one in findings if one.path == read.path]
        cases = [_case(suite, read.path, each, mine) for each in levels]
        of_file = [one for one in mine if not one.level]
        if of_file or not levels:
            case = SubElement(suite, "testcase", name=_safe(read.path), classname=_class(read.path))
            cases.append(_filled(case, of_file))
        counts = {
            "tests": len(cases),
            "failures": cases.count("failure"),
            "errors": cases.count("error"),
            "skipped": cases.count("skipped"),
        }
        for name, count in counts.items():
            suite.set(name, str(count))
        totals = {name: total + counts[name] for name, total in totals.items()}
        suite.set("time", f"{sum(each.seconds for each in levels):.3f}")
    for name, count in totals.items():
        root.set(name, str(count))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _case(suite: Element, path: str, each: Outcome, findings: Sequence[Finding]) -> str:
    name, seconds = _safe(f"{each.name}{titled(each.title)}"), f"{each.seconds:.3f}"
    case = SubElement(suite, "testcase", name=name, classname=_class(path), time=seconds)
    if not each.status:
        SubElement(case, "skipped", message="not looked at")
        return "skipped"
    return _filled(case, [one for one in findings if one.level == each.name], each)


def _filled(case: Element, findings: Sequence[Finding], each: Outcome | None = None) -> str:
    """Puts findings into a case: the gravest decides how it came out; returns that."""
    grave = [one for one in findings if one.counts and one.severity == ERROR]
    lines = [line_of(one) for one in findings]
    if each is not None:
        lines.insert(0, each.told)
    kind = "passed"
    if grave:
        kind = "error" if any(one.fatal for one in grave) else "failure"
        made = SubElement(case, kind, message=_safe(grave[0].text), type=grave[0].name)
        made.text = _safe("\n".join(line_of(one) for one in grave))
    elif each is not None and each.status in (UNPROVABLE, UNKNOWN, BROKEN):
        SubElement(case, "skipped", message=_safe(lines[0]))
        kind = "skipped"
    if lines:
        SubElement(case, "system-out").text = _safe("\n".join(lines))
    return kind


def _class(path: str) -> str:
    return _safe(path.replace("/", ".").removeprefix("."))


def _safe(text: str) -> str:
    """Returns text that XML can hold."""
    return "".join(c if c in "\n" or (c.isprintable() and c not in "\ufffe\uffff") else " " for c in text)


# ----------------------------------------------------------------------------------------------------- SARIF


def as_sarif(checked: Checked, findings: Sequence[Finding]) -> str:
    """Returns the log of one run in SARIF 2.1.0."""
    kinds: Kinds = kinds_of(
        [*every_game(), *map(games.get, {each.placed.level.game for each in checked.all()})]
    )
    used = sorted({one.name for one in findings})
    rules = [
        {
            "id": name,
            "shortDescription": {"text": kinds[name][1] if name in kinds else name},
            "defaultConfiguration": {"level": "error" if kinds.get(name, ("",))[0] == ERROR else "warning"},
        }
        for name in used
    ]
    driver = {
        "name": "levelsmith",
        "version": __version__,
        "rules": rules,
    }
    results = [_result(one, used.index(one.name)) for one in findings]
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not checked.stopped}],
        "results": results,
    }
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    region = {"startLine": max(1, finding.line), "startColumn": max(1, finding.column)}
    place = {"artifactLocation": {"uri": _address(finding.path)}, "region": region}
    said = f"{finding.level}: {finding.text}" if finding.level else finding.text
    result: dict[str, Any] = {
        "ruleId": finding.name,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": said},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"levelsmith/v1": f"{finding.name}:{finding.level or finding.path}"},
    }
    if finding.known:
        result["suppressions"] = [{"kind": "external", "justification": finding.known}]
    return result


def _address(path: str) -> str:
    """Returns a path as a reference that an address may hold: relative where it lies below this folder."""
    from urllib.parse import quote

    whole = Path(path)
    if whole.is_absolute():
        try:
            whole = whole.relative_to(os.getcwd())
        except ValueError:
            return whole.as_uri()
    return quote(whole.as_posix())


# ---------------------------------------------------------------------------------------------------- GitHub


def as_github(checked: Checked, findings: Sequence[Finding]) -> str:
    """Returns a command for each finding, which GitHub shows beside the line of the change."""
    return "".join(f"{_command(one)}\n" for one in findings)


def _command(finding: Finding) -> str:
    grave = "notice" if finding.known else finding.severity
    values = {
        "file": finding.path,
        "line": finding.line,
        "col": finding.column,
        "title": f"{finding.name}{f': {finding.level}' if finding.level else ''}",
    }
    said = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in values.items())
    known = f" (known: {finding.known})" if finding.known else ""
    return f"::{grave} {said}::{_escaped(finding.text + known)}"


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


Report = Callable[[Checked, Sequence[Finding]], str]
REPORTS: dict[str, Report] = {
    "text": as_text,
    "json": as_json,
    "junit": as_junit,
    "sarif": as_sarif,
    "github": as_github,
}
