"""Every part of levelsmith that works, as a function of a seed that returns all that came of it, as bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np

import levelsmith
import levelsmith.envs
from levelsmith.contracts import Solvable
from levelsmith.core import Level
from levelsmith.editing.fill import filling
from levelsmith.errors import LevelsmithError
from levelsmith.levels.measure import details, headline
from levelsmith.registry import games, generators, representations, searches

Part = Callable[[int], bytes]

STEPS = 20  # of an agent
LEVELS: dict[str, Sequence[str]] = {
    "binary": (
        "..#.....\n.##.###.\n....#...\n##.##.##\n........",
        "#.#.#...\n........\n#####.##\n......#.\n..#.....",
    ),
    "sokoban": (
        "########\n#.  $ .#\n# $@ # #\n#  #   #\n########",
        "########\n#.    .#\n# $##$ #\n#   @  #\n########",
    ),
    "orchard": ("^.^.\n....\n.^^.", "^^..\n...^\n.^.."),
    "loderunner": (
        "......\nE.....\n.M....\nbbbbbb\nG.....\nbbbbbb",
        "..G...\n.#bbb.\n.#.M..\nbbbbbb\n.G....\nbbbbbb",
    ),
}
BROKEN = {
    "binary": "........\n########\n........\n........\n........",
    "sokoban": "######\n#.$ @#\n######",
    "loderunner": "..G...\n.bbbb.\n...M..\nbbbbbb\nBBBBBB\n......",
}
ROOMY = (
    "............\n.#bbbb......\n.#..........\n.#.bbbbb....\n"
    ".#..G.......\n.#M.........\nbbbbbbbbbbbb\nbbbbbbbbbbbb"
)
PUZZLES = ("puzzlescript:lasers", "puzzlescript:ice")
SIZES: dict[str, Any] = {"binary": (6, 6), "sokoban": (5, 5), "loderunner": (22, 32), "orchard": (5, 5)}
MAKERS: dict[str, dict[str, Any]] = {
    "carve": {"size": (5, 5), "set": {"boxes": 2}, "count": 20},
    "warehouse": {"size": (5, 5), "set": {"boxes": 2}, "evaluations": 40},
    "remix": {"evaluations": 8},
    "caves": {"size": (12, 16)},
}
MADE_FOR = {"play": "mcts", "rooms": "sa"}  # representations of Sokoban, and a search for each


def levels_of(game: str) -> list[Level]:
    if game not in LEVELS:
        return levelsmith.load(game)[:2]
    return [levelsmith.parse(text, game=game) for text in LEVELS[game]]


def in_bytes(found: Any) -> bytes:
    return repr(found).encode()


def measured(game: str, seed: int) -> bytes:
    level = levels_of(game)[seed % 2]
    return in_bytes((levelsmith.measure(level), details(level), headline(level)))


def solved(game: str, seed: int) -> bytes:
    verdict = levelsmith.solve(levels_of(game)[seed % 2], seconds=None, states=20_000)
    return in_bytes((verdict.status, verdict.optimal, verdict.solution, verdict.metrics))


def made(game: str, seed: int, **asked: Any) -> bytes:
    """Makes levels in this process, where `generate` may do so in others while something is compiled."""
    events = levelsmith.stream(game, seed=seed, **asked)
    results = [event for event in events if isinstance(event, levelsmith.Result)]
    levels = [(level.text, level.solution) for result in results for level in result.levels]
    return in_bytes(([(result.score, result.evaluations) for result in results], levels))


def improved(game: str, seed: int) -> bytes:
    level = levels_of(game)[0]
    try:
        found = levelsmith.improve(level, evaluations=10, seed=seed)
    except LevelsmithError as error:  # some seeds find nothing that is harder once it is won
        return str(error).encode()
    return in_bytes((found.best.text, found.best.solution, found.statistics["after"], found.evaluations))


def filled(seed: int) -> bytes:
    level = levelsmith.parse(ROOMY, game="loderunner")
    (found,) = [
        event
        for event in filling(level, lock=["0,0,6x8"], evaluations=50, seed=seed)
        if isinstance(event, levelsmith.Result)
    ]
    return in_bytes((found.best.text, found.best.solution))


def repaired(game: str, seed: int) -> bytes:
    found = levelsmith.repair(levelsmith.parse(BROKEN[game], game=game), seed=seed, evaluations=2_000)
    return in_bytes((found.level.text, found.level.solution))


def played(name: str, seed: int, **options: Any) -> bytes:
    env = gymnasium.make(name, **options)
    env.action_space.seed(seed)
    seen = [env.reset(seed=seed)[0]]
    for _ in range(STEPS):
        view, reward, over, cut, _ = env.step(env.action_space.sample())
        seen += [view, reward, over, cut]
        if over or cut:
            seen.append(env.reset()[0])
    env.close()
    return b"".join(_flat(one) for one in seen)


def _flat(seen: Any) -> bytes:
    if isinstance(seen, dict):
        return b"".join(np.asarray(seen[name]).tobytes() for name in sorted(seen))
    return np.asarray(seen).tobytes()


def all_parts() -> dict[str, Part]:
    """Returns every part by its name: all that is registered is among them."""
    parts: dict[str, Part] = {}
    for game in (*games.names, *PUZZLES):
        parts[f"measure {game}"] = partial(measured, game)
        if isinstance(games.get(game), Solvable):
            parts[f"solve {game}"] = partial(solved, game)
    for name in generators.names:
        game = "puzzlescript:rope" if name == "remix" else generators.get(name).game
        parts[f"make by {name}"] = partial(made, game, search=name, **MAKERS.get(name, {}))
    for name in searches.names:
        parts[f"search by {name}"] = partial(made, "binary", search=name, size=(6, 6), evaluations=300)
    for name in representations.names:
        if name == "latent":  # its model decodes levels of one game
            game, asked = "loderunner", {"search": "hc", "evaluations": 20}
        elif name in MADE_FOR:
            game, asked = "sokoban", {"search": MADE_FOR[name], "size": (5, 5), "evaluations": 300}
        else:
            game, asked = "orchard", {"search": "hc", "size": (5, 5), "evaluations": 300}
        parts[f"represent as {name}"] = partial(made, game, representation=name, **asked)
    for game in (*games.names, "puzzlescript:rope"):
        if games.get(game).aims:
            parts[f"improve {game}"] = partial(improved, game)
    parts["fill loderunner"] = filled
    for game in BROKEN:
        parts[f"repair {game}"] = partial(repaired, game)
    for game in games.names:
        name = f"levelsmith/Design-{game}-wide-v0"
        parts[f"play {name}"] = partial(played, name, size=SIZES[game])
    sokoban = {"size": (5, 5), "boxes": 2, "search": "warehouse"}
    parts["play levelsmith/Sokoban-v0"] = partial(played, "levelsmith/Sokoban-v0", **sokoban)
    parts["play levelsmith/LodeRunner-v0"] = partial(played, "levelsmith/LodeRunner-v0", count=2)
    puzzle = {"game": PUZZLES[1], "level": 1}
    parts["play levelsmith/PuzzleScript-v0"] = partial(played, "levelsmith/PuzzleScript-v0", **puzzle)
    return parts
