"""Statements whose truth is known, written with the language's own objects."""

# ruff: noqa: N816 - the letters are those of the field

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, pi

from derivations.language.arrays import array, matrix_product, random_array, tabulate, transpose
from derivations.language.distributions import bernoulli, normal, rademacher, uniform
from derivations.language.functions import absolute, cos, dot, exp, log, logsumexp, norm, sigmoid, softmax, tanh, trace
from derivations.language.givens import (
    Given,
    dimension_at_least,
    distinct,
    equation,
    gap_below,
    has_law,
    has_mean,
    has_moment,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
    maximal_entries,
    nonzero,
    pairwise_independent,
    positive,
    unique_maximum,
)
from derivations.language.operators import Cov, Derivative, DistinctSum, E, Sum, Var, limit
from derivations.language.order import Max, largest, smallest
from derivations.language.propositions import equal
from derivations.language.symbols import Dimension, Scalar, delta, index
from derivations.language.written import exact, sqrt
from derivations.records import Relation


@dataclass(frozen=True)
class Case:
    """A statement with a name for the test report."""

    name: str
    givens: tuple[Given, ...]
    left: Expr
    right: Expr
    relation: Relation = Relation.EQUALS


d_k = Dimension("d_k")
i, j = index("i", d_k), index("j", d_k)
Q, K = random_array("Q", d_k), random_array("K", d_k)
IID = tuple(given(one) for one in (Q, K) for given in (independent_entries, identically_distributed))
STANDARD = (*IID, has_mean(Q, 0), has_mean(K, 0), has_variance(Q, 1), has_variance(K, 1))
APART = (independent(Q, K),)
sigma_Q, sigma_K, mu_Q, mu_K, kappa_Q, kappa_K, s, z = (
    Scalar(name) for name in ("sigma_Q", "sigma_K", "mu_Q", "mu_K", "kappa_Q", "kappa_K", "s", "z")
)
GENERAL = (*IID, has_mean(Q, mu_Q), has_mean(K, mu_K), has_variance(Q, sigma_Q**2), has_variance(K, sigma_K**2))
CENTRED = (*IID, has_mean(Q, 0), has_mean(K, 0), has_variance(Q, sigma_Q**2), has_variance(K, sigma_K**2))
VARIANCE = Var(dot(Q, K))
FOURTH = (has_moment(Q, 4, kappa_Q), has_moment(K, 4, kappa_K))

n, m, r = Dimension("n"), Dimension("m"), Dimension("r")
a, b, c = (index(name, n) for name in "abc")
x, t = array("x", n), array("t", n)
y = softmax(x)
JACOBIAN = y[a] * (delta(a, b) - y[b])
ENTROPY = -Sum(t[a] * log(y[a]), a)
A, B = array("A", m, n), array("B", n, m)
X, Y, Z = (random_array(name) for name in "XYZ")
SIGNS = tuple(has_law(one, rademacher()) for one in (X, Y, Z))
W, R = random_array("W", m, n), random_array("R", n)
e = index("e", m)
LAYER = (independent_entries(W), has_mean(W, 0), has_variance(W, s**2))
LAYER_INPUT = (independent_entries(R),)

