"""Lode Runner on the play page: dug, trapped, walked over, won, lost, paused; and plans as films.

The page's clock stands still unless a test lets it go on: a key is pressed at the tick that it is meant for.
"""

import re

import pytest
from playwright.sync_api import expect

from browser.conftest import Studio
from browser.seen import Finger, message, stat

FLOOR = ["bbbbbbbbbbbb", "BBBBBBBBBBBB"]
RATE = 23  # ticks a second


def level(*rows, solution=None):
    """A level, with as much sky above it as there has to be."""
    rows = ["." * len(rows[0])] * (6 - len(rows)) + list(rows)
    size = f"{len(rows[0])}x{len(rows)}"
    return {"game": "loderunner", "size": size, "text": "\n".join(rows), "solution": solution}


WALK = level("M..G..G.", "BBBBBBBB", solution="r30")
GUARD = level("M....E.G", "BBBBBBBB")
CHASED = level("............", "............", "M.........EG", *FLOOR, "BBBBBBBBBBBB")
LEAVES = level("..........h.", "..........h.", "M.......E.hG", *FLOOR, "BBBBBBBBBBBB")
TRAPPED = ["......h.....", "......h.....", "M...........", "bbbbbbhbbbbb", "......hG....", "BBBBBBBBBBBB"]


class Timed(Studio):
    """A studio whose page lives by the ticks that a test gives it."""

    def open(self, path, levels=(), width=1280):
        self.page.clock.install()
        super().open(path, levels, width)
        self.page.clock.pause_at("2100-01-01")

    def ticks(self, number):
        self.page.clock.run_for(round(1000 * number / RATE))

    def hold(self, key, ticks):
        self.page.keyboard.down(key)
        self.ticks(ticks)
        self.page.keyboard.up(key)


@pytest.fixture
def studio(browser):
    page = browser.new_page()
    timed = Timed(page)
    yield timed
    page.unroute_all()
    page.close()
    assert timed.errors == []


def test_a_guard_is_trapped_and_walked_over_and_the_way_out_is_climbed(studio):
    studio.open("/play", [LEAVES])
    page = studio.page
    expect(page.get_by_text("climb to the top")).to_be_visible()
    page.keyboard.press("x")
    studio.ticks(100)  # the guard has come and fallen in
    expect(message(page)).to_have_count(0)
    studio.hold("ArrowRight", 56)
    expect(stat(page, "Gold")).to_have_text("1 / 1")
    expect(page.get_by_text("All the gold is yours: climb out at the top.")).to_be_visible()
    expect(message(page)).to_have_count(0)
    studio.hold("ArrowLeft", 5)
    studio.hold("ArrowUp", 14)
    expect(message(page)).to_have_text("Out, with all the gold.")
    expect(page.get_by_role("button", name="Play again")).to_have_count(2)


@pytest.mark.slow
def test_traps_and_hidden_ladders_are_painted_in_the_editor_fallen_through_and_climbed(studio):
    studio.answers["POST check"] = {"valid": True, "status": "solved", "solution": "r99", "metrics": {}}
    studio.open("/edit?game=loderunner&text=" + "%0A".join(TRAPPED))
    page = studio.page
    board = page.locator(".board.paint canvas")
    box = board.bounding_box()
    for tile, row, column in (("trap", 3, 2), ("escape", 2, 6)):
        page.locator(".palette button", has_text=tile).click()
        at = {"x": (column + 0.5) * box["width"] / 12, "y": (row + 0.5) * box["height"] / 6}
        board.click(position=at)
    page.get_by_role("link", name="Play it").click()
    page.wait_for_url("**/play?**")
    page.wait_for_function("document.querySelector('canvas')?.style.width")
    expect(page.get_by_text("climb to the top")).to_be_visible()
    studio.hold("ArrowRight", 43)  # to the trap, through it and on
    expect(stat(page, "Gold")).to_have_text("1 / 1")
    expect(message(page)).to_have_count(0)  # all gold, but not yet out
    studio.hold("ArrowLeft", 5)
    studio.hold("ArrowUp", 21)
    expect(message(page)).to_have_text("Out, with all the gold.")


def test_who_waits_is_caught_and_tries_again(studio):
    page = studio.page
    proving = []
    page.route("**/worker.js", lambda route: proving.append(route))
    studio.open("/play", [GUARD])
    page.get_by_role("button", name="Start", exact=True).click()
    studio.ticks(60)
    expect(message(page)).to_have_text("Caught!")
    board, told = (page.locator(where).bounding_box() for where in (".board", ".veil"))
    assert told["y"] >= board["y"] + board["height"]  # where the runner died is seen
    again = page.get_by_role("button", name="Try again")
    expect(again).to_have_count(2)  # below the board and beside it, where Pause was
    for route in proving:  # only now: a proof that comes late does not replace what happened
        route.fallback()
    expect(page.get_by_text("This level has no solution. Every key")).to_be_visible()
    page.keyboard.press("ArrowRight")
    studio.ticks(5)
    expect(message(page)).to_have_text("Caught!")  # it is over
    again.last.click()
    expect(stat(page, "Time")).to_have_text("0.0 s")
    expect(message(page)).to_have_count(0)
    studio.hold("ArrowRight", 5)
    expect(stat(page, "Time")).not_to_have_text("0.0 s")


