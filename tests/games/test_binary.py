"""Binary maps: exact metrics on boards of every kind, and objectives as the paper has them."""

from __future__ import annotations

import numpy as np
import pytest

import levelsmith
from levelsmith import Level, LevelsmithError, measure, parse
from levelsmith.games.binary import longest_possible
from levelsmith.kernels.score import make, score
from levelsmith.levels.measure import details
from levelsmith.registry import games
from reference import binary as twin

BINARY = games.get("binary")


def random_maps(shapes, each, seed):
    draw = np.random.default_rng(seed)
    for height, width in shapes:
        yield (draw.random((each, height, width)) < draw.random((each, 1, 1))).astype(np.uint8)


SMALL = [(h, w) for h in range(1, 17) for w in (1, 2, 3, 5, 8, 10, 13, 16) if h * w <= 256]
LARGE = [(17, 16), (16, 17), (20, 20), (2, 64), (64, 2), (3, 90), (90, 3), (25, 31), (64, 64)]


@pytest.mark.parametrize(("small", "large"), [(3, 1), pytest.param(19, 3, marks=pytest.mark.slow)])
def test_metrics_are_those_of_networkx_on_maps_of_many_shapes(small, large):
    checked = 0
    for grids in [*random_maps(SMALL, small, 0), *random_maps(LARGE, large, 1)]:
        for grid, found in zip(grids, BINARY.measure(grids), strict=True):
            assert found.tolist() == twin.metrics(grid), grid.tolist()
            checked += 1
    assert checked >= 100 * small


def winding(size):
    """A map whose rooms are one long corridor, the worst for a search that guesses its ends."""
    grid = np.zeros((size, size), np.uint8)
    grid[1::2] = 1
    for i, row in enumerate(range(1, size, 2)):
        grid[row, 0 if i % 2 else size - 1] = 0
    return grid


@pytest.mark.parametrize("size", [5, 8, 15, 16, 17, 31])
def test_corridors_are_measured_to_the_end(size):
    grid = winding(size)
    assert BINARY.measure(grid[None])[0].tolist() == twin.metrics(grid)


def test_an_empty_map_and_a_solid_one():
    assert measure(parse("\n".join(["." * 10] * 10), "binary")) == {
        "empty": 100,
        "path": 18,
        "regions": 1,
        "openings": 36,
        "way": 0,
        "smoothness": 1,
    }
    assert measure(parse("\n".join(["#" * 10] * 10), "binary")) == {
        "empty": 0,
        "path": 0,
        "regions": 0,
        "openings": 0,
        "way": 0,
        "smoothness": 1,
    }


def value(objective, size, metrics, **given):
    """The score of figures, without a map."""
    values = {p.name: given.get(p.name, p.default) for p in BINARY.objectives[objective].parameters}
    rows = make(BINARY.objectives[objective].terms(size, values), list(BINARY.metrics))

    class Figures(tuple):
        __slots__ = ()

    from levelsmith.kernels.problem import metric

    metric.implementations[Figures] = lambda game, cells, k: float(game[k])
    try:
        return score(Figures(metrics), rows, None)
    finally:
        del metric.implementations[Figures]


@pytest.mark.parametrize(
    ("objective", "metrics", "expected"),
    [
        ("empty-tiles", (0, 0, 0), 0),
        ("empty-tiles", (9, 0, 0), 9 / 45),
        ("empty-tiles", (45, 0, 0), 1),
        ("empty-tiles", (65, 0, 0), 1),
        ("empty-tiles", (72, 0, 0), 28 / 35),
        ("empty-tiles", (100, 0, 0), 0),
        ("path-length", (0, 13, 0), 0.5),
        ("path-length", (0, 26, 0), 1),
        ("path-length", (0, 40, 0), 1),
        ("connectivity", (0, 0, 0), 0),
        ("connectivity", (0, 0, 1), 1),
        ("connectivity", (0, 0, 4), 0.25),
    ],
)
def test_objectives_are_the_equations_of_the_paper_on_10x10(objective, metrics, expected):
    assert value(objective, (10, 10), metrics) == expected


