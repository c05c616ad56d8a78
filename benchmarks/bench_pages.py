"""Pages in Chromium: solvers beside the command's, what pages load and how soon, frames a second.

With LEVELSMITH_DATA, a folder of public levels, those are solved too. With LEVELSMITH_KERNELS=numba the
command's kernels are numba's."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from gzip import compress
from itertools import islice
from pathlib import Path
from typing import Any

for folder in ("tools", "tests"):
    sys.path.insert(0, str(Path(__file__).parents[1] / folder))

from compare_proofs import PuzzleProver, SokobanProver
from pages import Page, browser
from timing import best_of

from levelsmith import load, solve
from levelsmith.core import Effort, Level
from levelsmith.demo.folder import write
from levelsmith.demo.make import make
from levelsmith.games.loderunner.agent.chase.win import FIRST_NODES, WEIGHTS, Winner
from levelsmith.registry import games
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import with_files
from studio.running import Running

Row = tuple[str, float, str]
TURNS = 5  # that each kind of kernels has, for a machine is faster at one time than at another
STATES = 10_000  # of a PuzzleScript level
SOON = 3_000  # states of a level of Microban
MANY, FEW = 60, 20  # levels that are looked at, and those of them with the most states
OPENED = 5  # times that a page is opened; the quickest counts
FRAMES_SECONDS = 5
CORPUS = (0, 25, 75)  # levels of Lode Runner that the first hunt wins
GAMES = ("sokoban", "puzzlescript", "loderunner", "binary")
PLAYED = {
    "Sokoban": "/play?game=sokoban",
    "PuzzleScript": "/script",
    "Lode Runner": "/play?game=loderunner",
    "a cave map": "/play?game=binary",
}
WIN = """
import { boardOf } from "./games/loderunner/level.js";
import { win } from "./games/loderunner/win.js";
import { carried, loaded } from "./kernels.js";

let compiled = null;

