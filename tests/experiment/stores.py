"""Files of experiments that were never run: random maps and made-up scores, as the runner writes them."""

import hashlib
import json
import sqlite3
from itertools import product

import numpy as np

from levelsmith.experiment.store import SCHEMA

TREES = ("bfs", "dfs", "best", "mcts")
OPTIMISERS = ("hc", "sa", "es", "ga")
OBJECTIVES = ("empty-tiles", "path-length", "connectivity")
# How often each search solves in these files; by representation, the third also for optimisers.
SHARES = {
    "bfs": (0.3, 0.3, 0.35),
    "dfs": (0.6, 0.4, 0.6),
    "best": (0.7, 0.95, 0.99),
    "astar": (0.6, 0.9, 0.99),
    "mcts": (0.97, 0.95, 0.35),
    "hc": (0, 0, 0.85),
    "sa": (0, 0, 1.0),
    "es": (0, 0, 1.0),
    "ga": (0, 0, 1.0),
}
BUDGET = 50_000
LEVEL = ("#####\n#@$.#\n#####", "R")  # of Sokoban, with its solution


def map_cells():
    """(part, search, representation, objective) of the 48 of the FDG 2020 paper."""
    yield from (("trees", *cell) for cell in product(TREES, ("narrow", "turtle", "wide"), OBJECTIVES))
    yield from (("optimisers", search, "wide", goal) for search, goal in product(OPTIMISERS, OBJECTIVES))


def create(path, experiment="fdg20", pages="maps", **meta):
    base = sqlite3.connect(path)
    for statement in SCHEMA:
        base.execute(statement)
    spec = {"title": f"a made-up {experiment}", "pages": pages, "evaluations": BUDGET, "seed": 0}
    told = {
        "format": "1",
        "levelsmith": "0.1.0",
        "experiment": experiment,
        "quick": "0",
        "created": "2026-01-01T00:00:00",
        "spec": json.dumps(spec),
    }
    base.executemany("INSERT INTO meta VALUES (?, ?)", (told | meta).items())
    machine = {"cpu": "a made-up one", "cores": 2, "system": "Linux", "python": "3.11", "numpy": "2.0"}
    base.execute("INSERT INTO machines VALUES (1, ?)", [json.dumps(machine)])
    return base


def add_cell(
    base, part, search, representation, objective, runs, varied=None, game="binary", size="10x10", **more
):
    varied = varied or {"search": search, "representation": representation, "objective": objective}
    setting = {"game": game, "size": size, "search": search, "evaluations": BUDGET} | more
    row = (part, " ".join(map(str, varied.values())), game, size, search, representation)
    texts = (json.dumps([objective]), json.dumps(setting), json.dumps(varied), runs)
    return base.execute(f"INSERT INTO cells VALUES (NULL{', ?' * 10})", [*row, *texts]).lastrowid


def add_runs(base, cell, runs, rows, levels, turn=lambda i: {"fill": (0.25, 0.5, 0.75)[i % 3]}):
    """rows(i) gives (solved, score, stopped, evaluations, seconds, statistics, history) of a run.

    levels(i) gives its levels as (score, text, solution, metrics), turn(i) what it had in its turn.
    """
    written, kept = [], []
    for i in range(runs):
        solved, score, stopped, evaluations, seconds, statistics, history = rows(i)
        name = hashlib.sha256(f"{cell} {i}".encode()).hexdigest()[:20]
        fixed = (name, cell, i, i, json.dumps(turn(i)))
        texts = (json.dumps(statistics), json.dumps(history), 1, "2026-01-01T00:00:00+00:00")
        written.append((*fixed, int(solved), score, stopped, evaluations, seconds, *texts))
        for place, (level_score, text, solution, metrics) in enumerate(levels(i)):
            kept.append((name, place, level_score, evaluations, text, solution, json.dumps(metrics)))
    base.executemany(f"INSERT INTO runs VALUES (?{', ?' * 13})", written)
    base.executemany(f"INSERT INTO levels VALUES (?{', ?' * 6})", kept)


