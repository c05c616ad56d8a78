"""The files that decide about compiled code: those with kernels, which import nothing else."""

import ast
import sys

import pytest

from levelsmith import core
from levelsmith.kernels import score, sources

LIBRARIES = {"numba", "numpy", "llvmlite", "cuda", *sys.stdlib_module_names}


def imports(tree):
    """Yields the modules that code imports anywhere, but for what only a type checker sees."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
        yield from imports(node)


def strangers(text):
    """Returns what a file with kernels may not import.

    An error is raised, never computed with: no compiled code holds anything of `levelsmith.errors`.
    """
    return [
        name
        for name in imports(ast.parse(text))
        if name.split(".")[0] not in LIBRARIES
        and "kernels" not in name.split(".")
        and name != "levelsmith.errors"
    ]


@pytest.mark.parametrize(
    "file", sources.kernel_files(), ids=lambda f: f.relative_to(sources.PACKAGE).as_posix()
)
def test_kernels_import_only_kernels(file):
    own = ["levelsmith"] if file.name == "sources.py" else []  # its version
    assert strangers(file.read_text()) == own


def test_the_check_sees_imports_inside_functions_and_passes_over_types():
    text = "if TYPE_CHECKING:\n    from a import A\ndef f():\n    from levelsmith.core import SOLVED\n"
    assert strangers(text) == ["levelsmith.core"]


def test_what_kernels_know_of_scores_is_what_everyone_knows():
    assert score.SOLVED == core.SOLVED
    assert score.SHAPES == core.Term.SHAPES


@pytest.fixture
def hash_after(tmp_path, monkeypatch):
    """Writes a file of a package in levelsmith's place; returns the hash of the sources then."""
    monkeypatch.setattr(sources, "PACKAGE", tmp_path)
    monkeypatch.setattr(sources, "_foreign", set())

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        sources.source_hash.cache_clear()
        return sources.source_hash()

    yield write
    sources.source_hash.cache_clear()


def test_an_edit_to_a_file_with_kernels_is_seen_and_no_other(hash_after):
    first = hash_after("kernels/tiles.py", "WALL = 1\n")
    assert hash_after("rules.py", "WALL = 1\n") == first
    assert hash_after("kernels/tiles.py", "WALL = 2\n") != first


def test_an_edit_anywhere_in_a_plug_ins_package_is_seen(hash_after, tmp_path):
    (tmp_path / "pond").mkdir()
    for name in ("__init__", "kernels", "rules"):
        (tmp_path / "pond" / f"{name}.py").write_text("")
    code = compile("def wade(): pass", str(tmp_path / "pond" / "kernels.py"), "exec")
    scope = {"__name__": "pond.kernels"}
    exec(code, scope)
    sources.add_source(scope["wade"])
    first = hash_after("pond/rules.py", "DEEP = 1\n")
    assert hash_after("pond/rules.py", "DEEP = 2\n") != first
