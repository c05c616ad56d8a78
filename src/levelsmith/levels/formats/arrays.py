"""Reads numpy archives (.npz) of unknown origin: no pickles, and no memory for what a header merely claims.

Headers are matched with a pattern; numpy would have Python parse them.
"""

from __future__ import annotations

import io
import re
import sys
import zipfile
from collections.abc import Collection
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

MOST_MEMBERS = 10_000
LONGEST_HEADER = 10_000
ENTRY = b"PK\1\2"  # how an entry in the list of a zip's members begins
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
MAGIC = b"\x93NUMPY"
LENGTH_BYTES = {1: 2, 2: 4, 3: 4}  # of the header's length, by the version of the npy format
HEADER = re.compile(
    rb"\{'descr': '(?P<descr>[<>|=]?(?:b1|[iu][1248]|f[248]|U[1-9][0-9]{0,5}))', "
    rb"'fortran_order': (?P<fortran>True|False), "
    rb"'shape': \((?P<shape>[0-9, ]{0,200})\),? ?\}\s*"
)


def read_arrays(data: bytes, most: int, names: Collection[str] | None = None) -> dict[str, NDArray[Any]]:
    """Returns the arrays of an archive by name; raises ValueError and nothing else, whatever the bytes.

    Args:
        data: the archive.
        most: bytes that all arrays together may take.
        names: the arrays that matter; the others are passed over.
    """
    if data.count(ENTRY) > MOST_MEMBERS:
        raise ValueError(f"expected at most {MOST_MEMBERS:,} arrays, got more")
    found: dict[str, NDArray[Any]] = {}
    left = most
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                name = info.filename.removesuffix(".npy")
                if names is not None and name not in names:
                    continue
                if name in found or info.compress_type not in METHODS:
                    raise ValueError(f"{name!r} is there twice or packed in an unusual way")
                with archive.open(info) as stream:
                    found[name] = _array(name, stream, left)  # type: ignore[arg-type]
                left -= found[name].nbytes
    except Exception as error:  # a damaged zip raises whatever its parts raise
        raise ValueError(str(error)) from None
    return found


def _array(name: str, stream: BinaryIO, most: int) -> NDArray[Any]:
    shape, dtype, order = _header(name, stream)
    cells, size = prod(shape), prod(shape) * dtype.itemsize
    if size > most:
        raise ValueError(f"{name} claims {cells:,} cells, more than there may be")
    data = stream.read(size)
    if len(data) < size or stream.read(1):
        raise ValueError(f"{name} claims {cells:,} cells, and holds others")
    array = np.frombuffer(bytearray(data), dtype)  # a copy: what is compiled wants arrays that can be written
    if dtype.kind == "U" and array.size and array.view(dtype.str[0] + "u4").max() > sys.maxunicode:
        raise ValueError(f"{name} has characters that are none")
    return array.reshape(shape, order=order)


def _header(name: str, stream: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any], Any]:
    """Returns the shape, the type and the order that an array claims to have."""
    start = stream.read(len(MAGIC) + 2)
    if start[: len(MAGIC)] != MAGIC or start[len(MAGIC)] not in LENGTH_BYTES:
        raise ValueError(f"{name} is no array of numpy")
    length = int.from_bytes(stream.read(LENGTH_BYTES[start[len(MAGIC)]]), "little")
    header = stream.read(min(length, LONGEST_HEADER))
    match = HEADER.fullmatch(header)
    if match is None or len(header) < length:
        raise ValueError(f"{name} is no array of numbers or words")
    shape = tuple(int(side) for side in match["shape"].removesuffix(b",").split(b",") if match["shape"])
    return shape, np.dtype(match["descr"].decode()), "F" if match["fortran"] == b"True" else "C"
