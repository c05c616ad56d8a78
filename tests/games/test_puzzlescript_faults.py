"""Every mistake of a PuzzleScript source is said at its line, and counts as in the original."""

import logging
from pathlib import Path

import pytest
from tests.games.puzzles import source

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.compile import compile_game, compile_source
from levelsmith.games.puzzlescript.find import find
from levelsmith.games.puzzlescript.plain import explained
from levelsmith.registry import games

PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"


def told(**game):
    """Returns the errors and the warnings of a game: line, text; and the number of errors."""
    found = compile_source(source(**game))[0].faults
    errors, warnings = (
        [(fault.line, fault.text) for fault in part] for part in (found.errors, found.warnings)
    )
    return errors, warnings, found.weight


def told_of(rules):
    """Returns the texts of the errors and the warnings of one rule, and the number of errors."""
    errors, warnings, weight = told(rules=rules)
    line = source(rules=rules).split("\n").index(rules) + 1
    assert {found for found, _ in errors + warnings} <= {line}
    return [text for _, text in errors], [text for _, text in warnings], weight


def test_a_rule_with_an_unclosed_bracket_is_left_out_with_a_warning():
    assert told_of("[ > Player | Crate ] -> [ > Player | > Crate") == (
        [],
        ["expected ] for each [; this rule is left out"],
        0,
    )


@pytest.mark.parametrize(
    ("rule", "errors", "warnings", "weight"),
    [
        ("late [ Crate ] -> -> Crate ]", 1, 0, 1),
        ("[ > Player | Crate ] -> > Player | > Crate ]", 0, 5, 0),
        ("[ Crate ] -> [ > [ Crate ]", 1, 1, 1),
        ("late rigid [ Crate ] -> [ ]", 1, 0, 1),
        ("startloop [ Crate ] -> [ ]", 1, 0, 1),
        ("[ Crate ] -> [ ] sfx3", 0, 1, 0),
        ("[ Crate ] sfx3 -> [ ]", 1, 1, 1),
        ("[ Crate no Wall ] -> [ Crate ]", 0, 1, 0),
        ("[ Crate no Crate ] -> [ Ma ]", 1, 1, 1),
        ("[ Wall ] -> [ Crate no Crate ]", 2, 0, 2),
        ("[ Crate ] -> [ random Ma Crate ]", 0, 1, 0),
        ("[ Ma ] -> [ Ma Wall random Thing ]", 0, 2, 0),
        ("[ Crate | ... | ... | Wall ] -> [ Crate | ... | ... | ]", 0, 1, 0),
        ("[ Crate no Ma no Ma ] -> [ ]", 0, 1, 0),
        ("Crate [ Wall ] -> [ ]", 1, 0, 2),
        ("foo", 3, 0, 4),
        ("[ Crate ] -> [ Crate(Ma) ]", 1, 1, 1),
        ("[ Crate(Ma) ] -> [ ]", 2, 0, 2),
    ],
)
def test_a_rule_is_told_and_counted_as_in_the_original(rule, errors, warnings, weight):
    found = told_of(rule)
    assert (len(found[0]), len(found[1]), found[2]) == (errors, warnings, weight), found


def test_a_rule_of_another_row_of_dots_is_played_with_those_of_its_left_side():
    errors, _, _ = told(rules="right [ Player | ... | Wall ] -> [ Player | Ma | Wall ]")
    assert [text for _, text in errors] == ["expected ... in the same cell on the right"]
    text = source(rules="right [ Player | ... | Wall ] -> [ Player | Ma | Wall ]")
    assert len(compile_source(text)[1].tables.rules.line) == 1


