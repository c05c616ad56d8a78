"""Requests made up at random against the JSON interface: no answer may be a 500, none may take for ever.

`python tests/studio/fuzz.py MINUTES [SEED]` does it for long; the suite does it for some seconds.
"""

import json
import random
import string
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from studio.running import Running

SLOWEST = 30.0  # seconds of one answer, on a machine that does other things too
PUZZLE = "#####\n#@$.#\n#####"
GOOD = {
    "game": ["orchard", "binary", "sokoban", "loderunner"],
    "size": ["6x6", "8x5", "10x10"],
    "search": ["hc"],
    "evaluations": [10, 500],
    "seconds": [0.1],
    "seed": [0, 7],
    "count": [1, 2],
    "text": [PUZZLE, ".^.\n...", "..#\n#..", "."],
    "title": ["a title"],
    "tags": [["a", "b"]],
    "starred": [True, False],
    "ids": [[1], [1, 2, 3]],
    "format": ["json", "xsb", "png", "zip", "tmj", "text"],
    "solve": [True, False],
    "frames": [True, False],
    "want": [{"trees": "3..9"}, {"empty": [1, None]}],
    "set": [{"hc.patience": 5}],
    "objective": ["spaced", ["path-length"]],
    "start": [PUZZLE, ".^.\n..."],
    "lock": [["border"], ["0,0,2x2"]],
    "keep_above": [0.5],
    "preset": ["dense-orchard", "fdg20"],
}
BODIES = {
    "jobs": (
        "game",
        "size",
        "search",
        "evaluations",
        "seconds",
        "seed",
        "count",
        "want",
        "set",
        "objective",
        "preset",
    ),
    "jobs/preview": (
        "game",
        "size",
        "search",
        "evaluations",
        "want",
        "set",
        "objective",
        "start",
        "lock",
        "keep_above",
    ),
    "levels": ("game", "text", "title", "tags"),
    "levels/{id}": ("starred", "tags", "title"),
    "download": ("ids", "format"),
    "check": ("game", "text", "solve", "frames"),
    "steps": ("size", "seed"),
}
NEEDED = {
    "jobs": ("game", "evaluations"),
    "check": ("game", "text"),
    "levels": ("game", "text"),
    "download": ("ids",),
}
QUERIES = (
    "game",
    "sort",
    "limit",
    "offset",
    "min.pushes",
    "max.trees",
    "starred",
    "tag",
    "job",
    "x",
    "y",
    "bins",
    "state",
    "theme",
    "name",
)
GETS = (
    "catalogue",
    "jobs",
    "jobs/{id}",
    "levels",
    "levels/{id}",
    "levels/counts",
    "levels/map",
    "levels/{id}/similar",
    "levels/{id}.svg",
    "levels/{id}.png",
    "sprites/{word}",
    "experiments",
    "{word}",
)


