"""Levels as pictures, SVG and PNG, one level or a sheet of many; each carries its levels to load again."""

from __future__ import annotations

import io
import json
import math
import re
import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level, Parameter, Parameters, Tiles, Values
from levelsmith.errors import LevelsmithError
from levelsmith.levels.format import MAIN, Source, decode_text
from levelsmith.levels.json import VERSION, as_object, loads
from levelsmith.levels.look import THEMES, UNITS, Disc, Look, Polygon, Rect, Shape, Sprite, Stroke
from levelsmith.levels.xml import ILLEGAL, parse_xml
from levelsmith.registry import games

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

MOST_PIXELS = 100_000_000
KEYWORD = "levelsmith"  # of the PNG chunk that carries the levels
SVG_SPACE = "http://www.w3.org/2000/svg"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
PAGES = {"light": ("#ffffff", "#4d5568"), "dark": ("#14161c", "#b9c0cd")}  # a sheet's ground and its writing

SCALE = Parameter("scale", 32, "pixels along the side of a tile", 4, 256)
THEME = Parameter("theme", "light", "colours for light or for dark pages", choices=THEMES)
COLUMNS = Parameter("columns", 0, "levels side by side on a sheet; 0 chooses", 0, 1000)


# ------------------------------------------------------------------------------------------------- public


def svg(level: Level, theme: str = "light", scale: int = 32) -> str:
    """A level as a standalone SVG document."""
    return _svg([level], THEME.check(theme), _one(level, SCALE.check(scale)))


def image(level: Level, theme: str = "light", scale: int = 32) -> Image:
    """A level as a Pillow image."""
    return _image([level], THEME.check(theme), _one(level, SCALE.check(scale)))


def png(level: Level, theme: str = "light", scale: int = 32) -> bytes:
    """A level as the bytes of a PNG file."""
    return _png_bytes(image(level, theme, scale), [level])


def tileset_png(game_name: str, scale: int = 32, theme: str = "light") -> bytes:
    """All tiles of a game in one row, tile i at x = i * scale."""
    game = games.get(game_name)
    row = np.arange(len(game.tiles), dtype=np.uint8)[None, :]
    return _png_bytes(image(Level(game.name, game.tiles, row), theme, scale), [])


# ----------------------------------------------------------------------------------- where everything goes


@dataclass(frozen=True, slots=True)
class _Layout:
    """A picture's size and the left upper corner of each level, in pixels; labels stand centred below."""

    width: int
    height: int
    scale: int
    corners: Sequence[tuple[int, int]]
    labels: Sequence[tuple[float, int, str]] = ()  # (middle, top, text)
    font: int = 0  # the height of the writing

    def __post_init__(self) -> None:
        if self.width * self.height > MOST_PIXELS:
            raise LevelsmithError(
                f"expected a picture of at most {MOST_PIXELS:,} pixels, got {self.width}x{self.height}; "
                "choose a smaller scale or fewer levels"
            )


def _one(level: Level, scale: int) -> _Layout:
    height, width = level.size
    return _Layout(width * scale, height * scale, scale, [(0, 0)])


