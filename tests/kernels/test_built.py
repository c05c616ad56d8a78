"""Kernels that are built ahead: the same memory as by numba, and one line for each that cannot be used."""

import pickle
import runpy
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from levelsmith.kernels import built, signature
from levelsmith.kernels.probe import probe
from levelsmith.kernels.shuffle import deal

ROOT = Path(__file__).resolve().parents[2]


class Pair(NamedTuple):
    cells: np.ndarray
    factor: float


GRID = np.arange(12, dtype=np.uint8).reshape(3, 4)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (GRID, "u8[2]"),
        (GRID.T, "u8[2F]"),
        (GRID[:, ::2], "u8[2A]"),
        (np.broadcast_to(GRID, (2, 3, 4)), "u8[3A]!"),
        (np.zeros(0), "f64[1]"),
        (np.zeros((2, 0), bool), "b1[2]"),
        (True, "b1"),
        (np.bool_(True), "b1"),
        (3, "i64"),
        (np.uint16(3), "u16"),
        (0.5, "f64"),
        (np.float32(0.5), "f32"),
        (None, "none"),
        ((), "()"),
        ((np.uint64(1), np.uint64(2)), "(u64,u64)"),
        (Pair(GRID, 0.5), f"{__name__}:Pair(u8[2],f64)"),
        ((Pair(GRID, 0.5), (1,)), f"({__name__}:Pair(u8[2],f64),(i64))"),
    ],
)
def test_a_type_is_told_in_a_word_that_is_read_back(value, text):
    assert signature.described(value) == text
    (read,) = signature.parsed(text)
    assert _written(read) == text


def _written(given):
    if isinstance(given, signature.Group):
        return f"{given.kind}({','.join(map(_written, given.items))})"
    if isinstance(given, signature.Array):
        layout = "" if given.layout == "C" else given.layout
        return f"{given.word}[{given.axes}{layout}]{'!' if given.fixed else ''}"
    return given.word


@pytest.mark.parametrize("value", ["text", [1], np.array(["a"]), np.zeros(2, ">i4"), 1j])
def test_what_no_kernel_takes_has_no_word(value):
    with pytest.raises(TypeError):
        signature.described(value)


# ------------------------------------------------------------------------------------------------------ calls

TYPES = next(iter(built.manifest()["kernels"]["levelsmith.kernels.shuffle:deal"]))


def entry(name="levelsmith.kernels.shuffle:deal", types=TYPES):
    found = built.find(name, types)
    assert found is not None
    return found


def hand(seed=0):
    """Returns arguments of `deal`."""
    rng = np.random.default_rng(seed)
    seeds = rng.integers(0, 2**62, 50)
    return seeds, np.arange(50, dtype=np.int64), rng.integers(3, 9, 50), np.zeros(50, np.int64)


def test_a_call_leaves_what_plain_python_leaves():
    for seed in range(20):
        one, other = hand(seed), hand(seed)
        entry()(one)
        with np.errstate(over="ignore"):
            deal.py_func(*other)
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_threads_call_one_entry_at_a_time():
    expected = hand(1)
    deal(*expected)
    hands = [hand(1) for _ in range(200)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda given: deal(*given), hands))
    assert all(np.array_equal(given[-1], expected[-1]) for given in hands)


def lay_out_anew(monkeypatch):
    monkeypatch.setattr(built, "NDARRAY", 0)
    monkeypatch.setattr(built, "CLASS", bytes(8))


@pytest.mark.parametrize(
    "change",
    [
        lambda given: given[:-1],
        lambda given: (*given[:-1], given[-1].astype(float)),
        lambda given: (*given[:-1], given[-1].astype(np.int32)),
        lambda given: (*given[:-1], given[-1][None]),
        lambda given: (*given[:-1], np.zeros(100, np.int64)[::2]),
        lambda given: (*given[:-1], given[-1].astype(">i8")),
        lambda given: (*given[:-1], given[-1].tolist()),
        lambda given: (*given[:-1], None),
        lambda given: (*given[:-1], 7),
        lambda given: (*given[:-1], (given[-1],)),
        lambda given: (*given[:-1], np.broadcast_to(np.int64(0), 50)),
    ],
)
@pytest.mark.parametrize("layout", ["numpy's", "ours"])
def test_arguments_of_other_types_are_refused(change, layout, monkeypatch):
    if layout == "ours":
        lay_out_anew(monkeypatch)
    with pytest.raises(built.MisfitError):
        entry()(change(hand()))


def test_arrays_that_lie_otherwise_in_memory_are_laid_out_anew(monkeypatch):
    expected = hand(3)
    entry()(expected)
    lay_out_anew(monkeypatch)
    given = hand(3)
    entry()(given)
    assert np.array_equal(given[-1], expected[-1])


def test_a_kernel_takes_what_is_not_built_by_numba_or_as_plain_python():
    given = hand(5)
    wide = (*given[:-1], np.zeros(100, np.int64)[::2])
    deal(*given)
    deal(*wide)
    assert np.array_equal(wide[-1], given[-1])


