"""Laws of order statistics and of limits."""

from __future__ import annotations

from derivations.kernel.laws.law import Law, Statement
from derivations.kernel.laws.samples import a, b, i, j, k, marks, s, t, x
from derivations.kernel.limits import product_of_limits
from derivations.kernel.ordered import affine
from derivations.kernel.terms import ZERO, Polynomial
from derivations.language.functions import exp, softmax
from derivations.language.givens import maximal_entries, nonnegative, positive, unique_maximum
from derivations.language.operators import limit
from derivations.language.order import Max
from derivations.language.symbols import delta
from derivations.language.written import exact


def _same(value: Polynomial) -> Polynomial:
    return value


def _vanishes() -> Polynomial:
    return ZERO


ROWS: tuple[Law, ...] = (
    # max_i (c x_i + b) = c max_i x_i + b for c >= 0; for c <= 0 the smallest takes the place of the largest
    Law(
        "order.affine",
        "order statistics of c x + b, c not negative",
        "c x + b（c ≥ 0）的次序统计量",
        affine,
        lambda: Statement(Max(a * x[i] + b, i), a * Max(x[j], j) + b, (nonnegative(a),)),
        lambda: Statement(Max(a * x[i] + b, i), a * Max(x[j], j) + b),
        reasons=("order", "nonnegativity"),
        condition=lambda: (nonnegative(a),),
    ),
    # a mark is zero or one: e_i^2 = e_i
    Law(
        "order.marks",
        "a mark is zero or one",
        "示性变量取 0 或 1",
        _same,
        lambda: Statement(marks[i] ** 2, marks[i], (maximal_entries(x, marks),)),
        lambda: Statement(marks[i] ** 2, marks[i]),
        condition=lambda: (maximal_entries(x, marks),),
    ),
    # the limit of a product is the product of the limits, of a finite sum the sum of the limits
    Law(
        "limit.arithmetic",
        "arithmetic of limits",
        "极限的四则运算",
        product_of_limits,
        lambda: Statement(limit(a + b * exp(-t), t), a),
        lambda: Statement(limit(a + b * exp(-t), t), a + b),
        reasons=("limit", "exponential"),
    ),
    # exp(-t c) tends to 0 for c > 0
    Law(
        "limit.exponential",
        "exp(-t c) tends to 0 for c > 0",
        "c > 0 时 exp(-t c) 趋于 0",
        _vanishes,
        lambda: Statement(limit(exp(-s * t), t), exact(0), (positive(s),)),
        lambda: Statement(limit(1 / (1 + exp(-s * t)), t), exact(1)),
        reasons=("limit", "exponential", "nonnegativity"),
        condition=lambda: (positive(s),),
    ),
    # exp(t (x_i - max x)) tends to 1 where x is maximal and to 0 elsewhere
    Law(
        "limit.maximum",
        "the largest exponential outgrows the others",
        "最大的指数项压过其余各项",
        _same,
        lambda: Statement(limit(softmax(t * x)[i], t), delta(i, k), (unique_maximum(x, k),)),
        lambda: Statement(limit(softmax(t * x)[i], t), delta(i, k), (maximal_entries(x, marks),)),
        reasons=("limit", "exponential", "definition", "order"),
    ),
)
