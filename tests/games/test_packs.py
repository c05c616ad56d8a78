"""The tool that looks for repeats in packs, and holds their pushes against a plain search."""

from pathlib import Path

import pytest

import levelsmith

ROOT = Path(__file__).resolve().parents[2]
LEVEL = "#######\n#@ $ .#\n#  #  #\n#######\n"
ALIKE = ["#######\n#  #  #\n#. $ @#\n#######\n", "####\n#@ #\n#  #\n#$##\n#  #\n#. #\n####\n"]
OTHERS = ["#######\n#@$  .#\n#  #  #\n#######\n", "#######\n#. $ @#\n#  ## #\n#######\n"]


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import packs

    return packs


def test_levels_are_alike_turned_mirrored_and_with_the_player_elsewhere(tool):
    key = tool.canonical(LEVEL)
    assert [tool.canonical(text) == key for text in ALIKE] == [True, True]
    assert [tool.canonical(text) == key for text in OTHERS] == [False, False]


def test_the_plain_search_agrees_with_the_solver_or_gives_up(tool):
    levels = levelsmith.load(ROOT / "docs" / "levels" / "sokoban.txt")
    for level in levels:
        assert tool.fewest_pushes(level.text, 10_000) == levelsmith.solve(level).metrics["pushes"]
    assert tool.fewest_pushes(LEVEL, 1) is None


def test_a_level_out_of_its_range_is_wrong_and_so_is_a_false_claim(tool):
    level = levelsmith.parse(LEVEL, "sokoban")
    assert not tool.is_wrong(level, 2, {"boxes": "1", "pushes": "2..3"})
    assert tool.is_wrong(level, 3, {})
    assert tool.is_wrong(level, 2, {"pushes": "..1"})
    assert tool.is_wrong(level, None, {"boxes": "2.."})
    assert tool.is_wrong(level, 2, {"difficulty": "fiendish"})


@pytest.mark.slow
def test_a_request_is_typed_for_one_worker_and_for_two(tool):
    found = tool.looked_at("--size 4x4 --boxes 1", 901, 3, 10_000)
    assert (found.levels, found.repeats, found.same, found.searched, found.wrong) == (3, 0, True, 3, 0)
    assert found.clean
    last = list(tool.lines(["--size 4x4 --boxes 1"], [found]))[-1]
    assert last.startswith("| all 1 | 3 | 0 | 1 the same |")
