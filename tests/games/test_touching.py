"""Cells that touch, against networkx's components of the same grid."""

import networkx as nx
import numpy as np

from levelsmith.games.touching import cells_where, groups, reached


def test_groups_are_the_components_of_a_grid():
    rng = np.random.default_rng(0)
    for share in (0.3, 0.5, 0.7):
        mask = rng.random((9, 11)) < share
        graph = nx.grid_2d_graph(*mask.shape).subgraph(cells_where(mask))
        expected = sorted(map(sorted, nx.connected_components(graph)))
        assert [sorted(group) for group in groups(cells_where(mask))] == expected
        start = expected[0][0]
        assert sorted(reached([start], cells_where(mask))) == expected[0]


def test_what_lies_outside_a_set_reaches_no_further_than_the_set():
    assert reached([(0, 0)], {(0, 1), (0, 2), (2, 0)}) == {(0, 0), (0, 1), (0, 2)}
