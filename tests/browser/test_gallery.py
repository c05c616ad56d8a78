"""The gallery shows the list that was asked for last, however late others come."""

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

from playwright.sync_api import expect

from browser.conftest import ORIGIN
from browser.test_edit import ALPHA


def a_level(number):
    return {
        "id": number,
        "game": "binary",
        "title": f"Map {number}",
        "text": "..\n.#",
        "size": "2x2",
        "metrics": {},
        "tags": [],
        "starred": False,
        "solution": None,
        "score": None,
        "provenance": {},
    }


def test_shift_takes_all_levels_from_the_last_one_to_this_one(studio):
    levels = [a_level(number) for number in range(1, 7)]
    studio.answers["GET levels/counts"] = {"games": {"binary": 6}, "tags": []}
    studio.answers["GET levels"] = {"total": 6, "levels": levels}
    page = studio.page
    page.goto(f"{ORIGIN}/gallery")
    boxes = page.locator(".level input")
    boxes.nth(1).click()
    boxes.nth(4).click(modifiers=["Shift"])
    expect(page.get_by_text("4 selected")).to_be_visible()
    assert [boxes.nth(i).is_checked() for i in range(6)] == [False, True, True, True, True, False]
    boxes.nth(2).click(modifiers=["Shift"])
    expect(page.get_by_text("1 selected")).to_be_visible()
    boxes.nth(5).click()
    expect(page.get_by_text("2 selected")).to_be_visible()


def test_six_ways_to_sort_stand_in_front(studio):
    studio.answers["GET levels/counts"] = {"games": {"binary": 1}, "tags": []}
    studio.answers["GET levels"] = {"total": 1, "levels": [a_level(1)]}
    page = studio.page
    page.goto(f"{ORIGIN}/gallery")
    sorts = page.get_by_label("Sort").locator("option")
    first = ["newest", "title", "easiest first", "hardest first", "smallest first", "largest first"]
    expect(sorts).to_have_text(first)
    page.get_by_text("For researchers").click()
    page.get_by_label("Order by any measure").select_option("best match")
    expect(page).to_have_url(f"{ORIGIN}/gallery?sort=-score")
    expect(page.get_by_label("Sort")).to_have_value("-score")


def test_a_list_that_comes_late_does_not_replace_the_one_asked_for_since(studio):
    lists = iter([None, {"total": 1, "levels": [a_level(2)]}])
    studio.answers["GET levels/counts"] = {"games": {"binary": 2}, "tags": []}
    studio.answers["GET levels"] = lambda sent: next(lists)
    page = studio.page
    page.goto(f"{ORIGIN}/gallery")
    page.get_by_label("Sort").select_option(label="title")
    cards = page.locator(".level")
    expect(cards).to_contain_text("Map 2")
    assert len(studio.held) == 1
    with page.expect_response(lambda response: response.url.endswith("limit=48")):
        studio.release({"total": 2, "levels": [a_level(1), a_level(2)]})
    page.wait_for_timeout(100)
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("Map 2")


NOTCHED = "  ###\n### #\n#@$.#\n#####"


def test_a_card_and_the_dialog_show_nothing_beyond_the_walls(studio):
    level = {**a_level(1), "game": "sokoban", "text": NOTCHED, "size": "5x4"}
    studio.answers["GET levels/counts"] = {"games": {"sokoban": 1}, "tags": []}
    studio.answers["GET levels"] = {"total": 1, "levels": [level]}
    page = studio.page
    page.goto(f"{ORIGIN}/gallery")
    for place in (".level canvas.thumb", "dialog canvas.thumb"):
        page.wait_for_function(f"(given) => ({ALPHA})(given) === 255", arg=[place, 3, 0, 4])
        assert [page.evaluate(ALPHA, [place, *cell, 4]) for cell in ((0, 0), (0, 1), (1, 3))] == [0, 0, 255]
        page.locator(".level .picture").first.click(force=True)


def test_a_map_that_does_not_say_what_its_tiles_are_is_asked_about(studio):
    added = [{**a_level(7), "title": "Swapped"}]
    answers = iter([{"error": "expected tiles", "tiles": ["1", "rock"], "game": "binary"}, {"levels": added}])
    studio.answers["GET levels/counts"] = {"games": {}, "tags": []}
    studio.answers["GET levels"] = {"total": 0, "levels": []}
    studio.answers["POST upload"] = lambda body: next(answers)
    page = studio.page
    page.goto(f"{ORIGIN}/gallery")
    asked = []
    page.on("request", lambda request: "upload" in request.url and asked.append(request.url))
    page.get_by_label("Level files").set_input_files(
        {"name": "swap.tmj", "mimeType": "application/json", "buffer": b"{}"}
    )
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Number 1").select_option("wall")
    dialog.get_by_label("Rock").select_option("empty")
    dialog.get_by_role("button", name="Add the map").click()
    expect(page.get_by_text("1 level added")).to_be_visible()
    assert asked[1].endswith("name=swap.tmj&game=binary&tile=1%3Dwall&tile=rock%3Dempty")


def test_every_format_that_the_studio_writes_for_people_is_in_the_menu(studio):
    studio.answers["GET levels/counts"] = {"games": {"sokoban": 1}, "tags": []}
    studio.answers["GET levels"] = {
        "total": 1,
        "levels": [{**a_level(1), "game": "sokoban", "text": NOTCHED}],
    }
    page = studio.page
    page.goto(f"{ORIGIN}/gallery")
    page.locator(".level .picture").click()
    formats = page.get_by_role("dialog").get_by_label("Format to download")
    for name in ("tmx", "gif"):
        formats.select_option(name)


def test_a_level_has_its_mirror_image_and_larger_ones_like_it(studio):
    level = {**a_level(1), "game": "sokoban", "text": NOTCHED, "size": "5x4", "metrics": {"difficulty": 40.2}}
    studio.answers["GET levels/counts"] = {"games": {"sokoban": 1}, "tags": []}
    studio.answers["GET levels"] = {"total": 1, "levels": [level]}
    studio.answers["GET levels/1"] = level
    page = studio.page
    page.goto(f"{ORIGIN}/gallery")
    page.locator(".level .picture").click()
    page.route("**/generate?*", lambda route: route.fulfill(body="", content_type="text/html"))
    page.get_by_role("button", name="Make larger ones like it").click()
    page.wait_for_url("**/generate?*")
    asked = dict(parse_qsl(urlsplit(page.url).query))
    assert (asked["size"], asked["want.difficulty"]) == ("5x4", "35..45")  # of 3x2 inside the walls
    page.unroute("**/generate?*")
    page.goto(f"{ORIGIN}/gallery")
    page.locator(".level .picture").click()
    page.get_by_role("link", name="Mirror it").click()
    mirrored = "\n".join(row[::-1] for row in padded(NOTCHED))
    expect(page).to_have_url(re.compile(re.escape(urlencode({"text": mirrored}))))


def padded(text):
    rows = text.split("\n")
    return [row.ljust(max(map(len, rows))) for row in rows]
