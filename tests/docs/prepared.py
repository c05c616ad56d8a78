"""`levelsmith` in forks of a process that has loaded it already, which spares each command a second.

`python prepared.py FOLDER` writes a command `levelsmith` into the folder and serves it until it is killed.
The command hands over its words, folder, environment and streams, and waits for the status. Where the path
of modules is another one, plug-ins may be on it: the real command takes its place.
"""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import socket
import sys
from importlib import import_module
from pathlib import Path

COMMAND = """#!{python} -IS
import json, os, socket, sys
if os.environ.get("PYTHONPATH") != {modules!r}:
    os.execv({real!r}, [{real!r}, *sys.argv[1:]])
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    socket.send_fds(line, [json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()], [0, 1, 2])
    line.shutdown(socket.SHUT_WR)
    sys.exit(int(line.recv(8)))
"""


def load() -> None:
    import levelsmith
    import levelsmith.cli as cli

    for module in pkgutil.iter_modules(cli.__path__, "levelsmith.cli."):
        import_module(module.name)
    levelsmith.generate("orchard", evaluations=1)  # loads what every compiled kernel needs


def serve(folder: Path) -> None:
    address, command = str(folder / "line"), folder / "levelsmith"
    real = str(Path(sys.executable).with_name("levelsmith"))
    modules = os.environ.get("PYTHONPATH")
    load()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(address)
        door.listen(64)
        command.write_text(COMMAND.format(python=sys.executable, modules=modules, real=real, address=address))
        command.chmod(0o755)
        print("ready", flush=True)
        while True:
            line, _ = door.accept()
            if os.fork() == 0:
                door.close()
                return answer(line)
            line.close()
            with contextlib.suppress(ChildProcessError):
                while any(os.waitpid(-1, os.WNOHANG)):
                    pass


def answer(line: socket.socket) -> None:
    """Runs the command that comes through a line in a process of its own, and tells its status."""
    asked, streams, _, _ = socket.recv_fds(line, 1 << 20, 3)
    while more := line.recv(1 << 20):
        asked += more
    child = os.fork()
    if child != 0:
        line.sendall(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
        os._exit(0)
    line.close()
    words, folder, environment = json.loads(asked)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    sys.argv = ["levelsmith", *words]
    import_module("levelsmith.cli").main()


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
