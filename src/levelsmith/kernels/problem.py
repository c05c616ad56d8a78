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

from levelsmith.kernels import linear
from levelsmith.kernels.bits import count, nth
from levelsmith.kernels.compile import part, replace_inside
from levelsmith.kernels.random import below
from levelsmith.kernels.sources import add_source, is_own

Implementation = Callable[..., Any]

all_names: list[Any] = []


def name(declared: Implementation, default: Implementation | None = None) -> Any:
    """Makes a function whose body is chosen by the type of its first argument."""
    implementations: dict[type, Implementation] = {}
    signature = inspect.signature(declared)

    @wraps(declared)
    def call(*args: Any) -> Any:
        found = implementations.get(type(args[0]), default)
        if found is None:
            raise TypeError(f"{type(args[0]).__name__} does not implement {declared.__name__}")
        return linear.use(args, found) if linear.ON else found(*args)

    def choose(*args: Any) -> Implementation | None:
        from numba import types

        first = args[0]
        if isinstance(first, types.BaseNamedTuple):
            return implementations.get(first.instance_class, default)
        return None

    choose.__signature__ = signature  # type: ignore[attr-defined]
    replace_inside(call, choose)
    call.implementations = implementations  # type: ignore[attr-defined]
    all_names.append(call)
    return call


def name_with_body(declared: Implementation) -> Any:
    """Returns a name that serves every type; one may implement it better."""
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


# By the type of a NamedTuple: its fields that are workspace, of which each thread of a GPU has its own, and
# from which metric on a game needs it.
WORKSPACE: dict[type, tuple[str, ...]] = {}
WORKSPACE_FROM: dict[type, int] = {}


def own(workspace, i):
    """Returns the workspace of thread i of a GPU, `Held`; what is no array all threads have alike."""
    return Held(workspace if isinstance(workspace, tuple) else workspace[..., i])


def _own(workspace, i):
    from numba import types

    if isinstance(workspace, types.Array):
        return lambda workspace, i: Held(workspace[..., i])
    return lambda workspace, i: Held(workspace)


replace_inside(own, _own)


def sync_warp():
    """Lets the threads of a warp, which a GPU runs in step, wait for each other; does nothing elsewhere."""


def _sync_warp_on_gpu():
    from numba import cuda

    return lambda: cuda.syncwarp()


replace_inside(sync_warp, lambda: lambda: None, _sync_warp_on_gpu)


# Of every representation `rep`. A state is used linearly: once another is made of it, the old one is dead.


@name
def initial(rep, rng):
    """Draws the state where this run starts; the first thing that every search does."""


@name
def board(rep, state):
    """Returns the board of a state as the game's metrics take it: a bit set or an array of tiles, `Held`."""


@name
def pack(rep, state, packed):
    """Writes a state into `packed`, an array of `rep.words` words."""


@name
def unpack(rep, packed):
    """Returns the state that `pack` wrote; one that was unpacked before may be overwritten."""


# Of a representation that offers steps. A state has the field `depth`, which is also its last word when
# packed; a representation has the field `slots`, an empty bit set that is large enough for all actions.


@name
def legal(rep, state):
    """Returns the actions open in a state: `Held` with a bit set of action slots."""


@name
def apply(rep, state, action):
    """Returns the state after an action; the one before may not be used any more."""


@name
def done(rep, state):
    """Returns whether no further action may follow."""


@name_with_body
def kind_bits(rep):
    """Returns the power of two that each kind of action has slots, one kind after the other.

    By default all actions are of one kind.
    """
    return 40


@name_with_body
def step_at_random(rep, state, rng):
    """Returns the state after a random legal action, all equally likely, or where none is open the same."""
    actions = legal(rep, state).value
    open_actions = count(actions)
    if open_actions > 0:
        state = apply(rep, state, nth(actions, below(rng, open_actions)))
    return state


@name_with_body
def walk_at_random(rep, state, rng, most):
    """Returns the state after up to so many random actions; fewer where the end comes first."""
    end = state.depth + most
    while state.depth < end and not done(rep, state):
        depth = state.depth
        state = step_at_random(rep, state, rng)
        if state.depth == depth:
            break
    return state


@name_with_body
def reopened(rep, state):
    """Returns a state to go on from that keeps what a finished one has built; by default the same state."""
    return state


@name_with_body
def rooted(rep, state, rng):
    """Returns a state to go on from as if the run had started with what this one has built."""
    return reopened(rep, state)


@name
def of_thread(many, i):
    """Returns what thread i of a GPU works with: workspaces have a last axis for threads."""


# Of a representation that offers variation. Candidates are states too.


@name
def sample(rep, rng):
    """Draws a random candidate."""


@name
def mutate(rep, state, rate, rng):
    """Returns a candidate that differs a little: each place with the chance `rate`, or at 0 exactly one."""


@name
def cross(rep, mother, father, rng):
    """Returns a child of two candidates, which are given packed."""


@name
def neighbours(rep):
    """Returns in how many ways a candidate differs in exactly one place."""


@name
def neighbour(rep, state, k):
    """Returns the k-th of the candidates that differ in exactly one place."""


@name_with_body
def brush(rep, state, rng):
    """Returns a candidate with a small part painted over; by default one that differs in one place."""
    return neighbour(rep, state, below(rng, neighbours(rep)))


# Of a game.


@name
def metric(game, cells, k):
    """Returns the k-th metric of a board, a float64."""


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
    "legal",
    "metric",
    "mutate",
    "name",
    "neighbour",
    "neighbours",
    "of_thread",
    "own",
    "pack",
    "part",
    "reopened",
    "rooted",
    "sample",
    "step_at_random",
    "sync_warp",
    "unpack",
    "walk_at_random",
]
