"""The files that a game of your own starts with."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path

from levelsmith.errors import LevelsmithError, quoted
from levelsmith.registry import games

HERE = Path(__file__).parent
FILES = {
    "pyproject.toml": "pyproject.toml",
    "README.md": "README.md",
    "src/mygame/__init__.py": "game.py",
    "tests/test_mygame.py": "test_game.py",
}


def files(name: str) -> dict[str, str]:
    """The text of each file, by its path."""
    check_name(name)
    title = "".join(word.capitalize() for word in name.split("_"))

    def named(text: str) -> str:
        return text.replace("mygame", name).replace("MyGame", title)

    return {
        named(path): named((HERE / f"{file}.txt").read_text(encoding="utf-8")) for path, file in FILES.items()
    }


def check_name(name: str) -> None:
    """Refuses a name that is no name of a Python package, or that is taken."""
    plain = name.isascii() and name.isidentifier() and name == name.lower() and not name.startswith("_")
    if not plain or iskeyword(name):
        raise LevelsmithError(
            f"expected a name of small letters, digits and _ such as dark_caves, got {quoted(name)}"
        )
    if name in games:
        raise LevelsmithError(f"a game called {quoted(name)} exists already; choose another name")
    if name in sys.stdlib_module_names or find_spec(name) is not None:
        raise LevelsmithError(f"Python has a module called {quoted(name)} already; choose another name")
