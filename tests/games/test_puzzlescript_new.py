"""New levels of PuzzleScript games are new: unlike the author's and each other, no tutorials, in time."""

import time
from dataclasses import replace

import numpy as np
import pytest

import levelsmith
from levelsmith import LevelsmithError, MissingLevelsError
from levelsmith.core import LACKS, Effort, Term
from levelsmith.games.puzzlescript.alike import NOBODY, Crowd, way_of
from levelsmith.games.puzzlescript.bounds import Changes
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.remix import APART, Remix, worth_it
from levelsmith.games.puzzlescript.taught import Taught
from levelsmith.registry import games
from reference.puzzlescript import Twin

CRATES = games.sources["puzzlescript:crates"]
HEAD = CRATES[: CRATES.index("LEVELS")]
NEVER = Term("moves", "ramp", low=900, high=999)
ROOM = "#######\n#..O..#\n#.*...#\n#.P*O.#\n#.....#\n#######"
TUTORIAL = "#######\n#P*..O#\n#######"


def game_of(*levels, head=HEAD):
    return games.of_text(head + "LEVELS\n\n" + "\n\n".join(levels) + "\n")


def taught_by(game):
    return Taught(game.cells, [level.grid for level in game.levels()])


def remix_of(game, terms=(), **values):
    values = {**{one.name: one.default for one in Remix.parameters}, **values}
    return Remix(game, game.default_size, values, list(terms))


def draw_of(maker, seed=0):
    draw = maker.start(np.random.SeedSequence(seed))
    draw.advance(0)
    return draw


def names(game, tiles):
    return [tile.name for tile, is_one in zip(game.tiles, tiles, strict=True) if is_one]


def test_a_level_that_is_won_as_it_begins_is_not_made():
    rules = "[ Crate ] -> [ ] again\n[ Target ] -> [ Crate ] again"
    head = HEAD.replace("RULES\n", f"RULES\n\n{rules}\n", 1).replace(
        "OBJECTS", "run_rules_on_level_start\n\nOBJECTS", 1
    )
    head = head[: head.index("WINCONDITIONS")] + "WINCONDITIONS\n\nNo Crate\n\n"
    game = game_of("#######\n#P...O#\n#######", "#######\n#.P..O#\n#######", head=head)
    maker, (level, _) = remix_of(game), game.levels()
    assert game.session(level).won
    assert maker.won(level.grid, 2_000).status == "unknown"
    assert not maker.wins(level.grid, "r")


# walls, edges and what stands still


def test_what_a_rule_moves_is_no_wall():
    head = HEAD.replace("SOUNDS", "Solid = Wall or Crate\n\nSOUNDS")
    game = game_of("........\n.*****..\n.*P.O*..\n.*****..\n.######.\n........", head=head)
    taught, (level,) = taught_by(game), game.levels()
    assert not taught.walls.any()
    assert taught.free(level.grid).sum() == taught.board(level.grid).sum() == 24


def test_what_a_rule_turns_into_other_walls_is_a_wall():
    rules = "[ Moss | Wall ] -> [ Moss | Moss ]\n[ Crate Target ] -> [ Target ]"
    head = HEAD.replace("OBJECTS", "OBJECTS\n\nMoss M\ngreen\n", 1).replace(
        "RULES\n", f"RULES\n\n{rules}\n", 1
    )
    head = head.replace("Player, Wall, Crate", "Player, Wall, Crate, Moss")
    game = game_of(ROOM.replace("#..O", "M..O"), head=head)
    number = {name: i for i, name in enumerate(game.cells.names)}
    changes = Changes(game.program.tables)
    assert changes.fixed(number["wall"]) == {number["wall"], number["moss"]}
    assert changes.fixed(number["target"]) == {number["target"]}
    assert changes.fixed(number["crate"]) == changes.fixed(number["player"]) == set()


