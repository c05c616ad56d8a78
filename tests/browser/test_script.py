"""A game in one text in a real browser: dropped, drawn, played to its end, its mistakes marked."""

import pytest
from playwright.sync_api import expect

from browser.conftest import ORIGIN
from browser.seen import message, stat
from levelsmith.core import Effort
from levelsmith.registry import games
from levelsmith.studio.questions import script_made, script_solved

KEYS = {"l": "ArrowLeft", "r": "ArrowRight", "u": "ArrowUp", "d": "ArrowDown", "x": "x"}
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/plain" }));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
HOLES = "puzzlescript:holes"
CRATES = "puzzlescript:crates"
KEYS_GAME = "puzzlescript:keys"
SLOW = 120_000  # milliseconds, where something is compiled


@pytest.fixture
def script(studio):
    """The page of scripts, with nothing on it."""
    studio.answers["GET scripts"] = {"scripts": games.sources}
    studio.answers["POST script"] = lambda body: games.explained(body["text"])
    studio.page.set_viewport_size({"width": 1280, "height": 900})
    studio.page.goto(f"{ORIGIN}/script")
    studio.page.evaluate("sessionStorage.clear()")
    studio.page.reload()
    expect(studio.page.get_by_text("Drop or paste a PuzzleScript file")).to_be_visible()
    return studio.page


def drop(page, text, name="mine.txt"):
    page.evaluate(DROP, [name, text])


def test_a_level_is_solved_and_watched_and_new_ones_come_behind_the_others(script, studio, tmp_path):
    studio.answers["POST script/solved"] = lambda body: script_solved(**body)
    studio.answers["POST script/made"] = lambda body: script_made(**body, limit=60)
    page, own = script, len(games.get(KEYS_GAME).levels())
    drop(page, games.sources[KEYS_GAME])
    expect(page.locator(".choice")).to_have_count(own)
    page.get_by_role("button", name="Solve").click()
    told = page.get_by_label("Workshop").get_by_role("status")
    expect(told).to_contain_text("keys (proved fewest), rules that fire: 77", timeout=SLOW)
    while page.locator(".said").is_visible():
        page.keyboard.press("x")
    page.get_by_label("Moves a second").fill("40")
    page.get_by_role("button", name="Play solution").click()
    expect(message(page)).to_contain_text("Solved in")
    page.get_by_label("Keys, as 12..20").fill("8..")
    page.get_by_label("None is won without").select_option(value="77")
    page.get_by_role("button", name="Make new levels").click()
    expect(page.locator(".choice")).to_have_count(own + 3, timeout=SLOW)
    expect(told).to_contain_text("3 new levels behind the others")
    with page.expect_download() as loading:
        page.get_by_role("button", name="Save the file").click()
    loading.value.save_as(tmp_path / "mine.txt")
    game = games.of_text((tmp_path / "mine.txt").read_text())
    levels = game.levels()
    assert len(levels) == own + 3
    for level in levels[own:]:
        assert len(level.solution) >= 8
        game.verify(level)
        assert game.without(77).solve(level, Effort()).status == "unsolvable"


@pytest.mark.parametrize("name", [CRATES, HOLES])
def test_a_dropped_game_is_played_to_its_end(script, name):
    page, levels = script, games.get(name).levels()
    drop(page, games.sources[name])
    choices = page.locator(".choice")
    expect(choices).to_have_count(len(levels))
    read = pressed = 0
    for number, level in enumerate(levels):
        expect(choices.nth(number)).to_have_attribute("aria-current", "true")
        for key in level.solution:
            while page.locator(".said").is_visible():
                page.keyboard.press("x")
                read += 1
            page.keyboard.press(KEYS[key])
            pressed += 1
        while number + 1 < len(levels) and page.locator(".said").is_visible():
            page.keyboard.press("x")
            read += 1
    while page.locator(".said").is_visible():
        page.keyboard.press("x")
        read += 1
    expect(message(page)).to_contain_text("Solved in")
    assert pressed == sum(len(level.solution) for level in levels) > 15
    assert read >= (name == HOLES)


@pytest.mark.parametrize("width", [360, 900, 1280])
def test_a_board_fits_its_frame(script, width):
    script.set_viewport_size({"width": width, "height": 700})
    drop(script, games.sources[CRATES])
    expect(script.locator(".choice")).not_to_have_count(0)
    frame, board = (script.locator(place).bounding_box() for place in (".board", ".board canvas"))
    assert abs(frame["height"] - board["height"]) < 4
    assert abs(frame["width"] - board["width"]) < 4
    assert frame["width"] <= width


def test_undo_and_restart_take_back(script):
    page = script
    page.get_by_label("Open one of ours").select_option(CRATES)
    board = page.locator(".board canvas")
    expect(page.locator(".choice")).not_to_have_count(0)
    while page.locator(".said").is_visible():
        page.keyboard.press("Enter")
    first = board.screenshot()
    solution = games.get(CRATES).levels()[0].solution
    page.keyboard.press(KEYS[solution[0]])
    page.keyboard.press(KEYS[solution[1]])
    expect(stat(page, "Moves")).to_have_text("2")
    assert board.screenshot() != first
    page.keyboard.press("z")
    page.keyboard.press("z")
    expect(stat(page, "Moves")).to_have_text("0")
    assert board.screenshot() == first
    page.keyboard.press(KEYS[solution[0]])
    page.keyboard.press("r")
    assert board.screenshot() == first


def test_both_mistakes_are_marked_at_their_lines(script):
    lines = games.sources[CRATES].split("\n")
    rule, win = (next(i for i, line in enumerate(lines) if part in line) for part in ("->", "All "))
    lines[rule] = lines[rule].replace("Crate", "Crat")
    lines[win] = "All Crates on Nothing"
    drop(script, "\n".join(lines))
    wrong = script.locator(".lines .wrong")
    expect(wrong).to_have_count(2)
    shown = script.locator(".lines li")
    for line in (rule, win):
        expect(shown.nth(line)).to_have_class("wrong")
    told = script.locator(".faults li").all_inner_texts()
    assert {int(text.split()[1].rstrip(":")) for text in told} == {rule + 1, win + 1}


def test_a_source_is_mended_where_it_stands(script):
    script.get_by_label("Source of the game").fill("OBJECTS\n\nPlayer\nred")
    expect(script.get_by_text("It cannot be played yet")).to_be_visible()
    script.get_by_label("Source of the game").fill(games.sources[CRATES])
    expect(script.locator(".choice")).to_have_count(len(games.get(CRATES).levels()))
    expect(script.locator(".faults li")).to_have_count(0)


def test_a_game_that_is_dropped_on_another_page_opens_its_own(script, studio):
    level = {"game": "sokoban", "size": "5x3", "text": "#####\n#@$.#\n#####", "solution": "R"}
    studio.open("/play", [level])
    drop(script, games.sources[CRATES])
    script.wait_for_url("**/script")
    expect(script.locator(".choice")).to_have_count(len(games.get(CRATES).levels()))
