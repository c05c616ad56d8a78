"""The words of PuzzleScript's dialects, so that a game for one of them is called by its name."""

from __future__ import annotations

import re
from bisect import bisect_right

from levelsmith.games.puzzlescript.faults import Fault
from levelsmith.games.puzzlescript.source import Source

MOST_SHOWN = 20  # letters of a word
PLUS = "PuzzleScript Plus and Next"
NEXT = "PuzzleScript Next"
PATTERN = "Pattern:Script and PuzzleScript Next"
_SETTINGS = {
    PLUS: """smoothscreen smoothscreen_debug sprite_size custom_font font_size case_sensitive nokeyboard
        level_select level_select_lock level_select_solve_symbol level_select_unlocked_ahead
        level_select_unlocked_rollover continue_is_level_select skip_title_screen settings local_radius
        mouse_left mouse_drag mouse_up mouse_right mouse_rdrag mouse_rup tween_length tween_easing tween_snap
        message_text_align text_controls text_message_continue sitelock_origin_whitelist
        sitelock_hostname_whitelist runtime_metadata_twiddling runtime_metadata_twiddling_debug""",
    NEXT: """allow_undo_level animate_interval debug_switch enable_pause export_options load_images
        mouse_clicks puzzlescript status_line""",
    PATTERN: """tags mappings game_uri title_color author_color keyhint_color level_title_style
        auto_level_titles show_level_title_in_menu""",
}
_IN_RULES = {
    PLUS: """undo nosave quit goto global zoomscreen flickscreen smoothscreen again_interval
        realtime_interval key_repeat_interval noundo norestart background_color text_color
        message_text_align""",
    NEXT: "status gosub subroutine link log color_palette lclick rclick",
    PATTERN: "tags mappings",
}
_IN_LEVELS = {PLUS: "section goto", NEXT: "link", PATTERN: "level title"}
_IN_OTHERS = {PATTERN: "tags mappings"}
_SIGNS = (  # sections, what is seen there, whose it is
    (None, r"(?<!\S)//", NEXT),
    ("objects", r"\b(?:canvas|flip|scale|text):", NEXT),
    ("objects", r"\b(?:copy|rot|shift|translate):", PATTERN),
    ("objects", r"#[0-9a-f]{8}\b", PLUS),
    ("objects legend collisionlayers rules winconditions", r"\w+(?::[\w<>^]+)+", PATTERN),
    ("objects", r"\w+\s*;", NEXT),
    ("sounds", r"\bafx\S*", NEXT),
    ("rules", r"\bafx\S*", NEXT),
    ("objects", r"(?<!\S)(?=\S*[.\d])[.\da-z]{6,}(?!\S)", PLUS),
)


def _owners(words: dict[str, str]) -> dict[str, str]:
    return {word: dialect for dialect, text in words.items() for word in text.split()}


_WORDS = {"": _owners(_SETTINGS), "rules": _owners(_IN_RULES), "levels": _owners(_IN_LEVELS)}
_OTHERS = _owners(_IN_OTHERS)


def not_read(word: str, dialect: str = PLUS) -> str:
    """Tells that a word of a dialect is not read."""
    text = f"{word!r} is a word of {dialect}, which levelsmith does not read yet"
    return f"{text}; expected a game for the original PuzzleScript"


def dialect_fault(source: Source, lines: list[str]) -> Fault | None:
    """Returns a fault that names the dialect of a faulty source by a word of it; None for no such word."""
    faults = source.faults
    numbers = sorted({fault.line for fault in (*faults.errors, *faults.warnings)} - {0})
    headings = [number for number, _ in source.headings]
    for number in numbers:
        place = bisect_right(headings, number)
        section = source.headings[place - 1][1] if place else ""
        found = _foreign(lines[number - 1].lower(), section, source)
        if found is not None:
            word, column, dialect = found
            return Fault(number, column, not_read(word, dialect), 0)
    return None


def _foreign(line: str, section: str, source: Source) -> tuple[str, int, str] | None:
    """Returns a word of a dialect in a line, its column and the dialect."""
    known = _WORDS.get(section, _OTHERS)
    for found in re.finditer(r"\w+", line):
        word, column = found.group(), found.start() + 1
        if section != "rules" and line[: column - 1].strip():
            break  # there the first word says it all
        alone = not (line[: column - 1] + line[found.end() :]).strip()
        free = section != "rules" or word not in source.names
        if word in known and free and (alone or word not in _OTHERS):
            return word, column, known[word]
    for sections, sign, dialect in _SIGNS:
        if sections is None or section in sections.split():
            seen = re.search(sign, line)
            if seen:
                return seen.group()[:MOST_SHOWN].strip(), seen.start() + 1, dialect
    return None
