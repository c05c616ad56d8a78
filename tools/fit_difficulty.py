"""Fits the difficulty of Sokoban levels to Boxoban's tiers, and says how well it tells them apart.

It needs LEVELSMITH_DATA, a folder of public levels, and scikit-learn.

One set of weights serves three questions, each with an offset of its own: unfiltered or hard, unfiltered or
medium, medium or hard. The last counts double, since it is the finest. The penalty on the weights is strong:
the counts rise together, and it has them share the work, so that a level which is unlike Boxoban's in one
count is not judged by that count alone.

The terms themselves were chosen by looking at these levels, which flatters what is said of levels set aside.
So the choice is also made anew, ten times, each time without the tenth of them that it is then tried on.
"""

from __future__ import annotations

import math
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, train_test_split

from levelsmith import load, solve
from levelsmith.games.sokoban.metrics.difficulty import TERMS, TIERS, difficulty, tier

BOXOBAN = {
    "unfiltered": "boxoban_unfiltered_valid_000.txt",
    "medium": "boxoban_medium_valid_000.txt",
    "hard": "boxoban_hard_003.txt",
}
PAIRS = {"unfiltered, hard": (0, 2), "unfiltered, medium": (0, 1), "medium, hard": (1, 2)}
SHARES = (1, 1, 2)  # of the pairs, in what is fitted
PENALTY = 0.2  # against a mean loss of 1 for each level
SOFTER = 2.5  # the sum is divided by this: Boxoban then fills the middle of the scale, with room around it
UNSEEN = 0.3
SEED = 0
COUNTS = ("box_changes", "box_lines", "pushing_sessions", "player_lines", "counterintuitive", "decomposition")
CANDIDATES = TERMS | {name: lambda f, name=name: math.log1p(f[name]) for name in COUNTS}
MOST_TERMS = 3


def features(folder: Path, moves: bool) -> tuple[list[dict[str, Any]], np.ndarray]:
    """The metrics of a solution of each Boxoban level, and the tier of each by number."""
    rows: list[dict[str, Any]] = []
    tiers: list[int] = []
    for number, name in enumerate(BOXOBAN.values()):
        levels = load(folder / name, game="sokoban")
        found = [dict(v.metrics) for v in solve(levels, moves=moves, workers=os.cpu_count() or 1)]
        rows += found
        tiers += [number] * len(found)
    return rows, np.array(tiers)


def table(rows: list[dict[str, Any]], terms: Any = TERMS) -> np.ndarray:
    return np.array([[term(row) for term in terms.values()] for row in rows])


def fitted(x: np.ndarray, tiers: np.ndarray) -> np.ndarray:
    """The weights of the terms, each pair of tiers counted by its share and its two sides alike."""
    mean, spread = x.mean(axis=0), x.std(axis=0)
    parts, labels, weights = [], [], []
    for i, ((low, high), share) in enumerate(zip(PAIRS.values(), SHARES, strict=True)):
        ours = np.isin(tiers, (low, high))
        offset = np.zeros((ours.sum(), len(PAIRS)))
        offset[:, i] = 1e3  # so large that the penalty does not touch its weight
        is_high = tiers[ours] == high
        parts.append(np.hstack([(x[ours] - mean) / spread, offset]))
        labels.append(is_high)
        weights.append(share * np.where(is_high, 0.5 / is_high.sum(), 0.5 / (~is_high).sum()))
    model = LogisticRegression(C=1 / PENALTY, fit_intercept=False, max_iter=5000, tol=1e-8)
    model.fit(np.vstack(parts), np.concatenate(labels), sample_weight=np.concatenate(weights) / sum(SHARES))
    return np.asarray(model.coef_[0][: x.shape[1]] / spread)


def scaled(x: np.ndarray, tiers: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, float]:
    """The weights and an offset by which 0 is as likely unfiltered as hard."""
    ends = tiers != 1
    model = LogisticRegression(C=1e6, class_weight="balanced")
    model.fit((x[ends] @ weights)[:, None], tiers[ends] == 2)
    return weights * model.coef_[0, 0] / SOFTER, float(model.intercept_[0]) / SOFTER


def areas(scores: np.ndarray, tiers: np.ndarray) -> list[float]:
    """How often the level of the higher tier has the higher score (AUC), for each pair of tiers."""
    return [
        float(roc_auc_score(tiers[ours] == pair[1], scores[ours]))
        for pair in PAIRS.values()
        for ours in [np.isin(tiers, pair)]
    ]


def intervals(scores: np.ndarray, tiers: np.ndarray, times: int = 1000) -> np.ndarray:
    """95 % intervals of the areas: the levels drawn again and again, with replacement, in each tier."""
    rng = np.random.default_rng(SEED)
    members = [np.flatnonzero(tiers == number) for number in range(3)]
    drawn = []
    for _ in range(times):
        chosen = np.concatenate([rng.choice(each, len(each)) for each in members])
        drawn.append(areas(scores[chosen], tiers[chosen]))
    return np.percentile(drawn, (2.5, 97.5), axis=0).T


