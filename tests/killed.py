"""A process that is killed at a certain call of the system, to see what it leaves behind."""

from __future__ import annotations

import os
import signal

CALLS = ("mkdir", "open", "fsync", "replace", "unlink")  # what changes a folder, or comes between changes


def is_killed(call, work, folder):
    """Does the work in a fork of this process that is killed at that call of the system, if it comes so far;
    tells whether it was."""
    process = os.fork()
    if process == 0:
        left = [call]
        for name in CALLS:
            setattr(os, name, _counted(getattr(os, name), left))
        work(folder)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL


def _counted(function, left):
    def call(*args, **options):
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **options)

    return call
