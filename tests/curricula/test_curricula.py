"""Curricula choose what their papers say, the same for the same seed, and count what they do."""

from __future__ import annotations

import json

import numpy as np
import pytest

import levelsmith
from levelsmith import curricula
from levelsmith.curricula import (
    Accel,
    Episode,
    Fresh,
    Learnability,
    PrioritizedReplay,
    Ramp,
    Uniform,
)
from levelsmith.curricula.accel import edited, proved
from levelsmith.curricula.episode import Scale, advantages
from levelsmith.errors import LevelsmithError
from levelsmith.levels.splits import Allowed, canonical_keys
from levelsmith.registry import games

ORCHARD = {"size": (4, 5), "evaluations": 50}
ROOM = levelsmith.parse("########\n#@     #\n#  $   #\n#    . #\n#      #\n########", game="sokoban")


def orchards(count):
    """Levels that are told apart by their number, 1, 2, …"""
    texts = (f"{i:08b}".replace("0", ".").replace("1", "^") for i in range(1, count + 1))
    return [levelsmith.parse(text, game="orchard") for text in texts]


def number(level):
    return int("".join(str(cell) for cell in level.grid.ravel().tolist()), 2)


def told(levels, score=number, solved=True):
    """An episode for each level, with its number as its score."""
    return [Episode(level, solved, 3, 1.0, score=float(score(level))) for level in levels]


def every(seed=0):
    levels = orchards(60)
    replay = {"score": "score", "buffer": 20, "fill": 0.5, "seed": seed}
    return {
        "uniform": Uniform(levels, seed=seed),
        "ramp": Ramp(levels, seed=seed),
        "replay": PrioritizedReplay(levels, **replay),
        "accel": Accel(levels, **replay),
        "learnability": Learnability(levels, candidates=10, tries=2, keep=3, period=12, seed=seed),
    }


def played(curriculum, rounds):
    """What a trainer sees of it that solves the lower half of the levels."""
    seen = []
    for _ in range(rounds):
        levels = curriculum.sample(4)
        seen.append((levels, curriculum.learns))
        curriculum.update(
            [each for level in levels for each in told([level], solved=number(level) % 64 < 30)]
        )
    return seen


@pytest.mark.parametrize("name", every())
def test_a_seed_gives_the_same_levels_and_a_state_goes_on_from_there(name):
    whole = played(every()[name], 30)
    assert whole != played(every(1)[name], 30)
    first, second = every()[name], every()[name]
    assert played(first, 13) == whole[:13]
    second.load_state(json.loads(json.dumps(first.state)))
    assert played(second, 17) == whole[13:]
    first.sample(4)
    assert second.statistics["sampled"] == 120
    assert second.statistics["episodes"] == 120


def test_the_state_of_another_curriculum_is_refused():
    several = every()
    with pytest.raises(LevelsmithError, match="expected the state of a Ramp with seed 0"):
        several["ramp"].load_state(several["uniform"].state)
    with pytest.raises(LevelsmithError, match="with seed 0"):
        several["ramp"].load_state(every(1)["ramp"].state)


def test_uniform_gives_each_level_once_before_any_comes_again():
    curriculum = Uniform(orchards(10), seed=3)
    first, second = curriculum.sample(10), curriculum.sample(10)
    assert sorted(map(number, first)) == sorted(map(number, second)) == list(range(1, 11))
    assert first != second
    assert curriculum.statistics == {"sampled": 20, "new": 20, "episodes": 0, "solved": 0}


def test_fresh_levels_are_those_that_generate_makes():
    curriculum = Uniform(Fresh("orchard", **ORCHARD), seed=5)
    assert curriculum.size == (4, 5)
    made = [curriculum.sample(2), curriculum.sample(1)]
    alone = [levelsmith.generate("orchard", **ORCHARD, seed=5, skip=i).best for i in range(3)]
    assert [*made[0], *made[1]] == alone


def test_several_sources_take_turns():
    mixed = Uniform([Fresh("orchard", **ORCHARD), Fresh("orchard", size=(3, 3), evaluations=50)], seed=5)
    assert [level.size for level in mixed.sample(5)] == [(4, 5), (3, 3), (4, 5), (3, 3), (4, 5)]
    assert mixed.size == (4, 5)


def test_fresh_levels_keep_to_their_split():
    levels = Uniform(Fresh("orchard", **ORCHARD, splits=(0.5, 0.5), split="test")).sample(20)
    assert Allowed((0.5, 0.5), "test")(levels).all()
    assert not Allowed((0.5, 0.5), "test")(Uniform(Fresh("orchard", **ORCHARD)).sample(20)).all()


