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
from derivations.writing.document import document, escaped, statement
from derivations.writing.text import derivation_text, padded, width

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
    assert r"&= \sum_{i=1}^{d_k} \operatorname{Var}\left(Q_i K_i\right) && \text{independence} \\" in text
    assert "$Q$ and $K$ are independent" in text


def test_chinese_latex():
    text = document(VARIANCE, PHRASES, "zh")
    assert "设 $Q$ 与 $K$ 为 $d_k$ 维随机向量。" in text
    assert r"\text{独立性}" in text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("listing", REGISTRY.listings, ids=lambda one: one.name)
def test_the_library(listing, language):
    derivation = load(listing)
    text = document(derivation, PHRASES, language)
    assert well_formed(text.replace("²", ""))
    assert text.count("$") % 2 == 0
    assert text.count(r"\\") == len(derivation.lines) - 1
    assert text.count("&& ") == sum(bool(line.reasons) for line in derivation.lines)
    shown = derivation_text(derivation, PHRASES, language)
    assert all(line == line.rstrip() for line in shown.splitlines())


def test_the_statement():
    assert statement(VARIANCE) == r"\operatorname{Var}\left(Q \cdot K\right) = d_k"


def test_words_are_escaped():
    assert escaped("a_b & 100%") == r"a\_b \& 100\%"
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
