"""The few names that every problem implements, so that each search kernel is written once for all games.

A name is a plain function that finds its implementation by the type of its first argument, a NamedTuple:
inside compiled code by `numba.extending.overload` (which, unlike a closure, is kept on disk), outside by a
look-up, so that the same source also runs uncompiled.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from numba import types

from levelsmith.kernels.bits import count, nth
from levelsmith.kernels.compile import part, replace_inside
from levelsmith.kernels.random import below
from levelsmith.kernels.sources import add_source, is_own

Implementation = Callable[..., Any]


def name(declared: Implementation, default: Implementation | None = None) -> Any:
    """Makes a function whose body is chosen by the type of its first argument."""
    implementations: dict[type, Implementation] = {}
    signature = inspect.signature(declared)

    @wraps(declared)
    def call(*args: Any) -> Any:
        found = implementations.get(type(args[0]), default)
        if found is None:
            raise TypeError(f"{type(args[0]).__name__} does not implement {declared.__name__}")
        return found(*args)

    def choose(*args: Any) -> Implementation | None:
        first = args[0]
        if isinstance(first, types.BaseNamedTuple):
            return implementations.get(first.instance_class, default)
        return None

    choose.__signature__ = signature  # type: ignore[attr-defined]
    replace_inside(call, choose)
    call.implementations = implementations  # type: ignore[attr-defined]
    return call


def name_with_body(declared: Implementation) -> Any:
    """A name that serves every type; one may implement it better."""
    return name(declared, declared)


def implement(named: Any, kind: type) -> Callable[[Implementation], Implementation]:
    """Gives a name its body for one NamedTuple type; parameters must be called as they were declared."""

    def register(body: Implementation) -> Implementation:
        expected, got = list(inspect.signature(named).parameters), list(inspect.signature(body).parameters)
        if expected != got:
            raise TypeError(f"{named.__name__} expects the parameters {expected}, got {got}")
        if not (isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")):
            raise TypeError(f"expected a NamedTuple class to implement {named.__name__} for, got {kind!r}")
        if is_own(kind) and not is_own(body):
            raise TypeError(
                f"{kind.__name__} is levelsmith's own: implement {named.__name__} for a type of yours"
            )
        add_source(body)
        named.implementations[kind] = body
        return body

    return register


class Held(NamedTuple):
    """A value on its way out of a function: alone, numba would not let an array out without counting it."""

    value: Any


# By the type of a NamedTuple: its room to work in, of which each thread of a GPU has its own, and from which
# metric on a game works in it.
ROOM: dict[type, tuple[str, ...]] = {}
ROOM_FROM: dict[type, int] = {}


def own(room, i):
    """What thread i of a GPU has of room to work in, `Held`; what is no array all threads have alike."""
    return Held(room if isinstance(room, tuple) else room[..., i])


def _own(room, i):
    if isinstance(room, types.Array):
        return lambda room, i: Held(room[..., i])
    return lambda room, i: Held(room)


replace_inside(own, _own)


def together():
    """Where the threads of a GPU that go in step wait for each other."""


def _together_on_gpu():
    from numba import cuda

    return lambda: cuda.syncwarp()


replace_inside(together, lambda: lambda: None, _together_on_gpu)


# Of every representation `rep`. A state is used linearly: once another is made of it, the old one is dead.


@name
def initial(rep, rng):
    """Draws where this run starts; the first thing that every search does."""


@name
def board(rep, state):
    """The board of a state, as the game's metrics take it: `Held` with a bit set or an array of tiles."""


@name
def pack(rep, state, row):
    """Writes a state into `row`, an array of words."""


@name
def unpack(rep, row):
    """The state that `pack` wrote."""


# Of a representation that offers steps. A state has the field `depth`, and the last word of its row is that.


@name
def legal(rep, state):
    """The actions open in a state: `Held` with a bit set of action slots."""


@name
def apply(rep, state, action):
    """The state after an action."""


@name
def done(rep, state):
    """Whether no further action may follow."""


@name_with_body
def kind_bits(rep):
    """Each kind of action has 2 to this power slots, one kind after the other; here all are of one kind."""
    return 40


@name_with_body
def wandered(rep, state, rng):
    """The state after a random legal action, all equally likely; where none is open the same state."""
    actions = legal(rep, state).value
    open_actions = count(actions)
    if open_actions > 0:
        state = apply(rep, state, nth(actions, below(rng, open_actions)))
    return state


@name_with_body
def roamed(rep, state, rng, most):
    """The state after up to so many random actions; fewer where the end comes first, or none is open."""
    end = state.depth + most
    while state.depth < end and not done(rep, state):
        depth = state.depth
        state = wandered(rep, state, rng)
        if state.depth == depth:
            break
    return state


@name_with_body
def reopened(rep, state):
    """A state to go on from that keeps what a finished one has built; where there is none such, the same."""
    return state


@name_with_body
def rooted(rep, state, rng):
    """A state to go on from as if the run had started with what this one has built."""
    return reopened(rep, state)


@name
def lane(many, i):
    """What thread i of a GPU has of it: room to work in has a last axis for threads."""


# Of a representation that offers variation. Candidates are states too.


@name
def sample(rep, rng):
    """A random candidate of this run."""


@name
def mutate(rep, state, rate, rng):
    """A candidate that differs a little: each place with the chance `rate`, or at 0 exactly one."""


@name
def cross(rep, mother, father, rng):
    """A child of two candidates, given as rows."""


@name
def neighbours(rep):
    """In how many ways a candidate differs in exactly one place."""


@name
def neighbour(rep, state, k):
    """The k-th of those."""


@name_with_body
def brush(rep, state, rng):
    """A candidate with a small part of it painted over; by default in one place."""
    return neighbour(rep, state, below(rng, neighbours(rep)))


# Of a game.


@name
def metric(game, cells, k):
    """The k-th metric of a board, as a float64."""


__all__ = [
    "Held",
    "apply",
    "board",
    "brush",
    "cross",
    "done",
    "implement",
    "initial",
    "kind_bits",
    "lane",
    "legal",
    "metric",
    "mutate",
    "name",
    "neighbour",
    "neighbours",
    "own",
    "pack",
    "part",
    "reopened",
    "roamed",
    "rooted",
    "sample",
    "together",
    "unpack",
    "wandered",
]
