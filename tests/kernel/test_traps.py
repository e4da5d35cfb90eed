"""Traps that have caught other programs: capture, coinciding indices, signs, lost obligations, false independence."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from sympy import Rational

from derivations.authoring import Note, derivation, equals
from derivations.kernel.laws.samples import A, B, V, X, Y, a, b, column, i, j, k, m, mu, n, row, s, x, y
from derivations.kernel.prove import find_contradiction, normal_form, prove
from derivations.kernel.record import Proof, Status
from derivations.kernel.terms import FRESH, positions
from derivations.language.arrays import array, entry, random_array, transpose
from derivations.language.distributions import bernoulli, normal
from derivations.language.errors import LanguageError
from derivations.language.functions import absolute, dot, exp, log, logsumexp, norm, softmax, trace
from derivations.language.givens import (
    distinct,
    equation,
    has_law,
    has_mean,
    has_moment,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
    nonzero,
    pairwise_independent,
    positive,
)
from derivations.language.operators import Cov, Derivative, DistinctSum, E, Sum, Var
from derivations.language.symbols import delta, index
from derivations.language.written import sqrt

from .steps import proof, proved

Z = random_array("Z")


def open_texts(step):
    return {one.text for one in step.obligations if one.open}


# Capture


def test_a_sum_inside_a_sum_with_the_same_letter_is_its_own():
    inner = Sum(x[i], i)
    assert proved(Sum(y[j] * inner, j), Sum(x[i], i) * Sum(y[i], i))
    assert not proved(Sum(y[j] * inner, j), Sum(x[i] * y[i], i))


def test_a_sum_in_the_base_of_a_power_is_its_own():
    assert proved(Sum(x[i], i) ** 2, Sum(x[i] * x[j], i, j))
    assert not proved(Sum(x[i], i) ** 2, Sum(x[i] ** 2, i))
    assert not proved(x[i] * Sum(x[i], i) ** -1, Sum(x[i] ** 0, i))


def test_a_sum_in_the_argument_of_a_function_is_its_own():
    assert proved(x[i] * exp(Sum(x[i], i)), x[i] * exp(Sum(x[k], k)))
    assert not proved(Sum(x[k] * exp(Sum(x[i], i)), k), Sum(x[k] * exp(x[k]), k))


def second_moment(vector):
    """An author's helper that sums over a letter of its own."""
    return Sum(vector[i] ** 2, i)


def test_the_letter_of_an_authors_helper_captures_nothing():
    assert proved(Sum(y[j] * second_moment(x), j), second_moment(x) * Sum(y[k], k))
    assert not proved(Sum(y[j] * second_moment(x), j), Sum(y[i] * x[i] ** 2, i))
    # The helper's letter is free outside: the sum does not bind it there.
    assert proved(x[i] * second_moment(x), x[i] * Sum(x[k] ** 2, k))
    assert not proved(x[i] * second_moment(x), Sum(x[i] ** 3, i))


def test_definitions_take_an_inner_index_of_their_own():
    assert proved(Sum(x[i] * dot(x, y), i), dot(x, y) * Sum(x[j], j))
    assert not proved(Sum(x[k] * dot(x, y), k), Sum(x[k] ** 2 * y[k], k))
    assert proved(dot(x, y) ** 2, Sum(x[i] * y[i] * x[j] * y[j], i, j))
    assert not proved(dot(x, y) ** 2, Sum(x[i] ** 2 * y[i] ** 2, i))


@pytest.mark.parametrize(
    "expression",
    [
        Sum(x[i] * Sum(y[j] * exp(x[i]), j) ** -1, i),
        Sum(softmax(x)[i] * log(softmax(x)[i]), i),
        Sum(A[i, j] * delta(i, j) * Sum(A[k, j], k), i, j),
        trace(A @ A @ transpose(A)) / norm(A),
        Derivative(logsumexp(x), x[i]) * Sum(Derivative(softmax(x)[j], x[i]) ** 2, j),
        Var(Sum(V[i] * x[i], i) ** 2),
        Cov(Sum(V[i] * x[i], i), exp(Sum(V[i] * y[i], i))),
    ],
)
def test_no_fresh_index_survives_a_sum(expression):
    for theories in (("summation",), ("definition", "derivative"), None):
        form = normal_form(expression, theories=theories) if theories else normal_form(expression)
        assert not [one for one in positions(form) if one.level == FRESH]


# Deltas and coinciding indices


