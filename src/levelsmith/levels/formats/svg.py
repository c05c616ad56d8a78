"""Levels as SVG: sharp at any size, still or as a film of the solution, with the levels inside."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level, Parameter, Parameters, Values
from levelsmith.levels.film import DELAY, PAUSES, TRAIL, MovingThing, staged, trail
from levelsmith.levels.formats.format import MAIN, Source
from levelsmith.levels.formats.json import loads
from levelsmith.levels.formats.sheet import (
    PAGES,
    SCALE,
    THEME,
    Layout,
    Picture,
    carried,
    marks_of,
    one,
    shown,
    sprites_of,
)
from levelsmith.levels.formats.xml import ILLEGAL, parse_xml
from levelsmith.levels.look import SIGNS, UNITS, WAY, Disc, Look, Rect, Shape, Stroke, way_of
from levelsmith.registry import games

SVG_SPACE = "http://www.w3.org/2000/svg"
FILM = Parameter("film", False, "play the solution")


def svg(level: Level, theme: str = "light", scale: int = 32, film: bool = False) -> str:
    """Returns a level as a standalone SVG document; as a film it plays the level's solution, without a
    script."""
    delay = DELAY.default if film else None
    return _svg([level], THEME.check(theme), one(level, SCALE.check(scale)), delay)


def _svg(
    levels: Sequence[Level], theme: str, layout: Layout, delay: int | None = None, trails: bool = False
) -> str:
    """Returns the document: still, or as a film whose moves take `delay` milliseconds each."""
    drawn = {level.game: level for level in levels}
    title = levels[0].title or f"a level of {levels[0].game}"
    if len(levels) > 1:
        title = f"{len(levels)} levels of {', '.join(drawn)}"
    size = f'width="{layout.width}" height="{layout.height}"'
    parts = [
        f'<svg xmlns="{SVG_SPACE}" {size} viewBox="0 0 {layout.width} {layout.height}" role="img">',
        f"<title>{_escaped(title)}</title>",
        f"<metadata>{_escaped(carried(levels))}</metadata>",
        "<defs>",
    ]
    for level in drawn.values():
        look: Look = games.get(level.game).look()
        for i, sprite in enumerate(sprites_of(look, level.game, level.tiles)):
            shapes = "".join(element(shape, look.palettes[theme]) for shape in sprite[1:])
            if shapes and (not level.tiles[i].read_only or _is_in(levels, level.game, i)):
                parts.append(f'<g id="{_id(level.game, theme, i)}">{shapes}</g>')
    parts.append("</defs>")
    ground, writing = PAGES[theme]
    if layout.labels:
        parts.append(f'<rect {size} fill="{ground}"/>')
    for level, (x, y) in zip(levels, layout.corners, strict=True):
        place = f"translate({x} {y}) " if x or y else ""
        parts.append(f'<g transform="{place}scale({_number(layout.scale / UNITS)})">')
        parts += _cells(level, theme) if delay is None else _film(level, theme, delay)
        parts += _signs(level, theme)
        if trails:
            parts += [element(shape, WAY[theme]) for shape in way_of(trail(level))]
        parts.append("</g>")
    if layout.labels:
        parts.append(
            f'<g font-family="system-ui, sans-serif" font-size="{layout.font}" fill="{writing}" '
            'text-anchor="middle">'
        )
        for middle, top, text in layout.labels:
            parts.append(f'<text x="{_number(middle)}" y="{top + layout.font}">{_escaped(text)}</text>')
        parts.append("</g>")
    return "\n".join([*parts, "</svg>"]) + "\n"


def _cells(level: Level, theme: str) -> list[str]:
    """Returns the grounds, one path a colour so that no seams show between neighbours; then what stands on
    them."""
    look: Look = games.get(level.game).look()
    sprites = sprites_of(look, level.game, level.tiles)
    grounds = [look.palettes[theme][sprite[0].colour] for sprite in sprites]
    names = [_id(level.game, theme, i) for i in range(len(sprites))]
    bare = [*(len(sprite) == 1 for sprite in sprites), True]
    parts = []
    grid = shown(level, level.grid)
    for paint in dict.fromkeys(grounds):
        mask = np.isin(grid, [i for i, ground in enumerate(grounds) if ground == paint])
        if mask.any():
            path = "".join(f"M{x} {y}h{w}v{UNITS}h-{w}z" for x, y, w in _runs(mask))
            parts.append(f'<path fill="{paint}" shape-rendering="crispEdges" d="{path}"/>')
    for i, row in enumerate(grid.tolist()):
        uses = [
            f'<use href="#{names[kind]}" x="{j * UNITS}" y="{i * UNITS}"/>'
            for j, kind in enumerate(row)
            if not bare[kind]
        ]
        if uses:
            parts.append("".join(uses))
    return parts


def _signs(level: Level, theme: str) -> list[str]:
    """Returns what the game marks on the level."""
    signs = []
    for mark in marks_of(level):
        shapes = "".join(element(shape, SIGNS[theme]) for shape in mark.sprite)
        signs.append(f'<g transform="translate({mark.column * UNITS} {mark.row * UNITS})">{shapes}</g>')
    return signs


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Returns the horizontal runs of a mask `[H, W]` as (x, y, width) in units."""
    edges = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)  # 1 where one begins, -1 behind
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    return [
        (x * UNITS, y * UNITS, (end - x) * UNITS)
        for y, x, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)
    ]


