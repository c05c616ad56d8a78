"""An evening of a designer, in the studio and on the page that friends get: levels made, chosen, ordered,
changed, drawn, repaired, published, and played from a file.

With LEVELSMITH_FILM=folder the test writes films of what the pages showed.
"""

import re
from collections import deque
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit
from zipfile import ZipFile

import pytest
from playwright.sync_api import expect

from browser.film import Film
from browser.seen import message
from browser.test_publish import KEYS, PUSH, opened, press, ready  # noqa: F401 - a fixture
from browser.test_studio import SLOW, enter
from levelsmith import load, solve
from levelsmith.games.sokoban.rules.rules import STEPS, SokobanBoard, drawn
from levelsmith.levels.pack import read_pack
from studio.running import Running

MADE = "/generate?game=sokoban&size=7x7&set.boxes=3&want.difficulty=20..85&ramp=difficulty&count=20&seed=5"
DROPPED = (2, 5, 7, 9, 12, 15, 17, 19)
DRAWN = {"box": [(2, 2), (3, 4)], "player": [(4, 3)], "goal": [(5, 5)]}  # a goal is missing
NAMES = {"u": "Up", "d": "Down", "l": "Left", "r": "Right"}


@pytest.fixture
def running(tmp_path):
    server = Running(tmp_path / "studio.db", "--jobs", 2)
    yield server
    server.stop()


class Designer:
    """Somebody at the studio's pages."""

    def __init__(self, page, running, film):
        self.page, self.running, self.film = page, running, film
        page.set_default_timeout(SLOW)
        enter(page, running)

    def open(self, path):
        self.page.goto(f"http://127.0.0.1:{self.running.port}{path}")
        self.film.take()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        self.film.take()

    def make(self, path):
        """Has levels made."""
        self.open(path)
        self.press("Generate")
        expect(self.page.locator(".run .badge")).to_have_text("Done", timeout=SLOW)

    def choose(self, numbers):
        """Puts levels into the pack, by their numbers in the order in which they came to the gallery."""
        self.open("/gallery?sort=id")
        boxes = self.page.locator(".level input[type=checkbox]")
        boxes.first.wait_for()
        for number in numbers:
            boxes.nth(number - 1).check()
        self.press("Put into the pack")
        self.look()

    def draw(self, size, things):
        """Draws a level with the mouse."""
        self.open("/edit?game=sokoban")
        high, wide = size
        for name, side in (("Width", wide), ("Height", high)):
            control = self.page.get_by_label(name, exact=True)
            control.fill(str(side))
            control.press("Tab")
        canvas = self.page.locator(".board.paint canvas")
        for tile, cells in things.items():
            tiles = self.page.get_by_role("group", name="Tiles")
            tiles.get_by_role("button", name=tile, exact=True).click()
            for row, col in cells:
                box = canvas.bounding_box()
                place = {"x": (col + 0.5) * box["width"] / wide, "y": (row + 0.5) * box["height"] / high}
                canvas.click(position=place)
                self.film.take()
        expect(self.page).to_have_url(re.compile("[?&]text="))

    def repair(self):
        """Has the drawing repaired, takes the proposal, and saves it; returns the level as text."""
        expect(self.page.get_by_text("2 boxes but 1 goal: add a goal")).to_be_visible()
        self.press("Repair")
        self.press("Accept")
        expect(self.page.get_by_text("Can be won", exact=True)).to_be_visible()
        self.press("Save")
        expect(self.page.get_by_text("Saved as")).to_be_visible()
        return parse_qs(urlsplit(self.page.url).query)["text"][0]

    def look(self):
        """Waits until every level of the pack is looked at, and returns what is told of each."""
        told = self.page.locator(".rows small")
        expect(told.first).to_be_visible()
        expect(told.filter(has_text=re.compile(r"…$"))).to_have_count(0, timeout=SLOW)
        self.film.take()
        return told.all_inner_texts()

    def difficulties(self):
        return [int(re.match(r"difficulty (\d+)", told)[1]) for told in self.look()]

    def alter(self, name, wanted):
        """Presses a button that begins something longer, and waits; returns whether it did what is wanted."""
        toasts = self.page.locator(".toast")
        for close in toasts.get_by_role("button", name="Close").all():
            close.click()
        expect(toasts).to_have_count(0)
        before = self.page.locator(".rows li").count()
        self.press(name)
        rows = self.page.locator(f".rows li:nth-child({before + 1})")
        problem = self.page.locator(".problem-line:visible")
        expect(toasts.or_(rows).or_(problem).first).to_be_visible(timeout=SLOW)
        self.look()
        return wanted()

    def save(self, name, file):
        with self.page.expect_download(timeout=SLOW) as download:
            self.press(name)
        download.value.save_as(file)
        return file


