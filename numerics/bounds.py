"""A bound on the square of a statistic that is no polynomial, by one that is.

An order statistic is at most the root of the sum of squares of the entries, a modulus squared is the square, and
(a_1 + ... + a_k)² <= k (a_1² + ... + a_k²). The expectation of the bound bounds the variance of the statistic.
"""

from __future__ import annotations

from sympy import Expr, Integer
from sympy.core.basic import Basic

from derivations.language.arrays import Entry, Tabulated
from derivations.language.functions import Elementary, LogSumExp, Norm, Softmax
from derivations.language.operators import Summation
from derivations.language.order import OrderStatistic
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import parts
from derivations.language.symbols import index
from derivations.language.written import Negative, Plus, Quotient, Times, shape_of
from numerics.errors import Unsupported

_BOUNDED = frozenset({"sin", "cos", "tanh", "erf", "sigmoid"})
"""Functions with values in [-1, 1]."""


def _is_polynomial(expression: Basic) -> bool:
    kinds = (Elementary, OrderStatistic, Softmax, LogSumExp, Norm)
    return not any(isinstance(part, kinds) and open_random_arrays(part) for part in parts(expression))


def _order_statistic(expression: OrderStatistic) -> Expr:
    vector = expression.args[0]
    if isinstance(vector, Tabulated):
        return Summation(square_bound(vector.args[0]), *vector.indices)
    place = index("place", shape_of(vector)[0])
    return Summation(square_bound(Entry(vector, place)), place)


def square_bound(expression: Expr) -> Expr:
    """A polynomial in the random variables that is nowhere less than the square of the expression.

    Raises :class:`Unsupported` where none is known.
    """
    if _is_polynomial(expression):
        return Times(expression, expression)
    match expression:
        case OrderStatistic():
            return _order_statistic(expression)
        case Elementary() if expression.name == "abs":
            return square_bound(expression.operand)
        case Elementary() if expression.name in _BOUNDED:
            return Integer(1)
        case Negative():
            return square_bound(expression.args[0])
        case Plus():
            return Times(Integer(len(expression.args)), Plus(*(square_bound(term) for term in expression.args)))
        case Times() if sum(bool(open_random_arrays(factor)) for factor in expression.args) == 1:
            return Times(*(square_bound(factor) for factor in expression.args))
        case Quotient() if not open_random_arrays(expression.args[1]):
            top, bottom = expression.args
            return Quotient(square_bound(top), Times(bottom, bottom))
        case Summation():
            sizes = (one.dimension for one in expression.indices)
            return Times(*sizes, Summation(square_bound(expression.body), *expression.indices))
        case _:
            raise Unsupported(f"no bound on the variance of {expression}")