@pytest.mark.parametrize("layout", ["numpy's", "ours", "not built"])
def test_a_prepared_call_runs_on_its_arrays_as_they_are_then(layout, monkeypatch):
    if layout == "ours":
        lay_out_anew(monkeypatch)
    given = hand(3)
    if layout == "not built":
        given = (*given[:-1], np.zeros(100, np.int64)[::2])
    call, found = deal.prepared(*given), given[-1]
    for seed in range(4):
        other = hand(seed)
        for array, new in zip(given, other, strict=True):
            array[:] = new
        deal(*other)
        call()
        assert np.array_equal(found, other[-1])


def test_a_prepared_call_keeps_its_arrays():
    call = deal.prepared(*hand(1))
    others = [hand(1) for _ in range(50)]  # where arrays would lie that nobody keeps
    call()
    assert all(not other[-1].any() for other in others)


def test_a_kernel_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(deal)) is deal


@pytest.mark.timing
def test_a_call_takes_few_microseconds():
    script = (
        "import timeit, numpy as np\n"
        "from levelsmith.kernels.shuffle import deal\n"
        "a = [np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64), np.zeros(1, np.int64)]\n"
        "deal(*a)\n"
        "print(min(timeit.repeat(lambda: deal(*a), number=2000, repeat=5)) / 2000)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 20e-6


# ------------------------------------------------------------------------------------------------------ files


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """Returns a folder of built kernels in the place of ours, to be spoilt, and the warnings that follow."""
    shutil.copytree(built.FOLDER, tmp_path / "built")
    monkeypatch.setattr(built, "FOLDER", tmp_path / "built")
    monkeypatch.setattr(built, "MANIFEST", tmp_path / "built" / "manifest.json")
    told = []
    monkeypatch.setattr(built, "warn", told.append)
    _forget()
    yield tmp_path / "built", told
    _forget()


def _forget():
    for cached in (built.manifest, built._library, built._content, built.targets):
        cached.cache_clear()


def library():
    return built.manifest()["kernels"]["levelsmith.kernels.shuffle:deal"][TYPES]["library"]


def found():
    return built.find("levelsmith.kernels.shuffle:deal", TYPES)


def test_what_is_whole_is_found(copied):
    assert found() is not None
    assert copied[1] == []


def test_a_damaged_library_is_left_alone(copied):
    path = copied[0] / built.target() / f"{library()}.so"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert found() is None
    assert "it is damaged: install levelsmith again" in copied[1][0]


def test_a_missing_library_is_left_alone(copied):
    (copied[0] / built.target() / f"{library()}.so").unlink()
    assert found() is None
    assert "No such file" in copied[1][0]


def test_a_library_for_another_processor_is_left_alone(copied):
    folder, told = copied
    other = next(name for name in built.manifest()["libraries"] if name != built.target())
    (folder / built.target() / f"{library()}.so").write_bytes(
        (folder / other / f"{library()}.so").read_bytes()
    )
    manifest = built.manifest()
    manifest["libraries"][built.target()] = manifest["libraries"][other]
    assert found() is None
    assert "is left alone" in told[0]


OLDER, NEWER = (b"sse4_2", b"popcnt"), (*built.V3, b"sse4_2", b"popcnt", b"avx512f")


@pytest.mark.parametrize(
    ("instructions", "damaged", "taken"),
    [(NEWER, False, "linux-x86_64-v3"), (OLDER, False, "linux-x86_64"), (NEWER, True, "linux-x86_64")],
)
def test_the_best_library_for_a_processor_is_taken(copied, monkeypatch, instructions, damaged, taken):
    folder, told = copied
    if built.target() != "linux-x86_64":
        pytest.skip(f"on {built.target()} all processors take the same")
    monkeypatch.setattr(built, "_instructions", lambda: set(instructions))
    if damaged:
        (folder / "linux-x86_64-v3" / "search-node.so").write_bytes(b"")
    for name, system in (("search-node", taken), (library(), "linux-x86_64")):
        assert Path(built._library(name)._name).parent.name == system
    assert len(told) == damaged


def test_searches_are_built_for_newer_processors_too():
    libraries = built.manifest()["libraries"]
    searches = {name for name in libraries["linux-x86_64"] if name.startswith("search")}
    assert set(libraries["linux-x86_64-v3"]) == searches > {"search-node"}
    for system, names in libraries.items():
        size = sum(path.stat().st_size for path in (built.FOLDER / system).iterdir())
        assert names, system
        assert size <= 4.75 * 2**20, system


def test_a_library_that_computes_something_else_is_left_alone(copied, monkeypatch):
    monkeypatch.setattr(built, "probe", lambda numbers, factor: probe(numbers, factor) + 1)
    assert found() is None
    assert "does not compute here what it should" in copied[1][0]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 1}', '{"version": 99, "kernels": {}}'])