def losing(level):
    """Returns the shortest moves after which a level cannot be won any more."""
    board = SokobanBoard(level.grid)
    waiting, seen = deque([(board.start, "")]), {board.start}
    while waiting:
        state, moves = waiting.popleft()
        if moves and moves[-1].isupper():
            there = replace(level, grid=drawn(board, state), solution=None, provenance={})
            if solve(there).status == "unsolvable":
                return moves
        for move in STEPS:
            after = board.step(state, move)
            if after is not None and after not in seen:
                seen.add(after)
                waiting.append((after, moves + (move if after.boxes == state.boxes else move.upper())))
    raise AssertionError("no push loses this level")


@pytest.mark.slow(60)
def test_an_evening_ends_with_a_page_that_friends_play(browser, running, opened, tmp_path):  # noqa: F811
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    film = Film(page, "evening-1-studio")
    designer = Designer(page, running, film)

    designer.make(MADE)
    designer.choose(sorted(set(range(1, 21)) - set(DROPPED)))
    expect(page.get_by_text("12 levels of Sokoban")).to_be_visible()
    designer.press("From easy to hard")
    hard = designer.difficulties()
    assert hard == sorted(hard)
    assert any(
        designer.alter(f"Make level {i + 1} harder", lambda i=i: designer.difficulties()[i] > hard[i])
        for i in range(len(hard))
    )

    designer.draw((7, 8), DRAWN)
    mended = designer.repair()
    newest = len(running.get("levels?sort=id&limit=100")["levels"])
    designer.choose([newest])
    assert len(designer.look()) == 13
    filled = 0
    while filled < 2:
        designer.press("From easy to hard")
        hard = designer.difficulties()
        gaps = sorted(range(1, len(hard)), key=lambda i: hard[i - 1] - hard[i])
        count = len(hard)
        assert any(
            designer.alter(
                f"Make a level between {i} and {i + 1}", lambda count=count: len(designer.look()) > count
            )
            for i in gaps
        )
        filled += 1
    designer.press("From easy to hard")
    hard = designer.difficulties()
    assert hard == sorted(hard)
    assert len(hard) == 15
    assert not [told for told in designer.look() if "the same as" in told or "proved" not in told]

    page.get_by_label("Title", exact=True).fill("Winter rooms")
    page.get_by_label("Author", exact=True).fill("Ann")
    designer.press("Make up titles")
    pack = read_pack(str(designer.save("Save the pack (.json)", tmp_path / "winter.json")))
    assert mended in [level.text for level in pack.levels]
    with ZipFile(designer.save("Publish as a page", tmp_path / "winter.zip")) as archive:
        archive.extractall(tmp_path / "site")
    assert wrong == []
    film.keep()
    context.close()

    address = (tmp_path / "site" / "index.html").as_uri()
    page = opened(address)
    film = Film(page, "evening-2-page")
    expect(page.get_by_role("heading", name="Winter rooms")).to_be_visible()
    page.get_by_role("link", name="Play", exact=True).click()
    for number, level in enumerate(load(tmp_path / "winter.json")[:3], start=1):
        ready(page, f"{number}. {level.title}")
        solution = solve(level).solution
        if number == 2:  # a hint, which is a push of a shortest solution
            page.keyboard.press("h")
            hint = page.locator("aside").get_by_text(PUSH)
            expect(hint).to_be_visible()
            film.take()
            row, column, way, left = PUSH.fullmatch(hint.inner_text()).groups()
            assert left == f"{sum(map(str.isupper, solution))} pushes"
            after = pushed(level, int(row) - 1, int(column) - 1, way)
            assert sum(map(str.isupper, solve(after).solution)) == sum(map(str.isupper, solution)) - 1
        if number == 3:
            press(page, losing(level))
            expect(message(page)).to_contain_text("From here it cannot be won any more.")
            film.take()
            page.get_by_role("button", name="Restart").first.click()
            expect(message(page)).to_have_count(0)
        for letter in solution:
            press(page, letter)
            film.take()
        expect(message(page)).to_contain_text("Solved in")
        page.keyboard.press("Enter")
    page.get_by_role("link", name="Levels", exact=True).click()
    expect(page.get_by_text("3 of 15 solved")).to_be_visible()
    film.keep()

    phone = opened(f"{address}#1", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    film = Film(phone, "evening-3-phone")
    ready(phone, f"1. {pack.levels[0].title}")
    for letter in solve(pack.levels[0]).solution:
        phone.get_by_role("button", name=NAMES[letter.lower()], exact=True).tap()
        film.take()
    expect(message(phone)).to_contain_text("Solved in")
    film.keep()


def pushed(level, row, column, way):
    """Returns a level after one push of the box at a cell; the player gets there whichever way."""
    board = SokobanBoard(level.grid)
    move = {"up": "u", "down": "d", "to the left": "l", "to the right": "r"}[way]
    waiting, seen = deque([board.start]), {board.start}
    while waiting:
        state = waiting.popleft()
        for step in STEPS:
            after = board.step(state, step)
            if after is None or after in seen:
                continue
            seen.add(after)
            if after.boxes == state.boxes:
                waiting.append(after)
            elif step == move and state.boxes - after.boxes == {(row, column)}:
                return replace(level, grid=drawn(board, after), solution=None, provenance={})
    raise AssertionError(f"nobody can push the box at {row}, {column} {way}")
