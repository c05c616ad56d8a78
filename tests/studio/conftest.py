"""One running studio for a file of tests; and its modules without a page, in node or else in a browser."""

import json
import shutil
import subprocess

import pytest

from levelsmith.studio.modules import file_of, modules
from studio.running import Running

ORIGIN = "http://localhost:8765/"
RUN = """
import check from "./check.js";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(await check(JSON.parse(readFileSync("data.json", "utf8")))));
"""


@pytest.fixture(scope="module")
def javascript(request, tmp_path_factory):
    """`javascript(source, data)`: what the default function of a module beside the static files returns."""
    node = shutil.which("node")
    if node is None:
        page = request.getfixturevalue("page")
        return lambda source, data=None: _in_browser(page, source, data)
    folder = tmp_path_factory.mktemp("static") / "static"
    for name, file in modules().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / name)
    (folder / "package.json").write_text('{"type": "module"}')  # as browsers take it
    (folder / "run.js").write_text(RUN)

    def run(source, data=None):
        (folder / "check.js").write_text(source)
        (folder / "data.json").write_text(json.dumps(data))
        done = subprocess.run(
            [node, "run.js"], cwd=folder, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


def _in_browser(page, source, data):
    def serve(route):
        path = route.request.url.removeprefix(ORIGIN)
        if path == "":
            route.fulfill(body="<!doctype html>", content_type="text/html")
        else:
            text = source if path == "check.js" else file_of(path).read_text()
            route.fulfill(body=text, content_type="text/javascript")

    page.unroute_all()
    page.route("**/*", serve)
    page.goto(ORIGIN)
    return page.evaluate("async (data) => (await import('/check.js')).default(data)", data)


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    running = Running(tmp_path_factory.mktemp("studio") / "studio.db", "--jobs", 2)
    yield running
    assert running.stop() == ""  # it has complained about nothing
