"""The whole studio in a real browser, with its real server: made, played, edited, kept, found again."""

import re
import zipfile
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from levelsmith import load
from levelsmith.studio.entrance import private_page
from studio.running import Running

KEYS = {"l": "ArrowLeft", "r": "ArrowRight", "u": "ArrowUp", "d": "ArrowDown"}
SOKOBAN = "/generate?game=sokoban&size=5x5&evaluations=2000&seed=3"
ENDLESS = "/generate?game=orchard&size=6x6&search=hc&seconds=60&want.trees=40..&seed=1"
TEN = "/generate?game=sokoban&size=5x5&evaluations=2000&count=10&seed=7"
SLOW = 400_000  # milliseconds, on a machine that compiles something else


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return tmp_path_factory.mktemp("studio") / "studio.db"


@pytest.fixture(scope="module")
def running(store):
    server = Running(store, "--jobs", 2)
    yield server
    server.stop()


@pytest.fixture
def browse(page, running):
    """Opens a page of the studio; nothing may go wrong on it, and nothing may leave the machine."""
    wrong = []

    def asked(request):
        if urlsplit(request.url).hostname not in ("127.0.0.1", None):
            wrong.append(request.url)

    def error(message):
        wrong.append(str(message))

    def said(message):
        if message.type == "error":
            wrong.append(f"{message.text} {message.location}")

    page.on("request", asked)
    page.on("pageerror", error)
    page.on("console", said)
    page.set_viewport_size({"width": 1280, "height": 900})

    def open_(path):
        enter(page, running)
        page.goto(f"http://127.0.0.1:{running.port}{path}")
        return page

    yield open_
    page.goto("about:blank")
    for name, handler in (("request", asked), ("pageerror", error), ("console", said)):
        page.remove_listener(name, handler)
    assert wrong == []


def enter(page, running):
    """Opens the address that the studio has printed, unless its cookie is there already."""
    if running.token not in [cookie["value"] for cookie in page.context.cookies()]:
        page.goto(running.address)
        page.wait_for_url(f"http://127.0.0.1:{running.port}/")
        page.wait_for_load_state("networkidle")


def generated(page):
    """Presses Generate; the levels that come of it."""
    page.get_by_role("button", name="Generate", exact=True).click()
    badge = page.locator(".run .badge")
    expect(badge).to_have_text(re.compile("Done|Failed|Stopped"), timeout=SLOW)
    expect(badge).to_have_text("Done")
    return page.locator(".level")


def ensured(browse, running, count):
    """Makes the same level again until the studio has so many of Sokoban: what it has, as text."""
    while len(texts := [one["text"] for one in running.get("levels?game=sokoban")["levels"]]) < count:
        expect(generated(browse(SOKOBAN))).to_have_count(1)
    return texts


def drawn(page):
    expect(page.locator(".board canvas").first).to_have_attribute("style", re.compile("width"))


def stat(page, name):
    return page.locator(".stat", has=page.get_by_text(name, exact=True)).locator("dd")


def level_of(running, card):
    return running.get(f"levels/{card.get_attribute('data-id')}")


def test_a_sokoban_level_is_made_and_played_to_the_end(browse, running):
    page = browse(SOKOBAN)
    cards = generated(page)
    expect(cards).to_have_count(1)
    level = level_of(running, cards.first)
    expect(stat(page, "Tries")).to_have_text(re.compile(r"\d"))
    cards.first.locator("a.picture").click()
    expect(page).to_have_url(re.compile(rf"/play\?job=\d+&sort=id&level={level['id']}$"))
    drawn(page)
    for move in level["solution"].lower():
        page.keyboard.press(KEYS[move])
    pushes = sum(move.isupper() for move in level["solution"])
    expect(page.locator(".veil strong")).to_contain_text(f"{pushes} push")


