"""A whole derivation in a terminal and in LaTeX."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from test_latex import well_formed

from derivations.faces.phrases import theory_phrases
from derivations.loading import load
from derivations.registry import read_registry
from derivations.writing.document import document, standalone, statement
from derivations.writing.escaping import escaped
from derivations.writing.latex import RELATIONS, latex
from derivations.writing.text import derivation_text, padded, width
from derivations.writing.unicode import plain

REGISTRY = read_registry()
VARIANCE = load(REGISTRY.by_name["attention.dot_product_variance"])
PHRASES = theory_phrases()

EXPECTED = """\
attention.dot_product_variance
Variance of a dot product
Source: Vaswani et al. 2017, Attention is all you need, section 3.2.1

Given
  Q and K are random vectors with d_k entries
  i = 1, …, d_k
  the entries of Q are independent and identically distributed, with mean 0 and variance 1
  the entries of K are independent and identically distributed, with mean 0 and variance 1
  Q and K are independent

Then
  Var(Q · K)
    = Var(Σ_i Q_i K_i)    by definition
    = Σ_i Var(Q_i K_i)    independence
"""


def test_in_a_terminal():
    text = derivation_text(VARIANCE, PHRASES)
    assert text.startswith(EXPECTED)
    assert text.endswith("    = d_k                 summing a constant\n")


def test_in_chinese():
    text = derivation_text(VARIANCE, PHRASES, "zh")
    assert "点积的方差" in text
    assert "Q 与 K 为 d_k 维随机向量" in text
    assert "由定义" in text
    assert "独立性" in text


def test_latex_of_a_derivation():
    text = document(VARIANCE, PHRASES)
    assert r"\begin{align*}" in text
    assert text.rstrip().endswith(r"\end{align*}")
    assert r"&= \sum_{i=1}^{d_k} \operatorname{Var}\left(Q_i K_i\right) \tag*{independence} \\" in text
    assert "$Q$ and $K$ are independent" in text


def test_chinese_latex():
    text = document(VARIANCE, PHRASES, "zh")
    assert "设 $Q$ 与 $K$ 为 $d_k$ 维随机向量。" in text
    assert r"\tag*{独立性}" in text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("listing", REGISTRY.listings, ids=lambda one: one.name)
def test_the_library(listing, language):
    derivation = load(listing)
    text = document(derivation, PHRASES, language)
    assert well_formed(text.replace("²", ""))
    assert text.count("$") % 2 == 0
    chains = derivation.cases or (() if derivation.parts else (derivation,))
    assert text.count(r"\begin{align*}") == len(chains)
    for line in (line for chain in chains for line in chain.lines):
        assert f"&{RELATIONS[line.relation]} {latex(line.expression)}" in text
    assert all(rf"\item \emph{{{escaped(part.title.in_language(language))}}}" in text for part in derivation.parts)
    shown = derivation_text(derivation, PHRASES, language)
    assert all(plain(line) in shown for line in derivation.expressions)
    assert all(line == line.rstrip() for line in shown.splitlines())


def test_the_statement():
    assert statement(VARIANCE) == r"\operatorname{Var}\left(Q \cdot K\right) = d_k"


# What the library need not have: certificates of each kind, cases, a citation with other objects, a conjunction.
LIBRARY = """
from derivations import by, derivation, equal, equals, at_least, exp, iff, less_than, Max, Sum, largest

@derivation(title=("A square & more", "平方"))
def square(note):
    a, b = note.scalar("a"), note.scalar("b")
    return note.chain(a**2 + b**2, at_least(2*a*b, by.nonnegativity, slack=(a - b)**2))

@derivation(title=("An equation", "方程"))
def solved(note):
    a, c = note.scalar("a"), note.scalar("c", positive=True)
    return note.chain(equal(c*a, c), iff(equal(a, 1), by.equivalence, factor=c))

@derivation(title=("Cited", "引用"))
def cited(note):
    s, t = note.scalar("s"), note.scalar("t")
    square = note.cite("words.square", a=s, b=t)
    return note.chain(s**2 + t**2 + 1, at_least(2*s*t + 1, square))

@derivation(title=("Cases", "分情形"))
def cases(note):
    n = note.dimension("n")
    i, x = note.index("i", n), note.vector("x", n)
    slack = exp(Max(x[i], i)) - Max(x[i], i)
    chain = note.chain(Max(x[i], i), less_than(Sum(exp(x[i]), i), by.exponential, slack=slack))
    return note.cases(n, one=chain, more=chain)

@derivation(title=("Both", "两条"))
def both(note):
    return note.conjunction(note.cite("words.solved"), note.cite("words.inner"))

@derivation(title=("Inner", "内层"))
def inner(note):
    return note.conjunction(note.cite("words.square"), note.cite("words.second"))

@derivation(title=("Second", "第二大"))
def second(note):
    n = note.dimension("n")
    x = note.vector("x", n)
    return note.chain(largest(x, 2) - largest(x, 2), equals(0, by.algebra))
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "words.py").write_text(LIBRARY, encoding="utf-8")
    registry = read_registry((folder,))
    return lambda name: load(registry.by_name[f"words.{name}"], registry)


def test_the_slack_of_an_inequality_stands_beside_it(words):
    assert "    ≥ 2 a b    signs; difference (a - b)² ≥ 0\n" in derivation_text(words("square"), PHRASES)
    assert "符号；差 (a - b)² ≥ 0\n" in derivation_text(words("square"), PHRASES, "zh")
    assert r"\tag*{signs; difference $(a - b)^{2} \ge 0$}" in document(words("square"), PHRASES)


