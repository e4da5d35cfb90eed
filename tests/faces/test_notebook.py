"""`check` in a notebook, with stand-in engines and with the real ones."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from stand_in_worker import Check, Counterexample, engines

import derivations
from derivations import (
    Derivative,
    LanguageError,
    Sum,
    Var,
    at_least,
    by,
    check,
    delta,
    dot,
    equal,
    iff,
    independent,
    positive,
    softmax,
)
from derivations.authoring import DerivationError, Note
from derivations.faces.examine import Engines

NOTE = Note()
n = NOTE.dimension("n")
i, j = NOTE.index("i", n), NOTE.index("j", n)
x = NOTE.vector("x", n)
Q = NOTE.random_vector("Q", n, mean=0, variance=1)
K = NOTE.random_vector("K", n, mean=0, variance=1)
y = softmax(x)


def test_check_is_a_public_name():
    assert "check" in derivations.__all__


def test_a_result_shows_itself():
    result = check(Sum(x[i], i), Sum(x[j], j), engines=engines(False))
    assert result.verdict == "proved"
    assert repr(result).startswith("proved: Σ_i x_i = Σ_j x_j")
    assert r"\sum_{i=1}^{n} x_i" in result._repr_latex_()
    assert result._repr_latex_().count("$") == 2
    assert "<b>proved</b>" in result._repr_html_()
    with pytest.raises(FrozenInstanceError):
        result.verdict = "conflict"  # type: ignore[misc]


def test_a_result_has_no_truth_value():
    with pytest.raises(TypeError, match="verdict"):
        bool(check(x[i], x[i], engines=engines(True)))


def test_relations_and_html():
    result = check(x[i], x[i] + 1, relation="<", engines=engines(True))
    assert result.verdict == "proved_symbolically"
    assert "x_i &lt; x_i + 1" in result._repr_html_()


def test_a_counterexample_is_shown():
    refuting = Engines(
        engines(False).prove,
        lambda derivation, seed: (Check(1, "refuted", Counterexample("n = 1", "0", "2")),),
        lambda checks, step: "refutes",
    )
    result = check(x[i], x[i], engines=refuting)
    assert result.verdict == "conflict"
    assert "counterexample: n = 1" in repr(result)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"given": [1]}, "no assumption"),
        ({"by": ["magic"]}, "no reason"),
        ({"relation": "~"}, "no relation"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(DerivationError, match=message):
        check(x[i], x[i], engines=engines(True), **arguments)


def test_a_line_of_a_chain_brings_its_certificate_and_citations():
    a, b, c = (NOTE.scalar(name) for name in "abc")
    square = check(a**2 + b**2, at_least(2 * a * b, by.nonnegativity, slack=(a - b) ** 2), symbolic_only=True)
    assert square.verdict == "proved_symbolically"
    assert square.statement == "a² + b² ≥ 2 a b"
    assert check(a**2, at_least(2 * a, slack=(a - 1) ** 2), symbolic_only=True).verdict == "unknown"
    solved = check(equal(c * a, c), iff(equal(a, 1), factor=c), given=[positive(c)], symbolic_only=True)
    assert solved.verdict == "proved_symbolically"
    assert solved.latex == r"c a = c \iff a = 1"
    assert check(equal(a, b), equal(2 * a, 2 * b), relation="<=>", symbolic_only=True).verdict == "proved_symbolically"
    with pytest.raises(DerivationError, match="says its relation and reasons itself"):
        check(a, at_least(b), by=["algebra"])


def test_bad_statements():
    with pytest.raises(DerivationError, match="free index j"):
        check(x[i], x[j])
    with pytest.raises(LanguageError, match="floating-point"):
        check(x[i], 0.5)  # type: ignore[arg-type]


def test_for_real():
    assert (
        check(Derivative(y[i], x[j]), y[i] * (delta(i, j) - y[j]), by=[by.definition, by.derivative]).verdict
        == "proved"
    )
    wrong = check(Derivative(y[i], x[j]), y[i] * (delta(i, j) + y[j]))
    assert wrong.verdict == "refuted"
    assert "counterexample" in repr(wrong)
    assert check(Var(dot(Q, K)), n, given=[*NOTE.givens, independent(Q, K)]).verdict == "proved"


def test_what_is_missing_is_said():
    result = check(Var(dot(Q, K)), n, given=[*NOTE.givens, independent(Q, K)], by=[by.definition, by.variance])
    assert "also needs" in repr(result)
    assert "Q and K are independent" in repr(result)
