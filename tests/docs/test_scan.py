"""The representation shown in docs/inside.md is complete: all searches by steps take it, compiled or not."""

import pytest

from docs.documents import DOCS, blocks

SCAN = """
import sys
import levelsmith
from levelsmith.kernels.boards import tiles_of
from levelsmith.registry import representations
from levelsmith.testing import check_representation
from scan.kernels import make

class ScanRepresentation:
    name, summary, parameters, offers = "scan", "cell after cell", (), frozenset({"steps"})

    def build(self, game, canvas, values, needs):
        return make(canvas.size)

    def grid(self, built, board):
        return tiles_of(board, built.height * built.width).reshape(built.height, built.width)

scan = ScanRepresentation()
representations.register("scan", scan)
if sys.argv[1] == "checked":
    check_representation(scan, "binary")
for search in sys.argv[2:]:
    asked = {"size": (17, 16), "evaluations": 30, "objective": "connectivity", "seed": 1}
    made = levelsmith.generate("binary", representation="scan", search=search, **asked)
    print(search, made.score, made.best.text)
"""
STEPWISE = ("random", "bfs", "dfs", "best", "astar", "mcts", "roots", "plan", "graft")


@pytest.fixture
def scan(tmp_path, python):
    """Runs searches on it in a new process; returns what they print."""
    (block,) = (b for b in blocks(DOCS / "inside.md", "python") if b.body.startswith("# scan/kernels.py"))
    (tmp_path / "scan").mkdir()
    (tmp_path / "scan" / "kernels.py").write_text(block.body, encoding="utf-8")
    (tmp_path / "scan" / "__init__.py").write_text("")
    return lambda *arguments, **variables: python(SCAN, *arguments, path=[tmp_path], **variables)


def test_it_keeps_the_contract_and_serves_every_search_by_steps(scan):
    printed = scan("checked", *STEPWISE, LEVELSMITH_KERNELS="plain", LEVELSMITH_LINEAR="1")
    assert all(search in printed for search in STEPWISE)


@pytest.mark.slow
def test_it_needs_nothing_more_to_be_compiled(scan):
    searches = ("mcts", "plan")
    assert scan("", *searches) == scan("", *searches, LEVELSMITH_KERNELS="plain")
