"""A name finds its body by the type of its first argument, compiled and plain; a wrong body is refused."""

from __future__ import annotations

from typing import NamedTuple

import numba
import pytest

from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import implement, name


class Twice(NamedTuple):
    extra: int


class Thrice(NamedTuple):
    extra: int


class Neither(NamedTuple):
    extra: int


@name
def grown(kind, value):
    """A value made larger."""


def twice(kind, value):
    return 2 * value + kind.extra


def thrice(kind, value):
    return 3 * value + kind.extra


implement(grown, Twice)(twice)
implement(grown, Thrice)(thrice)


@kernel
def compiled_grown(kind, value):
    return grown(kind, value)


@pytest.mark.parametrize("call", [grown, compiled_grown])
def test_a_name_does_what_its_first_arguments_type_says(call):
    assert call(Twice(1), 10) == 21
    assert call(Thrice(2), 10) == 32


def test_a_type_without_a_body_is_named():
    with pytest.raises(TypeError, match="Neither does not implement grown"):
        grown(Neither(0), 1)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_type_without_a_body_does_not_compile():
    with pytest.raises(numba.TypingError, match="grown"):
        compiled_grown(Neither(0), 1)


def test_a_body_with_other_parameters_is_refused():
    with pytest.raises(TypeError, match=r"grown expects the parameters \['kind', 'value'\]"):

        @implement(grown, Neither)
        def wrong(value, kind):
            return value


@pytest.mark.parametrize("kind", [int, tuple, "Twice", Twice(1)])
def test_a_body_for_something_else_than_a_named_tuple_is_refused(kind):
    with pytest.raises(TypeError, match="expected a NamedTuple class"):
        implement(grown, kind)(twice)


def test_a_name_keeps_its_own_documentation():
    assert grown.__name__ == "grown"
    assert grown.__doc__ == "A value made larger."
