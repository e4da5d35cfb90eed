"""Enclosures contain the true values and refute only what is false; they need python-flint."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from known_statements import FALSE, TRUE, a, s, t, x, y, z
from sympy import pi

from derivations.language.functions import absolute, cos, erf, exp, log, logsumexp, sigmoid, sin, tanh
from derivations.language.operators import Derivative, Sum
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics import check_step
from numerics.arithmetic import high_precision
from numerics.balls import available, check_balls, enclose
from numerics.evaluation import Environment, evaluate
from numerics.instances import Instance
from numerics.pointwise import check_points
from numerics.statements import make_statement
from numerics.values import Value, boxed, from_list

needs_flint = pytest.mark.skipif(not available(), reason="needs python-flint")
N = x.shape[0]


def instance(*scores: int) -> Instance:
    count = len(scores)
    numbers = {
        x: from_list([Fraction(one) for one in scores], (count,)),
        t: from_list([Fraction(1, k + 2) for k in range(count)], (count,)),
        s: np.asarray(Fraction(3, 2), dtype=object),
        z: np.asarray(Fraction(-1, 3), dtype=object),
    }
    return Instance({N: count}, numbers, None)


EXPRESSIONS = (
    exp(z) + log(s) * sin(z) - cos(s) / tanh(s) + erf(z),
    sigmoid(z) + absolute(z) + sqrt(s) + s**3 + s ** (-2),
    exact(pi) * exp(1) + logsumexp(x),
    Sum(y[a] * t[a], a),
    y[a] * t[a],
)


@needs_flint
@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_a_ball_contains_the_value(expression):
    import flint

    from numerics.balls import balls

    place = instance(1, -2, 3)
    many = high_precision(60)

    def value(arithmetic):
        values = {
            one: Value(boxed(arithmetic.convert(data), data), (), data.ndim) for one, data in place.numbers.items()
        }
        return evaluate(expression, Environment(arithmetic, place.sizes, values)).data.reshape(-1)

    with flint.ctx.workprec(100):
        found = value(balls())
    with flint.ctx.workprec(250):
        for ball, number in zip(found, value(many), strict=True):
            near = flint.arb(str(number)) + flint.arb(0, 1e-40)  # the sixtieth digit of the other is rounded
            assert ball.overlaps(near)
            assert ball.rad() < 1e-25


@needs_flint
def test_a_saturated_softmax_needs_more_bits():
    statement = make_statement((), 1 - y[a], Relation.EQUALS, Sum(y[a], a) - y[a])
    found = enclose(statement, instance(0, 500, -500))
    assert (found.finding, found.powered) == ("holds", True)
    assert found.bits > 128
    wrong = make_statement((), 1 - y[a], Relation.EQUALS, exact(0))
    assert enclose(wrong, instance(0, 500, -500)).finding == "fails"


@needs_flint
def test_no_true_statement_is_refuted_and_most_are_confirmed():
    outcomes = []
    for case in TRUE:
        statement = make_statement(case.givens, case.left, case.relation, case.right)
        for check in check_balls(statement, step=1, seed=1, seconds=5):
            assert check.outcome != "refuted", case.name
            outcomes.append(check.outcome)
    assert outcomes.count("confirmed") >= 8


@needs_flint
def test_no_false_statement_is_confirmed():
    outcomes = []
    for case in FALSE:
        statement = make_statement(case.givens, case.left, case.relation, case.right)
        outcomes += [check.outcome for check in check_balls(statement, step=1, seed=1, seconds=5)]
    assert "confirmed" not in outcomes
    assert outcomes.count("refuted") >= 4


@needs_flint
def test_numbers_that_are_only_approximate_are_no_evidence():
    place = instance(1, 2)
    rough = replace(place, numbers={**place.numbers, s: np.asarray(high_precision(50).constants["pi"], dtype=object)})
    statement = make_statement((), s * s, Relation.EQUALS, s**2)
    with pytest.raises(Exception, match="only an approximation"):
        enclose(statement, rough)


@needs_flint
def test_the_check_of_a_step_says_rigorous():
    checks = check_step((), Sum(y[a], a), Relation.EQUALS, exact(1))
    assert any(one.detail.startswith("rigorous") and one.outcome == "confirmed" for one in checks)


def test_without_enclosures_many_digits_are_called_not_rigorous(monkeypatch):
    monkeypatch.setattr("numerics.balls.available", lambda: False)
    checks = check_step((), Sum(y[a], a), Relation.EQUALS, exact(1))
    assert [one.outcome for one in checks] == ["confirmed"]
    assert "not rigorous" in checks[0].detail


def test_exact_checks_are_not_called_so():
    statement = make_statement((), Sum(x[a], a) ** 2, Relation.AT_LEAST, exact(0))
    assert all("rigorous" not in one.detail for one in check_points(statement, step=1, seed=0))


def test_derivatives_are_left_to_differences():
    statement = make_statement((), Derivative(z**2, z), Relation.EQUALS, 2 * z)
    assert check_balls(statement, step=1, seed=0) == ()
