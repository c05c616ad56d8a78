"""The driver: budgets, progress, cancelling, and the same bytes from the same seed."""

from __future__ import annotations

import inspect
import json
import time

import pytest

import levelsmith
from levelsmith.core import Progress, Result
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.json import dumps

# Random play never plants half of a 16x16 orchard, so only the budget ends its runs.
HOPELESS = {"search": "random", "size": (16, 16), "set": {"share": 0.5}}


def made(**arguments) -> str:
    return dumps(levelsmith.generate("orchard", **arguments).levels)


@pytest.mark.parametrize("search", ["random", "hc"])
@pytest.mark.parametrize("evaluations", [1, 2, 63, 64, 65, 777])
def test_a_run_limited_by_evaluations_spends_exactly_that_many(search, evaluations):
    result = levelsmith.generate("orchard", **{**HOPELESS, "search": search}, evaluations=evaluations, seed=1)
    assert (result.evaluations, result.stopped) == (evaluations, "evaluations")
    assert result.best.provenance["evaluations"] == evaluations


def test_a_run_without_a_budget_spends_the_default():
    result = levelsmith.generate("orchard", size=(8, 8), search="random", set={"share": 0.5}, seed=0)
    assert result.evaluations == 50_000


def test_a_budget_of_seconds_is_obeyed_within_half_a_second():
    levelsmith.generate("orchard", **HOPELESS, evaluations=1, seed=1)  # compiled, off the clock
    began = time.perf_counter()
    result = levelsmith.generate("orchard", **HOPELESS, seconds=0.7, seed=1)
    assert result.stopped == "seconds"
    assert 0.7 <= result.seconds < 1.2
    assert time.perf_counter() - began < 1.7


def test_a_score_to_stop_at_stops_early():
    result = levelsmith.generate("orchard", **HOPELESS, until=0.7, seed=1)
    assert result.stopped == "score"
    assert result.score >= 0.7
    assert result.evaluations < 50_000
    assert not result.solved


def test_a_solved_run_stops_and_says_so():
    result = levelsmith.generate("orchard", seed=1)
    assert (result.score, result.solved, result.stopped) == (1.0, True, "solved")
    assert result.evaluations < 50_000


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others():
    assert made(evaluations=100, seed=0) == made(evaluations=100, seed=0)
    assert made(evaluations=100, seed=0) != made(evaluations=100, seed=1)


def test_without_a_seed_a_fresh_one_is_taken_and_recorded():
    first, second = (levelsmith.generate("orchard", evaluations=50).best for _ in range(2))
    assert first.provenance["seed"] != second.provenance["seed"]
    again = levelsmith.generate("orchard", evaluations=50, seed=first.provenance["seed"]).best
    assert again == first


MADE = """
import levelsmith, sys
from levelsmith.levels.formats.json import dumps
results = [
    levelsmith.generate("orchard", search=search, evaluations=300, seed=4, count=3).levels
    for search in ("hc", "random")
]
sys.stdout.write(dumps([level for levels in results for level in levels]))
"""


def test_two_processes_with_different_hash_seeds_make_the_same_bytes(python):
    first, second = python(MADE, PYTHONHASHSEED="0"), python(MADE, PYTHONHASHSEED="1")
    assert first == second
    assert len(json.loads(first)["levels"]) == 6


NINE = ["bfs", "dfs", "best", "astar", "mcts", "hc", "sa", "es", "ga"]


def told(search, evaluations=200, **how):
    result = levelsmith.generate(
        "binary", search=search, set={"goal": 74}, seed=11, evaluations=evaluations, **how
    )
    return [[level.text for level in result.levels], result.score, result.evaluations]


def elsewhere(python, asked, **environment):
    """The value of an expression in another process, where nothing is compiled."""
    program = f"import json, levelsmith\n{inspect.getsource(told)}\nprint(json.dumps({asked}))"
    return json.loads(python(program, LEVELSMITH_KERNELS="plain", **environment))


@pytest.mark.slow
def test_every_search_makes_the_same_in_plain_python_and_with_another_hash_seed(python):
    compiled = [told(search) for search in NINE]
    assert elsewhere(python, f"[told(search) for search in {NINE}]", PYTHONHASHSEED="1") == compiled
    assert len({texts[0] for texts, _, _ in compiled}) > 5


@pytest.mark.first(1)
@pytest.mark.parametrize("search", ["mcts", "ga"])
def test_two_workers_make_what_one_makes_of_a_tree_and_of_a_population(search, python):
    one, two = elsewhere(python, f"[told({search!r}, 90, count=4, workers=n) for n in (1, 2)]")
    assert one == two
    assert len(set(one[0])) == 4


def test_run_i_of_many_is_the_run_that_skips_i():
    many = levelsmith.generate("orchard", evaluations=40, seed=9, count=4)
    assert len(many.levels) == 4
    assert len({level.text for level in many.levels}) == 4
    for i, level in enumerate(many.levels):
        (alone,) = levelsmith.generate("orchard", evaluations=40, seed=9, skip=i).levels
        assert (alone, alone.provenance) == (level, level.provenance)


