"""What an author writes stays as it was written, and only exact numbers are accepted."""

import copy
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
import sympy
from sympy import Float, Integer, Rational, Symbol

from derivations.language.distributions import normal, uniform
from derivations.language.errors import LanguageError
from derivations.language.functions import dot, exp, log, logsumexp, norm, softmax, trace
from derivations.language.givens import has_law, has_mean, independent_entries, positive
from derivations.language.operators import Cov, Derivative, DistinctSum, E, Sum, Var, limit
from derivations.language.order import Max, largest
from derivations.language.symbols import delta
from derivations.language.written import Negative, Plus, Power, Quotient, Times, exact, sqrt

from .objects import A, B, V, X, Y, a, b, i, j, n, x, y

EXPRESSIONS = [
    y[i] * (delta(i, j) - y[j]),
    b * a + a * b - 1,
    a / a,
    0 * (1 / a),
    -((a - b) ** 2) / sqrt(n),
    Sum(x[i] * exp(x[i]) / Sum(exp(x[j]), j), i),
    Sum(A[i, j] * x[j], i, j),
    DistinctSum(x[i] * x[j], i, j),
    Derivative(softmax(x)[i], x[j]),
    dot(x, A @ y) + norm(B) * trace(A) - logsumexp(x),
    E(X * Y) - Cov(X, Y) + Var(V[i]),
    Max(a * x[i], i) - largest(x, 2),
    limit(exp(-a), a),
    2**a,
]


def test_terms_and_factors_keep_their_order():
    assert str(y[i] * (delta(i, j) - y[j])) == "y[i]*(delta(i, j) - y[j])"
    assert str(b * a + a * b - 1) == "b*a + a*b - 1"
    assert (b * a).args == (b, a)
    assert (b - a + 1).args == (b, Negative(a), Integer(1))


def test_nothing_is_simplified():
    assert isinstance(a / a, Quotient)
    assert (a - a).args == (a, Negative(a))
    assert isinstance(0 * (1 / a), Times)
    assert isinstance(a**0, Power)
    assert a + b != b + a
    assert a * b != b * a


def test_brackets_of_the_author_are_kept_and_plain_chains_are_flat():
    assert (a + b + 1).args == (a, b, Integer(1))
    assert (a + (b + 1)).args == (a, Plus(b, Integer(1)))
    assert (a * b * 2).args == (a, b, Integer(2))
    assert (a * (b * 2)).args == (a, Times(b, Integer(2)))


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (Rational(1, 2) * x[i], Times),
        (sympy.pi * x[i], Times),
        (Symbol("w") * x[i], Times),
        (sympy.sqrt(2) * a, Times),
        (1 + a, Plus),
        (1 - a, Plus),
        (1 / a, Quotient),
        (2**a, Power),
        (Integer(1) + a, Plus),
        (Fraction(1, 3) * a, Times),
        (a / 3, Quotient),
    ],
    ids=str,
)
def test_numbers_of_python_and_sympy_on_the_left_make_written_nodes(made, kind):
    assert type(made) is kind


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_pickle_copy_and_rebuilding_keep_an_expression(expression):
    for again in (
        pickle.loads(pickle.dumps(expression)),
        copy.deepcopy(expression),
        expression.func(*expression.args),
        expression.xreplace({Symbol("nowhere"): Symbol("other")}),
    ):
        assert again == expression
        assert hash(again) == hash(expression)
        assert str(again) == str(expression)
        assert type(again) is type(expression)


def test_xreplace_keeps_the_order():
    assert str((b * a + a * b).xreplace({a: b})) == "b*b + b*b"
    assert (b - a).xreplace({a: b}).args == (b, Negative(b))
    assert str((x[i] * (delta(i, j) - x[j])).xreplace({x: y})) == "y[i]*(delta(i, j) - y[j])"


def test_subs_in_a_sum_captures_nothing():
    replaced = Sum(x[i] * x[j], i).subs(x[j], x[i])
    (bound,) = replaced.indices
    assert bound != i
    assert replaced.body == x[bound] * x[i]


@pytest.mark.parametrize("number", [0.5, 1.0, float("nan"), Float("0.5"), 2 * Float("0.5") * Symbol("w")], ids=str)
def test_floats_are_refused_everywhere(number):
    for write in (
        lambda: a + number,
        lambda: number * x[i],
        lambda: a / number,
        lambda: a**number,
        lambda: number - a,
        lambda: exp(number),
        lambda: Sum(number, i),
        lambda: E(number),
        lambda: normal(number, 1),
        lambda: has_mean(X, number),
    ):
        with pytest.raises(LanguageError, match="floating-point number"):
            write()


def test_the_message_about_a_float_says_what_to_write():
    with pytest.raises(LanguageError, match=r"Rational\(1, 10\) for 0\.1, x/2 for 1/2"):
        1 / 2 * a


@pytest.mark.parametrize("thing", [True, "a", None, [1], Decimal("0.5"), 1j], ids=str)
def test_what_is_no_expression_is_refused(thing):
    with pytest.raises(LanguageError):
        a * thing
    with pytest.raises(LanguageError):
        exact(thing)


def test_arrays_are_not_multiplied_divided_or_raised_by_accident():
    with pytest.raises(LanguageError, match="multiplies two arrays; write dot"):
        x * y
    with pytest.raises(LanguageError, match="cannot divide by x"):
        a / x
    with pytest.raises(LanguageError, match="cannot take a power"):
        x**2
    with pytest.raises(LanguageError, match="cannot add: a is a scalar but x is n"):
        a + x
    with pytest.raises(LanguageError, match="cannot add: A is n x n but B is m x n"):
        A + B


def test_every_object_can_be_printed():
    for thing in (
        *EXPRESSIONS,
        has_law(X, uniform(0, 1)),
        has_law(X, normal(a, b)),
        independent_entries(V),
        positive(a),
    ):
        assert str(thing)
        assert repr(thing)
    assert str(log(a) * exp(-a)) == "log(a)*exp(-a)"
