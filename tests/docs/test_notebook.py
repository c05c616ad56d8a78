"""The notebook runs from its first cell to its last, and is kept without outputs."""

from __future__ import annotations

import ast
import contextlib
import json

import pytest

from docs.documents import ROOT
from levelsmith.registry import games

NOTEBOOK = json.loads((ROOT / "examples" / "tour.ipynb").read_text(encoding="utf-8"))
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def run(cells):
    """Runs cells as a notebook does; gives what each shows, the value of its last line, and all names."""
    names, shown = {"__name__": "__main__"}, []
    for number, cell in enumerate(cells):
        tree = ast.parse(cell, f"cell {number}")
        *body, last = tree.body
        shows = isinstance(last, ast.Expr)
        exec(compile(ast.Module(body if shows else tree.body, []), f"cell {number}", "exec"), names)
        value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names) if shows else None
        shown.append(value)
    return shown, names


def test_every_cell_runs_and_shows_what_it_promises(tmp_path):
    try:
        with contextlib.chdir(tmp_path):
            shown, names = run(CELLS)
    finally:
        if "meadow" in games:
            games.unregister("meadow")
    assert "sokoban" in shown[0]
    assert shown[1]._repr_svg_().startswith("<svg")
    solution, pushes, optimal = shown[2]
    assert pushes == sum(letter.isupper() for letter in solution)
    assert 4 <= pushes <= 12
    assert optimal
    assert "pushes" in shown[3]
    assert shown[4] == ("rRR", [{"trees": 6, "crowded": 0}])
    assert names["meadow"].solved
    assert shown[6] == (True, True, 7)
    assert shown[7][0].low > 0
    assert shown[7][1]
    assert shown[8] == (True, True, True)


def test_the_notebook_is_kept_without_outputs():
    assert (NOTEBOOK["nbformat"], NOTEBOOK["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in NOTEBOOK["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)


def test_the_runner_sees_a_cell_that_fails():
    with pytest.raises(ZeroDivisionError):
        run(["a = 1", "a / 0"])
