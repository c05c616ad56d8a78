"""The compiled ground: bit sets, random numbers, scores, the names a problem implements, the disk cache."""

import atexit
import gc

_collects = gc.isenabled()
gc.disable()  # numba makes a hundred thousand objects, none of them garbage: a tenth of its loading
try:
    import numba  # noqa: F401
finally:
    if _collects:
        gc.enable()

# Nor is there garbage to look for among them when the process ends, which takes a quarter of a second.
atexit.register(gc.freeze)
