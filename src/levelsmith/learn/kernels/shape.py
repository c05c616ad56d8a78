"""What all models of levels have in common: the widths of their layers, and what is seen around a cell."""

WIDTHS = (32, 48, 64)  # channels of the encoder's three convolutions
BOUNDS = {"none": None, "sigmoid": (0.0, 1.0), "tanh": (-1.0, 1.0)}  # between which numbers of codes lie
VALUES = 3  # of a number in the code of a vq: -1, 0 or 1
DEEPEST = 6  # most numbers in a place of it
HEADS = 4  # of the attention in its prior
EXPANSION = 4  # how many times as wide the hidden layers of the prior are
LANES = 4  # numbers that most processors work on at once
MIRRORED = 0.8  # of the cells that are not blank are the same in a level like its mirror image
UP, SIDE = 3, 4  # rows above a cell, and cells on either side, that its tile is drawn by


def offsets() -> list[tuple[int, int]]:
    """Returns rows and columns from a cell to the cells that are drawn before it and looked at."""
    above = [(-up, side) for up in range(1, UP + 1) for side in range(-SIDE, SIDE + 1)]
    return above + [(0, -side) for side in range(1, SIDE + 1)]
