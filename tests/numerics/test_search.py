"""A violation is driven out where drawn instances show none; what is true is never violated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sympy import Expr

from derivations.language.arrays import array, random_array, tabulate
from derivations.language.distributions import normal
from derivations.language.functions import Norm, dot, exp, log, logsumexp, norm, softmax
from derivations.language.givens import distinct, equation, gap_below, has_law, nonnegative, positive, unique_maximum
from derivations.language.operators import E, Sum
from derivations.language.symbols import Dimension, Scalar, delta, index
from derivations.language.written import exact, sqrt
from derivations.records import Relation
from numerics import check_step, evidence
from numerics.evaluation import READERS
from numerics.mutations import Claim
from numerics.pointwise import compare_at
from numerics.route import Route
from numerics.search import violations
from numerics.statements import make_statement
from numerics.values import combine
from numerics.variants import make_bench

n = Dimension("n")
i, j, k, m, o = (index(name, n) for name in "ijkmo")
x, v, w = array("x", n), array("v", n), array("w", n)
a, b, g = Scalar("a"), Scalar("b"), Scalar("g")
y = softmax(x)
AT_MOST, AT_LEAST = Relation.AT_MOST, Relation.AT_LEAST
ZERO = exact(0)


def violated(left: Expr, relation: Relation, right: Expr, givens=(), seed: int = 0, readers=READERS) -> bool:
    """Whether the search finds a place at which the usual comparison sees the violation."""
    statement = make_statement(givens, left, relation, right)
    found = violations(statement, seed, readers=readers)
    return any(compare_at(statement, one, Route())[1].verdict == "fails" for one in found)


def jacobian(entry: Expr) -> Expr:
    return sqrt(Sum(Sum(tabulate(entry, k, o)[i, j] ** 2, i) * Sum(v[k] ** 2, k), j))


MAPPED = sqrt(Sum(Sum(tabulate(y[k] * (delta(k, o) - y[o]), k, o)[i, j] * v[i], i) ** 2, j))
GAP = (gap_below(x, m, g),)

FALSE = {
    "a bowl that dips below zero": (ZERO, AT_MOST, (1 - a) ** 2 + 10 * (b - a**2) ** 2 - exact(1) / 1000, ()),
    "a thin cone": (dot(v, w) ** 2, AT_MOST, exact(99) / 100 * dot(v, v) * dot(w, w), ()),
    "another index": (MAPPED, AT_MOST, jacobian(y[k] * (delta(k, m) - y[o])), GAP),
    "a term that is dropped": (MAPPED, AT_MOST, jacobian(-y[k] * y[o]), GAP),
    "beyond a gap": (1 - y[m], AT_MOST, (n - 1) * exp(-2 * g), GAP),
    "a largest entry": (x[i] * x[j], AT_MOST, x[m] ** 2, (unique_maximum(x, m), distinct(i, j))),
    "means of two": (sqrt(a * b), AT_MOST, 2 * a * b / (a + b) + (a - b) ** 2, (positive(a), positive(b))),
    "from below": (logsumexp(x), AT_LEAST, Sum(x[i], i) / n + log(n) + exact(1) / 10**5, ()),
    "with a sign": (a**3, AT_LEAST, a**2 - exact(1) / 7, (nonnegative(a),)),
}

TRUE = {
    "Cauchy and Schwarz": (dot(v, w) ** 2, AT_MOST, dot(v, v) * dot(w, w), ()),
    "the norm of a product": (MAPPED, AT_MOST, jacobian(y[k] * (delta(k, o) - y[o])), GAP),
    "a tail": (1 - y[m], AT_MOST, (n - 1) * exp(-g), GAP),
    "two means": (2 * a * b / (a + b), AT_MOST, sqrt(a * b), (positive(a), positive(b))),
    "log-sum-exp": (logsumexp(x), AT_LEAST, Sum(x[i], i) / n + log(n), ()),
    "a square": (ZERO, AT_MOST, (a - b) ** 2, ()),
    "with a sign": (a**3, AT_LEAST, a**2 - exact(4) / 27, (nonnegative(a),)),
    "one entry above": (x[i], AT_MOST, x[m], (unique_maximum(x, m),)),
    "a triangle": (norm(v + w), AT_MOST, norm(v) + norm(w), ()),
}


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("name", FALSE)
def test_a_false_inequality_is_violated(name, seed):
    left, relation, right, givens = FALSE[name]
    assert violated(left, relation, right, givens, seed)


@pytest.mark.parametrize("name", TRUE)
def test_a_true_inequality_is_not(name):
    left, relation, right, givens = TRUE[name]
    assert not violated(left, relation, right, givens)


def test_every_place_satisfies_the_givens():
    """A bound that holds beyond the gap only is not violated within it."""
    statement = make_statement(GAP, 1 - y[m], AT_MOST, (n - 1) * exp(-2 * g))
    for one in violations(statement, 0, readers=READERS):
        entries, gap = one.numbers[x], one.numbers[g][()]
        assert max(entries) - sorted(entries)[-2] >= gap


def test_nothing_is_looked_for_elsewhere():
    X = random_array("X")
    for statement in (
        make_statement((), a, Relation.EQUALS, b),
        make_statement((has_law(X, normal(0, 1)),), E(X**2), AT_MOST, ZERO),
        make_statement((equation(Sum(v[i], i), 1),), Sum(v[i] ** 2, i), AT_MOST, ZERO),
        make_statement((), n, AT_MOST, n - 1),
    ):
        assert not list(violations(statement, 0, readers=READERS))


def test_a_variant_that_no_drawn_instance_refutes():
    bench = make_bench(GAP, Claim(MAPPED, AT_MOST, jacobian(y[k] * (delta(k, o) - y[o]))))
    wrong = Claim(MAPPED, AT_MOST, jacobian(y[k] * (delta(k, m) - y[o])))
    assert replace(bench, points=[]).refutation(wrong) is not None
    assert bench.refutation(wrong) is not None
    assert bench.refutation(Claim(MAPPED, AT_MOST, 2 * jacobian(y[k] * (delta(k, o) - y[o])))) is None


def test_a_planted_fault_surfaces():
    """With norms that come out squared the search goes astray, and the comparison sees it."""
    faulty = {
        **READERS,
        Norm: lambda node, environment: combine(lambda one: one * one, READERS[Norm](node, environment)),
    }
    left, relation, right, givens = TRUE["a triangle"]
    statement = make_statement(givens, left, relation, right)
    places = list(violations(statement, 0, readers=faulty))
    assert places
    assert all(compare_at(statement, one, Route())[1].verdict != "fails" for one in places)
    assert any(compare_at(statement, one, Route(readers=faulty))[1].verdict == "fails" for one in places)


@pytest.mark.parametrize("seed", range(5))
def test_the_check_of_a_step_drives_the_sides_against_each_other(seed):
    """a^2 (1 - a^2) comes within a thousandth of its largest value, 1/4, near the root of one half only."""
    value = a**2 * (1 - a**2)
    (found,) = check_step((), value, Relation.AT_MOST, exact(2497) / 10000, seed=seed)
    assert found.outcome == "refuted"
    assert evidence(check_step((), value, Relation.AT_MOST, exact(1) / 4, seed=seed), 1) == "agrees"
