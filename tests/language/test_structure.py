"""Free and bound indices, and substitution that captures nothing."""

import pytest

from derivations.language.arrays import array
from derivations.language.errors import LanguageError
from derivations.language.functions import dot, exp, softmax
from derivations.language.operators import Cov, Derivative, DistinctSum, E, Sum, Var, limit
from derivations.language.order import Max
from derivations.language.structure import bound_indices, clashing_indices, free_indices, substitute
from derivations.language.symbols import delta, index

from .objects import A, X, Y, a, b, i, j, k, m, n, r, x, y, z


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


def test_what_a_derivative_holds_fixed_cannot_become_dependent_on_its_variable():
    gradient = Derivative(dot(x, y), x[j])
    with pytest.raises(LanguageError, match="y is held fixed"):
        substitute(gradient, {y: x})
    with pytest.raises(LanguageError, match="y is held fixed"):
        substitute(gradient, {x: y})
    with pytest.raises(LanguageError, match="b is held fixed"):
        substitute(Derivative(a * b, a), {b: a**2})
    with pytest.raises(LanguageError, match="b is held fixed"):
        Derivative(a * b, a).subs(b, a)


def test_a_derivative_may_be_taken_by_another_variable():
    other = array("w", n)
    assert substitute(Derivative(dot(x, y), x[j]), {x: other}) == Derivative(dot(other, y), other[j])
    assert substitute(Derivative(dot(x, y), x[j]), {x: y, y: x}) == Derivative(dot(y, x), y[j])
    assert substitute(Derivative(dot(x, y), x[j]), {j: i}) == Derivative(dot(x, y), x[i])
    assert substitute(Derivative(a * b, a), {b: 2 * b}) == Derivative(a * (2 * b), a)


def test_the_variable_of_a_limit_is_bound():
    inside = limit(b * exp(-a), a)
    assert substitute(a * inside, {a: b}) == b * inside
    with pytest.raises(LanguageError, match="b is held fixed"):
        substitute(inside, {b: exp(2 * a)})
    with pytest.raises(LanguageError, match="b is held fixed"):
        inside.subs(b, a)
    assert substitute(inside, {b: x[i]}) == limit(x[i] * exp(-a), a)


def test_nothing_becomes_random_under_an_average():
    for average in (E(a * X), Var(a * X), Cov(X, a * X)):
        with pytest.raises(LanguageError, match="would average over"):
            substitute(average, {a: Y})
        assert substitute(average, {a: b}) == average.func(*(substitute(one, {a: b}) for one in average.args))
    assert substitute(E(a * X), {X: Y}) == E(a * Y)
    assert substitute(a * E(X), {a: Y}) == Y * E(X)
