"""Trying many variants of one statement at the same instances: which of them would a check have caught?

The instances are those of the check itself. They are drawn once and kept in the order of their success, so that most
variants fall at the first. A refutation is one of the check: exact, with many digits, or for an inequality that holds
at every instance by sampling. Only where an expectation is a sum over the nodes of a rule, doubles decide, and then a
difference must be far beyond their error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Literal, TypeAlias

from sympy import Expr, Integer, Rational
from sympy.core.basic import Basic
from sympy.core.symbol import Str

from derivations.language.arrays import Array, Entry
from derivations.language.functions import Dot, Elementary, LogSumExp, Softmax
from derivations.language.givens import Given
from derivations.language.operators import Covariance, DistinctSummation, Expectation, Summation, Variance
from derivations.language.structure import parts
from derivations.language.symbols import Delta, Dimension, Index, Scalar
from derivations.language.written import Negative, Plus, Power, Times
from derivations.records import Relation
from numerics.checks import Counterexample
from numerics.comparison import DIGITS_OF_DOUBLES, Comparison, Pair, Tolerance, compare_exactly, compare_with_digits
from numerics.environments import by_moments, enumerated
from numerics.errors import NotEvaluated, NotPolynomial, NotRational, TooLarge
from numerics.extremes import Means, reaches
from numerics.instances import Instance
from numerics.joint import Plan
from numerics.monte_carlo import check_by_sampling, sampled_sides
from numerics.mutations import Claim
from numerics.pointwise import STRICT, compare_at, has_extreme_numbers, strictly
from numerics.quadrature import COARSE_AND_FINE, WITH_KINKS, continuous_cells
from numerics.requests import Request, drawn_instance, requests
from numerics.resolution import Grid, grid, resolved
from numerics.route import Route
from numerics.search import violations
from numerics.sources import Seeded, Simplest
from numerics.statements import Statement, make_statement
from numerics.valueless import lacks_value, may_lack_value

_QUICK = Tolerance(equal=1e-9, different=1e-4, settled=1e-7, errors=100.0)
"""For sums over nodes in doubles: what differs, differs in the fourth digit."""

_FEW = 6
_MORE = 36
_MANY_ENTRIES = (10, 100, 1000)
"""So many entries may be needed to tell the bounds on an extreme apart: it grows like the root of a logarithm."""

Effort: TypeAlias = Literal["few", "usual", "all"]
"""How many instances to try."""


@dataclass(frozen=True)
class Refutation:
    """How a variant fails: a counterexample, or an instance at which it has no value while the original has one."""

    counterexample: Counterexample
    has_value: bool = True


@dataclass(frozen=True)
class Point:
    """An instance with the environments that its quadratures need, made once."""

    instance: Instance
    route: Route
    means: Means | None = None
    _pairs: dict[bool, Pair] = field(default_factory=dict)

    def compare(self, statement: Statement) -> Comparison:
        """The verdict here. Raises :class:`NotEvaluated` where the sides are out of reach."""
        return strictly(statement, self.instance, self.route, self._compared(statement))[1]

    def _compared(self, statement: Statement) -> Comparison:
        joint = self.instance.joint
        cells = continuous_cells(joint) if joint else 0
        if self.means is not None and reaches(statement) and not has_extreme_numbers(statement):
            try:
                found = self.means.compare(statement, _QUICK)
            except (NotEvaluated, ArithmeticError):
                found = Comparison("unresolved")
            if found.verdict != "unresolved":
                return found
            if cells > max(COARSE_AND_FINE):
                raise TooLarge("an expectation that the law of an order statistic does not give")
        if cells not in COARSE_AND_FINE or statement.propositions or statement.is_open or statement.needs_digits:
            return compare_at(statement, self.instance, self.route)[1]
        try:
            return compare_exactly(statement, self.instance, by_moments(self.instance, readers=self.route.readers))
        except (NotRational, NotPolynomial):
            pair = self._pair(cells, kinks=statement.has_kinks)
            found = compare_with_digits(statement, self.instance, [pair], _QUICK)
            return Comparison("unresolved") if _unseen(found, statement, self._third) else found

    @cached_property
    def _third(self) -> Grid:
        """A grid that shows whether the others see what they sum."""
        return grid(self.instance, self.route.readers)

    def _pair(self, cells: int, *, kinks: bool) -> Pair:
        if kinks not in self._pairs:
            coarse, fine = (
                enumerated(
                    self.instance,
                    self.route.doubles,
                    most=self.route.most_nodes,
                    readers=self.route.readers,
                    rule=rule,
                )
                for rule in (WITH_KINKS if kinks else COARSE_AND_FINE)[cells]
            )
            self._pairs[kinks] = Pair(coarse, fine, DIGITS_OF_DOUBLES)
        return self._pairs[kinks]


def _unseen(found: Comparison, statement: Statement, third: Grid) -> bool:
    """Whether a verdict comes from nodes between which something can hide."""
    return found.verdict in ("holds", "fails") and not resolved(statement, third)


@dataclass
class Bench:
    """The instances for the variants of one statement; the last one that refuted comes first."""

    statement: Statement
    route: Route
    seed: int
    points: list[Point]
    _more: list[Point] | None = None
    _tried: list[tuple[Point, str]] = field(default_factory=list)

    def refutation(self, claim: Claim, effort: Effort = "all") -> Refutation | None:
        """How the claim fails at one of the instances, or None.

        ``few`` are the simplest instances; ``usual`` are all of the check's own and, for an inequality of numbers, a
        search for a violation; ``all`` are further instances too, instances without a value, and sampling.
        """
        variant = replace(self.statement, left=claim.left, relation=claim.relation, right=claim.right)
        self._tried = []
        points = self.points[:_FEW] if effort == "few" else self.points
        for point in chain(points, self._further(variant)) if effort == "all" else points:
            verdict, found = _tried_at(variant, point)
            if found is not None:
                self.points = [point, *(one for one in self.points if one is not point)]
                return found
            self._tried.append((point, verdict))
        if effort == "few":
            return None
        if effort == "usual":
            return self._by_search(variant)
        return self._without_value(claim) or _by_sampling(variant, self.seed) or self._by_search(variant)

    def _further(self, variant: Statement) -> Iterator[Point]:
        """More instances, for what the usual ones do not refute: the variant's own solutions, and other draws."""
        if reaches(variant):
            if self._more is None:
                self._more = list(_points(self.statement, _with_many_entries(self.statement, self.seed), self.route))
            yield from self._more
        elif variant.propositions:
            yield from _points(variant, requests(variant, self.seed, 1), self.route)
        elif not self.statement.letters.randoms:
            if self._more is None:
                wanted = requests(self.statement, self.seed + 1, _MORE)
                self._more = list(_points(self.statement, wanted, self.route))
            yield from self._more

    def _by_search(self, variant: Statement) -> Refutation | None:
        """At a place where the sides of an inequality were driven against each other, and which the check confirms."""
        known = [point.instance for point, _ in self._tried]
        for instance in violations(variant, self.seed, known, readers=self.route.readers):
            verdict, found = _tried_at(variant, Point(instance, self.route))
            if verdict == "fails":
                return found
        return None

    def impression(self, claim: Claim) -> str:
        """What the instances say of a claim that none of them refutes: no proof, but an explanation."""
        verdicts = {verdict for _, verdict in self._tried} - {"outside", ""}
        if "holds" not in verdicts or "unresolved" in verdicts:
            return "a value that does not settle" if verdicts else "no instance reaches it"
        if claim.relation in (Relation.EQUALS, Relation.IFF) or claim.relation is not self.statement.relation:
            return "true at every instance that reaches it"
        before, after = self._changed(claim)
        falling = claim.relation in (Relation.AT_LEAST, Relation.GREATER)
        low, high = (after, before) if (claim.left == self.statement.left) is falling else (before, after)
        weaker = replace(self.statement, left=low, relation=Relation.AT_MOST, right=high)
        compared = {_tried_at(weaker, point)[0] for point in self.points[: 2 * _FEW]}
        if "holds" in compared and "fails" not in compared:
            return "a weaker bound at every instance that reaches it"
        return "another bound, true at every instance that reaches it"

    def _changed(self, claim: Claim) -> tuple[Expr, Expr]:
        """The side that was changed: before and after."""
        old = self.statement
        return (old.right, claim.right) if claim.right != old.right else (old.left, claim.left)

    def _without_value(self, claim: Claim) -> Refutation | None:
        """An instance at which the original has a value and a changed side has none at all."""
        if claim.relation is Relation.IFF:
            return None
        original, changed = self._changed(claim)
        same = {
            side: replace(self.statement, left=side, relation=Relation.EQUALS, right=side)
            for side in (original, changed)
        }
        for point, verdict in self._tried:
            if (
                verdict == "outside"
                and _tried_at(same[changed], point)[0] == "outside"
                and _holds(same[original], point)
            ):
                return Refutation(Counterexample(point.instance.text, "a value", "no value"), has_value=False)
        if claim.relation is not Relation.EQUALS or not may_lack_value(changed):
            return None  # what is infinite may well be larger than a number
        for point in [one for one, verdict in self._tried if verdict in ("", "unresolved")][:_FEW]:
            infinite = lacks_value(changed, self.statement, point.instance, self.route.readers)
            if infinite and _holds(same[original], point):
                return Refutation(Counterexample(point.instance.text, "a value", "no finite value"), has_value=False)
        return None


