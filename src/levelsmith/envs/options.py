"""What environments are asked for, checked: numbers, rewards, views, and the options of a reset."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.numbers import check_number, check_seed, whole_number

RENDER_MODES = ["rgb_array", "ansi"]
METADATA: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 8}
VIEWS = ("tiles", "planes")
ARRAYS = ("numpy", "torch")
RESET_MASK = "reset_mask"
Actions = NDArray[np.int64]
Infos = dict[str, Any]
Stepped = tuple[Any, Any, Any, Any, Infos]  # views, rewards, terminated, truncated, infos


def check_counts(**counts: Any) -> list[int]:
    """Returns whole numbers of at least 1, numpy's among them, as integers."""
    return [whole_number(value, "a whole number", 1, f" for {name}") for name, value in counts.items()]


def check_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise unknown("render mode", mode, RENDER_MODES)
    return mode


def check_view(observation: str) -> None:
    if observation not in VIEWS:
        raise unknown("observation", str(observation), VIEWS)


def check_rewards(given: Any, usual: Mapping[str, float]) -> dict[str, float]:
    """Returns all rewards by name: those that were given, and the usual ones."""
    if given is not None and not isinstance(given, Mapping):
        raise LevelsmithError(f"expected rewards by name, such as {{'step': 0}}, got {quoted(given)}")
    for name, value in (given or {}).items():
        if name not in usual:
            raise unknown("reward", str(name), usual)
        check_number(value, f"the reward {name}")
        if not isfinite(value):
            raise LevelsmithError(f"expected a finite number as the reward {name}, got {quoted(value)}")
    return {name: float((given or {}).get(name, value)) for name, value in usual.items()}


def check_options(options: Any, known: Collection[str]) -> dict[str, Any]:
    """Returns the options of a reset; one that would be ignored is refused."""
    if options is not None and not isinstance(options, Mapping):
        raise LevelsmithError(f"expected the options of a reset by name, got {quoted(options)}")
    for name in options or {}:
        if name not in known:
            raise unknown("option of a reset", str(name), known)
    return dict(options or {})


def check_mask(mask: Any, boards: int, begun: bool) -> NDArray[np.int64]:
    """Returns which boards a reset is of, from `options["reset_mask"]`; without one, all."""
    if mask is None:
        return np.arange(boards)
    if not begun:
        raise LevelsmithError("the first reset is of all boards: leave out reset_mask")
    fits = isinstance(mask, np.ndarray) and mask.shape == (boards,) and mask.dtype == np.bool_
    if not fits or not mask.any():
        raise LevelsmithError(
            f"expected a reset_mask of {boards} bools in a numpy array, at least one of them True, "
            f"got {quoted(mask)}"
        )
    return np.flatnonzero(mask)


def check_actions(actions: Any, boards: int, number: int) -> Actions:
    """Returns an action for each board."""
    try:
        taken = np.asarray(actions).astype(np.int64, casting="same_kind", copy=False)
        fit = taken.shape == (boards,) and taken.view(np.uint64).max() < number  # below 0 is far above it
    except (TypeError, ValueError):
        fit = False
    if not fit:
        got = actions.tolist() if isinstance(actions, np.ndarray) else actions
        raise LevelsmithError(f"expected {boards} actions from 0 to {number - 1}, got {quoted(got)}")
    return taken


def check_ended(over: NDArray[np.int64]) -> None:
    """Refuses a step where some boards have ended and nobody has reset them."""
    if len(over):
        raise LevelsmithError(
            f"expected boards that have not ended, got board {over[0]}: reset it first, "
            "with options={'reset_mask': terminated | truncated}"
        )


def autoreset(mode: Any) -> AutoresetMode:
    """Returns the mode of that name, as Gymnasium writes it: NextStep, SameStep or Disabled."""
    for known in AutoresetMode:
        if mode in (known, known.value, known.name):
            return known
    raise unknown("autoreset mode", str(mode), [known.value for known in AutoresetMode])


def seeds_of(seed: int | Sequence[int | None] | None, boards: int) -> list[int | None]:
    """Returns a seed for each board, counted on from the first, as Gymnasium does."""
    if seed is None:
        return [None] * boards
    if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
        if len(seed) != boards:
            raise LevelsmithError(f"expected {boards} seeds, got {len(seed)}")
        return [None if each is None else check_seed(each) for each in seed]
    return [check_seed(seed) + i for i in range(boards)]


def check_array(kind: str) -> str:
    """Returns what observations come as; for torch it must be there."""
    if kind not in ARRAYS:
        raise unknown("array of observations", str(kind), ARRAYS)
    if kind == "torch":
        handed(kind, np.zeros(1))
    return kind


def handed(kind: str, array: NDArray[Any]) -> Any:
    """Returns an array, or a tensor over the same memory."""
    if kind == "numpy":
        return array
    try:
        import torch
    except ImportError:
        raise LevelsmithError(
            "observation_as='torch' needs PyTorch, which is not installed; try: pip install torch"
        ) from None
    return torch.from_numpy(array)


def masked(
    boards: int, chosen: NDArray[np.int64], columns: Mapping[str, Sequence[Any] | NDArray[Any]]
) -> Infos:
    """Returns values of some boards as a vector's infos have them: an array each, and a mask `_name`."""
    mask = np.zeros(boards, np.bool_)
    mask[chosen] = True
    infos: Infos = {}
    for name, values in columns.items():
        kind = values.dtype if isinstance(values, np.ndarray) else np.dtype(object)
        array: NDArray[Any] = (np.empty if kind.hasobject else np.zeros)(boards, kind)  # None, or 0
        array[chosen] = values
        infos[name], infos[f"_{name}"] = array, mask.copy()
    return infos


def finals(kind: str, views: NDArray[Any], over: NDArray[np.int64], infos: Infos) -> Infos:
    """Returns the last views of boards that begin again in the same step, and what else is told of their
    ends, as Gymnasium has them."""
    last = np.full(len(over), None, object)
    for place, board in enumerate(over.tolist()):
        last[place] = handed(kind, views[board].copy())
    ends = masked(len(views), over, {"final_obs": last})
    return {**ends, "final_info": infos, "_final_info": ends["_final_obs"].copy()}