def test_a_loop_point_inside_a_group_is_an_error_at_its_startloop():
    errors, _, weight = told(rules=f"startloop;{PUSH};endloop;+ {PUSH}")
    line = source(rules="startloop").split("\n").index("startloop") + 1
    assert errors == [(line, "expected startloop and endloop outside of groups, got one before a +")]
    assert weight == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "expected", "weight"),
    [
        ("RULES\n", "RULES\n=== junk\n", "=== junk", "expected nothing after a line of =", 1),
        ("title Check", "text_color foo", "text_color foo", "expected a colour such as red", 1),
        ("title Check", "background_color #12", "background_color #12", "expected a colour", 1),
        ("title Check", "color_palette gb", "color_palette gb", "expected a palette", 1),
        ("title Check", "youtub x, y", "youtub x, y", "did you mean 'youtube'?", 2),
        ("blue", "red " * 11, "red " * 11, "expected at most 10 colours of ma, got 11", 1),
        ("blue", "bleu", "bleu", "did you mean 'blue'?", 2),
        ("Ma\nMb\n", "Ma\nMb Targt\n", "Mb Targt", "did you mean 'target'?", 1),
        ("X = Mb or Ma", "X = Mb or\n", "X = Mb or", "expected `X = A`", 1),
        ("X = Mb or Ma", "X = Mb foo Ma", "X = Mb foo Ma", "expected and or or, got 'foo'", 2),
        ("SOUNDS\n", "SOUNDS\nCrat move 1", "Crat move 1", "did you mean 'crate'?", 1),
        ("SOUNDS\n", "SOUNDS\nCrate mov 1", "Crate mov 1", "did you mean 'move'?", 1),
        ("CONDITIONS\n", "CONDITIONS\nAll Crat", "All Crat", "did you mean 'crate'?", 2),
        ("CONDITIONS\n", "CONDITIONS\nAl Crate", "Al Crate", "did you mean 'all'?", 1),
    ],
)
def test_a_mistake_is_an_error_at_its_line(old, new, line, expected, weight):
    text = source().replace(old, new, 1)
    found = compile_source(text)[0].faults
    at = text.split("\n").index(line) + 1
    assert any(expected in fault.text and fault.line == at for fault in found.errors), found.errors
    assert found.weight == weight


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        ("title Check", "flickscreen 5x", "flickscreen 5x", "expected a size such as 8x5"),
        ("title Check", "title A\ntitle B", "title B", "title is set again"),
        ("title Check", "title A (b) c", "title A (b) c", "the rest is left out"),
        ("blue\n", "blue\n00000\n0000\n", "Ma 1", "expected 5 rows of 5 pixels of ma"),
        ("Ma\nMb\n", "Ma\nMb, Ma\n", "Mb, Ma", "expected 'ma' in one layer"),
        ("X = Mb or Ma", "X = Mb or Mb", "X = Mb or Mb", "expected 'mb' once"),
        ("SOUNDS\n", "SOUNDS\nCrate", "Crate", "expected the number of a sound"),
        ("SOUNDS\n", "SOUNDS\nsfx1 1\nsfx1 2", "sfx1 2", "sfx1 has a sound already"),
        ("LEVELS\n", "LEVELS\nmessage " + "word " * 100, "message " + "word " * 100, "12 lines"),
    ],
)
def test_what_is_odd_is_a_warning_at_its_line(old, new, line, expected):
    text = source().replace(old, new, 1)
    found = compile_source(text)[0].faults
    at = text.split("\n").index(line) + 1
    assert [fault.line for fault in found.warnings if expected in fault.text] == [at]
    assert found.weight == 0


def test_an_object_that_is_there_already_leaves_its_next_line_a_name():
    found, _ = compile_source(source().replace("Target O", "Background\ngreen\n\nTarget O"))
    assert "green" in found.objects
    assert [fault.weight for fault in found.faults.errors] == [1, 1, 1]  # twice; no colours; no layer


def test_a_sixth_pixel_of_a_last_row_is_a_further_name_of_the_object():
    found, _ = compile_source(source().replace("pink\n", "pink\n" + "0....\n" * 4 + "0....~\n"))
    assert found.members("~") == ("object", ("player",))


def test_a_name_that_is_defined_below_its_use_is_an_error_and_is_known():
    found, program = compile_source(source(legend="Any1 = Wall or More\nMore = Crate or Ma"))
    assert [fault.text for fault in found.faults.errors] == ["expected a name defined above, got 'more'"]
    assert found.members("any1") == ("property", ("wall", "crate", "ma"))
    assert program is not None


def test_names_that_lead_back_to_themselves_are_refused_in_one_line():
    found, program = compile_source(source(legend="one = two\ntwo = one"))
    assert program is None
    assert found.faults.errors[-1].text == "expected names that lead to an object, got two = one = two"
    assert compile_source(source(legend="D = D"))[0].faults.errors[0].text.endswith("got itself among them")


def test_more_than_a_hundred_messages_are_refused():
    levels = "/".join(["P..", *["P."] * 101])
    found, program = compile_source(source(levels=levels))
    assert program is None
    assert [fault.text for fault in found.faults.errors] == [
        "expected at most 100 mistakes and odd lines, got 101"
    ]


def test_too_many_levels_are_refused_in_one_line():
    found, program = compile_source(source(levels=";".join(["P.."] * 5001)))
    assert program is None
    assert [fault.text for fault in found.faults.errors] == ["expected at most 5,000 levels and messages"]
    assert compile_source(source(levels=";".join(["P.."] * 5000)))[1] is not None


