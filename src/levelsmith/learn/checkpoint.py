"""A training that was interrupted, in one file beside the model, so that the same command goes on with it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.files import write_files
from levelsmith.learn.model import unpacked

MOST_BYTES = 1_000_000_000
Row = list[float]  # step, then the losses of training and of validation


@dataclass
class Checkpoint:
    """How far a training has come."""

    step: int = 0
    state: list[NDArray[Any]] = field(default_factory=list)
    best: list[NDArray[Any]] = field(default_factory=list)
    best_step: int = 0
    history: list[Row] = field(default_factory=list)

    def save(self, path: Path, plan: dict[str, Any]) -> None:
        head = {"plan": plan, "step": self.step, "best_step": self.best_step, "history": self.history}
        arrays = {f"{kind}{i}": a for kind in ("state", "best") for i, a in enumerate(getattr(self, kind))}
        buffer = io.BytesIO()
        np.savez(buffer, head=np.array(json.dumps(head)), **arrays)
        write_files({path: buffer.getvalue()})


def beside(output: Path) -> Path:
    """Returns where the checkpoint of a model is."""
    return output.with_name(output.name + ".part")


def load_checkpoint(path: Path, plan: dict[str, Any], like: list[Any], weights: int) -> Checkpoint | None:
    """Returns the checkpoint of this very plan, None where there is none.

    Args:
        path: of the file.
        plan: all that decides about the result; one with another plan is refused.
        like: arrays of the shapes that the state has.
        weights: how many of them are weights.
    """
    if not path.exists():
        return None
    anew = f"delete {quoted(path)} to begin anew"
    try:
        head, arrays = unpacked(path.read_bytes(), "head", MOST_BYTES)
        parts = {
            kind: [arrays[f"{kind}{i}"] for i in range(sum(name.startswith(kind) for name in arrays))]
            for kind in ("state", "best")
        }
        begun = dict(head["plan"])
        found = Checkpoint(
            int(head["step"]), parts["state"], parts["best"], int(head["best_step"]), list(head["history"])
        )
        steps = [int(row[0]) for row in found.history]
        if found.step < max(steps, default=0) or (found.best and found.best_step not in steps):
            raise ValueError("its history is of other steps")
    except Exception as error:  # zip, JSON and arrays each have errors of their own
        raise LevelsmithError(f"{path}: this checkpoint is broken ({error}); {anew}") from error
    if begun != plan:
        names = [name for name in plan if begun.get(name) != plan[name]]
        told = "other levels" if names == ["digest"] else f"another {names[0] if names else 'plan'}"
        raise LevelsmithError(
            f"{path}: this training was begun with {told}; go on as it was begun, or {anew}"
        )
    for ours, theirs in ((found.state, like), (found.best, like[:weights] if found.best else [])):
        if [(a.shape, a.dtype) for a in ours] != [(b.shape, b.dtype) for b in theirs]:
            raise LevelsmithError(f"{path}: this checkpoint is broken (arrays of other shapes); {anew}")
    return found
