"""What tests of `levelsmith check` share: a folder, and the command as a person would call it."""

from __future__ import annotations

import json
import sys

import pytest

from levelsmith.cli import main

LEVELS = """; one

#####
#@$.#
#####

; two

#####
#$ .#
# @ #
#####
"""
SCRIPT = """title Lamp

OBJECTS

Background
black

Wall
brown

Player
white

Crate
orange

Mark
blue

Ghost
grey

LEGEND

. = Background
# = Wall
P = Player
* = Crate
O = Mark
@ = Crate and Mark

SOUNDS

COLLISIONLAYERS

Background
Mark
Player, Wall, Crate, Ghost

RULES

[ > Player | Crate ] -> [ > Player | > Crate ]
[ Ghost ] -> [ Wall ]

WINCONDITIONS

All Mark on Crate

LEVELS

message hello

(solution: rr)
######
#P*.O#
######

(minimum: 5)
######
#P*O.#
######

message behind

######
#P.O*#
######

message never
"""


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs a command line in a new folder; gives its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["levelsmith", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call


@pytest.fixture
def found(run):
    """Runs `check` and gives its status, its findings as (name, path, line, column), and all it says."""

    def call(*words):
        status, out, err = run("check", *words, "--format", "json", "--workers", 1)
        told = json.loads(out) if out else {"findings": [], "levels": []}
        keys = ("name", "path", "line", "column")
        return status, [tuple(one[key] for key in keys) for one in told["findings"]], told, err

    return call
