"""Which files have changed since a revision, as git tells it."""

from __future__ import annotations

import os
import subprocess

from levelsmith.checking.settings import OWN, SHARED
from levelsmith.errors import LevelsmithError, quoted

MOST_SECONDS = 60
LONGEST = 200  # characters of what git says


def changed_files(revision: str) -> frozenset[str] | None:
    """Returns the real paths of the files that are not as they were, new ones that git does not ignore among
    them; None for all, where the settings themselves have changed."""
    if revision.startswith("-") or not revision.strip():
        raise LevelsmithError(
            f"expected a revision of git, such as HEAD~1 or origin/main, got {quoted(revision)}"
        )
    top = _git("rev-parse", "--show-toplevel").strip("\n")
    _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}", said=revision)
    names = _git("diff", "--name-only", "-z", "--no-renames", "--diff-filter=d", revision, "--", top).split(
        "\0"
    )
    names += _git("ls-files", "--others", "--exclude-standard", "-z", "--full-name", top).split("\0")
    paths = {os.path.realpath(os.path.join(top, name)) for name in names if name}
    settings = {os.path.realpath(name) for name in (OWN, SHARED)}
    return None if paths & settings else frozenset(paths)


def _git(*words: str, said: str = "") -> str:
    try:
        done = subprocess.run(  # noqa: S603
            ["git", *words],  # noqa: S607
            capture_output=True,
            timeout=MOST_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LevelsmithError(f"cannot ask git what has changed: {error}") from None
    if done.returncode:
        why = (
            done.stderr.decode("utf-8", "replace").strip()[:LONGEST]
            or f"no revision is called {quoted(said)}"
        )
        raise LevelsmithError(f"cannot ask git what has changed: {why}")
    return done.stdout.decode("utf-8", "surrogateescape")
