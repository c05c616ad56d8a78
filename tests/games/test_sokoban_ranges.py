"""Levels in ranges, whatever makes them: held against a plain search through all positions."""

import heapq
from dataclasses import replace

import pytest

import levelsmith
from levelsmith.games.sokoban.metrics.difficulty import tier
from levelsmith.games.sokoban.rules.rules import STEPS, SokobanBoard
from levelsmith.making import run

ASKED = {
    "warehouse": {"want": {"boxes": "2..3", "pushes": "9..20"}},
    "warehouse, medium": {"want": {"difficulty": "medium", "boxes": "2..3"}},
    "carve": {"search": "carve", "want": {"pushes": "6..14"}, "set": {"boxes": 2}},
    "rooms": {"search": "sa", "representation": "rooms", "want": {"pushes": "9..14", "boxes": 2}},
    "play": {"representation": "play", "want": {"pushes": "5..12", "boxes": "1..3"}},
}


def fewest(board):
    """Returns the fewest pushes of a solution, and the fewest moves with as many, by plain search."""
    start = (board.start.boxes, board.start.player)
    best, waiting = {start: (0, 0)}, [(0, 0, 0, start)]
    number = 0
    while waiting:
        pushes, moves, _, position = heapq.heappop(waiting)
        boxes, (row, column) = position
        if best[position] < (pushes, moves):
            continue
        if boxes == board.goals:
            return pushes, moves
        for down, right in STEPS.values():
            there, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if board.is_wall(there):
                continue
            pushed, after = pushes, boxes
            if there in boxes:
                if beyond in boxes or board.is_wall(beyond):
                    continue
                pushed, after = pushes + 1, boxes - {there} | {beyond}
            cost = (pushed, moves + 1)
            if cost < best.get((after, there), (10**9, 0)):
                best[after, there] = cost
                number += 1
                heapq.heappush(waiting, (*cost, number, (after, there)))
    return None


@pytest.mark.parametrize("count", [3, pytest.param(100, marks=pytest.mark.slow(20))])
@pytest.mark.parametrize("name", ASKED)
def test_every_level_lies_in_its_ranges_by_a_plain_search(name, count):
    asked = {"size": (5, 6), "seed": 2, "workers": 1, **ASKED[name]}
    made = levelsmith.generate("sokoban", count=count, partial=True, **asked)
    assert len(made.levels) >= 0.9 * count
    for level in made.levels:
        known = levelsmith.measure(level)
        assert fewest(SokobanBoard(level.grid)) == (known["pushes"], known["moves"])
        bare = levelsmith.measure(replace(level, solution=None, provenance={}))
        assert bare["difficulty"] == pytest.approx(known["difficulty"])
        assert tier(bare["difficulty"]) == tier(known["difficulty"])
        for metric, text in ASKED[name]["want"].items():
            if metric == "difficulty":
                low, high = levelsmith.games.sokoban.TIER_RANGES[text]
            else:
                low, _, high = str(text).partition("..")
            assert float(low) <= known[metric] <= float(high or low)


def test_a_run_is_the_same_however_often_it_is_looked_at(monkeypatch):
    asked = {"size": (5, 5), "search": "random", "representation": "rooms", "seed": 0, "evaluations": 400}
    found = []
    for seconds in (1e-9, 10.0):
        monkeypatch.setattr(run, "CHUNK_SECONDS", seconds)
        result = levelsmith.generate("sokoban", **asked)
        found.append((result.best, result.evaluations, result.stopped))
    assert found[0] == found[1]
    assert found[0][1] == found[0][0].provenance["evaluations"] < 400
    assert found[0][2] == "solved"
