"""The play page in a real browser: Sokoban by hand, paths of maps, films."""

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import KINDS
from browser.seen import Finger, message, stat
from levelsmith.experiment.plays import read_plays
from levelsmith.studio.modules import file_of
from studio.traces import LARGE

SOKOBAN = {
    "game": "sokoban",
    "size": "7x5",
    "text": "#######\n#     #\n#@$ . #\n#     #\n#######",
    "solution": "RR",
}
SECOND = {**SOKOBAN, "text": "#######\n#  .  #\n#  $  #\n#  @  #\n#######", "solution": None}
WALK = {
    "game": "loderunner",
    "size": "8x6",
    "text": "........\n" * 4 + "M..G..G.\nBBBBBBBB",
    "solution": "rrrrrr",
}
MAP = {"game": "binary", "size": "3x3", "text": "...\n##.\n...", "metrics": {"path": 6}}


KEYS = ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight")
NO_MEMORY = "WebAssembly.Memory.prototype.grow = () => { throw new RangeError(); };"


@pytest.fixture
def board(studio):
    return studio.page.locator(".board canvas")


def at(board, row, col, size):
    """Where a cell of a level of WxH is on the canvas."""
    width, height = map(int, size.split("x"))
    box = board.bounding_box()
    return {"x": (col + 0.5) * box["width"] / width, "y": (row + 0.5) * box["height"] / height}


def test_a_level_is_pushed_to_its_end_and_taken_back(studio):
    studio.open("/play", [SOKOBAN, SECOND])
    page = studio.page
    for key in ("ArrowUp", "ArrowUp", "s", "ArrowRight"):  # the second is blocked by the wall
        page.keyboard.press(key)
    expect(stat(page, "Moves")).to_have_text("3")
    expect(stat(page, "Pushes")).to_have_text("1")
    page.keyboard.press("z")
    expect(stat(page, "Pushes")).to_have_text("0")
    page.keyboard.press("r")
    expect(stat(page, "Moves")).to_have_text("0")
    page.keyboard.press("d")
    page.keyboard.press("d")
    expect(message(page)).to_have_text("Solved in 2 moves and 2 pushes.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 2")).to_be_visible()
    assert page.url.endswith("/play?sort=-id&level=2")


@pytest.mark.slow
def test_clicks_walk_and_carry_boxes(studio, board):
    studio.open("/play", [SOKOBAN])
    board.click(position=at(board, 1, 5, "7x5"))
    expect(stat(studio.page, "Moves")).to_have_text("5")
    board.click(position=at(board, 2, 2, "7x5"))
    board.click(position=at(board, 2, 4, "7x5"))
    expect(message(studio.page)).to_contain_text("2 pushes")


def test_swipes_push(studio, board):
    studio.open("/play", [SOKOBAN], width=360)
    box = board.bounding_box()
    x, y = box["x"] + 20, box["y"] + 20
    finger = Finger(studio.page)
    finger("touchStart", (x, y))
    for way in range(0, 81, 20):
        finger("touchMove", (x + way, y))
    finger("touchEnd")
    expect(message(studio.page)).to_have_text("Solved in 2 moves and 2 pushes.")


def test_the_solution_plays_by_itself(studio):
    studio.answers["POST check"] = {"valid": True, "status": "solved", "solution": "U"}
    studio.open("/play", [SECOND])
    page = studio.page
    expect(page.get_by_text("Fewest pushes: 1 move, 1 push")).to_be_visible()
    page.get_by_role("button", name="Play solution").click()
    expect(message(page)).to_have_text("Solved in 1 move and 1 push.")
    page.get_by_role("button", name="Undo").click()
    expect(message(page)).to_have_count(0)


def test_a_map_shows_its_longest_path(studio, board):
    studio.open("/play", [MAP])
    expect(stat(studio.page, "Longest path")).to_have_text("6")
    drawn = board.screenshot()
    studio.page.get_by_label("Show the path").uncheck()
    assert board.screenshot() != drawn


def test_a_game_without_rules_here_shows_its_solution_forth_and_back(studio, board):
    frames = ["^..", ".^.", "..^"]
    studio.answers["POST check"] = {"status": "solved", "frames": frames, "metrics": {"trees": 1}}
    studio.open("/play", [{"game": "orchard", "size": "3x1", "text": frames[0]}])
    page = studio.page
    page.get_by_text("2 moves", exact=True).wait_for()
    pictures = [board.screenshot()]
    for place in ("Move 1 of 2", "Move 2 of 2"):
        page.keyboard.press("ArrowRight")
        page.get_by_text(place, exact=True).wait_for()
        pictures.append(board.screenshot())
    assert len(set(pictures)) == 3
    for place, picture in (("Move 1 of 2", pictures[1]), ("Move 0 of 2", pictures[0])):
        page.get_by_role("button", name="Back").click()
        page.get_by_text(place, exact=True).wait_for()
        assert board.screenshot() == picture
    expect(page.get_by_role("button", name="Back")).to_be_disabled()
    expect(page.get_by_text("This game has no rules in the browser")).to_be_visible()
    page.get_by_text("Metrics").click()
    expect(page.locator(".metrics")).to_have_text("trees1")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({"status": "n/a"}, "no solution to watch"),
        ({"status": "unsolvable", "frames": []}, "This level has no solution."),
        ({"status": "malformed", "error": "two heroes"}, "two heroes"),
    ],
)
def test_a_level_without_a_solution_says_so(studio, answer, words):
    studio.answers["POST check"] = {**answer, "metrics": {}}
    studio.open("/play", [{"game": "orchard", "size": "1x1", "text": "^"}])
    expect(studio.page.get_by_text(words)).to_be_visible()
    expect(studio.page.get_by_role("button", name="Play solution")).to_be_disabled()


