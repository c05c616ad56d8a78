"""What axe finds serious in pages: names, labels, contrast, and what a screen reader makes of them."""

import tarfile

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from browser.conftest import ORIGIN
from browser.test_pack import opened
from browser.test_studio import SLOW, enter
from levelsmith import parse
from levelsmith.checking.rate import rated
from levelsmith.cli import cli
from levelsmith.levels.pack import Pack
from levelsmith.publish.playground import playground
from levelsmith.publish.site import Look, site, write_site
from levelsmith.registry import games
from studio.running import Running

ROOM = parse("#######\n#     #\n# $ . #\n# .$@ #\n#     #\n#######", "sokoban")
SERIOUS = ("serious", "critical")
SCHEMES = ("light", "dark")


@pytest.fixture
def faults(npm):
    """Returns what is serious in a page, light and dark, each with the element."""
    with tarfile.open(npm("axe-core")) as archive:
        axe = archive.extractfile("package/axe.min.js").read().decode()

    def found(page):
        told = []
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            page.evaluate(axe)
            seen = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            told += [(each["id"], each["nodes"][0]["html"]) for each in seen if each["impact"] in SERIOUS]
        return told

    return found


def test_what_is_wrong_is_found(faults, browser):
    page = browser.new_page(bypass_csp=True)
    page.set_content(
        "<html lang='en'><title>Bad</title><main><img src='x.png'><p style='color: #ddd'>pale</p></main>"
    )
    assert {name for name, _ in faults(page)} == {"image-alt", "color-contrast"}
    page.close()


@pytest.mark.slow
def test_published_pages_and_the_playground(faults, browser, tmp_path):
    pack = Pack((ROOM,), "Rooms", "Ann", "Enjoy.")
    write_site(site(pack, rated(pack.levels), Look()), tmp_path / "site")
    write_site(playground(Look()), tmp_path / "play")
    for name, ready in (
        ("site/index.html", "nav .picture"),
        ("site/index.html#1", ".board canvas[style*=width]"),
        ("play/index.html", "aside .badge.good"),
    ):
        page = browser.new_page(bypass_csp=True)
        page.goto(f"{tmp_path.as_uri()}/{name}")
        page.locator(ready).first.wait_for()
        assert faults(page) == [], name
        page.close()


@pytest.mark.slow
def test_the_studios_pages(faults, studio):
    level = {"game": "sokoban", "size": "7x6", "text": ROOM.text, "solution": "R", "metrics": {}, "tags": []}
    studio.answers["GET levels/counts"] = {"games": {}, "tags": []}
    studio.answers["GET levels"] = {"total": 0, "levels": []}
    studio.answers["GET scripts"] = {"scripts": games.sources}
    studio.answers["POST script"] = lambda body: games.explained(body["text"])
    for path in ("/play", f"/edit?game=sokoban&text={ROOM.text.replace('#', '%23').replace(chr(10), '%0A')}"):
        studio.open(path, [level])
        assert faults(studio.page) == [], path
    studio.page.goto(f"{ORIGIN}/script")
    source = games.sources["puzzlescript:crates"].replace("All ", "Al ")
    studio.page.get_by_label("Source of the game").fill(source)
    expect(studio.page.locator(".source .paint em")).to_have_count(1)
    assert faults(studio.page) == []
    page = opened(studio)
    assert faults(page) == []
    page.evaluate("localStorage.clear()")
    page.goto(f"{ORIGIN}/pack")
    expect(page.get_by_text("No levels yet")).to_be_visible()
    assert faults(page) == []


SEEN = {  # the pages of a studio that has a level, and what is there once they are ready
    "": ".level canvas",
    "generate?game=sokoban": "#start",
    "gallery": ".level canvas",
    "edit?level=1": "aside .badge.good",
    "play?level=1": ".board canvas[style*=width]",
    "script": ".empty button",
    "pack": ".rows .hard",
    "compare": ".curve .axis",
}


@pytest.mark.slow
def test_all_pages_of_a_studio_that_runs(faults, browser, tmp_path):
    running = Running(tmp_path / "studio.db")
    try:
        running.post("levels", {"game": "sokoban", "text": ROOM.text}, expect=201)
        page = browser.new_page(bypass_csp=True)
        page.set_default_timeout(SLOW)
        enter(page, running)
        page.evaluate('localStorage.setItem(\'pack\', \'{"levels": [{"id": 1, "title": ""}]}\')')
        for path, ready in SEEN.items():
            page.goto(f"http://127.0.0.1:{running.port}/{path}")
            page.locator(ready).first.wait_for()
            assert faults(page) == [], path
        page.goto(f"http://127.0.0.1:{running.port}/gallery")
        page.locator(".level a.picture").click()
        page.locator("dialog[open] canvas").first.wait_for()
        assert faults(page) == [], "a level close up"
        page.close()
    finally:
        running.stop()


@pytest.mark.slow
def test_the_demo(faults, browser, tmp_path):
    CliRunner().invoke(cli, ["demo", str(tmp_path / "demo")], catch_exceptions=False)
    page = browser.new_page(bypass_csp=True)
    page.goto((tmp_path / "demo" / "index.html").as_uri())
    page.locator(".board canvas[style*=width]").wait_for()
    assert faults(page) == []
    page.close()
