"""Two files of an experiment compared, and the expressive range of a set of levels."""

import json

import numpy as np
import pytest

from experiment import stores
from levelsmith import LevelsmithError, parse, save
from levelsmith.cli import main
from levelsmith.experiment.comparison import compare, page, summary
from levelsmith.experiment.ranges import draw, measured

CELLS = [("one", search, "wide", "path-length") for search in ("bfs", "hc", "ga")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("compare")
    stores.maps(folder / "a.db", 60, cells=CELLS)
    stores.maps(folder / "same.db", 60, cells=CELLS)
    stores.maps(folder / "other.db", 60, seed=9, cells=[*CELLS[1:], ("two", "sa", "wide", "path-length")])
    before = dict(stores.SHARES)
    stores.SHARES["bfs"] = (0.0, 0.0, 0.95)
    stores.maps(folder / "better.db", 60, cells=CELLS)
    stores.SHARES.update(before)
    return folder


def test_a_file_is_the_same_as_itself(folder):
    found = compare(folder / "a.db", folder / "same.db")
    assert found.alike == len(CELLS)
    assert not any(each.sure for each in found.differences)


def test_a_cell_that_solves_more_differs_for_sure(folder):
    found = {
        each.cell.split()[0]: each for each in compare(folder / "a.db", folder / "better.db").differences
    }
    assert found["bfs"].sure
    assert found["bfs"].solved.low > 0.3
    assert not found["hc"].sure


def test_cells_of_one_file_alone_are_named(folder):
    found = compare(folder / "a.db", folder / "other.db")
    assert found.only_first == [("one", "bfs wide path-length")]
    assert found.only_second == [("two", "sa wide path-length")]
    told = " ".join(summary(found))
    assert "one: bfs wide path-length" in told
    assert "two (1 cells)" in told
    assert "Two experiments compared" in page(found)


def run(monkeypatch, capsys, *words):
    monkeypatch.setattr("sys.argv", ["levelsmith", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr()


def test_the_command_prints_a_table_or_json_and_writes_a_page(folder, monkeypatch, capsys):
    code, told = run(monkeypatch, capsys, "experiment", "compare", folder / "a.db", folder / "better.db")
    assert code == 0
    assert "one: bfs wide path-length" in told.out
    assert "differs" in told.out
    words = ("experiment", "compare", folder / "a.db", folder / "other.db", "--json", "-o", folder / "c.html")
    code, told = run(monkeypatch, capsys, *words)
    rows = [json.loads(line) for line in told.out.splitlines()]
    assert [row["cell"].split()[0] for row in rows] == ["hc", "ga", "bfs", "sa"]
    assert rows[-1]["only_in"].endswith("other.db")
    assert (folder / "c.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize("command", ["report {} -o x.html", "compare {} {}"])
def test_what_is_no_file_of_an_experiment_is_refused_in_one_line(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.db").write_text("not a database")
    base = stores.create(tmp_path / "newer.db", format="9", levelsmith="9.0.0")
    base.commit()
    base.close()
    base = stores.create(tmp_path / "empty.db")
    base.commit()
    base.close()
    for name, words in {
        "gone.db": "no file is called",
        "text.db": "is no file of an experiment",
        "newer.db": "has the format 9 of levelsmith 9.0.0",
        "empty.db": "holds no runs yet",
    }.items():
        code, told = run(monkeypatch, capsys, "experiment", *command.replace("{}", name).split())
        assert code == 2
        assert words in told.err
        assert told.err.count("\n") == 1
    assert not (tmp_path / "x.html").exists()


def levels():
    rng = np.random.default_rng(0)
    return [
        parse("\n".join("".join(row) for row in np.where(rng.random((5, 5)) < 0.4, "#", ".")), game="binary")
        for _ in range(20)
    ]


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_expressive_range_of_levels_is_drawn(kind, tmp_path):
    found = measured(levels(), "empty", "regions")
    assert found.summary()["levels"] == 20
    draw(found, str(tmp_path / f"range.{kind}"))
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind]
    assert (tmp_path / f"range.{kind}").read_bytes().startswith(start)


def test_the_command_range_takes_any_file_of_levels(tmp_path, monkeypatch, capsys):
    save(levels(), tmp_path / "maps.json")
    words = (
        "range",
        tmp_path / "maps.json",
        "--x",
        "empty",
        "--y",
        "path",
        "-o",
        tmp_path / "r.png",
        "--json",
    )
    code, told = run(monkeypatch, capsys, *words)
    assert code == 0
    row = json.loads(told.out)
    assert row["empty"]["most"] <= 25
    assert (tmp_path / "r.png").exists()


def test_a_metric_is_followed_from_level_to_level(tmp_path, monkeypatch, capsys):
    rows = [parse(text, "binary") for text in ("....\n####", "..##\n####", "...#\n####")]
    save(rows, tmp_path / "maps.json")
    words = ("range", tmp_path / "maps.json", "--curve", "empty")
    code, told = run(monkeypatch, capsys, *words, "--json", "-o", tmp_path / "curve.svg")
    assert code == 0
    assert json.loads(told.out) == {"game": "binary", "metric": "empty", "values": [4, 2, 3], "falls": [2]}
    assert (tmp_path / "curve.svg").read_bytes().startswith(b"<?xml")
    code, told = run(monkeypatch, capsys, *words)
    bars = [line.count("█") for line in told.out.splitlines()]
    assert bars == [40, 20, 30, 0]
    assert told.out.endswith("empty of 3 levels of binary: falls at 2\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "expected two metrics, --x and --y, or --by with their ranges, or --curve with one metric"),
        (("--curve", "path", "--bins", "3"), "--curve says what to draw, so --bins would be ignored"),
        (("--by", "path:0..9:3", "--x", "path"), "--by says what to draw, so --x would be ignored"),
        (("--x", "emty", "--y", "path"), "no metric of binary is called 'emty'; did you mean 'empty'?"),
        (
            ("--x", "empty", "--y", "path", "-o", "r.txt"),
            "expected a picture that ends in .png, .svg or .pdf",
        ),
        (("--x", "empty", "--y", "path", "-o", "r.png", "--bins", "0"), "expected from 1 to 1000 bins"),
    ],
)
def test_mistakes_with_range_are_one_line(words, message, tmp_path, monkeypatch, capsys):
    save(levels(), tmp_path / "maps.json")
    code, told = run(monkeypatch, capsys, "range", tmp_path / "maps.json", *words)
    assert code == 2
    assert message in told.err


def test_levels_of_two_games_have_no_range_together():
    with pytest.raises(LevelsmithError, match="expected levels of one game, got binary, orchard"):
        measured([levels()[0], parse("^.", game="orchard")], "empty", "path")
