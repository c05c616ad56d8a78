"""A game in one text in a real browser: dropped, drawn, played to its end, its mistakes marked."""

import json
import re

import pytest
from playwright.sync_api import expect
from tests.games.puzzles import source

from browser.conftest import ORIGIN, Studio
from browser.seen import message, stat
from levelsmith.core import Effort
from levelsmith.registry import games
from levelsmith.studio.limits import StudioLimits
from levelsmith.studio.questions import check, plan, script_game, script_made, script_saved, script_solved
from levelsmith.studio.setting import checked
from levelsmith.studio.worker import begin_search
from reference.puzzlescript import Twin

KEYS = {"l": "ArrowLeft", "r": "ArrowRight", "u": "ArrowUp", "d": "ArrowDown", "x": "x"}
DROP = """([name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: "text/plain" }));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""
HOLES = "puzzlescript:holes"
CRATES = "puzzlescript:crates"
KEYS_GAME = "puzzlescript:keys"
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
ROOM = "#######/#.....#/#.P*.O#/#.....#/#######"
PIXEL = "(canvas, at) => [...canvas.getContext('2d').getImageData(...at, 1, 1).data]"
CROSSED = [0xD1, 0x43, 0x5C, 255]
SLOW = 120_000  # milliseconds, where something is compiled


@pytest.fixture
def script(studio):
    return opened(studio)


@pytest.fixture
def paused(browser):
    """The page of scripts, on which time stands still until it is told to go on."""
    page = browser.new_page()
    script = opened(Studio(page))
    script.clock.install()
    script.clock.pause_at("2100-01-01")
    yield script
    page.unroute_all()
    page.close()


def opened(studio):
    """Returns the page of scripts, with nothing on it."""
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
    expect(page.locator(".board canvas")).to_be_visible()
    page.get_by_role("button", name="Solve").click()
    told = page.get_by_label("Workshop").get_by_role("status")
    expect(told).to_contain_text("keys (proved fewest), rules that fire: 77", timeout=SLOW)
    while page.locator(".said").is_visible():
        page.keyboard.press("x")
    page.get_by_label("Keys a second").fill("40")
    page.get_by_role("button", name="Play solution").click()
    expect(message(page)).to_contain_text("Solved in")
    page.get_by_label("Keys, at least").fill("8")
    page.get_by_label("Must use this rule").select_option(value="77")
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


@pytest.mark.slow
def test_a_first_use_says_that_it_compiles_and_what_is_missing(script, studio):
    studio.answers["POST script/made"] = lambda body: None  # it takes its time
    studio.answers["GET script/working"] = {"note": "compiling explore for its first use: 1 of 5 functions"}
    page, text = script, games.sources[KEYS_GAME]
    drop(page, text)
    page.locator(".choice").nth(1).click()
    page.get_by_label("Keys, at most").fill("20")
    page.get_by_label("Grown from").select_option("this level")
    page.get_by_role("button", name="Make new levels").click()
    told = page.get_by_label("Workshop").get_by_role("status")
    expect(told).to_have_text("Compiling explore for its first use: 1 of 5 functions …")
    (asked,) = studio.sent("POST script/made")
    assert (asked["level"], asked["moves"]) == (1, "..20")
    studio.release({"text": text, "made": 2, "told": "2 of 3: the limit of 30 s came before the other"})
    expect(told).to_have_text(
        "2 new levels behind the others. 2 of 3: the limit of 30 s came before the other."
    )


class Told:
    """What a job tells, as the events that its page reads."""

    def __init__(self):
        self.events = []

    def poll(self):
        return False

    def send(self, message):
        word, data = message
        if word == "result":
            self.events.append(("progress", {**data, "text": data["text"]}))
        elif word == "progress":
            self.events.append((word, data))

    def text(self, **end):
        events = [*self.events, ("state", end)]
        return "".join(f"event: {word}\ndata: {json.dumps(data)}\n\n" for word, data in events)


@pytest.fixture
def editing(studio):
    """The answers of the editor's questions, by the studio's own code."""

    def job(body):
        setting = checked(body, StudioLimits()) | {"evaluations": 300, "seed": 1}
        setting.pop("seconds")
        plan(setting, 4096)
        told = Told()
        begin_search(told, {"setting": setting, "seconds": 60, "megabytes": 4000, "most": 10})
        studio.answers["GET jobs/1/events"] = told.text(state="done")
        return {"id": 1}

    studio.answers |= {
        "POST script/game": lambda body: script_game(**body),
        "POST script/solved": lambda body: script_solved(**body),
        "POST script/made": lambda body: script_made(**body, limit=60),
        "POST script/saved": lambda body: script_saved(**body, cells=4096),
        "POST check": lambda body: check(**body),
        "POST jobs": job,
        "POST jobs/1/cancel": {"state": "done"},
        "DELETE jobs/1": {},
    }
    return studio


def painted(page, tile, row, col, size):
    """Chooses a brush and clicks on a cell."""
    page.get_by_role("group", name="Tiles").get_by_role("button", name=tile, exact=True).click()
    board = page.locator(".board.paint canvas")
    box = board.bounding_box()
    board.click(
        position={"x": (col + 0.5) * box["width"] / size[1], "y": (row + 0.5) * box["height"] / size[0]}
    )


@pytest.mark.slow
def test_a_level_is_drawn_locked_improved_checked_and_saved_in_its_game(script, editing, tmp_path):
    page, own = script, games.get(CRATES).levels()
    size = own[1].size
    drop(page, games.sources[CRATES])
    page.locator(".choice").nth(1).click()
    page.get_by_role("link", name="Edit this level").click()
    expect(page.get_by_role("group", name="Tiles").get_by_role("button")).to_have_count(7)  # with the lock
    expect(page.get_by_text(f"Saved as {own[1].title}")).to_be_visible()
    told = page.locator(".told")
    expect(told).to_contain_text("keys (proved fewest), rules that fire: 62", timeout=SLOW)
    expect(page.locator(".rules li")).to_have_text(["line 62 [ > Player | Crate ] -> [ > Player | > Crate ]"])

    # A wall in place of the player is no level; painted elsewhere, the player leaves where he was.
    inside = [(r, c) for r in range(1, size[0] - 1) for c in range(1, size[1] - 1)]
    floor = [at for at in inside if own[1].text.split("\n")[at[0]][at[1]] == "."]
    player = next(at for at in inside if own[1].text.split("\n")[at[0]][at[1]] == "P")
    painted(page, "wall", *player, size)
    expect(page.get_by_text("Expected a player")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    painted(page, "player", *floor[0], size)
    expect(page.get_by_text("Changed, not saved")).to_be_visible()
    expect(page.get_by_text("Can be won", exact=True)).to_be_visible(timeout=SLOW)
    painted(page, "lock", *floor[0], size)
    page.get_by_role("button", name="Improve").click()
    expect(page.get_by_text("Use this version?", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.locator(".gain")).to_contain_text("Moves")
    (job,) = editing.sent("POST jobs")
    assert job["lock"] == [f"{floor[0][1]},{floor[0][0]},1x1"]
    page.get_by_role("button", name="Accept").click()
    page.get_by_label("Title").fill("Mine")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved as Mine")).to_be_visible()
    page.get_by_role("button", name="Save as a copy").click()
    expect(page.get_by_text("A copy is behind the other levels, as Mine.")).to_be_visible()
    page.get_by_role("link", name="Play it").click()
    page.wait_for_url(f"**/script?level={len(own)}")
    expect(page.locator(".choice")).to_have_count(len(own) + 1)
    expect(page.locator(".choice").last).to_have_attribute("aria-current", "true")

    # A new one, drawn from nothing, which is saved as it is played.
    page.get_by_role("link", name="Draw a new one").click()
    first = own[0].size
    for tile, row, col in (("player", 1, 1), ("crate", 1, 2), ("target", 1, 3)):
        painted(page, tile, row, col, first)
    expect(told).to_contain_text("1 key (proved fewest)", timeout=SLOW)
    page.get_by_role("link", name="Play it").click()
    expect(page.locator(".choice")).to_have_count(len(own) + 2)
    page.get_by_role("button", name="Make new levels").click()
    expect(page.locator(".choice")).to_have_count(len(own) + 5, timeout=SLOW)
    with page.expect_download() as loading:
        page.get_by_role("button", name="Save the file").click()
    loading.value.save_as(tmp_path / "mine.txt")
    game = games.of_text((tmp_path / "mine.txt").read_text())
    levels = game.levels()
    titles = [level.title for level in levels[: len(own)]]
    assert titles == [own[0].title, "Mine", *(level.title for level in own[2:])]
    assert levels[0].text == own[0].text
    assert levels[1].text == levels[len(own)].text != own[1].text
    assert levels[1].text.split("\n")[floor[0][0]][floor[0][1]] == "P"  # which was locked
    assert levels[len(own) + 1].solution == "r"
    for level in levels:
        game.verify(level, Twin)


@pytest.mark.slow
def test_a_game_of_chance_is_drawn_but_not_judged(script, editing):
    dice = games.sources[CRATES].replace("[ > Player | Crate ]", "random [ > Player | Crate ]")
    drop(script, dice)
    script.get_by_role("link", name="Edit this level").click()
    expect(script.get_by_text("A level", exact=True)).to_be_visible()
    expect(script.locator(".told")).to_contain_text("random")
    expect(script.get_by_role("button", name="Improve")).to_be_hidden()
    editing.page.evaluate("sessionStorage.clear()")
    script.reload()
    expect(script.get_by_text("This tab has no PuzzleScript game")).to_be_visible()


COLOURS = """(canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return [...new Set(new Uint32Array(data.buffer))].length;
}"""


@pytest.mark.slow
def test_the_pixels_of_a_sprite_meet_without_seams(script, editing):
    drop(script, games.sources[HOLES])
    script.get_by_role("link", name="Edit this level").click()
    expect(script.locator(".palette button")).not_to_have_count(0)
    canvas = script.locator(".board.paint canvas")
    assert canvas.evaluate("(canvas) => canvas.width") % 40  # cells that are no multiple of five pixels
    used = {colour for line in games.sources[HOLES].split("LEGEND")[0].split("\n") for colour in line.split()}
    assert canvas.evaluate(COLOURS) <= len(used)  # and none in between


@pytest.mark.slow
def test_a_message_covers_nothing_and_the_board_is_whole(script):
    for size, whole in (((1280, 900), (".board", ".said")), ((390, 844), (".board", ".said", ".pad"))):
        script.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        drop(script, games.sources[HOLES])
        said = script.locator(".said")
        expect(said).to_be_visible()
        for place in whole:
            expect(script.locator(place)).to_be_in_viewport(ratio=1)
        board, message = (script.locator(place).bounding_box() for place in (".board", ".said"))
        assert message["y"] >= board["y"] + board["height"]


@pytest.mark.first(1)
@pytest.mark.parametrize("width", [360, 1400])
def test_the_pages_of_a_script_fit_their_screen(script, editing, width):
    script.set_viewport_size({"width": width, "height": 900})
    drop(script, games.sources[KEYS_GAME])
    expect(script.locator(".choice")).not_to_have_count(0)
    assert script.evaluate("document.documentElement.scrollWidth <= innerWidth")
    script.get_by_role("link", name="Edit this level").click()
    expect(script.locator(".palette button")).not_to_have_count(0)
    assert script.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.first(1)
@pytest.mark.parametrize("name", [CRATES, HOLES])
def test_a_dropped_game_is_played_to_its_end(script, name):
    page, levels = script, games.get(name).levels()
    drop(page, games.sources[name])
    choices = page.locator(".choice")
    expect(choices).to_have_count(len(levels))
    expect(page.locator(".board canvas")).to_be_visible()
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


def test_a_hint_is_given_and_what_is_lost_is_told_with_a_way_back(script):
    page = script
    drop(page, source(rules=PUSH, levels=ROOM, wins="All Crate on Target"))
    expect(page.get_by_text("Fewest: 2 keys")).to_be_visible()
    page.keyboard.press("h")
    expect(page.get_by_label("Controls").get_by_text("Right: 2 keys to go.")).to_be_visible()
    for key in "urd":
        page.keyboard.press(KEYS[key])
    why = "No keys bring the crate at row 4, column 4 to where 'all crate on target' asks."
    expect(message(page)).to_have_text(f"From here it cannot be won any more. {why}")
    canvas = page.locator(".board canvas")
    assert canvas.evaluate(PIXEL, [140, 140]) == CROSSED  # eight times as fine, as long as it is crossed out
    page.get_by_role("button", name="Back to where it could").click()
    expect(message(page)).to_have_count(0)
    expect(stat(page, "Moves")).to_have_text("2")
    assert canvas.evaluate("(canvas) => canvas.width") == 7 * 5
    page.keyboard.press("h")
    expect(page.get_by_label("Controls").get_by_text("Left: 4 keys to go.")).to_be_visible()
    for key in "ldrr":
        page.keyboard.press(KEYS[key])
    expect(message(page)).to_have_text("Solved in 6 moves.")


def test_in_real_time_a_hint_stops_the_clock_and_what_is_lost_is_told(paused):
    script = paused
    rules = f"{PUSH} ; [ stationary Crate Ma ] -> [ right Crate Ma ]"
    told, level = (
        {"wins": "All Crate on Target", "prelude": "realtime_interval 0.5"},
        "#A1111O.#/#P......#/#########",
    )
    drop(script, source(rules=rules, levels=f"#########/#.......#/{level}", **told))
    expect(script.get_by_text("Fewest: 5 turns")).to_be_visible()
    script.clock.run_for(600)
    script.keyboard.press("h")
    side = script.get_by_label("Controls")
    expect(side.get_by_text(re.compile(r"4 turns to go\.$"))).to_be_visible()
    board = script.locator(".board canvas")
    stands = board.screenshot()
    script.clock.run_for(5000)
    assert board.screenshot() == stands
    script.keyboard.press(KEYS["r"])
    script.clock.run_for(2000)
    expect(message(script)).to_contain_text("Solved in")
    script.get_by_role("button", name="Play again").click()
    script.keyboard.press(KEYS["u"])
    expect(message(script)).to_contain_text("From here it cannot be won any more.")
    script.get_by_role("button", name="Back to where it could").click()
    expect(message(script)).to_have_count(0)


def test_a_drawing_is_proved_by_the_page_alone(script, editing):
    editing.answers["POST check"] = lambda body: None  # nobody answers
    drop(script, source(rules=PUSH, levels=ROOM, wins="All Crate on Target"))
    script.get_by_role("link", name="Edit this level").click()
    expect(script.get_by_text("Can be won", exact=True)).to_be_visible()
    expect(script.locator(".told")).to_have_text("Solution of 2 keys")
    painted(script, "crate", 1, 1, (5, 7))
    expect(script.get_by_text("Cannot be won", exact=True)).to_be_visible()
    expect(script.locator(".told")).to_have_text("There are 2 crate and 1 target for 'all crate on target'")
    painted(script, "target", 1, 5, (5, 7))
    told = "No keys bring the crate at row 2, column 2 to where 'all crate on target' asks"
    expect(script.locator(".told")).to_have_text(told)
    painted(script, "wall", 2, 2, (5, 7))
    expect(script.get_by_text("Not a level yet")).to_be_visible()
    expect(script.locator(".told")).to_have_text("Expected a player in the level of the game, got none")


FITTED = """() => {
  const places = [".board", ".board canvas"];
  const [frame, board] = places.map((place) => document.querySelector(place)?.getBoundingClientRect());
  return board && Math.abs(frame.width - board.width) < 4 && Math.abs(frame.height - board.height) < 4;
}"""


@pytest.mark.first(1)
@pytest.mark.parametrize("width", [360, 900, 1280])
def test_a_board_fits_its_frame(script, width):
    script.set_viewport_size({"width": width, "height": 700})
    drop(script, games.sources[CRATES])
    expect(script.locator(".choice")).not_to_have_count(0)
    script.wait_for_function(FITTED)
    assert script.locator(".board").bounding_box()["width"] <= width


@pytest.mark.slow
def test_undo_and_restart_take_back(script):
    page = script
    page.get_by_label("Open one of ours").select_option(CRATES)
    board = page.locator(".board canvas")
    expect(page.locator(".board canvas")).to_be_visible()
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


@pytest.mark.slow
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


def test_two_mistakes_are_told_behind_the_lines_where_somebody_types_them(script):
    drop(script, games.sources[CRATES])
    expect(script.locator(".choice")).to_have_count(len(games.get(CRATES).levels()))
    text = script.get_by_label("Source of the game")
    lines = games.sources[CRATES].split("\n")
    typed = {"->": "Playr", "All ": "Crats"}
    places = {word: next(i for i, line in enumerate(lines) if part in line) for part, word in typed.items()}
    for word, line in places.items():
        start = sum(len(each) + 1 for each in lines[:line])
        at = start + lines[line].lower().index(word[:4].lower())
        end = at + len(lines[line][at - start :].split()[0])
        text.evaluate("(field, [at, end]) => { field.focus(); field.setSelectionRange(at, end); }", [at, end])
        script.keyboard.type(word)
        lines[line] = lines[line][: at - start] + word + lines[line][end - start :]
    expect(text).to_have_value("\n".join(lines))
    painted = script.locator(".source .paint > div")
    for word, line in places.items():
        expect(painted.nth(line).locator("em")).to_contain_text(f"got '{word.lower()}'; did you mean")
    expect(script.locator(".source .paint em")).to_have_count(2)


def test_a_source_is_painted_by_what_its_pieces_are(script):
    drop(script, games.sources[CRATES])
    piece = script.locator(".source .paint span")
    for kind, text in (("section", "RULES"), ("sign", "->"), ("word", "title"), ("pixels", "11111")):
        expect(piece.and_(script.locator(f".{kind}")).get_by_text(text, exact=True).first).to_be_visible()
    assert script.locator(".source .paint").evaluate(
        "layer => layer.innerText.replaceAll('\\u200b', '')"
    ) == (script.get_by_label("Source of the game").input_value())


def test_a_file_comes_out_as_it_came_in(script, tmp_path):
    given = games.sources[CRATES].replace("\n", "\r\n")
    drop(script, given)
    expect(script.locator(".choice")).to_have_count(len(games.get(CRATES).levels()))
    with script.expect_download() as loading:
        script.get_by_role("button", name="Save the file").click()
    loading.value.save_as(tmp_path / "mine.txt")
    assert (tmp_path / "mine.txt").read_bytes() == given.encode()


def test_a_source_is_mended_where_it_stands(script):
    script.get_by_label("Source of the game").fill("OBJECTS\n\nPlayer\nred")
    expect(script.get_by_text("It cannot be played yet")).to_be_visible()
    script.get_by_label("Source of the game").fill(games.sources[CRATES])
    expect(script.locator(".choice")).to_have_count(len(games.get(CRATES).levels()))
    expect(script.locator(".faults li")).to_have_count(0)


@pytest.mark.slow
def test_a_game_that_is_dropped_on_another_page_opens_its_own(script, studio):
    level = {"game": "sokoban", "size": "5x3", "text": "#####\n#@$.#\n#####", "solution": "R"}
    studio.open("/play", [level])
    drop(script, games.sources[CRATES])
    script.wait_for_url("**/script")
    expect(script.locator(".choice")).to_have_count(len(games.get(CRATES).levels()))
