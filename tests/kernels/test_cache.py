"""Where numba keeps what it compiles: it runs nobody else's code and removes nobody's files."""

from __future__ import annotations

import logging
import os
import pickle
import stat
import sys
import time
from errno import EACCES, ENOSPC
from pathlib import Path

import numba
import pytest

from levelsmith.kernels import cache, jit
from levelsmith.kernels.compile import kernel

posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes of files are POSIX's")


def add_three(number):
    return number + 3


@pytest.fixture
def compile(tmp_path, monkeypatch):
    """Compiles a small kernel as a new process would, with a cache of its own; returns whether it had to."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))

    def run():
        for remembered in (cache.cache_home, cache.cache_folder, cache.warn, jit._compiled):
            remembered.cache_clear()
        made = kernel(add_three)
        assert made(4) == 7
        return sum(jit.compiled(made).stats.cache_misses.values()) > 0

    yield run
    for remembered in (cache.cache_home, cache.cache_folder, cache.warn, jit._compiled):
        remembered.cache_clear()


@pytest.fixture
def warnings(caplog):
    caplog.set_level(logging.WARNING, "levelsmith")
    return lambda: [record.getMessage() for record in caplog.records]


def entry(folder):
    (found,) = folder.glob(f"{cache.OWN}/kernels/*/**/*add_three-*.nbi")
    return found


def test_what_is_compiled_once_is_found_again(compile, tmp_path):
    assert compile()
    assert not compile()
    assert entry(tmp_path).is_file()


# ----------------------------------------------------------------------------------------- nobody else's code


class Evil:
    """Unpickled, it leaves a file."""

    def __init__(self, trace):
        self.trace = trace

    def __reduce__(self):
        return (os.mkdir, (str(self.trace),))


def plant(path, trace):
    """Puts a pickle in the place of an entry, after the version that numba expects."""
    path.write_bytes(pickle.dumps(numba.__version__) + pickle.dumps(Evil(trace)))


def give_away(path, monkeypatch):
    """Makes a file or folder somebody else's: really where that may be."""
    if os.geteuid() == 0:
        os.chown(path, 12_345, 12_345)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)


@posix
@pytest.mark.parametrize("place", ["", "kernels"], ids=["own", "kernels"])
@pytest.mark.parametrize("wrong", ["another user's", "open to others", "a link"])
def test_a_folder_that_is_not_ours_alone_is_not_used(compile, tmp_path, monkeypatch, warnings, place, wrong):
    compile()
    folder = tmp_path / cache.OWN / place
    before = entry(tmp_path).read_bytes()
    plant(entry(tmp_path), tmp_path / "trace")
    if wrong == "a link":
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
    elif wrong == "open to others":
        folder.chmod(0o777)
    else:
        give_away(folder, monkeypatch)
    assert compile()
    assert not (tmp_path / "trace").exists()
    home = cache.cache_home()
    assert tmp_path not in home.parents
    assert [stat.S_IMODE(path.stat().st_mode) for path in (home, *home.parents[:2])] == [0o700] * 3
    assert str(folder) in warnings()[0]
    assert entry(tmp_path).read_bytes() != before  # what was planted stays where it was


@posix
def test_a_folder_of_ours_that_others_could_read_is_closed(compile, tmp_path):
    compile()
    (tmp_path / cache.OWN).chmod(0o755)
    assert not compile()
    assert stat.S_IMODE((tmp_path / cache.OWN).stat().st_mode) == 0o700


TELL = """
import multiprocessing, sys
from levelsmith.kernels import cache


def told(names):
    names.put(str(cache.cache_home()))


if __name__ == "__main__":
    print(cache.cache_home())
    context = multiprocessing.get_context("spawn")
    names = context.Queue()
    worker = context.Process(target=told, args=(names,))
    worker.start()
    print(names.get(timeout=60))
    worker.join()
"""


UNKNOWN_USER = """
import os, pwd

def getpwuid(uid):
    raise KeyError(uid)

pwd.getpwuid = getpwuid
os.environ.pop("HOME", None)
"""


@posix
@pytest.mark.parametrize("home", ["file/cache", ""], ids=["no folder", "no home"])
def test_without_a_home_a_private_folder_serves_this_process_and_its_workers(python, tmp_path, home):
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "tell.py").write_text(TELL)
    environment = {cache.VARIABLE: str(tmp_path / home) if home else "", "XDG_CACHE_HOME": ""}
    program = UNKNOWN_USER if not home else ""
    program += "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
    done = python(program, tmp_path / "tell.py", TMPDIR=str(tmp_path), check=False, **environment)
    assert done.returncode == 0, done.stderr
    first, second = map(Path, done.stdout.split())
    assert first == second
    assert first.parents[2] == tmp_path
    assert not first.parents[1].exists()  # removed at the end
    assert len(done.stderr.splitlines()) == 1
    assert "compile cache cannot be used" in done.stderr


# --------------------------------------------------------------------------------------------- nobody's files


def test_old_folders_of_ours_are_removed_and_nothing_else(compile, tmp_path):
    compile()
    home = cache.cache_home()
    marked, young, unmarked = home / ("0" * 16), home / ("1" * 16), home / ("2" * 16)
    beside = [tmp_path / "Photos-from-2019", tmp_path / cache.OWN / ("3" * 16), home / "Photos-from-2019"]
    linked = home / ("4" * 16)
    for folder in (marked, young, unmarked, *beside):
        folder.mkdir()
        (folder / "kept.txt").write_text("mine")
    (tmp_path / cache.MARKER).write_bytes(cache.MARK)  # what a link leads to is not ours
    linked.symlink_to(tmp_path)
    for folder in (marked, young):
        (folder / cache.MARKER).write_bytes(cache.MARK)
        (folder / cache.MARKER).chmod(0o600)
    (unmarked / cache.MARKER).write_bytes(
        b"Signature: 8a477f597d28d172789f06886806bc55\n# by another program\n"
    )
    long_ago = time.time() - 40 * 86_400
    for folder in (marked, unmarked, *beside):
        os.utime(folder, (long_ago, long_ago))
    os.utime(linked, (long_ago, long_ago), follow_symlinks=False)
    compile()
    assert not marked.exists()
    assert linked.is_symlink()
    for folder in (young, unmarked, *beside):
        assert (folder / "kept.txt").read_text() == "mine"


@pytest.mark.parametrize("error", [ENOSPC, EACCES], ids=["full", "read-only"])
def test_a_cache_that_cannot_be_written_is_a_slow_start_and_one_line(
    compile, tmp_path, monkeypatch, warnings, error
):
    def refuse(*args, **options):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(cache.tempfile, "mkstemp", refuse)
    assert compile()
    assert len(warnings()) == 1
    assert os.strerror(error) in warnings()[0]


@posix
@pytest.mark.parametrize("place", ["", "kernels"], ids=["own", "kernels"])
def test_a_file_where_a_folder_should_be_is_left_alone(compile, tmp_path, warnings, place):
    file = tmp_path / cache.OWN / place
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_text("mine")
    assert compile()
    assert file.read_text() == "mine"
    assert "expected a folder" in warnings()[0]


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no file can grow, as on a full disk
from levelsmith.kernels.compile import kernel

@kernel
def add(number):
    return number + 3

print(add(4))
"""


@posix
def test_a_process_that_can_write_nothing_compiles_in_memory(python, tmp_path):
    done = python(FULL, LEVELSMITH_CACHE=str(tmp_path), check=False)
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "cannot keep what is compiled" in done.stderr
