"""The papers' experiments at full size, and the pages in docs/results that say what came out.

python tools/results.py [NAME …] [--quick] [--files FOLDER] [--to FOLDER] [--pages]
python tools/results.py --freeze

does what is missing in FOLDER/NAME.db (build/results), of all five papers or of those named, and writes a
page for each with its pictures and tables, every run as rows that can be judged again, an index, and the
page of deviations. It goes on where it was stopped. With `--pages` no run is done; where there is no NAME.db
the page is written from its rows. `--freeze`, before runs at full size, notes the digests of the papers'
statements, on the page of deviations too, and does nothing else. `LEVELSMITH_DATA` names the folder of public
levels that the Lode Runner experiment learns from.
"""

from __future__ import annotations

import argparse
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

from levelsmith.errors import LevelsmithError
from levelsmith.experiment import markdown, rows, run
from levelsmith.experiment.papers import deviations, freeze
from levelsmith.experiment.report import report, write_rows
from levelsmith.experiment.status import status
from levelsmith.files import write_files

ROOT = Path(__file__).parent.parent
PAPERS = {
    "fdg20": "Bhaumik et al.: Tree Search versus Optimization Approaches for Map Generation (FDG 2020)",
    "arxiv19": "The earlier edition of the same paper (arXiv 2019)",
    "kartal2016": "Kartal et al.: Generating Sokoban Puzzle Game Levels with Monte Carlo Tree Search (2016)",
    "koczorowski2023": "Koczorowski: Monte Carlo Tree Search Optimierungen für Sokoban Puzzle Generierung",
    "thakkar2019": "Thakkar et al.: Autoencoder and Evolutionary Algorithm for Lode Runner (CoG 2019)",
}
ROWS = "rows"  # the folder of every run, beside the pages
COUNTED = re.compile(r"^\*\*(\d+ confirmed, .+)\.\*\*$", re.MULTILINE)
HEAD = """# Results of the papers

What came out when the papers' experiments were run again at full size, written by `python tools/results.py`.
Each page begins with the answer: how many statements have which verdict, the paper's number beside ours, what
to take from it, and three figures like the paper's. Its appendix has the rest: every claim, all tables and
figures, the settings, the machine and the core-hours, with those of training models.
[Reports](../report.md#how-sure-a-number-is) says how a verdict comes about, and [the science](../science.md)
what to make of them. [Deviations and changes](deviations.md) has what we changed after runs had been seen.

The folder `rows` has every run of these pages: `levelsmith experiment judge rows/kartal2016-runs.csv.xz`
gives the same verdicts without a run, as [Experiments](../experiments.md#rows-that-others-can-judge) says.

| paper | verdicts | runs | core-hours |
|---|---|--:|--:|
"""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PAPERS))
    parser.add_argument("--quick", action="store_true", help="the short forms")
    parser.add_argument("--files", type=Path, default=ROOT / "build" / "results", metavar="FOLDER")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "results", metavar="FOLDER")
    parser.add_argument("--freeze", action="store_true", help="note the digests of the statements")
    parser.add_argument("--pages", action="store_true", help="write the pages from the files as they are")
    asked = parser.parse_args(arguments)
    if asked.freeze:
        text = freeze.written(datetime.now(UTC).isoformat(timespec="seconds"))
        (Path(freeze.__file__).parent / freeze.FILE).write_text(text, encoding="utf-8")
        write_deviations(asked.to)
        return
    unknown = set(asked.names) - set(PAPERS)
    if unknown:
        parser.error(f"expected names among {', '.join(PAPERS)}, got {', '.join(sorted(unknown))}")
    asked.files.mkdir(parents=True, exist_ok=True)
    for name in asked.names or PAPERS:
        file = file_of(name, asked.files, asked.to, asked.pages)
        if not asked.pages:
            standing = run(name, file, quick=asked.quick)
            print(f"{name}: {standing.done:,} of {standing.asked:,} runs", flush=True)
        made = report(file, asked.to / f"{name}.md")
        clear(asked.to / name, made)
        if rows.stem_of(file) is None:
            write_rows(file, asked.to / ROWS)
        print(f"wrote {made[0]} and {len(made) - 1} files", flush=True)
    write_deviations(asked.to)
    (asked.to / "index.md").write_text(index(asked.to, asked.files), encoding="utf-8")


def write_deviations(to: Path) -> None:
    text, tables = markdown.write(deviations.page(), "deviations")
    write_files({to / "deviations.md": text.encode()} | {to / "deviations" / n: t for n, t in tables.items()})


def file_of(name: str, files: Path, pages: Path, done: bool) -> Path:
    """Returns the file of an experiment, or if no runs are to be done the rows that were published of it."""
    file, published = files / f"{name}.db", pages / ROWS / f"{name}{rows.RUNS}"
    return published if done and not file.exists() and published.exists() else file


def clear(folder: Path, made: list[Path]) -> None:
    """Removes what an older page had beside it."""
    for path in set(folder.iterdir()) - set(made):
        path.unlink()


def index(pages: Path, files: Path) -> str:
    """Returns the page that lists the others, with the counts of their verdicts.

    The line of a page stays that has neither runs nor rows here.
    """
    lines, names = [], [name for name in PAPERS if (pages / f"{name}.md").exists()]
    known = (pages / "index.md").read_text(encoding="utf-8") if (pages / "index.md").exists() else ""
    for name in names:
        before = re.search(rf"^\| .*\]\({name}\.md\) .*$", known, re.MULTILINE)
        if before and not file_of(name, files, pages, done=True).exists():
            lines.append(before[0])
            continue
        found = COUNTED.search((pages / f"{name}.md").read_text(encoding="utf-8"))
        told = status(file_of(name, files, pages, done=True))
        hours = (told["compute"] + told["training"]) / 3600
        numbers = [found[1] if found else "–", f"{told['done']:,}", f"{hours:.1f}"]
        lines.append(f"| [{PAPERS[name]}]({name}.md) | {' | '.join(numbers)} |")
    tree = "\n".join(["```{toctree}", ":hidden:", "", *names, "deviations", "```"])
    return HEAD + "\n".join(lines) + f"\n\n{tree}\n"


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except LevelsmithError as error:
        sys.exit(f"error: {error}")
