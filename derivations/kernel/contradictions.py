"""Contradictions that can be derived from the givens; what follows from them is vacuous."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from sympy import Expr, Integer
from sympy.core.basic import Basic

from derivations.kernel.arithmetic import add, multiply, subtract
from derivations.kernel.context import Facts, RandomFacts, Rule
from derivations.kernel.engine import make_context
from derivations.kernel.moments import raw_moment
from derivations.kernel.reading import EMPTY, read_at
from derivations.kernel.terms import Entry, KernelLimit, Polynomial, constant_of
from derivations.kernel.written_signs import Range, sign
from derivations.language import givens as kinds
from derivations.language.distributions import Bernoulli, Normal, Uniform
from derivations.language.errors import LanguageError
from derivations.language.givens import Given
from derivations.language.written import Negative, Plus, shape_of


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
        if isinstance(given, kinds.Distinct):
            first, second = given.args
            if first == second or first.dimension == 1:
                yield f"{first} cannot differ from {second}"
        if isinstance(given, kinds.HasLaw):
            yield from _parameters(given, givens)


def _parameters(given: Given, givens: tuple[Given, ...]) -> Iterator[str]:
    """A law whose parameters are out of range, or a second law of the same array."""
    array, law = given.args
    for other in givens:
        if isinstance(other, kinds.HasLaw) and other.args[0] == array and other.args[1] != law:
            yield f"{array} is given two laws"
    for name, allowed in _RANGES.get(type(law), ()):
        value = allowed(law)
        if not shape_of(value) and sign(value, givens).range == Range.NEGATIVE:
            yield f"the {name} of the law of {array} is out of range"


_RANGES: Mapping[type, tuple[tuple[str, Callable[[Basic], Expr]], ...]] = MappingProxyType(
    {
        Normal: (("variance", lambda law: law.args[1]),),
        Bernoulli: (
            ("probability", lambda law: law.args[0]),
            ("probability", lambda law: Plus(Integer(1), Negative(law.args[0]))),
        ),
        Uniform: (("interval", lambda law: Plus(law.args[1], Negative(law.args[0]))),),
    }
)


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
        yield from _law_and_moments(name, known, facts, laws)


def _law_and_moments(name: str, known: RandomFacts, facts: Facts, laws: Mapping[str, Rule]) -> Iterator[str]:
    """A declared moment or variance that is not that of the named law."""
    if known.law is None:
        return
    entry = Entry("random", name, ())
    alone = Facts(random={name: RandomFacts(law=known.law)})
    declared = {order: value for order, (value, _) in known.moments.items()}
    if known.variance is not None:
        context = make_context(laws, alone)
        mean = raw_moment(context, entry, 1)
        declared.setdefault(2, add(known.variance[0], multiply(context, mean, mean)))
    for order, value in declared.items():
        apart = constant_of(subtract(value, raw_moment(make_context(laws, alone), entry, order)))
        if apart is not None and apart != 0:
            yield f"a moment given for {name} is not that of its law"


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
