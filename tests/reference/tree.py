"""A slow twin of Monte Carlo tree search: nodes are objects, and a child is found by its action."""

from __future__ import annotations

import math

import numpy as np

from levelsmith.kernels.bits import to_members
from levelsmith.kernels.maths import log
from levelsmith.kernels.problem import apply, done, initial, legal, unpack
from levelsmith.kernels.random import below, seeded
from levelsmith.search.kernels.node import FEW
from levelsmith.search.kernels.tree import PACES
from reference.states import packed, seen

WORDS = 2**64


class Node:
    def __init__(self, number, parent):
        self.number, self.parent = number, parent
        self.children = {}  # by action, oldest first
        self.visits, self.mean, self.squares = 0, 0.0, 0.0
        self.actions = None  # how many it has, once that was looked up
        self.closed = False

    @property
    def rarity(self):
        return float(np.float32(math.sqrt(1.0 / self.visits)))

    @property
    def variance(self):
        return max(0.0, self.squares * (1.0 / self.visits) - self.mean * self.mean)

    @property
    def finished(self):
        """Whether it has no action, or every action has led to a child that is closed."""
        return len(self.children) == self.actions and all(child.closed for child in self.children.values())


def bound(parent, child, values):
    """The upper bound of a child, for each rule as its paper has it; rounded as the compiled one is.

    Where rewards are equal their variance is all rounding, so the order of multiplications matters.
    """
    rule, c = values["selection"], values["c"]
    log_visits = log(float(parent.visits))
    root, rarity = math.sqrt(log_visits), child.rarity
    inverse = 1.0 / child.visits
    if rule == "ucb1":
        return child.mean + c * root * rarity
    if rule == "ucb1-tuned":
        widest = min(0.25, child.variance + math.sqrt(2.0) * root * rarity)
        return child.mean + c * root * rarity * math.sqrt(widest)
    if rule == "ucb-v":
        explored = values["zeta"] * log_visits * inverse
        return child.mean + math.sqrt(2.0 * child.variance * explored) + 3.0 * c * explored
    if rule == "sp-mcts":
        return child.mean + c * root * rarity + math.sqrt(child.variance + values["spread"] * inverse)
    means = [one.mean for one in parent.children.values()]
    apart = max(means) - min(means) or 0.001
    return child.mean + math.sqrt(2.0) * apart * root * rarity


def next_action(node, actions, salt):
    """The next of a node's actions without a child: each so many places behind the one before, all around."""
    hashed = (node.number + int(salt)) * 0x9E3779B97F4A7C15 % WORDS
    hashed = (hashed ^ hashed >> 29) * 0xBF58476D1CE4E5B9 % WORDS
    first, pace = hashed // 2**8 % 2**24, PACES[hashed >> 60]
    return actions[(first + len(node.children) * pace) % len(actions)]


class Numbers:
    """Nodes are numbered by places: a few are set aside for a node's first children, then all the others'."""

    def __init__(self):
        self.free = 1

    def of_child(self, node, actions):
        siblings = list(node.children.values())
        if len(siblings) not in (0, FEW):
            return siblings[-1].number + 1
        place, wanted = self.free, len(actions) - len(siblings)
        self.free += wanted if siblings else min(wanted, FEW)
        return place


def search(problem, seed, iterations, values):
    """What is met in so many iterations, in order, then the nodes of the last tree, the deepest, restarts."""
    rep, words, met = problem.representation, seeded(seed), []

    def meet(state, kept=True):
        """Its score; where the state cannot become the best, the best stays the one before."""
        score, grid = seen(problem, state)
        met.append((score, grid) if kept else (-math.inf, met[-1][1]))
        return score

    def actions_in(state):
        return [] if done(rep, state) else to_members(legal(rep, state).value)

    def open_in(state):
        """The actions of a node in this state."""
        return [] if 0 < values["deepest"] <= state.depth else actions_in(state)

    def rolled_out(state):
        """What one rollout is worth."""
        scores = []
        for _ in range(values["length"]):
            actions = actions_in(state)
            if not actions:
                break
            state = apply(rep, state, np.int64(actions[below(words, len(actions))]))
            if values["scored"] == "all":
                scores.append(meet(state))
        if not scores:
            scores.append(meet(state, kept=values["scored"] != "nodes"))
        return max(scores) if values["reward"] == "best" else scores[-1]

    root, nodes, deepest, restarts, stale, top = None, 0, 0, 0, 0, -math.inf
    for _ in range(iterations):
        if nodes == 0 or 0 < values["patience"] <= stale or root.closed:
            state = initial(rep, words)
            start, salt = packed(rep, state), below(words, 2**31)
            restarts += nodes > 0
            root, nodes, stale, top = Node(0, None), 1, 0, -math.inf
            numbers = Numbers()
            if values["scored"] != "ends":
                meet(state)
        node, state, new = root, unpack(rep, start), False
        while not new:
            actions = open_in(state)
            node.actions = len(actions)
            if len(node.children) < len(actions):
                action = next_action(node, actions, salt)
                assert action not in node.children
                node.children[action] = Node(numbers.of_child(node, actions), node)
                new = True
            elif node.children:  # the newest of equals
                newest_first = [action for action, child in node.children.items() if not child.closed][::-1]
                action = max(newest_first, key=lambda action: bound(node, node.children[action], values))
            else:
                break
            node = node.children[action]
            state = apply(rep, state, np.int64(action))
        nodes += new
        deepest = max(deepest, int(state.depth))
        node.actions = len(open_in(state))
        leaf = packed(rep, state)
        if new and values["scored"] != "ends":
            meet(state)
        reward = sum(rolled_out(unpack(rep, leaf)) for _ in range(values["rollouts"])) / values["rollouts"]
        stale, top = (0, reward) if reward > top else (stale + 1, top)
        while node is not None:
            node.visits += 1
            node.mean += (reward - node.mean) * (1.0 / node.visits)
            node.squares += reward * reward
            node.closed = values["closed"] and node.finished
            node = node.parent
    return met, nodes, deepest, restarts
