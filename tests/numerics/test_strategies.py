"""Strategies draw what they promise, and failing examples shrink to the counterexample that a check prints."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample, Unsatisfiable
from known_statements import APART, FALSE, GENERAL, STANDARD, TRUE, VARIANCE, K, Q, d_k, sigma_Q, t, x

from derivations.language.givens import dimension_at_least, equation, positive
from derivations.language.operators import Sum
from derivations.language.symbols import Dimension, index
from numerics import check_step
from numerics.errors import NotEvaluated
from numerics.facts import VARIANCE as CENTRAL
from numerics.joint import AffineLaw
from numerics.laws import FiniteLaw, StandardLaw, fitted
from numerics.pointwise import compare_at
from numerics.registration import register
from numerics.route import Route
from numerics.statements import make_statement
from numerics.strategies import (
    STYLES,
    Drawn,
    affine_laws,
    dimensions,
    instances,
    instances_of,
    laws,
    standard_laws,
    variances,
    vectors,
)

CASES = {case.name: case for case in FALSE}
QUICK = settings(
    max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@QUICK
@given(dimensions(), variances(), variances(allow_zero=True))
def test_dimensions_and_variances(size, positive_one, any_one):
    assert 1 <= size <= 8
    assert positive_one > 0
    assert any_one >= 0


@pytest.mark.parametrize("moments", [{}, {4: 3}, {3: 0, 4: 3}], ids=str)
def test_laws_have_the_moments_that_were_asked_for(moments):
    @QUICK
    @given(laws(0, 1, moments))
    def check(law):
        assert sum(law.weights) == 1
        assert (law.moment(1), law.moment(2)) == (0, 1)
        assert all(law.moment(order) == value for order, value in moments.items())

    check()


def test_moments_that_no_law_has_give_no_example():
    with pytest.raises(Unsatisfiable):
        find(laws(0, 1, {4: Fraction(1, 2)}), lambda law: True, settings=QUICK)


FOUND = {
    "ties": lambda one: len(set(one)) < len(one),
    "near ties": lambda one: any(0 < abs(a - b) < Fraction(1, 1000) and a > Fraction(1, 2) for a in one for b in one),
    "saturated": lambda one: max(one) - min(one) >= 1000 and max(one) <= 1000,
    "huge": lambda one: max(one) >= 10**12,
    "tiny": lambda one: any(0 < abs(a) < Fraction(1, 10**9) for a in one),
    "one entry": lambda one: len(one) == 1,
    "all clearly negative": lambda one: len(one) >= 4 and max(one) <= Fraction(-1, 2),
}


@pytest.mark.parametrize("wanted", FOUND.values(), ids=FOUND)
def test_vectors_of_every_kind_are_drawn(wanted):
    find(vectors(), wanted, settings=settings(QUICK, max_examples=4000))


@QUICK
@given(vectors(3, styles=["ties"]))
def test_a_vector_has_the_size_and_style_asked_for(one):
    assert len(one) == 3
    assert set(one) <= {1, -2}


n = Dimension("n")
a = index("a", n)


@QUICK
@given(instances([equation(Sum(t[a], a), 1), positive(t), dimension_at_least(n, 2)], t))
def test_an_instance_satisfies_the_givens(instance):
    assert instance.sizes[n] >= 2
    assert sum(instance.numbers[t]) == 1
    assert min(instance.numbers[t]) > 0


@QUICK
@given(instances((*GENERAL, *APART, positive(sigma_Q)), VARIANCE))
def test_an_instance_has_the_declared_moments(instance):
    weights, values = instance.joint.enumerated(10_000)
    assert instance.numbers[sigma_Q][()] > 0
    for k in range(instance.sizes[d_k]):
        deviations = values[Q].data[:, k] - sum(weights * values[Q].data[:, k])
        assert sum(weights * deviations**2) == instance.numbers[sigma_Q][()] ** 2
        assert sum(weights * deviations * values[K].data[:, k]) == 0


def test_dependence_is_drawn_where_independence_is_not_given():
    def dependent(instance):
        weights, values = instance.joint.enumerated(10_000)
        return sum(weights * values[Q].data[:, 0] * values[K].data[:, 0]) != 0

    find(instances(STANDARD, VARIANCE), dependent, settings=QUICK)


def test_every_style_is_drawn_for_arrays():
    for style in STYLES:
        find(instances((), x, styles=[style]), lambda instance: True, settings=QUICK)


def test_instances_have_vectors_that_are_clearly_negative():
    find(
        instances((), x),
        lambda one: len(one.numbers[x]) == 3 and max(one.numbers[x]) <= Fraction(-1, 2),
        settings=QUICK,
    )

    @QUICK
    @given(instances((), x, styles=["negative"]))
    def check(instance):
        assert max(instance.numbers[x]) <= Fraction(-1, 2)

    check()


def test_a_vector_of_positive_entries_stays_positive_in_every_style():
    for style in STYLES:
        find(instances([positive(x)], x, styles=[style]), lambda one: min(one.numbers[x]) > 0, settings=QUICK)


SHRINKING = (
    "d plus one",
    "d squared",
    "forgotten means",
    "Q and K dependent",
    "jacobian with a plus",
    "jacobian twice",
    "root of a square",
    "sum over distinct, all pairs",
)


def fails(statement):
    def failing(instance):
        try:
            return compare_at(statement, instance, Route())[1].verdict == "fails"
        except NotEvaluated:
            return False

    return failing


@pytest.mark.parametrize("name", SHRINKING)
def test_a_failing_example_shrinks_to_what_a_check_prints(name):
    case = CASES[name]
    statement = make_statement(case.givens, case.left, case.relation, case.right)
    smallest = find(instances_of(statement), fails(statement), settings=settings(QUICK, max_examples=300))
    (refuted,) = (one for one in check_step(case.givens, *statement_parts(case)) if one.outcome == "refuted")
    assert refuted.counterexample.assignment.startswith(smallest.text)


def statement_parts(case):
    return case.left, case.relation, case.right


def test_no_true_statement_fails_on_drawn_instances():
    for case in TRUE[:12]:
        statement = make_statement(case.givens, case.left, case.relation, case.right)
        with pytest.raises(NoSuchExample):
            find(instances_of(statement), fails(statement), settings=settings(QUICK, max_examples=25))


@QUICK
@given(st.data())
def test_a_source_of_drawn_choices_serves_any_generator(data):
    assert fitted({1: Fraction(0), CENTRAL: Fraction(1)}, Drawn(data.draw)).moment(2) == 1


def test_types_have_strategies_once_the_entry_point_is_called():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, name = project["entry-points"]["hypothesis"]["derivations"].split(":")
    assert getattr(import_module(module), name) is register
    register()
    for kind in (FiniteLaw, StandardLaw, AffineLaw):
        assert isinstance(find(st.from_type(kind), lambda one: True, settings=QUICK), kind)
    assert find(affine_laws(), lambda one: True, settings=QUICK).standard == find(
        standard_laws(), lambda one: True, settings=QUICK
    )


@pytest.mark.parametrize("first", ["numerics.strategies", "numerics.registration", "hypothesis"])
def test_whatever_is_imported_first_the_strategies_are_there(first):
    code = (
        f"import {first}; from numerics.strategies import vectors; from hypothesis import strategies as st; vectors()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