def crossed(x: np.ndarray, tiers: np.ndarray) -> np.ndarray:
    """A score for each level by weights that never saw it: the mean over ten splits into five parts."""
    scores = np.zeros(len(x))
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=10, random_state=SEED)
    for near, far in folds.split(x, tiers):
        scores[far] += x[far] @ fitted(x[near], tiers[near]) / 10
    return scores


def chosen(x: np.ndarray, tiers: np.ndarray) -> list[int]:
    """The terms that tell these levels apart best, added one by one, each tried on levels not fitted."""

    def worth(terms: list[int]) -> float:
        scores = np.zeros(len(x))
        for near, far in StratifiedKFold(3, shuffle=True, random_state=SEED).split(x, tiers):
            scores[far] = x[np.ix_(far, terms)] @ fitted(x[np.ix_(near, terms)], tiers[near])
        return float(np.dot(areas(scores, tiers), SHARES))

    terms: list[int] = []
    while len(terms) < MOST_TERMS:
        rest = [k for k in range(x.shape[1]) if k not in terms]
        terms.append(max(rest, key=lambda k: worth([*terms, k])))
    return terms


def chosen_anew(x: np.ndarray, tiers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A score for each level by terms and weights that never saw it, and how often each term was taken."""
    scores, taken = np.zeros(len(x)), np.zeros(x.shape[1], int)
    for near, far in StratifiedKFold(10, shuffle=True, random_state=SEED).split(x, tiers):
        terms = chosen(x[near], tiers[near])
        weights = fitted(x[np.ix_(near, terms)], tiers[near])
        known = x[np.ix_(near, terms)] @ weights  # other terms have another scale
        scores[far] = (x[np.ix_(far, terms)] @ weights - known.mean()) / known.std()
        taken[terms] += 1
    return scores, taken


def show(title: str, scores: np.ndarray, tiers: np.ndarray) -> None:
    print(title)
    bounds = intervals(scores, tiers)
    for pair, area, (low, high) in zip(PAIRS, areas(scores, tiers), bounds, strict=True):
        print(f"  {pair:<20} {area:.3f}   {low:.3f} to {high:.3f}")


def main() -> None:
    if "LEVELSMITH_DATA" not in os.environ:
        sys.exit("LEVELSMITH_DATA names no folder of public levels")
    folder = Path(os.environ["LEVELSMITH_DATA"]) / "sokoban"
    ratings = {}
    for moves in (False, True):
        started = time.perf_counter()
        rows, tiers = features(folder, moves)
        seconds = time.perf_counter() - started
        x = table(rows)
        seen, unseen = train_test_split(
            np.arange(len(x)), test_size=UNSEEN, stratify=tiers, random_state=SEED
        )
        weights = fitted(x[seen], tiers[seen])
        print(f"\n{'fewest moves too' if moves else 'fewest pushes'}: {len(x)} levels in {seconds:.1f} s")
        show("each level by weights that never saw it: AUC, 95 % interval", crossed(x, tiers), tiers)
        show(f"{len(unseen)} levels that were set aside", x[unseen] @ weights, tiers[unseen])
        if moves:
            scores, taken = chosen_anew(table(rows, CANDIDATES), tiers)
            show("each level by terms, too, that were chosen without it", scores, tiers)
            print(
                "  terms:", ", ".join(f"{n} {k} of 10" for n, k in zip(CANDIDATES, taken, strict=True) if k)
            )
            weights, offset = scaled(x[seen], tiers[seen], weights)
            print("WEIGHTS =", {name: round(float(w), 3) for name, w in zip(TERMS, weights, strict=True)})
            print("OFFSET =", round(offset, 3))
        ratings[moves] = np.array([difficulty(row) for row in rows])
    print("\nas shipped, fewest moves too: 10, 25, 50, 75, 90 % of the levels lie below")
    for number, name in enumerate(BOXOBAN):
        print(f"{name:<12}", *np.percentile(ratings[True][tiers == number], (10, 25, 50, 75, 90)).round(1))
        named = [tier(rating) for rating in ratings[True][tiers == number]]
        print(" " * 12, ", ".join(f"{named.count(each) / len(named):.0%} {each}" for each in TIERS))
    apart = ratings[False] - ratings[True]
    moved = np.mean([tier(a) != tier(b) for a, b in zip(ratings[False], ratings[True], strict=True)])
    print(
        f"without fewest moves: {apart.mean():+.1f} on average, {np.median(np.abs(apart)):.1f} either way in"
    )
    print(f"the middle, 9 in 10 within {np.percentile(np.abs(apart), 90):.1f}; another tier for {moved:.0%}")


if __name__ == "__main__":
    main()
