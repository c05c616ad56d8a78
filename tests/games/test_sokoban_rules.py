"""The rule book of Sokoban against hand-made boards, and against another one that moves characters about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsmith import Level, LevelsmithError, parse
from levelsmith.games.sokoban.rules.rules import (
    SokobanBoard,
    SokobanState,
    check,
    drawn,
    frames,
    marked,
    pairs,
    region,
    replay,
)
from levelsmith.registry import games

TILES = games.get("sokoban").tiles
ROOM = "#######\n#     #\n# @$. #\n#     #\n#######"


def board(text):
    return SokobanBoard(parse(text, game="sokoban").grid)


def played(text, moves):
    """The board as text after the moves, and the moves as the book writes them."""
    position, letters = board(text).start, ""
    for letter, after in board(text).play(moves):
        position, letters = after, letters + letter
    return "\n".join(TILES.rows(drawn(board(text), position))), letters


# ------------------------------------------------------------------------------------------ another rule book


def shove(text, move):
    """One move on the text of a board: the player's character walks, a box's is pushed; None if blocked."""
    rows = ["#" * (len(text.split("\n")[0]) + 2)]
    rows += [f"#{row}#" for row in text.split("\n")] + rows
    cells = list("\n".join(rows))
    line = len(rows[0]) + 1
    ahead = {"u": -line, "d": line, "l": -1, "r": 1}[move]
    here = next(i for i, c in enumerate(cells) if c in "@+")
    there, beyond = here + ahead, here + 2 * ahead
    if cells[there] == "#":
        return None
    if cells[there] in "$*":
        if cells[beyond] not in " .":
            return None
        cells[beyond] = {" ": "$", ".": "*"}[cells[beyond]]
    cells[there] = {" ": "@", "$": "@", ".": "+", "*": "+"}[cells[there]]
    cells[here] = {"@": " ", "+": "."}[cells[here]]
    return "\n".join(row[1:-1] for row in "".join(cells).split("\n")[1:-1])


@st.composite
def boards(draw):
    """One player, as many boxes as goals, walls anywhere; solvable or not."""
    height, width = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    cells = draw(st.permutations(range(height * width)))
    ground = [draw(st.sampled_from("  #")) for _ in cells]
    number = draw(st.integers(0, (len(cells) - 1) // 2))
    ground[cells[0]] = "@"
    for cell in cells[1 : number + 1]:
        ground[cell] = "$"
    for cell in draw(st.permutations(cells))[:number]:
        ground[cell] = {"@": "+", "$": "*"}.get(ground[cell], ".")
    return "\n".join("".join(ground[row * width : (row + 1) * width]) for row in range(height))


@settings(max_examples=300, deadline=None)
@given(boards(), st.text("udlr", max_size=40))
def test_every_move_does_what_the_other_book_says(text, moves):
    book = board(text)
    position = book.start
    for move in moves:
        expected, after = shove(text, move), book.step(position, move)
        assert (after is None) == (expected is None)
        if after is None:
            continue
        assert drawn(book, after).tolist() == parse(expected, game="sokoban").grid.tolist()
        assert book.is_solved(after) == ("$" not in expected)
        text, position = expected, after


@settings(max_examples=200, deadline=None)
@given(boards(), st.text("udlr", max_size=40))
def test_a_played_line_is_written_with_capitals_for_pushes(text, moves):
    done, letters, now = "", "", text
    for move in moves:
        after = shove(now, move)
        if after is None:
            continue
        pushed = [i for i, c in enumerate(now) if c in "$*"] != [i for i, c in enumerate(after) if c in "$*"]
        done, letters, now = done + move, letters + (move.upper() if pushed else move), after
    assert played(text, done) == (now, letters)
    level = parse(text, game="sokoban")
    if "$" not in now:
        assert replay(level, done) == letters
        assert replay(level, done.upper()) == letters
    else:
        with pytest.raises(LevelsmithError, match="off the goals"):
            replay(level, done)


# ----------------------------------------------------------------------------------------------- rule by rule


@pytest.mark.parametrize(
    ("before", "move", "after", "letter"),
    [
        ("@ ", "r", " @", "r"),
        (" @", "l", "@ ", "l"),
        ("@\n ", "d", " \n@", "d"),
        (" \n@", "u", "@\n ", "u"),
        ("@$ .", "r", " @$.", "R"),
        (". $@", "l", ".$@ ", "L"),
        ("@\n$\n.", "d", " \n@\n*", "D"),
        (".\n$\n@", "u", "*\n@\n ", "U"),
        ("+$ ", "r", ".@$", "R"),
        ("@* ", "r", " +$", "R"),
        ("@.$", "r", " +$", "r"),
        ("$+ ", "r", "$.@", "r"),
    ],
)
def test_a_move(before, move, after, letter):
    assert played(before, move) == (after, letter)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("@#", "r"),  # a wall
        ("@", "r"),  # outside, which is wall on all four sides
        ("@", "l"),
        ("@", "u"),
        ("@", "d"),
        (".@$", "r"),  # a box against the outside
        (".@$#", "r"),  # against a wall
        ("..@$$ ", "r"),  # against a box
        (".@$* ", "r"),  # against a box on a goal
    ],
)
def test_what_blocks_a_move(text, move):
    assert board(text).step(board(text).start, move) is None
    with pytest.raises(LevelsmithError, match=f"move 1 of the solution, '{move}', is blocked"):
        list(board(text).play(move))


def test_boxes_are_pushed_and_never_pulled():
    assert played("$@ .", "r") == ("$ @.", "r")


def test_a_board_is_walls_goals_and_a_start():
    book = board("#####\n#+$*#\n#####")
    assert (book.height, book.width) == (3, 5)
    assert book.goals == {(1, 1), (1, 3)}
    assert book.start == SokobanState((1, 1), frozenset({(1, 2), (1, 3)}))
    assert len(book.walls) == 12
    assert book.is_wall((0, 0))
    assert not book.is_wall((1, 2))
    assert all(book.is_wall(cell) for cell in [(-1, 1), (3, 1), (1, -1), (1, 5)])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# $.#", "expected one player, got 0"),
        ("@$.@", "expected one player, got 2"),
        ("@$.+", "expected one player, got 2"),
        ("@$$.", "2 boxes but 1 goal: add a goal"),
        ("+$.", "1 box but 2 goals: add a box"),
        ("@*.", "1 box but 2 goals: add a box"),
        ("@*$", "2 boxes but 1 goal: add a goal"),
    ],
)
def test_what_is_no_board_is_refused(text, message):
    with pytest.raises(LevelsmithError, match=message):
        board(text)
    with pytest.raises(LevelsmithError, match=message):
        replay(parse(text, game="sokoban"), "")


@pytest.mark.parametrize(
    ("text", "solved"), [("@*", True), ("@", True), ("@*$.", False), ("+$", False), ("@**", True)]
)
def test_solved_is_every_box_on_a_goal(text, solved):
    assert board(text).is_solved(board(text).start) == solved


def test_a_solution_is_replayed():
    assert replay(parse(ROOM, game="sokoban"), "r") == "R"
    assert replay(parse(ROOM, game="sokoban"), "UDr") == "udR"


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("", "the solution leaves 1 box off the goals"),
        ("l", "the solution leaves 1 box off the goals"),
        ("rr", "the solution leaves 1 box off the goals"),
        ("rrr", "move 3 of the solution, 'r', is blocked"),
        ("ll", "move 2 of the solution, 'l', is blocked"),
        ("LL", "move 2 of the solution, 'L', is blocked"),
        ("x", r"expected moves u d l r \(capitals for pushes\), got 'x' as move 1"),
        ("r ", "got ' ' as move 2"),
        ("rİ", "got 'İ' as move 2"),
        ("r\x1b", "got '' as move 2"),
    ],
)
def test_what_is_no_solution_is_refused(moves, message):
    with pytest.raises(LevelsmithError, match=message):
        replay(parse(ROOM, game="sokoban"), moves)


def test_boxes_left_over_are_counted():
    with pytest.raises(LevelsmithError, match="leaves 2 boxes off the goals"):
        replay(parse("@$$..", game="sokoban"), "")


def test_frames_show_the_start_and_every_move():
    level = Level("sokoban", TILES, parse("@ $.", game="sokoban").grid, solution="rR")
    assert ["".join(TILES.rows(grid)) for grid in frames(level)] == ["@ $.", " @$.", "  @*"]
    assert [grid.tolist() for grid in frames(parse("@$.", game="sokoban"))] == [[[5, 2, 3]]]


def test_playing_leaves_the_level_as_it_was():
    level = parse(ROOM, game="sokoban")
    before = level.grid.copy()
    replay(level, "r")
    assert np.array_equal(level.grid, before)


# ---------------------------------------------------------------------------- where a player and boxes can be


@settings(max_examples=200, deadline=None)
@given(boards())
def test_a_player_reaches_what_the_other_book_walks_to(text):
    def boxes(text):
        return [i for i, c in enumerate(text) if c in "$*"]

    seen, waiting = {text}, [text]
    while waiting:
        here = waiting.pop()
        for after in (shove(here, move) for move in "udlr"):
            if after is not None and boxes(after) == boxes(text) and after not in seen:
                seen.add(after)
                waiting.append(after)
    line = text.find("\n") + 1 or len(text) + 1
    reached = {divmod(min(i for i, c in enumerate(one) if c in "@+"), line) for one in seen}
    book = board(text)
    assert region(book, book.start) == reached
    shown = marked(book)
    assert {(int(r), int(c)) for r, c in np.argwhere(shown > 5)} == reached
    bare = parse(text.replace("@", " ").replace("+", "."), game="sokoban").grid
    assert (shown - np.where(shown > 5, 6, 0)).tolist() == bare.tolist()


@pytest.mark.parametrize("text", [ROOM, "###\n#@#\n###", " ### \n##@##\n#.$ #\n#####"])
def test_a_closed_board_is_a_level(text):
    check(parse(text, game="sokoban").grid)


@settings(max_examples=200, deadline=None)
@given(boards())
def test_any_board_with_walls_around_it_is_a_level(text):
    check(np.pad(parse(text, game="sokoban").grid, 1, constant_values=1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("####\n#@ #\n## #", "the wall is open at row 3, column 3"),
        ("#####\n#@$ .\n#####", "the wall is open at row 2, column 5"),
        ("#####\n#@$.#\n#$###", "2 boxes but 1 goal: add a goal"),
        ("#####\n#@*$.\n#####", "the wall is open at row 2, column 5"),  # a box is no wall
        ("@", "the wall is open at row 1, column 1"),
        ("###\n# #\n###", "expected one player, got 0"),
    ],
)
def test_what_is_no_level_is_refused(text, message):
    with pytest.raises(LevelsmithError, match=message):
        check(parse(text, game="sokoban").grid)


def test_what_lies_outside_the_walls_does_not_matter():
    check(parse("#### \n#@ # \n#### *", game="sokoban").grid)


@settings(max_examples=200, deadline=None)
@given(boards(), st.text("udlr", max_size=40))
def test_boxes_are_followed_from_their_start(text, moves):
    book = board(text)
    where = {box: box for box in book.start.boxes}  # by where it started
    done, (row, column) = "", book.start.player
    for move in moves:
        after = shove(text, move)
        if after is None:
            continue
        down, right = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}[move]
        row, column = row + down, column + right
        beyond = (row + down, column + right)
        where = {start: beyond if now == (row, column) else now for start, now in where.items()}
        text, done = after, done + move
    level = Level("sokoban", TILES, drawn(book, book.start), solution=done)
    assert pairs(level) == sorted(where.items())
