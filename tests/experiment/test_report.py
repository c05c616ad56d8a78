"""Reports: every page is drawn from a file, needs nothing else, and says what the runs say."""

import builtins
import csv
import re
import sqlite3

import numpy as np
import pytest

from experiment import stores
from levelsmith import LevelsmithError
from levelsmith.experiment import markdown
from levelsmith.experiment.claims import ALL, MOST, Statement, above, within
from levelsmith.experiment.figures import INK, drawn, matplotlib, settings
from levelsmith.experiment.page import Gallery, Page, Section, Table, as_csv, plain, shown, write
from levelsmith.experiment.panels import Line, curves, short
from levelsmith.experiment.report import FIGURES, build, report
from levelsmith.experiment.results import Results
from levelsmith.experiment.statistics import Estimate
from levelsmith.experiment.verdicts import judge
from levelsmith.levels.formats.text import parse

NETWORK = re.compile(r'(?:src|href)="(?!#|data:)|@import|url\((?!#)|https?://(?!www\.w3\.org)')
MOST_WORDS = 1500  # before the appendix
FEW = [
    (part, *cell)
    for part, *cell in stores.map_cells()
    if cell[0] in ("bfs", "mcts") and cell[2] == "path-length"
]


def check(page):
    """A page that needs no network and holds no number that is none."""
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert NETWORK.search(text) is None
    assert "nan" not in re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL).lower().replace("variance", "")
    return text


