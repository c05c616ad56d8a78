"""`levelsmith studio`: everything in the browser."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.options import NUMBER


def _refuse_token(context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise click.UsageError(
            "expected no token on the command line, where everybody on this machine can read it; "
            "type --token-file FILE, or set LEVELSMITH_TOKEN"
        )


@click.command()
@click.argument("experiments", nargs=-1, metavar="[FILE.db]…")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="The port; 0 for any free one.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to answer on.")
@click.option("--token", hidden=True, expose_value=False, callback=_refuse_token)
@click.option("--token-file", metavar="FILE", help="Take the token from this file, which only you can read.")
@click.option("--no-token", is_flag=True, help="Let everybody on this machine in.")
@click.option(
    "--store", metavar="FILE", help="The file with levels and jobs (studio.db in your data folder)."
)
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--jobs", type=NUMBER, help="Searches at the same time (half the cores).")
@click.option("--queue", type=NUMBER, help="Jobs that may wait (100).")
@click.option("--cells", type=NUMBER, help="Most cells of a level (4096).")
@click.option("--count", type=NUMBER, help="Most levels of a job (1000).")
@click.option("--seconds", type=float, help="Most seconds of a job (600).")
@click.option("--megabytes", type=NUMBER, help="Most memory of a job (2000).")
@click.option("--upload", type=NUMBER, help="Most megabytes of a file (10).")
@click.option("--watchers", type=NUMBER, help="Most pages that watch at a time (1000).")
@click.option("--store-megabytes", type=NUMBER, help="Most megabytes of the store (2000).")
def studio(
    experiments: tuple[str, ...],
    port: int,
    host: str,
    token_file: str | None,
    no_token: bool,
    store: str | None,
    no_browser: bool,
    **limits: Any,
) -> None:
    """Make, watch, edit and play levels in the browser. Reports of experiments FILE.db open there too.

    The printed address contains a token, and nobody gets in without it. The studio makes up a new one at each
    start, unless --token-file or the variable LEVELSMITH_TOKEN gives one.

    \b
    levelsmith studio
    levelsmith studio fdg20.db --store mine.db --port 9000
    levelsmith studio --host 0.0.0.0 --jobs 8
    """
    from levelsmith.experiment.store import open as open_experiment
    from levelsmith.studio.limits import StudioLimits
    from levelsmith.studio.place import default_store, other_store
    from levelsmith.studio.serve import serve
    from levelsmith.studio.token import find_token

    if no_token and token_file is not None:
        raise click.UsageError("expected --no-token or --token-file, got both")
    for path in experiments:
        open_experiment(path).close()
    if store is None:
        store = default_store()
        other = other_store(store)
        if other is not None:
            click.echo(other, err=True)
    serve(
        store=store,
        host=host,
        port=port,
        token=None if no_token else find_token(token_file),
        limits=StudioLimits(**{name: value for name, value in limits.items() if value is not None}),
        experiments=experiments,
        browser=not no_browser,
        say=click.echo,
    )
