"""Reads a Sokoban collection: which title, author and solution belong to which board.

Lines that touch a board belong to it. Of the others, a title line stands before its board, and `Title:`,
`Author:` and solutions stand behind it, unless the file has a `Title:` before its first board. Where titles
stand before their boards, a line that touches a board which has its title is that of the next one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from levelsmith.contracts import Game
from levelsmith.core import Grid
from levelsmith.errors import LevelsmithError
from levelsmith.games.sokoban.formats import lurd
from levelsmith.games.sokoban.formats.boards import BoardLines, WrongRow, grid_of, pieces
from levelsmith.levels.formats.format import BYTES_A_LINE, Place, Source
from levelsmith.levels.notes import NOTES

LONGEST_LINE = 1_000  # of a title or an author; what is behind is cut off
SHORTEST_MOVES = 6  # without a heading; a shorter word may be a title, such as Dull
COMMENT, REMARK = ";", "::"
TITLES, AUTHORS = ("title", "name", "level"), ("author", "authors")
OTHERS = ("collection", "comment-end", "copyright", "date", "email", "game", "homepage", "set", "url", *NOTES)
_SOLUTION = re.compile(r"(?:best |shortest |optimal )?solution\b", re.IGNORECASE)
_SAVED = re.compile(r"(?:snapshot|save[ds]?[ -]?game)\b", re.IGNORECASE)
_MOVES = re.compile(rf"[{lurd.LETTERS}0-9()\[\]{{}}*\s]+")
_NOT_OURS = re.compile(r"[\[\]{}*]")  # reverse play, several players, a position in the middle


def read(text: str, game: Game, source: Source) -> list[LevelDraft]:
    """Returns the boards of a collection, with what is said of them."""
    collection = _Collection(source, game)
    others = 0
    for piece in pieces(text, source):
        if isinstance(piece, BoardLines):
            collection.board(piece)
            continue
        others += 1
        if others > source.limits.bytes // BYTES_A_LINE:
            raise source.error("expected boards with a few lines about each, got a file made of other lines")
        if not piece.line or piece.line.startswith(REMARK):
            collection.blank()
        else:
            collection.text(piece.number, piece.line)
    collection.blank()
    for draft in collection.drafts:
        draft.title = draft.title or draft.name
        draft.author = draft.author or collection.author
    return collection.drafts


@dataclass(slots=True)
class _Notes:
    """What lines of text say about a level."""

    title: str = ""  # behind `Title:`
    name: str = ""  # a line of its own, which stands in for a title
    vague: bool = False  # the name is the last of several comments, which may be about the whole file
    author: str = ""
    solution: str | None = None
    wrong: str = ""  # why it is no level, though it stands where one should


@dataclass(slots=True)
class _Run(_Notes):
    """Lines without a blank one or a board between them."""

    comment: str = ""  # the last one
    comments: int = 0
    text: str = ""  # the last line that is nothing else
    texts: int = 0  # how many of these there were
    played: bool = False  # there were moves, so that the text is about them

    def end(self, touching: bool) -> None:
        """Finds the name. Several lines are a description, unless the board follows at once."""
        plain = self.text and (touching or (self.texts == 1 and not self.played))
        self.name = self.text if plain else self.comment
        self.vague = not plain and not touching and self.comments > 1


@dataclass(slots=True)
class LevelDraft(_Notes):
    """A board with all that is known of it so far."""

    grid: Grid = field(kw_only=True)
    place: Place = field(kw_only=True)

    def take(self, notes: _Notes) -> None:
        self.title = self.title or notes.title
        self.author = self.author or notes.author
        self.solution = self.solution or notes.solution
        self.wrong = self.wrong or notes.wrong


@dataclass(slots=True)
class _Collection:
    """The boards so far, and what was read that has none yet."""

    source: Source
    game: Game
    drafts: list[LevelDraft] = field(default_factory=list)
    author: str = ""  # of the whole file
    cells: int = 0  # of all boards
    moves: int = 0  # of all solutions

    run: _Run = field(default_factory=_Run)
    above: bool = False  # the run touches a board above it
    ahead: _Notes = field(default_factory=_Notes)  # for the next board
    titled_ahead: bool = False  # the first board had a `Title:` before it
    named_ahead: bool = False
    in_comment: bool = False  # between `Comment:` and `Comment-End:`

    played: list[str] | None = None  # lines of the solution or saved game that is being read
    played_from: int = 0  # the line of its heading
    saved: bool = False  # it is a saved game
    characters: int = 0  # read of it

    def board(self, board: BoardLines) -> None:
        self._end_moves()
        self._end_run(touching=True)
        self.source.check_room(len(self.drafts) + 1, self.cells)
        ahead, wrong = self.ahead, board.wrong or self.ahead.wrong
        try:
            grid = grid_of(board, self.game, self.source)
        except WrongRow as row:
            grid, wrong = grid_of(board.readable(), self.game, self.source), wrong or str(row)
        self.cells += grid.size
        if not self.drafts:
            self.titled_ahead, self.named_ahead = bool(ahead.title), bool(ahead.title or ahead.name)
        known = ahead.title, ahead.name, ahead.vague, ahead.author, ahead.solution
        plain = len(board.lines) == len(grid)
        place = Place(range(board.number, board.number + (len(grid) if plain else 1)))
        self.drafts.append(LevelDraft(*known, grid=grid, wrong=wrong, place=place))
        self.ahead, self.above = _Notes(), True

    def blank(self) -> None:
        if self.characters:  # a heading alone waits for its moves
            self._end_moves()
        self._end_run(touching=False)
        self.above = False

    def text(self, number: int, line: str) -> None:
        commented = line.startswith(COMMENT)
        words = line.strip().lstrip(COMMENT).strip() if commented else line.strip()
        if self.played is not None:
            if self._are_moves(words):
                return
            self._end_moves()
        key, colon, value = words.partition(":")
        key, value = key.strip().lower() if colon else "", value.strip()
        if self.in_comment or key == "comment":
            self.in_comment = key != "comment-end" and (self.in_comment or not value)
        elif _SOLUTION.match(words) or _SAVED.match(words):
            self._start_moves(number, words, value, commented)
        elif key in TITLES:
            self.run.title = value[:LONGEST_LINE]
        elif key in AUTHORS:
            self.run.author = value[:LONGEST_LINE]
        elif key in OTHERS or not any(map(str.isalnum, words[:LONGEST_LINE])):
            pass
        elif commented:
            self.run.comment = words[:LONGEST_LINE]
            self.run.comments += 1
        elif self.drafts and len(words) >= SHORTEST_MOVES and _all_moves(words):
            self.run.played = True  # for all we know a saved game
        else:
            self.run.text = _unquoted(words[:LONGEST_LINE])
            self.run.texts += 1

    def _end_run(self, touching: bool) -> None:
        """Gives the lines of the run to the board above or to the one that comes."""
        run, self.run, self.in_comment = self.run, _Run(), False
        run.end(touching)
        if not self.drafts:
            self._end_header(run, touching)
            return
        if self.above:
            keys_ahead, name_ahead = touching and self.titled_ahead, touching and self.named_ahead
        else:
            keys_ahead, name_ahead = touching or self.titled_ahead, True
        above, ahead = self.drafts[-1], _Notes()
        if keys_ahead:
            ahead.title, ahead.author, ahead.solution, ahead.wrong = (
                run.title,
                run.author,
                run.solution,
                run.wrong,
            )
        else:
            above.take(run)
        if self.above and run.name and above.vague:
            above.name, above.vague, name_ahead, self.named_ahead = run.name, False, False, False
        elif self.named_ahead and above.name and run.comments + run.texts == 1:
            name_ahead = True
        if name_ahead:
            ahead.name, ahead.vague = run.name, run.vague
        else:
            above.name = above.name or run.name
        self._send_ahead(ahead)

    def _end_header(self, run: _Run, touching: bool) -> None:
        """Before the first board: an author without a title, or before another title, is the file's."""
        if run.title or run.name:
            self.author, self.ahead.author = self.ahead.author or self.author, ""
        elif run.author and not touching:
            self.author, run.author = run.author, ""
        self._send_ahead(run)

    def _send_ahead(self, notes: _Notes) -> None:
        if notes.title or notes.name:  # the nearest title counts
            self.ahead.title, self.ahead.name, self.ahead.vague = notes.title, notes.name, notes.vague
        self.ahead.author = notes.author or self.ahead.author
        self.ahead.solution = notes.solution or self.ahead.solution
        self.ahead.wrong = notes.wrong or self.ahead.wrong

    def _start_moves(self, number: int, words: str, value: str, commented: bool) -> None:
        """A heading: the moves are behind it or on the lines that follow."""
        self.played, self.played_from, self.saved = [], number, _SAVED.match(words) is not None
        if self._are_moves(value) and commented and not self.saved:
            self.played, self.characters = None, 0
            try:
                self.run.solution = self._unpacked(value)
            except WrongRow as moves:
                self.run.wrong = str(moves)

    def _are_moves(self, words: str) -> bool:
        """Takes a line of moves where one is expected, with wrong characters in it or not."""
        if self.played is None or not words or not (_all_moves(words) or _mostly_moves(words)):
            return False
        self.characters += len(words)
        if self.characters > lurd.LONGEST and not self.saved:
            place = f"in the solution on line {self.played_from}"
            raise self.source.error(f"expected at most {lurd.LONGEST:,} moves, got more {place}")
        if not self.saved:
            self.played.append(words)
        return True

    def _end_moves(self) -> None:
        if self.characters:
            self.run.played = True
        if self.played and self.drafts:
            above = self.drafts[-1]
            try:
                above.solution = above.solution or self._unpacked("".join(self.played))
            except WrongRow as moves:
                above.wrong = above.wrong or str(moves)
        self.played, self.characters = None, 0

    def _unpacked(self, packed: str) -> str | None:
        if _NOT_OURS.search(packed):
            return None
        try:
            moves = lurd.moves(packed)
        except LevelsmithError as error:
            raise WrongRow(f"{error} in the solution on line {self.played_from}") from None
        self.moves += len(moves)
        if self.moves > self.source.limits.bytes:
            raise self.source.error(f"expected at most {self.source.limits.bytes:,} moves in all, got more")
        return moves


def _all_moves(words: str) -> bool:
    return _MOVES.fullmatch(words) is not None and any(letter in words for letter in lurd.LETTERS)


def _mostly_moves(words: str) -> bool:
    """Tells whether a few characters were mistyped; prose has few of these letters."""
    return 4 * sum(map(words.count, lurd.LETTERS)) > 3 * len(words)


def _unquoted(words: str) -> str:
    quoted = len(words) > 2 and words[0] == words[-1] and words[0] in "'\""
    return words[1:-1].strip() if quoted else words
