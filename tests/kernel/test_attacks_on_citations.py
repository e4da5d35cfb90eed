"""A second round of attacks: certificates, citations, pinned indices, marks, letters, limits. None may be proved."""

import pytest
from sympy import Integer, Rational

from derivations.authoring import Chain, DerivationError, Note, at_least, at_most, equals, iff, instantiate, less_than
from derivations.kernel.laws.samples import A, a, b, i, j, k, n, s, t, x
from derivations.kernel.prove import find_contradiction, prove
from derivations.kernel.record import Status
from derivations.language.arrays import array, random_array, tabulate
from derivations.language.errors import LanguageError
from derivations.language.functions import absolute, dot, exp, log, norm, softmax
from derivations.language.givens import (
    dimension_at_least,
    distinct,
    equation,
    gap_below,
    has_mean,
    has_variance,
    maximal_entries,
    nonnegative,
    positive,
    unique_maximum,
)
from derivations.language.operators import Derivative, E, Sum, limit
from derivations.language.order import Max
from derivations.language.propositions import equal
from derivations.language.symbols import Dimension, Scalar, delta
from derivations.language.written import exact, sqrt
from derivations.records import Derivation, Title

from .steps import proof, proved

marks = array("e", n)
m = Dimension("m")


def derivation(chain: Chain, *givens, name="T"):
    return Derivation(name, Title(name, name), chain.start, chain.lines, tuple(givens))


def status(chain: Chain, *givens):
    return prove(derivation(chain, *givens, name="claim")).status


def note():
    return Note()


@pytest.mark.parametrize(
    "chain",
    [
        lambda: note().chain(a, less_than(10, slack=exp(log(10 - a)))),
        lambda: note().chain(a, at_most(10, slack=sqrt(10 - a) ** 2)),
        lambda: note().chain(equal(a * b, 0), iff(equal(b, 0), factor=a**-1)),
        lambda: note().chain(equal((a**2 + a - 7) * b, 0), iff(equal(b, 0), factor=(a**2 + a - 7) ** -1)),
    ],
)
def test_a_certificate_must_have_a_meaning_itself(chain):
    assert status(chain()) is not Status.CLOSED


def test_what_is_put_for_a_dimension_is_a_dimension():
    theorem = derivation(note().chain(Integer(1), at_most(n)))
    with pytest.raises((LanguageError, DerivationError)):
        instantiate(theorem, {"n": 10 - a})
    assert instantiate(theorem, {"n": 2 * m}).start == 1


def test_what_is_put_for_an_index_is_an_index_of_that_range():
    theorem = derivation(note().chain(i, at_least(0)))
    for wrong in (10 - a, exact(1)):
        with pytest.raises((LanguageError, DerivationError)):
            instantiate(theorem, {"i": wrong})
    assert instantiate(theorem, {"i": j}).start == j


def test_what_is_put_for_an_array_has_its_size():
    V = random_array("V", n)
    theorem = derivation(note().chain(E(dot(V, V)), equals(n)), has_mean(V, 0), has_variance(V, 1))
    with pytest.raises((LanguageError, DerivationError)):
        instantiate(theorem, {"V": random_array("W", m)})
    assert instantiate(theorem, {"V": random_array("W", m), "n": m}).end == m


def test_the_objects_of_a_citation_must_have_a_meaning():
    theorem = derivation(note().chain(absolute(a), equals(a)), nonnegative(a))
    there = instantiate(theorem, {"a": sqrt(10 - b) ** 2})
    assert status(note().chain(absolute(10 - b), equals(10 - b, there))) is not Status.CLOSED
    strict = derivation(note().chain(exact(0), less_than(a)), positive(a))
    there = instantiate(strict, {"a": exp(log(10 - b))})
    assert status(note().chain(b, at_most(10, there))) is not Status.CLOSED


def test_an_equation_at_the_place_of_the_maximum_says_nothing_of_other_places():
    given = [dimension_at_least(n, 2), unique_maximum(x, k), equation(x[k], 1)]
    assert not proved(Sum(x[i], i), n, given=given)
    assert proved(x[k], 1, given=given)
    assert not proved(norm(x), 0, given=[dimension_at_least(n, 2), gap_below(x, k, s), equation(x[k], 0)])
    assert not proved(A[k, k], b, given=[distinct(i, j), equation(A[i, j], b)])
    assert proved(A[i, j], b, given=[distinct(i, j), equation(A[i, j], b)])
    assert proved(A[k, k], b, given=[equation(A[i, j], b)])


def test_marks_jump_so_they_have_no_derivative():
    given = [maximal_entries(x, marks)]
    assert not proved(Derivative(marks[i], x[j]), 0, given=given)
    assert not proved(Derivative(marks[i] * x[i], x[j]), marks[i] * delta(i, j), given=given)
    peaked = limit(Sum(softmax(t * x)[i] ** 2, i), t)
    assert proof(Derivative(peaked, x[j]), 0, given=given).status is not Status.CLOSED


def test_what_a_given_says_of_a_free_index_it_does_not_say_of_a_bound_one():
    given = [distinct(i, j)]
    assert proof(Sum(1 / (x[i] - x[j]), i, j), 0, given=given).status is Status.OPEN
    inner = absolute(x[i] - x[j]) + a * (1 - Max(delta(i, k) * delta(j, k), k))
    assert proof(Sum(inner / inner, i, j), n**2, given=[*given, positive(a)]).status is not Status.CLOSED


def test_an_assumption_of_a_theorem_must_hold_at_all_indices():
    theorem = derivation(note().chain(A[k, k], equals(0)), equation(A[i, j], 0))
    there = instantiate(theorem, {"A": tabulate(a * delta(i, j), i, j)})
    assert status(note().chain(a, equals(0, there)), distinct(i, j)) is Status.OPEN


def test_a_limit_must_exist():
    grows = limit(t, t)
    assert proof(grows - grows, 0, "algebra").status is not Status.CLOSED
    assert proof(limit(exp(-t), t) - limit(exp(-t), t), 0, "algebra").status is Status.CLOSED


def test_an_instance_with_contradictory_assumptions_is_vacuous():
    theorem = derivation(note().chain(absolute(a), equals(a)), positive(a))
    impossible = instantiate(theorem, {"a": exact(-1)})
    whole = note().conjunction(theorem, impossible)
    found = Derivation("both", Title("", ""), whole.start, whole.lines, (), parts=whole.parts)
    assert prove(found).contradiction
    assert find_contradiction(impossible.givens)
    assert not find_contradiction((positive(Scalar("c")), equation(Scalar("c"), Rational(1, 2))))
