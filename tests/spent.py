"""Waiting for a process until it has worked for a while, however busy the machine is."""

import os
import time
from pathlib import Path


def wait_until_spent(process, seconds, within=120):
    """Until a process that leads a session, and what it has started, have spent so much processor time."""
    until = time.monotonic() + within
    while _spent(process.pid) < seconds:
        assert process.poll() is None, "it has ended before"
        assert time.monotonic() < until, "it takes too long"
        time.sleep(0.05)


def _spent(session):
    ticks = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended since
            continue
        if int(fields[3]) == session:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
