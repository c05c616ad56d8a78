"""What a job is asked to do: checked as it comes from a page, and told again as a command and as Python."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from math import inf
from typing import Any

from levelsmith.errors import listed, quoted
from levelsmith.learn.model import MODELS
from levelsmith.request import FILL, IMPROVE, JOB, REPAIR, Request, fields_of
from levelsmith.studio.limits import EXACT, Refusal, StudioLimits, only, typed

FIELDS = fields_of(JOB)
TEXTS = dict.fromkeys(("text", "size", "level"), str)
KINDS: Mapping[str, type] = {**TEXTS, "whole": int, "number": float, "switch": bool}
NAMES = ("game", *FIELDS, "edit", "script")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}|[-+]?[0-9.]{1,20}(e[-+]?[0-9]{1,3})?", re.ASCII)
SIZE = re.compile(r"[0-9]{1,6}[xX][0-9]{1,6}")
# Proposals for the editor, of which nothing is kept.
EDITS = {"improve": IMPROVE, "easier": IMPROVE, "repair": REPAIR, "fill": FILL}
MOST_WORDS = 64  # entries of a list or an object


def checked(data: Any, limits: StudioLimits) -> dict[str, Any]:
    """Returns the setting with empty parts left out and a seed; names are judged later, by the library."""
    data = {
        key: value for key, value in typed("a job", data, dict).items() if value not in (None, "", [], {})
    }
    only("a job", data, NAMES)
    for name in data:
        kind = str if name in ("game", "edit", "script") else KINDS.get(FIELDS[name].kind)
        if kind is not None:
            typed(name, data[name], kind)
        if kind is int:
            _in_range(name, data[name], EXACT)
    if "game" not in data:
        raise Refusal("expected a game")
    if "edit" in data and (data["edit"] not in EDITS or "start" not in data):
        raise Refusal(f"expected a start for {listed(EDITS)}, got {quoted(data['edit'])}")
    if "script" in data and "edit" not in data:
        raise Refusal("expected an edit of a level of the script; new levels of it are made at script/made")
    if "edit" in data:
        place = EDITS[data["edit"]]
        aim = ("objective",) if place == IMPROVE else ()  # what there shall be more of
        only("such an edit", data, ("game", "edit", "script", "start", *aim, *fields_of(place)))
    names = typed("objective", data.get("objective", []), str, list)
    data |= {"objective": [names] if isinstance(names, str) else _words("objective", names)}
    data |= {"lock": _words("lock", data.get("lock", []))}
    data |= {name: _plain(name, data.get(name, {})) for name in ("set", "want")}
    _in_range("count", data.get("count", 1), limits.count)
    _in_range("keep_most", data.get("keep_most", 1), limits.count)
    seconds = min(data.get("seconds", 0) * data.get("count", 1), data.get("within", inf))
    if seconds > limits.seconds:
        raise Refusal(
            f"expected at most {limits.seconds:g} seconds for all levels of a job, "
            f"got {seconds:g}; ask for fewer seconds or fewer levels"
        )
    _no_paths(data)
    data.setdefault("seed", secrets.randbits(32))
    return {name: data[name] for name in NAMES if data.get(name) not in (None, [], {})}


def _in_range(name: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise Refusal(f"expected {name} from 0 to {most}, got {quoted(value)}")


def _words(name: str, values: Any) -> list[str]:
    if len(typed(name, values, list)) > 10 * MOST_WORDS:
        raise Refusal(f"expected at most {10 * MOST_WORDS} entries in {name}, got {len(values)}")
    return [typed(f"each entry of {name}", value, str) for value in values]


def _plain(name: str, values: Any) -> dict[str, Any]:
    """Returns an object of words, numbers and pairs of numbers."""
    if len(typed(name, values, dict)) > MOST_WORDS:
        raise Refusal(f"expected at most {MOST_WORDS} entries in {name}, got {len(values)}")
    for key, value in values.items():
        parts = value if name == "want" and isinstance(value, list) and len(value) == 2 else [value]
        for part in parts:
            if not (isinstance(value, list) and part is None):
                typed(f"{name}.{key}", part, str, float, *([bool] if name == "set" else []))
    return dict(values)


def _no_paths(data: Mapping[str, Any]) -> None:
    """Refuses files as presets or models, which are named: no path of a client reaches the file system."""
    from levelsmith import presets

    if "preset" in data and data["preset"] not in presets.names():
        raise Refusal(f"no preset is called {quoted(data['preset'])}; expected {listed(presets.names())}")
    for key, value in data["set"].items():
        if isinstance(value, str) and not WORD.fullmatch(value):
            raise Refusal(f"expected a word or a number for {quoted(key)}, got {quoted(value)}")
        if key.rpartition(".")[2] == "model" and value not in MODELS:
            raise Refusal(f"expected {listed(MODELS)} as the model, got {quoted(value)}")
        if key.rpartition(".")[2] in ("unlike", "originals") and value:
            raise Refusal(f"expected no file of levels, got {quoted(value)} for {quoted(key)}")


def request_of(setting: Mapping[str, Any]) -> Request:
    """Returns what a job asks for; a start is text there, and a level here."""
    from levelsmith.levels.formats.text import parse

    given = {name: setting[name] for name in FIELDS if name in setting}
    if "start" in given:
        given["start"] = parse(given["start"], setting["game"])
    if "want" in given:
        given["want"] = {name: tuple(v) if isinstance(v, list) else v for name, v in given["want"].items()}
    return Request(setting["game"], **given)


def spellings(setting: Mapping[str, Any]) -> dict[str, str]:
    """Returns the same for a command line and for Python; nothing of an edit, which is of a drawing."""
    if "edit" in setting:
        return {}
    return {"command": command(setting), "python": python(setting)}


def command(setting: Mapping[str, Any]) -> str:
    """Returns the same on the command line; a start is a file there."""
    given = {name: setting[name] for name in FIELDS if name in setting}
    if "start" in given:
        given["start"] = "level.txt"
    return Request(setting["game"], **given).command


def _pair(size: str) -> str:
    width, height = size.lower().split("x")
    return f"({int(height)}, {int(width)})"


def python(setting: Mapping[str, Any]) -> str:
    """Returns the same in Python."""
    written: dict[str, Callable[[Any], str]] = {
        "size": lambda value: _pair(value) if SIZE.fullmatch(value) else _literal(value),
        "objective": lambda value: _literal(value[0] if len(value) == 1 else value),
        "start": lambda value: f"levelsmith.parse({_literal(value)}, game={_literal(setting['game'])})",
    }
    lines = [_literal(setting["game"])]
    lines += [f"{name}={written.get(name, _literal)(setting[name])}" for name in FIELDS if name in setting]
    arguments = "".join(f"    {line},\n" for line in lines)
    return f"import levelsmith\n\nresult = levelsmith.generate(\n{arguments})\nprint(result.best)\n"


def _literal(value: Any) -> str:
    """Returns a value as Python writes it, in double quotes; a pair of a range is a tuple."""
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        pairs = ((key, tuple(one) if isinstance(one, list) else one) for key, one in value.items())
        return f"{{{', '.join(f'{_literal(key)}: {_literal(one)}' for key, one in pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)
