"""The library's sentences as the pages say them: fields and buttons instead of options of a command line."""

from __future__ import annotations

import re

PHRASES = (
    (
        r"which game is this\? expected --game .*",
        "which game is this? choose one under Game and add it again",
    ),
    (r",? or --format with one of: .*", ""),
    (r" \((or --format NAME|levelsmith list \w+)\)", ""),
    (r", such as --tile .+?, or ", ", or "),
    (r"; raise the limit with --limit-\w+", ""),
    (r"try a wider range or more (--)?evaluations", "try a wider range or more tries"),
    (r"; try more (--)?evaluations or fewer (--lock|locks)", "; give it more time or unlock some cells"),
    (r"its budget is --evaluations alone", "give it a number of tries and no seconds"),
    (r"; levelsmith convert --spawn best puts one .*", "; paint one"),
    (r"this is no level of \w+: ", ""),
    (r"--set (\S+)=(\S+)", r"\1 = \2"),
)
FIELDS = {
    "evaluations": "Tries for each level",
    "count": "Levels",
    "keep-above": "Keep all that meet so much",
    "until": "Stop once this much is met",
    "objective": "Goal of the search",
    "seconds": "Seconds for each level",
    "within": "Seconds for all levels",
    "ramp": "Rising to",
}
OPTION = re.compile(r"(?<!\S)\(?--([a-z][a-z-]+)( [A-Z]+)?")


def in_words(message: str) -> str:
    """Returns a message without the words of the command line.

    >>> in_words("expected a range; try a wider range or more --evaluations")
    'expected a range; try a wider range or more tries'
    >>> in_words("take fewer --trees")
    'take fewer “Trees”'
    """
    for pattern, words in PHRASES:
        message = re.sub(pattern, words, message)
    return OPTION.sub(lambda found: f"“{label_of(found[1])}”", message).replace("evaluations", "tries")


def label_of(option: str) -> str:
    """Returns what the form calls an option.

    >>> label_of("keep-above")
    'Keep all that meet so much'
    """
    return FIELDS.get(option, option.replace("-", " ").capitalize())
