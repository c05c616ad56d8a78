"""XML is read without surprises and written so that any parser takes it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.format import Source
from levelsmith.levels.formats.xml import DEEPEST, ILLEGAL, parse_xml, write_xml

SOURCE = Source("map.tmx")
BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE map [<!ENTITY a "ha">'
    + b"".join(b'<!ENTITY %c "&%c;&%c;&%c;&%c;">' % (c, c - 1, c - 1, c - 1, c - 1) for c in range(98, 123))
    + b"]><map>&z;</map>"
)


def test_elements_attributes_and_text_are_read():
    root = parse_xml(b'<map a="1 &amp; 2"><layer/>text &lt;<!-- no --><![CDATA[<x>]]></map>', SOURCE)
    assert (root.tag, root.get("a")) == ("map", "1 & 2")
    assert root.find("layer") is not None
    assert root[0].tail == "text <<x>"


def test_namespaces_read_as_in_elementtree():
    text = b'<svg xmlns="http://www.w3.org/2000/svg" xmlns:l="urn:l" l:game="x"><g/></svg>'
    ours, theirs = parse_xml(text, SOURCE), ElementTree.fromstring(text)
    assert [e.tag for e in ours.iter()] == [e.tag for e in theirs.iter()]
    assert ours.attrib == theirs.attrib


@pytest.mark.parametrize(
    "data",
    [
        BOMB,
        b'<!DOCTYPE map SYSTEM "file:///etc/passwd"><map/>',
        b'<!DOCTYPE m [<!ENTITY e SYSTEM "file:///etc/passwd">]><m>&e;</m>',
        b"<!DOCTYPE map><map/>",
    ],
    ids=["entity bomb", "external subset", "external entity", "empty doctype"],
)
def test_a_doctype_is_refused(data):
    with pytest.raises(LevelsmithError, match=r"map\.tmx: expected plain XML, got a DOCTYPE"):
        parse_xml(data, SOURCE)


def test_deep_nesting_is_refused():
    parse_xml(b"<a>" * DEEPEST + b"</a>" * DEEPEST, SOURCE)
    parse_xml(b"<a>" + b"<b/>" * 2 * DEEPEST + b"</a>", SOURCE)  # long is not deep
    with pytest.raises(LevelsmithError, match="elements deep"):
        parse_xml(b"<a>" * 200_000, SOURCE)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<map>", "line 1 column 6: no element found"),
        (b"<map></layer>", "mismatched tag"),
        (b"<map>&nothing;</map>", "undefined entity"),
        (b"<map/><map/>", "junk after document element"),
        (b"plain words", "syntax error"),
        (b" ", "no element found"),
        (b"<map>\xff</map>", "expected text in UTF-8"),
        ('<?xml version="1.0" encoding="utf-16"?><map/>'.encode("utf-16"), "expected text in UTF-8"),
        (b"<map a='1' a='2'/>", "duplicate attribute"),
        (b"<map>\x01</map>", "not well-formed"),
    ],
)
def test_what_is_no_xml_is_refused_with_its_place(data, message):
    with pytest.raises(LevelsmithError, match=message):
        parse_xml(data, SOURCE)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
@settings(max_examples=30, deadline=None)
def test_any_text_is_written_as_legal_xml(text):
    root = ElementTree.Element("map", title=text)
    ElementTree.SubElement(root, "p").text = "x" + text
    legal = ILLEGAL.sub("\ufffd", text)
    back = parse_xml(write_xml(root), SOURCE)
    assert back.get("title") == legal
    assert back[0].text is not None
    assert back[0].text == "x" + legal.replace("\r\n", "\n").replace("\r", "\n")


def test_characters_that_xml_cannot_hold_are_replaced():
    root = ElementTree.Element("map", title="a\x00b\ud800c\uffffd")
    assert parse_xml(write_xml(root), SOURCE).get("title") == "a\ufffdb\ufffdc\ufffdd"
