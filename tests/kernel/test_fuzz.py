"""Random expressions: the normal form agrees with direct evaluation, and nothing false is proved."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derivations.kernel import powers
from derivations.kernel.arithmetic import scale
from derivations.kernel.laws.table import rules
from derivations.kernel.terms import ONE

from . import agreement
from .agreement import KINDS, many_examples, one_example

FEW = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(rng=st.randoms(use_true_random=False))
def test_the_kernel_agrees_with_direct_evaluation(kind, rng):
    one_example(rng, kind)


def test_true_and_false_statements_are_both_tried_and_neither_is_mistaken():
    seen = many_examples(random.Random(20), 630)
    assert not [kind for kind, outcome in seen if outcome == "DISAGREES"]
    for kind in ("pair", "expectation pair", "inequality", "sums"):
        assert seen[kind, "true, proved"] >= 10
        assert seen[kind, "false, not proved"] >= 20
    for kind in ("form", "expectation"):
        assert seen[kind, "agrees"] >= 70
    assert seen["limit", "agrees"] >= 15


def spoil(monkeypatch, name, rule):
    """Put a false rule in the place of a law, for the reading of forms."""

    def spoiled(theories, laws=agreement.LAWS):
        found = rules(theories, laws)
        return {**found, name: rule} if name in found else found

    monkeypatch.setattr(agreement, "rules", spoiled)


def is_found(kind, most=2000):
    """Whether one of many random examples disagrees."""
    rng = random.Random(3)
    try:
        for _ in range(most):
            one_example(rng, kind)
    except agreement.Disagreement:
        return True
    return False


@pytest.mark.parametrize(
    ("kind", "name", "rule"),
    [
        ("form", "derivative.product", lambda context, rest, inner: inner),
        ("form", "summation.constant", lambda dimension: ONE),
        ("form", "definition.dot", lambda context, first, second: ONE),
        ("expectation", "independence.cumulants", lambda order: 1),
        ("expectation", "independence.moments", lambda moment, lower: moment),
        ("expectation", "variance.covariance", lambda context, joint, first, second: joint),
        ("limit", "limit.exponential", lambda: ONE),
        ("limit", "limit.maximum", lambda value: ONE),
        ("expectation", "linearity.expectation", lambda coefficient, value: scale(value, abs(coefficient))),
    ],
)
def test_a_false_law_is_found_by_fuzzing(monkeypatch, kind, name, rule):
    spoil(monkeypatch, name, rule)
    assert is_found(kind)


def test_a_root_of_a_square_without_its_absolute_value_is_found_by_fuzzing(monkeypatch):
    monkeypatch.setattr(powers, "absolute", lambda context, polynomial: polynomial)
    assert is_found("form")


def test_independence_that_is_not_given_is_found_by_fuzzing(monkeypatch):
    from derivations.kernel import expectation

    monkeypatch.setattr(expectation, "independence_given", lambda context, arrays: agreement.SIGNS[0])
    assert is_found("expectation")
