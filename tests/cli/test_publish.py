"""`levelsmith publish` says what it wrote and what is not proved, and its mistakes in one line."""

import pytest
from click.testing import CliRunner

from levelsmith import parse, save
from levelsmith.cli import cli
from levelsmith.errors import LevelsmithError

ROOM = parse("######\n#@$ .#\n######", "sokoban")
LOST = parse("#####\n#@ $#\n# . #\n#####", "sokoban")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save([ROOM, LOST], "made.xsb")

    def invoke(*words):
        result = CliRunner().invoke(cli, ["publish", *words, "--workers", "1"], standalone_mode=False)
        if isinstance(result.exception, LevelsmithError):
            return 2, result.exception.for_command_line
        assert result.exception is None, result.exception
        return result.return_value, result.output

    return invoke


def test_a_folder_an_archive_or_both_are_written_and_what_is_not_proved_is_named(run, tmp_path):
    status, told = run("made.xsb#1", "-o", "site/", "--zip")
    assert (status, (tmp_path / "site.zip").is_file()) == (0, True)
    assert "proved: 1 of 1, 1 with the fewest" in told
    assert "wrote 1 level to site and site.zip: a page of" in told
    status, told = run("made.xsb", "-o", "rooms.zip")
    assert (status, (tmp_path / "rooms.zip").is_file(), (tmp_path / "rooms").exists()) == (1, True, False)
    assert "not proved: level 2: cannot be won (proved)" in told
    status, _ = run("made.xsb", "-o", "site/")
    assert sorted(file.name for file in (tmp_path / "site").iterdir()) == ["cover.png", "index.html"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["made.xsb", "-o", "made.xsb"], "expected a folder to write to, but 'made.xsb' is a file"),
        (["made.xsb", "-o", "."], "holds 'made.xsb'; name another: -o FOLDER"),
        (["none.xsb", "-o", "site"], "no file is called 'none.xsb'"),
        (["made.xsb", "-o", "site", "--colour", "red"], "expected a colour such as #0b6556, got 'red'"),
        (["made.xsb", "-o", "site", "--sprites", "no"], "expected a folder of pictures, got 'no'"),
    ],
)
def test_a_mistake_is_one_line(run, words, told):
    status, line = run(*words)
    assert status == 2
    assert told in line
    assert "\n" not in line


def test_a_playground_needs_no_pack(run, tmp_path):
    status, told = run("--playground", "-o", "play/", "--title", "Mine")
    assert status == 0
    assert "wrote play: a page of" in told
    assert "<title>Mine</title>" in (tmp_path / "play" / "index.html").read_text()
    assert run("-o", "site/")[1].endswith("got neither")
    assert run("made.xsb", "--playground", "-o", "site/")[1].endswith("got both")
    assert "--no-hints is for packs" in run("--playground", "-o", "site/", "--no-hints")[1]
