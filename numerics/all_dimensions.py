"""Every dimension at once: a polynomial of degree at most D that vanishes at D + 1 dimensions is zero.

The degree is read off the tree of a side (:mod:`numerics.degrees`). The result is for the laws and numbers drawn only,
but for every dimension; where the grid of :mod:`numerics.all_laws` is within reach, it is for every law and number too.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np
from sympy import Expr

from derivations.language.arrays import RandomArray
from derivations.language.givens import (
    AtLeast,
    HasLaw,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    Integrable,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
)
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Dimension, Scalar
from derivations.records import Relation
from numerics.all_laws import agrees_for_all_laws
from numerics.checks import Check, Counterexample
from numerics.comparison import compare_exactly
from numerics.degrees import difference_degree, in_dimensions
from numerics.environments import Readers, by_moments
from numerics.errors import NotEvaluated, Unsupported
from numerics.evaluation import READERS, size_of
from numerics.facts import Facts
from numerics.instances import Instance, LawKind, draw_laws, draw_numbers
from numerics.joint import JointLaw, Plan, assemble
from numerics.sources import Seeded, Simplest, Source
from numerics.statements import Statement
from numerics.values import Data

_MOST_DEGREE = 12
_MOST_POINTS = 40

Join: TypeAlias = Callable[[Facts, Mapping[RandomArray, Data], Plan, Source], JointLaw]


# ------------------------------------------------------------------------------------------ the instances


_HANDLED = (
    AtLeast,
    HasLaw,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    Integrable,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
)
"""Givens that an instance with independent, identically distributed entries satisfies, if they are about letters."""


def _refuse_dependence_on_dimensions(statement: Statement) -> None:
    """What is drawn must be the same at every dimension: identical independent entries, and no equation to satisfy."""
    facts, letters = statement.facts, statement.letters
    for given in facts.givens:
        subjects = given.args if isinstance(given, (MutuallyIndependent, PairwiseIndependent)) else given.args[:1]
        plain = all(isinstance(one, (RandomArray, Scalar, Dimension)) for one in subjects)
        about_letters = plain or isinstance(given, Integrable)
        if not isinstance(given, _HANDLED) or not about_letters:
            raise Unsupported(f"a given that may differ from dimension to dimension: {given}")
    if statement.relation is not Relation.EQUALS or statement.propositions or statement.is_open:
        raise Unsupported("not an equation between numbers")
    if letters.arrays or facts.equations or facts.above or facts.marks:
        raise Unsupported("arrays or equations that differ from dimension to dimension")
    if any(free_indices(side) for side in statement.sides):
        raise Unsupported("a free index")
    for array in letters.randoms:
        alike = array in facts.identical or array in facts.laws or not array.shape
        if not alike or (array.shape and array not in facts.independent_entries):
            raise Unsupported(f"the entries of {array} are not independent and identically distributed")
        declared = [value for _, value in facts.moments.get(array, ())]
        if any(isinstance(part, Dimension) for one in (*declared, *facts.laws.get(array, ())) for part in parts(one)):
            raise Unsupported("a law that depends on a dimension")
    if len(letters.randoms) > 1 and not facts.mutually(letters.randoms):
        raise Unsupported("arrays that need not be independent")


@dataclass(frozen=True)
class _Drawn:
    """Numbers and one law for each random array, from which instances of all sizes are made."""

    numbers: Mapping[Expr, Data]
    laws: Mapping[RandomArray, object]


def _draw(statement: Statement, sizes: Mapping[Expr, int], source: Source, kind: LawKind) -> _Drawn:
    sizes, numbers = draw_numbers(statement.letters, statement.facts, sizes, source)
    laws = draw_laws(statement.letters, statement.facts, sizes, numbers, source, kind)
    return _Drawn(numbers, {array: data.reshape(-1)[0] for array, data in laws.items()})


def _instance(statement: Statement, drawn: _Drawn, sizes: Mapping[Expr, int], join: Join) -> Instance:
    if not drawn.laws:
        return Instance(sizes, drawn.numbers, None)
    laws: dict[RandomArray, Data] = {}
    for array, law in drawn.laws.items():
        laws[array] = np.empty(tuple(size_of(size, sizes) for size in array.shape), dtype=object)
        laws[array].fill(law)
    return Instance(sizes, drawn.numbers, join(statement.facts, laws, Plan(), Simplest()))


def grid(statement: Statement, degrees: Mapping[Dimension, int]) -> Iterator[Mapping[Expr, int]]:
    """D + 1 values of each dimension, from the smallest that a given allows."""
    names = list(degrees)
    least = [statement.facts.least.get(one, 1) for one in names]
    spans = [range(low, low + degrees[one] + 1) for one, low in zip(names, least, strict=True)]
    for values in product(*spans):
        yield dict(zip(names, values, strict=True))


@dataclass(frozen=True)
class Exactly:
    """The instruments of this check; a test replaces one by a faulty one. ``grid`` are the sizes to try, ``join`` makes
    the joint law of an instance."""

    readers: Readers = field(default_factory=lambda: READERS)
    grid: Callable[[Statement, Mapping[Dimension, int]], Iterator[Mapping[Expr, int]]] = grid
    join: Join = assemble
    seconds: float = 0.5
    """Of CPU time for all laws at once."""


def _agreement(
    statement: Statement, degrees: Mapping[Dimension, int], source: Source, kind: LawKind, tools: Exactly
) -> tuple[str, Counterexample | None]:
    """The laws and numbers drawn, and the first dimension at which the sides differ, if one does.

    Raises :class:`NotEvaluated` where a dimension gives no value: then nothing is shown.
    """
    drawn: _Drawn | None = None
    text = ""
    for sizes in tools.grid(statement, degrees):
        drawn = drawn or _draw(statement, sizes, source, kind)
        instance = _instance(statement, drawn, sizes, tools.join)
        comparison = compare_exactly(statement, instance, by_moments(instance, readers=tools.readers))
        if comparison.verdict == "fails":
            return "", comparison.counterexample
        if comparison.verdict != "holds":
            raise Unsupported("no value at one of the dimensions")
        text = text or replace(instance, sizes={}).text
    return text, None


_LAWS: tuple[tuple[str | None, LawKind], ...] = ((None, "finite"), ("skewed", "finite"), ("smooth", "continuous"))


def check_all_dimensions(
    statement: Statement, *, step: int, seed: int, seconds: float = 0.2, tools: Exactly | None = None
) -> tuple[Check, ...]:
    """An exact check for every dimension, for a few laws; refuted at the first dimension that differs.

    Nothing where the statement is not a polynomial or the work is too much.
    """
    try:
        _refuse_dependence_on_dimensions(statement)
        degrees = in_dimensions(difference_degree(*statement.sides))
    except NotEvaluated:
        return ()
    points = prod(one + 1 for one in degrees.values())
    if not degrees or max(degrees.values()) > _MOST_DEGREE or points > _MOST_POINTS:
        return ()
    sampled = _LAWS if statement.letters.randoms or statement.letters.scalars else _LAWS[:1]
    start = time.process_time()
    agreed: list[str] = []
    for name, kind in sampled:
        if agreed and time.process_time() - start > seconds:
            break
        source: Source = Simplest() if name is None else Seeded(f"{seed}/{step}/{name}")
        try:
            text, counterexample = _agreement(statement, degrees, source, kind, tools or Exactly())
        except NotEvaluated:
            continue
        if counterexample is not None:
            return (Check(step, "exact", "refuted", samples=1, seed=seed, counterexample=counterexample),)
        agreed.append(text)
    if not agreed:
        return ()
    tools = tools or Exactly()
    wide = agrees_for_all_laws(statement, tools.readers, tools.seconds) if sampled is _LAWS else None
    detail = wide.text if wide is not None else _reach(degrees, points, agreed)
    return (Check(step, "exact", "confirmed", delta=0.0, samples=points * len(agreed), seed=seed, detail=detail),)


def _reach(degrees: Mapping[Dimension, int], points: int, agreed: Sequence[str]) -> str:
    """What agreement at so many dimensions shows, for the laws and numbers that were drawn."""
    bounds = ", ".join(f"{one} in {name}" for name, one in degrees.items())
    names = " and ".join(str(one) for one in degrees)
    where = "; ".join(filter(None, agreed))
    shown = f"polynomial of degree <= {bounds}: agrees at {points} dimensions, so for every {names}"
    return f"{shown} for these laws and numbers: {where}" if where else shown
