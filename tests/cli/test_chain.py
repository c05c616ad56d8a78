"""`levelsmith chain` joins the levels of files and writes or draws the whole."""

from __future__ import annotations

from click.testing import CliRunner

from levelsmith import load
from levelsmith.cli import cli

ROOM = "######\n#@$ .#\n######\n"


def test_levels_of_several_files_become_one_with_its_solution(tmp_path):
    for name in ("a.xsb", "b.xsb"):
        (tmp_path / name).write_text(ROOM + "\n" + ROOM)
    target = tmp_path / "big.json"
    files = [str(tmp_path / "a.xsb"), str(tmp_path / "b.xsb#2")]
    result = CliRunner().invoke(cli, ["chain", *files, "-o", str(target)])
    assert result.exit_code == 0, result.output
    assert "joined 3 levels, wrote 1 to" in result.output
    (whole,) = load(target)
    assert whole.text.count("$") == 3
    assert whole.solution.count("R") == 6
