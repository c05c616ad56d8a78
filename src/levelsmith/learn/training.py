"""Training: a model from levels of one game and size, told as it happens, stopped and gone on with at will.

With the same levels, settings and seed a model is the same to the byte on the same kind of processor, however
often its training was interrupted.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, TypedDict, Unpack, cast

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level, Parameter, settle
from levelsmith.errors import LevelsmithError, listed, option, unknown
from levelsmith.learn.checkpoint import Checkpoint, Row, beside, load_checkpoint
from levelsmith.learn.data import Data, prepare
from levelsmith.learn.kernels.shape import BOUNDS, DEEPEST, HEADS
from levelsmith.learn.model import MODELS, MODES, NETS, Model, Settings
from levelsmith.levels.files import Levels, all_levels
from levelsmith.numbers import LARGEST_INTEGER
from levelsmith.registry import games

EVERY = 50  # steps between two looks at the levels kept for validation
WARMING = 200  # first steps of a vq, in which the rate grows to its own
WARM = 0.3  # of the steps, in which the weight of the code's nats grows to its own
DECAY = 0.3  # of the steps, in which the rate falls to nothing at the end
STEP, VALIDATION, EPOCH = 1, 2, 3  # whose random numbers
AT_ONCE = 500  # levels that are encoded at once
LEAST = 1e-9  # variance of a number of codes, or those of an ae that say the same would have no root
CHUNK_SECONDS = 1.0  # between two words of progress
CHECKPOINT_SECONDS = 10.0
# How many times as far as the rate says these weights of a dense net go in a step. The program published
# beside the paper has wider layers, and the more units are summed, the more a step of each changes: `scaled`
# makes up for that. The centre is no weight.
PACES = {
    "even": {"centre": 0.0},
    "scaled": {"centre": 0.0, "inner": 4.0, "decode0": 4.0, "out": 8.0},
}
PARAMETERS = (
    Parameter("latent", 32, "numbers in a code; of a vq in each of its places", 1, 256),
    Parameter("net", "conv", "the layers: convolutions, or in the mode paper dense", choices=NETS),
    Parameter("bound", "none", "between which the numbers of an ae's codes lie", choices=tuple(BOUNDS)),
    Parameter("hidden", 64, "width of the layer that draws a tile, or of the dense ones", 1, 4096),
    Parameter("features", 32, "numbers that a code says about a cell", 1, 256),
    Parameter("width", 96, "numbers that the prior of a vq has of a place", HEADS, 1024),
    Parameter("layers", 4, "layers of the prior of a vq", 1, 32),
    Parameter("steps", 1200, "most steps", 1, 1_000_000),
    Parameter("epochs", 0, "passes over all levels, in place of steps", 0, 1_000_000),
    Parameter("batch", 8, "levels in a step", 1, 1024),
    Parameter("rate", 1e-3, "how far a step goes", 0.0),
    Parameter(
        "pace",
        "even",
        "whether the weights of a dense net go as far as the rate says, or further",
        choices=tuple(PACES),
    ),
    Parameter("beta", 1.0, "weight of the nats that a code costs", 0.0, 1000.0),
    Parameter("free", 0.25, "nats that each number of a code may tell for nothing", 0.0, 100.0),
    Parameter("untold", 0.1, "most of the cells that are hidden from those after them", 0.0, 1.0),
    Parameter("rare", 0.15, "power of a tile's rarity in its weight", 0.0, 1.0),
    Parameter("validation", 0.1, "share of the levels to validate by", 0.0, 0.5),
    Parameter("patience", 300, "steps without a better validation before the rate falls and ends it", 1),
    Parameter("seed", 0, "of the random numbers", 0, LARGEST_INTEGER),
)
PLAIN = {"rare": 0.0}  # what differs in an ae: as its codes cost nothing, it keeps rare tiles anyway
# What differs in a vq: tiles are hidden often, so that its code must tell them.
PLACED = {"latent": 5, "untold": 0.7, "rare": 0.0, "batch": 16, "steps": 4000, "patience": 1000}
USUAL = {"vae": {}, "ae": PLAIN, "vq": PLACED}
NEEDLESS = {"vq": ("beta", "free"), "vae": ("width", "layers"), "ae": ("width", "layers")}
PAPER = {  # what differs in the mode `paper`
    "latent": 16,  # table II, as are rate and epochs
    "rate": 1e-3,
    "epochs": 1000,
    "batch": 30,  # as in the program published beside the paper
    "net": "dense",
    "hidden": 128,
    "free": 0.0,
    "untold": 0.0,
    "rare": 0.0,
    "validation": 0.0,
}
PAPER_PLAIN = {"bound": "tanh"}  # and in an ae of that mode


@dataclass(frozen=True)
class TrainingProgress:
    """Where a training stands."""

    step: int
    steps: int
    row: Row  # the last of the history, empty at first


@dataclass(frozen=True)
class Trained:
    """A model, its history, and why its training stopped."""

    model: Model | None  # None where it was interrupted before there was one
    history: list[Row]  # step; training: nll, kl; validation: nll, kl, what is to be small
    stopped: str  # "steps", "patience" or "cancelled"
    step: int


class Values(TypedDict, total=False):
    """Parameters of a training: `PARAMETERS` says what each is."""

    latent: int
    net: str
    bound: str
    hidden: int
    features: int
    width: int
    layers: int
    steps: int
    epochs: int
    batch: int
    rate: float
    pace: str
    beta: float
    free: float
    untold: float
    rare: float
    validation: float
    patience: int
    seed: int


class Choices(Values, total=False):
    """What may be chosen besides the game and the levels, as `follow` has it."""

    model: str
    mode: str
    mirror: bool | None
    output: str | Path | None
    cancel: Callable[[], bool]


def train(game: str, levels: Levels, **choices: Unpack[Choices]) -> Trained:
    """Returns a model of levels; `follow` tells the same as it happens, and what can be chosen."""
    *_, last = follow(game, levels, **choices)
    return cast(Trained, last)


def follow(
    game: str,
    levels: Levels,
    *,
    model: str = "vae",
    mode: str = "default",
    mirror: bool | None = None,
    output: str | Path | None = None,
    cancel: Callable[[], bool] = lambda: False,
    **given: Unpack[Values],
) -> Iterator[TrainingProgress | Trained]:
    """Trains a model: `TrainingProgress` about every second, and `Trained` at the end.

    Args:
        game: whose levels they are.
        levels: at least eight different ones, all of one size, or what `generate` returned.
        model: `vae`, `ae` or `vq`, which needs thousands of levels.
        mode: `paper` for the five channels of Thakkar et al. (CoG 2019) and the training of its table II.
        mirror: whether to learn from the mirror images too; by default the game says so.
        output: where the model is written, beside it a checkpoint until it is done. The same call goes on
            from a checkpoint; a cancelled one writes the best model so far.
        cancel: asked about every second.
        **given: any of `PARAMETERS`.
    """
    plan = _plan(game, all_levels(levels), model, mode, mirror, given)
    return _Training(plan, Path(output) if output is not None else None).run(cancel)


@dataclass(frozen=True)
class _Plan:
    settings: Settings
    data: Data
    values: Mapping[str, Any]

    @property
    def record(self) -> dict[str, Any]:
        """All that decides about the result, as JSON would have it."""
        settings = asdict(self.settings)
        settings |= {"size": list(self.settings.size), "kinds": list(self.settings.kinds)}
        return {**self.values, **settings, "mirrored": self.data.mirrored, "digest": self.data.digest}


def _plan(
    game: str, levels: Sequence[Level], model: str, mode: str, mirror: bool | None, given: Mapping[str, Any]
) -> _Plan:
    for name, value, known in (("model", model, MODELS), ("mode", mode, MODES)):
        if value not in known:
            raise unknown(name, value, known)
    values = values_of(model, mode, given)
    data = prepare(games.get(game), levels, mode, mirror, values["validation"], values["seed"])
    if values["epochs"]:
        values["steps"] = values["epochs"] * -(-len(data.learned) // values["batch"])
    shape = {name: values[name] for name in ("latent", "features", "hidden", "net", "bound")}
    settings = Settings(game, data.size, data.kinds, model, mode, **shape)
    if model == "vq":
        settings = _placed(settings, values)
    if not settings.possible:
        raise LevelsmithError(
            "expected net=dense in the mode paper alone and a bound for an ae alone, "
            f"got net={settings.net} and bound={settings.bound} for the {model} of the mode {mode}"
        )
    return _Plan(settings, data, values)


def _placed(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Returns the settings of a vq, whose `latent` so far is of one place."""
    depth, width, layers = (values[name] for name in ("latent", "width", "layers"))
    if depth > DEEPEST or width % HEADS:
        raise LevelsmithError(
            f"expected at most {DEEPEST} numbers in each place of a vq and a width that is a multiple of "
            f"{HEADS}, got {option('latent')} {depth} and width={width}"
        )
    return replace(settings, latent=depth * settings.places, width=width, layers=layers)