def test_a_delta_of_different_dimensions_is_an_error():
    with pytest.raises(LanguageError, match="runs to"):
        delta(i, row)


def test_a_delta_under_a_sum_keeps_the_dimension():
    assert proved(Sum(delta(i, j), i), 1)
    assert proved(Sum(delta(i, j), i, j), n)
    assert proved(Sum(delta(row, column), row, column), m)
    assert not proved(Sum(delta(i, j), i, j), n**2)
    assert proved(delta(i, j) ** 3 * x[i], delta(i, j) * x[j])


def test_a_delta_inside_a_function_is_split():
    assert proved(exp(a * delta(i, j)), 1 + delta(i, j) * (exp(a) - 1))
    assert not proved(exp(a * delta(i, j)), delta(i, j) * exp(a))


def test_dimension_one_is_included():
    one = index("o", 1)
    assert proved(Sum(a, one), a)
    assert not proved(n, 1)
    assert not proved(1 / (n - 1), 1 / n)
    assert "n - 1 is not zero" in open_texts(proof(a / (n - 1), a / (n - 1)))


def test_coinciding_indices_leave_an_obligation():
    step = proof((x[i] - x[j]) / (x[i] - x[j]), 1)
    assert step.status is Status.CONDITIONAL
    (text,) = open_texts(step)
    assert text.startswith("x[i] - x[j] is not zero")


def test_distinct_indices_are_used_and_named():
    step = proof(delta(i, j) * a, 0, given=[distinct(i, j)])
    assert step.status is Status.CLOSED
    assert step.givens == (distinct(i, j),)
    assert not proved(delta(i, j) * a, 0)
    assert not proved(delta(i, k) * a, 0, given=[distinct(i, j)])


def test_a_denominator_that_vanishes_on_the_diagonal_is_not_expanded():
    off_diagonal = DistinctSum(1 / (x[i] - x[j]), i, j)
    expanded = Sum((1 - delta(i, j)) / (x[i] - x[j]), i, j)
    assert not proved(expanded, Sum(1 / (x[i] - x[j]), i, j))
    assert not proved(off_diagonal, Sum(1 / (x[i] - x[j]), i, j))


def test_sums_over_symmetric_and_antisymmetric_products():
    assert proved(Sum((A[i, j] - A[j, i]) * (A[i, j] + A[j, i]), i, j), 0)
    assert proved(Sum((A[i, j] - A[j, i]) * x[i] * x[j], i, j), 0)
    assert not proved(Sum((A[i, j] - A[j, i]) * x[i] * y[j], i, j), 0)
    assert not proved(Sum((A[i, j] + A[j, i]) * x[i] * x[j], i, j), 0)
    assert not proved(A[i, j], A[j, i])
    assert proved(Sum(A[i, j] * A[j, k] * A[k, i], i, j, k), trace(A @ A @ A))
    assert not proved(Sum(A[i, j] * A[j, k] * A[i, k], i, j, k), trace(A @ A @ A))


def test_a_derivative_tells_an_entry_from_its_transpose():
    p, q = index("p", n), index("q", n)
    assert proved(Derivative(A[i, j], A[p, q]), delta(i, p) * delta(j, q))
    assert not proved(Derivative(A[i, j], A[p, q]), delta(i, q) * delta(j, p))


# Signs and domains


def test_the_logarithm_of_a_product_of_negatives_is_not_split():
    assert not proved(log(a * b), log(a) + log(b))
    assert not proved(log(a**2), 2 * log(a))
    assert proved(log(a**2), 2 * log(absolute(a)))
    assert proved(log(a * b), log(a) + log(b), given=[positive(a), positive(b)])
    assert open_texts(proof(log(a * b), log(a) + log(b), given=[positive(a)])) == {"a*b is positive", "b is positive"}


def test_nothing_follows_from_a_root_of_a_square():
    assert not proved(sqrt(x[i] ** 2), x[i])
    assert not proved(norm(x), Sum(x[i], i))
    assert not proved(sqrt(a**2) * a, a**2, given=[nonzero(a)])


# Obligations that arithmetic would lose


def test_a_quotient_by_itself_keeps_its_obligation():
    step = proof(a / a, 1)
    assert step.status is Status.CONDITIONAL
    assert open_texts(step) == {"a is not zero"}
    assert proof(a / a, 1, given=[nonzero(a)]).status is Status.CLOSED


def test_zero_times_an_undefined_thing_keeps_its_obligation():
    assert open_texts(proof(0 * (1 / a), 0)) == {"a is not zero"}
    assert open_texts(proof(0 * log(a), 0)) == {"a is positive"}
    assert open_texts(proof(0 * sqrt(a), 0)) == {"a is not negative"}


