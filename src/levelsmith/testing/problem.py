"""What a part under test is given: its default parameters, and a problem to work on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from levelsmith.contracts import Game, Representation
from levelsmith.core import Canvas, Problem, Size, Term, settle
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.score import make
from levelsmith.testing.promise import CheckFailed


def defaults_of(owner: Any) -> dict[str, Any]:
    """Returns the default of every parameter, which must itself be a value the parameter takes."""
    name = owner.__name__ if isinstance(owner, type) else owner.name
    try:
        return settle(name, owner.parameters, {p.name: p.default for p in owner.parameters})
    except LevelsmithError as error:
        raise CheckFailed(f"broken promise: parameters of {name} take their defaults, but {error}") from error


def problem_of(
    game: Game, rep: Representation, size: Size, terms: Sequence[Term], needs: str, product: bool = False
) -> Problem:
    """Returns the problem of a game, a representation and terms."""
    built = rep.build(game, Canvas(size), defaults_of(rep), needs)
    return Problem(
        built,
        game.compiled(size),
        make(terms, list(game.metrics), product),
        lambda cells: rep.grid(built, cells),
        tuple(game.metrics),
        size[0] * size[1],
        lambda row: rep.proof(built, row),
    )
