"""Films of solutions: every frame is the picture of its grid, the level travels inside."""

import contextlib
import io
import re
import tracemalloc
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from levelsmith.core import Level, settle
from levelsmith.errors import LevelsmithError
from levelsmith.levels import film
from levelsmith.levels.film import GONE, frames, highlights, moves, place, staged
from levelsmith.levels.formats import gif
from levelsmith.levels.formats.format import MAIN, Format, Source
from levelsmith.levels.formats.picture import SVG, SVG_SPACE, image, svg
from levelsmith.levels.formats.sheet import sprites_of
from levelsmith.levels.formats.text import parse
from levelsmith.registry import games
from levelsmith.testing import check_format
from tiles_only import TilesOnly

SOURCE = Source("a film")
GIF = gif.FORMAT
modest = settings(max_examples=20, deadline=None)


def level(text: str, solution: str | None, **fields) -> Level:
    return replace(parse(text, "sokoban"), solution=solution, **fields)


ONE = level("#####\n#@$.#\n#####", "R")
TWO = level("########\n#  .   #\n#@$  . #\n#   $  #\n#      #\n########", "RddrrUlUR", title="Two crates")
# A box leaves its goal and comes back, and the player stands on it meanwhile.
BACK = level("#######\n#     #\n# @*  #\n#   $.#\n#     #\n#######", "RurrdLullddrR")
LEVELS = {"one": ONE, "two": TWO, "back": BACK}


class Flipbook(TilesOnly):
    """Sokoban's tiles without its rules: a level says itself which grids follow it."""

    def verify(self, level):
        """Any pages will do."""

    def frames(self, level):
        yield level.grid
        for rows in level.provenance["pages"]:
            yield np.array(rows, np.uint8)


@pytest.fixture(scope="module", autouse=True)
def flipbook():
    sokoban = games.get("sokoban")
    game = Flipbook("flipbook", sokoban)
    games.register("flipbook", game)
    yield game
    games.unregister("flipbook")


@st.composite
def flipbooks(draw) -> Level:
    """Grids of any tiles, some cells of which change from page to page."""
    height, width, count = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 6))
    random = np.random.default_rng(draw(st.integers(0, 10**6)))
    pages = [random.integers(0, 7, (height, width), dtype=np.uint8)]
    for _ in range(count):
        fresh = random.integers(0, 7, (height, width), dtype=np.uint8)
        pages.append(np.where(random.random((height, width)) < 0.3, fresh, pages[-1]))
    tiles = games.get("sokoban").tiles
    rest = {"pages": [page.tolist() for page in pages[1:]]}
    return Level("flipbook", tiles, pages[0], solution="pages", provenance=rest)


def written(chosen: Format, *levels: Level, **values) -> bytes:
    return chosen.write(levels, "level", settle(chosen.name, chosen.parameters, values))[MAIN]


def shown(data: bytes) -> list[np.ndarray]:
    """The frames of a GIF as a viewer puts them together."""
    with Image.open(io.BytesIO(data)) as picture:
        pictures = []
        for number in range(picture.n_frames):
            picture.seek(number)
            pictures.append(np.asarray(picture.convert("RGB")))
    return pictures


def drawn(one: Level, **look) -> list[np.ndarray]:
    return [np.asarray(image(replace(one, grid=grid), **look)) for grid in frames(one)]


# ---------------------------------------------------------------------------------------- frames and moves


def test_the_frames_are_the_grid_at_the_start_and_after_each_move():
    assert [parse("#####\n#@$.#\n#####", "sokoban").text, "#####\n# @*#\n#####"] == [
        "\n".join(ONE.tiles.rows(grid)) for grid in frames(ONE)
    ]
    assert len(list(frames(TWO))) == len(TWO.solution) + 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (parse("#.", "binary"), "levels of binary have no solutions to play"),
        (replace(ONE, solution=None), "this level carries no solution to play; expected one"),
        (replace(ONE, solution="", title="Room"), "the level 'Room' carries no solution to play"),
        (replace(TWO, solution="R"), "the solution leaves 2 boxes off the goals"),
        (replace(ONE, solution="RR"), "move 2 of the solution, 'R', is blocked"),
        (replace(ONE, solution="x"), "expected moves u d l r"),
    ],
)
@pytest.mark.parametrize(
    "use",
    [frames, moves, gif.gif, lambda level: svg(level, film=True)],
    ids=["frames", "moves", "gif", "svg"],
)
def test_what_cannot_be_played_is_named_in_a_line(wrong, message, use):
    with pytest.raises(LevelsmithError, match=re.escape(message)) as told:
        use(wrong)
    assert "\n" not in str(told.value)


