"""Every command that levelsmith writes for people can be typed, and does what it stands for."""

from __future__ import annotations

import re
import shlex
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import levelsmith
from docs.documents import DOCS, DOCUMENTS, FENCE
from levelsmith.cli import cli
from levelsmith.cli.dataset import shares
from levelsmith.cli.options import asked_for, ranges_among
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.general import what_was_run
from levelsmith.experiment.results import Results
from levelsmith.making.dataset import Order
from levelsmith.making.driver import runs_of
from levelsmith.registry import games
from levelsmith.request import DATASET, FIELDS, OPTION, Request, fields_of
from levelsmith.studio.limits import StudioLimits
from levelsmith.studio.setting import checked, request_of, spellings

CAVE = ".....#....\n..........\n...#......\n.....#....\n.........."
ROOM = "########\n#@     #\n# $ $  #\n#   #  #\n# .  . #\n#      #\n########"
LEVELS = {"binary": CAVE, "sokoban": ROOM}
START = "level.txt"
NEXT = [line.strip() for line in import_module("levelsmith.cli.demo").NEXT.splitlines()[1:]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder that commands are typed in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(command, *more):
    """Runs a command as it is written, in the folder at hand; returns what it printed."""
    _, *words = shlex.split(command)
    done = CliRunner().invoke(cli, [*words, *more])
    assert done.exit_code == 0, (command, done.output, done.exception)
    return done


def parsed(words):
    """Returns the context of a command, once its options and arguments are known to be right."""
    command, context = cli, click.Context(cli, info_name="levelsmith", **cli.context_settings)
    words = [*words]
    while isinstance(command, click.Group):
        name = words.pop(0)
        if name.startswith("-"):
            return context
        command = command.commands[name]
        context = click.Context(command, context, name, **command.context_settings)
        if words and words[0] in ("-h", "--help"):
            return context
    return command.make_context(name, words, context.parent)


def request_in(context):
    """Returns the request of a command that has one."""
    given = {name: value for name, value in context.params.items() if name in FIELDS}
    return asked_for(context, context.params["game"], given)


# ----------------------------------------------------------------------------------------- from a request


def sample(name, field):
    """Returns some value of a field."""
    if field.choices:
        return field.choices[-1]
    if field.names:
        return {"searches": "hc", "representations": "wide", "presets": "searches"}[field.names]
    kinds = {
        "size": (8, 9),
        "whole": 3,
        "number": 0.5,
        "text": "a 'word'",
        "texts": ["border", "1,2,3x1"],
        "values": {"hc.patience": 3, "steepest": False, "wide.fill": 1e-07},
        "level": START,
        "levels": START,
        "ranges": {"regions": (1, None), "path": 2},
    }
    return kinds[field.kind]


@pytest.mark.parametrize("name", [*fields_of(OPTION), "want"])
def test_every_field_is_an_option_that_asks_for_the_same(name, folder):
    (folder / START).write_text(CAVE)
    value = sample(name, FIELDS[name])
    found = request_in(parsed(Request("binary", **{name: value}).words()[1:]))
    level = levelsmith.parse(CAVE, "binary")
    as_typed = {
        "level": level,
        "levels": [level],
        "values": {"hc.patience": "3", "steepest": "false", "wide.fill": "1e-07"},
        "ranges": {"regions": "1..", "path": "2..2"},
    }
    assert found.given[name] == as_typed.get(FIELDS[name].kind, value)


def test_every_field_of_a_dataset_is_an_option_that_asks_for_the_same():
    fields = {name: field for name, field in fields_of(DATASET).items() if field.kind != "levels"}
    given = {name: sample(name, field) for name, field in fields.items()}
    given |= {"set": {"hc.patience": 3}, "want": {"gold": (2, None)}, "preset": "thakkar2019"}
    order = Order(Request("loderunner", **{**given, "objective": "thakkar2019"}), Path("made"))
    again = request_in(parsed(shlex.split(order.command)[1:]))
    assert set(again.given) == set(given)
    made = Order(again, Path("made"))
    assert (made.command, made.settings([])) == (order.command, order.settings([]))


@pytest.mark.parametrize("splits", [(1 / 3, 1 / 3, 1 / 3), (0.7, 0.2, 0.1), (95, 5), {"a": 0.7, "b": 0.3}])
def test_the_splits_of_a_dataset_are_told_as_they_are(splits):
    order = Order(Request("sokoban", count=3, seed=1), Path("made"), splits)
    context = parsed(shlex.split(order.command)[1:])
    again = Order(request_in(context), Path("made"), shares(context.params["splits"]))
    assert again.settings([]) == order.settings([])


# ---------------------------------------------------------------------------- from the studio's settings

SETTINGS = [
    {"game": "sokoban", "want": {"difficulty": "1..60"}, "ramp": "difficulty", "size": "5x5"},
    {"game": "sokoban", "want": {"pushes": [4, None], "moves": "..90"}, "set": {"carve.boxes": 2}}
    | {"preset": "boxoban", "size": "5x5", "count": 3, "skip": 2},
    {"game": "binary", "size": "6x6", "objective": ["path-length", "connectivity"], "search": "hc"}
    | {"combine": "product", "evaluations": 60},
    {"game": "binary", "search": "hc", "set": {"hc.steepest": True, "wide.fill": 1e-05}, "evaluations": 60},
    {"game": "orchard", "search": "hc", "keep_above": 0.2, "keep_most": 3, "until": 0.5, "evaluations": 60},
    {"game": "binary", "start": CAVE, "lock": ["border", "3,3,2x2"], "evaluations": 60},
    {"game": "loderunner", "size": "12x8", "guards": "still"},
]


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: "-".join(setting))
def test_a_job_as_a_command_makes_what_the_job_makes(setting, folder):
    setting = checked({**setting, "seed": 4}, StudioLimits())
    (folder / START).write_text(setting.get("start", ""))
    request = request_of(setting)
    made = levelsmith.generate(request.game, partial=True, **request.given)
    typed(spellings(setting)["command"], "--workers", "1", "-o", "made.json")
    assert levelsmith.load("made.json") == [*made.levels]