export default async function won({ kernels, kind, text }) {
  compiled ??= await loaded("loderunner", carried({ loderunner: kernels }));
  const started = performance.now();
  const steps = win(compiled, { board: boardOf(kind, text) });
  let found = steps.next();
  while (!found.done) found = steps.next();
  return { ...found.value, milliseconds: performance.now() - started };
}
"""
# In a page: when its first heading or board appears, and when a level stands there to be played.
# TIMES tells how long after the first byte the first was, and all bytes.
USEFUL = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("main h1, main canvas")) return;
  window.useful = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });
new MutationObserver((_, observer) => {
  if (!document.querySelector(".board canvas[style*=width]")) return;
  window.drawn = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["style"] });
"""
TIMES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const files = [page, ...performance.getEntriesByType("resource")];
  return [useful - page.responseStart, files.reduce((sum, file) => sum + file.transferSize, 0)];
}"""
READY = """async (game) => {
  const { compiledOf } = await import("/static/background.js");
  const started = performance.now();
  await compiledOf(game);
  return performance.now() - started;
}"""
FRAMES = """(seconds) => new Promise((done) => {
  const times = [];
  const count = (time) => {
    times.push(time);
    if (time < times[0] + 1000 * seconds) return requestAnimationFrame(count);
    const gaps = times.slice(1).map((one, i) => one - times[i]).sort((one, other) => one - other);
    return done([1000 * gaps.length / (times.at(-1) - times[0]), gaps[Math.floor(0.99 * gaps.length)]]);
  };
  requestAnimationFrame(count);
})"""
UNBOUND = ("--disable-frame-rate-limit", "--disable-gpu-vsync")  # as many frames as there can be


Timed = tuple[Callable[[], float], Callable[[], float]]  # seconds of the command, and of the page


def proved(prover: Any, levels: list[Level]) -> list[Timed]:
    """Returns how long each level takes its solver."""
    here = [partial(best_of, 1, partial(prover.solve, level)) for level in levels]
    there = [lambda level=level: prover.there(level, "")["milliseconds"] / 1000 for level in levels]
    return list(zip(here, there, strict=True))


def hunted(levels: list[Level]) -> list[Timed]:
    """Returns how long each level takes to win against its guards: here by the hunt that pages begin with."""
    kind = {"name": "loderunner", "tiles": game_entry(games.get("loderunner"))["tiles"]}
    page, kernels = Page.of(WIN, node=False), with_files("loderunner")

    def hunt(level: Level) -> None:
        winner = Winner(level, Effort())
        assert winner.hunt(winner.room(FIRST_NODES), winner.nearest(), WEIGHTS[0])

    def there(level: Level) -> float:
        return page({"kernels": kernels, "kind": kind, "text": level.text})["milliseconds"] / 1000

    return [(partial(best_of, 1, partial(hunt, level)), partial(there, level)) for level in levels]


def most_states(prover: PuzzleProver) -> list[Level]:
    """Returns levels that the solver ends with, of those with the most states."""
    verdicts = [(level, prover.here(level, "")) for level in islice(prover.levels(), MANY)]
    ended = [(level, verdict) for level, verdict in verdicts if verdict.status != "unknown"]
    ended.sort(key=lambda one: -one[1].statistics["states"])
    return [level for level, _ in ended[:FEW]]


def solvers() -> Iterator[tuple[str, list[Timed]]]:
    """Yields sets of levels to solve."""
    data = os.environ.get("LEVELSMITH_DATA")
    public = Path(data) if data else None
    sokoban = SokobanProver(None, SOON, False)
    yield "Sokoban, 100 levels of 7x7", proved(sokoban, list(islice(sokoban.levels(), 100)))
    if public:
        microban = load(public / "sokoban" / "microban_155.xsb", game="sokoban")
        soon = [level for level in microban if solve(level, states=SOON, seconds=None).optimal]
        yield f"Sokoban, {len(soon)} levels of Microban", proved(sokoban, soon)
        hard = load(public / "sokoban" / "boxoban_hard_003.txt", game="sokoban")
        yield "Sokoban, 100 levels of Boxoban, hard", proved(sokoban, hard[:100])
    shipped = PuzzleProver(None, STATES, False)
    yield f"PuzzleScript, {FEW} levels that ship", proved(shipped, most_states(shipped))
    if public:
        recorded = PuzzleProver(public / "puzzlescript" / "solutions.json.gz", STATES, False)
        yield f"PuzzleScript, {FEW} recorded levels", proved(recorded, most_states(recorded))
    corpus = load("loderunner:corpus")
    yield f"Lode Runner, {len(CORPUS)} levels won", hunted([corpus[i] for i in CORPUS])


def measurements() -> Iterator[Row]:
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        return
    for name, levels in solvers():
        turns = [[(here(), there()) for here, there in levels] for _ in range(TURNS)]
        here, there = (
            sum(min(turn[i][which] for turn in turns) for i in range(len(levels))) for which in (0, 1)
        )
        yield f"{name}: solved in a page", there, "s"
        yield f"{name}: against the command", there / here, "times"
    with tempfile.TemporaryDirectory() as folder:
        studio = Running(Path(folder) / "studio.db")
        yield from pages(studio)
        studio.stop()
        write(list(make()), Path(folder) / "demo")
        yield from demo(Path(folder) / "demo" / "index.html")
        yield from frames(Path(folder) / "demo" / "index.html")


def pages(studio: Running) -> Iterator[Row]:
    """How soon the first screen is of use, what the pages weigh, and how soon kernels are ready."""
    context = browser().new_context()
    context.request.get(studio.address)  # for the cookie
    address = f"http://127.0.0.1:{studio.port}"
    for path in ("/", "/generate", "/gallery", "/edit", "/play", "/compare"):
        told = [opened(address + path, TIMES, studio) for _ in range(OPENED)]
        yield f"{path}: its first screen, after the server answers", min(told)[0], "ms"
        yield f"{path}: all it loads", told[0][1] / 1000, "kB"
    for game in GAMES:
        told = [opened(address, READY, studio, game) for _ in range(OPENED)]
        yield f"{game}: kernels are fetched and ready", min(told), "ms"
    for name, path in PLAYED.items():
        page = context.new_page()
        asked: dict[str, None] = {}
        page.on("request", lambda request, asked=asked: asked.update({request.url: None}))
        page.goto(address + path, wait_until="networkidle")
        if path == "/script":
            page.get_by_label("Open one of ours").select_option(index=1)
            page.get_by_text("Fewest: ").wait_for()
        page.locator(".board canvas").first.wait_for()
        files = [url for url in asked if url.startswith(address)]
        weights = {url: len(compress(context.request.get(url).body())) / 1000 for url in files}
        yield f"{name} is played: all that is loaded, packed", sum(weights.values()), "kB"
        kernels = sum(weight for url, weight in weights.items() if url.endswith(".wasm"))
        yield f"{name} is played: WebAssembly of it", kernels, "kB"
        page.close()


def opened(address: str, script: str, studio: Running | None = None, asked: str | None = None) -> Any:
    """Returns what a script says of a page that is opened as if for the first time."""
    context = browser().new_context()
    if studio is not None:
        context.request.get(studio.address)  # for the cookie
    page = context.new_page()
    page.add_init_script(USEFUL)
    page.goto(address, wait_until="networkidle")
    page.wait_for_function("window.useful")
    told = page.evaluate(script, asked)
    context.close()
    return told


def demo(file: Path) -> Iterator[Row]:
    """How soon the demo's page shows a level, and what the page weighs."""
    told = [opened(file.as_uri(), "drawn") for _ in range(OPENED)]
    yield "the demo: its first level can be played", min(told), "ms"
    yield "the demo: all of it", file.stat().st_size / 1000, "kB"


def frames(file: Path) -> Iterator[Row]:
    """How many frames a second there can be while Lode Runner runs on the page of the demo."""
    page = browser(*UNBOUND).new_page(viewport={"width": 1280, "height": 900})
    page.goto(file.as_uri())
    page.get_by_role("button", name="Lode Runner").first.click()
    page.get_by_role("button", name="Play solution").click()
    page.wait_for_timeout(1000)
    begun = page.locator(".stat", has_text="Time").inner_text()
    rate, slow = page.evaluate(FRAMES, FRAMES_SECONDS)
    assert page.locator(".stat", has_text="Time").inner_text() != begun  # it has run
    yield "Lode Runner runs: frames, of as many as there can be", rate, "/s"
    yield "Lode Runner runs: 99 % of them within", slow, "ms"
    page.close()
