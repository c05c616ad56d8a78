"""New levels of a game in one text: their time, and what is said of those that are missing."""

import pytest

from levelsmith.errors import LevelsmithError
from levelsmith.games.puzzlescript.remix import Remix
from levelsmith.kernels import compile
from levelsmith.registry import games
from levelsmith.studio import scripts

CRATES = games.sources["puzzlescript:crates"]
ASKED = {"text": CRATES, "moves": "", "needs": "", "seed": 1}


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on when it is told to."""
    now = [0.0]
    monkeypatch.setattr(compile, "perf_counter", lambda: now[0])

    def go_on(seconds):
        now[0] += seconds

    return go_on


@pytest.fixture
def start(monkeypatch):
    """What happens as the first level is begun."""

    def begun_with(work):
        begin = Remix.start

        def start(self, seed):
            work()
            return begin(self, seed)

        monkeypatch.setattr(Remix, "start", start)

    return begun_with


def test_compiling_takes_nothing_from_the_time_for_new_levels(clock, start, monkeypatch):
    monkeypatch.setattr(compile, "compiled_for", 0.0)

    def compiling():
        clock(100.0)
        compile.compiled_for += 100.0

    start(compiling)
    made = scripts.script_made(**ASKED, count=2, limit=30.0)
    assert (made["made"], made["told"]) == (2, "")


def test_no_condition_is_blamed_that_was_not_set(clock, start):
    start(lambda: clock(100.0))
    with pytest.raises(LevelsmithError, match=r"^0 of 2: the limit of 30 s came before any; make them again"):
        scripts.script_made(**ASKED, count=2, limit=30.0)
    with pytest.raises(LevelsmithError, match="; ask for less, or make them again"):
        scripts.script_made(**{**ASKED, "moves": "3.."}, count=2, limit=30.0)


def test_new_levels_are_grown_from_the_level_that_was_chosen():
    own = games.of_text(CRATES).levels()
    sizes = {level.size for level in own}
    assert len(sizes) > 1
    for number in (0, 1):
        made = scripts.script_made(**ASKED, count=2, limit=60.0, level=number)
        new = games.of_text(made["text"]).levels()[len(own) :]
        assert [level.size for level in new] == [own[number].size] * 2
    with pytest.raises(LevelsmithError, match="expected a level from 0 to"):
        scripts.script_made(**ASKED, count=2, limit=60.0, level=len(own))
