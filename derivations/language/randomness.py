"""Which random arrays an expression contains, and which of them make its value random."""

from __future__ import annotations

from sympy.core.basic import Basic

from derivations.language.arrays import RandomArray
from derivations.language.operators import Covariance, Expectation, Variance
from derivations.language.structure import parts


def random_arrays(expression: Basic) -> tuple[RandomArray, ...]:
    """The random arrays that occur anywhere, in order of appearance."""
    return tuple(dict.fromkeys(part for part in parts(expression) if isinstance(part, RandomArray)))


def open_random_arrays(expression: Basic) -> tuple[RandomArray, ...]:
    """The random arrays that occur outside every expectation, so that the value is itself random."""
    if isinstance(expression, RandomArray):
        return (expression,)
    if isinstance(expression, (Expectation, Variance, Covariance)):
        return ()
    return tuple(dict.fromkeys(one for argument in expression.args for one in open_random_arrays(argument)))
