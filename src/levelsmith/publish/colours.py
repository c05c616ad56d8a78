"""Colours of a page of one's own: one is chosen, and shades of it that can be read are found."""

from __future__ import annotations

import re

from levelsmith.errors import LevelsmithError, quoted

HEX = re.compile(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
READABLE = 4.5  # of contrast, as WCAG 2.1 asks of text
GROUNDS = ("#fffdf8", "#1d2028")  # of cards on light and on dark pages, as in the studio's style
BLACK, WHITE = "#000000", "#ffffff"
STEPS = 40  # from a colour to black or to white
RGB = tuple[int, int, int]


def style_of(colour: str) -> str:
    """Returns the rules of style that put a colour in the place of the studio's green.

    On a light page it is darkened and on a dark one lightened until it can be read there.
    """
    light, dark = (_readable(parsed(colour), parsed(ground)) for ground in GROUNDS)
    on_light, on_dark = (
        max((BLACK, WHITE), key=lambda text: contrast(parsed(text), shade)) for shade in (light, dark)
    )
    accent = f"light-dark({_hex(light)}, {_hex(dark)})"
    return (
        f":root {{ --accent: {accent}; --good: {accent}; --on-accent: light-dark({on_light}, {on_dark}); "
        "--tint: color-mix(in srgb, var(--accent) 15%, var(--card)); }"
    )


def parsed(colour: str) -> RGB:
    """Returns red, green and blue of a colour such as #0b6556."""
    match = HEX.fullmatch(colour.strip())
    if match is None:
        raise LevelsmithError(f"expected a colour such as #0b6556, got {quoted(colour)}")
    digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def contrast(one: RGB, other: RGB) -> float:
    """Returns the contrast of two colours, from 1 to 21, by WCAG 2.1."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: RGB) -> float:
    parts = [part / 255 for part in colour]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _readable(colour: RGB, ground: RGB) -> RGB:
    """Returns the shade of a colour nearest to it that can be read on a ground."""
    end = max((parsed(BLACK), parsed(WHITE)), key=lambda each: contrast(each, ground))
    shades = (_mixed(colour, end, step / STEPS) for step in range(STEPS + 1))
    return next(shade for shade in shades if contrast(shade, ground) >= READABLE)


def _mixed(one: RGB, other: RGB, share: float) -> RGB:
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _hex(colour: RGB) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)
