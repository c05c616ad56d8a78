"""`levelsmith play`: keys on a real terminal, what cannot be played refused in a line, and what is drawn."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import pytest

import prepared
from levelsmith import parse
from levelsmith.cli import main
from levelsmith.cli.sessions import begin
from levelsmith.errors import LevelsmithError

FLOOR = ["bbbbbbbbbbbb", "BBBBBBBBBBBB", "BBBBBBBBBBBB"]
TRAP = "\n".join(["............", "............", "M.........EG", *FLOOR])
CAUGHT = "\n".join(["............", "............", "M..E.......G", *FLOOR])
ROOM = "#######\n#     #\n#@$ . #\n#     #\n#######"
ARROWS = {"u": "\x1bOA", "d": "\x1bOB", "r": "\x1bOC", "l": "\x1bOD"}


def on_terminal(tmp_path, game, text, script, words=(), **where):
    """The status, and all that was shown, of a level after a script."""
    (tmp_path / "level.txt").write_text(f"; game: {game}\n{text}\n")
    return typed([str(tmp_path / "level.txt"), *words], script, **where)


def typed(words, script, size=(40, 100), term="xterm-256color"):
    """The status, and all that was shown, after a script of (what to wait for, what to type)."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    process = prepared.Popen(
        [sys.executable, "-m", "levelsmith", "play", *words],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**kept, "TERM": term},
        start_new_session=True,
    )
    os.close(follower)
    waiting, shown, seen, until = list(script), b"", 0, time.monotonic() + 60
    while True:
        if not select.select([leader], [], [], max(0, until - time.monotonic()))[0]:
            process.kill()
            pytest.fail(f"it waits for {waiting[:1]} and shows {shown[-300:]}")
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
        while waiting and waiting[0][0].encode() in shown[seen:]:
            seen = len(shown)
            os.write(leader, waiting.pop(0)[1].encode())
    os.close(leader)
    return process.wait(timeout=60), re.sub(r"\x1b([\[(][\d;?]*[a-zA-Z]|[>=])", "", shown.decode())


def test_a_level_of_lode_runner_is_won_in_real_time(tmp_path):
    walk = "\n".join(["............", "............", "M....G......", *FLOOR])
    started = time.monotonic()
    script = [("a key starts it", ARROWS["r"]), ("All the gold is yours.", "q")]
    status, shown = on_terminal(tmp_path, "loderunner", walk, script)
    assert status == 0
    assert time.monotonic() - started > 25 / 23  # five cells
    assert shown.rstrip().endswith("level 1: All the gold is yours. (gold 1 of 1, 1.1 s)")


def test_it_ends_with_its_terminal(tmp_path):
    (tmp_path / "level.txt").write_text(f"; game: sokoban\n{ROOM}\n")
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    words = [sys.executable, "-m", "levelsmith", "play", str(tmp_path / "level.txt")]
    process = prepared.Popen(words, stdin=follower, stdout=follower, stderr=follower, start_new_session=True)
    os.close(follower)
    shown = b""
    while b"move 0" not in shown:
        assert select.select([leader], [], [], 60)[0], shown[-300:]
        shown += os.read(leader, 65536)
    os.close(leader)
    process.wait(timeout=60)


def test_who_is_caught_tries_again_and_sokoban_waits_for_moves(tmp_path):
    script = [("a key starts it", " "), ("Caught!", "r"), ("a key starts it", "q")]
    status, shown = on_terminal(tmp_path, "loderunner", CAUGHT, script, ["--speed", "10"])
    assert (status, shown.count("Caught!")) == (0, 1)
    assert shown.rstrip().endswith("level 1: left (gold 0 of 1, 0.0 s)")
    script = [("move 0", ARROWS["r"]), ("1", ARROWS["r"]), ("Solved in 2 moves.", "q")]
    status, shown = on_terminal(tmp_path, "sokoban", ROOM, script)
    assert status == 0
    assert shown.rstrip().endswith("level 1: Solved in 2 moves. (move 2)")


PUZZLE = """title Check
OBJECTS

Background .
black

Target O
yellow

Player P
pink

Crate *
red

Note 1
blue

LEGEND

SOUNDS

COLLISIONLAYERS

Background
Target
Player, Crate
Note

RULES

[ > Player | Crate ] -> [ > Player | > Crate ]
late [ Player Note ] -> [ Player ] message Discovered
[ action Player ] -> win

WINCONDITIONS

All Target on Crate

LEVELS

message Welcome

(title: One)
P*O

message Between

(title: Two)
P.1*.O

(title: Three)
P..O*

message Finished
"""


