"""The evaluators against each other and against what is computed by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from known_statements import FALSE, TRUE, A, B, Case, K, Q, a, b, d_k, i, j, n, s, t, x, y, z
from sympy import Expr

from derivations.language.arrays import array, matrix_product, random_array
from derivations.language.distributions import normal
from derivations.language.functions import absolute, dot, exp, log, logsumexp, norm, softmax
from derivations.language.givens import equation, has_law, independent, independent_entries, nonnegative, positive
from derivations.language.operators import Derivative, DistinctSum, E, Sum, Var
from derivations.language.order import largest
from derivations.language.symbols import delta, index
from derivations.language.written import exact
from derivations.records import Relation
from numerics import check_step
from numerics.arithmetic import DOUBLES, EXACT, UNDEFINED, high_precision
from numerics.environments import by_moments, enumerated
from numerics.equations import satisfy, value_of
from numerics.errors import NothingFound, NotRational, Unsupported
from numerics.evaluation import Environment, evaluate
from numerics.facts import read_givens
from numerics.instances import Instance, draw_instance, draw_numbers, letters_of
from numerics.joint import Plan
from numerics.pointwise import compare_at
from numerics.polynomials import RandomPolynomial, mean, moments, multiply, terms_mean
from numerics.route import Route
from numerics.sources import Seeded
from numerics.statements import make_statement
from numerics.values import Value, arranged

NUMBERS = {
    x: np.array([Fraction(1), Fraction(-2), Fraction(1, 2)], dtype=object),
    t: np.array([Fraction(2), Fraction(0), Fraction(1, 3)], dtype=object),
    s: np.asarray(Fraction(3, 2), dtype=object),
    z: np.asarray(Fraction(-1, 2), dtype=object),
}


def environment(arithmetic, **changes) -> Environment:
    values = {letter: Value(np.asarray(arithmetic.convert(data)), (), data.ndim) for letter, data in NUMBERS.items()}
    return Environment(arithmetic, {n: 3}, values, **changes)


BY_HAND = (
    (Sum(x[a], a), Fraction(-1, 2)),
    (Sum(1, a), 3),
    (Sum(a, a), 6),
    (dot(x, t), Fraction(13, 6)),
    (Sum(x[a] * t[b], a, b), Fraction(-7, 6)),
    (DistinctSum(x[a] * t[b], a, b), Fraction(-20, 6)),
    (Sum(delta(a, b) * x[a] * x[b], a, b), Fraction(21, 4)),
    (norm(x) ** 2 - s, Fraction(15, 4)),
    (absolute(z) / z, -1),
    (largest(x), 1),
    (largest(x, 2), Fraction(1, 2)),
)


@pytest.mark.parametrize(("expression", "value"), BY_HAND, ids=str)
def test_values_computed_by_hand(expression: Expr, value: Fraction):
    for arithmetic in (DOUBLES, high_precision(40)):
        assert float(evaluate(expression, environment(arithmetic)).data[()]) == pytest.approx(float(value), rel=1e-14)


def test_exact_values_are_exact():
    assert evaluate(dot(x, t), environment(EXACT)).data[()] == Fraction(13, 6)
    with pytest.raises(NotRational):
        evaluate(exp(s), environment(EXACT))


@pytest.mark.parametrize(
    "case",
    [c for c in TRUE + FALSE if not make_statement(c.givens, c.left, c.relation, c.right).letters.randoms],
    ids=lambda c: c.name,
)
def test_doubles_agree_with_many_digits(case: Case):
    statement = make_statement(case.givens, case.left, case.relation, case.right)
    if statement.needs_digits or statement.propositions:
        return
    for seed in range(3):
        sizes = dict.fromkeys(statement.letters.dimensions, 3)
        instance = draw_instance(statement.letters, statement.facts, sizes, Seeded(str(seed)))
        for side in statement.sides:
            many = evaluate(side, enumerated(instance, high_precision(50), most=1))
            double = evaluate(side, enumerated(instance, DOUBLES, most=1))
            expected = arranged(many, double.labels, double.rank).astype(float)
            np.testing.assert_allclose(double.data, expected, rtol=1e-11, atol=1e-12)


def test_differences_in_doubles_agree_with_many_digits():
    expression = Derivative(y[a], x[b])
    double = evaluate(expression, environment(DOUBLES))
    many = evaluate(expression, environment(high_precision(60), step=Fraction(1, 10**12)))
    np.testing.assert_allclose(double.data, arranged(many, double.labels, 0).astype(float), rtol=1e-9, atol=1e-13)


def test_a_saturated_softmax_is_differentiated_in_high_precision():
    """Doubles give 0 for every entry here; the true ones are about 1e-434."""
    far = {**NUMBERS, x: np.array([Fraction(0), Fraction(1000), Fraction(-1000)], dtype=object)}
    many = high_precision(1100)
    values = {letter: Value(np.asarray(many.convert(data)), (), data.ndim) for letter, data in far.items()}
    value = evaluate(Derivative(y[a], x[b]), Environment(many, {n: 3}, values, step=Fraction(1, 10**220)))
    first = arranged(value, (a, b), 0)[0, 0]
    context = mpmath.MPContext()
    context.dps = 60
    share = 1 / (1 + context.exp(1000) + context.exp(-1000))
    assert abs(first / (share * (1 - share)) - 1) < 1e-50


@pytest.mark.parametrize("factor", [0, 2, -1])
def test_wrong_jacobians_are_refuted_where_the_softmax_is_saturated(factor: int):
    """At this one point, where every derivative is about 1e-434: no other is needed to tell them apart."""
    jacobian = y[a] * (delta(a, b) - y[b])
    far = np.array([Fraction(0), Fraction(1000)], dtype=object)
    instance = Instance({n: 2}, {x: far}, None)
    wrong = make_statement((), Derivative(y[a], x[b]), Relation.EQUALS, factor * jacobian)
    right = make_statement((), Derivative(y[a], x[b]), Relation.EQUALS, jacobian)
    assert compare_at(wrong, instance, Route())[1].verdict == "fails"
    assert compare_at(right, instance, Route())[1].verdict == "holds"


def test_a_derivative_whose_variable_an_equation_fixes_is_inconclusive():
    checks = check_step([equation(s, 1)], Derivative(s**2, s), Relation.EQUALS, 2 * s)
    assert {check.outcome for check in checks} == {"inconclusive"}


def test_undefined_entries_do_not_spoil_the_others():
    value = evaluate(1 / t[a], environment(EXACT))
    assert list(value.data) == [Fraction(1, 2), UNDEFINED, 3]
    assert np.isnan(evaluate(1 / t[a], environment(DOUBLES)).data).tolist() == [False, True, False]
    assert np.isnan(evaluate(log(t[a]), environment(DOUBLES)).data).tolist() == [False, True, False]


def test_there_is_no_derivative_at_a_kink():
    at_zero = {**environment(high_precision(60)).values, z: Value(np.asarray(mpmath.mpf(0), dtype=object))}
    arithmetic = high_precision(60)
    at_zero[z] = Value(np.asarray(arithmetic.constant(Fraction(0)), dtype=object))
    place = replace(environment(arithmetic, step=Fraction(1, 10**12)), values=at_zero)
    assert arithmetic.undefined(evaluate(Derivative(absolute(z), z), place).data)[()]
    assert not arithmetic.undefined(evaluate(Derivative(z**2, z), place).data)[()]
    assert not arithmetic.undefined(evaluate(Derivative(3 * z, z), place).data)[()]


def test_an_index_that_is_used_twice_is_a_diagonal():
    square = array("S", n, n)
    data = np.array([[Fraction(3 * r + c) for c in range(3)] for r in range(3)], dtype=object)
    place = Environment(EXACT, {n: 3}, {square: Value(data, (), 2)})
    assert evaluate(Sum(square[a, a], a), place).data[()] == 12


def test_a_matrix_product_keeps_rows_and_columns():
    rows, columns = [[1, 2, 3], [4, 5, 6]], [[1, 0], [2, 1], [0, 5]]
    place = Environment(
        EXACT,
        {n: 3, A.shape[0]: 2},
        {
            A: Value(np.array(rows, dtype=object), (), 2),
            B: Value(np.array(columns, dtype=object), (), 2),
        },
    )
    assert (evaluate(matrix_product(A, B), place).data == np.dot(rows, columns)).all()


# ------------------------------------------------------------------------------------ expectations, exactly


def test_moments_agree_with_enumeration():
    statement = make_statement((), Var(dot(Q, K) ** 2) + E(dot(Q, K) ** 3), Relation.EQUALS, exact(0))
    for seed in range(6):
        instance = draw_instance(
            statement.letters, statement.facts, {d_k: 2}, Seeded(str(seed)), plan=Plan(follow="copy")
        )
        listed = evaluate(statement.left, enumerated(instance, EXACT, most=10_000))
        polynomial = evaluate(statement.left, by_moments(instance))
        assert listed.data[()] == polynomial.data[()]


def test_moments_of_a_long_dot_product():
    """E (Q·K)⁴ = 9 d + 3 d (d - 1) for standard normal entries."""
    givens = [independent(Q, K)]
    for one in (Q, K):
        givens += [independent_entries(one), has_law(one, normal(0, 1))]
    statement = make_statement(givens, E(dot(Q, K) ** 4), Relation.EQUALS, exact(0))
    instance = draw_instance(statement.letters, statement.facts, {d_k: 64}, Seeded("long"))
    assert evaluate(statement.left, by_moments(instance)).data[()] == 9 * 64 + 3 * 64 * 63


def test_convolution_agrees_with_expansion():
    statement = make_statement((), E(Sum(Q[i] * K[j] + Q[i], i, j)), Relation.EQUALS, exact(0))
    instance = draw_instance(statement.letters, statement.facts, {d_k: 2}, Seeded("expand"))
    assert instance.joint is not None
    base = evaluate(statement.left.args[0], by_moments(instance)).data[()].expanded()
    by_convolution = moments(base, 3, instance.joint.variables)
    power = {(): Fraction(1)}
    for order in range(4):
        assert by_convolution[order] == terms_mean(power, instance.joint.variables)
        assert (
            mean(RandomPolynomial(base, (Fraction(0),) * order + (Fraction(1),)), instance.joint.variables)
            == by_convolution[order]
        )
        power = multiply(power, base)


# ----------------------------------------------------------------------------------------------- equations

m = n
O = array("O", n, n)  # noqa: E741
c = index("c", n)
EQUATIONS = (
    [equation(Sum(t[a], a), 1)],
    [equation(Sum(t[a], a), 1), nonnegative(t)],
    [equation(Sum(O[a, b], b), 1), positive(O)],
    [equation(O[a, b], O[b, a])],
    [equation(norm(t), 1)],
    [equation(dot(t, t), 1)],
    [equation(t[a], softmax(x)[a])],
    [equation(s, dot(x, x))],
    [equation(s**2, n)],
    [equation(2 * s + 3 * z, 7)],
    [equation(dot(t, x), 0)],
    [equation(exp(s), logsumexp(x) + exp(s) * 1 - z)],
)


@pytest.mark.parametrize("givens", EQUATIONS, ids=str)
def test_drawn_numbers_satisfy_the_equations(givens):
    facts = read_givens(givens)
    found = 0
    for seed in range(12):
        for size in (1, 2, 3):
            try:
                _, numbers = draw_numbers(letters_of([*givens, x, n]), facts, {n: size}, Seeded(f"{seed}"))
            except NothingFound:
                continue
            found += 1
            for left, right in facts.equations:
                one, other = (value_of(side, {n: size}, numbers) for side in (left, right))
                labels = tuple(dict.fromkeys(one.labels + other.labels))
                gap = arranged(one, labels, 0) - arranged(other, labels, 0)
                assert all(abs(float(item)) < 1e-90 for item in np.asarray(gap).reshape(-1))
    assert found >= 8


def test_equations_without_solution_find_nothing():
    with pytest.raises(NothingFound):
        satisfy(((Sum(t[a] ** 2, a), exact(-1)),), {n: 2}, {t: NUMBERS[t][:2]})


def test_a_derivative_by_a_constrained_letter_is_not_evaluated():
    with pytest.raises(Unsupported):
        make_statement([equation(Sum(x[a], a), 1)], Derivative(Sum(x[a], a), x[b]), Relation.EQUALS, exact(1))


def test_random_scalars_have_no_indices():
    lone = random_array("V")
    checks = check_step([has_law(lone, normal(0, 1))], E(lone**2), Relation.EQUALS, exact(1))
    assert {check.outcome for check in checks} == {"confirmed"}
