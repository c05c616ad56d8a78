"""Models that learn from levels: trained in JAX, kept as plain arrays, sampled without it.

>>> from levelsmith import learn
>>> model = learn.load("vae", game="loderunner")
>>> [level.size for level in model.sample(2, seed=1)]  # doctest: +SKIP
[(22, 32), (22, 32)]

The names below load on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_HOMES = {
    "Model": "model",
    "Trained": "training",
    "TrainingProgress": "training",
    "follow": "training",
    "load": "named",
    "train": "training",
}

__all__ = ["Model", "Trained", "TrainingProgress", "follow", "load", "train"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'levelsmith.learn' has no attribute {name!r}")
    return getattr(import_module(f"levelsmith.learn.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)


if TYPE_CHECKING:
    from levelsmith.learn.model import Model
    from levelsmith.learn.named import load
    from levelsmith.learn.training import Trained, TrainingProgress, follow, train
