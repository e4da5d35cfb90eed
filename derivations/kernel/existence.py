"""Whether an expectation exists: how high the powers of each random array are, against the moments the givens have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sympy import Add, Expr, Mul, Pow, Rational

from derivations.language import functions, operators, written
from derivations.language import givens as kinds
from derivations.language.arrays import RandomArray
from derivations.language.distributions import Bernoulli, Normal, Rademacher, Uniform
from derivations.language.givens import Given
from derivations.language.randomness import open_random_arrays
from derivations.language.written import shape_of

Degrees = Mapping[RandomArray, int]
_BOUNDED_FUNCTIONS = frozenset({"sin", "cos", "tanh", "erf", "sigmoid"})
_BOUNDED_LAWS = (Uniform, Rademacher, Bernoulli)
_NONE: Degrees = MappingProxyType({})


def degrees(expression: Expr) -> Degrees | None:
    """The degree in each random array of a bound of the form constant times (1 + powers); None where there is none."""
    if not open_random_arrays(expression):
        return _NONE
    if isinstance(expression, RandomArray):
        return {expression: 1}
    if isinstance(expression, functions.Elementary):
        if expression.name in _BOUNDED_FUNCTIONS:
            return _NONE
        return degrees(expression.operand) if expression.name == "abs" else None
    if isinstance(expression, functions.Softmax):
        return _NONE
    if isinstance(expression, (written.Power, Pow)):
        return _power(*expression.args)
    if isinstance(expression, written.Quotient):
        top, bottom = expression.args
        return degrees(top) if not open_random_arrays(bottom) else None
    if isinstance(expression, functions.Norm):
        return degrees(expression.args[0])
    return _combined(expression)


def _power(base: Expr, exponent: Expr) -> Degrees | None:
    inner = degrees(base)
    if inner is None or not isinstance(exponent, Rational) or exponent.p < 0:
        return None
    return {array: -(-degree * exponent.p // exponent.q) for array, degree in inner.items()}


def _combined(expression: Expr) -> Degrees | None:
    products = (written.Times, Mul, functions.Dot)
    sums = (written.Plus, Add, written.Negative, operators.Summation, functions.Trace)
    parts = [part for part in expression.args if isinstance(part, Expr) and (open_random_arrays(part))]
    inner = [degrees(part) for part in parts]
    known = [one for one in inner if one is not None]
    if len(known) < len(inner):
        return None
    arrays = {array for one in known for array in one}
    if isinstance(expression, products) or type(expression).__name__ == "MatrixProduct":
        return {array: sum(one.get(array, 0) for one in known) for array in arrays}
    if isinstance(expression, sums) or (len(known) == 1 and type(expression).__name__ in ("Entry", "Transpose")):
        return {array: max(one.get(array, 0) for one in known) for array in arrays}
    return None


def added(first: Degrees | None, second: Degrees | None) -> Degrees | None:
    """The degrees of a product."""
    if first is None or second is None:
        return None
    return {array: first.get(array, 0) + second.get(array, 0) for array in {*first, *second}}


def highest_moment(array: RandomArray, givens: Iterable[Given]) -> tuple[float, Given | None]:
    """The highest order of a moment that the givens make finite, and the given that does."""
    best: tuple[float, Given | None] = (0, None)
    for given in givens:
        if not given.args or given.args[0] != array:
            continue
        order: float = 0
        if isinstance(given, kinds.HasMoment):
            order = int(given.args[1])
        elif isinstance(given, kinds.HasVariance):
            order = 2
        elif isinstance(given, kinds.HasLaw) and isinstance(given.args[1], (Normal, *_BOUNDED_LAWS)):
            order = float("inf")
        if order > best[0]:
            best = (order, given)
    return best


def bounded(array: RandomArray, givens: Iterable[Given]) -> Given | None:
    """A given that makes the entries bounded."""
    return next(
        (
            given
            for given in givens
            if isinstance(given, kinds.HasLaw) and given.args[0] == array and isinstance(given.args[1], _BOUNDED_LAWS)
        ),
        None,
    )


def exists(expression: Expr, wanted: Degrees | None, givens: tuple[Given, ...]) -> tuple[bool, tuple[Given, ...]]:
    """Whether the expectation of something with these degrees exists, and the givens that make it so.

    Independent arrays need each its own degree; otherwise the sum of all degrees is needed of each (Hölder).
    """
    arrays = open_random_arrays(expression)
    limits = [bounded(array, givens) for array in arrays]
    if all(limit is not None for limit in limits) and not shape_of(expression):
        return True, tuple(limit for limit in limits if limit is not None)
    if wanted is None:
        return False, ()
    present = [array for array in arrays if wanted.get(array, 0)]
    used: list[Given] = []
    independence = next(
        (given for given in givens if isinstance(given, kinds.MutuallyIndependent) and set(present) <= set(given.args)),
        None,
    )
    total = sum(wanted.get(array, 0) for array in present)
    for array in present:
        highest, given = highest_moment(array, givens)
        own = wanted.get(array, 0)
        if highest >= total:
            needed: float = total
        elif independence is not None:
            needed = own
            used.append(independence)
        else:
            return False, ()
        if highest < needed or given is None:
            return False, ()
        used.append(given)
    return True, tuple(dict.fromkeys(used))
