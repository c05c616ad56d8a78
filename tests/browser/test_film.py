"""Films in a real browser: at the moment a move ends, the SVG looks like the picture of that grid."""

import base64
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from levelsmith import parse
from levelsmith.core import Level
from levelsmith.levels.film import DELAY, PAUSES, frames
from levelsmith.levels.formats.gif import gif
from levelsmith.levels.formats.picture import png, svg
from levelsmith.registry import games
from tiles_only import TilesOnly

LEVELS = {
    "one": ("#####\n#@$.#\n#####", "R"),
    "two": ("########\n#  .   #\n#@$  . #\n#   $  #\n#      #\n########", "RddrrUlUR"),
    "back": ("#######\n#     #\n# @*  #\n#   $.#\n#     #\n#######", "RurrdLullddrR"),
}
STYLE = "<style>body{margin:0} svg, img{display:block}</style>"


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.int16)


def differing(one, other):
    return (np.abs(one - other).max(axis=2) > 60).mean()  # edges are smoothed differently


def solved(name):
    text, solution = LEVELS[name]
    return replace(parse(text, "sokoban"), solution=solution)


class Projector:
    """A film stopped on a page, to be looked at at any moment."""

    def __init__(self, page, level, theme="light"):
        self.page = page
        page.set_viewport_size({"width": level.size[1] * 32, "height": level.size[0] * 32})
        page.set_content(f"{STYLE}{svg(level, theme, 32, film=True)}")
        page.evaluate("document.querySelector('svg').pauseAnimations()")

    def at(self, milliseconds):
        self.page.evaluate(f"document.querySelector('svg').setCurrentTime({milliseconds / 1000})")
        return pixels(self.page.screenshot())


def reached(frame):
    return PAUSES[0] + frame * DELAY.default


@pytest.mark.first(1)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", LEVELS)
def test_after_each_move_the_film_is_the_picture_of_that_grid(page, name, theme):
    level = solved(name)
    film = Projector(page, level, theme)
    for number, grid in enumerate(frames(level)):
        ours = pixels(png(replace(level, grid=grid), theme, 32))
        assert differing(film.at(reached(number)), ours) < 0.03
        if number:
            assert differing(film.at(reached(number - 1)), ours) > 0.01


def test_between_two_frames_things_are_on_their_way(page):
    level = solved("one")
    film = Projector(page, level)
    start, middle, end = (film.at(reached(0) + share * DELAY.default) for share in (0, 0.5, 1))
    assert min(differing(start, middle), differing(middle, end)) > 0.01
    assert np.array_equal(film.at(0), start)
    floor = pixels(png(parse("#####\n#   #\n#####", "sokoban"), "light", 32))
    keeper = (np.abs(middle - floor).max(axis=2) > 60)[32:64].any(axis=0).nonzero()[0]
    assert 32 + 16 < keeper.min() < 64  # half a cell to the right of where he stood


def test_after_the_last_frame_it_starts_again(page):
    level = solved("two")
    film = Projector(page, level)
    end = reached(len(level.solution)) + PAUSES[1]
    assert np.array_equal(film.at(end - 1), film.at(reached(len(level.solution))))
    assert np.array_equal(film.at(end + 1), film.at(0))


@pytest.mark.slow
def test_it_plays_by_itself_as_a_picture_in_a_page(page):
    """Pictures run no scripts."""
    source = base64.b64encode(svg(solved("two"), "light", 32, film=True).encode()).decode()
    page.set_viewport_size({"width": 256, "height": 192})
    page.set_content(f'{STYLE}<img src="data:image/svg+xml;base64,{source}">')
    page.wait_for_function("document.images[0].complete")
    seen = set()
    for _ in range(40):
        seen.add(page.screenshot())
        page.wait_for_timeout(100)
    assert len(seen) > 4


@pytest.mark.slow
def test_a_gif_plays_too(page):
    source = base64.b64encode(gif(solved("two"), "light", 32)).decode()
    page.set_viewport_size({"width": 256, "height": 192})
    page.set_content(f'{STYLE}<img src="data:image/gif;base64,{source}">')
    page.wait_for_function("document.images[0].complete")
    pictures = [pixels(png(replace(solved("two"), grid=grid), "light", 32)) for grid in frames(solved("two"))]
    seen = set()
    for _ in range(40):
        shot = pixels(page.screenshot())
        seen |= {number for number, picture in enumerate(pictures) if differing(shot, picture) == 0}
        page.wait_for_timeout(100)
    assert len(seen) > 4


class Flipbook(TilesOnly):
    """Sokoban's tiles without its rules: a level says itself which grids follow it."""

    def verify(self, level):
        """Any pages will do."""

    def frames(self, level):
        yield level.grid
        yield from level.provenance["pages"]


def test_whatever_changes_is_shown_as_it_is(page, entered):
    sokoban = games.get("sokoban")
    entered(games, "flipbook", Flipbook("flipbook", sokoban))
    random = np.random.default_rng(0)
    pages = random.integers(0, len(sokoban.tiles), (6, 4, 5), dtype=np.uint8)
    for i in range(1, len(pages)):
        pages[i] = np.where(random.random(pages[i].shape) < 0.4, pages[i], pages[i - 1])
    level = Level("flipbook", sokoban.tiles, pages[0], solution="x", provenance={"pages": [*pages[1:]]})
    film = Projector(page, level)
    for number, grid in enumerate(pages):
        ours = pixels(png(Level("sokoban", sokoban.tiles, grid), "light", 32))
        assert differing(film.at(reached(number)), ours) < 0.03
