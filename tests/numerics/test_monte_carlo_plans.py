"""What is sampled and against what; how delta is chosen; what sampling refuses to judge."""

from __future__ import annotations

from fractions import Fraction

import pytest
from known_statements import (
    APART,
    CENTRED,
    GENERAL,
    STANDARD,
    VARIANCE,
    K,
    Q,
    a,
    d_k,
    i,
    mu_K,
    mu_Q,
    s,
    sigma_K,
    sigma_Q,
    x,
    y,
)
from sympy import Expr

from derivations.language.arrays import random_array
from derivations.language.distributions import normal
from derivations.language.functions import absolute, dot, exp, log, tanh
from derivations.language.givens import has_law, independent, independent_entries
from derivations.language.operators import Cov, Derivative, E, Sum, Var
from derivations.language.order import Max, largest, smallest
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics.arithmetic import high_precision
from numerics.bounds import square_bound
from numerics.catoni import Test
from numerics.environments import by_moments, enumerated
from numerics.errors import NotEvaluated, Unsupported
from numerics.evaluation import evaluate
from numerics.instances import draw_instance
from numerics.monte_carlo import MonteCarloRoute, check_by_sampling, check_instance, plan_job, statistic
from numerics.mutations import Claim, mutants
from numerics.sources import Seeded
from numerics.statements import Statement, make_statement
from numerics.streaming import run

ROUTE = MonteCarloRoute()


def stated(left: Expr, right: Expr, givens=(*STANDARD, *APART), relation: Relation = Relation.EQUALS) -> Statement:
    return make_statement(givens, left, relation, right)


def planned(statement: Statement, size: int = 3, seed: str = "plan"):
    instance = draw_instance(
        statement.letters, statement.facts, {d_k: size}, Seeded(seed), style="moderate", kind="continuous"
    )
    return plan_job(statement, *statement.sides, instance, seed=0, check=0, route=ROUTE), instance


@pytest.mark.parametrize(
    "side",
    [
        VARIANCE,
        E(dot(Q, K) ** 2) - 3 * Cov(Q[i], K[i]),
        Sum(Var(Q[i] * K[i]), i) / d_k,
        E(Q[i] ** 2) * E(K[i] ** 2),
        -Cov(Sum(Q[i], i), dot(Q, K)),
    ],
    ids=str,
)
def test_the_statistic_has_the_side_as_its_mean(side: Expr):
    statement = stated(side, exact(0), GENERAL)
    for seed in range(3):
        _, instance = (
            None,
            draw_instance(statement.letters, statement.facts, {d_k: 2}, Seeded(str(seed)), kind="continuous"),
        )
        exactly = by_moments(instance)
        mean = exactly.expect(evaluate(statistic(side), exactly))
        assert (mean.data == evaluate(side, exactly).data).all()


def test_a_side_that_is_not_linear_in_its_expectations_has_no_statistic():
    with pytest.raises(Unsupported):
        statistic(exp(E(Q[i])))


def test_delta_is_at_most_half_the_distance_to_the_nearest_wrong_variant():
    job, instance = planned(stated(VARIANCE, d_k))
    assert job.test.delta <= 0.5
    general, instance = planned(
        stated(
            VARIANCE, d_k * (sigma_Q**2 * sigma_K**2 + mu_Q**2 * sigma_K**2 + mu_K**2 * sigma_Q**2), (*GENERAL, *APART)
        )
    )
    s_q, s_k, m_q = (float(instance.numbers[one][()]) for one in (sigma_Q, sigma_K, mu_Q))
    assert 0 < general.test.delta <= 3 * m_q**2 * s_k**2 / 2
    assert general.test.delta <= 3 * s_q**2 * s_k**2 / 2


def test_the_variance_bound_is_exact():
    """Var of (Q·K)² at d = 3, uniform or whatever law was drawn, against a large sample."""
    job, _ = planned(stated(VARIANCE, d_k))
    from numerics.streaming import sampled

    values = sampled(job, 0, 2_000_000)
    assert values.var() == pytest.approx(job.test.variance_bound, rel=0.1)


