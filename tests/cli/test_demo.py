"""`levelsmith demo`: what it shows, what it writes, the same bytes each time, and what it refuses."""

import json
import os
import re
import signal
import subprocess
import sys
from urllib.parse import unquote

import pytest

import prepared
from levelsmith import load
from levelsmith.cli import main
from levelsmith.demo.folder import NAMES
from spent import wait_until_spent

COMMAND = [sys.executable, "-m", "levelsmith", "demo"]


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs the command in an empty folder; gives its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["levelsmith", "demo", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the demo in it, and what was printed."""
    folder = tmp_path_factory.mktemp("here")
    done = prepared.run(COMMAND, cwd=folder, check=True, capture_output=True, text=True, timeout=600)
    return folder / "demo", done.stdout


def test_it_shows_a_puzzle_a_level_and_a_cave_and_what_to_type_next(made):
    _, out = made
    assert re.search(
        r"^3 boxes, \d+ pushes \(proved fewest\), \d+ moves, difficulty [\d.]+ \(\w+\)$", out, re.M
    )
    assert re.search(r"^\d+ gold, \d enemies, won against the guards in \d+ ticks \(.*\)$", out, re.M)
    assert re.search(r"^\d+ steps from entry to exit$", out, re.M)
    assert out.count("\nsolution: ") == 2
    assert f"wrote {len(NAMES)} files to demo" in out
    assert os.path.join("demo", "index.html") in out
    assert "levelsmith studio" in out


def test_its_files_load_again_and_the_puzzles_go_from_easy_to_hard(made):
    folder, out = made
    assert sorted(file.name for file in folder.iterdir()) == sorted(NAMES)
    pack = load(folder / "sokoban.xsb")
    assert len(pack) == 6
    assert pack == load(folder / "sokoban.png")
    assert len(load(folder / "levels.json")) == 8
    assert load(folder / "loderunner.txt")[0].solution in out
    assert load(folder / "cave.svg") == load(folder / "cave.txt")
    levels = json.loads((folder / "levels.json").read_text())["levels"]
    ends = [level["provenance"]["want"]["difficulty"].split("..")[0] for level in levels[:6]]
    assert [float(end) for end in ends] == sorted(map(float, ends))


@pytest.mark.slow
def test_another_process_writes_the_same_bytes_over_what_was_there(made, tmp_path):
    folder, _ = made
    (tmp_path / "again").mkdir()
    for name in NAMES:
        (tmp_path / "again" / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "again" / "cave.txt").write_text("old")
    words = [*COMMAND, "again", "--json"]
    done = prepared.run(words, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=600)
    for name in NAMES:
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()
    told = json.loads(done.stdout)
    assert told["page"] == os.path.join("again", "index.html")
    assert [level["game"] for level in told["levels"]] == ["sokoban"] * 6 + ["loderunner", "binary"]
    assert done.stderr == ""


def test_the_page_names_no_address_but_that_of_svg(made):
    text = unquote((made[0] / "index.html").read_text())
    named = re.findall(r"""\w+://[^\s"'\\<>)]+|(?<=["'(=])//[\w.]+""", text)
    assert set(named) <= {"http://www.w3.org/2000/svg"}
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert not re.search(r'<(?:script|link|img)[^>]*(?:src|href)="(?!data:)', text)


@pytest.mark.parametrize("name", ["notes.txt", "index.html", "cave.txt"])
def test_a_folder_with_something_else_is_refused_in_one_line(run, tmp_path, name):
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / name).write_text("mine")
    status, out, err = run()
    assert (status, out) == (2, "")
    assert err == (
        "levelsmith: expected a new folder or one that the demo has written, "
        f"but 'demo' holds '{name}'; name another: levelsmith demo FOLDER\n"
    )
    assert (tmp_path / "demo" / name).read_text() == "mine"


def test_a_file_in_the_place_of_the_folder_is_refused(run, tmp_path):
    (tmp_path / "demo").write_text("mine")
    status, _, err = run()
    assert (status, err.count("\n")) == (2, 1)
    assert "'demo' is a file" in err


def test_a_wrong_number_is_refused_in_one_line(run):
    status, out, err = run("--seed", -1)
    assert (status, out, err.count("\n")) == (2, "", 1)


@pytest.mark.slow
def test_ctrl_c_ends_it_and_writes_nothing(tmp_path):
    process = prepared.Popen(
        COMMAND,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "LEVELSMITH_KERNELS": "plain"},  # which takes long enough
    )
    wait_until_spent(process, 2.0)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to everyone in the group
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted: nothing was written" in err
    assert "Traceback" not in err
    assert not (tmp_path / "demo").exists()
