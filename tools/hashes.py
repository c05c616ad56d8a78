"""Writes hashes.txt: what the base install is made of, each version with the digests of its files on PyPI.

Type `python tools/hashes.py` after a change to constraints.txt; `pip install --require-hashes -r hashes.txt`
then installs these very files and no others.
"""

from __future__ import annotations

import re
import sys
import tomllib
import urllib.request
from html.parser import HTMLParser
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).resolve().parent.parent
INDEX = "https://pypi.org/simple"
PYTHONS = ("cp311", "cp312", "cp313")
PLATFORMS = ({"sys_platform": "linux"}, {"sys_platform": "darwin"}, {"sys_platform": "win32"})
# What compiles kernels where none are built: pyproject.toml has the same.
COMPILER = ("llvmlite", "numba")
ELSEWHERE = "sys_platform != 'linux' or (platform_machine != 'x86_64' and platform_machine != 'aarch64')"
HEAD = "# Written by tools/hashes.py: the base install, for pip install --require-hashes -r hashes.txt.\n"


def pinned() -> dict[str, str]:
    """Returns the version of each package in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in pairs}


def base() -> list[str]:
    """Returns the packages of the base install, with those that only another system needs."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names: set[str] = set()
    waiting = [Requirement(text) for text in project["dependencies"]]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in names or not is_needed(requirement):
            continue
        names.add(name)
        if name in pinned():
            waiting += map(Requirement, distribution(name).requires or ())
    return sorted(names)


def is_needed(requirement: Requirement) -> bool:
    """Tells whether any system that levelsmith runs on needs a package."""
    if requirement.marker is None:
        return True
    systems = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
    return any(
        requirement.marker.evaluate(
            {
                **place,
                "platform_system": systems[place["sys_platform"]],
                "python_version": python,
                "extra": "",
            }
        )
        for place in PLATFORMS
        for python in ("3.11", "3.12", "3.13")
    )


class Links(HTMLParser):
    """Gathers the files of a page of the index: their names and digests."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, str] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = re.search(r"/([^/#]+)#sha256=([0-9a-f]{64})$", dict(attributes).get("href") or "")
        if tag == "a" and found:
            self.files[found[1]] = found[2]


def digests(name: str, version: str) -> list[str]:
    """Returns the digests of a version's files that our Pythons can install."""
    links = Links()
    with urllib.request.urlopen(f"{INDEX}/{name}/", timeout=60) as answer:
        links.feed(answer.read().decode())
    found = sorted(digest for file, digest in links.files.items() if fits(file, version))
    if not found:
        sys.exit(f"hashes: the index has no file of {name} {version} for {', '.join(PYTHONS)}")
    return found


def fits(file: str, version: str) -> bool:
    """Tells whether a file is of a version and for one of our Pythons."""
    if not file.endswith(".whl") or f"-{version}-" not in file:
        return file.endswith(f"-{version}.tar.gz")
    return any(
        tag.interpreter in (*PYTHONS, "py3") or tag.abi == "abi3" for tag in parse_wheel_filename(file)[3]
    )


def main() -> None:
    versions = pinned()
    blocks = []
    for name in base():
        if name not in versions:
            sys.exit(f"hashes: {name} is not in constraints.txt")
        lines = [
            f"{name}=={versions[name]}{f' ; {ELSEWHERE}' if name in COMPILER else ''}",
            *(f"    --hash=sha256:{d}" for d in digests(name, versions[name])),
        ]
        blocks.append(" \\\n".join(lines) + "\n")
    (ROOT / "hashes.txt").write_text(HEAD + "".join(blocks))


if __name__ == "__main__":
    main()