@pytest.mark.parametrize(
    ("wrong", "givens"),
    [
        (d_k**2, (*STANDARD, *APART)),
        (d_k + 1, (*STANDARD, *APART)),
        (2 * d_k, (*STANDARD, *APART)),
        (exact(0), (*STANDARD, *APART)),
    ],
    ids=str,
)
def test_wrong_values_are_refuted_by_sampling_alone(wrong: Expr, givens):
    check = check_by_sampling(stated(VARIANCE, wrong, givens), VARIANCE, wrong, step=1, seed=0, check=1)
    assert check.outcome == "refuted"
    assert check.counterexample is not None


def test_a_right_value_is_confirmed_by_sampling_alone():
    check = check_by_sampling(stated(VARIANCE, d_k), VARIANCE, d_k, step=1, seed=0, check=1)
    assert check.outcome == "confirmed"
    assert check.delta is not None
    assert check.delta <= 0.5
    assert check.variance_bound_from.startswith("exact moments")
    assert (check.alpha, check.beta) == (1e-9, 1e-6)


def test_what_has_no_exact_variance_is_inconclusive():
    lone = random_array("V")
    statement = make_statement([has_law(lone, normal(0, 1))], E(exp(tanh(lone))), Relation.EQUALS, exact(1))
    check = check_by_sampling(statement, *statement.sides, step=1, seed=0, check=1)
    assert check.outcome == "inconclusive"
    assert check.detail


@pytest.mark.parametrize(
    ("relation", "bound", "outcome"),
    [
        (Relation.AT_MOST, d_k, "confirmed"),
        (Relation.AT_MOST, 2 * d_k, "confirmed"),
        (Relation.AT_MOST, d_k / 2, "refuted"),
        (Relation.AT_LEAST, d_k / 2, "confirmed"),
        (Relation.AT_LEAST, 2 * d_k, "refuted"),
    ],
    ids=str,
)
def test_inequalities_are_tested_on_one_side(relation: Relation, bound: Expr, outcome: str):
    statement = stated(VARIANCE, bound, relation=relation)
    assert check_by_sampling(statement, VARIANCE, bound, step=1, seed=0, check=1).outcome == outcome
    turned = {Relation.AT_MOST: Relation.AT_LEAST, Relation.AT_LEAST: Relation.AT_MOST}[relation]
    mirrored = stated(bound, VARIANCE, relation=turned)
    assert check_by_sampling(mirrored, VARIANCE, bound, step=1, seed=0, check=1).outcome == outcome


@pytest.mark.parametrize(("factor", "outcome"), [(2, "confirmed"), (1, "refuted")])
def test_the_expected_maximum_of_normals_is_told_from_a_wrong_bound(factor: int, outcome: str):
    bound = sqrt(factor * log(d_k))
    statement = stated(E(largest(Q)), bound, (independent_entries(Q), has_law(Q, normal(0, 1))), Relation.AT_MOST)
    check = check_by_sampling(statement, *statement.sides, step=1, seed=0, check=1)
    assert check.outcome == outcome
    assert check.variance_bound_from == "exact moments of a bound on its square"


@pytest.mark.parametrize(
    "expression",
    [
        largest(Q) - 2 * smallest(Q),
        absolute(dot(Q, K)) / d_k,
        tanh(Q[i]) * 3,
        Sum(absolute(Q[i]), i) + 1,
        Max(Q[i] * K[i], i),
    ],
    ids=str,
)
def test_a_bound_is_never_below_the_square(expression: Expr):
    statement = stated(E(Sum(Q[i] * K[i], i)), exact(0), (*GENERAL, *APART))
    for seed in range(10):
        instance = draw_instance(statement.letters, statement.facts, {d_k: 2}, Seeded(str(seed)))
        place = enumerated(instance, high_precision(30), most=1000)
        gap = evaluate(square_bound(expression) - expression**2, place)
        assert min(gap.data.reshape(-1)) >= -1e-20


def test_derivatives_are_left_to_other_routes():
    statement = make_statement((), Derivative(E(dot(Q, K)) * s, s), Relation.EQUALS, E(dot(Q, K)))
    assert check_by_sampling(statement, *statement.sides, step=1, seed=0, check=1).outcome == "inconclusive"


def test_too_few_samples_are_inconclusive():
    from dataclasses import replace

    job, _ = planned(stated(VARIANCE, d_k))
    assert run(replace(job, limit=50)).outcome == "inconclusive"


def test_a_statement_without_randomness_has_no_plan():
    statement = make_statement((), Sum(y[a], a), Relation.EQUALS, exact(1))
    instance = draw_instance(statement.letters, statement.facts, {x.shape[0]: 2}, Seeded("none"))
    with pytest.raises(NotEvaluated):
        plan_job(statement, *statement.sides, instance, seed=0, check=0, route=ROUTE)


