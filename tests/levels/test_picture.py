"""Pictures draw every level, agree with each other, and give back what they carry or one clear error."""

import contextlib
import io
import json
import re
import struct
import subprocess
import sys
import zlib
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from levelsmith.core import Level, settle
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.format import MAIN, Format, ReadLimits, Source
from levelsmith.levels.formats.parts import parts_of
from levelsmith.levels.formats.picture import (
    KEYWORD,
    PNG,
    SIGNATURE,
    SVG,
    SVG_SPACE,
    image,
    png,
    svg,
    tileset_png,
)
from levelsmith.registry import games

SOURCE = Source("a picture")
NASTY = "</title></svg><script>alert('&')</script>]]> \x00\x1b[31m \ufffe\uffff \ud800 \u202e"

each_format = pytest.mark.parametrize("picture", [PNG, SVG], ids=lambda picture: picture.name)
modest = settings(max_examples=30, deadline=None)


@st.composite
def levels(draw) -> Level:
    game = games.get(draw(st.sampled_from(list(games))))
    height, width = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    cells = draw(
        st.lists(st.integers(0, len(game.tiles) - 1), min_size=height * width, max_size=height * width)
    )
    return Level(
        game.name,
        game.tiles,
        np.array(cells).reshape(height, width),
        title=draw(st.text(max_size=20)),
        author=draw(st.text(max_size=20)),
        solution=draw(st.none() | st.text(min_size=1, max_size=20).filter(lambda text: text.isprintable())),
        provenance=draw(
            st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5), max_size=2)
        ),
    )


def written(picture: Format, *drawn: Level, **values) -> bytes:
    return picture.write(drawn, "level", settle(picture.name, picture.parameters, values))[MAIN]


def row_of_tiles(name: str, **fields) -> Level:
    game = games.get(name)
    return Level(name, game.tiles, np.arange(len(game.tiles), dtype=np.uint8)[None, :], **fields)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


# ------------------------------------------------------------------------------------------ there and back


@each_format
@modest
@given(level=levels(), theme=st.sampled_from(["light", "dark"]), scale=st.integers(4, 9))
def test_a_picture_gives_its_level_back_whole(picture, level, theme, scale):
    (back,) = picture.parse(written(picture, level, theme=theme, scale=scale), SOURCE)
    assert back == level
    for field in ("title", "author", "provenance"):
        assert getattr(back, field) == getattr(level, field)
    assert (back.solution or None) == (level.solution or None)


@each_format
@modest
@given(many=st.lists(levels(), min_size=2, max_size=7), columns=st.integers(0, 9))
def test_a_sheet_gives_all_its_levels_back_in_order(picture, many, columns):
    back = picture.parse(written(picture, *many, scale=4, columns=columns), SOURCE)
    assert back == many
    assert [level.title for level in back] == [level.title for level in many]


@each_format
def test_both_satisfy_the_contract_of_a_format(picture):
    assert isinstance(picture, Format)
    assert picture.many
    assert picture.names_game


@each_format
def test_a_picture_of_another_game_than_asked_for_is_refused(picture):
    data = written(picture, row_of_tiles("binary"))
    with pytest.raises(LevelsmithError, match="level of binary, but sokoban was asked for"):
        picture.parse(data, Source("a picture", games.get("sokoban")))


# ------------------------------------------------------------------------------------------- what is drawn


@pytest.mark.parametrize("scale", [4, 7, 16, 33, 100])
@pytest.mark.parametrize("name", list(games))
def test_a_tileset_is_a_row_of_all_tiles(name, scale):
    picture = Image.open(io.BytesIO(tileset_png(name, scale, "dark")))
    assert picture.size == (len(games.get(name).tiles) * scale, scale)


