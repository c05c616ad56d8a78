"""Each kind of finding, found in what it is about and at its place, and not where there is none."""

from __future__ import annotations

import re

import numpy as np
import pytest

from checking.conftest import LEVELS, SCRIPT
from levelsmith.checking.findings import GENERAL, kinds_of
from levelsmith.checking.judge import longest_rise, out_of_order
from levelsmith.registry import games

LONE = "#####\n#@$.#\n#####\n"
TWO = "#######\n#@$ . #\n#######\n"


def test_the_script_of_the_tests_has_all_that_is_in_it(found, tmp_path):
    (tmp_path / "game.txt").write_text(SCRIPT)
    status, findings, told, _ = found("game.txt")
    line = SCRIPT.split("\n").index
    assert status == 1
    assert set(findings) == {  # levels are told at their first rows, which lie above
        ("wrong-minimum", "game.txt", line("#P*O.#"), 1),
        ("unwinnable", "game.txt", line("#P.O*#"), 1),
        ("unused-object", "game.txt", line("Ghost") + 1, 1),
        ("hidden-message", "game.txt", line("message never") + 1, 1),
    }
    assert [one["status"] for one in told["levels"]] == ["won", "won", "unwinnable"]


def test_what_is_off_by_default_can_be_asked_for(found, tmp_path):
    (tmp_path / "game.txt").write_text(SCRIPT)
    idle = SCRIPT.split("\n").index("[ Ghost ] -> [ Wall ]") + 1
    _, findings, *_ = found("game.txt", "--finding", "dead-rule=warning", "--finding", "idle-rule=error")
    assert ("dead-rule", "game.txt", idle, 1) in findings
    assert ("idle-rule", "game.txt", idle, 1) in findings
    needed = SCRIPT.split("\n").index("[ > Player | Crate ] -> [ > Player | > Crate ]") + 1
    assert not any(at == needed for _, _, at, _ in findings)


def test_a_finding_that_a_limit_leaves_open_is_told_and_looked_for_again(run, tmp_path):
    """Two crates and no walls between them: fewer states suffice to win than there are."""
    level = "########\n#......#\n#.P*O..#\n#...*O.#\n########\n"
    (tmp_path / "game.txt").write_text(SCRIPT.split("message hello")[0] + level)
    words = ("check", "game.txt", "--finding", "dead-rule=warning", "--proofs", "p.db", "--workers", 1)
    status, out, err = run(*words, "--states", 300)
    assert (status, "fewest, proved" in out, "dead-rule" in out) == (0, True, False)
    assert "; not known within the limit: dead-rule of 1 level; 1 proved now" in err
    _, out, err = run(*words)
    assert "[dead-rule]" in out
    assert "not known" not in err


def test_what_keeps_a_script_from_being_played_is_told_at_its_line(found, tmp_path):
    text = SCRIPT.replace("Player, Wall, Crate, Ghost", "Player, Wall, Crat, Ghost")
    (tmp_path / "game.txt").write_text(text)
    status, findings, *_ = found("game.txt")
    assert status == 2
    assert {name for name, *_ in findings} == {"unreadable"}
    assert text.split("\n").index("Player, Wall, Crat, Ghost") + 1 in {line for _, _, line, _ in findings}


def test_the_original_s_warnings_are_findings_and_no_noise(found, tmp_path, caplog):
    text = SCRIPT.replace("title Lamp", "title Lamp\nflickscreen 0").replace("[ Ghost ] -> [ Wall ]", "")
    (tmp_path / "game.txt").write_text(text)
    _, findings, *_ = found("game.txt", "--finding", "script-warning=error")
    assert ("script-warning", "game.txt", 2, 1) in findings
    assert caplog.records == []


def test_a_level_that_is_won_at_once(found, tmp_path):
    (tmp_path / "a.xsb").write_text("#####\n#@* #\n#####\n")
    assert ("won-at-once", "a.xsb", 1, 1) in found("a.xsb")[1]
    (tmp_path / "game.txt").write_text(SCRIPT.replace("#P.O*#", "#P.@.#"))
    assert "won-at-once" in {name for name, *_ in found("game.txt")[1]}


@pytest.mark.parametrize(
    ("beside", "name"),
    [
        ("Solution: R", None),
        ("Solution: r", None),
        ("Solution: L", "wrong-solution"),
        ("Solution: RR", "wrong-solution"),
        ("Minimum: 1", None),
        ("Minimum: 2", "wrong-minimum"),
        ("; pushes: 7", "wrong-minimum"),
    ],
)
def test_what_is_said_beside_a_level_is_held_against_it(found, tmp_path, beside, name):
    (tmp_path / "a.xsb").write_text(f"{LONE}Title: x\n{beside}\n")
    assert [one[0] for one in found("a.xsb")[1]] == ([name] if name else [])


def test_a_longer_solution_is_a_warning(found, tmp_path):
    ring = "######\n#    #\n# @$.#\n#    #\n######\n"
    (tmp_path / "a.xsb").write_text(ring + "Solution: ulddruR\n")
    assert found("a.xsb")[1] == []  # more moves, as many pushes
    (tmp_path / "b.txt").write_text(SCRIPT.replace("(solution: rr)", "(solution: lrr)"))
    assert "longer-solution" in {name for name, *_ in found("b.txt")[1]}


def test_faults_of_a_grid_have_names_and_places(found, tmp_path):
    bad = ["#####\n#@$ #\n#####\n", "#####\n#@@$.#\n######\n", "#####\n#@$.\n#####\n"]
    (tmp_path / "a.xsb").write_text("\n".join(bad))
    status, findings, *_ = found("a.xsb")
    assert status == 2
    assert findings == [
        ("more-boxes", "a.xsb", 2, 3),
        ("no-player", "a.xsb", 6, 3),
        ("open-edge", "a.xsb", 10, 2),
    ]


