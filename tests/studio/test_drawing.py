"""The drawing behind the editor: painting, locks, mirrors, sizes, and all of it undone."""

import pytest

from levelsmith.core import Level
from levelsmith.making.canvas import canvas
from levelsmith.registry import games

TILES = [{"name": tile.name, "char": tile.symbol} for tile in games.get("sokoban").tiles]
BEGIN = 'import * as d from "./edit/drawing.js"; export default (tiles) => {'
ROOM = "#####\\n#@$.#\\n#####"


@pytest.fixture
def drawn(javascript):
    """What a few lines on a drawing of a room return."""

    def run(lines, text=ROOM):
        return javascript(f'{BEGIN} let room = d.read(tiles, "{text}"); {lines} }};', TILES)

    return run


def test_text_comes_back_as_it_was(drawn):
    assert drawn('return d.text(tiles, d.read(tiles, "####\\n#@"));') == "####\n#@  "


def test_of_players_there_is_one(drawn):
    lines = "return d.text(tiles, d.paint(room, tiles, [[1, 3]], {}));"
    assert drawn(lines.format(6)) == "#####\n# $+#\n#####"
    assert drawn(lines.format(6), "#####\\n#+$.#\\n#####") == "#####\n#.$+#\n#####"


def test_locked_cells_are_not_painted(drawn):
    painted = "room = d.paint(d.lock(room, [[1, 1], [0, 0]], true), tiles, [[0, 0], [0, 1], [1, 3]], {}); "
    assert drawn(painted.format(0) + "return d.text(tiles, room);") == "# ###\n#@$ #\n#####"
    assert drawn(painted.format(5) + "return d.text(tiles, room);") == "#####\n#@$.#\n#####"


def test_mirrors_carry_the_locks(drawn):
    locked = "room = d.mirror(d.lock(room, [[1, 1]], true), {}); "
    told = "return [d.text(tiles, room), d.runs(room, room.locked)];"
    assert drawn(locked.format("false") + told) == ["#####\n#.$@#\n#####", ["3,1,1x1"]]
    assert drawn(locked.format("true") + told) == ["#####\n#@$.#\n#####", ["1,1,1x1"]]


def test_a_room_stays_closed_when_it_grows(drawn):
    assert drawn("return d.text(tiles, d.resize(room, 6, 4));") == "######\n#@$. #\n#    #\n######"
    assert drawn("return d.text(tiles, d.resize(room, 4, 3));") == "####\n#@$#\n####"
    assert drawn("return d.text(tiles, d.resize(room, 4, 2));", " @\\n##") == " @  \n##  "


def test_the_searches_read_its_locks(drawn):
    locks = drawn(
        "room = d.lock(room, [[0, 0], [0, 1], [1, 4], [2, 2]], true); return d.runs(room, room.locked);"
    )
    sokoban = games.get("sokoban")
    start = Level("sokoban", sokoban.tiles, [[1] * 5, [1, 5, 2, 3, 1], [1] * 5])
    locked = canvas((3, 5), start, locks).locked
    assert sorted(zip(*(axis.tolist() for axis in locked.nonzero()), strict=True)) == [
        (0, 0),
        (0, 1),
        (1, 4),
        (2, 2),
    ]
    again = f"room = d.withLocks(room, {[*locks, 'x', '9,9,9x1']}); return d.runs(room, room.locked);"
    assert drawn(again) == locks


def test_strokes_have_no_gaps_and_images(drawn):
    assert drawn("return d.line([0, 0], [1, 3]);") == [[0, 0], [0, 1], [1, 2], [1, 3]]
    assert drawn('return d.symmetric(room, [[0, 1]], "both");') == [[0, 1], [0, 3], [2, 1], [2, 3]]


def test_what_was_done_is_undone_and_done_again(drawn):
    lines = """
      const history = new d.History(room);
      const seen = () => d.text(tiles, history.now).split("\\n")[1];
      history.push(room);
      const same = history.canUndo;
      history.push(d.paint(room, tiles, [[1, 3]], 0));
      history.push(d.lock(history.now, [[1, 1]], true));
      const told = [same, seen(), history.now.locked[6]];
      history.undo(); told.push(history.now.locked[6]);
      history.undo(); told.push(seen(), history.canUndo);
      history.redo(); told.push(seen());
      history.push(d.paint(history.now, tiles, [[1, 1]], 0));
      return [...told, seen(), history.canRedo];
    """
    assert drawn(lines) == [False, "#@$ #", True, False, "#@$.#", False, "#@$ #", "# $ #", False]
