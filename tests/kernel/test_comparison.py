"""Inequalities on written trees: what is known of a free letter says nothing of a bound one."""

import pytest

from derivations.kernel.laws.samples import V, X, a, b, i, j, k, n, s, x, y
from derivations.language.functions import exp, norm
from derivations.language.givens import distinct, gap_below, nonnegative, positive, unique_maximum
from derivations.language.operators import DistinctSum, E, Sum
from derivations.language.order import Max, Min, largest
from derivations.records import Relation

from .steps import proved


def at_most(low, high, *given):
    return proved(low, high, given=given, relation=Relation.AT_MOST)


def test_a_gap_is_used_only_at_an_index_that_is_distinct_itself():
    gap, apart = gap_below(x, k, a), distinct(i, k)
    assert at_most(x[i], x[k] - a, gap, apart)
    assert not at_most(x[i], x[k] - a, gap)
    assert not at_most(Sum(x[i], i), Sum(x[k] - a, i), gap, apart)


def test_the_peak_of_a_vector_is_no_bound_index():
    peak = unique_maximum(x, k)
    assert at_most(x[i], x[k], peak)
    assert at_most(Sum(x[i] * exp(a), i), Sum(x[k] * exp(a), i), peak)
    assert not at_most(Sum(x[i], k), Sum(x[k], k), peak)


def test_indices_that_are_given_as_distinct_are_so_only_where_they_are_free():
    assert at_most(x[i] * y[j], x[i] * y[j], distinct(i, j))
    assert not at_most(Sum(exp(x[i] + x[j]), i, j), Sum(exp(x[i]) * exp(x[j]) - 1, i, j), distinct(i, j))


def test_a_sum_over_distinct_indices_makes_them_distinct_inside():
    gap = gap_below(x, k, a)
    assert not at_most(DistinctSum(x[i] - x[j], i, j), DistinctSum(-a + 0 * x[i], i, j), gap)


def test_a_maximum_is_attained_at_one_entry_of_the_same_outcome():
    top = Max(V[i], i)
    assert at_most(exp(top), Sum(exp(V[j]), j))
    assert not at_most(exp(top) * E(exp(top)), Sum(exp(V[j]) * E(exp(V[j])), j))
    assert not at_most(exp(top), Sum(V[j], j))
    assert not at_most(top, Sum(V[j], j))


@pytest.mark.parametrize(
    ("low", "high"),
    [(Min(x[i], i), x[j]), (x[j], Max(x[i], i)), (Min(x[i], i), Max(x[i], i)), (largest(x, 2), largest(x))],
)
def test_order_statistics_bound_the_entries_in_one_direction(low, high):
    assert at_most(low, high)
    assert not at_most(high, low)


def test_jensen_has_a_direction_and_needs_a_convex_function():
    assert at_most(exp(E(X)), E(exp(X)))
    assert not at_most(E(exp(X)), exp(E(X)))
    assert at_most(E(X) ** 2, E(X**2))
    assert not at_most(E(X**2), E(X) ** 2)
    assert not at_most(E(X) ** 3, E(X**3))


def test_cauchy_schwarz_has_a_direction():
    squares = Sum(x[i] ** 2, i) * Sum(y[i] ** 2, i)
    assert at_most(Sum(x[i] * y[i], i) ** 2, squares)
    assert not at_most(squares, Sum(x[i] * y[i], i) ** 2)
    assert not at_most(Sum(x[i] * y[i], i) ** 2, n * Sum(x[i] ** 2, i))


def test_a_product_grows_with_a_factor_only_where_the_others_are_not_negative():
    assert at_most(s * x[j], s * Max(x[i], i), positive(s))
    assert at_most(s * x[j], s * Max(x[i], i), nonnegative(s))
    assert not at_most(s * x[j], s * Max(x[i], i))
    assert not at_most(-s * x[j], -s * Max(x[i], i), positive(s))


def test_powers_and_quotients_turn_no_sign_round():
    assert not at_most(x[j] ** 2, Max(x[i], i) ** 2)
    assert at_most(exp(x[j]) ** 2, exp(Max(x[i], i)) ** 2)
    assert not at_most(b / x[j], b / Min(x[i], i))
    assert at_most(1 / exp(Max(x[i], i)), 1 / exp(x[j]))
    assert not at_most(1 / exp(x[j]), 1 / exp(Max(x[i], i)))
    assert at_most(norm(x), norm(x) + 1)