@pytest.mark.parametrize("name", ["sokoban", "loderunner", "orchard"])
def test_a_tile_of_the_tileset_on_its_ground_looks_as_in_a_level(name):
    tiles = Image.open(io.BytesIO(tileset_png(name, 16, "light")))
    level = row_of_tiles(name)
    pixels = image(level, "light", 16)
    for i, ground in enumerate(parts_of(level.tiles).ground):
        box = (i * 16, 0, i * 16 + 16, 16)
        built = tiles.crop((ground * 16, 0, ground * 16 + 16, 16))
        assert built.getextrema()[3] == (255, 255)  # a ground has no holes
        if ground != i:
            assert tiles.crop(box).getextrema()[3][0] == 0  # what stands on it has
            built.alpha_composite(tiles.crop(box))
        difference = np.abs(np.asarray(built)[..., :3].astype(int) - np.asarray(pixels.crop(box)))
        assert difference.max() <= 2  # edges are averaged in another order


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", list(games))
def test_svg_and_png_agree_on_the_colours_of_plain_places(name, theme):
    """Where the topmost shape of the SVG is a rectangle or a disc that holds a spot, the PNG agrees."""
    level = row_of_tiles(name)
    pixels = np.asarray(image(level, theme, 64))
    root = ElementTree.fromstring(svg(level, theme, 64))
    groups = {group.get("id"): list(group) for group in root.iter(f"{{{SVG_SPACE}}}g") if group.get("id")}
    grounds = {}
    for path in root.iter(f"{{{SVG_SPACE}}}path"):
        for x, _, width in re.findall(r"M(\d+) (\d+)h(\d+)", path.get("d")):
            grounds |= dict.fromkeys(range(int(x) // 16, (int(x) + int(width)) // 16), path.get("fill"))
    compared = 0
    for kind in range(len(level.tiles)):
        for x, y in ((8.1, 6.1), (1.6, 1.6), (13.9, 4.6), (5.4, 12.4)):
            paint = grounds[kind]
            for element in groups.get(f"{name}-{theme}-{kind}", ()):
                paint = _paint_at(element, x, y, paint)
            if paint:
                seen = pixels[int(y * 4), kind * 64 + int(x * 4)]
                wanted = [int(paint[i : i + 2], 16) for i in (1, 3, 5)]
                assert np.abs(seen.astype(int) - wanted).max() < 12, (level.tiles.names[kind], x, y)
                compared += 1
    assert compared >= 1.5 * len(level.tiles)


def _paint_at(element, x, y, before):
    """The colour at a spot once the element is drawn; None where its edge is near or its shape is slanted."""
    a = {key: float(value) for key, value in element.items() if re.fullmatch(r"[\d.]+", value)}
    if element.tag.endswith("rect"):
        inside = min(x - a["x"], a["x"] + a["width"] - x, y - a["y"], a["y"] + a["height"] - y)
        if inside > 0.3:
            return element.get("fill") if inside > a.get("rx", 0) else None
    elif element.tag.endswith("circle"):
        inside = a["r"] - np.hypot(x - a["cx"], y - a["cy"])
        if inside > 0.3:
            return element.get("fill")
    else:
        points = np.array([[float(v) for v in p.split(",")] for p in element.get("points").split()])
        low, high = points.min(axis=0) - 1.3, points.max(axis=0) + 1.3
        near = (low < (x, y)).all() and (high > (x, y)).all()
        return None if near else before
    return before if inside < -0.3 else None


def test_the_size_of_a_picture_is_cells_times_scale():
    level = row_of_tiles("loderunner")
    assert image(level, "dark", 10).size == (100, 10)
    root = ElementTree.fromstring(svg(level, "dark", 10))
    assert (root.get("width"), root.get("height")) == ("100", "10")


def test_a_sheet_stands_in_the_columns_asked_for():
    sheet = [row_of_tiles("binary", title="one")] * 6
    wide = Image.open(io.BytesIO(written(PNG, *sheet, columns=6))).size
    high = Image.open(io.BytesIO(written(PNG, *sheet, columns=1))).size
    assert wide[0] > 5 * high[0]
    assert high[1] > 5 * wide[1]


@each_format
def test_levels_of_several_games_share_a_sheet(picture):
    sheet = [row_of_tiles(name) for name in games]
    assert picture.parse(written(picture, *sheet), SOURCE) == sheet


def test_ids_of_pictures_in_one_page_do_not_clash():
    drawn = [svg(row_of_tiles(name), theme) for name in games for theme in ("light", "dark")]
    ids = [found for text in drawn for found in re.findall(r' id="([^"]+)"', text)]
    assert len(ids) == len(set(ids))
    for text in drawn:
        assert set(re.findall(r'href="#([^"]+)"', text)) <= set(re.findall(r' id="([^"]+)"', text))


# ----------------------------------------------------------------------------------- titles that mean harm


@pytest.mark.parametrize("count", [1, 3])
def test_a_title_can_neither_break_the_svg_nor_add_to_it(count):
    level = row_of_tiles("binary", title=NASTY, author=NASTY, provenance={NASTY: NASTY})
    data = written(SVG, *[level] * count)
    root = ElementTree.fromstring(data)
    known = {"svg", "title", "metadata", "defs", "g", "rect", "path", "use", "circle", "text"}
    assert {element.tag.removeprefix(f"{{{SVG_SPACE}}}") for element in root.iter()} <= known
    assert b"<script" not in data
    back = SVG.parse(data, SOURCE)
    assert [found.title for found in back] == [level.title] * count
    assert dict(back[0].provenance) == {NASTY: NASTY}


@pytest.mark.parametrize("count", [1, 3])
def test_a_title_does_no_harm_to_a_png(count):
    level = row_of_tiles("binary", title=NASTY, provenance={NASTY: NASTY})
    assert PNG.parse(written(PNG, *[level] * count), SOURCE)[-1].title == level.title


# ----------------------------------------------------------------------------------------- what is refused


def test_absurd_pictures_are_refused_before_they_are_drawn():
    game = games.get("binary")
    level = Level("binary", game.tiles, np.zeros((1000, 1000)))
    for draw in (image, svg, png):
        with pytest.raises(LevelsmithError, match="at most 100,000,000 pixels, got 256000x256000"):
            draw(level, "light", 256)
    with pytest.raises(LevelsmithError, match="smaller scale"):
        written(PNG, *[level] * 100, scale=4)


def test_unknown_settings_are_named():
    level = row_of_tiles("binary")
    with pytest.raises(LevelsmithError, match="did you mean 'dark'"):
        svg(level, "darc")
    with pytest.raises(LevelsmithError, match="from 4 to 256 for scale, got 3"):
        png(level, "light", 3)
    with pytest.raises(LevelsmithError, match="no game is called"):
        tileset_png("chess", 16, "light")


def test_pictures_without_a_level_are_refused_in_one_sentence():
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8)).save(buffer, "PNG")
    with pytest.raises(LevelsmithError, match="got a picture without one"):
        PNG.parse(buffer.getvalue(), SOURCE)
    with pytest.raises(LevelsmithError, match="got a picture without one"):
        SVG.parse(f'<svg xmlns="{SVG_SPACE}"><metadata>by hand</metadata></svg>'.encode(), SOURCE)
    with pytest.raises(LevelsmithError, match="another kind of XML"):
        SVG.parse(b"<html/>", SOURCE)
    with pytest.raises(LevelsmithError, match="expected a PNG picture"):
        PNG.parse(b"GIF89a", SOURCE)