def make_bench(
    givens: Iterable[Given], claim: Claim, *, seed: int = 0, count: int = 24, route: Route | None = None
) -> Bench:
    """The bench of a claim. Raises :class:`NotEvaluated` where its givens cannot be sampled."""
    route = route or Route()
    statement = make_statement(givens, claim.left, claim.relation, claim.right)
    drawn = _points(statement, requests(statement, seed, count), route)
    return Bench(statement, route, seed, sorted(drawn, key=_cost))


def _points(statement: Statement, wanted: Iterable[Request], route: Route) -> Iterator[Point]:
    for request in wanted:
        try:
            instance = drawn_instance(statement, request, route)
        except (NotEvaluated, ArithmeticError):
            continue
        means = Means(statement, instance, route.doubles, route.readers) if instance.joint else None
        yield Point(instance, route, means)


def _with_many_entries(statement: Statement, seed: int) -> Iterator[Request]:
    for size in _MANY_ENTRIES:
        sizes: dict[Expr, int] = dict.fromkeys(statement.letters.dimensions, size)
        for source in (Simplest(), Seeded(f"{seed}/many")):
            yield Request(sizes, source, Plan(), "small", "continuous")


def _cost(point: Point) -> int:
    """Those with few outcomes first; otherwise as they were drawn, the simplest first."""
    joint = point.instance.joint
    if joint is None:
        return 0
    return joint.size.bit_length() if joint.is_finite else 12


