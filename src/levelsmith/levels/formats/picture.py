"""Levels as pixels, one level or a sheet of many; each PNG carries its levels to load again."""

from __future__ import annotations

import io
import math
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Level, Parameters, Values
from levelsmith.levels.film import TRAIL, trail
from levelsmith.levels.formats.format import MAIN, Source, decode_text
from levelsmith.levels.formats.json import loads
from levelsmith.levels.formats.parts import sprite_alone
from levelsmith.levels.formats.sheet import (
    PAGES,
    SCALE,
    THEME,
    Layout,
    Picture,
    carried,
    marks_of,
    one,
    sheet,
    shown,
    sprites_of,
)
from levelsmith.levels.formats.svg import SVG, SVG_SPACE, svg
from levelsmith.levels.look import SIGNS, UNITS, WAY, Disc, Look, Polygon, Rect, Shape, Sprite, ground, way_of
from levelsmith.registry import games

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

__all__ = ["KEYWORD", "PNG", "SIGNATURE", "SVG", "SVG_SPACE", "image", "png", "svg", "tileset_png"]

KEYWORD = "levelsmith"  # of the PNG chunk that carries the levels
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def image(level: Level, theme: str = "light", scale: int = 32) -> Image:
    """Returns a level as a Pillow image."""
    return _image([level], THEME.check(theme), one(level, SCALE.check(scale)))


def png(level: Level, theme: str = "light", scale: int = 32) -> bytes:
    """Returns a level as the bytes of a PNG file."""
    return _png_bytes(image(level, theme, scale), [level])


def sheet_png(levels: Sequence[Level], scale: int = 32, columns: int = 0) -> bytes:
    """Returns a PNG of levels side by side, a number under each, that does not carry them; with 0 columns it
    chooses."""
    return _png_bytes(_image(levels, "light", sheet(levels, SCALE.check(scale), columns)), [])


def few_colours(png: bytes, colours: int) -> bytes:
    """Returns a PNG with at most so many colours, which makes it smaller."""
    from PIL import Image

    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        few = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
        few.save(buffer, "png", optimize=True)
    return buffer.getvalue()


def tileset_png(game_name: str, scale: int = 32, theme: str = "light") -> bytes:
    """Returns all tiles of a game in one row, tile i at x = i * scale; what stands on a ground comes
    without it."""
    from PIL import Image

    game = games.get(game_name)
    look: Look = game.look()
    sprites_of(look, game.name, game.tiles)  # refuses a look that lacks one
    row = Image.new("RGBA", (scale * len(game.tiles), scale))
    for i in range(len(game.tiles)):
        sprite = sprite_alone(look, game.tiles, i)
        paints = tuple(_paints(sprite, look.palettes[theme]))
        row.paste(_tile(sprite, paints, scale, "RGBA"), (i * scale, 0))
    return _png_bytes(row, [])


def _image(levels: Sequence[Level], theme: str, layout: Layout, trails: bool = False) -> Image:
    from PIL import Image, ImageDraw, ImageFont

    page, writing = PAGES[theme]
    canvas = Image.new("RGB", (layout.width, layout.height), page)
    scale = layout.scale
    for level, (x, y) in zip(levels, layout.corners, strict=True):
        pixels = tile_pixels(level, theme, scale)
        for i, row in enumerate(shown(level, level.grid)):  # [W, S, S, 3] -> [S, W * S, 3]
            strip = pixels[row].swapaxes(0, 1).reshape(scale, len(row) * scale, 3)
            canvas.paste(Image.fromarray(strip), (x, y + i * scale))
        for mark in marks_of(level):
            paints = tuple(_paints(mark.sprite, SIGNS[theme]))
            sign = _tile(mark.sprite, paints, scale, "RGBA")
            canvas.paste(sign, (x + mark.column * scale, y + mark.row * scale), sign)
        if trails:
            k = scale / UNITS
            for shape in way_of(trail(level), x / k, y / k):
                _draw(ImageDraw.Draw(canvas), shape, WAY[theme][shape.colour], k)
    if layout.labels:
        draw = ImageDraw.Draw(canvas)
        font = ImageFont.load_default(size=layout.font)
        for middle, top, text in layout.labels:
            draw.text((middle, top), text, fill=writing, font=font, anchor="ma")
    return canvas


def tile_pixels(level: Level, theme: str, scale: int) -> NDArray[np.uint8]:
    """Returns the tiles of a level's game, and a blank one, as pixels `[T + 1, S, S, 3]`."""
    look: Look = games.get(level.game).look()
    colours = look.palettes[theme]
    sprites = sprites_of(look, level.game, level.tiles)
    painted = [(sprite, tuple(_paints(sprite, colours))) for sprite in sprites]
    painted.append((ground("page"), (PAGES[theme][0],)))
    return np.stack([np.asarray(_tile(sprite, paints, scale)) for sprite, paints in painted])


def _paints(sprite: Sprite, colours: Mapping[str, str]) -> list[str]:
    return [colours[shape.colour] for shape in sprite]


@lru_cache(maxsize=128)
def _tile(sprite: Sprite, paints: tuple[str, ...], scale: int, mode: str = "RGB") -> Image:
    """Returns a sprite as pixels: drawn several times as large without smoothing, then averaged."""
    from PIL import Image, ImageDraw

    factor = 16 if scale <= 32 else 8 if scale <= 64 else 4
    large = Image.new(mode, (scale * factor, scale * factor))
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
        text = carried(levels)
        info.add_itxt(KEYWORD, text, zip=len(text) > 1000)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", pnginfo=info)
    return buffer.getvalue()


def _png_text(data: bytes, source: Source) -> bytes:
    """Returns the text that a PNG carries for us. Chunks are walked by hand: no pixel is ever decoded."""
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


class PngFormat(Picture):
    name = "png"
    summary = "a picture in pixels; several levels make a sheet; loads again"
    extensions = (".png",)
    parameters: Parameters = (*Picture.parameters, TRAIL)

    def parse(self, data: bytes, source: Source) -> list[Level]:
        return loads(decode_text(_png_text(data, source), source), source)

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        picture = _image(levels, values["theme"], self.layout(levels, values), values["trail"])
        return {MAIN: _png_bytes(picture, levels)}


PNG = PngFormat()
