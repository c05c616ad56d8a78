"""XML in and out: a parser that takes no DOCTYPE, no entities, no deep nesting; a writer of legal text."""

from __future__ import annotations

import re
from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder, indent, tostring
from xml.parsers import expat

from levelsmith.levels.formats.format import Source, decode_text

DEEPEST = 100  # elements inside one another; real files stay below ten
MOST = 1_050_000  # elements: a map of 1,000 x 1,000 may have one a cell, and each is kept in memory
ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot say


def parse_xml(data: bytes, source: Source) -> Element:
    """Returns the root element; a name in a namespace reads `{address}name`, as in ElementTree.

    A DOCTYPE is refused as such, because it is the only way to declare entities: neither a few bytes that
    expand to gigabytes nor a reference to another file gets as far as being looked at.
    """
    text = decode_text(data, source)
    if text.count("<") - text.count("</") > MOST:
        raise source.error(f"expected XML of at most {MOST:,} elements, got more")
    builder = TreeBuilder()
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise source.error(f"expected XML at most {DEEPEST} elements deep, got more")
        if attributes:  # a map may have a million elements without any
            attributes = {_named(key): value for key, value in attributes.items()}
        builder.start(_named(tag), attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_named(tag))

    def refuse(*declaration: object) -> NoReturn:
        raise source.error("expected plain XML, got a DOCTYPE or an entity declaration; remove it")

    parser = expat.ParserCreate("utf-8", "}")  # decode_text has settled the encoding
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code) or "not well-formed"
        raise source.error(
            f"expected XML, but line {error.lineno} column {error.offset + 1}: {reason}"
        ) from None
    return builder.close()


def write_xml(root: Element) -> bytes:
    """Returns an element as a document in UTF-8; characters that XML cannot hold become U+FFFD."""
    for element in root.iter():
        if element.text:
            element.text = ILLEGAL.sub("\ufffd", element.text)
        for key, value in element.items():
            element.set(key, ILLEGAL.sub("\ufffd", value))
    indent(root, " ")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode").encode() + b"\n"


def _named(name: str) -> str:
    return "{" + name if "}" in name else name
