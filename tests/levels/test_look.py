"""Sprites, palettes and terminal colours of every game: complete, inside their canvas, easy to tell apart."""

from itertools import combinations

import numpy as np
import pytest

from levelsmith.core import Level
from levelsmith.levels.formats.picture import image
from levelsmith.levels.look import HOUSE, THEMES, UNITS, Disc, Polygon, Rect, Shape, Stroke
from levelsmith.registry import games

GAMES = [games.get(name) for name in games]
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
each_theme = pytest.mark.parametrize("theme", THEMES)

# How colours reach an eye without one kind of cones: Viénot, Brettel and Mollon (1999), and no colour at all.
EYES = {
    "all": np.eye(3),
    "deuteranopia": np.array([[0.29, 0.71, 0.0], [0.29, 0.71, 0.0], [-0.02, 0.02, 1.0]]),
    "protanopia": np.array([[0.11, 0.89, 0.0], [0.11, 0.89, 0.0], [0.0, 0.0, 1.0]]),
    "tritanopia": np.array([[1.0, 0.15, -0.15], [0.0, 0.87, 0.13], [0.0, 0.87, 0.13]]),
    "grey": np.array([[0.21, 0.72, 0.07]] * 3),
}


def corners(shape: Shape) -> tuple[float, float, float, float]:
    if isinstance(shape, Rect):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    if isinstance(shape, Disc):
        return (
            *(shape.x - shape.radius, shape.y - shape.radius),
            *(shape.x + shape.radius, shape.y + shape.radius),
        )
    margin = shape.width / 2 if isinstance(shape, Stroke) else 0
    assert isinstance(shape, Polygon | Stroke)
    xs, ys = zip(*shape.points, strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def brightness(colour: str) -> float:
    """The relative luminance of the WCAG."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


@each_game
def test_a_look_covers_exactly_the_tiles(game):
    look = game.look()
    assert set(look.sprites) == set(look.terminal) == set(game.tiles.names)


@each_game
@each_theme
def test_every_colour_named_is_in_both_palettes_and_none_is_idle(game, theme):
    look = game.look()
    named = {shape.colour for sprite in look.sprites.values() for shape in sprite}
    named |= {colour for pair in look.terminal.values() for colour in pair}
    assert named == set(look.palettes[theme])
    assert all(len(colour) == 7 and int(colour[1:], 16) >= 0 for colour in look.palettes[theme].values())


def test_the_house_has_a_colour_for_each_theme():
    assert all(len(colours) == len(THEMES) for colours in HOUSE.values())


@each_game
def test_a_sprite_covers_its_tile_first_and_stays_inside(game):
    for sprite in game.look().sprites.values():
        assert isinstance(sprite[0], Rect)
        assert sprite[0].radius == 0
        assert corners(sprite[0]) == (0, 0, UNITS, UNITS)
        for shape in sprite:
            left, top, right, bottom = corners(shape)
            assert left >= 0
            assert top >= 0
            assert right <= UNITS
            assert bottom <= UNITS


@each_game
@each_theme
@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("scale", [16, 64])
def test_every_eye_tells_any_two_tiles_apart(game, theme, eye, scale):
    row = np.arange(len(game.tiles), dtype=np.uint8)[None, :]
    pixels = np.asarray(image(Level(game.name, game.tiles, row), theme, scale), dtype=float) @ EYES[eye].T
    tiles = np.split(pixels, len(game.tiles), axis=1)
    for (i, one), (j, other) in combinations(enumerate(tiles), 2):
        seen = (np.abs(one - other).max(axis=2) > 40).mean()  # the share of pixels that differ plainly
        assert seen > 0.08, (game.tiles.names[i], game.tiles.names[j])


@each_game
@each_theme
def test_terminal_cells_differ_and_their_symbols_are_legible(game, theme):
    look = game.look()
    pairs = [look.terminal[name] for name in game.tiles.names]
    assert len(set(pairs)) == len(pairs)
    for ground, symbol in pairs:
        if ground != symbol:
            assert contrast(look.palettes[theme][ground], look.palettes[theme][symbol]) > 2.3, (
                ground,
                symbol,
            )
