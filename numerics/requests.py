"""Which instances to look at: small dimensions and simple numbers first, then ties, wide numbers, large dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sympy import Expr

from derivations.language.givens import AtLeast, Equation
from derivations.language.operators import Differential
from derivations.language.structure import free_indices, parts
from derivations.language.symbols import Dimension, Index
from derivations.language.written import Power
from derivations.records import Relation
from numerics.conditions import pinned_indices
from numerics.errors import NotEvaluated
from numerics.evaluation import size_of
from numerics.instances import Instance, LawKind, Letters, Style
from numerics.joint import Plan, plans
from numerics.route import Route
from numerics.sources import Seeded, Simplest, Source
from numerics.statements import Statement

_STYLES: tuple[Style, ...] = ("small", "small", "ties", "small", "saturated", "near_ties", "negative")
_LARGEST_LEAST = 40
_SQUARES = (1, 4, 2)
_SIZES_OF_SCALES = (1, 4, 9)
_SIMPLEST = 6
_LARGE_RANDOM = (64, 16, 8)
_LARGE_DETERMINISTIC = (100, 40, 16, 7, 6, 5)
_LARGE_SUM = (1000, 100, 30, 12, 7, 6, 5)
_LARGE_NUMBER = (10**6, 1000)
_MOST_ENTRIES = 300
_MOST_ENTRIES_OF_BOUNDS = 1200
_MANY_PLANS = 5
_MOST_CELLS = 300


@dataclass(frozen=True)
class Request:
    """What instance to draw; ``equation`` is to hold besides the givens."""

    sizes: Mapping[Expr, int]
    source: Source
    plan: Plan
    style: Style = "small"
    kind: LawKind = "finite"
    equation: tuple[Expr, Expr] | None = None


def _sizes(letters: Letters, least: Mapping[Expr, int], seed: str) -> Iterator[Mapping[Expr, int]]:
    """All ones, all twos, then threes and mixtures; different symbols get independent values."""
    symbols = letters.dimensions
    if not symbols:
        while True:
            yield {}
    patterns: tuple[tuple[int, ...], ...] = ((1,), (2,), (3, 2, 1), (2, 3, 4), (4, 1, 3))
    for pattern in patterns:
        sizes: dict[Expr, int] = {symbol: pattern[k % len(pattern)] for k, symbol in enumerate(symbols)}
        if all(sizes[symbol] >= least.get(symbol, 1) for symbol in symbols):
            yield sizes
    source = Seeded(f"{seed}/sizes")
    while True:
        yield {symbol: least.get(symbol, 1) - 1 + source.integer(1, 4) for symbol in symbols}


def _least_sizes(statement: Statement) -> Mapping[Expr, int]:
    """The smallest sizes; where a given bounds an expression in dimensions from below, all of these grow together."""
    least = dict(statement.facts.least)
    for given in statement.facts.givens:
        if isinstance(given, AtLeast) and not isinstance(given.args[0], Dimension):
            dimensions = [one for one in statement.letters.dimensions if one in given.args[0].free_symbols]
            for size in range(1, _LARGEST_LEAST):
                if _at_least(given, {one: max(size, least.get(one, 1)) for one in statement.letters.dimensions}):
                    least |= {one: max(size, least.get(one, 1)) for one in dimensions}
                    break
    return least


def _at_least(given: AtLeast, sizes: Mapping[Expr, int]) -> bool:
    try:
        return size_of(given.args[0], sizes) >= int(given.args[1])
    except NotEvaluated:
        return False


def _style(letters: Letters, early: bool, repeat: int, made: int) -> Style:
    """Simple numbers first, but ties early on; beside random arrays only simple ones."""
    if letters.randoms or (early and repeat < 2):
        return "small"
    return "ties" if early else _STYLES[made % len(_STYLES)]


def _making_true(statement: Statement, seed: int) -> Iterator[Request]:
    """Instances in which one side of an equivalence is made true: drawn freely it hardly ever is.

    Squares among the dimensions keep square roots rational; the third of the simplest numbers is negative, for roots
    that were forgotten.
    """
    letters = statement.letters
    for side in statement.propositions or ():
        if side.is_stochastic:  # nothing to solve, so the simplest numbers are tried in turn
            for size in _SIZES_OF_SCALES:
                squares: dict[Expr, int] = dict.fromkeys(letters.dimensions, size)
                yield from (Request(squares, Simplest(place), Plan()) for place in range(_SIMPLEST))
        elif side.relation is Relation.EQUALS:
            for size in _SQUARES:
                sizes: dict[Expr, int] = dict.fromkeys(letters.dimensions, size)
                for source in (Seeded(f"{seed}/true/{size}"), Simplest(2)):
                    yield Request(sizes, source, Plan(), equation=(side.left, side.right))


def _simplest_numbers(statement: Statement) -> Iterator[Request]:
    """Each of the simplest numbers in turn, zero among them: a strict inequality fails where the sides are equal."""
    letters, least = statement.letters, _least_sizes(statement)
    sizes: dict[Expr, int] = {one: least.get(one, 1) for one in letters.dimensions}
    if letters.scalars or letters.arrays:
        yield from (Request(sizes, Simplest(place), Plan()) for place in range(_SIMPLEST))


def requests(statement: Statement, seed: int, count: int) -> Iterator[Request]:
    """The instances to try, in order."""
    letters = statement.letters
    made = 0
    if statement.propositions:
        yield from _making_true(statement, seed)
    elif statement.relation in (Relation.LESS, Relation.GREATER):
        yield from _simplest_numbers(statement)
    if letters.dimensions:
        count -= 1
    allowed = plans(statement.facts, letters.randoms) if letters.randoms else (Plan(),)
    least = _least_sizes(statement)
    for round_number, sizes in enumerate(_sizes(letters, least, str(seed))):
        for plan, repeat in _in_turn(allowed, round_number, max(sizes.values(), default=1)):
            early = round_number < 3
            simple = early and repeat < (2 if letters.scalars else 1)
            source: Source = Simplest(repeat) if simple else Seeded(f"{seed}/{made}")
            style = _style(letters, early, repeat, made)
            yield Request(sizes, source, plan, style)
            made += 1
            if made >= count:
                yield from _wide(statement, least, seed)
                yield from _large(statement, least, seed)
                return


def _in_turn(allowed: Sequence[Plan], round_number: int, largest: int) -> Iterator[tuple[Plan, int]]:
    """The plans of a round with the number of the repetition; where there are many, each comes once, first with the
    simplest choices and in the next round with others. A plan about the entries of an array needs two entries."""
    fitting = [plan for plan in allowed if largest > 1 or not (plan.inside or plan.equal_entries)]
    if len(fitting) > _MANY_PLANS:
        yield from ((plan, round_number % 2) for plan in fitting)
    else:
        yield from ((plan, repeat) for plan in fitting for repeat in range(2 if len(fitting) > 2 else 3))


def _wide(statement: Statement, least: Mapping[Expr, int], seed: int) -> Iterator[Request]:
    """A few instances with large and small numbers, and with laws that have rare events far away."""
    letters = statement.letters
    sizes: dict[Expr, int] = {one: max(2, least.get(one, 1)) for one in letters.dimensions}
    if letters.scalars or letters.arrays:
        sources: list[Source] = [*(Simplest(place) for place in range(4)), Seeded(f"{seed}/wide")]
        yield from (Request(sizes, source, Plan(), "wide") for source in sources)
    elif letters.randoms:
        yield Request(sizes, Seeded(f"{seed}/wide"), Plan(), "wide")


def _large_sizes(statement: Statement) -> tuple[int, ...]:
    """Larger dimensions, largest first: what is only a number may be a million; else what the sums can afford."""
    letters = statement.letters
    if letters.randoms:
        return _LARGE_RANDOM
    if letters.arrays or statement.needs_digits:
        return _LARGE_DETERMINISTIC
    found = list(dict.fromkeys(part for side in statement.sides for part in parts(side)))
    facts = statement.facts
    if any(isinstance(part, Index) for part in found) or facts.distinct or facts.equations:
        return _LARGE_SUM
    exponents = [part.args[1] for part in found if isinstance(part, Power)]
    return _LARGE_NUMBER[1:] if any(exponent.free_symbols for exponent in exponents) else _LARGE_NUMBER


def _depth(statement: Statement) -> int:
    """How many axes a side may have while it is computed."""
    indices = {part for side in statement.sides for part in parts(side) if isinstance(part, Index)}
    indices |= pinned_indices(statement.facts.givens)
    derivatives = sum(isinstance(part, Differential) for side in statement.sides for part in parts(side))
    return max(1, len(indices) + derivatives)


def _large(statement: Statement, least: Mapping[Expr, int], seed: int) -> Iterator[Request]:
    """One instance at a larger dimension: for sums of independent terms known by their moments one too large to
    enumerate, without random arrays one that a formula for n = 2, 3, 4 would not fit."""
    letters = statement.letters
    if not letters.dimensions or (letters.randoms and (statement.is_open or not statement.is_stochastic)):
        return
    depth = 0 if letters.randoms else _depth(statement)
    affordable = _MOST_ENTRIES if statement.relation is Relation.EQUALS else _MOST_ENTRIES_OF_BOUNDS
    for size in _large_sizes(statement):
        sizes: dict[Expr, int] = {one: max(size, least.get(one, 1)) for one in letters.dimensions}
        cells = sum(size ** len(array.shape) for array in (*letters.randoms, *letters.arrays))
        entries = size ** max(len(free_indices(side)) for side in statement.sides)
        small = size <= _LARGE_DETERMINISTIC[-1]
        if size > _LARGE_SUM[0] or (max(cells, entries) <= _MOST_CELLS and (small or size**depth <= affordable)):
            kind: LawKind = "continuous" if letters.randoms else "finite"
            yield Request(sizes, Seeded(f"{seed}/large"), Plan(), "small", kind)
            return


def drawn_instance(statement: Statement, request: Request, route: Route) -> Instance:
    """The instance of a request. Raises :class:`NothingFound`."""
    facts = statement.facts
    if request.equation is not None:
        facts = replace(
            facts,
            equations=(*facts.equations, request.equation),
            givens=(*facts.givens, Equation(*request.equation)),
        )
    return route.draw(
        statement.letters,
        facts,
        request.sizes,
        request.source,
        plan=request.plan,
        style=request.style,
        kind=request.kind,
    )