class Fuzzer:
    """Makes requests up; the same seed makes the same ones."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def junk(self, depth=0):
        rng = self.rng
        kinds = [
            lambda: None,
            lambda: rng.choice([True, False]),
            lambda: rng.choice([0, -1, 1, 2**31, 2**63, 2**64, -(2**70), 10**400, 1e308, -0.0, 1e-320, 3.7]),
            lambda: "".join(rng.choice(string.printable) for _ in range(rng.randrange(12))),
            lambda: rng.choice(
                [
                    "",
                    "\x00",
                    "\u202e",
                    "é" * 300,
                    "../../etc/passwd",
                    "/etc/passwd",
                    "'; DROP TABLE levels;--",
                    "%s%n",
                    "NaN",
                    "1e999",
                    "٣",
                    "x" * 5000,
                    "\ud800",
                ]
            ),
            lambda: [self.junk(depth + 1) for _ in range(rng.randrange(4))],
            lambda: {str(self.junk(3)): self.junk(depth + 1) for _ in range(rng.randrange(4))},
        ]
        return rng.choice(kinds[: 5 if depth > 2 else 7])()

    def value(self, name):
        good = GOOD.get(name)
        return self.rng.choice(good) if good and self.rng.random() < 0.75 else self.junk()

    def word(self):
        return (
            quote(str(self.value(self.rng.choice([*GOOD]))).encode("utf-8", "replace"), safe="")[:300] or "x"
        )

    def path(self, pattern):
        number = self.rng.choice(
            ["1", "2", "3", "5", "99", "0", "-1", "1e3", str(2**63), "9" * 40, "9" * 4301, self.word()]
        )
        return pattern.replace("{id}", number).replace("{word}", self.word())

    def query(self):
        names = self.rng.sample(QUERIES, self.rng.randrange(4))
        words = {
            "sort": ["-pushes", "trees", "score", "id"],
            "x": ["trees", "pushes"],
            "y": ["empty", "boxes"],
            "limit": ["5"],
            "state": ["done", "queued,running"],
        }
        pairs = []
        for name in names:
            value = self.rng.choice(words[name]) if name in words and self.rng.random() < 0.7 else self.word()
            pairs.append(f"{name}={value}")
        return "?" + "&".join(pairs) if pairs else ""

    def request(self):
        """Method, path, body and headers of one request."""
        rng = self.rng
        chance = rng.random()
        if chance < 0.35:
            return "GET", self.path(rng.choice(GETS)) + self.query(), None, {}
        if chance < 0.42:
            return (
                rng.choice(["DELETE", "PUT", "HEAD", "OPTIONS", "PATCH", "POST"]),
                self.path(rng.choice(GETS)),
                None,
                {},
            )
        if chance < 0.5:
            buttons = ["pause", "resume", "cancel", self.word()]
            return "POST", self.path("jobs/{id}/") + rng.choice(buttons), {}, {}
        if chance < 0.6:
            name = rng.choice(
                [
                    "a.xsb",
                    "a.txt",
                    "a.json",
                    "a.png",
                    "a.npz",
                    "a.tmx",
                    "a.ldtk",
                    "a.csv",
                    "a.sok",
                    "a.gif",
                    self.word(),
                ]
            )
            data = rng.choice(
                [
                    PUZZLE.encode(),
                    rng.randbytes(rng.randrange(300)),
                    json.dumps(self.junk()).encode("utf-8", "replace"),
                    b"",
                ]
            )
            return "POST", f"upload?name={name}&game={rng.choice(GOOD['game'])}", data, {}
        target = rng.choice([*BODIES])
        names = rng.sample(BODIES[target], rng.randrange(len(BODIES[target]) + 1))
        body = {name: self.value(name) for name in {*names, *NEEDED.get(target, ())}}
        if rng.random() < 0.1:
            body[str(self.junk(3))] = self.junk()
        data = json.dumps(body).encode()
        if rng.random() < 0.05:
            data = data[: rng.randrange(len(data) + 1)] + rng.randbytes(3)
        return "PATCH" if target == "levels/{id}" else "POST", self.path(target), data, {}


def fuzz(studio, seconds, seed):
    """Asks for so long; returns how many answers there were of each status. Stops at the first wrong one."""
    fuzzer = Fuzzer(seed)
    counts = {}
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        method, path, body, headers = fuzzer.request()
        begun = time.monotonic()
        status, _, data = studio.request(method, f"/api/{path}", body, headers, timeout=300)
        taken = time.monotonic() - begun
        problem = status >= 500 or taken > SLOWEST
        if 400 <= status < 500 and method != "HEAD":
            problem |= not json.loads(data).get("error")
        if problem:
            raise AssertionError(
                f"{method} {path} {str(body)[:2000]}: {status} after {taken:.1f} s, {data[:300]}"
            )
        counts[status] = counts.get(status, 0) + 1
    return counts


def main(minutes, seed=0):
    with tempfile.TemporaryDirectory() as folder:
        studio = Running(Path(folder) / "studio.db", "--seconds", 5)
        try:
            counts = fuzz(studio, minutes * 60, seed)
        finally:
            said = studio.stop()
    print(f"{sum(counts.values()):,} requests in {minutes:g} minutes: {dict(sorted(counts.items()))}")
    print(said or "the server said nothing")


if __name__ == "__main__":
    main(float(sys.argv[1]), *map(int, sys.argv[2:]))
