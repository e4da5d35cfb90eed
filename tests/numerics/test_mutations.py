"""Each kind of mistake is made, once, and only where it gives mathematics."""

from __future__ import annotations

from collections import Counter

import pytest
from sympy import Integer, Rational

from derivations.authoring import Note
from derivations.language.functions import exp, softmax
from derivations.language.givens import unique_maximum
from derivations.language.operators import DistinctSum, E, Sum, Var
from derivations.language.order import largest
from derivations.language.propositions import equal
from derivations.language.structure import clashing_indices, free_indices
from derivations.language.symbols import delta
from derivations.language.written import sqrt
from derivations.records import Relation
from numerics.mutations import Claim, mutants
from numerics.variants import make_bench

note = Note()
n = note.dimension("n")
i, j, k = note.index("i", n), note.index("j", n), note.index("k", n)
x = note.vector("x", n)
a, b = note.scalar("a"), note.scalar("b")
Q = note.random_vector("Q", n, mean=0, variance=1)


def changed(right, left=a, relation=Relation.EQUALS, givens=()):
    """The mutants of a right side, as text by kind."""
    found: dict[str, set[str]] = {}
    for one in mutants(Claim(left, relation, right), givens):
        side = one.claim.right if one.claim.relation is relation else one.claim.relation
        found.setdefault(one.kind, set()).add(str(side))
    return found


@pytest.mark.parametrize(
    ("right", "kind", "expected"),
    [
        (a + b, "sign", {"-a + b", "a - b", "-(a + b)"}),
        (a - b, "sign", {"-a - b", "a + b", "-(a - b)"}),
        (3 * a, "number", {"4*a", "2*a", "6*a"}),
        (a / 2, "number", {"a/3", "a/4"}),
        (n * a, "dimension", {"(n + 1)*a", "(n - 1)*a", "(2*n)*a"}),
        (a**2, "exponent", {"a**3", "a", "a**4"}),
        (sqrt(a), "exponent", {"a**(3/2)", "a**(-1/2)", "a"}),
        (a + b, "dropped", {"a", "b"}),
        (a * b, "dropped", {"a", "b"}),
        (a / b, "dropped", {"a", "1/b"}),
        (exp(a), "argument", {"exp(a + 1)"}),
        (softmax(x)[i] + Sum(x[j], j), "argument", {"softmax(2*x)[i] + Sum(x[j], j)"}),
        (Var(Q[i]), "moment", {"E(Q[i]**2)"}),
        (E(Q[i] ** 2), "moment", {"E(Q[i])**2"}),
        (E(Q[i]) ** 2, "moment", {"E(Q[i]**2)"}),
        (largest(x), "rank", {"largest(x, 2)", "smallest(x)"}),
    ],
    ids=lambda one: one if isinstance(one, str) else None,
)
def test_each_kind_of_mistake_is_made(right, kind, expected):
    assert changed(right, left=x[i])[kind] == expected


def test_a_delta_is_dropped_and_negated_and_its_indices_are_replaced():
    found = changed(delta(i, j) * x[i], left=x[i] * x[j])
    assert found["delta"] == {"(1 - delta(i, j))*x[i]"}
    assert found["dropped"] == {"delta(i, j)", "x[i]"}
    assert "delta(j, j)*x[i]" in found["index"]
    assert "delta(i, j)*x[j]" in found["index"]


def test_an_index_is_replaced_by_one_that_has_a_meaning_there():
    found = changed(Sum(x[i] * x[j], j), left=x[i])
    assert found["index"] == {"Sum(x[j]*x[j], j)", "Sum(x[i]*x[i], j)"}
    assert "index" not in changed(Sum(x[j], j)), "outside its sum j means nothing, and there is no other index"


def test_an_index_that_a_given_fixes_may_stand_in_any_line():
    assert "Sum(x[k], j)" in changed(Sum(x[j], j), givens=(unique_maximum(x, k),))["index"]


def test_a_sum_has_a_term_more_or_less_where_an_index_can_name_it():
    found = changed(Sum(x[j] ** 2, j), left=x[i])["range"]
    assert found == {"Sum(x[j]**2, j) + x[i]**2", "Sum(x[j]**2, j) - x[i]**2"}
    assert "range" not in changed(Sum(x[j] ** 2, j))


