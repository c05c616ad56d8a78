"""An evening of a designer: levels made, chosen, ordered, changed, published and played."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from browser.seen import message
from browser.test_publish import KEYS, PUSH, opened, press, ready  # noqa: F401 - a fixture
from levelsmith import load
from levelsmith.cli import cli
from levelsmith.levels.pack import read_pack

BROKEN = "########\n#      #\n# $    #\n#   $  #\n#  @   #\n#    . #\n########\n"  # a goal is missing
WORDS = ("--size", "7x7", "--boxes", "3", "--difficulty", "25..85", "--ramp", "difficulty", "--seed", "5")


def shown():
    return json.loads(run("pack", "show", "winter.json", "--json"))["levels"]


def run(*words):
    result = CliRunner().invoke(cli, words, standalone_mode=False)
    assert result.exception is None, result.exception
    assert result.return_value in (None, 0), result.output
    return result.stdout


@pytest.mark.slow
def test_an_evening_ends_with_a_page_that_friends_play(opened, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.chdir(tmp_path)
    run("generate", "sokoban", *WORDS, "--count", "20", "-o", "made.xsb")
    run("pack", "new", "winter.json", "made.xsb", "--title", "Winter rooms", "--author", "Ann", "--name")
    run("pack", "drop", "winter.json", *map(str, (2, 5, 7, 9, 12, 15, 17, 19)))
    assert len(shown()) == 12
    run("improve", "winter.json#4", "-o", "harder.json", "--seed", "1", "--evaluations", "300")
    before = shown()[3]["difficulty"]
    run("pack", "drop", "winter.json", "4")
    run("pack", "add", "winter.json", "harder.json", "--at", "4")
    assert shown()[3]["difficulty"] > before
    Path("drawn.txt").write_text(BROKEN)
    run("repair", "drawn.txt", "--game", "sokoban", "-o", "mended.json")
    run("pack", "add", "winter.json", "mended.json")
    run("pack", "name", "winter.json")
    run("pack", "sort", "winter.json")
    hard = [level["difficulty"] for level in shown()]
    widest = max(range(1, 13), key=lambda number: hard[number] - hard[number - 1])
    run(
        "pack",
        "fill",
        "winter.json",
        "--between",
        f"{widest}",
        f"{widest + 1}",
        "--count",
        "2",
        "--seed",
        "1",
    )
    levels = shown()
    assert len(levels) == 15
    assert [level["duplicate_of"] for level in levels] == [None] * 15
    hard = [level["difficulty"] for level in levels]
    assert hard == sorted(hard)
    run("publish", "winter.json", "-o", "site")
    pack, solved = read_pack("winter.json"), load("winter.json")
    address = (tmp_path / "site" / "index.html").as_uri()

    page = opened(address)
    page.get_by_role("link", name="Play", exact=True).click()
    for number in (1, 2, 3):
        ready(page, f"{number}. {pack.levels[number - 1].title}")
        if number == 2:
            page.keyboard.press("h")
            expect(page.locator("aside").get_by_text(PUSH)).to_be_visible()
        press(page, solved[number - 1].solution)
        expect(message(page)).to_contain_text("Solved in")
        page.keyboard.press("Enter")
    page.get_by_role("link", name="Levels", exact=True).click()
    expect(page.get_by_text("3 of 15 solved")).to_be_visible()

    phone = opened(f"{address}#1", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    ready(phone, f"1. {pack.levels[0].title}")
    names = {"u": "Up", "d": "Down", "l": "Left", "r": "Right"}
    for letter in solved[0].solution:
        phone.get_by_role("button", name=names[letter.lower()], exact=True).tap()
    expect(message(phone)).to_contain_text("Solved in")
