"""What the base install is made of is pinned by digests, all of it, in the versions that are tested."""

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "hashes.py"), run_name="hashes")
ENTRY = re.compile(r"([a-z0-9-]+)==(\S+)((?: ; [^\\]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")


def entries():
    text = (ROOT / "hashes.txt").read_text()
    found = ENTRY.findall(text)
    assert len("".join(ENTRY.sub("", text).splitlines()[1:])) == 0  # and nothing else but the head
    return {name: version for name, version, _ in found}


def test_every_package_of_the_base_install_has_its_digests():
    assert sorted(entries()) == TOOL["base"]()


def test_what_compiles_is_for_systems_that_nothing_is_built_for():
    text = (ROOT / "hashes.txt").read_text()
    assert re.findall(rf"([a-z]+)==\S+ ; {re.escape(TOOL['ELSEWHERE'])} ", text) == [*TOOL["COMPILER"]]
    assert f'"numba>=0.63; {TOOL["ELSEWHERE"]}"' in (ROOT / "pyproject.toml").read_text()


def test_the_versions_are_those_that_are_tested():
    pinned = TOOL["pinned"]()
    assert entries() == {name: pinned[name] for name in entries()}


def test_digests_are_of_files_that_our_pythons_install():
    fits = TOOL["fits"]
    assert fits("numba-0.68.1-cp313-cp313-win_amd64.whl", "0.68.1")
    assert fits("rich-15.0.0-py3-none-any.whl", "15.0.0")
    assert fits("rich-15.0.0.tar.gz", "15.0.0")
    assert not fits("numba-0.68.1-cp310-cp310-win_amd64.whl", "0.68.1")
    assert not fits("numba-0.68.10-cp313-cp313-win_amd64.whl", "0.68.1")
