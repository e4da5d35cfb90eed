"""Definitions: what each defined notion stands for. An inner index is a fresh token at each use."""

from __future__ import annotations

from fractions import Fraction

from derivations.kernel.arithmetic import add, multiply, scale
from derivations.kernel.context import Context
from derivations.kernel.defined import View
from derivations.kernel.functions import exponential, logarithm
from derivations.kernel.laws.law import Law, Statement
from derivations.kernel.laws.samples import A, B, a, i, j, k, n, row, x, y
from derivations.kernel.powers import raise_to
from derivations.kernel.sums import sum_over
from derivations.kernel.terms import ONE, Polynomial, Position
from derivations.language.arrays import entry, transpose
from derivations.language.functions import dot, exp, log, logsumexp, norm, sigmoid, softmax, tanh, trace
from derivations.language.operators import Sum
from derivations.language.written import sqrt


def _dot(context: Context, first: View, second: View) -> Polynomial:
    token = context.fresh(first.shape[0])
    return sum_over(context, (token,), multiply(context, first.entry((token,)), second.entry((token,))))


def _norm(context: Context, view: View) -> Polynomial:
    tokens = tuple(context.fresh(size) for size in view.shape)
    inner = view.entry(tokens)
    return raise_to(context, sum_over(context, tokens, multiply(context, inner, inner)), Fraction(1, 2))


def _trace(context: Context, view: View) -> Polynomial:
    token = context.fresh(view.shape[0])
    return sum_over(context, (token,), view.entry((token, token)))


def _transpose(context: Context, view: View, first: Position, second: Position) -> Polynomial:
    return view.entry((second, first))


def _product(context: Context, left: View, right: View, *at: Position) -> Polynomial:
    token = context.fresh(right.shape[0])
    return sum_over(context, (token,), multiply(context, left.entry((at[0], token)), right.entry((token, *at[1:]))))


def _normaliser(context: Context, view: View) -> Polynomial:
    token = context.fresh(view.shape[0])
    return sum_over(context, (token,), exponential(context, view.entry((token,))))


def _softmax(context: Context, view: View, at: Position) -> Polynomial:
    return multiply(context, exponential(context, view.entry((at,))), raise_to(context, _normaliser(context, view), -1))


def _logsumexp(context: Context, view: View) -> Polynomial:
    return logarithm(context, _normaliser(context, view))


def _sigmoid(context: Context, operand: Polynomial) -> Polynomial:
    return raise_to(context, add(ONE, exponential(context, scale(operand, -1))), -1)


def _tanh(context: Context, operand: Polynomial) -> Polynomial:
    up, down = exponential(context, operand), exponential(context, scale(operand, -1))
    return multiply(context, add(up, scale(down, -1)), raise_to(context, add(up, down), -1))


def _constant_sum(dimension: Polynomial) -> Polynomial:
    return dimension


ROWS: tuple[Law, ...] = (
    # a . b = sum_i a_i b_i
    Law(
        "definition.dot",
        "definition of the dot product",
        "点积的定义",
        _dot,
        lambda: Statement(dot(x, y), Sum(x[i] * y[i], i)),
        lambda: Statement(dot(x, y), Sum(x[i], i) * Sum(y[i], i)),
    ),
    # |x| = sqrt(sum_i x_i^2), for a matrix the sum runs over both indices
    Law(
        "definition.norm",
        "definition of the norm",
        "范数的定义",
        _norm,
        lambda: Statement(norm(x), sqrt(Sum(x[i] ** 2, i))),
        lambda: Statement(norm(x), Sum(x[i] ** 2, i)),
    ),
    # tr A = sum_i A_ii
    Law(
        "definition.trace",
        "definition of the trace",
        "迹的定义",
        _trace,
        lambda: Statement(trace(A), Sum(A[i, i], i)),
        lambda: Statement(trace(A), Sum(A[i, j], i, j)),
    ),
    # (A^T)_ij = A_ji
    Law(
        "definition.transpose",
        "definition of the transpose",
        "转置的定义",
        _transpose,
        lambda: Statement(entry(transpose(A), (i, j)), A[j, i]),
        lambda: Statement(entry(transpose(A), (i, j)), A[i, j]),
    ),
    # (B x)_r = sum_i B_ri x_i
    Law(
        "definition.product",
        "definition of the matrix product",
        "矩阵乘积的定义",
        _product,
        lambda: Statement(entry(B @ x, row), Sum(B[row, i] * x[i], i)),
        lambda: Statement(entry(A @ x, i), Sum(A[j, i] * x[j], j)),
    ),
    # softmax(x)_i = exp(x_i) / sum_k exp(x_k)
    Law(
        "definition.softmax",
        "definition of softmax",
        "softmax 的定义",
        _softmax,
        lambda: Statement(softmax(x)[i], exp(x[i]) / Sum(exp(x[k]), k)),
        lambda: Statement(softmax(x)[i], exp(x[i]) / Sum(x[k], k)),
    ),
    # logsumexp(x) = log sum_k exp(x_k)
    Law(
        "definition.logsumexp",
        "definition of log-sum-exp",
        "log-sum-exp 的定义",
        _logsumexp,
        lambda: Statement(logsumexp(x), log(Sum(exp(x[k]), k))),
        lambda: Statement(logsumexp(x), Sum(x[k], k)),
    ),
    # sigmoid(z) = 1 / (1 + exp(-z))
    Law(
        "definition.sigmoid",
        "definition of the logistic function",
        "sigmoid 函数的定义",
        _sigmoid,
        lambda: Statement(sigmoid(a), 1 / (1 + exp(-a))),
        lambda: Statement(sigmoid(a), 1 / (1 + exp(a))),
    ),
    # tanh(z) = (exp(z) - exp(-z)) / (exp(z) + exp(-z))
    Law(
        "definition.tanh",
        "definition of the hyperbolic tangent",
        "双曲正切的定义",
        _tanh,
        lambda: Statement(tanh(a), (exp(a) - exp(-a)) / (exp(a) + exp(-a))),
        lambda: Statement(tanh(a), 2 * sigmoid(a) - 1),
    ),
    # sum_{i=1}^n 1 = n
    Law(
        "summation.constant",
        "summing a constant",
        "对常数求和",
        _constant_sum,
        lambda: Statement(Sum(a, i), n * a),
        lambda: Statement(Sum(a, i), (n + 1) * a),
    ),
)
