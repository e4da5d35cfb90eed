"""Letters that are bound here and pinned there: what is said of the one says nothing of the other."""

from derivations.kernel.laws.samples import V, a, b, i, j, k, n, s, x, y
from derivations.kernel.prove import find_contradiction, prove_step
from derivations.kernel.record import Status
from derivations.language.functions import exp, log
from derivations.language.givens import (
    distinct,
    equation,
    gap_below,
    identically_distributed,
    integrable,
    nonnegative,
    unique_maximum,
)
from derivations.language.operators import DistinctSum, E, Sum
from derivations.language.order import Max, largest, smallest
from derivations.language.propositions import equal
from derivations.language.symbols import delta, index
from derivations.language.written import sqrt
from derivations.records import Derivation, Line, Relation, Step, Title, taken_at

from .steps import proof, proved

PINNED = (equation(x[k], 1), distinct(k, j))
"""x_k = 1 at one k only: of the others nothing is said, as in (1, -2)."""


def at_most(low, high, *given):
    return proved(low, high, given=given, relation=Relation.AT_MOST)


def pinned_theorem():
    """sqrt(a^2) = a for a that is not negative, at a = sum_k x_k."""
    inner = Derivation("root", Title("", ""), sqrt(a**2), (Line(Relation.EQUALS, a),), (nonnegative(a),))
    return taken_at(inner, {a: Sum(x[k], k)})


def test_what_is_given_of_a_pinned_index_says_nothing_of_a_bound_one():
    total = Sum(x[k], k)
    assert not at_most(0, total, *PINNED)
    assert not proved(0, total, given=PINNED, relation=Relation.LESS)
    assert not at_most(0, DistinctSum(x[k] * x[i] ** 2, i, k), *PINNED)
    assert not at_most(1, exp(total), *PINNED)
    assert not at_most(a * total, b * total, *PINNED, equation(b, a + s), nonnegative(s))
    assert not at_most(largest(x), total, *PINNED)
    step = Step(1, equal(a * total, 0), Line(Relation.IFF, equal(a, 0), certificate=total))
    assert prove_step(step, PINNED).status is Status.OPEN
    line = Line(Relation.EQUALS, Sum(x[i], i), cited=(pinned_theorem(),))
    assert prove_step(Step(1, sqrt(Sum(x[i], i) ** 2), line), PINNED).status is Status.OPEN
    assert not find_contradiction((*PINNED, equation(total, -1)))
    assert at_most(0, Sum(x[i] ** 2, i) * x[k], *PINNED)


def test_a_sum_that_bounds_a_maximum_has_a_letter_of_its_own():
    assert not at_most(log(exp(largest(x) - x[j])), Sum(log(exp(x[k] - x[j])), k), unique_maximum(x, k))
    low, high = log(exp(x[k] - b - smallest(x))), Sum(log(exp(x[k] - b - x[i])), i)
    assert not at_most(low, high, gap_below(x, k, b), distinct(i, k))
    assert at_most(exp(Max(x[i] + y[i], i)), Sum(exp(x[i] + y[i]), i))


def test_a_letter_that_is_used_again_is_not_distinct_again():
    again = index("i'", n)
    low, high = (Sum((1 - delta(i, k)) * Sum(side, again), i) for side in (x[again], x[k] - b))
    assert not at_most(low, high, gap_below(x, k, b))


def test_a_moment_of_one_pinned_entry_is_none_of_the_others():
    def closed(left, right, *given):
        return proof(left, right, given=given).status is Status.CLOSED

    assert not closed(E(V[j] ** 2), E(V[j] ** 2), integrable(V[k] ** 2), distinct(j, k))
    assert closed(E(V[j] ** 2), E(V[j] ** 2), integrable(V[k] ** 2))
    assert closed(E(V[j] ** 2), E(V[j] ** 2), integrable(V[k] ** 2), distinct(j, k), identically_distributed(V))


def test_indices_are_distinct_in_the_sum_that_says_so_and_in_no_other():
    undefined = Sum(Sum(1 / (x[i] - x[j]), i), j)
    assert proof(undefined, undefined).status is Status.OPEN
    beside = undefined + DistinctSum(x[i] * x[j], i, j)
    assert proof(beside, beside).status is Status.OPEN
    squares = DistinctSum(x[i] * x[j], i, j) + DistinctSum(x[i] * x[j] ** 2, i, j)
    assert proof(squares, squares).status is Status.CLOSED
