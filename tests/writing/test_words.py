"""Assumptions and declarations as sentences, in English and Chinese."""

from __future__ import annotations

import pytest
from sympy.core.symbol import Str

from derivations import (
    Sum,
    absolute,
    bernoulli,
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
    integrable,
    maximal_entries,
    nonnegative,
    nonzero,
    normal,
    pairwise_independent,
    positive,
    unique_maximum,
)
from derivations.authoring import Note
from derivations.language import givens
from derivations.language.givens import Given, Theorem
from derivations.writing.words import LATEX, PLAIN, assumptions, given_words, listed

NOTE = Note()
n = NOTE.dimension("n")
i, j = NOTE.index("i", n), NOTE.index("j", n)
s, t, x = NOTE.scalar("s"), NOTE.vector("t", n), NOTE.vector("x", n)
A = NOTE.matrix("A", n, n)
X, Q, K, V = (
    NOTE.random_scalar("X"),
    NOTE.random_vector("Q", n),
    NOTE.random_vector("K", n),
    NOTE.random_matrix("V", n, n),
)

SENTENCES = [
    (independent_entries(Q), "the entries of Q are mutually independent", "Q 的各分量相互独立"),
    (independent_entries(V), "the entries of V are mutually independent", "V 的各元素相互独立"),
    (identically_distributed(Q), "the entries of Q are identically distributed", "Q 的各分量同分布"),
    (has_mean(Q, 0), "each entry of Q has mean 0", "Q 的每个分量的均值为 0"),
    (has_mean(X, s), "X has mean s", "X 的均值为 s"),
    (has_moment(Q, 4, 3), "each entry of Q has fourth moment 3", "Q 的每个分量的四阶矩为 3"),
    (has_moment(Q, 6, 15), "each entry of Q has moment of order 6 equal to 15", "Q 的每个分量的六阶矩为 15"),
    (has_variance(Q, s**2), "each entry of Q has variance s²", "Q 的每个分量的方差为 s²"),
    (has_law(X, normal(0, 1)), "X has the law N(0, 1)", "X 服从 N(0, 1)"),
    (has_law(X, bernoulli(s)), "X has the law Bernoulli(s)", "X 服从 Bernoulli(s)"),
    (independent(Q, K), "Q and K are independent", "Q 与 K 相互独立"),
    (independent(Q, K, V), "Q, K and V are mutually independent", "Q、K、V 相互独立"),
    (pairwise_independent(Q, K, V), "any two of Q, K and V are independent", "Q、K、V 两两独立"),
    (positive(s), "s > 0", "s > 0"),
    (nonnegative(s), "s ≥ 0", "s ≥ 0"),
    (positive(x), "each entry of x is positive", "x 的每个分量为正"),
    (nonnegative(x), "each entry of x is nonnegative", "x 的每个分量非负"),
    (nonzero(s), "s ≠ 0", "s ≠ 0"),
    (equation(Sum(t[i], i), 1), "Σ_i t_i = 1", "Σ_i t_i = 1"),
    (equation(A[i, j], A[j, i]), "A_ij = A_ji for all i and j", "对一切 i 与 j 有 A_ij = A_ji"),
    (distinct(i, j), "i ≠ j", "i ≠ j"),
    (unique_maximum(x, i), "x_i is larger than every other entry of x", "x_i 大于 x 的其余各分量"),
    (unique_maximum(s * x, i), "(s x)_i is larger than every other entry of s x", "(s x)_i 大于 s x 的其余各分量"),
    (
        gap_below(x, i, s),
        "every other entry of x lies at least s below x_i",
        "x 的其余各分量都比 x_i 至少小 s",
    ),
    (
        maximal_entries(x, t),
        "each entry of t is 1 where x is largest and 0 elsewhere",
        "t 的分量在 x 取最大值处为 1，其余为 0",
    ),
    (dimension_at_least(n, 2), "n ≥ 2", "n ≥ 2"),
    (integrable(absolute(X)), "E[|X|] exists", "E[|X|] 存在"),
    (integrable(Q[i]), "E[Q_i] exists for all i", "对一切 i，E[Q_i] 存在"),
    (Theorem(Str("softmax.tail_bound")), "the theorem softmax.tail_bound", "定理 softmax.tail_bound"),
]


@pytest.mark.parametrize(("given", "en", "zh"), SENTENCES, ids=lambda one: str(one) if isinstance(one, Given) else None)
def test_each_assumption_is_a_sentence(given, en, zh):
    words = given_words(given)
    assert words.en == en
    assert words.zh == zh


@pytest.mark.parametrize("given", [row[0] for row in SENTENCES], ids=str)
def test_mathematics_stands_in_dollars_in_latex(given):
    for text in (given_words(given, LATEX).en, given_words(given, LATEX).zh):
        assert text.count("$") % 2 == 0
        assert "$" in text


def test_every_kind_of_assumption_has_its_sentence():
    kinds = {kind for kind in vars(givens).values() if isinstance(kind, type) and issubclass(kind, Given)} - {Given}
    assert {type(row[0]) for row in SENTENCES} == kinds


def test_what_is_said_of_one_array_is_said_together():
    every = [independent_entries(Q), identically_distributed(Q), has_mean(Q, 0), has_variance(Q, 1), independent(Q, K)]
    assert [one.en for one in assumptions(every, PLAIN)] == [
        "the entries of Q are independent and identically distributed, with mean 0 and variance 1",
        "Q and K are independent",
    ]
    assert [one.zh for one in assumptions(every, PLAIN)] == [
        "Q 的各分量独立同分布，均值为 0，方差为 1",
        "Q 与 K 相互独立",
    ]
    assert [one.en for one in assumptions([has_mean(X, 0), has_variance(X, 1)], PLAIN)] == [
        "X has mean 0 and variance 1"
    ]


def test_signs_of_several_numbers_are_said_together():
    r = NOTE.scalar("r")
    signs = [positive(s), nonnegative(r), nonzero(x), positive(r)]
    assert [one.en for one in assumptions(signs, PLAIN)] == ["s, r > 0", "r ≥ 0", "each entry of x is nonzero"]
    assert [one.zh for one in assumptions(signs, LATEX)] == ["$s, r > 0$", r"$r \ge 0$", "$x$ 的每个分量不为零"]


def test_what_is_said_of_several_arrays_alike_is_said_together():
    Y, U = NOTE.random_scalar("Y"), NOTE.random_vector("U", n)
    both = [has_mean(Q, 0), independent_entries(K), has_mean(K, 0), independent_entries(Q), has_mean(U, 0)]
    assert [one.en for one in assumptions(both, PLAIN)] == [
        "the entries of each of Q and K are mutually independent, with mean 0",
        "each entry of U has mean 0",
    ]
    assert assumptions(both, PLAIN)[0].zh == "Q 与 K 各自的分量相互独立，均值为 0"
    scalars = [has_law(X, normal(0, 1)), has_law(Y, normal(0, 1)), has_mean(V, 0), has_mean(Q, 0), has_mean(U, 0)]
    assert [(one.en, one.zh) for one in assumptions(scalars, PLAIN)] == [
        ("each of X and Y has the law N(0, 1)", "X 与 Y 各自服从 N(0, 1)"),
        ("each entry of V has mean 0", "V 的每个元素的均值为 0"),
        ("each entry of Q and U has mean 0", "Q 与 U 的每个分量的均值为 0"),
    ]


def test_lists():
    assert (listed([]).en, listed(["Q"]).en, listed(["Q", "K"]).en) == ("", "Q", "Q and K")
    assert listed(["Q", "K", "V"]).zh == "Q、K、V"
