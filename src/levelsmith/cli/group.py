"""A group of commands, of which `levelsmith` is the largest."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.errors import LevelsmithError, nearest, quoted

# What people type for some commands, by their usual names elsewhere.
ELSEWHERE = {"verify": "check", "lint": "check", "edit": "studio", "draw": "studio", "make": "generate"}


class Group(click.Group):
    """A group that knows what a mistyped command was meant to be."""

    def invoke(self, context: click.Context) -> Any:
        """Runs a command; tells of a process that went away, which click would take for a reader's end."""
        try:
            return super().invoke(context)
        except BrokenPipeError:
            raise LevelsmithError(
                "a process that was started for this has ended too soon (killed, or out of memory?); "
                "type it again, or with --workers 1"
            ) from None

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            usual = ELSEWHERE.get(args[0])
            meant = usual if usual in self.commands else nearest(args[0], self.commands)
            hint = (
                f"did you mean {quoted(meant)}?" if meant else f"expected one of: {', '.join(self.commands)}"
            )
            raise LevelsmithError(
                f"no command is called {quoted(args[0])}; {hint} ({context.command_path} --help)"
            )
        return super().resolve_command(context, args)
