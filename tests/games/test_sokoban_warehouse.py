"""Warehouses: goals together, no floor without use, every box pushed often, and all of it proved."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import levelsmith
from levelsmith import LevelsmithError
from levelsmith.games.sokoban import GAME
from levelsmith.games.sokoban.metrics.difficulty import TIERS
from levelsmith.games.sokoban.metrics.solution import pushes
from levelsmith.games.sokoban.rules.kernels.board import SELDOM
from levelsmith.games.sokoban.rules.kernels.tiles import BOX, BOX_ON_GOAL, FLOOR, WALL
from levelsmith.games.sokoban.rules.rules import SokobanBoard, cells_of, reachable, replay
from levelsmith.games.sokoban.warehouse import maker
from levelsmith.games.sokoban.warehouse.built import built_of, is_lively, outlined, proved, with_fewer_moves
from levelsmith.games.sokoban.warehouse.plan import GOALS, LARGE, OUTLINES, Plan, Theme, changed, draw_plan
from levelsmith.games.sokoban.warehouse.poses import posed
from levelsmith.games.sokoban.warehouse.pulls import pulled, pulled_on
from levelsmith.games.sokoban.warehouse.starts import Starts, can_be_met, has_few_starts, make_workspace
from levelsmith.games.sokoban.warehouse.themes import OFTEN, Wish, in_turn, theme_of
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan as planned
from levelsmith.request import Request
from reference.sokoban import shortest
from reference.starts import PlainStarts

ASKED = {"size": (6, 7), "want": {"boxes": (3, 3), "difficulty": "medium"}, "workers": 1}


@pytest.fixture(scope="module")
def levels():
    forms = {"goalroom": "none", "cluster": "mirror"}
    return {
        form: levelsmith.generate("sokoban", set={"form": form, "symmetry": symmetry}, seed=3, **ASKED).best
        for form, symmetry in forms.items()
    }


def groups(cells):
    """Returns how many connected groups cells make."""
    left, found = set(cells), 0
    while left:
        found, waiting = found + 1, [left.pop()]
        while waiting:
            row, column = waiting.pop()
            near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & left
            left -= near
            waiting += near
    return found


def test_levels_are_proved_by_a_plain_search_and_lie_in_their_ranges(levels):
    for level in levels.values():
        board = SokobanBoard(level.grid)
        assert shortest(board)[0] == len(pushes(board, level.solution))
        found = levelsmith.measure(level)
        assert found["boxes"] == 3
        assert TIERS["medium"] <= found["difficulty"] < TIERS["hard"]
        verdict = levelsmith.solve(level, moves=True)
        assert verdict.metrics["difficulty"] == pytest.approx(found["difficulty"])


def test_goals_lie_together_boxes_are_pushed_often_and_no_floor_is_idle(levels):
    for form, level in levels.items():
        board = SokobanBoard(level.grid)
        assert groups(board.goals) == 1
        counts = Counter(box for box, *_ in pushes(board, level.solution))
        assert len(counts) == 3
        assert min(counts.values()) > SELDOM
        used = {board.start.player, *board.start.boxes, *board.goals}
        for _, position in board.play(level.solution):
            used |= {position.player, *position.boxes}
        idle = reachable(board) - used
        assert not idle or form == "cluster"  # a mirrored one keeps both sides alike


def test_a_mirrored_room_is_the_same_from_left_to_right(levels):
    walls = levels["cluster"].grid == WALL
    assert (walls == walls[:, ::-1]).all()


def test_a_room_has_one_wall_around_it_and_nothing_outside(levels):
    for level in levels.values():
        inside = np.zeros(level.size, np.bool_)
        for cell in reachable(SokobanBoard(level.grid)):
            inside[cell] = True
        assert inside[[1, -2]].any(axis=1).all()
        assert inside[:, [1, -2]].any(axis=0).all()
        room = np.pad(inside, 1)
        for row, column in cells_of(level.grid, WALL):
            assert room[row : row + 3, column : column + 3].any()


def test_walls_that_touch_no_floor_are_no_tiles():
    grid = np.full((7, 9), WALL, np.uint8)
    grid[3, 3:6] = FLOOR
    assert (outlined(grid) == WALL).sum() == 12
    assert outlined(grid).shape == (3, 5)
    grid[4, 5] = FLOOR
    assert outlined(grid)[3, 0] == FLOOR


def test_a_thick_wall_between_rooms_is_wall_all_through():
    grid = np.full((9, 9), WALL, np.uint8)
    grid[[1, 7], 1:8], grid[1:8, [1, 7]] = FLOOR, FLOOR
    assert (outlined(grid) == grid).all()


@pytest.mark.parametrize("form", GOALS)
def test_plans_hold_their_goals_as_asked_for_and_boxes_are_pulled_off_them(form):
    dice, starts = Random(1), 0
    for _ in range(120):
        mirrored = form in ("cluster", "goalroom") and dice.random() < 0.5
        theme = Theme(dice.choice(OUTLINES), form, mirrored, 4, LARGE)
        plan = draw_plan(dice, (8, 9), theme)
        if plan is None:
            continue
        assert groups(plan.goals) == {"groups": 2, "scattered": 4}.get(form, 1)
        assert len(set(plan.goals)) == 4
        assert all(plan.floor[goal] for goal in plan.goals)
        assert not plan.mirrored or (plan.floor == plan.floor[:, ::-1]).all()
        start = pulled(dice, plan, 30)
        if start is not None:
            starts += 1
            assert not set(start.boxes) & {*plan.goals, start.player}
    assert starts > 2


@pytest.mark.parametrize(("pose", "boxes"), [("row", 4), ("picture", 4), ("picture", 3)])
def test_boxes_are_posed_in_a_row_or_like_their_room(pose, boxes):
    dice, starts = Random(1), 0
    while starts < 20:
        theme = Theme(dice.choice(OUTLINES), "cluster", pose == "picture", boxes, LARGE, pose)
        plan = draw_plan(dice, (8, 9), theme)
        start = None if plan is None else posed(dice, plan, pose)
        if start is None:
            continue
        starts += 1
        assert len({*start.boxes, *plan.goals, start.player}) == 2 * boxes + (start.player not in plan.goals)
        rows, columns = zip(*start.boxes, strict=True)
        if pose == "row":
            assert {len(set(rows)), len(set(columns))} == {1, boxes}
            assert groups(start.boxes) == 1
            continue
        last = plan.floor.shape[1] - 1
        for cells in (start.boxes, plan.goals):
            assert {(row, last - column) for row, column in cells} == set(cells)


@pytest.mark.parametrize("many", [1, 2])
def test_as_many_boxes_as_asked_for_are_pulled_back_onto_goals(many):
    dice, met, pulled_onto = Random(3), 0, 0
    while met < 10 or not pulled_onto:
        plan = draw_plan(dice, (6, 6), Theme(dice.choice(OUTLINES), "cluster", False, 3, LARGE))
        if plan is None:
            continue
        starts = Starts(plan, (6, 6), make_workspace((6, 6)), many)
        for state in starts.states[-3:].tolist():
            assert len({*starts.start(state, 0.0).boxes} & {*plan.goals}) == many
            met += 1
        start = pulled(dice, plan, 20, occupied=many)
        if start is not None:
            assert len({*start.boxes} & {*plan.goals}) == many
            pulled_onto += 1


def test_where_boxes_start_on_goals_all_are_pushed_and_a_few_may_be_pushed_seldom():
    order = [0, 1, 0, 2, 0, 1, 0]  # three boxes: the last one once
    assert not is_lively(3, order)
    assert is_lively(3, order, occupied=2)
    assert not is_lively(3, order, occupied=1)  # the one before it twice
    assert not is_lively(3, [0, 1, 0, 1, 0, 1], occupied=2)  # the last one never


def test_boxes_that_start_on_goals_come_off():
    made = levelsmith.generate("sokoban", set={"form": "occupied"}, count=3, seed=1)
    for level in made.levels:
        board = SokobanBoard(level.grid)
        order = pushes(board, level.solution)
        taken = board.start.boxes & set(board.goals)
        assert taken
        assert taken <= {start for _, _, start, _ in order}
        assert shortest(board)[0] == len(order)


def test_pictures_and_rows_that_are_asked_for_are_made():
    small = {"size": (7, 7), "seed": 2}
    row = levelsmith.generate("sokoban", set={"form": "row", "boxes": 3}, **small).best
    boxes = np.isin(row.grid, (BOX, BOX_ON_GOAL))
    assert boxes.any(axis=0).sum() == 1 or boxes.any(axis=1).sum() == 1
    picture = levelsmith.generate("sokoban", set={"form": "picture", "boxes": 2}, **small).best
    boxes = np.isin(picture.grid, (BOX, BOX_ON_GOAL))
    assert (boxes == boxes[:, ::-1]).all()
    for level in (row, picture):
        assert shortest(SokobanBoard(level.grid))[0] == sum(map(str.isupper, level.solution))


def test_starts_that_are_met_take_as_many_pushes_as_a_plain_search_says():
    dice, tried = Random(2), 0
    while tried < 12:
        theme = Theme(dice.choice(OUTLINES), "cluster", mirrored=False, boxes=dice.randint(2, 3), sides=LARGE)
        plan = draw_plan(dice, (5, 6), theme)
        if plan is None or not can_be_met(plan, (5, 6)):
            continue
        starts = Starts(plan, (5, 6), make_workspace((5, 6)))
        if not len(starts.states):
            continue
        state = int(starts.states[dice.randrange(len(starts.states))])
        start = starts.start(state, dice.random())
        level = built_of(plan, start, starts.pushes(state, start), GAME).level
        number = sum(map(str.isupper, level.solution))
        assert shortest(SokobanBoard(level.grid))[0] == number
        assert state in starts.of_depth(number, number)
        verdict = levelsmith.solve(level, moves=True)
        assert (verdict.metrics["pushes"], verdict.metrics["moves"]) == (number, len(level.solution))
        tried += 1


def test_starts_and_their_solutions_are_the_same_where_nothing_is_compiled():
    dice, met, solved = Random(4), 0, 0
    while solved < 40:
        theme = Theme(dice.choice(OUTLINES), "cluster", dice.random() < 0.3, dice.randint(2, 4), sides=LARGE)
        plan = draw_plan(dice, (5, 6), theme)
        if plan is None:
            continue
        compiled, plain = Starts(plan, (5, 6), make_workspace((5, 6))), PlainStarts(plan, (5, 6))
        assert compiled.states.tolist() == plain.states.tolist()
        assert compiled.depths.tolist() == plain.depths.tolist()
        met += len(plain.met)
        for state in plain.states[-2:].tolist():
            choice = dice.random()
            start = plain.start(state, choice)
            assert compiled.start(state, choice) == start
            assert compiled.pushes(state, start) == plain.pushes(state, start)
            solved += 1
    assert met > 2_000


def test_a_plan_is_changed_and_keeps_its_goals_its_halves_and_the_room_built_for_them():
    dice, changes = Random(5), 0
    while changes < 200:
        theme = Theme(
            dice.choice(OUTLINES), dice.choice(("cluster", "goalroom")), dice.random() < 0.4, 3, LARGE
        )
        plan = draw_plan(dice, (7, 7), theme)
        after = None if plan is None else changed(dice, plan)
        if after is None:
            continue
        assert all(after.floor[goal] for goal in plan.goals)
        assert not plan.mirrored or (after.floor == after.floor[:, ::-1]).all()
        assert not (after.floor & ~plan.floor & plan.fixed).any()
        assert not after.floor[[0, -1]].any()
        assert not after.floor[:, [0, -1]].any()
        changes += (after.floor != plan.floor).any()


def test_a_climb_changes_the_best_of_the_first_plans_until_nothing_comes_of_it():
    drawer = maker.Warehouse(GAME, (5, 5), {p.name: p.default for p in maker.Warehouse.parameters}, ())
    draw = maker.WarehouseDraw(drawer, np.random.SeedSequence(0))
    assert (draw.enough, draw.climb.patience) == (8, 15)
    plans = [Plan(np.zeros((3, 3), bool), [(i, i)], False, np.ones((3, 3), bool)) for i in range(9)]
    for far, plan in enumerate(plans[:8], start=1):
        assert draw._to_change() is None
        draw.climb.note((plan, None), float(far))
    assert draw._to_change() == (plans[0], None)
    draw.climb.note((plans[8], None), 0.5)
    assert [draw._to_change() for _ in range(15)] == [(plans[8], None)] * 15
    assert draw._to_change() is None
    assert (draw.climb.here, draw.drawn) == (None, 1)


@pytest.mark.slow
def test_plans_that_are_changed_are_fiendish_sooner_than_plans_that_are_drawn(monkeypatch):
    def tried():
        asked = {"size": (6, 7), "want": {"difficulty": "fiendish"}, "count": 6, "seed": 5, "workers": 1}
        levels = levelsmith.generate("sokoban", **asked).levels
        return sum(level.provenance["evaluations"] for level in levels)

    changing = tried()
    monkeypatch.setattr(maker, "MET_CLIMB", (10**9, 15))
    assert 2 * changing < tried()


@pytest.mark.slow(80)
def test_where_not_all_starts_are_met_levels_that_are_changed_are_fiendish_sooner(monkeypatch):
    def tried(seed):
        want = {"boxes": 6, "difficulty": "85..95"}
        levels = levelsmith.generate("sokoban", size=(9, 12), want=want, count=2, seed=seed, workers=1).levels
        return sum(level.provenance["evaluations"] for level in levels)

    changing = sum(map(tried, range(1, 8)))
    monkeypatch.setattr(maker, "PULLED_CLIMB", (10**9, 60))
    assert changing < 0.8 * sum(map(tried, range(1, 8)))  # 2,506 and 3,533 candidates


def many_boxes():
    """Plans with a start whose positions are too many to be met, and the proved level of each."""
    dice = Random(4)
    while True:
        plan = draw_plan(dice, (9, 12), Theme("hall", "cluster", False, 6, LARGE))
        start = None if plan is None else pulled(dice, plan, 42)
        level = None if start is None else proved(plan, start, GAME, 20_000)
        if level is not None:
            yield dice, plan, start, level


def test_of_a_proved_level_fewer_moves_are_found_with_as_few_pushes():
    shorter = 0
    for _, (_, plan, _, level) in zip(range(8), many_boxes(), strict=False):
        found = [with_fewer_moves(level, width, plan.mirrored) for width in (100, 300)]
        for fewer, _ in filter(None, found):
            moves = replay(fewer, fewer.solution)
            assert sum(map(str.isupper, moves)) == sum(map(str.isupper, level.solution))
            assert len(moves) <= len(level.solution)
            shorter += len(moves) < 0.9 * len(level.solution)
    assert shorter >= 8


def test_boxes_that_are_pulled_on_can_be_brought_back():
    for _, (dice, plan, start, _) in zip(range(4), many_boxes(), strict=False):
        farther = pulled_on(dice, plan, start, 8)
        assert sorted(farther.boxes) != sorted(start.boxes)
        assert proved(plan, farther, GAME, 10**6) is not None


def test_where_not_all_starts_are_met_levels_are_as_hard_as_asked_for_by_few_moves():
    asked = {"size": (9, 12), "want": {"boxes": 6, "difficulty": "60..80"}, "seed": 2, "workers": 1}
    (level,) = levelsmith.generate("sokoban", **asked).levels
    assert not has_few_starts(9 * 12 // 2, 6)
    told = levelsmith.measure(level)
    found = levelsmith.solve(replace(level, solution=None, provenance={}), seconds=60)
    assert found.metrics["pushes"] == told["pushes"]
    assert 60 <= told["difficulty"] <= 80
    assert abs(found.metrics["moves"] - told["moves"]) <= 0.1 * told["moves"]


def test_a_pack_goes_through_all_themes_and_the_theme_of_a_run_is_its_own():
    seeds = [np.random.SeedSequence(9, spawn_key=(run,)) for run in range(24)]
    anything = Wish("any", "any")
    themes = [theme_of(seed, (2, 4), 0, anything) for seed in seeds]
    outlines = Counter(theme.outline for theme in themes[:21])
    assert outlines == {outline: 3 * OFTEN.count(outline) for outline in OUTLINES}
    assert 3 <= sum(theme.occupied > 0 for theme in themes) <= 6
    assert {theme_of(seed, (8, 8), 0, Wish("occupied", "any")).occupied for seed in seeds} == {1, 2, 3, 4}
    on_goals = [theme_of(seed, (2, 4), 0, Wish("occupied", "any")) for seed in seeds]
    assert {(theme.boxes, theme.occupied) for theme in on_goals} == {
        (2, 1),
        (3, 1),
        (3, 2),
        (4, 1),
        (4, 2),
        (4, 3),
    }
    assert Counter(theme.boxes for theme in themes) == {2: 8, 3: 8, 4: 8}
    assert sorted(in_turn(seed, "x", "abc") for seed in seeds[3:6]) == ["a", "b", "c"]
    assert themes[7] == theme_of(seeds[7], (2, 4), 0, anything)
    assert themes != [
        theme_of(np.random.SeedSequence(8, spawn_key=(run,)), (2, 4), 0, anything) for run in range(24)
    ]


def test_levels_that_are_not_hard_may_have_two_boxes():
    assert maker.boxes_for(40.0, (2, 4), (7, 7)) == (2, 4)
    assert maker.boxes_for(60.0, (2, 4), (7, 7)) == (3, 4)
    assert maker.boxes_for(85.0, (2, 4), (7, 7)) == (5, 6)


def test_usual_requests_are_made_by_it_and_others_by_a_search():
    def made_by(**asked):
        return planned(Request("sokoban", seed=1, **asked)).search

    assert made_by() == "warehouse"
    assert made_by(size=(12, 16), set={"boxes": "8"}, want={"difficulty": "hard"}) == "warehouse"
    assert made_by(size=(24, 32)) == "warehouse"
    assert made_by(size=(6, 6), set={"boxes": "3"}, want={"difficulty": "hard"}) == "warehouse"
    assert made_by(size=(7, 7), want={"pushes": "20..30", "boxes": 3}) == "warehouse"
    assert made_by(size=(7, 7), want={"pushes": "70.."}) == "sa"
    assert made_by(size=(3, 5)) == "sa"
    assert made_by(want={"blocks": "10.."}) == "sa"
    assert made_by(objective="pushes") == "sa"


def test_plain_levels_have_good_form_and_are_proved():
    made = levelsmith.generate("sokoban", count=6, seed=4, workers=1)
    assert len(made.levels) == 6
    for level in made.levels:
        board = SokobanBoard(level.grid)
        counts = Counter(box for box, *_ in pushes(board, level.solution))
        seldom = sum(counts[box] <= SELDOM for box in range(len(board.goals)))
        assert seldom <= len(board.goals) // 3
        assert "unproved" not in GAME.headline(level)
        assert shortest(board)[0] == sum(counts.values())


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"size": (25, 32)}, "expected a size from 4x4 to 32x24 for warehouse, got 32x25"),
        ({"size": (12, 16), "set": {"boxes": "40"}}, "expected at most 16 boxes, got 40"),
        ({"size": (12, 16), "set": {"boxes": "many", "form": "any"}}, "or fit for boxes, got 'many'"),
        ({"set": {"form": "picture", "symmetry": "none"}}, "a picture is the same from left to right"),
    ],
)
def test_what_cannot_be_made_is_refused(asked, message):
    with pytest.raises(LevelsmithError, match=message):
        start_run(planned(Request("sokoban", search="warehouse", seed=1, **asked)))


def test_where_nothing_will_do_the_nearest_is_named():
    asked = {"size": (5, 5), "set": {"form": "cluster"}, "want": {"pushes": "60.."}, "evaluations": 300}
    found = levelsmith.generate("sokoban", seed=1, partial=True, **asked)
    assert not found.levels
    assert "pushes" in found.missed
    none = levelsmith.generate("sokoban", seed=1, partial=True, **{**asked, "evaluations": 1})
    assert none.missed == "no candidate was proved"


@pytest.mark.parametrize("size", [(4, 4), (5, 5), (6, 6)])
@pytest.mark.parametrize("boxes", [1, 2])
def test_few_boxes_on_a_small_board_are_made_though_they_may_be_easy(size, boxes):
    result = levelsmith.generate("sokoban", size=size, set={"boxes": boxes}, seed=1)
    assert result.solved
    assert result.evaluations <= maker.EASIER_AFTER + 1
    assert levelsmith.measure(result.best)["boxes"] == boxes


def test_a_difficulty_that_is_asked_for_is_kept_however_few_the_boxes():
    with pytest.raises(LevelsmithError, match="difficulty"):
        levelsmith.generate(
            "sokoban", size=(4, 4), set={"boxes": 1}, want={"difficulty": (60, 80)}, seed=1, evaluations=300
        )


def test_what_a_level_lacks_of_its_goal_is_told():
    from levelsmith.making.outcome import lacking

    task = planned(Request("sokoban", size=(3, 3), set={"boxes": 1}, seed=0))
    level = levelsmith.parse("#####\n#@$.#\n#####", game="sokoban")
    assert lacking(task, replace(level, solution="R")) == "difficulty 40..70, pushes 8.., box changes 2.."
