"""The one design: readable in both themes, and light to carry."""

import re
from pathlib import Path

import pytest

import levelsmith
from levelsmith.studio.modules import modules

STATIC = Path(levelsmith.__file__).parent / "studio" / "static"
STYLE = (STATIC / "style.css").read_text()
TOKENS = {
    name: colours for name, *colours in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);", STYLE)
}
TEXT = [
    (ink, ground)
    for ink in ("text", "soft", "accent", "good", "bad", "warm")
    for ground in ("page", "card", "sunk")
]
TEXT += [("on-accent", "accent"), ("good", "tint"), ("bad", "bad-tint"), ("page", "text"), ("soft", "line")]
EDGES = [("edge", "page"), ("edge", "card"), ("accent", "page"), ("accent", "card")]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_writing_and_edges_stand_out_as_wcag_aa_asks(theme):
    weak = {
        f"{ink} on {ground}": round(contrast(TOKENS[ink][theme], TOKENS[ground][theme]), 2)
        for pairs, least in ((TEXT, 4.5), (EDGES, 3))
        for ink, ground in pairs
        if contrast(TOKENS[ink][theme], TOKENS[ground][theme]) < least
    }
    assert weak == {}


def test_all_pages_together_are_light_and_ask_no_one_else():
    files = [file for file in {*STATIC.rglob("*"), *modules().values()} if file.is_file()]
    assert sum(file.stat().st_size for file in files) < 500_000
    for file in files:
        addresses = set(re.findall(r"https?://[^\s\"'`)<]+", file.read_text()))
        assert addresses <= {"http://www.w3.org/2000/svg"}, file


def test_nothing_needs_a_looser_policy():
    """The pages run under a policy that forbids scripts and styles in the text."""
    html = (STATIC / "index.html").read_text()
    assert "<style" not in html
    assert not re.search(r"<script(?![^>]*\bsrc=)", html)
    assert not re.search(r"\s(on\w+|style)=", html)
