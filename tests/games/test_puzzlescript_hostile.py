"""Bad PuzzleScript sources: faults are told, soon and in little memory, whatever the text is."""

from pathlib import Path

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


@pytest.mark.first(3)
@pytest.mark.parametrize("name", HOSTILE)
def test_too_much_is_refused_soon(name):
    text, expected = HOSTILE[name]
    errors = compile_source(text)[0].faults.errors
    assert any(expected in fault.text for fault in errors), errors[:3]


def test_a_game_without_a_layer_for_an_object_is_refused_among_a_thousand_mistakes():
    bad = "\n".join(f"Q{i} = Nobody{i}" for i in range(1100))
    text = source(legend=bad, rules="[ Crate ] -> [ Ma ]").replace("Player, Wall, Crate", "Player, Wall")
    found, program = compile_source(text)
    assert program is None
    assert len(found.faults.errors) == 1000


def test_wounded_sources_are_refused_or_played(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    from fuzz_sources import sources, wounded

    found = wounded(sources(None), 300, seed=5)
    assert found["wrong"] == [one for one in found["wrong"] if "megabytes" in one]
    assert 150 < found["refused"] < 290
    assert found["inputs"] > 100
