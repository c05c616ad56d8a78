"""`rooms`: boxes start as far away as can be, exactly; solutions are counted as they are plainly."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Canvas, Level, settle
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.solution import measured
from levelsmith.games.sokoban.rooms.representation import ROOMS
from levelsmith.games.sokoban.rules.rules import SokobanBoard, reachable
from levelsmith.kernels.bits import to_members
from levelsmith.kernels.problem import (
    apply,
    board,
    initial,
    legal,
    metric,
    mutate,
    neighbour,
    neighbours,
    pack,
)
from levelsmith.kernels.random import seeded
from levelsmith.registry import games
from reference.sokoban import farthest_pushes, pushes_alone

SOKOBAN = games.get("sokoban")
SOLUTION = [
    "pushes",
    "moves",
    "box_lines",
    "box_changes",
    "pushing_sessions",
    "counterintuitive",
    "detour",
    "decomposition",
    "dead_share",
    "unused_floor",
    "seldom_pushed",
    "difficulty",
]


@pytest.fixture(autouse=True)
def _words_wrap_around():
    with np.errstate(over="ignore"):
        yield


def built(size, canvas=None, **given):
    return ROOMS.build(SOKOBAN, canvas or Canvas(size), settle("rooms", ROOMS.parameters, given), "variation")


def level_of(rep, state):
    row = np.zeros(rep.words, np.uint64)
    pack(rep, state, row)
    puzzle = board(rep, state).value
    if puzzle.boxes == 0:
        return puzzle, None
    return puzzle, Level("sokoban", SOKOBAN.tiles, ROOMS.grid(rep, puzzle), solution=ROOMS.proof(rep, row))


@pytest.mark.usefixtures("without_numba")
@pytest.mark.parametrize(("size", "boxes"), [((3, 4), 1), ((4, 4), 2), ((5, 5), 2), ((3, 5), 3), ((9, 9), 1)])
def test_no_start_is_farther_away_and_what_is_counted_is_right(size, boxes):
    """Against a plain search by pulls, the solver, and the plain metrics."""
    rep, rng = built(size, boxes=boxes, walls=0.15), seeded(np.random.SeedSequence(4))
    game = SOKOBAN.compiled(size)
    made = 0
    for _ in range(12):
        state = initial(rep, rng)
        puzzle, level = level_of(rep, state)
        walls, goals = (np.array(bits) for bits in (state.walls, state.goals))
        assert farthest_pushes(size, walls, goals) == (0 if level is None else int(puzzle.pushes))
        if level is None:
            continue
        made += 1
        plain = measured(level, level.solution)
        assert plain["detour"] == plain["pushes"] - pushes_alone(SokobanBoard(level.grid))
        verdict = levelsmith.solve(level, moves=True)
        assert verdict.optimal
        assert all(verdict.metrics[name] == plain[name] for name in ("pushes", "moves"))
        names = list(SOKOBAN.metrics)
        puzzle = board(rep, state).value
        assert {name: metric(game, puzzle, names.index(name)) for name in SOLUTION} == {
            name: pytest.approx(plain[name]) for name in SOLUTION
        }
        assert not SokobanBoard(level.grid).start.boxes & SokobanBoard(level.grid).goals
    assert made >= 3


def test_a_start_no_farther_than_asked_for():
    result = levelsmith.generate(
        "sokoban", size=(5, 5), objective="pushes", set={"boxes": 2, "longest": 9}, evaluations=300, seed=0
    )
    assert levelsmith.solve(result.best).metrics["pushes"] == 9 == result.score * 100


def test_what_is_locked_stays_and_goals_keep_their_number():
    start = np.zeros((5, 5), np.uint8)
    start[0, :] = 1
    start[4, 4] = 3
    locked = np.zeros((5, 5), np.bool_)
    locked[0, :] = locked[4, 4] = True
    rep, rng = built((5, 5), Canvas((5, 5), start, locked), boxes=3), seeded(np.random.SeedSequence(1))
    state = initial(rep, rng)
    for i in range(300):
        state = mutate(rep, state, 0.0 if i % 2 else 0.1, rng)
        assert int(state.walls[0]) & 0b11111 == 0b11111
        assert int(state.goals[0]) >> 24 & 1
        assert int(state.goals[0]).bit_count() == 3
        assert int(state.goals[0]) & int(state.walls[0]) == 0
    different = {neighbour(rep, state, np.int64(k)) for k in range(int(neighbours(rep)))}
    assert len(different) > 30
    assert all(int(one.goals[0]).bit_count() == 3 and int(one.walls[0]) & 31 == 31 for one in different)


def test_steps_are_the_single_changes_that_make_a_difference():
    rep = ROOMS.build(SOKOBAN, Canvas((4, 4)), settle("rooms", ROOMS.parameters, {"boxes": 2}), "steps")
    state = initial(rep, seeded(np.random.SeedSequence(3)))
    room = state.room
    every = [neighbour(rep.rooms, room, np.int64(k)) for k in range(int(neighbours(rep.rooms)))]
    actions = to_members(legal(rep, state).value)
    assert actions == [k for k, one in enumerate(every) if one != room]
    assert [apply(rep, state, np.int64(k)) for k in actions] == [(every[k], 1) for k in actions]


@pytest.mark.parametrize(
    "search", ["sa", *(pytest.param(name, marks=pytest.mark.slow) for name in ("ga", "mcts"))]
)
def test_searches_that_vary_or_grow_trees_make_hard_levels(search):
    result = levelsmith.generate(
        "sokoban", size=(5, 5), objective="pushes", search=search, evaluations=3_000, seed=2
    )
    assert result.best.provenance["representation"] == "rooms"
    assert levelsmith.solve(result.best).metrics["pushes"] == round(result.score * 100) >= 15


def test_ranges_are_kept_or_nothing_is_made():
    asked = {"pushes": (12, 14), "box_changes": "4.."}
    result = levelsmith.generate("sokoban", size=(6, 6), set={"boxes": 2}, want=asked, seed=3, count=4)
    assert len(result.levels) == 4
    for level in result.levels:
        found = levelsmith.measure(level)
        assert 12 <= found["pushes"] <= 14
        assert found["box_changes"] >= 4
    asked = {"size": (3, 3), "want": {"pushes": "99.."}, "evaluations": 200, "seed": 3, "set": {"boxes": 1}}
    none = levelsmith.generate("sokoban", **asked, partial=True)
    assert (none.levels, none.missing, none.solved) == ((), 1, False)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"want": {"pushs": "3.."}}, "did you mean 'pushes'"),
        ({"want": {"pushes": "30..20"}}, "expected a low end that is not above the high end for pushes"),
        ({"want": {"pushes": "many"}}, "expected a range such as 20..30"),
        ({"want": {"pushes": (1, 2, 3)}}, "expected a range such as 20..30"),
        ({"objective": "pushes", "size": (3, 3), "set": {"boxes": 5}}, "at most 4 boxes on 3x3"),
        ({"objective": "pushes", "size": (17, 17)}, "at most 256 cells"),
        ({"representation": "rooms", "size": (10, 10), "set": {"boxes": 8}}, "at most 5 boxes on 10x10"),
        ({"set": {"boxes": "4..2"}}, "expected a low end that is not above the high end for boxes"),
    ],
)
def test_what_cannot_be_is_refused(choices, message):
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.generate("sokoban", evaluations=10, **choices)


def test_more_pushes_than_are_counted_are_refused_by_their_own_name():
    with pytest.raises(LevelsmithError, match=r"expected at most 10,000 pushes, got 9\.22337e\+18"):
        levelsmith.generate("sokoban", want={"pushes": "9223372036854775807..9223372036854775807"}, seed=1)


def test_as_a_puzzle_a_level_is_of_its_tier_and_cut_to_its_room():
    result = levelsmith.generate("sokoban", objective="puzzle", seed=11, count=24)
    assert result.solved
    assert len({level.size for level in result.levels}) > 1
    assert {levelsmith.measure(level)["boxes"] for level in result.levels} == {2, 3, 4}
    low, high = games.get("sokoban").ranges["difficulty"]["medium"]
    for level in result.levels:
        found = levelsmith.measure(level)
        assert low <= found["difficulty"] <= high
        assert found["pushes"] >= 8
        assert found["box_changes"] >= 2
        room = np.argwhere(level.grid != 1)
        assert room.min(axis=0).tolist() == [1, 1]
        assert (room.max(axis=0) + 2 == level.size).all()
        assert len(room) == len(reachable(SokobanBoard(level.grid)))  # no sealed pockets


def test_what_counts_the_walls_around_a_room_leaves_them_there():
    asked = {"size": (6, 6), "evaluations": 300, "seed": 5}
    uncut = levelsmith.generate("sokoban", want={"blocks": "12.."}, **asked).best
    assert uncut.size == (8, 8)
    start = levelsmith.parse("######\n#@$.##\n#   ##\n######", "sokoban")
    kept = levelsmith.generate("sokoban", start=start, set={"boxes": 1}, evaluations=50, seed=1).best
    assert kept.size == start.size


@pytest.mark.parametrize("boxes", ["4..5", "2..6"])
def test_a_range_of_boxes_varies_them(boxes):
    low, _, high = boxes.partition("..")
    made = levelsmith.generate(
        "sokoban", size=(6, 6), want={"boxes": boxes, "pushes": "6..20"}, seed=2, count=8
    )
    counts = [levelsmith.measure(level)["boxes"] for level in made.levels]
    assert len(counts) == 8
    assert len(set(counts)) > 1
    assert int(low) <= min(counts) <= max(counts) <= int(high)
