"""Where the studio keeps levels and jobs when nobody says so: with the user's other data."""

from __future__ import annotations

import os
import sys
from pathlib import Path

FILE = "studio.db"


def default_store() -> str:
    """Returns the studio's file in the folder that a system has for data, which is made; else in this
    folder."""
    try:
        folder = _data_folder() / "levelsmith"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # a user without a home, or who may not write there
        return FILE
    return str(folder / FILE)


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin" and not os.environ.get("XDG_DATA_HOME"):
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def other_store(store: str) -> str | None:
    """Returns a line about a file in this folder, where earlier versions kept it, that is not the one in
    use."""
    here = Path(FILE)
    if not here.is_file() or here.resolve() == Path(store).resolve():
        return None
    return f"this folder has a {FILE} too; levelsmith studio --store {FILE} opens that one"
