"""Every row of the law table: its examples, and a false rule in its place that surfaces."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from derivations.kernel.arithmetic import add, multiply, scale
from derivations.kernel.distinct_sums import plus_coincidences
from derivations.kernel.functions import exponential, function
from derivations.kernel.laws.law import Statement
from derivations.kernel.laws.samples import V, X, Y, a, b, i, j, k, marks, mu, n, s, sigma, t, x, y
from derivations.kernel.laws.table import LAWS
from derivations.kernel.powers import raise_to
from derivations.kernel.prove import prove_step
from derivations.kernel.record import Status
from derivations.kernel.signs import Sign
from derivations.kernel.sums import sum_over
from derivations.kernel.terms import ONE, ZERO, Exponential, Moment, single
from derivations.kernel.theories import THEORIES
from derivations.language.distributions import normal
from derivations.language.functions import absolute, cos, exp, log, sin, softmax
from derivations.language.givens import (
    equation,
    gap_below,
    has_law,
    has_moment,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
    maximal_entries,
    nonzero,
    positive,
    unique_maximum,
)
from derivations.language.operators import Derivative, E, Sum, Var, limit
from derivations.language.order import Max, largest, smallest
from derivations.language.propositions import equal
from derivations.language.symbols import delta
from derivations.language.written import exact, sqrt
from derivations.records import Line, Relation, Step
from numerics import check_step, evidence

EVERYTHING = tuple(THEORIES)
RESERVED = {"algebra", "matrix"}  # names an author may give although no law stands behind them
STANDARD = (has_variance(X, 1), has_variance(Y, 1))


def status(statement, reasons, laws=LAWS, certificate=None):
    line = Line(statement.relation, statement.right, reasons, certificate)
    return prove_step(Step(1, statement.left, line), statement.givens, laws).status


def measured(statement):
    return evidence(check_step(statement.givens, statement.left, statement.relation, statement.right), 1)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_the_positive_example_is_proved_by_its_theories_and_not_without_the_row(law):
    example = law.positive()
    without = {name: other for name, other in LAWS.items() if name != law.name}
    assert status(example, law.theories) is not Status.OPEN
    assert status(example, law.theories, without) is Status.OPEN


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_the_negative_example_is_not_proved_by_all_theories(law):
    assert status(law.negative(), EVERYTHING) is Status.OPEN


@pytest.mark.parametrize("law", [law for law in LAWS.values() if law.condition], ids=lambda law: law.name)
def test_the_negative_example_is_proved_under_the_side_condition(law):
    example = law.negative()
    assert law.condition is not None
    with_condition = replace(example, givens=(*example.givens, *law.condition()))
    assert status(with_condition, EVERYTHING) is not Status.OPEN


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_the_numerics_confirm_the_positive_example_and_refute_the_negative_one(law):
    assert measured(law.positive()) == "agrees"
    assert measured(law.negative()) == "refutes"


def test_every_law_belongs_to_a_theory_and_every_theory_has_a_law():
    assert {law.theory for law in LAWS.values()} == set(THEORIES) - RESERVED
    assert all(name == law.name for name, law in LAWS.items())
    assert all(set(law.theories) <= set(THEORIES) for law in LAWS.values())


def test_every_law_is_said_in_both_languages():
    assert all(law.en and law.zh for law in LAWS.values())


# Planted faults. Each is a false rule with the signature of the true one, and a falsehood that it proves: the
# negative example of the law, where nothing else is named.


@dataclass(frozen=True)
class Fault:
    rule: object
    proves: Statement | None = None
    reasons: tuple[str, ...] = ()
    certificate: object = None


def _normaliser(context, view):
    token = context.fresh(view.shape[0])
    return sum_over(context, (token,), view.entry((token,)))


def _plain_sum(context, first, second):
    one, other = context.fresh(first.shape[0]), context.fresh(second.shape[0])
    return sum_over(context, (one, other), multiply(context, first.entry((one,)), second.entry((other,))))


def _squared_norm(context, view):
    tokens = tuple(context.fresh(size) for size in view.shape)
    return sum_over(context, tokens, multiply(context, view.entry(tokens), view.entry(tokens)))


def _all_entries(context, view):
    tokens = tuple(context.fresh(size) for size in view.shape)
    return sum_over(context, tokens, view.entry(tokens))


def _product_transposed(context, left, right, *at):
    token = context.fresh(right.shape[0])
    return sum_over(context, (token,), multiply(context, left.entry((token, at[0])), right.entry((token, *at[1:]))))


def _logistic(context, operand):
    return raise_to(context, add(ONE, exponential(context, operand)), -1)


def _slow_tangent(context, operand):
    logistic = raise_to(context, add(ONE, exponential(context, scale(operand, -1))), -1)
    return add(scale(logistic, 2), scale(ONE, -1))


def _without_constants(coefficient, value):
    random = any(atom.kind in ("average", "moment") for monomial, _ in value for atom, _ in monomial)
    return scale(value, coefficient) if random else ZERO


def _uniform(context, order, lower, upper):
    powers = (multiply(context, raise_to(context, lower, k), raise_to(context, upper, order - k)) for k in range(3))
    return scale(add(*powers), Fraction(1, order))


def _of_error_function(context, value, argument):
    return exponential(context, scale(multiply(context, argument, argument), -1))


FAULTS = {
    "definition.dot": Fault(_plain_sum),
    "definition.norm": Fault(_squared_norm),
    "definition.trace": Fault(_all_entries),
    "definition.transpose": Fault(lambda context, view, first, second: view.entry((first, second))),
    "definition.product": Fault(_product_transposed),
    "definition.softmax": Fault(
        lambda context, view, at: multiply(
            context, exponential(context, view.entry((at,))), raise_to(context, _normaliser(context, view), -1)
        )
    ),
    "definition.logsumexp": Fault(_normaliser),
    "definition.sigmoid": Fault(_logistic),
    "definition.tanh": Fault(_slow_tangent),
    "summation.constant": Fault(lambda dimension: add(dimension, ONE)),
    "linearity.expectation": Fault(_without_constants),
    "linearity.covariance": Fault(
        lambda context, left, right, value: multiply(context, left, value),
        Statement(Var(2 * X), 2 * Var(X), STANDARD),
        ("linearity",),
    ),
    "variance.covariance": Fault(lambda context, joint, first, second: joint),
    "independence.expectation": Fault(
        lambda context, first, second: add(first, second),
        Statement(E(sin(X) * cos(Y)), 1 + E(sin(X)) + E(cos(Y)), (*STANDARD, independent(X, Y))),
    ),
    "independence.cumulants": Fault(
        lambda order: 0 if order else 1,
        Statement(E(V[i] * V[j]), E(V[i]) * E(V[j]), (has_variance(V, 1), independent_entries(V))),
    ),
    "independence.moments": Fault(
        lambda moment, lower: moment,
        Statement(
            E(V[i] * V[j]),
            E(V[i]) * E(V[j]) + delta(i, j) * (1 + E(V[i]) ** 2),
            (has_variance(V, 1), independent_entries(V)),
        ),
    ),
    "independence.symmetry": Fault(
        lambda value: scale(value, 2),
        Statement(E(largest(V)), -2 * E(smallest(V)), (has_law(V, normal(0, s**2)), independent_entries(V))),
    ),
    "independence.covariance": Fault(
        lambda context, same, value: add(multiply(context, same, value), ONE),
        Statement(Var(X + Y), Var(X) + Var(Y) + 2, (*STANDARD, independent(X, Y))),
        ("independence",),
    ),
    "moments.declared": Fault(lambda value: scale(value, 2)),
    "moments.deviation": Fault(lambda value: scale(value, 2), reasons=("moments",)),
    "moments.variance": Fault(lambda variance, squared_mean: variance),
    "moments.identical": Fault(
        lambda moment: single(Moment("moment", moment.array, 1)),
        Statement(E(V[i] ** 2), E(V[i]), (has_moment(V, 3, mu), identically_distributed(V))),
        ("moments",),
    ),
    "moments.uniform": Fault(_uniform),
    "moments.rademacher": Fault(lambda context, order: ONE),
    "moments.bernoulli": Fault(lambda context, order, probability: raise_to(context, probability, order)),
    "gaussian.moments": Fault(lambda context, order, mean, variance: raise_to(context, variance, order // 2)),
    "gaussian.exponential": Fault(lambda context, mean, variance: exponential(context, add(mean, variance))),
    "gaussian.absolute": Fault(lambda context, variance: raise_to(context, variance, Fraction(1, 2))),
    "derivative.variable": Fault(lambda value: ONE),
    "derivative.product": Fault(lambda context, rest, inner: inner, Statement(Derivative(a * sin(a), a), 1 + cos(a))),
    "derivative.power": Fault(lambda context, base, exponent: scale(raise_to(context, base, exponent), exponent - 1)),
    "derivative.sum": Fault(lambda value: scale(value, 2), Statement(Derivative(Sum(x[i] * y[i], i), x[j]), 2 * y[j])),
    "derivative.exp": Fault(lambda context, value, argument: scale(value, Fraction(1, 2))),
    "derivative.log": Fault(lambda context, value, argument: raise_to(context, argument, -2)),
    "derivative.sin": Fault(lambda context, value, argument: scale(function(context, "cos", argument), -1)),
    "derivative.cos": Fault(lambda context, value, argument: function(context, "sin", argument)),
    "derivative.tanh": Fault(lambda context, value, argument: add(ONE, scale(value, -1)), reasons=("derivative",)),
    "derivative.sigmoid": Fault(
        lambda context, value, argument: multiply(context, value, add(ONE, value)), reasons=("derivative",)
    ),
    "derivative.erf": Fault(_of_error_function),
    "exponential.sum": Fault(lambda context, first, second: add(first, second)),
    "exponential.inverse": Fault(lambda value: single(Exponential("exponential", value[0][0]))),
    "exponential.logarithm": Fault(
        lambda value, exponent: value, Statement(log(s**2 * b), log(s) + log(b), (positive(s), positive(b)))
    ),
    "nonnegativity.given": Fault(lambda known: Sign.POSITIVE, Statement(sqrt(sigma**2), sigma, (nonzero(sigma),))),
    "nonnegativity.distinct": Fault(
        lambda product, factor: [*plus_coincidences(product, factor)] * 2,
        Statement(2 * Sum(exp(x[i]) ** 2, i), Sum(exp(x[i]), i) * Sum(exp(x[i]), i), relation=Relation.AT_MOST),
    ),
    "nonnegativity.means": Fault(
        lambda middle, first, ratio: first, Statement(Sum(exp(x[i]), i), Sum(exp(2 * x[i]), i), (), Relation.AT_MOST)
    ),
    "given.equation": Fault(
        lambda value: scale(value, 2), Statement(Sum(x[i] * a, i), 2 * a, (equation(Sum(x[k], k), 1),))
    ),
    "order.affine": Fault(
        lambda context, factor, shift, value: multiply(context, factor, value),
        Statement(Max(x[i] + b, i), Max(x[j], j)),
    ),
    "order.marks": Fault(
        lambda value: scale(value, 2), Statement(marks[i] ** 2, 2 * marks[i], (maximal_entries(x, marks),))
    ),
    "limit.arithmetic": Fault(lambda context, first, second: first),
    "limit.exponential": Fault(lambda: ONE, Statement(limit(exp(-s * t), t), exact(1), (positive(s),))),
    "limit.maximum": Fault(lambda value: ONE, Statement(limit(softmax(t * x)[i], t), 1 / n, (unique_maximum(x, k),))),
    "order.gap": Fault(
        lambda peak, distance: peak - 2 * distance,
        Statement(
            Sum((1 - delta(i, k)) * x[i], i),
            Sum((1 - delta(i, k)) * (x[k] - 2 * s), i),
            (gap_below(x, k, s),),
            Relation.AT_MOST,
        ),
    ),
    "order.bounds": Fault(lambda low, high: True),
    "order.range": Fault(largest, Statement(absolute(x[i] - x[j]), largest(x), relation=Relation.AT_MOST)),
    "order.sum": Fault(
        lambda body, one: Sum(body / 2, one),
        Statement(exp(Max(x[j], j)), Sum(exp(x[i]) / 2, i), relation=Relation.AT_MOST),
    ),
    "order.monotone": Fault(lambda name: True, Statement(cos(x[i]), cos(Max(x[j], j)), relation=Relation.AT_MOST)),
    "convexity.jensen": Fault(
        lambda name: True,
        Statement(cos(E(X)), E(cos(X)), (has_law(X, normal(0, 1)),), Relation.AT_MOST),
    ),
    "convexity.cauchy_schwarz": Fault(lambda first, second, indices: Sum(first**2 * second**2, *indices)),
    "equivalence.factor": Fault(
        lambda context, factor, value: add(factor, value),
        Statement(equal(a + exp(b), 0), equal(a, 0), (), Relation.IFF),
        certificate=exp(b),
    ),
}


def test_every_row_has_a_planted_fault_and_every_fault_a_row():
    assert set(FAULTS) == set(LAWS)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_a_false_rule_surfaces(law):
    """With the false rule a falsehood is proved that the numerics refute: a conflict. The true rule proves it not."""
    fault = FAULTS[law.name]
    falsehood = fault.proves or law.negative()
    reasons = fault.reasons or EVERYTHING
    spoiled = {**LAWS, law.name: replace(law, rule=fault.rule)}
    assert status(falsehood, reasons, spoiled, fault.certificate) is not Status.OPEN
    assert measured(falsehood) == "refutes"
    assert status(falsehood, EVERYTHING, certificate=fault.certificate) is Status.OPEN
