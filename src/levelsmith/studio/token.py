"""Where the token of a studio comes from: a private file, the environment, or it is made up."""

from __future__ import annotations

import os
import re
import secrets
import stat

from levelsmith.errors import LevelsmithError, quoted

VARIABLE = "LEVELSMITH_TOKEN"
TOKEN = re.compile(r"[A-Za-z0-9_-]{8,200}")
MOST_BYTES = 1_000  # of a file with a token


def find_token(file: str | None = None) -> str:
    """Returns the token in a file, else in the environment, else a fresh one.

    The environment has it no longer then: neither a search nor the browser is to know it.
    """
    given = os.environ.pop(VARIABLE, "")
    if file is not None:
        return _checked(_read(file), quoted(file))
    return _checked(given, VARIABLE) if given else secrets.token_urlsafe(16)


def _read(path: str) -> str:
    """Reads a file that belongs to this user and that nobody else can read."""
    try:
        with open(path, "rb") as file:
            found = os.fstat(file.fileno())
            if hasattr(os, "getuid"):  # Windows has other rules
                if found.st_uid != os.getuid():
                    raise LevelsmithError(
                        f"expected a file of yours, got {quoted(path)} of another user; make one of your own"
                    )
                if stat.S_IMODE(found.st_mode) & 0o077:
                    raise LevelsmithError(
                        f"expected a file that only you can read, got {quoted(path)}; type chmod 600 {path}"
                    )
            return file.read(MOST_BYTES).decode("utf-8", "replace").strip()
    except OSError as error:
        raise LevelsmithError(f"cannot read {quoted(path)}: {error.strerror}") from None


def _checked(token: str, where: str) -> str:
    if not TOKEN.fullmatch(token):
        raise LevelsmithError(
            f"expected a token of at least 8 letters, digits, - and _ in {where}; "
            "leave it out for one that is made up"
        )
    return token