def test_a_message_of_a_rule_keeps_its_parentheses():
    program = compile_source(source(rules="[ Crate ] -> message Hello (you)"))[1]
    assert list(program.messages.values()) == ["Hello (you)"]


# where they are told


def test_a_game_that_is_played_with_mistakes_tells_each_in_a_line(tmp_path, caplog):
    caplog.set_level(logging.WARNING, "levelsmith")
    file = tmp_path / "game.txt"
    text = source(rules=f"[ > Player | Crat ] -> [ > Player | ];{PUSH[:-2]}")
    file.write_text(text)
    assert find(str(file)) is not None
    first = text.split("\n").index("[ > Player | Crat ] -> [ > Player | ]") + 1
    wrong = "expected names of objects, got 'crat'; did you mean 'crate'?; it is played without that"
    assert [record.getMessage() for record in caplog.records] == [
        f"{file}: line {first}, column 14: {wrong}",
        f"{file}: line {first + 1}, column 1: expected ] for each [; this rule is left out",
    ]


def test_of_many_odd_lines_some_are_told_but_every_rule_that_is_left_out(tmp_path, caplog):
    caplog.set_level(logging.WARNING, "levelsmith")
    file = tmp_path / "game.txt"
    rules = ";".join([PUSH, *[PUSH[:-2]] * 6])
    file.write_text(source(rules=rules, levels="/".join(["P..", *["P."] * 30])))
    find(str(file))
    told = [record.getMessage() for record in caplog.records]
    assert [text.endswith("this rule is left out") for text in told] == [True] * 6 + [False] * 4
    assert told[-1] == f"{file}: and 27 more odd lines; the studio marks each at its line"


def test_games_that_ship_are_read_without_a_word(caplog):
    caplog.set_level(logging.WARNING, "levelsmith")
    for name in games.sources:
        games.get(name)
    assert not caplog.records


def test_a_page_is_told_mistakes_first_and_then_what_is_odd():
    found = explained(source(rules=f"{PUSH[:-2]};[ Crat ] -> [ ]"))["faults"]
    assert [(fault["text"], fault["odd"]) for fault in found] == [
        ("expected names of objects, got 'crat'; did you mean 'crate'?", False),
        ("expected ] for each [; this rule is left out", True),
    ]


PLUS, PATTERN = "PuzzleScript Plus and Next", "Pattern:Script and PuzzleScript Next"


@pytest.mark.parametrize(
    ("game", "word", "dialect"),
    [
        ({"prelude": "mouse_left Player"}, "mouse_left", PLUS),
        ({"rules": "[ Player ] -> quit"}, "quit", PLUS),
        ({"rules": "[ Player:up ] -> [ ]"}, "player:up", PATTERN),
        ({"rules": "[ Player ] -> gosub walk"}, "gosub", "PuzzleScript Next"),
    ],
)
def test_a_source_for_a_dialect_is_named_by_its_first_word(game, word, dialect):
    text = source(**game)
    line = next(i for i, row in enumerate(text.lower().split("\n"), 1) if word in row)
    fault = compile_source(text)[0].faults.told[0]
    assert fault.line == line
    assert fault.text.startswith(f"{word!r} is a word of {dialect}, which levelsmith does not read yet")


@pytest.mark.parametrize(
    "game",
    [
        {"prelude": "runtime_metadata_twiddling"},
        {"prelude": "TAGS"},
        {"prelude": "// a comment"},
        {"levels": "section One;P.."},
        {"legend": "MAPPINGS"},
    ],
)
def test_words_of_a_dialect_that_change_nothing_are_no_mistakes(game):
    found, program = compile_source(source(**game))
    assert program is not None
    assert not found.faults.told


def test_a_refused_source_for_a_dialect_is_refused_by_its_name_alone():
    settings = "\n".join(["sprite_size 8", "level_select", "nokeyboard", "foo", "bar", "baz"])
    with pytest.raises(
        LevelsmithError, match=r"^line 4, column 1: 'nokeyboard' is a word of .* PuzzleScript$"
    ):
        compile_game(source(prelude=settings))


def test_a_faulty_source_for_the_original_is_of_no_dialect():
    assert compile_source(source(rules="[ Foo ] -> [ Bar ]", prelude="undo"))[0].faults.dialect is None


def test_the_engines_agree_on_wounded_sources(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    from fuzz_sources import sources, wounded

    found = wounded(sources(None), 60, seed=4, twin=True)
    assert found["wrong"] == []
    assert found["inputs"] > 100