def test_corridors_through_the_edge_of_all_levels_stay():
    levels = (
        "##########\n##.*..####\nP.....O...\n##....####\n##########",
        "#########\n##.O.####\n##..*.###\nP....*O..\n#########",
        "##########\nP...*.####\n##..O.####\n##..*.O...\n##########",
    )
    game = game_of(*levels)
    taught = taught_by(game)
    assert taught.frame == [1, 3, 1, 2]  # at the top, at the right, below, at the left
    inside = taught.inside(game.levels()[0].grid)
    assert inside[1:4, 2:7].all()
    assert inside.sum() == 3 * 5
    assert taught_by(game_of(*levels[:2])).frame == [0, 0, 0, 0]  # two levels say little


def test_what_stands_in_the_same_cells_in_all_levels_stays_there():
    rows = (
        ("#P....#", "#.*O..#", "#.....#"),
        ("#....P#", "#..O*.#", "#.....#"),
        ("#.P...#", "#..O..#", "#..*..#"),
    )
    game = game_of(*("\n".join(["#######", *inside, "#.....#", "#######"]) for inside in rows))
    grids = [level.grid for level in game.levels()]
    maker = remix_of(game, [NEVER])
    target = np.array(["target" in tile.name for tile in game.tiles])
    wall = np.array(["wall" in tile.name for tile in game.tiles])
    draw = draw_of(maker, 1)
    draw.advance(60)
    assert len(draw.seen) > 20
    for text in draw.seen:
        grid = np.frombuffer(text, np.uint8).reshape(grids[0].shape)
        assert (target[grid] == target[grids[0]]).all()
        assert (wall[grid] == wall[grids[0]]).all()  # and no holes or walls where the author never has any


def test_floor_along_the_edge_is_no_edge():
    floor = HEAD.replace("Background\nTarget\n", "Background\nCarpet\nTarget\n")
    floor = floor.replace("OBJECTS", "OBJECTS\n\nCarpet C\nred\n", 1)
    game = game_of("CCCCC\nC.O.C\nC.*.C\nCP..C\nCCC.C", head=floor)
    assert taught_by(game).board(game.levels()[0].grid).all()


# unlike


def test_levels_are_compared_turned_and_mirrored():
    grid = np.arange(12, dtype=np.uint8).reshape(3, 4)
    crowd, everywhere = Crowd([np.zeros((3, 4), np.uint8), grid]), np.ones((3, 4), np.bool_)
    for image in (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]):
        assert crowd.nearest(image, everywhere) == (0, 1)
    turned = np.rot90(grid)
    assert crowd.nearest(turned, np.ones_like(turned, np.bool_)) == (0, 1)
    one = grid.copy()
    one[1, 1] = 99
    assert crowd.nearest(one, everywhere) == (1 / 12, 1)
    assert crowd.nearest(np.zeros((2, 2), np.uint8), np.ones((2, 2), np.bool_)) == (1, NOBODY)


def test_ways_are_the_same_turned_and_mirrored():
    game = games.get("puzzlescript:crates")
    level = game.levels()[0]
    keys = game.solve(level, Effort()).solution
    assert len({way_of(keys), way_of("rrrd")}) == 2
    for turns, letters in enumerate(("ulrd", "ldur", "drlu", "rudl")):
        turned = keys.translate(str.maketrans("ulrd", letters))
        game.verify(replace(level, grid=np.ascontiguousarray(np.rot90(level.grid, turns)), solution=turned))
        assert way_of(turned) == way_of(keys)


def test_a_fifth_of_the_board_differs_from_every_level_of_the_author():
    path = "puzzlescript:crates"
    grids = [level.grid for level in games.get(path).levels()]
    for level in levelsmith.generate(path, count=4, seed=2, workers=1, evaluations=5_000).levels:
        board = np.zeros(level.size, np.bool_)
        board[1:-1, 1:-1] = True
        assert Crowd(grids).nearest(level.grid, board)[0] >= 0.2


def test_a_game_whose_walls_leave_too_little_says_so():
    filler = "\n".join(["#" * 12] * 5)
    game = game_of(f"{filler}\n#P*O########\n############")
    with pytest.raises(
        LevelsmithError, match=r"at most 16 % of a level .* expected 20 %; try .*differ.* 0.16"
    ):
        remix_of(game)
    remix_of(game, differ=0.1)


# apart


