"""No level twice: levels made one by one are told apart, up to symmetry, by any number of workers."""

import pytest

import levelsmith
from levelsmith import LevelsmithError, MissingLevelsError
from levelsmith.levels.splits import canonical_keys

SMALL = {"game": "sokoban", "size": (4, 4), "want": {"boxes": 1, "difficulty": "easy"}, "seed": 1}
SEARCHED = {"game": "orchard", "size": (2, 3), "want": {"trees": 2}, "seed": 1, "search": "hc"}


def distinct(levels):
    return len(set(canonical_keys(levels).tolist())) == len(levels)


@pytest.mark.parametrize(("asked", "count"), [(SMALL, 18), (SEARCHED, 3)], ids=["warehouse", "hc"])
def test_levels_made_one_by_one_differ_up_to_symmetry(asked, count):
    alone = levelsmith.generate(**asked, count=count, partial=True)
    assert alone.statistics["repeats"] >= 1
    assert distinct(alone.levels)
    together = levelsmith.generate(**asked, count=count, partial=True, workers=2)
    assert [level.text for level in together.levels] == [level.text for level in alone.levels]
    assert together.evaluations == alone.evaluations


def test_where_there_are_no_more_levels_it_says_so():
    with pytest.raises(MissingLevelsError, match=r"of 20 levels .* no two alike") as raised:
        levelsmith.generate(**SEARCHED, count=20)
    made = raised.value.result
    assert 3 <= len(made.levels) <= 6  # two trees on 2x3 cells
    assert distinct(made.levels)
    assert made.missed == "every level that was made repeats an earlier one"


def test_levels_are_kept_from_those_that_are_given():
    first = levelsmith.generate(**SEARCHED)
    other = levelsmith.generate(**SEARCHED, unlike=first.levels)
    assert distinct([*first.levels, *other.levels])


def test_a_search_for_the_highest_score_keeps_no_level_out():
    asked = {
        "game": "sokoban",
        "size": (4, 4),
        "objective": "pushes",
        "search": "hc",
        "evaluations": 50,
        "seed": 1,
    }
    made = levelsmith.generate(**asked).levels
    with pytest.raises(LevelsmithError, match="looks for the highest score"):
        levelsmith.generate(**asked, unlike=made)
