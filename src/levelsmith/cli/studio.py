"""`levelsmith studio`: everything in the browser."""

from __future__ import annotations

from typing import Any

import click

from levelsmith.cli.options import NUMBER


@click.command()
@click.argument("experiments", nargs=-1, metavar="[FILE.db]…")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 for any free one."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Any other address needs a token.")
@click.option("--token", help="Ask for this token; made and printed where one is needed.")
@click.option("--store", default="studio.db", show_default=True, help="The file with levels and jobs.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option("--jobs", type=NUMBER, help="Searches at the same time (half the cores).")
@click.option("--queue", type=NUMBER, help="Jobs that may wait (100).")
@click.option("--cells", type=NUMBER, help="Most cells of a level (4096).")
@click.option("--count", type=NUMBER, help="Most levels of a job (1000).")
@click.option("--seconds", type=float, help="Most seconds of a job (600).")
@click.option("--megabytes", type=NUMBER, help="Most memory of a job (2000).")
@click.option("--upload", type=NUMBER, help="Most megabytes of a file (10).")
@click.option("--watchers", type=NUMBER, help="Most pages that watch (1000).")
def studio(
    experiments: tuple[str, ...],
    port: int,
    host: str,
    token: str | None,
    store: str,
    no_browser: bool,
    **limits: Any,
) -> None:
    """Make, watch, edit and play levels in the browser. Reports of experiments FILE.db open there too.

    \b
    levelsmith studio
    levelsmith studio fdg20.db --store mine.db --port 9000
    levelsmith studio --host 0.0.0.0 --jobs 8
    """
    from levelsmith.experiment.store import open as open_experiment
    from levelsmith.studio.limits import Limits
    from levelsmith.studio.serve import serve

    for path in experiments:
        open_experiment(path).close()
    serve(
        store=store,
        host=host,
        port=port,
        token=token,
        limits=Limits(**{name: value for name, value in limits.items() if value is not None}),
        experiments=experiments,
        browser=not no_browser,
        say=click.echo,
    )
