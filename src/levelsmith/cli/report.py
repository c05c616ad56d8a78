"""`levelsmith experiment report`, `judge` and `compare`: what the runs of a file, or of two, say."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import click

from levelsmith.cli.options import json_option
from levelsmith.errors import LevelsmithError, quoted

if TYPE_CHECKING:
    from levelsmith.experiment.page import Finding
    from levelsmith.experiment.statistics import Estimate


@click.command()
@click.argument("file")
@click.option("-o", "--output", required=True, metavar="PAGE", help="The page to write: .html or .md.")
@click.option(
    "--figures", metavar="FOLDER", help="Also write figures as PNG, SVG and PDF, and tables as CSV, here."
)
@click.option("--x", metavar="METRIC", help="With --y: draw the expressive range of these two metrics.")
@click.option("--y", metavar="METRIC", help="The second metric, with --x.")
def report(file: str, output: str, figures: str | None, x: str | None, y: str | None) -> None:
    """Write a report on an experiment's FILE: one HTML page that needs nothing else.

    Verdicts on the paper's statements, tables with intervals, curves, expressive range, levels, and what the
    paper says beside them. The file need not be finished. With the ending .md it is Markdown, with pictures
    and tables in a folder of the same name.

    \b
    levelsmith experiment report quick.db -o report.html
    levelsmith experiment report quick.db -o results/quick.md
    levelsmith experiment report fdg20.db -o report.html --figures figures/
    levelsmith experiment report thesis.db -o report.html --x pushes --y boxes
    """
    from levelsmith.experiment.report import report as written

    if (x is None) != (y is None):
        raise LevelsmithError("expected --x and --y together, or neither")
    _check_page(output)
    made = written(file, output, figures, None if x is None or y is None else (x, y))
    folders = ", ".join(f"{folder}/" for folder in dict.fromkeys(path.parent for path in made[1:]))
    more = f", and {len(made) - 1} files to {folders}" if folders else ""
    click.echo(f"wrote {output}{more}", err=True)


def _check_page(output: str) -> None:
    if not output.lower().endswith((".html", ".md")):
        raise LevelsmithError(f"expected a page that ends in .html or .md, got {quoted(output)}")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--rows", metavar="FOLDER", help="Also write every run here, as tables that others can judge.")
@click.option("-o", "--output", metavar="PAGE", help="Also write the whole report: .html or .md.")
@json_option
def judge(files: tuple[str, ...], rows: str | None, output: str | None, as_json: bool) -> None:
    """Print the verdicts on the paper that FILE repeats, without doing a run.

    FILE is what `levelsmith experiment run` wrote, or one of the tables that `--rows` made of it: then the
    others lie beside it, and their checksums are compared. Both give the same verdicts. Several files of one
    experiment are judged as one, such as rows and a part that was run later.

    \b
    levelsmith experiment judge fdg20.db --rows rows/
    levelsmith experiment judge rows/fdg20-runs.csv.xz
    levelsmith experiment judge rows/fdg20-runs.csv.xz -o page.md
    levelsmith experiment judge rows/fdg20-runs.csv.xz later.db --rows both/
    """
    from levelsmith.cli.output import print_json
    from levelsmith.experiment import report as reports
    from levelsmith.experiment.verdicts import counted

    if output is not None:
        _check_page(output)
    results = reports.opened(files)
    if rows is not None:
        made = reports.write_rows(results, rows)
        click.echo(f"wrote {', '.join(path.name for path in made)} to {rows}", err=True)
    found = reports.judge(results)
    if not (found or rows or output):
        raise LevelsmithError(
            f"{files[0]} repeats no paper, so it has no statements to judge; levelsmith experiment report "
            "tells what its runs gave"
        )
    for each in found:
        if as_json:
            print_json(_judged(each))
        else:
            click.echo(_lines(each))
    if found and not as_json:
        click.echo(counted(found))
    if output is not None:
        reports.report(results, output)
        click.echo(f"wrote {output}", err=True)


def _lines(found: Finding) -> str:
    """Returns a verdict for a person: the statement, and below it the number that it rests on."""
    from levelsmith.experiment.page import plain
    from levelsmith.experiment.verdicts import SIGNS, VERDICTS

    sure = "" if math.isnan(found.rate) else plain(found.rate, "chance")
    head = f"{SIGNS[found.verdict]} {found.name:<4} {found.verdict:<{max(map(len, VERDICTS))}}  {sure:>7}  "
    below = f"\n{'':<{len(head)}}{found.deciding.replace('**', '')}" if found.deciding else ""
    return f"{head}{found.statement}{below}"


def _judged(found: Finding) -> dict[str, Any]:
    """Returns a verdict as an object, with its claims; a number with an interval is value, low and high."""
    from levelsmith.experiment.statistics import Estimate

    def plain(cell: Any) -> Any:
        if isinstance(cell, Estimate):
            return [plain(end) for end in (cell.value, cell.low, cell.high)] if cell else None
        return cell if not isinstance(cell, float) or math.isfinite(cell) else None

    claims = found.details
    return {
        "name": found.name,
        "statement": found.statement,
        "verdict": found.verdict,
        "q": plain(found.rate),
        "rests_on": found.deciding.replace("**", ""),
        "because": found.because.replace("**", ""),
        "claims": [dict(zip(claims.columns, map(plain, row), strict=True)) for row in claims.rows]
        if claims
        else [],
    }


@click.command("compare")
@click.argument("first")
@click.argument("second")
@click.option("-o", "--output", metavar="FILE.html", help="Write the same as a page.")
@json_option
def compare_runs(first: str, second: str, output: str | None, as_json: bool) -> None:
    """Compare two files of an experiment cell by cell: what SECOND has more than FIRST.

    Runs of the same number are paired; chances are corrected for the number of cells.

    \b
    levelsmith experiment compare old.db new.db
    """
    from pathlib import Path

    from levelsmith.cli.output import print_json
    from levelsmith.experiment.comparison import compare, page, summary
    from levelsmith.files import write_files

    found = compare(first, second)
    if output is not None:
        write_files({Path(output): page(found).encode()})
    if as_json:
        for each in found.differences:
            print_json(_object(each))
        for file, only in ((first, found.only_first), (second, found.only_second)):
            for part, name in only:
                print_json({"part": part, "cell": name, "only_in": file})
        return
    width = max(len(f"{each.part}: {each.cell}") for each in found.differences)
    click.echo(
        f"{'':<{width}}  {'runs':>6}  {'solved, points':>22}  {'score':>24}  {'time, ×':>18}  {'p':>7}"
    )
    for each in found.differences:
        words = "same runs" if each.same else ("differs" if each.sure else "")
        click.echo(
            f"{each.part + ': ' + each.cell:<{width}}  {each.runs:>6,}  {_ends(each.solved, 100, 1):>22}  "
            f"{_ends(each.score, 1, 3):>24}  {_ends(each.seconds, 1, 2, ''):>18}  "
            f"{each.corrected:>7.3f}  {words}".rstrip()
        )
    for line in summary(found):
        click.echo(line)


def _ends(found: Estimate, factor: float, digits: int, sign: str = "+") -> str:
    if not found:
        return "-"
    value, low, high = (f"{factor * end:{sign}.{digits}f}" for end in (found.value, found.low, found.high))
    return f"{value} ({low} … {high})"


def _object(each: Any) -> dict[str, Any]:
    numbers = {name: _plain(getattr(each, name)) for name in ("solved", "score", "evaluations", "seconds")}
    chances = {"p": each.chance, "p_corrected": each.corrected}
    return {"part": each.part, "cell": each.cell, "runs": each.runs, "same": each.same, **numbers, **chances}


def _plain(found: Estimate) -> list[float] | None:
    """Returns value, low and high; None where there is nothing to compare."""
    return None if math.isnan(found.value) else [found.value, found.low, found.high]
