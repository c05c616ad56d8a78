"""Where to run: on the processor, or on a GPU where there is one. Nothing here needs numba-cuda."""

from __future__ import annotations

import importlib.util

from levelsmith.errors import LevelsmithError, unknown

DEVICES = ("cpu", "cuda", "auto")


def missing() -> str | None:
    """Returns what keeps this machine from running on a GPU, with what to do about it; None for nothing."""
    if importlib.util.find_spec("numba_cuda") is None:
        return "a GPU needs numba-cuda: pip install 'levelsmith[gpu]'"
    try:
        from levelsmith.kernels.gpu import available
    except (ImportError, AttributeError) as error:
        return f"numba-cuda does not load beside these versions of numba and numpy ({error})"
    return None if available() else "no CUDA card was found, or no driver for it: look at nvidia-smi"


def chosen(asked: str, unable: str | None) -> str:
    """Returns the device to take: as asked for, or with `auto` the GPU where there is one that can.

    `unable` says why no GPU can do what is asked, where that is so.
    """
    if asked not in DEVICES:
        raise unknown("device", asked, DEVICES)
    if asked == "cpu":
        return "cpu"
    why = missing() if unable is None else unable
    if asked == "cuda" and why is not None:
        raise LevelsmithError(why)
    return "cpu" if why is not None else "cuda"
