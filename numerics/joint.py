"""Joint laws of random arrays: independent blocks of cells, and the dependence that the givens leave open.

A *cell* is one entry of one array. Cells in one block may depend on each other, blocks are independent. Where no given
says "independent", the sampler uses the freedom: entries or arrays that are equal, move against each other, or follow
each other around the circle; a copy of another entry; three variables of which any two are independent but the third is
a function of the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import comb, lcm, prod
from typing import TypeAlias

import numpy as np
from sympy import Expr

from derivations.language.arrays import RandomArray
from numerics.errors import NothingFound, NotRational, TooLarge
from numerics.facts import VARIANCE, Facts
from numerics.laws import FiniteLaw, StandardLaw, root
from numerics.polynomials import Monomial, Variables
from numerics.sources import Source
from numerics.values import OUTCOME, Data, Number, Value, from_list


@dataclass(frozen=True)
class FiniteBlock:
    """Cells with a joint law on finitely many outcomes: for each outcome a weight and one value for each cell.

    The numbers are fractions, or high-precision reals where the outcomes are the nodes of a quadrature.
    """

    cells: tuple[int, ...]
    weights: tuple[Number, ...]
    outcomes: tuple[tuple[Number, ...], ...]

    def moment(self, monomial: Monomial) -> Fraction:
        """The expectation of a monomial in the cells of this block."""
        place = {cell: k for k, cell in enumerate(self.cells)}
        total = Fraction(0)
        for weight, outcome in zip(self.weights, self.outcomes, strict=True):
            total += weight * prod((outcome[place[cell]] ** power for cell, power in monomial), start=Fraction(1))
        return total

    @property
    def kind(self) -> Hashable | None:
        """The law, if the block is a single cell."""
        return (self.weights, self.outcomes) if len(self.cells) == 1 else None


@dataclass(frozen=True)
class AffineLaw:
    """location + sqrt(square) * Z for a standard law Z."""

    standard: StandardLaw
    location: Fraction
    square: Fraction

    def moment(self, order: int) -> Fraction:
        """E[X**order] by the binomial theorem. Raises :class:`NotRational` where it is irrational."""
        total = Fraction(0)
        for power in range(order + 1):
            part = self.standard.moment(power)
            if part:
                scale = self.square ** (power // 2)
                if power % 2:
                    odd = root(self.square)
                    if odd is None:
                        raise NotRational("an odd moment with an irrational deviation")
                    scale *= odd
                total += comb(order, power) * self.location ** (order - power) * scale * part
        return total


@dataclass(frozen=True)
class Marginal:
    """The law of one cell of a block; with the sign -1 it falls where the first cell rises."""

    law: AffineLaw
    sign: int = 1


@dataclass(frozen=True)
class ContinuousBlock:
    """Cells that are functions of one continuous variable; mostly a single cell. Without ``marginals`` they are all
    equal; with them cell k is location + sign * deviation * Z for one standard variable Z."""

    cells: tuple[int, ...]
    law: AffineLaw
    marginals: tuple[Marginal, ...] = ()

    @property
    def each(self) -> tuple[Marginal, ...]:
        """The law of every cell."""
        return self.marginals or (Marginal(self.law),) * len(self.cells)

    def moment(self, monomial: Monomial) -> Fraction:
        """The expectation of a monomial. Raises :class:`NotRational` where it may be irrational."""
        if not self.marginals:
            return self.law.moment(sum(power for _, power in monomial))
        place = {cell: k for k, cell in enumerate(self.cells)}
        powers: dict[int, Fraction] = {0: Fraction(1)}
        for cell, power in monomial:
            marginal = self.marginals[place[cell]]
            deviation = root(marginal.law.square)
            if deviation is None:
                raise NotRational("a mixed moment with an irrational deviation")
            for _ in range(power):
                powers = _times_linear(powers, marginal.law.location, marginal.sign * deviation)
        standard = self.law.standard
        return sum((value * standard.moment(k) for k, value in powers.items() if value), Fraction(0))

    @property
    def kind(self) -> Hashable | None:
        """The law, if the block is a single cell."""
        law = self.law
        return (law.standard.name, law.location, law.square) if len(self.cells) == 1 else None


def _times_linear(powers: Mapping[int, Fraction], constant: Fraction, slope: Fraction) -> dict[int, Fraction]:
    """A polynomial in one variable times constant + slope * variable."""
    result: dict[int, Fraction] = {}
    for k, value in powers.items():
        result[k] = result.get(k, Fraction(0)) + constant * value
        result[k + 1] = result.get(k + 1, Fraction(0)) + slope * value
    return result


Block: TypeAlias = FiniteBlock | ContinuousBlock


@dataclass(frozen=True, eq=False)
class JointLaw:
    """The law of all random arrays together. ``cells`` numbers the cells of each array; ``text`` describes it."""

    cells: Mapping[RandomArray, Data]
    blocks: tuple[Block, ...]
    text: str

    @property
    def is_finite(self) -> bool:
        """Whether the outcomes can be listed."""
        return all(isinstance(block, FiniteBlock) for block in self.blocks)

    @property
    def size(self) -> int:
        """How many outcomes there are, if finite."""
        return prod(len(block.weights) for block in self.blocks if isinstance(block, FiniteBlock))

    def enumerated(self, most: int) -> tuple[Data, dict[Expr, Value]]:
        """All weights (N,) and, for each array, its values with the outcome axis first.

        Raises :class:`TooLarge` for more than ``most`` outcomes or a continuous law.
        """
        if not self.is_finite or self.size > most:
            raise TooLarge("too many outcomes to list")
        blocks = [block for block in self.blocks if isinstance(block, FiniteBlock)]
        weights = from_list(blocks[0].weights, (len(blocks[0].weights),))
        for block in blocks[1:]:
            weights = np.multiply.outer(weights, from_list(block.weights, (len(block.weights),))).reshape(-1)
        choices = np.indices(tuple(len(block.weights) for block in blocks)).reshape(len(blocks), -1)
        count = 1 + max((int(numbers.max()) for numbers in self.cells.values()), default=-1)
        table = np.empty((count, len(weights)), dtype=object)
        for block, choice in zip(blocks, choices, strict=True):
            for place, cell in enumerate(block.cells):
                table[cell] = from_list([outcome[place] for outcome in block.outcomes], (len(block.weights),))[choice]
        values: dict[Expr, Value] = {
            array: Value(np.moveaxis(table[numbers], -1, 0), (OUTCOME,), numbers.ndim)
            for array, numbers in self.cells.items()
        }
        return weights, values

    @cached_property
    def variables(self) -> Variables:
        """The cells as the variables of random polynomials."""
        block_of = {cell: k for k, block in enumerate(self.blocks) for cell in block.cells}
        known: dict[Monomial, Fraction] = {}

        def moment(monomial: Monomial) -> Fraction:
            if monomial not in known:
                known[monomial] = self.blocks[block_of[monomial[0][0]]].moment(monomial)
            return known[monomial]

        return Variables(block_of.__getitem__, moment, lambda cell: self.blocks[block_of[cell]].kind)


# ------------------------------------------------------------------------------------------- dependence


@dataclass(frozen=True)
class Plan:
    """Which freedom an instance uses. ``follow`` is how one array follows another that it need not be independent of,
    ``inside`` how the entries of one array follow its first; ``triple`` are three arrays of which the third is a
    function of the others.

    Cells that follow each other are functions of one uniform variable U: quantiles at U, at 1 - U ("opposite"), or at U
    turned around the circle by a third ("turned": with three values of equal weight, the next one each time).
    """

    equal_entries: bool = False
    follow: str = ""
    triple: tuple[RandomArray, ...] = ()
    inside: str = ""


def plans(facts: Facts, arrays: Sequence[RandomArray]) -> tuple[Plan, ...]:
    """The plans that the givens allow, the independent one first."""
    result = [Plan()]
    free_pairs = [pair for pair in combinations(arrays, 2) if not facts.independent(*pair)]
    loose = any(array.shape and array not in facts.independent_entries for array in arrays)
    if free_pairs:
        result.append(Plan(follow="copy"))
    if loose:
        result.append(Plan(equal_entries=True))
    if free_pairs:
        result += [Plan(follow="opposite"), Plan(follow="shifted")]
        if loose:
            result.append(Plan(equal_entries=True, follow="copy"))
    if loose:
        result += [Plan(inside="turned"), Plan(inside="opposite")]
    if free_pairs:
        result.append(Plan(follow="turned"))
    for triple in combinations(arrays, 3):
        if all(facts.independent(*pair) for pair in combinations(triple, 2)) and not facts.mutually(triple):
            result.append(Plan(triple=triple))
    return tuple(result)


@dataclass(frozen=True)
class Cell:
    """One entry: its number, and its law (finite, or continuous)."""

    number: int
    law: FiniteLaw | AffineLaw


@dataclass(frozen=True)
class Member:
    """A cell in a block: against the first where ``sign`` is -1, and ``turn`` around the circle."""

    cell: Cell
    sign: int = 1
    turn: Fraction = Fraction(0)


def coupled(members: Sequence[Member]) -> Block:
    """One block in which all cells are functions of one uniform variable (quantile coupling)."""
    laws = [member.cell.law for member in members]
    numbers = tuple(member.cell.number for member in members)
    first = laws[0]
    if isinstance(first, AffineLaw):
        return _coupled_continuously(numbers, members, first)
    if len(members) == 1:
        return FiniteBlock(numbers, first.weights, tuple((value,) for value in first.values))
    columns = [_column(member) for member in members]
    edges = sorted({edge for column in columns for edge, _ in column})
    outcomes = tuple(tuple(next(v for e, v in column if e >= edge) for column in columns) for edge in edges)
    weights = tuple(b - a for a, b in zip([Fraction(0), *edges], edges, strict=False))
    return FiniteBlock(numbers, weights, outcomes)


def _coupled_continuously(numbers: tuple[int, ...], members: Sequence[Member], first: AffineLaw) -> ContinuousBlock:
    """Cells with laws of one shape, as functions of one variable; one that falls needs a symmetric shape."""
    marginals = []
    for member in members:
        law = member.cell.law
        if not isinstance(law, AffineLaw) or law.standard is not first.standard or member.turn:
            raise NothingFound("continuous laws of different shapes are not coupled")
        if member.sign < 0 and not law.standard.symmetric:
            raise NothingFound("a law that is not symmetric has no falling copy of this kind")
        marginals.append(Marginal(law, member.sign))
    alike = all(one == Marginal(first) for one in marginals)
    return ContinuousBlock(numbers, first, () if alike else tuple(marginals))


def _column(member: Member) -> list[tuple[Fraction, Fraction]]:
    """The values of a cell with the right ends of the intervals of the uniform variable where it takes them."""
    law = member.cell.law
    if isinstance(law, AffineLaw):
        raise NothingFound("a continuous law is not coupled to a finite one")
    ordered = _quantiles(law, member.sign)
    if not member.turn:
        return ordered
    ends = sorted({(edge - member.turn) % 1 or Fraction(1) for edge, _ in ordered} | {Fraction(1)})
    return [(end, next(v for e, v in ordered if e >= ((end + member.turn) % 1 or Fraction(1)))) for end in ends]


def _quantiles(law: FiniteLaw, sign: int = 1) -> list[tuple[Fraction, Fraction]]:
    """The values in order (falling for the sign -1) with the sums of their weights."""
    total, column = Fraction(0), []
    for value, weight in sorted(zip(law.values, law.weights, strict=True), key=lambda pair: sign * pair[0]):
        total += weight
        column.append((total, value))
    return column


def _groups(facts: Facts, arrays: Sequence[RandomArray], plan: Plan, source: Source) -> list[list[RandomArray]]:
    """Arrays that move together: none of them is declared independent of another in its group."""
    if not plan.follow:
        return [[array] for array in arrays]
    turn = source.integer(0, len(arrays) - 1)
    groups: list[list[RandomArray]] = []
    for array in [*arrays[turn:], *arrays[:turn]]:
        for group in groups:
            if not any(facts.independent(array, member) for member in group):
                group.append(array)
                break
        else:
            groups.append([array])
    return groups


MOST_PARTS = 96


def _pairwise_block(cells: Sequence[Cell]) -> FiniteBlock:
    """Three cells of which any two are independent and the third is a function of the others: quantiles at U, at V and
    at U + V around the circle. For fair signs this is their product, up to a sign."""
    laws = [cell.law for cell in cells if isinstance(cell.law, FiniteLaw)]
    if len(laws) < 3:
        raise NothingFound("pairwise independent variables need finite laws")
    parts = lcm(*(weight.denominator for law in laws for weight in law.weights))
    if parts > MOST_PARTS:
        raise NothingFound("the weights of pairwise independent variables have no small common denominator")
    first, second, third = ([_at(law, Fraction(2 * k + 1, 2 * parts)) for k in range(parts)] for law in laws)
    weights: dict[tuple[Fraction, ...], Fraction] = {}
    for a in range(parts):
        for b in range(parts):
            outcome = (first[a], second[b], third[(a + b + 1) % parts])
            weights[outcome] = weights.get(outcome, Fraction(0)) + Fraction(1, parts**2)
    return FiniteBlock(tuple(cell.number for cell in cells), tuple(weights.values()), tuple(weights))


def _at(law: FiniteLaw, level: Fraction) -> Fraction:
    return next(value for edge, value in _quantiles(law) if edge >= level)


def assemble(facts: Facts, laws: Mapping[RandomArray, Data], plan: Plan, source: Source) -> JointLaw:
    """Join the marginal laws (an object array of laws for each random array) into a joint law under a plan.

    Raises :class:`NothingFound` where the plan does not fit the laws.
    """
    arrays = list(laws)
    cells: dict[RandomArray, Data] = {}
    start = 0
    for array in arrays:
        size = int(laws[array].size)
        cells[array] = np.arange(start, start + size).reshape(laws[array].shape)
        start += size

    def listed(array: RandomArray) -> list[Cell]:
        flat = zip(cells[array].reshape(-1), laws[array].reshape(-1), strict=True)
        return [Cell(int(number), law) for number, law in flat]

    blocks: list[Block] = []
    notes = {array: _law_text(array, laws[array]) for array in arrays}
    rest = [array for array in arrays if array not in plan.triple]
    if plan.triple:
        for three in zip(*(listed(array) for array in plan.triple), strict=False):
            blocks.append(_pairwise_block(three))
        if len({laws[array].size for array in plan.triple}) > 1:
            raise NothingFound("arrays of different sizes")
        first, second, third = plan.triple
        notes[third] = f"{notes[third]}, a function of {first} and {second} though independent of each"
    for group in _groups(facts, rest, plan, source) if rest else []:
        together = bool(plan.equal_entries or plan.inside)
        together = together and not any(array in facts.independent_entries for array in group)
        blocks += _group_blocks(group, {array: listed(array) for array in group}, facts, plan, together)
        leader = group[0]
        if together and laws[leader].size > 1:
            notes[leader] += f" with {_INSIDE[plan.inside].format(leader)}"
        for array in group[1:]:
            notes[array] = _follow_text(array, leader, laws, plan)
    return JointLaw(cells, tuple(blocks), ", ".join(notes.values()))


def _group_blocks(
    group: Sequence[RandomArray],
    cells: Mapping[RandomArray, list[Cell]],
    facts: Facts,
    plan: Plan,
    together: bool,
) -> list[Block]:
    leader = cells[group[0]]
    members = [[Member(cell)] for cell in leader]
    for array in group[1:]:
        followers = cells[array]
        if len(followers) > len(leader) and array in facts.independent_entries:
            raise NothingFound("more independent entries than entries to follow")
        if len(followers) < len(leader) and len(leader) % len(followers) == 0 and plan.follow == "shifted":
            raise NothingFound("nothing to shift")
        shift = 1 if plan.follow == "shifted" else 0
        for k, cell in enumerate(followers):
            sign, turn = (-1 if plan.follow == "opposite" else 1), Fraction(plan.follow == "turned", 3)
            members[(k + shift) % len(leader)].append(Member(cell, sign, turn))
    if together:
        members = [[_inside(member, k, plan, len(members)) for k, one in enumerate(members) for member in one]]
    return [coupled(one) for one in members]


_INSIDE = {
    "": "all entries of {} equal",
    "opposite": "every other entry of {} moving against the first",
    "turned": "each entry of {} a turned copy of the one before",
}


def _inside(member: Member, place: int, plan: Plan, size: int) -> Member:
    """The member as it follows the first entry of its array."""
    if plan.inside == "opposite":
        return replace(member, sign=-member.sign if place % 2 else member.sign)
    if plan.inside == "turned":
        return replace(member, turn=(member.turn + Fraction(place, max(size, 3))) % 1)
    return member


def _law_text(array: RandomArray, laws: Data) -> str:
    texts = [law.text if isinstance(law, FiniteLaw) else _affine_text(law) for law in laws.reshape(-1)]
    if len(set(texts)) == 1:
        return f"{array} = {texts[0]}"
    places = [", ".join(str(k + 1) for k in position) for position in np.ndindex(*laws.shape)]
    return ", ".join(f"{array}[{place}] = {text}" for place, text in zip(places, texts, strict=True))


def _affine_text(law: AffineLaw) -> str:
    return f"{law.standard.name} (location {law.location}, squared scale {law.square})"


def _follow_text(array: RandomArray, leader: RandomArray, laws: Mapping[RandomArray, Data], plan: Plan) -> str:
    same = laws[array].shape == laws[leader].shape and all(
        a == b for a, b in zip(laws[array].reshape(-1), laws[leader].reshape(-1), strict=True)
    )
    if plan.follow == "copy" and same:
        return f"{array} = {leader}"
    how = {
        "copy": "moving with",
        "opposite": "moving against",
        "shifted": "moving with the next entry of",
        "turned": "a turned copy of",
    }
    return f"{_law_text(array, laws[array])} {how[plan.follow]} {leader}"


def standard_spec(spec: Mapping[int, Fraction]) -> tuple[Fraction, Fraction] | None:
    """Mean and variance, if nothing else is declared (so that any standard law fits); None otherwise."""
    if not set(spec) <= {VARIANCE, 1, 2}:
        return None
    mean = spec.get(1)
    if mean is None:
        return None
    variance = spec.get(VARIANCE, spec[2] - mean**2 if 2 in spec else Fraction(1))
    if variance < 0 or (2 in spec and spec[2] != variance + mean**2):
        raise NothingFound("contradictory moments")
    return mean, variance
