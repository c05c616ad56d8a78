"""The JSON interface: levels kept, changed, found, written and read; and a sentence for every mistake."""

import io
import json
import time
import zipfile

import pytest

import levelsmith
from levelsmith.games.sokoban.rules.rules import replay
from levelsmith.registry import formats, games
from levelsmith.studio.limits import StudioLimits
from studio.running import Running

PUZZLE = "#####\n#@$.#\n#####"
ROOM = "######\n#    #\n# $@ #\n#  . #\n######"
MAP = "..#\n#..\n..."


@pytest.fixture(scope="module")
def kept(studio):
    """Three levels of Sokoban and one map, by name."""
    made = {}
    for name, game, text in (
        ("corridor", "sokoban", PUZZLE),
        ("room", "sokoban", ROOM),
        ("stuck", "sokoban", "#####\n#$@.#\n#####"),
        ("map", "binary", MAP),
    ):
        made[name] = studio.post("levels", {"game": game, "text": text, "title": name}, expect=201)
    return made


def titles(studio, query):
    return [level["title"] for level in studio.get(f"levels?{query}")["levels"]]


def test_the_catalogue_names_what_there_is(studio):
    catalogue = studio.get("catalogue")
    games = {game["name"]: game for game in catalogue["games"]}
    assert set(games) == {"binary", "sokoban", "loderunner", "orchard"}
    sokoban = games["sokoban"]
    assert {"name": "wall", "char": "#", "aliases": "", "tags": ["solid"]} in sokoban["tiles"]
    assert [one["name"] for one in sokoban["representations"]] == ["play", "rooms"]
    assert "mcts" in [one["name"] for one in sokoban["searches"]]
    assert "hard" in next(want for want in sokoban["wants"] if want["name"] == "difficulty")["names"]
    assert catalogue["limits"]["cells"] == StudioLimits().cells


def test_a_level_by_hand_is_measured_and_solved(studio, kept):
    level = kept["room"]
    assert level["provenance"] == {"made": "edited"}
    assert level["metrics"]["boxes"] == 1
    assert level["metrics"]["pushes"] == sum(move.isupper() for move in level["solution"])
    assert kept["stuck"]["solution"] is None
    assert studio.get(f"levels/{level['id']}") == level


def test_levels_are_filtered_and_sorted(studio, kept):
    assert titles(studio, "game=sokoban&sort=title") == ["corridor", "room", "stuck"]
    assert titles(studio, "game=sokoban&sort=-pushes&min.pushes=1") == ["room", "corridor"]
    assert titles(studio, "game=sokoban&max.pushes=1&min.pushes=1") == ["corridor"]
    assert titles(studio, "game=binary") == ["map"]
    assert titles(studio, "text=ROO") == ["room"]
    page = studio.get("levels?sort=id&limit=2&offset=1")
    assert (page["total"], [level["title"] for level in page["levels"]]) == (4, ["room", "stuck"])


def test_stars_tags_and_titles_stay(studio, kept):
    number = kept["corridor"]["id"]
    changed = studio.call(
        "PATCH", f"levels/{number}", {"starred": True, "tags": ["b", " a ", "b", ""]}, expect=200
    )
    assert (changed["starred"], changed["tags"]) == (True, ["a", "b"])
    assert titles(studio, "starred=1") == titles(studio, "tag=a") == ["corridor"]
    assert studio.get("levels/counts") == {"games": {"binary": 1, "sokoban": 3}, "tags": ["a", "b"]}
    studio.call("PATCH", f"levels/{number}", {"title": "new\nname", "starred": False, "tags": []}, expect=200)
    assert studio.get(f"levels/{number}")["title"] == "new name"
    studio.call("PATCH", f"levels/{number}", {"title": "corridor"}, expect=200)