def values_of(model: str, mode: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Returns every parameter of a training with its value: the given one, or that of the model and mode."""
    needless = [name for name in NEEDLESS[model] if name in given]
    if needless:
        raise LevelsmithError(f"a {model} makes no use of {listed(needless)}: leave it out")
    standard: dict[str, Any] = USUAL[model]
    if mode == "paper":
        if model == "vq":
            raise LevelsmithError("expected vae or ae in the mode paper, got vq; leave out one of the two")
        standard = PAPER | standard | (PAPER_PLAIN if model == "ae" else {})
    if "steps" in given:
        standard = {**standard, "epochs": 0}
    values = settle("training", PARAMETERS, {**standard, **given})
    if "pace" in given and values["net"] != "dense":
        raise LevelsmithError(
            f"only a dense net has a {option('pace')}: leave it out, or ask for the mode paper"
        )
    return values


def falls_from(history: Sequence[Row], patience: int, last: int) -> float:
    """Returns the step from which on the rate falls: a look too many without a better validation, or late
    enough.

    While the weight of the code grows, what validation looks at is not yet what steps make small.
    """
    best, since = inf, WARM * last
    for row in history:
        if row[-1] < best:
            best, since = row[-1], max(row[0], since)
        if row[0] - since >= patience:
            return min(row[0], (1 - DECAY) * last)
    return (1 - DECAY) * last


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Lets JAX start with one thread: sums in the order of several would differ with the number of cores.

    It asks the environment, which is put back.
    """
    before = {name: value for name, value in os.environ.items() if name == "NPROC"}
    os.environ["NPROC"] = "1"
    try:
        yield
    finally:
        del os.environ["NPROC"]
        os.environ.update(before)


class _Training:
    def __init__(self, plan: _Plan, output: Path | None):
        try:
            with _one_thread():
                import jax

                from levelsmith.learn import network, steps

                jax.devices()  # which starts them
        except ImportError as error:
            raise LevelsmithError(f'training needs JAX ({error}): pip install "levelsmith[learn]"') from error
        self.jax, self.steps = jax, steps
        self.plan, self.output = plan, output
        values, data = plan.values, plan.data
        self.last: int = values["steps"]
        self.counts = data.weights(values["rare"])
        weights = network.initial(plan.settings, self._rng(), data.learned)
        state = steps.begin(plan.settings, weights)
        leaves, self.tree = jax.tree.flatten(state)
        self.names = sorted(state[0])  # the order in which JAX flattens a dictionary
        self.at = Checkpoint(state=leaves)
        if output is not None:
            found = load_checkpoint(beside(output), plan.record, leaves, len(self.names))
            self.at = found or self.at
            self.at.save(beside(output), plan.record)  # before any work: perhaps it cannot be written
        self._schedule()

    def _schedule(self) -> None:
        """Sets the step with which it ends, before which the rate falls: sooner if patience is spent."""
        patience = self.plan.values["patience"] if len(self.plan.data.kept) else self.last
        falls = falls_from(self.at.history, patience, self.last)
        self.ends = min(self.last, int(falls + DECAY * self.last))

    def run(self, cancel: Callable[[], bool]) -> Iterator[TrainingProgress | Trained]:
        state = self.jax.tree.unflatten(self.tree, self.at.state)
        chunk, saved, stopped = 1, time.monotonic(), self._stopped()
        yield self._progress()
        while not stopped:
            started, first = time.monotonic(), self.at.step
            until = min(first + chunk, first - first % EVERY + EVERY, self.ends)
            for step in range(first, until):
                state = self._advanced(state, step)
            self.at.step = until
            self._check(state[2])
            if until % EVERY == 0 or until == self.ends:
                state = self._look(state)
                self._schedule()
            self.at.state = self.jax.tree.leaves(state)
            stopped = self._stopped() or ("cancelled" if cancel() else "")
            now = time.monotonic()
            chunk = max(1, min(2 * chunk, int((until - first) * CHUNK_SECONDS / (now - started))))
            if self.output is not None and (now - saved > CHECKPOINT_SECONDS or stopped == "cancelled"):
                self.at.save(beside(self.output), self.plan.record)
                saved = now
            yield self._progress()
        yield self._end(stopped)

    def _progress(self) -> TrainingProgress:
        return TrainingProgress(self.at.step, self.ends, self.at.history[-1] if self.at.history else [])

    def _check(self, losses: Any) -> None:
        if not np.isfinite(np.asarray(losses)).all():
            raise LevelsmithError(
                f"the loss is no number any more after step {self.at.step}: "
                f"expected a smaller {option('rate')} than {self.plan.values['rate']:g}"
            )

    def _rng(self, *numbers: int) -> np.random.Generator:
        """Random numbers of their own for the first weights, for validation, and for each step."""
        return np.random.default_rng([self.plan.values["seed"], *numbers])

    def _advanced(self, state: Any, step: int) -> Any:
        values, settings, learned = self.plan.values, self.plan.settings, self.plan.data.learned
        rng = self._rng(STEP, step)
        grids = learned[self._picked(step, rng)]
        rates = values["untold"] * rng.random((len(grids), 1, 1))
        told = np.where(rng.random(grids.shape) < rates, len(settings.kinds) + 1, grids).astype(np.int32)
        noise = rng.standard_normal((len(grids), settings.latent), np.float32)
        beta, rate = values["beta"], values["rate"]
        pace = PACES[values["pace"]] if settings.net == "dense" else {}
        if settings.mode != "paper":  # whose rate and weight are the same from the first step to the last
            rate *= min(1.0, (self.ends - step) / (DECAY * self.last))
        if settings.model == "vq":
            rate *= min(1.0, (step + 1) / WARMING)
        elif settings.mode != "paper":
            beta *= min(1.0, step / (WARM * self.last))
        return self.steps.advance(
            settings, state, grids, told, noise, self.counts, values["free"], beta, rate, pace
        )

    def _picked(self, step: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Returns which levels a step learns from: any, or where there are epochs the next of a random
        order."""
        batch, count = self.plan.values["batch"], len(self.plan.data.learned)
        picked: NDArray[np.int64]
        if not self.plan.values["epochs"]:
            picked = rng.integers(count, size=batch)
            return picked
        epoch, place = divmod(step, -(-count // batch))
        order = self._rng(EPOCH, epoch).permutation(count)
        picked = np.resize(order, (place + 1) * batch)[place * batch :]
        return picked

    def _look(self, state: Any) -> Any:
        """Adds a row to the history, and keeps the weights if they are the best so far."""
        weights, moments, sums = state
        kept = self.plan.data.kept
        before = int(self.at.history[-1][0]) if self.at.history else 0
        _, nll, kl = (float(s) / (self.at.step - before) for s in sums)
        row = [float(self.at.step), nll, kl]
        if len(kept):
            noise = self._rng(VALIDATION).standard_normal((len(kept), self.plan.settings.latent), np.float32)
            if self.plan.settings.model == "vq":  # nothing is hidden from its prior
                noise[:] = 0.0
            found = self.steps.validate(
                self.plan.settings, weights, kept, noise, self.counts, self.plan.values["free"]
            )
            self._check(found)
            weighed, nll, kl = map(float, found)
            row += [nll, kl, weighed + self.plan.values["beta"] * kl]
        if not self.at.best or self._rated(row) < self._best():
            self.at.best, self.at.best_step = [np.array(weights[name]) for name in self.names], self.at.step
        self.at.history.append(row)
        return weights, moments, self.jax.numpy.zeros_like(sums)

    def _rated(self, row: Row) -> float:
        """Returns what the best look has least of: the loss on levels kept, in the mode `paper` that on those
        learned from, or else the last look counts."""
        if len(self.plan.data.kept):
            return row[-1]
        paper = self.plan.settings.mode == "paper"  # whose rate never falls: a step may spoil much
        return row[1] + self.plan.values["beta"] * row[2] if paper else -row[0]

    def _best(self) -> float:
        return next(self._rated(row) for row in self.at.history if row[0] == self.at.best_step)

    def _stopped(self) -> str:
        if self.at.step < self.ends:
            return ""
        return "steps" if self.ends == self.last else "patience"

    def _end(self, stopped: str) -> Trained:
        model = self._model(stopped) if self.at.best else None
        if self.output is not None and model is not None:
            model.save(self.output)
            if stopped != "cancelled":
                beside(self.output).unlink(missing_ok=True)
        return Trained(model, self.at.history, stopped, self.at.best_step)

    def _model(self, stopped: str) -> Model:
        plan = self.plan
        weights = dict(zip(self.names, self.at.best, strict=True))
        if plan.settings.model == "vq":
            weights["symmetry"] = np.array([plan.data.symmetry], np.float32)
        else:
            weights |= self._spread(weights)
        told = {
            **plan.record,
            "levels": plan.data.levels,
            "learned": len(plan.data.learned),
            "kept": len(plan.data.kept),
            "step": self.at.best_step,
            "stopped": stopped,
            "loss": next(row[1:] for row in self.at.history if row[0] == self.at.best_step),
        }
        return Model(plan.settings, {name: weights[name] for name in plan.settings.shapes()}, told)

    def _spread(self, weights: dict[str, Any]) -> dict[str, Any]:
        """Returns how new codes are drawn: the mean of the levels' codes, and a root of their covariance."""
        plan, latent = self.plan, self.plan.settings.latent
        low, high = plan.settings.bounds or (-1.0, 1.0)  # or by the standard normal distribution
        mean: NDArray[Any] = np.full(latent, (low + high) / 2)
        spread: NDArray[Any] = (high - low) / 2 * np.eye(latent)
        if plan.settings.bounds is None and (plan.settings.mode, plan.settings.model) != ("paper", "vae"):
            parts = [plan.data.learned[i : i + AT_ONCE] for i in range(0, len(plan.data.learned), AT_ONCE)]
            codes = [self.steps.codes(plan.settings, weights, part) for part in parts]
            means, variances = (np.concatenate(each) for each in zip(*codes, strict=True))
            mean = means.mean(0, dtype=np.float64)
            covariance = np.cov(means.T.astype(np.float64)).reshape(latent, latent)
            noise = np.maximum(variances.mean(0, dtype=np.float64), LEAST)
            spread = np.linalg.cholesky(covariance + np.diag(noise))
        return {"mean": mean.astype(np.float32), "spread": spread.astype(np.float32)}
