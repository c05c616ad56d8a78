"""Levels as Gymnasium renders them: pixels or text."""

from __future__ import annotations

from typing import Any

import numpy as np

from levelsmith.core import Level
from levelsmith.errors import unknown

RENDER_MODES = ["rgb_array", "ansi"]
METADATA: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 8}


def check_mode(mode: str | None) -> str | None:
    if mode is not None and mode not in RENDER_MODES:
        raise unknown("render mode", mode, RENDER_MODES)
    return mode


def drawn(level: Level, mode: str | None, scale: int) -> Any:
    """Returns an array `[H, W, 3]`, text, or None where no mode was asked for."""
    if mode == "ansi":
        return level.text
    if mode is None:
        return None
    from levelsmith.levels.formats.picture import image

    return np.asarray(image(level, scale=scale))
