"""Levels in a terminal: the style fits the console, and nothing in a level is taken for markup."""

import io
import re

import numpy as np
import pytest
from rich.color import ColorSystem
from rich.console import Console

from levelsmith.cli.terminal import console, render
from levelsmith.core import Level
from levelsmith.errors import LevelsmithError
from levelsmith.levels.formats.format import Source
from levelsmith.levels.formats.text import FORMAT, parse
from levelsmith.registry import games

ROOM = parse("#####\n#@$.#\n#####", "sokoban")


def printed(level: Level, width: int = 80, colour: str | None = "truecolor", **options) -> str:
    out = Console(file=io.StringIO(), width=width, force_terminal=colour is not None, color_system=colour)
    out.print(render(level, **options), soft_wrap=True)
    return out.file.getvalue()


def bare(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


def titled(**fields) -> Level:
    return Level("sokoban", ROOM.tiles, ROOM.grid, **fields)


@pytest.fixture
def environment(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    return monkeypatch


def test_a_cell_is_two_columns_wide_and_shows_its_symbol():
    assert bare(printed(ROOM)).split("\n")[1] == "  @ $ .   "


def test_symbols_that_make_lines_join():
    assert "####----" in bare(printed(parse("##--", "loderunner")))


def test_half_blocks_put_two_rows_on_a_line():
    lines = bare(printed(ROOM, style="half")).rstrip("\n").split("\n")
    assert lines == ["▀" * 5] * 2


def test_a_level_too_wide_for_cells_is_drawn_in_half_blocks():
    assert "▀" not in printed(ROOM, width=10)
    assert "▀" in printed(ROOM, width=9)


def test_the_width_given_counts_rather_than_the_console_s():
    out = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="truecolor")
    out.print(render(ROOM, width=9))
    assert "▀" in out.file.getvalue()


def test_without_colour_a_level_is_its_canonical_text():
    assert printed(ROOM, colour=None) == ROOM.text + "\n"
    assert printed(ROOM, style="plain") == ROOM.text + "\n"


def test_plain_output_loads_as_it_stands():
    level = titled(title="[bold]one[/]", author="somebody: me")
    (back,) = FORMAT.parse(printed(level, colour=None).encode(), Source("output", games.get("sokoban")))
    assert (back, back.title, back.author) == (level, level.title, level.author)


@pytest.mark.parametrize("style", ["cells", "half", "plain"])
def test_nothing_in_a_level_is_markup(style):
    level = titled(title="[red]x[/red] :smile: [link=http://a]b[/]", author="[/]")
    text = bare(printed(level, style=style))
    assert "[red]x[/red] :smile: [link=http://a]b[/]" in text
    assert "[/]" in text


def test_title_and_author_stand_dim_above():
    first = printed(titled(title="Room", author="Ann")).split("\n")[0]
    assert bare(first) == "Room by Ann"
    assert "\x1b[2m" in first


@pytest.mark.parametrize("name", list(games))
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("style", ["cells", "half", "plain"])
@pytest.mark.parametrize("colour", ["standard", "256", "truecolor"])
def test_every_tile_of_every_game_is_drawn(name, theme, style, colour):
    tiles = games.get(name).tiles
    grid = np.tile(np.arange(len(tiles), dtype=np.uint8), (3, 1))
    lines = bare(printed(Level(name, tiles, grid), colour=colour, theme=theme, style=style)).split("\n")
    assert len(lines) == (3 if style == "half" else 4)
    assert {len(line) for line in lines[:-1]} == {len(tiles) * (2 if style == "cells" else 1)}


def colours_of_tiles(name: str, style: str, system: ColorSystem, theme: str) -> set[object]:
    """What is printed for each tile, with its colours as a terminal of that kind shows them."""
    tiles = games.get(name).tiles
    out = Console(file=io.StringIO(), force_terminal=True, color_system="truecolor")
    seen = set()
    for kind in range(len(tiles)):
        segment = next(iter(out.render(render(Level(name, tiles, [[kind]]), style=style, theme=theme))))
        colours = (segment.style.color, segment.style.bgcolor)
        seen.add((segment.text, *(colour and colour.downgrade(system) for colour in colours)))
    return seen


@pytest.mark.parametrize("name", list(games))
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_tiles_differ_even_where_colours_are_few(name, theme):
    number = len(games.get(name).tiles)
    assert len(colours_of_tiles(name, "cells", ColorSystem.STANDARD, theme)) == number
    assert len(colours_of_tiles(name, "half", ColorSystem.EIGHT_BIT, theme)) == number


def test_a_wide_level_on_sixteen_colours_is_plain_text():
    assert printed(ROOM, width=9, colour="standard") == ROOM.text + "\n"


def test_unknown_styles_and_themes_are_named():
    with pytest.raises(LevelsmithError, match="did you mean 'half'"):
        render(ROOM, style="halve")
    with pytest.raises(LevelsmithError, match="no theme is called 'blue'"):
        render(ROOM, theme="blue")


def test_a_console_that_is_no_terminal_has_no_colour(environment, capsys):
    console().print(render(titled(title="[b]")))
    assert capsys.readouterr().out == f"; title: [b]\n{ROOM.text}\n"


def test_force_color_colours_a_pipe_and_no_color_wins(environment, capsys):
    environment.setenv("FORCE_COLOR", "1")
    console().print(render(ROOM))
    assert "\x1b[" in capsys.readouterr().out
    environment.setenv("NO_COLOR", "1")
    console().print(render(ROOM))
    assert capsys.readouterr().out == ROOM.text + "\n"


def test_a_dumb_terminal_gets_plain_text(environment, capsys):
    environment.setenv("FORCE_COLOR", "1")
    environment.setenv("TERM", "dumb")
    console().print(render(ROOM))
    assert capsys.readouterr().out == ROOM.text + "\n"


def test_the_console_neither_wraps_nor_reads_markup(environment, capsys):
    console().print("[bold]" + "x" * 300)
    assert capsys.readouterr().out == "[bold]" + "x" * 300 + "\n"
    console(stderr=True).print("12 'a'")
    assert capsys.readouterr().err == "12 'a'\n"


def test_a_stream_that_lacks_a_letter_gets_another(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    out = console()
    out.print(render(titled(title="für")))
    out.file.flush()
    assert raw.getvalue().startswith(b"; title: f?r")
