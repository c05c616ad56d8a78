"""What a published pack holds, how much it weighs, and what cannot be published."""

import gzip
import io
import json
import re
import zipfile
from base64 import b64decode
from dataclasses import replace

import pytest
from PIL import Image

from levelsmith import LevelsmithError, load, parse
from levelsmith.checking.rate import rated
from levelsmith.levels.pack import Pack, read_pack
from levelsmith.publish.colours import GROUNDS, READABLE, contrast, parsed, style_of
from levelsmith.publish.site import Look, check_site, site, unproved, write_site, zipped

ROOM = parse("######\n#@$ .#\n######", "sokoban")
LOST = parse("#####\n#@ $#\n# . #\n#####", "sokoban")
WALK = parse("........\n........\n........\n........\nM..G..G.\nbbbbbbbb", "loderunner")
MOST = 700_000  # bytes of a page


def data_of(files):
    told = json.loads(re.search(r'id="levels">(.*?)</script>', files["index.html"].decode(), re.S)[1])
    return told | {"levels": json.loads(gzip.decompress(b64decode(told["packed"])))}


@pytest.mark.parametrize(
    "pack",
    [Pack((ROOM,) * 100), Pack((WALK,) * 100), read_pack("puzzlescript:crates")],
    ids=lambda pack: pack.game,
)
def test_a_page_of_many_levels_weighs_little_and_is_the_same_each_time(pack):
    found = rated(pack.levels)
    files = site(pack, found, Look())
    assert len(files["index.html"]) < MOST
    assert files == site(pack, found, Look())
    assert not re.search(rb'<(?:script|link|img)[^>]*(?:src|href)="(?!data:|#)', files["index.html"])


def test_each_level_is_told_what_is_proved_of_it():
    pack = Pack((ROOM, LOST))
    found = rated(pack.levels)
    first, second = data_of(site(pack, found, Look()))["levels"]
    assert (first["fewest"], first["optimal"], first["proof"]) == (2, True, "")
    assert second["proof"].startswith("not proved: cannot be won (proved)")
    assert [number for number, _ in unproved(found)] == [2]


def test_solutions_stay_away_where_no_hints_are_wanted():
    pack = read_pack("puzzlescript:crates")
    found = rated(pack.levels)
    assert all(level["solution"] for level in data_of(site(pack, found, Look()))["levels"])
    assert not any("solution" in level for level in data_of(site(pack, found, Look(help=False)))["levels"])


def test_the_archive_has_the_page_at_its_top_and_the_cover_loads_again(tmp_path):
    pack = Pack((ROOM,))
    files = site(pack, rated(pack.levels), Look())
    data = zipped(files)
    assert data == zipped(files)
    assert zipfile.ZipFile(io.BytesIO(data)).namelist() == ["index.html", "cover.png"]
    write_site(files, tmp_path / "site")
    write_site(files, tmp_path / "site")
    assert load(tmp_path / "site" / "cover.png") == [ROOM]


def test_a_folder_of_somebody_elses_is_left_alone(tmp_path):
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(LevelsmithError, match="one that levelsmith publish has written"):
        write_site({"index.html": b"", "cover.png": b""}, tmp_path)


def test_titles_with_signs_of_html_stay_text():
    pack = Pack((replace(ROOM, title="</script><b>"),), "<i>Winter</i> & more", "A <b>")
    text = site(pack, rated(pack.levels), Look(credits="<u>"))["index.html"].decode()
    assert "<i>Winter" not in text
    assert "</script><b>" not in text
    assert "<title>&lt;i&gt;Winter&lt;/i&gt; &amp; more</title>" in text
    assert "<u>" not in text


@pytest.mark.parametrize("colour", ["#0b6556", "#ffff00", "#fff", "#000", "A03020"])
def test_any_colour_becomes_one_that_can_be_read(colour):
    light, dark = re.search(r"--accent: light-dark\((\S+), (\S+)\)", style_of(colour)).groups()
    for shade, ground in zip((light, dark), GROUNDS, strict=True):
        assert contrast(parsed(shade), parsed(ground)) >= READABLE
    on = re.search(r"--on-accent: light-dark\((\S+), (\S+)\)", style_of(colour)).groups()
    for text, shade in zip(on, (light, dark), strict=True):
        assert contrast(parsed(text), parsed(shade)) >= READABLE


def test_what_cannot_be_published_is_refused_before_anything_is_proved(tmp_path):
    pictures = tmp_path / "own"
    pictures.mkdir()
    with pytest.raises(LevelsmithError, match="no page knows the rules of orchard"):
        check_site(Pack((parse("^.", "orchard"),)), Look())
    with pytest.raises(LevelsmithError, match="expected a colour such as #0b6556, got 'green'"):
        check_site(Pack((ROOM,)), Look(colour="green"))
    with pytest.raises(LevelsmithError, match=r"pictures such as floor\.png, wall\.png, box\.png, got none"):
        check_site(Pack((ROOM,)), Look(sprites=str(pictures)))
    Image.new("RGB", (4, 4)).save(pictures / "boxx.png")
    with pytest.raises(LevelsmithError, match=r"no tile of sokoban is called 'boxx'; did you mean 'box'\?"):
        check_site(Pack((ROOM,)), Look(sprites=str(pictures)))
    (pictures / "boxx.png").rename(pictures / "box-on-goal.png")
    check_site(Pack((ROOM,)), Look(sprites=str(pictures)))
    (pictures / "wall.png").write_bytes(b"GIF89a")
    with pytest.raises(LevelsmithError, match="expected a PNG picture in"):
        check_site(Pack((ROOM,)), Look(sprites=str(pictures)))
    with pytest.raises(LevelsmithError, match="draws its things itself: leave out --sprites"):
        check_site(read_pack("puzzlescript:crates"), Look(sprites=str(pictures)))