TRUE = (
    Case("definition", (*STANDARD, *APART), VARIANCE, Var(Sum(Q[i] * K[i], i))),
    Case("independence", (*STANDARD, *APART), Var(Sum(Q[i] * K[i], i)), Sum(Var(Q[i] * K[i]), i)),
    Case("moments", (*STANDARD, *APART), Sum(Var(Q[i] * K[i]), i), Sum(1, i)),
    Case("count", (*STANDARD, *APART), Sum(1, i), d_k),
    Case("variance of the dot product", (*STANDARD, *APART), VARIANCE, d_k),
    Case(
        "general moments",
        (*GENERAL, *APART),
        VARIANCE,
        d_k * (sigma_Q**2 * sigma_K**2 + mu_Q**2 * sigma_K**2 + mu_K**2 * sigma_Q**2),
    ),
    Case("scaled", (*STANDARD, *APART), Var(dot(Q, K) / sqrt(d_k)), exact(1)),
    Case("mean", (*STANDARD, *APART), E(dot(Q, K)), exact(0)),
    Case(
        "fourth moment",
        (*STANDARD, *APART, *FOURTH),
        E(dot(Q, K) ** 4),
        d_k * kappa_Q * kappa_K + 3 * d_k * (d_k - 1),
    ),
    Case("entries apart", (*STANDARD, *APART, distinct(i, j)), E(Q[i] * Q[j]), exact(0)),
    Case("covariance", (*STANDARD, *APART), Cov(Q[i], Q[j]), delta(i, j)),
    Case("product of pairwise independent signs", (*SIGNS, pairwise_independent(X, Y, Z)), E(X * Y), exact(0)),
    Case("square of a sign", SIGNS, X**2, exact(1)),
    Case("bernoulli", (has_law(X, bernoulli(s)),), Var(X), s * (1 - s)),
    Case(
        "normal", (has_law(X, normal(mu_Q, sigma_Q**2)),), E(X**4), mu_Q**4 + 6 * mu_Q**2 * sigma_Q**2 + 3 * sigma_Q**4
    ),
    Case("uniform", (has_law(X, uniform(0, 1)),), Var(X), exact(1) / 12),
    Case("cosine of a normal", (has_law(X, normal(mu_Q, 1)),), E(cos(X)), exp(-exact(1) / 2) * cos(mu_Q)),
    Case("exponential of a normal", (has_law(X, normal(0, 1)),), E(exp(s * X)), exp(s**2 / 2)),
    Case("sigmoid of a normal", (has_law(X, normal(0, 1)),), E(sigmoid(X)), exact(1) / 2),
    Case("Stein", (has_law(X, normal(0, 1)),), E(X * tanh(X)), E(1 - tanh(X) ** 2)),
    Case("exponential of a uniform", (has_law(X, uniform(0, 1)),), E(exp(X)), exp(1) - 1),
    Case("modulus of a normal", (has_law(X, normal(0, 1)),), E(absolute(X)), sqrt(2 / exact(pi))),
    Case(
        "largest of two normals",
        (has_law(X, normal(0, 1)), has_law(Y, normal(0, 1)), independent(X, Y)),
        E((X + Y + absolute(X - Y)) / 2),
        1 / sqrt(exact(pi)),
    ),
    Case(
        "expected maximum",
        (independent_entries(R), has_law(R, normal(0, 1))),
        E(largest(R)),
        sqrt(2 * log(n)),
        Relation.AT_MOST,
    ),
    Case("square of a product, outcome by outcome", (has_law(X, normal(0, 1)),), (X + 1) ** 2, X**2 + 2 * X + 1),
    Case("softmax sums to one", (), Sum(y[a], a), exact(1)),
    Case("softmax jacobian", (), Derivative(y[a], x[b]), JACOBIAN),
    Case("logsumexp gradient", (), Derivative(logsumexp(x), x[b]), y[b]),
    Case("logsumexp definition", (), logsumexp(x), log(Sum(exp(x[a]), a))),
    Case("cross entropy", (equation(Sum(t[a], a), 1),), Derivative(ENTROPY, x[b]), y[b] - t[b]),
    Case("jacobian rows", (), Sum(Derivative(y[a], x[b]), b), exact(0)),
    Case("jacobian columns", (), Sum(Derivative(y[a], x[b]), a), exact(0)),
    Case("sigmoid", (), Derivative(sigmoid(z), z), sigmoid(z) * (1 - sigmoid(z))),
    Case("tanh", (), Derivative(tanh(z), z), 1 - tanh(z) ** 2),
    Case(
        "second derivative",
        (),
        Derivative(y[a], x[b], x[c]),
        y[a] * ((delta(a, b) - y[b]) * (delta(a, c) - y[c]) - y[b] * (delta(b, c) - y[c])),
    ),
    Case("sum over distinct", (), Sum(x[a], a) ** 2, Sum(x[a] ** 2, a) + DistinctSum(x[a] * x[b], a, b)),
    Case("distinct, undefined where they coincide", (), DistinctSum(x[a] / (x[a] - x[b]), a, b), n * (n - 1) / 2),
    Case("tabulated", (), dot(tabulate(exp(x[a]), a), t), Sum(t[b] * exp(x[b]), b)),
    Case("largest", (), largest(x), Max(x[a], a)),
    Case("smallest", (), smallest(x), -Max(-x[a], a)),
    Case("logsumexp above the maximum", (), largest(x), logsumexp(x), Relation.AT_MOST),
    Case("derivative of a maximum", (unique_maximum(x, a),), Derivative(largest(x), x[b]), delta(a, b)),
    Case("derivative of a modulus", (), Derivative(absolute(z), z), absolute(z) / z),
    Case("limit", (), limit((2 * s + 1) / (s + 3), s), exact(2)),
    Case("softmax in the limit", (unique_maximum(x, a),), limit(softmax(s * x)[b], s), delta(a, b)),
    Case(
        "softmax in the limit with ties",
        (maximal_entries(x, t),),
        limit(softmax(s * x)[b], s),
        t[b] / Sum(t[a], a),
    ),
    Case(
        "softmax in the limit with r ties",
        (maximal_entries(x, t), equation(Sum(t[a], a), r)),
        limit(softmax(s * x)[b], s),
        t[b] / r,
    ),
    Case(
        "the one scale",
        (*STANDARD, *APART, positive(s)),
        equal(Var(dot(Q, K) / s), 1),
        equal(s, sqrt(d_k)),
        Relation.IFF,
    ),
    Case("equivalent equations", (nonzero(s),), equal(d_k / s**2, 1), equal(d_k, s**2), Relation.IFF),
    Case("gap", (gap_below(x, a, s), positive(s), dimension_at_least(n, 2)), largest(x, 2) + s, x[a], Relation.AT_MOST),
    Case("layer", LAYER, Var(matrix_product(W, x)[e]), s**2 * Sum(x[a] ** 2, a)),
    Case("mean of a linear form", (*LAYER_INPUT, has_mean(R, t)), E(dot(R, x)), dot(t, x)),
    Case("trace", (), trace(matrix_product(A, B)), trace(matrix_product(B, A))),
    Case("transpose", (), transpose(matrix_product(A, B)), matrix_product(transpose(B), transpose(A))),
    Case("Cauchy-Schwarz", (), dot(x, t), norm(x) * norm(t), Relation.AT_MOST),
    Case("logarithm", (positive(s), positive(z)), log(s * z), log(s) + log(z)),
)