def test_a_puzzlescript_game_is_played_from_its_first_level_to_its_end(tmp_path):
    (tmp_path / "game.txt").write_text(PUZZLE)
    right = ARROWS["r"]
    script = [
        ("Welcome", " "),
        ("move 0", right),
        ("Solved in 1 move.", ""),  # the next level comes by itself
        ("Between", " "),
        ("move 0", right),
        ("1", right),  # onto the note
        ("Discovered", " "),
        ("move 2", "z"),  # back, the note is there again
        ("1", right),
        ("Discovered", " "),
        ("move 2", "r"),
        ("3", right + right),
        ("Discovered", " "),
        ("move 5", right + right),
        ("Solved in 7 moves.", " "),
        ("move 0", "x"),
        ("Finished", " "),
        ("Solved in 0 moves.", "q"),
    ]
    status, shown = typed([str(tmp_path / "game.txt")], script)
    assert status == 0
    assert shown.rstrip().splitlines()[-3:] == [
        "One: Solved in 1 move. (move 1)",
        "Two: Solved in 7 moves. (move 7)",
        "Three: Solved in 0 moves. (move 0)",
    ]
    assert [shown.count(word) for word in ("Welcome", "Between", "Discovered", "Finished")] == [1, 1, 3, 1]


def test_a_level_that_is_won_leads_to_the_next_one(tmp_path):
    (tmp_path / "pack.txt").write_text(f"; game: sokoban\n{ROOM}\n\n; title: Again\n{ROOM}\n")
    right = ARROWS["r"]
    script = [("move 0", right + right), ("Solved in 2 moves.", ""), ("move 0", "q")]
    status, shown = typed([str(tmp_path / "pack.txt")], script)
    assert status == 0
    assert shown.rstrip().splitlines()[-2:] == [
        "level 1: Solved in 2 moves. (move 2)",
        "Again: left (move 0)",
    ]


@pytest.mark.parametrize(
    ("told", "where"),
    [
        ("expected a terminal of 24x8 characters for this level, got 20x8", {"size": (8, 20)}),
        ("expected a terminal that can be drawn on, got TERM=dumb", {"term": "dumb"}),
    ],
)
def test_a_terminal_that_will_not_do_is_refused(tmp_path, told, where):
    status, shown = on_terminal(tmp_path, "loderunner", TRAP, [], **where)
    assert status == 2
    assert told in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("game", "text", "words", "told"),
    [
        ("sokoban", ROOM, [], "expected a terminal to play on, got a file or a pipe"),
        ("sokoban", ROOM, ["--speed", "2"], "levels of sokoban wait for each move; leave out --speed"),
        ("loderunner", TRAP, ["--speed", "99"], "expected a number from 0.1 to 10 for --speed, got 99"),
        ("loderunner", TRAP.replace("M", "."), [], "expected one player (M), got none"),
        ("binary", ".#\n..", [], "levels of binary are not played in a terminal"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_line(tmp_path, monkeypatch, capsys, game, text, words, told):
    (tmp_path / "level.txt").write_text(f"; game: {game}\n{text}\n")
    monkeypatch.setattr(sys, "argv", ["levelsmith", "play", str(tmp_path / "level.txt"), *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_a_guard_is_trapped_and_walked_over():
    session = begin(parse(TRAP, "loderunner"))
    assert session.press("x")
    for tick in range(164):
        if tick == 109:
            session.press("r")
        if tick == 5:
            assert [thing.text for thing in session.things()] == ["::", "E ", "M "]
        session.advance()
    assert session.end() == "All the gold is yours."
    assert not session.press("l")
    assert session.line() == "gold 1 of 1, 7.1 s"
    session.restart()
    assert session.line() == "gold 0 of 1, 0.0 s"


def test_moves_are_taken_back():
    session = begin(parse(ROOM, "sokoban"))
    for key in "ruz":
        assert session.press(key)
    assert session.line() == "move 1"
    assert not session.press("k")
    assert not session.press("")  # the terminal was resized
    session.press("r")
    assert session.end() == "Solved in 2 moves."
    session.press("z")
    assert session.end() is None


def test_a_game_without_rules_by_moves_is_refused():
    with pytest.raises(LevelsmithError, match="levels of orchard are not played"):
        begin(parse("^..\n...\n...", "orchard"))
