"""PuzzleScript games as games of levelsmith: their files, levels, tiles, sprites, metrics and solutions."""

import gzip
import io
import json
import sys

import numpy as np
import pytest
from PIL import Image
from tests.games.puzzles import source

import levelsmith
from levelsmith import LevelsmithError, load, measure, save
from levelsmith.cli import main
from levelsmith.cli.sessions import begin
from levelsmith.games.puzzlescript.colours import PALETTES
from levelsmith.games.puzzlescript.compile import compile_source
from levelsmith.games.puzzlescript.engine import Kernel
from levelsmith.games.puzzlescript.find import SHIPPED, names
from levelsmith.games.puzzlescript.game import PuzzleGame
from levelsmith.games.puzzlescript.live import KEYS
from levelsmith.games.puzzlescript.metrics import BY_SOLUTION
from levelsmith.games.puzzlescript.tables import as_int
from levelsmith.registry import games
from levelsmith.testing import check_game
from reference.puzzlescript import Twin

SOKOBAN = {"rules": "[ > Player | Crate ] -> [ > Player | > Crate ]", "wins": "All Target on Crate"}
COLOURS = PALETTES["arnecolors"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(folder, capsys, monkeypatch):
    """Runs a command; gives its status, standard output and standard error."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["levelsmith", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code or 0, *capsys.readouterr()

    return call


def write(folder, name="my.txt", **parts):
    (folder / name).write_text(source(**{**SOKOBAN, **parts}))
    return name


# ------------------------------------------------------------------------------------------ games that ship


def test_at_least_twelve_games_ship_without_a_fault():
    assert len(names()) >= 12
    for name in names():
        found, program = compile_source((SHIPPED / f"{name.partition(':')[2]}.txt").read_text())
        assert (found.faults.errors, found.faults.warnings) == ([], []), name
        assert program is not None


@pytest.mark.first(3)
@pytest.mark.parametrize("name", names())
def test_every_level_that_ships_is_won_by_its_solution_in_both_engines(name):
    game, levels = games.get(name), load(name)
    assert len(levels) >= 2
    for level in levels:
        assert level.title
        game.verify(level, Kernel)
        game.verify(level, Twin)
        grids = list(game.frames(level))
        assert len(grids) == len(level.solution) + 1
        unmet = game.measure(np.stack(grids))[:, 0]
        assert unmet[0] > 0
        assert unmet[-1] == 0
        session = game.session(level)
        for key in level.solution:  # every set that comes up is a tile, so that films are exact
            session.press(KEYS[key])
            assert {as_int(words) for words in session.engine.board()} <= set(game.cells.sets)


@pytest.mark.first(3)
@pytest.mark.parametrize("name", names())
def test_a_game_that_ships_keeps_the_promises_of_its_contract(name):
    check_game(name)


def test_no_two_games_that_ship_have_the_same_rules():
    rules = {name: games.get(name).program.source.rules for name in names()}
    texts = [tuple(rule.text for rule in found) for found in rules.values()]
    assert len(set(texts)) == len(texts)


# ------------------------------------------------------------------------------------------ files as games


def test_a_file_stands_where_a_game_is_named(folder):
    name = write(folder, levels="P*O/...;message between;O*P;message the end")
    first, second = load(name)
    assert (first.game, first.text, second.text) == ("my.txt", "P*O\n...", "O*P")
    assert second.provenance == {"messages": ["between"], "messages at the end": ["the end"]}
    assert load(f"{name}#2") == [second]
    assert levelsmith.parse("P*O", game=name).size == (1, 3)
    assert games.get(name).letters == "lrudx"
    assert name not in list(games)


def test_a_game_is_read_again_once_its_file_has_changed(folder):
    name = write(folder, levels="P*O")
    assert len(load(name)) == 1
    write(folder, levels="P*O;O*P.")
    assert len(load(name)) == 2


def test_half_a_file_is_told_what_it_lacks(folder):
    (folder / "half.txt").write_text("OBJECTS\n\nBackground\nblack\n\nPlayer\nred\n")
    with pytest.raises(LevelsmithError, match="expected objects in the section COLLISIONLAYERS"):
        load("half.txt")


def test_a_text_of_levels_is_no_game(folder):
    (folder / "levels.txt").write_text("; game: sokoban\n#####\n#@$.#\n#####\n")
    assert load("levels.txt")[0].game == "sokoban"
    assert games.found("levels.txt") is None


def test_comments_above_a_level_tell_its_title_and_its_solution(folder):
    name = write(folder, levels="(title: First)/(Solution: r)/P*O;(a remark)/P.*.O")
    first, second = load(name)
    assert (first.title, first.solution) == ("First", "r")
    assert (second.title, second.solution) == ("", None)
    games.get(name).verify(first)


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("l", "expected keys that win the level, got 1 that do not"),
        ("rr", "expected the last of 2 keys to win, got a win by 1"),
        ("R", "expected keys of 'lrudx' in a solution, got 'R'"),
    ],
)
def test_a_solution_that_is_none_is_refused(folder, keys, told):
    (level,) = load(write(folder, levels=f"(solution: {keys})/P*O."))
    with pytest.raises(LevelsmithError, match=told):
        games.get(level.game).verify(level)


@pytest.mark.parametrize("extension", ["json", "txt", "tmj", "tmx", "ldtk", "tscn", "npz", "svg", "png"])
def test_levels_go_through_formats_and_come_back(folder, extension):
    levels = load(write(folder, levels="P*O/@%."))
    save(levels, f"out.{extension}")
    assert load(f"out.{extension}", game="my.txt") == levels


# ------------------------------------------------------------------------------ tiles, sprites, metrics


def test_tiles_are_sets_of_objects_with_the_characters_of_the_file(folder):
    game = games.get(write(folder, levels="P*O/@.."))
    assert {tile.name: tile.symbol for tile in game.tiles[: game.tiles.kinds]} == {
        "background": ".",
        "target": "O",
        "player": "P",
        "crate": "*",
        "target and crate": "@",
    }
    assert game.tiles.by_character["p"] == game.tiles.by_character["P"]
    assert "target and player" in game.tiles.names  # the legend has it, no level does


def test_a_picture_shows_the_sprites_pixel_by_pixel(folder):
    sprite = "Crate *\nred yellow\n0...1\n.....\n..0..\n.....\n1...0"
    text = source(**SOKOBAN, levels="P*O").replace("Crate *\nred", sprite)
    (folder / "my.txt").write_text(text)
    save(load("my.txt"), "my.png", scale=50)
    picture = Image.open(io.BytesIO((folder / "my.png").read_bytes())).convert("RGB")

    def pixel(cell, x, y):
        return "#" + bytes(picture.getpixel((cell * 50 + x * 10 + 5, y * 10 + 5))).hex()

    drawn = 0
    for y, row in enumerate(["0...1", ".....", "..0..", ".....", "1...0"]):
        for x, digit in enumerate(row):
            assert pixel(1, x, y) == COLOURS[{"0": "red", "1": "yellow", ".": "black"}[digit]]
            assert pixel(0, x, y) == COLOURS["pink"]
            drawn += digit != "."
    assert drawn == 5


def test_metrics_count_objects_and_what_is_left_to_do(folder):
    wins = "All Target on Crate\nNo Ma\nSome Mb"
    (level,) = load(write(folder, levels="P*O/@1#", wins=wins))
    found = measure(level)
    counts = {"unmet": 3, "target": 2, "player": 1, "wall": 1, "crate": 2, "ma": 1}
    assert found == counts | dict.fromkeys(BY_SOLUTION)  # nobody can win it


def test_a_game_of_more_sets_than_tiles_still_shows_what_is_on_top(folder):
    names = [f"Thing{i}" for i in range(9)]
    objects = "".join(f"{name}\nred\n\n" for name in names)
    text = source(levels="P..", rules="[ > Player ] -> [ > Player Thing0 Thing1 Thing8 ]")
    text = text.replace("LEGEND\n", objects + "LEGEND\n", 1).replace(
        "\nRULES", "\n".join(names) + "\n\nRULES", 1
    )
    (folder / "my.txt").write_text(text)
    game, (level,) = games.get("my.txt"), load("my.txt")
    assert len(game.tiles) < 255
    session = game.session(level)
    session.press(3)
    shown = game.shown(session)[0].tolist()
    assert game.tiles.names[shown[0]] == "thing8"
    assert len(session.engine.board()[0].nonzero()[0]) == 1


# ------------------------------------------------------------------------------------------------- commands


def test_commands_take_a_file_as_they_take_any_game(run, folder):
    name = write(folder, levels="(solution: r)/P*O.;.O*P")
    assert run("show", name) == (0, "P*O.\n\n.O*P\n", "")
    assert run("show", f"{name}#1", "--solution")[1].count("P@") == 1
    status, out, _ = run("info", f"{name}#2", "--json")
    told = json.loads(out)
    assert (status, told["game"], told["tiles"]) == (
        0,
        "my.txt",
        {"background": 1, "target": 1, "player": 1, "crate": 1},
    )
    columns = ["unmet", "target", "player", "crate", *BY_SOLUTION]
    assert run("measure", name)[1].split()[: 3 + len(columns)] == ["#", "game", "size", *columns]
    assert [line.split()[0] for line in run("list", "metrics", "--game", name)[1].splitlines()[1:]] == columns
    assert run("convert", f"{name}#1", "film.gif")[0] == 0
    assert Image.open(io.BytesIO((folder / "film.gif").read_bytes())).n_frames == 2
    assert run("convert", name, "levels/")[0] == 0
    assert sorted(path.name for path in (folder / "levels").iterdir()) == ["my-01.txt", "my-02.txt"]
    (folder / "mine.txt").write_text("; game: my.txt\nP.*.O\n")
    assert run("show", "mine.txt")[1] == "P.*.O\n"
    name = write(folder, "wide.txt", levels="......./.P.*.O./.......")
    status, _, told = run("generate", name, "--count", "2", "--seed", "1", "--moves", "3..", "-o", "new.txt")
    assert status == 0, told
    assert all(json.loads(line)["optimal"] for line in run("solve", "new.txt", "--json")[1].splitlines())


def test_packs_that_ship_are_listed(run):
    status, out, _ = run("list", "packs", "--json")
    listed = {json.loads(line)["name"] for line in out.splitlines()}
    assert status == 0
    assert {"loderunner:corpus", *names()} <= listed


def test_mistakes_in_a_file_are_told_in_one_line_with_their_places(run, folder):
    text = source(**SOKOBAN, levels="P*O").replace("Player, Wall, Crate", "Player, Wal, Crate")
    (folder / "my.txt").write_text(text)
    wall, wal = (1 + text[: text.index(word)].count("\n") for word in ("Wall #", "Player, Wal"))
    first = f"line {wall}, column 1: expected wall in one of the collision layers"
    second = f"line {wal}, column 9: expected the name of an object, got 'wal'; did you mean 'wall'?"
    assert run("show", "my.txt") == (2, "", f"levelsmith: my.txt: {first}; {second}\n")


def test_a_small_mistake_is_told_and_the_rest_is_played(folder, caplog):
    text = source(**SOKOBAN, levels="P*O").replace("All Target", "Nothing Much\nAll Target")
    (folder / "my.txt").write_text(text)
    line = 1 + text[: text.index("Nothing Much")].count("\n")
    assert load("my.txt")[0].text == load("my.txt")[0].text == "P*O"
    first, second = caplog.messages  # once, though the file is read twice
    without = "; it is played without that"
    assert first == f"my.txt: line {line}, column 1: expected all, some or no, got 'nothing'{without}"
    assert second == f"my.txt: line {line}, column 9: expected the name of an object, got 'much'{without}"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "puzzlescript:crate"), "no PuzzleScript game is called 'puzzlescript:crate'; did you mean"),
        (("show", "my.txt#9"), "my.txt holds 1 levels: expected #1 to #1, got #9"),
        (("show", "my.txt", "--game", "sokoban"), "my.txt is a game with levels of its own, but sokoban was"),
        (("show", "none.txt"), "no file is called 'none.txt'"),
        (("list", "games", "--game", "none.txt"), "no game is called 'none.txt'"),
        (("play", "my.txt", "--speed", "2"), "levels of my.txt wait for each move; leave out --speed"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(run, folder, words, told):
    write(folder, levels="P*O")
    status, out, err = run(*words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert told in err


def test_odd_files_are_refused(run, folder):
    (folder / "a.puzzlescript").write_bytes(b"\xff\xfe\x00")
    assert "expected a PuzzleScript game in UTF-8" in run("show", "a.puzzlescript")[2]
    (folder / "b.puzzlescript").write_text("title Nothing")
    assert run("show", "b.puzzlescript")[2].startswith("levelsmith: b.puzzlescript: expected")


# ---------------------------------------------------------------------------------------------------- play


def test_a_game_in_real_time_goes_on_by_itself(folder):
    rules, prelude = "[ Crate ] -> [ right Crate ]", "realtime_interval 0.5"
    name = write(folder, levels="(solution: ..)/P../*.O", rules=rules, prelude=prelude)
    (level,) = load(name)
    game = games.get(name)
    game.verify(level)
    session = begin(level, 2.0)
    assert (game.letters, session.seconds, session.end()) == ("lrudx.", 0.25, None)
    session.advance()
    session.advance()
    assert session.end() == "Solved in 0 moves."
    assert session.seconds is None
    session.restart()
    assert (session.won, session.ground()[1, 0]) == (False, level.grid[1, 0])


def test_messages_of_rules_are_those_of_the_original_in_both_engines(folder):
    one, two = (f"[ > Player | Ma ] -> [ {moves}Player | Ma ] message " for moves in ("> ", ""))
    rules = f"{one}One; {two}Two"
    (level,) = load(write(folder, levels="P1.", rules=rules))
    for engine in (Kernel, Twin):
        session = games.get("my.txt").session(level, engine)
        told = []
        for key in (0, 3, 3):
            session.press(key)
            told.append(session.message)
        assert told == ["", "One", "One"]  # of several in a turn the first


def test_no_undo_and_no_restart_are_kept_to(folder):
    (level,) = load(write(folder, levels="P..O", prelude="noundo\nnorestart\nnoaction"))
    session = begin(level)
    for key in "rzx":
        session.press(key)
    session.restart()
    assert session.ground()[0, 1] == level.grid[0, 0]
    assert session.keys == "arrows move"


@pytest.mark.data
def test_games_by_other_people_are_read_level_by_level_as_they_are_played(data_folder):
    entries = json.loads(gzip.decompress((data_folder / "puzzlescript" / "sessions.json.gz").read_bytes()))
    read, drawn, cells = 0, 0, 0
    for _, (text, *_) in entries[::12]:
        game = PuzzleGame("theirs.txt", text)
        boards = [level.board for level in game.program.levels if level.board is not None]
        levels = game.levels()
        assert len(levels) == len(boards)
        for level, board in zip(levels, boards, strict=True):
            assert np.array_equal(game.cells.board(level.grid), board)
            cells += len(board)
        read += len(levels)
        drawn += len(game.look().sprites)
    assert (read > 100, drawn > 500, cells > 10_000) == (True, True, True)
