"""Writes the command reference from the commands' own help: `python docs/reference.py docs/commands.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from levelsmith.cli import cli

COLUMNS = 100
PROGRAM = "levelsmith"
OPENING = f"""\
# Commands

Every command answers `--help`, and this page has the answers. `make reference` writes it, and the tests
compare the two, so it cannot fall behind.

The exit status is 0 if all went well, and 130 after Ctrl-C. It is 2 after a mistake in what you typed or in
a file (one line on standard error says what was expected, what came and what to try), or if an output cannot
be written, such as on a full disk. Levels and tables go to standard output, everything else to standard
error, so `{PROGRAM} … | less` and `{PROGRAM} … > file` get the levels alone. A reader that has seen enough
(`{PROGRAM} … | head`) is no error.
"""


def commands(
    command: click.Command = cli, parent: click.Context | None = None, name: str = PROGRAM
) -> Iterator[click.Context]:
    """The context of a command and of all below it, in the order of `--help`, at a fixed width."""
    context = click.Context(
        command,
        parent=parent,
        info_name=name,
        terminal_width=COLUMNS,
        max_content_width=COLUMNS,
        **command.context_settings,
    )
    yield context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from commands(found, context, below)


def reference() -> str:
    helps = [(context.command_path, context.get_help().rstrip()) for context in commands()]
    sections = [f"## {path}\n\n```text\n{text}\n```\n" for path, text in helps]
    return "\n".join([OPENING, *sections])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("expected the file to write, such as: python docs/reference.py docs/commands.md")
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
