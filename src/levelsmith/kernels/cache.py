"""Compiled code on disk: in a folder of this user alone, each entry with its digest, nothing else touched.

What lies here is unpickled, and that runs code. So a folder is used only if it is this user's, closed to
others and no link, and so is every file in it; an entry that does not fit its digest is compiled again.
Where no such folder can be had, a private one serves this process and those that it starts.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import logging
import multiprocessing
import os
import pickle
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite import __version__ as llvmlite_version
from numba import types
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from levelsmith.kernels.interrupts import held

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

VARIABLE = "LEVELSMITH_CACHE"
OWN = "levelsmith-cache"  # the folder in the one that the variable names: all else there is somebody's
KEPT_DAYS = 30  # folders of older sources are removed after that long without use
WAIT_SECONDS = 300.0  # for another process that compiles the same, before this one does so too
LARGEST = 1 << 28  # bytes of an entry; the largest kernel takes a few million
DIGEST = hashlib.sha256().digest_size
MARKER = "CACHEDIR.TAG"  # by this name and first line, programs that make backups pass a cache over
MARK = (
    b"Signature: 8a477f597d28d172789f06886806bc55\n# Code that levelsmith has compiled and can do without.\n"
)
OPENED = os.O_NOFOLLOW | os.O_NONBLOCK if hasattr(os, "O_NOFOLLOW") else 0  # a pipe or a link is no entry


# --------------------------------------------------------------------------------------------------- folders


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


# --------------------------------------------------------------------------------------------------- entries


def read_entry(path: Path) -> bytes | None:
    """Returns what was written there; None where nothing is, or something else."""
    data = _read_own(path)
    return None if data is None else undigested(data)


def write_entry(path: Path, data: bytes) -> None:
    """Writes data and its digest, whole or not at all."""
    _write_whole(path, digested(data))


def digested(data: bytes) -> bytes:
    """Returns data with its digest before it."""
    return hashlib.sha256(data).digest() + data


def undigested(data: bytes) -> bytes | None:
    """Returns the data after a digest; None where it is not the digest of that."""
    found = data[DIGEST:]
    return found if hashlib.sha256(found).digest() == data[:DIGEST] else None


def _read_own(path: Path) -> bytes | None:
    """Returns the bytes of a file that is this user's; the file that was checked is the one that is read."""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | OPENED), "rb") as file:
            found = os.fstat(file.fileno())
            if stat.S_ISREG(found.st_mode) and _is_own(found) and found.st_size <= LARGEST:
                return file.read()
    except OSError:
        pass
    return None


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


# ----------------------------------------------------------------------------------------------- numba's side


class DiskCache(NullCache):
    """What numba asks for compiled code. Of processes that miss the same at once, one compiles, others wait.

    Args:
        function: the function that is compiled.
        folder: the folder for a signature; None for nowhere.
        waits: called with the function's name and None when it begins to wait for another process, and
            with the seconds when that is over.
    """

    def __init__(
        self,
        function: Any,
        folder: Callable[[Any], Path | None],
        waits: Callable[[str, float | None], None],
    ):
        self._function, self._folder, self._waits = function, folder, waits
        self._held: Any = None

    def load_overload(self, sig: Any, target: Any) -> Any:
        path = self._path(sig, target.codegen())
        found = path and self._load(read_entry(path), target)
        if found is None:
            found = self._load(self.shipped(sig, target.codegen()), target)
        if found is None and path is not None:
            self.missed()
        if found is None and path is not None and fcntl is not None:
            with contextlib.suppress(OSError):  # a folder that cannot be locked: each compiles its own
                self._wait(path)
                found = self._load(read_entry(path), target)
        if found is not None:
            self.let_go()
        return found

    def _load(self, data: bytes | None, target: Any) -> Any:
        if data is None:
            return None
        try:
            with held:
                return self.rebuild(target, pickle.loads(data))  # noqa: S301
        except Exception:  # of another machine or version, whatever its key says: compiled again
            return None

    def save_overload(self, sig: Any, made: Any) -> None:
        try:
            path = self._path(sig, made.codegen)
            if path is not None and not self.is_bound(made):
                with held:
                    data = dumps(self.reduce(made))
                write_entry(path, data)
        except OSError as error:
            warn(f"cannot keep what is compiled ({error.strerror or error}); next time it is compiled again")
        finally:
            self.let_go()

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        folder = self._folder(sig)
        return None if folder is None else folder / self.name(sig, self.machine(codegen))

    def name(self, sig: Any, machine: Any) -> str:
        return entry_name(self._function, sig, machine)

    def _wait(self, path: Path) -> None:
        """Takes the lock on an entry, after whoever holds it; but not for ever."""
        handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | OPENED, 0o600)
        self._held = os.fdopen(handle, "r+b", buffering=0)
        started, told = time.perf_counter(), False
        while not _is_locked(self._held) and time.perf_counter() - started < WAIT_SECONDS:
            if not told:
                told = True
                self._waits(self._function.__name__, None)
            time.sleep(0.02)
        if told:
            self._waits(self._function.__name__, time.perf_counter() - started)

    def let_go(self) -> None:
        """Gives the lock back, if it is held; the system does so for a process that dies."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def missed(self) -> None:
        """Does nothing; called where nothing is kept, before anyone waits or compiles."""

    # What differs between processors and GPUs.

    def machine(self, codegen: Any) -> Any:
        """Returns what code is compiled for."""
        return machine_of(codegen)

    def shipped(self, sig: Any, codegen: Any) -> bytes | None:
        """Returns compiled code that came with the package and fits; None where there is none."""
        return None

    def reduce(self, made: Any) -> Any:
        return made._replace(type_annotation="")._reduce()  # it tells where the sources lay

    def rebuild(self, target: Any, data: Any) -> Any:
        return CompileResult._rebuild(target, *data)

    def is_bound(self, made: Any) -> bool:
        """Returns whether the code holds addresses of this process, so that no other one can run it."""
        return bool(made.library.has_dynamic_globals)


def _is_locked(file: Any) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def entry_name(function: Any, sig: Any, machine: Any, *more: Any) -> str:
    """Names an entry after all that decides about the code and that the folder's name does not tell."""
    cells = function.__closure__ or ()
    told = (
        *(sys.version_info[:2], numba.__version__, llvmlite_version, machine),
        *(function.__module__, function.__qualname__, _told(function.__code__)),
        *(sig, tuple(map(_classes, sig.args if hasattr(sig, "args") else sig))),
        [dumps(cell.cell_contents) for cell in cells],
        *more,
    )
    return f"{function.__name__}-{hashlib.sha256(repr(told).encode()).hexdigest()[:24]}"


def _told(code: Any) -> Any:
    """Returns what tells code from other code, such as lambdas of one name; but not where its file lies."""
    inner = [_told(each) if hasattr(each, "co_code") else each for each in code.co_consts]
    return code.co_firstlineno, code.co_code, code.co_names, inner


def machine_of(codegen: Any) -> Any:
    """Returns what code for a processor is compiled for: LLVM's triple, its name for it, and features."""
    triple, processor, features = codegen.magic_tuple()
    return triple.rstrip("0123456789."), processor, features  # macOS adds its version


def _classes(given: Any) -> Any:
    """Returns the full names of the NamedTuples in a type of numba, which by itself has short ones."""
    if not isinstance(given, types.BaseTuple):
        return ()
    own = given.instance_class if isinstance(given, types.BaseNamedTuple) else tuple
    return (own.__module__, own.__qualname__, *map(_classes, given.types))