@pytest.mark.slow
def test_the_theme_is_switched_and_kept(studio, board):
    studio.page.emulate_media(color_scheme="light")
    studio.open("/play", [SOKOBAN])
    light = board.screenshot()
    studio.page.get_by_role("button", name="Switch to the dark theme").click()
    studio.page.wait_for_timeout(300)
    assert board.screenshot() != light
    studio.page.reload()
    assert studio.page.evaluate("document.documentElement.dataset.theme") == "dark"
    studio.page.evaluate("localStorage.clear()")


def test_without_levels_there_are_some_to_begin_with(studio):
    studio.open("/play?game=loderunner")
    expect(studio.page.get_by_role("heading", level=1)).to_have_text("A first run")


@pytest.mark.parametrize("level", [SOKOBAN, WALK, MAP], ids=lambda level: level["game"])
def test_a_phone_shows_it_whole_and_cells_are_whole_pixels(studio, board, level):
    studio.open("/play", [level], width=360)
    page = studio.page
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    width, height = map(int, level["size"].split("x"))
    drawn = page.evaluate("[document.querySelector('canvas').width, document.querySelector('canvas').height]")
    assert drawn[0] % width == drawn[1] % height == 0
    box = board.bounding_box()
    ratio = page.evaluate("devicePixelRatio")
    assert (box["width"] * ratio, box["height"] * ratio) == tuple(drawn)
    assert page.evaluate(
        "[...document.querySelectorAll('button')].every((b) => b.textContent || b.ariaLabel)"
    )


@pytest.mark.slow
def test_a_map_is_walked_from_end_to_end(studio):
    studio.open("/play", [MAP])
    page = studio.page
    page.keyboard.press("ArrowLeft")  # outside
    page.keyboard.press("ArrowUp")  # outside as well
    page.keyboard.press("r")
    expect(stat(page, "Steps")).to_have_text("0")
    for key in ("d", "d", "z", "d", "s", "w", "s", "s", "a", "a"):
        page.keyboard.press(key)
    expect(message(page)).to_have_text("Out in 8 steps; the shortest way takes 6.")
    page.get_by_role("button", name="Play again").click()
    expect(stat(page, "Steps")).to_have_text("0")


def test_thumbs_push_boxes_and_take_it_back(studio):
    studio.open("/play", [SOKOBAN], width=360)
    page = studio.page
    page.get_by_role("button", name="Right", exact=True).click()
    expect(stat(page, "Pushes")).to_have_text("1")
    page.get_by_role("button", name="Undo the last move").click()
    expect(stat(page, "Pushes")).to_have_text("0")
    for _ in range(2):
        page.get_by_role("button", name="Right", exact=True).press("Enter")
    expect(message(page)).to_have_text("Solved in 2 moves and 2 pushes.")