def test_levels_of_a_pack_are_apart_whatever_the_workers():
    asked = {"count": 8, "seed": 5, "evaluations": 5_000, "set": {"keep": "wall"}}
    one, two = (levelsmith.generate("puzzlescript:crates", workers=w, **asked).levels for w in (1, 2))
    assert [(level.text, level.solution) for level in one] == [(level.text, level.solution) for level in two]
    maker = remix_of(games.get("puzzlescript:crates"), keep="wall")
    for n, level in enumerate(one):
        assert not maker.repeats(level, one[:n])
    assert len({way_of(level.solution) for level in one}) == 8


def test_near_copies_and_levels_of_the_same_keys_repeat():
    game = games.get("puzzlescript:crates")
    maker, (first, second, _) = remix_of(game), game.levels()
    cells = maker.measured(first.grid)
    assert maker.repeats(first, [second, first])
    assert not maker.repeats(first, [second])
    mirrored = first.grid[:, ::-1].copy()
    y, x = np.argwhere(mirrored == game.tiles.index_of("background"))[0]
    mirrored[y, x] = game.tiles.index_of("wall")
    assert 1 / cells.sum() < APART
    assert maker.repeats(replace(first, grid=mirrored, solution="x"), [first])
    assert maker.repeats(replace(second, solution=first.solution), [first])


def test_a_run_that_repeats_a_level_is_made_anew():
    """Two runs from the same numbers make the same level."""
    from levelsmith.making.apart import Apart
    from levelsmith.making.plan import plan
    from levelsmith.making.run import maker_of
    from levelsmith.request import Request

    task = plan(Request("puzzlescript:crates", seed=3, evaluations=5_000))
    maker = maker_of(task)
    *_, result = maker.make([0], task.seeds([0]), 5_000, lambda: False)
    apart = Apart(set())
    assert apart.told(task, maker, [0], result, lambda: False) is result
    other = apart.told(task, maker, [0], result, lambda: False)
    assert other.levels
    assert not maker.repeats(other.best, result.levels)


# tutorials


def test_tutorials_and_credits_are_not_begun_with():
    picture = "#########\n#P.*.*.O#\n#########"
    game = game_of(TUTORIAL, picture, ROOM, "######\n#P.O.#\n#.*..#\n#....#\n######")
    maker = remix_of(game)
    starts = [maker.looked_at(i, 2_000, lambda: False) for i in range(4)]
    assert [bool(start.told) for start in starts] == [True, False, True, True]
    assert [start.is_played for start in starts] == [False, False, True, True]
    assert worth_it(starts) == starts[2:]
    for seed in range(4):
        draw = draw_of(maker, seed)
        draw.advance(6)
        assert draw.climb.here.shape in {starts[2].level.size, starts[3].level.size}


def test_a_level_much_shorter_than_the_others_is_a_tutorial():
    game = games.get("puzzlescript:keys")
    starts = [remix_of(game).looked_at(i, 100_000, lambda: False) for i in range(len(game.levels()))]
    longest = max(starts, key=lambda start: start.told["moves"])
    brief = longest._replace(told={**longest.told, "moves": 0.4 * longest.told["moves"]})
    assert worth_it([brief, longest, longest]) == [longest, longest]


def test_a_game_of_tutorials_alone_is_begun_with_all_the_same():
    game = game_of("########\n#P*...O#\n#......#\n########")
    draw = draw_of(remix_of(game))
    draw.advance(2_000)
    assert len(set(draw.level.solution)) > 1 or draw.least["bends"] == 0


def test_one_key_again_and_again_is_no_level_unless_asked_for():
    game = game_of(ROOM)
    few = Term("moves", "ramp", low=1, high=3)
    assert not remix_of(game, [few]).needs_play
    assert not remix_of(game, [Term("bends", "ramp", low=0, high=0)]).needs_play
    assert remix_of(game, [replace(few, high=9)]).needs_play
    for seed in range(5):
        draw = draw_of(remix_of(game, [replace(few, high=9)]), seed)
        draw.advance(3_000)
        assert len(set(draw.level.solution)) > 1
        assert draw.level.solution != game.solve(game.levels()[0], Effort()).solution


# rules that fire


