"""The command line: thin, it parses, calls the library and prints. Nothing heavy is imported at the top."""

from __future__ import annotations

import os
import sys

import click
from click.exceptions import NoArgsIsHelpError

from levelsmith import __version__
from levelsmith.cli.calibrate import calibrate
from levelsmith.cli.chain import chain
from levelsmith.cli.check import certify, check
from levelsmith.cli.compare import compare
from levelsmith.cli.dataset import dataset
from levelsmith.cli.demo import demo
from levelsmith.cli.experiment import experiment
from levelsmith.cli.generate import generate
from levelsmith.cli.group import Group
from levelsmith.cli.improve import improve
from levelsmith.cli.levels import convert, info, measure, show
from levelsmith.cli.lists import completion, list_
from levelsmith.cli.new_game import new_game
from levelsmith.cli.options import INTERRUPTED, meant_option
from levelsmith.cli.pack import pack
from levelsmith.cli.play import play
from levelsmith.cli.publish import publish
from levelsmith.cli.range import range_
from levelsmith.cli.repair import repair
from levelsmith.cli.report import compare_runs, judge, report
from levelsmith.cli.solve import solve
from levelsmith.cli.streams import OutputError, discard_output, prepare
from levelsmith.cli.studio import studio
from levelsmith.cli.train import train
from levelsmith.errors import LevelsmithError, printable, quoted

MISTAKE = 2


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="levelsmith %(version)s")
def cli() -> None:
    """Make game levels by search, solve them, look at them, convert them, measure them."""


for command in (
    *(
        demo,
        generate,
        solve,
        check,
        certify,
        improve,
        repair,
        chain,
        train,
        show,
        play,
        convert,
        info,
        measure,
        compare,
        pack,
        publish,
    ),
    *(range_, calibrate, dataset, experiment, studio, new_game, list_, completion),
):
    cli.add_command(command)
for command in (report, judge, compare_runs):
    experiment.add_command(command)


def main() -> None:
    """Runs the command; a user's mistake is one line and status 2, never a traceback."""
    prepare()
    try:
        try:
            status = cli(prog_name="levelsmith", standalone_mode=False)
        finally:
            sys.stdout.flush()
    except LevelsmithError as error:
        status = _complain(error.for_command_line)
    except click.Abort:
        status = INTERRUPTED
    except KeyboardInterrupt:
        status = INTERRUPTED
    except NoArgsIsHelpError as error:  # a bare `levelsmith` asks what there is
        click.echo(error.format_message())
        status = 0
    except click.ClickException as error:
        status = _complain(_in_one_line(error))
    except FileNotFoundError:
        if _is_somewhere():
            raise
        status = _complain("the folder you are in was removed; go to another with cd and type the same again")
    except OutputError as error:
        discard_output()
        status = 0 if error.unread else _complain(str(error))
    sys.exit(status if isinstance(status, int) else 0)


def _is_somewhere() -> bool:
    """Tells whether the folder that the command runs in is there."""
    try:
        return bool(os.getcwd())
    except FileNotFoundError:
        return False


def _complain(message: str) -> int:
    click.echo(f"levelsmith: {message}", err=True)
    return MISTAKE


def _in_one_line(error: click.ClickException) -> str:
    message = printable(error.format_message()).strip().rstrip(".")
    if isinstance(error, click.NoSuchOption):
        options = [option.removeprefix("--") for option in _options(error.ctx)]
        meant = meant_option(error.option_name.removeprefix("--"), options)
        message = f"no option is called {quoted(error.option_name)}"
        message += f"; did you mean {quoted('--' + meant)}?" if meant else ""
    path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "levelsmith"
    return f"{message} ({path} --help)"


def _options(context: click.Context | None) -> list[str]:
    if context is None:
        return []
    return [
        option
        for parameter in context.command.get_params(context)
        for option in parameter.opts
        if option.startswith("--")
    ]
