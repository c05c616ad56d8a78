"""What a page reads PuzzleScript sources by: our modules, without numpy, with the same answers."""

import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.games.puzzles import source

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.plain import explained
from levelsmith.publish.pyodide import CORE, HOW, LOCK, python_script, sources
from levelsmith.registry import games

READ = """
import hashlib, json, sys
sys.path.insert(0, sys.argv[1])
from levelsmith.games.puzzlescript.plain import explained
for text in json.load(sys.stdin):
    told = json.dumps(explained(text), sort_keys=True)
    print(hashlib.sha256(told.encode()).hexdigest())
assert sys.modules["numpy"].__file__.startswith(sys.argv[1])
"""


def digests_inside(folder, texts):
    """The answers of the modules of a page, in a Python that has nothing else."""
    with zipfile.ZipFile(io.BytesIO(sources())) as archive:
        archive.extractall(folder)
    words = [sys.executable, "-I", "-S", "-c", READ, str(folder)]
    done = subprocess.run(words, input=json.dumps(texts), capture_output=True, text=True, check=True)
    return done.stdout.split()


def digest(text):
    return hashlib.sha256(json.dumps(explained(text), sort_keys=True).encode()).hexdigest()


def test_a_page_reads_sources_as_the_command_does(tmp_path):
    rules = ["[ > Playr | Crate ] -> [ > Player | > Crate ]", "late [ Crate ] -> [ random Crate ]"]
    texts = [*games.sources.values(), *(source(rules=rule) for rule in rules), "", "nothing of a game"]
    assert digests_inside(tmp_path, texts) == [digest(text) for text in texts]


@pytest.mark.slow(25)
def test_a_page_reads_sources_of_others_as_the_command_does(tmp_path, data_folder):
    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "solutions.json.gz").read_bytes()))
    texts = [entry["source"] for entry in entries[::3]]
    assert digests_inside(tmp_path, texts) == [digest(text) for text in texts]


def packed(files):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return target.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "has no pyodide.asm.mjs"),
        (b"no archive", "has no pyodide.asm.mjs"),
        (packed({"pyodide.mjs": b""}), "has no pyodide.asm.mjs"),
        (packed(dict.fromkeys([*CORE.values(), LOCK], b"{}")), "is damaged"),
        (packed({**dict.fromkeys(CORE.values(), sources()), LOCK: b"[1]"}), "is damaged"),
    ],
)
def test_another_file_than_npms_package_is_refused(tmp_path, data, reason):
    path = tmp_path / "other.tgz"
    path.write_bytes(data)
    with pytest.raises(LevelsmithError) as refused:
        python_script(str(path))
    message = str(refused.value)
    assert message.startswith("expected the package of Pyodide from npm, got ")
    assert message.endswith(f", which {reason}; get one by: {HOW}")


def test_the_package_that_is_asked_for_is_the_one_that_is_tried():
    assert HOW.split()[-1] in (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
