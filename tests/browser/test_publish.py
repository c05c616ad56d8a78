"""A published pack, opened as a file: played by keys and by touch, with hints, losses and progress."""

import gzip
import json
import re
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from browser.seen import Finger, message, stat
from levelsmith import parse, solve
from levelsmith.checking.rate import rated
from levelsmith.levels.pack import Pack, read_pack
from levelsmith.publish.site import Look, site, write_site

KEYS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight", "x": "x"}
ROOMS = [
    parse("######\n#@$ .#\n######", "sokoban"),
    parse("#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######", "sokoban"),
    parse("#######\n#.    #\n# $   #\n#  @  #\n#     #\n#######", "sokoban"),
]
PACK = Pack(
    tuple(replace(room, title=f"Room {i}") for i, room in enumerate(ROOMS, 1)),
    "Winter rooms",
    "Ann",
    "Enjoy.",
)
PUSH = re.compile(r"Push the box at row (\d+), column (\d+) (.*): (.*) to go\.")


def published(folder, pack=PACK, look=None):
    write_site(site(pack, rated(pack.levels), look or Look()), folder)
    return (folder / "index.html").as_uri()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return published(tmp_path_factory.mktemp("site") / "winter")


@pytest.fixture
def opened(browser):
    """Opens pages; in the end nothing was logged, and nothing asked for but the page itself."""
    contexts, said, asked = [], [], []

    def open_page(address, **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        page.goto(address)
        return page

    yield open_page
    assert said == []
    assert all(url.startswith(("data:", "blob:")) or url.endswith("/index.html") for url in asked)
    for context in contexts:
        context.close()


def ready(page, name):
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    page.locator(".board canvas[style*=width], .board canvas.pixels").wait_for()


def press(page, solution):
    for letter in solution:
        page.keyboard.press(KEYS[letter.lower()])


def test_the_first_levels_are_played_to_their_end_by_keys_and_progress_is_kept(opened, address):
    page = opened(address)
    expect(page.get_by_role("heading", name="Winter rooms")).to_be_visible()
    expect(page.get_by_text("by Ann", exact=True)).to_be_visible()
    expect(page.get_by_text("0 of 3 solved")).to_be_visible()
    page.get_by_role("link", name="Play", exact=True).click()
    ready(page, "1. Room 1")
    press(page, "rr")
    expect(message(page)).to_have_text("Solved in 2 moves and 2 pushes.")
    expect(page.locator(".which .told")).to_have_text("best 2 pushes: the fewest possible")
    page.keyboard.press("Enter")
    ready(page, "2. Room 2")
    press(page, solve(ROOMS[1]).solution)
    expect(message(page)).to_contain_text("Solved in")
    page.keyboard.press("Enter")
    ready(page, "3. Room 3")
    press(page, "ul")
    page.reload()  # it goes on where it was left
    ready(page, "3. Room 3")
    expect(stat(page, "Moves")).to_have_text("2")
    page.get_by_role("link", name="Levels", exact=True).click()
    expect(page.get_by_text("2 of 3 solved")).to_be_visible()
    expect(page.get_by_text("✓ solved")).to_have_count(2)
    expect(page.get_by_role("link", name="Go on with level 3")).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_text("0 of 3 solved")).to_be_visible()


def test_a_hint_is_right_and_a_loss_is_noticed_and_taken_back(opened, address):
    page = opened(f"{address}#2")
    ready(page, "2. Room 2")
    page.keyboard.press("h")
    hint = page.locator("aside").get_by_text(PUSH)
    expect(hint).to_be_visible()
    row, column, way, left = PUSH.fullmatch(hint.inner_text()).groups()
    assert left == f"{solve(ROOMS[1]).metrics['pushes']} pushes"
    boxes = ROOMS[1].text.split("\n")
    assert boxes[int(row) - 1][int(column) - 1] == "$"
    assert way in ("up", "down", "to the left", "to the right")
    page.goto(f"{address}#3")
    ready(page, "3. Room 3")
    press(page, "llurrr")  # against the wall, from where no push brings the box back
    expect(message(page)).to_contain_text("From here it cannot be won any more.")
    page.get_by_role("button", name="Back to where it could").click()
    expect(message(page)).to_have_count(0)
    expect(stat(page, "Pushes")).to_have_text("2")


