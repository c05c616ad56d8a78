"""The tools that measure Lode Runner levels say in one line what they cannot use."""

import importlib
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.mark.parametrize(
    ("tool", "words", "message"),
    [
        ("follow", ["--game", "nope"], "follow: no game that environments play is called 'nope'"),
        ("follow", ["--count", "0"], "follow: expected a number from 1 .*of levels, got '0'"),
        ("follow", ["--count", "-1"], "follow: expected a number from 1 .*of levels, got '-1'"),
        ("follow", ["--seed", "-1"], "follow: expected a seed from 0 .*got '-1'"),
        ("follow", ["nope.txt"], "follow: .*nope.txt"),
        ("improved", ["nope.txt"], "improved: .*nope.txt"),
        ("improved", ["--count", "0"], "improved: expected a number from 1 .*of levels, got '0'"),
        ("mirror", ["nope.txt"], "mirror: .*nope.txt"),
        ("mirror", ["--count", "1"], "mirror: expected a number from 2 .*of levels, got '1'"),
        ("originals", ["nope"], "originals: expected a folder of levels as .txt files, got none in nope"),
        (
            "originals",
            ["named"],
            "originals: expected files called by numbers, such as Level 1.txt, got 'notes.txt'",
        ),
        ("originals", ["two"], "originals: expected one level in .*, got 2"),
        ("originals", ["two", "--states", "0"], "originals: expected a number from 1 .*of games, got '0'"),
        ("originals", ["two", "-o", "named/notes.txt/x.md"], "originals: cannot write .*: .* is no folder"),
    ],
)
def test_what_a_tool_cannot_use_is_told_in_one_line(tool, words, message, tmp_path, monkeypatch):
    for folder, file, text in (("named", "notes.txt", "M"), ("two", "Level 1.txt", f"{LEVEL}\n\n{LEVEL}")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file).write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(TOOLS))
    monkeypatch.setattr("sys.argv", [tool, *words])
    with pytest.raises(SystemExit, match=message) as stopped:
        importlib.import_module(tool).main()
    assert "\n" not in str(stopped.value)


@pytest.mark.slow
def test_a_level_without_a_plan_is_improved_as_one_with_it_and_one_that_nobody_wins_is_named(
    tmp_path, monkeypatch, capsys
):
    walled = LEVEL.replace("M....G", "M.BB.G").replace("......\nM", "..BB..\nM")
    (tmp_path / "two.txt").write_text(f"{LEVEL}\n\n{walled}")
    monkeypatch.syspath_prepend(str(TOOLS))
    monkeypatch.setattr("sys.argv", ["improved", str(tmp_path / "two.txt")])
    importlib.import_module("improved").main()
    head, first, second, told, *_ = capsys.readouterr().out.splitlines()
    assert first.count("|") == head.count("|")
    assert second == "2 | no plan that wins was found"
    assert told == "1 of 2 levels are handed out, 0 of them easier"


LEVEL = "\n".join(["......"] * 4 + ["M....G", "bbbbbb"])
