"""The files of a new game are a game that works: they install, and their own tests pass."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest

from levelsmith.cli import main
from levelsmith.games.skeleton import files


def said(monkeypatch, capsys, *words):
    monkeypatch.setattr(sys, "argv", ["levelsmith", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, *capsys.readouterr()


def test_a_new_game_installs_and_its_tests_pass(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    code, out, err = said(monkeypatch, capsys, "new-game", "dark_caves")
    assert code == 0
    assert err == "next: pip install --editable dark_caves\n"
    assert out.split() == [f"dark_caves/{path}" for path in files("dark_caves")]
    install = ["install", "--no-deps", "--no-build-isolation", "--target", "plugins", "./dark_caves"]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    environment = {**os.environ, "LEVELSMITH_KERNELS": "plain"}
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(tmp_path / "plugins"), environment.get("PYTHONPATH", "")]
    )
    for words in (["pytest", "-q", "dark_caves/tests"], ["levelsmith", "list", "games"]):
        done = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "dark_caves  treasures in a maze" in done.stdout


def test_the_files_carry_the_name_and_nothing_is_left_of_the_model():
    made = files("dark_caves")
    assert list(made) == [
        "pyproject.toml",
        "README.md",
        "src/dark_caves/__init__.py",
        "tests/test_dark_caves.py",
    ]
    assert tomllib.loads(made["pyproject.toml"])["project"]["entry-points"]["levelsmith.games"] == {
        "dark_caves": "dark_caves:GAME"
    }
    assert "class DarkCaves(OwnGame)" in made["src/dark_caves/__init__.py"]
    assert "mygame" not in "".join(made.values()).lower()
    assert made["src/dark_caves/__init__.py"].count("\n") < 70


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Caves", "expected a name of small letters, digits and _ such as dark_caves, got 'Caves'"),
        ("dark-caves", "expected a name of small letters, digits and _ such as dark_caves, got 'dark-caves'"),
        ("../caves", "expected a name of small letters, digits and _ such as dark_caves, got '../caves'"),
        ("2048", "expected a name of small letters, digits and _ such as dark_caves, got '2048'"),
        ("class", "expected a name of small letters, digits and _ such as dark_caves, got 'class'"),
        ("sokoban", "a game called 'sokoban' exists already; choose another name"),
        ("json", "Python has a module called 'json' already; choose another name"),
        ("numpy", "Python has a module called 'numpy' already; choose another name"),
    ],
)
def test_a_name_that_will_not_do_is_refused(name, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert said(monkeypatch, capsys, "new-game", name) == (2, "", f"levelsmith: {message}\n")
    assert not list(tmp_path.iterdir())


def test_a_folder_with_something_in_it_is_left_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "caves").mkdir()
    assert said(monkeypatch, capsys, "new-game", "caves")[0] == 0  # an empty one will do
    (tmp_path / "caves" / "README.md").write_text("mine")
    code, _, err = said(monkeypatch, capsys, "new-game", "caves")
    assert code == 2
    assert "expected a new folder or an empty one, but 'caves' is there already; take another, with -o" in err
    assert (tmp_path / "caves" / "README.md").read_text() == "mine"
    (tmp_path / "file").write_text("")
    assert said(monkeypatch, capsys, "new-game", "caves", "-o", "file")[0] == 2