def test_a_level_is_drawn_anew_where_it_is(studio, kept):
    number = kept["map"]["id"]
    counts = studio.get("levels/counts")
    changed = studio.call("PATCH", f"levels/{number}", {"text": "..\n.."}, expect=200)
    assert (changed["id"], changed["title"]) == (number, "map")
    assert (changed["text"], changed["size"]) == ("..\n..", "2x2")
    assert changed["metrics"]["path"] == 2
    assert studio.get("levels/counts") == counts
    studio.call("PATCH", f"levels/{number}", {"text": MAP, "title": "map"}, expect=200)


def test_levels_are_gone_through_in_the_order_of_their_list(studio, kept):
    def order(query):
        return studio.get(f"levels/order?{query}")["ids"]

    shown = [level["id"] for level in studio.get("levels?game=sokoban&sort=-pushes")["levels"]]
    assert order("game=sokoban&sort=-pushes") == shown
    assert order("game=sokoban") == sorted(shown, reverse=True)
    assert order("game=sokoban&sort=title&min.pushes=1") == [kept["corridor"]["id"], kept["room"]["id"]]


def test_what_was_deleted_can_be_brought_back(studio, kept):
    number = kept["map"]["id"]
    studio.call("DELETE", f"levels/{number}", expect=200)
    assert titles(studio, "game=binary") == []
    studio.post(f"levels/{number}/restore")
    assert titles(studio, "game=binary") == ["map"]


def test_similar_levels_come_with_the_share_of_equal_cells(studio, kept):
    found = studio.get(f"levels/{kept['corridor']['id']}/similar")["levels"]
    assert [(level["title"], level["similarity"]) for level in found] == [("stuck", round(13 / 15, 4))]


def test_two_metrics_make_a_map_whose_cells_know_their_best(studio, kept):
    told = studio.get("levels/map?game=sokoban&x=pushes&y=boxes&bins=4")
    assert told["total"] == 2  # of the one that is stuck nobody knows the pushes
    assert told["x"] == {"metric": "pushes", "low": 1, "step": 1, "bins": 2, "whole": True}
    assert sorted((cell["x"], cell["y"], cell["count"]) for cell in told["cells"]) == [(0, 0, 1), (1, 0, 1)]
    assert {cell["best"] for cell in told["cells"]} == {kept[name]["id"] for name in ("corridor", "room")}


@pytest.mark.parametrize("format", sorted({*formats, "zip"} - {"totalrecall", "kgoldrunner"}))
def test_a_download_uploaded_again_is_the_same_levels(studio, kept, format):
    names = ["corridor", "room"] if format not in ("npz",) else ["corridor", "stuck"]
    ids = [kept[name]["id"] for name in names]
    status, headers, data = studio.request("POST", "/api/download", {"ids": ids, "format": format})
    assert status == 200, data
    name = headers["Content-Disposition"].partition('filename="')[2].rstrip('"')
    files = {name: data}
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {
                one: archive.read(one)
                for one in archive.namelist()
                if not one.endswith((".png", ".tsx", ".tres", ".legend.json"))
            }
    found = []
    for one, written in files.items():
        answer = studio.call("POST", f"upload?name={one}&game=sokoban", written, expect=201)
        found += answer["levels"]
    assert {kept[one]["text"] for one in names} <= {level["text"] for level in found}
    for level in found:
        studio.call("DELETE", f"levels/{level['id']}", expect=200)


def test_files_are_called_as_their_levels_are(studio, kept):
    def downloaded(names, format):
        ids = [kept[name]["id"] for name in names]
        _, headers, data = studio.request("POST", "/api/download", {"ids": ids, "format": format})
        return headers["Content-Disposition"].partition('filename="')[2].rstrip('"'), data

    name, data = downloaded(["corridor", "room"], "zip")
    assert name == "sokoban-2-levels.zip"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = set(archive.namelist())
    assert members == {
        "sokoban-2-levels.json",
        *("01-corridor.png", "01-corridor.xsb", "02-room.png", "02-room.xsb"),
    }
    assert downloaded(["room"], "xsb")[0] == "room.xsb"
    assert downloaded(["room", "map"], "zip")[0] == "levelsmith-2-levels.zip"


