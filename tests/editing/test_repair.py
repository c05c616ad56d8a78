"""A repair changes as few cells as it takes: compared with all levels that differ in one cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import levelsmith
from levelsmith.cli import cli
from levelsmith.editing.repair import edits_between, repair
from levelsmith.errors import LevelsmithError
from levelsmith.registry import games

VAULT = Path(__file__).parents[2] / "docs" / "levels" / "broken.txt"


def one_changed(grid, tiles):
    """All grids that differ in one cell, which has one of the tiles."""
    found = [(cell, tile) for cell in np.ndindex(grid.shape) for tile in tiles]
    grids = np.repeat(grid[None], len(found), axis=0)
    for each, (cell, tile) in zip(grids, found, strict=True):
        each[cell] = tile
    return grids


def playable(grids):
    return games.get("loderunner").measure(grids)[:, list(games.get("loderunner").metrics).index("playable")]


def test_two_changes_are_made_only_where_one_is_not_enough():
    (level,) = levelsmith.load(VAULT)
    made = repair(level, lock="gold")
    assert not playable(one_changed(level.grid, range(8))).any()
    assert made.edits == edits_between(level.grid, made.level.grid)
    assert (len(made.edits), made.fewest) == (2, True)
    assert levelsmith.measure(made.level)["playable"] == 1
    assert made.level.solution is not None
    assert (made.level.grid[level.grid == 5] == 5).all()


def test_one_change_is_made_where_one_is_enough():
    (level,) = levelsmith.load(VAULT)
    grid = level.grid.copy()
    grid[3, 10:15] = 0
    nearly = levelsmith.Level("loderunner", level.tiles, grid)
    assert playable(one_changed(grid, range(8))).any()
    made = repair(nearly)
    assert (len(made.edits), made.fewest) == (1, True)
    assert repair(made.level).edits == ()


def broken_vault():
    """Returns a level that three changes mend, and no fewer."""
    (level,) = levelsmith.load(VAULT)
    grid = level.grid.copy()
    grid[3:8, 8:16] = 2
    grid[6, 12] = 5
    return levelsmith.Level("loderunner", level.tiles, grid)


@pytest.mark.parametrize(("evaluations", "fewest"), [(30_000, False), (200_000, True)])
def test_three_changes_are_the_fewest_only_where_all_pairs_were_tried(evaluations, fewest):
    made = repair(broken_vault(), evaluations=evaluations)
    assert levelsmith.measure(made.level)["playable"] == 1
    assert (len(made.edits), made.fewest) == (3, fewest)


def test_no_tile_helps_a_repair_more_than_those_it_may_put():
    game, draw = games.get("loderunner"), np.random.default_rng(1)
    collectable = list(game.metrics).index("gold_collectable")
    better = {"solid": "brick", "rope": "ladder", "enemy": "empty"}
    for _ in range(20):
        grid = draw.choice(8, (8, 9), p=[0.4, 0.25, 0.05, 0.1, 0.06, 0.1, 0.04, 0.0]).astype(np.uint8)
        grid[6, 4], grid[7, 4] = 7, 1
        for tile, instead in better.items():
            assert instead in game.mends(grid)
            assert tile not in game.mends(grid)
            with_tile, with_other = (
                game.measure(one_changed(grid, [game.tiles.index_of(name)]))[:, collectable]
                for name in (tile, instead)
            )
            same_player = np.array([cell != (6, 4) for cell in np.ndindex(grid.shape)])
            assert (with_tile <= with_other)[same_player].all()


def test_a_repair_that_the_locks_forbid_is_refused():
    (level,) = levelsmith.load(VAULT)
    with pytest.raises(LevelsmithError, match="the locked gold at 12,5 is out of reach"):
        repair(level, lock=["gold", "solid", "player"], evaluations=20_000)


def test_a_repair_ends_when_its_time_is_over():
    level = levelsmith.parse("#####\n#@$$#\n#####\n#. .#\n#####", "sokoban")
    with pytest.raises(LevelsmithError, match="no repair with up to"):
        repair(level, seconds=1e-6)
    soon, later = (repair(broken_vault(), evaluations=30_000, seconds=seconds) for seconds in (1e-6, 600))
    assert not soon.fewest
    assert soon.evaluations < later.evaluations


def test_the_command_tells_the_changes(tmp_path):
    path = tmp_path / "orchard.txt"
    path.write_text("; game: orchard\n^^.^\n...^\n")
    done = CliRunner().invoke(cli, ["repair", str(path), "--set", "share=0.2", "--json"])
    assert done.exit_code == 0
    assert '"fewest": true' in done.stdout
    assert done.stdout.count('"from": "tree"') == 2
    written = CliRunner().invoke(
        cli, ["repair", str(path), "--set", "share=0.2", "-o", str(tmp_path / "mended.txt")]
    )
    assert written.stdout.startswith("level 1: 2 changes: ")
    assert levelsmith.measure(levelsmith.load(tmp_path / "mended.txt")[0])["crowded"] == 0


@pytest.mark.slow
def test_a_repair_takes_ranges_on_the_command_line_as_in_python(tmp_path):
    path = tmp_path / "vault.txt"
    (level,) = levelsmith.load(VAULT)
    levelsmith.save([level], path)
    words = ["repair", str(path), "--gold", "2..3", "--guards", "still", "-o", str(tmp_path / "mended.txt")]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.exception
    (mended,) = levelsmith.load(tmp_path / "mended.txt")
    assert mended == repair(level, want={"gold": (2, 3)}, guards="still").level
    assert 2 <= levelsmith.measure(mended)["gold"] <= 3 < levelsmith.measure(level)["gold"]


def test_an_option_that_is_no_range_of_the_game_is_named():
    done = CliRunner().invoke(cli, ["repair", str(VAULT), "--golds", "2"])
    assert isinstance(done.exception, LevelsmithError)
    assert "did you mean '--gold'" in str(done.exception)
