"""How functions become kernels where none is called: not at all. The module `levelsmith.kernels.compile` of a
playground's page, where kernels are WebAssembly beside this Python."""

from __future__ import annotations

from typing import Any

PLAIN = True


def part(function: Any) -> Any:
    return function


def replace_inside(*_: Any) -> None:
    pass
