"""The command reference is what the commands say about themselves."""

from __future__ import annotations

import importlib.util

import click
import pytest

from docs.documents import DOCS, shown
from levelsmith.cli import cli

PAGE = (DOCS / "commands.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reference():
    spec = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_the_help_says_now(reference):
    assert reference.reference() == PAGE, "docs/commands.md is out of date: run make reference"


def test_the_page_does_not_depend_on_the_terminal(reference, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    assert reference.reference() == PAGE


def leaves(command: click.Command, path: str):
    yield path, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            if not below.hidden:
                yield from leaves(below, f"{path} {name}")


@pytest.mark.parametrize(("path", "command"), list(leaves(cli, "levelsmith")), ids=lambda value: str(value))
def test_every_command_and_every_option_is_on_the_page(path, command):
    assert f"\n## {path}\n" in PAGE
    section = PAGE.split(f"\n## {path}\n")[1].split("\n## ")[0]
    for parameter in command.params:
        if isinstance(parameter, click.Option) and not parameter.hidden:
            for option in parameter.opts:
                assert option in section
        elif isinstance(parameter, click.Argument):
            assert parameter.make_metavar(click.Context(command)) in section


def test_the_page_says_nothing_about_this_machine(reference):
    assert max(map(len, PAGE.splitlines())) <= max(reference.COLUMNS, 111)
    for line in PAGE.splitlines():
        if "--workers" in line:
            assert "default" not in line


def test_files_that_a_page_shows_are_as_they_are():
    page = (DOCS / "own-game.md").read_text(encoding="utf-8")
    assert len(shown.SHOWN.findall(page)) == 6
    assert shown.refreshed(page) == page, "docs/own-game.md is out of date: run make reference"
