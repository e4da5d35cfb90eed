"""Expectations over continuous laws of few variables: nodes and weights in many digits.

Normal laws use the trapezoidal rule, which converges faster than any power of the step for a function that is analytic
near the real line (Trefethen and Weideman, SIAM Review 56, 2014); intervals use the double exponential rule
(Takahasi and Mori 1974). A finer and a coarser rule together show the error, so that a function with a kink is found
out: its values do not settle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from numerics.arithmetic import Arithmetic
from numerics.errors import TooLarge
from numerics.joint import Block, ContinuousBlock, FiniteBlock, JointLaw
from numerics.laws import INTERVAL, NORMAL, StandardLaw
from numerics.values import Number


@dataclass(frozen=True)
class Rule:
    """Step of the rule, and how far it reaches, for normal laws and for intervals.

    With a ``kink`` step, normal laws get one rule on each side of their mean, by the substitution
    x = exp(t - exp(-t)); two of them are turned by 45 degrees, so that the kink of a difference lies on an axis.
    """

    normal_step: Fraction
    normal_reach: int
    interval_step: Fraction
    interval_reach: int = 4
    kink: Fraction | None = None


COARSE_AND_FINE = {
    1: (Rule(Fraction(1, 4), 13, Fraction(1, 12)), Rule(Fraction(1, 5), 15, Fraction(1, 16))),
    2: (Rule(Fraction(5, 8), 10, Fraction(1, 5), 3), Rule(Fraction(1, 2), 11, Fraction(1, 6), 3)),
}
"""Rules for one variable and for two; more are left to other methods."""

WITH_KINKS = {
    1: (
        Rule(Fraction(1, 4), 13, Fraction(1, 12), kink=Fraction(1, 12)),
        Rule(Fraction(1, 5), 15, Fraction(1, 16), kink=Fraction(1, 16)),
    ),
    2: (
        Rule(Fraction(4, 5), 9, Fraction(1, 5), 3, kink=Fraction(1, 6)),
        Rule(Fraction(7, 10), 10, Fraction(1, 6), 3, kink=Fraction(1, 8)),
    ),
}
"""Rules for functions with a kink at the mean or where two variables are equal."""


def continuous_cells(joint: JointLaw) -> int:
    """How many independent continuous variables there are."""
    return sum(isinstance(block, ContinuousBlock) for block in joint.blocks)


def _normal_nodes(arithmetic: Arithmetic, rule: Rule) -> list[tuple[Number, Number]]:
    count = int(rule.normal_reach / rule.normal_step)
    step = arithmetic.constant(rule.normal_step)
    points = np.array([step * k for k in range(-count, count + 1)], dtype=object)
    halves = -points * points / 2
    density = arithmetic.functions["exp"](halves)
    total = 2 * arithmetic.constants["pi"]
    scale = (
        step / arithmetic.power(np.asarray(total, dtype=object), np.asarray(arithmetic.constant(Fraction(1, 2))))[()]
    )
    return list(zip(points, density * scale, strict=True))


def _sided_nodes(arithmetic: Arithmetic, step: Fraction) -> list[tuple[Number, Number]]:
    """The standard normal law on both sides of zero, each with the double exponential rule."""
    exp = arithmetic.functions["exp"]
    size = arithmetic.constant(step)
    times = np.array([size * k for k in range(int(-4 / step), int(3 / step) + 1)], dtype=object)
    shrink = exp(-times)
    points = exp(times - shrink)
    total = np.asarray(2 * arithmetic.constants["pi"], dtype=object)
    scale = size / arithmetic.power(total, np.asarray(arithmetic.constant(Fraction(1, 2)), dtype=object))[()]
    weights = exp(-points * points / 2) * points * (shrink + 1) * scale
    return [*zip(points, weights, strict=True), *zip(-points, weights, strict=True)]


def _interval_nodes(arithmetic: Arithmetic, rule: Rule) -> list[tuple[Number, Number]]:
    """x = tanh(u) with u = (pi/2) sinh t; the density of the uniform law on [-1, 1] is 1/2."""
    exp = arithmetic.functions["exp"]
    half_pi = arithmetic.constants["pi"] / 2
    count = int(rule.interval_reach / rule.interval_step)
    step = arithmetic.constant(rule.interval_step)
    times = np.array([step * k for k in range(-count, count + 1)], dtype=object)
    up, down = exp(times), exp(-times)
    inner = half_pi * (up - down) / 2
    points = arithmetic.functions["tanh"](inner)
    spread = exp(inner) + exp(-inner)
    weights = step * half_pi * (up + down) / (spread * spread)
    return list(zip(points, weights, strict=True))


def _nodes(law: StandardLaw, arithmetic: Arithmetic, rule: Rule) -> list[tuple[Number, Number]]:
    if law is NORMAL:
        return _normal_nodes(arithmetic, rule) if rule.kink is None else _sided_nodes(arithmetic, rule.kink)
    if law is INTERVAL:
        return _interval_nodes(arithmetic, rule)
    raise TooLarge(f"no quadrature for the law {law.name}")


def _root(number: Fraction, arithmetic: Arithmetic) -> Number:
    half = np.asarray(arithmetic.constant(Fraction(1, 2)), dtype=object)
    return arithmetic.power(np.asarray(arithmetic.constant(number), dtype=object), half)[()]


def _turned(first: ContinuousBlock, second: ContinuousBlock, arithmetic: Arithmetic, rule: Rule) -> FiniteBlock:
    """Two independent normal variables of one variance by their difference and their sum, which are independent too."""
    differences = _sided_nodes(arithmetic, rule.kink or Fraction(1, 4))
    sums = _normal_nodes(arithmetic, rule)
    half = _root(Fraction(1, 2), arithmetic)
    places = [_placing(block, arithmetic) for block in (first, second)]
    outcomes, weights = [], []
    for difference, weight in differences:
        for total, other in sums:
            outcomes.append(places[0](half * (total + difference)) + places[1](half * (total - difference)))
            weights.append(weight * other)
    return FiniteBlock(first.cells + second.cells, tuple(weights), tuple(outcomes))


def _discrete(block: Block, arithmetic: Arithmetic, rule: Rule) -> FiniteBlock:
    if isinstance(block, FiniteBlock):
        weights = tuple(arithmetic.constant(weight) for weight in block.weights)
        outcomes = tuple(tuple(arithmetic.constant(value) for value in outcome) for outcome in block.outcomes)
        return FiniteBlock(block.cells, weights, outcomes)
    nodes = _nodes(block.law.standard, arithmetic, rule)
    placed = _placing(block, arithmetic)
    values = tuple(placed(point) for point, _ in nodes)
    return FiniteBlock(block.cells, tuple(weight for _, weight in nodes), values)


def _placing(block: ContinuousBlock, arithmetic: Arithmetic) -> Callable[[Number], tuple[Number, ...]]:
    """The values of all cells of a block for a value of its standard variable."""
    lines = [
        (arithmetic.constant(one.law.location), one.sign * _root(one.law.square, arithmetic)) for one in block.each
    ]
    return lambda point: tuple(location + slope * point for location, slope in lines)


def discretised(joint: JointLaw, arithmetic: Arithmetic, rule: Rule) -> JointLaw:
    """The joint law with each continuous variable replaced by the nodes of a rule.

    Raises :class:`TooLarge` for a law without a rule.
    """
    continuous = [block for block in joint.blocks if isinstance(block, ContinuousBlock)]
    if rule.kink is not None and len(continuous) == 2 and _alike(*continuous):
        rest = tuple(_discrete(block, arithmetic, rule) for block in joint.blocks if isinstance(block, FiniteBlock))
        return JointLaw(joint.cells, (_turned(continuous[0], continuous[1], arithmetic, rule), *rest), joint.text)
    blocks = tuple(_discrete(block, arithmetic, rule) for block in joint.blocks)
    return JointLaw(joint.cells, blocks, joint.text)


def _alike(first: ContinuousBlock, second: ContinuousBlock) -> bool:
    return first.law.standard is second.law.standard is NORMAL and first.law.square == second.law.square
