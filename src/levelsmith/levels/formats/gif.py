"""A film of a level's solution as GIF, which carries the level to load again.

Each frame holds only the cells that changed, so that neither the file nor the memory to make it grows large.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Parameters, Values
from levelsmith.errors import LevelsmithError
from levelsmith.levels.film import DELAY, PAUSES, few_frames
from levelsmith.levels.formats.format import MAIN, Source, decode_text, single
from levelsmith.levels.formats.json import loads
from levelsmith.levels.formats.sheet import MOST_PIXELS, SCALE, THEME, carried, one, shown

SIGNATURES = (b"GIF89a", b"GIF87a")
LONGEST_SIDE = 65_535  # pixels
COLOURS = 256
LOOP = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"  # for ever
COMMENT, EXTENSION, PICTURE, END = 0xFE, 0x21, 0x2C, 0x3B  # what the parts of a GIF begin with

Patch = tuple[tuple[int, int], NDArray[np.uint8]]  # the left upper corner and the pixels that change


def gif(level: Level, theme: str = "light", scale: int = 32, delay: int = DELAY.default) -> bytes:
    """Returns a film of the level's solution as the bytes of a GIF file; a move takes `delay`
    milliseconds."""
    theme, scale, delay = THEME.check(theme), SCALE.check(scale), DELAY.check(delay)
    layout = one(level, scale)
    if max(layout.width, layout.height) > LONGEST_SIDE:
        raise LevelsmithError(
            f"expected a GIF of at most {LONGEST_SIDE:,} pixels a side, got {layout.width}x{layout.height}; "
            "choose a smaller scale"
        )
    table, tiles = _indexed(level, theme, scale)
    text = carried([level]).encode("ascii")
    parts = [SIGNATURES[0], struct.pack("<HHBBB", layout.width, layout.height, 0x87, 0, 0), table, LOOP]
    parts += [bytes([EXTENSION, COMMENT]), _blocks(text)]
    patches = _patches((shown(level, grid) for grid in few_frames(level)), tiles)
    held, still = next(patches), max(delay, PAUSES[0])
    for patch in patches:
        parts.append(_encoded(held, still))
        held, still = patch, delay
    return b"".join([*parts, _encoded(held, max(delay, PAUSES[1])), bytes([END])])


def _indexed(level: Level, theme: str, scale: int) -> tuple[bytes, NDArray[np.uint8]]:
    """Returns a table of colours and the tiles `[T + 1, S, S]` in it, the last one blank; rare colours become
    their nearest neighbours."""
    from levelsmith.levels.formats.picture import tile_pixels

    pixels = tile_pixels(level, theme, scale)
    colours, places, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    kept = np.sort(np.argsort(-counts, kind="stable")[:COLOURS])
    apart = colours[:, None].astype(np.int64) - colours[kept][None]
    nearest = (apart**2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    return colours[kept].tobytes().ljust(3 * COLOURS, b"\0"), nearest[places].reshape(pixels.shape[:3])


def _patches(grids: Iterator[Grid], tiles: NDArray[np.uint8]) -> Iterator[Patch]:
    """Yields the first frame whole, and of each other one the rectangle in which it differs from the one
    before."""
    scale = tiles.shape[1]
    before: Grid | None = None
    drawn = 0
    for grid in grids:
        top, bottom, left, right = 0, grid.shape[0], 0, grid.shape[1]
        if before is not None:
            changed = np.argwhere(grid != before) if (grid != before).any() else np.zeros((1, 2), np.intp)
            (top, left), (bottom, right) = changed.min(axis=0).tolist(), (changed.max(axis=0) + 1).tolist()
        cells, before = grid[top:bottom, left:right], grid
        drawn += cells.size * scale**2
        if drawn > MOST_PIXELS:
            raise LevelsmithError(
                f"expected a film of at most {MOST_PIXELS:,} pixels in all its frames, got more; "
                "choose a smaller scale"
            )
        pixels = tiles[cells].swapaxes(1, 2).reshape(cells.shape[0] * scale, cells.shape[1] * scale)
        yield (left * scale, top * scale), pixels


def _encoded(patch: Patch, milliseconds: int) -> bytes:
    from PIL import Image
    from PIL.GifImagePlugin import getdata

    corner, pixels = patch
    return b"".join(getdata(Image.fromarray(pixels), corner, duration=milliseconds))


def _blocks(data: bytes) -> bytes:
    """Returns bytes in the chunks that a GIF takes, and the empty one that ends them."""
    chunks = [data[i : i + 255] for i in range(0, len(data), 255)]
    return b"".join(bytes([len(chunk)]) + chunk for chunk in [*chunks, b""])


# -------------------------------------------------------------------------------------- the level in the GIF


def _comment(data: bytes, source: Source) -> bytes:
    """Returns the comment that carries a level. Parts are walked by hand: no pixel is ever decoded."""
    if not data.startswith(SIGNATURES):
        raise source.error("expected a GIF picture, got something else")
    try:
        at = 13 + _table(data[10])
        while data[at] != END:
            if data[at] == EXTENSION:
                label = data[at + 1]
                body, at = _joined(data, at + 2)
                if label == COMMENT and body.startswith(b"{"):
                    return body
            elif data[at] == PICTURE:
                _, at = _joined(data, at + 11 + _table(data[at + 9]))
            else:
                raise source.error("expected an intact GIF, got one with a part of no known kind")
    except IndexError:
        raise source.error("expected a whole GIF, but it is cut short") from None
    raise source.error(
        "expected a GIF with a level inside, as levelsmith writes them, got a picture without one"
    )


def _table(flags: int) -> int:
    """Returns the bytes of the table of colours that the flags announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _joined(data: bytes, at: int) -> tuple[bytes, int]:
    """Returns the bytes of the blocks from here on, and where the next part begins."""
    blocks = []
    while length := data[at]:
        blocks.append(data[at + 1 : at + 1 + length])
        at += 1 + length
    return b"".join(blocks), at + 1


class GifFormat:
    name = "gif"
    summary = "a film of a level's solution; loads again"
    extensions = (".gif",)
    many = False
    names_game = True
    parameters: Parameters = (SCALE, THEME, DELAY)

    def parse(self, data: bytes, source: Source) -> list[Level]:
        return loads(decode_text(_comment(data, source), source), source)

    def write(self, levels: Sequence[Level], stem: str, values: Values) -> Mapping[str, bytes]:
        return {MAIN: gif(single(levels, self.name), **values)}


FORMAT = GifFormat()
