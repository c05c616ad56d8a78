"""The playground, opened as a file: a level is drawn, proved, played, made, and sent as a link."""

import re
import time
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from browser.seen import message, stat
from levelsmith import measure, parse, solve
from levelsmith.publish.playground import playground
from levelsmith.publish.site import Look, write_site
from levelsmith.registry import games

MOST = 700_000  # bytes
PATIENCE = 90_000  # milliseconds until Python has begun, on a machine that does much else
KEYS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}
ROOM = "#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("playground") / "site"
    files = playground(Look())
    assert len(files["index.html"]) < MOST
    write_site(files, folder)
    return (folder / "index.html").as_uri()


@pytest.fixture
def opened(browser):
    said, contexts = [], []

    def open_page(address, **options):
        contexts.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}))
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on(
            "request", lambda request: said.append(request.url) if request.url.startswith("http") else None
        )
        page.goto(address)
        if "#script." not in address:
            expect(badge(page)).not_to_have_text(re.compile("^Checking|…"))
        return page

    yield open_page
    assert said == []
    for context in contexts:
        context.close()


def badge(page):
    return page.locator("aside .badge")


def paint(page, tile, row, column, size=(6, 7)):
    """Paints one cell of the board."""
    page.get_by_role("toolbar", name="Tiles").get_by_role("button", name=tile, exact=True).click()
    box = page.locator(".board canvas").bounding_box()
    high, wide = box["height"] / size[0], box["width"] / size[1]
    page.mouse.click(box["x"] + (column + 0.5) * wide, box["y"] + (row + 0.5) * high)


def test_what_is_drawn_is_proved_at_once_and_a_link_shows_it_to_others(opened, address):
    page = opened(address)
    expect(badge(page)).to_have_text("Can be won")
    hard = round(measure(parse(ROOM, "sokoban"))["difficulty"])
    expect(page.get_by_text(f"Difficulty {hard} of 100")).to_be_visible()
    begun = time.monotonic()
    paint(page, "wall", 2, 5)  # beside a goal
    expect(badge(page)).not_to_have_text("Checking…")
    drawn = ROOM.replace("# $ . #", "# $ .##")
    count = solve(parse(drawn, "sokoban")).metrics["pushes"]
    expect(page.get_by_text(re.compile(f", {count} push"))).to_be_visible()
    assert time.monotonic() - begun < 5  # a second, on a machine that does nothing else
    paint(page, "box", 4, 5)
    expect(badge(page)).to_have_text("Not a level yet")
    page.keyboard.press("Control+z")
    expect(badge(page)).to_have_text("Can be won")
    other = opened(page.url)
    expect(other.get_by_text(re.compile(f", {count} push"))).to_be_visible()
    assert other.url == page.url


def test_a_drawing_that_cannot_be_won_says_why(opened, address):
    page = opened(address)
    paint(page, "goal", 1, 5)
    paint(page, "box", 4, 1)
    expect(badge(page)).to_have_text("Cannot be won")
    expect(page.locator("aside .told")).to_contain_text("box at row 5, column 2")


def test_a_drawing_is_played_and_come_back_to(opened, address):
    page = opened(address)
    page.get_by_role("button", name="Play it").click()
    page.locator(".board canvas[style*=width]").wait_for()
    for letter in solve(parse(ROOM, "sokoban")).solution:
        page.keyboard.press(KEYS[letter.lower()])
    expect(message(page)).to_contain_text("Solved in")
    expect(stat(page, "Pushes")).to_have_text("3")
    page.get_by_role("button", name="Back to the drawing").click()
    expect(badge(page)).to_have_text("Can be won")


def test_other_levels_are_made_in_the_page_and_other_games_are_drawn(opened, address):
    page = opened(address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    before = page.url
    page.get_by_role("button", name="Make another").tap()
    page.wait_for_function("before => location.href !== before", arg=before)
    expect(badge(page)).to_have_text("Can be won")
    for game, word in (("Cave map", "A map"), ("Lode Runner", "Can be won")):
        page.get_by_label("Game").select_option(game)
        expect(badge(page)).to_have_text(word)


@pytest.mark.slow(40)
def test_a_source_is_pasted_corrected_proved_played_and_sent_as_a_link(opened, npm, tmp_path):
    files = playground(Look(), str(npm("pyodide")))
    assert len(files["index.html"]) < MOST
    write_site(files, tmp_path / "site")
    page = opened((tmp_path / "site" / "index.html").as_uri())
    page.get_by_label("Game").select_option("PuzzleScript: paste a source")
    levels = page.locator(".choice")
    expect(levels).to_have_count(3, timeout=PATIENCE)
    text = games.sources["puzzlescript:vine"]
    assert text.count("[ > Player") > 0
    page.get_by_label("Source of the game").fill(text.replace("[ > Player", "[ > Playr", 1))
    line = text[: text.index("[ > Player")].count("\n") + 1
    expect(page.get_by_text(f"Line {line}: expected names of objects, got 'playr'")).to_be_visible()
    page.get_by_label("Source of the game").fill(text)
    level = games.of_text(text).levels()[0]
    keys = len(solve(replace(level, game="puzzlescript:vine")).solution)
    expect(levels.first).to_contain_text(f"✓ {keys} keys")
    page.locator("h1").click()
    for _ in level.provenance.get("messages", ()):
        page.keyboard.press("x")
    page.get_by_role("button", name="Play solution").click()
    expect(message(page)).to_contain_text("Solved in", timeout=PATIENCE)
    other = opened(page.url)
    expect(other.get_by_label("Source of the game")).to_have_value(text, timeout=PATIENCE)
    page.get_by_role("button", name="Draw a level").click()
    expect(badge(page)).to_have_text("Can be won")
