"""Quality diversity with pyribs: its emitters look for levels, its archives hold them, a heat map shows them.

pyribs comes with the extra `qd`; levelsmith's own MAP-Elites, the search `elites`, needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from levelsmith.core import Grid, Level, Size
from levelsmith.errors import LevelsmithError
from levelsmith.experiment.figures import Panel
from levelsmith.experiment.ranges import writable, write_panel
from levelsmith.kernels.problem import implement, metric
from levelsmith.kernels.score import score
from levelsmith.levels.measure import measure
from levelsmith.making.build import build_problem
from levelsmith.making.plan import plan
from levelsmith.making.task import Task
from levelsmith.registry import games
from levelsmith.representations.grid import mix_of
from levelsmith.request import Keywords, Request
from levelsmith.search.elites import Axis, axes_of

Vectors = NDArray[np.float64]
GRID = "grid"  # the field of an archive that holds levels


class MeasuredGame(NamedTuple):
    """A level whose metrics are known, for `score` to count."""

    values: Vectors  # [K]


@implement(metric, MeasuredGame)
def measured_metric(game, cells, k):  # type: ignore[no-untyped-def]
    return float(game.values[k])


def ribs() -> Any:
    """Returns the library, or the line that says how to get it."""
    try:
        import ribs as library
        import ribs.archives
        import ribs.emitters
        import ribs.schedulers
    except ImportError:
        raise LevelsmithError(
            "archives and emitters are those of pyribs, which is not installed; "
            "type: pip install 'levelsmith[qd]'"
        ) from None
    return library


@dataclass(frozen=True)
class Space:
    """Vectors that stand for levels, so that emitters can move through them."""

    task: Task
    axes: tuple[Axis, ...]
    start: Vectors  # [dim] where emitters begin
    grids: Callable[[Vectors], Grid]  # [B, dim] -> [B, H, W]

    @property
    def dim(self) -> int:
        return len(self.start)

    def evaluate(self, vectors: Vectors) -> tuple[Vectors, Vectors, Grid]:
        """Scores [B], measures [B, axes] and grids [B, H, W] of some vectors."""
        game = games.get(self.task.game)
        grids = self.grids(vectors)
        metrics, objective = game.measure(grids), build_problem(self.task).objective
        scores = np.array([score(MeasuredGame(row), objective, None) for row in metrics])
        return scores, metrics[:, _columns(self.task.game, self.axes)], grids

    def archive(self, seed: int = 0) -> Any:
        """Returns an empty archive for it, with a field that keeps the levels."""
        return _archive(self.dim, self.axes, seed, {GRID: (self.task.size, np.uint8)})


def space(game: str, by: str = "", *, latent: str | None = None, **asked: Unpack[Keywords]) -> Space:
    """Returns what emitters of pyribs move through.

    Args:
        game: a name from `levelsmith list games`.
        by: metrics, ranges and bins, as of the search `elites`.
        latent: "vq", "vae", "ae" or the path of a model, to move through its codes; else through scores of
            tiles, a number for each tile of each cell, of which the highest wins.
        asked: `size`, `objective`, `combine`, `preset` and `set`, as of `levelsmith.generate`.
    """
    given = {**(asked.pop("set", None) or {}), **({"elites.by": by} if by else {})}
    representation = "wide" if latent is None else "latent"
    if latent is not None:
        given["latent.model"] = latent
    request = Request(game, **asked).but(search="elites", representation=representation, seed=0, set=given)
    task = plan(request)
    cells = task.size[0] * task.size[1]
    axes = axes_of(task.values["elites"]["by"], tuple(games.get(game).metrics), cells)
    if latent is None:
        kinds = games.get(game).tiles.kinds
        start = np.tile(_likely(game, kinds), cells)
        return Space(task, axes, start, lambda vectors: _tiles(vectors, task.size, kinds))
    from levelsmith.learn.named import model_of
    from levelsmith.learn.sampling import decoded, spread_codes

    model = model_of(game, latent)
    start = np.zeros(model.latent)
    return Space(task, axes, start, lambda vectors: decoded(model, spread_codes(model, vectors)))


def _likely(game: str, kinds: int) -> Vectors:
    """Returns the logarithm of how often each tile is drawn."""
    often = np.bincount(mix_of(games.get(game)) or range(kinds), minlength=kinds)
    found: Vectors = np.log(np.maximum(often, 0.1) / often.sum())
    return found


def _tiles(vectors: Vectors, size: Size, kinds: int) -> Grid:
    found: Grid = vectors.reshape(len(vectors), *size, kinds).argmax(-1).astype(np.uint8)
    return found


def _columns(game: str, axes: Sequence[Axis]) -> list[int]:
    return [list(games.get(game).metrics).index(axis.metric) for axis in axes]


def _archive(dim: int, axes: Sequence[Axis], seed: int, fields: dict[str, Any]) -> Any:
    return ribs().archives.GridArchive(
        solution_dim=dim,
        dims=[axis.bins for axis in axes],
        ranges=[(axis.low, axis.high) for axis in axes],
        seed=seed,
        extra_fields=fields,
    )


def illuminate(
    where: Space,
    *,
    evaluations: int = 10_000,
    batch: int = 100,
    seed: int = 0,
    emitters: Callable[[Any, int], Sequence[Any]] | None = None,
) -> Any:
    """Fills an archive of pyribs; `emitters(archive, seed)` makes them, by default two of CMA-ME's."""
    archive = where.archive(seed)
    made = _improving(archive, where.start, seed, batch) if emitters is None else emitters(archive, seed)
    scheduler = ribs().schedulers.Scheduler(archive, made)
    spent = 0
    while spent < evaluations:
        vectors = scheduler.ask()
        scores, measures, grids = where.evaluate(vectors)
        scheduler.tell(scores, measures, **{GRID: grids})
        spent += len(vectors)
    return archive


