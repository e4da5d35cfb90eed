"""LaTeX: the author's order, the parentheses, the names."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from derivations import (
    Cov,
    Derivative,
    DistinctSum,
    E,
    Max,
    Min,
    Sum,
    Var,
    absolute,
    delta,
    dot,
    entry,
    equal,
    exp,
    largest,
    limit,
    log,
    logsumexp,
    norm,
    normal,
    rademacher,
    sigmoid,
    smallest,
    softmax,
    sqrt,
    tabulate,
    trace,
    transpose,
)
from derivations.authoring import Note
from derivations.language.written import Negative, Plus, Power, Quotient, Times
from derivations.loading import load
from derivations.registry import read_registry
from derivations.writing.latex import latex
from derivations.writing.names import latex_name, text_name
from derivations.writing.unicode import plain

NOTE = Note()
n, d_k = NOTE.dimension("n"), NOTE.dimension("d_k")
i, j, k = NOTE.index("i", n), NOTE.index("j", n), NOTE.index("k", d_k)
u, v = NOTE.index("u", n), NOTE.index("v", n)
x, y = NOTE.vector("x", n), NOTE.vector("y", n)
mu = NOTE.vector("mu_Q", n)
X = NOTE.random_scalar("X")
A, B = NOTE.matrix("A", n, n), NOTE.matrix("B", n, n)
a, b, c, sigma = NOTE.scalar("a"), NOTE.scalar("b"), NOTE.scalar("c"), NOTE.scalar("sigma_Q")
p = softmax(x)


def well_formed(text: str) -> bool:
    """Braces, \\left and parentheses balance, and nothing has two superscripts or two subscripts."""
    bare = re.sub(r"\\[{}\\$%&#_]", "", text)
    depth = 0
    for sign in bare:
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    script = r"(\{[^{}]*\}|\w|\\[A-Za-z]+)"
    doubled = re.search(rf"\^{script}\^|_{script}_", bare)
    sides = len(re.findall(r"\\left(?![a-z])", text)) == len(re.findall(r"\\right(?![a-z])", text))
    return not depth and sides and text.count("(") == text.count(")") and not doubled


@pytest.mark.parametrize("text", ["{", "a}b{", r"\left(a", "a^{2}^{3}", "x_i_j", "(a"])
def test_what_is_not_well_formed_is_noticed(text):
    assert not well_formed(text)


WRITTEN = {
    r"y_i (\delta_{ij} - y_j)": y[i] * (delta(i, j) - y[j]),
    r"\mathrm{softmax}(x)_i": p[i],
    r"\operatorname{Var}(x \cdot y)": Var(dot(x, y)),
    r"\mathbb{E}[a b]": E(a * b),
    r"\mathbb{E}\left[\frac{a}{b}\right]": E(a / b),
    r"\operatorname{Var}\left(\sum_{i=1}^{n} x_i\right)": Var(Sum(x[i], i)),
    r"\operatorname{Cov}(a, b + c)": Cov(a, b + c),
    r"\sum_{k=1}^{d_k} 1": Sum(1, k),
    r"\sum_{i=1}^{n} \sum_{j=1}^{n} A_{ij}": Sum(A[i, j], i, j),
    r"\sum_{i=1}^{n} (x_i - y_i)": Sum(x[i] - y[i], i),
    r"\sum_{i=1}^{n} (-x_i)": Sum(-x[i], i),
    r"\left(\sum_{i=1}^{n} x_i\right) a": Sum(x[i], i) * a,
    r"a \sum_{i=1}^{n} x_i": a * Sum(x[i], i),
    r"a \left(\sum_{i=1}^{n} x_i\right) b": a * Sum(x[i], i) * b,
    r"\sum_{i=1}^{n} x_i + a": Sum(x[i], i) + a,
    r"-\sum_{i=1}^{n} x_i": -Sum(x[i], i),
    r"\left(\sum_{i=1}^{n} x_i\right)^{2}": Sum(x[i], i) ** 2,
    r"\frac{\partial}{\partial x_j} \mathrm{softmax}(x)_i": Derivative(p[i], x[j]),
    r"\frac{\partial}{\partial x_j} (a + b)": Derivative(a + b, x[j]),
    r"\frac{\partial}{\partial x_j} (a b)": Derivative(a * b, x[j]),
    r"\frac{\partial^{2}}{\partial x_j \partial x_i} a": Derivative(a, x[i], x[j]),
    r"\frac{\partial^{2}}{\partial a^{2}} b": Derivative(b, a, a),
    r"\frac{d}{da} a^{2}": Derivative(a**2, a),
    r"\frac{d^{2}}{da^{2}} a^{n}": Derivative(a**n, a, a),
    r"\frac{d}{da} \mathbb{E}[\exp(a X)]": Derivative(E(exp(a * X)), a),
    r"\frac{\partial}{\partial a} (a X)": Derivative(a * X, a),
    r"\frac{\partial}{\partial a} (a x_i)": Derivative(a * x[i], a),
    r"\frac{\partial^{2}}{\partial b \partial a} (a b)": Derivative(a * b, a, b),
    r"\frac{a}{\sqrt{d_k}}": a / sqrt(d_k),
    r"-\frac{a}{b}": -a / b,
    r"\left(-\frac{a}{b}\right)^{2}": (-a / b) ** 2,
    r"a - (b - c)": a - (b - c),
    r"a + (b + c)": a + (b + c),
    r"a - (-b)": a - (-b),
    r"-(a + b)": -(a + b),
    r"-a b": -a * b,
    r"a (-b)": a * (-b),
    r"2 \cdot 3^{n}": Times(sympy.Integer(2), Power(sympy.Integer(3), n)),
    r"a \cdot 2": a * 2,
    r"\frac{1}{2} a": Fraction(1, 2) * a,
    r"2 \cdot \frac{1}{2}": Times(sympy.Integer(2), sympy.Rational(1, 2)),
    r"a^{1/3}": a ** Fraction(1, 3),
    r"a^{-1}": a ** (-1),
    r"(-2)^{n}": Power(sympy.Integer(-2), n),
    r"(a^{2})^{3}": (a**2) ** 3,
    r"a^{b + c}": a ** (b + c),
    r"\sigma_Q^{2}": sigma**2,
    r"\mu_{Q,i}": mu[i],
    r"\exp(x_i)^{2}": exp(x[i]) ** 2,
    r"\log\left(\sum_{i=1}^{n} \exp(x_i)\right)": log(Sum(exp(x[i]), i)),
    r"\sigma(a)": sigmoid(a),
    r"\lvert a \rvert": absolute(a),
    r"\left| \frac{a}{b} \right|": absolute(a / b),
    r"\operatorname{logsumexp}(x)": logsumexp(x),
    r"(x \cdot y)^{4}": dot(x, y) ** 4,
    r"a (x \cdot y)": a * dot(x, y),
    r"x \cdot (x + y)": dot(x, x + y),
    r"\lVert x \rVert^{2}": norm(x) ** 2,
    r"\operatorname{tr}(A B)": trace(A @ B),
    r"(A^{\top})_{ij}": transpose(A)[i, j],
    r"(A B)_{ij}": (A @ B)[i, j],
    r"A (B x)": A @ (B @ x),
    r"A B x": (A @ B) @ x,
    r"(x + y)_i": entry(x + y, i),
    r"(a x)_i": entry(a * x, i),
    r"\mathcal{N}(0, \sigma_Q^{2})": normal(0, sigma**2),
    r"\operatorname{Rademacher}": rademacher(),
    r"(x_i - y_j)_{ij}": tabulate(x[i] - y[j], i, j),
    r"\left(\frac{x_i}{a}\right)_i": tabulate(x[i] / a, i),
    r"((x_i)_i)_j": tabulate(x[i], i)[j],
    r"((A_{ij})_{ij})^{\top} x": transpose(tabulate(A[i, j], i, j)) @ x,
    r"\lVert (x_i - y_j)_{ij} \rVert_F^{2}": norm(tabulate(x[i] - y[j], i, j)) ** 2,
    r"\lVert A x \rVert \lVert A \rVert_F": norm(A @ x) * norm(A),
    r"\left\Vert \frac{x}{a} \right\Vert": norm(x / a),
    r"\sum_{\substack{i,j=1 \\ i \ne j}}^{n} x_i x_j": DistinctSum(x[i] * x[j], i, j),
    r"\left(\sum_{\substack{i,j,u=1 \\ i \ne j \ne u \ne i}}^{n} x_i x_j x_u\right) a": DistinctSum(
        x[i] * x[j] * x[u], i, j, u
    )
    * a,
    r"\sum_{\substack{i,j,u,v=1 \\ |\{i,j,u,v\}| = 4}}^{n} x_i": DistinctSum(x[i], i, j, u, v),
    r"\lim_{a \to \infty} \mathrm{softmax}(a x)_i": limit(softmax(a * x)[i], a),
    r"\lim_{a \to \infty} (a + b) + c": limit(a + b, a) + c,
    r"(\lim_{a \to \infty} a) b": limit(a, a) * b,
    r"\max_i x_i - \min_i (x_i + a)": Max(x[i], i) - Min(x[i] + a, i),
    r"x_{\max} - x_{(2)}": largest(x) - largest(x, 2),
    r"x_{\min}^{2}": smallest(x) ** 2,
    r"\mu_{Q,\max}": largest(mu),
    r"(a x)_{(3)}": largest(a * x, 3),
    r"\mathrm{softmax}(x)_{\max}": largest(p),
    r"\operatorname*{max^{(2)}}_i a x_i": largest(tabulate(a * x[i], i), 2),
    r"\frac{a}{\sqrt{b}/c}": a / (sqrt(b) / c),
    r"\frac{(a + b)/c}{\sigma_Q}": (a + b) / c / sigma,
    r"\frac{a}{\frac{b/c}{a}}": a / (b / c / a),
    r"a b = c": equal(a * b, c),
    r"a - x \cdot y": a - dot(x, y),
}
PLAIN = {
    "(x_i - y_j)_ij": tabulate(x[i] - y[j], i, j),
    "‖(x_i - y_j)_ij‖_F²": norm(tabulate(x[i] - y[j], i, j)) ** 2,
    "Σ_{i≠j} x_i x_j": DistinctSum(x[i] * x[j], i, j),
    "Σ_{i≠j≠u≠i} x_i": DistinctSum(x[i], i, j, u),
    "Σ_{i,j,u,v distinct} x_i": DistinctSum(x[i], i, j, u, v),
    "(lim_{a→∞} a) b": limit(a, a) * b,
    "max_i x_i - min_i (x_i + a)": Max(x[i], i) - Min(x[i] + a, i),
    "x_max - x_(2)": largest(x) - largest(x, 2),
    "x_min²": smallest(x) ** 2,
    "μ_Q[max]": largest(mu),
    "max⁽²⁾_i a x_i": largest(tabulate(a * x[i], i), 2),
    "a b = c": equal(a * b, c),
    "d/da a²": Derivative(a**2, a),
    "∂/∂a (a b)": Derivative(a * b, a),
    "2/√π": 2 / sqrt(sympy.pi),
}


@pytest.mark.parametrize("expected", PLAIN)
def test_written_for_a_terminal(expected):
    assert plain(PLAIN[expected]) == expected


@pytest.mark.parametrize("expected", WRITTEN)
def test_written_as_the_author_wrote_it(expected):
    assert latex(WRITTEN[expected]) == expected


@pytest.mark.parametrize("text", WRITTEN)
def test_expected_forms_are_well_formed(text):
    assert well_formed(text)


def test_plain_sympy_in_between():
    s = sympy.Symbol("s_max")
    assert latex(s) == r"s_{\max}"
    assert latex(sympy.sin(s) + sympy.pi).count(r"\sin") == 1
    assert latex(a * sympy.exp(sigma)) == r"a e^{\sigma_Q}"
    assert latex(a * (sympy.Symbol("u") + sympy.Symbol("v"))) == "a (u + v)"
    assert latex(sympy.exp(Sum(x[i], i))) == r"e^{\sum_{i=1}^{n} x_i}"
    assert latex(sympy.sqrt(sympy.Symbol("u"))) == r"\sqrt{u}"


@pytest.mark.parametrize(
    ("name", "expected", "text"),
    [
        ("sigma_Q", r"\sigma_Q", "σ_Q"),
        ("d_k", "d_k", "d_k"),
        ("x_max", r"x_{\max}", "x_max"),
        ("x_new", r"x_{\mathrm{new}}", "x_new"),
        ("loss", r"\mathrm{loss}", "loss"),
        ("x1", "x_1", "x1"),
        ("x12", "x_{12}", "x12"),
        ("mu_hat", r"\hat{\mu}", "μ_hat"),
        ("W_Q_1", "W_{Q,1}", "W_Q_1"),
        ("i'", "i'", "i'"),
        ("Sigma", r"\Sigma", "Σ"),
        ("σ", r"\sigma", "σ"),
        ("_x", r"\mathrm{\_x}", "_x"),
        ("学习率", r"\text{学习率}", "学习率"),
    ],
)
def test_names(name, expected, text):
    assert latex_name(name) == expected
    assert text_name(name) == text
    assert well_formed(expected)


@pytest.mark.parametrize("listing", read_registry().listings, ids=lambda one: one.name)
def test_the_library_is_well_formed(listing):
    for line in load(listing).expressions:
        assert well_formed(latex(line))
        assert plain(line)


# Arithmetic read back: what is written must have the value of what was meant.
NUMBERS = {"a": Fraction(2), "b": Fraction(-3), "c": Fraction(5, 7)}
LETTERS = {"a": a, "b": b, "c": c}


def combine(children):
    pair = st.tuples(children, children)
    return st.one_of(
        st.lists(children, min_size=2, max_size=3).map(lambda terms: Plus(*terms)),
        st.lists(children, min_size=2, max_size=3).map(lambda factors: Times(*factors)),
        pair.map(lambda both: Quotient(*both)),
        children.map(Negative),
        st.tuples(children, st.integers(-2, 3)).map(lambda both: Power(both[0], sympy.Integer(both[1]))),
    )


EXPRESSIONS = st.recursive(
    st.one_of(
        st.sampled_from(list(LETTERS.values())),
        st.integers(-3, 3).map(sympy.Integer),
        st.tuples(st.integers(-3, 3), st.integers(1, 3)).map(lambda both: sympy.Rational(*both)),
    ),
    combine,
    max_leaves=8,
)


def value(node):
    match node:
        case Plus():
            return sum((value(one) for one in node.args), Fraction(0))
        case Times():
            product = Fraction(1)
            for one in node.args:
                product *= value(one)
            return product
        case Quotient():
            return value(node.args[0]) / value(node.args[1])
        case Negative():
            return -value(node.args[0])
        case Power():
            return value(node.args[0]) ** int(node.args[1])
        case sympy.Rational():
            return Fraction(int(node.p), int(node.q))
    return NUMBERS[node.name]


def evaluated(python: str) -> Fraction:
    python = re.sub(r"\s*([+-])\s+", r"\1", python)
    python = re.sub(r"\s+", "*", python.strip())
    python = re.sub(r"\d+", r"F(\g<0>)", python)
    python = re.sub(r"\*\*\((-?)F\((\d+)\)\)", r"**(\1\2)", python)
    return eval(python, {"F": Fraction, "frac": lambda top: lambda bottom: top / bottom, **NUMBERS})


def as_python(text: str) -> str:
    for old, new in ((r"\left", ""), (r"\right", ""), (r" \cdot ", " "), (r"\frac{", "frac("), ("}{", ")(")):
        text = text.replace(old, new)
    return text.replace("^{", "**(").replace("}", ")")


def unicode_as_python(text: str) -> str:
    ordinary = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+", lambda found: f"**({found[0].translate(ordinary)})", text)
    return text.replace("·", " ")


@given(EXPRESSIONS)
def test_what_is_read_back_has_the_same_value(expression):
    try:
        meant = value(expression)
    except ZeroDivisionError:
        assume(False)
    assert well_formed(latex(expression))
    assert evaluated(as_python(latex(expression))) == meant, latex(expression)
    assert evaluated(unicode_as_python(plain(expression))) == meant, plain(expression)