def test_the_difference_of_equal_expectations_keeps_its_obligation():
    step = proof(E(X) - E(X), 0)
    assert step.status is Status.CONDITIONAL
    assert open_texts(step) == {"E(X) exists"}
    assert proof(E(X) - E(X), 0, given=[has_variance(X, s)]).status is Status.CLOSED


def test_the_expectation_of_a_reciprocal_needs_more_than_a_bounded_variable():
    step = proof(E(1 / X), E(1 / X), given=[has_law(X, normal(0, 1))])
    assert "E(1/X) exists" in open_texts(step)


def test_obligations_come_from_both_lines():
    assert open_texts(proof(1, a / a)) == {"a is not zero"}
    assert open_texts(proof(a * b, a * b + 0 * (1 / b))) == {"b is not zero"}


def test_obligations_inside_a_sum_count():
    assert open_texts(proof(Sum(x[i] / x[i], i), n)) == {"x[i] is not zero"}
    assert proof(Sum(x[i] / x[i], i), n, given=[positive(x)]).status is Status.CLOSED


def test_a_sum_of_exponentials_is_visibly_positive():
    total = Sum(exp(x[k]), k)
    assert proof(total / total, 1).status is Status.CLOSED
    assert proof(log(total) - logsumexp(x), 0).status is Status.CLOSED


# Randomness


STANDARD = (has_variance(X, 1), has_variance(Y, 1))


def test_the_variance_of_a_sum_needs_independence():
    assert not proved(Var(X + Y), Var(X) + Var(Y), given=STANDARD)
    assert proved(Var(X + Y), Var(X) + Var(Y) + 2 * Cov(X, Y), given=STANDARD)
    assert proved(Var(X + Y), Var(X) + Var(Y), given=[*STANDARD, independent(X, Y)])
    entries = Sum(Var(V[i]), i)
    assert not proved(Var(Sum(V[i], i)), entries, given=[has_variance(V, 1)])
    assert not proved(Var(Sum(V[i], i)), entries, given=[has_variance(V, 1), identically_distributed(V)])
    assert proved(Var(Sum(V[i], i)), entries, given=[has_variance(V, 1), independent_entries(V)])


def test_the_expectation_of_a_product_needs_independence():
    assert not proved(E(X * Y), E(X) * E(Y), given=STANDARD)
    assert not proved(E(X * X), E(X) * E(X), given=[*STANDARD, independent(X, Y)])
    assert not proved(E(V[i] * V[j]), E(V[i]) * E(V[j]), given=[has_variance(V, 1), independent_entries(V)])


def test_the_mean_term_of_a_product_is_not_forgotten():
    given = [has_mean(X, mu), has_variance(X, s), has_mean(Y, b), has_variance(Y, a), independent(X, Y)]
    assert not proved(Var(X * Y), s * a, given=given)
    assert not proved(Var(X * Y), s * a + mu**2 * a, given=given)
    assert proved(Var(X * Y), s * a + mu**2 * a + b**2 * s, given=given)


def test_pairwise_independence_is_not_mutual():
    moments = [has_variance(one, 1) for one in (X, Y, Z)] + [has_mean(one, 0) for one in (X, Y, Z)]
    pairwise = [*moments, pairwise_independent(X, Y, Z)]
    mutual = [*moments, independent(X, Y, Z)]
    assert proved(E(X * Y), 0, given=pairwise)
    assert proved(Var(X + Y + Z), 3, given=pairwise)
    assert proved(E(X * Y * Z), 0, given=mutual)
    assert not proved(E(X * Y * Z), 0, given=pairwise)
    assert not proved(Var(X * Y + Z), Var(X * Y) + Var(Z), given=pairwise)
    assert proved(Var(X * Y + Z), Var(X * Y) + Var(Z), given=mutual)


def test_two_independences_do_not_add_up_to_mutual_independence():
    given = [has_variance(one, 1) for one in (X, Y, Z)] + [independent(X, Y), independent(Y, Z), independent(X, Z)]
    assert not proved(E(X * Y * Z), E(X) * E(Y) * E(Z), given=given)


# Givens


