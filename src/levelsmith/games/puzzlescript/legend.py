"""Reads the lines of the section LEGEND: names for objects, for several at once, and for one of several."""

from __future__ import annotations

import re
from dataclasses import replace

from levelsmith.games.puzzlescript.source import KEYWORDS, LONGEST_CHAIN, Entry, Source

MOST_MEMBERS = 100_000  # objects that aggregates and properties hold
WORD = re.compile(r"\w+")
_FORM = "expected `X = A`, `X = A and B` or `X = A or B`"

Word = tuple[str, int]  # with its column, from 1


class Legend:
    """The names of a source, as they are declared line by line."""

    def __init__(self, source: Source):
        self.source, self.faults = source, source.faults
        self.members = 0  # in all lines
        self.names: dict[str, int] = {}  # also further names of objects, with their lines
        self.synonyms: dict[str, str] = {}
        self.unsettled: dict[str, list[str]] = {}  # names, with those that they use and are not known yet

    def is_known(self, name: str) -> bool:
        """Returns whether a name is one of an object or of the legend so far."""
        return name in self.source.objects or name in self.names

    def add(self, line: int, entries: list[Entry], name: str, members: tuple[str, ...]) -> None:
        """Adds a name to the synonyms, the aggregates or the properties."""
        self.names.setdefault(name, line)
        self.source.declare(entries, Entry(name, members, line))

    def warn_of_keyword(self, line: int, name: str, column: int) -> None:
        """Warns of a name that is a word of the language."""
        if name in KEYWORDS:
            text = f"{name!r} is a word of the language; in rules it does not name an object"
            self.faults.warn(line, column, text)

    def read(self, line: int, text: str) -> None:
        """Declares the name of a line without its comments, in small letters."""
        found = self._words(line, text)
        if found is None:
            return
        (name, column), joins, terms = found[0], found[1::2], found[2::2]
        if self.is_known(name):
            self.faults.error(line, column, f"expected a new name, got {name!r}, which is in use")
        self.warn_of_keyword(line, name, column)
        if any(word == name for word, _ in terms):
            text = f"expected {name!r} in terms of others, got itself among them"
            self.faults.error(line, column, text)
            terms = [term for term in terms if term[0] != name]
            joins = joins[: len(terms)]
        seen = set()
        for word, at in terms:
            if word in seen:
                self.faults.warn(line, at, f"expected {word!r} once, got it again")
            seen.add(word)
            if not self.is_known(word):
                meant = self.faults.guess(word, [*self.source.objects, *self.names])
                self.faults.error(line, at, f"expected a name defined above, got {word!r}{meant}")
        kinds = {join for join, _ in joins[1:]}
        if len(terms) == 1:
            self._add_synonym(line, column, name, terms[0][0])
        elif terms and kinds <= {"and", "or"} and not (joins[1][0] == "or" and "and" in kinds):
            self._join(line, name, column, terms, joins[1][0])

    def _words(self, line: int, text: str) -> list[Word] | None:
        """Returns the name, `=` and the words after it; None where their number is wrong.

        The joins on the odd places are checked here; the first of them is `=`.
        """
        begin = len(text) - len(text.lstrip())
        name = re.split(r"[=\s]", text[begin:], maxsplit=1)[0]
        found = [(name, begin + 1)]
        text = text.rstrip()
        at = begin + len(name)
        while text[at : at + 1].isspace():
            at += 1
        wrong = 0
        if at < len(text) and text[at] != "=":
            self.faults.error(line, begin + 1, _FORM, 2)
            return None
        if at < len(text):
            found.append(("=", at + 1))
            at += 1
        for part in re.finditer(r"\w+|\S.*", text[at:]):
            word, column = part.group(), part.start() + at + 1
            if not WORD.fullmatch(word):
                self.faults.error(line, column, f"expected words on the right side, got {word.strip()!r}")
                break
            first = found[3][0] if len(found) > 3 else word
            if len(found) % 2 and word not in ("and", "or"):
                self.faults.error(line, column, f"expected and or or, got {word!r}")
                wrong += len(found) == 3
            elif len(found) % 2 and word != first:
                self.faults.error(line, column, "expected either and or or in one line, got both")
            found.append((word, column))
        if len(found) % 2 == 0 or len(found) == 1:
            self.faults.error(line, begin + 1, _FORM)
            return None
        if wrong:
            self.faults.error(line, begin + 1, _FORM)
        return found

    def _add_synonym(self, line: int, column: int, name: str, word: str) -> None:
        """Adds another name for a name, unless that leads back to itself."""
        chain = [name, word]
        while chain[-1] in self.synonyms and chain[-1] != name and len(chain) < LONGEST_CHAIN:
            chain.append(self.synonyms[chain[-1]])
        if chain[-1] == name:
            text = f"expected names that lead to an object, got {' = '.join(chain)}"
            self.faults.error(line, column, text, fatal=True)
            return
        self.synonyms.setdefault(name, word)
        self.add(line, self.source.synonyms, name, (word,))

    def _join(self, line: int, name: str, column: int, terms: list[Word], join: str) -> None:
        source, members = self.source, list[str]()
        for word, at in terms:
            kind, found = source.first(word)
            unknown = self.unsettled.get(word, []) if kind else [word]
            if unknown:
                self.unsettled[name] = [*self.unsettled.get(name, []), *unknown]
            if join == "and" and kind == "property":
                text = f"expected objects joined by and, got {word!r}, which is one of several"
                self.faults.error(line, at, text, 2)
                source.unsettled.add(name)
                found = ()
            if join == "or" and kind == "aggregate":
                text = f"expected objects joined by or, got {word!r}, which is several at once"
                self.faults.error(line, at, text)
                found = ()
            members += found
        self.members += len(members)
        if self.members > MOST_MEMBERS:
            text = f"expected at most {MOST_MEMBERS} names in the legend"
            self.faults.error(line, column, text, fatal=True)
            return
        if members or name in self.unsettled or join == "and":
            self.add(line, source.aggregates if join == "and" else source.properties, name, tuple(members))

    def settle(self) -> None:
        """Adds what names stand for that were used above the line that defines them."""
        for entries, kind in ((self.source.properties, "property"), (self.source.aggregates, "aggregate")):
            for i, entry in enumerate(entries):
                for word in self.unsettled.pop(entry.name, []):
                    other, found = self.source.first(word)
                    if other in (kind, "object"):
                        entry = replace(entry, members=(*entry.members, *found))
                    if not other:
                        self.source.unsettled.add(entry.name)
                entries[i] = entry
        missing = {entry.name for entry in self.source.synonyms if not self.source.first(entry.name)[0]}
        self.source.unsettled |= missing
        self.source.forget()
