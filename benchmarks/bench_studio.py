"""The studio under load: 200 pages watch one search, 20 more wait in the queue, and requests go on.

`python benchmarks/bench_studio.py SECONDS` watches for longer than `make bench` does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from studio.running import Running, children

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
        studio.stop()


if __name__ == "__main__":
    for what, figure, unit in measurements(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS):
        print(json.dumps({"what": what, "figure": round(figure, 3), "unit": unit}), flush=True)