@pytest.mark.parametrize("name", ["crates", "keys", "lamps", "paint", "holes", "ice", "twins", "vine"])
def test_the_kernel_tells_which_rules_fire_as_its_twin_does(name):
    game = games.get(f"puzzlescript:{name}")
    for level in [level for level in game.levels() if level.solution][:2]:
        fired = []
        for engine in (Kernel, Twin):
            session = game.session(level, engine)
            for key in level.solution:
                session.press(KEYS[key])
            fired.append(sorted(session.engine.fired))
        assert fired[0] == fired[1] != []


# time


def test_a_candidate_that_is_cut_short_was_never_tried():
    draw, calls = draw_of(remix_of(games.get("puzzlescript:keys"), [NEVER])), []
    draw.advance(8)
    state = draw.evaluations, draw.solvable, draw.nearest

    def after_some():
        calls.append(1)
        return len(calls) > 40

    draw.cancel = after_some
    draw.advance(50)
    assert draw.cut
    assert draw.evaluations < 58
    draw.cancel = None
    again = draw_of(remix_of(games.get("puzzlescript:keys"), [NEVER]))
    again.advance(8)
    assert (again.evaluations, again.solvable) == state[:2]
    again.advance(draw.evaluations - 8)
    assert (again.solvable, again.nearest[1].text) == (draw.solvable, draw.nearest[1].text)


def test_seconds_are_kept_and_it_is_told_what_is_missing():
    asked = {"seed": 1, "workers": 1, "want": {"moves": "900.."}}
    levelsmith.generate("puzzlescript:crates", seed=1, evaluations=200, partial=True)  # compiles
    begun = time.monotonic()
    with pytest.raises(MissingLevelsError, match=r"in 0.5 s \(moves \d+ of the best, not 900\.\.\)") as error:
        levelsmith.generate("puzzlescript:keys", seconds=0.5, **asked)
    assert time.monotonic() - begun < 5  # on a busy machine
    assert error.value.result.stopped == "seconds"


def test_not_even_one_candidate_in_its_time_is_no_failure():
    with pytest.raises(MissingLevelsError, match=r"it ended after a look at \d of 3 levels to begin with"):
        levelsmith.generate("puzzlescript:keys", seconds=1e-6, seed=1, workers=1)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"set": {"differ": 1.0}}, r"the best is still like level \d of the author in \d+ % of its board"),
        ({"set": {"states": 1}}, "none of 3 levels to begin with was solved within 1 states"),
        ({"set": {"keep": "wall", "differ": 1.0}}, r"in \d+ % of its cells that may change"),
    ],
)
def test_what_is_missing_is_told(asked, why):
    with pytest.raises(MissingLevelsError, match=why):
        levelsmith.generate("puzzlescript:crates", seed=1, workers=1, evaluations=60, **asked)


def test_no_level_is_made_of_levels_that_cannot_be_won():
    game = game_of("#######\n#P.*.##\n#####O#\n#######")
    draw = draw_of(remix_of(game))
    draw.advance(3)
    assert draw.statistics()[LACKS] == "the level to begin with cannot be won"


def test_a_game_without_a_player_is_refused_at_once():
    with pytest.raises(LevelsmithError, match=r"expected a player in a level of .*, got none"):
        remix_of(game_of("#####\n#*.O#\n#####"))


# messages


def test_messages_of_the_author_stay_in_the_file():
    parts = ["message first", "message second", ROOM, "message third (really)", ROOM, "message fourth", ROOM]
    game = game_of(*parts, "message the end")
    made = [replace(level, provenance={"search": "remix"}) for level in game.levels()]

    def told(text):
        return [level.message or "level" for level in games.of_text(text).program.levels]

    everything = ["first", "second", "level", "third (really)", "level", "fourth", "level", "the end"]
    assert told(game.with_levels(made)) == everything
    two = game.with_levels(made[:2])
    assert told(two) == [*everything[:5], "the end"]
    assert "(message: fourth)" in two
    assert told(game.with_levels([*made, made[0]])) == [*everything[:7], "level", "the end"]
    assert told(game.with_levels(game.levels()[1:2])) == ["third (really)", "level", "the end"]
    assert told(game.with_levels(game.levels())) == everything
