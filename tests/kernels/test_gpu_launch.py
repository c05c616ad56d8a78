"""Starting threads of a GPU, with a kernel that only pretends."""

from __future__ import annotations

import warnings

import pytest

pytestmark = pytest.mark.slow


class Pretended:
    def __init__(self):
        self.asked = []

    def __getitem__(self, shape):
        warnings.warn(f"\x1b[1mGrid size {shape[0]} will likely result in under-utilization", stacklevel=2)
        return lambda *arguments: self.asked.append((shape, arguments))


def test_a_few_threads_are_started_without_a_warning(monkeypatch):
    gpu = pytest.importorskip("levelsmith.kernels.gpu")
    monkeypatch.setattr(gpu.cuda, "synchronize", lambda: None)
    kernel = Pretended()
    gpu.launch(kernel, 1, "board")
    gpu.launch(kernel, 65, "board")
    assert kernel.asked == [((1, 1), ("board",)), ((2, 64), ("board",))]