def maps(path, runs=12, seed=0, cells=None, **meta):
    """A file like that of `fdg20`."""
    base = create(path, **meta)
    for part, search, representation, objective in cells or map_cells():
        add_maps(base, part, search, representation, objective, runs, seed)
    base.commit()
    base.close()
    return path


def add_maps(base, part, search, representation, objective, runs, seed=0, varied=None, **more):
    cell = add_cell(base, part, search, representation, objective, runs, varied, **more)
    rng = np.random.default_rng([seed, cell])
    share = SHARES[search][("narrow", "turtle", "wide").index(representation)]
    solved = rng.random(runs) < share
    spent = np.where(solved, np.exp(rng.uniform(3, 10, runs)).astype(int), BUDGET)
    walls = rng.random((runs, 10, 10)) < rng.uniform(0.2, 0.6, (runs, 1, 1))
    symbols = np.array([".", "#"])[walls.astype(int)]
    depth = rng.integers(2, 30, runs)

    def row(i):
        score = 1.0 if solved[i] else 0.6
        steps = [[1, 1e-5, 0.3], [max(2, int(spent[i]) // 2), spent[i] * 5e-6, 0.6]]
        steps += [[int(spent[i]), spent[i] * 1e-5, 1.0]] if solved[i] else []
        statistics = (
            {"depth_reached": int(depth[i]), "depth_of_best": int(depth[i]) // 2}
            if search not in OPTIMISERS
            else {}
        )
        stopped = "solved" if solved[i] else ("memory" if search == "bfs" and i % 5 == 0 else "evaluations")
        return solved[i], score, stopped, int(spent[i]), spent[i] * 1e-5, statistics, steps

    def levels(i):
        empty = int((~walls[i]).sum())
        metrics = {"empty": empty, "path": empty // 3, "regions": max(1, 20 - empty // 5)}
        return [(1.0 if solved[i] else 0.6, "\n".join(map("".join, symbols[i])), None, metrics)]

    add_runs(base, cell, runs, row, levels)


BETWEEN = dict.fromkeys(("boxes_between", "goals_between", "walls_between", "detour", "diagonals"), 0)


def sokoban(path, parts, pages, runs=3, scores=None, level=LEVEL, seconds=None):
    """A file of Sokoban runs. parts: part -> [(varied, size, setting)]; each run keeps two levels.

    `scores` gives a mean by the cell's name, `seconds` what a run takes.
    """
    base = create(path, experiment=pages, pages=pages)
    for part, cells in parts.items():
        for varied, size, setting in cells:
            cell = add_cell(
                base, part, "mcts", "play", "koczorowski2023", runs, varied, "sokoban", size, **setting
            )
            budget = setting.get("evaluations", BUDGET)

            name = " ".join(map(str, varied.values()))
            mean, takes = (scores or {}).get(name, 1.2), (seconds or {}).get(name, 1.0)

            def row(i, cell=cell, budget=budget, mean=mean, takes=takes, varied=varied):
                score = mean + 0.01 * ((7 * i + cell) % 5 - 2)
                steps = [[1, 0.001, 0.2], [budget // 2, 0.5, 0.9 * mean], [budget, 1.0, score]]
                statistics = {"nodes": budget + 1, "iterations": budget, "depth_reached": 7}
                statistics |= {"rollout_depth": 6.8 + 0.01 * i, "rollout_length": 18.0, "restarts": 0}
                stays = min(budget, 3_000) if "ucb-v" in varied.get("row", "") else budget
                statistics |= {"nodes_added": stays, "finished_share": 1 - stays / budget}
                return False, score, "evaluations", budget, takes * (1 + 0.01 * i), statistics, steps

            def levels(i, row=row):
                score = row(i)[1]
                metrics = {"boxes": 1, "pushes": 1 + i, "moves": 2, **BETWEEN}
                return [(score, *level, metrics), (0.5, *level, metrics)]

            add_runs(base, cell, runs, row, levels)
    base.commit()
    base.close()
    return path
