"""Runs scripts of the studio without a page: in node, or where there is none in a browser."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from levelsmith.studio.modules import file_of, modules

ORIGIN = "http://localhost:8765/"
RUN = """
import { createInterface } from "node:readline";
import answer from "./asked.js";
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line))));
}
"""


@cache
def browser(*arguments: str) -> Any:
    """Returns Chromium, begun with these arguments; it ends with the program."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("expected node or chromium, got neither; Debian: apt-get install chromium")
    arguments = ("--no-sandbox", "--disable-gpu", *arguments)
    begun = _playwright().chromium.launch(executable_path=chromium, args=arguments)
    atexit.register(begun.close)
    return begun


@cache
def _playwright() -> Any:
    from playwright.sync_api import sync_playwright

    begun = sync_playwright().start()
    atexit.register(begun.stop)
    return begun


class Page:
    """The default function of a module that stands beside the studio's scripts: data in, data out."""

    def __init__(self, source: str, node: bool = True):
        program = shutil.which("node") if node else None
        self.ask = self._in_node(program, source) if program else self._in_browser(source)

    @staticmethod
    @cache
    def of(source: str, node: bool = True) -> Page:
        """Returns the page of a module; there is one of each."""
        return Page(source, node)

    def __call__(self, data: Any) -> Any:
        return self.ask(data)

    def _in_node(self, node: str, source: str) -> Any:
        folder = tempfile.TemporaryDirectory()
        static = Path(folder.name) / "static"
        for name, file in modules().items():
            (static / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, static / name)
        (static / "package.json").write_text('{"type": "module"}')  # as browsers take it
        (static / "asked.js").write_text(source)
        (static / "run.js").write_text(RUN)
        process = subprocess.Popen(
            [node, "run.js"], cwd=static, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

        def close() -> None:
            process.kill()
            process.wait()
            folder.cleanup()

        atexit.register(close)

        def ask(data: Any) -> Any:
            given, told = process.stdin, process.stdout
            if given is None or told is None:
                raise SystemExit("expected a script that can be talked to, got none")
            given.write(json.dumps(data) + "\n")
            given.flush()
            line = told.readline()
            if not line:
                raise SystemExit("the script has ended with an error, which stands above")
            return json.loads(line)

        return ask

    def _in_browser(self, source: str) -> Any:
        page = browser().new_page()

        def serve(route: Any) -> None:
            path = route.request.url.removeprefix(ORIGIN)
            if path == "":
                route.fulfill(body="<!doctype html>", content_type="text/html")
            else:
                text = source if path == "asked.js" else file_of(path).read_text(encoding="utf-8")
                route.fulfill(body=text, content_type="text/javascript")

        page.route("**/*", serve)
        page.goto(ORIGIN)
        run = "async (data) => JSON.stringify(await (await import('/asked.js')).default(JSON.parse(data)))"
        return lambda data: json.loads(page.evaluate(run, json.dumps(data)))
