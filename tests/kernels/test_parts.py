"""What kernels call is compiled once for its types, whichever kernel and process asks first."""

import json
import tomllib
from pathlib import Path

import pytest

from levelsmith.kernels.compile import TESTED

POND = """
import math
from levelsmith.kernels.compile import kernel, part

@part
def deep(x):
    return math.sqrt(max(x, 4.0))

@part
def deeper(x):
    return 2.0 * deep(x)

@kernel
def first(x):
    return deeper(x)

@kernel
def second(x):
    return deeper(x) + deep(x) + 0.5
"""

ASK = """
import json, sys
from levelsmith.kernels import parts
compiled = []
before = parts.PartCompiler._compile_bytecode
def counted(self):
    compiled.append(self.state.func_id.func_name)
    return before(self)
parts.PartCompiler._compile_bytecode = counted
import pond
print(json.dumps([getattr(pond, sys.argv[1])(9.0), compiled]))
"""


@pytest.fixture
def ask(python, tmp_path):
    """Calls a kernel in a new process; returns what it says and which parts were compiled for it."""
    (tmp_path / "pond.py").write_text(POND)
    cache = tmp_path / "cache"
    ask = lambda name: json.loads(python(ASK, name, path=[tmp_path], LEVELSMITH_CACHE=str(cache)))  # noqa: E731
    ask.kept = lambda: sorted(cache.rglob("parts/deep-*"))
    return ask


def test_another_kernel_in_another_process_finds_its_parts_compiled(ask):
    said, compiled = ask("first")
    assert said == 6.0
    assert sorted(compiled) == ["deep", "deeper"]
    assert ask("second") == [9.5, []]


@pytest.mark.parametrize("wound", [b"", b"nothing of ours"], ids=["gone", "damaged"])
def test_a_part_that_is_gone_or_damaged_is_compiled_again(ask, wound):
    ask("first")
    (kept,) = ask.kept()
    whole = kept.read_bytes()
    kept.write_bytes(wound) if wound else kept.unlink()
    said, compiled = ask("second")
    assert (said, sorted(compiled)) == (9.5, ["deep", "deeper"])
    assert len(kept.read_bytes()) == len(whole)


LOOP = """
    for i in range(x % {0}):
        total = (total * {0} + i) % 1000003 ^ x
"""
LAKE = f"""
from levelsmith.kernels.compile import kernel, part

@kernel
def called(unused, x):  # too long to become a part of its callers
    total = x
    {"".join(map(LOOP.format, (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)))}
    return total

@part
def between(x):
    return called(x, x) + called(x, x + 1)

@kernel
def by_a_part(x):
    return between(x)

@kernel
def directly(x):
    return called(x, x) + called(x, x + 1)
"""


def test_a_kernel_that_a_part_calls_is_not_mixed_up_with_the_same_that_another_kernel_calls(python, tmp_path):
    (tmp_path / "lake.py").write_text(LAKE)
    code = "import lake; print(lake.called(5, 5) + lake.called(5, 6), lake.by_a_part(5), lake.directly(5))"
    for _ in ("compiled", "read"):
        said = python(code, path=[tmp_path], LEVELSMITH_CACHE=str(tmp_path / "cache")).split()
        assert len(said) == 3
        assert len(set(said)) == 1


def test_the_versions_of_numba_that_were_tested_are_those_that_can_be_installed():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    low, high = (".".join(map(str, version)) for version in TESTED)
    assert f"numba>={low},<{high}" in project["project"]["dependencies"]


OTHER_NUMBA = {
    "a version that was not tested": "import numba; numba.version_info = (0, 99, 0)",
    "a library without a method": "from levelsmith.kernels import library; library.LIBRARY += ('_gone',)",
    "an import that fails": "import sys; sys.modules['levelsmith.kernels.parts'] = None",
}

ALONE = """
import json, sys
import pond
from levelsmith.kernels import compile
told = []
compile.notice = lambda name, seconds: told.append(name)
print(json.dumps([pond.second(9.0), len(told), "pipeline_class" in compile.PART]))
"""


@pytest.mark.parametrize("change", OTHER_NUMBA.values(), ids=OTHER_NUMBA)
def test_where_our_library_does_not_fit_numba_compiles_by_itself_and_that_is_kept(python, tmp_path, change):
    (tmp_path / "pond.py").write_text(POND)
    cache = tmp_path / "cache"
    ask = lambda: json.loads(python(f"{change}\n{ALONE}", path=[tmp_path], LEVELSMITH_CACHE=str(cache)))  # noqa: E731
    assert ask() == [9.5, 2, False]
    assert ask() == [9.5, 0, False]
    assert not list(cache.rglob("parts"))
