"""True statements are confirmed and never refuted; false ones are refuted with a counterexample."""

from __future__ import annotations

import pytest
from known_statements import APART, FALSE, STANDARD, TRUE, Case, K, Q, d_k, i

from derivations.language.functions import dot
from derivations.language.operators import E, Sum, Var
from derivations.language.written import exact
from derivations.records import Derivation, Line, Relation, Title
from numerics import check_derivation, check_step, evidence
from numerics.checking import Instruments

FAST = Instruments(points=14, seconds=0.4)


@pytest.mark.parametrize("case", TRUE, ids=lambda case: case.name)
@pytest.mark.parametrize("seed", [0, 1])
def test_true_statements_are_confirmed(case: Case, seed: int):
    checks = check_step(case.givens, case.left, case.relation, case.right, seed=seed, instruments=FAST)
    assert evidence(checks, 1) == "agrees", checks


@pytest.mark.parametrize("case", FALSE, ids=lambda case: case.name)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_false_statements_are_refuted_with_a_counterexample(case: Case, seed: int):
    checks = check_step(case.givens, case.left, case.relation, case.right, seed=seed, instruments=FAST)
    assert evidence(checks, 1) == "refutes", checks
    example = next(check.counterexample for check in checks if check.outcome == "refuted")
    assert example is not None
    assert example.left != example.right or case.relation is Relation.LESS
    assert len(example.assignment) < 400


def chain(end: object) -> Derivation:
    lines = (
        Line(Relation.EQUALS, Var(Sum(Q[i] * K[i], i))),
        Line(Relation.EQUALS, Sum(Var(Q[i] * K[i]), i)),
        Line(Relation.EQUALS, Sum(1, i)),
        Line(Relation.EQUALS, exact(end)),
    )
    return Derivation("variance", Title("Variance", "方差"), Var(dot(Q, K)), lines, (*STANDARD, *APART))


def test_every_step_of_a_derivation_is_checked():
    checks = check_derivation(chain(d_k))
    assert [evidence(checks, step) for step in (1, 2, 3, 4)] == ["agrees"] * 4
    assert any(check.method == "monte_carlo" and check.outcome == "confirmed" for check in checks)


def test_only_the_wrong_step_is_refuted():
    checks = check_derivation(chain(d_k + 1))
    assert [evidence(checks, step) for step in (1, 2, 3, 4)] == ["agrees"] * 3 + ["refutes"]


def test_the_same_seed_gives_the_same_checks():
    patient = Instruments(points=10, seconds=60)
    first, second = (check_derivation(chain(d_k), seed=5, instruments=patient) for _ in range(2))
    assert first == second


def test_contradictory_givens_are_inconclusive():
    from derivations.language.givens import has_variance

    checks = check_step((*STANDARD, has_variance(Q, 2)), Var(Q[i]), Relation.EQUALS, exact(1))
    assert evidence(checks, 1) == "inconclusive"


def test_a_moment_that_no_law_has_is_inconclusive():
    from derivations.language.givens import has_moment

    checks = check_step((*STANDARD, has_moment(Q, 4, exact(1) / 2)), E(Q[i] ** 4), Relation.EQUALS, exact(1) / 2)
    assert evidence(checks, 1) == "inconclusive"


def test_no_checks_are_inconclusive():
    assert evidence((), 1) == "inconclusive"
