"""Laws that are symmetric about zero: signs turn round together, and only where nothing else depends on them."""

import pytest

from derivations.kernel.laws.samples import V, W, X, Y, a, i, j, n, s
from derivations.kernel.record import Status
from derivations.language.distributions import bernoulli, normal, rademacher, uniform
from derivations.language.functions import absolute, cos, exp, sin, softmax
from derivations.language.givens import has_law, independent, independent_entries
from derivations.language.operators import E
from derivations.language.order import largest, smallest

from .steps import proof, proved

NORMAL = (has_law(X, normal(0, s**2)),)
ENTRIES = (has_law(V, normal(0, s**2)), independent_entries(V))
BOTH = (*NORMAL, has_law(Y, normal(0, 1)))


@pytest.mark.parametrize("law", [normal(0, s**2), uniform(-1, 1), uniform(-s, s), rademacher()])
def test_an_odd_function_has_mean_zero_under_a_symmetric_law(law):
    assert proved(E(sin(X)), 0, given=[has_law(X, law)])
    assert proved(E(exp(sin(X))), E(exp(-sin(X))), given=[has_law(X, law)])


@pytest.mark.parametrize("law", [normal(a, 1), uniform(0, 1), bernoulli(s)])
def test_not_under_another_law(law):
    assert not proved(E(sin(X)), 0, given=[has_law(X, law)])


def test_an_even_function_or_one_of_neither_kind_keeps_its_mean():
    assert not proved(E(cos(X)), 0, given=NORMAL)
    assert not proved(E(sin(X + 1)), 0, given=NORMAL)
    assert not proved(E(exp(sin(X))), 1, given=NORMAL)


def test_largest_and_smallest_change_places_where_the_entries_are_independent():
    assert proved(E(largest(V)), -E(smallest(V)), given=ENTRIES)
    assert proved(E(largest(V) - smallest(V)), 2 * E(largest(V)), given=ENTRIES)
    assert not proved(E(largest(V)), -E(smallest(V)), given=ENTRIES[:1])
    assert not proved(E(largest(V)), E(smallest(V)), given=ENTRIES)


def test_another_array_must_not_depend_on_it():
    assert proved(E(sin(X * Y)), 0, given=[*BOTH, independent(X, Y)])
    assert not proved(E(sin(X * Y)), 0, given=BOTH)
    assert not proved(E(largest(V) * sin(W[i])), 0, given=[*ENTRIES, has_law(W, normal(0, 1)), independent_entries(W)])


def test_entries_that_may_be_one_are_turned_round_together():
    assert proved(E(sin(V[i]) * cos(V[j])), 0, given=ENTRIES)
    assert not proved(E(sin(V[i]) * sin(V[j])), 0, given=ENTRIES)
    assert proved(E(softmax(V)[i] - softmax(-V)[i]), 0, given=ENTRIES)
    assert not proved(E(softmax(V)[i]), 1 / n**2, given=ENTRIES)


def test_an_odd_function_without_a_mean_has_none():
    found = proof(E(1 / X), 0, given=NORMAL)
    assert found.status is not Status.CLOSED
    assert any("exists" in one.text for one in found.obligations if one.open)
    assert proved(E(absolute(X) * X), 0, given=NORMAL)
