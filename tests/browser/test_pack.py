"""The page of a pack: levels dragged, sorted and named, and what is sent to publish them."""

import json

from playwright.sync_api import expect

from browser.conftest import ORIGIN

ROOM = "######\n#@$ .#\n######"
SEEN = [
    {"told": "won in 9 pushes", "proved": True, "difficulty": 60.0, "same": None, "title": "The Attic"},
    {"told": "won in 2 pushes", "proved": True, "difficulty": 20.0, "same": None, "title": "The Cellar"},
    {"told": "cannot be won", "proved": False, "difficulty": None, "same": 2, "title": "The Vault"},
]


def opened(studio):
    page = studio.page
    for number in (1, 2, 3):
        level = {"id": number, "game": "sokoban", "title": "", "text": ROOM, "size": "6x3"}
        studio.answers[f"GET levels/{number}"] = level
    studio.answers["POST pack/look"] = lambda asked: {"levels": [SEEN[number - 1] for number in asked["ids"]]}
    kept = {"title": "Rooms", "levels": [{"id": number, "title": ""} for number in (1, 2, 3)]}
    page.goto(f"{ORIGIN}/gallery")
    page.evaluate("told => localStorage.setItem('pack', told)", json.dumps(kept))
    page.goto(f"{ORIGIN}/pack")
    expect(page.get_by_text("difficulty 60 · won in 9 pushes")).to_be_visible()
    return page


def tell(studio, kind, data):
    """Has the next job tell this and end."""
    studio.answers["POST jobs"] = {"id": "7"}
    studio.answers["DELETE jobs/7"] = {}
    studio.answers["GET jobs/7/events"] = "".join(
        f"id: {i}\nevent: {kind}\ndata: {json.dumps(data)}\n\n"
        for i, (kind, data) in enumerate([(kind, data), ("state", {"state": "done"})])
    )


def order(studio):
    return studio.sent("POST pack/look")[-1]["ids"]


def comes_to(studio, ids):
    """Waits until the page has asked about the levels in an order; tells whether it has."""
    for _ in range(600):
        if order(studio) == ids:
            return True
        studio.page.wait_for_timeout(100)
    return False


def test_levels_are_moved_sorted_dragged_and_named(studio):
    studio.answers["GET levels/counts"] = {"games": {}, "tags": []}
    studio.answers["GET levels"] = {"total": 0, "levels": []}
    page = opened(studio)
    assert order(studio) == [1, 2, 3]
    expect(page.get_by_text("cannot be won · the same as level 2")).to_be_visible()
    page.get_by_role("button", name="From easy to hard").click()
    page.wait_for_function("document.querySelector('.rows small').textContent.includes('20')")
    assert comes_to(studio, [2, 1, 3])
    page.get_by_role("button", name="Move level 3 up").click()
    assert comes_to(studio, [2, 3, 1])
    rows = page.locator(".rows li")
    rows.nth(2).locator(".grip").drag_to(rows.nth(0), target_position={"x": 60, "y": 4})
    page.wait_for_function("document.querySelector('.rows small').textContent.includes('60')")
    assert comes_to(studio, [1, 2, 3])
    page.get_by_role("button", name="Take level 3 out").click()
    page.get_by_label("Title of level 2").fill("Mine")
    page.get_by_role("button", name="Make up titles").click()
    expect(page.get_by_label("Title of level 1")).to_have_value("The Attic")
    expect(page.get_by_label("Title of level 2")).to_have_value("Mine")
    studio.answers["POST pack"] = {"a": "file"}
    with page.expect_download():
        page.get_by_role("button", name="Publish as a page").click()
    (asked,) = studio.sent("POST pack")
    assert (asked["ids"], asked["titles"], asked["title"]) == ([1, 2], ["The Attic", "Mine"], "Rooms")
    assert (asked["page"], asked["help"]) == (True, True)
    page.reload()  # it is kept
    expect(page.get_by_label("Title of level 2")).to_have_value("Mine")