def test_floor_that_nobody_reaches_and_things_that_never_move(found, tmp_path):
    (tmp_path / "a.xsb").write_text("########\n#@$.#  #\n#   # ##\n#*  ####\n########\n")
    _, findings, *_ = found("a.xsb")
    assert findings == [("unreached-floor", "a.xsb", 2, 6), ("idle-box", "a.xsb", 4, 2)]


def test_a_first_move_that_loses_is_told_where_it_is_asked_for(found, tmp_path):
    (tmp_path / "a.xsb").write_text("######\n#    #\n# @$ #\n#   .#\n######\n")
    _, findings, told, _ = found("a.xsb", "--every")
    assert [(name, line, column) for name, _, line, column in findings] == [("lost-at-start", 3, 4)]
    assert "pushed up first" in told["findings"][0]["text"]


def test_gold_behind_walls_and_caves_in_parts(found, tmp_path):
    row = "BBBBBBBB\n"
    level = f"; game: loderunner\n{row}B......B\nB.M.BBBB\nBbbbBG.B\nBBBBBBBB\n{row}"
    (tmp_path / "a.txt").write_text(level)
    status, findings, *_ = found("a.txt", "--seconds", 5)
    assert status == 1
    assert ("gold-out-of-reach", "a.txt", 5, 6) in findings
    assert {name for name, *_ in findings} == {"gold-out-of-reach", "unwinnable"}
    (tmp_path / "b.txt").write_text("; game: binary\n#####\n....#\n##.##\n###.#\n##.##\n")
    assert "unreached-floor" in {name for name, *_ in found("b.txt")[1]}


def test_levels_alike_are_told_once_each(found, tmp_path):
    (tmp_path / "a.xsb").write_text(TWO)
    (tmp_path / "b.xsb").write_text(TWO + "\n" + "\n".join(row[::-1] for row in TWO.split("\n")))
    _, findings, told, _ = found("a.xsb", "b.xsb")
    assert [one[:3] for one in findings] == [("duplicate", "b.xsb", 1), ("duplicate", "b.xsb", 5)]
    assert told["findings"][0]["text"] == "is a.xsb"
    assert told["findings"][1]["text"] == "is a.xsb, turned, mirrored or moved"


def test_levels_that_come_behind_and_levels_out_of_order(found, tmp_path):
    (tmp_path / "a.xsb").write_text(f"{LONE}\n{LEVELS.split('; two')[1]}\n{TWO}")
    _, findings, *_ = found("a.xsb", "--finding", "behind-unwinnable=warning")
    assert [(name, line) for name, _, line, _ in findings] == [("unwinnable", 7), ("behind-unwinnable", 12)]


def test_the_fewest_levels_are_out_of_order():
    told = "its difficulty is 50, and one after it has 18"
    assert list(out_of_order([10, 50, 20, 18, 30])) == [(1, told)]
    assert list(out_of_order([10, 20, 3])) == [(2, "its difficulty is 3, and one before it has 20")]
    assert list(out_of_order([])) == []
    assert longest_rise([3, 1, 2, 5, 4, 9]) in ([1, 2, 4, 5], [1, 2, 3, 5])
    rng = np.random.default_rng(5)
    for _ in range(50):
        values = rng.integers(0, 6, 9).tolist()
        kept = [values[i] for i in longest_rise(values)]
        assert kept == sorted(kept)
        assert len(kept) == max(
            sum(mask >> i & 1 for i in range(9))
            for mask in range(512)
            if (some := [v for i, v in enumerate(values) if mask >> i & 1]) == sorted(some)
        )


def needs(text, need):
    return text.replace("(solution: rr)", f"(needs: {need})\n(solution: rr)")


def test_a_rule_or_a_thing_that_a_level_needs_is_not_told(found, tmp_path):
    line = SCRIPT.split("\n").index("[ > Player | Crate ] -> [ > Player | > Crate ]") + 1
    (tmp_path / "a.txt").write_text(needs(SCRIPT, f"{line}, crate"))
    assert "needless" not in {name for name, *_ in found("a.txt")[1]}
    (tmp_path / "b.txt").write_text(needs(SCRIPT, f"{line + 1}, ghost, rabbit"))
    told = [one["text"] for one in found("b.txt")[2]["findings"] if one["name"] == "needless"]
    assert len(told) == 3
    assert re.search(f"the rule of line {line + 1}, but it can be won without any", told[0])
    assert "rabbit" in told[2]


def test_a_shortcut_that_leaves_a_key_object_where_it_is(found, tmp_path):
    """The two marks of the second level are in the way of nobody; a crate is left beside them."""
    level = "######\n#P*.O#\n#...*#\n######\n"
    text = SCRIPT.replace("(solution: rr)\n######\n#P*.O#\n######\n", level)
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "levelsmith.toml").write_text(
        '[check]\n[[check.levels]]\nlevel = "a.txt#1"\nneeds = ["wall"]\nminimum = 2\n'
    )
    told = [one["text"] for one in found("a.txt")[2]["findings"] if one["name"] == "needless"]
    assert told == ["is said to need wall, but the solution leaves it where it is"]


def test_every_kind_is_listed_with_what_it_is(run):
    status, out, _ = run("check", "--list")
    every = [*games.working(), games.get("puzzlescript:crates")]
    kinds = kinds_of(every)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == list(kinds)
    assert len(kinds) > len(GENERAL) + 10
