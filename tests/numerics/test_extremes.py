"""The law of an order statistic: known expectations at any dimension, false bounds refuted, nothing claimed unseen."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from sympy import Expr, erf, pi

from derivations.language.arrays import random_array
from derivations.language.distributions import normal, uniform
from derivations.language.functions import absolute, log
from derivations.language.functions import exp as exponential
from derivations.language.givens import (
    distinct,
    has_law,
    has_mean,
    has_variance,
    identically_distributed,
    independent_entries,
)
from derivations.language.operators import E, Sum, Var
from derivations.language.order import Max, largest, smallest
from derivations.language.symbols import Dimension, index
from derivations.language.written import exact
from derivations.language.written import sqrt as root
from derivations.records import Relation
from numerics import check_step, evidence, extremes
from numerics.arithmetic import DOUBLES
from numerics.errors import NotEvaluated, Unsupported
from numerics.evaluation import READERS
from numerics.joint import AffineLaw, Plan
from numerics.laws import EXPONENTIAL, INTERVAL, LAPLACE, NORMAL, STUDENT, UNIFORM, StandardLaw
from numerics.requests import Request, drawn_instance
from numerics.route import Route
from numerics.sources import Simplest
from numerics.statements import Statement, make_statement

n = Dimension("n")
i, j = index("i", n), index("j", n)
z, y = random_array("z", n), random_array("y", n)
IID = (independent_entries(z), identically_distributed(z))
NORMALS = (*IID, has_law(z, normal(0, 1)))
UNIFORMS = (*IID, has_law(z, uniform(0, 1)))
TOP = largest(z)


def means(
    left: Expr, right: Expr, size: int, givens=NORMALS, relation=Relation.EQUALS
) -> tuple[extremes.Means, Statement]:
    statement = make_statement(givens, left, relation, right)
    request = Request({n: size}, Simplest(), Plan(), "small", "continuous")
    return extremes.Means(statement, drawn_instance(statement, request, Route()), DOUBLES, READERS), statement


def verdict(left: Expr, right: Expr, size: int, givens=NORMALS, relation=Relation.EQUALS) -> str:
    made, statement = means(left, right, size, givens, relation)
    return made.compare(statement).verdict


@pytest.mark.parametrize("size", [1, 2, 3, 10, 100, 1000])
def test_order_statistics_of_uniform_variables_are_beta_variables(size):
    """The k-th largest has the mean (n + 1 - k)/(n + 1) (David and Nagaraja 2003, section 2.1)."""
    top = exact(size) / exact(size + 1)
    assert verdict(E(TOP), top, size, UNIFORMS) == "holds"
    assert verdict(E(smallest(z)), 1 - top, size, UNIFORMS) == "holds"
    assert verdict(E(largest(-2 * z)), -2 * (1 - top), size, UNIFORMS) == "holds"
    assert verdict(E(TOP - smallest(z)), 2 * top - 1, size, UNIFORMS) in (
        "holds",
        "unresolved" if size == 1 else "holds",
    )
    assert verdict(E(TOP), top * exact(1000001) / 1000000, size, UNIFORMS) == "unresolved"
    assert verdict(E(TOP), top * exact(10001) / 10000, size, UNIFORMS) == "fails"


def test_the_largest_of_a_few_normal_variables():
    """1/sqrt(pi) for two, 3/(2 sqrt(pi)) for three (David and Nagaraja 2003, section 3.2)."""
    assert verdict(E(TOP), 1 / root(pi), 2) == "holds"
    assert verdict(E(Max(z[i], i)), 3 / (2 * root(pi)), 3) == "holds"
    assert verdict(E(largest(z, 2)), exact(0) * E(TOP), 3) != "fails"
    assert verdict(E(TOP), 1 / root(pi), 3) == "fails"
    assert verdict(E(exponential(TOP)), exponential(exact(1) / 2) * (1 + erf(exact(1) / 2)), 2) == "holds"


def test_bounds_that_fail_in_large_dimensions_only():
    bound = root(exact(2))
    verdicts = {size: verdict(E(TOP), bound, size, relation=Relation.AT_MOST) for size in (3, 7, 8, 100, 1000)}
    assert verdicts == {3: "holds", 7: "holds", 8: "fails", 100: "fails", 1000: "fails"}
    true = root(2 * log(n))
    assert all(verdict(E(TOP), true, size, relation=Relation.AT_MOST) == "holds" for size in (2, 10, 1000))


def test_two_entries_and_sums_of_functions_of_one():
    apart = (*NORMALS, distinct(i, j))
    assert verdict(E(TOP - smallest(z)), E(absolute(z[i] - z[j])), 2, apart) == "holds"
    assert verdict(E(TOP - smallest(z)), E(absolute(z[i] - z[j])), 5, apart) == "fails"
    assert verdict(E(TOP + absolute(z[i] - z[j])), E(TOP) + 2 / root(pi), 4, apart) == "holds"
    assert verdict(E(TOP + absolute(z[i] - z[j])), E(TOP) + 2 / root(pi), 4) == "fails"  # where i = j
    assert verdict(E(TOP + Sum(exponential(z[j]), j)), E(TOP) + 1000 * exponential(exact(1) / 2), 1000) == "holds"
    assert verdict(E(TOP + absolute(z[i])), E(TOP) + root(2 / pi), 6) == "holds"


def test_the_variance_of_an_extreme():
    assert verdict(Var(TOP), 1 - 1 / pi, 2) == "holds"
    assert verdict(Var(TOP), exact(1), 2) == "fails"


@pytest.mark.parametrize(
    "standard", [NORMAL, INTERVAL, UNIFORM, LAPLACE, STUDENT, EXPONENTIAL], ids=lambda law: law.name
)
def test_the_quantiles_have_the_moments_of_their_law(standard: StandardLaw):
    """Of one variable, whose moments are known by another route."""
    nodes = extremes.RULES[1].ranked(AffineLaw(standard, Fraction(2), Fraction(9)), 1, 1)
    law = AffineLaw(standard, Fraction(2), Fraction(9))
    for order in (1, 2, 4):
        assert np.sum(nodes.columns[0] ** order * nodes.weights) == pytest.approx(float(law.moment(order)), rel=1e-11)


@pytest.mark.parametrize(
    "operand",
    [
        exponential(TOP**2),  # infinite
        exponential(TOP**2 / 2),  # infinite, by a slow growth
        exponential(40 * TOP),  # peaks beyond the nodes
        exponential(-(10**6) * (TOP - 1) ** 2),  # a peak between two nodes
        1 / TOP,  # a pole
        1 / (TOP - exact(1) / 3),
        log(absolute(TOP)),
        TOP * smallest(z),  # not linear in order statistics
        TOP * z[i],
        largest(z + y),
        TOP * y[i],
        largest(z, 7),
    ],
    ids=str,
)
def test_what_the_nodes_do_not_show_is_out_of_reach(operand: Expr):
    givens = (*NORMALS, independent_entries(y), identically_distributed(y), has_law(y, normal(0, 1)))
    made, statement = means(E(operand), E(TOP), 4, givens)
    with pytest.raises(NotEvaluated):
        made.compare(statement)


def test_a_kink_does_not_settle():
    made, statement = means(E(absolute(TOP - exact(1) / 3)), E(TOP), 4)
    assert made.compare(replace(statement, right=statement.left)).verdict == "unresolved"


@pytest.mark.parametrize(
    "givens", [(independent_entries(z),), (identically_distributed(z),), (has_mean(z, 0), has_variance(z, 1))], ids=len
)
def test_entries_must_be_declared_independent_and_alike(givens):
    made, statement = means(E(TOP), E(TOP), 3, (*givens, has_mean(z, 0), has_variance(z, 1)))
    with pytest.raises(Unsupported):
        made.compare(statement)


def test_a_check_sees_dimensions_that_nothing_else_reaches():
    def evidence_of(right: Expr) -> str:
        return evidence(check_step(NORMALS, E(TOP), Relation.AT_MOST, right), 1)

    assert evidence_of(root(2 * log(n))) == "agrees"
    assert evidence_of(root(exact(2))) == "refutes"


def test_a_planted_fault_surfaces():
    """With ranks off by one a true statement is refuted."""

    class OffByOne(extremes.Rule):
        def ranked(self, law: AffineLaw, size: int, rank: int) -> extremes.Nodes:
            return super().ranked(law, size, min(rank + 1, size))

    made, statement = means(E(TOP), exact(4) / 5, 4, UNIFORMS)
    assert made.compare(statement).verdict == "holds"
    faulty = tuple(OffByOne(rule.step, rule.step_of_pairs, rule.shift) for rule in extremes.RULES)
    assert replace(made, rules=faulty, _known={}).compare(statement).verdict == "fails"
