"""Parameters of the parts of a run: each goes to the part that has it, and what nothing uses is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from levelsmith.contracts import Game
from levelsmith.core import Parameters, settle
from levelsmith.errors import LevelsmithError, listed, option, unknown
from levelsmith.making.wants import metric_called
from levelsmith.registry import generators, generators_of, representations, representations_of, searches

Owners = list[tuple[str, Parameters]]


def settled(
    game: Game, owners: Owners, given: Mapping[str, Any], asked: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Returns every value by its owner, from `name` or `owner.name`.

    Args:
        game: whose objectives are looked through for who has a parameter.
        owners: the parts of this run with their parameters.
        given: all that was set, by the game and a preset too; these may be for parts that are not used.
        asked: what a person has set, which must be used.
    """
    by_owner: dict[str, dict[str, Any]] = {owner: {} for owner, _ in owners}
    has = {owner: [p.name for p in parameters] for owner, parameters in owners}
    for key, value in given.items():
        owner, dot, name = key.rpartition(".")
        if not dot:
            holders = [o for o in has if key in has[o]]
            if len(holders) > 1:
                raise LevelsmithError(f"{key} belongs to {listed(holders)}; write {holders[0]}.{key}=…")
            if not holders:
                raise _unused(game, "", key, has)
            owner, name = holders[0], key
        if owner in by_owner:
            by_owner[owner][name] = value
        elif key in asked:
            raise _unused(game, owner, name, has)
    return {owner: settle(owner, parameters, by_owner[owner]) for owner, parameters in owners}


def ranges_among(game: Game, way: str | None, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what was set and is no parameter where this representation is asked for, but is called as a
    metric: its range."""
    if way is None or way not in representations:
        return {}
    parts = [representations.get(way), *game.objectives.values(), *map(searches.get, searches)]
    return {name: asked[name] for name in unknown_to(parts, asked) if metric_called(game, name)}


def budget_of(game: Game, names: Iterable[str], search: str, way: str | None) -> int | None:
    """Returns the evaluations that objectives name for the search and representation which suit them; None
    where they name none."""
    suits = {"search": search, "representation": way}
    found = [game.objectives[name] for name in names]
    return max(
        (each.evaluations for each in found if each.evaluations and each.defaults == suits), default=None
    )


def unknown_to(parts: Iterable[Any], asked: Iterable[str]) -> list[str]:
    """Returns the names that were set, without an owner, and are of no parameter of these parts."""
    known = {parameter.name for part in parts for parameter in part.parameters}
    return [name for name in asked if "." not in name and name not in known]


def refuse_unused(generator: str, asked: Mapping[str, Any]) -> None:
    """Refuses what a generator would pass over."""
    for name, value in asked.items():
        if value:
            raise LevelsmithError(
                f"{generator} builds levels itself and uses no {name.replace('_', ' ')}: "
                f"leave out {option(name)}, or {option('search', generator)}"
            )


def _unused(game: Game, owner: str, name: str, has: Mapping[str, list[str]]) -> LevelsmithError:
    """Returns the error for a parameter of no part of a run, which names the part that has it."""
    kinds: tuple[tuple[str, Mapping[str, Any]], ...] = (
        ("search", {search: searches.get(search) for search in searches}),
        ("search", {maker: generators.get(maker) for maker in generators_of(game)}),
        ("representation", {way: representations.get(way) for way in representations_of(game)}),
        ("objective", game.objectives),
    )
    for kind, parts in kinds:
        for part in [owner] if owner else parts:
            if part in parts and name in [p.name for p in parts[part].parameters]:
                return LevelsmithError(
                    f"{name} belongs to {part}, which this run does not use (its parts are {listed(has)}): "
                    f"leave it out, or ask for the {kind} {part}"
                )
    if owner:
        return unknown("part of this run", owner, has)
    return unknown("parameter", name, [p for names in has.values() for p in names], hint=f"of {listed(has)}")
