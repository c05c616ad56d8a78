"""Pages that lead into the studio: one asks for the token, one goes on by itself, one is a private file."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

NO_TOKEN = "expected the token of this studio: open the address that levelsmith studio has printed"  # noqa: S105

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>levelsmith studio</title>
{}
</html>
"""
MOVE = """<meta http-equiv="refresh" content="0; url={address}">
<p><a href="{address}">Go on to the studio</a></p>"""
ASK = """<h1>levelsmith studio</h1>
<p>This studio asks who you are. Open the address that <code>levelsmith studio</code> has printed where it was
started, or paste the token from that address:</p>
<form action="{path}" method="get">
<p><label>Token <input name="token" type="password" autocomplete="off" required autofocus></label>
<button>Open</button></p>
</form>
<p>If you have been here before, <a href="{address}">try once more</a>.</p>"""


def go_on(address: str) -> str:
    """Returns a page that goes on to an address by itself."""
    return PAGE.format(MOVE.format(address=escape(address)))


def ask_token(address: str) -> str:
    """Returns a page that asks for the token, on the way to an address here."""
    path = address.partition("?")[0]
    return PAGE.format(ASK.format(path=escape(path), address=escape(address)))


@contextlib.contextmanager
def private_page(address: str) -> Iterator[str]:
    """Gives the address of a file that leads to the studio and that nobody else can read.

    What a browser is started with stands in the list of processes, where everybody sees it: so it gets this
    file and not the address with the token. The file is removed at the end.
    """
    with tempfile.TemporaryDirectory(prefix="levelsmith-") as folder:
        page = Path(folder) / "studio.html"
        with open(os.open(page, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(go_on(address))
        yield page.as_uri()
