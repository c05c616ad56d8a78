"""Files are written whole or not at all, and what a killed process left is cleared by the next one."""

from __future__ import annotations

import os
import signal
import stat
import threading

import pytest

from levelsmith import files
from levelsmith.errors import LevelsmithError
from levelsmith.files import write_files

posix = pytest.mark.skipif(os.name == "nt", reason="links, pipes and processes are POSIX's")


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(files, "_cleared", set())


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_files_appear_in_folders_that_are_made_for_them(tmp_path):
    write_files({tmp_path / "a" / "b.txt": b"1", tmp_path / "c.txt": b"2"})
    assert (tmp_path / "a" / "b.txt").read_bytes() == b"1"
    assert names(tmp_path) == ["a", "c.txt"]


def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path, monkeypatch):
    (tmp_path / "old.txt").write_bytes(b"old")
    (tmp_path / "folder").mkdir()
    with pytest.raises(LevelsmithError, match=r"cannot write '.*folder'"):
        write_files({tmp_path / "folder": b"new"})
    monkeypatch.setattr(
        os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    with pytest.raises(LevelsmithError, match=r"cannot write '.*old.txt': No space left"):
        write_files({tmp_path / "old.txt": b"new"})
    assert names(tmp_path) == ["folder", "old.txt"]
    assert (tmp_path / "old.txt").read_bytes() == b"old"


@posix
def test_what_a_killed_process_left_is_cleared_and_what_others_have_is_not(tmp_path):
    process = os.fork()
    if process == 0:
        os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        write_files({tmp_path / "a.txt": b"half"})
        os._exit(0)
    os.waitpid(process, 0)
    (left,) = names(tmp_path)
    others = [
        left.replace(f"-{process}-", f"-{os.getpid()}-"),  # of a process that lives
        left.replace(f"-{files.HOST}-", "-elsewhere-"),  # of another machine
        ".levelsmith-settings",
    ]
    for name in others:
        (tmp_path / name).write_text("kept")
    write_files({tmp_path / "b.txt": b"whole"})
    assert names(tmp_path) == sorted([*others, "b.txt"])


@posix
def test_a_link_is_followed_and_stays(tmp_path):
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_files({tmp_path / "link.txt": b"new"})
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"


@posix
def test_a_pipe_stays_one(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    read = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_files({tmp_path / "pipe": b"level"})
    reader.join(10)
    assert read == [b"level"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@posix
def test_files_have_the_mode_that_the_user_gives_new_files(tmp_path):
    before = os.umask(0o027)
    try:
        write_files({tmp_path / "a.txt": b""})
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640
