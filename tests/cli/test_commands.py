"""The commands, called as a person would: what they print, where, and with which status."""

import json
import re
import sys

import pytest
from PIL import Image

from levelsmith import load, parse, save
from levelsmith.cli import cli, main


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Runs a command line in an empty folder; gives its status, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["levelsmith", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return ended.value.code, printed.out, printed.err

    return call


def test_generate_prints_levels_that_load_again(run, tmp_path):
    status, out, err = run("generate", "orchard", "--count", 2, "--seed", 0, "--workers", 1)
    assert status == 0
    assert len(re.findall("solved: score 1", err)) == 2
    (tmp_path / "a.txt").write_text(out)
    assert len(load(tmp_path / "a.txt")) == 2


def test_a_bare_command_prints_its_help(run):
    status, out, err = run()
    assert (status, err) == (0, "")
    assert out.startswith("Usage: levelsmith [OPTIONS] COMMAND")
    assert "\n  generate " in out
    assert run("experiment")[0] == 0


def test_after_a_level_stands_what_its_reader_wants_to_know(run):
    words = ("generate", "sokoban", "--size", "5x5", "--boxes", 2, "--difficulty", "easy", "--seed", 1)
    _, _, err = run(*words)
    told = r"solved: 2 boxes, \d+ pushes \(proved fewest\), \d+ moves, difficulty [\d.]+ \(easy\), seed 1"
    assert re.fullmatch(told, err.splitlines()[-1])
    _, _, err = run("generate", "binary", "--seed", 1, "--skip", 2)
    assert re.fullmatch(r"solved: \d+ steps from entry to exit, seed 1, run 2", err.splitlines()[-1])
    _, _, err = run("generate", "binary", "--search", "hc", "--seed", 1, "--skip", 2)
    assert re.fullmatch(r"solved: longest path \d+ steps, \d+ regions?, seed 1, run 2", err.splitlines()[-1])


def test_what_the_search_did_is_told_to_those_who_ask(run):
    _, _, err = run("generate", "orchard", "--seed", 0)
    assert "evaluations" not in err
    _, _, err = run("generate", "orchard", "--seed", 0, "--verbose")
    told = r"score 1, [\d,]+ evaluations in [\d.]+ s, done, run 0"
    assert re.fullmatch(told, err.splitlines()[-2])
    assert re.fullmatch(r"kernels: built(; numba .*)?", err.splitlines()[-1])


def test_generate_prints_json_for_programs(run):
    status, out, _ = run("generate", "orchard", "--seed", 0, "--json")
    item = json.loads(out)
    assert status == 0
    assert list(item) == [
        "game", "text", "score", "solved", "metrics", "solution", "statistics", "provenance", "digest",
    ]  # fmt: skip
    assert {"evaluations", "seconds", "evaluations_per_second"} <= set(item["statistics"])
    assert item["solved"] is True
    assert item["metrics"]["crowded"] == 0
    assert item["provenance"]["seed"] == 0


def test_generate_writes_a_pack(run, tmp_path):
    status, out, err = run(
        "generate", "orchard", "--count", 3, "--seed", 1, "--workers", 1, "-o", "pack.json"
    )
    assert (status, out) == (0, "")
    assert "wrote 3 levels to pack.json" in err
    assert [level.provenance["run"] for level in load(tmp_path / "pack.json")] == [0, 1, 2]


def test_two_workers_make_the_same_pack(run, tmp_path):
    for workers in (1, 2):
        run("generate", "orchard", "--count", 3, "--seed", 1, "--workers", workers, "-o", f"{workers}.txt")
    assert (tmp_path / "1.txt").read_bytes() == (tmp_path / "2.txt").read_bytes()


def test_a_run_limited_by_seconds_prints_the_command_that_repeats_it(run):
    words = [
        "generate",
        "orchard",
        "--size",
        "15x15",
        "--seed",
        3,
        "--set",
        "share=0.5",
        "--set",
        "patience=1",
    ]
    _, first, err = run(*words, "--seconds", 0.2, "--verbose")
    assert "stopped by seconds" in err
    command = re.search("repeat it exactly: levelsmith (.*)", err)[1].split()
    _, again, err = run(*command, "--verbose")
    assert "stopped by evaluations" in err
    assert again == first


def test_until_stops_early(run):
    _, out, _ = run("generate", "orchard", "--seed", 3, "--until", 0.8, "--json")
    item = json.loads(out)
    assert item["statistics"]["stopped"] == "score"
    assert 0.8 <= item["score"] < 1


def test_a_preset_fills_in_what_is_not_given(run):
    _, out, _ = run("generate", "orchard", "--preset", "dense-orchard", "--seed", 0, "--json")
    origin = json.loads(out)["provenance"]
    assert origin["size"] == "10x10"
    assert origin["parameters"]["spaced"]["share"] == 0.44
    _, out, _ = run(
        "generate", "orchard", "--preset", "dense-orchard", "--size", "6x6", "--seed", 0, "--json"
    )
    assert json.loads(out)["provenance"]["size"] == "6x6"


def test_parameters_are_options_too(run):
    status, out, _ = run("generate", "binary", "--goal", 30, "--patience=700", "--seed", 0, "--json")
    item = json.loads(out)
    assert status == 0
    assert item["metrics"]["path"] >= 30
    assert item["provenance"]["parameters"]["path-length"] == {"goal": 30}
    assert item["provenance"]["parameters"]["hc"]["patience"] == 700


@pytest.fixture
def cave(tmp_path):
    """A file with a room of 10x10 in it."""
    save(parse("\n".join(["#" * 10, *["#........#"] * 8, "#" * 10]), "binary"), tmp_path / "cave.txt")
    return load(tmp_path / "cave.txt")[0]


def test_a_run_starts_from_a_file_and_keeps_what_is_locked(run, cave):
    locks = ["--lock", "border", "--lock", "3,3,4x2"]
    status, out, _ = run("generate", "binary", "--start", "cave.txt", *locks, "--seed", 1, "--json")
    item = json.loads(out)
    made = parse(item["text"], "binary").grid
    kept = (cave.grid == 1).copy()
    kept[3:5, 3:7] = True
    assert (status, item["solved"]) == (0, True)
    assert (made[kept] == cave.grid[kept]).all()
    assert (made != cave.grid).any()
    assert (item["provenance"]["start"], item["provenance"]["lock"]) == (cave.text, ["border", "3,3,4x2"])


def test_one_level_of_a_pack_is_a_start(run, cave, tmp_path):
    save([parse("..\n..", "binary"), parse("#.\n.#", "binary")], tmp_path / "pack.json")
    _, out, _ = run("generate", "binary", "--start", "pack.json#2", "--lock", "wall", "--seed", 1, "--json")
    item = json.loads(out)
    assert item["provenance"]["start"] == "#.\n.#"
    assert item["text"][0] == item["text"][-1] == "#"


def test_info_tells_where_a_level_started(run, cave):
    run("generate", "binary", "--start", "cave.txt", "--lock", "border", "--seed", 1, "-o", "made.json")
    out = run("info", "made.json")[1]
    assert "  lock           border\n" in out
    assert "  start          ########## #" in out


def test_the_command_that_repeats_a_run_has_its_start_and_its_locks(run, cave):
    words = ["generate", "binary", "--start", "cave.txt", "--lock", "border", "--lock", "2,2", "--seed", 3]
    _, first, err = run(*words, "--goal", 60, "--seconds", 0.2)
    command = re.search("repeat it exactly: levelsmith (.*)", err)[1].split()
    assert command[command.index("--start") :] == ["--start", "cave.txt", "--lock", "border", "--lock", "2,2"]
    assert run(*command)[1] == first


def test_numbers_may_have_thousands(run):
    _, out, _ = run("generate", "orchard", "--seed", 0, "--evaluations", "1.5k", "--until", 2, "--json",
                    "--set", "share=0.5", "--set", "patience=1", "--size", "15x15")  # fmt: skip
    assert json.loads(out)["statistics"]["evaluations"] == 1500


def test_show_draws_plain_text_without_a_terminal(run, tmp_path):
    save([parse("#.", "binary"), parse("..", "binary")], tmp_path / "p.json")
    assert run("show", "p.json#2") == (0, "..\n", "")
    assert run("show", "p.json")[1] == "#.\n\n..\n"


def test_show_prints_json(run, tmp_path):
    save(parse("#.", "binary"), tmp_path / "p.txt")
    assert json.loads(run("show", "p.txt", "--json")[1]) == {"game": "binary", "text": "#."}


@pytest.mark.parametrize(
    "extension", ["txt", "json", "jsonl", "tmj", "tmx", "ldtk", "tscn", "npz", "csv", "png", "svg"]
)
def test_convert_goes_by_the_extension(run, tmp_path, extension):
    level = parse("#@$.#", "sokoban")
    save(level, tmp_path / "a.json")
    status, _, err = run("convert", "a.json", f"b.{extension}")
    assert (status, err) == (0, f"wrote 1 level to b.{extension}\n")
    assert load(tmp_path / f"b.{extension}", game="sokoban") == [level]


def test_convert_takes_settings_of_the_format(run, tmp_path):
    save(parse("#.", "binary"), tmp_path / "a.json")
    run("convert", "a.json", "b.png", "--set", "scale=8", "--set", "theme=dark")
    with Image.open(tmp_path / "b.png") as picture:
        assert picture.size == (16, 8)


def test_info_tells_what_a_file_holds(run, tmp_path):
    run("generate", "orchard", "--count", 2, "--seed", 5, "--workers", 1, "-o", "p.json")
    out = run("info", "p.json#2")[1]
    assert out.startswith("#2 orchard 8x8\n")
    assert "seed           5" in out
    assert "patience 2000" in out
    items = [json.loads(line) for line in run("info", "p.json", "--json")[1].splitlines()]
    assert [item["number"] for item in items] == [1, 2]
    assert items[0]["size"] == "8x8"


def test_measure_prints_an_object_a_level(run, tmp_path):
    save([parse("^^.", "orchard"), parse("^.^", "orchard")], tmp_path / "p.json")
    lines = run("measure", "p.json", "--json")[1].splitlines()
    assert [json.loads(line)["metrics"] for line in lines] == [
        {"trees": 2, "crowded": 2},
        {"trees": 2, "crowded": 0},
    ]


def test_measure_names_a_level_that_is_none_and_goes_on(run, tmp_path):
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "a.txt").write_text("; game: loderunner\n" + "....G.\n" * 5 + "bbbbbb\n")
    (folder / "b.txt").write_text("; game: loderunner\n; title: A Slip\n...\nbbb\n")
    status, out, err = run("measure", str(folder), "--json")
    assert status == 2
    assert json.loads(out)["metrics"]["gold"] == 5
    assert "#2 (A Slip) is left out: expected a level from 6x6 to 64x64 cells, got 3x2" in err


