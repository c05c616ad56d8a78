"""CITATION.cff is a valid citation file for this version, and the changelog knows the version too."""

from __future__ import annotations

import pytest
import yaml

import levelsmith
from docs.documents import ROOT

TYPES = {"article", "book", "conference-paper", "report", "software", "thesis", "unpublished"}


@pytest.fixture(scope="module")
def citation():
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_it_has_what_the_format_asks_for(citation):
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= set(citation)
    assert citation["authors"] == [{"name": "The levelsmith developers"}]
    assert citation["license"] == "MIT"


def test_it_is_about_this_version(citation):
    assert citation["version"] == levelsmith.__version__
    assert levelsmith.__version__ in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_five_papers_are_named_with_their_authors(citation):
    assert len(citation["references"]) == 5
    for paper in citation["references"]:
        assert paper["type"] in TYPES
        assert paper["title"]
        assert all(set(author) == {"family-names", "given-names"} for author in paper["authors"])
