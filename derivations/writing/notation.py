"""What LaTeX and plain text have in common: the author's order, and where parentheses are needed.

A piece of writing knows how tightly it holds together and whether it reaches to the right, as a sum sign does over
all that follows it. A notation says how each construction looks; this file decides where it has to be grouped.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from sympy import Integer, Rational, Symbol
from sympy.core.basic import Basic
from sympy.core.symbol import Str

from derivations.language.arrays import Array, Entry, MatrixProduct, RandomArray, Tabulated, Transpose
from derivations.language.distributions import Bernoulli, Normal, Rademacher, Uniform
from derivations.language.functions import Dot, Elementary, LogSumExp, Norm, Softmax, Trace
from derivations.language.operators import (
    Covariance,
    Differential,
    DistinctSummation,
    Expectation,
    Limit,
    Summation,
    Variance,
)
from derivations.language.order import OrderStatistic
from derivations.language.propositions import Proposition
from derivations.language.symbols import Delta, Dimension, Index, Scalar
from derivations.language.written import Negative, Plus, Power, Quotient, Times, shape_of
from derivations.records import Relation


class Level(IntEnum):
    """How tightly a piece holds together, loosest first."""

    STATEMENT = 0
    SUM = 1
    NEGATIVE = 2
    DOT = 3
    RATIO = 4
    PRODUCT = 5
    OPERATOR = 6
    POWER = 7
    ATOM = 8


# What stands below a vector to name one of its entries by its size; others are written (2), (3), …
RANKS: Mapping[int, str] = MappingProxyType({1: "max", -1: "min"})


@dataclass(frozen=True)
class Piece:
    """Written text with its level. ``reaches`` is true where something written after it would fall into its scope.

    ``in_line`` is the same with a slash, for a fraction inside a fraction; empty for all that is no fraction.
    """

    text: str
    level: Level = Level.ATOM
    reaches: bool = False
    in_line: str = ""


class Notation(ABC):
    """How each construction looks. Methods take what is already written."""

    @abstractmethod
    def name(self, name: str, indices: tuple[str, ...] = ()) -> str:
        """A name, with indices below it."""

    @abstractmethod
    def subscript(self, base: str, indices: tuple[str, ...]) -> str:
        """Indices below something that is no name."""

    @abstractmethod
    def grouped(self, text: str) -> str:
        """Parentheses around the text."""

    @abstractmethod
    def ratio(self, top: Piece, bottom: Piece) -> Piece:
        """A fraction."""

    @abstractmethod
    def times(self, left: str, right: str) -> str:
        """Two factors side by side."""

    @abstractmethod
    def dot(self, left: str, right: str) -> str:
        """An inner product."""

    @abstractmethod
    def power(self, base: str, exponent: Piece) -> str:
        """A power."""

    @abstractmethod
    def root(self, operand: Piece) -> Piece:
        """A square root."""

    @abstractmethod
    def sum_sign(self, index: Index) -> str:
        """The sign of a sum over an index."""

    @abstractmethod
    def distinct_sum_sign(self, indices: tuple[Index, ...]) -> str:
        """The sign of a sum over pairwise different values of the indices."""

    @abstractmethod
    def limit_sign(self, variable: str) -> str:
        """The sign of a limit as the variable tends to infinity."""

    @abstractmethod
    def extreme_sign(self, rank: int, index: str) -> str:
        """The sign of the largest (rank 1), k-th largest (rank k) or smallest (rank -1) value over an index."""

    @abstractmethod
    def relation(self, relation: Relation) -> str:
        """The sign of a relation."""

    @abstractmethod
    def word(self, text: str) -> str:
        """A word that is no mathematics, such as the name of a theorem."""

    @abstractmethod
    def derivative(self, variables: tuple[str, ...], *, partial: bool) -> str:
        """The operator that differentiates by the variables, the last one first."""

    @abstractmethod
    def function(self, name: str, arguments: str) -> str:
        """A function from this package's table applied to arguments."""

    @abstractmethod
    def delta(self, indices: tuple[str, ...]) -> str:
        """The Kronecker delta."""

    @abstractmethod
    def norm(self, operand: str, *, of_matrix: bool) -> str:
        """The Euclidean norm of a vector or the Frobenius norm of a matrix."""

    @abstractmethod
    def transpose(self, operand: str) -> str:
        """The transpose."""

    @abstractmethod
    def foreign(self, node: Basic) -> Piece:
        """Something of SymPy's that the language does not have."""

    def write(self, node: Basic) -> str:
        """The node as text."""
        return self.piece(node).text

    def piece(self, node: Basic) -> Piece:
        """The node as text with its level."""
        for kind in type(node).__mro__:
            if kind in _RULES:
                return _RULES[kind](self, node)
        return self.foreign(node)

    def at(self, level: Level, node: Basic) -> str:
        """The node, in parentheses if it is looser than the level."""
        return self.held(level, self.piece(node))

    def held(self, level: Level, piece: Piece) -> str:
        """The piece, in parentheses if it is looser than the level."""
        return piece.text if piece.level >= level else self.grouped(piece.text)


