"""Which file may import what from outside: the house keeps heavy things in their rooms."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import levelsmith

PACKAGE = Path(levelsmith.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
PART = re.compile(r"\b(game|entry|search|representation|rep|maker|generator|drawer|solver|part)s?\b")


@cache
def imported(file):
    """The top-level packages that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


def room(file):
    return file.relative_to(PACKAGE).parts


ALLOWED = {
    "numba": lambda file: "kernels" in (*room(file), file.stem),
    "llvmlite": lambda file: room(file)[0] == "kernels",
    "click": lambda file: room(file)[0] == "cli",
    "rich": lambda file: room(file)[0] == "cli",
    "jax": lambda file: room(file)[0] in ("learn", "envs"),
    "optax": lambda file: room(file)[0] == "learn",
    "starlette": lambda file: room(file)[0] == "studio",
    "gymnasium": lambda file: room(file)[0] == "envs",
    "torch": lambda file: room(file)[0] == "envs",
    "stable_baselines3": lambda file: room(file)[0] == "envs",
    "PIL": lambda file: room(file)[0] == "levels",
    "matplotlib": lambda file: room(file)[0] == "experiment",
}


@pytest.mark.parametrize("name", ALLOWED)
def test_a_library_is_imported_only_in_its_rooms(name):
    strangers = [str(Path(*room(f))) for f in FILES if name in imported(f) and not ALLOWED[name](f)]
    assert strangers == []


def test_the_check_sees_imports_inside_functions():
    assert "PIL" in imported(PACKAGE / "levels" / "formats" / "picture.py")


GAMES = frozenset(f.parent.name for f in (PACKAGE / "games").glob("*/__init__.py")) - {"skeleton"}
ABOVE = [
    "levels",
    "representations",
    "search",
    "learn",
    "making",
    "experiment",
    "envs",
    "studio",
    "demo",
    "cli",
    "testing",
]


def named(file):
    """The games that a file names in its code; sentences, which have a blank, are none, nor is `.ending`."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if " " in node.value or node.value.startswith("."):
                continue
            found |= set(re.findall(r"[a-z]+", node.value.lower()))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("levelsmith.games"):
            found |= {*node.module.split("."), *(alias.name for alias in node.names)}
    return found & GAMES


def test_nothing_above_the_games_names_one():
    """What a game can do it declares in `contracts.py`; what is shown of it is data, such as presets."""
    assert len(GAMES) >= 4
    assert {str(f): named(f) for f in FILES if room(f)[0] in ABOVE and named(f)} == {}
    assert named(PACKAGE / "games" / "sokoban" / "formats" / "files.py") == {"sokoban"}


def test_no_part_is_asked_whether_it_has_an_attribute():
    """A game, a search, a representation or a generator has all that its contract says."""
    asked = []
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in ("getattr", "hasattr") and PART.search(ast.unparse(node.args[0])):
                asked.append(f"{Path(*room(file))}:{node.lineno}")
    assert [where for where in asked if not where.startswith("registry.py")] == []


def test_at_most_ten_modules_lie_at_the_top():
    """Whatever has a room of its own lies there; `docs/inside.md` says which room is for what."""
    assert len([f for f in FILES if len(room(f)) == 1 and not f.name.startswith("__")]) <= 10


def module_of(file):
    return ".".join(["levelsmith", *room(file)]).removesuffix(".py").removesuffix(".__init__")


MODULES = {module_of(f): f for f in FILES}


def modules_imported(node):
    """Yields the modules that code imports, in functions too, but for what only a type checker sees."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.If) and "TYPE_CHECKING" in ast.unparse(part.test):
            continue
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            for alias in part.names:
                name = f"{part.module}.{alias.name}"
                yield name if name in MODULES else part.module
        elif isinstance(part, ast.Call) and ast.unparse(part.func) == "import_module":
            yield from (a.value for a in part.args if isinstance(a, ast.Constant))
        yield from modules_imported(part)


def circles(graph):
    """Returns the sets of modules that come back to themselves, by Tarjan's algorithm."""
    number, lowest, stack, found = {}, {}, [], []

    def visit(name):
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in graph[name]:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            part = {stack.pop()}
            while name not in part:
                part.add(stack.pop())
            found.append(part)

    for name in graph:
        if name not in number:
            visit(name)
    return [sorted(part) for part in found if len(part) > 1]


def packages_of(name):
    """Returns the packages that a module lies in, but for the outermost, which imports nothing by itself."""
    parts = name.split(".")
    return {".".join(parts[:i]) for i in range(2, len(parts))}


def test_no_modules_import_each_other_in_a_circle():
    """Imports inside functions count, and so do packages that an import runs. What a registry loads by its
    name does not: that is how a low room reaches a high one, as `Level.from_grid` reaches the games."""
    graph = {}
    for name, file in MODULES.items():
        found = {other for other in modules_imported(ast.parse(file.read_text())) if other in MODULES}
        run = set().union(*map(packages_of, found)) - packages_of(name)
        graph[name] = (found | run) - {name}
    assert circles(graph) == []
    graph["levelsmith.core"].add("levelsmith.levels.film")
    (circle,) = circles(graph)
    assert {"levelsmith.core", "levelsmith.levels.film"} <= set(circle)


def test_core_knows_numpy_and_nothing_else():
    outside = imported(PACKAGE / "core.py") - {"levelsmith", "__future__"}
    assert outside <= {"numpy", "collections", "dataclasses", "typing"}


def test_search_kernels_ask_a_representation_for_nothing_that_contributing_does_not_name():
    """A field that only our own have would keep another's from compiling."""
    told = (Path(__file__).parent.parent / "CONTRIBUTING.md").read_text()
    for path in sorted((PACKAGE / "search" / "kernels").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "rep"
            ):
                named = f"`{node.attr}`" in told or f"`rep.{node.attr}`" in told
                assert named, f"{path.name} reads rep.{node.attr}"
