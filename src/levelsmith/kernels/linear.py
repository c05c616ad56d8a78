"""A check of linear use, for debugging: notices a set, board or state that is used after it was changed.

Large sets and boards are arrays that are changed in place and handed back; small ones are tuples, of which a
new one is handed back. Code that goes on with what it was handed back serves both; code that looks at what it
had before is right for tuples alone. `LEVELSMITH_LINEAR=1` beside `LEVELSMITH_KERNELS=plain` makes that an
error.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

ON = os.environ.get("LEVELSMITH_LINEAR") == "1" and os.environ.get("LEVELSMITH_KERNELS") == "plain"
REMEMBERED = 100_000  # states that were used up

_latest: dict[int, NDArray[Any]] = {}  # by address in memory: what a function handed back last
_used_up: dict[int, Any] = {}  # states by their id; held, so that no other gets it


class UsedAfterChangeError(AssertionError):
    """Raised where code looks at a set, board or state that was changed since."""


class _Handed(np.ndarray):
    """An array that was handed back: it can be read until it is changed again."""

    def __getitem__(self, key: Any) -> Any:
        check(self)
        return np.asarray(self)[key]


def check(thing: Any) -> None:
    """Refuses an array that was changed after it was handed out."""
    if isinstance(thing, np.ndarray) and _latest.get(thing.ctypes.data, thing) is not thing:
        raise UsedAfterChangeError("a set or board is used after it was changed: go on with what came back")


def reads(function: Any) -> Any:
    """Marks a function that looks at its first argument."""
    return _checked(function, lambda first, came: came) if ON else function


def changes(function: Any) -> Any:
    """Marks a function that changes its first argument in place and hands it back."""
    return _checked(function, _hand_back) if ON else function


def overwrites(function: Any) -> Any:
    """Marks a function that does so without looking at what was there before."""
    return _checked(function, _hand_back, looks=False) if ON else function


def _checked(function: Any, then: Callable[[Any, Any], Any], looks: bool = True) -> Any:
    @wraps(function)
    def call(first: Any, *others: Any) -> Any:
        if looks:
            check(first)
        return then(first, function(first, *others))

    return call


def _hand_back(first: Any, came: Any) -> Any:
    if not isinstance(came, np.ndarray):
        return came
    handed = np.asarray(came).view(_Handed)
    _latest[handed.ctypes.data] = handed
    return handed


def use(arguments: tuple[Any, ...], body: Callable[..., Any]) -> Any:
    """Calls what a name stands for; a state that another one is made of is used up by that."""
    for argument in arguments[1:]:
        if id(argument) in _used_up:
            raise UsedAfterChangeError(
                f"a {type(argument).__name__} is used after another state was made of it: go on with that one"
            )
    came = body(*arguments)
    state = arguments[1] if len(arguments) > 1 else None
    if hasattr(state, "_fields") and type(came) is type(state) and came is not state:
        _used_up[id(state)] = state
        if len(_used_up) > REMEMBERED:
            del _used_up[next(iter(_used_up))]
    return came
