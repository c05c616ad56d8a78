"""The one import for authors of games, searches, representations and formats.

What stands here is promised, as are the names of `levelsmith`; other modules may change. What is compiled
loads on first use, so that a game in plain Python is there at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from levelsmith.contracts import (
    Designable as Designable,
    Drawing as Drawing,
    Game as Game,
    GameMaker as GameMaker,
    Joinable as Joinable,
    Keeping as Keeping,
    Mask as Mask,
    MeasuredBySolution as MeasuredBySolution,
    MeasuredOnGPU as MeasuredOnGPU,
    Mendable as Mendable,
    Nudgeable as Nudgeable,
    Openable as Openable,
    Playable as Playable,
    Populated as Populated,
    Provable as Provable,
    Representation as Representation,
    RuleBook as RuleBook,
    Search as Search,
    Solvable as Solvable,
    Stepwise as Stepwise,
    WithRuleBook as WithRuleBook,
    WithRuleSets as WithRuleSets,
    WithStart as WithStart,
    WithTrail as WithTrail,
)
from levelsmith.core import (
    Aim as Aim,
    Batch as Batch,
    Canvas as Canvas,
    Effort as Effort,
    Grid as Grid,
    Level as Level,
    Objective as Objective,
    Parameter as Parameter,
    Parameters as Parameters,
    Problem as Problem,
    Size as Size,
    Term as Term,
    Tile as Tile,
    Tiles as Tiles,
    Values as Values,
    Verdict as Verdict,
)
from levelsmith.errors import LevelsmithError as LevelsmithError
from levelsmith.games.arena import (
    Arena as Arena,
    ByMoves as ByMoves,
)
from levelsmith.games.drawn import Drawer as Drawer
from levelsmith.games.own import (
    OwnGame as OwnGame,
    SolvableGame as SolvableGame,
)
from levelsmith.levels.formats.format import (
    MAIN as MAIN,
    Format as Format,
    Source as Source,
    decode_text as decode_text,
    single as single,
)
from levelsmith.levels.formats.peers import Peer as Peer
from levelsmith.levels.look import (
    FLOOR as FLOOR,
    WALL as WALL,
    Disc as Disc,
    Look as Look,
    Mark as Mark,
    Polygon as Polygon,
    Rect as Rect,
    Sprite as Sprite,
    Stroke as Stroke,
    ground as ground,
    palette as palette,
)
from levelsmith.registry import (
    arenas as arenas,
    formats as formats,
    games as games,
    generators as generators,
    representations as representations,
    searches as searches,
)

_COMPILED = {
    # what kernels are written with
    "kernels.compile": "kernel part",
    "kernels.random": "below seeded unit",
    "kernels.bits": """added both cleared count down either empty fetch first_of from_members has member_from
        minus nth pack_masks removed same store to_members up words_for""",
    # what a game implements, and what a representation does
    "kernels.problem": """metric Held implement initial board pack unpack legal apply done kind_bits reopened
        rooted step_at_random walk_at_random sample mutate cross neighbours neighbour brush""",
    # what a search is made of
    "search.compiled": "CompiledSearch",
    "search.kernels.counts": "EVALUATIONS OVER",
    "search.kernels.run": "BEST evaluate keep",
    # what tests call
    "testing": "CheckFailed check_format check_game check_generator check_representation check_search",
}
_HOMES = {name: home for home, names in _COMPILED.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'levelsmith.plugin' has no attribute {name!r}")
    return getattr(import_module(f"levelsmith.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
