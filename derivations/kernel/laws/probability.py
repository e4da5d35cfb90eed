"""Laws of expectation, variance, independence and moments."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from sympy import Integer, pi

from derivations.kernel.arithmetic import add, multiply, scale, subtract
from derivations.kernel.context import Context
from derivations.kernel.expectation import cumulant_weight
from derivations.kernel.functions import exponential
from derivations.kernel.laws.law import Law, Statement
from derivations.kernel.laws.samples import V, X, Y, a, b, i, j, mu, s, sigma
from derivations.kernel.powers import raise_to
from derivations.kernel.terms import ONE, ZERO, Moment, Named, Number, Polynomial, single
from derivations.language.distributions import bernoulli, normal, rademacher, uniform
from derivations.language.functions import absolute, cos, exp, sin
from derivations.language.givens import (
    Given,
    has_law,
    has_mean,
    has_moment,
    has_variance,
    identically_distributed,
    independent,
    independent_entries,
)
from derivations.language.operators import Cov, E, Var
from derivations.language.order import largest
from derivations.language.symbols import delta
from derivations.language.written import sqrt


def _scaled(coefficient: Number, value: Polynomial) -> Polynomial:
    return scale(value, coefficient)


def _bilinear(context: Context, left: Polynomial, right: Polynomial, value: Polynomial) -> Polynomial:
    return multiply(context, left, right, value)


def _covariance(context: Context, joint: Polynomial, first: Polynomial, second: Polynomial) -> Polynomial:
    return subtract(joint, multiply(context, first, second))


def _factored(context: Context, first: Polynomial, second: Polynomial) -> Polynomial:
    return multiply(context, first, second)


def _where_equal(context: Context, same: Polynomial, value: Polynomial) -> Polynomial:
    return multiply(context, same, value)


def _cumulant_from_moments(moment: Polynomial, lower: Polynomial) -> Polynomial:
    return subtract(moment, lower)


def _as_declared(value: Polynomial) -> Polynomial:
    return value


def _second_moment(variance: Polynomial, squared_mean: Polynomial) -> Polynomial:
    return add(variance, squared_mean)


def _common_moment(moment: Moment) -> Polynomial:
    return single(moment)


def _normal_moment(context: Context, order: int, mean: Polynomial, variance: Polynomial) -> Polynomial:
    # E[X^r] = sum over even 2k <= r of binom(r, 2k) (2k - 1)!! mean^(r - 2k) variance^k
    total = ZERO
    double_factorial: Number = 1
    for k in range(order // 2 + 1):
        term = multiply(context, raise_to(context, mean, order - 2 * k), raise_to(context, variance, k))
        total = add(total, scale(term, comb(order, 2 * k) * double_factorial))
        double_factorial *= 2 * k + 1
    return total


def _uniform_moment(context: Context, order: int, lower: Polynomial, upper: Polynomial) -> Polynomial:
    # E[X^r] = (b^(r+1) - a^(r+1)) / ((r + 1)(b - a)) = sum_k a^k b^(r-k) / (r + 1)
    terms = [
        multiply(context, raise_to(context, lower, k), raise_to(context, upper, order - k)) for k in range(order + 1)
    ]
    return scale(add(*terms), Fraction(1, order + 1))


def _sign_moment(context: Context, order: int) -> Polynomial:
    return ONE if order % 2 == 0 else ZERO


def _indicator_moment(context: Context, order: int, probability: Polynomial) -> Polynomial:
    return probability


def _normal_exponential(context: Context, mean: Polynomial, variance: Polynomial) -> Polynomial:
    return exponential(context, add(mean, scale(variance, Fraction(1, 2))))


def _normal_absolute(context: Context, variance: Polynomial) -> Polynomial:
    ratio = scale(raise_to(context, single(Named("constant", "pi")), -1), 2)
    return raise_to(context, multiply(context, ratio, variance), Fraction(1, 2))


def _second_moments() -> tuple[Given, ...]:
    return has_variance(X, 1), has_variance(Y, 1)


ROWS: tuple[Law, ...] = (
    # E[a X + b Y] = a E[X] + b E[Y]
    Law(
        "linearity.expectation",
        "linearity of expectation",
        "期望的线性性质",
        _scaled,
        lambda: Statement(E(a * X + b * Y), a * E(X) + b * E(Y), _second_moments()),
        lambda: Statement(E(a * X + b), a * E(X), _second_moments()),
    ),
    # Cov(a X, b Y) = a b Cov(X, Y), and Cov is additive in each argument
    Law(
        "linearity.covariance",
        "bilinearity of covariance",
        "协方差的双线性",
        _bilinear,
        lambda: Statement(Var(a * X + b), a**2 * Var(X), _second_moments()),
        lambda: Statement(Var(a * X), a * Var(X), _second_moments()),
    ),
    # Cov(X, Y) = E[X Y] - E[X] E[Y]; Var(X) = Cov(X, X)
    Law(
        "variance.covariance",
        "definition of variance and covariance",
        "方差与协方差公式",
        _covariance,
        lambda: Statement(Cov(X, Y), E(X * Y) - E(X) * E(Y), _second_moments()),
        lambda: Statement(Var(X), E(X**2), _second_moments()),
    ),
    # X, Y independent: E[f(X) g(Y)] = E[f(X)] E[g(Y)]
    Law(
        "independence.expectation",
        "expectation of a product of independent factors",
        "独立因子乘积的期望",
        _factored,
        lambda: Statement(E(sin(X) * cos(Y)), E(sin(X)) * E(cos(Y)), (*_second_moments(), independent(X, Y))),
        lambda: Statement(E(X * Y), E(X) * E(Y), _second_moments()),
        condition=lambda: (independent(X, Y),),
    ),
    # X symmetric about zero: E[f(-X)] = E[f(X)], so E[f(X)] = 0 for odd f
    Law(
        "independence.symmetry",
        "a law symmetric about zero",
        "分布关于零对称",
        _as_declared,
        lambda: Statement(E(largest(-V)), E(largest(V)), (has_law(V, normal(0, s**2)), independent_entries(V))),
        lambda: Statement(E(largest(-V)), E(largest(V)), (has_law(V, normal(a, s**2)), independent_entries(V))),
    ),
    # x independent of the rest: E[x f] = sum_r cumulant_(r+1)(x) / r! E[d^r f / dx^r]
    Law(
        "independence.cumulants",
        "independent entries",
        "各分量相互独立",
        cumulant_weight,
        lambda: Statement(
            E(V[i] * V[j]),
            delta(i, j) * E(V[i] ** 2) + (1 - delta(i, j)) * E(V[i]) * E(V[j]),
            (has_variance(V, 1), independent_entries(V)),
        ),
        lambda: Statement(
            E(V[i] * V[j]),
            delta(i, j) * E(V[i] ** 2) + (1 - delta(i, j)) * E(V[i]) * E(V[j]),
            (has_variance(V, 1),),
        ),
        condition=lambda: (independent_entries(V),),
    ),
    # cumulant_r = E[X^r] - sum_{k<r} binom(r - 1, k - 1) cumulant_k E[X^(r-k)]
    Law(
        "independence.moments",
        "cumulants from moments",
        "由矩求累积量",
        _cumulant_from_moments,
        lambda: Statement(
            E(V[i] ** 2 * V[j]),
            delta(i, j) * E(V[i] ** 3) + (1 - delta(i, j)) * E(V[i] ** 2) * E(V[j]),
            (has_moment(V, 3, mu), independent_entries(V)),
        ),
        lambda: Statement(
            E(V[i] ** 2 * V[j]),
            E(V[i] ** 2) * E(V[j]),
            (has_moment(V, 3, mu), independent_entries(V)),
        ),
    ),
    # X, Y independent: Cov(X, Y) = 0
    Law(
        "independence.covariance",
        "independent variables are uncorrelated",
        "独立变量不相关",
        _where_equal,
        lambda: Statement(Var(X + Y), Var(X) + Var(Y), (*_second_moments(), independent(X, Y))),
        lambda: Statement(Var(X + Y), Var(X) + Var(Y), _second_moments()),
        condition=lambda: (independent(X, Y),),
    ),
    # E[X_i^r] is what the given says
    Law(
        "moments.declared",
        "a given moment",
        "已知的矩",
        _as_declared,
        lambda: Statement(E(V[i]), mu, (has_mean(V, mu),)),
        lambda: Statement(E(V[i]), 2 * mu, (has_mean(V, mu),)),
    ),
    # E[X^2] = Var(X) + E[X]^2
    Law(
        "moments.variance",
        "a given variance",
        "已知的方差",
        _second_moment,
        lambda: Statement(E(X**2), sigma**2 + mu**2, (has_mean(X, mu), has_variance(X, sigma**2))),
        lambda: Statement(E(X**2), sigma**2, (has_variance(X, sigma**2),)),
        condition=lambda: (has_mean(X, 0),),
    ),
    # Var(X_i) is what the given says
    Law(
        "moments.deviation",
        "a given variance",
        "已知的方差",
        _as_declared,
        lambda: Statement(Var(V[i]), sigma**2, (has_variance(V, sigma**2),)),
        lambda: Statement(Var(V[i]), 2 * sigma**2, (has_variance(V, sigma**2),)),
    ),
    # entries of one law: E[X_i^r] = E[X_j^r]
    Law(
        "moments.identical",
        "entries of one law",
        "各分量同分布",
        _common_moment,
        lambda: Statement(E(V[i]), E(V[j]), (has_variance(V, 1), identically_distributed(V))),
        lambda: Statement(E(V[i]), E(V[j]), (has_variance(V, 1),)),
        condition=lambda: (identically_distributed(V),),
    ),
    # X uniform on [a, b]: E[X^r] = sum_k a^k b^(r-k) / (r + 1)
    Law(
        "moments.uniform",
        "moments of the uniform law",
        "均匀分布的矩",
        _uniform_moment,
        lambda: Statement(E(X**2), (b**2) / 3, (has_law(X, uniform(-b, b)),)),
        lambda: Statement(E(X**2), (b**2) / 2, (has_law(X, uniform(-b, b)),)),
    ),
    # X a fair sign: E[X^r] is 1 for even r and 0 for odd r
    Law(
        "moments.rademacher",
        "moments of a fair sign",
        "Rademacher 分布的矩",
        _sign_moment,
        lambda: Statement(E(X**4), Integer(1), (has_law(X, rademacher()),)),
        lambda: Statement(E(X**3), Integer(1), (has_law(X, rademacher()),)),
    ),
    # X is 1 with probability p, else 0: E[X^r] = p
    Law(
        "moments.bernoulli",
        "moments of an indicator",
        "伯努利分布的矩",
        _indicator_moment,
        lambda: Statement(E(X**2), s, (has_law(X, bernoulli(s)),)),
        lambda: Statement(E(X**2), s**2, (has_law(X, bernoulli(s)),)),
    ),
    # X normal: E[X^r] = sum_k binom(r, 2k) (2k - 1)!! mean^(r - 2k) variance^k
    Law(
        "gaussian.moments",
        "moments of the normal law",
        "正态分布的矩",
        _normal_moment,
        lambda: Statement(E(X**4), 3 * sigma**4, (has_law(X, normal(0, sigma**2)),)),
        lambda: Statement(E(X**4), sigma**4, (has_law(X, normal(0, sigma**2)),)),
    ),
    # P a linear combination of independent normal variables: E[exp P] = exp(E[P] + Var(P)/2)
    Law(
        "gaussian.exponential",
        "moment generating function of the normal law",
        "正态分布的矩母函数",
        _normal_exponential,
        lambda: Statement(E(exp(s * X)), exp(s * mu + s**2 * sigma**2 / 2), (has_law(X, normal(mu, sigma**2)),)),
        lambda: Statement(E(exp(s * X)), exp(s * mu + s**2 * sigma**2), (has_law(X, normal(mu, sigma**2)),)),
        reasons=("gaussian", "exponential"),
    ),
    # P a linear combination of independent normal variables of mean zero: E|P| = sqrt(2 Var(P)/pi)
    Law(
        "gaussian.absolute",
        "mean absolute value of a normal variable",
        "正态变量绝对值的期望",
        _normal_absolute,
        lambda: Statement(E(absolute(X)), sqrt(2 / pi) * absolute(sigma), (has_law(X, normal(0, sigma**2)),)),
        lambda: Statement(E(absolute(X)), absolute(sigma), (has_law(X, normal(0, sigma**2)),)),
    ),
)
