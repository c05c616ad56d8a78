"""The demo's page, opened as a file: played by its solutions, without a server and without a request."""

import re

import pytest
from playwright.sync_api import expect

import levelsmith
from browser.seen import message, stat
from levelsmith import load
from levelsmith.demo.folder import write
from levelsmith.demo.make import make
from levelsmith.games.binary.cells import way
from levelsmith.registry import games

KEYS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("demo")
    write(list(make()), where)
    return where


@pytest.fixture
def demo(browser, folder):
    """The page at the width of a screen; in the end nothing was logged and nothing asked for."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    address = (folder / "index.html").as_uri()
    page.goto(address)
    page.locator(".board canvas[style*=width]").wait_for()
    yield page
    assert said == []
    assert {url for url in asked if not url.startswith(("data:", "blob:"))} == {address}
    page.close()


def choose(page, name):
    page.get_by_role("navigation", name="Levels").get_by_role("button", name=name).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def test_the_first_puzzle_is_solved_by_its_own_solution(demo, folder):
    solution = load(folder / "sokoban.xsb")[0].solution
    moves, pushes = len(solution), sum(letter.isupper() for letter in solution)
    for letter in solution:
        demo.keyboard.press(KEYS[letter.lower()])
    expect(message(demo)).to_have_text(f"Solved in {moves} moves and {pushes} pushes.")
    expect(stat(demo, "Pushes")).to_have_text(str(pushes))
    demo.keyboard.press("z")
    expect(message(demo)).to_have_count(0)
    expect(stat(demo, "Moves")).to_have_text(str(moves - 1))
    demo.keyboard.press(KEYS[solution[-1].lower()])
    demo.get_by_role("button", name="Next level").click()
    expect(demo.get_by_role("heading", name="Sokoban 2")).to_be_visible()
    expect(stat(demo, "Moves")).to_have_text("0")


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("width", "height", "below"), [(1280, 900, [".veil"]), (390, 844, [".veil", ".pad"])]
)
def test_the_message_of_a_win_is_on_the_screen_and_so_are_the_buttons(demo, folder, width, height, below):
    demo.set_viewport_size({"width": width, "height": height})
    for letter in load(folder / "sokoban.xsb")[0].solution:
        demo.keyboard.press(KEYS[letter.lower()])
    expect(message(demo)).to_contain_text("Solved")
    for place in (".board", *below):
        expect(demo.locator(place)).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_a_solution_is_shown_step_by_step(demo, folder):
    solution = load(folder / "sokoban.xsb")[5].solution
    choose(demo, "Sokoban 6")
    pushes = sum(letter.isupper() for letter in solution)
    expect(demo.get_by_text(f"Fewest pushes: {len(solution)} moves, {pushes} pushes")).to_be_visible()
    expect(demo.get_by_text(f"{pushes} pushes (proved fewest)")).to_be_visible()
    demo.get_by_role("button", name="One move").click()
    expect(demo.get_by_text(f"Move 1 of {len(solution)}")).to_be_visible()
    demo.get_by_role("slider", name="Moves a second").fill("40")
    demo.get_by_role("button", name="Go on").click()
    expect(message(demo)).to_contain_text("Solved in")
    demo.get_by_role("button", name="Restart", exact=True).click()
    expect(stat(demo, "Moves")).to_have_text("0")


@pytest.mark.slow
def test_every_plan_solves_its_level_by_the_rules_of_the_page(demo):
    for name in (*(f"Sokoban {i}" for i in range(1, 7)), "Lode Runner"):
        choose(demo, name)
        speed = demo.get_by_role("slider", name=re.compile("^(Moves|Ticks) a second"))
        speed.fill(speed.get_attribute("max"))
        demo.get_by_role("button", name="Play solution").click()
        expect(message(demo)).to_contain_text("all the gold" if name == "Lode Runner" else "Solved in")


def test_lode_runner_is_drawn_and_guards_come_for_who_waits(demo, folder):
    text = load(folder / "loderunner.txt")[0].text
    choose(demo, "Lode Runner")
    canvas = demo.locator(".board canvas")
    expect(canvas).to_have_attribute(
        "aria-label",
        f"Lode Runner, 32 by 22 cells, gold in {text.count('G')} places, enemies: {text.count('E')}",
    )
    demo.wait_for_function(COLOURED)
    drawn = canvas.screenshot()
    demo.get_by_role("button", name="Start", exact=True).click()
    expect(stat(demo, "Time")).to_have_text(re.compile("^[1-9]"))
    assert canvas.screenshot() != drawn  # no key is pressed: it is they who move


COLOURED = """() => {
  const canvas = document.querySelector(".board canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size > 8;
}"""


@pytest.mark.slow
def test_the_cave_is_walked_from_end_to_end(demo, folder):
    choose(demo, "Cave")
    way = demo.evaluate(WAY, load(folder / "cave.txt")[0].text)
    assert len(way) == int(stat(demo, "Way through").inner_text())
    # Either end may be the entry: the way back leads out as well.
    for letter in way:
        demo.keyboard.press(KEYS[letter])
    if message(demo).count() == 0:
        demo.keyboard.press("r")
        for letter in reversed(way):
            demo.keyboard.press(KEYS[{"u": "d", "d": "u", "l": "r", "r": "l"}[letter]])
    expect(message(demo)).to_have_text(f"Out in {len(way)} steps; the shortest way takes {len(way)}.")


# The shortest way from one opening in the border to the other, found plainly.
WAY = """text => {
  const rows = text.split("\\n");
  const open = (row, col) => rows[row]?.[col] === ".";
  const steps = { u: [-1, 0], d: [1, 0], l: [0, -1], r: [0, 1] };
  const edge = (row, col) => row % (rows.length - 1) === 0 || col % (rows[0].length - 1) === 0;
  let best = "";
  rows.forEach((line, row) => [...line].forEach((_, col) => {
    if (!open(row, col) || !edge(row, col)) return;
    const ways = new Map([[`${row},${col}`, ""]]);
    for (const [at, way] of ways) {
      const [r, c] = at.split(",").map(Number);
      for (const [letter, [down, right]] of Object.entries(steps)) {
        const there = `${r + down},${c + right}`;
        if (open(r + down, c + right) && !ways.has(there)) ways.set(there, way + letter);
      }
      if (edge(r, c) && way.length > best.length) best = way;
    }
  }));
  return best;
}"""


def test_the_page_weighs_little(folder):
    size = (folder / "index.html").stat().st_size
    print(f"the demo: {size / 1000:.0f} kB")
    assert size < 700_000


def test_the_page_makes_another_puzzle_and_tells_how_hard_it_is(demo):
    demo.evaluate("Math.random = () => 0.000005")  # the seed 5
    demo.get_by_role("button", name="Another one").click()
    expect(demo.get_by_role("heading", name="Sokoban of seed 5")).to_be_visible(timeout=30_000)
    command = "levelsmith generate sokoban --size 7x7 --search carve --set boxes=3 --seed 5"
    expect(demo.locator(".origin")).to_have_text(f"The same again: {command}")
    told = re.compile(r"\d+ pushes \(proved fewest\), \d+ moves, difficulty \d")
    expect(demo.locator(".which .told")).to_have_text(told)
    expect(demo.locator(".which .badge")).to_have_text(re.compile("easy|medium|hard|fiendish"))
    made = levelsmith.generate("sokoban", size="7x7", search="carve", set={"boxes": 3}, seed=5).best
    for letter in made.solution:
        demo.keyboard.press(KEYS[letter.lower()])
    expect(message(demo)).to_contain_text("Solved in")


def test_the_page_makes_another_cave_and_says_where_it_cannot(demo):
    choose(demo, "Lode Runner")
    expect(demo.get_by_role("button", name="Another one")).to_be_hidden()
    expect(demo.locator(".origin")).to_contain_text("levelsmith generate loderunner")
    choose(demo, "Cave")
    demo.evaluate("Math.random = () => 0.000005")
    demo.get_by_role("button", name="Another one").click()
    expect(demo.get_by_role("heading", name="Cave map of seed 5")).to_be_visible(timeout=30_000)
    level = levelsmith.generate("binary", size="24x14", seed=5).best
    expect(demo.locator(".which .told")).to_have_text(games.get("binary").headline(level))
    expect(stat(demo, "Way through")).to_have_text(str(way(level.grid)))


@pytest.mark.first(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_has_buttons_and_shows_it_whole(demo, folder, scheme):
    demo.emulate_media(color_scheme=scheme)
    demo.set_viewport_size({"width": 360, "height": 740})
    assert demo.evaluate("document.documentElement.dataset.theme") == scheme
    for name in ("Sokoban 1", "Lode Runner", "Cave"):
        choose(demo, name)
        assert demo.evaluate("document.documentElement.scrollWidth <= innerWidth")
        expect(demo.get_by_role("button", name="Right", exact=True)).to_be_visible()
    choose(demo, "Sokoban 1")
    first = {"u": "Up", "d": "Down", "l": "Left", "r": "Right"}[
        load(folder / "sokoban.xsb")[0].solution[0].lower()
    ]
    demo.get_by_role("button", name=first, exact=True).click()
    expect(stat(demo, "Moves")).to_have_text("1")
    demo.get_by_role("button", name="Undo the last move").click()
    expect(stat(demo, "Moves")).to_have_text("0")