@pytest.mark.slow
def test_a_shared_link_makes_the_same_level(browse, running):
    before = ensured(browse, running, 1)
    page = browse(SOKOBAN)
    page.get_by_text("As a command, as Python").click()
    expect(page.locator("pre").first).to_have_text(
        "levelsmith generate sokoban --size 5x5 --evaluations 2000 --seed 3"
    )
    level = level_of(running, generated(page).first)
    assert ensured(browse, running, 1) == [level["text"], *before] == [level["text"]] * 2
    assert parse_qs(urlsplit(page.url).query)["seed"] == ["3"]


def test_a_search_is_paused_resumed_and_stopped(browse, running):
    page = browse(ENDLESS)
    badge = page.locator(".run .badge")
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(stat(page, "Tries")).to_have_text(re.compile(r"\d"), timeout=SLOW)
    page.get_by_role("button", name="Pause").click()
    expect(badge).to_have_text("Paused")
    page.reload()  # the address knows the job
    expect(badge).to_have_text("Paused")
    page.get_by_role("button", name="Resume").click()
    expect(badge).to_have_text("Making levels")
    page.get_by_role("button", name="Stop").click()
    expect(badge).to_have_text("Stopped")
    job = parse_qs(urlsplit(page.url).query)["job"][0]
    assert running.get(f"jobs/{job}")["state"] == "cancelled"


@pytest.mark.slow
def test_a_map_is_improved_and_what_is_locked_stays(browse, running):
    rows = ["." * 10, "#########.", "." * 10, ".####.####", "." * 10, "#########.", "." * 10]
    locked = "0,0,10x1"
    page = browse(f"/edit?game=binary&text={'%0A'.join(rows).replace('#', '%23')}&lock={locked}")
    drawn(page)
    proposed(page)
    page.get_by_role("button", name="Accept").click()
    page.wait_for_url(lambda url: parse_qs(urlsplit(url).query)["text"][0] != "\n".join(rows))
    made = parse_qs(urlsplit(page.url).query)["text"][0].split("\n")
    assert made[0] == rows[0]
    assert made != rows


