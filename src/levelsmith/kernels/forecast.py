"""How many functions a kernel is made of, told from its code before it is compiled: near, not exact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

from numba import types

_callable: dict[Any, Any] = {}  # what kernels may call, by what their code names


def add(function: Any, compiled: Any = None) -> None:
    """Counts a function where a kernel names it; `compiled` is what is called, where that is another."""
    _callable[function if compiled is None else compiled] = function


def expected(function: FunctionType, sig: Iterable[Any]) -> int:
    """Returns about how many functions are compiled for a kernel and the types that it is called with."""
    kinds = {kind for given in sig for kind in _kinds(given)}
    found, waiting = {function}, [function]
    for each in waiting:  # grows while it is read
        for thing in _named(each):
            bodies = getattr(thing, "implementations", None)
            chosen = [_callable.get(thing)] if bodies is None else [bodies[k] for k in kinds if k in bodies]
            new = [body for body in chosen if body is not None and body not in found]
            found.update(new)
            waiting += new
    return len(found)


def _kinds(given: Any) -> Iterator[type]:
    """Yields the classes of the NamedTuples in a type of numba."""
    if isinstance(given, types.BaseNamedTuple):
        yield given.instance_class
    if isinstance(given, types.BaseTuple):
        for inner in given.types:
            yield from _kinds(inner)


def _named(function: FunctionType) -> Iterator[Any]:
    """Yields what the code of a function names that can be called."""
    names = set(_names(function.__code__))
    for name in names:
        thing = function.__globals__.get(name)
        if isinstance(thing, ModuleType):
            yield from (getattr(thing, inner) for inner in names if callable(getattr(thing, inner, None)))
        elif callable(thing):
            yield thing


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
