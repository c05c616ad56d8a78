"""What is asked for: each field once, with its type, its default, its help and how it is written.

`Keywords` lists them. From it come the keywords of functions, the options of commands, the keys of presets
and of experiments, the form of the studio and its jobs, the options of environments: a field says in which of
these places it may be asked for. A new one is a line here, and a line where it is used.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, Unpack

from levelsmith.errors import LevelsmithError, UnknownKeywordError, listed, nearest, option, quoted

if TYPE_CHECKING:
    from levelsmith.core import Level, Size
    from levelsmith.presets import Preset


# Where something may be asked for: as an option of `generate`, in a job of the studio, in a preset, …
OPTION, JOB, PRESET, DATASET = "option", "job", "preset", "dataset"
CELL, SWEPT = "cell", "swept"  # of an experiment; and where a list of them makes a cell for each
EXPERIMENT, TRAIN = "experiment", "train"  # of all its cells; of a training
IMPROVE, REPAIR, FILL = "improve", "repair", "fill"
PLAY, DESIGN = "play", "design"  # of environments

ASKED = frozenset({OPTION, JOB})
MADE = ASKED | {DATASET}
FIXED = MADE | {PRESET, CELL}
NAMED = FIXED | {SWEPT}
EDITED = frozenset({IMPROVE, REPAIR, FILL})


@dataclass(frozen=True, slots=True)
class Field:
    """How a field is written on the command line, in JSON and in TOML, and where it may be asked for.

    Attributes:
        kind: "text", "texts" (one or several), "size", "whole", "number", "switch", "level", "levels",
            "values" (of parameters by name) or "ranges" (of metrics by name).
        help: one line for the command line and the pages.
        places: where it may be asked for.
        default: what it is where it is not given.
        metavar: what stands for its value in the help of the command.
        names: the registry whose names it takes, in the plural.
        choices: all that it may be.
        helps: its help in places where that is another.
        defaults: its default in places where that is another.
    """

    kind: str
    help: str
    places: frozenset[str] = ASKED
    default: Any = None
    metavar: str | None = None
    names: str = ""
    choices: tuple[str, ...] = ()
    helps: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)

    def taken(self, name: str, value: Any) -> Any:
        """Returns the value of a keyword; one of another type is refused. Numbers, levels and
        presets are judged later."""
        if self.kind == "size":
            found = value.tolist() if hasattr(value, "tolist") else value
            return tuple(found) if isinstance(found, list) else found
        if value is None or self.kind not in WHAT or self.names == "presets":  # one may be made already
            return value
        if self.kind in ("values", "ranges"):
            right = isinstance(value, Mapping) and all(isinstance(key, str) for key in value)
        elif self.kind == "texts" and isinstance(value, list | tuple):
            right = all(isinstance(each, str) for each in value)
        else:
            right = isinstance(value, bool if self.kind == "switch" else str)
        if not right:
            raise LevelsmithError(f"expected {WHAT[self.kind]} for {option(name)}, got {quoted(value)}")
        return value

    def expected(self, swept: bool = False) -> str:
        """Returns what a file of settings must have for it, in words; where it is swept, lists too."""
        one, many = {
            "size": ("text such as '10x8'", "it"),
            "whole": ("a whole number", "them"),
            "number": ("a number", "them"),
            "switch": ("true or false", "them"),
            "ranges": ("a table of ranges", "them"),
            "values": ("a table of values", "them"),
            "texts": ("a name", "names"),
        }.get(self.kind, ("a name", "names") if self.names else ("text", "it"))
        if self.kind == "values" and swept:
            return f"{one}, or of lists of them"
        return f"{one}, or a list of {many}" if swept and SWEPT in self.places else one

    def fits(self, value: Any, swept: bool = False) -> bool:
        """Tells whether a file of settings may have a value for it, or where it is swept a list of values."""
        if swept and SWEPT in self.places and isinstance(value, list) and value:
            return all(map(self.fits, value))
        if self.kind == "whole":
            return isinstance(value, int) and not isinstance(value, bool) and value >= 0
        if self.kind == "number":
            return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
        if self.kind == "switch":
            return isinstance(value, bool)
        if self.kind in ("ranges", "values"):
            several = self.kind == "values"
            return isinstance(value, dict) and all(_is_plain(each, several) for each in value.values())
        if self.kind == "texts" and isinstance(value, list):
            return bool(value) and all(isinstance(each, str) for each in value)
        return isinstance(value, str)


WHAT = {
    "text": "text",
    "texts": "text, or a list of texts",
    "switch": "True or False",
    "values": "a dictionary of parameters by name",
    "ranges": "a dictionary of ranges by the name of a metric",
}


def _is_plain(value: Any, several: bool) -> bool:
    if several and isinstance(value, list) and value:
        return all(_is_plain(each, False) for each in value)
    return isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))


class Keywords(TypedDict, total=False):
    """What can be asked for besides the game."""

    size: Annotated[
        "Size | Sequence[int] | str | None",
        Field("size", "Width and height in cells inside the walls, such as 10x8.", NAMED | {PLAY, DESIGN}),
    ]
    search: Annotated[
        str | None,
        Field("text", "The search, or a generator of the game's own.", NAMED | {PLAY}, names="searches"),
    ]
    representation: Annotated[
        str | None, Field("text", "How the search sees the level.", NAMED, names="representations")
    ]
    objective: Annotated[
        str | Sequence[str] | None,
        Field(
            "texts",
            "What to search for; repeat: all must hold.",
            NAMED | {REPAIR, DESIGN},
            helps={REPAIR: "What the level must meet (by default what the game asks of any level)."},
        ),
    ]
    combine: Annotated[
        str | None,
        Field("text", "How objectives make a score.", FIXED | {DESIGN}, choices=("mean", "product")),
    ]
    preset: Annotated[
        "str | Preset | None",
        Field("text", "Named settings, or a .toml file of your own.", MADE | {PLAY}, names="presets"),
    ]
    set: Annotated[
        Mapping[str, Any] | None,
        Field(
            "values",
            "Set a parameter; repeat for more.",
            MADE | {CELL, REPAIR, TRAIN, DESIGN},
            None,
            "NAME=VALUE",
        ),
    ]
    evaluations: Annotated[
        int | None,
        Field(
            "whole",
            "Budget of a run, such as 50k (the default).",
            NAMED | EDITED | {EXPERIMENT, PLAY},
            helps={
                IMPROVE: "Levels to try (1,000, or more if none fits).",
                REPAIR: "Candidates to try.",
                EXPERIMENT: "Budget of a run, such as 50k.",
            },
            defaults={REPAIR: 500_000},
        ),
    ]
    seconds: Annotated[
        float | None,
        Field(
            "number",
            "Seconds for each level.",
            ASKED | EDITED | {CELL, EXPERIMENT},
            helps={EXPERIMENT: "Time limit of a run in place of evaluations, or beside them."},
        ),
    ]
    within: Annotated[float | None, Field("number", "Seconds for all levels together.", metavar="SECONDS")]
    until: Annotated[
        float | None, Field("number", "Stop a run at this score.", ASKED | {CELL}, metavar="SCORE")
    ]
    seed: Annotated[
        int | None,
        Field(
            "whole",
            "0 or more; the same seed gives the same levels.",
            MADE | EDITED | {EXPERIMENT, TRAIN},
            helps={
                EXPERIMENT: "0 or more, in place of the experiment's own.",
                TRAIN: "0 or more; the same seed gives the same model.",
            },
            defaults=dict.fromkeys(EDITED, 0),
        ),
    ]
    start: Annotated[
        "Level | None",
        Field(
            "level",
            "Start from this level; pack.json#3 is the third of a pack.",
            ASKED | {DESIGN},
            None,
            "FILE",
        ),
    ]
    lock: Annotated[
        str | Sequence[str],
        Field(
            "texts",
            "Keep these cells of that level: a tile's name, border, X,Y or X,Y,WxH; repeat for more.",
            ASKED | EDITED | {DESIGN},
            (),
            "CELLS",
        ),
    ]
    keep_above: Annotated[
        float | None,
        Field(
            "number", "Also keep every level with this score, no two alike.", ASKED | {CELL}, None, "SCORE"
        ),
    ]
    keep_most: Annotated[int, Field("whole", "Keep at most this many of them.", ASKED | {CELL}, 100)]
    keep_gains: Annotated[
        bool, Field("switch", "Also keep every level that was the best until then.", frozenset({CELL}), False)
    ]
    guards: Annotated[
        str | None,
        Field(
            "text",
            "Prove levels of Lode Runner against guards who chase (the default), or stand still.",
            FIXED | {IMPROVE, REPAIR, PLAY},
            choices=("chase", "still"),
        ),
    ]
    want: Annotated[
        Mapping[str, Any] | None,
        Field("ranges", "Ranges that metrics must lie in.", FIXED - {OPTION} | {IMPROVE, REPAIR, DESIGN}),
    ]
    count: Annotated[
        int | None,
        Field("whole", "How many levels to make, such as 20 or 1M.", MADE, 1),
    ]
    skip: Annotated[int, Field("whole", "Skip this many runs of the seed.", MADE, 0)]
    ramp: Annotated[
        str | None, Field("text", "Go through the range of this metric, from easy to hard.", metavar="METRIC")
    ]
    unlike: Annotated[
        "Sequence[Level]",
        Field(
            "levels",
            "Make no level that is in this file or folder; repeat for more.",
            MADE - {JOB},
            (),
            "PATH",
        ),
    ]
    workers: Annotated[int, Field("whole", "Processes for many levels (all cores).", MADE - {JOB}, 1)]
    device: Annotated[
        str,
        Field(
            "text",
            "Run on a GPU (cuda), or on one if there is one (auto).",
            ASKED - {JOB},
            "cpu",
            choices=("cpu", "cuda", "auto"),
        ),
    ]


FIELDS: Mapping[str, Field] = {
    name: annotation.__metadata__[0] for name, annotation in Keywords.__annotations__.items()
}


def fields_of(place: str) -> dict[str, Field]:
    """Returns the fields that may be asked for in a place, as they are there."""
    return {
        name: replace(
            each, help=each.helps.get(place, each.help), default=each.defaults.get(place, each.default)
        )
        for name, each in FIELDS.items()
        if place in each.places
    }


@dataclass(frozen=True, init=False)
class Request:
    """What was asked for: a game, and some of `Keywords`; the others have their defaults as attributes."""

    game: str
    given: Mapping[str, Any]

    def __init__(self, game: str, **given: Unpack[Keywords]):
        if not isinstance(game, str):
            raise LevelsmithError(f"expected the name of a game, got {quoted(game)}")
        for name, value in given.items():
            if name not in FIELDS:
                meant = nearest(name, FIELDS)
                hint = f"; did you mean {meant!r}?" if meant else ""
                raise UnknownKeywordError(f"got an unexpected keyword argument {name!r}{hint}")
            given[name] = FIELDS[name].taken(name, value)  # type: ignore[literal-required]
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "given", dict(given))

    def __getattr__(self, name: str) -> Any:
        if name not in FIELDS:
            raise AttributeError(name)
        return self.given.get(name, FIELDS[name].default)

    def but(self, **changed: Unpack[Keywords]) -> "Request":
        """Returns the same with other values for some fields."""
        return Request(self.game, **{**self.given, **changed})

    def at(self, place: str) -> "Request":
        """Returns the same with what a place has for defaults; what would be ignored there is refused."""
        fields = fields_of(place)
        if unused := sorted(set(self.given) - set(fields)):
            raise LevelsmithError(f"{place} takes no {listed(map(option, unused))}; leave it out")
        own = {name: each.defaults[place] for name, each in fields.items() if place in each.defaults}
        return Request(self.game, **{**own, **self.given})

    @classmethod
    def again(cls, origin: Mapping[str, Any], start: Any = None) -> "Request":
        """Returns what to ask for to get a level once more, from its provenance."""
        values = {
            f"{owner}.{name}": value
            for owner, values in origin["parameters"].items()
            for name, value in values.items()
        }
        found = {name: origin[name] for name in FIELDS if name in origin}
        found |= {"set": values, "start": start, "skip": origin["run"]}
        if "representation" not in origin:
            found.pop("combine", None)
        if start is None:
            found.pop("lock", None)
        asked = {
            name: value for name, value in found.items() if value not in (None, [], {}, 0) or name == "seed"
        }
        return cls(origin["game"], **asked)

    def words(self) -> list[str]:
        """Returns the same as words of the command line; a start is the name of its file."""
        return ["levelsmith", "generate", self.game, *self._options()]

    @property
    def command(self) -> str:
        """The same on the command line, for a shell."""
        return shlex.join(self.words())

    def _options(self) -> Iterator[str]:
        # Of a ramp the command would make a level for each step.
        given = self.given if self.ramp is None else {"count": self.count, **self.given}
        for name in [name for name in FIELDS if name in given]:
            value, option, kind = given[name], f"--{name.replace('_', '-')}", FIELDS[name].kind
            if kind == "values":
                yield from (
                    word for key, each in value.items() for word in (option, f"{key}={spelled(each)}")
                )
            elif kind == "ranges":
                for metric, range_ in value.items():
                    yield from (f"--{metric.replace('_', '-')}", spelled_range(range_))
            elif kind == "texts":
                yield from (
                    word for each in ([value] if isinstance(value, str) else value) for word in (option, each)
                )
            else:
                yield from (option, spelled(value))


def spelled(value: Any) -> str:
    """Returns a value as the command line has it; no digit that counts is lost."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return f"{value[1]}x{value[0]}"
    return f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)


def spelled_range(value: Any) -> str:
    """Returns a range of a metric as the command line has it."""
    if isinstance(value, list | tuple) and len(value) == 2:
        low, high = ("" if end in (None, inf, -inf) else spelled(end) for end in value)
        return f"{low}..{high}"
    text = spelled(value)
    return f"{text}..{text}" if text.replace(".", "", 1).isdigit() else text
