"""Enclosures contain the true values and refute only what is false; they need python-flint."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from known_statements import FALSE, TRUE, a, b, s, t, x, y, z
from sympy import pi

from derivations.language.functions import absolute, cos, erf, exp, log, logsumexp, sigmoid, sin, tanh
from derivations.language.operators import Derivative, Sum
from derivations.language.symbols import delta
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics import check_step
from numerics.arithmetic import high_precision
from numerics.balls import available, check_balls, enclose
from numerics.evaluation import Environment, evaluate
from numerics.instances import Instance
from numerics.pointwise import check_points
from numerics.statements import make_statement
from numerics.values import Value, boxed, combine, from_list

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


def derived(operand, point: Fraction):
    """The finding on d operand/dz = slope at a value of z, by the slope."""

    def finding(slope) -> str:
        place = Instance({}, {z: np.asarray(point, dtype=object)}, None)
        return enclose(make_statement((), Derivative(operand, z), Relation.EQUALS, exact(slope)), place).finding

    return finding


@needs_flint
@pytest.mark.parametrize(
    ("operand", "slope"),
    [
        (z**3 - 1 / z, 3 * z**2 + 1 / z**2),
        (exp(z**2) * log(z), exp(z**2) * (2 * z * log(z) + 1 / z)),
        (sqrt(z) + absolute(-z), 1 / (2 * sqrt(z)) + 1),
        (z ** (-2) + z**z, -2 * z ** (-3) + z**z * (log(z) + 1)),
        (tanh(z) + sigmoid(z), 1 - tanh(z) ** 2 + sigmoid(z) * (1 - sigmoid(z))),
        (sin(z) * cos(z) + erf(z), cos(z) ** 2 - sin(z) ** 2 + 2 * exp(-(z**2)) / sqrt(exact(pi))),
        (exp(s), exact(0) * s),
    ],
    ids=str,
)
def test_a_derivative_is_enclosed(operand, slope):
    numbers = {z: np.asarray(Fraction(3, 2), dtype=object), s: np.asarray(Fraction(2), dtype=object)}
    place = Instance({}, numbers, None)
    true = make_statement((), Derivative(operand, z), Relation.EQUALS, slope)
    assert enclose(true, place).finding == "holds"
    assert enclose(replace(true, right=slope + exact(1) / 10**20), place).finding == "fails"


@needs_flint
def test_the_softmax_jacobian_is_enclosed():
    claim = y[a] * (delta(a, b) - y[b])
    true = make_statement((), Derivative(y[a], x[b]), Relation.EQUALS, claim)
    assert enclose(true, instance(1, -2, 3)).finding == "holds"
    assert enclose(replace(true, right=y[a] * (1 - y[b])), instance(1, -2, 3)).finding == "fails"
    gradient = make_statement((), Derivative(logsumexp(x), x[b]), Relation.EQUALS, y[b])
    assert enclose(gradient, instance(1, -2, 3)).finding == "holds"
    (check,) = check_balls(gradient, step=1, seed=0, seconds=5)
    assert check.outcome != "refuted"
    (wrong,) = check_balls(replace(gradient, right=y[b] ** 2), step=1, seed=0, seconds=5)
    assert wrong.outcome == "refuted"


@needs_flint
@pytest.mark.parametrize("operand", [absolute(z), sqrt(z), z * z / z, (z**2) ** (exact(1) / 2), log(z), 1 / z], ids=str)
def test_there_is_no_derivative_at_a_kink_or_where_nothing_is_defined(operand):
    finding = derived(operand, Fraction(0))
    assert {finding(0), finding(1), finding(-1)} == {"outside"}


@needs_flint
def test_a_derivative_of_a_derivative_is_out_of_reach():
    twice = make_statement((), Derivative(Derivative(z**2, z), z), Relation.EQUALS, exact(2))
    assert all(one.outcome == "inconclusive" for one in check_balls(twice, step=1, seed=0))


@needs_flint
def test_a_faulty_series_surfaces(monkeypatch):
    """With a coefficient that is twice too large a true derivative is refuted."""
    import numerics.ball_derivatives as module

    slope = module._slope
    monkeypatch.setattr(module, "_slope", lambda value: combine(lambda one: 2 * one, slope(value)))
    assert derived(z**2, Fraction(3))(6) == "fails"
