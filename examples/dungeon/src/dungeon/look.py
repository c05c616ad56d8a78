"""What a dungeon looks like; colours are those of levelsmith's box of paints."""

from levelsmith.plugin import FLOOR, WALL, Disc, Polygon, Rect, Stroke

HERO = (
    Disc(8, 4.8, 2.6, "skin"),
    Polygon(((4, 14), (12, 14), (10.5, 7.5), (5.5, 7.5)), "sky"),
    Rect(5.2, 1.6, 5.6, 2, "sky dark", 1),
    Stroke(((13, 4), (13, 12)), 1, "stone"),
)
KEY = (
    Disc(5, 8, 3.2, "gold dark"),
    Disc(5, 8, 2.6, "gold"),
    Disc(5, 8, 1.1, "floor"),
    Stroke(((7.6, 8), (13, 8)), 1.6, "gold"),
    Stroke(((11, 8), (11, 10.5)), 1.4, "gold"),
    Stroke(((13, 8), (13, 10)), 1.4, "gold"),
)
DOOR = (
    Rect(0, 0, 16, 16, "stone dark"),
    Rect(2.5, 1, 11, 15, "wood dark", 2),
    Rect(3.5, 2, 4, 13.5, "wood", 0.5),
    Rect(8.5, 2, 4, 13.5, "wood", 0.5),
    Disc(10.8, 9, 1, "gold"),
)
EXIT = (
    Rect(1, 1, 14, 14, "ink", 1),
    *(Rect(2 + 2 * i, 12 - 3 * i, 12 - 2 * i, 2, "jade", 0.3) for i in range(4)),
)
SPRITES = {
    "floor": FLOOR,
    "wall": WALL,
    "hero": (*FLOOR, *HERO),
    "key": (*FLOOR, *KEY),
    "door": DOOR,
    "exit": (*FLOOR, *EXIT),
}
