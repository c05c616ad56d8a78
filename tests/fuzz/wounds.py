"""Wounds for files: to bytes, lines, JSON, XML, TOML, pictures and numpy archives."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

Wound = Callable[[bytes, list[bytes], random.Random], bytes]

TOKENS = [
    b"0", b"-1", b"1e999", b"99999999999999999999", b"null", b"true", b"[]", b"{}", b'""', b'"\\ud800"',
    b"\0", b"\xff\xfe", b"<", b">", b"&x;", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"../../etc/passwd",
    b"\x1b[31m", b"\n\n", b"; game: nothing\n", b"NaN", b"[" * 2000, b"width", b"IDAT",
    b"\x00\x00\xff\xff", b",", b'"', b"}", b"]", b"9" * 5000, b"\xe2\x80\xae", b"(((((", b"999(9(9(#",
]  # fmt: skip
LARGE = "\x01"  # stands for a number that Python writes to no text
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 1.5, -0.0, 1e308, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, 2**64, -(2**63),
    10**30, 10**400, LARGE, "", "x", "12", "10x10", "99999999x9", "..", "1..", "inf", "nan", "\0", "\ud800",
    "\u202e", "é" * 300, "a\nb", "sokoban", "binary", "hc", "wide", [], {}, [None], [[]], {"": {}},
    {"a": {"b": [1]}}, [0] * 5000,
]  # fmt: skip


# ---------------------------------------------------------------------------------------------------- bytes


def bytes_(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Flips, cuts, repeats or replaces bytes, in one to four places."""
    wounded = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(wounded) + 1)
        kind = rng.randrange(7)
        if kind == 0 and wounded:
            wounded[at % len(wounded)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del wounded[at:]
        elif kind == 2:
            del wounded[at : at + rng.randint(1, 30)]
        elif kind == 3:
            wounded[at:at] = rng.choice(TOKENS)
        elif kind == 4:
            token = rng.choice(TOKENS)
            wounded[at : at + len(token)] = token
        elif kind == 5:
            other = rng.choice(others)
            start = rng.randrange(len(other))
            wounded[at:at] = other[start : start + rng.randint(1, 200)]
        else:
            wounded[at:at] = wounded[at : at + rng.randint(1, 100)] * rng.randint(1, 20)
    return bytes(wounded)


def lines(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Drops, repeats, swaps or replaces whole lines; repeats blocks up to a million bytes."""
    rows = data.split(b"\n")
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(rows)), rng.randrange(len(rows))
        kind = rng.randrange(6)
        if kind == 0 and len(rows) > 1:
            del rows[at]
        elif kind == 1:
            block = rows[at : at + rng.randint(1, 5)]
            rows[at:at] = block * min(
                rng.choice((1, 10, 1000, 100_000)), 1 + 200_000 // (sum(map(len, block)) + 1)
            )
        elif kind == 2:
            rows[at], rows[other] = rows[other], rows[at]
        elif kind == 3:
            rows[at] = rng.choice(TOKENS)
        elif kind == 4:
            rows[at:at] = rng.choice(others).split(b"\n")
        else:
            rows[at] = rows[at] * min(rng.choice((2, 50, 2000)), 1 + 1_000_000 // (len(rows[at]) + 1))
    return b"\n".join(rows)[:3_000_000]


# ------------------------------------------------------------------------------------------- JSON, XML, TOML


def changed(document: Any, rng: random.Random) -> Any:
    """Plain data with one value in it replaced, dropped, repeated or wrapped, at any depth."""
    if rng.random() < 0.15 or not isinstance(document, dict | list) or not document:
        kind = rng.randrange(4)
        if kind == 0:
            for _ in range(rng.choice((1, 50, 900, 3000))):
                document = [document] if rng.random() < 0.9 else {"a": document}
            return document
        if kind == 1 and isinstance(document, list):
            return document * rng.choice((0, 2, 100))
        if kind == 2 and isinstance(document, dict):
            return {**document, rng.choice(("levels", "layers", "data", "text", "x")): rng.choice(VALUES)}
        return rng.choice(VALUES)
    keys = list(document) if isinstance(document, dict) else range(len(document))
    key = rng.choice(keys)
    copy: Any = dict(document) if isinstance(document, dict) else list(document)
    if rng.random() < 0.1:
        del copy[key]
    else:
        copy[key] = changed(copy[key], rng)
    return copy


def dumped(document: Any, rng: random.Random) -> bytes:
    """Plain data as JSON, with numbers that JSON can say and Python cannot, and nesting beyond its stack."""
    try:
        text = json.dumps(document)
    except (RecursionError, ValueError):
        return b"[" * rng.choice((900, 100_000)) + b"]"
    return text.replace(json.dumps(LARGE), rng.choice(("9" * 5000, "-1e400", "1" + "0" * 4299))).encode()


def json_(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    return dumped(twice(changed, json.loads(data), rng), rng)


def json_lines(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    rows = [row for row in data.split(b"\n") if row.strip()]
    at = rng.randrange(len(rows))
    rows[at] = json_(rows[at], others, rng)
    return b"\n".join(rows * rng.choice((1, 2, 50)))[:3_000_000]


def twice(wound: Callable[[Any, random.Random], Any], document: Any, rng: random.Random) -> Any:
    return wound(wound(document, rng), rng) if rng.random() < 0.3 else wound(document, rng)


def xml(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Replaces the value of an attribute or the text of an element, or repeats or drops an element."""
    text = data.decode()
    pattern = rng.choice(
        (r'="[^"]*"', r">[^<]*<", r"<[a-z]+[^<>]*/>", r"<([a-z]+)[ >].*</\1>", r" [a-z]+=\"[^\"]*\"")
    )
    found = list(re.finditer(pattern, text, re.DOTALL))
    if not found:
        return bytes_(data, others, rng)
    match = rng.choice(found)
    value = str(rng.choice([each for each in VALUES if not isinstance(each, int) or abs(each) < 10**300]))
    value = value.encode("utf-8", "replace").decode()
    new = {
        '="': f'="{value}"',
        ">": f">{value}<",
        "<": match[0] * rng.choice((0, 2, 200)),
        " ": "" if rng.random() < 0.5 else match[0] * 2,
    }
    start = '="' if match[0].startswith('="') else match[0][0]
    return (text[: match.start()] + new[start] + text[match.end() :]).encode()


def toml(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Gives a key another value, another name, another table, or drops it."""
    rows = data.decode().split("\n")
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(rows))
        key, equals, _ = rows[at].partition("=")
        kind = rng.randrange(20)
        if kind <= 15 and equals:
            rows[at] = f"{key}= {toml_value(rng)}"
        elif kind == 16:
            rows[at] = rng.choice(
                (
                    "[[experiment.part]]",
                    "[set]",
                    "[binary]",
                    "[sokoban.want]",
                    "[a.b.c]",
                    "[experiment]",
                    "[[a]]",
                    "",
                )
            )
        elif kind <= 18 and equals:
            other = rng.choice([row for row in rows if "=" in row])
            key = rng.choice((other.partition("=")[0], "want", "turns", "rows", "x.y", "seed"))
            rows[at] = f"{key}= {toml_value(rng)}"
        else:
            rows[at:at] = rng.choice(others).decode().split("\n")[: rng.randint(1, 40)]
    return "\n".join(rows).encode("utf-8", "surrogateescape")


def toml_value(rng: random.Random) -> str:
    """Any value, as TOML writes it."""
    word = json.dumps(rng.choice([value for value in VALUES if isinstance(value, str) and value != "\ud800"]))
    number = rng.choice(
        ("0", "-1", "7", "9223372036854775807", "9223372036854775808", "9" * 5000, "1e300", "inf", "nan")
    )
    items = (word, number, "0.5", "3", '"hc"', '"es"')
    several = ", ".join(rng.choice(items) for _ in range(rng.choice((0, 2, 3, 300))))
    values = (word, number, word, number, "true", "1979-05-27T07:32:00Z", "0x" + "f" * rng.choice((4, 40)))
    values += (f"[{several}]", f"{{ a = {number} }}", f"{{ {word} = {word} }}", '["hc", ["es"]]', "'a\\b'")
    values += (
        "[" * rng.choice((3, 3000)) + "]" * 3,
        "{ path = '3..9' }",
        f"{{ 'hc.patience' = [{several}] }}",
    )
    return rng.choice(values)


# ------------------------------------------------------------------------------------ pictures and archives


def png(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Changes the levels inside a picture and gives them the checksum that they need."""
    at = data.index(b"iTXt")
    length = struct.unpack(">I", data[at - 4 : at])[0]
    body = data[at + 4 : at + 4 + length]
    keyword, _, rest = body.partition(b"\0")
    packed = rest[2:].split(b"\0", 2)
    text = zlib.decompress(packed[2]) if rest[0] else packed[2]
    text = json_(text, others, rng) if rng.random() < 0.7 else bytes_(text, others, rng)
    new = (
        keyword
        + b"\0"
        + rng.choice((b"\0\0\0\0" + text, b"\1\0\0\0" + zlib.compress(text), b"\1\0\0\0" + text, rest))
    )
    chunk = b"iTXt" + new
    return (
        data[: at - 4]
        + struct.pack(">I", len(new))
        + chunk
        + struct.pack(">I", zlib.crc32(chunk))
        + data[at + 8 + length :]
    )


def npz(data: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """Packs the arrays anew: by another method, with odd headers, under other names, some twice or none."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(info.filename, archive.read(info)) for info in archive.infolist()]
    at = rng.randrange(len(members))
    name, member = members[at]
    kind = rng.randrange(6)
    if kind <= 2:
        members[at] = name, odd_array(member, rng)
    elif kind == 3:
        members[at] = rng.choice(("grids.npy", "x", "../x", "settings.npy", "", "game.npy")), member
    elif kind == 4:
        members[at:at] = rng.choice((members[at : at + 1], members, [("x.npy", b"")]))
    else:
        del members[at]
    packed = io.BytesIO()
    method = rng.choice(
        (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    )
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, member in members:
            archive.writestr(zipfile.ZipInfo(name), member, method)
    return packed.getvalue() if rng.random() < 0.8 else bytes_(packed.getvalue(), others, rng)


def odd_array(member: bytes, rng: random.Random) -> bytes:
    """An array with another header, or with other numbers or words behind it."""
    length = struct.unpack("<H", member[8:10])[0]
    header, data = member[10 : 10 + length], member[10 + length :]
    kind = rng.randrange(5)
    if kind == 0:
        descr = rng.choice(
            (
                "'<f8'",
                "'|O'",
                "'<U0'",
                "'<U9999999'",
                "'<M8'",
                "[('a', '<f4')]",
                "'>i8'",
                "'|S9'",
                "'<c16'",
                "(" * 99,
            )
        )
        header = re.sub(rb"'descr': '[^']*'", f"'descr': {descr}".encode(), header)
    elif kind == 1:
        shape = rng.choice(
            (
                "(-1,)",
                "()",
                "(10**9,)",
                "(99999999, 99999999)",
                "(0, 9999999999999)",
                "(1,)",
                "((1,),)",
                "(True,)",
                "1",
            )
        )
        header = re.sub(rb"\([^)]*\)", shape.encode(), header)
    elif kind == 2:
        data = data[: rng.randrange(len(data) + 1)] + rng.randbytes(rng.choice((0, 1, 4000)))
    elif kind == 3 and b"U" in header:
        words = data.decode("utf-32-le")
        inner = (
            json_(words.encode(), [], rng).decode() if words.startswith("{") else str(rng.choice(VALUES[20:]))
        )
        data = (inner or "x").encode("utf-32-le", "replace")
        header = f"{{'descr': '<U{len(data) // 4}', 'fortran_order': False, 'shape': (), }}\n".encode()
    else:
        return member[:6] + rng.randbytes(rng.choice((2, 4))) + member[10:]
    return member[:8] + struct.pack("<H", len(header)) + header + data