def test_a_proposal_for_the_editor_is_told_as_no_command():
    setting = {"game": "sokoban", "edit": "improve", "start": ROOM, "seconds": 2}
    assert spellings(checked(setting, StudioLimits())) == {}


# ------------------------------------------------------------------------------- from where a level came

ORIGINS = [
    ("orchard", {"search": "hc", "evaluations": 60, "skip": 2}),
    ("sokoban", {"size": (5, 5)}),
    ("sokoban", {"size": (5, 5), "preset": "boxoban", "set": {"boxes": 2}, "count": 2}),
    ("sokoban", {"size": (5, 5), "search": "sa", "want": {"pushes": "1.."}, "evaluations": 300}),
    ("sokoban", {"start": levelsmith.parse(ROOM, "sokoban"), "lock": "wall", "evaluations": 60}),
    ("loderunner", {"size": (8, 12)}),
    ("loderunner", {"size": (8, 12), "guards": "still", "search": "hc", "evaluations": 200}),
    ("binary", {"objective": ["path-length", "connectivity"], "search": "hc", "evaluations": 200}),
    ("binary", {"start": levelsmith.parse(CAVE, "binary"), "lock": ["border", "3,3,2x2"]}),
    ("puzzle.txt", {}),
]


@pytest.mark.parametrize(("game", "asked"), ORIGINS)
def test_where_a_level_came_from_is_told_as_a_command_that_makes_it_again(game, asked, folder):
    (folder / "puzzle.txt").write_text((DOCS / "levels" / "puzzle.txt").read_text())
    best = levelsmith.generate(game, seed=4, partial=True, **asked).best
    if "start" in asked:
        (folder / START).write_text(asked["start"].text)
    command = Request.again(best.provenance, START if "start" in asked else None).command
    typed(command, "--workers", "1", "-o", "again.json")
    (again,) = levelsmith.load("again.json")
    assert (again, again.solution, again.provenance) == (best, best.solution, best.provenance)


def test_what_a_clock_stopped_is_repeated_by_the_command_that_is_printed(folder):
    (folder / "cave.txt").write_text(CAVE)
    asked = "levelsmith generate binary --search elites --start cave.txt --lock border --seconds 0.1 --seed 3"
    told = typed(asked, "--workers", "1", "-o", "first.json").stderr
    (command,) = re.findall("^repeat it exactly: (.*)$", told, re.MULTILINE)
    assert "--evaluations" in command
    typed(command, "--workers", "1", "-o", "second.json")
    assert levelsmith.load("first.json") == levelsmith.load("second.json")


# --------------------------------------------------------------------------------------------- of files


