"""Wounds PuzzleScript sources at random, compiles and plays them: nothing but our own error may come.

python tools/fuzz_sources.py [FILE] [--count 100000] [--seed 0] [--twin]

FILE is one as `tools/replay_sessions.py` takes it; without it the games that ship are wounded. A source gets
one to six wounds (cut, repeated, moved, swapped with pieces of others, with odd words and characters), is
compiled, and if it is a game still, played for a few keys by the compiled engine. One line of JSON tells how
many were refused and played, the slowest, the peak of memory, and the first three failures. With `--twin` the
engine in plain Python plays the same keys, twenty of them, and the boards must be equal after each.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import resource
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import compile_game, compile_source
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.session import Session
from levelsmith.registry import games
from reference.puzzlescript import Twin

SECONDS, MEGABYTES = 2.0, 300
KEYS = (0, 1, 2, 3, 4, "undo", "restart", "tick")
WORDS = (
    *("[", "]", "|", "->", "...", "no", "moving", "late", "rigid", "random", "randomdir", "+", "startloop"),
    *("endloop", "or", "and", "=", "(", ")", "message", "again", "cancel", "restart", "checkpoint", "win"),
    *("all", "some", "on", "player", "background", "objects", "levels", "rules", "up", "parallel", "action"),
    *("\0", "İ", "ß", "𝔘", "\u2028", "\r", "\t", "99999999999999999999", "#ff", "transparent", "."),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE")
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--twin", action="store_true", help="play by the engine in plain Python, too")
    asked = parser.parse_args()
    found = wounded(sources(asked.file), asked.count, asked.seed, asked.twin)
    print(json.dumps(found, ensure_ascii=True))
    raise SystemExit(bool(found["wrong"]))


def sources(file: Path | None) -> list[str]:
    """Returns the sources of a file, or of the games that ship."""
    if file is None:
        return list(games.sources.values())
    data = file.read_bytes()
    entries = json.loads(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data)
    return sorted({entry["source"] if isinstance(entry, dict) else entry[1][0] for entry in entries})


def wounded(texts: list[str], count: int, seed: int, twin: bool = False) -> dict[str, Any]:
    """Returns what came of so many wounded sources."""
    rng = random.Random(seed)
    refused = played = inputs = 0
    slowest, wrong = 0.0, list[dict[str, Any]]()
    Kernel(compile_game(texts[0]).tables, 1, 1).turn(0)  # compiled before it is timed
    before = memory()
    for number in range(count):
        text = wound(rng, rng.choice(texts), texts)
        keys = rng.choices(KEYS, k=20 if twin else 4)
        started = time.process_time()
        try:
            program = compile_source(text)[1]
            refused += program is None
            levels = [n for n, one in enumerate(program.levels if program else ()) if one.board is not None]
            if program is not None and levels:  # not all that is left are messages
                session = Session(program, Kernel, levels[0])
                other = Session(program, Twin, levels[0]) if twin else None
                played += 1
                for key in keys:
                    session.press(key)
                    inputs += 1
                    if other is not None:
                        other.press(key)
                    if other is not None and not same(session, other):
                        wrong.append({"number": number, "keys": keys, "differs": inputs, "text": text})
                        break
        except LevelsmithError:
            pass
        except Exception as error:  # what this looks for
            wrong.append({"number": number, "error": f"{type(error).__name__}: {error}", "text": text})
        spent = time.process_time() - started
        slowest = max(slowest, spent)
        if spent > SECONDS and not twin:
            wrong.append({"number": number, "seconds": round(spent, 1), "text": text})
    if memory() > MEGABYTES and not twin:
        wrong.append({"megabytes": memory()})
    return {
        "sources": count,
        "refused": refused,
        "played": played,
        "inputs": inputs,
        "slowest": round(slowest, 2),
        "megabytes": memory(),
        "megabytes_before": before,
        "failures": len(wrong),
        "wrong": wrong[:3],
    }


def same(one: Session, other: Session) -> bool:
    """Returns whether two sessions stand at the same level and board."""
    boards = one.engine.board(), other.engine.board()
    return one.level == other.level and one.won == other.won and bool((boards[0] == boards[1]).all())


def memory() -> int:
    """Returns the most megabytes that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


def wound(rng: random.Random, text: str, others: list[str]) -> str:
    """Returns a source with a few wounds."""
    for _ in range(rng.randint(1, 6)):
        kind, i = rng.randrange(8), rng.randrange(len(text) + 1)
        j = min(len(text), i + rng.choice((1, 3, 20, 200)))
        lines = text.split("\n")
        a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
        if kind == 0:
            text = text[:i] + text[j:]
        elif kind == 1:
            text = text[:i] + f" {rng.choice(WORDS)} " + text[i:]
        elif kind == 2:
            text = text[:i] + rng.choice(WORDS) + text[j:]
        elif kind == 3:
            text = text[:i] + text[i:j] * rng.choice((2, 3, 50)) + text[j:]
        elif kind == 4:
            lines[a], lines[b] = lines[b], lines[a]
            text = "\n".join(lines)
        elif kind == 5:
            del lines[a : a + rng.choice((1, 2, 10))]
            text = "\n".join(lines)
        elif kind == 6:
            text = "\n".join([*lines[:a], *[lines[b]] * rng.choice((1, 2, 40)), *lines[a:]])
        else:
            piece = rng.choice(others)
            k = rng.randrange(len(piece))
            text = text[:i] + piece[k : k + rng.choice((5, 50, 500))] + text[j:]
    return text


if __name__ == "__main__":
    main()
