"""Planted faults in enumeration, in exact moments, and in what decides every dimension at once.

The fault is in the joint law of an instance: in how its outcomes are listed, or in the moments it has. Where all
outcomes can be listed the two ways are kept apart, so each is tried alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

import numpy as np
import pytest
from known_statements import (
    APART,
    FOURTH,
    GENERAL,
    STANDARD,
    TRUE,
    VARIANCE,
    Case,
    K,
    Q,
    d_k,
    i,
    kappa_K,
    kappa_Q,
    sigma_K,
    sigma_Q,
)

from derivations.language.functions import dot
from derivations.language.givens import identically_distributed
from derivations.language.operators import E, Sum, Summation, Var
from derivations.language.written import exact
from derivations.records import Relation
from numerics.all_dimensions import Exactly, check_all_dimensions, grid
from numerics.arithmetic import EXACT
from numerics.environments import by_moments, enumerated
from numerics.evaluation import READERS, evaluate
from numerics.instances import Instance, draw_instance
from numerics.joint import JointLaw, Plan, assemble
from numerics.pointwise import check_points
from numerics.polynomials import Monomial, Variables
from numerics.route import Route
from numerics.sources import Seeded
from numerics.statements import Statement, make_statement
from numerics.values import Data, Value, combine

TWO_SUMS = Case(
    "variance of two sums",
    (*GENERAL, *APART),
    Var(Sum(Q[i], i) + Sum(K[i], i)),
    d_k * (sigma_Q**2 + sigma_K**2),
)
CASES = {case.name: case for case in (*TRUE, TWO_SUMS)}
BY_MOMENTS = 0
"""No outcomes are few enough to be listed: every expectation comes from moments."""


# ---------------------------------------------------------------------------------------------- the faults


class OutcomeLost(JointLaw):
    """The last outcome is forgotten; the other weights stay."""

    def enumerated(self, most: int) -> tuple[Data, dict]:
        weights, values = super().enumerated(most)
        return weights[:-1], {letter: replace(one, data=one.data[:-1]) for letter, one in values.items()}


class OutcomeLostAndForgiven(JointLaw):
    """The last outcome is forgotten, and the others share its weight, so that they still sum to 1."""

    def enumerated(self, most: int) -> tuple[Data, dict]:
        weights, values = super().enumerated(most)
        kept = weights[:-1] / sum(weights[:-1]) if len(weights) > 1 else weights
        count = len(kept)
        return kept, {letter: replace(one, data=one.data[:count]) for letter, one in values.items()}


class WeightsSwapped(JointLaw):
    """All outcomes are there and the weights sum to 1, but they stand in the reverse order."""

    def enumerated(self, most: int) -> tuple[Data, dict]:
        weights, values = super().enumerated(most)
        return weights[::-1], values


class OutcomeTwice(JointLaw):
    """The first outcome is listed twice."""

    def enumerated(self, most: int) -> tuple[Data, dict]:
        weights, values = super().enumerated(most)
        return np.append(weights, weights[:1]), {
            letter: Value(np.concatenate([one.data, one.data[:1]]), one.labels, one.rank)
            for letter, one in values.items()
        }


class _OtherMoments(JointLaw):
    """A joint law whose moments differ from those of its outcomes."""

    def changed(self, true: Variables) -> Variables:
        raise NotImplementedError

    @cached_property
    def variables(self) -> Variables:
        true: Variables = JointLaw.variables.func(self)
        return self.changed(true)


class WrongFourthMoment(_OtherMoments):
    """E[X⁴] off by a thousandth; mean and variance are right."""

    def changed(self, true: Variables) -> Variables:
        def moment(monomial: Monomial) -> Fraction:
            fourth = len(monomial) == 1 and monomial[0][1] == 4
            return true.moment(monomial) * (Fraction(1001, 1000) if fourth else 1)

        return replace(true, moment=moment)


class CentralSecondMoment(_OtherMoments):
    """Var X in the place of E[X²]."""

    def changed(self, true: Variables) -> Variables:
        def moment(monomial: Monomial) -> Fraction:
            value = true.moment(monomial)
            if len(monomial) == 1 and monomial[0][1] == 2:
                value -= true.moment(((monomial[0][0], 1),)) ** 2
            return value

        return replace(true, moment=moment)


class AllOfOneKind(_OtherMoments):
    """Cells with different laws are taken to have the law of the first that is met."""

    def changed(self, true: Variables) -> Variables:
        return replace(true, kind=lambda cell: "alike")


class AllIndependent(_OtherMoments):
    """Cells of one block, which depend on each other, are taken to be independent."""

    def changed(self, true: Variables) -> Variables:
        return replace(true, block=lambda cell: cell)


def with_fault(fault: type[JointLaw]) -> Callable[..., Instance]:
    """The honest generator, with the joint law replaced."""

    def draw(*arguments, **options) -> Instance:
        instance = draw_instance(*arguments, **options)
        joint = instance.joint
        return instance if joint is None else replace(instance, joint=fault(joint.cells, joint.blocks, joint.text))

    return draw


def outcomes(case: Case, route: Route) -> set[str]:
    statement = make_statement(case.givens, case.left, case.relation, case.right)
    return {check.outcome for check in check_points(statement, step=1, seed=0, count=8, seconds=20, route=route)}


# --------------------------------------------------------------------------------------------- enumeration

LISTED = ("variance of the dot product", "general moments", "fourth moment", "covariance", "variance of two sums")


@pytest.mark.parametrize("fault", [OutcomeLost, OutcomeLostAndForgiven, OutcomeTwice], ids=lambda one: one.__name__)
@pytest.mark.parametrize("name", LISTED)
def test_a_fault_in_the_list_of_outcomes_is_refuted(fault: type[JointLaw], name: str):
    assert outcomes(CASES[name], Route(draw=with_fault(fault))) == {"refuted"}


def test_weights_at_the_wrong_outcomes_are_refuted():
    """Where a law is skewed: with equal weights the order says nothing."""
    assert outcomes(CASES["general moments"], Route(draw=with_fault(WeightsSwapped))) == {"refuted"}


# ------------------------------------------------------------------------------------------------- moments


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (WrongFourthMoment, "fourth moment"),
        (CentralSecondMoment, "general moments"),
        (AllOfOneKind, "variance of two sums"),
    ],
    ids=lambda one: one if isinstance(one, str) else one.__name__,
)
def test_a_fault_in_the_moments_is_refuted(fault: type[JointLaw], name: str):
    route = Route(draw=with_fault(fault), most_exact_outcomes=BY_MOMENTS)
    assert outcomes(CASES[name], route) == {"refuted"}


def test_blocks_taken_to_be_independent_are_noticed():
    """E[(Q·K)²] for arrays that may depend on each other: moments and enumeration part."""
    statement = make_statement(STANDARD, E(dot(Q, K) ** 2), Relation.EQUALS, d_k)
    instance = draw_instance(statement.letters, statement.facts, {d_k: 2}, Seeded("blocks"), plan=Plan(follow="copy"))
    joint = instance.joint
    side = statement.left
    listed = evaluate(side, enumerated(instance, EXACT, most=10_000)).data[()]
    faulty = replace(instance, joint=AllIndependent(joint.cells, joint.blocks, joint.text))
    assert evaluate(side, by_moments(instance)).data[()] == listed
    assert evaluate(side, by_moments(faulty)).data[()] != listed


@pytest.mark.parametrize("most", [BY_MOMENTS, 800], ids=["by moments", "by enumeration"])
@pytest.mark.parametrize("name", LISTED)
def test_the_honest_routes_refute_none_of_these(name: str, most: int):
    assert "refuted" not in outcomes(CASES[name], Route(most_exact_outcomes=most))


# ------------------------------------------------------------------------------------ every dimension at once

ALIKE = (*STANDARD, *APART, identically_distributed(Q), identically_distributed(K))


def everywhere(left, right, givens=ALIKE, **faults) -> list[str]:
    statement = make_statement(givens, left, Relation.EQUALS, right)
    found = check_all_dimensions(statement, step=1, seed=0, seconds=20, tools=Exactly(**faults))
    return [check.outcome for check in found]


def faulty_join(fault: type[JointLaw]):
    def join(*arguments) -> JointLaw:
        joint = assemble(*arguments)
        return fault(joint.cells, joint.blocks, joint.text)

    return join


FOURTH_POWER = (E(dot(Q, K) ** 4), d_k * kappa_Q * kappa_K + 3 * d_k * (d_k - 1), (*ALIKE, *FOURTH))


def test_a_wrong_fourth_moment_is_refuted_at_every_dimension():
    assert everywhere(*FOURTH_POWER) == ["confirmed"]
    assert everywhere(*FOURTH_POWER, join=faulty_join(WrongFourthMoment)) == ["refuted"]


def test_entries_that_are_all_one_variable_are_refuted():
    """The joint law gives every entry of an array the number of the first."""

    def one_cell(*arguments) -> JointLaw:
        joint = assemble(*arguments)
        same = {array: np.full_like(cells, cells.reshape(-1)[0]) for array, cells in joint.cells.items()}
        return replace(joint, cells=same)

    assert everywhere(VARIANCE, d_k) == ["confirmed"]
    assert everywhere(VARIANCE, d_k, join=one_cell) == ["refuted"]


def too_short(statement: Statement, degrees):
    """One dimension fewer than the degree asks for."""
    return list(grid(statement, degrees))[:-1]


def test_a_dimension_too_few_confirms_what_is_false():
    """d + (d - 1)(d - 2) for d has degree 2 and agrees at 1 and 2: the third dimension tells, if it is looked at."""
    false = d_k + (d_k - 1) * (d_k - 2)
    assert everywhere(VARIANCE, false) == ["refuted"]
    assert everywhere(VARIANCE, false, grid=too_short) == ["confirmed"]


def test_a_node_evaluated_wrongly_is_refuted_at_every_dimension():

    def twice(expression, environment):
        value = READERS[Summation](expression, environment)
        return combine(np.add, value, value)

    sides = Var(Sum(Q[i], i)), d_k + exact(0)
    assert everywhere(*sides) == ["confirmed"]
    assert everywhere(*sides, readers={**READERS, Summation: twice}) == ["refuted"]