def test_no_two_formats_of_a_download_have_one_name(studio, kept):
    found = set()
    for format in ("zip", "xsb", "text", "tmj", "tmx", "ldtk", "gif"):
        ids = [kept[name]["id"] for name in ("corridor", "room")]
        _, headers, _ = studio.request("POST", "/api/download", {"ids": ids, "format": format})
        found.add(headers["Content-Disposition"].partition('filename="')[2].rstrip('"'))
    assert {"sokoban-2-levels.zip", "sokoban-2-levels-tmj.zip", "sokoban-2-levels-ldtk.zip"} < found
    assert len(found) == 7


def test_a_map_whose_tiles_have_no_names_is_asked_about(studio):
    layer = {"type": "tilelayer", "width": 3, "height": 3, "data": [1, 1, 1, 2, 2, 2, 1, 1, 1]}
    document = {"type": "map", "width": 3, "height": 3, "layers": [layer], "tilesets": [{"firstgid": 1}]}
    data = json.dumps(document).encode()
    asked = studio.call("POST", "upload?name=swap.tmj&game=binary", data, expect=400)
    assert (asked["tiles"], asked["game"]) == (["1", "2"], "binary")
    assert asked["error"] == (
        "swap.tmj: expected tiles of binary (empty, wall), got the numbers 1, 2 without a name; "
        "say what each is, or give the tiles a class in Tiled"
    )
    told = "upload?name=swap.tmj&game=binary&tile=1%3Dwall&tile=2%3Dempty"
    (level,) = studio.call("POST", told, data, expect=201)["levels"]
    assert level["text"] == "###\n...\n###"
    studio.call("DELETE", f"levels/{level['id']}", expect=200)


def test_a_text_that_names_no_game_is_of_the_one_that_it_fits(studio):
    def read(text, **game):
        return studio.post("read", {"text": text, **game})["level"]

    assert read(ROOM)["game"] == "sokoban"
    assert read(MAP)["game"] == "binary"
    assert read(ROOM, game="binary")["game"] == "sokoban"
    assert read("#####\n#@$$.#\n######")["game"] == "sokoban"  # unfinished, but nothing else
    before = studio.get("levels/counts")
    refused = studio.call("POST", "read", {"text": "...\n..."}, expect=400)["error"]
    assert (
        refused
        == "pasted.txt: this could be a level of binary, orchard; choose one under Game and add it again"
    )
    assert studio.get("levels/counts") == before
    answer = studio.call("POST", "upload?name=room.txt", ROOM.encode(), expect=201)
    assert [level["game"] for level in answer["levels"]] == ["sokoban"]
    studio.call("DELETE", f"levels/{answer['levels'][0]['id']}", expect=200)


def test_no_sentence_speaks_of_a_command_line(studio):
    def refused(call, *more):
        return studio.call("POST", call, *more, expect=400)["error"]

    assert "--" not in refused("upload?name=level", b"#")
    assert "--" not in refused("upload?name=a.doc", b"#")
    assert "--" not in refused("jobs", {"game": "sokoban", "search": "carve", "seconds": 3})
    assert "--" not in refused("jobs", {"game": "orchard", "size": "900x900"})


def test_a_false_solution_is_not_believed(studio):
    data = json.dumps({"game": "sokoban", "text": "#######\n#@$ . #\n#######", "solution": "LLLL"}).encode()
    (level,) = studio.call("POST", "upload?name=x.json", data, expect=201)["levels"]
    assert level["solution"] == "RR"
    studio.call("DELETE", f"levels/{level['id']}", expect=200)


def test_pictures_of_levels(studio, kept):
    number = kept["corridor"]["id"]
    for kind, start in (("svg", b"<svg"), ("png", b"\x89PNG")):
        status, headers, data = studio.request("GET", f"/api/levels/{number}.{kind}?theme=dark")
        assert (status, data[:4]) == (200, start)
        assert headers["Content-Type"].startswith("image/")


