"""Expectations of functions of one order statistic, at any dimension: integrals in one variable.

The k-th largest of n independent variables with one continuous distribution function F has the law of F^-1(U), where U
has the density n!/((n-k)! (k-1)!) u^(n-k) (1-u)^(k-1) (David and Nagaraja 2003, Order Statistics, chapter 2). What is
linear is taken apart, since the largest and the smallest entry are not independent; a function of one or of two
entries is an integral too. For two entries the larger is the square root of a uniform variable and the smaller a
uniform part of it, on the scale of F, so that a kink where they are equal lies on the edge.

The integrals are sums by the double exponential rule (Takahasi and Mori 1974) on the scale of F, in doubles, by three
grids. A grid is evidence only where nothing can hide between its nodes (:mod:`numerics.resolution`) and where the
integrand has died away at its ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise

import numpy as np
from sympy import Expr
from sympy.core.basic import Basic
from sympy.core.symbol import Dummy

from derivations.language.arrays import Entry, RandomArray, Tabulated
from derivations.language.operators import DistinctSummation, Expectation, Summation, Variance
from derivations.language.order import OrderStatistic
from derivations.language.randomness import open_random_arrays
from derivations.language.structure import bound_indices, free_indices
from derivations.language.written import Negative, Plus, Quotient, Times
from numerics.arithmetic import Arithmetic
from numerics.comparison import (
    DIGITS_OF_DOUBLES,
    QUADRATURE,
    Comparison,
    Pair,
    Tolerance,
    compare_with_digits,
    outermost_means,
)
from numerics.environments import Readers, weighted
from numerics.errors import TooLarge, Unsupported
from numerics.evaluation import Environment, covariance, evaluate, size_of
from numerics.instances import Instance
from numerics.joint import AffineLaw, ContinuousBlock
from numerics.order_grids import RULES, Floats, Nodes, Rule
from numerics.resolution import Grid, follows
from numerics.statements import Statement
from numerics.values import OUTCOME, Label, Value, combine, summed

_DIED_AWAY = 1e-12
_MOST_PAIRS = 64


def reaches(statement: Statement) -> bool:
    """Whether an expectation of an order statistic occurs in a statement that is not itself random."""
    return (
        statement.contains(OrderStatistic)
        and statement.is_stochastic
        and not (statement.propositions or statement.is_open or statement.needs_digits)
    )


@dataclass(frozen=True)
class Means:
    """The expectations at an instance, each computed once by every rule; a test replaces a rule by a faulty one."""

    statement: Statement
    instance: Instance
    arithmetic: Arithmetic
    readers: Readers
    rules: tuple[Rule, ...] = RULES
    _known: dict[Expr, tuple[Value, ...]] = field(default_factory=dict)
    _laws: dict[RandomArray, AffineLaw] = field(default_factory=dict)

    def compare(self, statement: Statement, tolerance: Tolerance = QUADRATURE) -> Comparison:
        """The verdict here. Raises :class:`NotEvaluated` where an expectation is no such integral.

        The sides fail or hold only if they do so by the third rule too.
        """
        nodes = dict.fromkeys(node for side in statement.sides for node in outermost_means(side))
        letters: dict[Expr, Expr] = {node: Dummy(f"mean{k}") for k, node in enumerate(nodes)}
        values = {letter: self._mean(node) for node, letter in letters.items()}
        left, right = (side.xreplace(letters) for side in statement.sides)
        plain = replace(statement, left=left, right=right)
        environments = [
            replace(self._environment, values={**self._environment.values, **{one: v[k] for one, v in values.items()}})
            for k in range(len(self.rules))
        ]
        found = Comparison("unresolved")
        for first, second in pairwise(environments):
            pair = Pair(first, second, DIGITS_OF_DOUBLES)
            found = compare_with_digits(plain, self.instance, [pair], tolerance)
            if found.verdict == "unresolved":
                break
        return found

    @property
    def _environment(self) -> Environment:
        values: dict[Expr, Value] = {
            letter: Value(np.asarray(self.arithmetic.convert(data)), (), data.ndim)
            for letter, data in self.instance.numbers.items()
        }
        return Environment(self.arithmetic, self.instance.sizes, values, readers=self.readers)

    def _mean(self, node: Expr) -> tuple[Value, ...]:
        if node not in self._known:
            self._known[node] = tuple(self._by_rule(node, rule) for rule in self.rules)
        return self._known[node]

    def _by_rule(self, node: Expr, rule: Rule) -> Value:
        if isinstance(node, Expectation):
            return self._linear(node.args[0], rule)
        if isinstance(node, Variance):
            return self._of_function(node.args[0], rule, centred=True)
        raise Unsupported("a covariance is no integral in one variable")

    def _linear(self, operand: Expr, rule: Rule) -> Value:
        """The expectation of each term, of a factor beside constants, of what a sum adds up."""
        if not open_random_arrays(operand):
            return self._constant(operand, rule)
        if isinstance(operand, Plus):
            return reduce(
                lambda total, term: combine(np.add, total, term), (self._linear(term, rule) for term in operand.args)
            )
        if isinstance(operand, Negative):
            return combine(np.negative, self._linear(operand.args[0], rule))
        if isinstance(operand, Quotient) and not open_random_arrays(operand.args[1]):
            bottom = self._constant(operand.args[1], rule)
            return combine(self.arithmetic.divide, self._linear(operand.args[0], rule), bottom)
        if isinstance(operand, Times):
            random = [factor for factor in operand.args if open_random_arrays(factor)]
            if len(random) == 1:
                fixed = (self._constant(factor, rule) for factor in operand.args if factor is not random[0])
                return reduce(lambda total, one: combine(np.multiply, total, one), fixed, self._linear(random[0], rule))
        if isinstance(operand, Summation) and not isinstance(operand, DistinctSummation):
            value = self._linear(operand.body, rule)
            for index in operand.indices:
                value = summed(value, index, size_of(index.dimension, self.instance.sizes))
            return value
        return self._of_function(operand, rule)

    def _constant(self, expression: Expr, rule: Rule) -> Value:
        known = {node: self._by_rule(node, rule) for node in outermost_means(expression)}
        return evaluate(expression, replace(self._environment, known=known))

    def _of_function(self, operand: Expr, rule: Rule, *, centred: bool = False) -> Value:
        """The expectation (or the variance) of a function of one order statistic or of one or two entries."""
        statistics = dict.fromkeys(_order_statistics(operand))
        entries = dict.fromkeys(_entries(operand))
        letters = (Dummy("first"), Dummy("second"))
        if len(statistics) == 1 and not entries:
            (statistic,) = statistics
            nodes = self._ranked(statistic, rule)
            return self._integral(operand.xreplace({statistic: letters[0]}), letters[:1], nodes, rule, centred)
        if statistics or not 1 <= len(entries) <= 2:
            raise Unsupported("a function of several order statistics or of many entries")
        if any(not set(one.indices) <= set(free_indices(operand)) for one in entries):
            raise Unsupported("a function of all entries")
        first, second = (*entries, *entries)[:2]
        law = self._law(first.array)
        alone = operand.xreplace({first: letters[0], second: letters[0]})
        if len(entries) == 1:
            return self._integral(alone, letters[:1], rule.ranked(law, 1, 1), rule, centred)
        if centred or first.array != second.array or len(first.indices) != 1:
            raise Unsupported("entries of two arrays")
        both = operand.xreplace({first: letters[0], second: letters[1]})
        halves = [self._integral(both, order, rule.pair(law), rule, centred) for order in (letters, letters[::-1])]
        apart = combine(lambda one, other: (one + other) / 2, *halves)
        labels: tuple[Label, Label] = (first.indices[0], second.indices[0])
        bound = frozenset().union(*(bound_indices(side) for side in self.statement.sides))
        if not bound & set(labels) and frozenset(labels) in {frozenset(pair) for pair in self.statement.facts.distinct}:
            return apart
        size = size_of(first.indices[0].dimension, self.instance.sizes)
        if size > _MOST_PAIRS:
            raise TooLarge("too many pairs of entries")
        equal = self._integral(alone, letters[:1], rule.ranked(law, 1, 1), rule, centred)
        return combine(np.where, Value(np.eye(size, dtype=bool), labels), equal, apart)

    def _ranked(self, statistic: OrderStatistic, rule: Rule) -> Nodes:
        """Nodes for the k-th largest entry of factor * array + offset."""
        array, factor, offset = self._affine(statistic.args[0], rule)
        size = size_of(array.shape[0], self.instance.sizes)
        rank = size if statistic.rank == -1 else statistic.rank
        if rank > size:
            raise Unsupported("an order statistic of too few entries")
        law = self._law(array)
        ranked = rule.ranked(law, size, rank if factor >= 0 else size + 1 - rank)
        return replace(ranked, columns=(factor * ranked.columns[0] + offset,))

    def _affine(self, vector: Expr, rule: Rule, *, inside: bool = False) -> tuple[RandomArray, float, float]:
        """The random vector of which this one is factor * vector + offset with constants; ``inside`` a table, the same
        of its entries."""
        match vector:
            case RandomArray() if len(vector.shape) == 1:
                return vector, 1.0, 0.0
            case Tabulated():
                if {one.indices for one in _entries(vector)} != {vector.indices}:
                    raise Unsupported("a table that is no affine image of one random vector, entry by entry")
                return self._affine(vector.args[0], rule, inside=True)
            case Entry() if inside and isinstance(vector.array, RandomArray) and len(vector.indices) == 1:
                return vector.array, 1.0, 0.0
            case Negative():
                array, factor, offset = self._affine(vector.args[0], rule, inside=inside)
                return array, -factor, -offset
            case Quotient() | Times():
                return self._scaled(vector, rule, inside=inside)
            case Plus():
                random = [term for term in vector.args if open_random_arrays(term)]
                if len(random) == 1:
                    array, factor, offset = self._affine(random[0], rule, inside=inside)
                    rest = (self._number(term, rule) for term in vector.args if term is not random[0])
                    return array, factor, offset + sum(rest)
        raise Unsupported("a vector that is no affine image of one random vector")

    def _scaled(self, vector: Expr, rule: Rule, *, inside: bool) -> tuple[RandomArray, float, float]:
        random = [part for part in vector.args if open_random_arrays(part)]
        if len(random) != 1 or (isinstance(vector, Quotient) and random[0] is not vector.args[0]):
            raise Unsupported("a vector that is no affine image of one random vector")
        array, factor, offset = self._affine(random[0], rule, inside=inside)
        for part in vector.args:
            if part is not random[0]:
                number = self._number(part, rule)
                number = 1 / number if isinstance(vector, Quotient) else number
                factor, offset = factor * number, offset * number
        return array, factor, offset

    def _number(self, expression: Expr, rule: Rule) -> float:
        value = self._constant(expression, rule)
        if value.labels or value.rank:
            raise Unsupported("an affine image that differs from entry to entry")
        return float(value.data[()])

    def _law(self, array: Expr) -> AffineLaw:
        """The law of the entries, which must be independent and identically distributed, and declared so."""
        facts, joint = self.statement.facts, self.instance.joint
        if not isinstance(array, RandomArray) or joint is None:
            raise Unsupported("entries of an array that is not random itself")
        if array not in self._laws:
            declared = array in facts.identical or array in facts.laws
            if array.shape and not (array in facts.independent_entries and declared):
                raise Unsupported("entries that are not declared independent and identically distributed")
            own = {int(cell) for cell in joint.cells[array].reshape(-1)}
            blocks = [block for block in joint.blocks if own & set(block.cells)]
            laws = {block.law for block in blocks if isinstance(block, ContinuousBlock) and len(block.cells) == 1}
            if len(laws) != 1 or len(blocks) != len(own) or not all(isinstance(b, ContinuousBlock) for b in blocks):
                raise Unsupported("entries without one continuous law")
            (self._laws[array],) = laws
        return self._laws[array]

    def _integral(self, operand: Expr, letters: tuple[Dummy, ...], nodes: Nodes, rule: Rule, centred: bool) -> Value:
        """The weighted sum over the nodes. Raises :class:`Unsupported` where the nodes are no evidence."""
        if open_random_arrays(operand):
            raise Unsupported("something else under the expectation is random")
        columns: dict[Expr, Value] = {
            letter: Value(column, (OUTCOME,)) for letter, column in zip(letters, nodes.columns, strict=True)
        }
        known = {node: self._by_rule(node, rule) for node in outermost_means(operand)}
        environment = replace(self._environment, known=known)
        environment = replace(environment, values={**environment.values, **columns})
        value = evaluate(operand, environment)
        if OUTCOME not in value.labels:
            raise Unsupported("nothing random under the expectation")
        importance = _importance(value, nodes)
        if rule is self.rules[-1]:
            third = Grid(environment, importance, nodes.shape, tuple(range(len(nodes.shape))))
            if not follows(operand, third):
                raise Unsupported("a function that the nodes may not follow")

        def expect(one: Value) -> Value:
            return weighted(one, nodes.weights)

        return covariance(value, value, expect) if centred else expect(value)


def _importance(value: Value, nodes: Nodes) -> Floats:
    """How much each node counts, beside the one that counts most: by its weight or by its part of the integral.

    Raises :class:`Unsupported` where the integrand is infinite or has not died away at the ends.
    """
    axis = value.labels.index(OUTCOME)
    data = np.moveaxis(np.asarray(value.data, dtype=float), axis, 0).reshape(len(nodes.weights), -1)
    with np.errstate(all="ignore"):
        parts = np.abs(data).max(axis=1) * nodes.weights
    if not np.isfinite(parts).all():
        raise Unsupported("an integrand that is not finite")
    largest = parts.max() or 1.0
    shaped = parts.reshape(nodes.shape) / largest
    for place in range(len(nodes.shape)):
        ends = np.take(shaped, (0, -1), axis=place)
        if (ends > _DIED_AWAY).any():
            raise Unsupported("an integrand that has not died away where the nodes end")
    return np.asarray(np.maximum(nodes.weights / nodes.weights.max(), parts / largest))


def _order_statistics(expression: Basic) -> Iterator[OrderStatistic]:
    """The outermost random ones outside of expectations."""
    if not isinstance(expression, Expr) or not open_random_arrays(expression):
        return
    if isinstance(expression, OrderStatistic):
        yield expression
        return
    for argument in expression.args:
        yield from _order_statistics(argument)


def _entries(expression: Basic) -> Iterator[Entry]:
    """The entries of random arrays outside of expectations and of order statistics."""
    if not isinstance(expression, Expr) or not open_random_arrays(expression) or isinstance(expression, OrderStatistic):
        return
    if isinstance(expression, Entry) and isinstance(expression.array, RandomArray):
        yield expression
        return
    for argument in expression.args:
        yield from _entries(argument)
