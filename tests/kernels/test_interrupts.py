"""Ctrl-C while LLVM works: heard after it, by whoever hears it, and nothing is left half done."""

from __future__ import annotations

import signal
import threading

import pytest

from levelsmith.kernels import cache, compile, library
from levelsmith.kernels.interrupts import HeldInterrupts
from levelsmith.making.interrupts import interruptible

needs_library = pytest.mark.skipif(
    "pipeline_class" not in compile.OPTIONS, reason="this numba compiles without our code library"
)


@pytest.fixture(autouse=True)
def hears_ctrl_c():
    """As a program that a person has started does; one that runs in the background may not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    for remembered in (cache.cache_home, cache.cache_folder):
        remembered.cache_clear()
    yield
    for remembered in (cache.cache_home, cache.cache_folder):
        remembered.cache_clear()


@pytest.fixture
def ctrl_c_in_llvm(monkeypatch):
    """Has Ctrl-C come while LLVM optimises; lists what it came to."""
    optimise, seen = library._KernelLibrary._optimize_final_module, []

    def interrupted(self):
        signal.raise_signal(signal.SIGINT)
        seen.append(self)
        optimise(self)

    monkeypatch.setattr(library._KernelLibrary, "_optimize_final_module", interrupted)
    return seen


def add_four(number):
    return number + 4


def test_it_is_given_to_the_handler_at_the_end_and_once():
    before = signal.getsignal(signal.SIGINT)
    held = HeldInterrupts()
    held.hold()
    with held:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        held.release()
    assert signal.getsignal(signal.SIGINT) is before
    with held:
        pass


def test_it_is_given_earlier_where_that_does_no_harm():
    held = HeldInterrupts()
    with held:
        held.give()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            held.give()
        held.give()


def test_a_handler_of_ones_own_hears_it_and_one_that_ignores_it_goes_on():
    held = HeldInterrupts()
    with interruptible() as interrupted:
        with held:
            signal.raise_signal(signal.SIGINT)
            assert not interrupted()
        assert interrupted()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with held:
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_thread_that_hears_no_signals_holds_none():
    held, kept = HeldInterrupts(), []

    def work():
        with held:
            kept.append(held.handler)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert (kept, held.depth) == ([None], 0)


@needs_library
def test_a_kernel_is_compiled_to_its_end_and_again(own_cache, ctrl_c_in_llvm):
    compiled = compile.kernel(add_four)
    with pytest.raises(KeyboardInterrupt):
        compiled(1)
    assert len(ctrl_c_in_llvm) == 1
    assert compiled(1) == 5
    with interruptible() as interrupted:
        again = compile.kernel(add_four)
        assert again(1) == 5
    assert interrupted()
    assert len(ctrl_c_in_llvm) == 2
    third = compile.kernel(add_four)
    assert third(2) == 6
    assert len(ctrl_c_in_llvm) == 2  # what the second kept
