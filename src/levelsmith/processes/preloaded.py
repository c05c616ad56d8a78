"""What worker processes need, imported once by the server that they are forked from, and by nobody else."""

import sys
import warnings
from importlib import import_module
from traceback import extract_tb
from types import TracebackType

NEEDED = (
    *("experiment.work", "levels.solve", "making.driver", "studio.worker"),
    *("games.binary", "games.loderunner", "games.orchard", "games.sokoban", "representations.grid"),
    *("search.elites", "search.evolution", "search.frontier", "search.graft", "search.local"),
    *("search.planning", "search.roots", "search.sampling"),
)

# The threads of numpy's linear algebra take care of themselves when their process is forked.
warnings.filterwarnings("ignore", r".*multi-threaded", DeprecationWarning)


def tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Prints what ended a process, unless its parent had ended (by Ctrl-C, say) before it began: then the
    semaphores that both share are gone."""
    frames = [(frame.filename.rpartition("/")[2], frame.name) for frame in extract_tb(trace)]
    if not (isinstance(error, FileNotFoundError) and ("synchronize.py", "__setstate__") in frames):
        sys.__excepthook__(kind, error, trace)


sys.excepthook = tell

for name in NEEDED:
    import_module(f"levelsmith.{name}")
