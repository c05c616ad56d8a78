"""Commands in odd places: as a user without name and home, in a folder that is gone or closed."""

import os
import subprocess
import sys

import click
import pytest

from levelsmith.cli.group import Group
from levelsmith.errors import LevelsmithError

COMMAND = [sys.executable, "-m", "levelsmith"]
NOBODY = ["unshare", "--user", "--map-user=54321", "--map-group=54321"]  # a number that has no name
SPEC = """
[orchard]
objective = "spaced"
[experiment]
runs = 2
evaluations = 100
[[experiment.part]]
name = "searches"
search = ["random", "hc"]
"""


@pytest.fixture
def nobody(tmp_path):
    """Runs a command as a user without name, home, or anything else that a container may lack."""
    (tmp_path / "a.txt").write_text("; game: binary\n#.\n.#\n")
    (tmp_path / "box.xsb").write_text("#####\n#@$.#\n#####\n")
    (tmp_path / "small.toml").write_text(SPEC)
    try:
        able = subprocess.run([*NOBODY, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        able = False
    if not able:
        pytest.skip("unshare cannot make a user here")

    def start(*words, kept=True):
        cache = {"LEVELSMITH_CACHE": os.environ["LEVELSMITH_CACHE"]} if kept else {}
        return subprocess.Popen(
            [*NOBODY, *COMMAND, *words],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], **cache},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    yield start
    tmp_path.chmod(0o700)


def ended(process):
    """What a command printed, what it said, and its status."""
    out, err = process.communicate(timeout=200)
    return out, err, process.returncode


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--help", "Usage: levelsmith"),
        ("list games", "sokoban"),
        ("show a.txt", "#.\n.#\n"),
        ("generate orchard --seed 1", "; game: orchard\n"),
        ("solve box.xsb", "box.xsb  solved"),
    ],
)
def test_a_user_without_name_and_home_gets_answers(words, expected, nobody):
    out, err, status = ended(nobody(*words.split()))
    assert status == 0, err
    assert expected in out
    assert "Traceback" not in err


def test_a_user_without_name_and_home_runs_experiments(nobody):
    _, err, _ = ended(nobody("experiment", "run", "small.toml", "-o", "x.db", "--workers", "2"))
    assert err.endswith("4 of 4 runs are in x.db, 4 of them new\n")
    assert ended(nobody("experiment", "report", "x.db", "-o", "x.html")) == ("", "wrote x.html\n", 0)


@pytest.mark.slow
def test_a_user_without_name_and_home_opens_the_studio(nobody):
    process = nobody("studio", "--no-browser", "--port", "0")
    assert process.stdout.readline().startswith("levelsmith studio: http://127.0.0.1:")
    process.terminate()
    assert ended(process)[:2] == ("", "")


@pytest.mark.slow
def test_a_user_without_name_and_home_compiles_and_trains(nobody):
    pytest.importorskip("jax")
    made = ["generate", "binary", "--search", "hc", "--size", "6x6", "--count", "20"]
    made += ["--evaluations", "500", "--seed", "1"]
    _, err, status = ended(nobody(*made, "-o", "data.json", kept=False))
    assert status == 0, err
    trained = ["train", "binary", "--data", "data.json", "--steps", "3", "-o", "m.npz"]
    _, err, status = ended(nobody(*trained, kept=False))
    assert status == 0, err


@pytest.mark.parametrize(
    "words",
    [
        *("convert a.txt b.json", "experiment run small.toml -o x.db", "studio --no-browser --port 0"),
        *("generate orchard -o out/", "new-game mine"),
    ],
)
def test_a_folder_that_is_closed_is_told(words, nobody, tmp_path):
    tmp_path.chmod(0o500)
    _, err, status = ended(nobody(*words.split()))
    assert status == 2
    assert err.startswith("levelsmith: cannot write ")
    assert err.count("\n") == 1


def test_files_in_a_folder_that_is_closed_are_read(nobody, tmp_path):
    ended(nobody("experiment", "run", "small.toml", "-o", "x.db", "--workers", "1"))
    (tmp_path / "open").mkdir()
    tmp_path.chmod(0o500)
    merged = nobody("experiment", "merge", "open/y.db", "x.db")
    assert ended(merged)[1] == "wrote 4 runs to open/y.db, which has 4 now\n"
    assert ended(nobody("experiment", "status", "x.db"))[0].startswith("small, levelsmith")


def in_a_folder_that_is_gone(tmp_path, *words):
    (tmp_path / "gone").mkdir()
    line = f'cd "{tmp_path}/gone" && rmdir "{tmp_path}/gone" && exec "$@"'
    return subprocess.run(
        ["bash", "-c", line, "-", *COMMAND, *words], capture_output=True, text=True, check=False
    )


def test_a_folder_that_is_gone_is_told_where_it_matters(tmp_path):
    (tmp_path / "a.txt").write_text("; game: binary\n#.\n.#\n")
    (tmp_path / "small.toml").write_text(SPEC)
    done = in_a_folder_that_is_gone(tmp_path, "show", str(tmp_path / "a.txt"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "#.\n.#\n", "")
    spec = str(tmp_path / "small.toml")
    for output in ("x.db", str(tmp_path / "x.db")):  # workers are started in this folder too
        done = in_a_folder_that_is_gone(
            tmp_path, "experiment", "run", spec, "-o", output, "--workers", "2", "--evaluations", "1M"
        )
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1] == (
            "levelsmith: the folder you are in was removed; go to another with cd and type the same again"
        )


def test_a_process_that_went_away_is_told_and_no_reader_is_blamed():
    @click.command()
    def work():
        raise BrokenPipeError

    with pytest.raises(LevelsmithError, match=r"has ended too soon .*, or with --workers 1"):
        Group(commands={"work": work}).main(["work"], standalone_mode=False)
