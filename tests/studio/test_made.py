"""Levels that a page makes: those of the command with the same seed, proved and rated alike."""

import pytest

import levelsmith
from levelsmith.games.sokoban.metrics.difficulty import tier
from levelsmith.registry import games
from levelsmith.request import Request
from levelsmith.studio.catalogue import game_entry
from levelsmith.studio.compiled import MAKE, maker, with_files

REQUESTS = {
    "sokoban": {"size": "7x7", "search": "carve", "set": {"boxes": 3}},
    "binary": {"size": "24x14", "search": "caves"},
}
ANSWER = """
import { make as binary } from "./games/binary/make.js";
import { make as sokoban } from "./games/sokoban/make.js";
import { carried, loaded } from "./kernels.js";

export default async function answer({ game, told, made, kind, maker, seeds }) {
  const source = carried({ game: told, make: made });
  const taken = await Promise.all(["game", "make"].map((name) => loaded(name, source)));
  const [libraries, constants] = ["libraries", "constants"].map((of) =>
    Object.assign({}, ...taken.map((one) => one[of])));
  return seeds.map((seed) => {
    const steps = { binary, sokoban }[game]({ libraries, constants }, { kind, maker, seed });
    let found = steps.next();
    while (!found.done) found = steps.next();
    return found.value;
  });
}
"""


@pytest.fixture
def made(javascript):
    def make(game, seeds):
        kind = {"tiles": game_entry(games.get(game))["tiles"]}
        files = {"told": with_files(game), "made": with_files(game, MAKE)}
        return javascript(ANSWER, {"game": game, "kind": kind, "maker": maker(game), "seeds": seeds, **files})

    return make


def asked(game, seed):
    """The level of the command that the page tells."""
    words = maker(game)["command"].split()
    assert words[:3] == ["levelsmith", "generate", game]
    assert words[-2:] == ["--seed", "0"]
    given = REQUESTS[game] | {"seed": seed}
    assert Request(game, **given).command == " ".join([*words[:-1], str(seed)])
    return levelsmith.generate(game, **given).best


def test_a_seed_makes_the_sokoban_level_of_the_command_with_its_difficulty(made):
    seeds = [0, 1, 208, 77_777, 2**32 + 5, 2**53 - 1]
    rated = 0
    for seed, page in zip(seeds, made("sokoban", seeds), strict=True):
        level = asked("sokoban", seed)
        told = levelsmith.measure(level)
        assert (page["text"], page["solution"]) == (level.text, level.solution)
        assert page["tries"] == level.provenance["evaluations"]
        assert (page["pushes"], page["moves"]) == (told["pushes"], told["moves"])
        assert page["difficulty"] == pytest.approx(told["difficulty"], abs=0.011)
        assert page["tier"] == tier(told["difficulty"])
        rated += told["difficulty"] > 0
    assert rated == len(seeds)


def test_a_seed_makes_the_cave_of_the_command(made):
    seeds = [*range(12), 2**32 + 5, 2**53 - 1]
    for seed, page in zip(seeds, made("binary", seeds), strict=True):
        level = asked("binary", seed)
        assert page["text"] == level.text
        assert page["tries"] == level.provenance["evaluations"]
        assert page["told"] == games.get("binary").headline(level)