def test_one_is_played_by_touch_on_a_phone(opened, address):
    page = opened(f"{address}#1", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ready(page, "1. Room 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator(".pad")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Right").tap()
    expect(stat(page, "Pushes")).to_have_text("1")
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(".board canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = Finger(page)
    finger("touchStart", (x, y))
    finger("touchMove", (x + 40, y))
    finger("touchEnd")
    expect(message(page)).to_contain_text("Solved in 2 moves")


def test_without_hints_nothing_is_told_that_helps(opened, tmp_path):
    address = published(tmp_path / "site", look=Look(help=False, colour="#a03020", credits="Thanks to Ann."))
    page = opened(f"{address}#3")
    ready(page, "3. Room 3")
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    expect(page.get_by_role("button", name="Play solution")).to_have_count(0)
    expect(page.get_by_text("Thanks to Ann.")).to_be_visible()
    press(page, "llurrr")
    page.wait_for_timeout(500)
    expect(message(page)).to_have_count(0)
    accent = page.evaluate("getComputedStyle(document.querySelector('a.brand')).getPropertyValue('--accent')")
    assert "#a03020" in accent


@pytest.mark.slow
def test_a_game_in_one_text_is_played_to_its_end_with_its_messages(opened, tmp_path):
    pack = read_pack("puzzlescript:crates")
    page = opened(published(tmp_path / "site", pack))
    page.get_by_role("link", name="Play", exact=True).click()
    for number, level in enumerate(pack.levels, start=1):
        ready(page, f"{number}. {level.title}")
        for text in level.provenance.get("messages", ()):
            expect(page.locator(".said p")).to_have_text(text)
            page.keyboard.press("x")
        press(page, solve(level).solution)
        expect(page.locator(".which .told")).to_contain_text("the fewest possible")
    for text in pack.levels[-1].provenance.get("messages at the end", ()):
        expect(page.locator(".said p")).to_have_text(text)
        page.keyboard.press("x")
    expect(message(page)).to_contain_text("Solved in")
    page.get_by_role("link", name="Levels", exact=True).click()
    expect(page.get_by_text(f"All {len(pack.levels)} solved")).to_be_visible()


def test_own_pictures_are_drawn_in_place_of_the_games(opened, tmp_path):
    from PIL import Image

    (tmp_path / "own").mkdir()
    Image.new("RGBA", (8, 8), (255, 0, 255, 255)).save(tmp_path / "own" / "box.png")
    page = opened(f"{published(tmp_path / 'site', look=Look(sprites=str(tmp_path / 'own')))}#1")
    ready(page, "1. Room 1")
    page.wait_for_function(MAGENTA)


MAGENTA = """() => {
  const canvas = document.querySelector(".board canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const words = new Uint32Array(data.buffer);
  return words.filter((one) => one === 0xffff00ff).length > words.length / 40;
}"""


@pytest.mark.slow
def test_a_game_of_somebody_else_is_played_to_its_end(opened, tmp_path, data_folder):
    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "solutions.json.gz").read_bytes()))
    (source,) = [entry["source"] for entry in entries if entry["game"] == "sleepy-players"]
    (tmp_path / "game.txt").write_text(source)
    pack = read_pack(str(tmp_path / "game.txt"))
    page = opened(published(tmp_path / "site", pack))
    page.get_by_role("link", name="Play", exact=True).click()
    for number, level in enumerate(pack.levels, start=1):
        ready(page, f"Level {number}")
        for _ in level.provenance.get("messages", ()):
            page.keyboard.press("x")
        press(page, solve(level).solution)
        expect(page.locator(".which .told")).to_contain_text("the fewest possible")
    page.get_by_role("link", name="Levels", exact=True).click()
    expect(page.get_by_text(f"All {len(pack.levels)} solved")).to_be_visible()