def test_coinciding_indices_are_let_in_and_kept_out():
    assert changed(DistinctSum(x[i] * x[j], i, j))["range"] == {"Sum(x[i]*x[j], i, j)"}
    assert changed(Sum(x[i] * x[j], i, j))["range"] == {"DistinctSum(x[i]*x[j], i, j)"}


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        (Relation.EQUALS, set()),
        (Relation.AT_MOST, {">=", "<"}),
        (Relation.AT_LEAST, {"<=", ">"}),
        (Relation.LESS, {">"}),
        (Relation.GREATER, {"<"}),
    ],
)
def test_a_relation_is_reversed_and_made_strict(relation, expected):
    found = {one.claim.relation for one in mutants(Claim(a, relation, b)) if one.kind == "relation"}
    assert found == expected


def test_both_sides_of_a_statement_in_an_equivalence_are_changed():
    found = mutants(Claim(equal(a, 1), Relation.IFF, equal(b, 2)))
    assert {str(one.claim.right) for one in found if one.kind == "number"} == {"b = 3", "b = 1", "b = 4"}
    assert {str(one.claim.right) for one in found if one.kind == "sign"} == {"-b = 2", "b = -2"}


def test_each_mutant_is_made_once_and_none_is_the_claim():
    claim = Claim(x[i], Relation.EQUALS, 1 * a + 0 + Sum(delta(i, j) * x[j] ** 2, j) / 1)
    found = mutants(claim, left=True)
    counts = Counter((one.claim.left, one.claim.relation, one.claim.right) for one in found)
    assert max(counts.values()) == 1
    assert (claim.left, claim.relation, claim.right) not in counts
    assert "a + Sum(delta(i, j)*x[j]**2, j)/1" not in {str(one.claim.right) for one in found}


def test_what_has_no_meaning_is_not_made():
    claim = Claim(x[i] * x[j], Relation.EQUALS, Sum(delta(i, k) * x[k] * x[j], k) / 1)
    for one in mutants(claim, left=True):
        for side in (one.claim.left, one.claim.right):
            assert not clashing_indices(side)
            assert free_indices(side) <= {i, j}
            assert "/0" not in str(side)


def test_the_range_of_an_index_is_left_alone():
    found = changed(Sum(Integer(1), i), left=n)
    assert "dimension" not in found
    assert found["number"] == {"Sum(0, i)", "Sum(2, i)"}


def test_fractions_are_changed_by_one_and_doubled():
    found = changed(Rational(1, 3) * a)
    assert found["number"] == {"(4/3)*a", "(-2/3)*a", "(2/3)*a"}


# ------------------------------------------------------------------------------- trying them at instances


def test_what_is_false_is_refuted_and_what_is_true_is_not():
    claim = Claim(Var(Sum(Q[i], i)), Relation.EQUALS, n)
    bench = make_bench(note.givens, claim)
    assert bench.refutation(claim) is None
    for one in mutants(claim):
        found = bench.refutation(one.claim)
        assert found is not None, one
        assert found.counterexample.left != found.counterexample.right


def test_what_refuted_one_variant_is_tried_first_on_the_next():
    claim = Claim(Sum(x[i], i) ** 2, Relation.EQUALS, Sum(x[i], i) ** 2)
    bench = make_bench((), claim)
    bench.refutation(Claim(claim.left, claim.relation, Sum(x[i] ** 2, i)))
    first = bench.points[0].instance
    assert max(first.sizes.values()) > 1, "in one dimension the two are equal"


def test_a_variant_without_a_value_is_told_from_one_that_differs():
    claim = Claim(a, Relation.EQUALS, a)
    found = make_bench((), claim).refutation(Claim(a, Relation.EQUALS, a + sqrt(Integer(-1))))
    assert found is not None
    assert not found.has_value


def test_equal_sides_are_not_strictly_ordered():
    claim = Claim(exp(a), Relation.AT_MOST, exp(a))
    bench = make_bench((), claim)
    assert bench.refutation(claim) is None
    assert bench.refutation(Claim(exp(a), Relation.LESS, exp(a))) is not None


def test_the_solutions_of_a_changed_equation_are_tried():
    """The claim says too little about b: only where the changed equation is true does that show."""
    claim = Claim(equal(a, 3), Relation.IFF, equal(a, 3))
    assert make_bench((), claim).refutation(Claim(equal(a, 3), Relation.IFF, equal(a**2, 9))) is not None
