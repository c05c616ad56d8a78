"""What there is to choose from, game by game, for the pages to offer."""

from __future__ import annotations

from typing import Any

from levelsmith import __version__, presets
from levelsmith.contracts import Game, Keeping, Solvable, WithGuards
from levelsmith.core import Size
from levelsmith.registry import (
    formats,
    games,
    generators,
    generators_of,
    representations,
    representations_of,
    searches,
)
from levelsmith.request import JOB, fields_of
from levelsmith.studio.wording import label_of


def catalogue() -> dict[str, Any]:
    return {
        "version": __version__,
        "fields": [
            {
                "name": name,
                "kind": field.kind,
                "label": label_of(name.replace("_", "-")),
                "help": field.help,
                "default": field.default,
                "choices": list(field.choices),
            }
            for name, field in fields_of(JOB).items()
        ],
        "games": [game_entry(game) for game in games.working()],
        "formats": [
            {
                "name": name,
                "summary": formats.get(name).summary,
                "extensions": list(formats.get(name).extensions),
            }
            for name in formats
        ],
    }


def game_entry(game: Game) -> dict[str, Any]:
    """Returns what there is to choose from for one game."""
    serving = representations_of(game)
    offers = {offer for name in serving for offer in representations.get(name).offers}
    chosen = [presets.load(name) for name in presets.names()]
    return {
        "name": game.name,
        "summary": game.summary,
        "sizes": {
            "default": _size(game.default_size),
            "least": _size(game.smallest),
            "most": _size(game.largest),
        },
        "tiles": [
            {"name": t.name, "char": t.symbol, "aliases": t.aliases, "tags": list(t.tags)} for t in game.tiles
        ],
        "metrics": [{"name": name, "summary": summary} for name, summary in game.metrics.items()],
        "objectives": [
            {
                "name": name,
                "summary": objective.summary,
                "goal": objective.goal,
                "defaults": dict(objective.defaults),
                "parameters": _parameters(objective),
            }
            for name, objective in game.objectives.items()
        ],
        "searches": [
            {
                **_part(name, searches.get(name)),
                "needs": searches.get(name).needs,
                "keeps": issubclass(searches.get(name), Keeping),
            }
            for name in searches
            if game.objectives and searches.get(name).needs in offers
        ],
        "representations": [
            {**_part(name, representations.get(name)), "offers": sorted(representations.get(name).offers)}
            for name in serving
        ],
        "generators": [_part(name, generators.get(name)) for name in generators_of(game)],
        "defaults": dict(game.defaults),
        "presets": [
            {"name": p.name, "summary": p.summary, "choices": p.games[game.name]}
            for p in chosen
            if game.name in p.games
        ],
        "wants": [
            {"name": name, "summary": summary, "names": list(game.ranges.get(name, {}))}
            for name, summary in game.metrics.items()
        ],
        "aims": [aim.metric for aim in game.aims],
        "solvable": isinstance(game, Solvable),
        "without": [] if isinstance(game, WithGuards) else ["guards"],  # fields that mean nothing to it
        "border": game.border,
        "outside": type(game).outside is not Game.outside,
    }


def _size(size: Size) -> str:
    return f"{size[1]}x{size[0]}"


def _part(name: str, part: Any) -> dict[str, Any]:
    return {"name": name, "summary": part.summary, "parameters": _parameters(part)}


def _parameters(part: Any) -> list[dict[str, Any]]:
    return [
        {
            "name": p.name,
            "default": p.default,
            "summary": p.summary,
            "low": p.low,
            "high": p.high,
            "choices": list(p.choices),
        }
        for p in part.parameters
    ]
