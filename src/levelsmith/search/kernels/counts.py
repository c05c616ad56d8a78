"""What searches count: indices in `RunState.counts`.

Each kind of search has its own from OWN on, for a run belongs to one search.
"""

# Every search. OVER: nothing is left to do. PAUSED: the driver wants to see what came.
EVALUATIONS, OVER, PAUSED, BUFFERED, RESTARTS, STALE = range(6)
OWN = 6
# Steepest ascent: neighbours seen so far, and how many of them are as good as the best of them.
SWEEP, TIES = range(OWN, OWN + 2)
# Populations and MAP-Elites: candidates of this generation, generations, bins that are not empty.
MADE, GENERATION, FILLED = range(OWN, OWN + 3)
# Islands: children, those of two parents, those mutated, those that took a place, and what was there already.
BRED, CROSSED, MUTATED, ACCEPTED, REPEATED = range(FILLED + 1, FILLED + 6)
# Trees of states: nodes that memory is taken for, the greatest depth, whether there is memory for no more.
NODES, DEPTH, FULL = range(OWN, OWN + 3)
# Frontiers: states met again; then what each of several trees has of its own.
DUPLICATES, BEGUN, WAITING, WAITED, OPEN_NODE, CHILDREN, NEXT = range(FULL + 1, FULL + 8)
# Monte Carlo tree search: nodes there are, what the iteration at hand is at, iterations, and cycles.
NODES_MADE, NODE, NEW, PHASE, STEP, ROLLOUT, ITERATIONS, SALT = range(FULL + 1, FULL + 9)
CYCLE_START, ON_BEST, GOOD, DUE = range(SALT + 1, SALT + 5)
# Sums over its rollouts: how deep they began, how many actions they took.
ROLLOUTS_FROM, ROLLOUT_STEPS = range(DUE + 1, DUE + 3)
AGAIN = ROLLOUT_STEPS + 1  # iterations that added no node, for they came to a finished one again
COUNTS = 24
