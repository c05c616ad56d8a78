"""Slow twins of the metrics of binary maps: networkx on the graph of empty cells."""

from __future__ import annotations

import networkx

EMPTY = 0


def metrics(grid):
    """Empty cells, steps of the longest shortest path over all pairs, connected regions, openings in the
    border, steps between two of them, the share of neighbours that are alike."""
    height, width = grid.shape
    graph = networkx.grid_2d_graph(height, width)
    graph.remove_nodes_from([cell for cell in list(graph) if grid[cell] != EMPTY])
    regions = [graph.subgraph(region) for region in networkx.connected_components(graph)]
    openings = [(y, x) for y, x in graph if y in (0, height - 1) or x in (0, width - 1)]
    joined = len(openings) == 2 and networkx.has_path(graph, *openings)
    pairs = list(networkx.grid_2d_graph(height, width).edges)
    unlike = sum(grid[one] != grid[other] for one, other in pairs)
    return [
        len(graph),
        max((networkx.diameter(region, usebounds=True) for region in regions), default=0),
        len(regions),
        len(openings),
        networkx.shortest_path_length(graph, *openings) if joined else 0,
        1 - unlike / len(pairs) if pairs else 1,
    ]