@pytest.mark.parametrize("command", ["measure", "solve"])
def test_a_file_of_a_folder_that_cannot_be_read_is_named_and_the_others_are_not_lost(run, tmp_path, command):
    folder = tmp_path / "mixed"
    folder.mkdir()
    (folder / "1.txt").write_text("; game: sokoban\n#####\n#@$.#\n#####\n")
    (folder / "2.json").write_text("{")
    status, out, err = run(command, str(folder), "--json")
    assert (status, len(out.splitlines())) == (2, 1)
    assert re.search(r"^left out: .*2\.json: expected", err, re.M)
    (folder / "1.txt").unlink()
    status, out, err = run(command, str(folder), "--json")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "2.json: expected" in err
    assert "left out" not in err


def test_measure_prints_a_whole_table(run, data_folder):
    status, out, _ = run("measure", data_folder / "loderunner-vglc" / "levels", "--game", "loderunner")
    lines = out.splitlines()
    assert status == 0
    assert len(lines) == 151
    assert lines[1].split()[:10] == ["1", "loderunner", "32x22", "6", "4", "1", "136", "40", "20", "497"]
    assert lines[1].split()[-2:] == ["Level", "1"]


def test_measure_judges_by_the_rules_that_are_named(run, data_folder):
    level = data_folder / "loderunner-vglc" / "levels" / "Level 1.txt"
    found = []
    for rules in ("no-dig", "dig"):
        status, out, _ = run("measure", level, "--game", "loderunner", "--rules", rules, "--json")
        assert status == 0
        found.append(json.loads(out))
    assert [told["rules"] for told in found] == ["no-dig", "dig"]
    assert all(told["gold"] == 6 == told["metrics"]["gold"] for told in found)
    assert all(told["playable"] == (told["gold_collectable"] == 6) for told in found)