@pytest.mark.slow
def test_plays_are_kept_only_where_that_is_switched_on_and_can_be_saved(studio, tmp_path):
    studio.open("/play", [SOKOBAN, SECOND])
    page = studio.page
    for key in ("d", "d"):
        page.keyboard.press(key)
    expect(message(page)).to_have_text("Solved in 2 moves and 2 pushes.")
    page.get_by_text("Record my plays").click()
    expect(page.get_by_role("button", name="Save plays.jsonl")).to_be_disabled()
    page.get_by_label("Keep how my plays go").check()
    page.get_by_role("heading", level=1).click()
    for key in ("r", "ArrowUp", "z", "d", "d"):
        page.keyboard.press(key)
    expect(page.get_by_text("1 play kept")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 2")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("r")
    page.keyboard.press("p")
    expect(page.get_by_text("2 plays kept")).to_be_visible()
    page.get_by_role("button", name="Play solution").click()  # what is watched is no play
    expect(message(page)).to_have_text("Solved in 2 moves and 2 pushes.")
    expect(page.get_by_text("2 plays kept")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save plays.jsonl").click()
    download.value.save_as(tmp_path / "plays.jsonl")
    first, second = read_plays(tmp_path / "plays.jsonl")
    seconds = [play.counts.pop("seconds") for play in (first, second)]
    assert all(0 <= each < 60 for each in seconds)
    assert first == ("sokoban", SOKOBAN["text"], True, {"moves": 3, "undos": 1, "restarts": 0}, False)
    assert second == ("sokoban", SECOND["text"], False, {"moves": 1, "undos": 0, "restarts": 1}, False)
    page.get_by_role("button", name="Forget them").click()
    expect(page.get_by_text("0 plays kept")).to_be_visible()


SHORT = {"game": "sokoban", "size": "6x6", "text": "######\n#    #\n# $  #\n#@   #\n#  . #\n######"}


@pytest.mark.slow
def test_a_play_with_a_hint_or_told_to_be_lost_says_so(studio, tmp_path):
    studio.open("/play", [SHORT, SECOND])
    page = studio.page
    page.get_by_text(re.compile("^Record my plays|plays? kept$")).click()
    page.get_by_label("Keep how my plays go").check()
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("h")
    expect(page.get_by_role("complementary").get_by_text("3 pushes to go.")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text(re.compile(r"^[1-9]\d* plays? kept$"))).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save plays.jsonl").click()
    download.value.save_as(tmp_path / "plays.jsonl")
    *_, play = read_plays(tmp_path / "plays.jsonl")
    assert play.helped
    assert play.counts["moves"] == 0


def test_a_hint_shows_the_next_push_and_how_far_it_is(studio, board):
    studio.open("/play", [SHORT])
    page = studio.page
    expect(page.get_by_text("Fewest pushes: 6 moves, 3 pushes")).to_be_visible()
    drawn = board.screenshot()
    page.get_by_role("button", name="Hint").click()
    hint = page.get_by_role("complementary").get_by_text(
        "Push the box at row 3, column 3 to the right: 3 pushes"
    )
    expect(hint).to_be_visible()
    assert board.screenshot() != drawn
    page.keyboard.press("ArrowDown")
    expect(hint).to_have_count(0)
    assert studio.sent("POST check") == []  # no server is asked


def test_the_first_push_that_loses_is_told_and_taken_back(studio, board):
    studio.open("/play", [SHORT])
    page = studio.page
    for key in ("ArrowUp", "ArrowRight", "ArrowRight"):  # to the right wall, beside which there is no goal
        page.keyboard.press(key)
    expect(message(page)).to_have_text(
        "From here it cannot be won any more. No pushes bring the box at row 3, column 5 to a goal."
    )
    page.keyboard.press("ArrowLeft")  # a step does not help
    expect(message(page)).to_have_count(1)
    page.get_by_role("button", name="Back to where it could").click()
    expect(message(page)).to_have_count(0)
    expect(stat(page, "Pushes")).to_have_text("1")
    page.keyboard.press("h")
    expect(page.get_by_role("complementary").get_by_text("to go.")).to_be_visible()


def test_a_box_is_carried_by_the_solver(studio, board):
    studio.open("/play", [SHORT])
    board.click(position=at(board, 2, 2, "6x6"))
    board.click(position=at(board, 4, 3, "6x6"))
    expect(message(studio.page)).to_have_text("Solved in 6 moves and 3 pushes.")


def test_a_browser_without_webassembly_is_told_so_in_one_line(studio, browser):
    old = type(studio)(browser.new_page())
    old.page.add_init_script("delete globalThis.WebAssembly")
    old.answers |= {"GET levels/order": {"ids": [1]}, "GET levels/1": {"id": 1, "title": "", **SOKOBAN}}
    old.page.goto("http://localhost:8765/play?level=1")
    told = old.page.locator(".board [role=alert]")
    expect(told).to_have_text("This browser has no WebAssembly, which levels are played by; a newer one has.")
    old.page.close()


ASKED = """async (text) => {
  const [{ ask }, { boardOf }, { gameOf }] = await Promise.all(
    ["background", "games/sokoban/game", "api"].map((name) => import(`/static/${name}.js`)));
  const board = boardOf(await gameOf("sokoban"), text);
  const stop = new AbortController();
  const solved = (signal) => ask("sokoban", "solve", { board, seconds: 1 }, { signal });
  const [first, second] = [solved(stop.signal), solved()];
  await new Promise((done) => setTimeout(done, 5));
  stop.abort();
  return [await first.catch((error) => error.name), (await second).states > 1000];
}"""


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("nonsense(", "The browser ended what ran in the background; it may have too little memory."),
        (NO_MEMORY, "No solution was found in the memory that a page may take."),
    ],
)
def test_a_worker_without_memory_is_told_and_the_level_is_played_on(studio, script, words):
    body = file_of("worker.js").read_text() + script
    studio.page.route("**/worker.js", lambda route: route.fulfill(body=body, content_type=KINDS[".js"]))
    studio.open("/play", [{**SOKOBAN, "text": LARGE, "solution": None}])
    page = studio.page
    expect(page.get_by_text(words)).to_be_visible()
    page.keyboard.press("h")
    expect(page.get_by_label("Controls").get_by_text(words)).to_have_count(2)
    for key in KEYS:
        page.keyboard.press(key)
    expect(stat(page, "Moves")).not_to_have_text("0")


def test_what_is_stopped_in_the_background_does_not_stop_the_rest(studio):
    studio.open("/play", [SHORT])
    assert studio.page.evaluate(ASKED, LARGE) == ["AbortError", True]
