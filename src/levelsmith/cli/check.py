"""`levelsmith check`: proves every level of a project, and tells what its maker wants to be warned of."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import INTERRUPTED, NUMBER, Name, assigned, field_option, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from levelsmith.checking.findings import Finding
    from levelsmith.checking.run import Checked
    from levelsmith.checking.settings import Settings
    from levelsmith.core import Cancel

FORMATS = ("text", "json", "junit", "sarif", "github")  # as `levelsmith.checking.reports` has them


check_options = together(  # which levels, and how far to go
    click.argument("files", nargs=-1, metavar="[FILE]..."),
    click.option("--game", type=Name("games"), help="The game of files that do not name it."),
    field_option("guards"),
    click.option(
        "--tile", "tiles", multiple=True, metavar="TILE=NAME", help="What a tile of a Tiled map is."
    ),
    click.option(
        "--needs",
        multiple=True,
        metavar="THING",
        help="What every level needs: a thing, or a rule by its line; repeat it.",
    ),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="Files to pass over; repeat it."),
    click.option("--config", metavar="PATH", help="The settings (levelsmith.toml, or pyproject.toml)."),
    click.option(
        "--seconds",
        type=float,
        help="Most time for a level's verdict, and for each other question about it (10).",
    ),
    click.option("--within", type=float, help="Most time for all levels together."),
    click.option("--states", type=NUMBER, help="Most states to look at for a level, such as 2M."),
    click.option("--memory", type=NUMBER, help="Most megabytes for a level (1000)."),
    click.option("--memory-all", type=NUMBER, help="Most megabytes for levels looked at at once."),
    field_option("workers", help="Processes (all cores).", default=None),
    click.option("--proofs", metavar="PATH", help="The file in which proofs are kept from run to run."),
)


@click.command()
@check_options
@click.option("--since", metavar="REV", help="Only files that have changed since a revision of git.")
@click.option("--skip-others", is_flag=True, help="Skip files of other kinds though they are named.")
@click.option(
    "--finding", "findings", multiple=True, metavar="NAME=off", help="error, warning or off; repeat it."
)
@click.option("--every", is_flag=True, help="Kinds of findings that are off by default are warnings.")
@click.option("--list", "listing", is_flag=True, help="List all kinds of findings, and check nothing.")
@click.option("--format", "write_as", type=click.Choice(FORMATS), default="text", help="How to tell it.")
@click.option("-o", "--output", metavar="PATH", help="Write that here; standard output has it as text.")
@click.option("-q", "--quiet", is_flag=True, help="Findings alone, no verdict on each level.")
@click.option("--write", is_flag=True, help="Write shortest solutions into the files of levels, or beside.")
@click.option("--hints", metavar="PATH", help="Write a table of best moves for each level here (.json).")
@click.option("--watch", is_flag=True, help="Go on, and check again whenever a file changes.")
def check(
    files: tuple[str, ...],
    since: str | None,
    skip_others: bool,
    listing: bool,
    write_as: str,
    output: str | None,
    quiet: bool,
    write: bool,
    hints: str | None,
    watch: bool,
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
    from levelsmith.cli.output import tell_compilations
    from levelsmith.errors import LevelsmithError

    settings = settings_of(files, options)
    if listing:
        _list()
        return 0
    for path in (output, hints):
        check_writable(path)
    if watch and (since or write or hints):
        raise LevelsmithError(
            "--watch looks at all files again and again; leave out --since, --write, --hints"
        )
    tell_compilations()

    def once(settings: Settings, cancel: Cancel | None = None) -> int:
        checked, findings, stopped = check_project(
            settings, since, skip_others, write, not write and hints is None, cancel
        )
        _tell(checked, findings, write_as, output, quiet)
        if write:
            _write(checked)
        if hints is not None and not stopped:
            _hint(checked, hints)
        return _ended(checked, findings, stopped)

    return _watched(settings, once) if watch else once(settings)


@click.command()
@check_options
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    default="certificate.json",
    show_default=True,
    help="Where to write the certificate.",
)
def certify(files: tuple[str, ...], output: str, **options: Any) -> int:
    """Write a certificate of what is proved of the levels of FILES, and the program that verifies it.

    The certificate has each level, its solution, and where it is proved the fewest that any solution takes.
    Beside it lies verify_certificate.py, a readable program with the rules of the game that needs Python
    alone: it plays every solution, and finds every bound again by a plain search.

    \b
    levelsmith certify pack.xsb -o proof/certificate.json
    python proof/verify_certificate.py proof/certificate.json
    """
    from levelsmith.checking.certify import certify as write
    from levelsmith.cli.output import tell_compilations

    settings = settings_of(files, {**options, "findings": ()})
    check_writable(output)
    tell_compilations()
    checked, findings, stopped = check_project(settings, remembered=False)
    count, left = write(checked, output)
    click.echo(
        f"wrote {output}: {count} level{'s' * (count != 1)}, {left} left out, and what verifies it", err=True
    )
    return _ended(checked, findings, stopped)


def settings_of(files: tuple[str, ...], options: dict[str, Any]) -> Settings:
    """Returns the settings of the file that has them, with the options above them."""
    from levelsmith.checking.settings import found_settings, parsed_findings, with_options

    tiles = assigned(options.pop("tiles"), "--tile TILE=NAME")
    findings = parsed_findings(options.pop("findings"))
    found = found_settings(options.pop("config"))
    return with_options(found, {**options, "tiles": tiles, "findings": findings, "files": files})


def check_writable(output: str | None) -> None:
    """Refuses a file that could not be written, before any work is done for it."""
    from pathlib import Path

    from levelsmith.errors import LevelsmithError, quoted

    if output is not None:
        folder = Path(output).parent
        if Path(output).is_dir() or (folder.exists() and not os.access(folder, os.W_OK)):
            raise LevelsmithError(
                f"cannot write {quoted(Path(output))}: expected a file in a folder of yours"
            )


def check_project(
    settings: Settings,
    since: str | None = None,
    skip_others: bool = False,
    graded: bool = False,
    remembered: bool = True,
    cancel: Cancel | None = None,
) -> tuple[Checked, list[Finding], bool]:
    """Returns what came out, what was found, and whether Ctrl-C has stopped it.

    Args:
        settings: what to look for, and the limits.
        since: only files that have changed since this revision.
        skip_others: files of other kinds are skipped though they are named one by one.
        graded: whether the difficulty of each level is asked for.
        remembered: whether files that have not changed may be left unread.
        cancel: asked now and then; without it, Ctrl-C stops.
    """
    from levelsmith.checking.examine import unlogged
    from levelsmith.checking.judge import findings_of
    from levelsmith.checking.outcome import Memory
    from levelsmith.checking.proofs import Proofs
    from levelsmith.checking.reading import read_project
    from levelsmith.checking.run import check_needs, checked
    from levelsmith.errors import LevelsmithError
    from levelsmith.making.interrupts import interruptible

    only = None
    if since is not None:
        from levelsmith.checking.since import changed_files

        only = changed_files(since)
    settings.severities  # noqa: B018 - it refuses what is none before any work is done
    with contextlib.ExitStack() as stack:
        stack.enter_context(unlogged())
        proofs = stack.enter_context(contextlib.closing(Proofs(settings.proofs)))
        memory = Memory(proofs, settings) if remembered else None
        project = read_project(settings.files or (".",), settings, only, skip_others, memory)
        if not project.files and only is None and not skip_others:
            raise LevelsmithError(
                "expected files with levels, got none; name some, or say files in levelsmith.toml"
            )
        interrupted = cancel or stack.enter_context(interruptible())
        result = checked(project, settings, proofs, interrupted, _Bar(), graded)
        stopped = interrupted()
        findings = findings_of(result, settings, memory)
    if only is None and not stopped and not skip_others:
        check_needs(settings, result)
    if proofs.trouble:
        click.echo(proofs.trouble, err=True)
    return result, findings, stopped


def _tell(checked: Checked, findings: list[Finding], write_as: str, output: str | None, quiet: bool) -> None:
    from pathlib import Path

    from levelsmith.checking.reports import REPORTS, as_text
    from levelsmith.files import write_files

    if output is not None:
        write_files({Path(output): REPORTS[write_as](checked, findings).encode()})
    as_it_is = output is None and write_as != "text"
    report = REPORTS[write_as](checked, findings) if as_it_is else as_text(checked, findings, not quiet)
    click.echo(report, nl=False)


def _write(checked: Checked) -> None:
    from levelsmith.checking.write import write_solutions

    for path, count in write_solutions(checked).items():
        if count:
            click.echo(f"wrote the solutions of {count} level{'s' * (count != 1)} to {path}", err=True)


def _hint(checked: Checked, path: str) -> None:
    from levelsmith.checking.hints import write_hints

    told = write_hints(checked, path)
    for found in told:
        click.echo(f"{found.name}: {found.text}", err=True)
    click.echo(f"wrote {path}", err=True)


def _list() -> None:
    """Prints all kinds of findings: how grave each is by default, and what it is."""
    from levelsmith.checking.findings import GENERAL, every_game, kinds_of

    every = every_game()
    kinds = kinds_of(every)
    width = max(map(len, kinds))
    for name, (severity, what) in kinds.items():
        having = [game.name.partition(":")[0] for game in every if name in kinds_of([game])]
        own = "" if name in GENERAL else f"  ({', '.join(having)})"
        click.echo(f"{name:<{width}}  {severity:<7}  {what}{own}")


def _ended(checked: Checked, findings: list[Finding], stopped: bool) -> int:
    from levelsmith.checking.judge import summary
    from levelsmith.checking.reports import status_of

    click.echo(summary(checked, findings), err=True)
    if checked.stopped:
        left = sum(not each.status for each in checked.told())
        click.echo(f"{checked.stopped}: {left} levels are left", err=True)
    if stopped:
        return INTERRUPTED
    return max(status_of(checked, findings), 1 if checked.stopped else 0)


def _watched(settings: Settings, once: Callable[[Settings, Cancel], int]) -> int:
    """Checks again whenever a file has changed, until Ctrl-C, with proofs kept meanwhile; a mistake in the
    files is told, and waited for to be mended."""
    import tempfile
    from dataclasses import replace

    from levelsmith.checking.watch import BEGUN, ENDED, stamps, wait
    from levelsmith.errors import LevelsmithError
    from levelsmith.making.interrupts import interruptible

    paths: Iterable[str] = settings.files or (".",)
    with interruptible() as interrupted, tempfile.TemporaryDirectory() as folder:
        if settings.proofs is None:
            settings = replace(settings, proofs=os.path.join(folder, "proofs.db"))
        while True:
            before = stamps(paths, settings)
            click.echo(BEGUN)
            try:
                once(settings, interrupted)
            except LevelsmithError as error:
                click.echo(f"levelsmith: {error.for_command_line}", err=True)
            click.echo(ENDED)
            sys.stdout.flush()
            if not wait(before, paths, settings, interrupted):
                return 0


class _Bar:
    """Tells how far it is: on one line of a terminal, now and then elsewhere."""

    def __init__(self) -> None:
        from levelsmith.cli.output import COUNT_SECONDS, QUIET_SECONDS

        self.terminal = sys.stderr.isatty()
        self.every = COUNT_SECONDS if self.terminal else QUIET_SECONDS
        self.started = time.monotonic()
        self.due = self.started + self.every

    def __call__(self, done: int, count: int) -> None:
        if time.monotonic() < self.due and not (self.terminal and done == count):
            return
        self.due = time.monotonic() + self.every
        start, ends = ("\r", done == count) if self.terminal else ("", True)
        seconds = time.monotonic() - self.started
        click.echo(f"{start}{done} of {count} levels · {seconds:.0f} s", err=True, nl=ends)
