"""What lists of levels show is proved and measured; what files claim is not believed."""

from dataclasses import replace

from levelsmith import generate, measure, parse
from levelsmith.checking.gaps import filled, gap_between
from levelsmith.checking.rate import measured_by, rated
from levelsmith.levels.pack import Pack
from levelsmith.request import Request

EASY = parse("######\n#@$ .#\n######", "sokoban")
HARDER = parse("#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######", "sokoban")
LOST = parse("#####\n#@ $#\n#  .#\n#####".replace("  .", " . "), "sokoban")
CLAIM = {"search": "warehouse", "proved": True}


def test_a_claim_in_a_file_changes_nothing():
    false = replace(EASY, solution="llll", provenance=CLAIM)
    honest, claimed = rated([EASY, false])
    assert (
        (claimed.fewest, claimed.difficulty) == (honest.fewest, honest.difficulty) == (2, honest.difficulty)
    )
    assert claimed.level.solution == "RR"
    assert claimed.told == "won in 2 pushes (fewest, proved)"


def test_a_level_that_nobody_can_win_is_told_as_such():
    (found,) = rated([replace(LOST, solution="r", provenance=CLAIM)])
    assert not found.is_won
    assert found.difficulty is None
    assert found.told.startswith("cannot be won (proved)")


def test_any_metric_can_be_asked_for():
    found = rated([EASY, HARDER])
    assert measured_by(found, "pushes") == [2, measure(HARDER)["pushes"]]
    assert measured_by(found, "boxes") == [1, 2]


def test_the_plan_of_a_runner_is_played_before_it_counts():
    run = parse("......\n......\n......\n......\n.M...G\nbbbbbb", "loderunner")
    (found,) = rated([replace(run, solution="l9 r9")])
    assert found.is_won
    assert found.level.solution != "l9 r9"
    (again,) = rated([found.level])
    assert again.level.solution == found.level.solution


def test_a_gap_is_filled_with_levels_between_its_ends():
    hard = generate("sokoban", size="6x6", set={"boxes": 2}, want={"difficulty": "50..70"}, seed=1).best
    pack = Pack((EASY, hard), author="Ann").named()
    gap = gap_between(pack, 1, 2)
    result = filled(pack, Request("sokoban", count=2, seed=1, size="6x6", set={"boxes": 2}), gap)
    assert list(result.new) == [2, 3]
    assert [len(result.pack.levels), result.missed] == [4, ""]
    values = [each.difficulty for each in rated(result.pack.levels)]
    assert values == sorted(values)
    assert all(level.title and level.author in ("", "Ann") for level in result.pack.levels)
    assert result.pack.duplicates() == [None] * 4


def test_a_range_that_no_level_meets_says_what_is_missing():
    pack = Pack((EASY, HARDER))
    request = Request("sokoban", size="5x5", set={"boxes": 1}, want={"difficulty": "99..100"}, evaluations=50)
    result = filled(pack, request)
    assert result.pack == pack
    assert "could not be made" in result.missed
