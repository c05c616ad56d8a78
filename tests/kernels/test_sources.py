"""The files that decide about compiled code: those with kernels, and where their constants come from."""

import pytest

from levelsmith.kernels import sources


@pytest.fixture
def package(tmp_path):
    """A package of a plug-in, with a constant two files away from its kernels."""
    folder = tmp_path / "pond"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "kernels.py").write_text(
        "from __future__ import annotations\nfrom pond.rules import (\n    DEEP,\n    WIDE,\n)\n\n\n"
        "def late():\n    from pond.looks import BLUE\n"
    )
    (folder / "rules.py").write_text("from .numbers import DEEP\nfrom . import tables\nWIDE = 2\n")
    for name in ("numbers", "tables", "looks", "other"):
        (folder / f"{name}.py").write_text("DEEP = BLUE = 1\n")
    return folder


def test_constants_come_along_from_the_files_that_kernels_import(package):
    found = sources._with_imported([package / "kernels.py"])
    assert {file.name for file in found} == {"kernels.py", "rules.py", "numbers.py", "tables.py"}


def test_an_edit_where_a_constant_comes_from_is_seen(package, monkeypatch):
    monkeypatch.setattr(sources, "PACKAGE", package)
    sources.source_hash.cache_clear()
    seen = []
    for content in ("DEEP = 1\n", "DEEP = 2\n"):
        (package / "numbers.py").write_text(content)
        seen.append(sources.source_hash(False))
        sources.source_hash.cache_clear()
    (package / "other.py").write_text("DEEP = 2\n")
    seen.append(sources.source_hash(False))
    sources.source_hash.cache_clear()
    assert seen[0] != seen[1] == seen[2]


def test_the_weights_of_difficulty_are_among_them():
    found = sources._with_imported(sources._kernel_files(sources.PACKAGE.rglob("*.py")))
    assert {"games/sokoban/metrics/difficulty.py", "games/sokoban/rules/rules.py", "core.py"} <= {
        file.relative_to(sources.PACKAGE).as_posix() for file in found
    }
