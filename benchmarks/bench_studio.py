"""The studio under load: 200 pages watch one search, 20 more wait in the queue, and requests go on.

`python benchmarks/bench_studio.py SECONDS` watches for longer than `make bench` does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from levelsmith.demo.folder import write
from levelsmith.demo.make import make
from studio.running import Running, children
from studio.test_sizes import games_with_kernels, sizes

SECONDS = 15
WATCHERS = 200
QUEUED = 20
ASKERS = 4  # clients that ask one thing after the other
PAUSE_SECONDS = 0.05  # between two of their requests
ENDLESS = {"game": "orchard", "size": "16x16", "search": "hc", "seed": 1, "want": {"trees": "300.."}}
PATHS = (
    "/",
    "/api/jobs",
    "/api/levels?limit=48",
    "/api/jobs/2",
    "/api/levels/counts",
    "/static/app.js",
    "/api/catalogue",
)

# In a page: when its first heading or board appears; how long that was after the first byte, and all bytes.
USEFUL = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("main h1, main canvas")) return;
  window.useful = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });
"""
TIMES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const files = [page, ...performance.getEntriesByType("resource")];
  return [useful - page.responseStart, files.reduce((sum, file) => sum + file.transferSize, 0)];
}"""


def memory(pid: int) -> float:
    """Megabytes of a process in memory."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def request(studio: Running, path: str, *headers: str) -> bytes:
    """A request as it goes over the line."""
    token = f"Authorization: Bearer {studio.token}"
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: 127.0.0.1", token, *headers, "", ""]).encode()


async def watch(studio: Running, job: int, until: float) -> int:
    """How many events a watcher gets."""
    reader, writer = await asyncio.open_connection("127.0.0.1", studio.port)
    writer.write(request(studio, f"/api/jobs/{job}/events"))
    events = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(until - time.monotonic()):
            while line := await reader.readline():
                events += line.startswith(b"event: progress")
    writer.close()
    return events


async def ask(studio: Running, until: float, first: int) -> list[float]:
    """The seconds that each request of one client takes, connection included."""
    taken = []
    while time.monotonic() < until:
        path = PATHS[(first + len(taken)) % len(PATHS)]
        begun = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", studio.port)
        writer.write(request(studio, path, "Connection: close"))
        answer = await reader.read()
        taken.append(time.perf_counter() - begun)
        writer.close()
        if b" 200 " not in answer[:15]:
            raise AssertionError(f"{path}: {answer[:200]!r}")
        await asyncio.sleep(PAUSE_SECONDS)
    return taken


async def load(studio: Running, job: int, seconds: float) -> tuple[list[int], list[float], list[float]]:
    """Events of each watcher, seconds of each request, and megabytes of the server all along."""
    until = time.monotonic() + seconds
    watchers = [asyncio.create_task(watch(studio, job, until)) for _ in range(WATCHERS)]
    askers = [asyncio.create_task(ask(studio, until, i)) for i in range(ASKERS)]
    sizes = []
    while time.monotonic() < until:
        await asyncio.sleep(min(1.0, seconds / 10))
        sizes.append(memory(studio.process.pid))
    events = await asyncio.gather(*watchers)
    return list(events), [one for some in await asyncio.gather(*askers) for one in some], sizes


def measurements(seconds: float = SECONDS):
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        studio = Running(Path(folder) / "studio.db", "--jobs", 1, "--seconds", 3600)
        yield "from the command to the first answer", time.perf_counter() - begun, "s"
        job = studio.job(**ENDLESS, seconds=3600)
        queued = [studio.job(**ENDLESS, evaluations=1000) for _ in range(QUEUED)]
        studio.until(job, lambda told: told["evaluations"] > 0)
        events, taken, sizes = asyncio.run(load(studio, job, seconds))
        taken.sort()
        quarter = max(1, len(sizes) // 4)
        yield "pages that watch", len(events), ""
        yield "progress a page gets, the least", min(events) / seconds, "/s"
        yield "requests beside them", len(taken) / seconds, "/s"
        yield "half of them within", 1000 * taken[len(taken) // 2], "ms"
        yield "99 % of them within", 1000 * taken[int(len(taken) * 0.99)], "ms"
        yield "the slowest", 1000 * taken[-1], "ms"
        yield "the server's memory, second quarter", max(sizes[quarter : 2 * quarter]), "MB"
        yield "the server's memory, last quarter", max(sizes[-quarter:]), "MB"
        yield (
            "the same with its processes",
            sum(map(memory, [studio.process.pid, *children(studio.process.pid)])),
            "MB",
        )
        for number in (*queued, job):
            studio.post(f"jobs/{number}/cancel")
        yield from weights()
        yield from pages(studio)
        studio.stop()


def pages(studio: Running):
    """How soon the first screen is of use, and what the pages weigh."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for path in ("/", "/generate", "/gallery", "/edit", "/play", "/compare"):
            context = browser.new_context()
            context.request.get(studio.address)  # for the cookie
            page = context.new_page()
            page.add_init_script(USEFUL)
            page.goto(f"http://127.0.0.1:{studio.port}{path}", wait_until="networkidle")
            useful, size = page.evaluate(TIMES)
            yield f"{path}: its first screen, after the server answers", useful, "ms"
            yield f"{path}: all it loads", size / 1000, "kB"
            page.close()
        yield from demo(browser)
        browser.close()


def weights():
    """What the play page of each game loads, packed as it would go over a line."""
    for game in games_with_kernels():
        for part, (packed, _) in sizes(game).items():
            yield f"{game}: {part}, packed", packed / 1000, "kB"


def demo(browser):
    """How soon the demo's page shows a level, and what the page weighs."""
    with tempfile.TemporaryDirectory() as folder:
        write(list(make()), Path(folder))
        file = Path(folder) / "index.html"
        page = browser.new_page()
        page.add_init_script(USEFUL)
        page.goto(file.as_uri())
        page.locator(".board canvas[style*=width]").wait_for()
        yield "the demo: its first screen", page.evaluate("useful"), "ms"
        yield "the demo: all of it", file.stat().st_size / 1000, "kB"
        page.close()


if __name__ == "__main__":
    for what, figure, unit in measurements(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS):
        print(json.dumps({"what": what, "figure": round(figure, 3), "unit": unit}), flush=True)
