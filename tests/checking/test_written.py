"""What a check writes: solutions into files and beside them, certificates, tables of hints."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import levelsmith
from checking.conftest import LEVELS, SCRIPT
from levelsmith.checking.hints import hints_of
from levelsmith.levels.files import load
from levelsmith.registry import games

HERE = Path(levelsmith.__file__).parent / "checking" / "readers"


def test_solutions_are_written_and_nothing_else_is_changed(run, tmp_path):
    (tmp_path / "pack.xsb").write_bytes(LEVELS.replace("\n", "\r\n").encode())
    (tmp_path / "game.txt").write_text(SCRIPT)
    _, _, err = run("check", "pack.xsb", "game.txt", "--write", "--workers", 1)
    assert "wrote the solutions of 1 level to pack.xsb" in err
    assert "wrote the solutions of 2 levels to game.txt" in err
    written = (tmp_path / "pack.xsb").read_bytes().decode()
    assert "\n" not in written.replace("\r\n", "")
    added = [line for line in written.splitlines() if line not in LEVELS.splitlines()]
    assert added[:2] == ["Solution: R", "Minimum: 1"]
    assert [line for line in written.splitlines() if line not in added] == LEVELS.splitlines()
    game = (tmp_path / "game.txt").read_text().splitlines()
    first = game.index("(solution: rr)")
    assert game[first + 1 : first + 3] == ["(minimum: 2)", game[first + 2]]
    assert game[first + 2].startswith("(difficulty: ")
    assert "(minimum: 5)" not in game
    assert "(minimum: 1)" in game
    before = [(tmp_path / name).read_bytes() for name in ("pack.xsb", "game.txt")]
    _, _, err = run("check", "pack.xsb", "game.txt", "--write", "--workers", 1)
    assert "wrote" not in err
    assert [(tmp_path / name).read_bytes() for name in ("pack.xsb", "game.txt")] == before
    assert [level.title for level in load(str(tmp_path / "pack.xsb"))] == ["one", "two"]


ONE, TWO = "#####\n#@$.#\n#####\n", "######\n#@ $.#\n######\n"
ADDED = re.compile(rb"(; |\()?(solution|minimum|difficulty): [^\r\n]*(\r\n|\r|\n|$)", re.I)
ODD = {
    "ends of two kinds.xsb": ("; one\n\n" + ONE.replace("\n", "\r\n") + "\n" + TWO + "Title: x\n").encode(),
    "returns.xsb": f"; one\n\n{ONE}\nTitle: y\n".replace("\n", "\r").encode(),
    "mark.xsb": b"\xef\xbb\xbf" + ONE.encode(),
    "mark.txt": b"\xef\xbb\xbf" + ("; game: sokoban\n" + ONE).replace("\n", "\r\n").encode(),
    "blanks.xsb": b"; t  \t\n\n#####  \t\n#@$.#  \n#####\t\nTitle: q   \n\n",
    "no end.xsb": ONE.rstrip("\n").encode(),
    "tabs.txt": f"; game: sokoban\n\n;\tnote\n{ONE}\n\n\n{TWO}   \n".encode(),
    "latin.xsb": f"; caf\xe9\n\n{ONE}Author: Ren\xe9\n".encode("latin-1"),
    "odd.xsb": f"; a\x0cb\u2028c\x85d\n\n{ONE}Title: p\x0bq\u2029r\n".encode(),
    "comment.sok": f"; a\n\n{ONE}\n; on\n\n{TWO}Title: b\nComment: hi\nthere\nComment-end:\n".encode(),
    "script.txt": SCRIPT.replace("(minimum: 5)\n", "").replace("(solution: rr)\n", "").encode() + b" \t\n\n",
}


def test_every_byte_that_was_there_stays(run, tmp_path):
    for name, data in ODD.items():
        (tmp_path / name).write_bytes(data)
        (tmp_path / name).chmod(0o640)
    _, _, err = run("check", *ODD, "--write", "--workers", 1)
    assert err.count("wrote the solutions") == len(ODD)
    for name, data in ODD.items():
        written = (tmp_path / name).read_bytes()
        assert len(ADDED.findall(written)) >= 3
        assert ADDED.sub(b"", written) == data + b"\n" * (name == "no end.xsb")
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o640
    assert {path.name for path in tmp_path.iterdir()} == set(ODD)


def test_a_solution_below_its_heading_is_replaced_with_all_its_lines(run, tmp_path):
    board = "#######\n#@ $ .#\n#######\n"
    (tmp_path / "a.sok").write_text(f"{board}Title: x\n\nSolution\nrRlr\nRR\n\n{board.replace('@ ', ' @')}")
    run("check", "a.sok", "--write", "--finding", "duplicate=off")
    one, two = load(str(tmp_path / "a.sok"))
    assert (one.title, one.solution) == ("x", "rRR")
    assert two.solution == "RR"


def test_what_has_no_place_for_it_gets_a_file_beside(run, tmp_path):
    level = levelsmith.parse("#####\n#@$.#\n#####", game="sokoban")
    levelsmith.save([level, replace(level, title="again")], tmp_path / "pack.json")
    before = (tmp_path / "pack.json").read_bytes()
    run("check", "pack.json", "--write", "--finding", "duplicate=off")
    assert (tmp_path / "pack.json").read_bytes() == before
    told = json.loads((tmp_path / "pack.json.solved.json").read_text())["solved"]
    assert told["#2"]["title"] == "again"
    assert (told["#1"]["solution"], told["#1"]["minimum"]) == ("R", "1")
    _, _, err = run("check", ".", "-q")
    assert "2 levels in 1 file" in err  # what lies beside is no level


def test_a_certificate_is_verified_by_a_program_alone(run, tmp_path):
    pack = "#######\n#@$ .$#\n#   .##\n#######\n\n" + LEVELS
    (tmp_path / "pack.xsb").write_text(pack)
    status, _, err = run("certify", "pack.xsb", "-o", "proof/c.json", "--workers", 1)
    assert status == 1  # one level cannot be won
    assert "wrote proof/c.json: 3 levels, 0 left out" in err
    verify = [sys.executable, "-I", "verify_certificate.py", "c.json", "--strict"]
    folder = tmp_path / "proof"
    assert "levelsmith" not in imports((folder / "verify_certificate.py").read_text())
    done = subprocess.run(verify, cwd=folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "3 of 3 levels accepted, 3 of them with all they claim\n")
    told = json.loads((folder / "c.json").read_text())
    for forged in forgeries(told):
        (folder / "c.json").write_text(json.dumps(forged))
        done = subprocess.run(verify, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 1, forged
        assert "Traceback" not in done.stderr


def test_a_box_on_its_goal_outside_the_walls_is_verified_too(run, tmp_path):
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\n    *\n")
    assert run("certify", "a.xsb", "-o", "c.json")[0] == 0
    verify = [sys.executable, "-I", "verify_certificate.py", "c.json", "--strict"]
    done = subprocess.run(verify, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "1 of 1 levels accepted, 1 of them with all they claim\n"


def imports(text):
    return " ".join(re.findall(r"^\s*(?:from|import) .*", text, re.M))


def forgeries(told):
    """Certificates that claim what is not so, one lie each."""
    lost = next(i for i, one in enumerate(told["levels"]) if one["claim"] == "cannot be won")
    won = next(i for i, one in enumerate(told["levels"]) if one["claim"] == "fewest")
    lies = [
        (won, {"solution": told["levels"][won]["solution"][:-1]}),
        (won, {"solution": "x"}),
        (won, {"solution": None}),
        (won, {"claim": "cannot be won", "solution": None, "bound": None, "length": None}),
        (won, {"bound": 0}),
        (won, {"length": 0}),
        (won, {"claim": "surely"}),
        (won, {"level": told["levels"][won]["level"].replace("$", " ")}),
        (lost, {"claim": "can be won", "solution": "R", "length": 1}),
        (lost, {"claim": "fewest", "solution": "", "length": 0, "bound": 0}),
    ]
    for i, lie in lies:
        levels = [{**one, **(lie if n == i else {})} for n, one in enumerate(told["levels"])]
        yield {**told, "levels": levels}
    yield {**told, "rules": "0" * 64}
    yield {**told, "version": 2}
    yield {**told, "symbols": told["symbols"][::-1]}


def test_a_plan_against_guards_is_certified_by_its_rule_book(run, tmp_path):
    level = "; game: loderunner\nBBBBBBBB\nB......B\nB.M.G..B\nBbbbbbbB\nBBBBBBBB\nBBBBBBBB\n"
    (tmp_path / "a.txt").write_text(level)
    status, _, err = run("certify", "a.txt", "--workers", 1)
    assert status == 0, err
    done = subprocess.run(
        [sys.executable, "verify_certificate.py", "certificate.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "1 of 1 levels accepted, 1 of them with all they claim\n", done.stderr
    told = json.loads((tmp_path / "certificate.json").read_text())
    told["levels"][0]["solution"] = "l5"
    (tmp_path / "certificate.json").write_text(json.dumps(told))
    done = subprocess.run([sys.executable, "verify_certificate.py", "certificate.json"], cwd=tmp_path)
    assert done.returncode == 1


def test_a_game_that_hands_out_no_rules_is_refused(run, tmp_path):
    (tmp_path / "game.txt").write_text(SCRIPT)
    status, _, err = run("certify", "game.txt")
    assert status == 2
    assert "hands out no rules that a certificate could be verified by" in err


@pytest.mark.slow(20)
def test_60_certified_levels_are_accepted_and_20_forged_ones_refused(run, tmp_path):
    made = levelsmith.generate("sokoban", size=(5, 5), set={"boxes": 2}, count=60, seed=3).levels
    levelsmith.save(made, tmp_path / "pack.xsb")
    status, _, err = run("certify", "pack.xsb", "-o", "c.json")
    assert status == 0, err
    told = json.loads((tmp_path / "c.json").read_text())
    assert len(told["levels"]) == 60
    verify = [sys.executable, "-I", "verify_certificate.py", "c.json", "--strict"]
    done = subprocess.run(verify, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "60 of 60 levels accepted, 60 of them with all they claim\n"
    rng = np.random.default_rng(1)
    for number in rng.permutation(60)[:20].tolist():
        entry = told["levels"][number]
        kind = number % 5
        if kind == 0:
            entry["solution"] = entry["solution"][:-1]
        elif kind == 1:
            entry["bound"] = entry["length"] = entry["length"] - 1
        elif kind == 2:
            entry["solution"] = entry["solution"].swapcase()
        elif kind == 3:
            entry.update(claim="cannot be won", solution=None, bound=None, length=None)
        else:
            entry["level"] = entry["level"].translate(str.maketrans("$*", " ."))  # without boxes
            entry["sha256"] = sha256(entry["level"].encode()).hexdigest()
    (tmp_path / "c.json").write_text(json.dumps(told))
    done = subprocess.run(verify, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1].startswith("40 of 60 levels accepted")


# --------------------------------------------------------------------------------------------------- hints


def states_of(level, seed, count):
    """States of a level by a random walk, each as rows."""
    game, rng = games.get(level.game), np.random.default_rng(seed)
    position = game.begun(level.grid.copy())
    for _ in range(count):
        yield "\n".join(level.tiles.rows(game.drawn(position))), position
        after = game.moved(position, game.letters[rng.integers(len(game.letters))])
        position = position if after is None or game.is_solved(after) else after


def test_a_table_of_hints_wins_from_every_state_or_says_that_it_is_lost(tmp_path):
    level = levelsmith.parse("#######\n#     #\n# @$ .#\n#   $.#\n#######", game="sokoban")
    hints = hints_of(level, levelsmith.solve(level).solution)
    game = games.get("sokoban")
    assert hints.complete
    assert 0 < sum(move == 255 for move in hints.best.values()) < len(hints.best)
    lost = 0
    for seed in range(5):
        for rows, position in states_of(level, seed, 40):
            if hints.best[rows] == 255:
                lost += 1
                drawn = levelsmith.parse(rows, game="sokoban")
                assert levelsmith.solve(drawn).status == "unsolvable"
                continue
            for _ in range(len(hints.best)):
                move = hints.best["\n".join(level.tiles.rows(game.drawn(position)))]
                if move == 254:
                    break
                position = game.moved(position, game.letters[move])
            assert game.is_solved(position)
    assert lost


def test_readers_of_thirty_lines_agree_with_the_table(run, tmp_path):
    (tmp_path / "pack.xsb").write_text("#######\n#     #\n# @$ .#\n#     #\n#######\n\n" + LEVELS)
    (tmp_path / "game.txt").write_text(SCRIPT)
    _, _, err = run("check", "pack.xsb", "game.txt", "--hints", "hints.json", "--workers", 1)
    assert "pack.xsb#3: left out: no solution is known" in err
    level = load(str(tmp_path / "pack.xsb"))[0]
    hints = hints_of(level, levelsmith.solve(level).solution)
    asked = [*list(hints.best)[:60], "no state", ""]
    words = {254: "won", 255: "lost"}
    right = [words.get(hints.best[rows]) or "udlr"[hints.best[rows]] for rows in asked[:-2]] + [None, None]
    namespace: dict[str, object] = {}
    exec((HERE / "hints.py").read_text(), namespace)
    table = namespace["load"](tmp_path / "hints.json")["pack.xsb#1"]
    assert [table.best(rows) for rows in asked] == right
    for name in ("hints.py", "hints.js", "hints.gd"):
        assert len((HERE / name).read_text().splitlines()) <= 33
    if (node := shutil.which("node")) is None:
        pytest.skip("no node here")
    (tmp_path / "asked.json").write_text(json.dumps(asked))
    program = (
        "import { readFileSync as file } from 'fs'; import { read } from './hints.mjs';"
        "const table = read(file('hints.json', 'utf8')).get('pack.xsb#1');"
        "console.log(JSON.stringify(JSON.parse(file('asked.json', 'utf8')).map((rows) => table.best(rows))));"
    )
    shutil.copy(HERE / "hints.js", tmp_path / "hints.mjs")
    (tmp_path / "ask.mjs").write_text(program)
    done = subprocess.run([node, "ask.mjs"], cwd=tmp_path, capture_output=True, text=True)
    assert json.loads(done.stdout) == right, done.stderr


class Wide(int):
    """A whole number of 64 bits with a sign, as Godot has them."""

    def __xor__(self, other):
        return wide(int(self) ^ int(other))

    __rxor__ = __xor__

    def __mul__(self, other):
        return wide(int(self) * int(other))


def wide(number):
    number &= (1 << 64) - 1
    return Wide(number - (1 << 64) if number >> 63 else number)


IN_PYTHON = {  # what stands in GDScript, and what that is in Python
    r"#.*|^class_name.*|^var .*": "",
    r"^static func (\w+)\((\w+): \w+\) -> \w+:": r"def \1(\2):",
    r"^func (\w+)\((\w+): \w+\) -> \w+:": r"def \1(self, \2):",
    r"\bvar (\w+) :=": r"\1 =",
    r"(?<!def )(?<![.\"])\b(_number\(|data\b|letters\b|seed_number\b)": r"self.\1",
    r"JSON\.parse_string\(FileAccess\.get_file_as_string\((\w+)\)\)": r"json.loads(\1.read_text())",
    r"Hints\.new\(\)": "Hints()",
    r"Marshalls\.base64_to_raw": "b64decode",
    r"(\w+)\.to_utf8_buffer\(\)": r"\1.encode()",
    r"self\.data\.size\(\)": "len(self.data)",
    r" / ": " // ",
}


def test_the_reader_for_godot_put_into_python_line_by_line_agrees_with_the_table(tmp_path):
    """There is no Godot to run it with: its lines are run as Python, with whole numbers as Godot's."""
    text = (HERE / "hints.gd").read_text()
    for there, here in IN_PYTHON.items():
        text = re.sub(there, here, text, flags=re.M)
    space: dict[str, object] = {"json": json, "b64decode": b64decode, "int": wide}
    exec("class Hints:\n" + "".join(f"\t{line}\n" for line in text.splitlines() if line.strip()), space)
    level = levelsmith.parse("#######\n#     #\n# @$ .#\n#     #\n#######", game="sokoban")
    hints = hints_of(level, levelsmith.solve(level).solution)
    words = {254: "won", 255: "lost"}
    for seed in (hints.seed, 999):
        packed = b64encode(replace(hints, seed=seed).packed).decode()
        table = {"name": "a", "letters": "udlr", "seed": seed, "table": packed}
        (tmp_path / "hints.json").write_text(json.dumps({"levels": [table]}))
        read = space["Hints"].load_file(tmp_path / "hints.json")["a"]
        for rows, move in hints.best.items():
            assert read.best(rows) == (words.get(move) or "udlr"[move])
        assert (read.best("no state"), read.best("é")) == ("", "")
