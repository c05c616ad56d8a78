"""One writer for a file or folder, whatever somebody else has put in the place of its lock."""

import os
import socket

import pytest

from levelsmith.errors import LevelsmithError
from levelsmith.files import Lock


def refused(path, hint=""):
    with pytest.raises(LevelsmithError) as caught:
        Lock(path, hint)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_second_lock_is_refused_until_the_first_is_released(tmp_path):
    with Lock(tmp_path / "x"):
        assert refused(tmp_path / "x") == (
            f"{tmp_path}/x is being written by another process; wait for it to end, or take another name"
        )
        assert refused(tmp_path / "x", "levelsmith list").endswith("another name (levelsmith list)")
    assert os.listdir(tmp_path) == []
    Lock(tmp_path / "x").release()


def test_a_lock_that_a_dead_process_left_holds_nobody_up(tmp_path, python):
    python(
        "import os, sys; from levelsmith.files import Lock; Lock(sys.argv[1]); os._exit(0)", tmp_path / "x"
    )
    assert os.listdir(tmp_path) == ["x-writer"]
    Lock(tmp_path / "x").release()
    assert os.listdir(tmp_path) == []


def test_all_names_of_a_place_share_one_lock(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "one").symlink_to("folder")
    (tmp_path / "two").symlink_to(tmp_path / "one")
    with Lock(tmp_path / "folder/"):
        for name in ("folder", "one", "two", "one/"):
            assert "is being written" in refused(f"{tmp_path}/{name}")
    with Lock(tmp_path / "two"):
        assert "is being written" in refused(tmp_path / "folder")


def bind(path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(path.name)


PLANTED = {
    "a link": lambda path: path.symlink_to(path.parent / "mine"),
    "a dangling link": lambda path: path.symlink_to(path.parent / "nothing"),
    "a pipe": os.mkfifo,
    "a folder": os.mkdir,
    "a socket": bind,
    "a file with something in it": lambda path: path.write_text("dear diary"),
}


@pytest.mark.parametrize("what", PLANTED)
def test_what_is_no_lock_file_is_refused_and_stays(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a socket's path must be short
    (tmp_path / "mine").write_text("dear diary")
    PLANTED[what](tmp_path / "x-writer")
    before = sorted(os.listdir(tmp_path))
    assert refused(tmp_path / "x") == (
        f"cannot write {tmp_path}/x: expected {tmp_path}/x-writer to be an empty file of yours or not to be "
        "there; remove it, or take another name"
    )
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "mine").read_text() == "dear diary"


def test_releasing_removes_nothing_else(tmp_path):
    with Lock(tmp_path / "x"):
        (tmp_path / "x-writer").unlink()
        (tmp_path / "x-writer").write_text("another's")
    assert (tmp_path / "x-writer").read_text() == "another's"


def test_a_folder_that_is_not_there_is_told(tmp_path):
    assert refused(tmp_path / "no" / "x") == f"cannot write {tmp_path}/no/x: No such file or directory"