def test_the_nearest_wrong_variant_is_told_apart_at_dimension_one_too():
    """At d = 1, d² equals d: there the sampling cannot refute, and at the dimensions drawn it must."""
    givens = [independent(Q, K)]
    for one in (Q, K):
        givens += [independent_entries(one), has_law(one, normal(0, 1))]
    check = check_by_sampling(stated(VARIANCE, d_k**2, givens), VARIANCE, d_k**2, step=1, seed=0, check=1)
    assert check.outcome == "refuted"


def test_scaling_the_variance_is_noticed():
    wrong = d_k * sigma_Q**2 * sigma_K
    outcomes = {
        check_by_sampling(
            stated(VARIANCE, wrong, (*CENTRED, *APART)), VARIANCE, wrong, step=1, seed=seed, check=1
        ).outcome
        for seed in range(6)
    }
    assert "refuted" in outcomes


def test_the_test_stops_early_when_it_may():
    job, _ = planned(stated(VARIANCE, d_k))
    result = run(job)
    assert result.outcome == "confirmed"
    assert result.samples <= Test(job.test.variance_bound, job.test.delta).samples


def distances_of_mutants(claimed: Expr, statement: Statement, instance) -> list[float]:
    """How far each mutant of the claimed side is from it, zero excluded."""
    exactly = by_moments(instance)
    value = evaluate(claimed, exactly).data[()]
    found = []
    for mutant in mutants(Claim(statement.left, Relation.EQUALS, claimed), statement.facts.givens):
        try:
            other = evaluate(mutant.claim.right, exactly).data[()]
        except (NotEvaluated, ArithmeticError):
            continue
        found += [abs(float(other - value))] if other != value else []
    return found


@pytest.mark.parametrize(
    "claimed",
    [d_k, Sum(E(Q[i] ** 2) * E(K[i] ** 2), i), d_k**2 / (d_k + 8) + d_k / 2],
    ids=str,
)
@pytest.mark.parametrize("size", [2, 4, 9])
def test_delta_is_at_most_half_the_distance_to_the_nearest_mutant_at_the_dimension_drawn(claimed: Expr, size: int):
    statement = stated(VARIANCE, claimed)
    job, instance = planned(statement, size)
    nearest = min(distances_of_mutants(claimed, statement, instance))
    assert 0 < job.test.delta <= nearest / 2 * (1 + 1e-12)


def test_a_mutant_nearer_than_every_simple_variant_sets_delta():
    """A sum over d + 1 for one over d: 1/10 away at d = 9, where the simplest variants are 1/9 away or further."""
    statement = stated(VARIANCE / d_k, Sum(E(Q[i] ** 2) * E(K[i] ** 2), i) / d_k)
    job, _ = planned(statement, 9)
    assert job.test.delta == pytest.approx(1 / 20)


@pytest.mark.parametrize("size", [16, 64])
@pytest.mark.parametrize("seed", range(3))
def test_a_relative_error_of_one_percent_is_refuted_within_the_planned_samples(size: int, seed: int):
    """The nearest mutant leaves out the factor 1.01. More is planned than a check of a step spends, so the test allows
    for it; a few of the draws suffice."""
    claimed = exact(Fraction(101, 100)) * d_k
    statement = stated(VARIANCE, claimed)
    instance = draw_instance(
        statement.letters, statement.facts, {d_k: size}, Seeded(f"one percent/{seed}"), kind="continuous"
    )
    job = plan_job(statement, *statement.sides, instance, seed=seed, check=0, route=ROUTE)
    assert job.test.delta == pytest.approx(0.005 * size)
    check = check_instance(statement, instance, seed=seed, most_cells=400_000_000)
    assert check.outcome == "refuted"
    assert check.samples <= job.samples * job.draws
    assert "samples are too many" in check_instance(statement, instance, seed=seed).detail


def test_a_true_claim_is_confirmed_to_one_percent():
    statement = stated(VARIANCE, d_k)
    instance = draw_instance(statement.letters, statement.facts, {d_k: 16}, Seeded("one percent"), kind="continuous")
    check = check_instance(statement, instance, seed=0, precision=0.01, most_cells=100_000_000)
    assert check.outcome == "confirmed"
    assert check.delta == pytest.approx(0.16)
