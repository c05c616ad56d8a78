"""Where numba keeps what it compiles: in a folder of this user alone, with nothing else touched.

Numba unpickles what lies there, and that runs code. So a folder is used only if it is this user's, closed to
others and no link. Where no such folder can be had, a private one serves this process and those that it
starts. What is built ahead of time does not lie here, and nothing is read from here for it.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import multiprocessing
import os
import shutil
import stat
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

VARIABLE = "LEVELSMITH_CACHE"
OWN = "levelsmith-cache"  # the folder in the one that the variable names: all else there is somebody's
KEPT_DAYS = 30  # folders of older sources are removed after that long without use
MARKER = "CACHEDIR.TAG"  # by this name and first line, programs that make backups pass a cache over
MARK = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n# Code that levelsmith has compiled and can do without.\n"
)
OPENED = os.O_NOFOLLOW | os.O_NONBLOCK if hasattr(os, "O_NOFOLLOW") else 0  # a pipe or a link is no entry


@cache
def cache_folder(name: str) -> Path | None:
    """Returns the folder called `name` in the cache, made and marked if need be; None where there is none."""
    home = cache_home()
    if home is None:
        return None
    folder = home / name
    try:
        make_private(folder)
    except OSError as error:
        warn(f"cannot use the compile cache {folder} ({error.strerror}); what is compiled is not kept")
        return None
    with contextlib.suppress(OSError):  # one that can only be read is of use too
        _mark(folder)
        os.utime(folder)
        _remove_old(folder)
    return folder


@cache
def cache_home() -> Path | None:
    """Returns the folder that holds all folders of the cache: the user's, or a private one for now."""
    try:
        *outer, own, inner = _user_folders()
        for folder in reversed(outer):
            folder.mkdir(mode=0o700, exist_ok=True)
        for folder in (own, inner):
            make_private(folder)
    except (OSError, RuntimeError) as error:  # RuntimeError: nobody knows where this user is at home
        return _temporary_home(error)
    return inner


def _user_folders() -> list[Path]:
    """Returns the folders to make: those around ours that are missing, outermost last, then our two."""
    name = "levelsmith"
    if asked := os.environ.get(VARIABLE):
        around, name = Path(asked).absolute(), OWN
    elif sys.platform == "win32":
        around = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    else:
        around = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    missing = [folder for folder in (around, *around.parents) if not folder.exists()]
    return [*missing, around / name, around / name / "kernels"]


def _temporary_home(error: Exception) -> Path | None:
    """Makes a folder for this process and those that it starts, removed when it ends."""
    reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
    try:
        around = Path(tempfile.mkdtemp(prefix="levelsmith-"))
        atexit.register(_remove_own, around, os.getpid())
        home = around / OWN / "kernels"
        make_private(home.parent)
        make_private(home)
    except OSError:
        warn(f"no compile cache can be used ({reason}); what is compiled is not kept")
        return None
    os.environ[VARIABLE] = str(around)
    warn(
        f"the compile cache cannot be used ({reason}); what is compiled is kept until this ends; "
        f"{VARIABLE}=FOLDER names another place"
    )
    return home


def _remove_own(folder: Path, process: int) -> None:
    if os.getpid() == process:  # a fork of it does not remove what its parent uses
        shutil.rmtree(folder, ignore_errors=True)


def make_private(folder: Path) -> None:
    """Makes a folder that only this user may enter, or raises OSError for one there that is not so."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(0, "expected a folder, got a link or a file", str(folder))
    if not _is_own(found):
        raise PermissionError(0, "expected a folder of your own that others cannot write to", str(folder))
    if hasattr(os, "geteuid") and found.st_mode & 0o077:
        os.chmod(folder, 0o700)


def _is_own(found: os.stat_result) -> bool:
    """Returns whether a file or folder is this user's and nobody else can write to it."""
    if not hasattr(os, "geteuid"):  # Windows, where the profile is the user's alone
        return True
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _mark(folder: Path) -> None:
    if not _is_marked(folder):
        _write_whole(folder / MARKER, MARK)


def _is_marked(folder: Path) -> bool:
    return _read_own(folder / MARKER) == MARK


def _remove_old(current: Path) -> None:
    """Removes what older sources were compiled to: folders beside the current one that carry our mark."""
    oldest = time.time() - KEPT_DAYS * 86_400
    for folder in current.parent.iterdir():
        with contextlib.suppress(OSError):  # another process may be removing it too
            found = folder.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_mtime < oldest and _is_marked(folder):
                shutil.rmtree(folder, ignore_errors=True)


@cache
def warn(message: str) -> None:
    """Says something once, and only in the process that was started by a person."""
    if multiprocessing.parent_process() is None:
        logging.getLogger("levelsmith").warning("levelsmith: %s", message)


def _read_own(path: Path) -> bytes | None:
    """Returns the bytes of a file that is this user's; the file that was checked is the one that is read."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | OPENED), "rb") as file:
            found = os.fstat(file.fileno())
            if stat.S_ISREG(found.st_mode) and _is_own(found):
                return file.read()
    except OSError:
        pass
    return None


def is_writable(folder: Path) -> bool:
    """Returns whether something can be kept in a folder; tells where not."""
    try:
        _write_whole(folder / ".try", b"?")
    except OSError as error:
        warn(f"cannot keep what is compiled in {folder} ({error.strerror}); the next start compiles again")
        return False
    return True


def _write_whole(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