def test_any_experiment_has_general_pages(tmp_path):
    cells = [("my part", search, "wide", "path-length") for search in ("bfs", "hc")]
    file = stores.maps(tmp_path / "mine.db", 8, cells=cells, spec='{"title": "Mine", "pages": ""}')
    report(file, tmp_path / "mine.html", str(tmp_path / "figures"))
    text = check(tmp_path / "mine.html")
    for words in (
        "Mine",
        "my part",
        "Paired tests",
        "Expressive range",
        "out of memory",
        "prefers-color-scheme",
    ):
        assert words in text
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"my-part-curves.png", "my-part-curves.svg", "my-part-curves.pdf", "my-part-cells.csv"} <= names
    with open(tmp_path / "figures" / "my-part-cells.csv", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    results = Results(file)
    for row, cell in zip(rows, results.cells, strict=True):
        assert float(row["solved"]) == pytest.approx(results.values(cell, "solved").mean(), abs=1e-5)
        assert float(row["solved low"]) < float(row["solved"]) + 1e-9 <= float(row["solved high"]) + 2e-9


@pytest.mark.parametrize("names", [["a name that is far too long", "b"], [f"run {i}" for i in range(13)]])
def test_a_legend_of_long_or_many_names_stands_below_the_axes(names):
    x = np.arange(3.0)
    panel = curves("", [Line(name, x, x, "#000000") for name in names], "x", "y")
    with matplotlib().rc_context(settings(INK)):
        drawing = drawn(panel)
        drawing.draw_without_rendering()
    (axes,) = drawing.axes
    legend = axes.get_legend().get_window_extent()
    assert legend.y1 < axes.xaxis.label.get_window_extent().y0
    assert drawing.bbox.union([drawing.bbox, legend]).extents == pytest.approx(drawing.bbox.extents)


def test_the_same_file_gives_the_same_page(tmp_path):
    file = stores.maps(
        tmp_path / "one.db", 4, cells=[("one", "hc", "wide", "path-length")], spec='{"title": "One"}'
    )
    for name in ("a.html", "b.html"):
        report(file, tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_claim_holds_or_fails_only_when_its_whole_interval_does():
    def number(low, high):
        """The whole interval at 99 %, narrower below."""
        middle, half = (low + high) / 2, (high - low) / 2
        return lambda level: Estimate(
            middle, *(middle + side * half * min(1, level / 0.99) for side in (-1, 1)), 10
        )

    def verdict_on(claims, needed):
        return judge([Statement("T0", "", claims, needed)])[0].verdict

    claims = {
        "confirmed": above("", number(0.1, 0.2)),
        "open": above("", number(-0.1, 0.2)),
        "contradicted": above("", number(-0.2, -0.1)),
    }
    for verdict, claim in claims.items():
        assert verdict_on([claim], ALL) == verdict
    assert verdict_on([within("", number(-0.2, 0.05), -0.1, 0.1)], ALL) == "open"
    assert verdict_on([above("", number(-0.02, 0.1), -0.05)], ALL) == "confirmed"
    most = [claims["confirmed"], claims["confirmed"], claims["contradicted"]]
    assert verdict_on(most, MOST) == "confirmed"
    assert verdict_on(most, ALL) == "not everywhere"


def test_the_expressive_range_of_any_two_metrics_can_be_asked_for(tmp_path):
    file = stores.maps(tmp_path / "runs.db", 3, cells=[("one", "hc", "wide", "path-length")])
    results = Results(file)
    page = build(results, ("regions", "path"))
    assert "Expressive range of regions and path" in [section.title for section in page.sections]
    with pytest.raises(LevelsmithError, match=r"no metric in .* is called 'pth'; did you mean 'path'"):
        build(results, ("pth", "regions"))


def test_pages_that_there_are_not_are_named(tmp_path):
    file = stores.maps(tmp_path / "bad.db", 2, cells=FEW[:1], pages="map")
    with pytest.raises(LevelsmithError, match="no set of pages is called 'map'; did you mean 'maps'"):
        report(file, tmp_path / "bad.html")


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    file = stores.maps(tmp_path / "runs.db", 2, cells=FEW[:1])
    real = builtins.__import__

    def missing(name, *rest):
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(LevelsmithError, match=r"pip install 'levelsmith\[analysis\]'"):
        report(file, tmp_path / "no.html")
    assert not (tmp_path / "no.html").exists()


def test_numbers_are_shown_with_the_digits_that_mean_something():
    assert shown(Estimate(0.5, 0.4012, 0.6), "share") == '50.0 % <span class="ends">40.1 … 60.0</span>'
    assert shown(Estimate(1.23456, 1.2, 1.27), "number") == '1.235 <span class="ends">1.200 … 1.270</span>'
    assert shown(None, "number") == shown(float("nan"), "number") == "–"
    assert plain(0.0004, "chance") == "< 0.001"
    assert short(50_000) == "50k"


def test_tables_as_csv_have_the_ends_of_intervals_in_columns():
    table = Table(
        "t", "", {"name": "text", "share": "share"}, [["a, b", Estimate(0.5, 0.25, 0.75)], ["c", None]]
    )
    assert as_csv(table) == 'name,share,share low,share high\n"a, b",0.5,0.25,0.75\nc,,,\n'


def test_a_report_in_markdown_has_its_pictures_and_tables_beside_it(tmp_path):
    file = stores.maps(tmp_path / "few.db", 6, cells=FEW)
    page, *beside = report(file, tmp_path / "results" / "few.md")
    text = page.read_text()
    linked = set(re.findall(r"\]\((few/[^)]+)\)", text))
    assert linked == {str(path.relative_to(tmp_path / "results")) for path in beside}
    assert text.index("## Verdicts") < text.index("## What was run") < text.index("## Solved")
    assert "**figure" not in text
    assert {path.suffix for path in beside} == {".png", ".csv"}
    assert max(path.stat().st_size for path in beside) < 300_000


def test_a_page_on_a_paper_begins_with_its_answer(tmp_path):
    some = [
        cell for cell in stores.map_cells() if cell[1] in ("es", "ga", "bfs") and cell[3] == "empty-tiles"
    ]
    text = report(stores.maps(tmp_path / "maps.db", 6, cells=some), tmp_path / "maps.md")[0].read_text()
    first, _, rest = text.partition("\n## Appendix\n")
    assert re.findall("^## (.*)", first, re.MULTILINE) == ["Verdicts", "What to take from it", FIGURES]
    assert len(first.split()) < MOST_WORDS
    assert first.count("![") == 3
    lines = [line for line in first.splitlines() if line]
    assert re.fullmatch(r"\*\*\d+ confirmed, .+\*\*", lines[3])
    assert lines[4] == "|  | the paper says | its number | here | verdict |"
    assert re.fullmatch(
        r"\| T1 \| ES and GA .+ \| figure 1 \| \*\*.+\*\* points .+: .+ \| . [a-z ]+ \|", lines[6]
    )
    assert "### All verdicts" in rest
    assert "#### " in rest
    assert "| statements.csv" not in first


def test_a_digest_is_of_what_runs_gave_and_not_of_their_time(tmp_path):
    one, other = (Results(stores.maps(tmp_path / f"{i}.db", 6, cells=FEW)) for i in (1, 2))
    assert one.digest() == other.digest()
    other.reader.close()
    with sqlite3.connect(tmp_path / "2.db") as base:
        base.execute("UPDATE runs SET seconds = seconds + 1")
    again = Results(tmp_path / "2.db")
    assert again.digest() == one.digest()
    again.reader.close()
    with sqlite3.connect(tmp_path / "2.db") as base:
        base.execute("UPDATE runs SET evaluations = evaluations + 1")
    assert Results(tmp_path / "2.db").digest() != one.digest()


def test_levels_made_from_those_of_others_are_not_published():
    level = parse("#####\n#@$.#\n#####", "sokoban")
    page = Page(
        "", "", [Section("", [Gallery("Seven", [(level, "one")], ours=ours) for ours in (True, False)])]
    )
    text, files = markdown.write(page, "folder")
    assert (list(files), text.count("![Seven]"), text.count("not published")) == (["seven.png"], 1, 1)
    assert write(page).count("<svg") == 2


def test_a_page_of_another_kind_is_refused_before_anything_is_read():
    from click.testing import CliRunner

    from levelsmith.cli.report import report as command

    failed = CliRunner().invoke(command, ["none.db", "-o", "page.pdf"]).exception
    assert str(failed) == "expected a page that ends in .html or .md, got 'page.pdf'"
