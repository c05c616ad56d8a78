"""Damages files of experiments in many ways and reads them: `python tests/experiment/damage.py COUNT SEED`.

Whatever is wrong with a file, reading it works or is refused in one line. Nothing else may come: no other
error, no warning, no wait.
"""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from click.testing import CliRunner

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from experiment import stores
from experiment.conftest import SPEC
from levelsmith import experiment
from levelsmith.cli import cli
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.page import write
from levelsmith.experiment.report import build
from levelsmith.experiment.results import Results

MOST_SECONDS = 300  # of a call, on a machine that does much else
QUICK = {"quick": True, "workers": 1}
TABLES = ("meta", "machines", "cells", "runs", "levels")
VALUES = (  # as SQL writes them
    *("NULL", "'abc'", "'12'", "''", "x'00ff'", "CAST(x'fffe' AS TEXT)", "CAST(x'41c3' AS TEXT)", "1.5"),
    *("-1", "0", "2", "9223372036854775807", "-9223372036854775808", "1000000000", "1e300", "-1e300"),
    "9e999",
)
TEXTS = r"""
{  [  null  1  "x"  []  {}  [[1]]  [[1,"a",2]]  [[1,2,1e999]]  {"a":null}  {"a":"b"}  {"a":[1]}
{"evaluations":"x"}  {"x\"y":1}  [NaN]  {"trees":Infinity}  [1]  [""]
"""
JSON = (*(f"'{text}'" for text in TEXTS.split()), "replace(hex(zeroblob(3000)), '0', '[')")
LEVELS = ("'#'", "'^.\n^'", "'abc'", "char(10)", "replace(hex(zeroblob(3000)), '0', '^')")
META = ("format", "levelsmith", "experiment", "spec", "quick", "shard", "created")


def make(folder: Path) -> dict[str, Path]:
    """Writes the files that are damaged, and others that are not."""
    (folder / "small.toml").write_text(SPEC)
    for name, choices in {"small": {}, "whole": {}, "other": {"seed": 7}}.items():
        experiment.run(folder / "small.toml", folder / f"{name}.db", **QUICK, **choices)
    cells = [cell for cell in stores.map_cells() if cell[1] in ("mcts", "hc", "sa")]
    stores.maps(folder / "maps.db", 3, cells=cells)
    parts = {"a": [({"x": 1}, "7x7", {}), ({"x": 2}, "7x7", {})]}
    stores.sokoban(folder / "sokoban.db", parts, "")
    return {path.stem: path for path in sorted(folder.glob("*.db"))}


# ------------------------------------------------------------------------------------------------ damages


def truncate(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: rng.randrange(len(data))])