def test_a_check_plays_the_solution_it_has_found(studio):
    told = studio.post("check", {"game": "sokoban", "text": "######\n#@$ .#\n######", "frames": True})
    assert told["frames"] == [f"######\n#{row}#\n######" for row in ("@$ .", " @$.", "  @*")]
    assert studio.post("check", {"game": "orchard", "text": "^", "frames": True})["status"] == "n/a"


def test_a_check_says_why_there_is_no_solution_where_that_is_known(studio):
    rows = ["..........", "..........", "..........", "......BBB.", ".GM...BGB.", "bbbbbbBBBb"]
    told = studio.post("check", {"game": "loderunner", "text": "\n".join(rows)})
    assert (told["status"], told["why"]) == ("unsolvable", "the gold at row 5, column 8 is out of reach")


def test_checks_say_whether_a_drawing_is_a_level_and_can_be_solved(studio):
    def check(game, text):
        return studio.post("check", {"game": game, "text": text})

    solved = check("sokoban", PUZZLE)
    assert (solved["valid"], solved["status"], solved["solution"], solved["pushes"]) == (
        True,
        "solved",
        "R",
        1,
    )
    assert "frames" not in solved
    assert check("sokoban", "#####\n#$@.#\n#####")["status"] == "unsolvable"
    malformed = check("sokoban", "#####\n#@@.#\n#####")
    assert (malformed["valid"], malformed["status"]) == (False, "malformed")
    assert malformed["error"] == "expected one player, got 2"
    assert check("sokoban", "#####\n#@$$.#\n######")["error"] == "2 boxes but 1 goal: add a goal"
    assert check("binary", MAP)["path"] == [[0, 0], [0, 1], [1, 1], [2, 1], [2, 0]]


def test_the_steps_of_a_level_end_in_one_that_its_solution_solves(studio):
    for seed in range(3):
        told = studio.post("steps", {"size": "5x5", "seed": seed})
        actions = [step["action"] for step in told["steps"]]
        order = [told["actions"].index(action) for action in actions]
        assert order == sorted(order)
        assert set(actions) == set(told["actions"])
        level = levelsmith.parse(told["steps"][-1]["text"], "sokoban")
        verdict = levelsmith.solve(level)
        assert verdict.status == "solved"
        replay(level, told["solution"])


