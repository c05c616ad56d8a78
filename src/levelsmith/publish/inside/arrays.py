"""What the compiler of PuzzleScript takes of numpy, in plain Python: the module `numpy` of a page.

Names are those of numpy. Arrays have one axis or two. A part of an array shares its numbers where numpy's
would. The numbers of words wrap around at 64 bits.
"""
# ruff: noqa: N801, N802

from __future__ import annotations

import builtins
import operator
import sys
from array import array as packed
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import Any

MASK = 2**64 - 1


class Kind:
    """The kind of the numbers of an array, which also makes one number of it."""

    def __init__(self, name: str, code: str, make: Callable[[Any], Any]) -> None:
        self.name, self.code, self.make = name, code, make

    def __call__(self, value: Any) -> Any:
        return self.make(value)

    def newbyteorder(self, order: str) -> Kind:
        return self  # pages are little-endian, as the bytes are that they are told


int64 = Kind("int64", "q", int)
uint64 = Kind("uint64", "Q", lambda value: int(value) & MASK)
uint32 = Kind("uint32", "I", lambda value: int(value) & 0xFFFFFFFF)
uint8 = Kind("uint8", "B", lambda value: int(value) & 0xFF)
bool_ = Kind("bool", "B", bool)


class ndarray:
    """Numbers in rows: `places` says where in `cells` each of them is."""

    def __init__(self, cells: list[Any], places: Sequence[int], shape: tuple[int, ...], dtype: Kind) -> None:
        self.cells, self.places, self.shape, self.dtype = cells, places, shape, dtype

    @property
    def values(self) -> list[Any]:
        cells = self.cells
        return [cells[place] for place in self.places]

    @property
    def T(self) -> ndarray:
        height, width = self.shape
        places = [self.places[row * width + col] for col in range(width) for row in range(height)]
        return ndarray(self.cells, places, (width, height), self.dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values) if len(self.shape) == 1 else (self[row] for row in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            rows, columns = key
            return self[rows][columns] if not isinstance(rows, slice) else self._columns(rows, columns)
        if isinstance(key, slice):
            places = [place for row in range(len(self))[key] for place in self._row(row)]
            return ndarray(self.cells, places, (len(range(len(self))[key]), *self.shape[1:]), self.dtype)
        if isinstance(key, int):
            if not -len(self) <= key < len(self):
                raise IndexError(key)
            row = self._row(key % len(self))
            return (
                self.cells[row[0]]
                if len(self.shape) == 1
                else ndarray(self.cells, row, self.shape[1:], self.dtype)
            )
        chosen = list(key)
        if isinstance(key, ndarray) and key.dtype is bool_:
            chosen = [row for row, is_chosen in enumerate(chosen) if is_chosen]
        cells = [self.cells[place] for row in chosen for place in self._row(row)]
        return _made(cells, (len(chosen), *self.shape[1:]), self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, tuple):
            self[key[0]][key[1]] = value
            return
        rows = range(len(self))[key] if isinstance(key, slice) else [key]
        for row in rows:
            for place in self._row(row):
                self.cells[place] = self.dtype(value)

    def _row(self, row: int) -> Sequence[int]:
        width = 1 if len(self.shape) == 1 else self.shape[1]
        return self.places[row * width : (row + 1) * width]

    def _columns(self, rows: slice, columns: slice) -> ndarray:
        found = [self._row(row)[columns] for row in range(len(self))[rows]]
        width = len(range(self.shape[1])[columns])
        return ndarray(self.cells, [place for row in found for place in row], (len(found), width), self.dtype)

    def _with(self, other: Any, work: Callable[[Any, Any], Any], dtype: Kind | None = None) -> ndarray:
        """Returns what comes of each number and that of another array, of a row for all rows, or of one."""
        mine, shape, kind = self.values, self.shape, dtype or self.dtype
        if not isinstance(other, ndarray):
            return _made([kind(work(one, other)) for one in mine], shape, kind)
        theirs = other.values
        if len(other.shape) > len(shape):
            mine, shape = mine * len(other), other.shape
        elif len(other.shape) < len(shape):
            theirs = theirs * len(self)
        return _made([kind(work(one, two)) for one, two in zip(mine, theirs, strict=True)], shape, kind)

    def __and__(self, other: Any) -> ndarray:
        return self._with(other, operator.and_)

    def __or__(self, other: Any) -> ndarray:
        return self._with(other, operator.or_)

    def __sub__(self, other: Any) -> ndarray:
        return self._with(other, operator.sub)

    def __mul__(self, other: Any) -> ndarray:
        return self._with(other, operator.mul)

    def __gt__(self, other: Any) -> ndarray:
        return self._with(other, operator.gt, bool_)

    def __ne__(self, other: Any) -> ndarray:  # type: ignore[override]
        return self._with(other, operator.ne, bool_)

    __hash__ = None  # type: ignore[assignment]

    def __invert__(self) -> ndarray:
        turned = operator.not_ if self.dtype is bool_ else operator.invert
        return _made([self.dtype(turned(one)) for one in self.values], self.shape, self.dtype)

    def any(self, axis: int | None = None) -> Any:
        return (
            builtins.any(self.values)
            if axis is None
            else _made([builtins.any(row.values) for row in self], self.shape[:1], bool_)
        )

    def sum(self, axis: int | None = None) -> Any:
        return (
            sum(self.values)
            if axis is None
            else _made([sum(row.values) for row in self], self.shape[:1], int64)
        )

    def max(self, initial: int) -> int:
        return max(self.values, default=initial)

    def ravel(self) -> ndarray:
        return ndarray(self.cells, self.places, (len(self.places),), self.dtype)

    def reshape(self, height: int, width: int) -> ndarray:
        return ndarray(self.cells, self.places, (len(self.places) // width, width), self.dtype)

    def tolist(self) -> list[Any]:
        return self.values if len(self.shape) == 1 else [row.values for row in self]

    def tobytes(self) -> bytes:
        return packed(self.dtype.code, self.values).tobytes()


def _made(cells: list[Any], shape: tuple[int, ...], dtype: Kind) -> ndarray:
    return ndarray(cells, range(len(cells)), shape, dtype)


def array(rows: Sequence[Any], dtype: Kind) -> ndarray:
    nested = bool(rows) and isinstance(rows[0], tuple | list)
    shape = (len(rows), len(rows[0])) if nested else (len(rows),)
    return _made([dtype(one) for row in rows for one in (row if nested else [row])], shape, dtype)


def full(shape: int | tuple[int, ...], value: Any, dtype: Kind) -> ndarray:
    sides = (shape,) if isinstance(shape, int) else shape
    return _made([dtype(value)] * (sides[0] * (sides[1] if len(sides) > 1 else 1)), sides, dtype)


def zeros(shape: int | tuple[int, ...], dtype: Kind) -> ndarray:
    return full(shape, 0, dtype)


def arange(count: int) -> ndarray:
    return _made(list(range(count)), (count,), int64)


def ascontiguousarray(value: ndarray, dtype: Kind | None = None) -> ndarray:
    return _made(value.values, value.shape, value.dtype)


def cumsum(value: ndarray) -> ndarray:
    total, found = 0, []
    for one in value:
        total += one
        found.append(total)
    return _made(found, value.shape, int64)


def repeat(value: ndarray, counts: ndarray) -> ndarray:
    found = [one for one, count in zip(value, counts, strict=True) for _ in range(count)]
    return _made(found, (len(found),), value.dtype)


def any(rows: Sequence[ndarray], axis: int) -> ndarray:
    """Returns whether any of several arrays has something in a place; `axis` is 0."""
    return _made([builtins.any(column) for column in zip(*rows, strict=True)], rows[0].shape, bool_)


def bincount(value: ndarray, minlength: int) -> ndarray:
    counts = [0] * minlength
    for one in value:
        counts[one] += 1
    return _made(counts, (len(counts),), int64)


class bitwise_or:
    @staticmethod
    def at(target: ndarray, rows: ndarray, values: ndarray) -> None:
        for row, found in zip(rows, values, strict=True):
            mine = target[row]
            for column, one in enumerate(found):
                mine[column] = mine[column] | one


typing = ModuleType("numpy.typing")
typing.NDArray = dict.fromkeys([int64, uint64, uint8, bool_], ndarray)  # type: ignore[attr-defined]
sys.modules["numpy.typing"] = typing
