"""Waits for files of levels to change, for `levelsmith check --watch`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from levelsmith.checking.reading import spread_out
from levelsmith.checking.settings import OWN, SHARED, Settings
from levelsmith.core import Cancel

LOOK_SECONDS = 0.3
Stamp = tuple[int, int]  # when a file was written, and its bytes
BEGUN, ENDED = "levelsmith check: begun", "levelsmith check: ended"  # what editors wait for


def stamps(paths: Iterable[str], settings: Settings) -> dict[str, Stamp]:
    """Returns when each file that paths stand for was written, and those of settings."""
    found: dict[str, Stamp] = {}
    files = [file for path in paths for file, _ in spread_out(settings.folder + path, path)]
    for file in (*files, OWN, SHARED):
        try:
            told = os.stat(file.partition("#")[0])
        except OSError:
            continue
        found[file] = (told.st_mtime_ns, told.st_size)
    return found


def wait(before: dict[str, Stamp], paths: Iterable[str], settings: Settings, cancel: Cancel) -> bool:
    """Returns true once a file has changed, come or gone, and nothing more has for a moment; false once
    cancelled."""
    paths = list(paths)
    last = before
    while not cancel():
        time.sleep(LOOK_SECONDS)
        now = stamps(paths, settings)
        if now != before and now == last:
            return True
        last = now
    return False
