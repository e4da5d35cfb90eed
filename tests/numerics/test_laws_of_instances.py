"""Laws have the moments that were declared, and joint laws the independence; what is left open is really used."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from known_statements import APART, STANDARD, K, Q, X, Y, Z, d_k

from derivations.language.givens import (
    Given,
    has_mean,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
    pairwise_independent,
)
from numerics.errors import NothingFound
from numerics.facts import VARIANCE, read_givens
from numerics.instances import Instance, draw_instance, letters_of
from numerics.joint import FiniteBlock, Plan, plans
from numerics.laws import UNIT_VARIANCE, finite_standard, fitted
from numerics.sources import Seeded, Simplest

SPECS = (
    {1: 0, VARIANCE: 1},
    {1: 2, VARIANCE: Fraction(1, 3)},
    {1: Fraction(1, 2)},
    {VARIANCE: 2},
    {2: 3},
    {2: 3, VARIANCE: 2},
    {1: 0, VARIANCE: 1, 4: 3},
    {1: 0, VARIANCE: 1, 4: 1},
    {1: 0, VARIANCE: 4, 3: 0, 4: 48},
    {1: 1, 3: 2},
    {},
)


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_a_fitted_law_has_the_declared_moments(spec: dict[int, Fraction]):
    for seed in range(20):
        law = fitted({order: Fraction(value) for order, value in spec.items()}, Seeded(str(seed)))
        assert sum(law.weights) == 1
        assert min(law.weights) > 0
        for order, value in spec.items():
            if order == VARIANCE:
                assert law.moment(2) - law.moment(1) ** 2 == value
            else:
                assert law.moment(order) == value


def test_what_is_not_declared_varies():
    thirds = {fitted({1: Fraction(0), VARIANCE: Fraction(1)}, Seeded(str(seed))).moment(3) for seed in range(30)}
    means = {fitted({}, Seeded(str(seed))).moment(1) for seed in range(30)}
    assert len(thirds) > 2
    assert len(means) > 2


@pytest.mark.parametrize("spec", [{VARIANCE: -1, 1: 0}, {1: 0, VARIANCE: 1, 4: Fraction(1, 2)}, {1: 2, 2: 1}])
def test_moments_that_no_law_has_are_not_found(spec: dict[int, Fraction]):
    with pytest.raises(NothingFound):
        fitted({order: Fraction(value) for order, value in spec.items()}, Simplest())


@pytest.mark.parametrize("law", UNIT_VARIANCE, ids=lambda law: law.name)
def test_a_sampler_draws_its_law(law):
    data = np.empty(400_000)
    law.draw(np.random.default_rng(1), data)
    for order in (1, 2, 3, 4):
        spread = float(law.moment(2 * order) - law.moment(order) ** 2)
        assert abs((data**order).mean() - float(law.moment(order))) < 6 * np.sqrt(spread / len(data))
    assert law.moment(1) == 0
    assert law.moment(2) == 1


def test_a_sampler_of_a_finite_law_draws_its_weights():
    law = fitted({1: Fraction(0), VARIANCE: Fraction(1), 4: Fraction(3)}, Seeded("weights"))
    data = np.empty(200_000)
    finite_standard(law).draw(np.random.default_rng(1), data)
    for value, weight in zip(law.values, law.weights, strict=True):
        assert abs((data == float(value)).mean() - float(weight)) < 6 * np.sqrt(0.25 / len(data))


# -------------------------------------------------------------------------------------------- joint laws


def drawn(givens: tuple[Given, ...], plan: Plan, seed: int, arrays=(Q, K), size: int = 2) -> Instance:
    letters = letters_of(arrays)
    return draw_instance(letters, read_givens(givens), {d_k: size}, Seeded(str(seed)), plan=plan)


def expectation(instance: Instance, function) -> Fraction:
    """By brute force over all outcomes."""
    assert instance.joint is not None
    weights, values = instance.joint.enumerated(10_000)
    return sum(
        (
            weight * function({array: value.data[k] for array, value in values.items()})
            for k, weight in enumerate(weights)
        ),
        Fraction(0),
    )


def test_every_plan_respects_the_declared_moments():
    facts = read_givens(STANDARD)
    for plan, seed in product(plans(facts, (Q, K)), range(5)):
        instance = drawn(STANDARD, plan, seed)
        for array in (Q, K):
            for k in range(2):
                assert expectation(instance, lambda v, a=array, k=k: v[a][k]) == 0
                assert expectation(instance, lambda v, a=array, k=k: v[a][k] ** 2) == 1


def test_every_plan_respects_declared_independence():
    """Products of any functions of independent cells factor; entries of Q stay independent in every plan."""
    for plan, seed in product(plans(read_givens(STANDARD), (Q, K)), range(5)):
        instance = drawn(STANDARD, plan, seed)
        both = expectation(instance, lambda v: v[Q][0] ** 2 * v[Q][1] ** 3)
        first = expectation(instance, lambda v: v[Q][0] ** 2)
        second = expectation(instance, lambda v: v[Q][1] ** 3)
        assert both == first * second


def test_without_independence_a_plan_makes_arrays_dependent():
    found = {
        expectation(drawn(STANDARD, plan, seed), lambda v: v[Q][0] * v[K][0])
        for plan, seed in product(plans(read_givens(STANDARD), (Q, K)), range(5))
    }
    assert {Fraction(0), Fraction(1)} <= found
    assert min(found) < 0


def test_with_independence_only_the_independent_plan_is_left():
    assert plans(read_givens((*STANDARD, *APART)), (Q, K)) == (Plan(),)


def test_without_independent_entries_a_plan_makes_entries_equal():
    givens = (has_mean(Q, 0), has_variance(Q, 1), identically_distributed(Q))
    found = {
        expectation(drawn(givens, plan, 0, (Q,)), lambda v: v[Q][0] * v[Q][1])
        for plan in plans(read_givens(givens), (Q,))
    }
    assert Fraction(1) in found


def test_without_identical_laws_entries_get_different_ones():
    givens = (has_mean(Q, 0), has_variance(Q, 1), independent_entries(Q))
    assert any(
        expectation(instance, lambda v: v[Q][0] ** 3) != expectation(instance, lambda v: v[Q][1] ** 3)
        for instance in (drawn(givens, Plan(), seed, (Q,)) for seed in range(20))
    )


def test_pairwise_independence_leaves_a_dependent_triple():
    givens = (
        pairwise_independent(X, Y, Z),
        *(has_mean(one, 0) for one in (X, Y, Z)),
        *(has_variance(one, 1) for one in (X, Y, Z)),
    )
    triples = [plan for plan in plans(read_givens(givens), (X, Y, Z)) if plan.triple]
    assert triples
    instance = draw_instance(letters_of((X, Y, Z)), read_givens(givens), {}, Simplest(), plan=triples[0])
    assert expectation(instance, lambda v: v[X] * v[Y]) == 0
    assert abs(expectation(instance, lambda v: v[X] * v[Y] * v[Z])) == 1
    assert not any(plan.triple for plan in plans(read_givens((independent(X, Y, Z),)), (X, Y, Z)))


def test_moments_of_blocks_are_those_of_the_outcomes():
    for seed in range(10):
        instance = drawn(STANDARD, Plan(follow="copy"), seed)
        assert instance.joint is not None
        for block in instance.joint.blocks:
            assert isinstance(block, FiniteBlock)
            monomial = tuple((cell, k + 1) for k, cell in enumerate(sorted(block.cells)))
            place = {cell: k for k, cell in enumerate(block.cells)}
            direct = sum(
                weight * np.prod([outcome[place[cell]] ** power for cell, power in monomial])
                for weight, outcome in zip(block.weights, block.outcomes, strict=True)
            )
            assert block.moment(monomial) == direct
