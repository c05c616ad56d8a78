"""What docs/inside.md says about the house is so."""

import re

from docs.documents import DOCS

PACKAGE = DOCS.parent / "src" / "levelsmith"
TEXT = (DOCS / "inside.md").read_text(encoding="utf-8")


def test_every_file_and_folder_that_is_named_is_there():
    named = re.findall(r"^  ([\w/]+(?:\.py|/)) ", TEXT, re.MULTILINE)  # of the house
    named += re.findall(r"`((?:\w+/)+\w+\.py)`", TEXT)
    assert len(named) > 30
    tools = DOCS.parent
    assert [name for name in named if not ((PACKAGE / name).exists() or (tools / name).exists())] == []


def test_every_room_of_the_package_is_told():
    paths = [path for path in PACKAGE.iterdir() if not path.name.startswith(("__", "py."))]
    rooms = {path.name + "/" * path.is_dir() for path in paths}
    told = set(re.findall(r"^  (\w+(?:\.py|/)) ", TEXT, re.MULTILINE))
    assert rooms - told == set()


def test_the_walk_of_a_field_goes_through_files_that_have_it():
    (walk,) = re.findall(r"\| file \| `seed` \| `objective` \|\n\|---.*?\n(.*?)\n\n", TEXT, re.DOTALL)
    seen = 0
    for line in walk.splitlines():
        file, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        source = (PACKAGE / re.findall(r"`(.*?)`", file)[0]).read_text(encoding="utf-8")
        for name, cell in zip(("seed", "objective"), cells, strict=True):
            if cell and not cell.startswith(("handed on", "in the `Request`", "printed", "`--")):
                words = {"seed": r"seed|rng", "objective": r"objective|terms|Term|provenance"}[name]
                assert re.search(words, source), (file, name)
                seen += 1
    assert seen > 10