@pytest.mark.parametrize("place", [".", "sub/made", "with a space"])
def test_the_command_in_a_readme_names_its_folder(place, folder):
    words = ["levelsmith", "dataset", "sokoban", "--size", "5x5", "--boxes", "2", "--seed", "3"]
    typed(shlex.join([*words, "--count", "3", "--workers", "1", "-o", place]))
    text = (folder / place / "README.md").read_text()
    command = re.search(r"^\$ (.*)$", text, re.MULTILINE)[1]
    name = (folder / place).resolve().name
    assert shlex.split(command)[-2:] == ["-o", name]
    typed(command, "--workers", "1")
    assert (folder / name / "README.md").read_text() == text


EXPERIMENT = """
[orchard]
[experiment]
runs = 2
evaluations = 40
[[experiment.part]]
name = "some"
search = ["random", "hc"]
"""


@pytest.mark.parametrize("more", [[], ["--quick"], ["--runs", "3", "--evaluations", "30", "--seed", "7"]])
def test_a_report_names_the_command_that_does_the_same_runs(more, folder):
    (folder / "mine.toml").write_text(EXPERIMENT)
    typed(shlex.join(["levelsmith", "experiment", "run", "mine.toml", *more, "-o", "first.db"]))
    first = Results("first.db")
    (command,) = re.findall("`(levelsmith experiment run .*?)`", what_was_run(first).items[0])
    typed(command)
    assert Results(shlex.split(command)[-1]).digest() == first.digest()


# ------------------------------------------------------------------------------- in documents and helps


def helps(command=cli, path="levelsmith"):
    """Yields each command with its path."""
    yield path, command
    for name, each in getattr(command, "commands", {}).items():
        yield from helps(each, f"{path} {name}")


def shown():
    """Yields where something is shown for people to type, and its line."""
    package = files("levelsmith")
    yield from (("demo", line) for line in NEXT)
    page = (package / "demo" / "static" / "page.html").read_text()
    for line in re.search("<pre><code>(.*?)</code></pre>", page, re.DOTALL)[1].splitlines():
        yield "page.html", re.sub("<[^>]*>", "", line)
    readme = (package / "games" / "skeleton" / "README.md.txt").read_text().replace("mygame", "orchard")
    yield from (("skeleton", line) for line in re.findall(r"^\$ (.*)$", readme, re.MULTILINE))
    for path, command in helps():
        yield from ((f"{path} --help", line.strip()) for line in (command.help or "").splitlines())
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            if match["info"].strip() in ("console no-run", "text"):  # the others are run with the documents
                body = match["body"].replace("\\\n>", "")
                yield from ((path.name, line) for line in re.findall(r"^\$ (.*)$", body, re.MULTILINE))
        yield from ((path.name, span) for span in re.findall(r"`([^`\n]+)`", FENCE.sub("", text)))


def commands():
    """Yields where a command is shown, and the command without remarks and what it is piped into."""
    for where, line in shown():
        command = re.split(r"\s+#\s|\s+[|>&]|\s{3,}", line)[0]
        if command.startswith("levelsmith ") and not re.search(
            r"…|\*|\b(?!GAME=)[A-Z]{4,}\b|\s[a-z]\b", command
        ):
            yield where, command  # and no FILE, GAME or n that stands for others


@pytest.mark.parametrize(("where", "command"), sorted(set(commands())))
def test_a_command_that_is_shown_can_be_typed(where, command, folder):
    try:
        context = parsed(shlex.split(command)[1:])
    except click.MissingParameter:
        return  # a command is spoken of, with options that it has
    game = context.params.get("game")
    if context.params.get("device") == "cuda":
        pytest.skip("for who has a GPU")
    if "unlike" in context.params:  # it makes levels
        if game not in games:
            pytest.skip("of a game that its readers make")
        for name in filter(None, (context.params.get("start"), *context.params["unlike"])):
            (folder / name).write_text(LEVELS[game])
        runs_of(request_in(context))
    elif context.args:
        assert any(takes(context, each) for each in games), context.args


def takes(context, game):
    """Tells whether the options that no command declares are those of a game."""
    try:
        return bool(ranges_among(context, game))
    except LevelsmithError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("command", [line for line in NEXT if line.startswith("levelsmith generate")])
def test_what_the_demo_tells_to_type_next_works(command, folder):
    typed(command)