def test_a_manifest_that_cannot_be_read_is_told(copied, text):
    (copied[0] / "manifest.json").write_text(text)
    _forget()
    assert found() is None
    assert "manifest.json" in copied[1][0]


def test_a_system_that_nothing_is_built_for_has_nothing(copied, monkeypatch):
    monkeypatch.setattr(built, "target", lambda: "plan9-mips")
    assert found() is None
    assert copied[1] == []


def test_an_edited_source_is_not_served_by_what_was_built_before(copied, monkeypatch, tmp_path):
    package = tmp_path / "levelsmith"
    for file in built.manifest()["files"]:
        (package / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built.PACKAGE / file, package / file)
    monkeypatch.setattr(built, "PACKAGE", package)
    _forget()
    assert found() is not None
    with open(package / "kernels" / "shuffle.py", "a") as file:
        file.write("# another\n")
    _forget()
    assert found() is None


def test_nothing_that_is_built_is_older_than_its_sources():
    tool = runpy.run_path(str(ROOT / "tools" / "kernels.py"), run_name="kernels")
    assert tool["plan"](tool["read_manifest"]()).stale == {}, "type: make kernels"
    assert built.manifest()["made_with"] == tool["versions"](), "type: make kernels"


def test_a_kernel_whose_types_are_no_more_what_they_were_is_taken_out_and_named(capsys):
    tool = runpy.run_path(str(ROOT / "tools" / "kernels.py"), run_name="kernels")
    told = tool["read_manifest"]()
    before = {name: set(types) for name, types in told["kernels"].items()}
    wider = "levelsmith.kernels.score:Score(f64[2],b1,i64)"  # has two fields
    told["kernels"]["levelsmith.kernels.shuffle:deal"][wider] = {}
    told["kernels"]["levelsmith.kernels.shuffle:gone"] = {"i64": {}}
    tool["take_out_misfits"](told)
    assert {name: set(types) for name, types in told["kernels"].items() if types} == before
    said = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[-2:] for line in said[:2]) == [
        ["levelsmith.kernels.shuffle:deal", wider],
        ["levelsmith.kernels.shuffle:gone", "i64"],
    ]
    assert said[2].endswith("python tools/kernels.py record")


@pytest.mark.slow(60)
def test_libraries_built_again_are_the_same_to_the_byte():
    pytest.importorskip("ziglang", reason="it links by ziglang, which `make thorough` installs")
    some = ["puzzlescript-vector", "search-node", "walker"]
    command = [sys.executable, ROOT / "tools" / "kernels.py", "check", *some]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("the same") == len(some) * 3 + 1


WITHOUT = (
    "import sys\nsys.modules['numba'] = sys.modules['llvmlite'] = None\n"  # as where they are not installed
)
SHIPPED = """
import gymnasium, levelsmith, levelsmith.envs
for game in ("binary", "sokoban", "loderunner", "orchard", "puzzlescript:crates"):
    made = levelsmith.generate(game, seed=1)
    levelsmith.measure(made.best)
    if game not in ("binary", "orchard"):
        assert levelsmith.solve(made.best).status == "solved"
for preset in ("kartal2016", "koczorowski2023", "aiide2016", "boxoban"):
    levelsmith.generate("sokoban", preset=preset, evaluations=500, seed=1)
for preset in ("fdg20", "arxiv19"):
    levelsmith.generate("binary", preset=preset, evaluations=500, seed=1)
levelsmith.generate("loderunner", preset="thakkar2019", evaluations=40, seed=1)
for name in ("Sokoban-v0", "LodeRunner-v0", "Design-binary-wide-v0"):
    env = gymnasium.make(f"levelsmith/{name}")
    env.reset(seed=1)
    env.step(env.action_space.sample())
    env.close()
"""


def test_nothing_that_ships_needs_a_compiler(python):
    done = python(WITHOUT + SHIPPED, check=False)
    assert (done.returncode, done.stderr) == (0, "")


OWN = """
import numpy as np
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.words import U

@kernel
def wrapped(words):
    return words[0] * U(3)

for _ in range(2):
    print(int(wrapped(np.array([2**63], np.uint64))))
"""


def test_a_kernel_of_your_own_runs_as_plain_python_where_nothing_compiles_and_that_is_told_once(python):
    done = python(WITHOUT + OWN, check=False)
    assert done.stdout == f"{2**63}\n" * 2
    assert done.stderr.count("\n") == 1
    assert "try: pip install 'levelsmith[numba]'" in done.stderr


def test_a_way_that_is_none_is_one_line(python):
    done = python("import levelsmith; levelsmith.generate('orchard')", check=False, LEVELSMITH_KERNELS="fast")
    assert "expected LEVELSMITH_KERNELS to be one of built, numba, plain, got 'fast'" in done.stderr


def test_no_library_names_a_file_of_the_machine_that_built_it():
    files = [path for path in built.FOLDER.rglob("*") if path.suffix in {".so", ".wasm"}]
    paths = [path for path in files if b".py" in path.read_bytes()]
    assert paths == []
