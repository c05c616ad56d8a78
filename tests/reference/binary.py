"""Slow twins of the metrics of binary maps: networkx on the graph of empty cells."""

from __future__ import annotations

import networkx

EMPTY = 0


def metrics(grid):
    """Empty cells, steps of the longest shortest path over all pairs, connected regions."""
    height, width = grid.shape
    graph = networkx.grid_2d_graph(height, width)
    graph.remove_nodes_from([cell for cell in list(graph) if grid[cell] != EMPTY])
    regions = [graph.subgraph(region) for region in networkx.connected_components(graph)]
    return [
        len(graph),
        max((networkx.diameter(region, usebounds=True) for region in regions), default=0),
        len(regions),
    ]
