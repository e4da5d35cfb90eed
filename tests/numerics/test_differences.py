"""Derivatives: wrong versions are told apart at the very point, in doubles where those suffice, else in many digits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from known_statements import FALSE, JACOBIAN, TRUE, a, b, n, x, y, z
from sympy import Expr, Integer

from derivations.language.functions import absolute, exp, log, logsumexp, sigmoid, softmax
from derivations.language.operators import Derivative, Differential, Sum
from derivations.language.symbols import delta
from derivations.language.written import Times, exact
from derivations.records import Relation
from numerics import check_step, evidence
from numerics.arithmetic import DOUBLES
from numerics.checking import Instruments
from numerics.differences import check_differences, look
from numerics.instances import Instance
from numerics.pointwise import compare_at
from numerics.power import scaled_versions, shortened_versions, told_apart
from numerics.route import Route
from numerics.sources import Seeded
from numerics.statements import make_statement
from numerics.values import from_list

GRADIENT = Derivative(y[a], x[b])
SCORES = tuple(Fraction(k) for k in range(-30, 31))
FAR = tuple(Fraction(k) for k in range(-1000, 1001, 8))


def at(scores) -> Instance:
    return Instance({n: len(scores)}, {x: from_list(list(scores), (len(scores),))}, None)


def scores(size: int, pool, seed: str) -> list[Fraction]:
    source = Seeded(seed)
    return [source.choose(pool) for _ in range(size)]


def stated(claim: Expr, left: Expr = GRADIENT):
    return make_statement((), left, Relation.EQUALS, claim)


WRONG = {
    "1.001 times": exact(Fraction(1001, 1000)) * JACOBIAN,
    "twice": 2 * JACOBIAN,
    "zero": exact(0),
    "y_j dropped": y[a] * delta(a, b),
    "delta dropped": -y[a] * y[b],
    "sign flipped": y[a] * (delta(a, b) + y[b]),
    "negative": -JACOBIAN,
}


# -------------------------------------------------------------------------------------------- many digits


@pytest.mark.parametrize("seed", ["p", "q", "r", "s"])
@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_wrong_jacobians_are_told_apart_at_every_saturated_point(wrong: Expr, seed: str):
    """n = 10, scores of order 1000: every derivative is far below the smallest double."""
    place = at(scores(10, FAR, seed))
    assert compare_at(stated(wrong), place, Route())[1].verdict == "fails"


@pytest.mark.parametrize("seed", ["p", "q", "r", "s"])
def test_the_right_jacobian_holds_with_power_at_every_saturated_point(seed: str):
    comparison = compare_at(stated(JACOBIAN), at(scores(10, FAR, seed)), Route())[1]
    assert (comparison.verdict, comparison.powered) == ("holds", True)


def test_a_long_saturated_softmax():
    """n = 100, scores of order 30. With power means: 0, 2 J, 1.001 J, -J, each term dropped, each sign flipped."""
    comparison = compare_at(stated(JACOBIAN), at(scores(100, SCORES, "long")), Route())[1]
    assert (comparison.verdict, comparison.powered) == ("holds", True)


def test_the_versions_are_those_that_the_tests_name():
    names = {one.name for one in (*scaled_versions(JACOBIAN), *shortened_versions(JACOBIAN))}
    assert {"0", "twice", "1.001 times", "the negative"} <= names
    assert {"delta(a, b) dropped", "-y[b] dropped"} <= {name.replace("softmax(x)", "y") for name in names}
    assert sum("flipped" in name for name in names) == 2


def test_a_derivative_that_is_zero_here_is_no_evidence_for_the_others():
    """n = 1: the Jacobian is 0, and so is twice the Jacobian."""
    comparison = compare_at(stated(JACOBIAN), at([Fraction(3)]), Route())[1]
    assert (comparison.verdict, comparison.powered, comparison.zero) == ("holds", False, True)


def test_told_apart_needs_entries_that_have_settled():
    assert told_apart([1.0], [[1.001], [2.0], [1.0]], [1e-9]) == (True, True, False)
    assert told_apart([1.0], [[1.001], [2.0]], [1e-4]) == (False, True)
    assert told_apart([1e-20, 1.0], [[2e-20, 1.0]], [1e-12, 1e-12]) == (False,)


# ------------------------------------------------------------------------------------------------ doubles


def test_doubles_settle_moderate_points():
    assert look(stated(JACOBIAN), at([Fraction(1), Fraction(2), Fraction(-1, 2)])).finding == "agrees"


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_doubles_notice_wrong_jacobians_but_never_refute(wrong: Expr):
    assert look(stated(wrong), at([Fraction(1), Fraction(2), Fraction(-1, 2)])).finding == "differs"
    (check,) = check_differences(stated(wrong), step=1, seed=0, seconds=60)
    assert check.outcome == "inconclusive"


@pytest.mark.parametrize("claim", [JACOBIAN, *WRONG.values()], ids=["right", *WRONG])
@pytest.mark.parametrize("point", [scores(6, FAR, "doubles"), [0, 400, -400]], ids=["1000", "400"])
def test_a_saturated_point_is_no_evidence_in_doubles(claim: Expr, point):
    found = look(stated(claim), at([Fraction(one) for one in point])).finding
    assert found in ("unresolved", "differs", "powerless")
    if claim == JACOBIAN:
        assert found == "unresolved"


def test_no_true_derivative_differs_in_doubles_and_most_are_confirmed():
    outcomes = []
    for case in TRUE:
        statement = make_statement(case.givens, case.left, case.relation, case.right)
        for check in check_differences(statement, step=1, seed=3, seconds=60):
            assert "differ," not in check.detail, (case.name, check.detail)
            outcomes.append(check.outcome)
    assert outcomes.count("confirmed") >= 6


def test_no_false_derivative_is_confirmed_in_doubles():
    for case in FALSE:
        statement = make_statement(case.givens, case.left, case.relation, case.right)
        for check in check_differences(statement, step=1, seed=3, seconds=60):
            assert check.outcome == "inconclusive", case.name


def test_the_error_estimate_bounds_the_error():
    for number in (Fraction(1, 3), Fraction(-2), Fraction(5)):
        place = Instance({}, {z: np.asarray(number, dtype=object)}, None)
        for claim, left in ((exp(z), exp(z)), (sigmoid(z) * (1 - sigmoid(z)), sigmoid(z))):
            assert look(stated(claim, Derivative(left, z)), place).finding == "agrees"


def test_a_kink_is_no_evidence():
    place = Instance({}, {z: np.asarray(Fraction(1, 1000), dtype=object)}, None)
    statement = stated(absolute(z) / z, Derivative(absolute(z), z))
    assert look(statement, place).finding == "unresolved"  # only the narrowest step does not cross it


def test_what_overflows_is_no_evidence():
    statement = stated(exp(x[b]), Derivative(logsumexp(x), x[b]))
    assert look(statement, at([Fraction(1), Fraction(1000)])).finding == "unresolved"
    log_of_sum = stated(softmax(x)[b], Derivative(log(Sum(exp(x[a]), a)), x[b]))
    assert look(log_of_sum, at([Fraction(1), Fraction(1000)])).finding == "unresolved"


def test_a_broken_evaluator_in_doubles_is_noticed():
    """A planted fault: a softmax that is off by a little more for larger scores."""
    faulty = replace(DOUBLES, logsumexp=lambda data: DOUBLES.logsumexp(data) * (1 + 1e-3))
    statement = stated(softmax(x)[b], Derivative(logsumexp(x), x[b]))
    assert look(statement, at([Fraction(1), Fraction(2)])).finding == "agrees"
    assert look(statement, at([Fraction(1), Fraction(2)]), Route(doubles=faulty)).finding == "differs"


def test_the_check_of_a_step_has_both_routes():
    checks = check_step((), GRADIENT, Relation.EQUALS, JACOBIAN, instruments=Instruments(seconds=10))
    details = [one.detail for one in checks if one.method == "finite_differences"]
    assert len(details) == 2
    assert sum("in doubles" in one for one in details) == 1
    assert evidence(checks, 1) == "agrees"


def test_versions_of_a_claim_with_a_derivative_only_scale_it():
    claim = Derivative(y[b], x[a]) + 1
    assert isinstance(claim.args[0], Differential)
    assert shortened_versions(claim) == ()
    assert scaled_versions(claim)[0].claim == Times(Integer(0), claim)
