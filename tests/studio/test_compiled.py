"""The library's kernels as pages call them: laid out, called and searched as in Python, to the same end."""

import json

import numpy as np
import pytest

from levelsmith import generate, parse
from levelsmith.core import Effort
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.metrics.solution import why_not
from levelsmith.games.sokoban.rules.rules import SokobanBoard, check
from levelsmith.games.sokoban.solver.solve import solve
from levelsmith.games.sokoban.solver.tables import Area, maze_of, store_of, workspace_of
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import compiled, with_files
from studio.traces import LARGE, room

TILES = games.get("sokoban").tiles
ANSWER = """
import { boardOf, check, Game } from "./games/sokoban/game.js";
import { Field, solve } from "./games/sokoban/solve.js";
import { carried, Kernels, loaded } from "./kernels.js";

const shapes = (tuple) =>
  Object.fromEntries(Object.entries(tuple).map(([name, { word, shape }]) => [name, [word, shape]]));

export default async function answer({ told, kind, asked }) {
  const compiled = await loaded("sokoban", carried({ sokoban: told }));
  return asked.map(({ text, task, options = {} }) => {
    const board = boardOf(kind, text);
    if (task === "check") {
      try {
        check(board, compiled.constants);
      } catch (error) {
        return error.message;
      }
      return null;
    }
    if (task === "tables") {
      const field = new Field(compiled.libraries["sokoban-solver"], compiled.constants, board, {}, 1e8);
      return [field.maze, field.workspace(), field.store(3, 16, 100)].map(shapes);
    }
    const steps = solve(compiled, { board, ...options });
    let [found, looks] = [steps.next(), 0];
    for (; !found.done; looks += 1) found = steps.next();
    const game = new Game(compiled, board);
    let end = game.start;
    for (const move of found.value.solution?.toLowerCase() ?? "") end = game.step(end, move);
    return { ...found.value, left: end.left, looks };
  });
}
"""
MISFIT = """
import { carried, Kernels, loaded } from "./kernels.js";
export default async function misfit({ told }) {
  const { libraries } = await loaded("sokoban", carried({ sokoban: told }));
  const kernels = new Kernels(libraries["sokoban-arena"], 65536);
  const words = (work) => {
    try {
      return work();
    } catch (error) {
      return [error.constructor.name, error.message];
    }
  };
  const works = [() => kernels.call("start", {}, kernels.array("i64", 1)), () => kernels.array("u8", 1e8)];
  return works.map(words);
}
"""


@pytest.fixture(scope="module")
def page(javascript):
    kind = {"tiles": game_entry(games.get("sokoban"))["tiles"]}
    return lambda asked: javascript(
        ANSWER, {"told": with_files("sokoban"), "kind": kind, "asked": list(asked)}
    )


def level(text):
    return parse(text, "sokoban")


def shapes_of(arrays):
    """The words and shapes of a tuple of arrays and tuples, by name; plain numbers are left out."""
    told = {}
    for name, one in arrays._asdict().items():
        if isinstance(one, tuple):
            told[name] = shapes_of(one)
        elif isinstance(one, np.ndarray):
            told[name] = [f"{one.dtype.kind}{8 * one.dtype.itemsize}", list(one.shape)]
    return told


def rooms(count, seed=0):
    """Rooms of boxes, open or closed, of which many are lost."""
    rng = np.random.default_rng(seed)
    return [room(rng)["text"] for _ in range(count)]


def walled(text):
    rows = [f"#{row}#" for row in text.split("\n")]
    edge = "#" * len(rows[0])
    return "\n".join([edge, *rows, edge])


def test_what_is_no_level_gets_the_line_of_the_rule_book(page):
    texts = [*rooms(40), *map(walled, rooms(10)), "###\n# #\n###", "@@", "#####\n#@$ #\n#####", "*@ ", " *@*"]

    def line(text):
        try:
            check(level(text).grid)
        except LevelsmithError as error:
            return str(error)
        return None

    expected = [line(text) for text in texts]
    assert page({"text": text, "task": "check"} for text in texts) == expected
    assert len(set(expected)) > 10
    assert None in expected


