"""Inequalities between written expressions, shown on the author's trees.

``Comparison.at_most(a, b)`` tries to show a <= b: by equality, by a difference that is visibly not negative, by a given
or a named inequality, or by comparing part with part where the whole grows with its parts. It never shows a falsehood;
False only means that nothing was found. Distinctness of indices that a factor 1 - delta_ij brings is carried along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations, product
from typing import TypeAlias

from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic
from sympy.core.symbol import Str

from derivations.kernel.context import Context
from derivations.kernel.wellformed import held_indices
from derivations.kernel.written_signs import NONNEGATIVE, Range, sign
from derivations.language import functions, operators
from derivations.language import givens as kinds
from derivations.language.arrays import Entry, MatrixProduct
from derivations.language.givens import Given
from derivations.language.order import OrderStatistic
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import free_indices, parts, substitute
from derivations.language.symbols import Delta, Index
from derivations.language.written import Negative, Plus, Power, Quotient, Shape, Times, shape_of
from derivations.records import Derivation, Relation

MAXIMUM_DEPTH = 12

Question: TypeAlias = "tuple[Expr, Expr, tuple[frozenset[Index], ...]]"


@dataclass(frozen=True)
class Comparison:
    """What a comparison may use. ``equal`` decides equality by normal form, ``visible(high, low)`` whether the normal
    form of the difference shows low <= high; ``context`` notes the laws in use; ``known`` are the answers so far."""

    context: Context
    givens: tuple[Given, ...]
    equal: Callable[[Expr, Expr], bool]
    distinct: tuple[frozenset[Index], ...] = ()
    depth: int = 0
    theorems: tuple[Derivation, ...] = ()
    visible: Callable[[Expr, Expr], bool] = lambda high, low: False
    known: dict[Question, bool] = field(default_factory=dict)

    def at_most(self, low: Expr, high: Expr) -> bool:
        """Whether low <= high is shown for all values of the free indices that are distinct where that is known."""
        if self.depth > MAXIMUM_DEPTH or shape_of(low) or shape_of(high):
            return False
        question = (low, high, self.distinct)
        if question not in self.known:
            self.known[question] = False  # asked again on the way to its answer, it is of no help
            self.known[question] = replace(self, depth=self.depth + 1)._at_most(low, high)
        return self.known[question]

    def _at_most(self, low: Expr, high: Expr) -> bool:
        return (
            self.equal(low, high)
            or self._by_sign(low, high)
            or any(rule(self, low, high) for rule in _NAMED)
            or (
                self.context.allows("order.monotone")
                and any(rule(self, low, high) for rule in _MONOTONE)
                and self.context.law("order.monotone") is not None  # notes the use
            )
        )

    def _by_sign(self, low: Expr, high: Expr) -> bool:
        return self.not_negative(Plus(high, Negative(low))) or self.visible(high, low)

    def not_negative(self, expression: Expr) -> bool:
        """Whether the sign of the expression is seen to be positive or zero."""
        if self.depth > MAXIMUM_DEPTH:
            return False
        return self._has_sign(expression, NONNEGATIVE) or _built_of_nonnegative(
            replace(self, depth=self.depth + 1), expression
        )

    def positive(self, expression: Expr) -> bool:
        """Whether the sign of the expression is seen to be positive."""
        return self._has_sign(expression, Range.POSITIVE)

    def _has_sign(self, expression: Expr, allowed: Range) -> bool:
        known = sign(expression, self.givens)
        if known.range & ~allowed:
            return False
        for given in known.givens:
            if self.context.law("nonnegativity.given") is None:
                return False
            self.context.use(given)
        return True

    def known_distinct(self, first: Expr, second: Expr) -> bool:
        """Whether two indices are known to be different here."""
        if not isinstance(first, Index) or not isinstance(second, Index):
            return False
        pair = frozenset((first, second))
        return pair in self.distinct or any(
            isinstance(one, kinds.Distinct) and frozenset(one.args) == pair for one in self.givens
        )


def _built_of_nonnegative(comparison: Comparison, expression: Expr) -> bool:
    """Sums, products, quotients and positive powers of what is not negative; log x for x >= 1; a mean of such."""
    if isinstance(expression, (Plus, Times, Quotient)):
        return all(comparison.not_negative(part) for part in expression.args)
    if isinstance(expression, Power) and isinstance(expression.args[1], Rational) and expression.args[1].p > 0:
        return comparison.not_negative(expression.args[0])
    if isinstance(expression, functions.Elementary) and expression.name == "log":
        return comparison.at_most(Integer(1), expression.operand)
    if isinstance(expression, operators.Expectation):
        inner = expression.args[0]
        if isinstance(inner, OrderStatistic):
            return _mean_of_largest(comparison, Integer(0), expression)
        factor, mean = _scaled_mean(expression)
        if mean is not None and mean != expression:
            return comparison.not_negative(factor) and comparison.not_negative(mean)
        return comparison.not_negative(inner)
    if isinstance(expression, Negative) and isinstance(expression.args[0], Negative):
        return comparison.not_negative(expression.args[0].args[0])
    return False


def _gap(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """x_i <= x_m - g for i other than m; x_i <= x_m for every i where x_m is the maximum."""
    if not comparison.context.allows("order.gap"):
        return False
    for given in comparison.givens:
        if not isinstance(given, (kinds.GapBelow, kinds.UniqueMaximum)):
            continue
        vector, peak = given.args[0], given.args[1]
        distance = given.args[2] if isinstance(given, kinds.GapBelow) else Integer(0)
        for one in _indices((low, high), (peak.dimension,)):
            if isinstance(given, kinds.GapBelow) and not comparison.known_distinct(one, peak):
                continue
            rule = comparison.context.law("order.gap")
            bound = rule(Entry(vector, peak), distance) if rule else None
            if bound is not None and comparison.equal(
                Plus(high, Negative(low)), Plus(bound, Negative(Entry(vector, one)))
            ):
                comparison.context.use(given)
                return True
    return False


def _indices(expressions: tuple[Expr, ...], shape: Shape) -> list[Index]:
    """The free indices of the expressions that can stand at an array of this shape, in a fixed order."""
    found = frozenset().union(*(free_indices(one) for one in expressions))
    return sorted((one for one in found if (one.dimension,) == shape), key=lambda one: one.name)


def _bounds(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """min x <= x_i <= max x, and the order statistics of one vector fall with their rank."""
    ranked = [_ranked(side) for side in (low, high)]
    for vector in {pair[0] for pair in ranked if pair is not None}:
        places = [
            pair[1] if pair is not None and pair[0] == vector else 0 if _is_entry(comparison, vector, side) else None
            for pair, side in zip(ranked, (low, high), strict=True)
        ]
        if None not in places:
            rule = comparison.context.law("order.bounds")
            if rule is not None and rule(*places):
                return True
    return False


def _ranked(expression: Expr) -> tuple[Expr, int] | None:
    return (expression.args[0], expression.rank) if isinstance(expression, OrderStatistic) else None


def _is_entry(comparison: Comparison, vector: Expr, expression: Expr) -> bool:
    return any(comparison.equal(expression, Entry(vector, one)) for one in _indices((expression,), shape_of(vector)))


def ranks_rise(low: int, high: int) -> bool:
    """Whether order statistics of these ranks are in order for every vector; rank 0 stands for any entry."""
    return low == high != 0 or low == -1 or high == 1 or 0 < high <= low


def _mean_of_largest(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """E x_i <= E max x for any one entry x_i."""
    if not isinstance(high, operators.Expectation) or isinstance(low, operators.Expectation):
        return False
    inner = high.args[0]
    if not isinstance(inner, OrderStatistic) or inner.rank != 1 or not comparison.context.allows("order.bounds"):
        return False
    vector = inner.args[0]
    (one,) = _fresh((Index(Str("i"), shape_of(vector)[0]),), (low, high, *comparison.givens))
    mean = operators.Expectation(Entry(vector, one))
    rule = comparison.context.law("order.bounds")
    return rule is not None and rule(0, 1) and (comparison.equal(low, mean) or comparison.at_most(low, mean))


def _range(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """|x_a - x_b| <= max x - min x."""
    if not isinstance(low, functions.Elementary) or low.name != "abs":
        return False
    for statistic in _statistics(high):
        vector = statistic.args[0]
        indices = _indices((low,), shape_of(vector))
        for first, second in permutations(indices, 2):
            gap = Plus(Entry(vector, first), Negative(Entry(vector, second)))
            if comparison.equal(low.operand, gap):
                rule = comparison.context.law("order.range")
                return rule is not None and comparison.equal(high, rule(vector))
    return False


def _largest_in_sum(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """f(max x) <= sum_i f(x_i) for f not negative: the maximum is attained at one of the entries."""
    if not comparison.context.allows("order.sum") or type(high) is not operators.Summation or len(high.indices) != 1:
        return False
    (one,) = high.indices
    statistics = _statistics(low)
    if len(statistics) != 1 or shape_of(statistics[0].args[0]) != (one.dimension,) or one in free_indices(low):
        return False
    at_entry = _with_statistic(low, statistics[0], Entry(statistics[0].args[0], one))
    if OrderStatistic in {type(part) for part in parts(at_entry)} or not comparison.not_negative(at_entry):
        return False
    rule = comparison.context.law("order.sum")
    return rule is not None and comparison.equal(high, rule(at_entry, one))


def _statistics(expression: Expr) -> list[OrderStatistic]:
    """The order statistics in an expression whose value is taken once: not under a sum, an average or a limit, where
    the entry that attains it may change."""
    if isinstance(expression, OrderStatistic):
        return [expression]
    if not isinstance(expression, _PLAIN):
        return []
    found = (one for part in expression.args if isinstance(part, Expr) for one in _statistics(part))
    return list(dict.fromkeys(found))


def _with_statistic(expression: Expr, statistic: OrderStatistic, value: Expr) -> Expr:
    """The expression with a value for the statistic where that is taken once, and nowhere else."""
    if expression == statistic:
        return value
    if not isinstance(expression, _PLAIN):
        return expression
    changed = (_with_statistic(part, statistic, value) if isinstance(part, Expr) else part for part in expression.args)
    result: Expr = expression.func(*changed)  # type: ignore[assignment]  # a node made again from its parts
    return result


_PLAIN = (Plus, Times, Negative, Quotient, Power, functions.Elementary)


def _jensen(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """f(E X) <= E f(X) for convex f."""
    convex = _one_argument(low)
    if convex is None or not isinstance(high, operators.Expectation):
        return False
    name, make, inner = convex
    variable = _averaged(inner)
    if variable is None or not comparison.context.allows("convexity.jensen"):
        return False
    rule = comparison.context.law("convexity.jensen")
    if rule is None or not rule(name):
        return False
    return comparison.equal(make(variable), high.args[0]) or _increasing_jensen(comparison, low, high)


def _increasing_jensen(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """exp(u) <= exp(E W) <= E exp(W) where u <= E W."""
    outer, inner = low, high.args[0]
    if not isinstance(outer, functions.Elementary) or not isinstance(inner, functions.Elementary):
        return False
    if outer.name != inner.name or not comparison.context.allows("order.monotone"):
        return False
    rule = comparison.context.law("order.monotone")
    mean = operators.Expectation(inner.operand)
    return rule is not None and rule(outer.name) and comparison.at_most(outer.operand, mean)


def _one_argument(expression: Expr) -> tuple[str, Callable[[Expr], Expr], Expr] | None:
    """A function of one argument: its name, how to apply it, its argument."""
    if isinstance(expression, functions.Elementary):
        name = Str(expression.name)
        return expression.name, lambda value: functions.Elementary(name, value), expression.operand
    if isinstance(expression, Power) and expression.args[1] == 2:
        return "square", lambda value: Power(value, Integer(2)), expression.args[0]
    return None


def is_convex(name: str) -> bool:
    """Whether a function is convex on the whole line."""
    return name in ("exp", "abs", "square")


def _averaged(expression: Expr) -> Expr | None:
    """X, where the expression is E(X) or c E(X) with c not random."""
    if isinstance(expression, operators.Expectation):
        value: Expr = expression.args[0]
        return value
    if isinstance(expression, Times):
        means = [part for part in expression.args if isinstance(part, operators.Expectation)]
        if len(means) == 1 and not open_random_arrays(expression):
            factors: list[Expr] = [part.args[0] if part is means[0] else part for part in expression.args]
            return Times(*factors)
    if isinstance(expression, Negative):
        inner = _averaged(expression.args[0])
        return None if inner is None else Negative(inner)
    return None


def _cauchy_schwarz(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """(sum_i u_i v_i)^2 <= (sum_i u_i^2)(sum_i v_i^2)."""
    if not isinstance(low, Power) or low.args[1] != 2 or type(low.args[0]) is not operators.Summation:
        return False
    total = low.args[0]
    if not isinstance(total.body, Times) or not comparison.context.allows("convexity.cauchy_schwarz"):
        return False
    for place in range(1, len(total.body.args)):
        sides = (_product(list(total.body.args[:place])), _product(list(total.body.args[place:])))
        rule = comparison.context.law("convexity.cauchy_schwarz")
        if rule is not None and comparison.equal(high, rule(*sides, total.indices)):
            return True
    return False


def _matrix_norm(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """|A B|_F <= |A|_F |B|_F, B a matrix or a vector: Cauchy and Schwarz for every entry."""
    if not isinstance(low, functions.Norm) or not isinstance(low.args[0], MatrixProduct):
        return False
    rule = comparison.context.law("convexity.cauchy_schwarz") if comparison.context.allows("order.monotone") else None
    if rule is None:
        return False
    return comparison.at_most(Times(*(functions.Norm(part) for part in low.args[0].args)), high)


def _theorem(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """The statement of a cited theorem, at any values of its free indices."""
    for theorem in comparison.theorems:
        if theorem.relation not in _INEQUALITIES:
            continue
        ends = (theorem.start, theorem.end)
        least, most = ends if theorem.relation in (Relation.AT_MOST, Relation.LESS) else ends[::-1]
        room = Plus(most, Negative(least))
        own = sorted(free_indices(room) - held_indices(theorem), key=lambda one: one.name)
        here = sorted(free_indices(low) | free_indices(high), key=lambda one: one.name)
        for values in product(here, repeat=len(own)):
            if any(one.dimension != value.dimension for one, value in zip(own, values, strict=True)):
                continue
            at_values: dict[Expr, Expr] = dict(zip(own, values, strict=True))
            if comparison.equal(Plus(high, Negative(low)), substitute(room, at_values)):
                return True
            if _through(comparison, low, high, *(substitute(side, at_values) for side in (least, most))):
                return True
    return False


def _through(comparison: Comparison, low: Expr, high: Expr, least: Expr, most: Expr) -> bool:
    """low <= least <= most = high, or low = least <= most <= high, where least <= most is known."""
    if low != least and comparison.equal(high, most):
        return comparison.at_most(low, least)
    return high != most and comparison.equal(low, least) and comparison.at_most(most, high)


_INEQUALITIES = frozenset({Relation.AT_MOST, Relation.AT_LEAST, Relation.LESS, Relation.GREATER})
_NAMED = (_theorem, _gap, _bounds, _mean_of_largest, _range, _largest_in_sum, _jensen, _cauchy_schwarz, _matrix_norm)


def _sums(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """Term by term under sums over the same ranges; a factor 1 - delta_ij makes i and j distinct."""
    if type(low) is not type(high) or not isinstance(low, operators.Summation):
        return False
    assert isinstance(high, operators.Summation)
    ranges = [tuple(one.dimension for one in side.indices) for side in (low, high)]
    if ranges[0] != ranges[1]:
        return False
    opened = _fresh(low.indices, (low, high, *comparison.givens))
    bodies = [substitute(side.body, dict(zip(side.indices, opened, strict=True))) for side in (low, high)]
    pairs = comparison.distinct
    if isinstance(low, operators.DistinctSummation):
        pairs += tuple(frozenset((one, other)) for one in opened for other in opened if one != other)
    return replace(comparison, distinct=pairs).at_most(*bodies)


def _fresh(indices: tuple[Index, ...], places: tuple[Basic, ...]) -> tuple[Index, ...]:
    """Letters for bound indices whose sum is opened that occur nowhere: what a given says of a free index called i says
    nothing of a bound one."""
    taken = {part.name for place in places for part in parts(place) if isinstance(part, Index)}
    opened = []
    for one in indices:
        name = one.name
        while name in taken:
            name += "'"
        taken.add(name)
        opened.append(Index(Str(name), one.dimension))
    return tuple(opened)


def _products(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A product grows with one factor if the others are equal and not negative, and with all if none is negative."""
    if not isinstance(low, Times) or not isinstance(high, Times):
        return False
    rest = list(high.args)
    common: list[Expr] = []
    own: list[Expr] = []
    for factor in low.args:
        if factor in rest:
            rest.remove(factor)
            common.append(factor)
        else:
            own.append(factor)
    if not all(comparison.not_negative(factor) for factor in common):
        return False
    pairs = comparison.distinct + tuple(pair for factor in common if (pair := _apart(factor)))
    inner = replace(comparison, distinct=pairs)
    if common and inner.at_most(_product(own), _product(rest)):
        return True
    return 1 < len(own) == len(rest) and all(
        inner.not_negative(one) and inner.at_most(one, other) for one, other in zip(own, rest, strict=True)
    )