def flip(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(rng.choice((1, 1, 8, 100))):
        data[rng.randrange(rng.choice((200, len(data), len(data))))] ^= 1 << rng.randrange(8)
    path.write_bytes(data)


def spoil_page(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    """Zeroes a page, fills it with anything, or writes another one over it."""
    data = bytearray(path.read_bytes())
    page, other = (4096 * rng.randrange(len(data) // 4096) for _ in range(2))
    data[page : page + 4096] = rng.choice((bytes(4096), rng.randbytes(4096), data[other : other + 4096]))
    path.write_bytes(data)


def replace_value(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    """Puts something else into a row, or into all rows, of a column."""
    table = rng.choice(TABLES)
    with editing(path) as base:
        names = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
        name = rng.choice(names)
        value = rng.choice(rng.choice((VALUES, JSON, LEVELS)))
        keys = [row[0] for row in base.execute(f"SELECT {names[0]} FROM {table}")]
        key = rng.choice(keys)
        where = rng.choice((":key IS :key", f"{names[0]} IS :key", f"{names[0]} IS :key"))
        with suppress(sqlite3.IntegrityError):  # a number of a row is one
            base.execute(f"UPDATE OR IGNORE {table} SET {name} = {value} WHERE {where}", {"key": key})


def replace_meta(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    specs = ('{"title":1}', '{"title":"a","pages":[1]}', '{"title":"a","pages":"maps"}')
    value = rng.choice((*VALUES, *JSON, "'2'", *(f"'{spec}'" for spec in specs)))
    with editing(path) as base:
        base.execute(f"UPDATE meta SET value = {value} WHERE name = ?", [rng.choice(META)])


def delete_rows(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    with editing(path) as base:
        table = rng.choice(TABLES)
        where = rng.choice(("", " ORDER BY random() LIMIT 1", " ORDER BY random() LIMIT 1"))
        name = base.execute(f"PRAGMA table_info({table})").fetchone()[1]
        base.execute(f"DELETE FROM {table} WHERE {name} IN (SELECT {name} FROM {table}{where})")


def alter(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    """Drops a table, view, index or column, or changes what SQLite believes a table to be."""
    with editing(path) as base:
        kind, name = rng.choice(
            base.execute("SELECT type, name FROM sqlite_master WHERE sql NOT NULL").fetchall()
        )
        how = rng.randrange(4)
        if how == 0 or kind != "table":
            base.execute(f"DROP {kind} {name}")
        elif how == 1:
            columns = [row[1] for row in base.execute(f"PRAGMA table_info({name})")]
            base.execute(f"ALTER TABLE {name} RENAME COLUMN {rng.choice(columns)} TO gone")
        else:
            text = rng.choice(
                ("replace(sql, 'TEXT', 'BLOB')", "'CREATE TABLE'", "NULL", "substr(sql, 1, 40)")
            )
            base.execute("PRAGMA writable_schema = ON")
            base.execute(f"UPDATE sqlite_master SET sql = {text} WHERE name = ?", [name])


def leave_log(path: Path, rng: random.Random, files: dict[str, Path]) -> None:
    """Puts the log or journal of another file, or anything, beside it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.db"
        shutil.copy(rng.choice(list(files.values())), copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as base:
            base.execute("PRAGMA journal_mode = " + rng.choice(("WAL", "DELETE")))
            base.execute("PRAGMA cache_size = 1")
            base.execute("BEGIN IMMEDIATE")
            base.execute("UPDATE runs SET score = score / 2, history = history || ' '")
            if (Path(folder) / "copy.db-wal").exists():
                base.execute("COMMIT")
            for log in Path(folder).glob("copy.db-*"):
                data = bytearray(log.read_bytes())
                if data and rng.random() < 0.5:
                    data[rng.randrange(len(data))] ^= 255
                path.with_name(path.name + log.name[7:]).write_bytes(data)


DAMAGES = (truncate, flip, spoil_page, replace_value, replace_value, replace_value, replace_meta)
DAMAGES += (delete_rows, alter, leave_log)


@contextmanager
def editing(path: Path):
    """A database to change without the checks of its own tables."""
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA writable_schema = ON")
        schema = base.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
        base.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'")
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        yield base
    with closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA writable_schema = ON")
        for name, sql in schema:
            bare = sql.replace(" NOT NULL", "")
            base.execute("UPDATE sqlite_master SET sql = ? WHERE name = ? AND sql = ?", (sql, name, bare))


# -------------------------------------------------------------------------------------------------- calls


def command(*words: str | Path) -> None:
    done = CliRunner().invoke(cli, ["experiment", *map(str, words)], standalone_mode=False)
    if done.exception is not None:
        raise done.exception


def calls(path: Path, files: dict[str, Path]):
    """Everything that reads a file, by name."""
    folder = path.parent
    spec = files["small"].with_name("small.toml")
    twin = files["whole" if path.stem in ("small", "other") else path.stem]
    return {
        "open": lambda: experiment.open(path).spec,
        "status": lambda: command("status", path),
        "report": lambda: write(build(Results(path))),
        "compare": lambda: command("compare", path, twin),
        "compare to": lambda: command("compare", twin, path, "-o", folder / "page.html"),
        "merge": lambda: experiment.merge(folder / "new.db", [twin, path]),
        "merge into": lambda: experiment.merge(path, [twin]),
        "run": lambda: experiment.run(spec, path, **QUICK),
    }


def call(work) -> str:
    """Says how a call ended: `read`, `refused`, or what it must not come to."""

    def late(*_):
        raise TimeoutError(f"no answer after {MOST_SECONDS} s")

    signal.signal(signal.SIGALRM, late)
    signal.alarm(MOST_SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ResourceWarning)
            work()
    except LevelsmithError as error:
        return "refused" if "\n" not in str(error) and len(str(error)) < 1000 else f"not one line: {error}"
    except Exception:
        return traceback.format_exc()
    finally:
        signal.alarm(0)
    return "read"


def fuzz(count: int, seed: int, names=("small", "maps", "sokoban"), skip=()):
    """Calls each reader on `count` damaged files: yields the damage, the call and how it ended."""
    with tempfile.TemporaryDirectory() as made:
        files = make(Path(made))
        for number in range(count):
            rng = random.Random(f"{seed} {number}")
            name, damage = rng.choice(names), rng.choice(DAMAGES)
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / f"{name}.db"
                shutil.copy(files[name], path)
                damage(path, rng, files)
                for what, work in calls(path, files).items():
                    if what not in skip:
                        kept = {each: each.read_bytes() for each in Path(folder).glob(f"{name}.db*")}
                        yield f"{number} {name} {damage.__name__}", what, call(work)
                        for each in Path(folder).glob("*"):
                            each.unlink()
                        for each, data in kept.items():
                            each.write_bytes(data)


def main() -> None:
    count, seed = (int(word) for word in (*sys.argv[1:], 100, 0)[:2])
    ends: Counter[tuple[str, str]] = Counter()
    wrong = 0
    begun = time.perf_counter()
    for damage, what, end in fuzz(count, seed):
        kind = end if end in ("read", "refused") else "wrong"
        ends[what, kind] += 1
        if kind == "wrong":
            wrong += 1
            print(f"{damage}, {what}: {end}")
    for (what, kind), number in sorted(ends.items()):
        print(f"{what:<12} {kind:<8} {number:>6}")
    print(f"{sum(ends.values())} calls, {wrong} wrong, {time.perf_counter() - begun:.0f} s")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
