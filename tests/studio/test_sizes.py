"""What a page loads to play a game: its scripts, its styles, and what is compiled, as they go over a line."""

import gzip
import json

import pytest

from levelsmith.studio.compiled import NEEDS, compiled
from levelsmith.studio.modules import FOLDERS, file_of, needed

STYLES = ("style.css", "pages.css", "index.html")
MOST = {"sokoban": 250_000, "puzzlescript": 300_000}  # bytes


def games_with_kernels():
    folders = [path.removeprefix("games/") for path in FOLDERS if path.startswith("games/")]
    return [name for name in folders if file_of(f"games/{name}/{NEEDS}").is_file()]


def sizes(game):
    """The bytes of each kind that the play page of a game loads, packed and as they are."""
    scripts = dict.fromkeys([*needed("app.js"), *needed("pages/play.js"), *needed("worker.js")])
    told = compiled(game)
    parts = {
        "scripts": [file_of(name).read_bytes() for name in scripts],
        "styles": [file_of(name).read_bytes() for name in STYLES],
        "layout": [json.dumps(told).encode()],
        "WebAssembly": [file_of(f"kernels/{name}.wasm").read_bytes() for name in told["libraries"]],
    }
    return {
        part: (sum(len(gzip.compress(file)) for file in files), sum(map(len, files)))
        for part, files in parts.items()
    }


@pytest.mark.parametrize("game", games_with_kernels())
def test_a_page_of_a_game_is_small(game):
    found = sizes(game)
    packed = sum(one for one, _ in found.values())
    print(f"{game}: {packed / 1000:.0f} kB packed,", found)
    assert packed < MOST.get(game, 250_000)
    assert found["WebAssembly"][0] > 0
