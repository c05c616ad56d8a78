"""Numbers stay exact from whichever way they come in, and those beyond 64 bits are refused in one line."""

import contextlib

import click
import numpy as np
import pytest
from click.testing import CliRunner

import levelsmith
from levelsmith.cli import cli
from levelsmith.cli.options import NUMBER, WholeNumber
from levelsmith.core import (
    Budget,
    Effort,
    Parameter,
)
from levelsmith.errors import LevelsmithError, quoted
from levelsmith.making.build import start_run
from levelsmith.making.plan import plan
from levelsmith.numbers import LARGEST_INTEGER, check_seed, check_workers
from levelsmith.registry import ALL, games, searches
from levelsmith.request import Request

BEYOND = (2**63, 2**64, 10**30, 10**5000, -(10**30), 1e300, float("inf"), float("nan"))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("9007199254740993", 2**53 + 1),  # no float can hold it
        ("9223372036854775807", LARGEST_INTEGER),
        ("9007199254740.993k", 9007199254740993),
        ("5k", 5_000),
        ("50K", 50_000),
        ("2M", 2_000_000),
        ("1.5M", 1_500_000),
        ("1e6", 1_000_000),
        ("1E6", 1_000_000),
        ("5_000", 5_000),
        ("5,000", 5_000),
        ("5.0", 5),
        ("-3", -3),
        ("+7", 7),
        (" 8 ", 8),
        (12, 12),
    ],
)
def test_a_number_on_the_command_line_is_exact(text, number):
    assert NUMBER.convert(text, None, None) == number


@pytest.mark.parametrize(
    "text", ["9223372036854775808", "1e30", "1e99k", "9" * 5000, "1.5", "inf", "nan", "", "k"]
)
def test_a_number_that_is_not_whole_or_beyond_64_bits_is_refused(text):
    with pytest.raises(click.BadParameter, match=r"expected a whole number .* up to 2\*\*63 - 1"):
        NUMBER.convert(text, None, None)


BEYOND_64_BITS = "9223372036854775808"


