"""Links between the documents lead somewhere."""

from __future__ import annotations

import re

import pytest

from docs.documents import DOCUMENTS, FENCE, ROOT, name

LINK = re.compile(r"\]\(([^)\s]+)\)")
INCLUDED = re.compile(r"^```\{(?:include|image)\} (\S+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)


def anchor(heading: str) -> str:
    """The anchor that GitHub and the site give a heading."""
    words = re.sub(r"[^\w\s-]", "", heading.lower().replace("`", ""))
    return re.sub(r"\s", "-", words.strip())


@pytest.mark.parametrize("path", [*DOCUMENTS, ROOT / "CHANGELOG.md"], ids=name)
def test_relative_links_resolve(path):
    text = path.read_text(encoding="utf-8")
    targets = LINK.findall(FENCE.sub("", text)) + INCLUDED.findall(text)
    for target in targets:
        if re.match(r"[a-z]+:", target):
            continue
        file, _, fragment = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.is_file(), f"{name(path)}: {target} leads nowhere"
        assert found.is_relative_to(ROOT), f"{name(path)}: {target} leads out of the project"
        if fragment:
            headings = HEADING.findall(FENCE.sub("", found.read_text(encoding="utf-8")))
            assert fragment in map(anchor, headings), f"{name(path)}: {target} leads to no heading"


def test_anchors_are_those_of_the_site():
    assert anchor("Reproducibility, and where it ends") == "reproducibility-and-where-it-ends"
    assert anchor("Tiled: TMJ and TMX") == "tiled-tmj-and-tmx"
