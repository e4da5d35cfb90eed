"""Exact numbers made of powers of e: what is equal is told from what only looks so."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from mpmath import mp

from derivations.language.arrays import array
from derivations.language.functions import exp, logsumexp, norm, sigmoid, softmax, tanh
from derivations.language.givens import dimension_at_least
from derivations.language.operators import Sum
from derivations.language.order import Max
from derivations.language.symbols import Dimension, Scalar, delta, index
from derivations.language.written import exact
from derivations.records import Relation
from numerics import check_step, evidence
from numerics.arithmetic import UNDEFINED
from numerics.errors import NotRational
from numerics.exponentials import EXPONENTIALS, Quotient, exponential, logarithm

n = Dimension("n")
i, k = index("i", n), index("k", n)
x = array("x", n)
z = Scalar("z")
F = Fraction


def vector(*entries: int) -> np.ndarray:
    return np.array([F(one) for one in entries], dtype=object)


def of(name: str, value: Fraction):
    return EXPONENTIALS.functions[name](np.asarray(value, dtype=object)).item()


def test_sums_and_quotients_are_compared_exactly():
    e = exponential(F(1))
    assert e * exponential(F(-1)) == 1
    assert (e + 1) ** 2 == exponential(F(2)) + 2 * e + 1
    assert (e**2 - 1) / (e - 1) == e + 1
    assert 1 / e == exponential(F(-1))
    assert e - e == 0
    assert abs(1 - e) == e - 1
    assert F(271828, 100000) < e < F(271829, 100000)
    assert sorted([e, F(2), exponential(F(1, 2)), F(3)]) == [exponential(F(1, 2)), F(2), e, F(3)]


def test_a_number_nearer_to_one_than_any_digits_reach_is_not_one():
    near = of("sigmoid", F(10**6))
    assert near != 1
    assert near < 1
    assert of("tanh", F(10**5)) < 1
    assert near + of("sigmoid", F(-(10**6))) == 1


def test_values_are_those_of_another_library():
    with mp.workdps(40):
        shares = EXPONENTIALS.softmax(vector(1, 2, -1))
        total = sum(mp.exp(one) for one in (1, 2, -1))
        for share, one in zip(shares, (1, 2, -1), strict=True):
            assert abs(mp.mpf(share) - mp.exp(one) / total) < mp.mpf(10) ** -35
    assert shares.sum() == 1
    assert float(of("tanh", F(1, 2))) == pytest.approx(float(mp.tanh(0.5)), rel=1e-15)


def test_logarithms_and_roots_are_taken_of_powers_alone():
    assert logarithm(exponential(F(3, 2))) == F(3, 2)
    assert EXPONENTIALS.logsumexp(vector(5)).item() == 5
    with pytest.raises(NotRational):
        EXPONENTIALS.logsumexp(vector(1, 2))
    with pytest.raises(NotRational):
        logarithm(F(2))
    assert logarithm(-exponential(F(1))) is UNDEFINED
    with pytest.raises(NotRational):
        EXPONENTIALS.power(np.asarray(exponential(F(1)), dtype=object), np.asarray(F(1, 2), dtype=object))


def test_what_is_undefined_stays_so():
    assert exponential(F(1)) / (exponential(F(1)) - exponential(F(1)) + 0 * exponential(F(2)) + F(1)) == exponential(
        F(1)
    )
    zero = Quotient({})
    assert exponential(F(1)) / zero is UNDEFINED
    assert exponential(UNDEFINED) is UNDEFINED
    assert (exponential(F(1)) + UNDEFINED) is UNDEFINED


FALSE = {
    "at zero": (1 + z, Relation.LESS, exp(z)),
    "one entry: log-sum-exp": (Max(x[i], i), Relation.LESS, logsumexp(x)),
    "one entry: squares": (Sum(softmax(x)[i] ** 2, i), Relation.GREATER, 1 / n),
    "one entry: softmax": (softmax(x)[i], Relation.LESS, exact(1)),
    "one entry: nothing is summed": (Sum((1 - delta(i, k)) * exp(x[i]), i), Relation.GREATER, exact(0)),
    "both signs": (exp(z) + exp(-z), Relation.GREATER, exact(2)),
    "in the middle": (sigmoid(z) * (1 - sigmoid(z)), Relation.LESS, exact(1) / 4),
    "always": (Sum(softmax(x)[i], i), Relation.LESS, exact(1)),
    "a zero vector": (norm(x), Relation.GREATER, exact(0)),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_strict_inequality_that_is_an_equality_somewhere_is_refuted(name):
    left, relation, right = FALSE[name]
    assert evidence(check_step((), left, relation, right), 1) == "refutes"


TRUE = {
    "sigmoid": (sigmoid(z), Relation.LESS, exact(1), ()),
    "tanh": (tanh(z), Relation.GREATER, exact(-1), ()),
    "softmax of several": (softmax(x)[k], Relation.LESS, exact(1), (dimension_at_least(n, 2),)),
    "an exponential": (exp(z), Relation.GREATER, exact(0), ()),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_strict_inequality_that_holds_everywhere_agrees(name):
    left, relation, right, givens = TRUE[name]
    assert evidence(check_step(givens, left, relation, right), 1) == "agrees"
