"""Instances: integers for the dimensions, numbers for scalars and arrays, laws for the random arrays, all of which
satisfy the givens. One generator serves every source of choices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal, TypeAlias

import mpmath
import numpy as np
from sympy import Expr, Symbol
from sympy.core.basic import Basic

from derivations.language.arrays import Array, RandomArray
from derivations.language.distributions import Bernoulli, Distribution, Normal, Rademacher, Uniform, parameters
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Dimension, Index
from derivations.language.written import shape_of
from numerics.conditions import EVERYWHERE, admissible, pinned_indices
from numerics.equations import Numbers, satisfy, value_of
from numerics.errors import NotEvaluated, NothingFound, Unsupported
from numerics.evaluation import size_of
from numerics.facts import VARIANCE, Facts
from numerics.joint import MOST_PARTS, AffineLaw, JointLaw, Plan, assemble, standard_spec
from numerics.laws import (
    INTERVAL,
    NORMAL,
    UNIT_VARIANCE,
    FiniteLaw,
    finite,
    finite_standard,
    fitted,
)
from numerics.sources import Simplest, Source
from numerics.values import Data, Value, arranged, from_list

Style: TypeAlias = Literal["small", "moderate", "ties", "negative", "near_ties", "saturated", "huge", "tiny", "wide"]
LawKind: TypeAlias = Literal["finite", "continuous"]


def _fractions(*texts: str) -> tuple[Fraction, ...]:
    return tuple(Fraction(text) for text in texts)


# Simplest first. Squares of rationals are frequent, so that square roots stay rational.
SCALARS = _fractions("1", "2", "-1", "1/2", "0", "3", "-2", "4", "9", "1/4", "-1/2", "9/4", "3/2", "-3", "5", "1/3")
ENTRIES: Mapping[Style, tuple[Fraction, ...]] = {
    "small": _fractions("1", "2", "0", "-1", "1/2", "3", "-2", "-1/2", "3/2", "-3", "1/3", "5/2"),
    "moderate": _fractions("1", "-1", "1/2", "2", "-1/2", "3/2"),
    "ties": _fractions("1", "1", "-2", "1", "1", "-2"),
    "negative": _fractions("-1", "-2", "-1/2", "-3", "-3/2", "-5"),
    "near_ties": _fractions("1", "1000001/1000000", "999999/1000000", "-1", "1"),
    "saturated": _fractions("0", "40", "1000", "-40", "1/1000000", "3", "-1000"),
    "huge": _fractions("1", "1000000", "-1000000", "1000000000000", "-1"),
    "wide": _fractions("1000000", "-1000000", "1/1000", "-1/1000000", "-1000", "1000", "355/113", "-17/7", "144"),
    "tiny": _fractions("1", "1/1000000", "-1/1000000", "1/1000000000000", "0", "-1"),
}


@dataclass(frozen=True)
class Letters:
    """The symbols that a statement and its givens are about."""

    dimensions: tuple[Dimension, ...]
    scalars: tuple[Expr, ...]
    arrays: tuple[Array, ...]
    randoms: tuple[RandomArray, ...]


def _deep_parts(expression: Basic) -> Iterable[Basic]:
    for part in parts(expression):
        yield part
        if isinstance(part, Index):
            yield from parts(part.dimension)


def letters_of(expressions: Iterable[Basic]) -> Letters:
    """All letters, in order of appearance; the variable of a limit is bound and none of them."""
    expressions = tuple(expressions)
    found = list(dict.fromkeys(part for expression in expressions for part in _deep_parts(expression)))
    free = {symbol for expression in expressions for symbol in expression.free_symbols}
    return Letters(
        tuple(part for part in found if isinstance(part, Dimension)),
        tuple(one for one in found if isinstance(one, Symbol) and not isinstance(one, Dimension) and one in free),
        tuple(part for part in found if isinstance(part, Array) and not isinstance(part, RandomArray)),
        tuple(part for part in found if isinstance(part, RandomArray)),
    )


@dataclass(frozen=True, eq=False)
class Instance:
    """One way to give every letter a meaning. ``numbers`` are fractions (or high-precision reals)."""

    sizes: Mapping[Expr, int]
    numbers: Mapping[Expr, Data]
    joint: JointLaw | None
    positions: Value = EVERYWHERE
    """Where the givens hold, with one axis for each index that a given singles out."""

    @property
    def text(self) -> str:
        """The assignment as a person reads it."""
        shown = [f"{name} = {size}" for name, size in self.sizes.items()]
        shown += [f"{name} = {_number_text(data)}" for name, data in self.numbers.items()]
        if self.joint is not None and self.joint.text:
            shown.append(self.joint.text)
        return ", ".join(shown)


_SHOWN_IN_FULL = mpmath.mpf(10) ** -300


def number_text(item: object) -> str:
    """A number, short: fractions as they are, others with ten digits."""
    if isinstance(item, (Fraction, int)):
        return str(item)
    if isinstance(item, float):
        return f"{item:.10g}"
    number = mpmath.mpf(item)
    if number and not _SHOWN_IN_FULL < abs(number) < 1 / _SHOWN_IN_FULL:
        return ("-" if number < 0 else "") + ("less than 1e-300" if abs(number) < 1 else "more than 1e300")
    return str(mpmath.nstr(item, 10))


def _number_text(data: Data) -> str:
    if data.ndim == 0:
        return number_text(data[()])
    return "(" + ", ".join(_number_text(np.asarray(one, dtype=object)) for one in data) + ")"


def _allowed(letter: Expr, facts: Facts, number: Fraction) -> bool:
    return not (
        (letter in facts.positive and number <= 0)
        or (letter in facts.nonnegative and number < 0)
        or (letter in facts.nonzero and number == 0)
    )


def _pool(letter: Expr, facts: Facts, pool: Sequence[Fraction]) -> tuple[Fraction, ...]:
    kept = tuple(one for one in pool if _allowed(letter, facts, one))
    if not kept:
        kept = tuple(abs(one) for one in pool if one)
    return kept


def draw_entries(pool: Sequence[Fraction], count: int, source: Source) -> list[Fraction]:
    """Numbers from a pool; the simplest choice differs from place to place."""
    turns = (k % len(pool) for k in range(count))
    return [source.choose((*pool[turn:], *pool[:turn])) for turn in turns]


def _draw_array(letter: Expr, shape: tuple[int, ...], facts: Facts, source: Source, style: Style) -> Data:
    pool = _pool(letter, facts, ENTRIES[style])
    return from_list(draw_entries(pool, prod(shape), source), shape)


def _signs_hold(facts: Facts, numbers: Mapping[Expr, Data]) -> bool:
    return all(_allowed(letter, facts, one) for letter, data in numbers.items() for one in data.reshape(-1))


def _positions(facts: Facts, sizes: Mapping[Expr, int], source: Source) -> dict[Index, int]:
    """A position for each index that a given singles out; different ones where it says so."""
    result: dict[Index, int] = {}
    for vector, one, _ in facts.above:
        result.setdefault(one, source.integer(0, size_of(shape_of(vector)[0], sizes) - 1))
    pinned = pinned_indices(facts.givens)
    if any((free_indices(left) | free_indices(right)) & pinned for left, right in facts.equations):
        for first, second in facts.distinct:
            size = size_of(first.dimension, sizes)
            result.setdefault(first, source.integer(0, size - 1))
            result.setdefault(second, (result[first] + source.integer(1, max(1, size - 1))) % size)
    return result


def _raise_one(
    vector: Expr, place: int, distance: Expr | None, sizes: Mapping[Expr, int], numbers: Numbers, source: Source
) -> None:
    """Put one entry above the others, where the vector is an array of its own; else it is left to chance."""
    if vector not in numbers:
        return
    data = numbers[vector].copy()
    others = [one for k, one in enumerate(data) if k != place]
    if others:
        gap = Fraction(1) if distance is None else _number(distance, sizes, numbers)
        data[place] = max(others) + gap + source.choose((Fraction(0), Fraction(1), Fraction(1, 2)))
        numbers[vector] = data


def _lower_others(vector: Expr, place: int, distance: Expr | None, sizes: Mapping[Expr, int], numbers: Numbers) -> None:
    """Put the others below the entry again, after an equation moved it."""
    if vector not in numbers:
        return
    gap = Fraction(1) if distance is None else _number(distance, sizes, numbers)
    data = numbers[vector].copy()
    for k, one in enumerate(data):
        if k != place and (one >= data[place] if distance is None else data[place] - one < gap):
            data[k] = data[place] - gap
    numbers[vector] = data


def draw_numbers(
    letters: Letters, facts: Facts, sizes: Mapping[Expr, int], source: Source, style: Style = "small"
) -> tuple[Mapping[Expr, int], Numbers]:
    """Numbers for all scalars and arrays that satisfy signs and equations, and the sizes that go with them.

    A dimension that counts something (the marks of maximal entries, say) is not free: it takes the value of the other
    side of its equation. Raises :class:`NothingFound`.
    """
    numbers: Numbers = {}
    for turn, scalar in enumerate(letters.scalars):
        pool = _pool(scalar, facts, ENTRIES[style] if style in ("moderate", "wide") else SCALARS)
        if style == "wide":
            (number,) = draw_entries((*pool[turn % len(pool) :], *pool[: turn % len(pool)]), 1, source)
        else:
            number = source.choose(pool)
        numbers[scalar] = np.asarray(number, dtype=object)
    for array in letters.arrays:
        shape = tuple(size_of(size, sizes) for size in array.shape)
        numbers[array] = _draw_array(array, shape, facts, source, style)
    at = _positions(facts, sizes, source)
    for vector, one, distance in facts.above:
        _raise_one(vector, at[one], distance, sizes, numbers, source)
    _mark(facts, sizes, numbers)
    sizes = _counted(letters, facts, sizes, numbers)
    if facts.equations:
        numbers = satisfy(facts.equations, sizes, numbers, at)
        for vector, one, distance in facts.above:
            _lower_others(vector, at[one], distance, sizes, numbers)
    if not _signs_hold(facts, numbers) or not _marks_hold(facts, sizes, numbers):
        raise NothingFound("the equations and the other givens do not go together in this draw")
    return sizes, numbers


def _marks(vector: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> Data:
    values = value_of(vector, sizes, numbers).data
    return np.array([Fraction(one == values.max()) for one in values], dtype=object)


def _mark(facts: Facts, sizes: Mapping[Expr, int], numbers: Numbers) -> None:
    """Let the marks be where the maxima are."""
    for vector, marks in facts.marks:
        numbers[marks] = _marks(vector, sizes, numbers)


def _marks_hold(facts: Facts, sizes: Mapping[Expr, int], numbers: Numbers) -> bool:
    return all(list(numbers[marks]) == list(_marks(vector, sizes, numbers)) for vector, marks in facts.marks)


def _counted(letters: Letters, facts: Facts, sizes: Mapping[Expr, int], numbers: Numbers) -> Mapping[Expr, int]:
    """The sizes, with each dimension that an equation determines set to what it counts."""
    used = {
        symbol for array in (*letters.arrays, *letters.randoms) for size in array.shape for symbol in size.free_symbols
    }
    changed = dict(sizes)
    for left, right in facts.equations:
        for dimension, count in ((left, right), (right, left)):
            if isinstance(dimension, Dimension) and dimension not in used and dimension in changed:
                item = value_of(count, changed, numbers).data
                if item.ndim == 0 and isinstance(item[()], Fraction) and item[()].denominator == 1 and item[()] > 0:
                    changed[dimension] = int(item[()])
    return changed


# -------------------------------------------------------------------------------------------- random arrays


def _fraction(value: object) -> Fraction:
    if isinstance(value, Fraction):
        return value
    raise NothingFound("a declared moment is irrational in this draw")


def _number(expression: Expr, sizes: Mapping[Expr, int], numbers: Numbers) -> Fraction:
    return _fraction(value_of(expression, sizes, numbers).data[()])


def _specs(
    array: RandomArray, shape: tuple[int, ...], facts: Facts, sizes: Mapping[Expr, int], numbers: Numbers
) -> dict[tuple[int, ...], dict[int, Fraction]]:
    """For each entry the declared moments, from order to value."""
    specs: dict[tuple[int, ...], dict[int, Fraction]] = {position: {} for position in np.ndindex(*shape)}
    for order, expression in facts.moments.get(array, ()):
        value = value_of(expression, sizes, numbers)
        if value.labels:
            raise Unsupported("a declared moment with a free index")
        data = np.broadcast_to(arranged(value, (), value.rank), shape)
        for position in np.ndindex(*shape):
            number = _fraction(data[position])
            if specs[position].setdefault(order, number) != number:
                raise NothingFound("contradictory moments")
    return specs


def _named_law(law: Distribution, sizes: Mapping[Expr, int], numbers: Numbers) -> FiniteLaw | AffineLaw:
    """The law of an entry. Raises :class:`NothingFound` for parameters that define none."""
    values = [_number(parameter, sizes, numbers) for parameter in parameters(law)]
    if isinstance(law, Rademacher):
        return finite({Fraction(1): Fraction(1, 2), Fraction(-1): Fraction(1, 2)})
    if isinstance(law, Bernoulli):
        (chance,) = values
        if not 0 <= chance <= 1:
            raise NothingFound("a probability outside [0, 1]")
        return finite({Fraction(1): chance, Fraction(0): 1 - chance})
    if isinstance(law, Normal):
        mean, variance = values
        if variance < 0:
            raise NothingFound("a negative variance")
        return AffineLaw(NORMAL, mean, variance)
    if isinstance(law, Uniform):
        lower, upper = values
        if lower >= upper:
            raise NothingFound("an empty interval")
        return AffineLaw(INTERVAL, (lower + upper) / 2, ((upper - lower) / 2) ** 2)
    raise Unsupported(f"the sampler does not know the law {type(law).__name__}")


def _agrees(law: FiniteLaw | AffineLaw, spec: Mapping[int, Fraction]) -> bool:
    mean = law.moment(1)
    return all(
        (law.moment(2) - mean**2 if order == VARIANCE else law.moment(order)) == value for order, value in spec.items()
    )


@dataclass(frozen=True)
class Shape:
    """What laws to prefer where the moments leave a choice: ``rare`` events far away, or weights that are multiples of
    one over at most ``most_parts``."""

    rare: bool = False
    most_parts: int | None = None


def _free_law(spec: Mapping[int, Fraction], source: Source, kind: LawKind, shape: Shape) -> FiniteLaw | AffineLaw:
    if kind == "continuous":
        pair = standard_spec(spec)
        if pair is not None:
            return AffineLaw(source.choose(UNIT_VARIANCE), *pair)
        return AffineLaw(finite_standard(fitted(spec, source)), Fraction(0), Fraction(1))
    return fitted(spec, source, rare=shape.rare, most_parts=shape.most_parts)


def draw_laws(
    letters: Letters,
    facts: Facts,
    sizes: Mapping[Expr, int],
    numbers: Numbers,
    source: Source,
    kind: LawKind = "finite",
    shape_of_laws: Shape | None = None,
) -> dict[RandomArray, Data]:
    """A marginal law for each entry of each random array, with the declared law or moments.

    Arrays with the same declared moments often get the same law. Raises :class:`NothingFound`.
    """
    result: dict[RandomArray, Data] = {}
    shared: dict[object, FiniteLaw | AffineLaw] = {}
    share = source.choose((True, False))
    for array in letters.randoms:
        shape = tuple(size_of(size, sizes) for size in array.shape)
        specs = _specs(array, shape, facts, sizes, numbers)
        named = [_named_law(law, sizes, numbers) for law in facts.laws.get(array, ())]
        if any(law != named[0] for law in named[1:]):
            raise NothingFound("two different laws for one array")
        laws = np.empty(shape, dtype=object)
        one_law = array in facts.identical or kind == "continuous" or source.choose((True, False, False))
        own: dict[object, FiniteLaw | AffineLaw] = {}
        for position in np.ndindex(*shape):
            spec = specs[position]
            key = tuple(sorted(spec.items()))
            if array in facts.identical and own and key not in own and not named:
                raise NothingFound("identically distributed entries with different moments")
            if named:
                law = named[0]
                if not _agrees(law, spec):
                    raise NothingFound("the declared law has not the declared moments")
            elif one_law and key in own:
                law = own[key]
            elif share and one_law and key in shared:
                law = shared[key]
            else:
                law = _free_law(spec, source, kind, shape_of_laws or Shape())
            own[key] = shared[key] = law
            laws[position] = law
        result[array] = laws
    return result


def draw_instance(
    letters: Letters,
    facts: Facts,
    sizes: Mapping[Expr, int],
    source: Source,
    *,
    plan: Plan | None = None,
    style: Style = "small",
    kind: LawKind = "finite",
    tries: int = 12,
) -> Instance:
    """Draw until the givens are satisfied. Raises :class:`NothingFound` after ``tries`` failures."""
    if any(sizes.get(dimension, least) < least for dimension, least in facts.least.items()):
        raise NothingFound("a dimension is smaller than a given allows")
    failure: NotEvaluated = NothingFound("no draw was tried")
    for _ in range(tries):
        try:
            sizes_here, numbers = draw_numbers(letters, facts, sizes, source, style)
            joint = None
            if letters.randoms:
                simple = Simplest() if isinstance(source, Simplest) else source  # whatever the place: ±s is simplest
                preferred = Shape(style == "wide", MOST_PARTS if plan and plan.triple else None)
                laws = draw_laws(letters, facts, sizes_here, numbers, simple, kind, preferred)
                joint = assemble(facts, laws, plan or Plan(), source)
            return Instance(sizes_here, numbers, joint, admissible(facts.givens, sizes_here, numbers, joint))
        except NothingFound as error:
            failure = error
    raise failure
