"""Free and bound indices, and substitution that captures nothing."""

import pytest

from derivations.language.errors import LanguageError
from derivations.language.functions import dot, softmax
from derivations.language.operators import DistinctSum, Sum
from derivations.language.order import Max
from derivations.language.structure import bound_indices, clashing_indices, free_indices, substitute
from derivations.language.symbols import delta, index

from .objects import A, a, b, i, j, k, m, n, r, x, y, z


def test_a_sum_binds_its_index():
    assert free_indices(Sum(x[i] * y[j], i)) == {j}
    assert bound_indices(Sum(x[i] * y[j], i)) == {i}
    assert free_indices(Max(x[i] * y[j], i)) == {j}
    assert free_indices(softmax(x)[i]) == {i}
    assert free_indices(dot(x, y)) == frozenset()


def test_an_index_that_is_free_and_bound_clashes():
    assert clashing_indices(x[i] * Sum(x[i], i)) == {i}
    assert clashing_indices(x[i] * Sum(x[j], j)) == frozenset()
    assert clashing_indices(Sum(x[i], i) * Sum(y[i], i)) == frozenset()


def test_indices_of_one_letter_and_different_dimensions_are_different():
    other = index("i", m)
    assert free_indices(Sum(x[i], i) * z[other]) == {other}


def test_substituting_renames_a_bound_index_that_would_capture():
    replaced = substitute(Sum(x[i] * a, i), {a: y[i]})
    (bound,) = replaced.indices
    assert bound != i
    assert replaced.body == x[bound] * y[i]
    assert free_indices(replaced) == {i}


def test_substituting_an_index_does_not_touch_a_bound_one():
    assert substitute(x[i] * Sum(x[i], i), {i: j}) == x[j] * Sum(x[i], i)
    replaced = substitute(Sum(x[j] * y[i], i), {j: i})
    assert free_indices(replaced) == {i}
    (bound,) = replaced.indices
    assert replaced.body == x[i] * y[bound]


def test_substitution_is_simultaneous():
    assert substitute(a - b, {a: b, b: a}) == b - a
    assert substitute(x[i] * y[j], {i: j, j: i}) == x[j] * y[i]


def test_substitution_captures_nothing_at_any_depth():
    nested = Sum(x[i] * Sum(A[i, j] * a, j), i)
    replaced = substitute(nested, {a: x[i] * y[j]})
    assert free_indices(replaced) == {i, j}
    for binder in (Max(x[i] + a, i), DistinctSum(x[i] * x[k] * a, i, k)):
        assert free_indices(substitute(binder, {a: y[i]})) == {i}


def test_substituting_a_dimension_reaches_arrays_and_bound_indices():
    replaced = substitute(Sum(x[i], i), {n: m})
    (bound,) = replaced.indices
    assert bound.dimension == m
    assert replaced.body.array.shape == (m,)


def test_a_substitution_without_meaning_is_an_error():
    with pytest.raises(LanguageError):
        substitute(x[i], {i: r})
    with pytest.raises(LanguageError):
        substitute(delta(i, j), {j: r})
    with pytest.raises(LanguageError):
        substitute(x[i], {x: z})