def test_a_place_counts_moves_and_pushes():
    assert place("rRRu", 2, "push") == "move 2 of 4, push 1 of 2"
    assert place("rRRu", 2) == "move 2 of 4"
    assert place("xxx", 3) == "move 3 of 3"
    assert moves(TWO) == TWO.solution


def test_solutions_that_are_no_letters_count_as_moves_all_the_same():
    pages = [[[1]], [[2]]]
    one = Level("flipbook", games.get("sokoban").tiles, [[0]], solution="pages", provenance={"pages": pages})
    assert moves(one) == "xx"


def test_highlights_are_where_boxes_were_left():
    assert highlights("rRRuuLdRU", 8) == [0, 3, 6, 8, 9]
    assert highlights("R", 8) == [0, 1]
    assert highlights("xxx", 8) == [0, 1, 2, 3]
    assert highlights("", 8) == [0]
    many = highlights("Ru" * 100, 8)
    assert len(many) == 8
    assert (many[0], many[-1]) == (0, 200)
    assert many == sorted(set(many))


# ----------------------------------------------------------------------------------------- films taken apart


def test_boxes_and_the_player_are_the_things_that_move():
    stage = staged(TWO, sprites_of(games.get("sokoban").look(), "sokoban", TWO.tiles))
    empty = TWO.text.replace("@", " ").replace("$", " ")
    assert "\n".join(TWO.tiles.rows(stage.background)) == empty
    assert stage.last == len(TWO.solution)
    box, home, player = (TWO.tiles.index_of(name) for name in ("box", "box on goal", "player"))
    ways = {thing.steps[0][2]: thing.steps for thing in stage.things}
    assert len(stage.things) == 3
    assert len(ways[player]) == 10
    boxes = [thing.steps for thing in stage.things if thing.steps[0][2] == box]
    assert boxes == [
        [(0, (2, 2), box), (1, (2, 3), box), (8, (1, 3), home)],
        [(0, (3, 4), box), (6, (2, 4), box), (9, (2, 5), home)],
    ]


@modest
@given(one=flipbooks())
def test_background_and_things_make_every_frame_again(one):
    sprites = sprites_of(games.get("sokoban").look(), "sokoban", one.tiles)
    stage = staged(one, sprites)
    for number, grid in enumerate(frames(one)):
        for cell, tile in np.ndenumerate(grid):
            here = []
            for thing in stage.things:
                _, where, kind = [step for step in thing.steps if step[0] <= number][-1]
                if where == cell and kind != GONE:
                    here.append(stage.tops[kind])
            ground = sprites[stage.background[cell]]
            wanted = sprites[tile]
            if wanted[: len(ground)] == ground:
                wanted = wanted[len(ground) :]
            assert sorted(map(repr, sum(here, ()))) == sorted(map(repr, wanted))


# ----------------------------------------------------------------------------------------------------- GIF


@pytest.mark.parametrize("scale", [4, 16, 32])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("one", LEVELS.values(), ids=LEVELS)
def test_every_frame_of_a_gif_is_the_picture_of_its_grid(one, theme, scale):
    seen, wanted = shown(gif.gif(one, theme, scale)), drawn(one, theme=theme, scale=scale)
    assert len(seen) == len(wanted)
    assert all(np.array_equal(*pair) for pair in zip(seen, wanted, strict=True))


@modest
@given(one=flipbooks())
def test_so_it_is_whatever_changes(one):
    seen, wanted = shown(gif.gif(one, "light", 16)), drawn(one, theme="light", scale=16)
    still = [number for number in range(1, len(wanted)) if np.array_equal(wanted[number], wanted[number - 1])]
    if not still:  # a viewer may join frames that are alike
        assert len(seen) == len(wanted)
    assert all(any(np.array_equal(picture, frame) for frame in seen) for picture in wanted)


