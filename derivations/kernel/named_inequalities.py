"""Named inequalities between written expressions: gaps, order statistics, Jensen, Cauchy and Schwarz, theorems."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

from sympy import Expr, Integer
from sympy.core.symbol import Str

from derivations.kernel.comparison import (
    Comparison,
    ComparisonRule,
    fresh_indices,
    indices_of,
    mean_of_largest,
    product_of,
)
from derivations.kernel.wellformed import held_indices
from derivations.language import functions, operators
from derivations.language import givens as kinds
from derivations.language.arrays import Entry, MatrixProduct
from derivations.language.order import OrderStatistic
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import free_indices, parts, substitute
from derivations.language.symbols import Index
from derivations.language.written import Negative, Plus, Power, Quotient, Times, shape_of
from derivations.records import Relation


def _gap(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """x_i <= x_m - g for i other than m; x_i <= x_m for every i where x_m is the maximum."""
    if not comparison.context.allows("order.gap"):
        return False
    for given in comparison.givens:
        if not isinstance(given, (kinds.GapBelow, kinds.UniqueMaximum)):
            continue
        vector, peak = given.args[0], given.args[1]
        distance = given.args[2] if isinstance(given, kinds.GapBelow) else Integer(0)
        for one in indices_of((low, high), (peak.dimension,)):
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
    return any(comparison.equal(expression, Entry(vector, one)) for one in indices_of((expression,), shape_of(vector)))


def ranks_rise(low: int, high: int) -> bool:
    """Whether order statistics of these ranks are in order for every vector; rank 0 stands for any entry."""
    return low == high != 0 or low == -1 or high == 1 or 0 < high <= low


def _range(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """|x_a - x_b| <= max x - min x."""
    if not isinstance(low, functions.Elementary) or low.name != "abs":
        return False
    for statistic in _statistics(high):
        vector = statistic.args[0]
        indices = indices_of((low,), shape_of(vector))
        for first, second in permutations(indices, 2):
            gap = Plus(Entry(vector, first), Negative(Entry(vector, second)))
            if comparison.equal(low.operand, gap):
                rule = comparison.context.law("order.range")
                return rule is not None and comparison.equal(high, rule(vector))
    return False


def _largest_in_sum(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """f(max x) <= sum_i f(x_i) for f not negative: the maximum is attained at one of the entries."""
    summed = _entry_in_sum(comparison, low, high) if comparison.context.allows("order.sum") else None
    if summed is None or not comparison.not_negative(summed[1]):
        return False
    rule = comparison.context.law("order.sum")
    return rule is not None and comparison.equal(high, rule(summed[1], summed[0]))


def _entry_in_sum(comparison: Comparison, low: Expr, high: Expr) -> tuple[Index, Expr] | None:
    """An index of its own for a sum, and the left side at that entry instead of the one order statistic in it."""
    if type(high) is not operators.Summation or len(high.indices) != 1:
        return None
    (one,) = fresh_indices(comparison, high.indices, (low, high))
    statistics = _statistics(low)
    if len(statistics) != 1 or shape_of(statistics[0].args[0]) != (one.dimension,):
        return None
    at_entry = _with_statistic(low, statistics[0], Entry(statistics[0].args[0], one))
    return None if OrderStatistic in {type(part) for part in parts(at_entry)} else (one, at_entry)


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
        sides = (product_of(list(total.body.args[:place])), product_of(list(total.body.args[place:])))
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

NAMED: tuple[ComparisonRule, ...] = (
    *(_theorem, _gap, _bounds, mean_of_largest, _range, _largest_in_sum, _jensen, _cauchy_schwarz, _matrix_norm),
)


def strictly_largest_in_sum(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """f(max x) < sum_i f(x_i) for positive f and at least two entries."""
    summed = _entry_in_sum(comparison, low, high)
    if summed is None or not comparison.positive(summed[1]):
        return False
    several = comparison.positive(Plus(summed[0].dimension, Negative(Integer(1))))
    return several and _largest_in_sum(comparison, low, high)
