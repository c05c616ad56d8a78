"""Mistakes at the command line: one line with what was expected, what came, what to type next; status 2."""

import os
import sys

import pytest

from levelsmith import parse, save
from levelsmith.cli import main

MISTAKES = {
    "generate sokobn": "no game is called 'sokobn'; did you mean 'sokoban'? (levelsmith list games)",
    "genrate orchard": "no command is called 'genrate'; did you mean 'generate'? (levelsmith --help)",
    "generate": "Missing argument 'GAME' (levelsmith generate --help)",
    "generate loderunner construct": "'construct' is no option; did you mean --search construct?",
    "generate binary 9x9": "'9x9' is no option; did you mean --size 9x9?",
    "generate binary goal": "'goal' is no option; did you mean --goal with a value?",
    "generate loderunner --size 5x6": "expected a size from 6x6 to 64x64 for loderunner, got 5x6",
    "generate orchard --sise 5x5": "no option is called '--sise'; did you mean '--size'? "
    "(levelsmith generate --help)",
    "generate binary --gaol 20": "no option is called '--gaol'; did you mean '--goal'? "
    "(levelsmith generate --help)",
    "generate binary --goal": "expected a value after '--goal', got none",
    "generate binary --goal 75": "expected a goal of at most 74, which no path on 10x10 can exceed, got 75",
    "generate puzzlescript:crates --boxes 3": "--boxes is for levels of other games; puzzlescript:crates has "
    "--unmet, --target, --player, --wall, --crate, --moves, --states, --bends, --rules, --coverage, "
    "--solutions, --branching, --lost-share, --difficulty, --needs, --fires, --keep, --differ",
    "generate sokoban --needs 3": "--needs is for levels of other games; "
    "levelsmith list metrics --game sokoban names what there is",
    "generate puzzlescript:crates --glod 3": "no option is called '--glod' (levelsmith generate --help)",
    "generate puzzlescript:crates --Crate 3": "no option is called '--Crate'; did you mean '--crate'? "
    "(levelsmith generate --help)",
    "generate orchard 7": "no option is called '7' (levelsmith generate --help)",
    "generate orchard --size 5": "expected a size such as 10x8 (width x height), got '5'",
    "generate orchard --size 99x99": "expected a size from 2x2 to 16x16 for orchard, got 99x99",
    "generate orchard --size 0x3": "expected a size from 2x2 to 16x16 for orchard, got 0x3",
    "generate orchard --search hcc": "no search is called 'hcc'; did you mean 'hc'? (levelsmith list searches)",
    "generate orchard --objective spread": "no objective of orchard is called 'spread'; did you mean 'spaced'? "
    "(levelsmith list objectives)",
    "generate orchard --objective spaced --objective spaced": "expected each objective once, got spaced, spaced",
    "generate orchard --representation wid": "no representation is called 'wid'; did you mean 'wide'? "
    "(levelsmith list representations)",
    "generate orchard --levels 20": "no option is called '--levels'; did you mean '--count'?",
    "generate orchard -n 20": "no option is called '-n'; did you mean '--count'?",
    "solve box.xsb --time 3": "no option is called '--time'; did you mean '--seconds'?",
    "generate cave": "no game is called 'cave'; did you mean 'binary'? (levelsmith list games)",
    "verify pack.json": "no command is called 'verify'; did you mean 'check'?",
    "edit pack.json": "no command is called 'edit'; did you mean 'studio'?",
    "convert pack.json pack.html": "pack.html: no format is a page; levelsmith publish FILE -o FOLDER makes one",
    "generate orchard --set patience": "expected --set NAME=VALUE, got 'patience'",
    "generate orchard --set patiense=3": "no parameter is called 'patiense'; did you mean 'patience'? "
    "(of hc, wide, spaced)",
    "generate orchard --set patience=-1": "expected a whole number of at least 0 for patience, got -1",
    "generate orchard --set patience=lots": "expected a whole number of at least 0 for patience, got 'lots'",
    "generate orchard --set share=nan": "expected a number from 0 to 0.5 for share, got 'nan'",
    "generate orchard --set wide.fill=2": "expected a number from 0 to 1 for fill, got 2.0",
    "generate orchard --seed -1": "expected a seed from 0 to 2**63 - 1, got '-1'",
    "generate orchard --seconds 0": "expected a budget of more than 0 seconds, got 0",
    "generate orchard --seconds nan": "expected a number as the seconds of a budget, got 'nan'",
    "generate orchard --evaluations 0": "expected a budget from 1 to 2**63 - 1 evaluations, got '0'",
    "generate orchard --evaluations many": "Invalid value for '--evaluations': expected a whole number such as "
    "5000, 50k or 2M, up to 2**63 - 1, got 'many' (levelsmith generate --help)",
    "generate orchard --count 0": "expected a count from 1 to 2**63 - 1 levels, got '0'",
    "generate orchard --preset dense": "no preset is called 'dense'; did you mean 'dense-orchard'? "
    "(or a path that ends in .toml)",
    "generate binary --preset dense-orchard": "the preset 'dense-orchard' is for orchard, but binary was asked for",
    "generate binary --search ga --elite 200": "expected an elite smaller than the population of 200, got 200",
    "generate binary --search mcts --selection ucb2": "no choice of selection is called 'ucb2'; did you mean 'ucb1'?",
    "generate binary --lock border": "--lock keeps cells of a start, and none was given; add --start",
    "generate binary --start nothing.txt": "no file is called 'nothing.txt'; expected an existing file, "
    "or - for standard input",
    "generate binary --start pack.json": "pack.json holds 2 levels; name one to start from, such as pack.json#1",
    "generate orchard --start cave.json": "cave.json: this is a level of binary, but orchard was asked for",
    "generate binary --start cave.json --size 4x3": "the start is 3x2, but a size of 4x3 was asked for",
    "generate binary --start cave.json --lock walls": "no way to lock cells is called 'walls'; did you mean 'wall'?",
    "generate binary --start cave.json --lock 1;1": "no way to lock cells is called '1;1'; expected one of: "
    "empty, wall, border, X,Y, X,Y,WxH",
    "generate binary --start cave.json --lock 3,0": "expected cells within 3x2 to lock, got '3,0'",
    "generate binary --start cave.json --lock wall --lock empty": "expected at least one cell that may change, "
    "but wall, empty lock them all",
    "generate orchard -o a.jsn": "no format is called '.jsn'; did you mean '.json",
    "generate orchard -o taken/a.json": "cannot write 'taken/a.json': 'taken' is no folder you may write to",
    "solve": "Missing argument 'FILE...' (levelsmith solve --help)",
    "solve nothing.xsb": "no file is called 'nothing.xsb'; expected an existing file, or - for standard input",
    "solve bare.txt --game orchard": "bare.txt: expected tiles of orchard",
    "solve open.xsb": "this is no level of sokoban: the wall is open at row 1, column 2",
    "solve box.xsb --any --moves": "expected any solution or the one with the fewest moves, got both",
    "solve box.xsb --states 0": "expected a limit from 1 to 2**63 - 1 states, got '0'",
    "solve box.xsb --seconds 0": "expected a limit of more than 0 seconds, got 0",
    "solve box.xsb --memory 0": "expected a limit from 1 to 2**63 - 1 bytes of memory, got '0'",
    "solve box.xsb --workers 0": "expected a number from 1 to 4096 of workers, got '0'",
    "solve box.xsb -o a.xyz": "no format is called '.xyz'; expected one of: .txt, .json, .jsonl",
    "train binary -o a.npz": "Missing option '--data' (levelsmith train --help)",
    "train binary --data pack.json": "Missing option '-o' / '--output' (levelsmith train --help)",
    "train binary --data pack.json -o a.npz": "expected at least 8 different levels to learn from, got 1; "
    "add more files to --data",
    "train binary --data pack.json --data cave.json -o a.npz": "expected levels of one size, got 2x1 (2), 3x2 (1); "
    "the rarest is that of ''",
    "train binary --data half.json -o a.npz": "half.json: expected JSON, but line ",
    "train orchard --data cave.json -o a.npz": "cave.json: this is a level of binary, but orchard was asked for",
    "train binary --data cave.json -o a.npz --model gan": "no model is called 'gan'; expected one of: vq, vae, ae",
    "train binary --data cave.json -o a.npz --mode papr": "no mode is called 'papr'; did you mean 'paper'?",
    "train binary --data cave.json -o a.npz --steps 0": "expected a whole number from 1 to 1000000 for steps, got 0",
    "train binary --data cave.json -o a.npz --curve a.png": "expected a file that ends in .svg for --curve, got 'a.png'",
    "show nothing.json": "no file is called 'nothing.json'; expected an existing file, or - for standard input",
    "show bare.txt": "bare.txt: which game is this? expected --game with one of: "
    "binary, sokoban, loderunner, orchard",
    "show bare.txt --game orchrd": "no game is called 'orchrd'; did you mean 'orchard'? (levelsmith list games)",
    "show bare.txt --game orchard": "bare.txt: expected tiles of orchard (. grass, ^ tree), got '#' on line 1, "
    "column 1",
    "show pack.json#9": "pack.json holds 2 levels: expected #1 to #2, got #9",
    "show half.json": "half.json: expected JSON, but line ",
    "show picture.txt --game binary": "picture.txt: expected text in UTF-8, got byte 0x89 at offset 0; "
    "is it a binary file?",
    "show pack.json --limit-bytes 10": "pack.json: expected at most 10 bytes, got more; "
    "raise the limit with --limit-bytes",
    "convert pack.json a.tmj": "one tmj file holds one level, got 2; name one (pack.json#3) or write a folder "
    "of files (an output that ends in /)",
    "convert pack.json a.xyz": "no format is called '.xyz'; expected one of: .txt, .json, .jsonl",
    "convert pack.json a.png --set scale=1": "expected a whole number from 4 to 256 for scale, got 1",
    "convert pack.json a.png --set theme=drak": "no choice of theme is called 'drak'; did you mean 'dark'?",
    "measure .": ".: expected a folder with level files (",
    "list gams": "no list is called 'gams'; did you mean 'games'?",
    "completion basch": "Invalid value for '{bash|zsh|fish}': 'basch' is not one of 'bash', 'zsh', 'fish'",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    return tmp_path


@pytest.mark.parametrize("line", MISTAKES)
def test_a_mistake_is_one_line_and_leaves_nothing(line, folder, monkeypatch, capsys):
    if line != "measure .":
        save([parse("#.", "binary")] * 2, folder / "pack.json")
        save(parse("#.#\n...", "binary"), folder / "cave.json")
        (folder / "box.xsb").write_text("#####\n#@$.#\n#####\n")
        (folder / "open.xsb").write_text("# ###\n#@$.#\n#####\n")
        (folder / "bare.txt").write_text("#.\n")
        (folder / "half.json").write_bytes((folder / "pack.json").read_bytes()[:40])
        (folder / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n")
        (folder / "taken").write_text("a file, no folder")
    before = sorted(os.listdir(folder))
    monkeypatch.setattr(sys, "argv", ["levelsmith", *line.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr()
    assert ended.value.code == 2
    assert printed.out == ""
    assert printed.err.startswith(f"levelsmith: {MISTAKES[line]}")
    assert printed.err.count("\n") == 1
    assert sorted(os.listdir(folder)) == before