def test_who_stays_in_his_hole_is_buried(studio):
    studio.open("/play", [level("..M...G.", "bbbbbbbb", "BBBBBBBB")])
    studio.page.keyboard.press("z")
    studio.ticks(12)
    studio.hold("ArrowLeft", 8)
    studio.ticks(200)
    expect(message(studio.page)).to_have_text("The hole filled while you were in it.")


@pytest.mark.slow
def test_go_on_goes_on_and_pause_stops(studio):
    studio.open("/play", [WALK])
    page = studio.page
    page.keyboard.down("ArrowRight")
    studio.ticks(16)
    expect(stat(page, "Gold")).to_have_text("1 / 2")
    page.keyboard.press("p")
    time = stat(page, "Time").inner_text()
    studio.ticks(30)
    assert stat(page, "Time").inner_text() == time
    page.keyboard.up("ArrowRight")
    page.get_by_role("button", name="Go on").click()
    studio.ticks(10)
    expect(stat(page, "Gold")).to_have_text("1 / 2")  # no key is held any more
    assert stat(page, "Time").inner_text() != time
    studio.hold("d", 20)
    expect(message(page)).to_have_text("All the gold is yours.")


def test_the_newest_key_that_leads_anywhere_counts(studio):
    studio.open("/play", [level("...#...G", "...#bbbb", "M..#....", "bbbbbbbb")])
    page = studio.page
    page.keyboard.down("ArrowRight")
    studio.ticks(2)
    page.keyboard.down("ArrowUp")  # no ladder yet: he runs on, climbs it once he is there, and runs on
    studio.ticks(48)
    expect(message(page)).to_have_text("All the gold is yours.")


@pytest.mark.slow
def test_thumbs_steer_the_runner(studio):
    studio.open("/play", [WALK], width=360)
    key = studio.page.get_by_role("button", name="Right", exact=True)
    key.scroll_into_view_if_needed()
    box = key.bounding_box()
    finger = Finger(studio.page)
    finger("touchStart", (box["x"] + 20, box["y"] + 20))
    studio.ticks(31)
    expect(message(studio.page)).to_have_text("All the gold is yours.")
    finger("touchEnd")


def test_a_plan_against_guards_is_a_film_in_which_they_move(studio):
    studio.open("/play", [{**CHASED, "solution": "R109 r55"}])
    page = studio.page
    canvas = page.locator(".board canvas")
    page.get_by_text("164 ticks", exact=True).wait_for()
    page.get_by_role("button", name="One tick").click()
    page.get_by_text("Tick 1 of 164", exact=True).wait_for()
    drawn = canvas.screenshot()
    page.get_by_role("button", name="Go on").click()
    studio.ticks(40)
    assert canvas.screenshot() != drawn
    studio.ticks(140)
    expect(message(page)).to_have_text("The plan collects all the gold.")
    expect(stat(page, "Time")).to_have_text("7.1 s")  # 164 ticks


