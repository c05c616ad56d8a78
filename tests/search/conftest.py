"""What tests of searches share."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture
def _words_wrap_around():
    """For plain functions that draw random words; compiled ones wrap around by themselves."""
    with np.errstate(over="ignore"):
        yield
