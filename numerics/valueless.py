"""Sides that have no finite value: limits that grow beyond any bound, expectations of poles.

A limit: along points of which each is about the square of the one before, the operand grows at least like a power of
its variable, and not more slowly from point to point. That is asked of two sequences of far points
(:mod:`numerics.limits`) and of values far above what rounding leaves of terms that cancel. A bounded function that has
settled at those points does not, and neither does one that grows like a logarithm, of which nothing is said.

An expectation: E|B|^-p is infinite for p >= 1 where B has a density that is bounded away from zero near zero, since
the integral of |b|^-p is. B = A X + R has such a density if X is independent of A and R, the density of X is positive
and continuous everywhere, and A is not almost surely zero: it is E[f((b - R)/A)/|A|], and by Fatou's lemma its lower
limit at zero is positive.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf

import mpmath
import numpy as np
from sympy import Expr, Rational
from sympy.core.basic import Basic

from derivations.language.functions import Elementary
from derivations.language.operators import Covariance, Differential, DistinctSummation, Limit
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import parts
from derivations.language.written import Negative, Plus, Power, Quotient, Times
from numerics.arithmetic import high_precision
from numerics.conditions import somewhere
from numerics.environments import Readers, by_moments, enumerated
from numerics.errors import NotEvaluated, NotPolynomial, NotRational
from numerics.evaluation import READERS, Environment, constant, evaluate
from numerics.instances import Instance
from numerics.joint import ContinuousBlock, JointLaw
from numerics.laws import LAPLACE, NORMAL, STUDENT
from numerics.limits import digits_for, far_points
from numerics.magnitudes import magnitude
from numerics.polynomials import Monomial, RandomPolynomial, multiply, terms_mean
from numerics.statements import MEANS, Statement
from numerics.values import Number, Value, combine

_SLOWEST = 1 / 8
"""The smallest power of the variable that counts as growth without bound."""

_STEADY = 0.98
"""The power may not fall from point to point by more than the factors of the points make it."""

_GUARD = 20
_MOST_OUTCOMES = 300
_POSITIVE_EVERYWHERE = (NORMAL, LAPLACE, STUDENT)


def may_lack_value(side: Expr) -> bool:
    """Whether a limit or an expectation occurs that could be infinite."""
    return any(isinstance(part, (Limit, *MEANS)) for part in parts(side))


def lacks_value(side: Expr, statement: Statement, instance: Instance, readers: Readers = READERS) -> bool:
    """Whether a limit or an expectation in a side of the statement has no finite value at the instance."""
    try:
        if any(_diverges(limit, statement, instance, readers) for limit in dict.fromkeys(_outermost_limits(side))):
            return True
        means = dict.fromkeys(part for part in parts(side) if isinstance(part, MEANS))
        return instance.joint is not None and any(_is_infinite(mean, instance, readers) for mean in means)
    except (NotEvaluated, ArithmeticError):
        return False


# ------------------------------------------------------------------------------------------------ limits


def _outermost_limits(expression: Basic) -> Iterator[Limit]:
    """Those that are asked for: not inside a derivative or an expectation, nor where indices coincide."""
    if isinstance(expression, Limit):
        yield expression
    elif not isinstance(expression, (Differential, DistinctSummation, *MEANS)):
        for argument in expression.args:
            yield from _outermost_limits(argument)


def _diverges(limit: Limit, statement: Statement, instance: Instance, readers: Readers) -> bool:
    """Whether an entry that the givens allow grows beyond any bound, along both sequences."""
    operand = limit.args[0]
    if open_random_arrays(operand) or any(isinstance(part, (Limit, Differential)) for part in parts(operand)):
        return False
    found: np.ndarray | None = None
    for sequence in range(2):
        growing = _growing(limit, statement, instance, sequence, readers)
        found = growing if found is None else found & growing
    return found is not None and bool(found.any())


def _growing(limit: Limit, statement: Statement, instance: Instance, sequence: int, readers: Readers) -> np.ndarray:
    """At which entries the operand grows along one sequence."""
    alone = Statement(limit, statement.relation, limit, statement.facts, statement.letters)
    points = far_points(alone, instance, sequence)
    arithmetic = high_precision(digits_for(points[-1], 0))
    environment = enumerated(instance, arithmetic, most=_MOST_OUTCOMES, readers=readers)
    powers = [_powers(limit, point, environment) for point in points]
    allowed = somewhere(instance.positions, powers[0].labels)
    growing = combine(np.logical_and, combine(_is_growth, *powers), allowed)
    return np.asarray(growing.data, dtype=bool)


def _powers(limit: Limit, point: Fraction, environment: Environment) -> Value:
    """log|operand|/log(variable) at a point; minus infinity for what is undefined or may be left by rounding."""
    operand, variable = limit.args
    far = constant(point, environment)
    there = Environment(
        environment.arithmetic,
        environment.sizes,
        {**environment.values, variable: far},
        environment.expect,
        readers=environment.readers,
    )
    digits = digits_for(point, 0)
    rounding = mpmath.mpf(10) ** (_GUARD - digits)

    def power(value: Number, size: Number) -> float:
        if not (mpmath.isfinite(value) and mpmath.isfinite(size)) or abs(value) <= rounding * size or value == 0:
            return -inf
        return float(mpmath.log(abs(value)) / mpmath.log(far.data[()]))

    return combine(np.frompyfunc(power, 2, 1), evaluate(operand, there), magnitude(operand, there))


def _is_growth(first: Number, second: Number, third: Number) -> np.ndarray:
    slowest = np.minimum(np.minimum(first, second), third)
    return np.asarray((slowest >= _SLOWEST) & (second >= _STEADY * first) & (third >= _STEADY * second), dtype=bool)


# ------------------------------------------------------------------------------------------ expectations


def _is_infinite(mean: Expr, instance: Instance, readers: Readers) -> bool:
    """Whether what is averaged has no expectation; for a covariance, whether one of the two has none."""
    operands = mean.args if isinstance(mean, Covariance) else mean.args[:1]
    return any(_is_not_integrable(one, instance, readers) for one in operands)


def _is_not_integrable(operand: Expr, instance: Instance, readers: Readers) -> bool:
    """Whether E|operand| is infinite: a pole, times a constant, plus what has all moments."""
    if not open_random_arrays(operand):
        return False
    match operand:
        case Negative():
            return _is_not_integrable(operand.args[0], instance, readers)
        case Plus():
            poles = [term for term in operand.args if not _has_moments(term, instance, readers)]
            return len(poles) == 1 and _is_not_integrable(poles[0], instance, readers)
        case Times():
            random = [factor for factor in operand.args if open_random_arrays(factor)]
            fixed = (factor for factor in operand.args if not open_random_arrays(factor))
            if len(random) > 1 or not all(_is_nonzero(factor, instance, readers) for factor in fixed):
                return False
            return _is_not_integrable(random[0], instance, readers)
        case Quotient():
            top, bottom = operand.args
            if not open_random_arrays(bottom):
                return _is_nonzero(bottom, instance, readers) and _is_not_integrable(top, instance, readers)
            if open_random_arrays(top) or not _is_nonzero(top, instance, readers):
                return False
            return _is_pole(bottom, Fraction(1), instance, readers)
        case Power():
            base, exponent = operand.args
            if isinstance(exponent, Rational) and int(exponent.p) < 0:
                return _is_pole(base, -_fraction(exponent), instance, readers)
    return False


def _fraction(number: Rational) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _is_pole(base: Expr, power: Fraction, instance: Instance, readers: Readers) -> bool:
    """Whether E|base|**-power is infinite."""
    if isinstance(base, Elementary) and base.name == "abs":
        return _is_pole(base.operand, power, instance, readers)
    if isinstance(base, Power) and isinstance(base.args[1], Rational) and int(base.args[1].p) > 0:
        return _is_pole(base.args[0], power * _fraction(base.args[1]), instance, readers)
    if power < 1 or instance.joint is None:
        return False
    values = evaluate(base, by_moments(instance, readers=readers)).data.reshape(-1)
    return all(_is_dense_at_zero(value, instance.joint) for value in values)


def _is_dense_at_zero(value: object, joint: JointLaw) -> bool:
    """Whether the density of a polynomial is bounded away from zero near zero: it is linear in one variable."""
    if not isinstance(value, RandomPolynomial):
        return False
    terms = value.expanded()
    for block in joint.blocks:
        if not isinstance(block, ContinuousBlock) or len(block.cells) != 1 or not block.law.square:
            continue
        (cell,) = block.cells
        factors: dict[Monomial, Fraction] = {}
        degree = 0
        for monomial, coefficient in terms.items():
            own = dict(monomial).get(cell, 0) if coefficient else 0
            degree = max(degree, own)
            if own == 1:
                factors[tuple((number, power) for number, power in monomial if number != cell)] = coefficient
        linear = degree == 1 and block.law.standard in _POSITIVE_EVERYWHERE
        if linear and terms_mean(multiply(factors, factors), joint.variables) > 0:
            return True
    return False


def _has_moments(term: Expr, instance: Instance, readers: Readers) -> bool:
    """Whether a term is a polynomial with a second moment."""
    try:
        environment = by_moments(instance, readers=readers)
        value = evaluate(term, environment)
        environment.expect(combine(np.multiply, value, value))
    except (NotPolynomial, NotRational):
        return False
    return True


def _is_nonzero(factor: Expr, instance: Instance, readers: Readers) -> bool:
    """Whether a constant is a number other than zero."""
    environment = by_moments(instance, readers=readers)
    value = evaluate(factor, environment)
    undefined = environment.arithmetic.undefined(value.data)
    return not np.any(undefined) and all(one != 0 for one in value.data.reshape(-1))
