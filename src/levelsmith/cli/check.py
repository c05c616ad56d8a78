"""`levelsmith check`: proves every level of a project, and tells what its maker wants to be warned of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import NUMBER, Name, assigned, field_option

if TYPE_CHECKING:
    from levelsmith.checking.findings import Finding
    from levelsmith.checking.run import Checked
    from levelsmith.checking.settings import Settings

INTERRUPTED = 130
FORMATS = ("text", "json", "junit", "sarif", "github")  # as `levelsmith.checking.reports` has them


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--game", type=Name("games"), help="The game of files that do not name it.")
@field_option("guards")
@click.option("--tile", "tiles", multiple=True, metavar="TILE=NAME", help="What a tile of a Tiled map is.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Files to pass over; repeat it.")
@click.option("--config", metavar="PATH", help="The settings (levelsmith.toml, or pyproject.toml).")
@click.option("--since", metavar="REV", help="Only files that have changed since a revision of git.")
@click.option(
    "--finding", "findings", multiple=True, metavar="NAME=off", help="error, warning or off; repeat it."
)
@click.option("--every", is_flag=True, help="Kinds of findings that are off by default are warnings.")
@click.option("--list", "listing", is_flag=True, help="List all kinds of findings, and check nothing.")
@click.option("--seconds", type=float, help="Most time for a level (10).")
@click.option("--within", type=float, help="Most time for all levels together.")
@click.option("--states", type=NUMBER, help="Most states to look at for a level, such as 2M.")
@click.option("--memory", type=NUMBER, help="Most megabytes for a level (1000).")
@click.option("--memory-all", type=NUMBER, help="Most megabytes for levels looked at at once.")
@field_option("workers", help="Processes (all cores).", default=None)
@click.option("--proofs", metavar="PATH", help="The file in which proofs are kept from run to run.")
@click.option("--format", "write_as", type=click.Choice(FORMATS), default="text", help="How to tell it.")
@click.option("-o", "--output", metavar="PATH", help="Write that here; standard output has it as text.")
@click.option("-q", "--quiet", is_flag=True, help="Findings alone, no verdict on each level.")
def check(
    files: tuple[str, ...],
    listing: bool,
    since: str | None,
    write_as: str,
    output: str | None,
    quiet: bool,
    **options: Any,
) -> int:
    """Prove every level of FILES, and look each over; without FILES, those of levelsmith.toml, or all here.

    FILES are files, folders with all in them, patterns such as 'levels/*.xsb', and packs that ship. Each
    level gets a verdict: won in so many (the fewest, proved), can be won, cannot be won (proved), not known
    within the limit. Then it is told what is wrong or odd, a line each, with file, line and column.

    \b
    The exit status, for builds:
      0  no errors
      1  an error: a level that cannot be won, say
      2  a file cannot be read, a grid is no level, an option is wrong

    \b
    levelsmith check
    levelsmith check levels/ --proofs .levelsmith/proofs.db
    levelsmith check game.txt --finding unknown=warning
    levelsmith check levels/ --format junit -o report.xml
    levelsmith check --since origin/main --format github
    """
    from levelsmith.checking.reports import REPORTS, as_text
    from levelsmith.cli.output import tell_compilations

    settings = _settings(files, options)
    if listing:
        _list()
        return 0
    _writable(output)
    tell_compilations()
    checked, findings, stopped = _checked(settings, files, since)
    report = REPORTS[write_as](checked, findings)
    if output is not None:
        from pathlib import Path

        from levelsmith.files import write_files

        write_files({Path(output): report.encode()})
    if output is not None or write_as == "text":
        report = as_text(checked, findings, not quiet)
    click.echo(report, nl=False)
    return _ended(checked, findings, stopped)


def _settings(files: tuple[str, ...], options: dict[str, Any]) -> Settings:
    import os

    from levelsmith.checking.settings import found_settings, parsed_findings, with_options

    tiles = assigned(options.pop("tiles"), "--tile TILE=NAME")
    findings = parsed_findings(options.pop("findings"))
    found = found_settings(options.pop("config"))
    workers = options.pop("workers") or (found.workers if found.workers > 1 else os.cpu_count() or 1)
    given = {**options, "tiles": tiles, "findings": findings, "files": files, "workers": workers}
    return with_options(found, given)


def _writable(output: str | None) -> None:
    """Refuses a file that could not be written, before any work is done for it."""
    import os
    from pathlib import Path

    from levelsmith.errors import LevelsmithError, quoted

    if output is not None:
        folder = Path(output).parent
        if Path(output).is_dir() or (folder.exists() and not os.access(folder, os.W_OK)):
            raise LevelsmithError(
                f"cannot write {quoted(Path(output))}: expected a file in a folder of yours"
            )


def _list() -> None:
    """Prints all kinds of findings: how grave each is by default, and what it is."""
    from levelsmith.checking.findings import GENERAL, kinds_of
    from levelsmith.registry import games

    every = [*games.working(), *(games.get(name) for name in games.findable[:1])]
    kinds = kinds_of(every)
    width = max(map(len, kinds))
    for name, (severity, what) in kinds.items():
        having = [game.name.partition(":")[0] for game in every if name in kinds_of([game])]
        own = "" if name in GENERAL else f"  {', '.join(having)}"
        click.echo(f"{name:<{width}}  {severity:<7}  {what}{own}")


def _checked(
    settings: Settings, files: tuple[str, ...], since: str | None
) -> tuple[Checked, list[Finding], bool]:
    from levelsmith.checking.judge import findings_of
    from levelsmith.checking.reading import read_project
    from levelsmith.checking.run import check_needs, checked
    from levelsmith.making.interrupts import interruptible

    only = None
    if since is not None:
        from levelsmith.checking.since import changed_files

        only = changed_files(since)
    project = read_project(settings.files or (".",), settings, only)
    if not project.files and only is None and not project.skipped:
        from levelsmith.errors import LevelsmithError

        raise LevelsmithError(
            "expected files with levels, got none; name some, or say files in levelsmith.toml"
        )
    with interruptible() as interrupted:
        result = checked(project, settings, interrupted, _Bar())
        stopped = interrupted()
    if only is None and not stopped:
        check_needs(settings, result)
    if result.damaged:
        click.echo(f"{settings.proofs} was damaged: what it had is proved again", err=True)
    return result, findings_of(result, settings), stopped


def _ended(checked: Checked, findings: list[Finding], stopped: bool) -> int:
    from levelsmith.checking.judge import summary
    from levelsmith.checking.reports import status_of

    click.echo(summary(checked, findings), err=True)
    if checked.stopped:
        left = sum(each.verdict is None for each in checked.all())
        click.echo(f"{checked.stopped}: {left} levels are left", err=True)
    if stopped:
        return INTERRUPTED
    return max(status_of(checked, findings), 1 if checked.stopped else 0)


class _Bar:
    """Tells how far it is: on one line of a terminal, now and then elsewhere."""

    def __init__(self) -> None:
        import sys

        from levelsmith.cli.output import COUNT_SECONDS, QUIET_SECONDS

        self.terminal = sys.stderr.isatty()
        self.every = COUNT_SECONDS if self.terminal else QUIET_SECONDS
        self.due = time.monotonic() + self.every

    def __call__(self, done: int, count: int) -> None:
        if time.monotonic() < self.due and not (self.terminal and done == count):
            return
        self.due = time.monotonic() + self.every
        click.echo(
            f"\r{done} of {count} levels " if self.terminal else f"{done} of {count} levels",
            err=True,
            nl=not self.terminal or done == count,
        )
