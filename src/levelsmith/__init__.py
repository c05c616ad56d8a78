"""levelsmith makes game levels by search, proves that they can be played, and measures them.

>>> import levelsmith
>>> result = levelsmith.generate("orchard", size=(6, 8), seed=1)
>>> print(result.best.text)  # doctest: +SKIP

The names below load on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Level": "core",
    "LevelsmithError": "errors",
    "MissingLevelsError": "errors",
    "Progress": "core",
    "Result": "core",
    "Verdict": "core",
    "catalogue": "registry",
    "chain": "levels.chain",
    "compare": "levels.compare",
    "dataset": "making.dataset",
    "endless": "making.driver",
    "generate": "making.driver",
    "improve": "editing.improve",
    "load": "levels.files",
    "measure": "levels.measure",
    "parse": "levels.formats.text",
    "repair": "editing.repair",
    "save": "levels.files",
    "solve": "levels.solve",
    "split": "levels.splits",
    "stream": "making.driver",
}

__all__ = [
    "Level",
    "LevelsmithError",
    "MissingLevelsError",
    "Progress",
    "Result",
    "Verdict",
    "__version__",
    "catalogue",
    "chain",
    "compare",
    "dataset",
    "endless",
    "generate",
    "improve",
    "load",
    "measure",
    "parse",
    "repair",
    "save",
    "solve",
    "split",
    "stream",
]


_MODULES = ("curricula", "envs", "experiment", "learn", "plugin", "testing")  # that are public, too


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"levelsmith.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module 'levelsmith' has no attribute {name!r}")
    return getattr(import_module(f"levelsmith.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)


if TYPE_CHECKING:
    from levelsmith.core import Level, Progress, Result, Verdict
    from levelsmith.editing.improve import improve
    from levelsmith.editing.repair import repair
    from levelsmith.errors import LevelsmithError, MissingLevelsError
    from levelsmith.levels.chain import chain
    from levelsmith.levels.compare import compare
    from levelsmith.levels.files import load, save
    from levelsmith.levels.formats.text import parse
    from levelsmith.levels.measure import measure
    from levelsmith.levels.solve import solve
    from levelsmith.levels.splits import split
    from levelsmith.making.dataset import dataset
    from levelsmith.making.driver import endless, generate, stream
    from levelsmith.registry import catalogue


import_module(f"{__name__}.envs").register_in_time()
