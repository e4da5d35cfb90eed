"""Expectations over continuous laws of few variables: nodes and weights in many digits.

Normal laws use the trapezoidal rule, which converges faster than any power of the step for a function that is analytic
near the real line (Trefethen and Weideman, SIAM Review 56, 2014); intervals use the double exponential rule
(Takahasi and Mori 1974). A finer and a coarser rule together show the error, so that a function with a kink is found
out: its values do not settle.
"""

from __future__ import annotations

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
    """Step of the rule, and how far it reaches, for normal laws and for intervals."""

    normal_step: Fraction
    normal_reach: int
    interval_step: Fraction
    interval_reach: int = 4


COARSE_AND_FINE = {
    1: (Rule(Fraction(1, 4), 13, Fraction(1, 12)), Rule(Fraction(1, 5), 15, Fraction(1, 16))),
    2: (Rule(Fraction(5, 8), 10, Fraction(1, 5), 3), Rule(Fraction(1, 2), 11, Fraction(1, 6), 3)),
}
"""Rules for one variable and for two; more are left to other methods."""


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
        return _normal_nodes(arithmetic, rule)
    if law is INTERVAL:
        return _interval_nodes(arithmetic, rule)
    raise TooLarge(f"no quadrature for the law {law.name}")


def _discrete(block: Block, arithmetic: Arithmetic, rule: Rule) -> FiniteBlock:
    if isinstance(block, FiniteBlock):
        weights = tuple(arithmetic.constant(weight) for weight in block.weights)
        outcomes = tuple(tuple(arithmetic.constant(value) for value in outcome) for outcome in block.outcomes)
        return FiniteBlock(block.cells, weights, outcomes)
    law = block.law
    square = np.asarray(arithmetic.constant(law.square), dtype=object)
    scale = arithmetic.power(square, np.asarray(arithmetic.constant(Fraction(1, 2)), dtype=object))[()]
    location = arithmetic.constant(law.location)
    nodes = _nodes(law.standard, arithmetic, rule)
    values = tuple((location + scale * point,) * len(block.cells) for point, _ in nodes)
    return FiniteBlock(block.cells, tuple(weight for _, weight in nodes), values)


def discretised(joint: JointLaw, arithmetic: Arithmetic, rule: Rule) -> JointLaw:
    """The joint law with each continuous variable replaced by the nodes of a rule.

    Raises :class:`TooLarge` for a law without a rule.
    """
    blocks = tuple(_discrete(block, arithmetic, rule) for block in joint.blocks)
    return JointLaw(joint.cells, blocks, joint.text)
