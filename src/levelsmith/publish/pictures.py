"""Pictures of one's own in place of a game's tiles: a folder of PNG files that are called as tiles are."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from levelsmith.contracts import Game
from levelsmith.errors import LevelsmithError, quoted, unknown
from levelsmith.files import read_plain_file

MOST_BYTES = 1_000_000  # of a picture
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def pictures(folder: str, game: Game) -> dict[str, str]:
    """Returns the pictures of a folder as addresses of data, by the names of the game's tiles.

    `box-on-goal.png` and `box on goal.png` are of the tile that is called so.
    """
    where = Path(folder)
    if not where.is_dir():
        raise LevelsmithError(f"expected a folder of pictures, got {quoted(where)}")
    files = sorted(file for file in where.iterdir() if file.suffix.lower() == ".png")
    if not files:
        names = ", ".join(f"{name}.png" for name in game.tiles.names[:3])
        raise LevelsmithError(f"expected a folder with pictures such as {names}, got none in {quoted(where)}")
    found = {}
    for file in files:
        name = file.stem.lower().replace("-", " ").replace("_", " ")
        if name not in game.tiles.names:
            raise unknown(f"tile of {game.name}", name, game.tiles.names, hint=f"for {file.name}")
        data = read_plain_file(file, "the picture", MOST_BYTES)
        if not data.startswith(SIGNATURE):
            raise LevelsmithError(f"expected a PNG picture in {quoted(file)}, got something else")
        found[name] = f"data:image/png;base64,{b64encode(data).decode()}"
    return found
