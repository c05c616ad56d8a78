"""The published results of the papers: whole, counted rightly, and written anew by the same command."""

import importlib.util
import re

import pytest

from docs.documents import DOCS
from levelsmith.experiment import run
from levelsmith.experiment.report import judge, report
from levelsmith.experiment.verdicts import SIGNS

PAGES = DOCS / "results"

spec = importlib.util.spec_from_file_location("results", DOCS.parent / "tools" / "results.py")
results = importlib.util.module_from_spec(spec)
spec.loader.exec_module(results)

published = [name for name in results.PAPERS if (PAGES / f"{name}.md").exists()]


def headings(text):
    """Sections, figures, tables and the names of statements: what a page has, whatever came out."""
    found = re.findall(r"^## (.+)$|^### . (\w+):|^\*\*((?:Figure|Table)[^*]+)\*\*$", text, re.MULTILINE)
    return [next(filter(None, words)) for words in found]


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
    below = [len(re.findall(rf"^### {re.escape(sign)} ", text, re.MULTILINE)) for sign in "✓✗?"]
    assert [int(number) for number in results.COUNTED.search(text).groups()] == below
    assert f"]({name}.md) | {' | '.join(map(str, below))} |" in (PAGES / "index.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted((PAGES / results.ROWS).glob("*-runs.csv.gz")))
def test_published_rows_give_the_verdicts_of_their_page(path):
    text = (PAGES / f"{path.name.removesuffix('-runs.csv.gz')}.md").read_text(encoding="utf-8")
    found = [(SIGNS[each.verdict], each.name) for each in judge(path)]
    assert found == re.findall(r"^### (.) (\w+):", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", published)
def test_the_quick_form_of_a_page_has_all_that_the_published_one_has(name, tmp_path):
    run(name, tmp_path / "quick.db", quick=True)
    again, *_ = report(tmp_path / "quick.db", tmp_path / f"{name}.md")
    published_page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert headings(again.read_text(encoding="utf-8")) == headings(published_page)