def test_a_ramp_goes_on_once_most_episodes_are_solved():
    curriculum = Ramp(orchards(40), seed=1)
    assert {number(level) for level in curriculum.sample(8)} == {1, 2, 3, 4}
    curriculum.update(told(curriculum.sample(20), solved=False))
    assert curriculum.stage == 0
    curriculum.update(told(curriculum.sample(20)))
    assert curriculum.statistics["stage"] == 1
    assert {number(level) for level in curriculum.sample(8)} == {5, 6, 7, 8}


def test_the_buffer_keeps_the_highest_scores_and_replays_them_most():
    curriculum = PrioritizedReplay(orchards(60), score="score", buffer=10, replay=0.0, staleness=0.0, seed=2)
    for _ in range(15):
        curriculum.update(told(curriculum.sample(4)))
    assert sorted(map(number, curriculum.buffer.levels)) == list(range(51, 61))
    assert curriculum.statistics["buffer"] == 10
    assert curriculum.statistics["replayed"] == 0
    assert curriculum.statistics["mean_score"] == pytest.approx(55.5)
    curriculum.replay = 1.0
    drawn = [number(curriculum.sample(1)[0]) for _ in range(200)]
    weights = (1 / np.arange(1.0, 11)) ** (1 / 0.3)
    assert drawn.count(60) / 200 == pytest.approx(weights[0] / weights.sum(), abs=0.08)
    assert curriculum.statistics["replayed"] == 200


def test_levels_that_were_not_played_for_long_come_again():
    curriculum = PrioritizedReplay(orchards(4), score="score", buffer=4, fill=1.0, replay=1.0, staleness=1.0)
    levels = curriculum.sample(4)
    curriculum.update(told(levels))
    assert curriculum.buffer.weights() == pytest.approx([3 / 6, 2 / 6, 1 / 6, 0.0])
    curriculum.update(told(levels[:1]))
    assert curriculum.buffer.weights() == pytest.approx([0.0, 3 / 6, 2 / 6, 1 / 6])


def test_new_levels_are_not_learned_from_where_it_is_robust():
    curriculum = PrioritizedReplay(orchards(60), score="score", buffer=8, robust=True, seed=4)
    kinds = set()
    for _ in range(20):
        levels = curriculum.sample(4)
        kinds.add((curriculum.kind, curriculum.learns))
        curriculum.update(told(levels))
    assert kinds == {("new", False), ("replayed", True)}


def test_edits_of_replayed_levels_come_next_and_are_all_proved():
    curriculum = Accel([ROOM], score="score", buffer=30, fill=0.01, replay=1.0, edits=3, seed=1)
    curriculum.update(told(curriculum.sample(1), score=lambda level: 1.0))
    seen = []
    for _ in range(8):
        levels = curriculum.sample(3)
        seen.append(curriculum.kind)
        assert curriculum.learns == (curriculum.kind == "replayed")
        for level in levels:
            games.get("sokoban").verify(level)
            assert level == ROOM or level.solution
        curriculum.update(told(levels, score=lambda level: 1.0))
    assert seen == ["replayed", "edited"] * 4
    counted = curriculum.statistics
    assert counted["edited"] == counted["proved"] == 12
    assert counted["tries"] > counted["proved"]
    assert 0 < counted["children"] == counted["buffer"] - 1 <= 12


def test_the_easiest_of_the_levels_replayed_are_edited():
    curriculum = Accel(orchards(8), score="score", buffer=8, fill=1.0, replay=1.0, parents=1, seed=1)
    curriculum.update(told(curriculum.sample(8)))
    levels = curriculum.sample(3)
    curriculum.update(told(levels))
    easiest = min(map(number, levels))
    assert [number(level) for level in curriculum.waiting] == [easiest]
    assert all(level.provenance["edited"] == curriculum_text(easiest) for level in curriculum.sample(3))


def curriculum_text(wanted):
    return next(level.text for level in orchards(60) if number(level) == wanted)


def test_an_edit_that_cannot_be_solved_is_none():
    stuck = levelsmith.parse("#####\n#$  #\n#@ .#\n#####", game="sokoban")
    assert proved(ROOM, stuck.grid) is None
    counts = {"tries": 0, "proved": 0}
    child = edited(ROOM, 2, Allowed(), np.random.default_rng(0), counts)
    assert child is not None
    assert child != ROOM
    assert child.provenance["edited"] == ROOM.text
    assert counts["proved"] == 1 <= counts["tries"]
    assert (child.grid[[0, -1]] == ROOM.grid[[0, -1]]).all()


def test_edits_never_leave_the_split():
    rng, counts = np.random.default_rng(0), {"tries": 0, "proved": 0}
    allowed = Allowed((0.5, 0.5), "test")
    children = [edited(ROOM, 3, allowed, rng, counts) for _ in range(6)]
    assert all(child is not None for child in children)
    assert allowed(children).all()
    assert len(set(canonical_keys(children).tolist())) > 1


