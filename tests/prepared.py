"""Programs in forks of a process that has loaded the libraries already: that spares each of them a second.

`run` and `Popen` are those of `subprocess`. A command that begins with this interpreter is run by a fork of a
server, which has loaded numpy and others, but nothing of levelsmith. It has the process number, streams,
signals, folder, environment and status of a process of its own. What only a fresh interpreter shows (what it
imports, its hashes, its encodings) is asked of one: with `fresh=True`, and where a variable is another one
that Python reads when it starts.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import gc
import json
import os
import re
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

LIBRARIES = (
    *("numpy.random", "numpy.testing", "click", "rich.live", "rich.table", "multiprocessing.spawn"),
    *("PIL.PngImagePlugin", "starlette.applications", "uvicorn", "sqlite3"),
)
ENDS_WITH_ITS_PARENT = 1  # of Linux' prctl: a run of the tests that is killed leaves no program behind
READ_AT_START = re.compile(r"(PYTHON|LC_|LANG)(?!PATH$)")


# -------------------------------------------------------------------------------------------- on this side


class Popen(subprocess.Popen[Any]):
    """A process, as `subprocess.Popen` has it; a program in Python does not wait for what it imports."""

    def __init__(
        self, words: Any, *args: Any, fresh: bool = False, address: str | None = None, **options: Any
    ):
        self._fresh, self._address = fresh, address  # of a server that is not this process's own
        self._line: socket.socket | None = None
        super().__init__(words, *args, **options)

    def _execute_child(self, *given: Any) -> None:
        words, _, before, _, passed, folder, environment, _, _, shell, *rest = given
        streams, session, group = rest[:6], rest[-2], rest[-1]
        environment = dict(os.environ if environment is None else environment)
        if self._fresh or shell or before or passed or group >= 0 or not fits(words, environment):
            super()._execute_child(*given)
            return
        asked = {
            "words": [os.fspath(word) for word in words[1:]],
            "folder": os.getcwd() if folder is None else os.fspath(folder),
            "environment": environment,
            "session": session,
        }
        ends = [place if end == -1 else end for place, end in enumerate((streams[0], streams[3], streams[5]))]
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(self._address or server())
        socket.send_fds(self._line, [json.dumps(asked).encode() + b"\n"], ends)
        told = b""  # to the end of the line alone: what comes of the program may be there already
        while not told.endswith(b"\n") and (one := self._line.recv(1)):
            told += one
        self.pid = int(told)
        self._child_created = True
        self._close_pipe_fds(*streams)

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        if self._line is None:
            return super()._try_wait(wait_flags)
        if wait_flags & os.WNOHANG and not select.select([self._line], [], [], 0)[0]:
            return 0, 0
        told = self._line.recv(16)
        self._line.close()
        return self.pid, int(told or signal.SIGKILL)

    def _internal_poll(self, *given: Any, **options: Any) -> int | None:
        if self._line is None:
            return super()._internal_poll(*given, **options)
        if self.returncode is None and self._waitpid_lock.acquire(False):
            try:
                if self.returncode is None:
                    pid, status = self._try_wait(os.WNOHANG)
                    if pid == self.pid:
                        self._handle_exitstatus(status)
            finally:
                self._waitpid_lock.release()
        return self.returncode


def run(
    words: Any,
    *,
    capture_output: bool = False,
    timeout: float | None = None,
    check: bool = False,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Runs a program to its end, as `subprocess.run` does."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Popen(words, **options) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(words, process.returncode, out, err)
    if check:
        done.check_returncode()
    return done


def fits(words: Any, environment: dict[str, str]) -> bool:
    """Returns whether a fork does what a fresh interpreter would."""
    if sys.platform != "linux" or isinstance(words, str) or os.fspath(words[0]) != sys.executable:
        return False
    return read_at_start(environment) == read_at_start(dict(os.environ))


def read_at_start(environment: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if READ_AT_START.match(name)}


@functools.cache
def server() -> str:
    """Starts a server of this process, which ends with it; returns its address."""
    kept = contextlib.ExitStack()
    atexit.register(kept.close)
    return kept.enter_context(serving(dict(os.environ)))


@contextlib.contextmanager
def serving(environment: dict[str, str], *modules: str) -> Iterator[str]:
    """Runs a server that has loaded these modules too; gives its address."""
    with tempfile.TemporaryDirectory(prefix="prepared-") as folder:
        process = subprocess.Popen(
            [sys.executable, __file__, f"{folder}/line", *modules],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield f"{folder}/line"
        finally:
            process.kill()
            process.communicate()


# ------------------------------------------------------------------------------------- on the server's side


def load(modules: Iterable[str]) -> None:
    """Imports what programs need."""
    warnings.filterwarnings("ignore", r".*multi-threaded", DeprecationWarning)  # numpy's threads bear a fork
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            import_module(name)
    for name in modules:
        import_module(name)
    gc.collect()
    gc.freeze()


def serve(address: str) -> dict[str, Any]:
    """Forks for every program that is asked for; returns, in the fork, what was asked."""
    lines: dict[int, socket.socket] = {}
    awake, bell = socket.socketpair()
    bell.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(bell.fileno(), warn_on_full_buffer=False)
    door = socket.socket(socket.AF_UNIX)
    door.bind(address)
    door.listen(64)
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([door, awake, sys.stdin], [], [])
        if sys.stdin in ready:
            os._exit(0)
        if awake in ready:
            awake.recv(4096)
            reap(lines)
        if door in ready:
            line, _ = door.accept()
            asked, streams = received(line)
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in (*lines.values(), line, door, awake, bell):
                    other.close()
                return {**asked, "streams": streams}
            lines[pid] = line
            for stream in streams:
                os.close(stream)
            line.sendall(f"{pid}\n".encode())


def received(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    told, streams, _, _ = socket.recv_fds(line, 1 << 20, 3)
    while not told.endswith(b"\n"):
        told += line.recv(1 << 20)
    return json.loads(told), list(streams)


def reap(lines: dict[int, socket.socket]) -> None:
    """Tells the status of each program that has ended; others are what a module that was loaded has started,
    such as a compiler in the background."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                return
            if pid in lines:
                with contextlib.suppress(OSError), lines.pop(pid) as line:
                    line.sendall(f"{status}\n".encode())


def become(asked: dict[str, Any]) -> None:
    """Makes this fork what a fresh interpreter would be, and runs the program."""
    ctypes.CDLL(None).prctl(ENDS_WITH_ITS_PARENT, signal.SIGKILL)
    if asked["session"]:
        os.setsid()
    for place, stream in enumerate(asked["streams"]):
        os.dup2(stream, place)
    for stream in asked["streams"]:
        os.close(stream)
    os.chdir(asked["folder"])
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ.clear()
    os.environ.update(asked["environment"])
    paths = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:] = [*paths, *(path for path in sys.path[1:] if path not in before)]
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", 1, errors="backslashreplace", closefd=False)
    tempfile.tempdir = None
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored by what is started in the background
    words = asked["words"]
    while words[0] == "-W":
        warnings.simplefilter(words[1])
        sys.warnoptions.append(words[1])
        words = words[2:]
    kind, *rest = words
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = __builtins__
    if kind == "-c":
        sys.path.insert(0, "")
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    elif kind == "-m":
        sys.path.insert(0, os.getcwd())
        sys.argv = rest
        runpy._run_module_as_main(rest[0])
    else:
        sys.path.insert(0, str(Path(kind).parent.resolve()))
        sys.argv = words
        runpy.run_path(kind, run_name="__main__")


if __name__ == "__main__":
    load(sys.argv[2:])
    become(serve(sys.argv[1]))
