"""Trains agents with several curricula from several seeds; writes curves, a table and all measurements."""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from ppo import BOXES, PROXIES, TRIED, Build, give, made, train

from levelsmith.experiment.statistics import Estimate, mean

COLOURS = ("#7a7a7a", "#1d4890", "#c4572b", "#3d8b5a")
HALVES = ("first half", "last half")
Rows = list[dict[str, Any]]


def compare(build: Build, names: Sequence[str], about: str, output: str) -> None:
    """Trains with each curriculum, the first of which the others are compared with."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--steps", type=int, default=6_000_000, help="steps on levels, learned from or not")
    parser.add_argument("--boards", type=int, default=256, help="levels that are played at once")
    parser.add_argument("--levels", type=int, default=15_000, help="levels to train on")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--looks", type=int, default=20, help="how often agents are tried on unseen levels")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="runs at a time")
    parser.add_argument("--output", default=output, help="name of what is written, without its ending")
    given = parser.parse_args()
    levels = {"train": made("train", given.levels), "test": made("test", TRIED)}
    print({name: len(some) for name, some in levels.items()}, "levels", flush=True)
    spawn = multiprocessing.get_context("spawn")
    rows: Rows = []
    with ProcessPoolExecutor(given.workers, spawn, give, (levels,)) as pool:
        runs = [
            pool.submit(train, build, name, seed, given.boards, given.steps, given.looks)
            for seed in range(given.seeds)
            for name in names
        ]
        for run in runs:
            rows += run.result()
            print(told_run(rows[-1]), flush=True)
    columns = list(dict.fromkeys(key for row in rows for key in row))
    with Path(f"{given.output}.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    text = table(rows, names, given.steps)
    Path(f"{given.output}.md").write_text(text)
    print(text)
    draw(rows, names, f"{given.output}.png")


def told_run(row: dict[str, Any]) -> str:
    """Returns the end of a run in a line."""
    return ", ".join(
        f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items()
    )


def of_seeds(rows: Rows, name: str, column: str, look: int = -1) -> np.ndarray:
    """Returns what was seen of a curriculum at a look, for each seed."""
    seeds = sorted({row["seed"] for row in rows})
    runs = [[row for row in rows if (row["curriculum"], row["seed"]) == (name, seed)] for seed in seeds]
    return np.array([run[look][column] for run in runs], float)


def looks_of(rows: Rows) -> int:
    """Returns how often each agent was looked at."""
    first = rows[0]["curriculum"], rows[0]["seed"]
    return sum((row["curriculum"], row["seed"]) == first for row in rows)


def told(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def table(rows: Rows, names: Sequence[str], steps: int) -> str:
    """Returns how well the agents do in the end, and how like the proxies are to true regret, as Markdown."""
    seeds = len({row["seed"] for row in rows})
    lines = [
        f"After {steps:,} steps, on {TRIED} unseen levels; means over {seeds} seeds with 95% intervals.",
        "",
        f"| curriculum | solved | more than {names[0]} | mean regret | one box | two | three |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in names:
        more = of_seeds(rows, name, "solved") - of_seeds(rows, names[0], "solved")
        boxes = [of_seeds(rows, name, f"solved_{n}") for n in BOXES]
        cells = [of_seeds(rows, name, "solved"), more, of_seeds(rows, name, "regret"), *boxes]
        shown = [told(mean(cell)) if name != names[0] or cell is not more else "" for cell in cells]
        lines.append(f"| {name} | {' | '.join(shown)} |")
    heads = [f"{proxy.replace('_', ' ')}, {half}" for proxy in PROXIES for half in HALVES]
    lines += [
        "",
        "Spearman's rank correlation of proxies with true regret among the levels of an update:",
        "",
        f"| curriculum | {' | '.join(heads)} |",
        "|---" * (1 + len(heads)) + "|",
    ]
    for name in names:
        cells = []
        for proxy in PROXIES:
            seen = np.array([of_seeds(rows, name, proxy, look) for look in range(1, looks_of(rows))])
            cells += [told(mean(np.nanmean(half, 0))) for half in np.array_split(seen, 2)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def draw(rows: Rows, names: Sequence[str], path: str) -> None:
    """Draws the share of unseen levels that is solved, mean and interval over seeds."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.figure(figsize=(7, 4))
    for name, colour in zip(names, COLOURS, strict=False):
        steps = [of_seeds(rows, name, "steps", look).mean() / 1e6 for look in range(looks_of(rows))]
        shares = [mean(of_seeds(rows, name, "solved", look)) for look in range(looks_of(rows))]
        plt.fill_between(steps, [e.low for e in shares], [e.high for e in shares], alpha=0.2, color=colour)
        plt.plot(steps, [e.value for e in shares], color=colour, label=name)
    plt.xlabel("million steps on levels")
    plt.ylabel(f"share of {TRIED} unseen levels solved")
    plt.ylim(0, 1)
    plt.legend(loc="lower right")
    plt.tight_layout()
    plt.savefig(path, dpi=120)