def test_levels_that_are_solved_now_and_then_are_trained_on():
    curriculum = Learnability(orchards(40), candidates=6, tries=4, keep=2, period=8, replay=1.0, seed=2)
    tried = []
    while curriculum.statistics["rounds"] == 0:
        levels = curriculum.sample(6)
        if curriculum.statistics["rounds"]:
            break
        assert not curriculum.learns
        tried += levels
        for level in levels:  # of each level a share of its own is solved
            place, episodes = list(curriculum.tried).index(level), curriculum.tried[level][0]
            curriculum.update(told([level], solved=episodes < (0, 1, 2, 4, 4, 0)[place]))
    candidates = list(dict.fromkeys(tried))
    assert len(tried) == curriculum.statistics["tried"] == 24
    assert set(levels) <= {candidates[1], candidates[2]}
    assert curriculum.kept == [candidates[2], candidates[1]]
    assert curriculum.learns
    curriculum.sample(2)
    assert curriculum.statistics["replayed"] == 8
    curriculum.sample(1)
    assert curriculum.tried


def test_scores_are_what_their_papers_say():
    rewards, values = [0.0, -1.0, 2.0], [0.5, 1.0, 0.25]
    episode = Episode(ROOM, True, 3, 1.0, regret=0.75, score=9.0, rewards=rewards, values=values)
    last = 2.0 - 0.25
    middle = -1.0 + 0.9 * 0.25 - 1.0 + 0.9 * 0.5 * last
    first = 0.0 + 0.9 * 1.0 - 0.5 + 0.9 * 0.5 * middle
    assert advantages(episode, 0.9, 0.5) == pytest.approx([first, middle, last])
    cut_off = Episode(ROOM, False, 3, 1.0, rewards=rewards, values=[*values, 2.0])
    assert advantages(cut_off, 0.9, 0.5)[2] == pytest.approx(2.0 + 0.9 * 2.0 - 0.25)
    positive = sum(max(each, 0.0) for each in (first, middle, last)) / 3
    expected = {
        "regret": 0.75,
        "score": 9.0,
        "positive_value_loss": positive,
        "max_monte_carlo": 3.0 - (0.5 + 1.0 + 0.25) / 3,
    }
    assert {name: Scale(name, 0.9, 0.5).of([episode], 3.0) for name in curricula.SCORES} == pytest.approx(
        expected
    )
    twice = [episode, Episode(ROOM, True, 3, 1.0, regret=0.25)]
    assert Scale("regret").of(twice, 0.0) == 0.5


def test_the_highest_return_on_a_level_is_remembered():
    curriculum = PrioritizedReplay([ROOM], score="max_monte_carlo", buffer=2)
    for reward, score in ((4.0, 4.0), (1.0, 4.0), (6.0, 6.0)):
        curriculum.update([Episode(ROOM, True, 1, reward, rewards=[reward], values=[0.0])])
        assert curriculum.buffer.scores == [score]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Uniform([]), "at least one level"),
        (lambda: Uniform(3), "expected levels, files or curricula.Fresh"),
        (lambda: Uniform([ROOM, 3]), "expected a level or a file"),
        (lambda: Uniform([ROOM, *orchards(1)]), "levels of one game"),
        (lambda: Uniform(ROOM, seed=-1), "a seed"),
        (lambda: Uniform(ROOM).sample(0), "expected a number from 1"),
        (lambda: Uniform(ROOM).update([ROOM]), "expected episodes, curricula.Episode"),
        (lambda: Ramp(ROOM), "levels from easy to hard"),
        (lambda: Fresh("orchard", count=3), "leave out count"),
        (lambda: PrioritizedReplay(ROOM, score="regrt"), "did you mean 'regret'"),
        (lambda: PrioritizedReplay(ROOM, replay=2), "expected a share from 0 to 1 for replay"),
        (lambda: PrioritizedReplay(ROOM, temperature=0), "a temperature above 0"),
        (lambda: PrioritizedReplay(ROOM, buffer=0), "room from 1"),
        (
            lambda: PrioritizedReplay(ROOM).update([Episode(ROOM, True, 1, 1.0)]),
            "regret of an episode is not known",
        ),
        (
            lambda: PrioritizedReplay(ROOM, score="score").update([Episode(ROOM, True, 1, 1.0)]),
            "with a score",
        ),
        (
            lambda: PrioritizedReplay(ROOM, score="positive_value_loss").update(told([ROOM], lambda _: 1)),
            "the reward and the value of each step",
        ),
        (lambda: Accel(ROOM, edits=0), "expected a number from 1"),
        (lambda: Learnability(ROOM, candidates=2, keep=3), "at most the 2 candidates"),
    ],
)
def test_mistakes_are_told_in_one_line(wrong, said):
    with pytest.raises(LevelsmithError) as error:
        wrong()
    assert said in str(error.value)
    assert "\n" not in str(error.value)
