"""What the sections of a PuzzleScript source declare, and the words of the language."""

from __future__ import annotations

from dataclasses import dataclass, field

from levelsmith.games.puzzlescript.faults import Faults
from levelsmith.games.puzzlescript.kernels.codes import COMMANDS

SECTIONS = ("objects", "legend", "sounds", "collisionlayers", "rules", "winconditions", "levels")
FLAGS = """run_rules_on_level_start require_player_movement noundo norestart noaction norepeat_action
    throttle_movement debug verbose_logging scanline""".split()  # noqa: SIM905
VALUES = """title author homepage realtime_interval again_interval key_repeat_interval flickscreen
    zoomscreen color_palette background_color text_color youtube""".split()  # noqa: SIM905
MOVES = ("up", "down", "left", "right", "action")
RELATIVE = ("^", "v", "<", ">", "parallel", "perpendicular")
AMBIGUOUS = ("moving", "horizontal", "vertical", "orthogonal")
MODIFIERS = (*MOVES, *RELATIVE, *AMBIGUOUS, "stationary", "no", "random", "randomdir")
LONGEST_CHAIN = 100  # of synonyms of synonyms
EVENTS = """undo restart cancel titlescreen startgame endgame startlevel endlevel showmessage
    closemessage""".split()  # noqa: SIM905
VERBS = ("create", "destroy", "action", "move", "cantmove")
KEYWORDS = {*MODIFIERS, *COMMANDS, *SECTIONS, *EVENTS, *VERBS, "late", "rigid", "all", "some", "any"}
KEYWORDS |= {"...", "[", "]", "|"}
KEYWORDS -= {"orthogonal", "checkpoint"}  # the original takes them for names


@dataclass
class Object:
    name: str
    line: int
    colours: list[str] = field(default_factory=list)
    sprite: list[str] = field(default_factory=list)
    odd: bool = False  # a row of the sprite is too long


@dataclass(frozen=True)
class Entry:
    """A line of the legend: a name, and the objects or names that it stands for."""

    name: str
    members: tuple[str, ...]
    line: int


@dataclass
class Map:
    """A level as it was typed: rows of characters, or a message."""

    line: int
    rows: list[str] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)  # where each row begins, from 1
    lines: list[int] = field(default_factory=list)
    message: str | None = None


@dataclass(frozen=True)
class RuleText:
    """A line of the rules as it was typed."""

    line: int
    text: str  # up to a comment
    column: int  # where the text begins, from 1
    whole: str  # the line with its comments
    strange: tuple[tuple[str, int], ...]  # words that have no meaning where they stand, with their columns


@dataclass(frozen=True)
class WinText:
    """A line of the win conditions: its words between blanks, and those that are read one by one."""

    line: int
    words: tuple[tuple[str, int], ...]
    read: tuple[tuple[str, int], ...]


@dataclass
class Source:
    """The sections of a game."""

    faults: Faults = field(default_factory=Faults)
    headings: list[tuple[int, str]] = field(default_factory=list)  # line, section
    prelude: dict[str, str] = field(default_factory=dict)
    setting_lines: dict[str, int] = field(default_factory=dict)
    objects: dict[str, Object] = field(default_factory=dict)
    synonyms: list[Entry] = field(default_factory=list)
    aggregates: list[Entry] = field(default_factory=list)
    properties: list[Entry] = field(default_factory=list)
    layers: list[tuple[int, list[str]]] = field(default_factory=list)  # line, names of objects
    unsettled: set[str] = field(default_factory=set)  # names of the legend that use one that is unknown
    names: set[str] = field(default_factory=set)  # what rules and win conditions may call
    sounds: set[str] = field(default_factory=set)  # events and objects that have one
    rules: list[RuleText] = field(default_factory=list)
    wins: list[WinText] = field(default_factory=list)
    levels: list[Map] = field(default_factory=list)
    _first: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    _known: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def declare(self, entries: list[Entry], entry: Entry) -> None:
        """Adds a line to the synonyms, the aggregates or the properties."""
        entries.append(entry)
        self._first.setdefault(
            entry.name, ("", entry.members) if entries is self.synonyms else self._kind(entry)
        )
        self._known.clear()

    def forget(self) -> None:
        """Forgets what names stand for, after the lists of entries were changed."""
        for entries, kind in ((self.aggregates, "aggregate"), (self.properties, "property")):
            first = {entry.name: (kind, entry.members) for entry in reversed(entries)}
            self._first |= {name: found for name, found in first.items() if self._first[name][0] == kind}
        self._known.clear()

    def _kind(self, entry: Entry) -> tuple[str, tuple[str, ...]]:
        return "aggregate" if self.aggregates[-1:] == [entry] else "property", entry.members

    def first(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Returns the kind of a name and its objects, as `members` does, by its first definition."""
        for _ in range(LONGEST_CHAIN):
            if name in self.objects:
                return "object", (name,)
            kind, members = self._first.get(name, ("", ()))
            if kind or not members:
                return kind, members
            name = members[0]
        return "", ()

    def members(self, name: str) -> tuple[str, tuple[str, ...]]:
        """Returns the kind of a name in rules (`object`, `aggregate`, `property`, or "") and its objects.

        Of two synonyms of one name the last counts.
        """
        if not self._known:
            self._known = {entry.name: ("", entry.members) for entry in self.synonyms}
            self._known |= {entry.name: ("property", entry.members) for entry in self.properties}
            self._known |= {entry.name: ("aggregate", entry.members) for entry in self.aggregates}
        seen = [name]
        kind, members = self._known.get(name, ("", ()))
        while not kind and members and len(seen) < LONGEST_CHAIN:
            seen.append(members[0])
            kind, members = self._known.get(members[0], ("", ()))
        if not kind and seen[-1] in self.objects:
            kind, members = "object", (seen[-1],)
        found = (kind, members) if kind and members else ("", ())
        self._known |= dict.fromkeys(seen[:-1], found)
        return found
