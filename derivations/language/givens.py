"""Assumptions. Each is one object: the prover may use it, the sampler must satisfy it, the printer prints it,
and each can be dropped by itself. There is no second place where an assumption is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sympy import Expr, Integer
from sympy.core.basic import Basic

from derivations.language.arrays import Array, RandomArray
from derivations.language.distributions import Distribution, parameters
from derivations.language.errors import LanguageError
from derivations.language.structure import free_indices, parts, substitute
from derivations.language.symbols import Dimension, Index
from derivations.language.written import Operand, exact, shape_of, shape_text


class Given(Basic):
    """Base of all assumptions."""

    __slots__ = ()


class IndependentEntries(Given):
    """The entries of a random array are mutually independent. Argument: the array."""

    __slots__ = ()


class IdenticallyDistributed(Given):
    """The entries of a random array all have the same law. Argument: the array."""

    __slots__ = ()


class HasMoment(Given):
    """E[X^order] is finite and has this value for each entry. Arguments: array, order, value."""

    __slots__ = ()


class HasVariance(Given):
    """Each entry has a finite variance of this value. Arguments: array, value."""

    __slots__ = ()


class HasLaw(Given):
    """Each entry has this law. Arguments: array, law."""

    __slots__ = ()


class MutuallyIndependent(Given):
    """These random arrays, each taken whole, are mutually independent. Arguments: the arrays."""

    __slots__ = ()


class PairwiseIndependent(Given):
    """Any two of these random arrays are independent; three together need not be. Arguments: the arrays."""

    __slots__ = ()


class Positive(Given):
    """Greater than zero; for an array, each entry is. Argument: a symbol or an array."""

    __slots__ = ()


class Nonnegative(Given):
    """Zero or greater; for an array, each entry is. Argument: a symbol or an array."""

    __slots__ = ()


class Nonzero(Given):
    """Not zero; for an array, no entry is. Argument: a symbol or an array."""

    __slots__ = ()


class Equation(Given):
    """Two expressions are equal, for every value of their free indices but those that another assumption names.

    Arguments: left side, right side.
    """

    __slots__ = ()


class Distinct(Given):
    """Two indices are different. Arguments: the indices."""

    __slots__ = ()


class UniqueMaximum(Given):
    """One entry of a vector is larger than every other. Arguments: the vector, the index of that entry."""

    __slots__ = ()


class GapBelow(Given):
    """Every other entry lies at least so far below one entry. Arguments: the vector, its index, the distance."""

    __slots__ = ()


class MaximalEntries(Given):
    """A vector of zeros and ones marks where another vector is maximal. Arguments: the vector, the marks."""

    __slots__ = ()


class AtLeast(Given):
    """A dimension is at least this number. Arguments: the dimension, the number."""

    __slots__ = ()


class Theorem(Given):
    """The statement of another derivation, where a step cites it. Argument: its name."""

    __slots__ = ()


class Integrable(Given):
    """The expectation of a random expression exists. Argument: the expression."""

    __slots__ = ()


def _random(value: Expr) -> RandomArray:
    if not isinstance(value, RandomArray):
        raise LanguageError(f"{value} is not a random array; make it with note.random_vector or note.random_scalar")
    return value


def independent(*arrays: Expr) -> Given:
    """The arrays, each taken whole, are mutually independent. What holds inside an array is a given of its own."""
    if len(set(arrays)) < 2 or len(set(arrays)) < len(arrays):
        raise LanguageError("independent(...) takes two or more different random arrays")
    return MutuallyIndependent(*(_random(one) for one in arrays))


def pairwise_independent(*arrays: Expr) -> Given:
    """Any two of the arrays are independent."""
    if len(set(arrays)) < 2 or len(set(arrays)) < len(arrays):
        raise LanguageError("pairwise_independent(...) takes two or more different random arrays")
    return PairwiseIndependent(*(_random(one) for one in arrays))


def independent_entries(array: Expr) -> Given:
    """The entries of the array are mutually independent."""
    return IndependentEntries(_random(array))


def identically_distributed(array: Expr) -> Given:
    """The entries of the array have one law."""
    return IdenticallyDistributed(_random(array))


def check_parameter(array: Expr, value: Expr) -> None:
    """Raise :class:`LanguageError` for a moment or a parameter of a law that is itself random or hangs on an index."""
    if any(isinstance(part, RandomArray) for part in parts(value)):
        raise LanguageError(f"{value} is random, so it cannot be a moment or a parameter of the law of {array}")
    if free_indices(value):
        raise LanguageError(
            f"{value} hangs on an index; give {array} an array of the same shape, such as tabulate(...)"
        )


def _moment_value(array: RandomArray, value: Operand | Expr) -> Expr:
    expression = exact(value)
    if shape_of(expression) not in ((), array.shape):
        raise LanguageError(
            f"a moment of {array} is a scalar or has its shape; {expression} is {shape_text(shape_of(expression))}"
        )
    check_parameter(array, expression)
    return expression


def has_mean(array: Expr, value: Operand) -> Given:
    """Each entry has this mean; a vector of the same shape gives each entry its own."""
    return has_moment(array, 1, value)


def has_moment(array: Expr, order: int, value: Operand) -> Given:
    """E[X^order] has this value for each entry (a raw moment, not a central one)."""
    if order < 1:
        raise LanguageError(f"the order of a moment is 1 or more, not {order}")
    return HasMoment(_random(array), Integer(order), _moment_value(_random(array), value))


def has_variance(array: Expr, value: Operand) -> Given:
    """Each entry has this variance."""
    return HasVariance(_random(array), _moment_value(_random(array), value))


def has_law(array: Expr, law: Distribution) -> Given:
    """Each entry has this law."""
    for value in parameters(law):
        _moment_value(_random(array), value)
    return HasLaw(_random(array), law)


def _signed(value: Expr) -> Expr:
    if isinstance(value, RandomArray) or not (isinstance(value, Array) or value.is_Symbol):
        raise LanguageError(f"a sign can be given for a scalar symbol or an array, not for {value}")
    return value


def positive(value: Expr) -> Given:
    """Greater than zero."""
    return Positive(_signed(value))


def nonnegative(value: Expr) -> Given:
    """Zero or greater."""
    return Nonnegative(_signed(value))


def nonzero(value: Expr) -> Given:
    """Not zero."""
    return Nonzero(_signed(value))


def given_at(given: Given, replacements: Mapping[Expr, Expr]) -> Given:
    """An assumption with parts replaced. Raises :class:`LanguageError` where the result has no meaning."""
    changed = given.func(
        *(
            substitute(part, replacements) if isinstance(part, Expr) else part.xreplace(replacements)
            for part in given.args
        )
    )
    if not isinstance(changed, Given):
        raise LanguageError(f"replacing in {given} gives no assumption")
    return changed


def equation(left: Operand, right: Operand) -> Given:
    """The two sides are equal, for every value of their free indices."""
    first, second = exact(left), exact(right)
    if shape_of(first) != shape_of(second):
        raise LanguageError(f"{first} is {shape_text(shape_of(first))} but {second} is {shape_text(shape_of(second))}")
    return Equation(first, second)


def distinct(first: Expr, second: Expr) -> Given:
    """The two indices are different."""
    if not isinstance(first, Index) or not isinstance(second, Index) or first.dimension != second.dimension:
        raise LanguageError(f"distinct takes two indices of one dimension, not {first} and {second}")
    return Distinct(first, second)


def _vector(value: Expr) -> Expr:
    if len(shape_of(value)) != 1:
        raise LanguageError(f"{value} is {shape_text(shape_of(value))}, not a vector")
    return value


def _index_of(vector: Expr, index: Expr) -> Index:
    if not isinstance(index, Index) or (index.dimension,) != shape_of(vector):
        raise LanguageError(f"{index} is no index of {vector}")
    return index


def unique_maximum(vector: Expr, index: Expr) -> Given:
    """The entry at the index is larger than every other entry."""
    return UniqueMaximum(_vector(vector), _index_of(vector, index))


def gap_below(vector: Expr, index: Expr, distance: Operand) -> Given:
    """Every other entry lies at least ``distance`` below the entry at the index."""
    return GapBelow(_vector(vector), _index_of(vector, index), exact(distance))


def maximal_entries(vector: Expr, marks: Expr) -> Given:
    """``marks`` is one where ``vector`` is maximal and zero elsewhere."""
    if shape_of(_vector(vector)) != shape_of(marks) or not isinstance(marks, Array) or isinstance(marks, RandomArray):
        raise LanguageError(f"{marks} is no vector of marks for {vector}")
    return MaximalEntries(vector, marks)


def dimension_at_least(dimension: Expr, number: int) -> Given:
    """The dimension is at least this number."""
    if not isinstance(dimension, Dimension) or number < 1:
        raise LanguageError(f"{dimension} is no dimension, or {number} is not a positive integer")
    return AtLeast(dimension, Integer(number))


def pinned_indices(givens: Iterable[Given]) -> frozenset[Index]:
    """The free indices that an assumption names: the place of a maximum, two that differ.

    Such an index is one index; every other free index of an equation, or of an expression whose expectation exists,
    stands for all its values.
    """
    return frozenset(
        one
        for given in givens
        if not isinstance(given, (Equation, Integrable))
        for part in given.args
        if isinstance(part, Expr)
        for one in free_indices(part)
    )


def integrable(expression: Expr) -> Given:
    """The expectation of the expression exists, for all values of its free indices that no other given names."""
    return Integrable(exact(expression))