@pytest.mark.parametrize("scale", [33, 64, 100])
def test_where_colours_are_too_many_near_ones_stand_in(scale):
    for seen, wanted in zip(shown(gif.gif(TWO, "light", scale)), drawn(TWO, scale=scale), strict=True):
        apart = np.abs(seen.astype(int) - wanted).max(axis=2)
        assert apart.max() < 30
        assert (apart > 0).mean() < 0.01


def test_a_gif_loops_and_rests_at_both_ends():
    with Image.open(io.BytesIO(written(GIF, TWO, delay=70))) as picture:
        assert picture.info["loop"] == 0
        durations = []
        for number in range(picture.n_frames):
            picture.seek(number)
            durations.append(picture.info["duration"])
    assert durations == [1000, *[70] * 8, 2000]


def test_a_frame_holds_only_what_changed():
    assert len(gif.gif(TWO)) < 12_000
    plain = "#" * 30 + "\n#@" + " " * 25 + "$.#\n" + "#" * 30
    walk = "r" * 24 + "lr" * 1000 + "rR"
    long = replace(parse(plain, "sokoban"), solution=walk)
    tracemalloc.start()
    data = gif.gif(long)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(data) < 2_000_000
    assert peak < 30_000_000


def test_a_gif_gives_its_level_back_whole():
    nasty = "</svg>\x00\x1b[31m \ud800 \u202e; ;"
    one = replace(TWO, title=nasty, author="für mich", provenance={"seed": 3, nasty: "x" * 2000})
    (back,) = GIF.parse(written(GIF, one, theme="dark", scale=8), SOURCE)
    assert back == one
    for field in ("title", "author", "solution", "provenance"):
        assert getattr(back, field) == getattr(one, field)


def test_gif_keeps_the_promises_of_a_format():
    assert isinstance(GIF, Format)
    check_format(GIF, [ONE, TWO])


def test_films_too_long_or_too_large_are_refused(monkeypatch):
    long = level("#@$." + "#" * 296, "R")
    with pytest.raises(LevelsmithError, match="at most 65,535 pixels a side, got 76800x256"):
        gif.gif(long, "light", 256)
    with pytest.raises(LevelsmithError, match="from 20 to 10000 for delay, got 5"):
        written(GIF, ONE, delay=5)
    with pytest.raises(LevelsmithError, match="one gif file holds one level, got 2"):
        written(GIF, ONE, TWO)
    with monkeypatch.context() as patched:
        patched.setattr(gif, "MOST_PIXELS", 60_000)
        with pytest.raises(LevelsmithError, match="at most 60,000 pixels in all its frames"):
            gif.gif(TWO)
    monkeypatch.setattr(film, "LONGEST", 8)
    for chosen, values in ((GIF, {}), (SVG, {"film": True})):
        with pytest.raises(LevelsmithError, match="at most 8 moves to film"):
            written(chosen, TWO, **values)


def test_gifs_without_a_level_are_refused_in_one_sentence():
    buffer = io.BytesIO()
    pages = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    pages[0].save(buffer, "GIF", save_all=True, append_images=pages[1:], comment=b"by hand")
    with pytest.raises(LevelsmithError, match="got a picture without one"):
        GIF.parse(buffer.getvalue(), SOURCE)
    with pytest.raises(LevelsmithError, match="expected a GIF picture, got something else"):
        GIF.parse(b"\x89PNG", SOURCE)
    with pytest.raises(LevelsmithError, match="a part of no known kind"):
        GIF.parse(b"GIF89a" + bytes(7) + b"x", SOURCE)
    with pytest.raises(LevelsmithError, match="level of sokoban, but binary was asked for"):
        GIF.parse(written(GIF, ONE), Source("a film", games.get("binary")))


def test_a_gif_that_another_program_saved_again_still_loads():
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(written(GIF, TWO))) as picture:
        picture.save(buffer, "GIF", save_all=True)
    assert GIF.parse(buffer.getvalue(), SOURCE) == [TWO]


def test_a_gif_cut_short_anywhere_is_read_or_refused():
    data = written(GIF, ONE, scale=4)
    level_ends = data.index(b'"R"}\0') + 5
    for end in range(level_ends, len(data)):
        assert GIF.parse(data[:end], SOURCE) == [ONE]
    for end in range(level_ends):
        with pytest.raises(LevelsmithError):
            GIF.parse(data[:end], SOURCE)