WRONG = [
    ("POST", "jobs", {}, 400),
    ("POST", "jobs", {"game": "chess"}, 400),
    ("POST", "jobs", {"game": ["sokoban"]}, 400),
    ("POST", "jobs", {"game": "orchard", "size": "0x0"}, 400),
    ("POST", "jobs", {"game": "orchard", "size": "900x900"}, 400),
    ("POST", "jobs", {"game": "orchard", "colour": "red"}, 400),
    ("POST", "jobs", {"game": "orchard", "evaluations": 0}, 400),
    ("POST", "jobs", {"game": "orchard", "evaluations": 1.5}, 400),
    ("POST", "jobs", {"game": "orchard", "seconds": -1}, 400),
    ("POST", "jobs", {"game": "orchard", "seconds": 1e9}, 400),
    ("POST", "jobs", {"game": "orchard", "seed": -1}, 400),
    ("POST", "jobs", {"game": "orchard", "count": 10**6}, 400),
    ("POST", "jobs", {"game": "orchard", "preset": "/etc/passwd.toml"}, 400),
    ("POST", "jobs", {"game": "orchard", "set": {"hc.patience": "/etc"}}, 400),
    ("POST", "jobs", {"game": "orchard", "set": {"hc.patience": [1]}}, 400),
    ("POST", "jobs", {"game": "orchard", "want": {"trees": "5..2"}}, 400),
    ("POST", "jobs", {"game": "orchard", "start": "???"}, 400),
    ("POST", "jobs", {"game": "orchard", "lock": ["border"]}, 400),
    ("POST", "jobs", {"game": "loderunner", "representation": "latent", "set": {"model": "x.npz"}}, 400),
    ("GET", "jobs/999", None, 404),
    ("GET", "jobs/99999999999999999999999999", None, 404),
    ("GET", "jobs/999/events", None, 404),
    ("POST", "jobs", {"game": "orchard", "seed": 2**53}, 400),
    ("POST", "jobs", {"game": "orchard", "evaluations": 10**4000}, 400),
    ("POST", "jobs", {"game": "orchard", "set": {"hc.patience": 2**64}}, 400),
    ("POST", "download", {"ids": [2**64]}, 400),
    ("POST", "download", {"ids": [-(2**70)]}, 400),
    ("POST", "steps", {"seed": 2**53}, 400),
    ("GET", "jobs?state=lost", None, 400),
    ("POST", "jobs/999/cancel", {}, 404),
    ("POST", "jobs/1/explode", {}, 404),
    ("GET", "levels?min.pushes=many", None, 400),
    ("GET", "levels?sort=pushes')--", None, 400),
    ("GET", "levels?limit=-1", None, 400),
    ("GET", "levels?colour=red", None, 400),
    ("GET", "levels/map?x=%22&y=boxes", None, 400),
    ("GET", "levels/999.svg", None, 404),
    ("GET", "levels/1.exe", None, 404),
    ("GET", "levels/1.svg?theme=pink", None, 400),
    ("PATCH", "levels/1", {"starred": "yes"}, 400),
    ("PATCH", "levels/1", {"text": "x"}, 400),
    ("PATCH", "levels/1", {"tags": ["x"] * 100}, 400),
    ("POST", "levels", {"game": "sokoban", "text": ""}, 400),
    ("POST", "levels", {"game": "sokoban", "text": "#" * 200_000}, 400),
    ("POST", "download", {"ids": [], "format": "json"}, 400),
    ("POST", "download", {"ids": [1], "format": "../x"}, 400),
    ("POST", "download", {"ids": [999], "format": "json"}, 404),
    ("POST", "check", {"game": "sokoban"}, 400),
    ("POST", "steps", {"size": "90x90"}, 400),
    ("POST", "upload", b"x", 400),
    ("POST", "upload?name=..%2f..%2fetc%2fpasswd", b"x", 400),
    ("POST", "upload?name=a.npz", b"PK\x03\x04", 400),
    ("POST", "upload?name=a.txt", b"x" * 10_000_001, 413),
    ("GET", "sprites/chess", None, 400),
    ("GET", "nothing", None, 404),
    ("PUT", "levels", {}, 405),
]


@pytest.mark.parametrize(("method", "path", "body", "status"), WRONG)
def test_a_mistake_gets_a_sentence(studio, kept, method, path, body, status):
    told = studio.call(method, path, body, expect=status)
    assert list(told) == ["error"]
    assert 10 < len(told["error"]) < 400
    assert "\n" not in told["error"]


MANY = "9" * 4301  # digits, of which Python makes no number


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"levels/{MANY}"),
        ("PATCH", f"levels/{MANY}"),
        ("DELETE", f"levels/{MANY}"),
        ("POST", f"levels/{MANY}/restore"),
        ("GET", f"levels/{MANY}/similar"),
        ("GET", f"levels/{MANY}.svg"),
        ("GET", f"jobs/{MANY}"),
        ("DELETE", f"jobs/{MANY}"),
        ("GET", f"jobs/{MANY}/events"),
        ("POST", f"jobs/{MANY}/cancel"),
        ("GET", "levels/9223372036854775808"),
    ],
)
def test_a_number_that_is_too_long_leads_nowhere(studio, method, path):
    status, headers, data = studio.request(
        method, f"/api/{path}", {} if method in ("PATCH", "POST") else None
    )
    assert status == 404
    assert json.loads(data)["error"]
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options"):
        assert headers[name]


