"""Titles made up for levels: the same for the same level, and no two alike in a pack."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

KINDS = (
    *("Amber", "Borrowed", "Broken", "Brass", "Clever", "Cobalt", "Cold", "Copper", "Crooked", "Distant"),
    *("Double", "Drifting", "Early", "Empty", "Faded", "First", "Folded", "Forgotten", "Frosted", "Gentle"),
    *("Gilded", "Green", "Half", "Hidden", "Hollow", "Humble", "Iron", "Ivory", "Jade", "Last"),
    *("Late", "Leaning", "Linen", "Little", "Lonely", "Long", "Lost", "Low", "Lucky", "Marble"),
    *("Mellow", "Narrow", "Northern", "Old", "Open", "Painted", "Paper", "Patient", "Pearl", "Plain"),
    *("Quiet", "Red", "Restless", "Round", "Rusty", "Sandy", "Second", "Secret", "Silent", "Silver"),
    *("Sleeping", "Slow", "Small", "Southern", "Spare", "Steep", "Still", "Stone", "Strange", "Sunken"),
    *("Tall", "Tangled", "Third", "Tidy", "Tilted", "Twin", "Upper", "Velvet", "Wandering", "Winter"),
)
PLACES = (
    *("Alcove", "Alley", "Annex", "Arcade", "Atrium", "Attic", "Balcony", "Barn", "Bazaar", "Bench"),
    *("Bridge", "Cabin", "Cellar", "Chamber", "Chapel", "Cloister", "Closet", "Corner", "Corridor", "Court"),
    *("Crossing", "Cupboard", "Depot", "Dock", "Door", "Drawer", "Fence", "Ford", "Forge", "Gallery"),
    *("Garden", "Gate", "Granary", "Grove", "Hall", "Harbour", "Hearth", "Keep", "Knot", "Landing"),
    *("Lane", "Larder", "Ledge", "Library", "Lobby", "Loft", "Market", "Maze", "Mill", "Nook"),
    *("Oriel", "Pantry", "Parlour", "Passage", "Pier", "Plaza", "Porch", "Quarry", "Quay", "Room"),
    *("Shed", "Shelf", "Shrine", "Square", "Stable", "Stair", "Store", "Study", "Terrace", "Threshold"),
    *("Tower", "Turn", "Vault", "Veranda", "Walk", "Ward", "Well", "Window", "Workshop", "Yard"),
)


def made_up(key: int, taken: Collection[str] = ()) -> str:
    """Returns a title for a level with such a key, none of those that are taken.

    >>> made_up(2 * len(PLACES))
    'The Broken Alcove'
    """
    pairs = len(KINDS) * len(PLACES)
    for turn in count():
        kind, place = divmod((key + turn) % pairs, len(PLACES))
        suffix = "" if turn < pairs else f" {turn // pairs + 1}"
        title = f"The {KINDS[kind]} {PLACES[place]}{suffix}"
        if title not in taken:
            return title
    raise AssertionError("counting never ends")
