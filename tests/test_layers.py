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
def text_of(file):
    return file.read_text()


@cache
def imported(file):
    """The top-level packages that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(text_of(file))):
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
    told = [file for file in FILES if name in text_of(file) and not ALLOWED[name](file)]
    assert [str(Path(*room(file))) for file in told if name in imported(file)] == []


def test_the_check_sees_imports_inside_functions():
    assert "PIL" in imported(PACKAGE / "levels" / "formats" / "picture.py")


GAMES = frozenset(f.parent.name for f in (PACKAGE / "games").glob("*/__init__.py")) - {"kernels", "skeleton"}
ABOVE = [
    "levels",
    "representations",
    "search",
    "learn",
    "making",
    "checking",
    "experiment",
    "envs",
    "studio",
    "publish",
    "demo",
    "cli",
    "testing",
]


def named(file):
    """The games that a file names in its code; sentences, which have a blank, are none, nor is `.ending`."""
    found = set()
    if not any(game in text_of(file).lower() for game in GAMES):
        return found
    for node in ast.walk(ast.parse(text_of(file))):
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


WORDS = {
    *("box", "boxes", "brick", "bricks", "crate", "crates", "dig", "digs", "dug", "enemies", "enemy"),
    *("fire", "fired", "fires", "gold", "guard", "guards", "ladder", "ladders", "lode", "loderunner"),
    *("push", "pushed", "pushes", "puzzlescript", "rope", "ropes", "runner", "sokoban", "warehouse"),
}
LATER = frozenset({"guard", "guards"})  # until what enemies do is a variant that a game names
MAY = {  # where a word is no game's
    "registry.py": "lode loderunner puzzlescript runner sokoban warehouse",  # the names of what ships
    "studio/static/script.js": "puzzlescript",  # how its files end
    "processes/preloaded.py": "loderunner sokoban",
    "cli/demo.py": "loderunner sokoban",  # what to type next
    "request.py": "lode runner",  # the help of `guards`, as long as there is that field
    "levels/look.py": "brick gold",  # names of paints
    "envs/boards.py": "box",  # a space of gymnasium
    "envs/workshop.py": "box",
    "experiment/figures.py": "box",  # of a plot
    "experiment/report.py": "box",  # of a page
    "experiment/verdicts.py": "box",
    "learn/curve.py": "box",  # the viewBox of SVG
    "levels/formats/svg.py": "box",
    "studio/sprites.py": "box",
    "levels/formats/picture.py": "box",  # the corners of a rectangle
    "search/kernels/frontier.py": "push",  # onto a stack
    "studio/static/cards.js": "boxes gold pushes",  # metrics that are told first, where a game has them
    "studio/static/gallery/plot.js": "gold pushes",
    "studio/static/gallery/dialog.js": "sokoban",  # which format is for it alone
    "studio/static/gallery/files.js": "puzzlescript sokoban",  # what files are there
    "studio/static/edit/homes.js": "puzzlescript",  # what is kept as one text
    "studio/static/pages/edit.js": "puzzlescript sokoban",  # to begin with, and a page
    "studio/static/pages/generate.js": "sokoban",  # what to begin with
    "studio/static/pages/home.js": "lode loderunner puzzlescript runner sokoban",
    "studio/static/pages/play.js": "sokoban",
    "studio/static/pages/script.js": "puzzlescript",
    "studio/static/wording.js": "boxes warehouse",  # settings and makers as people call them
}


def untold(tree):
    """Yields the strings that explain and show examples: docstrings, and the help of options."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if isinstance(first := node.body[0] if node.body else None, ast.Expr):
                yield first.value
        elif isinstance(node, ast.keyword) and node.arg == "help":
            yield from ast.walk(node.value)


def words(file):
    """The words of games in the names and the strings of a file's code; in scripts, an array has `push`."""
    if file.suffix == ".js":
        script = re.sub(r"/\*.*?\*/|(?<![:\"])//[^\n]*", "", file.read_text(), flags=re.S)
        return set(re.findall("[a-z]+", script.lower())) & (WORDS - {"box", "push"})
    tree = ast.parse(text_of(file))
    told, text = set(map(id, untold(tree))), []
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            text.append("" if node.value.startswith(".") else node.value)  # how a file's name ends
        text += [
            name for key in ("id", "attr", "arg", "name") if isinstance(name := getattr(node, key, 0), str)
        ]
    parts = (part for name in text for part in re.sub("([a-z])([A-Z])", r"\1 \2", name).lower().split("_"))
    return {word for part in parts for word in re.findall("[a-z]+", part)} & WORDS


def test_no_room_above_the_games_says_a_word_of_theirs():
    """A word that only some games know, such as what is pushed or collected, is declared by them."""
    scripts = sorted((PACKAGE / "studio" / "static").rglob("*.js"))
    above = [
        f
        for f in FILES + scripts
        if room(f)[0] not in ("games", "presets", "demo") and "papers" not in room(f)
    ]
    said = {str(Path(*room(f))): words(f) - LATER for f in above}
    odd = {file: found - set(MAY.get(file, "").split()) for file, found in said.items()}
    assert {file: found for file, found in odd.items() if found} == {}
    idle = {file: set(may.split()) - said[file] for file, may in MAY.items()}
    assert {file: left for file, left in idle.items() if left} == {}, "allowed, and not needed"


def test_pages_reach_the_scripts_of_games_by_their_indexes_alone():
    """`games/plays.js`, `games/edits.js` and `games/about.js` lie in `games/browser`, and name the games."""
    for file in (PACKAGE / "studio" / "static").rglob("*.js"):
        assert re.findall(r'from "[./]*games/(\w+)/', file.read_text()) == [], file


def test_no_part_is_asked_whether_it_has_an_attribute():
    """A game, a search, a representation or a generator has all that its contract says."""
    asked = []
    for file in FILES:
        for node in ast.walk(ast.parse(text_of(file))) if "attr(" in text_of(file) else ():
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


def modules_imported(node, calls):
    """Yields the modules that code imports, in functions too, but for what only a type checker sees; in
    expressions only with `calls`."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr) and not calls:
            continue
        if isinstance(part, ast.If) and "TYPE_CHECKING" in ast.unparse(part.test):
            continue
        if isinstance(part, ast.Import):
            yield from (alias.name for alias in part.names)
        elif isinstance(part, ast.ImportFrom):
            for alias in part.names:
                name = f"{part.module}.{alias.name}"
                yield name if name in MODULES else part.module
        elif (
            isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "import_module"
        ):
            yield from (a.value for a in part.args if isinstance(a, ast.Constant))
        yield from modules_imported(part, calls)


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
        text = text_of(file)
        found = modules_imported(ast.parse(text), "import_module(" in text)
        found = {other for other in found if other in MODULES}
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
