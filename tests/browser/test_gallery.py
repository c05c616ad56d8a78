"""The gallery shows the list that was asked for last, however late others come."""

from playwright.sync_api import expect

from browser.conftest import ORIGIN


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