def element(shape: Shape, colours: Mapping[str, str]) -> str:
    paint = colours[shape.colour]
    if isinstance(shape, Rect):
        size = f'width="{_number(shape.width)}" height="{_number(shape.height)}"'
        radius = f' rx="{_number(shape.radius)}"' if shape.radius else ""
        return f'<rect x="{_number(shape.x)}" y="{_number(shape.y)}" {size}{radius} fill="{paint}"/>'
    if isinstance(shape, Disc):
        place = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}"'
        return f'<circle {place} r="{_number(shape.radius)}" fill="{paint}"/>'
    points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
    if isinstance(shape, Stroke):
        return (
            f'<polyline points="{points}" fill="none" stroke="{paint}" stroke-width="{_number(shape.width)}" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return f'<polygon points="{points}" fill="{paint}"/>'


def _is_in(levels: Sequence[Level], game: str, tile: int) -> bool:
    return any(level.game == game and (level.grid == tile).any() for level in levels)


def _id(game: str, theme: str, tile: int) -> str:
    """Names the game and the theme, because pages hold many pictures under one roof of ids."""
    return f"{re.sub(r'[^A-Za-z0-9_]', '-', game)}-{theme}-{tile}"


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _escaped(text: str) -> str:
    """Returns text for XML; what XML cannot hold even escaped becomes U+FFFD."""
    return escape(ILLEGAL.sub("\ufffd", text))


# -------------------------------------------------------------------------------------------------- films


def _film(level: Level, theme: str, delay: int) -> list[str]:
    """Returns what stays, drawn as in a still; then each thing on its way, which starts again after the
    last move."""
    look: Look = games.get(level.game).look()
    stage = staged(level, sprites_of(look, level.game, level.tiles))
    clock = _Clock(delay, stage.last)
    parts = _cells(replace(level, grid=stage.background), theme)
    for kind, top in stage.tops.items():
        shapes = "".join(element(shape, look.palettes[theme]) for shape in top)
        for thing in stage.things:
            kinds = {seen for _, _, seen in thing.steps}
            if kind in kinds:
                pairs = [_way(thing, clock)] + ([_showing(kind, thing, clock)] if len(kinds) > 1 else [])
                attributes, animations = (" ".join(both) for both in zip(*pairs, strict=True))
                parts.append(f"<g {attributes}>{animations}{shapes}</g>")
    return parts


@dataclass(frozen=True, slots=True)
class _Clock:
    """When a frame is reached, in milliseconds from the start; a thing moves in the `delay` before."""

    delay: int
    last: int

    @property
    def end(self) -> int:
        return self.reached(self.last) + PAUSES[1]

    def reached(self, frame: int) -> int:
        return PAUSES[0] + frame * self.delay

    def animation(self, tag: str, name: str, values: Sequence[tuple[int, str]], rest: str) -> str:
        times = ";".join(f"{time / self.end:.6f}".rstrip("0").rstrip(".") for time, _ in values)
        return (
            f'<{tag} attributeName="{name}" {rest} values="{";".join(value for _, value in values)}" '
            f'keyTimes="{times}" dur="{_number(self.end / 1000)}s" repeatCount="indefinite"/>'
        )


def _way(thing: MovingThing, clock: _Clock) -> tuple[str, str]:
    """Returns the attribute and the animation that carry a thing from cell to cell."""
    here = thing.steps[0][1]
    stops = [(0, *here)]
    for frame, cell, _ in thing.steps[1:]:
        if cell != here:
            stops += [(clock.reached(frame - 1), *here), (clock.reached(frame), *cell)]
            here = cell
    stops = list(dict.fromkeys([*stops, (clock.end, *here)]))
    turns = [
        stop
        for before, stop, after in zip(stops, stops[1:], stops[2:], strict=False)
        if _speed(before, stop) != _speed(stop, after)
    ]
    ways = [(time, f"{x * UNITS} {y * UNITS}") for time, y, x in (stops[0], *turns, stops[-1])]
    moving = clock.animation("animateTransform", "transform", ways, 'type="translate"') if turns else ""
    return f'transform="translate({ways[0][1]})"', moving


def _speed(start: tuple[int, int, int], end: tuple[int, int, int]) -> tuple[float, float]:
    time = end[0] - start[0]
    return (end[1] - start[1]) / time, (end[2] - start[2]) / time


def _showing(kind: int, thing: MovingThing, clock: _Clock) -> tuple[str, str]:
    """Returns the same for what shows only while a thing is of this kind; it changes in the middle of a
    move."""
    changes = [(0, _visible(thing.steps[0][2] == kind))]
    for frame, _, seen in thing.steps[1:]:
        if _visible(seen == kind) != changes[-1][1]:
            changes.append((clock.reached(frame) - clock.delay // 2, _visible(seen == kind)))
    showing = clock.animation("animate", "visibility", changes, 'calcMode="discrete"')
    return f'visibility="{changes[0][1]}"', showing


def _visible(seen: bool) -> str:
    return "visible" if seen else "hidden"


class SvgFormat(Picture):
    name = "svg"
    summary = "a picture for pages, sharp at any size; several levels make a sheet; loads again"
    extensions = (".svg",)
    parameters: Parameters = (*Picture.parameters, TRAIL, FILM, DELAY)

    def parse(self, data: bytes, source: Source) -> list[Level]:
        root = parse_xml(data, source)
        if root.tag != f"{{{SVG_SPACE}}}svg":
            raise source.error("expected an SVG picture, got another kind of XML")
        for element in root.iter(f"{{{SVG_SPACE}}}metadata"):
            text = (element.text or "").strip()
            if text.startswith("{"):
                return loads(text, source)
        raise source.error(
            "expected an SVG with a level inside, as levelsmith writes them, got a picture without one"
        )

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        delay = values["delay"] if values["film"] else None
        layout = self.layout(levels, values)
        return {MAIN: _svg(levels, values["theme"], layout, delay, values["trail"]).encode()}


SVG = SvgFormat()
