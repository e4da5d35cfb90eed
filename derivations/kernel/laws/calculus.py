"""Laws of differentiation, of exp and log, of signs, and the use of equations that are given."""

from __future__ import annotations

from fractions import Fraction

from sympy import pi

from derivations.kernel.arithmetic import add, multiply, scale
from derivations.kernel.context import Context
from derivations.kernel.derivative import power_rule
from derivations.kernel.functions import exponential, function
from derivations.kernel.laws.law import Law, Statement
from derivations.kernel.laws.samples import a, b, i, j, k, s, sigma, x, y
from derivations.kernel.powers import raise_to
from derivations.kernel.signs import Sign
from derivations.kernel.terms import ONE, Named, Number, Polynomial, single
from derivations.language.functions import cos, erf, exp, log, sigmoid, sin, tanh
from derivations.language.givens import equation, nonnegative, positive
from derivations.language.operators import Derivative, Sum
from derivations.language.symbols import delta
from derivations.language.written import sqrt


def _same(value: Polynomial) -> Polynomial:
    return value


def _sign(known: str) -> Sign:
    return {"positive": Sign.POSITIVE, "nonnegative": Sign.NONNEGATIVE}.get(known, Sign.UNKNOWN)


def _product(context: Context, rest: Polynomial, inner: Polynomial) -> Polynomial:
    return multiply(context, rest, inner)


def _of_exponential(context: Context, value: Polynomial, argument: Polynomial) -> Polynomial:
    return value


def _of_logarithm(context: Context, value: Polynomial, argument: Polynomial) -> Polynomial:
    return raise_to(context, argument, -1)


def _of_sine(context: Context, value: Polynomial, argument: Polynomial) -> Polynomial:
    return function(context, "cos", argument)


def _of_cosine(context: Context, value: Polynomial, argument: Polynomial) -> Polynomial:
    return scale(function(context, "sin", argument), -1)


def _of_tangent(context: Context, value: Polynomial, argument: Polynomial) -> Polynomial:
    return add(ONE, scale(multiply(context, value, value), -1))


def _of_sigmoid(context: Context, value: Polynomial, argument: Polynomial) -> Polynomial:
    return multiply(context, value, add(ONE, scale(value, -1)))


def _of_error_function(context: Context, value: Polynomial, argument: Polynomial) -> Polynomial:
    bell = exponential(context, scale(multiply(context, argument, argument), -1))
    root = raise_to(context, single(Named("constant", "pi")), Fraction(-1, 2))
    return scale(multiply(context, root, bell), 2)


def _of_sum_exponent(context: Context, first: Polynomial, second: Polynomial) -> Polynomial:
    return multiply(context, first, second)


def _of_power_logarithm(logarithm: Polynomial, exponent: Number) -> Polynomial:
    return scale(logarithm, exponent)


