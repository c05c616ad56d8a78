"""Every run as tables that can be judged again: the same verdicts, the same bytes, and damage in one line."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import lzma
import shutil

import pytest

from experiment import stores
from experiment.test_command import typed  # noqa: F401
from experiment.test_thakkar import file, originals  # noqa: F401
from levelsmith import experiment
from levelsmith.errors import LevelsmithError
from levelsmith.experiment import markdown, rows
from levelsmith.experiment.page import Finding
from levelsmith.experiment.papers.thakkar import measured
from levelsmith.experiment.report import build, judge, write_rows
from levelsmith.experiment.results import Results
from levelsmith.experiment.status import status
from levelsmith.experiment.verdicts import RATE, counted
from levelsmith.learn import trained

RUNS = 30  # of a cell: enough for some verdicts
CELLS = [cell for cell in stores.map_cells() if cell[1] in ("es", "ga", "bfs")]
KARTAL = {
    "selection": [
        ({"row": rule, "size": size}, size, {}) for rule in ("ucb", "ucb-v") for size in ("5x5", "7x7")
    ],
    "pockets filled": [({"row": "ucb-v", "size": "5x5"}, "5x5", {})],
}
THESIS = {
    "3.1 moves": [({"row": "steps"}, "5x5", {}), ({"row": "pushes"}, "5x5", {})],
    "3.7 exploration": [({"mcts.c": c}, "5x5", {}) for c in (1.0, 2.0)],
}
WRONG = "expected what levelsmith experiment judge --rows wrote, got something else"


def read(path):
    return list(csv.reader(io.StringIO(lzma.decompress(path.read_bytes()).decode(), newline="")))


def packed(table):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(table)
    return lzma.compress(text.getvalue().encode())


def told(verdicts):
    """All that verdicts say, in text: a number that is missing is not equal to itself."""
    return [str(each) for each in verdicts]


def sign(folder):
    """Writes the checksums of the files as they are now."""
    names = sorted(path.name for path in folder.iterdir() if path.suffix in (".xz", ".json"))
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names]
    (folder / "maps.sha256").write_text("\n".join(sums) + "\n")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    stores.maps(folder / "maps.db", RUNS, cells=CELLS)
    write_rows(folder / "maps.db", folder / "rows")
    return folder


@pytest.fixture
def folder(made, tmp_path):
    shutil.copytree(made / "rows", tmp_path / "rows")
    return tmp_path / "rows"


# ------------------------------------------------------------------------------------------------- the same


def test_rows_give_every_verdict_of_the_report(made):
    found = judge(made / "rows" / "maps-runs.csv.xz")
    assert told(found) == told(judge(made / "maps.db"))
    report = build(Results(made / "maps.db")).items()
    assert told(found) == told(each for each in report if isinstance(each, Finding))
    assert len({each.verdict for each in found}) > 1


@pytest.mark.parametrize(("pages", "parts"), [("kartal", KARTAL), ("koczorowski", THESIS)])
def test_rows_of_puzzles_keep_their_levels_and_gains(tmp_path, pages, parts):
    path = stores.sokoban(tmp_path / "runs.db", parts, pages, runs=6)
    write_rows(path, tmp_path)
    one, other = Results(path), Results(tmp_path / "runs-about.json")
    assert told(judge(path)) == told(judge(tmp_path / "runs.sha256"))
    for mine, theirs in zip(one.cells, other.cells, strict=True):
        assert one.levels(mine, 99, kept=True) == other.levels(theirs, 99, kept=True)
        for before, after in zip(one.history(mine), other.history(theirs), strict=True):
            assert before.tolist() == after.tolist()
    assert str(build(one).items()[-1]) == str(build(other).items()[-1])  # all cells


def test_rows_have_the_digest_of_their_file_and_all_columns(made):
    one, other = Results(made / "maps.db"), Results(made / "rows" / "maps-levels.csv.xz")
    assert one.digest() == other.digest()
    assert one.columns().keys() == other.columns().keys()
    for name, column in one.columns().items():
        assert str(column.tolist()) == str(other.columns()[name].tolist()), name
    counts = ("done", "asked", "parts", "compute")
    assert {name: status(made / "maps.db")[name] for name in counts} == {
        name: status(made / "rows" / "maps-runs.csv.xz")[name] for name in counts
    }


def test_a_row_says_which_part_its_run_is_of(made):
    head, *table = read(made / "rows" / "maps-runs.csv.xz")
    assert head[:3] == ["part", "cell", "run"]
    assert {row[0] for row in table} == {"trees", "optimisers"}
    assert len({tuple(row[:3]) for row in table}) == len(table) == len(CELLS) * RUNS
    assert all(row[head.index("gains")].count(":") == 1 for row in table)  # no page on maps reads more


@pytest.mark.slow
def test_what_was_measured_of_levels_stands_for_those_that_are_not_ours(file, tmp_path, monkeypatch):  # noqa: F811
    write_rows(file, tmp_path / "rows")
    expected = judge(file)
    page = markdown.write(build(Results(file)), "lode")
    assert len(read(tmp_path / "rows" / "lode-levels.csv.xz")) == 1
    monkeypatch.delenv("LEVELSMITH_DATA")
    for cached in (trained.digest_of, measured._reference, measured.groups):
        cached.cache_clear()
    assert told(judge(tmp_path / "rows" / "lode-runs.csv.xz")) == told(expected)
    assert any(
        each.rate < RATE for each in expected if each.name in ("L4", "L12")
    )  # which go by the originals
    digest = Results(tmp_path / "rows" / "lode-runs.csv.xz").digest()
    assert digest == Results(file).digest()
    again = markdown.write(build(Results(tmp_path / "rows" / "lode-runs.csv.xz")), "lode")
    texts = [one.replace("lode-runs.csv.xz", "lode.db").splitlines() for one, _ in (again, page)]
    assert [line for line in texts[0] if line not in texts[1]] == []
    assert [line for line in texts[1] if line not in texts[0]] == []
    assert again[1].keys() == page[1].keys()
    with pytest.raises(
        LevelsmithError, match="which rows are compared with, in LEVELSMITH_DATA as loderunner-"
    ):
        write_rows(file, tmp_path / "others")


def test_the_same_runs_are_the_same_bytes_whichever_workers_did_them(spec, tmp_path):
    for workers in (1, 2):
        path = tmp_path / str(workers) / "small.db"
        path.parent.mkdir()
        experiment.run(spec(), path, quick=True, workers=workers)
        write_rows(path, path.parent)
    for name in ("small-runs.csv.xz", "small-levels.csv.xz"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    write_rows(tmp_path / "2" / "small.db", tmp_path / "again")
    for path in (tmp_path / "again").iterdir():
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()


# --------------------------------------------------------------------------------------------------- damage


@pytest.mark.parametrize("ending", rows.FILES)
def test_a_file_that_is_not_as_it_was_written_is_named(folder, ending):
    path = folder / f"maps{ending}"
    data = path.read_bytes()
    for other in (data[: len(data) // 2], data[:-1] + bytes([data[-1] ^ 1]), b""):
        path.write_bytes(other)
        with pytest.raises(LevelsmithError, match=f"maps{ending} is not as it was written: its SHA-256 is"):
            judge(folder / "maps-runs.csv.xz")
    path.unlink()
    with pytest.raises(LevelsmithError, match=r"expected the five files|no file is called"):
        judge(folder / "maps-runs.csv.xz")


def test_checksums_that_are_none_or_of_other_files_are_refused(folder):
    sums = folder / "maps.sha256"
    lines = sums.read_text().splitlines()
    for text in ("", "what\n", "\n".join([*lines, "0 maps-runs.csv.xz"]), "\0\xff"):
        sums.write_bytes(text.encode("latin1"))
        with pytest.raises(LevelsmithError, match="expected a SHA-256 and a name on each line"):
            judge(folder / "maps-runs.csv.xz")
    sums.write_text(lines[0])
    with pytest.raises(LevelsmithError, match=r"has no SHA-256 of maps-runs.csv.xz"):
        judge(folder / "maps-runs.csv.xz")
    sums.unlink()
    with pytest.raises(LevelsmithError, match=r"cannot read .*maps.sha256"):
        judge(folder / "maps-runs.csv.xz")


def runs_with(place, value):
    def change(folder):
        table = read(folder / "maps-runs.csv.xz")
        table[5][place] = value
        (folder / "maps-runs.csv.xz").write_bytes(packed(table))

    return change


def about_with(**other):
    def change(folder):
        path = folder / "maps-about.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | other))

    return change


def without_a_column(folder):
    table = [row[:1] + row[2:] for row in read(folder / "maps-runs.csv.xz")]
    (folder / "maps-runs.csv.xz").write_bytes(packed(table))


def without_a_run(folder):
    (folder / "maps-runs.csv.xz").write_bytes(packed(read(folder / "maps-runs.csv.xz")[:-1]))


def not_packed(folder):
    (folder / "maps-levels.csv.xz").write_bytes(b"part,cell,run\n")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (about_with(rows=2), "has rows of the format 2, but this is levelsmith .*, which reads the format 1"),
        (about_with(meta={}), "is no file of an experiment"),
        (about_with(cells=[1]), f"maps-about.json: {WRONG}"),
        (about_with(machines=[]), f"maps-about.json: {WRONG}"),
        (runs_with(6, "much"), rf"maps-runs.csv.xz: {WRONG} \(could not convert string to float: 'much'\)"),
        (runs_with(1, "hcc"), f"maps-runs.csv.xz: {WRONG}"),
        (runs_with(2, "29"), f"maps-runs.csv.xz: {WRONG}"),
        (runs_with(6, "nan"), f"maps-runs.csv.xz: {WRONG}"),
        (runs_with(6, "1e300"), "score of its table runs has the value"),
        (runs_with(4, "{"), r"maps-runs.csv.xz is damaged: malformed JSON"),
        (runs_with(9, "1:0.5 2"), f"maps-runs.csv.xz: {WRONG}"),
        (without_a_column, rf"maps-runs.csv.xz: {WRONG} \(its columns are part, run, seed"),
        (without_a_run, f"maps-runs.csv.xz: {WRONG}"),
        (not_packed, rf"maps-levels.csv.xz: {WRONG} \(Input format not supported by decoder"),
    ],
)
def test_what_is_signed_but_none_of_ours_is_told_in_one_line(folder, change, said):
    change(folder)
    sign(folder)
    with pytest.raises(LevelsmithError, match=said) as caught:
        build(Results(folder / "maps-runs.csv.xz"))
    assert "\n" not in str(caught.value)


def test_rows_are_not_gone_on_with(folder, made):
    with pytest.raises(LevelsmithError, match="is a table of rows, which no run can go on from"):
        experiment.merge(folder / "new.db", [folder / "maps-runs.csv.xz"])
    with pytest.raises(LevelsmithError, match="is such a table already"):
        write_rows(folder / "maps-runs.csv.xz", folder)


# ------------------------------------------------------------------------------------------------ the command


def test_a_file_is_not_given_the_name_of_a_table(spec, tmp_path):
    with pytest.raises(LevelsmithError, match=r"x-runs.csv.xz is named as a table of runs is"):
        experiment.run(spec(), tmp_path / "x-runs.csv.xz", quick=True)
    assert not list(tmp_path.glob("x*"))


def test_judge_prints_verdicts_of_a_file_and_of_its_rows(made, tmp_path, typed):  # noqa: F811
    status_, plain, said = typed("judge", made / "maps.db", "--rows", tmp_path)
    assert (status_, said.count("maps-")) == (0, 4)
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in (made / "rows").iterdir()}
    assert typed("judge", tmp_path / "maps-runs.csv.xz") == (0, plain, "")
    assert plain.splitlines()[-1] == counted(judge(made / "maps.db"))
    _, lines, _ = typed("judge", tmp_path / "maps-runs.csv.xz", "--json")
    told = [json.loads(line) for line in lines.splitlines()]
    assert [(each["name"], each["verdict"]) for each in told] == [
        (each.name, each.verdict) for each in judge(made / "maps.db")
    ]
    claim = told[0]["claims"][0]
    assert len(claim["number"]) == 3
    assert claim["claim"] in "".join(each.details.rows[0][0] for each in judge(made / "maps.db")[:1])


@pytest.mark.slow
def test_judge_writes_the_whole_page(folder, typed):  # noqa: F811
    assert typed("judge", folder / "maps-runs.csv.xz", "-o", folder / "page.md")[0] == 0
    text = (folder / "page.md").read_text()
    assert "## Verdicts" in text
    assert "Figure 7" in text
    assert typed("judge", folder / "maps-runs.csv.xz", "-o", "page.txt")[::2] == (
        2,
        "levelsmith: expected a page that ends in .html or .md, got 'page.txt'\n",
    )


def test_an_experiment_without_a_paper_has_rows_but_no_verdicts(spec, tmp_path, typed):  # noqa: F811
    path = tmp_path / "small.db"
    experiment.run(spec(), path, quick=True, workers=1)
    status_, _, said = typed("judge", path)
    assert status_ == 2
    assert "repeats no paper, so it has no statements to judge" in said
    assert typed("judge", path, "--rows", tmp_path / "rows")[:2] == (0, "")
    found = experiment.compare(path, tmp_path / "rows" / "small-runs.csv.xz")
    assert found.alike == len(found.differences) > 0