def test_other_sizes_get_goals_to_match():
    assert value("path-length", (20, 20), (0, 52, 0)) == 1
    assert value("path-length", (20, 20), (0, 51, 0)) < 1
    assert value("path-length", (2, 2), (0, 2, 0)) == 1
    assert value("empty-tiles", (20, 20), (180, 0, 0)) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"objective": "path-length", "set": {"goal": 75}},
            "a goal of at most 74, which no path on 10x10",
        ),
        ({"objective": "empty-tiles", "set": {"r1": 60, "r2": 50}}, "r1 of at most r2, got r1 60 and r2 50"),
        (
            {"objective": "empty-tiles", "set": {"r1": 101, "r2": 102}},
            "r1 of at most 100, the cells of 10x10",
        ),
        ({"set": {"fill": 1.5}}, "a number from 0 to 1 for fill"),
    ],
)
def test_what_no_map_can_reach_is_refused_before_the_search(given, message):
    with pytest.raises(LevelsmithError, match=message):
        levelsmith.stream("binary", **given)


@pytest.mark.parametrize("size", [(1, 1), (1, 5), (2, 2), (2, 3), (3, 3), (3, 4)])
def test_no_map_has_a_path_longer_than_the_bound(size):
    cells = size[0] * size[1]
    maps = (np.arange(2**cells)[:, None] >> np.arange(cells) & 1).astype(np.uint8).reshape(-1, *size)
    assert BINARY.measure(maps)[:, 1].max() <= longest_possible(size)


@pytest.mark.parametrize("representation", ["narrow", "turtle", "wide"])
@pytest.mark.parametrize("objective", ["empty-tiles", "path-length", "connectivity"])
def test_hill_climbing_makes_what_measuring_confirms(objective, representation):
    result = levelsmith.generate(
        "binary", objective=objective, representation=representation, seed=0, set={"patience": 500}
    )
    assert result.solved
    found = measure(result.best)
    assert {
        "empty-tiles": 45 <= found["empty"] <= 65,
        "path-length": found["path"] >= 26,
        "connectivity": found["regions"] == 1,
    }[objective]


def test_objectives_combine_and_all_must_hold():
    result = levelsmith.generate("binary", size=(8, 8), objective=["connectivity", "path-length"], seed=1)
    assert result.solved
    found = measure(result.best)
    assert found["regions"] == 1
    assert found["path"] >= 21


@pytest.mark.parametrize("size", [(2, 2), (5, 9), (10, 10), (20, 15)])
def test_the_ends_of_the_path_are_as_far_apart_as_it_is_long(size):
    import networkx  # only here, as it takes long to import

    draw = np.random.default_rng(7)
    for fill in (0.2, 0.5, 0.8):
        level = Level("binary", BINARY.tiles, (draw.random(size) < fill).astype(np.uint8))
        ends, path = details(level)["path_ends"], levelsmith.measure(level)["path"]
        if ends is None:
            assert not (level.grid == 0).any()
            continue
        graph = networkx.grid_2d_graph(*size)
        graph.remove_nodes_from([cell for cell in list(graph) if level.grid[cell]])
        (x, y), (other_x, other_y) = ends
        assert networkx.shortest_path_length(graph, (y, x), (other_y, other_x)) == path


def test_a_solid_map_has_no_ends():
    solid = levelsmith.parse("##\n##", game="binary")
    assert details(solid) == {"path_ends": None}


def test_the_way_through_a_cave_is_walked_and_has_the_fewest_steps():
    rng = np.random.default_rng(3)
    steps = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
    solved = unsolvable = 0
    while solved < 20 or unsolvable < 5:
        grid = np.ones((8, 9), np.uint8)
        grid[1:-1, 1:-1] = rng.random((6, 7)) < 0.35
        (entry, exit_) = (int(rng.integers(1, 7)), 0), (int(rng.integers(1, 7)), 8)
        grid[entry] = grid[exit_] = 0
        verdict = levelsmith.solve(Level("binary", games.get("binary").tiles, grid))
        fewest = twin.metrics(grid)[4]
        if verdict.status == "unsolvable":
            unsolvable += 1
            assert not fewest
            continue
        solved += 1
        at = entry
        for letter in verdict.solution:
            at = (at[0] + steps[letter][0], at[1] + steps[letter][1])
            assert grid[at] == 0
        assert (at, verdict.optimal) == (exit_, True)
        assert len(verdict.solution) == verdict.metrics["way"] == fewest


@pytest.mark.parametrize(
    ("rows", "found"), [("###\n#.#\n###", "no empty cells"), ("###\n..#\n###", "1 empty cell ")]
)
def test_a_map_without_an_entry_and_an_exit_says_what_it_lacks(rows, found):
    with pytest.raises(LevelsmithError, match=rf"an entry and an exit .*, got {found}"):
        levelsmith.solve(parse(rows, "binary"))