ROWS: tuple[Law, ...] = (
    # d x_i / d x_j = delta_ij
    Law(
        "derivative.variable",
        "derivative of a variable",
        "变量的导数",
        _same,
        lambda: Statement(Derivative(x[i], x[j]), delta(i, j)),
        lambda: Statement(Derivative(x[i], x[j]), delta(i, i)),
    ),
    # (u v)' = u v' + v u'
    Law(
        "derivative.product",
        "product rule",
        "乘积法则",
        _product,
        lambda: Statement(Derivative(a * sin(a), a), sin(a) + a * cos(a)),
        lambda: Statement(Derivative(a * sin(a), a), cos(a)),
    ),
    # (u^c)' = c u^(c-1) u'
    Law(
        "derivative.power",
        "power rule",
        "幂法则",
        power_rule,
        lambda: Statement(Derivative(a**3, a), 3 * a**2),
        lambda: Statement(Derivative(a**3, a), 2 * a**3),
    ),
    # (sum_i u_i)' = sum_i u_i'
    Law(
        "derivative.sum",
        "derivative of a sum",
        "和的导数",
        _same,
        lambda: Statement(Derivative(Sum(x[i] * y[i], i), x[j]), y[j]),
        lambda: Statement(Derivative(Sum(x[i] * y[i], i), x[j]), Sum(y[i], i)),
    ),
    # exp' = exp
    Law(
        "derivative.exp",
        "derivative of exp",
        "指数函数的导数",
        _of_exponential,
        lambda: Statement(Derivative(exp(2 * a), a), 2 * exp(2 * a)),
        lambda: Statement(Derivative(exp(2 * a), a), exp(2 * a)),
        reasons=("derivative", "exponential"),
    ),
    # log' = 1/z
    Law(
        "derivative.log",
        "derivative of log",
        "对数函数的导数",
        _of_logarithm,
        lambda: Statement(Derivative(log(a), a), 1 / a, (positive(a),)),
        lambda: Statement(Derivative(log(a), a), 1 / a**2, (positive(a),)),
    ),
    # sin' = cos
    Law(
        "derivative.sin",
        "derivative of the sine",
        "正弦函数的导数",
        _of_sine,
        lambda: Statement(Derivative(sin(a), a), cos(a)),
        lambda: Statement(Derivative(sin(a), a), -cos(a)),
    ),
    # cos' = -sin
    Law(
        "derivative.cos",
        "derivative of the cosine",
        "余弦函数的导数",
        _of_cosine,
        lambda: Statement(Derivative(cos(a), a), -sin(a)),
        lambda: Statement(Derivative(cos(a), a), sin(a)),
    ),
    # tanh' = 1 - tanh^2
    Law(
        "derivative.tanh",
        "derivative of tanh",
        "双曲正切的导数",
        _of_tangent,
        lambda: Statement(Derivative(tanh(a), a), 1 - tanh(a) ** 2),
        lambda: Statement(Derivative(tanh(a), a), 1 - tanh(a)),
    ),
    # sigmoid' = sigmoid (1 - sigmoid)
    Law(
        "derivative.sigmoid",
        "derivative of the logistic function",
        "sigmoid 函数的导数",
        _of_sigmoid,
        lambda: Statement(Derivative(sigmoid(a), a), sigmoid(a) * (1 - sigmoid(a))),
        lambda: Statement(Derivative(sigmoid(a), a), sigmoid(a) * (1 + sigmoid(a))),
    ),
    # erf' = 2/sqrt(pi) exp(-z^2)
    Law(
        "derivative.erf",
        "derivative of the error function",
        "误差函数的导数",
        _of_error_function,
        lambda: Statement(Derivative(erf(a), a), 2 / sqrt(pi) * exp(-(a**2))),
        lambda: Statement(Derivative(erf(a), a), exp(-(a**2))),
    ),
    # exp(u + v) = exp(u) exp(v), and exp(0) = 1
    Law(
        "exponential.sum",
        "exp of a sum",
        "和的指数",
        _of_sum_exponent,
        lambda: Statement(exp(a + b), exp(a) * exp(b)),
        lambda: Statement(exp(a + b), exp(a) + exp(b)),
    ),
    # log(exp(u)) = u, and exp(log(u)) = u for u > 0
    Law(
        "exponential.inverse",
        "exp and log are inverse",
        "指数与对数互为反函数",
        _same,
        lambda: Statement(log(exp(a)), a),
        lambda: Statement(log(exp(a)), exp(a)),
    ),
    # log(u^c v) = c log u + log v for u, v > 0
    Law(
        "exponential.logarithm",
        "log of a product",
        "乘积的对数",
        _of_power_logarithm,
        lambda: Statement(log(s**2 * b), 2 * log(s) + log(b), (positive(s), positive(b))),
        lambda: Statement(log(s + b), log(s) + log(b), (positive(s), positive(b))),
        reasons=("exponential", "nonnegativity"),
    ),
    # |u| = u for u >= 0, so sqrt(u^2) = u
    Law(
        "nonnegativity.given",
        "a given sign",
        "已知的符号",
        _sign,
        lambda: Statement(sqrt(sigma**2), sigma, (nonnegative(sigma),)),
        lambda: Statement(sqrt(sigma**2), sigma),
        condition=lambda: (nonnegative(sigma),),
    ),
    # an equation that is given
    Law(
        "given.equation",
        "by assumption",
        "由已知条件",
        _same,
        lambda: Statement(Sum(x[i] * a, i), a, (equation(Sum(x[k], k), 1),)),
        lambda: Statement(Sum(x[i] * a, i), a),
        condition=lambda: (equation(Sum(x[k], k), 1),),
    ),
)
