"""Slow twins of `levelsmith.kernels.bits`: a board as a Python set of members, a word as a Python int."""

from __future__ import annotations

WORD = 64


def members(words):
    """The members of a board of words."""
    return {i * WORD + j for i, word in enumerate(words) for j in range(WORD) if int(word) & (1 << j)}


def popcount(word):
    return bin(int(word)).count("1")


def lowest(word):
    for index in range(WORD):
        if int(word) & (1 << index):
            return index
    return WORD


def nth_of_word(word, k):
    return [index for index in range(WORD) if int(word) & (1 << index)][k]


def nth(board, k):
    return sorted(board)[k]


def up(board, steps, words):
    return {member + steps for member in board if member + steps < words * WORD}


def down(board, steps):
    return {member - steps for member in board if member - steps >= 0}


def words_for(size):
    """1, 2 or 4 words where that is enough, otherwise as few as will do."""
    for words in (1, 2, 4):
        if size <= words * WORD:
            return words
    words = 5
    while size > words * WORD:
        words += 1
    return words
