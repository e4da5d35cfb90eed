"""Comparing two sides at one instance: exactly, or with many digits at two precisions that show their own error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
from sympy import Expr
from sympy.core.basic import Basic

from derivations.language.operators import Differential, Limit
from derivations.language.structure import parts
from derivations.language.symbols import Index
from derivations.records import Relation
from numerics.arithmetic import Arithmetic
from numerics.checks import Counterexample
from numerics.conditions import somewhere
from numerics.errors import NotEvaluated
from numerics.evaluation import Environment, evaluate
from numerics.instances import Instance, number_text
from numerics.magnitudes import magnitude
from numerics.power import Wrong, scaled_versions, shortened_versions, told_apart
from numerics.statements import MEANS, Statement
from numerics.values import Label, Number, Value, arranged, union

Verdict: TypeAlias = Literal["holds", "fails", "outside", "unresolved"]


@dataclass(frozen=True)
class Tolerance:
    """When two computed sides count as equal or different, relative to their size.

    They are equal within ``equal`` plus ``errors`` times their error, if the error is at most ``settled``; they are
    different beyond ``different``, if the difference is a thousand times the error.
    """

    equal: float
    different: float
    settled: float
    errors: float = 0.0


DIGITS = Tolerance(equal=1e-30, different=1e-20, settled=1e-25)
"""Where only rounding and the steps of differences stand between a value and its computation."""

QUADRATURE = Tolerance(equal=1e-30, different=1e-6, settled=1e-8, errors=100.0)
"""Where expectations are sums over the nodes of a rule."""

DIGITS_OF_DOUBLES = 22
"""Sixteen and some more: the guard digits of a comparison are many, and sums of positive weights lose few."""

_GUARD = 10
"""Digits that rounding may cost."""

_MODERATE = 50
"""With numbers up to this size a derivative that is not zero shows up beyond the rounding errors; a value of zero
found with larger ones is no evidence."""


@dataclass(frozen=True)
class Comparison:
    """The verdict at one instance. ``powered`` says whether wrong variants (0, twice a side, the flipped sign) would
    have been told apart there; ``error`` is the largest relative difference among entries that agree. With ``zero`` a
    derivative is zero there, so that 0 and twice it are no wrong variants, but those that can differ are told apart.
    ``slack`` is the smallest distance between the sides of an inequality, relative to the larger one."""

    verdict: Verdict
    powered: bool = False
    error: float = 0.0
    counterexample: Counterexample | None = None
    zero: bool = False
    slack: float | None = None


# ----------------------------------------------------------------------------------------------- entries


@dataclass(frozen=True)
class Entries:
    """Aligned values as flat lists, with the label positions of each entry."""

    labels: tuple[Label, ...]
    shape: tuple[int, ...]
    columns: tuple[list[Any], ...]

    def rows(self) -> Iterator[tuple[tuple[int, ...], tuple[Any, ...]]]:
        """Position and values of each entry."""
        return zip(np.ndindex(*self.shape), zip(*self.columns, strict=True), strict=True)


def _aligned(values: Sequence[Value]) -> Entries:
    labels, rank = union(values), max(value.rank for value in values)
    data = np.broadcast_arrays(*(arranged(value, labels, rank) for value in values))
    return Entries(labels, data[0].shape, tuple(list(one.reshape(-1)) for one in data))


def _place(entries: Entries, position: tuple[int, ...]) -> str:
    named = zip(entries.labels, position, strict=False)
    shown = [f"{label.name} = {k + 1}" for label, k in named if isinstance(label, Index)]
    rest = position[len(entries.labels) :]
    if rest:
        shown.append(f"entry {', '.join(str(k + 1) for k in rest)}")
    return ", ".join(shown)


def _counterexample(
    instance: Instance, entries: Entries, position: tuple[int, ...], left: object, right: object
) -> Counterexample:
    place = _place(entries, position)
    text = ", ".join(part for part in (instance.text, place) if part)
    return Counterexample(text, number_text(left), number_text(right))


def _excluded(instance: Instance, entries: Entries) -> Callable[[tuple[int, ...]], bool]:
    """Entries that a given rules out: two indices coincide, or one is not where a vector lies above its others."""
    allowed = somewhere(instance.positions, entries.labels)
    axes = tuple(entries.labels.index(label) for label in allowed.labels)
    return lambda position: not allowed.data[tuple(position[axis] for axis in axes)]


_EXACT_TESTS: dict[Relation, Callable[[Any, Any], bool]] = {
    Relation.EQUALS: lambda left, right: bool(left == right),
    Relation.AT_MOST: lambda left, right: bool(left <= right),
    Relation.AT_LEAST: lambda left, right: bool(left >= right),
    Relation.LESS: lambda left, right: bool(left < right),
    Relation.GREATER: lambda left, right: bool(left > right),
}


def _has_parts(statement: Statement, environment: Environment) -> bool:
    """Whether some side is made of parts that are not all zero, so that the value zero says something."""
    try:
        return any(any(item != 0 for item in magnitude(side, environment).data.reshape(-1)) for side in statement.sides)
    except NotEvaluated:
        return False


def compare_exactly(statement: Statement, instance: Instance, environment: Environment) -> Comparison:
    """Compare in exact arithmetic. Raises :class:`NotEvaluated` where the sides are not rational."""
    values = [evaluate(side, environment) for side in statement.sides]
    undefined = environment.arithmetic.undefined
    entries = _aligned([*values, *(Value(undefined(one.data), one.labels, one.rank) for one in values)])
    excluded, test = _excluded(instance, entries), _EXACT_TESTS[statement.relation]
    compared, nonzero, slack = 0, False, None
    for position, (left, right, left_undefined, right_undefined) in entries.rows():
        if excluded(position) or left_undefined or right_undefined:
            continue
        compared += 1
        if not test(left, right):
            return Comparison("fails", True, 0.0, _counterexample(instance, entries, position, left, right))
        nonzero = nonzero or left != 0 or right != 0
        slack = _smaller_slack(slack, statement.relation, left, right)
    if not compared:
        return Comparison("outside")
    return Comparison("holds", nonzero or _has_parts(statement, environment), slack=slack)


def _smaller_slack(known: float | None, relation: Relation, left: Number, right: Number) -> float | None:
    """The smaller of what is known and the distance of the sides of an inequality, relative to the larger one."""
    scale = max(abs(left), abs(right))
    if relation is Relation.EQUALS or not scale:
        return 0.0 if relation is not Relation.EQUALS else known
    distance = float(abs(left - right) / scale)
    return distance if known is None else min(known, distance)


# -------------------------------------------------------------------------------------------- many digits


def _entry_equal(left: Number, right: Number, noise: Number, zeros: bool, tolerance: Tolerance) -> Verdict:
    scale, gap = max(abs(left), abs(right)), abs(left - right)
    if zeros or (gap <= tolerance.equal * scale + tolerance.errors * noise and noise <= tolerance.settled * scale):
        return "holds"
    if gap > tolerance.different * scale and noise <= gap / 1000:
        return "fails"
    return "unresolved"


def _entry_ordered(
    low: Number, high: Number, noise: Number, zeros: bool, strict: bool, tolerance: Tolerance
) -> Verdict:
    scale, slack = max(abs(low), abs(high)), high - low
    if slack > tolerance.different * scale and noise <= slack / 1000:
        return "holds"
    if slack < -tolerance.different * scale and noise <= -slack / 1000:
        return "fails"
    if strict:
        return "unresolved"
    close = slack >= -(tolerance.equal * scale + tolerance.errors * noise) and noise <= tolerance.settled * scale
    return "holds" if zeros or close else "unresolved"


def _entry(
    relation: Relation, left: Number, right: Number, noise: Number, zeros: bool, tolerance: Tolerance
) -> Verdict:
    if relation is Relation.EQUALS:
        return _entry_equal(left, right, noise, zeros, tolerance)
    rising = relation in (Relation.AT_MOST, Relation.LESS)
    low, high = (left, right) if rising else (right, left)
    return _entry_ordered(low, high, noise, zeros, relation in (Relation.LESS, Relation.GREATER), tolerance)


def _is_zero(value: Number, noise: Number, size: Number, tolerance: Tolerance) -> bool:
    """Indistinguishable from zero, while the error is far below the size of the parts."""
    return bool(abs(value) <= 100 * noise and noise <= tolerance.settled * size)


@dataclass(frozen=True)
class Pair:
    """A coarser and a finer environment; ``digits`` are those of the finer one.

    For a sequence there is a third, ``coarsest``: from it to the finer one the changes must shrink.
    """

    coarse: Environment
    fine: Environment
    digits: int
    coarsest: Environment | None = None


def compare_with_digits(
    statement: Statement, instance: Instance, pairs: Iterable[Pair], tolerance: Tolerance = DIGITS
) -> Comparison:
    """Compare with many digits, climbing through pairs of environments until every entry is resolved.

    Both sides are computed twice, with different precision (and step, and nodes); how far they move is their error.
    """
    result = Comparison("unresolved")
    for pair in pairs:
        result = _compare_once(statement, instance, pair, tolerance)
        if result.verdict != "unresolved":
            break
    return result


def nesting(expression: Basic) -> int:
    """How many derivatives stand inside each other."""
    inner = max((nesting(one) for one in expression.args), default=0)
    return inner + isinstance(expression, Differential)


def _floor(side: Expr, digits: int, arithmetic: Arithmetic) -> Number:
    """The relative error that rounding alone may cause: each difference quotient divides it by its step."""
    lost = _GUARD + (digits // 5 + 1) * nesting(side)
    return arithmetic.constant(Fraction(1, 10 ** max(digits - lost, 0)))


def _moderate(instance: Instance) -> bool:
    return all(abs(item) <= _MODERATE for data in instance.numbers.values() for item in data.reshape(-1))


def _with_means(environment: Environment, sides: Iterable[Expr]) -> Environment:
    """The environment with the values of the expectations, so that each is taken once."""
    nodes = dict.fromkeys(node for side in sides for node in outermost_means(side))
    return replace(environment, known={node: evaluate(node, environment) for node in nodes})


def outermost_means(expression: Basic) -> Iterator[Expr]:
    """The expectations, variances and covariances in an expression that stand in no other one."""
    if isinstance(expression, MEANS):
        yield expression
    elif not isinstance(expression, (Differential, Limit)):
        for argument in expression.args:
            yield from outermost_means(argument)


def _shrinks(first: Number, second: Number, third: Number, rounding: Number) -> bool:
    """Whether a sequence settles: its second change is small beside the first, or rounding."""
    change = abs(third - second)
    return bool(change <= abs(second - first) / 10 or change <= rounding)


def _compare_once(statement: Statement, instance: Instance, pair: Pair, tolerance: Tolerance) -> Comparison:
    coarsest, coarse, fine = (
        _with_means(one, statement.sides) for one in (pair.coarsest or pair.coarse, pair.coarse, pair.fine)
    )
    floors = [_floor(side, pair.digits, fine.arithmetic) for side in statement.sides]
    rough = [evaluate(side, coarse) for side in statement.sides]
    values = [evaluate(side, fine) for side in statement.sides]
    sizes = [magnitude(side, fine) for side in statement.sides]
    undefined = [Value(fine.arithmetic.undefined(one.data), one.labels, one.rank) for one in (*values, *sizes)]
    roughest = [evaluate(side, coarsest) for side in statement.sides] if pair.coarsest else []
    entries = _aligned([*rough, *values, *sizes, *undefined, *roughest])
    excluded = _excluded(instance, entries)
    compared, unresolved, powered, error, moderate = 0, False, False, 0.0, _moderate(instance)
    kept: list[int] = []
    slack: float | None = None
    for place, (position, row) in enumerate(entries.rows()):
        left_rough, right_rough, left, right, left_size, right_size, *more = row
        if excluded(position) or any(more[:4]):
            continue
        compared += 1
        kept.append(place)
        left_noise = abs(left - left_rough) + floors[0] * left_size
        right_noise = abs(right - right_rough) + floors[1] * right_size
        zeros = _is_zero(left, left_noise, left_size, tolerance) and _is_zero(right, right_noise, right_size, tolerance)
        verdict = _entry(statement.relation, left, right, left_noise + right_noise, zeros, tolerance)
        if more[4:] and not (
            _shrinks(more[4], left_rough, left, floors[0] * left_size)
            and _shrinks(more[5], right_rough, right, floors[1] * right_size)
        ):
            verdict = "unresolved"
        if verdict == "fails" and 1000 * left_noise <= left_size and 1000 * right_noise <= right_size:
            return Comparison("fails", True, 0.0, _counterexample(instance, entries, position, left, right))
        if verdict == "fails":
            verdict = "unresolved"  # a side that has not settled refutes nothing
        unresolved = unresolved or verdict == "unresolved"
        powered = powered or not zeros or (moderate and (left_size > 0 or right_size > 0))
        scale = max(abs(left), abs(right))
        slack = _smaller_slack(slack, statement.relation, left, right)
        if statement.relation is Relation.EQUALS and scale > 0 and not zeros:
            seen = max(abs(left - right), tolerance.errors * (left_noise + right_noise))
            error = max(error, float(seen / scale))
    if not compared:
        return Comparison("outside")
    zero = False
    if powered and not unresolved and statement.contains(Differential):
        powered, zero = _tells_apart(statement, entries, kept, fine, floors)
    return Comparison("unresolved" if unresolved else "holds", powered, error, zero=zero, slack=slack)


def _tells_apart(
    statement: Statement, entries: Entries, kept: Sequence[int], fine: Environment, floors: Sequence[Number]
) -> tuple[bool, bool]:
    """Whether all wrong versions of the side without a derivative (or of the right side) are told apart at this point;
    else whether the claim is zero here and all versions are that can differ from zero."""
    on_left = not any(isinstance(part, Differential) for part in parts(statement.left))
    claim = statement.left if on_left else statement.right
    if statement.relation is not Relation.EQUALS:
        return True, False
    left_rough, right_rough, left, right, left_size, right_size = (
        [column[k] for k in kept] for column in entries.columns[:6]
    )
    error = [
        abs(a - b) + abs(c - d) + floors[0] * e + floors[1] * f
        for a, b, c, d, e, f in zip(left, left_rough, right, right_rough, left_size, right_size, strict=True)
    ]
    value = right if on_left else left

    def all_told(versions: Iterable[Wrong]) -> bool:
        columns = (_column(evaluate(wrong.claim, fine), entries) for wrong in versions)
        return all(told_apart(value, [[column[k] for k in kept] for column in columns], error))

    if all(abs(one) <= 100 * noise for one, noise in zip(value, error, strict=True)):
        return False, all_told(shortened_versions(claim))
    return all_told((*scaled_versions(claim), *shortened_versions(claim))), False


def _column(value: Value, entries: Entries) -> list[Number]:
    """The value at every entry."""
    rank = len(entries.shape) - len(entries.labels)
    return list(np.broadcast_to(arranged(value, entries.labels, rank), entries.shape).reshape(-1))
