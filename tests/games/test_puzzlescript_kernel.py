"""The compiled interpreter of PuzzleScript does what its twin does, after every input."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from tests.games.puzzles import played, source
from tests.games.test_puzzlescript_rules import CHECKS, PUSH

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import compile_game
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.kernels.codes import PENDING, PUSHED, WON
from levelsmith.games.puzzlescript.session import Session
from reference.puzzlescript import Twin

CELLS = ("Player", "Crate", "Wall", "Target", "Ma", "Mb", "Thing", "X")
MOVES = (
    "",
    "",
    "",
    ">",
    "<",
    "^",
    "v",
    "moving",
    "stationary",
    "horizontal",
    "perpendicular",
    "action",
    "up",
)
TAILS = ("", "", "", "", "", "again", "cancel", "checkpoint", "restart", "win", "message hello")


@pytest.mark.parametrize("name", CHECKS)
def test_small_games_end_as_in_the_original(name):
    game, keys, expected = CHECKS[name]
    assert played(Kernel, keys, **game) == expected


def random_cell(rng, left, late):
    """Returns a cell of a rule; what stands on the left is mostly kept on the right."""
    items = []
    for name in rng.choice(CELLS[:7], rng.integers(0, 3), replace=False):
        word = "" if late else rng.choice(MOVES)
        items.append(f"{rng.choice(['no', word, word, word])} {name}")
    if not left and rng.random() < 0.15:
        items.append("random X")
    if not left and not late and rng.random() < 0.1:
        items.append("randomdir Crate")
    return " ".join(items)


def random_rule(rng):
    late = bool(rng.random() < 0.25)
    prefix = rng.choice(["late"]) if late else rng.choice(["", "", "", "rigid", "random", "+", "right", "up"])
    left, right = [], []
    for _ in range(rng.integers(1, 3)):
        count = int(rng.integers(1, 4))
        cells = [random_cell(rng, True, late) for _ in range(count)]
        other = [cell if rng.random() < 0.5 else random_cell(rng, False, late) for cell in cells]
        if count > 1 and rng.random() < 0.3:
            cells.insert(1, "...")
            other.insert(1, "...")
        left.append(f"[ {' | '.join(cells)} ]")
        right.append(f"[ {' | '.join(other)} ]")
    return f"{prefix} {' '.join(left)} -> {' '.join(right)} {rng.choice(TAILS)}"


def random_game(rng):
    """Returns the source of a game of random rules, on two random boards."""
    rules = [random_rule(rng) for _ in range(rng.integers(1, 7))]
    if rng.random() < 0.3:
        rules = ["startloop", *rules, "endloop"]
    height, width = rng.integers(1, 9, 2)
    boards = [
        "/".join("".join(rng.choice(list("...P*#O@%12AB"), width)) for _ in range(height)) for _ in range(2)
    ]
    prelude = "\n".join(
        word
        for word in ("run_rules_on_level_start", "require_player_movement", "realtime_interval 1")
        if rng.random() < 0.3
    )
    wins = rng.choice(["", "all Target on Crate", "no Crate", "some Player on Target\nno Ma"])
    return source(rules=";".join(rules), levels=";".join(boards), wins=wins, prelude=prelude)


def both_play(text, inputs):
    """Plays inputs by twin and by kernel; returns after how many they differ, or None."""
    program = compile_game(text)
    sessions = [Session(program, engine, 0, "7") for engine in (Twin, Kernel)]
    for n, key in enumerate([None, *inputs]):
        for session in sessions:
            if key is not None:
                session.press(key)
        one, other = sessions
        same = one.level == other.level and one.won == other.won and one.endless == other.endless
        if not same or (one.engine.board() != other.engine.board()).any():
            return n
    return None


def test_random_games_are_played_alike():
    played_games = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        text = random_game(rng)
        inputs = [
            int(key) if key < 5 else ("tick", "undo", "restart")[key - 5] for key in rng.integers(0, 8, 12)
        ]
        try:
            differs = both_play(text, inputs)
        except LevelsmithError:
            continue
        assert differs is None, text
        played_games += 1
    assert played_games > 15


def test_more_than_64_objects_and_12_layers_are_played_alike():
    names = [f"Thing{i}" for i in range(70)]
    text = source(
        rules=f"{PUSH} ; [ > Player | Thing69 ] -> [ > Player | > Thing69 > Thing68 ]", levels="PQ*..."
    )
    text = text.replace(
        "LEGEND\n", "\n".join(f"{name}\nred\n" for name in names) + "\nLEGEND\n\nQ = Thing69\n"
    )
    text = text.replace("\nMb\n\nRULES", "\nMb\n" + "\n".join(names) + "\n\nRULES")
    program = compile_game(text)
    assert (program.tables.words, program.tables.move_words) == (2, 7)
    assert both_play(text, [3, 3, "undo", 3, 4, 3]) is None


def test_large_boards_are_played_alike():
    row = "P*.#O@1" * 11
    text = source(
        rules=f"{PUSH} ; late [ Player | ... | Target ] -> [ Player Ma | ... | Target ]",
        levels=f"{row}/{row}",
    )
    assert both_play(text, [3, 0, 1, 2, "undo", 4]) is None


def test_keys_are_played_in_one_call():
    program = compile_game(source(rules=PUSH, levels="P*.O.", wins="all Target on Crate"))
    level = program.levels[0]
    engine = Kernel(program.tables, level.height, level.width)
    engine.load(level.board, "1")
    assert engine.play([0, 3, 3, 3]).tolist() == [0, PUSHED, PUSHED | WON], "nothing is played after the win"
    assert not engine.turn(None) & PENDING


@pytest.mark.parametrize("engine", [Kernel, Twin])
def test_a_turn_without_end_is_given_up(engine):
    row = "." * 120
    rules = "[ ] [ ] [ ] [ ] -> [ Ma ] [ ] [ ] [ Mb ]"
    program = compile_game(source(rules=rules, levels=f"P{row[1:]}"))
    with pytest.raises(LevelsmithError, match="rules that come to an end"):
        Session(program, engine).press(3)


def test_many_long_turns_after_one_key_are_given_up():
    rules = """[ Player Ma ] -> [ Player Mb ] ; [ Player no Ma no Mb ] -> [ Player Ma ] again ;
        [ Player Mb ] -> [ Player ] again ; [ ] [ ] [ ] -> [ Target ] [ ] [ ]"""
    program = compile_game(source(rules=rules, levels=f"P{'.' * 99}"))
    engine = Kernel(program.tables, 1, 100)
    engine.load(program.levels[0].board, "1")
    assert engine.turn(4) & PENDING, "a turn of a million matches is none too many"
    with pytest.raises(LevelsmithError, match="rules that come to an end"):
        engine.play([4])


@pytest.mark.data
@pytest.mark.parametrize("engine", ["kernel", "twin"])
def test_recorded_sessions_end_as_recorded(data_folder, engine, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    from replay_sessions import ENGINES, answers

    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "sessions.json.gz").read_bytes()))
    if engine == "twin":  # the others take minutes
        entries = [entry for entry in entries if len(entry[1][0]) * len(entry[1][1]) < 30_000]
    wrong = [entry[0] for entry in entries for told in answers(entry, ENGINES[engine]) if not told["ok"]]
    assert not wrong
    assert len(entries) > 100
