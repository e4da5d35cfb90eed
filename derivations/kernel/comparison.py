"""Inequalities between written expressions, shown on the author's trees.

``Comparison.at_most(a, b)`` tries to show a <= b: by equality, by a difference that is visibly not negative, by a given
or a named inequality (:mod:`derivations.kernel.named_inequalities`), or by comparing part with part where the whole
grows with its parts (:mod:`derivations.kernel.monotonicity`). It never shows a falsehood; False only means that nothing
was found. Distinctness of indices that a factor 1 - delta_ij brings is carried along.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic
from sympy.core.symbol import Str

from derivations.kernel.context import Context
from derivations.kernel.written_signs import NONNEGATIVE, Range, sign
from derivations.language import functions, operators
from derivations.language import givens as kinds
from derivations.language.arrays import Entry
from derivations.language.givens import Given
from derivations.language.order import OrderStatistic
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Index
from derivations.language.written import Negative, Plus, Power, Quotient, Shape, Times, shape_of
from derivations.records import Derivation

MAXIMUM_DEPTH = 12

Question: TypeAlias = "tuple[Expr, Expr, tuple[frozenset[Index], ...]]"


ComparisonRule: TypeAlias = "Callable[[Comparison, Expr, Expr], bool]"


@dataclass(frozen=True)
class Rules:
    """What a comparison tries: named inequalities, wholes that grow with their parts, and those that do so strictly."""

    named: tuple[ComparisonRule, ...] = ()
    monotone: tuple[ComparisonRule, ...] = ()
    strict: tuple[ComparisonRule, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """What a comparison may use. ``equal`` decides equality by normal form, ``visible(high, low)`` whether the normal
    form of the difference shows low <= high; ``context`` notes the laws in use; ``known`` are the answers so far."""

    context: Context
    givens: tuple[Given, ...]
    equal: Callable[[Expr, Expr], bool]
    distinct: tuple[frozenset[Index], ...] = ()
    depth: int = 0
    theorems: tuple[Derivation, ...] = ()
    visible: Callable[[Expr, Expr], bool] = lambda high, low: False
    known: dict[Question, bool] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)

    def at_most(self, low: Expr, high: Expr) -> bool:
        """Whether low <= high is shown for all values of the free indices that are distinct where that is known."""
        if self.depth > MAXIMUM_DEPTH or shape_of(low) or shape_of(high):
            return False
        question = (low, high, self.distinct)
        if question not in self.known:
            self.known[question] = False  # asked again on the way to its answer, it is of no help
            self.known[question] = replace(self, depth=self.depth + 1)._at_most(low, high)
        return self.known[question]

    def _at_most(self, low: Expr, high: Expr) -> bool:
        return (
            self.equal(low, high)
            or self._by_sign(low, high)
            or any(rule(self, low, high) for rule in self.rules.named)
            or self._by_monotone(self.rules.monotone, low, high)
        )

    def less(self, low: Expr, high: Expr) -> bool:
        """Whether low < high is shown, in the same sense."""
        if self.depth > MAXIMUM_DEPTH or shape_of(low) or shape_of(high):
            return False
        deeper = replace(self, depth=self.depth + 1)
        return deeper.positive(Plus(high, Negative(low))) or deeper._by_monotone(self.rules.strict, low, high)

    def _by_monotone(self, rules: tuple[ComparisonRule, ...], low: Expr, high: Expr) -> bool:
        return (
            self.context.allows("order.monotone")
            and any(rule(self, low, high) for rule in rules)
            and self.context.law("order.monotone") is not None  # notes the use
        )

    def _by_sign(self, low: Expr, high: Expr) -> bool:
        return self.not_negative(Plus(high, Negative(low))) or self.visible(high, low)

    def not_negative(self, expression: Expr) -> bool:
        """Whether the sign of the expression is seen to be positive or zero."""
        if self.depth > MAXIMUM_DEPTH:
            return False
        return self._has_sign(expression, NONNEGATIVE) or _built_of_nonnegative(
            replace(self, depth=self.depth + 1), expression
        )

    def positive(self, expression: Expr) -> bool:
        """Whether the sign of the expression is seen to be positive."""
        return self._has_sign(expression, Range.POSITIVE)

    def _has_sign(self, expression: Expr, allowed: Range) -> bool:
        known = sign(expression, self.givens)
        if known.range & ~allowed:
            return False
        for given in known.givens:
            if self.context.law("nonnegativity.given") is None:
                return False
            self.context.use(given)
        return True

    def known_distinct(self, first: Expr, second: Expr) -> bool:
        """Whether two indices are known to be different here."""
        if not isinstance(first, Index) or not isinstance(second, Index):
            return False
        pair = frozenset((first, second))
        return pair in self.distinct or any(
            isinstance(one, kinds.Distinct) and frozenset(one.args) == pair for one in self.givens
        )


def fresh_indices(
    comparison: Comparison, indices: tuple[Index, ...], expressions: tuple[Expr, ...]
) -> tuple[Index, ...]:
    """Letters for bound indices whose sum is opened that occur nowhere: not in the expressions, and neither in a given
    nor among the indices known to be distinct, since what is said of those says nothing of these."""
    places: tuple[Basic, ...] = (
        *expressions,
        *comparison.givens,
        *(one for pair in comparison.distinct for one in pair),
    )
    taken = {part.name for place in places for part in parts(place) if isinstance(part, Index)}
    opened = []
    for one in indices:
        name = one.name
        while name in taken:
            name += "'"
        taken.add(name)
        opened.append(Index(Str(name), one.dimension))
    return tuple(opened)


def _built_of_nonnegative(comparison: Comparison, expression: Expr) -> bool:
    """Sums, products, quotients and positive powers of what is not negative; log x for x >= 1; a mean of such."""
    if isinstance(expression, (Plus, Times, Quotient)):
        return all(comparison.not_negative(part) for part in expression.args)
    if isinstance(expression, Power) and isinstance(expression.args[1], Rational) and expression.args[1].p > 0:
        return comparison.not_negative(expression.args[0])
    if isinstance(expression, functions.Elementary) and expression.name == "log":
        return comparison.at_most(Integer(1), expression.operand)
    if isinstance(expression, operators.Expectation):
        inner = expression.args[0]
        if isinstance(inner, OrderStatistic):
            return mean_of_largest(comparison, Integer(0), expression)
        factor, mean = scaled_mean(expression)
        if mean is not None and mean != expression:
            return comparison.not_negative(factor) and comparison.not_negative(mean)
        return comparison.not_negative(inner)
    if isinstance(expression, Negative) and isinstance(expression.args[0], Negative):
        return comparison.not_negative(expression.args[0].args[0])
    return False


def mean_of_largest(comparison: Comparison, low: Expr, high: Expr) -> bool:
    """E x_i <= E max x for any one entry x_i."""
    if not isinstance(high, operators.Expectation) or isinstance(low, operators.Expectation):
        return False
    inner = high.args[0]
    if not isinstance(inner, OrderStatistic) or inner.rank != 1 or not comparison.context.allows("order.bounds"):
        return False
    vector = inner.args[0]
    (one,) = fresh_indices(comparison, (Index(Str("i"), shape_of(vector)[0]),), (low, high))
    mean = operators.Expectation(Entry(vector, one))
    rule = comparison.context.law("order.bounds")
    return rule is not None and rule(0, 1) and (comparison.equal(low, mean) or comparison.at_most(low, mean))


def indices_of(expressions: tuple[Expr, ...], shape: Shape) -> list[Index]:
    """The free indices of the expressions that can stand at an array of this shape, in a fixed order."""
    found = frozenset().union(*(free_indices(one) for one in expressions))
    return sorted((one for one in found if (one.dimension,) == shape), key=lambda one: one.name)


def product_of(factors: list[Expr]) -> Expr:
    """The product of some factors; one where there are none."""
    if not factors:
        return Integer(1)
    return factors[0] if len(factors) == 1 else Times(*factors)


def scaled_mean(expression: Expr) -> tuple[Expr, Expr | None]:
    """a and E X, where the expression is a E X or E(a X) with a not random."""
    outside: list[Expr] = []
    inside: list[Expr] = []
    for factor in expression.args if isinstance(expression, Times) else (expression,):
        if not isinstance(factor, operators.Expectation):
            outside.append(factor)
            continue
        body = factor.args[0]
        if inside:
            return expression, None
        for part in body.args if isinstance(body, Times) else (body,):
            (inside if open_random_arrays(part) else outside).append(part)
    return (product_of(outside), operators.Expectation(product_of(inside))) if inside else (expression, None)
