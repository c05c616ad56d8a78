"""Cave maps as pages chart them: the metrics, the longest path and the way through of the command."""

import numpy as np
import pytest

from levelsmith.core import Level
from levelsmith.games.binary.cells import openings, way_through
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import with_files

BINARY = games.get("binary")
ANSWER = """
import { apart, chartOf, headline, mapOf, textOf } from "./games/binary/chart.js";
import { carried, loaded } from "./kernels.js";

export default async function answer({ told, kind, texts }) {
  const compiled = await loaded("binary", carried({ binary: told }));
  return texts.map((text) => {
    const map = mapOf(kind, text);
    const [found, again] = [chartOf(compiled, map), textOf(kind, map)];
    return { ...found, regions: [...found.regions], again, line: headline(found), apart: apart(found) };
  });
}
"""


def maps(count, seed=0):
    """Maps of any size, and larger ones with a border that has two openings."""
    random = np.random.default_rng(seed)
    for i in range(count):
        framed = i % 2
        height, width = random.integers(4 if framed else 1, 13, 2) if i % 10 else (40, 30)
        grid = (random.random((height, width)) < random.random() * (0.6 if framed else 1)).astype(np.uint8)
        if framed:
            grid[[0, -1]] = grid[:, [0, -1]] = 1
            grid[random.integers(1, height - 1), 0] = grid[random.integers(1, height - 1), -1] = 0
        yield Level("binary", BINARY.tiles, grid)


@pytest.fixture(scope="module")
def charted(javascript):
    levels = [*maps(60), *(Level("binary", BINARY.tiles, np.array([[tile]], np.uint8)) for tile in (0, 1))]
    asked = {"told": with_files("binary"), "kind": {"tiles": game_entry(BINARY)["tiles"]}}
    charts = javascript(ANSWER, asked | {"texts": [level.text for level in levels]})
    return list(zip(levels, charts, strict=True))


def test_every_metric_is_the_commands(charted):
    for level, chart in charted:
        assert list(chart["metrics"].values()) == BINARY.measure(level.grid[None])[0].tolist()
        assert list(chart["metrics"]) == list(BINARY.metrics)
        assert chart["again"] == level.text


def test_the_longest_path_and_the_way_through_are_the_commands_cell_by_cell(charted):
    ways = 0
    for level, chart in charted:
        assert [tuple(cell) for cell in chart["path"]] == BINARY.path(level)
        ends = openings(level.grid)
        way = way_through(level.grid) if len(ends) == 2 else []
        assert [tuple(cell) for cell in chart["way"]] == way
        assert [tuple(cell) for cell in chart["openings"]] == (ends if len(ends) == 2 else [])
        ways += bool(way)
    assert ways > 5


def test_a_map_is_told_in_the_words_of_the_command(charted):
    blocked = 0
    for level, chart in charted:
        if len(openings(level.grid)) == 2 and not chart["way"]:
            assert chart["line"] == BINARY.walk(level).statistics["why"]
            blocked += 1
        else:
            assert chart["line"] == BINARY.headline(level)
    assert blocked > 2


def test_cells_that_lie_apart_are_all_but_the_largest_region(charted):
    for level, chart in charted:
        flat, regions = level.grid.ravel(), np.array(chart["regions"])
        assert ((regions == 0) == (flat == 1)).all()
        sizes = np.bincount(regions, minlength=1)[1:]
        assert len(chart["apart"]) == sizes.sum() - max(sizes, default=0)
        assert (flat[chart["apart"]] == 0).all()
