"""Whether an expectation exists: how high the powers of each random array are, against the moments the givens have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from sympy import Add, Expr, Integer, Mul, Pow, Rational, exp, log

from derivations.language import functions, operators, written
from derivations.language import givens as kinds
from derivations.language.arrays import Entry, MatrixProduct, RandomArray, Tabulated, Transpose
from derivations.language.distributions import Bernoulli, Normal, Rademacher, Uniform
from derivations.language.givens import Given
from derivations.language.order import OrderStatistic
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import free_indices, parts

_BOUNDED_FUNCTIONS = frozenset({"sin", "cos", "tanh", "erf", "sigmoid"})
_FINITE_LAWS = (Rademacher, Bernoulli)
_BOUNDED_LAWS = (Uniform, *_FINITE_LAWS)


@dataclass(frozen=True)
class Growth:
    """A polynomial bound: the degree in each random array alone, and the total degree of its terms."""

    degrees: Mapping[RandomArray, int] = field(default_factory=dict)
    total: int = 0

    def times(self, other: Growth) -> Growth:
        """The growth of a product."""
        arrays = {**self.degrees, **other.degrees}
        degrees = {array: self.degrees.get(array, 0) + other.degrees.get(array, 0) for array in arrays}
        return Growth(degrees, self.total + other.total)

    def plus(self, other: Growth) -> Growth:
        """The growth of a sum."""
        arrays = {**self.degrees, **other.degrees}
        degrees = {array: max(self.degrees.get(array, 0), other.degrees.get(array, 0)) for array in arrays}
        return Growth(degrees, max(self.total, other.total))


BOUNDED = Growth()


def growth(expression: Expr) -> Growth | None:
    """A polynomial bound on the size of an expression in the random arrays; None where none is known."""
    if not open_random_arrays(expression):
        return BOUNDED
    if isinstance(expression, RandomArray):
        return Growth({expression: 1}, 1)
    if isinstance(expression, functions.Elementary):
        if expression.name in _BOUNDED_FUNCTIONS:
            return BOUNDED
        return growth(expression.operand) if expression.name == "abs" else None
    if isinstance(expression, functions.Softmax):
        return BOUNDED
    if isinstance(expression, (written.Power, Pow)):
        return _power(*expression.args)
    if isinstance(expression, written.Quotient):
        top, bottom = expression.args
        return growth(top) if not open_random_arrays(bottom) else None
    for kinds_of_node, combine in _COMBINATIONS:
        if isinstance(expression, kinds_of_node):
            return _combined(expression, combine)
    return None


def _power(base: Expr, exponent: Expr) -> Growth | None:
    inner = growth(base)
    if inner is None or not isinstance(exponent, Rational) or exponent.p < 0:
        return None

    def raised(degree: int) -> int:
        return -(-degree * exponent.p // exponent.q)

    return Growth({array: raised(degree) for array, degree in inner.degrees.items()}, raised(inner.total))


_COMBINATIONS: tuple[tuple[tuple[type, ...], Callable[[Growth, Growth], Growth]], ...] = (
    ((written.Times, Mul, functions.Dot, MatrixProduct), Growth.times),
    (
        (
            *(written.Plus, Add, written.Negative, operators.Summation, functions.Trace, functions.Norm),
            # |max x| is at most the sum of |x_i|, and log-sum-exp at most that plus log n.
            *(Entry, Transpose, Tabulated, OrderStatistic, functions.LogSumExp),
        ),
        Growth.plus,
    ),
)


def _combined(expression: Expr, combine: Callable[[Growth, Growth], Growth]) -> Growth | None:
    result = BOUNDED
    for part in expression.args:
        if isinstance(part, Expr) and open_random_arrays(part):
            inner = growth(part)
            if inner is None:
                return None
            result = combine(result, inner)
    return result


def product(first: Growth | None, second: Growth | None) -> Growth | None:
    """The growth of a product, where both are known."""
    return None if first is None or second is None else first.times(second)


def _order_of_size(expression: Expr, array: RandomArray) -> int:
    """k, where the expression is X**k for an entry X of the array, or its absolute value; 0 for anything else.

    That E[X**k] exists means that E|X|**k is finite.
    """
    if isinstance(expression, functions.Elementary) and expression.name == "abs":
        return _order_of_size(expression.operand, array)
    if isinstance(expression, (written.Power, Pow)):
        base, exponent = expression.args
        whole = isinstance(exponent, Integer) and exponent.p > 0
        return int(exponent) * _order_of_size(base, array) if whole else 0
    return int(expression == array or (isinstance(expression, Entry) and expression.array == array))


def highest_moment(array: RandomArray, givens: Iterable[Given]) -> tuple[float, Given | None]:
    """The highest order of a moment that the givens make finite, and the given that does."""
    best: tuple[float, Given | None] = (0, None)
    givens = tuple(givens)
    alike = any(isinstance(given, kinds.IdenticallyDistributed) and given.args[0] == array for given in givens)
    pinned = frozenset() if alike else kinds.pinned_indices(givens)
    for given in givens:
        if isinstance(given, kinds.Integrable) and free_indices(given.args[0]) & pinned:
            continue  # that speaks of one entry, and nothing of the others
        order_stated = _order_of_size(given.args[0], array) if isinstance(given, kinds.Integrable) else 0
        if order_stated > best[0]:
            best = (order_stated, given)
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


def _has_law(array: RandomArray, wanted: tuple[type, ...], givens: Iterable[Given]) -> Given | None:
    """A given that says that the entries have one of these laws."""
    laws = (given for given in givens if isinstance(given, kinds.HasLaw) and given.args[0] == array)
    return next((given for given in laws if isinstance(given.args[1], wanted)), None)


def _singular(expression: Expr) -> bool:
    """Whether a bounded random variable may be sent to something unbounded, as by 1/X or log X."""
    for part in parts(expression):
        if isinstance(part, written.Quotient) and open_random_arrays(part.args[1]):
            return True
        if isinstance(part, (written.Power, Pow)) and open_random_arrays(part):
            exponent = part.args[1]
            if not isinstance(exponent, Rational) or exponent.p < 0:
                return True
        if isinstance(part, operators.Differential) and open_random_arrays(part):
            return True
        logarithm = isinstance(part, log) or (isinstance(part, functions.Elementary) and part.name == "log")
        if logarithm and open_random_arrays(part):
            return True
    return False


def _tame(expression: Expr) -> bool:
    """Whether an expression is made of powers and of exponentials of linear terms: normal variables have all such
    expectations, whatever their joint law."""
    if not open_random_arrays(expression) or growth(expression) is not None:
        return True
    if isinstance(expression, (functions.Elementary, exp)):
        name = expression.name if isinstance(expression, functions.Elementary) else "exp"
        inner = growth(expression.args[-1])
        return name == "exp" and inner is not None and inner.total <= 1
    if isinstance(expression, written.Quotient):
        return not open_random_arrays(expression.args[1]) and _tame(expression.args[0])
    if isinstance(expression, (written.Power, Pow)):
        base, exponent = expression.args
        return isinstance(exponent, Rational) and exponent.p > 0 and _tame(base)
    built = (written.Plus, written.Times, written.Negative, operators.Summation, Add, Mul)
    return isinstance(expression, built) and all(_tame(part) for part in expression.args if isinstance(part, Expr))


def exists(expression: Expr, wanted: Growth | None, givens: tuple[Given, ...]) -> tuple[bool, tuple[Given, ...]]:
    """Whether the expectation of something with this growth exists, and the givens that make it so.

    Moments of the total degree suffice for any joint law (Hölder's inequality); independent arrays need only their
    own degree each.
    """
    arrays = open_random_arrays(expression)
    kinds_of_law = _FINITE_LAWS if _singular(expression) else _BOUNDED_LAWS
    limits = [_has_law(array, kinds_of_law, givens) for array in arrays]
    if all(limit is not None for limit in limits):
        return True, _said(limits)
    laws = [_has_law(array, (Normal, *_BOUNDED_LAWS), givens) for array in arrays]
    if all(law is not None for law in laws) and _tame(expression):
        return True, _said(laws)
    if wanted is None:
        return False, ()
    present = [array for array in arrays if wanted.degrees.get(array, 0)]
    highest = {array: highest_moment(array, givens) for array in present}
    if all(order >= wanted.total for order, _ in highest.values()):
        return True, _said(given for _, given in highest.values())
    independence = next(
        (one for one in givens if isinstance(one, kinds.MutuallyIndependent) and set(present) <= set(one.args)), None
    )
    if independence is None or any(order < wanted.degrees[array] for array, (order, _) in highest.items()):
        return False, ()
    return True, _said((*(given for _, given in highest.values()), independence))


def _said(givens: Iterable[Given | None]) -> tuple[Given, ...]:
    return tuple(dict.fromkeys(given for given in givens if given is not None))
