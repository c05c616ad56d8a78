"""Simulated play does what its slow twin does, its levels are solved by the pushes that made them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import levelsmith
from levelsmith.core import Canvas, settle
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban import SOLUTION_METRICS
from levelsmith.games.sokoban.metrics.board import assignment, inside, measured, nearest_pairs
from levelsmith.games.sokoban.play.representation import PLAY
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, WALL
from levelsmith.games.sokoban.rules.rules import SokobanBoard, SokobanState, region, replay
from levelsmith.kernels.bits import to_members
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import (
    apply,
    board,
    done,
    initial,
    legal,
    metric,
    pack,
    step_at_random,
    unpack,
)
from levelsmith.kernels.random import seeded
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.registry import games
from levelsmith.request import Request
from reference.sokoban import LAST, Twin, best_pairs
from reference.states import packed

SOKOBAN = games.get("sokoban")


@pytest.fixture(autouse=True)
def _words_wrap_around():
    with np.errstate(over="ignore"):
        yield


def built(size, canvas=None, **given):
    values = settle("play", PLAY.parameters, given)
    return PLAY.build(SOKOBAN, canvas or Canvas(size), values, "steps"), values


def twin_of(rep, values, size, walls=None, boxes=(), locked=()):
    player = (int(rep.place[1]) // size[1], int(rep.place[1]) % size[1])
    every = frozenset((row, column) for row in range(size[0]) for column in range(size[1]))
    return Twin(
        size,
        values,
        int(rep.rules[1]),
        frozenset(every if walls is None else walls) - {player},
        tuple(sorted(boxes)),
        player,
        frozenset(locked),
        origin=player,
    )


def slot_of(rep, kind, cell, width):
    return (kind << rep.shift) + (0 if cell is None else cell[0] * width + cell[1])


def walked(rep, twin, seed, steps=400):
    """Plays at random, compares state by state with the twin, and gives the last of both."""
    size, draw = twin.size, np.random.default_rng(seed)
    state = initial(rep, seeded(np.random.SeedSequence(seed)))
    actions = []
    for _ in range(steps):
        expected = {slot_of(rep, kind, cell, size[1]): (kind, cell) for kind, cell in twin.legal()}
        assert to_members(legal(rep, state).value) == sorted(expected)
        if not expected:
            break
        # To freeze or to evaluate is one of many: chosen more often, or a walk would never end.
        last = LAST << rep.shift
        action = last if last in expected and draw.random() < 0.1 else int(draw.choice(sorted(expected)))
        actions.append(action)
        twin = twin.apply(*expected[action])
        row = np.zeros(rep.words, np.uint64)
        state = apply(rep, state, np.int64(action))
        pack(rep, state, row)
        state = unpack(rep, row)  # it survives packing at every step
    return state, twin, actions


CASES = [
    {},
    {"moves": "steps"},
    {"moves": "steps", "undo": False},
    {"least_boxes": 3, "most_boxes": "4", "least_depth": 12},
    {"most_boxes": "half", "immovable": "exact", "solved": True},
    {"immovable": "keep", "once": False, "solved": True},
    {"immovable": "keep", "once": False, "moves": "steps", "pockets": "fill"},
    {"immovable": "each", "pockets": "fill", "solved": True},
    {"least_play": 25, "most_pushes": 7},
    {"grow": 3, "player": "anywhere"},
]


@pytest.mark.first(2)
@pytest.mark.parametrize("given", CASES, ids=lambda given: "-".join(given) or "defaults")
@pytest.mark.parametrize("size", [(4, 4), (5, 5), (9, 9), (12, 13)])
def test_play_is_its_slow_twin(size, given):
    ended = 0
    for seed in range(6):
        rep, values = built(size, **given)
        initial(rep, seeded(np.random.SeedSequence(seed)))
        state, twin, _ = walked(rep, twin_of(rep, values, size), seed)
        puzzle = board(rep, state).value
        walls, pairs = twin.level()
        assert to_members(puzzle.walls) == sorted(row * size[1] + column for row, column in walls)
        found = [(int(puzzle.start_of[i]), int(puzzle.goal_of[i])) for i in range(puzzle.boxes)]
        assert sorted(found) == sorted((a * size[1] + b, c * size[1] + d) for (a, b), (c, d) in pairs)
        assert bool(done(rep, state)) == (twin.phase == "over")
        ended += twin.phase == "over"
        grid = PLAY.grid(rep, puzzle)
        for k, name in enumerate(SOKOBAN.metrics):
            if name in SOLUTION_METRICS:  # test_sokoban_rooms.py looks at those
                continue
            plain = measured(inside(grid), pairs)[k]
            assert metric(SOKOBAN.compiled(size), puzzle, k) == pytest.approx(plain), name
    assert ended > 0


@kernel
def compiled_walk(rep, words, actions, row):
    state = initial(rep, words)
    for i in range(len(actions)):
        state = apply(rep, state, actions[i])
    pack(rep, state, row)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(5, 5), (10, 10), (12, 13)])
def test_compiled_play_is_plain_play(size):
    rep, values = built(size)
    initial(rep, seeded(np.random.SeedSequence(1)))
    state, _, actions = walked(rep, twin_of(rep, values, size), 1)
    plain, compiled = np.zeros(rep.words, np.uint64), np.zeros(rep.words, np.uint64)
    pack(rep, state, plain)
    compiled_walk(rep, seeded(np.random.SeedSequence(1)), np.array(actions), compiled)
    assert plain.tolist() == compiled.tolist()


def test_only_what_was_left_open_changes():
    start = levelsmith.parse("#######\n#  $  #\n# ### #\n# #@# #\n#  #  #\n#     #\n#######", game="sokoban")
    inner = start.grid[1:-1, 1:-1]
    locked = np.zeros((5, 5), np.bool_)
    locked[1:4, 1:4] = True
    rep, values = built((5, 5), Canvas((5, 5), inner, locked), least_depth=0)
    walls = {(int(r), int(c)) for r, c in np.argwhere(inner == 1)}
    initial(rep, seeded(np.random.SeedSequence(0)))
    twin = twin_of(rep, values, (5, 5), walls, [(0, 2)], {(int(r), int(c)) for r, c in np.argwhere(locked)})
    for seed in range(5):
        walked(rep, twin, seed)


def test_every_level_is_solved_and_no_two_are_alike():
    """`play_check.py` does the same for ten thousand levels of all sizes."""
    seen = set()
    for size, seed in [((5, 5), 1), ((7, 6), 2)]:
        result = levelsmith.generate(
            "sokoban",
            representation="play",
            size=size,
            seed=seed,
            evaluations=20_000,
            keep_above=0.2,
            keep_most=60,
        )
        assert len(result.levels) > 20
        for level in result.levels:
            assert level.size == (size[0] + 2, size[1] + 2)
            assert replay(level, level.solution) == level.solution
            assert "*" not in level.text  # no box begins on a goal
            SOKOBAN.check(level)
            seen.add(SOKOBAN.canonical(level.grid))
    assert len(seen) >= 2 * 20


def test_floor_that_nobody_can_reach_is_filled_where_asked_for():
    asked = {"preset": "kartal2016", "size": (5, 5), "evaluations": 20_000, "seed": 3}
    out_of_reach = {}
    for pockets in ("keep", "fill"):
        level = levelsmith.generate("sokoban", set={"play.pockets": pockets}, **asked).best
        assert replay(level, level.solution) == level.solution
        walls = SokobanBoard(level.grid).walls
        walked = region(
            SokobanBoard(level.grid), SokobanState(SokobanBoard(level.grid).start.player, frozenset())
        )
        out_of_reach[pockets] = level.grid.size - len(walls) - len(walked)
    assert out_of_reach["keep"] > 0
    assert out_of_reach["fill"] == 0


def test_a_weight_for_diagonals_brings_them():
    asked = {"preset": "koczorowski2023", "size": (5, 5), "evaluations": 20_000, "seed": 3}
    plain, favoured = (
        levelsmith.measure(levelsmith.generate("sokoban", set={"koczorowski2023.w_d": weight}, **asked).best)
        for weight in (0.0, 10.0)
    )
    assert favoured["diagonals"] > plain["diagonals"] + 2


def test_a_player_that_starts_anywhere_is_where_the_best_tree_began():
    values = {"player": "anywhere", "patience": 200, "trees": 1, "bootstrap": 0.0}
    asked = {"representation": "play", "size": (6, 5), "seed": 2, "evaluations": 10_000}
    result = levelsmith.generate("sokoban", set=values, **asked)
    assert result.statistics["restarts"] > 5
    assert replay(result.best, result.best.solution) == result.best.solution


def test_a_kept_level_tells_after_how_many_evaluations_it_was_found():
    def texts(evaluations):
        asked = {"size": (5, 5), "seed": 1, "keep_above": 0.2, "keep_most": 60, "set": {"trees": 1}}
        made = levelsmith.generate("sokoban", representation="play", evaluations=evaluations, **asked)
        return {level.text: level for level in made.levels}

    every = texts(20_000)
    text = sorted(every)[7]
    after = every[text].provenance["evaluations"]
    assert text in texts(after)
    assert text not in texts(after - 1)


def test_the_score_is_that_of_the_metrics():
    asked = {"seed": 2, "evaluations": 20_000}
    level = levelsmith.generate("sokoban", representation="play", size=(6, 5), **asked).best
    found = levelsmith.measure(level)
    congestion = (1.9 * found["box_density"] + 0.1 * found["goal_density"]) / 1.3
    score = (3 * found["blocks"] + 7 * congestion + 8 * found["boxes"]) / 55 * 25 / 30
    assert level.provenance["score"] == pytest.approx(score)
    level = levelsmith.generate("sokoban", preset="kartal2016", **asked).best
    found = levelsmith.measure(level)
    between = 4 * (found["boxes_between"] + found["boxes"]) + 4 * (found["goals_between"] + found["boxes"])
    root = (found["terrain"] * (between + found["walls_between"])) ** 0.5
    assert level.provenance["score"] == pytest.approx(root / 200)


def test_terrain_may_count_walls_beside_boxes_too():
    asked = {"preset": "kartal2016", "size": (6, 5), "set": {"kartal2016.empty": "open"}, "seed": 2}
    level = levelsmith.generate("sokoban", evaluations=20_000, **asked).best
    found, grid = levelsmith.measure(level), inside(level.grid)
    walls = np.pad(grid == WALL, 1)
    beside = sum(np.roll(walls, step, axis).astype(int) for step in (1, -1) for axis in (0, 1))[1:-1, 1:-1]
    open_cells, boxes = grid != WALL, np.isin(grid, (BOX, BOX_ON_GOAL))
    assert beside[open_cells & ~boxes].sum() == found["terrain"] < beside[open_cells].sum()
    between = 8 * found["boxes"] + 4 * (found["boxes_between"] + found["goals_between"])
    congestion = between + found["walls_between"]
    assert level.provenance["score"] == pytest.approx((beside[open_cells].sum() * congestion) ** 0.5 / 200)


GOLDEN = [(0.636, 9, 0), (0.970, 9, 0.733), (1.003, 7, 0.4), (1.103, 6, 0.5), (1.202, 4, 0.833)]


def test_the_five_examples_have_the_scores_of_the_thesis(data_folder):
    """Box and goal are paired as in a solution with the fewest pushes; the fifth level has several."""
    file = data_folder / "sokoban" / "aiide2016_five_examples.xsb"
    for level, (score, blocks, congestion) in zip(levelsmith.load(file, game="sokoban"), GOLDEN, strict=True):
        grid = inside(level.grid)
        found = []
        for pairs in best_pairs(SokobanBoard(level.grid))[1]:
            pairs = [((a - 1, b - 1), (c - 1, d - 1)) for (a, b), (c, d) in pairs]
            parts = dict(zip(SOKOBAN.metrics, measured(grid, pairs), strict=True))
            own = (1.9 * parts["box_density"] + 0.1 * parts["goal_density"]) / 1.3
            total = (3 * parts["blocks"] + 7 * own + 8 * parts["boxes"]) / 55
            even = parts["box_density"] + parts["goal_density"]
            found.append((round(total, 3), int(parts["blocks"]), round(even, 3)))
        assert (score, blocks, congestion) in found
        assert len(set(found)) == 1 or level.grid[1, 4] == 3  # the fifth


def test_boxes_without_a_solution_go_to_the_nearest_goals():
    assert assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]]) == [1, 0, 2]
    level = levelsmith.parse("######\n#.$ ##\n#@ $.#\n######", game="sokoban")
    assert nearest_pairs(inside(level.grid)) == [((0, 1), (0, 0)), ((1, 2), (1, 3))]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"most_boxes": "many"}, "expected third, half, none or a whole number for most_boxes, got 'many'"),
        ({"least_boxes": 5, "most_boxes": 4}, "expected least_boxes of at most most_boxes, got 5 and 4"),
        ({"least_depth": 99}, "expected a least_depth of at most 34, all that can be done before"),
    ],
)
def test_limits_that_contradict_each_other_are_refused(given, message):
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.stream("sokoban", representation="play", size=(5, 5), set=given)


def test_sizes_that_cannot_be_are_refused():
    with pytest.raises(LevelsmithError, match="a size from 2x2"):
        levelsmith.stream("sokoban", size=(1, 5))
    with pytest.raises(LevelsmithError, match="at most 256 cells for play, got 20x20"):
        levelsmith.stream("sokoban", representation="play", size=(20, 20))
    with pytest.raises(LevelsmithError, match="play makes levels of sokoban alone"):
        levelsmith.stream("binary", representation="play", search="mcts")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("####\n#. #\n#$ #\n####", "expected one player, got 0"),
        ("#####\n#@@ #\n#.$ #\n#####", "expected one player, got 2"),
        ("#####\n#@$ #\n#.$ #\n#####", "2 boxes but 1 goal: add a goal"),
        ("#####\n#@$. \n#####", "the wall is open at row 2, column 5"),
    ],
)
def test_what_is_no_level_is_told(rows, message):
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.measure(levelsmith.parse(rows, game="sokoban"))


def test_turned_mirrored_and_walked_about_is_the_same_level():
    level = levelsmith.parse("######\n#@ $.#\n#  ###\n######", game="sokoban")
    moved = levelsmith.parse("######\n#  $.#\n# @###\n######", game="sokoban")
    name = SOKOBAN.canonical(level.grid)
    assert SOKOBAN.canonical(moved.grid) == name
    assert SOKOBAN.canonical(np.rot90(level.grid)[:, ::-1]) == name
    other = levelsmith.parse("######\n#@$ .#\n#  ###\n######", game="sokoban")
    assert SOKOBAN.canonical(other.grid) != name


@pytest.mark.parametrize(("size", "moves"), [((3, 3), "pushes"), ((5, 7), "pushes"), ((3, 4), "steps")])
def test_random_play_takes_every_legal_action_equally_often(size, moves):
    """`step_at_random` does without `legal` and `apply`; after each number of steps both meet the same."""
    rep, _ = built(size, moves=moves, least_depth=3)
    rng = seeded(np.random.SeedSequence(1))
    for steps in (0, 2, 4, 6, 9):
        state = initial(rep, rng)
        for _ in range(steps):
            state = state if done(rep, state) else step_at_random(rep, state, rng)
        if done(rep, state):
            continue
        start = packed(rep, state)
        wanted = set()
        for action in to_members(legal(rep, unpack(rep, start)).value):
            wanted.add(packed(rep, apply(rep, unpack(rep, start), np.int64(action))).tobytes())
        draws = 60 * len(wanted)
        met = Counter(
            packed(rep, step_at_random(rep, unpack(rep, start), rng)).tobytes() for _ in range(draws)
        )
        assert set(met) == wanted
        assert max(met.values()) < 60 + 5 * 60**0.5  # five standard deviations


def test_an_objective_takes_the_search_that_serves_it_best():
    def chosen(**asked):
        task = plan(Request("sokoban", seed=1, **asked))
        return task.search, task.representation, task.budget.evaluations

    assert chosen(objective="koczorowski2023") == ("mcts", "play", 500_000)
    assert chosen(objective="koczorowski2023", evaluations=70) == ("mcts", "play", 70)
    assert chosen(objective="koczorowski2023", set={"boxes": 3}) == ("sa", "rooms", 50_000)
    assert chosen(objective="koczorowski2023", search="sa") == ("sa", "rooms", 50_000)
    assert chosen(objective="koczorowski2023", search="mcts", representation="play")[2] == 50_000
    assert chosen(objective="kartal2016") == ("hc", "rooms", 50_000)
    assert chosen(objective="aiide2016") == ("sa", "rooms", 50_000)


def test_play_takes_a_number_of_boxes_as_its_range():
    asked = {"representation": "play", "search": "mcts", "size": (5, 5), "seed": 1}
    assert plan(Request("sokoban", set={"boxes": 3}, **asked)) == plan(
        Request("sokoban", want={"boxes": 3}, **asked)
    )
    result = levelsmith.generate("sokoban", set={"boxes": 2}, **asked)
    assert result.solved
    assert levelsmith.measure(result.best)["boxes"] == 2


def test_plain_play_leaves_no_sealed_floor_and_the_presets_of_papers_do_as_they_did():
    assert plan(Request("sokoban", representation="play", seed=1)).values["play"]["pockets"] == "fill"
    for name in ("kartal2016", "aiide2016", "koczorowski2023"):
        assert plan(Request("sokoban", preset=name, seed=1)).values["play"]["pockets"] == "keep"


def test_trees_of_ucb_v_stop_growing_where_finished_leaves_are_not_closed():
    """An evaluated level has no action left: it is chosen again and again, as the paper has it."""
    rule = {"mcts.selection": "ucb-v", "mcts.c": 1.0, "mcts.zeta": 1.2}
    asked = {"preset": "kartal2016", "size": (5, 5), "seed": 5}
    told = []
    search = start_run(plan(Request("sokoban", **asked, set=rule)))
    for evaluations in (1_000_000, 1_200_000):
        while search.evaluations < evaluations:
            search.advance(evaluations - search.evaluations)
        told.append(search.statistics())
    first, second = told
    assert 200_000 < first["nodes_added"] < 300_000
    assert second["nodes_added"] - first["nodes_added"] < 2_000
    assert second["finished_share"] == 1 - second["nodes_added"] / second["iterations"] > 0.75
    rule |= {"mcts.closed": True, "mcts.deepest": 50}
    closed = levelsmith.generate("sokoban", evaluations=300_000, set=rule, **asked).statistics
    assert (closed["finished_share"], closed["nodes_added"]) == (0.0, 300_000)
    assert closed["depth_reached"] <= 50
    assert closed["restarts"] == 0