def test_many_runs_sum_what_they_spent_and_name_the_best():
    many = levelsmith.generate("orchard", **HOPELESS, evaluations=40, seed=9, count=3)
    alone = [levelsmith.generate("orchard", **HOPELESS, evaluations=40, seed=9, skip=i) for i in range(3)]
    assert many.evaluations == 120
    assert many.score == max(result.score for result in alone)
    assert many.best == max(alone, key=lambda result: result.score).best
    assert many.statistics == {"runs": 3}
    assert not many.solved


def test_cancelling_returns_the_best_so_far():
    asked = iter([False, False, True])
    result = levelsmith.generate("orchard", **HOPELESS, seed=1, cancel=lambda: next(asked))
    assert result.stopped == "cancelled"
    assert 0 < result.evaluations < 50_000
    assert result.best.provenance["score"] == result.score


def test_cancelling_ends_all_runs_not_only_the_current_one():
    result = levelsmith.generate("orchard", **HOPELESS, seed=1, count=5, cancel=lambda: True)
    assert (len(result.levels), result.stopped) == (1, "cancelled")


def test_an_interruption_in_mid_run_carries_the_best_so_far(counting):
    counting.interrupted_at = 100
    with pytest.raises(KeyboardInterrupt) as interrupt:
        levelsmith.generate("orchard", search="counting", evaluations=1000)
    result = interrupt.value.result
    assert (result.stopped, result.evaluations, result.score) == ("cancelled", 100, 0.1)
    assert result.best.grid.flat[100 % 64] == 1


def test_an_interruption_before_anything_was_made_carries_nothing(counting):
    counting.interrupted_at = 0
    with pytest.raises(KeyboardInterrupt) as interrupt:
        levelsmith.generate("orchard", search="counting", evaluations=1000)
    assert interrupt.value.result is None


def test_a_search_that_has_nothing_left_is_exhausted(counting):
    counting.exhausted_at = 70
    result = levelsmith.generate("orchard", search="counting", evaluations=1000)
    assert (result.stopped, result.evaluations) == ("exhausted", 70)


def test_a_search_that_spends_nothing_any_more_is_exhausted_too(counting):
    counting.stuck_at = 90
    result = levelsmith.generate("orchard", search="counting", evaluations=1000)
    assert (result.stopped, result.evaluations) == ("exhausted", 90)


def test_a_slow_search_is_given_small_portions_and_a_fast_one_larger_ones(counting):
    counting.seconds = 0.002
    levelsmith.generate("orchard", search="counting", seconds=0.5)
    assert counting.portions[0] == 0  # compiles, off the clock
    assert 5 <= counting.portions[-1] <= 40
    counting.seconds = 0.0
    counting.portions.clear()
    levelsmith.generate("orchard", search="counting", evaluations=900)
    assert counting.portions[:4] == [0, 1, 2, 4]


def test_a_stream_tells_progress_and_ends_with_the_result():
    events = list(levelsmith.stream("orchard", **HOPELESS, evaluations=3000, seed=2, count=2))
    results = [event for event in events if isinstance(event, Result)]
    progress = [event for event in events if isinstance(event, Progress)]
    assert len(results) == 2
    assert isinstance(events[-1], Result)
    assert {event.run for event in progress} == {0, 1}
    for run, result in enumerate(results):
        scores = [event.score for event in progress if event.run == run]
        assert scores == sorted(scores)
        assert all(event.best is not None for event in progress)
        assert scores[-1] <= result.score


def test_the_history_has_each_improvement_at_its_evaluation():
    result = levelsmith.generate("orchard", **HOPELESS, evaluations=2000, seed=3)
    evaluations, seconds, scores = zip(*result.history, strict=True)
    assert list(evaluations) == sorted(set(evaluations))
    assert list(scores) == sorted(set(scores))
    assert list(seconds) == sorted(seconds)
    assert scores[-1] == result.score
    for spent, _, score in result.history[:3]:
        shorter = levelsmith.generate("orchard", **HOPELESS, evaluations=spent, seed=3)
        assert shorter.score == score
        if spent > 1:
            assert levelsmith.generate("orchard", **HOPELESS, evaluations=spent - 1, seed=3).score < score


@pytest.mark.parametrize("wrong", [{"count": 0}, {"skip": -1}, {"workers": 0}])
def test_counts_that_make_no_sense_are_refused(wrong):
    with pytest.raises(LevelsmithError, match=r"expected (a count|to skip|a number) from [01] to"):
        levelsmith.generate("orchard", **wrong)


def test_a_mistake_is_told_when_the_stream_is_asked_for_not_when_it_is_read():
    with pytest.raises(LevelsmithError, match="no game is called"):
        levelsmith.stream("orchid")
