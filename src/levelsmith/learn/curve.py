"""The losses of a training as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from levelsmith.learn.checkpoint import Row

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 30, 40
COLOURS = {"training": "#3b6ea5", "validation": "#c4572b"}
TICKS = 5


def curve(history: Sequence[Row]) -> str:
    """Returns an SVG of the nats a level over the steps, of training and of validation."""
    lines = {"training": [(row[0], row[1] + row[2]) for row in history]}
    if len(history[0]) > 3:
        lines["validation"] = [(row[0], row[3] + row[4]) for row in history]
    most_steps = history[-1][0]
    values = [value for line in lines.values() for _, value in line]
    low, high = min(values), max(values)
    high = high if high > low else low + 1

    def x(step: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * step / most_steps

    def y(value: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        "<style>text { font: 12px sans-serif }</style>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
    ]
    for i in range(TICKS):
        value, step = low + (high - low) * i / (TICKS - 1), most_steps * i / (TICKS - 1)
        parts += [
            f'<path d="M{LEFT} {y(value):.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>',
            f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.4g}</text>',
            f'<text x="{x(step):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{step:.0f}</text>',
        ]
    for i, (name, line) in enumerate(lines.items()):
        points = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in line)
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>',
            f'<text x="{LEFT + 100 * i}" y="18" fill="{COLOURS[name]}">{name}</text>',
        ]
    parts += [f'<text x="{WIDTH - RIGHT}" y="18" text-anchor="end">nats a level, by step</text>', "</svg>"]
    return "\n".join(parts) + "\n"
