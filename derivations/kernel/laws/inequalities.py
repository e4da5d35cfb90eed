"""Named inequalities and equivalences: what follows from order, monotonicity, convexity and factors."""

from __future__ import annotations

from sympy import Expr, Integer

from derivations.kernel.distinct_sums import plus_coincidences
from derivations.kernel.equivalence import by_factor
from derivations.kernel.laws.law import Law, Statement
from derivations.kernel.laws.samples import X, a, b, i, j, k, n, s, x, y
from derivations.kernel.means import beyond
from derivations.kernel.monotonicity import is_increasing
from derivations.kernel.named_inequalities import is_convex, ranks_rise
from derivations.language.distributions import normal
from derivations.language.functions import absolute, exp
from derivations.language.givens import gap_below, has_law, positive
from derivations.language.operators import E, Sum, Summation
from derivations.language.order import Max, largest, smallest
from derivations.language.propositions import equal
from derivations.language.symbols import Index, delta
from derivations.language.written import Negative, Plus, Power, Times
from derivations.records import Relation


def _below_peak(peak: Expr, distance: Expr) -> Expr:
    return Plus(peak, Negative(distance))


def _spread(vector: Expr) -> Expr:
    return Plus(largest(vector), Negative(smallest(vector)))


def _sum_of(body: Expr, index: Index) -> Expr:
    return Summation(body, index)


def _product_of_squares(first: Expr, second: Expr, indices: tuple[Index, ...]) -> Expr:
    squares = (Summation(Power(side, Integer(2)), *indices) for side in (first, second))
    return Times(*squares)


ROWS: tuple[Law, ...] = (
    # every other entry lies g below x_k: x_i <= x_k - g for i other than k
    Law(
        "order.gap",
        "the given gap",
        "已知的间隔",
        _below_peak,
        lambda: Statement(
            Sum((1 - delta(i, k)) * x[i], i),
            Sum((1 - delta(i, k)) * (x[k] - s), i),
            (gap_below(x, k, s),),
            Relation.AT_MOST,
        ),
        lambda: Statement(
            Sum((1 - delta(i, k)) * x[i], i), Sum((1 - delta(i, k)) * (x[k] - s), i), (), Relation.AT_MOST
        ),
        condition=lambda: (gap_below(x, k, s),),
    ),
    # min x <= x_i <= max x
    Law(
        "order.bounds",
        "an entry is at most the largest",
        "任一分量不超过最大分量",
        ranks_rise,
        lambda: Statement(x[i], Max(x[j], j), (), Relation.AT_MOST),
        lambda: Statement(Max(x[j], j), x[i], (), Relation.AT_MOST),
    ),
    # |x_i - x_j| <= max x - min x
    Law(
        "order.range",
        "a difference of entries is at most the range",
        "两分量之差不超过极差",
        _spread,
        lambda: Statement(absolute(x[i] - x[j]), largest(x) - smallest(x), (), Relation.AT_MOST),
        lambda: Statement(absolute(x[i] + x[j]), largest(x) - smallest(x), (), Relation.AT_MOST),
    ),
    # f(max x) <= sum_i f(x_i) for f >= 0
    Law(
        "order.sum",
        "the largest of non-negative terms is at most their sum",
        "非负项的最大值不超过它们的和",
        _sum_of,
        lambda: Statement(exp(Max(x[j], j)), Sum(exp(x[i]), i), (), Relation.AT_MOST),
        lambda: Statement(Max(x[j], j), Sum(x[i], i), (), Relation.AT_MOST),
    ),
    # an increasing function keeps the order; so do sums, products with what is not negative, expectations
    Law(
        "order.monotone",
        "monotonicity",
        "单调性",
        is_increasing,
        lambda: Statement(exp(x[i]), exp(Max(x[j], j)), (), Relation.AT_MOST),
        lambda: Statement(exp(-x[i]), exp(-Max(x[j], j)), (), Relation.AT_MOST),
    ),
    # f(E X) <= E f(X) for convex f
    Law(
        "convexity.jensen",
        "Jensen's inequality",
        "Jensen 不等式",
        is_convex,
        lambda: Statement(exp(E(X)), E(exp(X)), (has_law(X, normal(a, b**2)),), Relation.AT_MOST),
        lambda: Statement(E(exp(X)), exp(E(X)), (has_law(X, normal(a, b**2)),), Relation.AT_MOST),
    ),
    # (sum_i x_i y_i)^2 <= (sum_i x_i^2)(sum_i y_i^2)
    Law(
        "convexity.cauchy_schwarz",
        "the Cauchy–Schwarz inequality",
        "Cauchy–Schwarz 不等式",
        _product_of_squares,
        lambda: Statement(Sum(x[i] * y[i], i) ** 2, Sum(x[i] ** 2, i) * Sum(y[i] ** 2, i), (), Relation.AT_MOST),
        lambda: Statement(Sum(x[i] * y[i], i) ** 2, Sum(x[i] ** 2 * y[i] ** 2, i), (), Relation.AT_MOST),
    ),
    # (sum_i a_i)(sum_j b_j) = sum_{i != j} a_i b_j + sum_i a_i b_i
    Law(
        "nonnegativity.distinct",
        "a product of sums over distinct and over equal indices",
        "把和的乘积按下标相异与相同展开",
        plus_coincidences,
        lambda: Statement(Sum(exp(2 * x[i]), i), Sum(exp(x[i]), i) ** 2, (), Relation.AT_MOST),
        lambda: Statement(Sum(x[i] ** 2, i), Sum(x[i], i) ** 2, (), Relation.AT_MOST),
        reasons=("nonnegativity", "exponential"),
    ),
    # u^a v^b <= a u + b v for a + b = 1 and u, v >= 0; so 2 x_i x_j <= x_i^2 + x_j^2
    Law(
        "nonnegativity.means",
        "the inequality of arithmetic and geometric means",
        "算术—几何平均不等式",
        beyond,
        lambda: Statement(Sum(x[i], i) ** 2, n * Sum(x[i] ** 2, i), (), Relation.AT_MOST),
        lambda: Statement(Sum(x[i], i) ** 2, Sum(x[i] ** 2, i), (), Relation.AT_MOST),
    ),
    # f = 0 if and only if h f = 0, for an h that is never zero
    Law(
        "equivalence.factor",
        "multiplying by what is never zero",
        "乘以恒不为零的因子",
        by_factor,
        lambda: Statement(equal(a * exp(b), exp(b)), equal(a, 1), (), Relation.IFF),
        lambda: Statement(equal(a * b, b), equal(a, 1), (), Relation.IFF),
        reasons=("equivalence", "exponential"),
        condition=lambda: (positive(b),),
    ),
)