def _apart(factor: Expr) -> frozenset[Index] | None:
    """The two indices of a factor 1 - delta_ij: where it is not zero they are different."""
    if isinstance(factor, Plus) and len(factor.args) == 2 and factor.args[0] == 1:
        second = factor.args[1]
        if isinstance(second, Negative) and isinstance(second.args[0], Delta):
            return frozenset(second.args[0].args)
    return None


def _product(factors: list[Expr]) -> Expr:
    if not factors:
        return Integer(1)
    return factors[0] if len(factors) == 1 else Times(*factors)


def _terms(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A sum of terms grows with each term."""
    if isinstance(low, Negative) and isinstance(high, Negative):
        return comparison.at_most(high.args[0], low.args[0])
    if not isinstance(low, Plus) or not isinstance(high, Plus) or len(low.args) != len(high.args):
        return False
    return all(comparison.at_most(one, other) for one, other in zip(low.args, high.args, strict=True))


def _quotients(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A quotient grows with its numerator over a positive denominator, and falls with its denominator."""
    if not isinstance(low, Quotient) or not isinstance(high, Quotient):
        return False
    (top, bottom), (other_top, other_bottom) = low.args, high.args
    if not comparison.positive(bottom) or not comparison.positive(other_bottom):
        return False
    if comparison.equal(bottom, other_bottom):
        return comparison.at_most(top, other_top)
    return (
        comparison.at_most(other_bottom, bottom)
        and comparison.at_most(top, other_top)
        and (comparison.not_negative(top) or comparison.not_negative(other_top))
    )


def _functions(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """Increasing functions grow with their arguments; 1 is exp 0."""
    low, high = (functions.exp(Integer(0)) if side == Integer(1) else side for side in (low, high))
    if not isinstance(low, functions.Elementary) or not isinstance(high, functions.Elementary):
        return False
    if low.name != high.name:
        return False
    rule = comparison.context.law("order.monotone")
    return rule is not None and rule(low.name) and comparison.at_most(low.operand, high.operand)


def is_increasing(name: str) -> bool:
    """Whether a function is increasing where it is defined."""
    return name in ("exp", "log", "tanh", "erf", "sigmoid")


def _powers(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """A positive power grows with a base that is not negative, and with the exponent if the base is at least one."""
    (base, exponent), (other, other_exponent) = _as_power(low), _as_power(high)
    if exponent <= 0 or other_exponent <= 0 or (exponent == 1 and other_exponent == 1):
        return False
    if exponent == other_exponent:
        # A root is defined only where its base is not negative.
        return (exponent.denominator % 2 == 0 or comparison.not_negative(base)) and comparison.at_most(base, other)
    if not comparison.equal(base, other):
        return False
    if exponent < other_exponent:
        return comparison.not_negative(Plus(base, Negative(Integer(1))))
    return comparison.not_negative(base) and comparison.not_negative(Plus(Integer(1), Negative(base)))


def _as_power(expression: Expr) -> tuple[Expr, Fraction]:
    """Base and exponent; the exponent is one where no other number is written."""
    if isinstance(expression, Power) and isinstance(expression.args[1], Rational):
        return expression.args[0], Fraction(int(expression.args[1].p), int(expression.args[1].q))
    return expression, Fraction(1)


def _expectations(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """The expectation of the smaller variable is the smaller one."""
    if not isinstance(low, operators.Expectation) or not isinstance(high, operators.Expectation):
        return False
    return comparison.at_most(low.args[0], high.args[0])


def _scaled_means(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """a E X <= b E X for a <= b and E X not negative, a and b not random."""
    (factor, mean), (other_factor, other_mean) = _scaled_mean(low), _scaled_mean(high)
    if mean is None or other_mean is None or not comparison.equal(mean, other_mean):
        return False
    return comparison.not_negative(mean) and comparison.at_most(factor, other_factor)


def _scaled_mean(expression: Expr) -> tuple[Expr, Expr | None]:
    """a and E X, where the expression is a E X or E(a X) with a not random."""
    outside: list[Expr] = []
    inside: list[Expr] = []
    for factor in expression.args if isinstance(expression, Times) else (expression,):
        if not isinstance(factor, operators.Expectation):
            outside.append(factor)
            continue
        body = factor.args[0]
        if inside:
            return expression, None
        for part in body.args if isinstance(body, Times) else (body,):
            (inside if open_random_arrays(part) else outside).append(part)
    return (_product(outside), operators.Expectation(_product(inside))) if inside else (expression, None)


def _norms(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """Norms are compared by their squares."""
    first, second = _squared(low), _squared(high)
    if second is None and first is not None and comparison.not_negative(high):
        second = Power(high, Integer(2))
    if first is None or second is None or not any(isinstance(side, functions.Norm) for side in (low, high)):
        return False
    return comparison.at_most(first, second)


def _squared(expression: Expr) -> Expr | None:
    """The square of an expression that is not negative and is written as a norm or a root."""
    if isinstance(expression, functions.Norm):
        return Power(expression, Integer(2))
    if isinstance(expression, Power) and expression.args[1] == Rational(1, 2):
        base: Expr = expression.args[0]
        return base
    return None


_MONOTONE = (_sums, _products, _terms, _quotients, _functions, _powers, _expectations, _scaled_means, _norms)
