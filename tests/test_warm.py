"""What is compiled ahead of the tests is what they ask for, where they look for it."""

import os
import sys
from pathlib import Path

import pytest

import warm
from levelsmith.making.task import plan
from levelsmith.request import Request


@pytest.mark.parametrize("asked", warm.REQUESTS, ids=lambda asked: "-".join(map(str, asked.values())))
def test_every_request_makes_sense(asked):
    assert plan(Request(**asked, evaluations=1, seed=1)).game == asked["game"]


def test_nothing_more_is_compiled_once_the_file_is_there(tmp_path, monkeypatch):
    for name in ("LEVELSMITH_CACHE", "LEVELSMITH_FIRST"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr("sys.argv", ["warm.py", str(tmp_path)])
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.setattr("levelsmith.generate", None)
    warm.main()
    assert Path(os.environ["LEVELSMITH_CACHE"]) == Path(__file__).parents[1] / ".pytest_cache"
