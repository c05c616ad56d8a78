"""What the rules of PuzzleScript games prove: whatever happens was foreseen, and no bound is too high."""

import gzip
import json

import numpy as np
import pytest
from tests.games.puzzles import source
from tests.games.test_puzzlescript_kernel import random_game

from levelsmith import LevelsmithError
from levelsmith.games.puzzlescript.bounds import find_prospects, make_guide
from levelsmith.games.puzzlescript.find import names
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.kernels.codes import INPUTS, WON
from levelsmith.games.puzzlescript.kernels.outlook import NEVER, outlook
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.solve import check_solvable
from levelsmith.registry import games
from reference import puzzle_bounds as slow
from reference.puzzle_prospects import Prospects, as_ints

PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
ROOM = "######/#P...#/#.*..#/#...O#/######"


def ways_of(game):
    return [INPUTS[KEYS[letter]] for letter in game.letters if letter != "."]


def found_by_kernels(game, level):
    """Returns the engine at the start of a level, what kernels find, or None, and the guide they make."""
    engine, tables = game.engine_at(level.grid), game.program.tables
    asked = engine.rules, engine.state, tables.outlined, ways_of(game)
    return engine, find_prospects(*asked), make_guide(*asked)


def known(game, level):
    """Returns what is known about a level, by the slow twin, and the guide that the kernels make; what they
    find is asserted to be the same."""
    engine, prospects, guide = found_by_kernels(game, level)
    found = Prospects(game.program.tables, engine.board(), *level.size, ways_of(game))
    assert (prospects is not None) == found.known
    if prospects is not None:
        assert as_ints(prospects.may_be) == found.may_be
        assert as_ints(prospects.stays) == found.stays
        assert [as_ints(ways) for ways in prospects.may_move] == found.may_move
        assert {layer for layer, wild in enumerate(prospects.wild) if wild} == found.wild
        assert prospects.matches.tolist() == [rule.matches for rule in found.rules]
    assert told(guide) == told(slow.make_guide(found))
    return found, guide


def told(guide):
    """Returns the goals of a guide, in an order of their own."""
    rows = [slice(first, first + count) for first, count in guide.goals[:, :2].tolist()]
    found = [(guide.objects[one].tolist(), guide.moves[one].tolist()) for one in rows]
    return sorted([*one, *goal] for one, goal in zip(found, guide.goals[:, 2:4].tolist(), strict=True))


def of(rules=PUSH, levels=ROOM, wins="All Target on Crate", **parts):
    """Returns a small game's objects by name, what is known about its level, and its guide."""
    game = PuzzleGame("my.txt", source(rules=rules, levels=levels, wins=wins, **parts))
    return {name: i for i, name in enumerate(game.program.names)}, *known(game, game.levels()[0])


def shown(cells, height, width):
    return ["".join(".x"[cells >> x * height + y & 1] for x in range(width)) for y in range(height)]


def test_crates_get_everywhere_but_leave_no_corner():
    number, found, _ = of()
    assert shown(found.may_be[number["crate"]], 5, 6) == ["......", ".xxxx.", ".xxxx.", ".xxxx.", "......"]
    assert found.stays[number["wall"]] == found.start[number["wall"]]
    assert found.stays[number["crate"]] == 0
    far = np.array(found.distances([number["crate"]], found.start[number["target"]])).reshape(6, 5).T
    assert far[1:4, 1:5].tolist() == [[-1, -1, -1, -1], [-1, 3, 2, 1], [-1, 2, 1, 0]]


@pytest.mark.parametrize(
    ("rules", "moved", "by_keys"),
    [
        (PUSH, 1, True),
        (f"{PUSH} ; + [ > Crate | Crate ] -> [ > Crate | > Crate ]", 2, True),
        (f"{PUSH} ; right [ Crate | no Wall ] -> [ > Crate | ] again", 2, False),
        (f"{PUSH} ; late [ Player Target ] -> again", 1, True),
    ],
)
def test_how_many_crates_move_at_once_and_by_what(rules, moved, by_keys):
    number, found, guide = of(rules, "######/#P*..#/#.*..#/#..OO#/######")
    assert slow.most_moved(found, frozenset([number["crate"]])) == moved
    assert (number["crate"] in slow.moved_by_keys(found)) == by_keys
    assert bool((guide.moves > 0).any()) == by_keys


