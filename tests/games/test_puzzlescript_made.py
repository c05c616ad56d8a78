"""New levels of PuzzleScript games: solved for certain, unlike the author's, needing what they shall need."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import levelsmith
from levelsmith import LevelsmithError, MissingLevelsError
from levelsmith.core import Effort
from levelsmith.games.puzzlescript import metrics, remix
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.find import SHIPPED
from levelsmith.games.puzzlescript.kernels.codes import PENDING, WON
from levelsmith.games.puzzlescript.kernels.spread import WINS
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.metrics import rules_of
from levelsmith.games.puzzlescript.solve import graph_of
from levelsmith.games.puzzlescript.taught import Taught
from levelsmith.registry import games
from reference.puzzlescript import Twin

NAMES = sorted(path.stem for path in SHIPPED.glob("*.txt"))
DOOR = 77  # the line of the rule of `keys` by which a door is opened


def made(name, **asked):
    asked = {"count": 2, "seed": 3, "workers": 1, "evaluations": 5_000, **asked}
    return levelsmith.generate(f"puzzlescript:{name}", **asked).levels


@pytest.mark.first(2)
@pytest.mark.parametrize("name", NAMES)
def test_levels_are_made_of_every_game_that_ships(name):
    game = games.get(f"puzzlescript:{name}")
    levels = made(name, set={"states": 5_000})
    assert len({level.grid.tobytes() for level in levels}) == 2
    own = {level.grid.tobytes() for level in game.levels()}
    for level in levels:
        assert level.grid.tobytes() not in own
        verdict = game.solve(replace(level, solution=None), Effort(seconds=None))
        assert (verdict.optimal, len(verdict.solution)) == (True, len(level.solution))
        for engine in (Kernel, Twin):
            game.verify(level, engine)
        assert game.is_shortest(level)
        assert "proved fewest" in game.headline(level)


def test_a_seed_gives_the_same_levels_with_any_number_of_workers():
    one, two = (made("crates", count=4, seed=0, workers=workers) for workers in (1, 2))
    assert [(level.text, level.solution) for level in one] == [(level.text, level.solution) for level in two]


def test_a_level_that_needs_a_rule_cannot_be_won_without_it():
    game = games.get("puzzlescript:keys")
    assert "Door" in game.lines[DOOR - 1]
    without = game.without(DOOR)
    for level in made("keys", set={"needs": str(DOOR)}, want={"moves": (8, None)}):
        assert without.solve(level, Effort(seconds=None)).status == "unsolvable"
        assert DOOR in rules_of(game, level, level.solution)


def test_without_a_rule_it_never_fires_and_the_others_do():
    game = games.get("puzzlescript:crates")
    (line,) = {int(line) for line in game.program.tables.rules.line}
    level = next(level for level in game.levels() if level.solution)
    assert rules_of(game, level, level.solution) == [line]
    assert game.without(line).solve(level, Effort()).status == "unsolvable"
    assert game.solve(level, Effort()).status == "solved"  # the game itself is as it was


def test_ranges_of_solutions_and_of_things_are_kept():
    for level in made("crates", want={"moves": "12..20", "crate": "3", "target": "3"}, count=3):
        found = levelsmith.measure(level)
        assert 12 <= found["moves"] == len(level.solution) <= 20
        assert found["crate"] == found["target"] == 3


def test_what_shall_be_kept_stays_where_the_author_has_it():
    game = games.get("puzzlescript:crates")
    walls = {(level.size, (level.grid == game.tiles.index_of("wall")).tobytes()) for level in game.levels()}
    for level in made("crates", set={"keep": "wall"}, count=3):
        assert (level.size, (level.grid == game.tiles.index_of("wall")).tobytes()) in walls


def test_what_was_made_is_written_as_a_game_that_holds_it(tmp_path):
    levels = [replace(level, title=f"number {n}") for n, level in enumerate(made("keys"), start=1)]
    levelsmith.save(levels, tmp_path / "new.txt")
    text = (tmp_path / "new.txt").read_text()
    source = (SHIPPED / "keys.txt").read_text()
    head = source[: source.index("LEVELS")]
    assert text.startswith(head)
    found = levelsmith.load(tmp_path / "new.txt")
    assert [(level.title, level.solution) for level in found] == [
        (level.title, level.solution) for level in levels
    ]
    assert all(np.array_equal(a.grid, b.grid) for a, b in zip(found, levels, strict=True))
    game = games.get(str(tmp_path / "new.txt"))
    for level in found:
        game.verify(level)


def test_a_cell_without_a_character_is_refused_by_its_name(tmp_path):
    game = games.get("puzzlescript:keys")
    tile = next(i for i in range(len(game.tiles)) if i not in game.cells.characters)
    level = replace(game.levels()[0], grid=np.full((2, 2), tile, np.uint8))
    with pytest.raises(LevelsmithError, match=f"{game.tiles[tile].name}.*LEGEND"):
        levelsmith.save([level], tmp_path / "x.txt")
    assert not (tmp_path / "x.txt").exists()


def test_metrics_of_a_solution_counted_by_hand():
    game = games.get("puzzlescript:crates")
    level = levelsmith.parse("#######\n#P.*.O#\n#######", game=game.name)
    found = levelsmith.measure(level)
    assert {name: found[name] for name in ("unmet", "moves", "bends", "rules", "coverage")} == {
        "unmet": 1,
        "moves": 3,
        "bends": 0,
        "rules": 1,
        "coverage": 1,
    }
    assert found["states"] == 4  # the start, then one more after each key but the last, and a step back
    nobody = levelsmith.measure(levelsmith.parse("####\n#*O#\n####", game=game.name))
    assert nobody["moves"] is None


def test_author_levels_teach_counts_and_edges():
    game = games.get("puzzlescript:crates")
    grids = [level.grid for level in game.levels()]
    taught = Taught(game.cells, grids)
    assert all(taught.surplus(grid) == taught.unlike(grid) == 0 for grid in grids)
    two = grids[0].copy()
    two[two == game.tiles.index_of("background")] = game.tiles.index_of("player")
    assert taught.surplus(two) > 0
    assert taught.is_fair(two, grids[0])
    assert not taught.is_fair(grids[0], two)
    assert not taught.free(grids[0])[0].any()
    assert taught.free(grids[0])[1:-1, 1:-1].all()


def crates(*rows):
    return levelsmith.parse("\n".join(rows), "puzzlescript:crates").grid


ROOMS = (
    crates("..####..", "###..###", "#P.*.O.#", "#......#", "####.###", "...###..", "........"),
    crates("#######", "#P.*O.#", "#..#..#", "#######"),
)


def test_walls_that_close_the_player_in_still_do_and_what_lies_beyond_stays():
    game = games.get("puzzlescript:crates")
    taught = Taught(game.cells, ROOMS)
    walls = [tile.name for tile, shuts in zip(game.tiles, taught.walls, strict=True) if shuts]
    assert walls == ["wall", "target and wall"]
    gap = ROOMS[0].copy()
    gap[5, 4] = game.tiles.index_of("background")
    assert not taught.is_closed(gap)
    assert not taught.is_fair(ROOMS[0], gap)
    assert taught.surplus(gap) == 1
    inside = taught.inside(ROOMS[0])
    assert not inside[6].any()
    assert not inside[[0, 0, 5, 5], [0, 1, 0, 1]].any()
    assert inside[1:5, 1:7].all()
    everywhere = Taught(game.cells, [*ROOMS, crates("####", "P*O.", "####")])
    assert not everywhere.walls.any()  # one level is open
    assert everywhere.is_fair(ROOMS[0], gap)


def test_an_edge_that_is_mostly_wall_stays_as_it_is_with_its_openings():
    open_room = crates("##.####", "#P.*O.#", ".....##", "#######")
    taught = Taught(games.get("puzzlescript:crates").cells, [open_room])
    within = np.zeros(open_room.shape, np.bool_)
    within[1:-1, 1:-1] = True
    assert (taught.inside(open_room) == within).all()
    assert (taught.board(open_room) == within).all()
    bare = crates("....", ".P*.", ".O..")
    assert Taught(taught.cells, [bare]).inside(bare).all()  # mere ground along the edge may become anything


def test_squares_that_the_author_never_has_are_strange():
    taught = Taught(games.get("puzzlescript:crates").cells, ROOMS)
    assert [taught.strange(grid) for grid in ROOMS] == [0, 0]
    odd = ROOMS[1].copy()
    odd[1, 1], odd[2, 2] = 0, odd[1, 1]  # the player stands beside the pillar
    squares = [odd[y : y + 2, x : x + 2] for y in range(3) for x in range(6)]
    known = {
        g[y : y + 2, x : x + 2].tobytes()
        for g in ROOMS
        for y in range(len(g) - 1)
        for x in range(len(g[0]) - 1)
    }
    assert taught.strange(odd) == sum(one.tobytes() not in known for one in squares) / len(squares) > 0


@pytest.mark.slow
def test_made_levels_are_less_strange_where_that_counts_and_closed(monkeypatch):
    def how_strange(name):
        game = games.get(f"puzzlescript:{name}")
        taught = Taught(game.cells, [level.grid for level in game.levels()])
        levels = made(name, count=10)
        assert all(taught.is_closed(level.grid) for level in levels)
        return np.mean([taught.strange(level.grid) for level in levels])

    with_it = {name: how_strange(name) for name in ("keys", "ice")}
    monkeypatch.setattr(remix, "STRANGE", 0.0)
    assert all(strange < how_strange(name) for name, strange in with_it.items())


@pytest.mark.parametrize("search", ["hc", "mcts", "es"])
def test_searches_make_levels_of_any_game(search):
    want = {"moves": "3..", "player": "1", "crate": "1..2", "target": "1..2"}
    asked = {"search": search, "size": (4, 4), "want": want, "evaluations": 3_000, "seed": 1, "workers": 1}
    best = levelsmith.generate("puzzlescript:crates", **asked).best
    game = games.get(best.game)
    game.verify(best)
    assert len(best.solution) >= 3


@pytest.mark.slow
def test_a_level_is_made_harder():
    game = games.get("puzzlescript:crates")
    result = levelsmith.improve(game.levels()[0], evaluations=300, seed=1)
    before, after = result.statistics["before"]["moves"], result.statistics["after"]["moves"]
    assert after > before
    game.verify(result.best)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"set": {"needs": "2"}}, "line of a rule"),
        ({"set": {"needs": "zebra"}}, "no rule"),
        ({"set": {"keep": "zebra"}}, "zebra"),
        ({"size": (2, 2)}, "small"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(asked, told):
    with pytest.raises(LevelsmithError, match=told):
        made("keys", **asked)


def test_a_game_without_levels_has_nothing_to_begin_with(tmp_path):
    text = (SHIPPED / "crates.txt").read_text()
    (tmp_path / "none.txt").write_text(text[: text.index("LEVELS")])
    with pytest.raises(LevelsmithError, match="no level to begin with"):
        levelsmith.generate(str(tmp_path / "none.txt"), seed=1)
    with pytest.raises(LevelsmithError, match="no tiles to choose from"):
        levelsmith.generate(str(tmp_path / "none.txt"), seed=1, search="hc", evaluations=10, workers=1)


def test_a_game_of_chance_is_not_made(tmp_path):
    text = (SHIPPED / "crates.txt").read_text().replace("RULES\n", "RULES\n\nrandom [ Wall ] -> [ Wall ]\n")
    Path(tmp_path / "dice.txt").write_text(text)
    with pytest.raises(LevelsmithError, match="draws random numbers"):
        levelsmith.generate(str(tmp_path / "dice.txt"), seed=1)


@pytest.mark.first(1)
@pytest.mark.parametrize(("name", "number"), [("keys", 0), ("lamps", 0), ("holes", 0), ("ice", 0)])
def test_all_states_of_a_level_tell_what_a_plain_walk_through_them_tells(name, number):
    game = games.get(f"puzzlescript:{name}")
    level = game.levels()[number]
    start = Twin(game.program.tables, *level.size)
    start.load(game.cells.board(level.grid), "1")
    boards = [start.board()]
    known, to = {boards[0].tobytes(): 0}, []
    for board in boards:  # grows while it is read
        row = []
        for letter in game.letters:
            twin = Twin(game.program.tables, *level.size)
            twin.load(boards[0], "1")  # where a restart goes
            twin.put(board)
            outcome = twin.turn(KEYS[letter])
            while outcome & PENDING and not outcome & WON:
                outcome = twin.turn(None)
            after = twin.board().tobytes()
            if not outcome & WON and after not in known:
                known[after] = len(boards)
                boards.append(twin.board())
            row.append(WINS if outcome & WON else known[after])
        to.append(row)
    assert len(graph_of(game, level, len(to) + 10)) == len(to)
    assert graph_of(game, level, len(to) - 1) is None
    steps = [0 if WINS in row else None for row in to]
    for _ in to:
        steps = [
            min([0] if WINS in row else [steps[s] + 1 for s in row if steps[s] is not None], default=None)
            for row in to
        ]
    found = levelsmith.measure(level)
    assert found["moves"] == steps[0] + 1
    assert found["lost_share"] == pytest.approx(sum(step is None for step in steps) / len(steps))
    assert found["branching"] == pytest.approx(
        sum(s != here for here, row in enumerate(to) for s in row) / len(to)
    )
    ways = {(s, 0): row.count(WINS) for s, row in enumerate(to)}
    for left in range(1, steps[0] + 1):
        ways |= {
            (s, left): sum(ways[after, left - 1] for after in row if after != WINS)
            for s, row in enumerate(to)
        }
    assert found["solutions"] == ways[0, steps[0]]


def test_harder_levels_have_a_higher_difficulty():
    found = [level["difficulty"] for level in levelsmith.measure("puzzlescript:keys")]
    assert found == sorted(found)
    assert 0 < found[0] < found[-1] < 100


def test_a_difficulty_that_is_not_known_lies_in_no_range(monkeypatch):
    monkeypatch.setattr(metrics, "ROOM", 3)
    with pytest.raises(MissingLevelsError):
        made("crates", want={"difficulty": "1..99"}, count=1, evaluations=20)
    monkeypatch.undo()
    (level,) = made("crates", want={"difficulty": "20..60"}, count=1)
    assert 20 <= levelsmith.measure(level)["difficulty"] <= 60


def test_a_level_takes_the_place_of_another_in_the_source():
    game = games.get("puzzlescript:holes")
    levels = game.levels()
    for number, level in enumerate(levels):
        other = replace(levels[0], title="Other", solution=None)
        text = game.changed(number, other)
        found = games.of_text(text).levels()
        expected = [other if i == number else one for i, one in enumerate(levels)]
        assert [(one.text, one.title, one.solution) for one in found] == [
            (one.text, one.title, one.solution) for one in expected
        ]
        assert [one.provenance for one in found] == [one.provenance for one in levels]  # messages stay
        assert game.changed(number, level) == "\n".join(game.lines)


def test_a_level_with_comments_among_its_rows_is_written_or_refused():
    text = games.sources["puzzlescript:crates"]
    level = games.get("puzzlescript:crates").levels()[0]
    rows = level.text.split("\n")
    commented = text.replace("\n".join(rows), "\n".join([rows[0], "(a remark)", *rows[1:]]), 1)
    game = games.of_text(commented)
    found = games.of_text(game.changed(0, replace(level, title="Mine"))).levels()[0]
    assert (found.text, found.title) == (level.text, "Mine")
    assert "(a remark)" in game.changed(0, level)
    open_ended = text.replace("\n".join(rows), "\n".join([f"{rows[0]} (a", "remark)", *rows[1:]]), 1)
    with pytest.raises(LevelsmithError, match="save it as a copy"):
        games.of_text(open_ended).changed(0, level)


def test_locked_cells_of_a_start_stay():
    game = games.get("puzzlescript:crates")
    start = game.levels()[1]
    levels = made("crates", start=start, lock=["wall", "1,1,3x2"], count=3)
    assert len({level.grid.tobytes() for level in levels}) == 3
    walls = start.grid == start.tiles.index_of("wall")
    for level in levels:
        assert level.size == start.size
        assert (level.grid[walls] == start.grid[walls]).all()
        assert (level.grid[1:3, 1:4] == start.grid[1:3, 1:4]).all()
        assert (level.provenance["start"], level.provenance["lock"]) == (start.text, ["wall", "1,1,3x2"])
        game.verify(level, Twin)


def test_a_level_that_takes_long_to_solve_is_begun_with_as_it_is():
    (level,) = made("keys", start=games.get("puzzlescript:keys").levels()[2], count=1)
    assert len(level.solution) >= 22  # as many as it takes


def test_a_sketch_that_nobody_can_win_is_begun_with():
    game = games.get("puzzlescript:crates")
    rows = [
        "########",
        "#*.....#",
        "#..P...#",
        "#....O.#",
        "#......#",
        "########",
    ]  # the crate is in a corner
    start = levelsmith.parse("\n".join(rows), "puzzlescript:crates")
    assert game.solve(start, Effort()).status == "unsolvable"
    (level,) = made("crates", start=start, lock=["border"], count=1, want={"moves": "4.."})
    game.verify(level, Twin)
    assert len(level.solution) >= 4


def test_what_the_legend_calls_by_one_name_is_kept():
    game = games.get("puzzlescript:lamps")
    own = game.levels()
    lamps = [game.tiles.index_of(name) for name in ("dark", "lit")]
    (level,) = made("lamps", set={"keep": "Wall"}, count=1, start=own[1])
    is_wall = own[1].grid == own[1].tiles.index_of("wall")
    assert ((level.grid == level.tiles.index_of("wall")) == is_wall).all()
    taught = Taught(game.cells, [one.grid for one in own], keep=["Lamp"])
    assert not taught.free(own[1].grid)[np.isin(own[1].grid, lamps)].any()


def test_there_are_as_many_things_as_asked_for():
    for level in made("crates", want={"crate": "2..3", "target": 2}, count=3):
        counts = levelsmith.measure(level)
        assert 2 <= counts["crate"] <= 3
        assert counts["target"] == 2


def test_as_much_differs_as_shall_of_what_may_change():
    start = games.get("puzzlescript:crates").levels()[1]
    locked = np.zeros(start.size, np.bool_)
    locked[:, :4] = True
    for differ in (0.2, 0.4):
        asked = {"start": start, "lock": ["0,0,4x6"], "set": {"differ": differ}}
        for level in made("crates", want={"moves": "1.."}, **asked):
            changed = level.grid != start.grid
            assert not changed[locked].any()
            free = ~locked
            free[[0, -1]] = free[:, -1] = False
            assert changed[free].mean() >= differ


def test_levels_are_unlike_others_too():
    first = made("keys", count=2)
    again = made("keys", count=2, unlike=first, set={"differ": 0.2})
    taught = Taught(games.get("puzzlescript:keys").cells, [level.grid for level in first])
    assert all(taught.unlike(level.grid) < 0.2 for level in first)
    assert all(taught.unlike(level.grid) >= 0.2 for level in again)
    assert {level.text for level in first}.isdisjoint(level.text for level in again)


def test_rules_that_were_named_fire():
    (level,) = made("paint", set={"fires": "56"}, count=1)
    assert 56 in rules_of(games.get("puzzlescript:paint"), level, level.solution)
    (level,) = made("keys", want={"coverage": 1}, count=1)
    assert rules_of(games.get("puzzlescript:keys"), level, level.solution) != []
    assert levelsmith.measure(level)["coverage"] == 1


def test_no_two_levels_are_alike():
    """Of these two runs make the same level first."""
    levels = made("paint", seed=1, count=10, evaluations=50_000)
    assert len({level.grid.tobytes() for level in levels}) == 10


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"set": {"fires": "3"}}, "the line of a rule for fires, .* got '3', which is no rule"),
        ({"set": {"keep": "wals"}}, "no object is called 'wals'; did you mean 'wall'"),
        ({"set": {"keep": "wall,crate,player,target"}}, "nothing may change where wall,crate,player,target"),
        ({"lock": ["border"]}, "keeps cells of a start, and none was given"),
        ({"set": {"boxes": 3}}, "no parameter is called 'boxes'"),
        ({"want": {"crate": "x"}}, "expected a range"),
        ({"start": 1, "lock": ["1,1,5x4"]}, "no cell may change; lock fewer of them, or keep fewer objects"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(asked, why):
    if "start" in asked:
        asked = {**asked, "start": games.get("puzzlescript:crates").levels()[1]}
    with pytest.raises(LevelsmithError, match=why):
        made("crates", **asked)


@pytest.mark.first(1)
@pytest.mark.parametrize("name", ["keys", "crates", "lamps"])
def test_a_harder_level_is_built_as_the_author_builds(name):
    game = games.get(f"puzzlescript:{name}")
    level = game.levels()[1]
    better = levelsmith.improve(level, evaluations=150, seed=1).best
    edge = np.ones(level.size, np.bool_)
    edge[1:-1, 1:-1] = False
    assert (better.grid[edge] == level.grid[edge]).all()
    assert Taught(game.cells, [one.grid for one in game.levels()]).surplus(better.grid) == 0
    assert len(better.solution) > len(game.solve(level, Effort()).solution)
    game.verify(better, Twin)


@pytest.mark.slow
def test_a_level_with_more_than_the_author_has_is_made_harder_too():
    level = levelsmith.parse("######\n#P*O.#\n#.*O..\n#.*O.#\n#.*O.#\n######", "puzzlescript:crates")
    game = games.get(level.game)
    assert (
        Taught(game.cells, [one.grid for one in game.levels()]).surplus(level.grid) == 5
    )  # 2 crates, 2 targets, a gap
    better = levelsmith.improve(level, evaluations=60, seed=1).best
    assert len(better.solution) > len(game.solve(level, Effort()).solution)


@pytest.mark.slow
def test_the_best_of_a_search_comes_with_its_solution():
    (level,) = made("crates", search="hc", size=(5, 6), objective="moves", evaluations=1_500, count=1)
    games.get("puzzlescript:crates").verify(level, Twin)
    assert len(level.solution) == levelsmith.measure(level)["moves"] > 1