def number_options(command, names=()):
    """Words of every command that give a number beyond 64 bits to one of its options or arguments."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from number_options(command.get_command(context, name), (*names, name))
        return
    before: list[str] = []  # a word for each argument
    for given in command.params:
        number = isinstance(given.type, WholeNumber)
        if isinstance(given, click.Argument):
            if number:
                yield (*names, *before, BEYOND_64_BITS)
            before.append("1")
        elif number and given.nargs == 1:
            yield (*names, f"{given.opts[-1]}={BEYOND_64_BITS}")
        elif number:
            yield (*names, given.opts[-1], *[BEYOND_64_BITS] * given.nargs)


@pytest.mark.parametrize("words", list(number_options(cli)), ids=" ".join)
def test_every_option_refuses_a_number_beyond_64_bits(words):
    outcome = CliRunner().invoke(cli, list(words))
    assert outcome.exit_code == 2
    assert f"up to 2**63 - 1, got '{BEYOND_64_BITS}'" in outcome.output


def every_parameter():
    for kind in ("searches", "representations", "generators", "formats"):
        for name in ALL[kind]:
            for parameter in ALL[kind].get(name).parameters:
                yield f"{name}.{parameter.name}", parameter
    for game in games:
        for objective in games.get(game).objectives.values():
            for parameter in objective.parameters:
                yield f"{objective.name}.{parameter.name}", parameter


@pytest.mark.parametrize("parameter", [p for _, p in every_parameter() if type(p.default) in (int, float)])
@pytest.mark.parametrize("value", BEYOND, ids=quoted)
def test_every_parameter_takes_numbers_that_compiled_code_can_hold(parameter, value):
    if isinstance(parameter.default, int):
        with pytest.raises(LevelsmithError):
            parameter.check(value)
    else:
        with contextlib.suppress(LevelsmithError):
            assert np.isfinite(parameter.check(value))


def test_a_parameter_says_what_it_takes():
    parameter = Parameter("depth", 3, "how deep", low=0)
    assert parameter.check(LARGEST_INTEGER) == LARGEST_INTEGER
    with pytest.raises(
        LevelsmithError, match="of at least 0 within 64 bits for depth, got '9223372036854775808'"
    ):
        parameter.check(2**63)
    with pytest.raises(LevelsmithError, match="expected a number for weight, got 'inf'"):
        Parameter("weight", 1.0, "how much").check("inf")


@pytest.mark.parametrize("seed", [-1, 2**63, 2**64, 10**5000, True, 1.5, float("nan"), "7", None], ids=quoted)
def test_a_seed_is_checked_in_one_place(seed):
    with pytest.raises(LevelsmithError, match=r"^expected a seed from 0 to 2\*\*63 - 1, got "):
        check_seed(seed)
    if seed is not None:
        with pytest.raises(LevelsmithError, match=r"^expected a seed from 0 to 2\*\*63 - 1, got "):
            plan(Request("binary", seed=seed))


def test_every_other_seed_is_taken_as_it_is():
    assert [
        plan(Request("binary", seed=seed)).seed for seed in (0, 2**53 + 1, LARGEST_INTEGER, np.int64(5))
    ] == [
        0,
        2**53 + 1,
        LARGEST_INTEGER,
        5,
    ]


@pytest.mark.parametrize(
    "asked",
    [
        {"evaluations": 10**30},
        {"evaluations": True},
        {"evaluations": "5"},
        {"seconds": 10**400},
        {"seconds": "5"},
        {"until": "high"},
        {"keep_above": 10**5000},
        {"keep_most": 2**64},
        {"count": 2**63},
        {"count": 10**7, "search": "hc"},
        {"skip": 2**63},
        {"workers": 2**31},
        {"size": (2**70, 3)},
        {"size": (4, "9" * 5000)},
        {"want": {"path": (10**400, None)}},
        {"want": {"path": [2**70, 2**69]}},
        {"set": {"hc.patience": 10**5000}},
    ],
    ids=lambda asked: next(iter(asked)),
)
def test_generate_refuses_numbers_that_make_no_sense(asked):
    with pytest.raises(LevelsmithError) as refused:
        levelsmith.generate("binary", **asked)
    assert "\n" not in str(refused.value)


def test_ranges_far_beyond_any_level_are_taken_or_refused():
    with pytest.raises(LevelsmithError, match="expected at most 74 for path on 10x10"):
        plan(Request("binary", want={"path": (2**70, 2**71)}, seed=1))
    with pytest.raises(LevelsmithError, match="expected at most 10,000 pushes"):
        plan(Request("sokoban", want={"pushes": "9223372036854775807..9223372036854775807"}))
    with pytest.raises(LevelsmithError, match="expected a range of at most 1,000,000 pushes"):
        plan(Request("sokoban", search="carve", want={"pushes": 2**62}, seed=1))


def test_budgets_and_efforts_take_a_million_as_1e6():
    assert Budget(1e6).evaluations == Effort(1e6).states == 10**6
    for wrong in ({"states": 2**63}, {"states": 0.5}, {"memory": 10**30}, {"seconds": 10**400}):
        with pytest.raises(LevelsmithError):
            Effort(**wrong)


def test_a_number_of_workers_is_a_number_of_processes():
    assert check_workers(4096) == 4096
    with pytest.raises(LevelsmithError, match="expected a number from 1 to 4096 of workers, got '4097'"):
        check_workers(4097)


def test_a_search_that_finds_no_memory_says_so(monkeypatch):
    task = plan(Request("binary", search="bfs", seed=1, evaluations=5))

    def none_left(*given):
        raise MemoryError

    monkeypatch.setattr(searches.get("bfs"), "__init__", none_left)
    with pytest.raises(LevelsmithError, match=r'bfs found no memory .* \(set={"bfs.memory": 2048}\)'):
        start_run(task)


@pytest.mark.parametrize("limit", ["--limit-bytes", "--limit-side"])
def test_limits_may_be_as_large_as_numbers_are(limit, tmp_path):
    path = tmp_path / "level.txt"
    path.write_text("#.\n")
    outcome = CliRunner().invoke(cli, ["show", str(path), "--game", "binary", limit, str(LARGEST_INTEGER)])
    assert outcome.exit_code == 0
    outcome = CliRunner().invoke(cli, ["show", str(path), "--game", "binary", limit, "-1"])
    assert outcome.exit_code == 2 or isinstance(outcome.exception, LevelsmithError)


def test_a_number_too_long_to_spell_out_is_described():
    assert quoted(10**5000) == "a number of thousands of digits"


def test_bounds_are_told_exactly():
    with pytest.raises(LevelsmithError, match="from 1 to 1000000 for steps, got 0"):
        Parameter("steps", 9, "how many", low=1, high=1_000_000).check(0)
    with pytest.raises(LevelsmithError, match=r"from 1e-09 to 0.5 for rate, got 0"):
        Parameter("rate", 0.1, "how much", low=1e-9, high=0.5).check(0)