def test_a_strict_inequality_has_a_strict_slack(words):
    assert "difference exp(max_i x_i) - max_i x_i > 0" in derivation_text(words("cases"), PHRASES)


def test_the_factor_of_an_equivalence_stands_beside_it(words):
    assert "  c a = c\n    ⇔ a = 1    equivalent equations; factor c ≠ 0\n" in derivation_text(words("solved"), PHRASES)
    assert r"&\iff a = 1 \tag*{equivalent equations; factor $c \ne 0$}" in document(words("solved"), PHRASES)
    assert r"\tag*{等价变形；因子 $c \ne 0$}" in document(words("solved"), PHRASES, "zh")
    assert statement(words("solved")) == r"c a = c \iff a = 1"


def test_a_citation_says_the_title_and_what_stands_for_what(words):
    assert "by “A square & more” with a = s, b = t" in derivation_text(words("cited"), PHRASES)
    assert "由《平方》（取 a = s，b = t）" in derivation_text(words("cited"), PHRASES, "zh")
    assert r"\tag*{by ``A square \& more'' with $a = s$, $b = t$}" in document(words("cited"), PHRASES)


def test_cases_stand_one_below_the_other(words):
    lines = derivation_text(words("cases"), PHRASES).splitlines()
    then, one, more = (lines.index(heading) for heading in ("Then", "Case n = 1", "Case n ≥ 2"))
    assert then < one < more
    assert lines[then + 1] == "  max_i x_i < Σ_i exp(x_i)"
    assert [line for line in lines if "i = 1" in line] == ["  i = 1, …, n"]
    assert [line for line in lines if "vector" in line] == ["  x is a vector with n entries"]
    assert "\n当 n = 1 时\n" in derivation_text(words("cases"), PHRASES, "zh")
    text = document(words("cases"), PHRASES)
    assert r"\[ \max_i x_i < \sum_{i=1}^{n} \exp(x_i) \]" in text
    assert "\\emph{Case $n = 1$:}\n\\begin{align*}" in text
    assert r"\emph{当 $n \ge 2$ 时：}" in document(words("cases"), PHRASES, "zh")


def test_a_conjunction_is_a_list_of_theorems(words):
    text = derivation_text(words("both"), PHRASES)
    for line in ("All of these hold", "1. An equation (words.solved)", "     c is positive", "     c a = c ⇔ a = 1"):
        assert f"{line}\n" in text
    for line in ("2. Inner (words.inner)", "   1. A square & more (words.square)", "   2. Second (words.second)"):
        assert f"{line}\n" in text
    assert "x_(2) is the second largest entry of x" in text
    assert "1. 方程（words.solved）" in derivation_text(words("both"), PHRASES, "zh")
    written = document(words("both"), PHRASES)
    assert written.count(r"\begin{enumerate}") == written.count(r"\end{enumerate}") == 2
    assert (
        r"\item \emph{An equation} (\texttt{words.\allowbreak solved}). Suppose that $c$ is positive. Then" in written
    )
    assert "以下各条均成立" in document(words("both"), PHRASES, "zh")


def test_the_statement_of_a_conjunction_is_that_of_all_parts(words):
    assert statement(words("inner")) == (
        r"\left\{\begin{aligned} &a^{2} + b^{2} \ge 2 a b, \\ &x_{(2)} - x_{(2)} = 0 \end{aligned}\right."
    )
    assert well_formed(statement(words("both")))


def test_long_reasons_stand_one_below_the_other():
    bound = load(REGISTRY.by_name["softmax.jacobian_norm_at_scale"])
    assert "  & \\tag*{by ``A bound on the softmax Jacobian'' with $x = \\sigma z$" in document(bound, PHRASES)


def test_a_document_of_its_own():
    english, chinese = (standalone([VARIANCE], PHRASES, language) for language in ("en", "zh"))
    assert r"\documentclass[11pt,a4paper]{article}" in english
    assert r"\documentclass[11pt,a4paper]{ctexart}" in chinese
    for text in (english, chinese):
        assert text.count(r"\begin{document}") == text.count(r"\end{document}") == 1
    assert english.isascii()


@pytest.mark.parametrize("listing", REGISTRY.listings, ids=lambda one: one.name)
def test_english_documents_hold_nothing_that_pdflatex_does_not_know(listing):
    text = standalone([load(listing)], PHRASES)
    assert not [line for line in text.splitlines() if not line.isascii() and not line.startswith("%")]


def test_words_are_escaped():
    assert escaped("a_ & 100%") == r"a\_ \& 100\%"
    assert escaped("σ ≤ 1, “so”") == r"$\sigma$ $\le$ 1, ``so''"


def test_names_in_a_title_are_mathematics():
    assert escaped("除以 √d_k") == r"除以 $\sqrt{d_k}$"
    assert escaped("the square root of d_k, not of n_max.") == r"the square root of $d_k$, not of $n_{\max}$."
    assert escaped("√n and log_sum_exp") == r"$\sqrt{n}$ and log\_sum\_exp"
    assert escaped("E[X²] − 1") == "E[X${}^2$] $-$ 1"


def test_chinese_takes_two_columns():
    assert width("点积 a") == 6
    assert padded("点", 4) == "点  "


@pytest.mark.parametrize("command", ["show", "latex"])
def test_nothing_depends_on_the_hash_seed(command):
    outputs = {
        subprocess.run(
            [sys.executable, "-m", "derivations", command, "attention", "softmax"],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
