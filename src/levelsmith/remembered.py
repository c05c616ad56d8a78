"""What a method has answered, remembered with the object that it belongs to."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any


class Remembered:
    """A method that answers the same question once; in a copy or a pickle it has forgotten the answers.

    Args:
        method: one of the object that keeps this.
        most: answers that are kept, the last ones; None for all.
    """

    def __init__(self, method: Callable[..., Any], most: int | None = None):
        self.method, self.most = method, most
        self.answer = lru_cache(maxsize=most)(method)

    def __call__(self, *question: Any) -> Any:
        return self.answer(*question)

    def __reduce__(self) -> tuple[type[Remembered], tuple[Any, ...]]:
        return Remembered, (self.method, self.most)