def _improving(archive: Any, start: Vectors, seed: int, batch: int) -> list[Any]:
    """Returns the emitters of Fontaine et al., "Covariance matrix adaptation for the rapid illumination of
    behavior space" (2020)."""
    es = "sep_cma_es" if len(start) > 200 else "cma_es"  # the whole matrix takes long for many numbers
    return [
        ribs().emitters.EvolutionStrategyEmitter(
            archive, x0=start, sigma0=1.0, ranker="2imp", es=es, batch_size=batch // 2, seed=seed + i
        )
        for i in range(2)
    ]


def levels_of(archive: Any, game: str, size: Size | None = None) -> list[Level]:
    """Returns the elites of an archive as levels, in the order of their cells, with score and measures.

    Without a field `grid`, solutions must be tiles: whole numbers, cell after cell of a level of `size`.
    """
    tiles, data = games.get(game).tiles, archive.data()
    if GRID in data:
        grids = data[GRID]
    elif size is None or data["solution"][0].size != size[0] * size[1]:
        raise LevelsmithError(f"expected an archive with a field {GRID!r}, or of tiles and their size")
    else:
        grids = data["solution"].reshape(-1, *size)
    found = []
    for i in np.argsort(data["index"]):
        told = {"score": float(data["objective"][i]), "measures": [float(m) for m in data["measures"][i]]}
        found.append(Level(game, tiles, grids[i], provenance=told))
    return found


def archive_of(levels: Sequence[Level], by: str) -> Any:
    """Returns an archive of pyribs with levels of one game and size; solutions are their tiles, cell after
    cell.

    The objective is the score that a level was made with, or 0.
    """
    first = levels[0]
    if any((level.game, level.size) != (first.game, first.size) for level in levels):
        raise LevelsmithError("expected levels of one game and one size for an archive")
    axes = axes_of(by, tuple(games.get(first.game).metrics), first.grid.size)
    archive = _archive(first.grid.size, axes, 0, {GRID: (first.size, np.uint8)})
    grids = np.stack([level.grid for level in levels])
    rows = measure(levels)
    archive.add(
        grids.reshape(len(levels), -1),
        [float(level.provenance.get("score", 0.0)) for level in levels],
        [[row[axis.metric] for axis in axes] for row in rows],
        **{GRID: grids},
    )
    return archive


def metrics_of(levels: Sequence[Level], by: str) -> tuple[str, str]:
    """Returns the two metrics that a heat map is drawn by."""
    one, other = _two_axes(levels, by)
    return one.metric, other.metric


def _two_axes(levels: Sequence[Level], by: str) -> tuple[Axis, ...]:
    axes = axes_of(by, tuple(games.get(levels[0].game).metrics), levels[0].grid.size)
    if len(axes) != 2:
        raise LevelsmithError(f"expected two metrics for a heat map, got {len(axes)}")
    return axes


def draw(levels: Sequence[Level], by: str, output: str) -> None:
    """Writes a heat map of levels of one game over two metrics: the best score in each bin."""
    writable(output)
    game, axes = levels[0].game, _two_axes(levels, by)
    best = np.full([axis.bins for axis in axes], np.nan)
    for level, row in zip(levels, measure(levels), strict=True):
        known = [value for axis in axes if (value := row[axis.metric]) is not None]
        if len(known) < len(axes):
            continue
        place = tuple(axis.bin_of(value) for axis, value in zip(axes, known, strict=True))
        best[place] = np.fmax(best[place], float(level.provenance.get("score", 0.0)))
    filled = int(np.isfinite(best).sum())
    title = f"{filled:,} of {best.size:,} bins of {game}, best score of each"
    panel = Panel(title, lambda drawn: _painted(drawn, best, axes), width=5.0, height=4.0)
    write_panel(title, panel, output)


def _painted(drawn: Any, best: Vectors, axes: Sequence[Axis]) -> None:
    edges = [np.linspace(axis.low, axis.high, axis.bins + 1) for axis in axes]
    mesh = drawn.pcolormesh(edges[0], edges[1], best.T, cmap="viridis", edgecolors="none")
    drawn.figure.colorbar(mesh, ax=drawn, label="score", pad=0.02)
    drawn.set_xlabel(axes[0].metric.replace("_", " "))
    drawn.set_ylabel(axes[1].metric.replace("_", " "))
