"""Planted faults: with a broken sampler or evaluator, true statements are refuted. A check that still passed would not
be looking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest
from known_statements import TRUE, Case
from sympy.core.basic import Basic

from derivations.language.functions import Dot
from derivations.language.operators import Covariance, Expectation, Summation, Variance
from derivations.language.symbols import Delta
from derivations.language.written import Quotient
from numerics import check_step, evidence
from numerics.arithmetic import DOUBLES, high_precision
from numerics.checking import Instruments
from numerics.evaluation import READERS, Environment, Reader
from numerics.instances import draw_instance
from numerics.joint import JointLaw
from numerics.monte_carlo import MonteCarloRoute
from numerics.route import Route
from numerics.sampling import ArraySampler, Sampler, sampler_of
from numerics.values import Value, combine

CASES = {case.name: case for case in TRUE}


def verdict(case: Case, instruments: Instruments) -> str:
    checks = check_step(case.givens, case.left, case.relation, case.right, instruments=instruments)
    return evidence(checks, 1)


def with_reader(kind: type[Basic], change: Callable[[Value], Value]) -> Mapping[type[Basic], Reader]:
    """The readers with the value of one kind of node changed."""
    true = READERS[kind]

    def faulty(expression: Basic, environment: Environment) -> Value:
        return change(true(expression, environment))

    return {**READERS, kind: faulty}


def doubled(value: Value) -> Value:
    return combine(np.add, value, value)


# -------------------------------------------------------------------------------------------- the sampler


def stretched(joint: JointLaw) -> Sampler:
    """Every entry 5 % too wide."""
    honest = sampler_of(joint)
    return Sampler(tuple((array, replace(one, scale=one.scale * 1.05)) for array, one in honest.arrays))


def shifted(joint: JointLaw) -> Sampler:
    """Every entry off by a fifth."""
    honest = sampler_of(joint)
    return Sampler(tuple((array, replace(one, location=one.location + 0.2)) for array, one in honest.arrays))


def constant(joint: JointLaw) -> Sampler:
    """All entries of an array the same draw."""

    class Repeating(ArraySampler):
        def draw(self, generator: np.random.Generator, out: np.ndarray) -> None:
            super().draw(generator, out)
            out[...] = out[:, :1]

    honest = sampler_of(joint)
    return Sampler(
        tuple((array, Repeating(one.shape, one.laws, one.location, one.scale)) for array, one in honest.arrays)
    )


@pytest.mark.parametrize("sampler", [stretched, shifted, constant], ids=lambda fault: fault.__name__)
def test_a_wrong_sampler_is_refuted(sampler: Callable[[JointLaw], Sampler]):
    tools = Instruments(points=6, sampling=MonteCarloRoute(sampler=sampler))
    assert verdict(CASES["variance of the dot product"], tools) == "refutes"


def test_an_instance_that_breaks_the_givens_is_refuted():
    """The generator of instances forgets that entries are independent."""
    from dataclasses import replace as changed

    def careless(letters, facts, sizes, source, **options):
        from numerics.joint import Plan

        loose = changed(facts, independent_entries=frozenset(), pairs=frozenset(), groups=())
        return draw_instance(letters, loose, sizes, source, **{**options, "plan": Plan(follow="copy")})

    tools = Instruments(points=6, pointwise=Route(draw=careless))
    assert verdict(CASES["variance of the dot product"], tools) == "refutes"


# ------------------------------------------------------------------------------------------ the evaluator


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (Variance, "variance of the dot product"),
        (Expectation, "fourth moment"),
        (Covariance, "covariance"),
        (Dot, "variance of the dot product"),
        (Summation, "softmax sums to one"),
        (Delta, "softmax jacobian"),
        (Quotient, "scaled"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_node_evaluated_twice_too_large_is_refuted(kind: type[Basic], name: str):
    tools = Instruments(points=8, pointwise=Route(readers=with_reader(kind, doubled)))
    assert verdict(CASES[name], tools) == "refutes"


def test_a_wrong_dot_product_in_doubles_is_refuted_by_sampling():
    """The exact route stays honest, so it is the sampling that notices."""

    def wrong(factors, sizes):
        return doubled(DOUBLES.contract(factors, sizes))

    tools = Instruments(points=6, sampling=MonteCarloRoute(doubles=replace(DOUBLES, contract=wrong)))
    checks = check_step(
        CASES["variance of the dot product"].givens,
        CASES["variance of the dot product"].left,
        CASES["variance of the dot product"].relation,
        CASES["variance of the dot product"].right,
        instruments=tools,
    )
    assert {check.method: check.outcome for check in checks} == {"exact": "confirmed", "monte_carlo": "refuted"}


def broken_digits(**functions):
    """High precision with some definitions replaced."""

    def make(digits):
        true = high_precision(digits)
        changes = {name: change(getattr(true, name)) for name, change in functions.items()}
        return replace(true, **changes)

    return make


@pytest.mark.parametrize(
    "name", ["softmax sums to one", "softmax jacobian", "logsumexp gradient", "cross entropy", "second derivative"]
)
def test_a_softmax_off_by_a_factor_is_refuted(name: str):
    softmax = broken_digits(softmax=lambda true: lambda operand: true(operand) * 2)
    assert verdict(CASES[name], Instruments(points=8, pointwise=Route(high_precision=softmax))) == "refutes"


def test_a_logsumexp_that_forgets_the_maximum_is_refuted():
    faulty = broken_digits(logsumexp=lambda true: lambda operand: true(operand) - operand.max(axis=-1))
    tools = Instruments(points=8, pointwise=Route(high_precision=faulty))
    assert verdict(CASES["logsumexp definition"], tools) == "refutes"


def test_honest_instruments_refute_none_of_these():
    for name in ("variance of the dot product", "softmax jacobian", "covariance", "logsumexp definition"):
        assert verdict(CASES[name], Instruments(points=8)) == "agrees"
