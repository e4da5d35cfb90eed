"""Rigorous enclosures: both sides as balls that contain the true value, at a precision that grows until they are small.

Needs python-flint (extra ``rigorous``). Two balls apart prove that the sides differ; balls that overlap and are tiny
show that any difference is tiny, which is still no proof of equality. A statement about numbers only is checked so;
its derivatives are enclosed by :mod:`numerics.ball_derivatives`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np

from derivations.language.operators import Differential, Limit
from derivations.language.order import OrderStatistic
from derivations.language.propositions import Proposition
from derivations.records import Relation
from numerics.arithmetic import UNDEFINED, Arithmetic, Function, each, product_then_sum
from numerics.ball_derivatives import differential
from numerics.checks import Check, Counterexample, Outcome
from numerics.errors import NotEvaluated, Unsupported
from numerics.evaluation import READERS, Environment, evaluate
from numerics.instances import Instance
from numerics.requests import drawn_instance, requests
from numerics.route import Route
from numerics.statements import Statement
from numerics.values import Data, Number, Value, arranged, boxed, union

Finding: TypeAlias = Literal["holds", "fails", "outside", "unresolved"]

_BITS = (128, 512, 2048, 8192)
_TIGHT = Fraction(1, 10**25)
_ENOUGH = 3


def available() -> bool:
    """Whether python-flint is installed."""
    return find_spec("flint") is not None


def _softmax(exp: Callable[[Number], Number], operand: Data) -> Data:
    """1/sum_j exp(x_j - x_i): no maximum has to be found."""
    gaps = operand[..., np.newaxis, :] - operand[..., :, np.newaxis]
    return np.asarray(1 / each(exp, 1)(gaps).sum(axis=-1), dtype=object)


def _logsumexp(exp: Callable[[Number], Number], operand: Data) -> Data:
    first = operand[..., :1]
    total = np.asarray(each(exp, 1)(operand - first).sum(axis=-1), dtype=object)
    return np.asarray(each(lambda ball: ball.log(), 1)(total) + first[..., 0], dtype=object)


def _power(base: Number, exponent: Number) -> object:
    if exponent.is_exact() and exponent.is_integer():
        return base ** int(exponent.unique_fmpz())
    return base**exponent


def balls() -> Arithmetic:
    """Ball arithmetic at the working precision of this moment."""
    import flint  # optional, and SymPy need not meet it before it is asked for

    def ball(item: object) -> Number:
        if isinstance(item, (Fraction, int)):
            number = Fraction(item)
            return flint.arb(flint.fmpq(number.numerator, number.denominator))
        if item is UNDEFINED:
            return flint.arb("nan")
        raise Unsupported("a number that is only an approximation")

    def method(name: str) -> Function:
        return each(lambda item: getattr(item, name)(), 1)

    def exp(item: Number) -> Number:
        return item.exp()

    return Arithmetic(
        name="balls",
        convert=each(ball, 1),
        constant=ball,
        constants=MappingProxyType({"pi": flint.arb.pi(), "e": flint.arb(1).exp()}),
        divide=each(lambda top, bottom: top / bottom, 2),
        power=each(_power, 2),
        functions=MappingProxyType(
            {
                "abs": each(abs, 1),
                "sigmoid": each(lambda item: 1 / (1 + (-item).exp()), 1),
                **{name: method(name) for name in ("exp", "log", "sin", "cos", "tanh", "erf")},
            }
        ),
        softmax=lambda operand: _softmax(exp, operand),
        logsumexp=lambda operand: _logsumexp(exp, operand),
        contract=product_then_sum,
        undefined=each(lambda item: not item.is_finite(), 1),
        nothing=flint.arb("nan"),
    )


@dataclass(frozen=True)
class Enclosure:
    """What balls show at one instance; ``powered`` says that some side is certainly not zero."""

    finding: Finding
    powered: bool = False
    bits: int = 0
    counterexample: Counterexample | None = None


def _entry(relation: Relation, left: Number, right: Number) -> Finding:
    """Apart, or so close that the ball of their difference is a tiny part of them."""
    difference = left - right
    scale = max(abs(left).abs_upper(), abs(right).abs_upper())
    tight = bool(difference.abs_upper() <= scale * _TIGHT.numerator / _TIGHT.denominator)
    if relation is Relation.EQUALS:
        if not left.overlaps(right):
            return "fails"
        return "holds" if tight else "unresolved"
    low, high = (left, right) if relation in (Relation.AT_MOST, Relation.LESS) else (right, left)
    if low < high:
        return "holds"
    if high < low:
        return "fails"
    return "holds" if tight and relation in (Relation.AT_MOST, Relation.AT_LEAST) else "unresolved"


def _pairs(values: Sequence[Value]) -> Iterator[tuple[Number, Number]]:
    labels, rank = union(values), max(value.rank for value in values)
    left, right = np.broadcast_arrays(*(arranged(value, labels, rank) for value in values))
    return zip(left.reshape(-1), right.reshape(-1), strict=True)


def _at(statement: Statement, instance: Instance, *, last: bool) -> tuple[Finding, bool, tuple[str, str]]:
    arithmetic = balls()
    values = {
        letter: Value(boxed(arithmetic.convert(data), data), (), data.ndim) for letter, data in instance.numbers.items()
    }
    place = Environment(arithmetic, instance.sizes, values, readers={**READERS, Differential: differential})
    sides = [evaluate(side, place) for side in statement.sides]
    found: set[Finding] = set()
    powered = False
    for left, right in _pairs(sides):
        if not (left.is_finite() and right.is_finite()):
            found.add("outside" if last else "unresolved")
            continue
        finding = _entry(statement.relation, left, right)
        if finding == "fails":
            return "fails", True, (str(left), str(right))
        powered = powered or not (0 in left and 0 in right)
        found.add(finding)
    if "unresolved" in found:
        return "unresolved", powered, ("", "")
    return "holds" if "holds" in found else "outside", powered, ("", "")


def enclose(statement: Statement, instance: Instance) -> Enclosure:
    """Climb in precision until every entry is decided. Raises :class:`NotEvaluated` where numbers are approximate."""
    import flint

    for bits in _BITS:
        with flint.ctx.workprec(bits):
            finding, powered, (left, right) = _at(statement, instance, last=bits == _BITS[-1])
        if finding == "fails":
            return Enclosure(finding, True, bits, Counterexample(instance.text, left, right))
        if finding != "unresolved":
            return Enclosure(finding, powered, bits)
    return Enclosure("unresolved")


def _applies(statement: Statement) -> bool:
    return available() and not (
        statement.letters.randoms
        or statement.facts.distinct
        or statement.facts.above
        or statement.contains(Limit, OrderStatistic, Proposition)
    )


def check_balls(
    statement: Statement, *, step: int, seed: int, count: int = 12, seconds: float = 0.1, route: Route | None = None
) -> tuple[Check, ...]:
    """A rigorous check of a statement about numbers, where python-flint is installed."""
    if not _applies(statement):
        return ()
    route = route or Route()
    start = time.process_time()
    seen: list[Enclosure] = []
    for request in requests(statement, seed, count):
        if time.process_time() - start > seconds:
            break
        try:
            found = enclose(statement, drawn_instance(statement, request, route))
        except (NotEvaluated, ArithmeticError):
            continue
        if found.finding == "fails":
            detail = "rigorous: the enclosures are apart"
            return (
                Check(
                    step,
                    "high_precision",
                    "refuted",
                    samples=len(seen) + 1,
                    seed=seed,
                    detail=detail,
                    counterexample=found.counterexample,
                ),
            )
        seen.append(found)
    good = [one for one in seen if one.finding == "holds" and one.powered]
    open_ones = sum(one.finding == "unresolved" for one in seen)
    outcome: Outcome = "confirmed" if len(good) >= _ENOUGH and not open_ones else "inconclusive"
    bits = max((one.bits for one in good), default=0)
    detail = f"rigorous: enclosures at {len(good)} instances agree to 25 digits, at up to {bits} bits"
    if open_ones:
        detail += f"; {open_ones} undecided"
    tight = float(_TIGHT)
    delta = tight if outcome == "confirmed" else None
    return (
        Check(step, "high_precision", outcome, delta=delta, samples=len(seen), error=tight, seed=seed, detail=detail),
    )
