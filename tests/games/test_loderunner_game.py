"""The game with guards that chase: the rule book and the compiled rules play alike, and as was recorded."""

import random

import pytest

from guards import SITUATIONS, random_level, recorded_in, tool
from levelsmith.errors import LevelsmithError
from levelsmith.games.loderunner.game.game import KEYS, CompiledGame
from levelsmith.games.loderunner.rules.game import Game, moves_in_turn
from levelsmith.games.loderunner.rules.plan import is_timed, played, read, win, written
from levelsmith.levels.formats.text import parse


def test_rule_book_and_kernel_play_random_games_alike():
    met = dict.fromkeys(("holes", "hole", "climb", "dead", "won", "carried"), 0)
    for seed in range(120):
        rng = random.Random(seed)
        level, leaves = random_level(rng), rng.random() < 0.3
        book, compiled = Game(level, leaves), CompiledGame(level, leaves)
        for tick in range(300):
            if book.status != "playing":
                break
            key = rng.choice(KEYS) if tick % rng.choice((3, 7, 12)) == 0 else None
            assert book.tick(key) == compiled.tick(key)
            state = book.state()
            assert state == compiled.state(), (seed, tick)
            met["holes"] += bool(state["holes"])
            for *_, mode, count, _wait in state["guards"]:
                met[mode] = met.get(mode, 0) + 1
                met["carried"] += count > 0
        met[book.status] = met.get(book.status, 0) + 1
    assert min(met.values()) > 0, met


def play(level, inputs, ticks, exit=False):
    """The states of a game by tick, the same by both players."""
    book, compiled, keys = Game(level, exit), CompiledGame(level, exit), dict(inputs)
    states = [book.state()]
    for tick in range(1, ticks + 1):
        book.tick(keys.get(tick))
        compiled.tick(keys.get(tick))
        assert book.state() == compiled.state()
        states.append(book.state())
    return states


def test_a_hole_takes_eleven_ticks_and_fills_186_later():
    states = play(["........", ".M.....G", "bbbbbbbb", "BBBBBBBB"], [(1, "R")], 198)
    assert [state["dig"] for state in states[1:12]] == [[2, 2, frame] for frame in range(11)]
    assert states[12]["holes"] == [[2, 2, 186]]
    assert states[197]["holes"] == [[2, 2, 1]]
    assert states[198]["holes"] == []


def test_a_guard_falls_into_a_hole_is_walked_over_and_climbs_out():
    level = ["............", "............", "M.........EG", "bbbbbbbbbbbb", "BBBBBBBBBBBB"]
    states = play(level, [(1, "R"), (110, "r")], 200)
    trapped = next(state["tick"] for state in states if state["guards"][0][4] == "hole")
    assert states[trapped]["guards"][0] == [3, 1, 0, 0, "hole", 0, 66]
    assert states[trapped + 66]["guards"][0][4:] == ["climb", 0, 0]
    over = next(state["tick"] for state in states if state["runner"][:2] == [2, 2])
    assert trapped < over < trapped + 66
    assert states[over]["status"] == "playing"


def test_a_guard_beside_the_runner_cancels_a_dig():
    states = play(["........", "M.E....G", "bbbbbbbb", "BBBBBBBB"], [(1, "R")], 30)
    assert any(state["dig"] for state in states)
    assert not any(state["holes"] for state in states)
    assert states[-1]["status"] == "dead"


def test_a_guard_who_is_trapped_late_dies_in_the_hole_and_is_born_at_the_top():
    level = ["...............", "-----..........", "M.............E", "bbbbbbbbbbbbbbb", "G" + "B" * 14]
    states = play(level, [(1, "R")], 215)
    assert states[197]["guards"][0][4] == "hole"
    born = (1, max(5, 198 % 15))
    assert tuple(states[198]["guards"][0]) == (*born, 0, 0, "reborn", 0, 8)
    assert states[206]["guards"][0][4] == "free"


def test_gold_beside_a_ledge_is_not_taken_and_gold_below_is():
    beside = play(["M.......", "bGbbbbbb", "#.......", "bbbbbbbb"], [(1, "r")], 40)
    assert beside[-1]["left"] == 0
    past = play(["........", "M.G.....", "bb......", "........", "bbbbbbbb"], [(1, "r")], 40)
    assert past[-1]["left"] == 1
    assert past[-1]["runner"][0] == 3


def test_hidden_ladders_appear_with_the_last_gold_and_lead_out():
    level = [".......h", "MG.....h", "bbbbbbbb"]
    states = play(level, [(1, "r"), (36, "u")], 60, exit=True)
    assert [state["status"] for state in states].index("won") == states[-1]["tick"] - 60 + 40
    assert play(level, [(1, "r")], 6)[-1]["status"] == "won"


@pytest.mark.parametrize(("guards", "ticks"), [(1, 2), (2, 3), (3, 3), (4, 3), (5, 3), (8, 3)])
def test_guards_move_more_slowly_the_more_they_are(guards, ticks):
    moves = sum(moves_in_turn(guards, phase) for phase in range(1, ticks + 1))
    assert moves == (1 if guards == 1 else guards + 1)


def test_a_wrong_trace_is_told_with_its_first_tick(tmp_path):
    level = ["........", ".M.....G", "bbbbbbbb", "BBBBBBBB"]
    states = play(level, [(1, "r")], 10)
    check = 0
    for state in states:
        check = tool.zlib.crc32(tool.line_of(state).encode(), check)
    trace = {"name": "walk", "level": level, "exit": False, "inputs": [[1, "r"]], "ticks": 10}
    right = {**trace, "states": states, "crc32": f"{check:08x}"}
    wrong = {**right, "states": [*states[:4], {**states[4], "runner": [1, 1, 0, 0]}]}
    unsound = {**right, "states": [], "crc32": "00000000"}
    assert tool.answer(right) == {"name": "walk", "ok": True}
    assert tool.answer(wrong)["kernel"]["tick"] == tool.answer(wrong)["book"]["tick"] == 4
    assert tool.answer(unsound)["ok"] is False
    assert len(list(tool.traces({"games": [right], "about": "x", "random": [wrong]}))) == 2


def test_recorded_games_are_played_as_they_were(data_folder):
    told = [tool.answer(trace) for trace in recorded_in(data_folder)]
    assert len(told) == 79
    assert all(line["ok"] for line in told)


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation["name"])
def test_each_situation_ends_as_it_must_at_the_tick_it_must(situation):
    assert tool.answer(situation) == {"name": situation["name"], "ok": True}


def test_a_plan_is_text_that_the_rule_book_plays_to_a_win():
    level = parse("........\n.M....G.\nbbbbbbbb\n......E.\nbbbbbbbb\nBBBBBBBB", "loderunner")
    plan = written([("r", 12), ("r", 13), (".", 2)])
    assert plan == "r25 .2"
    assert read(plan) == [("r", 25), (".", 2)]
    assert written([("L", 12), ("L", 12)]) == "L12 L12"
    assert is_timed(plan)
    assert not is_timed("rrrL.")
    assert win(level, plan).ticks == 25
    assert len(list(played(level, plan))) == 26


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("r5", "leaves 1 gold at tick 5"),
        ("r", "got 'r'"),
        ("x3", "got 'x3'"),
        ("r99999 r1", "at most 30,000"),
    ],
)
def test_a_plan_that_does_not_win_is_refused(plan, told):
    level = parse("........\n.M....G.\nbbbbbbbb\n........\nbbbbbbbb\nBBBBBBBB", "loderunner")
    with pytest.raises(LevelsmithError, match=told):
        win(level, plan)
