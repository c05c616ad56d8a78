"""From a request to a task: what is chosen, then a value for everything, then what cannot be is refused.

What a person asks for comes first, then the preset, then what suits the game.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from levelsmith import presets
from levelsmith.contracts import Game, Keeping, WithGuards
from levelsmith.core import Budget, Parameters, check_level, settle
from levelsmith.errors import LevelsmithError, listed, option, unknown
from levelsmith.kernels.device import chosen as device_of
from levelsmith.levels.solve import against
from levelsmith.making.build import build_maker, build_problem, start_run, terms_of
from levelsmith.making.canvas import lock_words, size_of
from levelsmith.making.task import Task
from levelsmith.making.wants import Want, check_measured, check_possible, collisions, metric_called
from levelsmith.making.wants import wanted as wants_of
from levelsmith.numbers import check_number, check_seed, parse_size, whole_number
from levelsmith.registry import (
    games,
    generators,
    generators_of,
    representations,
    representations_of,
    searches,
)
from levelsmith.request import FIELDS, Request

COMBINE = FIELDS["combine"].choices


def plan(request: Request, takes: Iterable[str] | None = None) -> Task:
    """Returns the task of a request: what it says, then its preset, then the game's defaults.

    Every mistake is named here. `takes` names the representations that may serve, where it is not the game
    that decides.
    """
    choice = Choice(request, _chosen(_with_preset(request)))
    task = _settled(choice, takes)
    _check(task, choice)
    return task


@dataclass(frozen=True)
class Choice:
    """What a person asked for, and what was chosen for it: the same, with every part and range named."""

    asked: Request
    chosen: Request

    @property
    def game(self) -> Game:
        game: Game = games.get(self.chosen.game)
        return game

    @property
    def maker(self) -> Any:
        """The maker of the game's own that is chosen; None for a search."""
        name = self.chosen.search
        return generators.get(name) if name in generators and name not in searches else None

    @property
    def values(self) -> dict[str, Any]:
        """The parameters that a person has set: each must be used."""
        return {name: value for name, value in (self.asked.set or {}).items() if name in self.chosen.set}

    @property
    def range_presets(self) -> dict[str, str]:
        """The preset for each metric whose range nobody else asks for."""
        ranged = [name for name in self.asked.set or {} if name not in self.chosen.set]
        told = {metric_called(self.game, name) for name in (*(self.asked.want or {}), *ranged)}
        metrics = [str(metric_called(self.game, name)) for name in self.chosen.want]
        return {metric: str(self.asked.preset) for metric in metrics if metric not in told}


# What is chosen.


def _with_preset(request: Request) -> Request:
    """Returns the request with what its preset says, wherever it says nothing itself.

    What was set, is no parameter and is called as a metric becomes its range.
    """
    game = games.get(request.game)
    preset = presets.load(request.preset) if request.preset else None
    wanted = preset.choices(request.game) if preset else {}
    parts = ("search", "representation", "objective", "combine", "guards")
    said = {name: getattr(request, name) or wanted.get(name) for name in parts}
    if request.size is None and request.start is None:
        said["size"] = wanted.get("size")
    if request.evaluations is None and request.seconds is None:
        said["evaluations"] = wanted.get("evaluations") or None
    ranged = _ranges_among(game, said["representation"], request.set or {})
    own = {name: value for name, value in (request.set or {}).items() if name not in ranged}
    values = {**(preset.values if preset else {}), **own}
    want = {**wanted.get("want", {}), **ranged, **(request.want or {})}
    return Request(request.game, **{**request.given, **said, "set": values, "want": want})


def _chosen(request: Request) -> Request:
    """Returns the request with every part named: as it says, else as it suits the game."""
    game, start, way = games.get(request.game), request.start, request.representation
    _check_makeable(game, request.game)
    if start is not None:
        check_level(start)
    search, size = _usual_maker(request, game)
    if start is not None and start.game == request.game:
        start = game.closed(start)
    size = size_of(game, size, start)
    wants = wants_of(game, request.want)
    check_possible(game, wants, size)
    own: Mapping[str, str] = {} if way is None else representations.get(way).defaults
    names = _objectives(game, request.objective or _default_objective(game, wants, own))
    fresh = start is None and size == game.default_size
    found, seen = _ways(game, names, wants, search or own.get("search"), way, fresh, request.set)
    evaluations = request.evaluations
    if evaluations is None and request.seconds is None and not (search or way):
        evaluations = _evaluations(game, names, found, seen)
    return request.but(
        size=size, search=found, representation=seen, objective=names, evaluations=evaluations, start=start
    )


