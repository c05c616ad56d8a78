"""Reads hint tables of levelsmith: `load(path)[name].best(rows)` is a move, "lost", "won" or None."""

import json
from base64 import b64decode
from bisect import bisect_left
from typing import Any


class Hints:
    def __init__(self, level: Any):
        self.letters, self.seed = level["letters"], level["seed"]
        data = b64decode(level["table"])
        self.numbers = [int.from_bytes(data[i : i + 4], "big") for i in range(0, len(data), 5)]
        self.moves = data[4::5]

    def best(self, rows: str) -> str | None:
        """rows: the level as it stands now, a symbol a cell, rows joined by line feeds."""
        number = 2166136261 ^ self.seed
        for byte in rows.encode():
            number = ((number ^ byte) * 16777619) & 0xFFFFFFFF
        at = bisect_left(self.numbers, number)
        if at == len(self.numbers) or self.numbers[at] != number:
            return None
        return {255: "lost", 254: "won"}.get(self.moves[at]) or self.letters[self.moves[at]]


def load(path: str) -> dict[str, Hints]:
    with open(path, encoding="utf-8") as file:
        return {level["name"]: Hints(level) for level in json.load(file)["levels"]}
