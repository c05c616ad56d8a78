"""A report on 144,000 runs of binary maps: seconds, memory and size; the runs are made up."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "experiment"))
import stores

RUNS = 3000  # of each of 48 cells
REPORT = """
import resource, sys, time
from levelsmith.experiment.report import report
started = time.perf_counter()
report(sys.argv[1], sys.argv[2])
used = resource.getrusage(resource.RUSAGE_SELF)
print(time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def measurements() -> Iterator[tuple[str, float, str]]:
    with tempfile.TemporaryDirectory() as folder:
        file, page = Path(folder, "runs.db"), Path(folder, "report.html")
        started = time.perf_counter()
        stores.maps(file, RUNS)
        yield "making up 144,000 runs", time.perf_counter() - started, "s"
        yield "their file", file.stat().st_size / 1e6, "MB"
        done = subprocess.run(
            [sys.executable, "-c", REPORT, file, page],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ,
        )
        seconds, worked, memory = map(float, done.stdout.split())
        yield "report", seconds, "s"
        yield "of which its core worked", worked, "s"
        yield "most memory", memory, "MB"
        yield "the page", page.stat().st_size / 1e6, "MB"