def test_list_names_everything(run):
    out = run("list")[1]
    for word in ("orchard", "hc", "spaced", "wide", "tmj", "dense-orchard"):
        assert word in out
    assert "patience=2000" in run("list", "searches")[1]
    kinds = {json.loads(line)["kind"] for line in run("list", "--json")[1].splitlines()}
    assert kinds == {
        "games", "metrics", "searches", "objectives", "representations", "formats", "generators", "presets",
        "packs",
    }  # fmt: skip
    assert run("list", "generators", "--game", "orchard")[1] == "generators\n  none\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_their_completion(run, shell):
    status, out, _ = run("completion", shell)
    assert status == 0
    assert "_LEVELSMITH_COMPLETE" in out


def test_names_are_completed(monkeypatch, capsys):
    monkeypatch.setenv("_LEVELSMITH_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "levelsmith generate orch")
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit):
        cli(prog_name="levelsmith", complete_var="_LEVELSMITH_COMPLETE")
    assert capsys.readouterr().out == "plain,orchard\n"


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_is_short_for_both_spellings(run, option):
    status, out, _ = run(option)
    assert status == 0
    assert "generate" in out


def test_every_command_answers_help(run):
    for name in cli.commands:
        assert run(name, "-h")[0] == 0


@pytest.mark.slow
def test_levels_by_the_thousand_go_into_a_folder(run, tmp_path):
    words = ["generate", "sokoban", "--preset", "boxoban", "--optimal", "false", "--seed", 1, "--workers", 1]
    status, out, err = run(*words, "--count", 1002, "-o", "levels/")
    assert (status, out) == (0, "")
    assert re.search(r"wrote 1,002 levels to levels/\n1,002 levels in .* s, seed 1, runs from 0\n", err)
    assert len(load(tmp_path / "levels" / "000.txt", game="sokoban")) == 1000
    assert len(load(tmp_path / "levels", game="sokoban")) == 1002
    assert "already" not in run(*words, "--count", 2001, "-o", "levels/")[2]
    assert len(load(tmp_path / "levels", game="sokoban")) == 2001
    status, _, err = run(*words, "--count", 5, "--pushes", "200..", "--evaluations", 1, "-o", "none/")
    assert status == 1
    assert "5 of 5 levels with pushes 200.. could not be made in 1 evaluations each" in err
    status, out, err = run(*words, "--count", 3, "--unlike", "levels/", "--json")
    assert (err.count("solved: "), err.count("runs from")) == (3, 0)  # of a few levels each is told of
    assert [json.loads(line)["provenance"]["run"] for line in out.splitlines()] == [0, 1, 2]
    assert not {json.loads(line)["text"] for line in out.splitlines()} & {
        level.text for level in load(tmp_path / "levels", game="sokoban")
    }


