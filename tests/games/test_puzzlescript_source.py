"""What is read of a PuzzleScript source, what is forgiven, and where its faults are said to be."""

import gzip
import json
from pathlib import Path

import pytest
from tests.games.puzzles import source

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.colours import long_colours
from levelsmith.games.puzzlescript.compile import compile_game, compile_source
from levelsmith.games.puzzlescript.kernels.codes import ALL, DOWN, RIGHT
from levelsmith.games.puzzlescript.tables import as_int


def faults(**game):
    found = compile_source(source(**game))[0].faults
    return [(fault.line, fault.column, fault.text) for fault in found.errors]


def line_of(text, **game):
    return source(**game).split("\n").index(text) + 1


def test_a_rule_without_an_arrow_is_a_fault_at_its_place():
    game = {"rules": "[ > Player ] ; [ Player | Krate ] -> [ Player | ]"}
    first, second = line_of("[ > Player ]", **game), line_of("[ Player | Krate ] -> [ Player | ]", **game)
    assert faults(**game) == [
        (first, 1, "expected an arrow -> in the rule"),
        (second, 12, "expected names of objects, got 'krate'; did you mean 'crate'?"),
    ]


def test_all_faults_are_told_at_once():
    found = faults(
        rules="[ Foo ] -> [ Bar ]",
        wins="All Foo on Bar",
        levels="P?",
        legend="Q = Nobody",
        prelude="nosuch 1",
    )
    assert [text for _, _, text in found] == [
        "expected a setting such as title or noaction, got 'nosuch'",
        "expected a name defined above, got 'nobody'",
        "expected characters of the legend, got '?'",
        "expected names of objects, got 'foo'",
        "expected names of objects, got 'bar'",
        "expected the name of an object, got 'foo'",
        "expected the name of an object, got 'bar'",
    ]


def test_a_game_with_few_faults_is_played_without_the_faulty_parts():
    program = compile_game(source(rules="[ Foo Player ] -> [ Player Ma ]"))
    assert len(program.tables.rules.line) == 1


def test_a_game_with_many_faults_is_refused_in_one_line():
    with pytest.raises(LevelsmithError, match=r"^line \d+, column 3: .*'foo'; line .*'bar'; line .*'baz'$"):
        compile_game(source(rules="[ Foo Bar ] -> [ Foo Baz ]"))


def test_comments_nest_and_go_over_lines():
    text = source(
        rules="[ > Player | Crate ] -> [ > Player | > Crate ] (push ( it", prelude="(one\n(two) three)"
    )
    program = compile_source(text)
    assert not program[0].levels, "the comment was never closed"
    text = source(rules="(a ; b (c) d) ; [ Player ] -> [ Player Ma ] (mark)")
    assert len(compile_game(text).tables.rules.line) == 1


def test_case_and_blanks_do_not_matter():
    odd = source(rules="LATE[PLAYER|crate]->[Player|CRATE]", levels="p*").replace("\n", "\r\n")
    plain = source(rules="late [ player | crate ] -> [ player | crate ]", levels="P*")
    one, other = compile_game(odd), compile_game(plain)
    assert (one.levels[0].board == other.levels[0].board).all()
    assert (one.tables.cells.present == other.tables.cells.present).all()


def test_short_rows_are_filled_with_their_last_character():
    level = compile_game(source(levels="P.#/##")).levels[0]
    assert (level.height, level.width) == (2, 3)
    assert (level.board[5] == level.board[1]).all()


def test_messages_are_levels_of_their_own():
    levels = compile_game(source(levels="P..;message Hello (you);.P.")).levels
    assert [level.message for level in levels] == ["", "Hello (you)", ""]
    assert levels[1].board is None


def test_an_object_in_two_layers_belongs_to_the_last():
    program = compile_game(source().replace("\nMb\n\nRULES", "\nMb\nMa\n\nRULES"))
    assert program.names == ("background", "target", "player", "wall", "crate", "", "mb", "ma")


def test_a_rule_of_four_directions_is_two_of_down_and_two_of_right():
    program = compile_game(source(rules="[ > Player | Crate ] -> [ > Player | > Crate ]"))
    assert program.tables.rules.direction.tolist() == [DOWN, DOWN, RIGHT, RIGHT]
    names = program.names
    first = as_int(program.tables.cells.present[0])
    assert first == 1 << names.index("crate"), "up is down with the row turned round"


def test_a_property_of_one_layer_stays_one_rule():
    program = compile_game(source(rules="right [ > Thing | Wall ] -> [ Thing | Wall ]"))
    assert len(program.tables.rules.line) == 1
    assert program.tables.cells.any_count.tolist() == [1, 0]
    program = compile_game(source(rules="[ X ] -> [ ]"))
    assert len(program.tables.rules.line) == 2, "Ma and Mb are in layers of their own"


def test_win_conditions_are_read():
    wins = compile_game(source(wins="All Target on Crate")).tables.wins
    assert wins.kind.tolist() == [ALL]
    assert not wins.anywhere[0]


def test_colours_are_those_of_the_palette():
    assert long_colours(["pink", "#abc", "transparent"], "ega") == ["#ff55ff", "#aabbcc", "transparent"]
    assert long_colours(["darkgray"], "") == long_colours(["darkgrey"], "4") == ["#697175"]


@pytest.mark.data
def test_faults_are_where_the_original_finds_them(data_folder, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    from replay_sessions import compare_errors

    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "errors.json.gz").read_bytes()))
    found = [compare_errors(name, *entry) for name, entry in entries]
    assert not [one for one in found if not one["ok"]]
    assert len(found) > 200


def test_a_source_is_told_from_one_with_its_error_elsewhere(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    from replay_sessions import compare_errors

    game = {"rules": "[ Nobody ] -> [ ]"}
    text, line = source(**game), line_of("[ Nobody ] -> [ ]", **game)
    assert compare_errors("here", text, [f"line {line} : what is Nobody?"], 1)["ok"]
    assert compare_errors("there", text, [f"line {line + 1} : what is Nobody?"], 1)["got"] == [line]
    assert not compare_errors("none", text, [], 0)["ok"]