def proposed(page):
    """Presses Improve and waits for what comes of it, longer each time that nothing was found."""
    offered = page.get_by_text("Use this version?", exact=True)
    nothing = page.get_by_label("Proposals").get_by_text("try longer")
    for seconds in ("3", "6", "12", "24"):
        page.get_by_text("Options").click()
        page.get_by_label("Seconds").fill(seconds)
        page.get_by_text("Options").click()
        page.get_by_role("button", name="Improve").click()
        expect(nothing).to_be_hidden()
        expect(offered.or_(nothing)).to_be_visible(timeout=SLOW / 4)
        if offered.is_visible():
            break
    expect(offered).to_be_visible()
    expect(page.locator(".gain")).to_contain_text("→")
    for name in ("Accept", "Reject"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_the_gallery_stars_filters_writes_and_reads(browse, running, tmp_path):
    assert len(ensured(browse, running, 2)) == 2
    page = browse("/gallery?game=sokoban")
    cards = page.locator(".level")
    expect(cards).to_have_count(2)
    cards.first.get_by_role("button", name=re.compile("Star")).click()
    page.get_by_label("starred only").check()
    expect(cards).to_have_count(1)
    page.get_by_label("starred only").uncheck()
    expect(cards).to_have_count(2)
    first = level_of(running, cards.first)
    cards.first.locator("strong").click(force=True)
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Tags").fill("tutorial")
    dialog.get_by_label("Tags").press("Enter")
    dialog.get_by_label("Format to download").select_option("xsb")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == f"sokoban-{first['id']}.xsb"
    dialog.get_by_role("button", name="Close").click()
    page.locator(".bar label", has_text=re.compile("^Tag")).locator("select").select_option(
        "tutorial"
    )  # without a reload
    expect(cards).to_have_count(1)
    page.locator(".bar label", has_text=re.compile("^Tag")).locator("select").select_option("")
    expect(cards).to_have_count(2)
    page.get_by_text("For researchers").click()
    page.locator("select", has_text="by a metric").select_option("pushes")
    page.locator("input[aria-label='least pushes']").fill(str(first["metrics"]["pushes"] + 1))
    expect(page.get_by_text("No level fits this filter.")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Game").select_option("sokoban")
    expect(cards).to_have_count(2)
    page.get_by_role("button", name="Select all").click()
    page.get_by_label("Format to download").select_option("xsb")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No level fits this filter.")).to_be_visible()
    page.locator("input[type=file]").set_input_files(file)
    expect(cards).to_have_count(2)
    assert level_of(running, cards.first)["text"] == first["text"]
    assert level_of(running, cards.first)["solution"]
    page.locator(".toast", has_text="deleted").get_by_role("button", name="Undo").click()
    expect(cards).to_have_count(4)
    page.get_by_text("Map of your levels").click()
    cell = page.locator(".map-cell.full")
    expect(cell).to_have_count(1)
    assert "4 levels" in cell.get_attribute("aria-label")
    page.get_by_label("Shows").select_option("score")
    expect(cell).to_have_count(1)
    cell.click()
    expect(page).to_have_url(re.compile(r"min\."))
    expect(cards).to_have_count(4)


def drop(page, text):
    """Drops a text file on a page."""
    dropped = page.evaluate_handle(
        """(text) => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "room.txt"));
          return carried;
        }""",
        text,
    )
    page.dispatch_event("main", "drop", {"dataTransfer": dropped})


@pytest.mark.first(1)
@pytest.mark.parametrize("path", ["/gallery", "/gallery?game=orchard", "/generate", "/"])
def test_a_room_that_is_dropped_anywhere_finds_its_game(browse, running, path):
    page = browse(path)
    page.wait_for_load_state("networkidle")
    before = running.get("levels/counts")["games"].get("sokoban", 0)
    drop(page, "#####\n#@$.#\n#####\n")
    expect(page.get_by_text("1 level added (Sokoban).")).to_be_visible()
    assert running.get("levels/counts")["games"]["sokoban"] == before + 1


def test_a_room_that_is_dropped_on_the_editor_is_opened_there(browse):
    page = browse("/edit?game=binary")
    drawn(page)
    drop(page, "; dropped\n#####\n#@$.#\n#####\n")
    expect(page.get_by_label("Title")).to_have_value("dropped")
    expect(page.get_by_text("Saved as dropped")).to_be_visible()


def test_the_form_has_the_fields_of_what_will_run(browse, running):
    page = browse("/generate?game=sokoban&seconds=1&seed=1")
    page.get_by_text("For researchers").click()
    fields = page.locator("details .field > span")
    expect(fields.get_by_text(re.compile("^warehouse:")).first).to_be_visible()
    search = page.locator(".field", has_text=re.compile("^Search")).locator("select")
    search.select_option("hc")
    expect(fields.get_by_text(re.compile("^hc:")).first).to_be_visible()
    page.locator(".field", has_text="hc: patience").locator("input").fill("7")
    page.locator(".field", has_text="hc: patience").locator("input").press("Enter")
    page.wait_for_url(lambda url: "set.hc.patience=7" in url)
    page.locator(".field", has_text=re.compile("^Difficulty")).locator("select").select_option("hard")
    search.select_option("")  # what it would not use is left out
    page.wait_for_url(lambda url: "patience" not in url)
    expect(fields.get_by_text(re.compile("^warehouse:")).first).to_be_visible()
    expect(fields.get_by_text(re.compile("^hc:"))).to_have_count(0)
    page = browse("/generate?game=sokoban&want.difficulty=hard&set.mcts.trees=3&seed=1")
    refused = page.locator(".actions .problem-line")
    expect(refused).to_contain_text("mcts")
    expect(refused).to_be_in_viewport()  # beside the button
    expect(page.get_by_text("inside the walls")).to_have_count(2)


@pytest.mark.slow
def test_the_form_asks_for_whatever_else_a_job_may_have(browse):
    page = browse("/generate?game=loderunner&seed=1")
    page.get_by_text("For researchers").click()
    chosen(page, "Guards").select_option("still")
    page.wait_for_url(lambda url: "guards=still" in url)
    skipped = page.locator(".field", has_text=re.compile("^Skip")).locator("input")
    skipped.fill("2")
    skipped.press("Enter")
    page.wait_for_url(lambda url: "skip=2" in url)
    expect(page.locator("pre").first).to_contain_text("--seed 1 --guards still --skip 2")
    chosen(page, "Guards").select_option("")
    page.wait_for_url(lambda url: "guards" not in url)
    page = browse("/generate?game=sokoban&combine=product&seed=1")  # what is asked for is not hidden
    expect(chosen(page, "Combine")).to_have_value("product")
    expect(page.locator(".field", has_text=re.compile("^Guards"))).to_have_count(0)


def chosen(page, label):
    """What a field of the form is chosen by."""
    return page.locator(".field", has_text=re.compile(f"^{label}")).locator("select")


def test_the_form_asks_what_a_designer_asks_and_the_rest_is_behind(browse, running):
    page = browse("/generate?game=sokoban&seed=1")
    labels = page.locator(".form-first .field:visible > span")
    front = ["Game", "Width", "Height", "Difficulty", "Rising to", "Boxes", "Goals", "Symmetry"]
    expect(labels).to_have_text(
        [*front, "Levels", "Seed", "Seconds for each level", "Seconds for all levels"]
    )
    chosen(page, "Difficulty").select_option("easy")
    chosen(page, "Rising to").select_option("hard")
    page.wait_for_url(lambda url: "want.difficulty=easy..hard" in url and "ramp=difficulty" in url)
    chosen(page, "Difficulty").select_option("hard")
    page.wait_for_url(lambda url: "want.difficulty=hard&" in url + "&" and "ramp" not in url)
    chosen(page, "Game").select_option("loderunner")
    chosen(page, "Style").select_option("temple")
    page.wait_for_url(lambda url: "set.construct.style=temple" in url)
    page = browse("/generate?game=sokoban&want.pushes=20..30&seed=1")
    expect(page.get_by_label("least pushes")).to_have_value("20")  # what is asked for is not hidden


def test_a_search_that_makes_some_says_how_many_and_goes_on(browse, running):
    page = browse("/generate?game=orchard&size=4x4&search=hc&evaluations=5&want.trees=6&count=8&seed=1")
    page.get_by_role("button", name="Generate", exact=True).click()
    badge, cards = page.locator(".run .badge"), page.locator(".level")
    expect(badge).to_have_text(re.compile("^[1-7] of 8$"), timeout=SLOW)
    made = int(badge.inner_text()[0])
    expect(page.locator(".run .problem-line")).to_contain_text(f"{made} of 8: ")
    expect(page.get_by_text("Match", exact=True)).to_be_hidden()
    expect(cards).to_have_count(made)
    first = cards.first.get_attribute("data-id")
    for _ in range(40):
        page.get_by_role("button", name="Go on for the other").click()
        expect(badge).to_have_text(re.compile("of 8|Done"), timeout=SLOW)
        if badge.inner_text() == "Done":
            break
    expect(cards).to_have_count(8)
    assert cards.first.get_attribute("data-id") == first
    expect(page.locator(".run .problem-line")).to_be_hidden()


def test_a_search_that_makes_nothing_says_why(browse):
    page = browse("/generate?game=orchard&size=4x4&evaluations=200&want.trees=17..&seed=1")
    page.get_by_role("button", name="Generate", exact=True).click()
    expect(page.locator(".run .badge")).to_have_text("Nothing found", timeout=SLOW)
    problem = page.locator(".run .problem-line")
    expect(problem).to_contain_text("asked for 17..")
    expect(problem).to_be_in_viewport()


# The first answer about a job is one from before its end, and comes after the event that tells of it.
LATE = """const [fetched, asked] = [window.fetch, new Set()];
document.body.dataset.late = 0;
window.fetch = async (path, ...rest) => {
  const answer = await fetched(path, ...rest);
  if (!/jobs[/][0-9]+$/.test(path) || asked.has(path)) return answer;
  asked.add(path);
  const job = { ...await answer.json(), state: "running" };
  const badges = [...document.querySelectorAll(".run .badge")];
  while (badges.some((badge) => badge.textContent !== "Done")) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  setTimeout(() => { document.body.dataset.late++; }, 500);
  return Response.json(job);
};
0"""


@pytest.mark.slow
def test_two_settings_are_compared_on_one_budget(browse, running):
    page = browse(
        "/compare?evaluations=300&count=1&seed=1&a.game=orchard&a.size=6x6&b.game=orchard&b.size=6x6"
    )
    page.evaluate(LATE)
    page.get_by_role("button", name="Run both").click()
    expect(page.locator("body")).to_have_attribute("data-late", "2", timeout=SLOW)
    for i in range(2):
        expect(page.locator(".run .badge").nth(i)).to_have_text("Done")
        expect(page.locator(".run progress").nth(i)).to_have_js_property("value", 1)
    jobs = running.get("jobs?limit=2")["jobs"]
    assert {job["setting"]["evaluations"] for job in jobs} == {300}
    expect(page.locator("td", has_text="done")).to_have_count(2)
    figures = page.locator(".plot:not(.run .plot)")
    expect(figures.filter(visible=True)).to_have_count(1)


@pytest.mark.slow
def test_recipes_for_different_things_have_axes_of_their_own(browse):
    page = browse(
        "/compare?evaluations=300&count=1&seed=1&a.game=orchard&a.size=6x6"
        "&b.game=orchard&b.size=6x6&b.want.trees=3..9"
    )
    page.get_by_role("button", name="Run both").click()
    expect(page.locator("td", has_text="done")).to_have_count(2, timeout=SLOW)
    expect(page.get_by_text("each has an axis of its own")).to_be_visible()
    expect(page.locator(".plot:not(.run .plot)").filter(visible=True)).to_have_count(2)


@pytest.mark.slow
def test_an_evening_in_the_studio(browse, running, tmp_path):
    """Ten levels are made; one is improved, saved and found again; all are played in order and taken home."""
    page = browse(TEN)
    cards = generated(page)
    expect(cards).to_have_count(10)
    job = parse_qs(urlsplit(page.url).query)["job"][0]
    counts = running.get("levels/counts")
    cards.nth(3).locator("strong").click(force=True)  # all of the card is a link
    drawn(page)
    expect(page.locator(".head")).to_contain_text("4 of 10 · in the order made")
    page.get_by_role("main").get_by_role("link", name="Edit").click()
    drawn(page)
    number = parse_qs(urlsplit(page.url).query)["level"][0]
    before = running.get(f"levels/{number}")
    proposed(page)
    page.get_by_role("button", name="Reject").click()
    proposed(page)
    page.get_by_role("button", name="Accept").click()
    page.get_by_label("Title").fill("Mine")
    for _ in range(2):
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_text("Saved as Mine")).to_be_visible()
    page.wait_for_url(lambda url: "title=Mine" in url)
    page.reload()
    expect(page.get_by_label("Title")).to_have_value("Mine")
    expect(page.get_by_text("Saved as Mine")).to_be_visible()
    after = running.get(f"levels/{number}")
    assert (after["title"], after["provenance"]) == ("Mine", {"made": "edited"})
    assert after["text"] != before["text"]
    assert running.get("levels/counts") == counts  # no copy, and nothing of what was proposed
    assert all("edit" not in one["setting"] for one in running.get("jobs")["jobs"])

    page = browse(f"/gallery?job={job}&game=sokoban")
    page.get_by_label("Sort").select_option(label="hardest first")
    page.wait_for_url(lambda url: "sort=-difficulty" in url)
    shown = [level["id"] for level in running.get(f"levels?job={job}&sort=-difficulty")["levels"]]
    page.wait_for_function(
        "(ids) => String([...document.querySelectorAll('.level')].map((card) => card.dataset.id)) === ids",
        arg=",".join(map(str, shown)),
    )
    cards.first.locator("strong").click(force=True)
    page.get_by_role("dialog").get_by_role("link", name="Play").click()
    for place, one in enumerate(shown, start=1):
        level = running.get(f"levels/{one}")
        expect(page.get_by_role("heading", level=1)).to_have_text(level["title"] or f"Sokoban #{one}")
        expect(page.locator(".head")).to_contain_text(f"{place} of 10 · Sokoban only, hardest first")
        drawn(page)
        for move in level["solution"].lower():
            page.keyboard.press(KEYS[move])
        expect(page.locator(".veil strong")).to_contain_text("Solved")
        page.keyboard.press("Enter")  # the next level

    page = browse(f"/gallery?job={job}")
    page.get_by_role("button", name="Select all").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == "sokoban-10-levels.zip"
    download.value.save_as(tmp_path / "levels.zip")
    with zipfile.ZipFile(tmp_path / "levels.zip") as archive:
        assert sum(name.endswith(("-Mine.xsb", "-Mine.png")) for name in archive.namelist()) == 2
        assert len(archive.namelist()) == 21


@pytest.fixture
def stranger(browser):
    """A page in a browser that was never here."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def home(page):
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("nav")).to_contain_text("Gallery")


def test_the_private_file_leads_into_the_studio(stranger, running):
    with private_page(running.address) as address:
        stranger.goto(address)
        stranger.wait_for_url(f"http://127.0.0.1:{running.port}/")
        home(stranger)


def test_who_comes_to_the_bare_address_pastes_the_token(stranger, running):
    stranger.goto(f"http://127.0.0.1:{running.port}/gallery")
    expect(stranger.get_by_text("asks who you are")).to_be_visible()
    stranger.get_by_label("Token").fill("a-wrong-one")
    stranger.get_by_role("button", name="Open").click()
    expect(stranger.get_by_text("asks who you are")).to_be_visible()
    stranger.get_by_label("Token").fill(running.token)
    stranger.get_by_role("button", name="Open").click()
    stranger.wait_for_url(f"http://127.0.0.1:{running.port}/gallery")
    home(stranger)


@pytest.mark.slow
def test_a_link_elsewhere_leads_who_has_been_here_to_a_page(stranger, running, tmp_path):
    file = tmp_path / "elsewhere.html"
    file.write_text(f'<a href="http://127.0.0.1:{running.port}/gallery?game=sokoban">link</a>')
    stranger.goto(file.as_uri())
    stranger.get_by_text("link").click()
    expect(stranger.get_by_text("asks who you are")).to_be_visible()
    enter(stranger, running)
    stranger.goto(file.as_uri())
    stranger.get_by_text("link").click()
    stranger.wait_for_url(f"http://127.0.0.1:{running.port}/gallery?game=sokoban")
    home(stranger)


@pytest.mark.slow
def test_a_restart_finds_everything(browse, running, store):
    before = running.get("levels?limit=500")
    searches = browse("/").locator("table").inner_text()
    assert searches
    running.stop()
    port = running.port
    running.__init__(store, "--port", port)
    assert running.get("levels?limit=500") == before
    page = browse("/gallery")
    expect(page.locator(".level")).to_have_count(min(48, before["total"]))
    expect(page.locator(".head")).to_contain_text(f"{before['total']} levels")
    page = browse("/")
    expect(page.locator("table")).to_have_text(searches, use_inner_text=True)


def test_a_game_of_ours_is_opened_and_played_by_its_real_tables(browse, running):
    page = browse("/script")
    page.get_by_label("Open one of ours").select_option("puzzlescript:crates")
    expect(page.locator(".choice")).to_have_count(3, timeout=SLOW)
    expect(page.locator(".board canvas").first).to_be_visible()  # keys count from then on
    while page.locator(".said").is_visible():
        page.keyboard.press("x")
    for letter in load("puzzlescript:crates#1")[0].solution:
        page.keyboard.press(KEYS[letter])
    expect(page.locator(".choice").nth(1)).to_have_attribute("aria-current", "true")
