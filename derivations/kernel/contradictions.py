"""Contradictions that can be derived from the givens; what follows from them is vacuous."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from derivations.kernel.arithmetic import multiply, subtract
from derivations.kernel.context import Facts, Rule
from derivations.kernel.engine import make_context
from derivations.kernel.reading import EMPTY, read_at
from derivations.kernel.terms import KernelLimit, Polynomial, constant_of
from derivations.kernel.written_signs import sign
from derivations.language import givens as kinds
from derivations.language.errors import LanguageError
from derivations.language.givens import Given
from derivations.language.written import shape_of


def contradiction(givens: tuple[Given, ...], facts: Facts, laws: Mapping[str, Rule]) -> str:
    """A contradiction among the givens, said in words; "" where none is derived."""
    for finder in (_signs, _equations, _moments):
        found = next(finder(givens, facts, laws), "")
        if found:
            return found
    return ""


def _signs(givens: tuple[Given, ...], facts: Facts, laws: Mapping[str, Rule]) -> Iterator[str]:
    for given in givens:
        if isinstance(given, (kinds.Positive, kinds.Nonnegative, kinds.Nonzero)):
            possible = sign(given.args[0], givens).range
            if not possible:
                yield f"the signs given for {given.args[0]} exclude each other"
        if isinstance(given, kinds.Distinct) and given.args[0] == given.args[1]:
            yield f"{given.args[0]} cannot differ from itself"


def _equations(givens: tuple[Given, ...], facts: Facts, laws: Mapping[str, Rule]) -> Iterator[str]:
    for given in givens:
        if not isinstance(given, kinds.Equation):
            continue
        left, right = given.args
        others = tuple(other for other in givens if other != given)
        if not shape_of(left) and not sign(left, others).range & sign(right, others).range:
            yield f"{left} and {right} cannot be equal: their signs differ"
        for other in others:
            if isinstance(other, kinds.Equation):
                yield from _two_values(given, other, facts, laws)
        if not shape_of(left):
            try:
                context = make_context(laws, facts)
                rest = constant_of(subtract(read_at(context, left, EMPTY, ()), read_at(context, right, EMPTY, ())))
            except (KernelLimit, LanguageError):
                continue
            if rest is not None and rest != 0:
                yield f"{left} and {right} differ by {rest}"


def _two_values(first: Given, second: Given, facts: Facts, laws: Mapping[str, Rule]) -> Iterator[str]:
    """Two equations for one quantity with different numbers."""
    for left, value in (first.args, first.args[::-1]):
        for other, second_value in (second.args, second.args[::-1]):
            if shape_of(left) or shape_of(other):
                continue
            try:
                context = make_context(laws, facts)
                same = subtract(read_at(context, left, EMPTY, ()), read_at(context, other, EMPTY, ()))
                apart = constant_of(
                    subtract(read_at(context, value, EMPTY, ()), read_at(context, second_value, EMPTY, ()))
                )
            except (KernelLimit, LanguageError):
                continue
            if not same and apart is not None and apart != 0:
                yield f"{left} is given two values, {value} and {second_value}"


def _moments(givens: tuple[Given, ...], facts: Facts, laws: Mapping[str, Rule]) -> Iterator[str]:
    seen: dict[tuple[object, ...], Given] = {}
    for given in givens:
        if not isinstance(given, (kinds.HasMoment, kinds.HasVariance)):
            continue
        key = (type(given), *given.args[:-1])
        value = given.args[-1]
        earlier = seen.setdefault(key, given)
        if not shape_of(value):
            context = make_context(laws, facts)
            normal = read_at(context, value, EMPTY, ())
            if earlier != given and not shape_of(earlier.args[-1]):
                apart = constant_of(subtract(normal, read_at(context, earlier.args[-1], EMPTY, ())))
                if apart is not None and apart != 0:
                    yield f"{given.args[0]} is given two values for one moment"
            constant = constant_of(normal)
            even = isinstance(given, kinds.HasVariance) or int(given.args[1]) % 2 == 0
            if even and constant is not None and constant < 0:
                yield f"a moment of even order of {given.args[0]} cannot be {value}"
    for name, known in facts.random.items():
        yield from _jensen(name, known.moments, known.variance, laws)


def _jensen(
    name: str,
    moments: Mapping[int, tuple[Polynomial, Given]],
    variance: tuple[Polynomial, Given] | None,
    laws: Mapping[str, Rule],
) -> Iterator[str]:
    """E[X^2] = Var + E[X]^2 where all three are given, and E[X^(2r)] >= E[X^r]^2."""
    context = make_context(laws)
    if variance is not None and 1 in moments and 2 in moments:
        mean = moments[1][0]
        rest = constant_of(subtract(subtract(moments[2][0], variance[0]), multiply(context, mean, mean)))
        if rest is not None and rest != 0:
            yield f"mean, variance and second moment of {name} do not fit together"
    known = {order: value for order, (value, _) in moments.items()}
    if variance is not None and 1 in known and 2 not in known:
        known[2] = (*variance[0],) if not known[1] else known.get(2, ())
        if not known[2]:
            del known[2]
    for order, value in known.items():
        doubled = known.get(2 * order)
        if doubled is None:
            continue
        slack = subtract(doubled, multiply(context, value, value))
        constant = constant_of(slack)
        if constant is not None and constant < 0:
            yield f"moment {2 * order} of {name} is smaller than the square of moment {order}"
