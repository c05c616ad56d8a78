"""The program that checks a dataset without levelsmith: `verify.py`, with the rules that a game hands out."""

from __future__ import annotations

import ast
from importlib.resources import files
from inspect import getsource
from types import ModuleType

from levelsmith.contracts import RuleBook

VERIFIER = "verify.py"
PLACE = "# Here stand the rules that a game hands out, with functions of these names.\n"


def program_files(book: RuleBook | None) -> dict[str, bytes]:
    """Returns the program and what it needs beside it, by name; without a book it plays no solutions."""
    text = files("levelsmith.levels.dataset").joinpath(VERIFIER).read_text(encoding="utf-8")
    if book is None:
        return {VERIFIER: text.encode()}
    others = {f"rulebook/{name}": other.encode() for name, other in book.files.items()}
    return {VERIFIER: text.replace(PLACE, alone(book.rules)).encode(), **others}


def alone(rules: ModuleType) -> str:
    """Returns the text of a module from below its docstring, without what it imports from levelsmith."""
    text = getsource(rules)
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        known = isinstance(node, ast.ImportFrom) and str(node.module).startswith(("__future__", "levelsmith"))
        if known or isinstance(node, ast.Expr):
            del lines[node.lineno - 1 : node.end_lineno]
    return "".join(lines).strip() + "\n"
