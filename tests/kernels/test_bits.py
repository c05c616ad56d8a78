"""Bit sets, compiled and plain, do what Python sets do; boards by value and in arrays alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from levelsmith.kernels import bits, intrinsics, words
from levelsmith.kernels.compile import kernel
from reference import bits as twin

BY_VALUE = (1, 2, 4)
ARRAYS = (3, 5, 17)
WORDS = st.integers(0, 2**64 - 1) | st.integers(0, 63).map(lambda i: 1 << i) | st.sampled_from([0, 2**64 - 1])
STEPS = st.integers(1, 63)
MODES = pytest.mark.parametrize("mode", ["compiled", "plain"])

some = settings(deadline=None, max_examples=60)


@kernel
def compiled_popcount(word):
    return words.popcount(word)


@kernel
def compiled_lowest(word):
    return words.lowest(word)


@kernel
def compiled_nth_of_word(word, k):
    return words.nth_of_word(word, k)


@kernel
def compiled_count(board):
    return bits.count(board)


@kernel
def compiled_has(board, member):
    return bits.has(board, member)


@kernel
def compiled_nth(board, k):
    return bits.nth(board, k)


@kernel
def compiled_added(board, member):
    return bits.added(board, member)


@kernel
def compiled_removed(board, member):
    return bits.removed(board, member)


@kernel
def compiled_added_in_place(board, member):  # a kernel cannot hand an array back to Python
    bits.added(board, member)


@kernel
def compiled_removed_in_place(board, member):
    bits.removed(board, member)


@kernel
def compiled_both(a, b):
    return bits.both(a, b)


@kernel
def compiled_either(a, b):
    return bits.either(a, b)


@kernel
def compiled_minus(a, b):
    return bits.minus(a, b)


@kernel
def compiled_up(board, steps):
    return bits.up(board, steps)


@kernel
def compiled_down(board, steps):
    return bits.down(board, steps)


@kernel
def compiled_store(board, row, start):
    bits.store(board, row, start)


@kernel
def compiled_fetch(like, row, start):
    return bits.fetch(like, row, start)


@kernel
def compiled_fetch_in_place(like, row, start):
    bits.fetch(like, row, start)


def called(name: str, mode: str):
    """A function of `bits`: through a compiled caller, or as plain Python."""
    return (
        globals()[f"compiled_{name}"] if mode == "compiled" else getattr(bits, name.removesuffix("_in_place"))
    )


@st.composite
def boards(draw: st.DrawFn, sizes=BY_VALUE + ARRAYS):
    """A tuple of words where boards of the size travel by value, otherwise an array."""
    size = draw(st.sampled_from(sizes))
    drawn = [np.uint64(word) for word in draw(st.lists(WORDS, min_size=size, max_size=size))]
    return tuple(drawn) if size in BY_VALUE else np.array(drawn, np.uint64)


@MODES
@some
@given(word=WORDS)
def test_a_word_has_as_many_bits_as_its_binary_digits_say(mode, word):
    assert called("popcount", mode)(np.uint64(word)) == twin.popcount(word)


@MODES
@some
@given(word=WORDS)
def test_the_lowest_bit_of_a_word_is_found_and_is_64_for_none(mode, word):
    assert called("lowest", mode)(np.uint64(word)) == twin.lowest(word)


@MODES
@some
@given(word=WORDS.filter(bool), data=st.data())
def test_the_kth_bit_of_a_word_is_found(mode, word, data):
    k = data.draw(st.integers(0, twin.popcount(word) - 1))
    assert called("nth_of_word", mode)(np.uint64(word), k) == twin.nth_of_word(word, k)


@MODES
@some
@given(board=boards())
def test_a_board_is_counted(mode, board):
    assert called("count", mode)(board) == len(twin.members(board))


@MODES
@some
@given(board=boards(), data=st.data())
def test_a_member_is_found_where_it_is(mode, board, data):
    member = data.draw(st.integers(0, 64 * len(board) - 1))
    assert bool(called("has", mode)(board, member)) == (member in twin.members(board))


@MODES
@some
@given(board=boards().filter(lambda board: any(board)), data=st.data())
def test_the_kth_member_is_found(mode, board, data):
    members = twin.members(board)
    k = data.draw(st.integers(0, len(members) - 1))
    assert called("nth", mode)(board, k) == twin.nth(members, k)


@MODES
@some
@given(board=boards(), data=st.data())
def test_a_member_is_added_and_removed(mode, board, data):
    member = data.draw(st.integers(0, 64 * len(board) - 1))
    for name, expected in (
        ("added", twin.members(board) | {member}),
        ("removed", twin.members(board) - {member}),
    ):
        if isinstance(board, tuple):
            changed = called(name, mode)(board, member)
        else:
            changed = board.copy()
            called(f"{name}_in_place", mode)(changed, member)
        assert twin.members(changed) == expected
        assert len(changed) == len(board)


@MODES
@some
@given(size=st.sampled_from(BY_VALUE), data=st.data())
def test_boards_meet_join_and_subtract_as_sets_do(mode, size, data):
    a, b = data.draw(boards([size])), data.draw(boards([size]))
    left, right = twin.members(a), twin.members(b)
    assert twin.members(called("both", mode)(a, b)) == left & right
    assert twin.members(called("either", mode)(a, b)) == left | right
    assert twin.members(called("minus", mode)(a, b)) == left - right


@MODES
@some
@given(board=boards(BY_VALUE), steps=STEPS)
def test_a_board_by_value_moves_up_and_down(mode, board, steps):
    members = twin.members(board)
    assert twin.members(called("up", mode)(board, steps)) == twin.up(members, steps, len(board))
    assert twin.members(called("down", mode)(board, steps)) == twin.down(members, steps)


@pytest.mark.parametrize("steps", range(1, 64))
def test_every_step_carries_over_the_edge_of_a_word(steps):
    board = tuple(np.array([1 << 63, 1, 0, 1 << 63], np.uint64))
    members = twin.members(board)
    for mode in ("compiled", "plain"):
        assert twin.members(called("up", mode)(board, steps)) == twin.up(members, steps, 4)
        assert twin.members(called("down", mode)(board, steps)) == twin.down(members, steps)


@MODES
@some
@given(board=boards(), start=st.integers(0, 3))
def test_a_board_comes_back_from_the_row_it_was_stored_in(mode, board, start):
    row = np.full(len(board) + 4, 7, np.uint64)
    called("store", mode)(board, row, start)
    assert list(row[start : start + len(board)]) == list(board)
    assert all(np.delete(row, range(start, start + len(board))) == 7)
    if isinstance(board, tuple):
        fetched = called("fetch", mode)((np.uint64(0),) * len(board), row, start)
    else:
        fetched = np.zeros_like(board)
        called("fetch_in_place", mode)(fetched, row, start)
    assert twin.members(fetched) == twin.members(board)


@some
@given(members=st.sets(st.integers(0, 1087)), spare=st.integers(0, 200))
def test_members_go_in_and_come_out_in_order(members, spare):
    size = max(members, default=0) + 1 + spare
    board = bits.from_members(members, size)
    assert len(board) == twin.words_for(size)
    assert isinstance(board, tuple) == (len(board) in BY_VALUE)
    assert all(isinstance(word, words.Word if isinstance(board, tuple) else np.uint64) for word in board)
    assert bits.to_members(board) == sorted(members) == sorted(twin.members(board))


@pytest.mark.parametrize(
    ("size", "words"), [(1, 1), (64, 1), (65, 2), (128, 2), (129, 4), (256, 4), (257, 5), (1088, 17)]
)
def test_a_set_takes_as_many_words_as_its_size_needs(size, words):
    assert bits.words_for(size) == words == twin.words_for(size)


@kernel
def shorts(a, b, member, steps):
    return (
        bits.both(a, b)[0],
        bits.either(a, b)[0],
        bits.minus(a, b)[0],
        bits.added(a, member)[0],
        bits.removed(a, member)[0],
        bits.first_of(a)[0],
        bits.up(a, steps)[0] & 0xFFFFFFFF,
        bits.down(a, steps)[0],
        bits.cleared(a)[0],
        bits.count(a),
        bits.has(a, member),
        bits.same(a, b),
        bits.empty(a),
        bits.member_from(a, member),
        bits.nth(a, bits.count(a) - 1) if not bits.empty(a) else -1,
    )


@some
@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(0, 31), st.integers(1, 31))
def test_a_short_word_does_as_a_long_one(a, b, member, steps):
    long = (np.uint64(a),), (np.uint64(b),)
    short = tuple(map(bits.shortened, long))
    assert shorts(*short, member, steps) == shorts(*long, member, steps)


by_halves = kernel(intrinsics.nth_by_halves)


@some
@given(st.integers(1, 2**64 - 1), st.data())
def test_a_gpu_finds_the_same_member(word, data):
    k = data.draw(st.integers(0, word.bit_count() - 1))
    assert by_halves(np.uint64(word), k) == [i for i in range(64) if word >> i & 1][k]
