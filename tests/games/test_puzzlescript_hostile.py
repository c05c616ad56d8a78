"""Bad PuzzleScript sources: faults are told, soon and in little memory, whatever the text is."""

import random

import pytest
from tests.games.puzzles import source
from tests.games.test_puzzlescript_rules import PUSH

from levelsmith.games.puzzlescript.compile import compile_source

MANY = 3000
NAMES = [f"o{i}" for i in range(MANY)]
WITH_NAMES = source().replace("LEGEND\n", "\n".join(f"{name}\nred\n" for name in NAMES) + "\nLEGEND\n")
LONG = " | ".join(["Player"] * 20_000)
HOSTILE = {
    "objects": (
        WITH_NAMES.replace("\nMb\n\nRULES", f"\nMb\n{' '.join(NAMES)}\n\nRULES"),
        "at most 1000 objects",
    ),
    "layers": (WITH_NAMES.replace("\nMb\n\nRULES", "\nMb\n" + "\n".join(NAMES) + "\n\nRULES"), "500 layers"),
    "rules": (source(rules=";".join([PUSH] * 4000)), "fewer rules"),
    "a long row": (source(rules=f"[ {LONG} ] -> [ {LONG} ]"), "at most 250 cells"),
    "a full cell": (source(rules=f"[ {'no Ma ' * 5000}] -> [ ]"), "objects in a cell"),
    "movements": (source(rules=f"[ {' | '.join(['moving Player'] * 30)} ] -> win"), "fewer rules"),
    "properties": (source(rules=f"[ {' | '.join(['X'] * 30)} ] -> win"), "fewer rules"),
    "levels": (source(levels="/".join(["P" + "." * 1200] * 1200)), "at most 1000000 cells"),
    "a doubling legend": (
        source(legend="\n".join(["a0 = Ma or Mb", *(f"a{i + 1} = a{i} or a{i}" for i in range(40))])),
        "names in the legend",
    ),
    "names in a ring": (
        source(legend="one = two\ntwo = one", rules="[ one ] -> [ two ]"),
        "a name defined above",
    ),
    "comments": (source(rules="(" * 100_000), "at least one level"),
    "nothing": ("", "called player"),
    "an empty property": (source(legend="Y = Nobody or Noone", rules="[ Y ] -> [ ]"), "a name defined above"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_too_much_is_refused_soon(name):
    text, expected = HOSTILE[name]
    errors = compile_source(text)[0].faults.errors
    assert any(expected in fault.text for fault in errors), errors[:3]


def test_wounded_sources_never_raise():
    rng = random.Random(5)
    whole = source(
        rules=f"{PUSH} ; late [ Player | ... | Target ] -> [ Player | ... | Ma ] again", wins="no Ma"
    )
    words = ("[", "]", "->", "...", "no", "moving", "late", "+", "endloop", "or", "=", "(", ")", "message")
    refused = 0
    for _ in range(400):
        text = whole
        for _ in range(rng.randint(1, 4)):
            i = rng.randrange(len(text) + 1)
            more = rng.choice([" ", "\n", f" {rng.choice(words)} ", "\0", "İ", text[i : i + 30]])
            text = text[:i] + more + text[i + rng.randint(0, 20) :]
        refused += compile_source(text)[1] is None
    assert 40 < refused < 360
