"""The givens of a derivation, sorted by what a sampler asks: signs, equations, moments, laws, independence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

from sympy import Expr

from derivations.language.arrays import RandomArray
from derivations.language.distributions import Distribution
from derivations.language.givens import (
    AtLeast,
    Distinct,
    Equation,
    GapBelow,
    Given,
    HasLaw,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    Integrable,
    MaximalEntries,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
    UniqueMaximum,
)
from derivations.language.symbols import Dimension, Index
from numerics.errors import Unsupported

T = TypeVar("T", bound=Given)

VARIANCE = 0
"""The order under which a declared variance is kept among the raw moments (their orders begin at 1)."""


@dataclass(frozen=True)
class Facts:
    """What is known, by kind. ``pairs`` are the declared independent pairs of arrays, ``groups`` those declared
    mutually independent. ``moments`` maps an array to pairs of order and value.
    ``least`` gives the smallest allowed dimensions, ``above`` vectors with the index of an entry that lies above all
    others (by at least a distance, or None for any), ``marks`` vectors with the marks of their maximal entries.

    The fields tell a sampler what to aim at; ``givens`` are all of them, which an instance must satisfy in the end.
    """

    positive: frozenset[Expr]
    nonnegative: frozenset[Expr]
    nonzero: frozenset[Expr]
    equations: tuple[tuple[Expr, Expr], ...]
    distinct: tuple[tuple[Index, Index], ...]
    independent_entries: frozenset[RandomArray]
    identical: frozenset[RandomArray]
    pairs: frozenset[frozenset[RandomArray]]
    groups: tuple[frozenset[RandomArray], ...]
    moments: Mapping[RandomArray, tuple[tuple[int, Expr], ...]]
    laws: Mapping[RandomArray, tuple[Distribution, ...]]
    least: Mapping[Expr, int]
    above: tuple[tuple[Expr, Index, Expr | None], ...]
    marks: tuple[tuple[Expr, Expr], ...]
    givens: tuple[Given, ...] = ()

    def independent(self, first: RandomArray, second: RandomArray) -> bool:
        """Whether a given says that the two arrays are independent."""
        return frozenset({first, second}) in self.pairs

    def mutually(self, arrays: Iterable[RandomArray]) -> bool:
        """Whether one given says that all these arrays are mutually independent."""
        wanted = frozenset(arrays)
        return any(wanted <= group for group in self.groups)


# The existence of an expectation needs nothing of the sampler: its laws are tame.
_KNOWN = (
    AtLeast,
    GapBelow,
    Integrable,
    MaximalEntries,
    UniqueMaximum,
    Distinct,
    Equation,
    HasLaw,
    HasMoment,
    HasVariance,
    IdenticallyDistributed,
    IndependentEntries,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
)


def _least(givens: Iterable[AtLeast]) -> dict[Expr, int]:
    result: dict[Expr, int] = {}
    for dimension, number in (given.args for given in givens):
        if isinstance(dimension, Dimension):
            result[dimension] = max(int(number), result.get(dimension, 1))
    return result


def read_givens(givens: Iterable[Given]) -> Facts:
    """Sort the givens. Raises :class:`Unsupported` for a kind that the sampler cannot satisfy."""
    givens = tuple(givens)
    for given in givens:
        if not isinstance(given, _KNOWN):
            raise Unsupported(f"the sampler does not know how to satisfy {type(given).__name__}")

    def of(kind: type[T]) -> list[T]:
        return [given for given in givens if isinstance(given, kind)]

    moments: dict[RandomArray, tuple[tuple[int, Expr], ...]] = {}
    for moment in of(HasMoment):
        array, order, value = moment.args
        if not isinstance(array, RandomArray):
            continue  # that of an expression is left to chance
        moments[array] = (*moments.get(array, ()), (int(order), value))
    for variance in of(HasVariance):
        array, value = variance.args
        if not isinstance(array, RandomArray):
            continue
        moments[array] = (*moments.get(array, ()), (VARIANCE, value))
    laws: dict[RandomArray, tuple[Distribution, ...]] = {}
    for has_law in of(HasLaw):
        array, law = has_law.args
        laws[array] = (*laws.get(array, ()), law)
    groups = tuple(frozenset(given.args) for given in of(MutuallyIndependent))
    pairwise = tuple(frozenset(given.args) for given in of(PairwiseIndependent))
    pairs = frozenset(frozenset(pair) for group in groups + pairwise for pair in combinations(group, 2))
    return Facts(
        positive=frozenset(given.args[0] for given in of(Positive)),
        nonnegative=frozenset(given.args[0] for given in of(Nonnegative)),
        nonzero=frozenset(given.args[0] for given in of(Nonzero)),
        equations=tuple((given.args[0], given.args[1]) for given in of(Equation)),
        distinct=tuple((given.args[0], given.args[1]) for given in of(Distinct)),
        independent_entries=frozenset(given.args[0] for given in of(IndependentEntries)),
        identical=frozenset(given.args[0] for given in of(IdenticallyDistributed)),
        pairs=pairs,
        groups=groups,
        moments=moments,
        laws=laws,
        least=_least(of(AtLeast)),
        above=(
            *((given.args[0], given.args[1], None) for given in of(UniqueMaximum)),
            *((given.args[0], given.args[1], given.args[2]) for given in of(GapBelow)),
        ),
        marks=tuple((given.args[0], given.args[1]) for given in of(MaximalEntries)),
        givens=givens,
    )
