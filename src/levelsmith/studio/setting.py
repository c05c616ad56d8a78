"""What a job is asked to do: checked as it comes from a page, and told again as a command and as Python."""

from __future__ import annotations

import json
import re
import secrets
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from levelsmith.errors import listed, quoted
from levelsmith.studio.limits import EXACT, Limits, Refusal, only, typed

TEXT = ("game", "size", "search", "representation", "combine", "preset", "start", "ramp", "edit")
WHOLE = ("evaluations", "seed", "count", "keep_most", "skip")
NUMBERS = ("seconds", "until", "keep_above")
FIELDS = (*TEXT, *WHOLE, *NUMBERS, "objective", "set", "want", "lock")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,40}|[-+]?[0-9.]{1,20}(e[-+]?[0-9]{1,3})?", re.ASCII)
SIZE = re.compile(r"[0-9]{1,6}[xX][0-9]{1,6}")
EDITS = ("improve", "easier", "repair", "fill")  # proposals for the editor, of which nothing is kept
MOST_WORDS = 64  # entries of a list or an object


def checked(data: Any, limits: Limits) -> dict[str, Any]:
    """The setting with empty parts left out and a seed; names are judged later, by the library."""
    data = {
        key: value for key, value in typed("a job", data, dict).items() if value not in (None, "", [], {})
    }
    only("a job", data, FIELDS)
    for name in data:
        if name in TEXT:
            typed(name, data[name], str)
        elif name in WHOLE:
            _in_range(name, typed(name, data[name], int), EXACT)
        elif name in NUMBERS:
            typed(name, data[name], float)
    if "game" not in data:
        raise Refusal("expected a game")
    if "edit" in data and (data["edit"] not in EDITS or "start" not in data):
        raise Refusal(f"expected a start for {listed(EDITS)}, got {quoted(data['edit'])}")
    names = typed("objective", data.get("objective", []), str, list)
    data |= {"objective": [names] if isinstance(names, str) else _words("objective", names)}
    data |= {"lock": _words("lock", data.get("lock", []))}
    data |= {name: _plain(name, data.get(name, {})) for name in ("set", "want")}
    _in_range("count", data.get("count", 1), limits.count)
    _in_range("keep_most", data.get("keep_most", 1), limits.count)
    if data.get("seconds", 0) * data.get("count", 1) > limits.seconds:
        raise Refusal(
            f"expected at most {limits.seconds:g} seconds for all levels of a job, "
            f"got {data['seconds'] * data.get('count', 1):g}; ask for fewer seconds or fewer levels"
        )
    _no_paths(data)
    data.setdefault("seed", secrets.randbits(32))
    return {name: data[name] for name in FIELDS if data.get(name) not in (None, [], {})}


def _in_range(name: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise Refusal(f"expected {name} from 0 to {most}, got {quoted(value)}")


def _words(name: str, values: Any) -> list[str]:
    if len(typed(name, values, list)) > 10 * MOST_WORDS:
        raise Refusal(f"expected at most {10 * MOST_WORDS} entries in {name}, got {len(values)}")
    return [typed(f"each entry of {name}", value, str) for value in values]


def _plain(name: str, values: Any) -> dict[str, Any]:
    """An object of words, numbers and pairs of numbers."""
    if len(typed(name, values, dict)) > MOST_WORDS:
        raise Refusal(f"expected at most {MOST_WORDS} entries in {name}, got {len(values)}")
    for key, value in values.items():
        parts = value if name == "want" and isinstance(value, list) and len(value) == 2 else [value]
        for part in parts:
            if not (isinstance(value, list) and part is None):
                typed(f"{name}.{key}", part, str, float, *([bool] if name == "set" else []))
    return dict(values)


def _no_paths(data: Mapping[str, Any]) -> None:
    """A preset or a model may be named, never a file: no path of a client reaches the file system."""
    from levelsmith import presets

    if "preset" in data and data["preset"] not in presets.names():
        raise Refusal(f"no preset is called {quoted(data['preset'])}; expected {listed(presets.names())}")
    for key, value in data["set"].items():
        if isinstance(value, str) and not WORD.fullmatch(value):
            raise Refusal(f"expected a word or a number for {quoted(key)}, got {quoted(value)}")
        if key.rpartition(".")[2] == "model" and value not in ("vae", "ae"):
            raise Refusal(f"expected vae or ae as the model, got {quoted(value)}")


def told_elsewhere(setting: Mapping[str, Any]) -> dict[str, str]:
    """The same for a command line and for Python."""
    return {"command": command(setting), "python": python(setting)}


def command(setting: Mapping[str, Any]) -> str:
    """The same on the command line; a start is a file there."""
    words = ["levelsmith", "generate", setting["game"]]
    for name in FIELDS[1:]:
        if name not in setting:
            continue
        value, option = setting[name], f"--{name.replace('_', '-')}"
        if name == "start":
            words += [option, f"level.{'xsb' if setting['game'] == 'sokoban' else 'txt'}"]
        elif name in ("objective", "lock"):
            words += [word for one in value for word in (option, one)]
        elif name == "set":
            words += [word for key, one in value.items() for word in ("--set", f"{key}={_shown(one)}")]
        elif name == "want":
            words += [
                word for key, one in value.items() for word in (f"--{key.replace('_', '-')}", _span(one))
            ]
        else:
            words += [option, _shown(value)]
    return shlex.join(words)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)


def _span(value: Any) -> str:
    if isinstance(value, list):
        low, high = ("" if end is None else _shown(end) for end in value)
        return f"{low}..{high}"
    shown = _shown(value)
    return f"{shown}..{shown}" if shown.replace(".", "", 1).isdigit() else shown


def _pair(size: str) -> str:
    width, height = size.lower().split("x")
    return f"({int(height)}, {int(width)})"


def python(setting: Mapping[str, Any]) -> str:
    """The same in Python."""
    written: dict[str, Callable[[Any], str]] = {
        "size": lambda value: _pair(value) if SIZE.fullmatch(value) else _literal(value),
        "objective": lambda value: _literal(value[0] if len(value) == 1 else value),
        "start": lambda value: f"levelsmith.parse({_literal(value)}, game={_literal(setting['game'])})",
    }
    lines = [_literal(setting["game"])]
    lines += [
        f"{name}={written.get(name, _literal)(setting[name])}" for name in FIELDS[1:] if name in setting
    ]
    arguments = "".join(f"    {line},\n" for line in lines)
    return f"import levelsmith\n\nresult = levelsmith.generate(\n{arguments})\nprint(result.best)\n"


def _literal(value: Any) -> str:
    """A value as Python writes it, in double quotes; a pair of a range is a tuple."""
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        pairs = ((key, tuple(one) if isinstance(one, list) else one) for key, one in value.items())
        return f"{{{', '.join(f'{_literal(key)}: {_literal(one)}' for key, one in pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)
