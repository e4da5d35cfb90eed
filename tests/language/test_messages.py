"""What has no meaning is an error where it is written, with a message that says what to change."""

import pytest

from derivations.language.arrays import array, entry, random_array, transpose
from derivations.language.errors import LanguageError
from derivations.language.functions import dot, exp, norm, softmax, trace
from derivations.language.givens import (
    distinct,
    equation,
    has_mean,
    has_moment,
    independent,
    independent_entries,
    pairwise_independent,
    positive,
)
from derivations.language.operators import Cov, Derivative, DistinctSum, E, Sum
from derivations.language.order import largest
from derivations.language.symbols import delta

from .objects import A, B, V, X, Y, a, i, j, m, n, r, x, y, z

CASES = [
    (lambda: x[i, j], "takes 1 indices, not 2"),
    (lambda: A[i], "takes 2 indices, not 1"),
    (lambda: x[r], "the index runs to m but the array has size n"),
    (lambda: x[1], "not an index made by note.index"),
    (lambda: entry(A @ x, r), "the index runs to m but the array has size n"),
    (lambda: delta(i, r), "runs to n with one that runs to m"),
    (lambda: delta(i, a), "takes two indices"),
    (lambda: Sum(x[i]), "names no index"),
    (lambda: Sum(x[i], a), "runs over an index made by note.index"),
    (lambda: Sum(Sum(x[i], i) * x[i], i), "already bound inside"),
    (lambda: Sum(A[i, i], i, i), "already bound inside"),
    (lambda: Sum(x, i), "takes a scalar; x is n"),
    (lambda: DistinctSum(x[i], i), "two or more indices of one dimension"),
    (lambda: DistinctSum(x[i] * z[r], i, r), "two or more indices of one dimension"),
    (lambda: E(V), "takes a scalar"),
    (lambda: Cov(X, V), "takes a scalar"),
    (lambda: Derivative(a, n), "cannot differentiate by n"),
    (lambda: Derivative(a, a + 1), "cannot differentiate by a \\+ 1"),
    (lambda: Derivative(a, softmax(x)[i]), "neither a scalar symbol nor an entry of a declared array"),
    (lambda: Derivative(x, a), "takes a scalar"),
    (lambda: exp(x), "exp takes a scalar; x is n"),
    (lambda: softmax(a), "softmax takes a vector; a is a scalar"),
    (lambda: softmax(A), "softmax takes a vector; A is n x n"),
    (lambda: dot(x, z), "has n entries and the second m"),
    (lambda: dot(x, a), "dot takes a vector"),
    (lambda: norm(a), "use absolute"),
    (lambda: trace(B), "trace takes a square matrix; B is m x n"),
    (lambda: transpose(x), "transpose takes a matrix"),
    (lambda: B @ z, r"cannot multiply B \(m x n\) by z \(m\)"),
    (lambda: x @ y, "cannot multiply x"),
    (lambda: largest(x, 0), "the rank of an order statistic"),
    (lambda: largest(a), "takes a vector"),
    (lambda: independent(X), "two or more different random arrays"),
    (lambda: independent(X, X), "two or more different random arrays"),
    (lambda: pairwise_independent(X, Y, X), "two or more different random arrays"),
    (lambda: independent(X, x), "x is not a random array"),
    (lambda: independent_entries(x), "x is not a random array"),
    (lambda: has_mean(x, 0), "x is not a random array"),
    (lambda: has_moment(X, 0, 1), "the order of a moment is 1 or more"),
    (lambda: has_mean(V, z), "a scalar or has its shape"),
    (lambda: positive(X), "a sign can be given"),
    (lambda: positive(a + 1), "a sign can be given"),
    (lambda: equation(x, a), "x is n but a is a scalar"),
    (lambda: distinct(i, r), "two indices of one dimension"),
]


@pytest.mark.parametrize(("write", "message"), CASES, ids=[message for _, message in CASES])
def test_what_has_no_meaning_is_refused_with_what_to_change(write, message):
    with pytest.raises(LanguageError, match=message):
        write()


def test_a_moment_is_no_random_number():
    with pytest.raises(LanguageError):
        has_mean(X, Y)


def test_sizes_are_exact():
    with pytest.raises(LanguageError):
        array("w", 2.5)
    assert random_array("w", 3).shape == (3,)
    assert array("w", n, m).shape == (n, m)
