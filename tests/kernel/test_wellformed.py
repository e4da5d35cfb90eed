"""Hand-made records: instances, cases and conjunctions are believed only as far as they can be made again."""

from dataclasses import replace

import pytest

from derivations import E, Sum, by, distinct, equals, exp, softmax
from derivations.authoring import Chain, Note, derivation, instantiate
from derivations.kernel.laws.samples import a, b, i, j, k, n, s, t, x
from derivations.kernel.prove import prove
from derivations.kernel.record import Status
from derivations.language.arrays import array
from derivations.language.givens import equation, positive, unique_maximum
from derivations.language.operators import limit
from derivations.language.written import exact
from derivations.records import Case, Line, Relation


def read(author):
    return derivation(title=("A test", "测试"))(author).read()


def theorem(start, *lines, given=()):
    def author(note: Note):
        note.given(*given)
        return note.chain(start, *lines)

    return read(author)


def status(start, *lines, given=()):
    return prove(theorem(start, *lines, given=given)).status


def orthogonal(note: Note):
    V = note.random_vector("V", n, mean=0, variance=1)
    note.given(distinct(i, j))
    return note.chain(E(V[i] * V[j]), equals(0, by.independence, by.moments))


def test_a_theorem_under_distinct_indices_is_used_at_those_only():
    def at_others(note: Note):
        l = note.index("l", n)  # noqa: E741  # the letter after k
        V = note.random_vector("V", n, mean=0, variance=1)
        note.given(distinct(i, j))
        return note.chain(E(V[k] * V[l]), equals(0, read(orthogonal)))

    def at_the_same(note: Note):
        V = note.random_vector("V", n, mean=0, variance=1)
        note.given(distinct(i, j))
        return note.chain(3 * E(V[i] * V[j]), equals(0, read(orthogonal)))

    assert prove(read(at_others)).status is Status.OPEN
    assert prove(read(at_the_same)).status is Status.CLOSED


def test_a_theorem_about_the_peak_says_nothing_of_other_entries():
    peak = theorem(limit(softmax(t * x)[k], t), equals(1), given=[unique_maximum(x, k)])
    total = Sum(limit(softmax(t * x)[i], t), i)
    assert prove(peak).status is Status.CLOSED
    assert status(total, equals(n, peak, by.summation), given=[unique_maximum(x, k)]) is Status.OPEN


def test_a_theorem_without_such_an_assumption_holds_at_every_index():
    plain = theorem(x[i] * exp(a) * exp(-a), equals(x[i]))
    assert status(x[j] * exp(a) * exp(-a) + x[k], equals(x[j] + x[k], plain)) is Status.CLOSED


def test_a_theorem_is_cited_only_where_its_assumptions_hold():
    small = theorem(a * b, equals(b), given=[equation(a, 1)])
    assert status(a * b + 1, equals(b + 1, small)) is Status.OPEN
    assert status(a * b + 1, equals(b + 1, small), given=[equation(a, 1)]) is Status.CLOSED


def test_an_open_theorem_proves_nothing():
    false = theorem(a, equals(a + 1))
    assert status(a, equals(a + 1, false)) is Status.OPEN


def test_an_instance_is_taken_again_at_its_objects():
    plain = theorem(a * exp(s) * exp(-s), equals(a))
    honest = instantiate(plain, {"a": 2 * b})
    assert status(2 * b * exp(s) * exp(-s), equals(2 * b, honest)) is Status.CLOSED
    for forged in (
        replace(plain, start=a * exp(a), lines=(Line(Relation.EQUALS, exact(5)),), original=plain),
        replace(honest, lines=(Line(Relation.EQUALS, 3 * b),)),
        replace(honest, objects=((a, 3 * b),)),
        replace(honest, givens=(positive(a),)),
        replace(honest, original=None),
    ):
        end = forged.lines[-1].expression
        found = prove(theorem(forged.start, equals(end, forged)))
        assert found.status is Status.OPEN or forged.start == end


def test_a_forged_instance_is_told_by_its_name():
    plain = theorem(a * exp(s) * exp(-s), equals(a))
    forged = replace(plain, start=a * exp(a), lines=(Line(Relation.EQUALS, exact(5)),), original=plain)
    step = prove(theorem(a * exp(a), equals(5, forged))).steps[0]
    assert "is not that theorem" in step.message


ONE = Case("n = 1", exact(a), (Line(Relation.EQUALS, a),), ())


@pytest.mark.parametrize(
    "cases",
    [
        (ONE,),
        (ONE, ONE),
        (ONE, Case("n >= 2", exact(a), (Line(Relation.EQUALS, a),), (equation(a, 5),))),
        (Case("nothing", exact(a), (), ()), ONE),
    ],
)
def test_cases_made_by_hand_prove_no_other_statement(cases):
    def author(note: Note):
        return Chain(exact(a), (Line(Relation.EQUALS, a + 1),), cases=cases)

    assert prove(read(author)).status is Status.OPEN


def in_cases(end, one_end):
    def author(note: Note):
        d = note.dimension("d")
        i_d = note.index("i", d)
        w = note.vector("w", d)
        one = note.chain(Sum(w[i_d], i_d) * d, equals(one_end(w, i_d, d)))
        more = note.chain(Sum(w[i_d], i_d) * d, equals(end(w, i_d, d)))
        return note.cases(d, one=one, more=more)

    return author


def test_cases_of_a_dimension_prove_what_both_prove():
    def right(w, index, d):
        return d * Sum(w[index], index)

    assert prove(read(in_cases(right, right))).status is Status.CLOSED


def test_cases_with_something_taken_away_or_added_are_open():
    def right(w, index, d):
        return d * Sum(w[index], index)

    honest = read(in_cases(right, right))
    one, more = honest.cases
    for cases in ((one,), (more, one), (one, replace(more, givens=())), (replace(one, givens=(positive(a),)), more)):
        assert prove(replace(honest, cases=cases)).status is Status.OPEN
    assert prove(replace(honest, lines=(Line(Relation.EQUALS, exact(0)),))).status is Status.OPEN
    assert prove(replace(honest, lines=(Line(Relation.LESS, honest.end),))).status is Status.OPEN


def test_a_conjunction_is_not_cited_for_its_first_part_without_its_assumptions():
    first = theorem(a * b, equals(b), given=[equation(a, 1)])
    second = theorem(a + 0, equals(a))

    def both(note: Note):
        return note.conjunction(first, second)

    together = read(both)
    assert prove(together).status is Status.CLOSED
    assert status(a * b, equals(b, together)) is Status.OPEN


def test_a_part_of_a_conjunction_cannot_be_forged():
    plain = theorem(a * exp(s) * exp(-s), equals(a))
    forged = replace(plain, start=exact(a), lines=(Line(Relation.EQUALS, a + 1),), original=plain)

    def both(note: Note):
        return note.conjunction(plain, forged)

    assert prove(read(both)).status is Status.OPEN


def test_a_theorem_about_one_array_is_taken_at_another():
    w = array("w", n)
    plain = theorem(Sum(x[i] * exp(a) * exp(-a), i), equals(Sum(x[j], j)))
    honest = instantiate(plain, {"x": w})
    assert status(Sum(w[k] * exp(a) * exp(-a), k) + 1, equals(Sum(w[k], k) + 1, honest)) is Status.CLOSED