def test_tables_are_laid_out_as_in_python(page):
    texts = [*map(walled, rooms(6)), LARGE]
    areas = [Area(SokobanBoard(level(text).grid)) for text in texts]
    expected = [
        [shapes_of(made) for made in (maze_of(area), workspace_of(area), store_of(3, 16, 100))]
        for area in areas
    ]
    assert page({"text": text, "task": "tables"} for text in texts) == expected


def test_a_solution_is_the_commands_to_the_letter_and_the_other_kernels_play_it(page):
    texts = [made.text for made in generate("sokoban", size=(7, 7), count=10, seed=4).levels]
    for text, found in zip(texts, page({"text": text} for text in texts), strict=True):
        verdict = solve(level(text), Effort())
        told = found["status"], found["solution"], found["pushes"], found["optimal"]
        assert told == ("solved", verdict.solution, verdict.metrics["pushes"], verdict.optimal)
        assert found["left"] == 0


def test_what_is_lost_is_proved_as_by_the_command_and_the_box_that_tells_it_is_named(page):
    texts = list(map(walled, rooms(60, seed=5)))
    reasons = 0
    for text, found in zip(texts, page({"text": text} for text in texts), strict=True):
        verdict = solve(level(text), Effort())
        assert (found["status"], found["solution"]) == (verdict.status, verdict.solution)
        why = why_not(level(text).grid)
        if verdict.status == "unsolvable" and why is not None:
            reasons += 1
            cells = [f"row {row + 1}, column {column + 1} " for row, column in found["stuck"]]
            assert any(cell in why for cell in cells)
            assert found["why"].startswith("no pushes bring the box at row ")
        elif verdict.status == "solved":
            assert found["stuck"] == []
    assert reasons > 10


def test_two_boxes_that_hold_each_other_at_a_wall_are_both_named(page):
    (found,) = page([{"text": "########\n#  $$  #\n#  @   #\n# .    #\n#  .   #\n########"}])
    assert (found["status"], found["stuck"]) == ("unsolvable", [[1, 3], [1, 4]])
    assert found["why"] == "no pushes bring the box at row 2, column 4 to a goal"
    (found,) = page([{"text": "########\n#.$$. .#\n#  @ $ #\n#      #\n########"}])
    assert (found["status"], found["stuck"]) == ("unsolvable", [[1, 2], [1, 3]])
    assert found["why"] == "nothing moves the box at row 2, column 3 any more"


def test_a_search_looks_up_after_each_portion_and_ends_at_a_limit(page):
    options = ({"seconds": 0}, {"memory": 1e5}, {"memory": 1e3})
    of_four_boxes = LARGE.replace("$", " ", 8).replace(".", " ", 8)
    whole, seconds, memory, small = page(
        [{"text": of_four_boxes}, *({"text": LARGE, "options": each} for each in options)]
    )
    assert whole["status"] == "solved"
    assert whole["looks"] > 3
    assert [(one["status"], one["limit"]) for one in (seconds, memory, small)] == [
        ("unknown", "seconds"),
        ("unknown", "memory"),
        ("unknown", "memory"),
    ]


def test_a_call_that_does_not_fit_and_memory_that_is_not_there_are_told(javascript):
    misfit, full = javascript(MISFIT, {"told": with_files("sokoban")})
    assert misfit == ["Error", "the kernel start takes other arguments"]
    assert full == ["OutOfMemory", "the browser gives no more memory"]


def test_a_page_is_told_little_and_what_carries_no_kernels_is_refused():
    assert len(json.dumps(compiled("sokoban"))) < 10_000
    with pytest.raises(LevelsmithError, match="the scripts of orchard need nothing compiled"):
        compiled("orchard")
