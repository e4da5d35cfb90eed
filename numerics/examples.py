"""Examples of a statement, drawn whole: dimensions, how dependent, what kind of numbers, and then everything else.

What ``verify`` shrinks and what Hypothesis draws are the same draws, so both end at the same counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from sympy import Expr

from derivations.language.givens import Equation
from derivations.records import Relation
from numerics.facts import Facts
from numerics.instances import Instance, LawKind, Letters, Style, draw_instance
from numerics.joint import Plan, plans
from numerics.sources import Source
from numerics.statements import Statement

STYLES: tuple[Style, ...] = ("small", "moderate", "ties", "negative", "near_ties", "saturated", "huge", "tiny")
"""Kinds of vectors, simplest first. All entries of ``negative`` ones are -1/2 or less; ``saturated`` ones have entries
so far apart that a softmax of them is one-hot."""

MODERATE_STYLES: tuple[Style, ...] = STYLES[:6]

SMALL = 3
"""The largest dimension, unless a given asks for more."""

_WIDTHS = (2, 4, None, None, None)
"""Few enough examples are made of the two or four simplest choices alone that the simplest that fails is among those
which are tried; otherwise a counterexample shrinks to one of many."""

T = TypeVar("T")

DrawInstance: TypeAlias = Callable[..., Instance]
Sides: TypeAlias = tuple[Expr, Expr]


@dataclass(frozen=True)
class Narrow:
    """A source that offers another one no more than the simplest choices."""

    source: Source
    width: int

    def choose(self, sequence: Sequence[T]) -> T:
        """One of the first elements."""
        return self.source.choose(sequence[: self.width])

    def integer(self, lowest: int, highest: int) -> int:
        """One of the lowest integers."""
        return self.source.integer(lowest, min(highest, lowest + self.width - 1))


@dataclass(frozen=True)
class Space:
    """The examples for some letters under some givens, with dimensions up to ``most``.

    ``equations`` are the equations between the two sides of an equivalence, one of which may be made true: drawn freely
    they hardly ever are. Beside random arrays the numbers are simple.
    """

    letters: Letters
    facts: Facts
    most: int = SMALL
    styles: tuple[Style, ...] = MODERATE_STYLES
    kind: LawKind = "finite"
    equations: tuple[Sides, ...] = ()

    def draw(self, source: Source, draw: DrawInstance = draw_instance) -> Instance:
        """One example, by the choices of the source. Raises :class:`NothingFound` where the choices lead to none.

        The first choice is among how many the others are.
        """
        width = source.choose(_WIDTHS)
        if width is not None:
            source = Narrow(source, width)
        sizes: Mapping[Expr, int] = {
            one: source.integer(lowest, max(lowest, self.most)) for one, lowest in self.least().items()
        }
        plan = source.choose(plans(self.facts, self.letters.randoms)) if self.letters.randoms else Plan()
        style = "small" if self.letters.randoms else source.choose(self.styles)
        equation = source.choose((None, *self.equations)) if self.equations else None
        facts = with_equation(self.facts, equation)
        return draw(self.letters, facts, sizes, source, plan=plan, style=style, kind=self.kind)

    def beginning(self, sizes: Mapping[Expr, int], plan: Plan, style: Style, equation: Sides | None) -> Iterator[int]:
        """The first choices of an example like this. Raises :class:`ValueError` where it is none of this space."""
        yield _WIDTHS.index(None)
        yield from (sizes[one] - lowest for one, lowest in self.least().items())
        if self.letters.randoms:
            yield plans(self.facts, self.letters.randoms).index(plan)
        else:
            yield self.styles.index(style)
        if self.equations:
            yield (None, *self.equations).index(equation)

    def least(self) -> Mapping[Expr, int]:
        """The smallest value of each dimension."""
        return {one: self.facts.least.get(one, 1) for one in self.letters.dimensions}


def with_equation(facts: Facts, equation: Sides | None) -> Facts:
    """The givens and one more equation."""
    if equation is None:
        return facts
    return replace(facts, equations=(*facts.equations, equation), givens=(*facts.givens, Equation(*equation)))


def space_of(
    statement: Statement,
    *,
    most: int = SMALL,
    styles: tuple[Style, ...] = MODERATE_STYLES,
    kind: LawKind = "finite",
) -> Space:
    """The examples of a statement."""
    solvable = tuple(
        (side.left, side.right)
        for side in statement.propositions or ()
        if side.relation is Relation.EQUALS and not side.is_stochastic
    )
    return Space(statement.letters, statement.facts, most, styles, kind, solvable)
