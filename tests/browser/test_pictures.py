"""Pictures in a real browser: an SVG there looks like the PNG of the same level."""

import io

import numpy as np
import pytest
from PIL import Image

from levelsmith import parse
from levelsmith.levels.formats.picture import png, svg

LEVELS = {
    "binary": "..#.\n#...\n..##",
    "sokoban": "######\n#@$. #\n# +* #\n######",
    "loderunner": "..G..E\nbb#bbb\n..#--.\n.M#..B",
    "orchard": "^.^.\n.^.^",
}
STYLE = "<style>body{margin:0} svg{display:block}</style>"


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), np.int16)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", LEVELS)
def test_a_browser_draws_the_svg_as_we_draw_the_png(page, game, theme):
    level = parse(LEVELS[game], game)
    page.set_content(f"{STYLE}{svg(level, theme, 32)}")
    ours = pixels(png(level, theme, 32))
    page.set_viewport_size({"width": ours.shape[1], "height": ours.shape[0]})
    theirs = pixels(page.screenshot())
    assert theirs.shape == ours.shape
    differing = (np.abs(theirs - ours).max(axis=2) > 60).mean()  # edges are smoothed differently
    assert differing < 0.03


def test_two_pictures_on_one_page_keep_their_own_sprites(page):
    first, second = parse("#", "binary"), parse("^", "orchard")
    page.set_content(f"{STYLE}{svg(first, 'light', 32)}{svg(second, 'light', 32)}")
    page.set_viewport_size({"width": 32, "height": 64})
    shown = pixels(page.screenshot())
    for i, level in enumerate((first, second)):
        assert (
            np.abs(shown[32 * i : 32 * i + 32] - pixels(png(level, "light", 32))).max(axis=2) > 60
        ).mean() < 0.05
