"""Small PuzzleScript games for tests, by their rules alone; and what becomes of their boards."""

from levelsmith.games.puzzlescript.compile import compile_game
from levelsmith.games.puzzlescript.session import Session

HEAD = """title Check
{prelude}
OBJECTS

Background .
black

Target O
yellow

Player P
pink

Wall #
brown

Crate *
red

Ma 1
blue

Mb 2
green

LEGEND

@ = Crate and Target
% = Player and Target
A = Crate and Ma
B = Player and Ma
X = Mb or Ma
Thing = Player or Crate
{legend}
SOUNDS

COLLISIONLAYERS

Background
Target
Player, Wall, Crate
Ma
Mb

RULES

{rules}

WINCONDITIONS

{wins}

LEVELS

{levels}
"""
KEYS = {"^": 0, "<": 1, "v": 2, ">": 3, "x": 4, "t": "tick", "u": "undo", "r": "restart"}
SHOWN = {
    (): ".",
    ("target",): "O",
    ("player",): "P",
    ("wall",): "#",
    ("crate",): "*",
    ("ma",): "1",
    ("mb",): "2",
}
SHOWN |= {("crate", "target"): "@", ("player", "target"): "%", ("crate", "ma"): "A", ("ma", "player"): "B"}


def source(rules="", levels="P..", wins="", prelude="", legend=""):
    """Returns the text of a game; rules and levels may be cut by `;`, rows of a level by `/`."""
    rules = "\n".join(rule.strip() for rule in rules.split(";"))
    levels = "\n\n".join(level.replace("/", "\n") for level in levels.split(";"))
    return HEAD.format(rules=rules, levels=levels, wins=wins, prelude=prelude, legend=legend)


def rows(session):
    """Returns the board of a session, a character for each cell."""
    level = session.program.levels[session.level]
    board, names = session.engine.board(), session.program.names
    cells = []
    for words in board:
        found = sorted(name for i, name in enumerate(names) if int(words[i // 64]) >> i % 64 & 1)
        cells.append(SHOWN[tuple(name for name in found if name != "background")])
    return "/".join("".join(cells[y :: level.height]) for y in range(level.height))


def played(engine, keys, seed="1", **game):
    """Returns the board after some keys."""
    session = Session(compile_game(source(**game)), engine, 0, seed)
    for key in keys:
        session.press(KEYS[key])
    return rows(session)
