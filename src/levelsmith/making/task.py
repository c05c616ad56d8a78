"""One run, described by names and numbers: checked up front, sent to any process, recorded with the level."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

import numpy as np

from levelsmith import presets
from levelsmith.contracts import Drawing, Game, Keeping, Maker, Resumable, WithGuards
from levelsmith.core import Budget, Canvas, Grid, Level, Problem, Size, Term, Values, check_level
from levelsmith.errors import LevelsmithError, listed, option, setting, unknown
from levelsmith.kernels.device import chosen as chosen_device
from levelsmith.levels.solve import against
from levelsmith.making.canvas import canvas, size_of
from levelsmith.making.canvas import lock_words as words
from levelsmith.making.makers import takes_starts, usual_maker
from levelsmith.making.run import OneByOne
from levelsmith.making.settings import budget_of, ranges_among, refuse_unused, settled, unknown_to
from levelsmith.making.terms import collisions, refuse_overruled, terms_of
from levelsmith.making.wants import Want, check_possible, metric_called
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


@dataclass(frozen=True)
class Task:
    """What to run. `values` holds every parameter of every part, by the part's name."""

    game: str
    size: Size
    search: str
    representation: str | None  # None where a maker of the game does without a search
    objectives: tuple[str, ...]
    combine: str
    values: Mapping[str, Values]
    budget: Budget
    seed: int
    run: int = 0
    start_level: Level | None = None
    lock: tuple[str, ...] = ()
    tree: int = 0  # which of the independent trees of this run
    keep_above: float | None = None  # also keep every level with this score
    keep_most: int = 100  # of those, at most
    wants: tuple[Want, ...] = ()  # ranges that the level must lie in
    range_presets: Mapping[str, str] = field(default_factory=dict)  # who asked for the range of a metric
    keep_gains: bool = False  # also keep every level that was the best until then
    device: str = "cpu"  # or "cuda"
    guards: str | None = None  # what they do while a level is proved, in a game that has some
    unlike: tuple[Level, ...] = ()  # levels that its maker shall stay away from

    @property
    def played(self) -> Game:
        """The game against the guards of this task."""
        game: Game = against(games.get(self.game), self.guards)
        return game

    @property
    def wins(self) -> bool:
        """Whether a level must be won against guards."""
        return self.guards == "chase"

    @property
    def needs_proof(self) -> bool:
        """Whether a level that meets its goal is none without a solution."""
        return self.wins or games.get(self.game).proof_needed

    @property
    def sequence(self) -> np.random.SeedSequence:
        """The seed of this run: run i of a seed is the same whether one or a thousand are asked for."""
        seed: np.random.SeedSequence = self.seeds([self.run])[0]
        return seed

    def seeds(self, runs: Sequence[int], again: int = 0) -> Sequence[np.random.SeedSequence]:
        """Returns a seed for each run, or the how manieth one where its level is made `again`."""
        from levelsmith.kernels.seeds import Seeds

        parts = [part for part in (self.tree, again) if part]
        if not parts:
            return Seeds(self.seed, runs)
        return [np.random.SeedSequence(self.seed, spawn_key=(run, *parts)) for run in runs]

    @property
    def trees(self) -> int:
        """How many independent searches share the budget of this run; the best of them is its result."""
        return int(self.values[self.search].get("trees", 1))

    def shares(self, workers: int) -> list[Task]:
        """Returns this run as its trees, with equal shares of the evaluations and of the workers' seconds."""
        n, budget = self.trees, self.budget
        if n == 1 or self.device == "cuda":
            return [self]
        seconds = None if budget.seconds is None else budget.seconds * min(workers, n) / n
        if budget.evaluations is not None and budget.evaluations < n:
            n = budget.evaluations
        counts = [None if budget.evaluations is None else (budget.evaluations + i) // n for i in range(n)]
        return [
            replace(self, tree=i, budget=replace(budget, evaluations=counts[i], seconds=seconds))
            for i in range(n)
        ]

    @property
    def has_goal(self) -> bool:
        game = games.get(self.game)
        goals = [game.objectives[name].goal for name in self.objectives]
        return self.representation is None or (bool(goals or self.wants) and all(goals))

    @property
    def distinct(self) -> bool:
        """Whether no two of its levels are alike: made in chunks, and anew where one repeats another.

        Only makers that do without a search tell levels apart, and only without a clock.
        """
        if self.representation is not None:
            return False
        maker = generators.get(self.search)
        return not issubclass(maker, Drawing) or (maker.distinct and self.budget.evaluations is not None)

    @property
    def tells_apart(self) -> bool:
        """Whether its runs are done one by one, and one whose level repeats an earlier one is done anew."""
        return self.representation is None and generators.get(self.search).begins

    @property
    def canvas(self) -> Canvas:
        return canvas(self.size, self.start_level, self.lock)

    def maker(self) -> Maker:
        """Returns what makes the levels of this task, whichever run they are of."""
        return self.own_maker() if self.distinct else OneByOne(self)

    def own_maker(self) -> Any:
        """Returns the maker of the game that does without a search."""
        terms, maker = [want.term() for want in self.wants], generators.get(self.search)
        begun = {"canvas": self.canvas, "unlike": self.unlike} if maker.begins else {}
        return maker(self.played, self.size, self.values[self.search], terms, **begun)

    def start(self, seed: np.random.SeedSequence | None = None) -> Resumable:
        """Returns the run, ready to be advanced."""
        try:
            return self._started(self.sequence if seed is None else seed)
        except MemoryError:
            raise LevelsmithError(
                f"{self.search} found no memory for its tables; ask for less of it "
                f"({setting(self.search + '.memory', 2048)}) or for a smaller size"
            ) from None

    def _started(self, seed: np.random.SeedSequence) -> Resumable:
        if self.representation is None:
            draw: Resumable = self.own_maker().start(seed)
            return draw
        search: Any = searches.get(self.search)
        if self.device == "cuda":
            from levelsmith.search.gpu import Forest

            search = Forest
        run: Resumable = search(self.problem(games.get(self.game)), seed, self.values[self.search])
        return run

    def terms(self, game: Game) -> list[Term]:
        """Returns what the score is made of: the terms of the objectives, then the ranges.

        Where ranges do not suffice, each takes the place of what the objectives say of its metric.
        """
        ranged = set() if game.ranges_suffice else {want.metric for want in self.wants}
        asked = [
            term
            for name in self.objectives
            for term in terms_of(game, name, self.size, self.values[name], ranged)
        ]
        return [*asked, *(want.term(self.size[0] * self.size[1]) for want in self.wants)]

    @property
    def no_level(self) -> str | None:
        """What to say of a candidate without a proof, where that is no level; else None."""
        if self.representation is None:
            return None
        values = self.values[self.representation]
        return representations.get(self.representation).no_level(self.size, values, bool(self.lock))

    def finished(self, grid: Grid) -> Grid:
        """Returns a grid as it is handed out, where the representation has a last word on fresh levels."""
        if self.representation is None or self.start_level is not None:
            return grid
        values = self.values[self.representation]
        return representations.get(self.representation).finished(grid, values, self.counted)

    @property
    def counted(self) -> dict[str, float]:
        """The metrics asked for, or by which levels are told apart, each with what is enough, or infinity."""
        axes = str(self.values[self.search].get("by", "")).split(",")
        found = {axis.partition(":")[0].strip().replace("-", "_"): inf for axis in axes}
        for term in self.terms(games.get(self.game)):
            enough = term.low if term.shape == "ramp" else inf
            found[term.metric] = max(enough, found.get(term.metric, -inf))
        return found

    def problem(self, game: Game) -> Problem:
        from levelsmith.kernels.score import make

        if self.representation is None:
            raise LevelsmithError(
                f"{self.search} builds levels of {self.game} itself: it has no search problem"
            )
        representation = representations.get(self.representation)
        built = representation.build(
            game, self.canvas, self.values[self.representation], searches.get(self.search).needs
        )
        objective = make(self.terms(game), list(game.metrics), self.combine == "product")
        return Problem(
            built,
            game.compiled(self.size),
            objective,
            lambda board: representation.grid(built, board),
            tuple(game.metrics),
            self.size[0] * self.size[1],
            lambda row: representation.proof(built, row),
        )

    def provenance(self) -> dict[str, Any]:
        """Returns what a level says about where it came from."""
        from levelsmith import __version__
        from levelsmith.kernels.compile import BUILT, way

        wanted = {want.metric for want in self.wants}
        models = {name: model for name, model in games.get(self.game).models.items() if name in wanted}
        return {
            "levelsmith": __version__,
            "game": self.game,
            "size": f"{self.size[1]}x{self.size[0]}",
            "search": self.search,
            **({"representation": self.representation} if self.representation else {}),
            "objective": list(self.objectives),
            "combine": self.combine,
            **({"want": {want.metric: want.range for want in self.wants}} if self.wants else {}),
            **({"models": models} if models else {}),
            "parameters": {owner: dict(values) for owner, values in self.values.items()},
            "seed": self.seed,
            "run": self.run,
            **({"tree": self.tree} if self.trees > 1 and self.device == "cpu" else {}),
            **({"device": self.device} if self.device != "cpu" else {}),
            **({"kernels": way()} if way() != BUILT else {}),
            **({"guards": self.guards} if self.guards else {}),
            **({"start": self.start_level.text, "lock": list(self.lock)} if self.start_level else {}),
        }


def plan(request: Request, takes: Iterable[str] | None = None) -> Task:
    """Returns the task of a request: what it says, then its preset, then the game's defaults.

    Every mistake is named here. `takes` names the representations that may serve, where it is not the game
    that decides.
    """
    game, preset, start, device = request.game, request.preset, request.start, request.device
    search, representation, objective = request.search, request.representation, request.objective
    size, combine, lock, until = request.size, request.combine, request.lock, request.until
    evaluations, seconds, keep_above = request.evaluations, request.seconds, request.keep_above
    mine, want = dict(request.set or {}), request.want or {}
    the_game = games.get(game)
    chosen = presets.load(preset) if preset else None
    wanted = chosen.choices(game) if chosen else {}
    ranged = ranges_among(the_game, representation or wanted.get("representation"), mine)
    mine, want = {name: value for name, value in mine.items() if name not in ranged}, {**ranged, **want}
    if not the_game.objectives and not generators_of(the_game):
        able = [name for name in games if games.get(name).objectives]
        raise LevelsmithError(
            f"{game} levels can be read, drawn and measured but not generated yet; "
            f"expected one of: {listed(able)}"
        )
    if twice := collisions(the_game):
        raise LevelsmithError(
            f"{listed(twice)} of {game} is a metric and a parameter of an objective; "
            "give one of them another name"
        )
    if start is not None:
        check_level(start)
    particular = (search, representation, objective, combine, preset, keep_above)
    begun = start is not None or bool(lock)
    fit = not begun or takes_starts(the_game)
    if fit and not any(particular) and not request.keep_gains and until is None and device == "cpu":
        asked = None if size is None else parse_size(size)
        search, usual_size = usual_maker(the_game, asked, mine, wants_of(the_game, want))
        size = size if begun else usual_size
    if start is not None and start.game == game:
        start = the_game.closed(start)
    size = size_of(the_game, size, start, wanted)
    ranges = {**wanted.get("want", {}), **want}
    wants = wants_of(the_game, ranges)
    told = {metric_called(the_game, name) for name in want}
    hidden = {str(metric_called(the_game, name)): str(preset) for name in wanted.get("want", {})}
    hidden = {metric: preset for metric, preset in hidden.items() if metric not in told}
    check_possible(the_game, wants, size)
    way = representation or wanted.get("representation")
    own: Mapping[str, str] = {} if way is None else representations.get(way).defaults
    names = _objectives(
        the_game, objective or wanted.get("objective") or _default_objective(the_game, wants, own)
    )
    left_open = not (search or wanted.get("search") or way)
    search, way = _ways(
        the_game,
        names,
        wants,
        search or wanted.get("search") or own.get("search"),
        way,
        fresh=start is None and size == the_game.default_size,
        values=mine,
    )
    # Later ones win, under whichever name; those of the game and the preset may be of parts not used here.
    settings: dict[str, Any] = dict(the_game.settings)
    given = {**(chosen.values if chosen else {}), **mine}
    if evaluations is None and seconds is None:
        suited = budget_of(the_game, names, search, way) if left_open else None
        evaluations = wanted.get("evaluations") or suited
    budget = Budget(evaluations, seconds, until)
    guards = request.guards or wanted.get("guards")
    if guards is None and isinstance(the_game, WithGuards):
        guards = the_game.guards
    against(the_game, guards)
    seed = secrets.randbits(32) if request.seed is None else check_seed(request.seed)
    keep_most = whole_number(request.keep_most, "to keep", 1, " levels")

    if search not in searches and search in generators:
        maker = generators.get(search)
        if search not in generators_of(the_game):
            raise LevelsmithError(f"{search} makes levels of {maker.game}, but {game} was asked for")
        if begun and not maker.begins:
            raise LevelsmithError(f"{search} builds levels of {game} itself: it takes no start and no lock")
        wants = wants_of(the_game, ranges, maker.sure)
        unused = {"objective": objective, "representation": representation, "combine": combine}
        refuse_unused(search, {**unused, "keep_above": keep_above is not None})
        values = settled(the_game, [(search, maker.parameters)], {**settings, **given}, mine)
        chosen_device(device, f"{search} runs on the processor alone: leave out {option('device')}")
        task = Task(game, size, search, None, (), "mean", values, budget, seed, wants=wants)
        task = replace(task, range_presets=hidden, guards=guards)
        if maker.begins:
            task = replace(task, start_level=start, lock=words(lock), unlike=tuple(request.unlike))
            task.start(task.sequence)  # what cannot be is refused before anything is made
        if task.distinct:
            if budget.evaluations is None or until is not None:
                raise LevelsmithError(
                    f"{search} takes the first candidate that will do: "
                    f"its budget is {option('evaluations')} alone"
                )
            task.maker()  # what cannot be is refused before anything is made
        return task
    if search not in searches:
        raise unknown("search", search, [*searches, *generators], hint="levelsmith list searches")
    if the_game.tiles.kinds < 2:
        raise LevelsmithError(f"{game} has no tiles to choose from; expected a level in it that shows some")

    representation = way
    usual = max((the_game.objectives[name].combine for name in names), key=COMBINE.index, default="mean")
    combine = combine or wanted.get("combine", usual)
    if combine not in COMBINE:
        raise unknown("way to combine objectives", combine, COMBINE)
    if representation is None:
        raise unknown("representation", "", representations)
    _check_serves(the_game, search, representation, takes)
    owners = [
        (search, searches.get(search).parameters),
        (representation, representations.get(representation).parameters),
        *((name, the_game.objectives[name].parameters) for name in names),
    ]
    fitting = representations.get(representation).fitting(wants, start)
    values = settled(the_game, owners, {**settings, **fitting, **given}, mine)
    if keep_above is not None:
        check_number(keep_above, "the score to keep levels from")
    task = Task(
        game,
        size,
        search,
        representation,
        names,
        combine,
        values,
        budget,
        seed,
        start_level=start,
        lock=words(lock),
        keep_above=keep_above,
        keep_most=keep_most,
        wants=wants,
        range_presets=hidden,
        keep_gains=request.keep_gains,
        guards=guards,
    )
    if device != "cpu":
        from levelsmith.search import gpu

        device = gpu.device(device, search, task.problem(the_game).representation)
        if device == "cuda":
            fitted = gpu.fitted(values[search], mine, budget.evaluations)
            task = replace(task, device=device, values={**values, search: fitted})
    if keep_above is not None and not issubclass(searches.get(search), Keeping):
        raise LevelsmithError(
            f"{search} cannot keep more than its best level: leave out {option('keep_above')}"
        )
    task.terms(the_game)  # what cannot be is refused before the search starts
    refuse_overruled(the_game, task, mine)
    searches.get(search).check(values[search], tuple(the_game.metrics), size[0] * size[1])
    if representations.get(representation).ready(the_game, values[representation]):
        task.problem(the_game)
    return task


def _default_objective(game: Game, wants: tuple[Want, ...], own: Mapping[str, str]) -> tuple[str, ...]:
    """Returns what suits the representation that was asked for, else the game's own; ranges alone are
    enough, but of a game whose objective says what a level is."""
    if not game.objectives or (wants and game.ranges_suffice):
        return ()
    named = own.get("objective", "")
    chosen = named if named in game.objectives else game.defaults["objective"]
    return () if wants and not game.objectives[chosen].goal else (chosen,)


def _ways(
    game: Game,
    names: tuple[str, ...],
    wants: tuple[Want, ...],
    search: str | None,
    representation: str | None,
    fresh: bool,
    values: Mapping[str, Any],
) -> tuple[str, str | None]:
    """Search and representation: as asked for, else what suits the objectives and has the parameters that are
    set, else the game's own.

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
        fits = defaults is game.defaults or not unknown_to([maker, seen, *objectives], values)
        if maker.needs in seen.offers and fits:
            return how, what
    search = search or game.defaults.get("search") or generators_of(game)[0]
    return search, representation or game.defaults.get("representation")


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
