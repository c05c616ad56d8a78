"""Presets: TOML files of named settings, our own by name and a user's by path.

A preset says, for each game, which size, search, representation and objective to take, and under `[set]` what
parameters get, as `owner.name`; what belongs to a part that is not used is passed over. The table `want` of a
game has the ranges that its metrics shall lie in. The table `[experiment]` makes an experiment of it as well.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from levelsmith.errors import LevelsmithError, listed, quoted, unknown
from levelsmith.files import read_plain_file
from levelsmith.presets.experiment import checked
from levelsmith.request import PRESET, fields_of

MOST_BYTES = 100_000  # ours have a few thousand
DEEPEST_KEY = 20  # parts of a name such as experiment.part
MOST_QUOTED_KEYS = 100  # with a dot behind the quotes
OF_A_GAME = fields_of(PRESET)


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    summary: str
    games: dict[str, dict[str, Any]]
    values: dict[str, Any]  # "owner.name" -> value
    experiment: dict[str, Any] | None = None

    def choices(self, game: str) -> dict[str, Any]:
        if game not in self.games:
            raise LevelsmithError(
                f"the preset {quoted(self.name)} is for {listed(self.games)}, but {game} was asked for"
            )
        return self.games[game]


def names() -> list[str]:
    return sorted(file.name[:-5] for file in files(__name__).iterdir() if file.name.endswith(".toml"))


def load(name: str | Preset) -> Preset:
    """Returns a preset by its name, or from a file ending in `.toml`; one that is made already as it is."""
    if isinstance(name, Preset):
        return name
    if not isinstance(name, str):
        raise LevelsmithError(f"expected the name of a preset, got {quoted(name)}")
    if name.endswith(".toml"):
        try:
            text = read_plain_file(name, "the preset", MOST_BYTES).decode()
        except UnicodeDecodeError as error:
            raise LevelsmithError(f"cannot read the preset {quoted(name)}: {error}") from None
    elif name in names():
        text = (files(__name__) / f"{name}.toml").read_text(encoding="utf-8")
    else:
        raise unknown("preset", name, names(), hint="or a path that ends in .toml")
    return parse(name, text)


@lru_cache(maxsize=64)
def parse(name: str, text: str) -> Preset:
    """Returns the preset that a TOML text describes."""
    return made_of(name, _decoded(name, text))


def made_of(name: str, document: dict[str, Any]) -> Preset:
    """Returns the preset of tables as a TOML file has them; what is unknown or of the wrong kind is named."""
    document = dict(document)
    summary = document.pop("summary", "")
    values = document.pop("set", {})
    experiment = checked(name, document.pop("experiment")) if "experiment" in document else None
    if not isinstance(summary, str) or not isinstance(values, dict):
        raise LevelsmithError(f"the preset {quoted(name)}: expected text as summary and a table [set]")
    for key in values:
        if "." not in key:
            raise LevelsmithError(
                f"the preset {quoted(name)}: expected names like hc.patience under [set], got {quoted(key)}"
            )
    for game, choices in document.items():
        if not isinstance(choices, dict):
            raise LevelsmithError(
                f"the preset {quoted(name)}: expected a table for {quoted(game)}, got {quoted(choices)}"
            )
        for key in choices:
            if key not in OF_A_GAME:
                raise unknown(f"setting of the preset {quoted(name)}", key, OF_A_GAME)
            field = OF_A_GAME[key]
            if not field.fits(choices[key]):
                raise LevelsmithError(
                    f"the preset {quoted(name)}: expected {field.expected()} for {key}, "
                    f"got {quoted(choices[key])}"
                )
    if not document:
        raise LevelsmithError(f"the preset {quoted(name)}: expected a table for at least one game, got none")
    return Preset(name, summary, document, values, experiment)


def _decoded(name: str, text: str) -> dict[str, Any]:
    """Returns the tables of a TOML file, with numbers that everything behind them can hold."""
    odd = f"the preset {quoted(name)}: expected plain settings, got"
    if _has_deep_keys(text):  # what tomllib does for them grows with the square of their depth, and faster
        raise LevelsmithError(f"{odd} keys of more than {DEEPEST_KEY} parts")
    try:
        document = tomllib.loads(text)
        _check_numbers(document)
    except tomllib.TOMLDecodeError as error:
        raise LevelsmithError(f"the preset {quoted(name)} is not valid TOML: {error}") from None
    except RecursionError:
        raise LevelsmithError(f"{odd} lists or tables nested too deeply") from None
    except ValueError:
        raise LevelsmithError(f"{odd} a whole number beyond 64 bits, or a date that is none") from None
    return document


def _has_deep_keys(text: str) -> bool:
    """Tells whether dots join many words, or many words in quotes, which may hold any character."""
    joined = re.sub(r"[ \t]*\.[ \t]*", ".", text)
    words = re.split(r"[\s,=\[\]{}]+", joined)
    return (
        max(word.count(".") for word in words) > DEEPEST_KEY
        or len(re.findall(r"[\"']\.", joined)) > MOST_QUOTED_KEYS
    )


def _check_numbers(value: Any) -> None:
    """Raises ValueError for a whole number beyond the 64 bits that TOML has, however deep it lies."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            _check_numbers(item)
    elif isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError("beyond 64 bits")