SWAPPED = """<map orientation="orthogonal" width="5" height="3" infinite="0">
<tileset firstgid="1" name="mine" tilewidth="16" tileheight="16">{}</tileset>
<layer id="1" width="5" height="3"><data encoding="csv">1,1,1,1,1,1,2,2,2,1,1,1,1,1,1</data></layer></map>
"""
INSIDE = "#####\n#...#\n#####"


def test_what_tiles_mean_is_not_told_of_a_file_whose_tiles_have_names(run, tmp_path):
    (tmp_path / "level.xsb").write_text("#####\n#@$.#\n#####\n")
    for name in ("level.xsb", ".", "puzzlescript:crates"):
        status, out, err = run("show", name, "--tile", "3=wall")
        assert (status, out) == (2, "")
        assert err == f"levelsmith: --tile 3=wall is for maps of Tiled and LDtk, got {name}: leave it out\n"


def test_a_map_whose_numbers_say_nothing_is_read_as_the_reader_tells(run, tmp_path):
    (tmp_path / "swap.tmx").write_text(SWAPPED.format(""))
    status, out, err = run("show", "swap.tmx", "--game", "binary")
    assert (status, out) == (2, "")
    assert err == (
        "levelsmith: swap.tmx: expected tiles of binary (empty, wall), got the numbers 1, 2 without a name; "
        "say what each is, such as --tile 1=wall, or give the tiles a class in Tiled\n"
    )
    told = ("swap.tmx", "--game", "binary", "--tile", "1=wall", "--tile", "2=empty")
    assert run("convert", told[0], "cave.txt", *told[1:])[0] == 0
    assert load(tmp_path / "cave.txt")[0].text == INSIDE
    for command in ("show", "info"):
        assert run(command, *told)[0] == 0
    assert (
        "expected --tile TILE=NAME, got '1'" in run("show", "swap.tmx", "--game", "binary", "--tile", "1")[2]
    )


def test_names_of_a_map_that_a_game_has_not_are_read_as_the_reader_tells(run, tmp_path):
    named = '<tile id="0" type="rock"/><tile id="1" type="floor"/>'
    (tmp_path / "named.tmx").write_text(SWAPPED.format(named))
    _, _, err = run("show", "named.tmx", "--game", "binary")
    assert "got 'rock', 'floor'; say what each is, such as --tile rock=wall, or" in err
    told = ("--game", "binary", "--tile", "rock=wall", "--tile", "Floor=empty")
    assert run("convert", "named.tmx", "cave.txt", *told)[0] == 0
    assert load(tmp_path / "cave.txt")[0].text == INSIDE


def test_a_bare_list_is_an_overview_that_fits_a_screen(run):
    status, out, _ = run("list")
    lines = out.splitlines()
    assert status == 0
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100
    assert lines[0].split(maxsplit=2) == [
        "games",
        "4",
        "binary, sokoban, loderunner, orchard, any PuzzleScript file",
    ]
    assert "levelsmith list searches" in lines[-1]
    assert "patience=" in run("list", "searches")[1]
    assert len(run("list", "--json")[1].splitlines()) > 100


def test_a_level_that_was_not_made_never_has_an_empty_reason():
    from levelsmith.cli.generate import _headline
    from levelsmith.core import Result
    from levelsmith.making.driver import runs_of
    from levelsmith.request import Request

    best = parse("^..\n..^", "orchard")
    nothing = Result(best, (), 0.0, False, "seconds", 10, 0.53)
    assert _headline(runs_of(Request("orchard", seed=0)), nothing) == "not made in 0.5 s"
