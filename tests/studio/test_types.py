"""The types in the comments of scripts: what is exported is typed, and the types that are named exist.

No compiler of types is needed: their words are held against what scripts define, import and browsers have.
"""

import re
from collections.abc import Iterator

import pytest

from levelsmith.studio.modules import file_of, modules

TYPED = ("kernels.js", "background.js", "seeds.js", "games/binary/chart.js", "games/sokoban/game.js")
FUNCTION = re.compile(
    r"(?P<comment>/\*\*(?:(?!\*/).)*\*/\s*)?"
    r"^(?P<export>export )?(?:async )?function\*? (?P<name>\w+)\((?P<params>.*?)\) \{$",
    re.M | re.S,
)
TAG = re.compile(r"@(param|returns|typedef|type)\s+\{")
IMPORTED = re.compile(r'import\("([^"]+)"\)\.(\w+)')
KNOWN = {
    *("string", "number", "boolean", "bigint", "null", "undefined", "void", "function", "Object", "Promise"),
    *("ArrayLike", "ArrayBuffer", "AbortSignal", "WebAssembly", "Module", "Memory"),
    *(f"{kind}{bits}Array" for kind in ("Int", "Uint") for bits in (8, 16, 32)),
    *("Float64Array", "BigInt64Array", "HTMLElement", "Event"),
}


def text_of(name):
    return file_of(name).read_text(encoding="utf-8")


def types(text: str) -> Iterator[tuple[str, str, str]]:
    """Yields of each tag its kind, its type and what follows up to the end of the line."""
    for tag in TAG.finditer(text):
        depth, end = 1, tag.end()
        while depth:
            assert end < len(text), f"a brace is not closed: {text[tag.start() : tag.start() + 60]}"
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        kind = re.sub(r"\n \* ?", " ", text[tag.end() : end - 1])
        yield tag[1], kind, text[end:].split("\n", 1)[0].strip()


def defined(text):
    """The types that a module defines: typedefs and classes."""
    named = {after.split()[0] for tag, _, after in types(text) if tag == "typedef" and after}
    # A typedef may stand on a line of its own, its name behind the brace.
    named |= set(re.findall(r"@typedef \{.*\} (\w+)", re.sub(r"\n \* ", " ", text)))
    return named | set(re.findall(r"^(?:export )?class (\w+)", text, re.M))


def parameters(params):
    """The names of parameters; of one that is taken apart, none."""
    flat = re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "…", re.sub(r"\{[^{}]*\}", "…", params))
    return [re.sub(r"\s*=.*", "", one).strip(" .") for one in flat.split(",") if one.strip()]


@pytest.mark.parametrize("name", [name for name in modules() if "@param {" in text_of(name) or name in TYPED])
def test_the_types_that_are_named_exist(name):
    text = text_of(name)
    known = KNOWN | defined(text)
    for tag, kind, after in types(text):
        assert tag != "typedef" or re.match(r"\w+(?!\S)", after), f"{name}: a type is called '{after}'"
        for path, word in IMPORTED.findall(kind):
            folder = name.rpartition("/")[0]
            other = [*folder.split("/"), *path.split("/")] if folder else path.split("/")
            parts = []
            for part in other:
                parts = parts[:-1] if part == ".." else parts if part == "." else [*parts, part]
            assert word in defined(text_of("/".join(parts))), f"{name}: {path} defines no {word}"
        plain = re.sub(r"\w+\??:", "", re.sub(r'"[^"]*"', "", IMPORTED.sub("", kind)))
        unknown = set(re.findall(r"[A-Za-z_]\w*", plain)) - known
        assert not unknown, f"{name}: {kind} names {', '.join(sorted(unknown))}"


@pytest.mark.parametrize("name", [name for name in modules() if "@param {" in text_of(name) or name in TYPED])
def test_comments_tell_of_parameters_that_there_are(name):
    for match in FUNCTION.finditer(text_of(name)):
        named = parameters(match["params"])
        for tag, _, after in types(match["comment"] or ""):
            if tag == "param" and "…" not in named:
                word = re.match(r"\[?\.{0,3}(\w+)", after)
                assert word, f"{name}, {match['name']}: a parameter has no name"
                assert word[1] in named, f"{name}: {match['name']} has no parameter {word[1]}"


@pytest.mark.parametrize("name", ["kernels.js", "background.js", "seeds.js"])
def test_functions_that_all_pages_call_are_typed(name):
    found = [match for match in FUNCTION.finditer(text_of(name)) if match["export"]]
    assert found
    for match in found:
        tags = [tag for tag, *_ in types(match["comment"] or "")]
        assert "param" in tags, f"{name}: {match['name']} has no types"


def test_a_type_that_nothing_defines_is_seen():
    text = "/** @typedef {{at: number}} Spot */\n/** @param {Spots} one */\nexport function f(one) {\n}\n"
    assert [kind for tag, kind, _ in types(text) if tag == "param"] == ["Spots"]
    assert "Spots" not in KNOWN | defined(text)
    assert defined(text) == {"Spot"}
    assert parameters("one, { two, three = {} } = {}, ...four") == ["one", "…", "four"]
