"""A statement: two expressions with a relation between them, under the givens that concern them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sympy import Expr
from sympy.core.basic import Basic

from derivations.language.arrays import Array, Entry, RandomArray
from derivations.language.functions import Elementary
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
    MaximalEntries,
    MutuallyIndependent,
    Nonnegative,
    Nonzero,
    PairwiseIndependent,
    Positive,
    UniqueMaximum,
)
from derivations.language.operators import Covariance, Differential, Expectation, Limit, Variance
from derivations.language.order import OrderStatistic
from derivations.language.propositions import Proposition
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import parts
from derivations.language.symbols import Dimension, Index
from derivations.records import Relation
from numerics.equations import constrained
from numerics.errors import Unsupported
from numerics.facts import Facts, read_givens
from numerics.instances import Letters, letters_of

MEANS = (Expectation, Variance, Covariance)

_OF_ARRAYS = (HasMoment, HasVariance, HasLaw)
_OF_NUMBERS = (Equation, UniqueMaximum, GapBelow, MaximalEntries, Positive, Nonnegative, Nonzero)
_OF_SIZES = (AtLeast, Distinct)
_OF_DEPENDENCE = (IdenticallyDistributed, IndependentEntries, MutuallyIndependent, PairwiseIndependent)


@dataclass(frozen=True)
class Statement:
    """``left relation right`` for all letters that satisfy the facts, and all values of the free indices."""

    left: Expr
    relation: Relation
    right: Expr
    facts: Facts
    letters: Letters

    @property
    def sides(self) -> tuple[Expr, Expr]:
        """Both expressions."""
        return self.left, self.right

    def contains(self, *kinds: type[Basic]) -> bool:
        """Whether a node of one of these kinds occurs in either side."""
        return any(isinstance(part, kinds) for side in self.sides for part in parts(side))

    @property
    def propositions(self) -> tuple[Statement, Statement] | None:
        """The two sides as statements of their own, where the statement is an equivalence."""
        left, right = self.left, self.right
        if not (isinstance(left, Proposition) and isinstance(right, Proposition)):
            return None
        first, second = (
            replace(self, left=one.left, relation=Relation(one.sign), right=one.right) for one in (left, right)
        )
        return first, second

    @property
    def needs_digits(self) -> bool:
        """Whether a derivative or a limit occurs, whose values are approximations."""
        return self.contains(Differential, Limit)

    @property
    def has_kinks(self) -> bool:
        """Whether a modulus or an order statistic occurs, which is not smooth."""
        return self.contains(OrderStatistic) or any(
            isinstance(part, Elementary) and part.name == "abs" for side in self.sides for part in parts(side)
        )

    @property
    def is_stochastic(self) -> bool:
        """Whether an expectation, a variance or a covariance occurs."""
        return self.contains(*MEANS)

    @property
    def is_open(self) -> bool:
        """Whether a side is itself random, so that the statement is one about every outcome."""
        return any(open_random_arrays(side) for side in self.sides)


def _all(letters: Letters) -> frozenset[Basic]:
    return frozenset((*letters.scalars, *letters.arrays, *letters.randoms))


def _is_general(given: Given) -> bool:
    """Whether a given is one about random arrays as they are, such as their independence: it brings in no letters."""
    if isinstance(given, _OF_ARRAYS + _OF_NUMBERS + _OF_SIZES):
        return False
    return not isinstance(given, _OF_DEPENDENCE) or all(isinstance(one, RandomArray) for one in given.args)


def _relevant(givens: tuple[Given, ...], start: Letters, sides: tuple[Expr, ...]) -> tuple[Letters, tuple[Given, ...]]:
    """The letters of the statement with those that values of their moments and equations bring in, and these givens.

    Givens about independence name arrays that the statement may not contain; they bring in no letters.
    """
    letters = start
    used = [given for given in givens if _is_general(given)]
    waiting = [given for given in givens if not _is_general(given)]
    while True:
        touched = [given for given in waiting if _touches(given, letters)]
        if not touched:
            return letters, tuple(used)
        used += touched
        waiting = [given for given in waiting if given not in touched]
        letters = letters_of([*sides, *(given for given in used if not _is_general(given))])


def _touches(given: Given, letters: Letters) -> bool:
    present, dimensions = _all(letters), frozenset(letters.dimensions)
    if isinstance(given, _OF_ARRAYS):
        return bool(_all(letters_of([given.args[0]])) & present)
    if isinstance(given, Distinct):
        return any(isinstance(part, Dimension) and part in dimensions for part in parts(given.args[0].dimension))
    named, counts = _all(letters_of([given])), frozenset(_counts(given))
    return bool(named & present or counts & dimensions) or not (named or counts)  # what has no letters is always asked


def _counts(expression: Basic) -> Iterator[Dimension]:
    """The dimensions that stand as numbers, not only as the range of an index or the shape of an array."""
    if isinstance(expression, Dimension):
        yield expression
    elif not isinstance(expression, (Array, Index)):
        for argument in expression.args:
            yield from _counts(argument)


def _refuse_ambiguous_derivatives(statement: Statement) -> None:
    """A derivative by a letter that a given ties to others has no unique meaning for the sampler."""
    fixed = constrained((*statement.facts.equations, *statement.facts.marks))
    laws = [value for pairs in statement.facts.moments.values() for _, value in pairs]
    laws += [
        given.args[0]
        for given in statement.facts.givens
        if isinstance(given, _OF_ARRAYS) and not isinstance(given.args[0], RandomArray)
    ]
    named = (law for several in statement.facts.laws.values() for law in several)
    of_laws = letters_of([*laws, *named]) if statement.letters.randoms else letters_of([])
    for side in statement.sides:
        for part in parts(side):
            if isinstance(part, Differential):
                variable = part.args[1]
                letter = variable.array if isinstance(variable, Entry) else variable
                if letter in fixed:
                    raise Unsupported(f"a derivative by {letter}, which a given ties to others")
                if letter in (*of_laws.scalars, *of_laws.arrays):
                    raise Unsupported(f"a derivative by {letter}, on which a law depends")


def make_statement(
    givens: Iterable[Given], left: Expr, relation: Relation, right: Expr, free: tuple[Index, ...] = ()
) -> Statement:
    """A statement with the givens that concern it. Raises :class:`Unsupported` for givens nobody can sample."""
    letters, used = _relevant(tuple(givens), letters_of([left, right, *free]), (left, right, *free))
    facts = read_givens(used)
    present = frozenset(letters.randoms)
    facts = replace(facts, moments={a: m for a, m in facts.moments.items() if a in present})
    statement = Statement(left, relation, right, facts, letters)
    _refuse_ambiguous_derivatives(statement)
    return statement