def _negated(notation: Notation, operand: Piece) -> Piece:
    return Piece(f"-{notation.held(Level.DOT, operand)}", Level.NEGATIVE, operand.reaches)


def _number(notation: Notation, node: Rational) -> Piece:
    size = Piece(str(abs(node.p)))
    value = size if node.q == 1 else notation.ratio(size, Piece(str(node.q)))
    return value if node.p >= 0 else Piece(f"-{value.text}", Level.NEGATIVE, value.reaches)


def _plus(notation: Notation, node: Basic) -> Piece:
    text, reaches = "", False
    for term in node.args:
        piece = notation.piece(term)
        reaches = piece.reaches
        if piece.level == Level.NEGATIVE:
            text += f" - {piece.text[1:]}" if text else piece.text
        else:
            shown = notation.held(Level.DOT, piece)
            text += f" + {shown}" if text else shown
    return Piece(text, Level.SUM, reaches)


def _times(notation: Notation, node: Basic) -> Piece:
    pieces = [notation.piece(factor) for factor in node.args]
    last = len(pieces) - 1
    text = ""
    for position, piece in enumerate(pieces):
        # The first factor may carry a minus sign or be a product itself: -a b, (a b) c read the same either way.
        loose = piece.level in (Level.NEGATIVE, Level.PRODUCT) if position == 0 else False
        tight = piece.level > Level.PRODUCT
        inside_scope = piece.reaches and position < last
        shown = piece.text if (loose or tight) and not inside_scope else notation.grouped(piece.text)
        text = notation.times(text, shown) if position else shown
    negative = pieces[0].level == Level.NEGATIVE and not (pieces[0].reaches and last > 0)
    return Piece(text, Level.NEGATIVE if negative else Level.PRODUCT, pieces[last].reaches)


def _quotient(notation: Notation, node: Basic) -> Piece:
    top, bottom = node.args
    if isinstance(top, Negative):
        return _negated_ratio(notation, notation.piece(top.args[0]), notation.piece(bottom))
    return notation.ratio(notation.piece(top), notation.piece(bottom))


def _negated_ratio(notation: Notation, top: Piece, bottom: Piece) -> Piece:
    """Python reads ``-a/b`` as ``(-a)/b``; it is written with the sign before the fraction."""
    ratio = notation.ratio(top, bottom)
    return Piece(f"-{ratio.text}", Level.NEGATIVE, ratio.reaches)


def _power(notation: Notation, node: Basic) -> Piece:
    base, exponent = node.args
    if exponent == Rational(1, 2):
        return notation.root(notation.piece(base))
    return Piece(notation.power(notation.at(Level.ATOM, base), notation.piece(exponent)), Level.POWER)


def _under(notation: Notation, sign: str, body: Basic) -> Piece:
    """A body under a sign that reaches over all that follows it."""
    return Piece(f"{sign} {notation.at(Level.DOT, body)}", Level.OPERATOR, reaches=True)


def _summation(notation: Notation, node: Summation) -> Piece:
    return _under(notation, " ".join(notation.sum_sign(index) for index in node.indices), node.body)


def _distinct_summation(notation: Notation, node: DistinctSummation) -> Piece:
    return _under(notation, notation.distinct_sum_sign(node.indices), node.body)


def _limit(notation: Notation, node: Limit) -> Piece:
    operand, variable = node.args
    return _under(notation, notation.limit_sign(notation.write(variable)), operand)


def _order_statistic(notation: Notation, node: OrderStatistic) -> Piece:
    vector = node.args[0]
    if isinstance(vector, Tabulated):
        return _under(notation, notation.extreme_sign(node.rank, notation.write(vector.indices[0])), vector.args[0])
    label = RANKS.get(node.rank, f"({node.rank})")
    if isinstance(vector, Array):
        return Piece(notation.name(vector.name, (label,)))
    return Piece(notation.subscript(notation.at(Level.ATOM, vector), (label,)))


