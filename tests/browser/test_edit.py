"""The editor in a real browser: painting, locks, undo, live checks, and searches that keep what is locked."""

import json
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

ROOM = "/edit?game=sokoban&text=%23%23%23%23%23%0A%23%40%24.%23%0A%23%20%20%20%23%0A%23%23%23%23%23"
PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}"""
BETTER = "#####\n#@ .#\n# $ #\n#####"


@pytest.fixture
def board(studio):
    studio.answers["POST check"] = lambda body: {
        "valid": "@" in body["text"],
        "error": None if "@" in body["text"] else "expected one player, got 0",
        "status": "solved",
        "solution": "R",
        "metrics": {"box_changes": body["text"].count("$")},
    }
    return studio.page.locator(".board.paint canvas")


def at(board, row, col):
    box = board.bounding_box()
    return {"x": (col + 0.5) * box["width"] / 5, "y": (row + 0.5) * box["height"] / 4}


def expect_drawn(page, text, lock=""):
    """Waits for the address to show a level and its locks."""
    page.wait_for_function(
        """([text, lock]) => {
          const shown = new URLSearchParams(location.search);
          return shown.get("text") === text && (shown.get("lock") ?? "") === lock;
        }""",
        arg=[text, lock],
    )


def test_tiles_are_painted_by_strokes_and_undone(studio, board):
    studio.open(ROOM)
    page = studio.page
    page.keyboard.press("3")  # boxes
    box = board.bounding_box()
    start, end = at(board, 2, 1), at(board, 2, 3)
    page.mouse.move(box["x"] + start["x"], box["y"] + start["y"])
    page.mouse.down()
    page.mouse.move(box["x"] + end["x"], box["y"] + end["y"], steps=2)
    page.mouse.up()
    expect(page.locator(".metrics dd")).to_have_text("4")
    expect_drawn(page, "#####\n#@$.#\n#$$$#\n#####")
    page.keyboard.press("Control+z")
    expect(page.locator(".metrics dd")).to_have_text("1")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".metrics dd")).to_have_text("4")
    page.get_by_role("button", name="Mirror left and right").click()
    expect_drawn(page, "#####\n#.$@#\n#$$$#\n#####")


@pytest.mark.slow
def test_the_keyboard_paints_too(studio, board):
    studio.open(ROOM)
    page = studio.page
    board.focus()
    for key in ("4", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", " "):
        page.keyboard.press(key)
    expect_drawn(page, "#####\n#@$.#\n#.  #\n#####")
    expect(page.locator("#spoken")).to_have_text("row 3, column 2: floor")


def test_what_is_no_level_says_why(studio, board):
    studio.open(ROOM)
    page = studio.page
    expect(page.get_by_text("Can be won", exact=True)).to_be_visible()
    page.keyboard.press("1")
    board.click(position=at(board, 1, 1))
    expect(page.get_by_text("expected one player, got 0")).to_be_visible()


def test_a_drawing_is_proved_here_and_the_box_that_is_stuck_is_crossed_out(studio, board):
    studio.answers["POST check"] = lambda _: None  # no server answers
    studio.open(ROOM)
    page = studio.page
    expect(page.get_by_text("solution of 1 move, 1 push")).to_be_visible()
    page.keyboard.press("3")
    board.click(position=at(board, 2, 1))
    expect(page.get_by_text("2 boxes but 1 goal: add a goal")).to_be_visible()
    page.keyboard.press("4")
    board.click(position=at(board, 1, 2))
    expect(page.get_by_text("1 box but 2 goals: add a box")).to_be_visible()
    page.keyboard.press("1")
    board.click(position=at(board, 1, 3))
    expect(page.get_by_text("Cannot be won", exact=True)).to_be_visible()
    expect(page.get_by_text("No pushes bring the box at row 3, column 2 to a goal")).to_be_visible()
    crossed = board.screenshot()
    board.click(position=at(board, 2, 1))
    expect(page.get_by_text("Cannot be won", exact=True)).to_have_count(0)
    assert board.screenshot() != crossed


@pytest.mark.slow
def test_an_answer_that_comes_late_is_dropped(studio, board):
    held = []
    answer = studio.answers["POST check"]
    studio.answers["POST check"] = held.append  # no answer yet
    studio.open(ROOM)
    page = studio.page
    page.wait_for_timeout(400)
    assert len(held) == 1
    studio.answers["POST check"] = answer
    page.keyboard.press("3")
    board.click(position=at(board, 2, 2))
    expect(page.locator(".metrics dd")).to_have_text("2")
    studio.release({"valid": True, "status": "unsolvable", "metrics": {"box_changes": 99}})
    page.wait_for_timeout(200)
    expect(page.locator(".metrics dd")).to_have_text("2")


@pytest.mark.slow
def test_a_size_keeps_the_room_closed(studio, board):
    studio.open(ROOM)
    studio.page.get_by_label("Width").fill("7")
    studio.page.get_by_label("Width").press("Enter")
    expect_drawn(studio.page, "#######\n#@$.  #\n#     #\n#######")


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("name", "kept"), [("Improve", ["1,1,1x1"]), ("Fill unlocked cells", ["1,1,1x1", "2,2,1x1"])]
)
def test_a_search_is_told_what_to_keep_and_its_best_is_taken_over(studio, board, name, kept):
    events = [
        ("progress", {"evaluations": 10, "seconds": 0.1, "score": 0.5, "text": BETTER}),
        ("progress", {"evaluations": 20, "seconds": 0.2, "score": 0.75, "told": "difficulty 73 → 93"}),
        ("state", {"state": "done"}),
    ]
    studio.answers["POST jobs"] = {"id": "7"}
    studio.answers["GET jobs/7/events"] = "".join(
        f"id: {i}\nevent: {kind}\ndata: {json.dumps(data)}\n\n" for i, (kind, data) in enumerate(events)
    )
    studio.open(ROOM)
    page = studio.page
    page.keyboard.press("l")
    board.click(position=at(board, 1, 1))
    page.keyboard.press("4")
    board.click(position=at(board, 2, 2))
    board.click(position=at(board, 1, 1))  # locked
    page.get_by_role("button", name=name).click()
    expect(page.get_by_text("Use this version?", exact=True)).to_be_visible()
    expect(page.locator(".gain")).to_have_text("Difficulty 73 → 93")
    (job,) = studio.sent("POST jobs")
    assert (job["start"], job["lock"]) == ("#####\n#@$.#\n# . #\n#####", kept)
    page.get_by_role("button", name="Accept").click()
    expect_drawn(page, BETTER, "1,1,1x1")
    page.get_by_role("button", name="Undo").click()
    expect_drawn(page, "#####\n#@$.#\n# . #\n#####", "1,1,1x1")


def test_a_proposal_that_a_link_asks_for_is_taken_cell_by_cell(studio, board):
    far = "#####\n#@  #\n# *$#\n#####"
    events = [
        ("progress", {"evaluations": 10, "seconds": 0.1, "score": 0.5, "text": far}),
        ("state", {"state": "done"}),
    ]
    studio.answers["POST jobs"] = {"id": "7"}
    studio.answers["GET jobs/7/events"] = "".join(
        f"id: {i}\nevent: {kind}\ndata: {json.dumps(data)}\n\n" for i, (kind, data) in enumerate(events)
    )
    start = "#####\n#@$.#\n# . #\n#####"
    studio.open(f"/edit?{urlencode({'game': 'sokoban', 'text': start, 'change': 'easier'})}")
    page = studio.page
    expect(page.get_by_text("Use this version?", exact=True)).to_be_visible()
    assert studio.sent("POST jobs")[0]["edit"] == "easier"
    page.get_by_text("Cell by cell").click()
    cells = page.get_by_title("Take this cell alone")
    expect(cells).to_have_count(4)
    page.get_by_role("button", name="Row 2, column 3: box → floor").click()
    expect_drawn(page, "#####\n#@ .#\n# . #\n#####")
    expect(cells).to_have_count(3)
    for _ in range(3):
        cells.first.click()
    expect_drawn(page, far)
    expect(page.get_by_role("button", name="Accept")).to_be_hidden()
    page.get_by_role("button", name="Undo").click()
    expect_drawn(page, "#####\n#@  #\n# * #\n#####")


def test_a_level_is_saved(studio, board):
    """Once, and then again where it was; a copy is made only where one is asked for."""
    studio.answers["POST levels"] = lambda body: {"id": 3 + len(studio.sent("POST levels")), **body}
    studio.answers["PATCH levels/4"] = lambda body: {"id": 4, **body}
    studio.open(ROOM)
    page = studio.page
    page.get_by_label("Title").fill("Mine")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as Mine")).to_be_visible()
    (saved,) = studio.sent("POST levels")
    assert saved == {"game": "sokoban", "text": "#####\n#@$.#\n#   #\n#####", "title": "Mine"}
    page.keyboard.press("1")
    board.click(position=at(board, 2, 2))
    page.keyboard.press("3")
    board.click(position=at(board, 2, 2))
    expect(page.get_by_text("Changed, not saved")).to_be_visible()
    page.keyboard.press("Control+s")
    expect(page.get_by_text("Saved as Mine")).to_be_visible()
    assert studio.sent("PATCH levels/4") == [{"text": "#####\n#@$.#\n# $ #\n#####", "title": "Mine"}]
    assert len(studio.sent("POST levels")) == 1
    page.get_by_role("button", name="Save as a copy").click()
    expect(page.get_by_text("A copy is in the gallery as Mine.")).to_be_visible()
    assert len(studio.sent("POST levels")) == 2
    page.wait_for_url(lambda url: "level=5" in url and "title=Mine" in url)


def test_a_level_that_can_be_solved_is_not_replaced_unasked_by_one_that_cannot(studio, board):
    def checked(body):
        good = "##$" not in body["text"]
        told = {"status": "solved", "solution": "R"} if good else {"status": "unsolvable", "why": "walls"}
        return {"valid": True, "solution": None, "metrics": {}, **told}

    studio.answers["POST check"] = checked
    studio.answers["PATCH levels/1"] = lambda body: {"id": 1, **body}
    kept = {"game": "sokoban", "text": "#####\n#@$.#\n#   #\n#####", "solution": "R"}
    studio.open("/edit?level=1", [kept])
    page = studio.page
    page.keyboard.press("6")
    board.click(position=at(board, 2, 2))
    page.keyboard.press("2")
    board.click(position=at(board, 1, 1))
    expect(page.get_by_text("Cannot be won", exact=True)).to_be_visible()
    expect(page.locator(".told")).to_have_text("No pushes bring the box at row 2, column 3 to a goal")
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(
        "What you have drawn has no solution: walls. It would replace #1, which can be solved."
    )
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Changed, not saved")).to_be_visible()
    assert studio.sent("PATCH levels/1") == []
    page.keyboard.press("Control+s")
    dialog.get_by_role("button", name="Replace it").click()
    expect(page.get_by_text("Saved as #1")).to_be_visible()
    assert len(studio.sent("PATCH levels/1")) == 1


ALPHA = """([selector, row, col, rows]) => {
  const canvas = document.querySelector(selector);
  if (!canvas) return null; // not yet
  const side = canvas.height / rows;
  return canvas.getContext("2d").getImageData((col + 0.5) * side, (row + 0.5) * side, 1, 1).data[3];
}"""


@pytest.mark.slow
def test_nothing_is_drawn_beyond_the_walls_until_somebody_stands_there(studio, board):
    studio.open("/edit?game=sokoban&text=%20%20%23%23%23%0A%23%23%23%20%23%0A%23%40%24.%23%0A%23%23%23%23%23")
    page, canvas = studio.page, ".board.paint canvas"
    alpha = [page.evaluate(ALPHA, [canvas, *cell, 4]) for cell in ((0, 0), (0, 1), (0, 2), (1, 3), (2, 2))]
    assert alpha == [0, 0, 255, 255, 255]
    page.keyboard.press("3")
    board.click(position=at(board, 0, 0))
    page.wait_for_function(f"(given) => ({ALPHA})(given) === 255", arg=[canvas, 0, 1, 4])


def test_a_pasted_level_takes_the_place_of_the_drawing(studio, board):
    studio.answers["POST read"] = lambda body: {
        "levels": 1,
        "level": {"game": "sokoban", "title": "New", "text": body["text"]},
    }
    studio.open(ROOM)
    studio.page.evaluate(PASTE, BETTER)
    expect_drawn(studio.page, BETTER)
    assert studio.sent("POST read") == [{"text": BETTER, "game": "sokoban"}]
    expect(studio.page.get_by_label("Title")).to_have_value("New")
    studio.page.keyboard.press("Control+z")
    expect_drawn(studio.page, "#####\n#@$.#\n#   #\n#####")


@pytest.mark.slow
def test_a_level_is_watched_being_made(studio, board):
    texts = ["#####\n##@##\n#####", "#####\n# @##\n#####", "#####\n#$@##\n#####"]
    actions = ["start", "delete an obstacle", "place a box"]
    studio.answers["POST steps"] = [{"action": a, "text": t} for a, t in zip(actions, texts, strict=True)]
    studio.open(ROOM)
    page = studio.page
    page.get_by_text("Watch a level being made").click()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="On ›").click()
    expect(page.get_by_role("paragraph").get_by_text("2 of 3: delete an obstacle")).to_be_visible()
    page.get_by_role("button", name="On ›").click()
    page.get_by_role("button", name="Edit this").click()
    expect_drawn(page, texts[2])


@pytest.mark.parametrize("game", ["sokoban", "loderunner", "binary"])
def test_every_game_starts_from_a_canvas_that_fits_a_phone(studio, board, game):
    studio.open(f"/edit?game={game}", width=360)
    assert studio.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(studio.page.locator(".palette button")).not_to_have_count(0)


def test_a_map_is_measured_here_and_cells_that_lie_apart_are_marked(studio, board):
    studio.answers["POST check"] = lambda _: None  # no server answers
    studio.open(f"/edit?game=binary&text={'%0A'.join(['..%23..'] * 4)}")
    page, told = studio.page, studio.page.locator(".told")
    expect(told).to_have_text("Longest path 4 steps, 2 regions; 8 cells lie apart")
    inside, apart = (page.evaluate(COLOUR, [0, col]) for col in (1, 3))
    assert inside != apart
    page.keyboard.press("1")
    board.click(position=at(board, 1, 2))
    expect(told).to_have_text("Longest path 8 steps, 1 region")
    page.wait_for_function(f"(inside) => String(({COLOUR})([0, 3])) === String(inside)", arg=inside)


# The colour near the corner of a cell of a board of 5 by 4.
COLOUR = """([row, col]) => {
  const canvas = document.querySelector(".board.paint canvas");
  const [x, y] = [((col + 0.1) * canvas.width) / 5, ((row + 0.1) * canvas.height) / 4];
  return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
}"""