FALSE = (
    Case("d squared", (*STANDARD, *APART), VARIANCE, d_k**2),
    Case("d plus one", (*STANDARD, *APART), VARIANCE, d_k + 1),
    Case("one sigma", (*CENTRED, *APART), VARIANCE, d_k * sigma_Q**2),
    Case("forgotten means", (*GENERAL, *APART), VARIANCE, d_k * (sigma_Q**2 * sigma_K**2)),
    Case(
        "one forgotten mean",
        (*GENERAL, *APART),
        VARIANCE,
        d_k * (sigma_Q**2 * sigma_K**2 + mu_Q**2 * sigma_K**2),
    ),
    Case("Q and K dependent", STANDARD, VARIANCE, d_k),
    Case("mean of dependent", STANDARD, E(dot(Q, K)), exact(0)),
    Case(
        "entries of Q and K dependent",
        (*STANDARD[1:2], *STANDARD[3:], *APART),
        VARIANCE,
        d_k,
    ),
    Case("no mean declared", (*IID, has_variance(Q, 1), has_variance(K, 1), *APART), VARIANCE, d_k),
    Case("no moments declared", (*IID, *APART), E(dot(Q, K)), exact(0)),
    Case("fourth moment of the normal", (*STANDARD, *APART), E(Q[i] ** 4), exact(3)),
    Case("third moment vanishes", (*STANDARD, *APART), E(Q[i] ** 3), exact(0)),
    Case("coinciding indices", (*STANDARD, *APART), E(Q[i] * Q[j]), exact(0)),
    Case(
        "not identically distributed",
        (independent_entries(Q), has_mean(Q, 0), has_variance(Q, 1)),
        E(Q[i] ** 4),
        E(Q[j] ** 4),
    ),
    Case("pairwise is not mutual", (*SIGNS, pairwise_independent(X, Y, Z)), E(X * Y * Z), exact(0)),
    Case("cosine, wrong variance", (has_law(X, normal(mu_Q, 1)),), E(cos(X)), exp(exact(-1)) * cos(mu_Q)),
    Case(
        "expected maximum without the factor",
        (independent_entries(R), has_law(R, normal(0, 1))),
        E(largest(R)),
        sqrt(log(n)),
        Relation.AT_MOST,
    ),
    Case("modulus without the root", (has_law(X, normal(0, 1)),), E(absolute(X)), 2 / exact(pi)),
    Case("Stein without the square", (has_law(X, normal(0, 1)),), E(X * tanh(X)), E(1 - tanh(X))),
    Case("Stein for a uniform law", (has_law(X, uniform(-1, 1)),), E(X * tanh(X)), E(1 - tanh(X) ** 2)),
    Case("jacobian with a plus", (), Derivative(y[a], x[b]), y[a] * (delta(a, b) + y[b])),
    Case("jacobian without delta", (), Derivative(y[a], x[b]), y[a] * (1 - y[b])),
    Case("jacobian swapped", (), Derivative(y[a], x[b]), y[b] * (delta(a, b) - y[b])),
    Case("jacobian for n = 2", (), Derivative(y[a], x[b]), y[a] * (1 - y[a]) * (2 * delta(a, b) - 1)),
    Case("jacobian zero", (), Derivative(y[a], x[b]), exact(0)),
    Case("jacobian twice", (), Derivative(y[a], x[b]), 2 * JACOBIAN),
    Case("jacobian negative", (), Derivative(y[a], x[b]), -JACOBIAN),
    Case("targets not normalised", (), Derivative(ENTROPY, x[b]), y[b] - t[b]),
    Case("strict at equality", (), dot(x, t), norm(x) * norm(t), Relation.LESS),
    Case("inequality reversed", (), norm(x) * norm(t), dot(x, t), Relation.AT_MOST),
    Case("root of a square", (), sqrt(s**2), s),
    Case("positive part forgotten", (), sqrt(s**2), -s),
    Case("sum over distinct, all pairs", (), Sum(x[a], a) ** 2, DistinctSum(x[a] * x[b], a, b)),
    Case("maximum below logsumexp", (), logsumexp(x), largest(x), Relation.AT_MOST),
    Case("derivative of the wrong entry", (unique_maximum(x, a),), Derivative(largest(x), x[b]), exact(1) / n),
    Case("softmax in the limit, ties forgotten", (maximal_entries(x, t),), limit(softmax(s * x)[b], s), t[b]),
    Case(
        "another scale",
        (*STANDARD, *APART, positive(s)),
        equal(Var(dot(Q, K) / s), 1),
        equal(s, d_k),
        Relation.IFF,
    ),
    Case("a root forgotten", (nonzero(s),), equal(s**2, d_k), equal(s, sqrt(d_k)), Relation.IFF),
    Case("limit of another quotient", (), limit((2 * s + 1) / (s + 3), s), exact(1) / 3),
    Case("layer without independence", LAYER[1:], Var(matrix_product(W, x)[e]), s**2 * Sum(x[a] ** 2, a)),
    Case("product of matrices", (), trace(matrix_product(A, B)), trace(matrix_product(A, transpose(A)))),
)
