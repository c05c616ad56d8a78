"""Reports in a real browser: they ask for nothing else, fit a phone, and follow the reader's colours."""

import pytest

from experiment import stores
from levelsmith.experiment.report import report

CELLS = [("a part", search, "wide", "path-length") for search in ("bfs", "hc")]
# Text and graphics whose right end lies outside the page; tables aside, which scroll in their own frames.
OUTSIDE = """() => [...document.querySelectorAll("h1, h2, h3, h4, p, figcaption, svg, span")]
    .filter(e => !e.closest(".scroll") && e.getBoundingClientRect().right > innerWidth + 1)
    .map(e => e.textContent.slice(0, 40))"""


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    spec = '{"title": "AnExperimentWithAVeryLongNameThatNobodyWouldEverType"}'
    report(stores.maps(folder / "runs.db", 6, cells=CELLS, spec=spec), folder / "report.html")
    return folder / "report.html"


@pytest.mark.first(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_a_report_fits_the_screen_and_asks_for_nothing(browser, file, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: errors.append(message.text))
    page.goto(file.as_uri())
    assert [url for url in asked if not url.startswith("data:")] == [file.as_uri()]
    assert errors == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(OUTSIDE) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 22, 28)"}[scheme]
    page.close()