@pytest.mark.parametrize("name", ["limit", "offset", "min.pushes", "job"])
def test_a_query_takes_no_number_that_is_too_long(studio, name):
    assert studio.request("GET", f"/api/levels?{name}={MANY}")[0] in (200, 400)  # beyond all is no mistake
    studio.call("GET", f"levels/map?x=pushes&y=boxes&bins={MANY}", expect=400)


def test_a_seed_that_a_page_would_round_is_refused_by_its_name(studio):
    told = studio.call("POST", "jobs", {"game": "orchard", "seed": 2**53}, expect=400)
    assert told["error"] == "expected seed from 0 to 9007199254740991, got '9007199254740992'"
    kept = studio.post("jobs/preview", {"game": "orchard", "seed": 2**53 - 1})
    assert kept["setting"]["seed"] == 2**53 - 1


def test_what_is_no_json_gets_a_sentence(studio):
    for data in (b"{", b"\xff", b"[" * 100_000, b'{"game": NaN}', b'{"game": "\\ud800"}', b"[]", b"1" * 5000):
        assert studio.call("POST", "jobs", data, expect=400)["error"]
    assert studio.call("POST", "jobs", b"game=x", expect=415, **{"Content-Type": "text/plain"})["error"]
    assert studio.call("POST", "check", b" " * 1_000_001, expect=413)["error"]


def test_a_preview_says_what_would_run_and_what_is_wrong(studio):
    told = studio.post("jobs/preview", {"game": "binary", "size": "10x10", "seed": 1})
    assert told["plan"]["search"] == "caves"
    assert told["command"] == "levelsmith generate binary --size 10x10 --seed 1"
    assert "did you mean" in studio.post("jobs/preview", {"game": "binary", "search": "island"})["error"]


@pytest.mark.slow
def test_a_level_that_is_too_hard_does_not_hold_up_the_studio(studio):
    text = "\n".join(["#" * 20, *("#" + " $." * 6 + "#" for _ in range(6)), "#@" + " " * 17 + "#", "#" * 20])
    begun = time.monotonic()
    told = studio.post("check", {"game": "sokoban", "text": text})
    assert told["status"] in ("unknown", "solved")
    assert time.monotonic() - begun < 15


def test_a_port_in_use_is_one_clear_line(studio, tmp_path):
    with pytest.raises(
        RuntimeError, match=r"levelsmith: cannot listen on 127\.0\.0\.1 port \d+: .*--port 0"
    ) as told:
        Running(tmp_path / "other.db", "--port", studio.port)
    assert str(told.value).count("\n") == 1


def test_a_file_has_one_studio(studio, tmp_path):
    store = tmp_path / "studio.db"
    one = Running(store)
    with pytest.raises(RuntimeError, match="is being written by another process"):
        Running(store)
    one.stop()
    (tmp_path / "other.db").write_text("no database")
    with pytest.raises(RuntimeError, match="no file of an experiment"):
        Running(tmp_path / "other.db")


def test_a_script_is_told_its_mistakes_and_can_be_played(studio):
    shipped = studio.get("scripts")["scripts"]
    text = shipped["puzzlescript:crates"]
    answer = studio.post("script", {"text": text})
    assert answer["faults"] == []
    assert len([level for level in answer["game"]["program"]["levels"] if level["board"]]) >= 2
    answer = studio.post("script", {"text": text[: text.index("LEGEND")]})
    assert answer["game"] is None
    assert all(fault["text"].startswith("expected") for fault in answer["faults"])
    assert "text" in studio.post("script", {"text": 5}, expect=400)["error"]