@pytest.mark.parametrize(
    "givens",
    [
        (has_variance(X, -1),),
        (has_mean(X, 1), has_mean(X, 2)),
        (has_moment(X, 2, 1), has_moment(X, 4, Rational(1, 2))),
        (has_mean(X, 2), has_moment(X, 2, 1)),
        (equation(a, 1), equation(a, 2)),
        (positive(s), equation(s, -1)),
        (equation(Sum(x[i], i), 1), equation(Sum(x[j], j), 2)),
        (distinct(i, i),),
    ],
    ids=str,
)
def test_contradictory_givens_are_found(givens):
    assert find_contradiction(givens)


def test_givens_that_can_hold_together_are_no_contradiction():
    for givens in (
        (has_mean(X, 1), has_moment(X, 2, 1)),
        (has_moment(X, 2, 1), has_moment(X, 4, 1)),
        (equation(a, b), equation(b, 1)),
        (positive(s), equation(s, 1)),
        (has_law(X, bernoulli(s)), positive(s)),
    ):
        assert not find_contradiction(givens)


def test_a_derivative_by_something_constrained_is_refused_with_the_given():
    normalised = equation(Sum(y[i], i), 1)
    step = proof(Derivative(Sum(y[i], i), y[j]), 1, given=[normalised])
    assert step.status is Status.OPEN
    assert "y[j]" in step.message
    assert "Equation" in step.message
    assert proof(Derivative(Sum(y[i], i), y[j]), 0, given=[normalised]).status is Status.OPEN
    assert proved(Derivative(Sum(y[i] * x[i], i), x[j]), y[j], given=[normalised])


def test_nothing_is_remembered_between_different_givens():
    statement = E(X**2 * V[i] ** 2), s
    for _ in range(2):
        assert proved(*statement, given=[has_moment(X, 2, s), has_moment(V, 2, 1), independent(X, V)])
        assert not proved(*statement, given=[has_moment(X, 2, s), has_moment(V, 2, 1)])
        assert not proved(*statement, given=[has_moment(X, 2, 2 * s), has_moment(V, 2, 1), independent(X, V)])
        assert not proved(sqrt(s**2), s)
        assert proved(sqrt(s**2), s, given=[positive(s)])


def test_two_objects_of_one_name_are_not_mixed_up():
    other = array("x", m)
    assert not proved(Sum(x[i], i), Sum(other[row], row))
    assert "called x" in proof(Sum(x[i], i) * Sum(other[row], row), 1).message


# Records and processes


def chain_of(*lines, start=None):
    @derivation(title=("A test", "测试"))
    def written(note: Note):
        return note.chain(a if start is None else start, *(equals(line) for line in lines))

    return written.read()


def test_a_copied_or_forged_proof_changes_no_verdict():
    false, true = chain_of(a + 1), chain_of(a + 0)
    honest = prove(true)
    assert honest.status is Status.CLOSED
    forged = Proof(false, honest.steps)
    assert forged.status is Status.CLOSED  # the record says so; replaying it does not
    assert prove(forged.derivation).status is Status.OPEN
    revived = pickle.loads(pickle.dumps(forged))
    assert prove(revived.derivation).status is Status.OPEN
    assert prove(pickle.loads(pickle.dumps(honest)).derivation).status is Status.CLOSED


def test_a_proof_without_steps_is_open():
    assert Proof(chain_of(a + 0), ()).status is Status.OPEN


PRINTING = """
from derivations.kernel.laws.table import LAWS
from derivations.kernel.prove import prove_step
from derivations.language.operators import Sum, Var
from derivations.kernel.laws.samples import *
from derivations.records import Line, Relation, Step
for law in LAWS.values():
    one = law.positive()
    print(prove_step(Step(1, one.left, Line(Relation.EQUALS, one.right)), one.givens))
many = Sum(A[i, j] * A[j, k] * x[i] * x[k] * (x[i] + y[j] + A[k, i]) ** 2, i, j, k)
print(prove_step(Step(1, many, Line(Relation.EQUALS, many * 2)), ()))
"""


def test_nothing_depends_on_the_hash_seed():
    root = str(Path(__file__).parents[2])
    outputs = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root}
        found = subprocess.run(
            [sys.executable, "-c", PRINTING], capture_output=True, text=True, env=environment, check=True
        )
        outputs.add(found.stdout)
    assert len(outputs) == 1
    assert "Status.CLOSED" in outputs.pop()


def test_the_entries_of_products_and_transposes_are_read_at_their_places():
    assert proved(entry(transpose(B) @ (B @ x), i), Sum(B[row, i] * B[row, j] * x[j], row, j))
    assert not proved(entry(transpose(A) @ x, i), entry(A @ x, i))
