"""Ctrl-C while LLVM works: heard after it, by whoever hears it, and nothing is left half done."""

from __future__ import annotations

import signal
import threading

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from levelsmith.kernels import compile
from levelsmith.kernels.interrupts import HeldInterrupts
from levelsmith.making.interrupts import interruptible


@pytest.fixture(autouse=True)
def hears_ctrl_c():
    """As a program that a person has started does; one that runs in the background may not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


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


def test_a_kernel_is_compiled_to_its_end_and_again(monkeypatch):
    optimise, seen = JITCodeLibrary._optimize_final_module, []

    def interrupted_there(self):
        if not seen:
            signal.raise_signal(signal.SIGINT)
        seen.append(self)
        optimise(self)

    compiled = compile.kernel(add_four)
    assert compiled(1.5) == 5.5  # numba sets itself up
    monkeypatch.setattr(JITCodeLibrary, "_optimize_final_module", interrupted_there)
    with pytest.raises(KeyboardInterrupt):
        compiled(np.int32(1))
    assert compiled(np.int32(1)) == 5
    seen.clear()
    with interruptible() as interrupted:
        assert compiled(np.uint8(1)) == 5
    assert interrupted()
