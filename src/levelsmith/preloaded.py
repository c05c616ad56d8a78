"""What worker processes need, imported once by the server that they are forked from, and by nobody else."""

import warnings
from importlib import import_module

NEEDED = (
    *("experiment.work", "kernels.cold", "levels.solve", "making.driver", "studio.worker"),
    *("games.binary", "games.loderunner", "games.orchard", "games.sokoban", "representations.grid"),
    *("search.elites", "search.evolution", "search.frontier", "search.graft", "search.local"),
    *("search.planning", "search.roots", "search.sampling"),
)

# The threads of numpy's linear algebra take care of themselves when their process is forked.
warnings.filterwarnings("ignore", r".*multi-threaded", DeprecationWarning)

for name in NEEDED:
    import_module(f"levelsmith.{name}")
