"""`show --solution`: live on a terminal, text that loads again elsewhere, one line for a mistake."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import sys
import termios
import time

import pytest

import prepared
from levelsmith import load
from levelsmith.cli import main

ROOM = "; game: sokoban\n; solution: R\n#####\n#@$.#\n#####\n"
TWO = """; game: sokoban
; title: Two crates
; solution: RddrrUlUR
########
#  .   #
#@$  . #
#   $  #
#      #
########
"""


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs `levelsmith show` on a text of levels; gives its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(text, *words):
        (tmp_path / "level.txt").write_text(text)
        monkeypatch.setattr(sys, "argv", ["levelsmith", "show", "level.txt", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call


# ------------------------------------------------------------------------------------------ not on a terminal


def test_elsewhere_the_solution_and_its_frames_are_printed(run):
    status, out, err = run(ROOM, "--solution")
    assert (status, err) == (0, "")
    assert out == (
        "; solution: R\n#####\n#@$.#\n#####\n\n; title: move 1 of 1, push 1 of 1\n#####\n# @*#\n#####\n"
    )


def test_frames_are_those_in_which_a_box_was_left(run):
    out = run(TWO, "--solution")[1]
    assert re.findall("move (.*)", out) == [
        "1 of 9, push 1 of 4",
        "6 of 9, push 2 of 4",
        "8 of 9, push 3 of 4",
        "9 of 9, push 4 of 4",
    ]
    assert out.startswith("; solution: RddrrUlUR\n; title: Two crates\n########\n")


def test_what_is_printed_loads_as_it_stands(run, tmp_path):
    (tmp_path / "out.txt").write_text(run(TWO, "--solution")[1])
    levels = load(tmp_path / "out.txt", game="sokoban")
    assert len(levels) == 5
    assert (levels[0].title, levels[0].solution) == ("Two crates", "RddrrUlUR")
    assert levels[-1].title == "move 9 of 9, push 4 of 4"
    assert levels[-1].text.count("*") == 2


def test_of_a_long_solution_only_a_few_frames_are_printed(run):
    shuttle = "######\n#    #\n#@$ .#\n#    #\n######\n"
    back_and_forth = "RurrdLulld" * 20 + "RR"
    out = run(f"; game: sokoban\n; solution: {back_and_forth}\n{shuttle}", "--solution")[1]
    assert out.count("; title: move") == 7
    assert out.endswith("; title: move 202 of 202, push 42 of 42\n######\n#    #\n#  @*#\n#    #\n######\n")


def test_each_level_of_a_pack_is_played(run):
    out = run(f"{ROOM}\n{TWO}", "--solution")[1]
    assert [line for line in out.split("\n") if line.startswith("; solution")] == [
        "; solution: R",
        "; solution: RddrrUlUR",
    ]


def test_json_is_as_ever(run):
    plain, played = run(TWO, "--json")[1], run(TWO, "--json", "--solution")[1]
    assert plain == played
    assert json.loads(played)["solution"] == "RddrrUlUR"


def test_forced_colour_in_a_pipe_is_no_live_view(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("COLORTERM", raising=False)
    out = run(TWO, "--solution")[1]
    assert re.search("48;[25];", out)  # a style keeps the codes it was first drawn with
    assert "\x1b[1A" not in out
    assert "move 6 of 9" in out


# --------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        (ROOM.replace("; solution: R\n", ""), [], "this level carries no solution to play"),
        (TWO.replace("RddrrUlUR", ""), [], "the level 'Two crates' carries no solution to play"),
        (TWO.replace("RddrrUlUR", "RddrrU"), [], "the solution leaves 2 boxes off the goals"),
        (ROOM.replace(": R", ": RR"), [], "move 2 of the solution, 'R', is blocked"),
        (ROOM.replace(": R", ": Q"), [], "expected moves u d l r (capitals for pushes), got 'Q' as move 1"),
        ("; game: binary\n#.\n", [], "levels of binary have no solutions to play"),
        (ROOM, ["--speed", "0"], "expected a number from 0.1 to 1000 for speed, got 0"),
        (ROOM, ["--speed", "fast"], "'fast' is not a valid float"),
    ],
)
def test_a_mistake_is_one_line(run, text, words, message):
    status, out, err = run(text, "--solution", *words)
    assert (status, out) == (2, "")
    assert message in err
    assert err.startswith("levelsmith: ")
    assert err.count("\n") == 1


def test_a_speed_without_a_solution_is_a_mistake(run):
    assert run(ROOM, "--speed", 3)[2] == (
        "levelsmith: expected --solution beside --speed, which says how fast it plays\n"
    )


# ---------------------------------------------------------------------------------------------- on a terminal


def on_terminal(tmp_path, words, stop_when=None, rows=40, environment=None):
    """What `show --solution` shows on a real terminal, and its status; Ctrl-C once a text has appeared."""
    (tmp_path / "two.txt").write_text(TWO)
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
    kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")}
    process = prepared.Popen(
        [sys.executable, "-m", "levelsmith", "show", str(tmp_path / "two.txt"), "--solution", *words],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**kept, "TERM": "xterm-256color", **(environment or {})},
        start_new_session=True,
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
        if stop_when and stop_when.encode() in shown:
            os.killpg(process.pid, signal.SIGINT)
            stop_when = None
    os.close(leader)
    return process.wait(timeout=60), shown.decode()


def test_a_terminal_sees_every_move(tmp_path):
    status, shown = on_terminal(tmp_path, ["--speed", "50"])
    assert status == 0
    for number, pushes in enumerate([0, 1, 1, 1, 1, 1, 2, 2, 3, 4]):
        assert f"move {number} of 9, push {pushes} of 4" in shown
    assert "48;5;" in shown
    assert "Two crates" in shown
    last = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", shown).rstrip().split("\r\n")
    assert last[-2:] == ["move 9 of 9, push 4 of 4", "the end"]
    assert last[-7].strip() == "*"
    assert shown.count("\x1b[?25h") == 1  # the cursor is back


def test_the_speed_is_kept(tmp_path):
    def lasts(speed):
        started = time.monotonic()
        on_terminal(tmp_path, ["--speed", str(speed)])
        return time.monotonic() - started

    assert lasts(4) - lasts(1000) > 1.5  # nine moves at four a second take 2.25 s


def test_ctrl_c_names_where_it_stopped(tmp_path):
    status, shown = on_terminal(tmp_path, ["--speed", "3"], stop_when="move 2 of 9")
    assert status == 130
    assert re.search(r"stopped after move [23] of 9, push 1 of 4", shown)
    assert "Traceback" not in shown
    assert "the end" not in shown
    assert shown.count("\x1b[?25h") == 1


def test_a_level_too_high_for_the_screen_is_drawn_in_half_blocks(tmp_path):
    assert "▀" not in on_terminal(tmp_path, ["--speed", "100"])[1]
    assert "▀" in on_terminal(tmp_path, ["--speed", "100"], rows=8)[1]
    assert "▀" not in on_terminal(tmp_path, ["--speed", "100"], rows=8, environment={"NO_COLOR": "1"})[1]


def test_a_dumb_terminal_gets_text(tmp_path):
    status, shown = on_terminal(tmp_path, [], environment={"TERM": "dumb"})
    assert status == 0
    assert shown.startswith("; solution: RddrrUlUR\r\n")
    assert "\x1b" not in shown