@pytest.mark.parametrize(
    "parts",
    [
        {"rules": f"{PUSH} ; [ > Player | no Wall ] -> [ > Player | Crate ]"},  # a rule makes crates
        {"rules": f"{PUSH} ; late [ Player Target ] -> win"},
        {"rules": f"{PUSH} ; late [ Player Target ] -> restart"},
        {"rules": f"{PUSH} ; [ > Player ] -> [ > Player Crate ]"},  # two in one layer
    ],
)
def test_nothing_is_asked_of_crates_where_rules_may_do_without(parts):
    _, _, guide = of(**parts)
    assert len(guide.goals) == 0


def test_what_a_movement_of_nothing_may_carry_on_has_no_distance():
    rules = f"{PUSH} ; right [ > Player | ] -> [ > Player | no Crate ]"
    number, found, guide = of(rules)
    assert found.layer_of[number["crate"]] in found.wild
    assert guide.moves.max(initial=0) == 0


def test_a_player_that_changes_its_looks_is_still_the_player():
    rules = "late [ Player no Ma ] -> [ Player Ma ]"
    number, _, guide = of(rules, "P..O", "Some Player on Target")
    assert guide.moves.tolist() == [[3, 2, 1, 0]]
    assert number["player"] in guide.objects


def held(game, level, keys):
    """Plays keys, and asserts that all that happens was foreseen; returns whether there are goals."""
    engine, found, guide = found_by_kernels(game, level)
    if found is None:
        return False
    may_be, stays, before = as_ints(found.may_be), as_ints(found.stays), []
    for count, key in enumerate([None, *keys]):
        if key is not None and engine.play([key])[0] & WON:
            before = [(n, least) for n, least in before if least == NEVER or least > count - n]
            assert not before, (game.name, level.title, count, before)
            break
        board = as_ints(engine.board())
        for o in range(len(may_be)):
            cells = sum(1 << i for i, cell in enumerate(board) if cell >> o & 1)
            assert cells & ~may_be[o] == 0, (game.name, level.title, game.program.names[o])
            assert stays[o] & ~cells == 0, (game.name, level.title, game.program.names[o])
        before.append((count, int(outlook(guide, engine.state))))
    return len(guide.goals) > 0


def test_kernels_find_what_their_slow_twin_finds():
    levels = goals = 0
    texts = [games.sources[name] for name in names()]
    texts += [random_game(np.random.default_rng(seed)) for seed in range(30)]
    for text in texts:
        try:
            game = games.of_text(text)
        except LevelsmithError:
            continue
        for level in game.levels():
            goals += len(known(game, level)[1].goals)
            levels += 1
    assert levels > 60
    assert goals > 30


def test_all_that_happens_was_foreseen_and_no_bound_is_above_a_solution():
    dice, bounded = np.random.default_rng(1), 0
    for name in names():
        game = games.get(name)
        for level in game.levels():
            bounded += held(game, level, [KEYS[letter] for letter in level.solution])
            keys = [KEYS[letter] for letter in game.letters]
            held(game, level, [keys[i] for i in dice.integers(len(keys), size=100)])
    assert bounded > 20


@pytest.mark.data
def test_recorded_games_do_what_was_foreseen(data_folder):
    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "solutions.json.gz").read_bytes()))
    dice, levels, bounded = np.random.default_rng(2), 0, 0
    for entry in entries:
        try:
            game = PuzzleGame(entry["game"], entry["source"])
            check_solvable(game)
        except LevelsmithError:
            continue
        boards = [i for i, level in enumerate(game.program.levels) if level.board is not None]
        for number, level in list(zip(boards, game.levels(), strict=True))[:6]:
            told = (*entry["solutions"], *[None] * number)[number] or ""
            recorded = ["WASDX".index(letter) for letter in told if letter in "WASDX"]
            known(game, level)
            bounded += held(game, level, recorded)
            held(game, level, [int(i) for i in dice.integers(len(game.letters), size=60)])
            levels += 1
    print(f"{levels} levels, {bounded} of them with goals")
    assert levels > 300
    assert bounded > 100
