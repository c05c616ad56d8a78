"""The types that a kernel is called with, as text: `u8[2]`, `(u64,u64)`, `module:Name(i64,f64)`.

An array is told by its numbers and axes, with `F` or `A` where its cells do not follow each other as in C,
and `!` where nothing may be written to it. `i64`, `u8`, `f64` and `b1` are plain numbers of so many bits.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

NONE = "none"
KINDS = "iufb"  # of numpy's types that kernels take


class Number(NamedTuple):
    """A plain number, or none."""

    word: str


class Array(NamedTuple):
    """An array of numbers."""

    word: str
    axes: int
    layout: str = "C"
    fixed: bool = False  # nothing may be written to it


class Group(NamedTuple):
    """A tuple; `kind` names its class where that is a NamedTuple."""

    kind: str
    items: tuple[Any, ...]


Type = Number | Array | Group


def described(value: Any) -> str:
    """Returns the type of a value as text; raises TypeError for what no built kernel takes."""
    if isinstance(value, np.ndarray):
        layout = "" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
        return f"{_word(value.dtype)}[{value.ndim}{layout}]{'' if value.flags.writeable else '!'}"
    if isinstance(value, tuple):
        kind = type(value)
        name = "" if kind is tuple else f"{kind.__module__}:{kind.__qualname__}"
        return f"{name}({','.join(map(described, value))})"
    if value is None:
        return NONE
    if isinstance(value, bool):
        return "b1"
    if isinstance(value, int):
        return "i64"
    if isinstance(value, np.generic):
        return _word(value.dtype)
    if isinstance(value, float):
        return "f64"
    raise TypeError(f"no kernel takes {value!r}")


def _word(dtype: np.dtype[Any]) -> str:
    if dtype.kind not in KINDS or not dtype.isnative:
        raise TypeError(f"no kernel takes {dtype}")
    return "b1" if dtype.kind == "b" else f"{dtype.kind}{8 * dtype.itemsize}"


def parsed(text: str) -> tuple[Type, ...]:
    """Returns the types that a list of them, parted by commas, tells."""
    found, rest = _parsed(text)
    if rest:
        raise ValueError(f"expected types, got {rest!r} after them")
    return found


def _parsed(text: str) -> tuple[tuple[Type, ...], str]:
    """Returns the types up to the first `)` that opens nowhere here, and the text from there on."""
    found: list[Type] = []
    while text and text[0] != ")":
        end = next((i for i, letter in enumerate(text) if letter in "(,)"), len(text))
        word, text = text[:end], text[end:]
        if text.startswith("("):
            inside, text = _parsed(text[1:])
            found.append(Group(word, inside))
            text = text[1:]
        else:
            found.append(_leaf(word))
        text = text.removeprefix(",")
    return tuple(found), text


def _leaf(text: str) -> Type:
    word, _, rest = text.partition("[")
    if not rest:
        return Number(word)
    inside, _, after = rest.partition("]")
    axes = inside.rstrip("FA")
    return Array(word, int(axes), inside[len(axes) :] or "C", after == "!")


def leaves(types: tuple[Type, ...]) -> list[Number | Array]:
    """Returns the numbers and arrays in types, in the order in which a kernel gets them."""
    found: list[Number | Array] = []
    for each in types:
        if isinstance(each, Group):
            found += leaves(each.items)
        else:
            found.append(each)
    return found


def class_of(kind: str) -> type:
    """Returns the class that a name stands for; a plain tuple for none."""
    if not kind:
        return tuple
    module, _, name = kind.partition(":")
    found = getattr(import_module(module), name)
    if not isinstance(found, type):
        raise TypeError(f"expected a class, got {kind}")
    return found
