"""Environments for an instance: outcomes listed one by one, or random variables known by their moments."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from sympy import Expr
from sympy.core.basic import Basic

from numerics.arithmetic import DOUBLES, EXACT, Arithmetic, high_precision
from numerics.evaluation import READERS, Environment, Reader
from numerics.instances import Instance
from numerics.joint import JointLaw
from numerics.polynomials import mean, variable
from numerics.quadrature import Rule, discretised
from numerics.values import OUTCOME, Data, Value, boxed, combine, summed

Readers = Mapping[type[Basic], Reader]


def weighted(value: Value, weights: Data) -> Value:
    """Sum over the outcomes with their weights."""
    if OUTCOME not in value.labels:
        return value
    return summed(combine(np.multiply, value, Value(weights, (OUTCOME,))), OUTCOME, len(weights))


def _converted(values: Mapping[Expr, Value], arithmetic: Arithmetic) -> dict[Expr, Value]:
    return {
        letter: Value(boxed(arithmetic.convert(one.data), one.data), one.labels, one.rank)
        for letter, one in values.items()
    }


def _numbers(instance: Instance) -> dict[Expr, Value]:
    return {letter: Value(data, (), data.ndim) for letter, data in instance.numbers.items()}


def _of_nodes(arithmetic: Arithmetic) -> Arithmetic:
    """Nodes are computed with digits to spare, also for doubles."""
    return high_precision(30) if arithmetic.name == DOUBLES.name else arithmetic


def enumerated(
    instance: Instance,
    arithmetic: Arithmetic,
    *,
    most: int,
    step: Fraction = Fraction(1, 1024),
    readers: Readers = READERS,
    rule: Rule | None = None,
    far: Fraction = Fraction(10**10),
) -> Environment:
    """All outcomes of the random arrays along one axis; with a rule, its nodes stand for continuous variables.

    Raises :class:`~numerics.errors.TooLarge` for more than ``most`` outcomes.
    """
    values = _numbers(instance)
    settings: dict[str, Any] = {
        "arithmetic": arithmetic,
        "sizes": instance.sizes,
        "step": step,
        "far": far,
        "readers": readers,
    }
    if instance.joint is None:
        return Environment(values=_converted(values, arithmetic), **settings)
    joint = instance.joint if rule is None else discretised(instance.joint, _of_nodes(arithmetic), rule)
    weights, randoms = joint.enumerated(most)
    converted = _converted({**values, **randoms}, arithmetic)
    expect = partial(weighted, weights=arithmetic.convert(weights))
    return Environment(values=converted, expect=expect, **settings)


def _moment_mean(value: Value, joint: JointLaw) -> Value:
    each = np.frompyfunc(lambda item: mean(item, joint.variables), 1, 1)
    return Value(boxed(each(value.data), value.data), value.labels, value.rank)


def by_moments(instance: Instance, *, readers: Readers = READERS, arithmetic: Arithmetic = EXACT) -> Environment:
    """Random entries as variables of polynomials; E takes their exact moments.

    Raises :class:`~numerics.errors.NotRational` for an instance with irrational numbers.
    """
    values = _converted(_numbers(instance), arithmetic)
    if instance.joint is None:
        return Environment(arithmetic, instance.sizes, values, readers=readers)
    for array, numbers in instance.joint.cells.items():
        cells = np.frompyfunc(lambda number: variable(int(number)), 1, 1)(numbers)
        values[array] = Value(np.asarray(cells, dtype=object), (), numbers.ndim)
    expect = partial(_moment_mean, joint=instance.joint)
    return Environment(arithmetic, instance.sizes, values, expect, readers=readers)
