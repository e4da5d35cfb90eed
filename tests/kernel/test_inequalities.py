"""Inequalities by certificate: no sign is turned round by a denominator."""

import pytest

from derivations.kernel.laws.samples import a, b, i, s, x
from derivations.language.functions import exp
from derivations.language.givens import positive
from derivations.language.operators import Sum
from derivations.records import Relation

from .steps import proved


@pytest.mark.parametrize("relation", [Relation.GREATER, Relation.AT_LEAST, Relation.LESS, Relation.AT_MOST])
def test_a_fraction_with_a_denominator_of_unknown_sign_has_no_sign(relation):
    assert not proved(1 / (a - b), 0, relation=relation)


def test_clearing_an_odd_power_proves_no_inequality():
    assert not proved(a**2 / (a - b), 0, relation=Relation.AT_LEAST)
    assert not proved(1 / (a - b) ** 3, 0, relation=Relation.GREATER)


def test_clearing_an_even_power_keeps_the_sign():
    assert proved((a**2 + 1) * (a - b) ** (-2), 0, relation=Relation.AT_LEAST)
    assert proved((a - b) ** (-2), -1 / (1 + a**2), relation=Relation.AT_LEAST)


def test_a_denominator_known_to_be_positive_keeps_the_sign():
    assert proved(exp(a) / (exp(a) + exp(b)), 1, relation=Relation.LESS)
    assert not proved(exp(a) / (exp(a) + exp(b)), 1, relation=Relation.GREATER)
    assert proved(1 / (s + 1), 1, relation=Relation.LESS, given=[positive(s)])
    assert not proved(1 / (s + 1), 1, relation=Relation.LESS)


def test_squares_are_not_negative_and_may_be_zero():
    assert proved(Sum(x[i] ** 2, i), 0, relation=Relation.AT_LEAST)
    assert not proved(Sum(x[i] ** 2, i), 0, relation=Relation.GREATER)
    assert not proved(Sum(x[i], i), 0, relation=Relation.AT_LEAST)


def test_equal_sides_satisfy_only_the_relations_that_are_not_strict():
    for relation in (Relation.AT_MOST, Relation.AT_LEAST):
        assert proved((a - b) * (a + b), a**2 - b**2, relation=relation)
    for relation in (Relation.LESS, Relation.GREATER):
        assert not proved((a - b) * (a + b), a**2 - b**2, relation=relation)
