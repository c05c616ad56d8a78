"""How a check says that a promise is broken."""

from __future__ import annotations


class CheckFailed(Exception):  # noqa: N818 (it says what happened to the check)
    """A promise that a plug-in does not keep."""


def must(kept: bool, promise: str) -> None:
    """Raises CheckFailed with the promise where it is not kept."""
    if not kept:
        raise CheckFailed(f"broken promise: {promise}")
