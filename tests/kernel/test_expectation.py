"""Expectations and covariances: what independence does and does not give."""

from derivations.kernel.laws.samples import V, W, X, a, i, j, mu, n, x, y
from derivations.language.arrays import array
from derivations.language.distributions import normal
from derivations.language.functions import absolute, dot, exp
from derivations.language.givens import has_law, has_mean, has_variance, independent, independent_entries
from derivations.language.operators import Cov, Derivative, E, Sum
from derivations.language.symbols import index

from .steps import proof, proved


def test_a_covariance_with_a_function_of_a_sum_is_not_cut_to_one_position():
    k = index("k", n)
    for whole in (exp(Sum(V[k], k)), absolute(Sum(V[k], k)), dot(V, W)):
        shared = [independent_entries(V), independent_entries(W), independent(V, W)]
        step = proof(Cov(whole, V[i]), Cov(whole, V[i]), "independence", "exponential", given=shared)
        assert "delta" not in step.left_form


def test_a_product_of_covariances_with_a_sum_is_no_single_sum():
    k = index("k", n)
    whole = exp(Sum(V[k], k))
    left = Sum(Cov(whole, V[i]) * x[i], i) * Sum(Cov(whole, V[j]) * y[j], j)
    right = Sum(Cov(whole, V[i]) ** 2 * x[i] * y[i], i)
    assert not proved(left, right, "independence", "exponential", given=[independent_entries(V)])


def test_covariances_of_independent_entries_vanish_off_the_diagonal():
    given = [independent_entries(V), has_variance(V, 1), has_mean(V, 0)]
    assert proved(Sum(Cov(V[i], V[j]), i, j), n, given=given)
    assert not proved(Sum(Cov(V[i], V[j]), i, j), n, given=given[1:])


def test_a_law_with_a_vector_as_its_mean_gives_each_entry_its_own():
    m = array("m", n)
    given = [has_law(V, normal(m, 1))]
    assert proved(E(V[i]), m[i], given=given)
    assert not proved(E(V[i]), E(V[j]), given=given)
    assert proved(E(V[i] ** 2), m[i] ** 2 + 1, given=given)


def test_a_moment_that_depends_on_the_variable_is_not_constant():
    given = [has_mean(X, mu)]
    step = proof(Derivative(E(X), mu), 0, "derivative", given=given)
    assert step.status == "open"
    assert "depends" in step.message
    assert proved(Derivative(E(X), mu), 1, given=given)
    assert not proved(Derivative(E(X**3), mu), 0, given=given)
    assert proved(Derivative(E(a * X), a), mu, given=given)
