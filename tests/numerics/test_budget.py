"""One error rate shared by many examples: the shares, true claims over many examples, false ones at the share."""

from __future__ import annotations

from fractions import Fraction
from inspect import signature
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from known_statements import APART, STANDARD, VARIANCE, d_k

from derivations.loading import load_module
from derivations.records import Relation
from numerics import check_step
from numerics.catoni import Test
from numerics.instances import draw_instance
from numerics.monte_carlo import ALPHA, check_by_sampling
from numerics.sources import Seeded
from numerics.statements import make_statement
from numerics.strategies import ErrorBudget, check_instance, error_budget, instances_of, seeds

GIVENS = (*STANDARD, *APART)
TRUE = make_statement(GIVENS, VARIANCE, Relation.EQUALS, d_k)
FALSE = make_statement(GIVENS, VARIANCE, Relation.EQUALS, d_k + 1)
BUDGET = ErrorBudget(1e-6, examples=80)
SAMPLED = settings(
    max_examples=BUDGET.examples,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)


@given(st.floats(min_value=1e-300, max_value=1, exclude_max=True), st.integers(1, 10**6), st.integers(1, 10))
def test_the_shares_sum_to_at_most_alpha(alpha, examples, checks):
    budget = ErrorBudget(alpha, examples, checks)
    whole = Fraction(budget.share) * examples * checks
    assert whole <= Fraction(alpha)
    assert whole > Fraction(alpha) * (1 - Fraction(1, 10**15))


@pytest.mark.parametrize(("alpha", "examples", "checks"), [(0, 1, 1), (1, 1, 1), (0.1, 0, 1), (0.1, 1, 0)])
def test_a_budget_that_is_none_is_refused(alpha, examples, checks):
    with pytest.raises(ValueError, match=r"alpha|budget"):
        ErrorBudget(alpha, examples, checks)


def test_a_budget_takes_its_examples_from_the_settings():
    assert error_budget(0.01, examples=settings(max_examples=7)) == ErrorBudget(0.01, 7)
    assert error_budget(examples=7, checks=2) == ErrorBudget(ALPHA, 7, 2)
    assert error_budget().examples == settings().max_examples


def test_the_example_of_the_pages_passes():
    file = Path(__file__).parents[2] / "docs" / "examples" / "sampled.py"
    example = vars(load_module(str(file)))
    example["test_variance_of_a_dot_product"]()
    assert example["BUDGET"].share * 50 <= 1e-6


@SAMPLED
@given(instances_of(TRUE, law="continuous"), seeds())
def test_a_true_claim_is_refuted_at_no_example(instance, seed):
    check = check_instance(TRUE, instance, seed=seed, alpha=BUDGET.share)
    assert check.alpha == BUDGET.share
    assert check.outcome != "refuted", check.counterexample


def test_the_examples_above_are_sampled():
    """Otherwise no refutation would show nothing."""
    find(
        instances_of(TRUE, law="continuous"),
        lambda instance: check_instance(TRUE, instance, seed=0, alpha=BUDGET.share).outcome == "confirmed",
        settings=SAMPLED,
    )


def test_a_false_claim_is_refuted_at_the_share_and_repeats_from_the_example():
    found, seed = find(
        st.tuples(instances_of(FALSE, law="continuous"), seeds()),
        lambda one: check_instance(FALSE, one[0], seed=one[1], alpha=BUDGET.share).outcome == "refuted",
        settings=SAMPLED,
    )
    check = check_instance(FALSE, found, seed=seed, alpha=BUDGET.share)
    assert check == check_instance(FALSE, found, seed=seed, alpha=BUDGET.share)
    assert check.log_evidence >= check.threshold == Test(1, 1, BUDGET.share).threshold
    assert f"error rate {BUDGET.share:g}" in check.counterexample.left


def test_every_false_claim_of_many_is_refuted_at_the_share():
    """At d = 3 the claim d + 1 is twice as far off as what the plan must see."""
    for seed in range(20):
        instance = draw_instance(FALSE.letters, FALSE.facts, {d_k: 3}, Seeded(f"false/{seed}"), kind="continuous")
        assert check_instance(FALSE, instance, seed=seed, alpha=BUDGET.share).outcome == "refuted"


def test_another_seed_draws_other_samples():
    instance = draw_instance(TRUE.letters, TRUE.facts, {d_k: 2}, Seeded("other"), kind="continuous")
    one, other = (check_instance(TRUE, instance, seed=seed) for seed in (0, 2**63))
    assert one.log_evidence != other.log_evidence


def test_what_is_too_large_or_not_sampled_says_so():
    wide = draw_instance(TRUE.letters, TRUE.facts, {d_k: 2}, Seeded("other"), kind="continuous")
    assert "samples are too many" in check_instance(TRUE, wide, seed=0, most_cells=10).detail
    open_statement = make_statement((), d_k, Relation.EQUALS, d_k)
    assert check_instance(open_statement, wide, seed=0).outcome == "inconclusive"


def test_the_error_rate_of_a_check_is_an_argument_and_its_default_is_kept():
    check = check_by_sampling(FALSE, *FALSE.sides, step=1, seed=0, check=1, alpha=0.01)
    assert (check.alpha, check.outcome) == (0.01, "refuted")
    assert check.threshold == Test(1, 1, 0.01).threshold
    assert signature(check_by_sampling).parameters["alpha"].default == ALPHA == 1e-9
    sampled = [
        one for one in check_step(GIVENS, VARIANCE, Relation.EQUALS, d_k, alpha=1e-4) if one.method == "monte_carlo"
    ]
    assert [one.alpha for one in sampled] == [1e-4]
    assert sampled[0].threshold == Test(1, 1, 1e-4).threshold


def test_a_smaller_error_rate_asks_for_more_evidence_and_more_samples():
    strict, loose = (
        check_by_sampling(TRUE, *TRUE.sides, step=1, seed=0, check=1, alpha=alpha) for alpha in (1e-12, 1e-3)
    )
    assert strict.threshold > loose.threshold
    assert strict.samples > loose.samples
    assert (strict.outcome, loose.outcome) == ("confirmed", "confirmed")