def _sheet(levels: Sequence[Level], scale: int, columns: int) -> _Layout:
    """A grid of places as large as the largest level, each level right above its label."""
    font = min(max(10, scale // 2), 32)
    gap, below = font, font * 3 // 2
    wide = max(level.size[1] for level in levels) * scale
    high = max(level.size[0] for level in levels) * scale
    step_x, step_y = wide + gap, high + gap + below
    if columns == 0:
        columns = max(1, round(math.sqrt(len(levels) * step_y / step_x * 4 / 3)))  # 4 to 3 suits most pages
    rows = math.ceil(len(levels) / min(columns, len(levels)))
    columns = min(columns, math.ceil(len(levels) / rows))
    corners, labels = [], []
    for i, level in enumerate(levels):
        row, column = divmod(i, columns)
        x, y = gap + column * step_x, gap + row * step_y
        left = x + (wide - level.size[1] * scale) // 2
        corners.append((left, y + high - level.size[0] * scale))
        text = f"{i + 1}. {level.title}" if level.title else f"{i + 1}"
        labels.append((x + wide / 2, y + high + font // 4, _shortened(text, wide / font)))
    return _Layout(gap + columns * step_x, gap + rows * step_y, scale, corners, labels, font)


def _shortened(text: str, room: float) -> str:
    """Text cut to about `room` times the height of its letters."""
    used = 0.0
    for i, character in enumerate(text):
        used += 1.0 if unicodedata.east_asian_width(character) in "WF" else 0.55
        if used > room and i > 2:
            return text[: max(1, i - 1)].rstrip() + "…"
    return text


def _sprites(look: Look, game: str, tiles: Tiles) -> list[Sprite]:
    """The sprites of the tiles in index order."""
    missing = [name for name in tiles.names if name not in look.sprites]
    if missing:
        raise LevelsmithError(f"the look of {game} has no sprite for its tile '{missing[0]}'; add one to it")
    return [look.sprites[name] for name in tiles.names]


# -------------------------------------------------------------------------------------------------- pixels


def _image(levels: Sequence[Level], theme: str, layout: _Layout) -> Image:
    from PIL import Image, ImageDraw, ImageFont

    ground, writing = PAGES[theme]
    canvas = Image.new("RGB", (layout.width, layout.height), ground)
    scale = layout.scale
    for level, (x, y) in zip(levels, layout.corners, strict=True):
        look: Look = games.get(level.game).look()
        colours = look.palettes[theme]
        sprites = _sprites(look, level.game, level.tiles)
        pixels = np.stack([np.asarray(_tile(s, tuple(_paints(s, colours)), scale)) for s in sprites])
        for i, row in enumerate(level.grid):  # [W, S, S, 3] -> [S, W * S, 3]
            strip = pixels[row].swapaxes(0, 1).reshape(scale, len(row) * scale, 3)
            canvas.paste(Image.fromarray(strip), (x, y + i * scale))
    if layout.labels:
        draw = ImageDraw.Draw(canvas)
        font = ImageFont.load_default(size=layout.font)
        for middle, top, text in layout.labels:
            draw.text((middle, top), text, fill=writing, font=font, anchor="ma")
    return canvas


def _paints(sprite: Sprite, colours: Mapping[str, str]) -> list[str]:
    return [colours[shape.colour] for shape in sprite]


@lru_cache(maxsize=128)
def _tile(sprite: Sprite, paints: tuple[str, ...], scale: int) -> Image:
    """A sprite as pixels: drawn several times as large without smoothing, then averaged."""
    from PIL import Image, ImageDraw

    factor = 16 if scale <= 32 else 8 if scale <= 64 else 4
    large = Image.new("RGB", (scale * factor, scale * factor))
    draw = ImageDraw.Draw(large)
    for shape, paint in zip(sprite, paints, strict=True):
        _draw(draw, shape, paint, scale * factor / UNITS)
    return large.resize((scale, scale), Image.Resampling.BOX)


def _draw(draw: ImageDraw, shape: Shape, paint: str, k: float) -> None:
    """Draws a shape at `k` pixels a unit. Pillow's boxes hold their last pixel, hence the - 1."""
    if isinstance(shape, Rect):
        box = (
            *(round(shape.x * k), round(shape.y * k)),
            *(round((shape.x + shape.width) * k) - 1, round((shape.y + shape.height) * k) - 1),
        )
        if box[0] <= box[2] and box[1] <= box[3]:
            draw.rounded_rectangle(box, round(shape.radius * k), fill=paint)
    elif isinstance(shape, Disc):
        _disc(draw, shape.x, shape.y, shape.radius, paint, k)
    elif isinstance(shape, Polygon):
        draw.polygon([(x * k - 0.5, y * k - 0.5) for x, y in shape.points], fill=paint)
    else:
        half = shape.width / 2
        for (x0, y0), (x1, y1) in zip(shape.points, shape.points[1:], strict=False):
            length = math.hypot(x1 - x0, y1 - y0) or 1.0
            across, along = half * (y1 - y0) / length, half * (x1 - x0) / length
            corners = [(x0 - across, y0 + along), (x0 + across, y0 - along)]
            corners += [(x1 + across, y1 - along), (x1 - across, y1 + along)]
            draw.polygon([(x * k - 0.5, y * k - 0.5) for x, y in corners], fill=paint)
        for x, y in shape.points:
            _disc(draw, x, y, half, paint, k)


def _disc(draw: ImageDraw, x: float, y: float, radius: float, paint: str, k: float) -> None:
    draw.ellipse(((x - radius) * k, (y - radius) * k, (x + radius) * k - 1, (y + radius) * k - 1), fill=paint)


def _png_bytes(picture: Image, levels: Sequence[Level]) -> bytes:
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    if levels:
        text = _carried(levels)
        info.add_itxt(KEYWORD, text, zip=len(text) > 1000)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", pnginfo=info)
    return buffer.getvalue()


# ----------------------------------------------------------------------------------------------------- SVG


def _svg(levels: Sequence[Level], theme: str, layout: _Layout) -> str:
    drawn = {level.game: level for level in levels}
    title = levels[0].title or f"a level of {levels[0].game}"
    if len(levels) > 1:
        title = f"{len(levels)} levels of {', '.join(drawn)}"
    size = f'width="{layout.width}" height="{layout.height}"'
    parts = [
        f'<svg xmlns="{SVG_SPACE}" {size} viewBox="0 0 {layout.width} {layout.height}" role="img">',
        f"<title>{_escaped(title)}</title>",
        f"<metadata>{_escaped(_carried(levels))}</metadata>",
        "<defs>",
    ]
    for level in drawn.values():
        look: Look = games.get(level.game).look()
        for i, sprite in enumerate(_sprites(look, level.game, level.tiles)):
            shapes = "".join(_element(shape, look.palettes[theme]) for shape in sprite[1:])
            if shapes:
                parts.append(f'<g id="{_id(level.game, theme, i)}">{shapes}</g>')
    parts.append("</defs>")
    ground, writing = PAGES[theme]
    if layout.labels:
        parts.append(f'<rect {size} fill="{ground}"/>')
    for level, (x, y) in zip(levels, layout.corners, strict=True):
        place = f"translate({x} {y}) " if x or y else ""
        parts.append(f'<g transform="{place}scale({_number(layout.scale / UNITS)})">')
        parts += _cells(level, theme)
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
    """The grounds, one path a colour so that no seams show between neighbours; then what stands on them."""
    look: Look = games.get(level.game).look()
    sprites = _sprites(look, level.game, level.tiles)
    grounds = [look.palettes[theme][sprite[0].colour] for sprite in sprites]
    names = [_id(level.game, theme, i) for i in range(len(sprites))]
    bare = [len(sprite) == 1 for sprite in sprites]
    parts = []
    for paint in dict.fromkeys(grounds):
        mask = np.isin(level.grid, [i for i, ground in enumerate(grounds) if ground == paint])
        if mask.any():
            path = "".join(f"M{x} {y}h{w}v{UNITS}h-{w}z" for x, y, w in _runs(mask))
            parts.append(f'<path fill="{paint}" shape-rendering="crispEdges" d="{path}"/>')
    for i, row in enumerate(level.grid.tolist()):
        uses = [
            f'<use href="#{names[kind]}" x="{j * UNITS}" y="{i * UNITS}"/>'
            for j, kind in enumerate(row)
            if not bare[kind]
        ]
        if uses:
            parts.append("".join(uses))
    return parts


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """The horizontal runs of a mask `[H, W]` as (x, y, width) in units."""
    edges = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)  # 1 where one begins, -1 behind
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    return [
        (x * UNITS, y * UNITS, (end - x) * UNITS)
        for y, x, end in zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)
    ]


def _element(shape: Shape, colours: Mapping[str, str]) -> str:
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


def _id(game: str, theme: str, tile: int) -> str:
    """Names the game and the theme, because pages hold many pictures under one roof of ids."""
    return f"{re.sub(r'[^A-Za-z0-9_]', '-', game)}-{theme}-{tile}"


def _number(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _escaped(text: str) -> str:
    """Text for XML; what XML cannot hold even escaped becomes U+FFFD."""
    return escape(ILLEGAL.sub("\ufffd", text))


# ------------------------------------------------------------------------------------ the levels in pictures


def _carried(levels: Sequence[Level]) -> str:
    """The levels as JSON in plain ASCII, which every container holds unchanged."""
    objects = [as_object(level) for level in levels]
    return json.dumps(objects[0] if len(objects) == 1 else {"levelsmith": VERSION, "levels": objects})


def _png_text(data: bytes, source: Source) -> bytes:
    """The text that a PNG carries for us. Chunks are walked by hand: no pixel is ever decoded."""
    if not data.startswith(SIGNATURE):
        raise source.error("expected a PNG picture, got something else")
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        check = data[at + 8 + length : at + 12 + length]
        if len(check) < 4:
            break
        if kind == b"iTXt" and body.startswith(KEYWORD.encode() + b"\0"):
            if zlib.crc32(kind + body) != int.from_bytes(check, "big"):
                raise source.error("expected an intact PNG, but the checksum of its level is wrong")
            return _itxt(body, source)
        if kind == b"IEND":
            raise source.error(
                "expected a PNG with a level inside, as levelsmith writes them, got a picture without one"
            )
        at += 12 + length
    raise source.error("expected a whole PNG, but it is cut short")


def _itxt(body: bytes, source: Source) -> bytes:
    fields = body[len(KEYWORD) + 1 :]
    compressed, rest = fields[:2], fields[2:].split(b"\0", 2)  # language, translated keyword, text
    if compressed not in (b"\0\0", b"\1\0") or len(rest) != 3:
        raise source.error("expected a PNG with a level inside, got one whose text is malformed")
    if compressed == b"\0\0":
        return rest[2]
    try:
        text = zlib.decompressobj().decompress(rest[2], source.limits.bytes + 1)
    except zlib.error:
        raise source.error("expected a PNG with a level inside, got one whose text is malformed") from None
    if len(text) > source.limits.bytes:
        raise source.error(f"expected at most {source.limits.bytes:,} bytes of levels inside, got more")
    return text


class _Picture:
    """What both kinds of picture share: one level fills a picture, many make a numbered sheet."""

    many = True
    names_game = True
    parameters: Parameters = (SCALE, THEME, COLUMNS)

    @staticmethod
    def layout(levels: Sequence[Level], values: Values) -> _Layout:
        if not levels:
            raise LevelsmithError("expected at least one level to draw, got none")
        if len(levels) == 1:
            return _one(levels[0], values["scale"])
        return _sheet(levels, values["scale"], values["columns"])


class PngFormat(_Picture):
    name = "png"
    summary = "a picture in pixels; several levels make a sheet; loads again"
    extensions = (".png",)

    def parse(self, data: bytes, source: Source) -> list[Level]:
        return loads(decode_text(_png_text(data, source), source), source)

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        return {MAIN: _png_bytes(_image(levels, values["theme"], self.layout(levels, values)), levels)}


class SvgFormat(_Picture):
    name = "svg"
    summary = "a picture for pages, sharp at any size; several levels make a sheet; loads again"
    extensions = (".svg",)

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
        return {MAIN: _svg(levels, values["theme"], self.layout(levels, values)).encode()}


PNG = PngFormat()
SVG = SvgFormat()
