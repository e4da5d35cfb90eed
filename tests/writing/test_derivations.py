"""A whole derivation in a terminal and in LaTeX."""

from __future__ import annotations

import os
import re
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
  the entries of each of Q and K are independent and identically distributed, with mean 0 and variance 1
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
    assert text.endswith("3.2.1.\\par}\n")
    assert "\\end{align*}\n\\noindent{" in text
    assert r"&= \sum_{i=1}^{d_k} \operatorname{Var}(Q_i K_i) \tag*{independence} \\" in text
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
    assert statement(VARIANCE) == r"\operatorname{Var}(Q \cdot K) = d_k"


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

@derivation(title=("Bare", "无数组"))
def bare(note):
    n, m, d = note.dimension("n"), note.dimension("m"), note.dimension("d")
    i, j, r, s = note.index("i", n), note.index("j", n), note.index("r", m), note.index("s", m)
    return note.chain(i*r + s + Sum(d, j), equals(i*r + s + n*d, by.summation))

@derivation(title=("Matrix", "矩阵"))
def matrix(note):
    n, d = note.dimension("n"), note.dimension("d")
    i, j = note.index("i", n), note.index("j", d)
    A = note.matrix("A", n, d)
    return note.chain(A[i, j] + A[i, j], equals(2*A[i, j], by.algebra))

@derivation(title=("Size", "个数"))
def size(note):
    n = note.dimension("n")
    return note.chain(n + n, equals(2*n, by.algebra))

@derivation(title=("Sign", "符号"), source="A book & more, p. 3")
def sign(note):
    c, n = note.scalar("c", positive=True), note.dimension("n")
    x = note.vector("x", n)
    return note.chain(c*x, equals(x*c, by.algebra))

@derivation(title=("Sign again", "又一个"))
def sign_again(note):
    c, n = note.scalar("c", positive=True), note.dimension("n")
    x, y, b = note.vector("x", n), note.vector("y", n), note.scalar("b", positive=True)
    return note.chain(c*x + b*y, equals(x*c + y*b, by.algebra))

@derivation(title=("Two signs", "两个"))
def signs(note):
    return note.conjunction(note.cite("words.sign"), note.cite("words.sign_again"))
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    (folder / "words.py").write_text(LIBRARY, encoding="utf-8")
    registry = read_registry((folder,))
    return lambda name: load(registry.by_name[f"words.{name}"], registry)


def test_the_slack_of_an_inequality_stands_beside_it(words):
    assert "    ≥ 2 a b    signs; difference (a - b)² ≥ 0\n" in derivation_text(words("square"), PHRASES)
    assert "由符号（非负性）；两边之差为 (a - b)² ≥ 0\n" in derivation_text(words("square"), PHRASES, "zh")
    assert r"\tag*{signs; difference $(a - b)^{2} \ge 0$}" in document(words("square"), PHRASES)


def test_a_strict_inequality_has_a_strict_slack(words):
    assert "difference exp(max_i x_i) - max_i x_i > 0" in derivation_text(words("cases"), PHRASES)


def test_the_factor_of_an_equivalence_stands_beside_it(words):
    assert "  c a = c\n    ⇔ a = 1    equivalent equations; factor c ≠ 0\n" in derivation_text(words("solved"), PHRASES)
    assert r"&\iff a = 1 \tag*{equivalent equations; factor $c \ne 0$}" in document(words("solved"), PHRASES)
    assert r"\tag*{等价变形；两边同乘 $c \ne 0$}" in document(words("solved"), PHRASES, "zh")
    assert statement(words("solved")) == r"c a = c \iff a = 1"


def test_a_citation_says_the_title_and_what_stands_for_what(words):
    assert "by “A square & more” with a = s, b = t" in derivation_text(words("cited"), PHRASES)
    assert "由“平方”（取 a = s，b = t）" in derivation_text(words("cited"), PHRASES, "zh")
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
    for line in ("All of these hold", "1. An equation (words.solved)", "     c > 0", "     c a = c ⇔ a = 1"):
        assert f"{line}\n" in text
    for line in ("2. Inner (words.inner)", "   1. A square & more (words.square)", "   2. Second (words.second)"):
        assert f"{line}\n" in text
    assert "x_(2) is the second largest entry of x" in text
    assert "1. 方程（words.solved）" in derivation_text(words("both"), PHRASES, "zh")
    written = document(words("both"), PHRASES)
    assert written.count(r"\begin{enumerate}") == written.count(r"\end{enumerate}") == 2
    assert r"\item \emph{An equation} (\texttt{words.\allowbreak solved}). Suppose that $c > 0$. Then" in written
    assert "以下各条均成立" in document(words("both"), PHRASES, "zh")


def test_the_statement_of_a_conjunction_is_that_of_all_parts(words):
    assert statement(words("inner")) == (
        r"\left\{\begin{aligned} &a^{2} + b^{2} \ge 2 a b, \\ &x_{(2)} - x_{(2)} = 0 \end{aligned}\right."
    )
    assert well_formed(statement(words("both")))


def test_free_indices_and_dimensions_are_introduced(words):
    assert r"Here $d$ is a positive integer; $r, s = 1, \dots, m$; $i = 1, \dots, n$. Then" in document(
        words("bare"), PHRASES
    )
    assert r"设 $d$ 为正整数，$r, s = 1, \dots, m$，$i = 1, \dots, n$。则" in document(words("bare"), PHRASES, "zh")
    assert "  n is a positive integer\n" in derivation_text(words("size"), PHRASES)


def test_the_size_of_a_matrix_is_one_piece_of_mathematics(words):
    text = document(words("matrix"), PHRASES)
    assert r"Here $A$ is a matrix of size $n \times d$; $j = 1, \dots, d$; $i = 1, \dots, n$. Then" in text
    assert "A is a matrix of size n × d\n" in derivation_text(words("matrix"), PHRASES)


def test_what_all_parts_assume_is_said_once(words):
    text = document(words("signs"), PHRASES)
    assert "Here $x$ is a vector with $n$ entries. Suppose that $c > 0$. Then all of the following hold." in text
    assert r"(\texttt{words.\allowbreak sign}). We have" in text
    assert "Here $y$ is a vector with $n$ entries. Suppose that $b > 0$. Then" in text
    assert "假设 $c > 0$。则以下各条均成立。" in document(words("signs"), PHRASES, "zh")
    shown = derivation_text(words("signs"), PHRASES).splitlines()
    assert [line.strip() for line in shown if ">" in line] == ["c > 0", "b > 0"]


def test_the_source_is_told(words):
    assert document(words("sign"), PHRASES).endswith("\n\\noindent{\\small Source: A book \\& more, p. 3.\\par}\n")
    assert "出处：A book" in document(words("sign"), PHRASES, "zh")
    assert "Source" not in document(words("size"), PHRASES)


def test_chinese_ordinals_and_spaces(words):
    assert "x_(2) 为 x 的第二大分量" in derivation_text(words("second"), PHRASES, "zh")
    text = standalone([load(one) for one in REGISTRY.listings], PHRASES, "zh")
    # Between Chinese characters, and after a Chinese stop, there is no space.
    assert not re.findall(r"[\u4e00-\u9fff，。；：、] [\u4e00-\u9fff]|[，。；：、] ", text)


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
