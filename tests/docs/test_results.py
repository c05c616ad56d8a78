"""The published results of the papers: whole, counted rightly, and written anew by the same command."""

import importlib.util
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from docs.documents import DOCS
from levelsmith.experiment import run
from levelsmith.experiment.claims import Paper
from levelsmith.experiment.papers import freeze
from levelsmith.experiment.report import judge, report
from levelsmith.experiment.rows import RUNS
from levelsmith.experiment.verdicts import SIGNS

PAGES = DOCS / "results"

spec = importlib.util.spec_from_file_location("results", DOCS.parent / "tools" / "results.py")
results = importlib.util.module_from_spec(spec)
spec.loader.exec_module(results)

published = [name for name in results.PAPERS if (PAGES / f"{name}.md").exists()]
with_rows = [name for name in published if (PAGES / results.ROWS / f"{name}{RUNS}").exists()]


def names_of(paper):
    """The statements of a paper by name; of both editions where it has two."""
    rows = Paper(f"levelsmith.experiment.papers.{paper}").rows
    editions = rows.values() if paper == "maps" else [rows]
    return [name for edition in editions for name in edition]


def headings(text):
    """Sections, figures, tables and the names of statements: what a page has, whatever came out."""
    found = re.findall(
        r"^##+ (\w[^:\n]+)$|^#+ [^\w#] (\w+):|^\*\*((?:Figure|Table)[^*]+)\*\*$", text, re.MULTILINE
    )
    return [re.sub(r"(?<=above )[\d.]+", "…", next(filter(None, words))) for words in found]


def test_every_paper_is_published():
    assert published == list(results.PAPERS)


@pytest.mark.parametrize("name", published)
def test_a_page_has_the_files_that_it_links_to_and_no_others(name):
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    linked = set(re.findall(rf"\]\({name}/([^)]+)\)", text))
    assert linked == {path.name for path in (PAGES / name).iterdir()}
    assert sum(path.stat().st_size for path in (PAGES / name).iterdir()) < 2_000_000


@pytest.mark.parametrize("name", published)
def test_the_counts_on_top_are_those_of_the_statements_below(name):
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    counted = results.COUNTED.search(text)[1]
    signs = "✓✗◐?" if "everywhere" in counted else "✓✗?"  # pages of before have three words
    below = [len(re.findall(rf"^####? {re.escape(sign)} ", text, re.MULTILINE)) for sign in signs]
    assert [int(number) for number in re.findall(r"\d+", counted)] == below
    assert f"]({name}.md) | {counted} |" in (PAGES / "index.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", with_rows)
def test_the_answer_stands_first_and_in_few_words(name):
    first, behind, _ = (PAGES / f"{name}.md").read_text(encoding="utf-8").partition("\n## Appendix\n")
    assert behind
    assert len(first.split()) < 1500
    assert first.count(f"]({name}/") == first.count("![") == 3
    lines = [line for line in first.splitlines() if line]
    assert lines[2:5:2] == ["## Verdicts", "|  | the paper says | its number | here | verdict |"]
    assert len([line for line in lines if re.match(r"\| \w+ \| ", line)]) >= 5


def sections_of_the_science():
    """The sections on papers whose pages have rows, with the names that their headings have."""
    text = (DOCS / "science.md").read_text(encoding="utf-8")
    for section in re.split(r"^##+ ", text, flags=re.MULTILINE):
        names = re.findall(r"`(\w+)`", section.partition("\n")[0])
        if names and set(names) <= set(with_rows):
            yield pytest.param(names, section, id="-".join(names))


@pytest.mark.parametrize(("names", "section"), list(sections_of_the_science()))
def test_the_science_has_no_number_that_the_page_does_not_have(names, section):
    text = "\n".join((PAGES / f"{name}.md").read_text(encoding="utf-8") for name in names)
    numbers = re.findall(r"\d+\.\d+|\d+(?= %)", section)
    assert numbers
    there = set(re.findall(r"(?<![\d.,])\d+(?:\.\d+)?", text))
    assert [each for each in numbers if each not in there] == []
    told = re.findall(r"\b(\d+) (?:are|is) (confirmed|contradicted|open)", section)
    assert told
    assert [each for each in told if " ".join(each) not in " ".join(results.COUNTED.findall(text))] == []


def test_the_page_of_deviations_is_that_of_its_table(tmp_path):
    results.write_deviations(tmp_path)
    made = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.*")}
    published = {path: (PAGES / path).read_text(encoding="utf-8") for path in made}
    assert made == published
    text = made[Path("deviations.md")]
    assert text.index("| L12 ") < text.index("| L3 ") < text.index("| S10 ") < text.index("| T1")


def test_every_change_names_statements_that_there_are():
    said = {name for paper in freeze.PAPERS for name in names_of(paper)}
    for change in tomllib.loads((files(freeze.__package__) / "deviations.toml").read_text("utf-8"))["change"]:
        for name in re.findall(r"[A-Z]\d+[a-d]?", change["statements"]):
            assert any(re.fullmatch(rf"{name}[a-d]?", each) for each in said), name


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((PAGES / results.ROWS).glob("*-runs.csv.xz")))
def test_published_rows_give_the_verdicts_of_their_page(path):
    text = (PAGES / f"{path.name.removesuffix('-runs.csv.xz')}.md").read_text(encoding="utf-8")
    found = [(SIGNS[each.verdict], each.name) for each in judge(path)]
    assert found == re.findall(r"^####? (.) (\w+):", text, re.MULTILINE)


@pytest.mark.slow(60)
@pytest.mark.parametrize("name", with_rows)
def test_the_quick_form_of_a_page_has_all_that_the_published_one_has(name, tmp_path, monkeypatch):
    monkeypatch.delenv("LEVELSMITH_DATA", raising=False)  # no model of levels that pages may not show
    run(name, tmp_path / "quick.db", quick=True)
    again, *_ = report(tmp_path / "quick.db", tmp_path / f"{name}.md")
    published_page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert headings(again.read_text(encoding="utf-8")) == headings(published_page)