def _ranges_among(game: Game, way: str | None, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what was set and is no parameter where this representation is asked for, but is called as a
    metric: its range."""
    if way is None or way not in representations:
        return {}
    parts = [representations.get(way), *game.objectives.values(), *map(searches.get, searches)]
    return {name: asked[name] for name in _unknown_to(parts, asked) if metric_called(game, name)}


def _unknown_to(parts: Iterable[Any], asked: Iterable[str]) -> list[str]:
    """Returns the names that were set, without an owner, and are of no parameter of these parts."""
    known = {parameter.name for part in parts for parameter in part.parameters}
    return [name for name in asked if "." not in name and name not in known]


def _check_makeable(game: Game, name: str) -> None:
    """Refuses a game without anything to make levels by, or with one name for two things."""
    if not game.objectives and not generators_of(game):
        able = [each for each in games if games.get(each).objectives]
        raise LevelsmithError(
            f"{name} levels can be read, drawn and measured but not generated yet; "
            f"expected one of: {listed(able)}"
        )
    if twice := collisions(game):
        raise LevelsmithError(
            f"{listed(twice)} of {name} is a metric and a parameter of an objective; "
            "give one of them another name"
        )


def _usual_maker(request: Request, game: Game) -> tuple[str | None, Any]:
    """Returns what to make levels by and their size, as far as both are known: the game's own maker, where
    nothing of a search was asked for.

    A search serves better where a parameter is not the maker's, or where its levels cannot have such a size
    or hardly ever lie in the ranges, to which belong parameters that are called as a metric is. Some
    parameters it `insists` on: wherever one of these is given, it is taken.
    """
    fields = ("search", "representation", "objective", "combine", "preset", "keep_above", "keep_gains")
    particular = any(getattr(request, name) for name in fields)
    particular |= request.until is not None or request.device != "cpu"
    begun = request.start is not None or bool(request.lock)
    name = game.defaults.get("generator")
    if particular or (begun and (name is None or not generators.get(name).begins)):
        return request.search, request.size
    size = None if request.size is None else parse_size(request.size)
    wants = wants_of(game, request.want)
    if name is None:
        return None, request.size
    maker = generators.get(name)
    named = {key.removeprefix(f"{name}.") for key in request.set}
    if not named <= {parameter.name for parameter in maker.parameters}:
        return None, request.size
    usual = size or maker.default_size or game.default_size
    if not named & maker.insists:
        alike = {key: value for key, value in request.set.items() if metric_called(game, key) is not None}
        if not maker.serves(usual, (*wants, *wants_of(game, alike))):
            return None, request.size
    return name, request.size if begun else usual


def _default_objective(game: Game, wants: tuple[Want, ...], own: Mapping[str, str]) -> tuple[str, ...]:
    """Returns what suits the representation that was asked for, else the game's own; ranges alone are
    enough, but of a game whose objective says what a level is."""
    if not game.objectives or (wants and game.ranges_suffice):
        return ()
    named = own.get("objective", "")
    name = named if named in game.objectives else game.defaults["objective"]
    return () if wants and not game.objectives[name].goal else (name,)


def _objectives(game: Game, asked: str | Iterable[str]) -> tuple[str, ...]:
    names = (asked,) if isinstance(asked, str) else tuple(asked)
    for name in names:
        if name not in game.objectives:
            raise unknown(
                f"objective of {game.name}", name, game.objectives, hint="levelsmith list objectives"
            )
    if len(frozenset(names)) != len(names):
        raise LevelsmithError(f"expected each objective once, got {listed(names)}")
    return names


def _ways(
    game: Game,
    names: tuple[str, ...],
    wants: tuple[Want, ...],
    search: str | None,
    representation: str | None,
    fresh: bool,
    values: Mapping[str, Any],
) -> tuple[str, str | None]:
    """Returns search and representation: as asked for, else what suits the objectives and has the parameters
    that are set, else the game's own.

    A game may name others for fresh levels of its own size, such as a model has that comes with it.
    """
    objectives = [game.objectives[name] for name in names]
    objectives += [
        o for o in game.objectives.values() for want in wants if metric_called(game, o.name) == want.metric
    ]
    own = [game.fresh_defaults] if fresh else []
    for defaults in (*(objective.defaults for objective in objectives), *own, game.defaults):
        how, what = search or defaults.get("search"), representation or defaults.get("representation")
        if how is None or what is None or not (how in searches and what in representations):
            continue
        maker, seen = searches.get(how), representations.get(what)
        fits = defaults is game.defaults or not _unknown_to([maker, seen, *objectives], values)
        if maker.needs in seen.offers and fits:
            return how, what
    search = search or game.defaults.get("search") or generators_of(game)[0]
    return search, representation or game.defaults.get("representation")


def _evaluations(game: Game, names: Iterable[str], search: str, way: str | None) -> int | None:
    """Returns the evaluations that objectives name for the search and representation which suit them; None
    where they name none."""
    suits = {"search": search, "representation": way}
    found = [game.objectives[name] for name in names]
    return max(
        (each.evaluations for each in found if each.evaluations and each.defaults == suits), default=None
    )


# A value for everything.


def _settled(choice: Choice, takes: Iterable[str] | None) -> Task:
    """Returns the task of what is chosen, with a value for everything."""
    chosen, game = choice.chosen, choice.game
    budget = Budget(chosen.evaluations, chosen.seconds, chosen.until)
    guards = chosen.guards
    if guards is None and isinstance(game, WithGuards):
        guards = game.guards
    played: Game = against(game, guards)
    seed = secrets.randbits(32) if chosen.seed is None else check_seed(chosen.seed)
    keep_most = whole_number(chosen.keep_most, "to keep", 1, " levels")
    task = Task(chosen.game, chosen.size, chosen.search, None, (), "mean", {}, budget, seed, guards=guards)
    task = replace(task, range_presets=choice.range_presets)
    task = _by_maker(task, choice) if choice.maker else _by_search(task, choice, keep_most, takes)
    check_measured(played, task.wants)
    return task


def _by_maker(task: Task, choice: Choice) -> Task:
    """Returns the task of a maker of the game's own, with the values of its parameters."""
    chosen, maker = choice.chosen, choice.maker
    if task.search not in generators_of(choice.game):
        raise LevelsmithError(f"{task.search} makes levels of {maker.game}, but {task.game} was asked for")
    if (chosen.start is not None or chosen.lock) and not maker.begins:
        raise LevelsmithError(
            f"{task.search} builds levels of {task.game} itself: it takes no start and no lock"
        )
    wants = wants_of(choice.game, chosen.want, maker.sure)
    unused = {name: getattr(choice.asked, name) for name in ("objective", "representation", "combine")}
    for name, value in {**unused, "keep_above": chosen.keep_above is not None}.items():
        if value:
            raise LevelsmithError(
                f"{task.search} builds levels itself and uses no {name.replace('_', ' ')}: "
                f"leave out {option(name)}, or {option('search', task.search)}"
            )
    values = _values(choice, {task.search: maker.parameters}, {})
    device_of(chosen.device, f"{task.search} runs on the processor alone: leave out {option('device')}")
    task = replace(task, values=values, wants=wants)
    if maker.begins:
        lock, unlike = lock_words(chosen.lock), tuple(chosen.unlike)
        task = replace(task, start_level=chosen.start, lock=lock, unlike=unlike)
    return task


def _by_search(task: Task, choice: Choice, keep_most: int, takes: Iterable[str] | None) -> Task:
    """Returns the task of a search on a representation, with the values of their parameters and of those of
    its objectives."""
    chosen, game, names = choice.chosen, choice.game, choice.chosen.objective
    if task.search not in searches:
        raise unknown("search", task.search, [*searches, *generators], hint="levelsmith list searches")
    if game.tiles.kinds < 2:
        raise LevelsmithError(
            f"{task.game} has no tiles to choose from; expected a level in it that shows some"
        )
    usual = max((game.objectives[name].combine for name in names), key=COMBINE.index, default="mean")
    combine = chosen.combine or usual
    if combine not in COMBINE:
        raise unknown("way to combine objectives", combine, COMBINE)
    if chosen.representation is None:
        raise unknown("representation", "", representations)
    _check_serves(game, task.search, chosen.representation, takes)
    search, representation = searches.get(task.search), representations.get(chosen.representation)
    parts = {task.search: search.parameters, chosen.representation: representation.parameters}
    parts |= {name: game.objectives[name].parameters for name in names}
    wants = wants_of(game, chosen.want)
    values = _values(choice, parts, representation.fitting(wants, chosen.start))
    if chosen.keep_above is not None:
        check_number(chosen.keep_above, "the score to keep levels from")
    task = replace(
        task,
        representation=chosen.representation,
        objectives=names,
        combine=combine,
        values=values,
        start_level=chosen.start,
        lock=lock_words(chosen.lock),
        keep_above=chosen.keep_above,
        keep_most=keep_most,
        wants=wants,
        keep_gains=chosen.keep_gains,
    )
    if chosen.device == "cpu":
        return task
    from levelsmith.search import gpu

    if gpu.device(chosen.device, task.search, build_problem(task).representation) == "cpu":
        return task
    fitted = gpu.fitted(values[task.search], choice.values, task.budget.evaluations)
    return replace(task, device="cuda", values={**values, task.search: fitted})


def _values(
    choice: Choice, parts: Mapping[str, Parameters], fitting: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Returns every value by its part, from `name` or `part.name`: what was set, by a person, else by the
    preset, else what is `fitting`, else as the game has it.

    What a person has set must be used; what the game and the preset have may be of parts not used here.
    """
    found: dict[str, dict[str, Any]] = {part: {} for part in parts}
    has = {part: [p.name for p in parameters] for part, parameters in parts.items()}
    for key, value in {**choice.game.settings, **fitting, **choice.chosen.set}.items():
        part, dot, name = key.rpartition(".")
        if not dot:
            holders = [each for each in has if key in has[each]]
            if len(holders) > 1:
                raise LevelsmithError(f"{key} belongs to {listed(holders)}; write {holders[0]}.{key}=…")
            if not holders:
                raise _unused(choice.game, "", key, has)
            part, name = holders[0], key
        if part in found:
            found[part][name] = value
        elif key in choice.values:
            raise _unused(choice.game, part, name, has)
    return {part: settle(part, parameters, found[part]) for part, parameters in parts.items()}


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


def _check_serves(game: Game, search: str, representation: str, takes: Iterable[str] | None) -> None:
    made_for = representations.get(representation).games
    if made_for and game.name not in made_for:
        raise LevelsmithError(
            f"{representation} makes levels of {listed(made_for)} alone, but {game.name} was asked for"
        )
    taken = representations_of(game) if takes is None else list(takes)
    needs, offers = searches.get(search).needs, representations.get(representation).offers
    others = [name for name in searches if searches.get(name).needs in offers]
    if representation not in taken:
        instead = representations.get(representation).instead
        raise LevelsmithError(
            f"{representation} does not serve {game.name}; expected one of: {listed(taken)}"
            f"{instead and '; ' + instead}"
        )
    if needs in offers:
        return
    able = [name for name in representations if needs in representations.get(name).offers and name in taken]
    if not able:
        raise LevelsmithError(
            f"{search} needs a representation that offers {needs}, and none of this game's does; "
            f"take one of the searches {listed(others)}"
        )
    raise LevelsmithError(
        f"{search} needs a representation that offers {needs}, and {representation} does not; "
        f"take {listed(able)} for {search}, or {listed(others)} for {representation}"
    )


# What cannot be.


def _check(task: Task, choice: Choice) -> None:
    """Refuses what cannot be before anything is made: what makes the levels is built, where that is quick."""
    if choice.maker is not None:
        if choice.maker.begins:
            start_run(task)
        if task.batches:
            if task.budget.evaluations is None or task.budget.score is not None:
                raise LevelsmithError(
                    f"{task.search} takes the first candidate that will do: "
                    f"its budget is {option('evaluations')} alone"
                )
            build_maker(task)
        return
    search = searches.get(task.search)
    if task.keep_above is not None and not issubclass(search, Keeping):
        raise LevelsmithError(
            f"{task.search} cannot keep more than its best level: leave out {option('keep_above')}"
        )
    terms_of(task)  # names metrics that are none
    _refuse_overruled(task, choice)
    search.check(task.values[task.search], tuple(choice.game.metrics), task.size[0] * task.size[1])
    way = str(task.representation)
    if representations.get(way).ready(choice.game, task.values[way]):
        build_problem(task)


def _refuse_overruled(task: Task, choice: Choice) -> None:
    """Refuses a parameter that a person has set for a term whose place a range takes."""
    if choice.game.ranges_suffice or not task.wants:
        return
    for name in task.objectives:
        for parameter in choice.game.objectives[name].parameters:
            if parameter.name not in choice.values and f"{name}.{parameter.name}" not in choice.values:
                continue
            unset = {**task.values, name: {**task.values[name], parameter.name: parameter.default}}
            without = replace(task, values=unset)
            matters = terms_of(replace(task, wants=())) != terms_of(replace(without, wants=()))
            if matters and terms_of(task) == terms_of(without):
                ranges = listed(f"{want.metric} {want.range}" for want in task.wants)
                raise LevelsmithError(
                    f"{parameter.name} has no effect beside the range {ranges}, which takes the place of "
                    f"what {name} asks for: leave out one of them"
                )