def _tabulated(notation: Notation, node: Tabulated) -> Piece:
    names = tuple(index.name for index in node.indices)
    return Piece(notation.subscript(notation.grouped(notation.write(node.args[0])), names), Level.POWER)


def _proposition(notation: Notation, node: Proposition) -> Piece:
    sign = notation.relation(Relation(node.sign))
    return Piece(f"{notation.write(node.left)} {sign} {notation.write(node.right)}", Level.STATEMENT, reaches=True)


def _norm(notation: Notation, node: Norm) -> Piece:
    operand = node.args[0]
    return Piece(notation.norm(notation.write(operand), of_matrix=len(shape_of(operand)) == 2))


def _differential(notation: Notation, node: Differential) -> Piece:
    operand: Basic = node
    variables: list[Basic] = []
    while isinstance(operand, Differential):
        variables.append(operand.args[1])
        operand = operand.args[0]
    only = len(set(variables)) == 1 and isinstance(variables[0], Scalar) and _variables(operand) == {variables[0]}
    sign = notation.derivative(tuple(notation.write(one) for one in variables), partial=not only)
    return Piece(f"{sign} {notation.at(Level.OPERATOR, operand)}", Level.OPERATOR, reaches=True)


def _variables(node: Basic) -> set[Basic]:
    """What an expression depends on: scalars and arrays; dimensions are fixed, and an expectation averages over its
    random arrays."""
    if isinstance(node, (Symbol, Array)):
        return set() if isinstance(node, Dimension) else {node}
    inner = {one for argument in node.args for one in _variables(argument)}
    if isinstance(node, (Expectation, Variance, Covariance)):
        return {one for one in inner if not isinstance(one, RandomArray)}
    return inner


def _entry(notation: Notation, node: Entry) -> Piece:
    names = tuple(index.name for index in node.indices)
    if isinstance(node.array, Array):
        return Piece(notation.name(node.array.name, names))
    return Piece(notation.subscript(notation.at(Level.ATOM, node.array), names))


def _array(notation: Notation, node: Symbol | Index | Array) -> Piece:
    return Piece(notation.name(node.name))


def _delta(notation: Notation, node: Delta) -> Piece:
    return Piece(notation.delta(tuple(index.name for index in node.args)))


def _dot(notation: Notation, node: Basic) -> Piece:
    left, right = (notation.held(Level.PRODUCT, notation.piece(one)) for one in node.args)
    return Piece(notation.dot(left, right), Level.DOT)


def _matrix_product(notation: Notation, node: Basic) -> Piece:
    first, second = (notation.piece(one) for one in node.args)
    right = notation.held(Level.OPERATOR, second)
    return Piece(notation.times(notation.held(Level.PRODUCT, first), right), Level.PRODUCT)


def _elementary(notation: Notation, node: Elementary) -> Piece:
    return Piece(notation.function(node.name, notation.write(node.operand)))


Rule: TypeAlias = Callable[[Notation, Any], Piece]


def _applied(name: str) -> Rule:
    def rule(notation: Notation, node: Basic) -> Piece:
        return Piece(notation.function(name, ", ".join(notation.write(one) for one in node.args)))

    return rule


_RULES: Mapping[type, Rule] = MappingProxyType(
    {
        Integer: _number,
        Rational: _number,
        Symbol: _array,
        Index: _array,
        Array: _array,
        Entry: _entry,
        Delta: _delta,
        Plus: _plus,
        Times: _times,
        Negative: lambda notation, node: _negated(notation, notation.piece(node.args[0])),
        Quotient: _quotient,
        Power: _power,
        Summation: _summation,
        DistinctSummation: _distinct_summation,
        Limit: _limit,
        OrderStatistic: _order_statistic,
        Tabulated: _tabulated,
        Proposition: _proposition,
        Str: lambda notation, node: Piece(notation.word(node.name)),
        Differential: _differential,
        Expectation: _applied("E"),
        Variance: _applied("Var"),
        Covariance: _applied("Cov"),
        Elementary: _elementary,
        Softmax: _applied("softmax"),
        LogSumExp: _applied("logsumexp"),
        Trace: _applied("tr"),
        Dot: _dot,
        Norm: _norm,
        Transpose: lambda notation, node: Piece(notation.transpose(notation.at(Level.ATOM, node.args[0])), Level.POWER),
        MatrixProduct: _matrix_product,
        Normal: _applied("normal"),
        Uniform: _applied("uniform"),
        Bernoulli: _applied("bernoulli"),
        Rademacher: _applied("rademacher"),
    }
)