@each_format
def test_a_picture_cut_short_anywhere_is_read_or_refused(picture):
    data = written(picture, row_of_tiles("sokoban", title="a"), scale=4)
    for end in range(len(data)):
        try:
            assert picture.parse(data[:end], SOURCE)[0].game == "sokoban"
        except LevelsmithError:
            continue


@each_format
@modest
@given(data=st.data())
def test_damaged_pictures_raise_nothing_but_our_error(picture, data):
    good = bytearray(written(picture, row_of_tiles("loderunner", title="a title"), scale=4))
    for _ in range(data.draw(st.integers(1, 5))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(LevelsmithError):
        picture.parse(bytes(good), SOURCE)


def test_a_wrong_checksum_is_noticed():
    data = bytearray(written(PNG, row_of_tiles("binary")))
    data[data.index(b'"game"') + 9] ^= 1
    with pytest.raises(LevelsmithError, match="checksum"):
        PNG.parse(bytes(data), SOURCE)


def test_a_text_that_unpacks_to_more_than_the_limit_is_refused():
    bomb = zlib.compress(b" " * 50_000_000, 9)
    body = KEYWORD.encode() + b"\0\1\0\0\0" + bomb
    with pytest.raises(LevelsmithError, match="at most 1,000,000 bytes of levels"):
        PNG.parse(SIGNATURE + chunk(b"iTXt", body), Source("bomb", limits=ReadLimits(bytes=1_000_000)))


@pytest.mark.parametrize(
    "body", [b"", b"\0", b"\1\0", b"\1\0\0\0", b"\1\0\0\0not zlib", b"\7\7\0\0{}", b"\0\0\0\0\xff"]
)
def test_malformed_text_chunks_are_refused(body):
    with pytest.raises(LevelsmithError):
        PNG.parse(SIGNATURE + chunk(b"iTXt", KEYWORD.encode() + b"\0" + body) + chunk(b"IEND", b""), SOURCE)


def test_the_pixels_of_a_huge_picture_are_never_looked_at():
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 2**31 - 1, 2**31 - 1, 8, 2, 0, 0, 0))
    level = json.dumps({"game": "binary", "text": "#."}).encode()
    text = chunk(b"iTXt", KEYWORD.encode() + b"\0\0\0\0\0" + level)
    assert PNG.parse(SIGNATURE + header + text + chunk(b"IEND", b""), SOURCE)[0].text == "#."


def test_entities_in_an_svg_are_refused():
    lol = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
    text = f'<!DOCTYPE svg [<!ENTITY l0 "lol">{lol}]><svg xmlns="{SVG_SPACE}"><metadata>&l9;</metadata></svg>'
    with pytest.raises(LevelsmithError, match="DOCTYPE"):
        SVG.parse(text.encode(), SOURCE)


def test_an_svg_costs_no_import_of_pillow():
    code = (
        "import sys; from levelsmith.levels.formats.picture import svg;"
        "from levelsmith.levels.formats.text import parse;"
        "svg(parse('#.', 'binary')); sys.exit('PIL' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
