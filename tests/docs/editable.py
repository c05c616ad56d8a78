"""Puts the entry points of a package beside its source, as an editable install does elsewhere."""

import sys
import tomllib
from pathlib import Path

folder = Path(sys.argv[1])
project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
facts = folder / "src" / f"{folder.name}-0.dist-info"
facts.mkdir()
(facts / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
groups = project["entry-points"].items()
lines = [f"[{group}]\n" + "".join(f"{n} = {r}\n" for n, r in points.items()) for group, points in groups]
(facts / "entry_points.txt").write_text("".join(lines))
