"""Rewriting by given equations: a variable of the pattern is never a bound index of the target."""

from derivations.kernel.laws.samples import A, a, b, i, j, k, n, x, y
from derivations.language.functions import absolute
from derivations.language.givens import equation
from derivations.language.operators import Sum
from derivations.language.symbols import delta, index

from .steps import proved


def test_an_equation_for_rows_says_nothing_of_the_diagonal():
    rows = equation(absolute(Sum(x[k] * A[i, k], k)), 1)
    assert proved(absolute(Sum(x[k] * A[i, k], k)), 1, given=[rows])
    assert proved(absolute(Sum(x[k] * A[j, k], k)), 1, given=[rows])
    assert not proved(absolute(Sum(x[k] * A[k, k], k)), 1, given=[rows])


def test_an_equation_is_used_under_a_sum_at_the_index_of_the_sum():
    rows = equation(absolute(Sum(x[k] * A[i, k], k)), y[i])
    assert proved(Sum(absolute(Sum(x[k] * A[i, k], k)), i), Sum(y[i], i), given=[rows])
    assert not proved(Sum(absolute(Sum(x[k] * A[k, i], k)), i), Sum(y[i], i), given=[rows])


def test_a_normalisation_is_used_only_where_its_index_occurs_nowhere_else():
    one = equation(Sum(x[k], k), 1)
    assert proved(Sum(x[i] * y[j], i, j), Sum(y[j], j), given=[one])
    assert not proved(Sum(x[i] * y[i], i), Sum(y[j], j), given=[one])
    assert not proved(Sum(x[i] ** 2, i), 1, given=[one])
    assert not proved(Sum(x[i] / (1 + x[i] ** 2), i), Sum(1 / (1 + x[i] ** 2), i), given=[one])


def test_orthonormal_columns_contract_to_a_delta():
    p, q, r = index("p", n), index("q", n), index("r", n)
    orthonormal = equation(Sum(A[p, q] * A[p, r], p), delta(q, r))
    assert proved(Sum(A[i, j] * A[i, k] * x[j] * y[k], i, j, k), Sum(x[j] * y[j], j), given=[orthonormal])
    assert not proved(Sum(A[i, j] * A[k, j], j), delta(i, k), given=[orthonormal])


def test_equations_that_rewrite_each_other_end():
    step = [equation(a, b), equation(b, a)]
    assert proved(a, b, given=step)
    assert not proved(a, b + 1, given=step)
