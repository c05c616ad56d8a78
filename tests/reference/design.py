"""A slow twin of `levelsmith.envs.design`: one board, actions that name the tile that is put."""

from __future__ import annotations

import numpy as np


class Design:
    """A grid that is changed as narrow, turtle or wide allow."""

    def __init__(self, kind, grid, kinds, order=(), cursor=(0, 0)):
        self.kind, self.grid, self.kinds = kind, grid.copy(), kinds
        self.start, self.order, self.cursor = grid.copy(), list(order), cursor
        self.passed = self.changes = 0

    def place(self):
        """Where the next change may be, as a plane."""
        plane = np.zeros(self.grid.shape, np.uint8)
        if self.kind == "wide":
            plane[self.grid == self.start] = 1
        else:
            plane[self.order[self.passed % len(self.order)] if self.kind == "narrow" else self.cursor] = 1
        return plane

    def put(self, cell, tile):
        self.changes += self.grid[cell] != tile
        self.grid[cell] = tile

    def open(self, action, steps):
        """Whether an action does anything that the representation allows."""
        if self.kind == "narrow":
            return True
        if self.kind == "turtle" and action < 4:
            there = tuple(np.add(self.cursor, steps[action]))
            return 0 <= there[0] < self.grid.shape[0] and 0 <= there[1] < self.grid.shape[1]
        if self.kind == "turtle":
            return self.grid[self.cursor] != action - 4
        cell = divmod(action // self.kinds, self.grid.shape[1])
        return self.grid[cell] == self.start[cell] and self.grid[cell] != action % self.kinds

    def act(self, action, steps):
        if not self.open(action, steps):
            return
        if self.kind == "narrow":
            self.put(self.order[self.passed % len(self.order)], action)
            self.passed += 1
        elif self.kind == "turtle" and action < 4:
            self.cursor = tuple(np.add(self.cursor, steps[action]))
        elif self.kind == "turtle":
            self.put(self.cursor, action - 4)
        else:
            self.put(divmod(action // self.kinds, self.grid.shape[1]), action % self.kinds)
