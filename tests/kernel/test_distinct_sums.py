"""Inequalities between sums, shown by expansion over distinct indices and by weighted means."""

from fractions import Fraction

import pytest

from derivations.kernel.distinct_sums import Term, plus_coincidences
from derivations.kernel.laws.samples import a, i, j, k, n, s, x, y
from derivations.kernel.means import beyond
from derivations.kernel.terms import UNIT, Named
from derivations.language.arrays import array, tabulate
from derivations.language.functions import exp, norm, softmax
from derivations.language.givens import dimension_at_least, distinct, equation, positive
from derivations.language.operators import Sum
from derivations.language.symbols import delta
from derivations.records import Relation

from .steps import proved

p = softmax(x)
opposite, sharper = softmax(-x), softmax(2 * x)
u = array("u", n)


def entry(first, second):
    return first[i] * (delta(i, j) - second[j])


def at_most(low, high, *given, relation=Relation.AT_MOST):
    return proved(low, high, given=given, relation=relation)


def trace(first, second):
    return Sum(first[i] * (1 - second[i]), i)


def squares(body):
    return Sum(body**2, i, j)


TRUE = {
    "mean square": (Sum(x[i], i) ** 2, n * Sum(x[i] ** 2, i)),
    "Cauchy-Schwarz": (Sum(x[i] * y[i], i) ** 2, Sum(x[i] ** 2, i) * Sum(y[i] ** 2, i)),
    "squares of what is positive": (Sum(exp(2 * x[i]), i), Sum(exp(x[i]), i) ** 2),
    "a positive entry": (exp(x[k]), Sum(exp(x[i]), i)),
    "others": (1 - p[k], n - 1),
    "squared norm and trace": (squares(entry(p, p)), trace(p, p)),
    "squared norm and squared trace": (squares(entry(p, p)), trace(p, p) ** 2),
    "fourth powers": (Sum(entry(p, p) ** 4, i, j), trace(p, p) ** 2),
    "Chebyshev's sum inequality": (trace(p, p), trace(opposite, p)),
    "a sharper softmax": (squares(entry(sharper, p)), trace(p, p) ** 2),
    "norm": (norm(tabulate(entry(sharper, p), i, j)), 2 * (1 - p[k])),
    "harmonic mean": (n**2, Sum(exp(x[i]), i) * Sum(exp(-x[i]), i)),
    "Muirhead": (Sum(exp(2 * x[i]), i) * Sum(exp(x[i]), i), n * Sum(exp(3 * x[i]), i)),
    "Newton": (3 * Sum(exp(x[i]), i) * Sum(exp(2 * x[i]), i), Sum(exp(x[i]), i) ** 3 + 2 * Sum(exp(3 * x[i]), i)),
    "one less the mark": (squares(entry(p, p)), squares(p[i] * (1 - delta(i, j) - p[j]))),
    "power means": (Sum(exp(x[i]), i) ** 3, n**2 * Sum(exp(3 * x[i]), i)),
    "a small number of entries": (
        4 * Sum(exp(x[i]), i) * Sum(exp(2 * x[i]), i),
        n * Sum(exp(x[i]), i) * Sum(exp(2 * x[i]), i) + 4 * Sum(exp(3 * x[i]), i),
    ),
    "a free index that may coincide": (2 * x[k] * x[j], x[k] ** 2 + x[j] ** 2),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_inequality_between_sums_is_proved_and_its_reverse_is_not(name):
    low, high = TRUE[name]
    assert at_most(low, high)
    assert not at_most(high, low)


FALSE = {
    "no factor n": (Sum(x[i], i) ** 2, Sum(x[i] ** 2, i)),
    "squares of any sign": (Sum(x[i] ** 2, i), Sum(x[i], i) ** 2),
    "one entry of any sign": (x[k], Sum(x[i], i)),
    "two entries may be one": (exp(x[k]) + exp(x[j]), Sum(exp(x[i]), i)),
    "n may be one": (1 - p[k], n - 2),
    "third powers": (trace(p, p) ** 3 + squares(entry(p, p)) * 0, squares(entry(p, p))),
    "odd powers of any sign": (Sum(x[i] ** 3, i) * Sum(x[i], i), n * Sum(x[i] ** 2, i) ** 2 - Sum(x[i] ** 4, i)),
    "five times": (
        5 * Sum(exp(x[i]), i) * Sum(exp(2 * x[i]), i),
        n * Sum(exp(x[i]), i) * Sum(exp(2 * x[i]), i) + 4 * Sum(exp(3 * x[i]), i),
    ),
    "power means without n": (Sum(exp(x[i]), i) ** 3, n * Sum(exp(3 * x[i]), i)),
    "twice": (Sum(exp(2 * x[i]), i) * 2, Sum(exp(x[i]), i) ** 2),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_inequality_between_sums_is_not_proved(name):
    assert not at_most(*FALSE[name])


def test_distinct_indices_take_a_share_each_where_that_is_given():
    both = (exp(x[k]) + exp(x[j]), Sum(exp(x[i]), i))
    assert at_most(*both, distinct(k, j))
    assert not at_most(*both)


def test_a_sum_over_distinct_indices_may_be_empty_so_it_is_not_positive():
    below = (Sum(exp(2 * x[i]), i), Sum(exp(x[i]), i) ** 2)
    assert not at_most(*below, relation=Relation.LESS)
    assert at_most(Sum(exp(2 * x[i]), i), Sum(exp(x[i]), i) ** 2 + 1, relation=Relation.LESS)


def test_one_entry_more_than_the_others_needs_a_free_index_of_its_own():
    """n = 1 + (n - 1) once, not once beside an index that may be the same."""
    assert at_most(0, (n - 1) ** 2 + (n - 1))
    assert not at_most(0, n**2 - 2 * n + exp(4 * x[k]))
    assert not at_most(0, (n - 1) * (n - 2) * x[k])


def test_what_is_positive_only_by_a_given_needs_it():
    assert at_most(Sum(u[i] ** 2, i), Sum(u[i], i) ** 2, positive(u))
    assert not at_most(Sum(u[i] ** 2, i), Sum(u[i], i) ** 2)
    assert at_most(a * s, a**2 * s + s, positive(s))
    assert not at_most(a * s, a**2 * s + s)


def test_a_normalised_vector_of_any_sign_has_no_share_of_one():
    total = equation(Sum(u[i], i), 1)
    assert not at_most(u[k], 1, total)
    assert not at_most(Sum(u[i] ** 2, i), 1, total)


def test_the_dimension_may_be_known_to_be_larger():
    assert at_most(2, n, dimension_at_least(n, 2))
    assert not at_most(2, n)


def test_a_new_index_is_new_or_one_of_those_that_are_there():
    first, second = ((Named("symbol", "f"), 1),), ((Named("symbol", "g"), 1),)
    found = list(plus_coincidences(Term(UNIT, (UNIT,), (first,)), second))
    together = ((Named("symbol", "f"), 1), (Named("symbol", "g"), 1))
    assert found == [
        Term(UNIT, (UNIT,), (first, second)),
        Term(UNIT, (UNIT,), (together,)),
        Term(UNIT, (second,), (first,)),
    ]


def test_the_middle_is_the_weighted_mean_of_both_sides():
    f, g = Named("symbol", "f"), Named("symbol", "g")
    assert beyond(((f, 1), (g, 1)), ((f, 2),), Fraction(1)) == ((g, 2),)
    assert beyond(((f, 2), (g, 1)), ((f, 3),), Fraction(1, 2)) == ((g, 3),)
    assert beyond(((f, 1),), ((f, 1),), Fraction(3)) == ((f, 1),)