def _tried_at(variant: Statement, point: Point) -> tuple[str, Refutation | None]:
    """The verdict at an instance, "" where the variant is out of reach there, and the refutation if it fails."""
    try:
        comparison = point.compare(variant)
        if comparison.verdict == "unresolved" and variant.relation in STRICT and _equal_at(variant, point):
            return "fails", Refutation(Counterexample(point.instance.text, "equal sides", "no strict inequality"))
    except (NotEvaluated, ArithmeticError):
        return "", None
    found = comparison.counterexample
    return comparison.verdict, Refutation(found) if comparison.verdict == "fails" and found is not None else None


def _by_sampling(variant: Statement, seed: int) -> Refutation | None:
    """An inequality may fail only in dimensions that are too large for anything but sampling."""
    if variant.relation in (Relation.EQUALS, Relation.IFF):
        return None
    for number, (side, claimed) in enumerate(sampled_sides(variant, True)):
        check = check_by_sampling(variant, side, claimed, step=0, seed=seed, check=number)
        if check.outcome == "refuted" and check.counterexample is not None:
            return Refutation(check.counterexample)
    return None


def _holds(statement: Statement, point: Point) -> bool:
    return _tried_at(statement, point)[0] == "holds"


def _equal_at(variant: Statement, point: Point) -> bool:
    """Equal sides are not strictly ordered. Digits show it of roots; of an exponential they show nothing, since it may
    be nearer to a number than any digits reach, and neither does a quadrature, a limit or a difference quotient."""
    joint = point.instance.joint
    if variant.needs_digits or (joint is not None and not joint.is_finite):
        return False
    algebraic = not any(
        isinstance(part, (Softmax, LogSumExp)) or (isinstance(part, Elementary) and part.name != "abs")
        for side in variant.sides
        for part in parts(side)
    )
    return algebraic and point.compare(replace(variant, relation=Relation.EQUALS)).verdict == "holds"


def place_without_value(givens: Iterable[Given], claim: Claim, seed: int, count: int = 12) -> str:
    """The assignment of the first instance at which both sides of the claim have no value, or ""."""
    if all(isinstance(part, _TOTAL) or _is_natural_power(part) for part in (*parts(claim.left), *parts(claim.right))):
        return ""
    bench = make_bench(givens, claim, seed=seed, count=count)
    for point in bench.points:
        try:
            if point.compare(bench.statement).verdict == "outside":
                return point.instance.text
        except (NotEvaluated, ArithmeticError):
            continue
    return ""


_TOTAL = (
    *(Rational, Scalar, Dimension, Index, Delta, Array, Entry, Str),
    *(Plus, Times, Negative, Summation, DistinctSummation, Dot, Expectation, Variance, Covariance),
)
"""What has a value wherever its parts have; the laws that are drawn have the moments that polynomials ask for."""


def _is_natural_power(part: Basic) -> bool:
    return isinstance(part, Power) and isinstance(part.args[1], Integer) and int(part.args[1]) > 0
