"""The models that the runs of an experiment draw from: trained before the first of them, and told in its
file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from levelsmith import processes
from levelsmith.experiment.spec import Run, Spec
from levelsmith.learn import trained
from levelsmith.learn.model import load_model

TOLD = [
    *("model", "mode", "net", "bound", "hidden", "latent", "seed", "levels", "learned"),
    *("steps", "epochs", "batch", "rate", "pace", "beta"),
]


def models_of(spec: Spec, runs: Iterable[Run]) -> list[tuple[str, str]]:
    """Returns the models that runs draw from and that are trained, as game and name, each once."""
    found: dict[tuple[str, str], None] = {}
    for run in runs:
        task = spec.cells[run.cell].task(run.number)
        name = str(task.values.get("latent", {}).get("model"))
        if trained.is_name(name):
            found[task.game, name] = None
    return list(found)


def train_missing(
    models: list[tuple[str, str]], cancel: Callable[[], bool], workers: int = 1
) -> Iterator[str]:
    """Trains the models that are not kept yet, as many at a time as there are workers; yields what is being
    done again and again."""
    missing = [(game, name) for game, name in models if not trained.is_kept(game, name)]
    if workers == 1 or len(missing) == 1:
        for number, (game, name) in enumerate(missing, 1):
            for _ in trained.train_missing(game, name, cancel=cancel):
                yield f"training model {number} of {len(missing)}: {name}"
            if cancel():
                return
        return
    done = processes.spread(_train, missing, min(workers, len(missing)), cancel)
    for number, name in enumerate(done, 1):
        yield f"trained model {number} of {len(missing)}: {name}"


def _train(model: tuple[str, str]) -> str:
    """Trains one model in a worker."""
    for _ in trained.train_missing(*model, cancel=processes.stopped):
        pass
    return model[1]


def described(models: list[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Returns how each of the models that are there was trained, by name, with its last nats a level and
    the processor's seconds of its training."""
    found = {}
    for game, name in models:
        file = trained.file_of(game, name)
        if trained.is_kept(game, name):
            told = load_model(file).told
            nll, kl = told["loss"][:2]
            found[name] = {key: told[key] for key in TOLD} | {"nats": nll, "code_nats": kl}
            found[name] |= {"data": trained.parse(name).data, "seconds": trained.seconds_of(game, name)}
    return found


def seconds_of(meta: Mapping[str, str]) -> list[float | None]:
    """Returns the processor's seconds of each training that a file tells of; None where nobody knows."""
    return [each.get("seconds") for each in json.loads(meta.get("models", "{}")).values()]