def test_levels_of_a_game_in_one_text_are_solved_and_made(studio):
    text = games.sources["puzzlescript:keys"]
    answer = studio.post("script/solved", {"text": text, "level": 0})
    assert answer["status"] == "solved"
    assert answer["told"].startswith(f"{len(answer['solution'])} keys (proved fewest)")
    assert "from 0 to" in studio.post("script/solved", {"text": text, "level": 99}, expect=400)["error"]
    answer = studio.post("script/made", {"text": text, "count": 2, "moves": "8..", "needs": "77", "seed": 1})
    assert (answer["made"], answer["asked"]) == (2, 2)
    assert answer["text"].startswith(text.rstrip())
    assert len(games.of_text(answer["text"]).levels()) == len(games.of_text(text).levels()) + 2
    again = studio.post("script/made", {"text": answer["text"], "count": 1, "moves": "8..", "seed": 2})
    assert [level.title for level in games.of_text(again["text"]).levels()[-3:]] == [
        "New 1",
        "New 2",
        "New 3",
    ]
    for wrong, told in (
        ({"count": 99}, "1 to 20"),
        ({"needs": "3"}, "line of a rule"),
        ({"moves": "x"}, "range"),
    ):
        assert told in studio.post("script/made", {"text": text, **wrong}, expect=400)["error"]
    dice = text.replace("RULES\n", "RULES\n\nrandom [ Wall ] -> [ Wall ]\n")
    assert "chance" in studio.post("script/made", {"text": dice}, expect=400)["error"]


@pytest.mark.slow
def test_a_level_of_a_game_in_one_text_is_checked_improved_and_saved(studio):
    text = games.sources["puzzlescript:keys"]
    told = studio.post("script/game", {"text": text})
    game, level = told["game"], told["levels"][0]
    assert {"key", "wall", "held"} <= {tile["name"] for tile in game["tiles"]}
    assert {tile["name"] for tile in game["tiles"]} <= set(told["sprites"]["tiles"])
    assert [tile["below"] for tile in game["tiles"] if tile["name"] in ("player", "wall")] == [
        "background",
        None,
    ]
    found = studio.post("check", {"game": game["name"], "text": level["text"], "script": text})
    assert (found["status"], found["optimal"]) == ("solved", True)
    assert [rule["line"] for rule in found["rules"]] == [77, 78, 79, 80]
    assert str(len(found["solution"])) in found["told"]
    wrong = level["text"].replace("P", ".")
    found = studio.post("check", {"game": game["name"], "text": wrong, "script": text})
    assert (found["valid"], found["status"]) == (False, "malformed")
    assert "expected a player" in found["error"]

    # A brush that no level of the author has is among what a search may choose from.
    drawn = level["text"].replace("..", ".h", 1)
    row, col = next((r, line.index("h")) for r, line in enumerate(drawn.split("\n")) if "h" in line)
    asked = {"game": game["name"], "script": text, "start": drawn, "evaluations": 300, "seed": 1}
    job = studio.finished(**asked, edit="improve", lock=[f"{col},{row},1x1"])
    assert (job["state"], job["error"]) == ("done", None)
    assert job["text"].split("\n")[row][col] == "h"
    assert job["text"] != drawn

    saved = studio.post("script/saved", {"text": text, "rows": job["text"], "title": "Mine (1)", "level": 0})
    written = games.of_text(saved["text"])
    (own, *others), (first, *rest) = games.of_text(text).levels(), written.levels()
    assert (first.text, first.title) == (job["text"], "Mine  1")  # a comment ends with its bracket
    assert first.solution != own.solution
    written.verify(first)
    assert [one.text for one in rest] == [one.text for one in others]
    added = studio.post("script/saved", {"text": text, "rows": job["text"], "title": "", "level": None})
    assert added["level"] == len(others) + 1
    assert games.of_text(added["text"]).levels()[-1].text == job["text"]
    for wrong, why in (({"level": 99}, "from 0 to"), ({"rows": "?"}, "?"), ({"rows": 5}, "text")):
        body = {"text": text, "rows": drawn, "title": "", "level": 0, **wrong}
        assert why in studio.post("script/saved", body, expect=400)["error"]
    refused = studio.post("jobs", {"game": game["name"], "script": text}, expect=400)["error"]
    assert "script/made" in refused