@modest
@given(data=st.data())
def test_damaged_gifs_raise_nothing_but_our_error(data):
    good = bytearray(written(GIF, ONE, scale=4))
    for _ in range(data.draw(st.integers(1, 5))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(LevelsmithError):
        GIF.parse(bytes(good), SOURCE)


# ----------------------------------------------------------------------------------------------------- SVG


def animations(data: bytes | str) -> list[ElementTree.Element]:
    tags = (f"{{{SVG_SPACE}}}animateTransform", f"{{{SVG_SPACE}}}animate")
    return [element for element in ElementTree.fromstring(data).iter() if element.tag in tags]


def test_a_still_has_nothing_that_moves():
    still = written(SVG, TWO)
    assert still.decode() == svg(TWO)
    assert animations(still) == []


def test_a_film_moves_boxes_and_player_without_a_script():
    data = svg(TWO, film=True)
    found = animations(data)
    assert len([element for element in found if element.get("type") == "translate"]) == 5
    for element in found:
        times = [float(time) for time in element.get("keyTimes").split(";")]
        assert times == sorted(times)
        assert len(times) == len(element.get("values").split(";"))
        assert times[0] == 0
        assert times[-1] == 1 or element.get("calcMode") == "discrete"
        assert element.get("repeatCount") == "indefinite"
    assert "<script" not in data


def test_straight_ways_are_one_line():
    corridor = level("##########\n#@     $.#\n##########", "rrrrrR")
    ways = [found.get("values") for found in animations(svg(corridor, film=True))]
    assert "16 16;16 16;112 16;112 16" in ways


def test_the_delay_sets_how_long_a_film_takes():
    lasts = {
        delay: animations(written(SVG, TWO, film=True, delay=delay))[0].get("dur") for delay in (50, 500)
    }
    assert lasts == {50: "3.45s", 500: "7.5s"}


def test_a_film_in_svg_loads_again_and_so_does_a_sheet_of_films():
    for levels in ([TWO], [ONE, TWO]):
        data = written(SVG, *levels, film="yes")
        back = SVG.parse(data, SOURCE)
        assert back == levels
        assert [one.solution for one in back] == [one.solution for one in levels]
        assert len(animations(data)) > 3
    with pytest.raises(LevelsmithError, match="carries no solution"):
        written(SVG, ONE, replace(TWO, solution=None), film=True)


def test_a_film_in_svg_costs_no_import_of_pillow(python):
    python(
        "import sys; from dataclasses import replace; from levelsmith import parse;"
        "from levelsmith.levels.formats.picture import svg;"
        "svg(replace(parse('#####\\n#@$.#\\n#####', 'sokoban'), solution='R'), film=True);"
        "assert 'PIL' not in sys.modules",
        fresh=True,
    )


# --------------------------------------------------------------------------------------- plans against guards

# A guard falls into a hole and is walked over; it fills behind the runner, who waits for that.
CHASED = replace(
    parse("\n".join(["." * 16, "." * 16, "M.........E.G...", "b" * 16, "B" * 16, "B" * 16]), "loderunner"),
    solution="R109 r45 .48 r20",
)


def test_a_frame_is_drawn_every_fifth_tick_and_at_the_end():
    grids = list(frames(CHASED))
    assert len(grids) == 1 + 215 // 5 + 1  # won at tick 217
    assert grids[-1][2, 12] == 7
    assert moves(CHASED) == "x" * 44


def test_guards_move_and_holes_open_and_close_in_a_film():
    grids = list(frames(CHASED))
    guards = [tuple(np.argwhere(grid == 6)[0]) for grid in grids]
    assert len(set(guards)) > 8
    assert (3, 1) in guards  # in the hole
    hole = [grid[3, 1] for grid in grids]
    assert (hole[2], hole[3], hole[-1]) == (1, 0, 1)  # whole, open from tick 12 on, whole again


def test_a_film_of_a_plan_against_guards_is_written_and_small():
    data = gif.gif(CHASED)
    assert Image.open(io.BytesIO(data)).n_frames == 45
    assert len(data) < 60_000
    assert svg(CHASED, film=True).count("<animate") > 3
    way = film.trail(CHASED)
    assert (way[0], way[-1]) == ((2, 0), (2, 12))


def test_a_plan_that_the_guards_stop_is_no_film():
    with pytest.raises(LevelsmithError, match="is caught or buried"):
        list(frames(replace(CHASED, solution=".300")))