@pytest.mark.slow
def test_a_plan_is_taken_over_where_it_is(studio):
    studio.open("/play", [{**CHASED, "solution": "R109 r55"}])
    page = studio.page
    page.get_by_role("button", name="Play solution").click()
    studio.ticks(130)
    expect(page.get_by_text("a key takes over")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Take over").click()
    studio.hold("ArrowRight", 60)
    expect(message(page)).to_have_text("All the gold is yours.")


def test_a_plan_that_fails_against_guards_says_so(studio):
    studio.open("/play", [{**GUARD, "solution": ".99"}])
    studio.page.get_by_role("button", name="Play solution").click()
    studio.ticks(80)
    expect(message(studio.page)).to_have_text("The guards catch who follows this plan.")


@pytest.mark.slow
def test_a_plan_while_nobody_moves_says_that_guards_stand_still(studio):
    studio.open("/play", [{**GUARD, "solution": "rrrrrrr"}])
    page = studio.page
    expect(page.get_by_text("guards that stand still")).to_be_visible()
    page.get_by_role("slider", name="Moves a second").fill("40")
    page.get_by_role("button", name="Play solution").click()
    page.clock.run_for(1000)
    expect(message(page)).to_have_text("The plan collects all the gold.")
    page.keyboard.press("r")
    expect(stat(page, "Gold")).to_have_text("0 / 1")
    studio.hold("ArrowLeft", 60)
    expect(message(page)).to_have_text("Caught!")


def refused(studio, level):
    studio.page.clock.install()
    studio.answers |= {"GET levels/order": {"ids": [1]}, "GET levels/1": {"id": 1, "title": "", **level}}
    studio.page.goto("http://localhost:8765/play?level=1")
    return studio.page.locator(".board [role=alert]")


@pytest.mark.slow
def test_a_drawing_is_proved_here_and_says_what_is_missing(studio):
    studio.answers["POST check"] = lambda _: None  # no server answers
    rows = ["......", ".M..BB", "bb#bBG", "..#.BB", "..#..E", "bbbbbb"]
    studio.open("/edit?game=loderunner&text=" + "%0A".join(rows).replace("#", "%23"))
    page = studio.page
    studio.ticks(23)
    expect(page.get_by_text("Cannot be won", exact=True)).to_be_visible()
    expect(page.get_by_text("The gold at row 3, column 6 is walled in")).to_be_visible()
    canvas = page.locator(".board.paint canvas")
    box = canvas.bounding_box()
    for key, row, column, told in (
        (
            "1",
            2,
            5,
            "This level of loderunner cannot be played: expected at least one piece of gold (G), got none",
        ),
        ("6", 4, 3, "won against the guards in"),
        (
            "1",
            1,
            1,
            "This level of loderunner cannot be played: expected one player (M), got none; paint one",
        ),
    ):
        page.keyboard.press(key)
        canvas.click(position={"x": (column + 0.5) * box["width"] / 6, "y": (row + 0.5) * box["height"] / 6})
        studio.ticks(23)
        expect(page.get_by_text(told)).to_be_visible()


@pytest.mark.slow
def test_what_is_no_level_says_why_as_the_command_does(studio):
    small = {"game": "loderunner", "size": "4x2", "text": "M..G\nBBBB"}
    expect(refused(studio, small)).to_have_text("expected a level from 6x6 to 64x64 cells, got 4x2")
    nobody = {**GUARD, "text": GUARD["text"].replace("M", ".")}
    expect(refused(studio, nobody)).to_have_text(
        "this level of loderunner cannot be played: expected one player (M), got none; paint one"
    )


def test_a_hint_shows_the_next_key_of_the_plan_that_a_level_carries(studio):
    studio.open("/play", [{**CHASED, "solution": "R109 r55"}])
    page = studio.page
    board = page.locator(".board canvas")
    drawn = board.screenshot()
    page.get_by_role("button", name="Hint").click()
    hint = page.get_by_role("complementary").get_by_text("The plan wins in")
    expect(hint).to_have_text("Dig on the right: 109 ticks, 4.7 s. The plan wins in 7.1 s.")
    studio.ticks(1)
    assert board.screenshot() != drawn
    page.get_by_role("button", name="One tick").click()
    expect(hint).to_have_count(0)
    page.keyboard.press("h")
    expect(hint).to_have_text("Wait: 108 ticks, 4.7 s. The plan wins in 7.1 s.")


def test_a_hint_is_found_from_where_the_runner_is_or_said_not_to_be(studio):
    studio.open("/play", [{**WALK, "solution": None}])
    page = studio.page
    expect(page.get_by_text(re.compile(r"^\d+ ticks$"))).to_be_visible()  # of a plan from the start
    studio.hold("ArrowRight", 5)
    page.keyboard.press("h")
    hint = page.get_by_role("complementary").get_by_text("The plan wins in")
    expect(hint).to_contain_text("Run right: ")
    left, fall = "GM....", "BB...."
    studio.open("/play", [level(left, fall, "......", "BBBBBB")])
    studio.hold("ArrowRight", 30)
    page.keyboard.press("h")
    expect(message(page)).to_have_text("From here it cannot be won any more. Every key at every tick loses.")
    page.get_by_role("button", name="Try again").click()
    expect(message(page)).to_have_count(0)
    assert studio.sent("POST check") == []  # no server is asked


def test_gold_that_is_walled_in_is_crossed_out_and_told(studio):
    walled = level("......", ".M..BB", "bb#bBG", "..#.BB", "..#..E", "bbbbbb")
    studio.open("/play", [walled])
    page = studio.page
    expect(message(page)).to_have_text(
        "This level has no solution. The gold at row 3, column 6 is walled in."
    )
    studio.ticks(1)
    crossed = page.locator(".board canvas").screenshot()
    studio.open("/play", [{**walled, "solution": "r9"}])  # nobody asks where a plan is carried
    studio.ticks(1)
    assert page.locator(".board canvas").screenshot() != crossed


@pytest.mark.slow
def test_sound_is_off_until_it_is_switched_on(studio):
    page = studio.page
    page.add_init_script("""
      globalThis.tones = 0;
      const create = AudioContext.prototype.createOscillator;
      AudioContext.prototype.createOscillator = function () { tones += 1; return create.call(this); };
    """)
    studio.open("/play", [WALK])
    studio.hold("ArrowRight", 16)
    expect(stat(page, "Gold")).to_have_text("1 / 2")
    assert page.evaluate("tones") == 0
    page.get_by_label("Sound").check()
    studio.hold("ArrowRight", 16)
    expect(message(page)).to_have_text("All the gold is yours.")
    assert page.evaluate("tones") == 4  # the fanfare