def test_a_level_is_made_harder_in_its_place_and_put_back(studio):
    studio.answers["GET levels/counts"] = {"games": {}, "tags": []}
    studio.answers["GET levels"] = {"total": 0, "levels": []}
    page = opened(studio)
    harder = "######\n#@ $.#\n######"
    tell(studio, "progress", {"evaluations": 9, "seconds": 1, "text": harder, "told": "difficulty 20 to 43"})
    studio.answers["POST levels"] = lambda body: {"id": 1, "size": "6x3", **body}
    page.get_by_role("button", name="Make level 2 harder").click()
    expect(page.get_by_text("Difficulty 20 → 43.")).to_be_visible()
    (asked,) = studio.sent("POST jobs")
    assert (asked["edit"], asked["start"]) == ("improve", ROOM)
    assert studio.sent("POST levels") == [{"game": "sokoban", "text": harder, "title": ""}]
    page.wait_for_function("document.querySelectorAll('.rows small')[1].textContent.includes('60')")
    assert order(studio) == [1, 1, 3]
    page.get_by_role("button", name="Put it back").click()
    page.wait_for_function("document.querySelectorAll('.rows small')[1].textContent.includes('20')")
    assert order(studio) == [1, 2, 3]
    expect(page.get_by_role("button", name="Make level 3 harder")).to_be_hidden()  # it cannot be won


def test_a_slider_makes_a_level_harder_or_easier_and_a_gap_is_filled(studio):
    page = opened(studio)
    sliders = page.locator(".sliders input")
    assert [slider.input_value() for slider in sliders.all()] == ["60", "20", "0"]
    expect(sliders.nth(2)).to_be_disabled()  # nobody knows how hard it is
    other = "######\n#@ $.#\n######"
    tell(studio, "progress", {"evaluations": 9, "seconds": 1, "text": other, "told": "difficulty 20 to 30"})
    studio.answers["POST levels"] = lambda body: {"id": 3, "size": "6x3", **body}
    box = sliders.nth(1).bounding_box()
    x, low = box["x"] + box["width"] / 2, box["y"] + box["height"]
    page.mouse.move(x, low - 0.22 * box["height"])
    page.mouse.down()
    page.mouse.move(x, low - 0.32 * box["height"], steps=3)
    page.mouse.up()
    expect(page.get_by_text("Difficulty 20 → 30.")).to_be_visible()
    (asked,) = studio.sent("POST jobs")
    low, high = asked["want"]["difficulty"]
    assert (asked["edit"], high - low) == ("improve", 10)
    assert 25 <= low + 5 <= 35
    failed = {"state": "failed", "error": "nothing was found"}  # in the range; without one something is
    studio.answers["GET jobs/8/events"] = f"id: 0\nevent: state\ndata: {json.dumps(failed)}\n\n"
    studio.answers["DELETE jobs/8"] = {}
    studio.answers["POST jobs"] = lambda asked: {"id": "8" if "want" in asked else "7"}
    sliders.first.press("ArrowDown")
    expect(page.get_by_text("Difficulty 20 → 30; nothing nearer to 59 was found.")).to_be_visible()
    assert studio.sent("POST jobs")[-1]["edit"] == "easier"

    page.reload()
    expect(page.get_by_role("button", name="Make a level between 2 and 3")).to_be_disabled()
    studio.answers["POST pack/look"] = lambda asked: {
        "levels": [SEEN[i % 2] for i, _ in enumerate(asked["ids"])]
    }
    page.reload()
    new = {"id": 2, "game": "sokoban", "title": "", "text": ROOM, "size": "6x3"}
    tell(studio, "level", new)
    before = len(order(studio))
    page.get_by_role("button", name="Make a level between 1 and 2").click()
    expect(page.locator(".rows li")).to_have_count(before + 1)
    assert studio.sent("POST jobs")[-1]["want"] == {"difficulty": [20, 60]}
    assert order(studio)[1] == 2


def test_play_goes_through_a_pack_in_its_order(studio):
    page = opened(studio)
    studio.answers["GET levels/order"] = {"ids": [1, 3]}  # the second was deleted elsewhere
    page.get_by_label("Title of level 3").fill("The Vault")
    page.get_by_role("button", name="Move level 3 up").click()
    page.get_by_role("button", name="Move level 2 up").click()
    page.get_by_role("link", name="Play", exact=True).and_(page.locator(".button")).click()
    expect(page.get_by_role("heading", name="The Vault")).to_be_visible()
    expect(page.get_by_text("1 of 2 · of the pack")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(f"{ORIGIN}/play?pack=1&level=1")
    expect(page.get_by_text("2 of 2 · of the pack")).to_be_visible()
