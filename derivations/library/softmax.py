"""Softmax: its normalisation, its Jacobian, and the gradients of the losses built on it."""

from derivations import (
    Chain,
    Derivative,
    DistinctSum,
    Max,
    Note,
    Sum,
    at_most,
    by,
    delta,
    derivation,
    equals,
    equation,
    exp,
    gap_below,
    limit,
    log,
    logsumexp,
    maximal_entries,
    norm,
    softmax,
    sqrt,
    tabulate,
    trace,
    transpose,
    unique_maximum,
)

BRIDLE = "Bridle 1990, Probabilistic interpretation of feedforward classification network outputs"
GOODFELLOW = "Goodfellow, Bengio and Courville 2016, Deep Learning, section 6.2.2"


@derivation(title=("Softmax sums to one", "softmax 的各分量之和为一"), source=BRIDLE)
def sums_to_one(note: Note) -> Chain:
    """The entries of a softmax sum to one."""
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)

    return note.chain(
        Sum(softmax(x)[i], i),
        equals(Sum(exp(x[i]) / Sum(exp(x[j]), j), i), by.definition),
        equals(Sum(exp(x[i]), i) / Sum(exp(x[j]), j), by.algebra),
        equals(1, by.algebra),
    )


@derivation(title=("Jacobian of softmax", "softmax 的雅可比矩阵"), source=BRIDLE)
def jacobian(note: Note) -> Chain:
    """The derivative of entry i by score j is y_i (delta_ij - y_j)."""
    n = note.dimension("n")
    i, j, k = note.index("i", n), note.index("j", n), note.index("k", n)
    x = note.vector("x", n)
    y = softmax(x)
    total = Sum(exp(x[k]), k)

    return note.chain(
        Derivative(y[i], x[j]),
        equals(Derivative(exp(x[i]) / total, x[j]), by.definition),
        equals((delta(i, j) * exp(x[i]) * total - exp(x[i]) * exp(x[j])) / total**2, by.derivative),
        equals(exp(x[i]) / total * (delta(i, j) - exp(x[j]) / total), by.algebra),
        equals(y[i] * (delta(i, j) - y[j]), by.definition),
    )


@derivation(title=("The Jacobian of softmax is symmetric", "softmax 的雅可比矩阵是对称的"), source=BRIDLE)
def jacobian_symmetric(note: Note) -> Chain:
    """Exchanging i and j changes nothing."""
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)

    return note.chain(
        Derivative(y[i], x[j]),
        equals(y[i] * (delta(i, j) - y[j]), by.definition, by.derivative),
        equals(y[j] * (delta(j, i) - y[i]), by.algebra),
        equals(Derivative(y[j], x[i]), by.definition, by.derivative),
    )


@derivation(title=("The rows of the softmax Jacobian sum to zero", "softmax 雅可比矩阵的每一行之和为零"), source=BRIDLE)
def jacobian_rows_sum_to_zero(note: Note) -> Chain:
    """Adding a constant to all scores changes nothing, so each row of the Jacobian sums to zero."""
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)

    return note.chain(
        Sum(Derivative(y[i], x[j]), j),
        equals(Sum(y[i] * (delta(i, j) - y[j]), j), by.definition, by.derivative),
        equals(y[i] - y[i] * Sum(y[j], j), by.algebra),
        equals(y[i] - y[i], by.definition),
        equals(0, by.algebra),
    )


@derivation(title=("Gradient of log-sum-exp", "log-sum-exp 的梯度"), source=GOODFELLOW)
def logsumexp_gradient(note: Note) -> Chain:
    """The gradient of log-sum-exp is softmax."""
    n = note.dimension("n")
    i, k = note.index("i", n), note.index("k", n)
    x = note.vector("x", n)

    return note.chain(
        Derivative(logsumexp(x), x[i]),
        equals(Derivative(log(Sum(exp(x[k]), k)), x[i]), by.definition),
        equals(exp(x[i]) / Sum(exp(x[k]), k), by.derivative),
        equals(softmax(x)[i], by.definition),
    )


@derivation(title=("Gradient of cross-entropy after softmax", "softmax 交叉熵的梯度"), source=GOODFELLOW)
def cross_entropy_gradient(note: Note) -> Chain:
    """For targets that sum to one the gradient by the scores is prediction minus target."""
    n = note.dimension("n")
    i, j, k = note.index("i", n), note.index("j", n), note.index("k", n)
    x, t = note.vector("x", n), note.vector("t", n)
    note.given(equation(Sum(t[i], i), 1))
    y = softmax(x)

    return note.chain(
        Derivative(-Sum(t[i] * log(y[i]), i), x[j]),
        equals(Derivative(-Sum(t[i] * (x[i] - log(Sum(exp(x[k]), k))), i), x[j]), by.definition, by.exponential),
        equals(-Sum(t[i] * (delta(i, j) - y[j]), i), by.derivative, by.definition),
        equals(y[j] * Sum(t[i], i) - t[j], by.algebra),
        equals(y[j] - t[j], by.given),
    )


@derivation(title=("Softmax depends on differences only", "softmax 只依赖于各分量之差"), source=GOODFELLOW)
def shift_invariance(note: Note) -> Chain:
    """With d_i the distance below the maximum, softmax is exp(-d_i) over its sum."""
    n = note.dimension("n")
    i, j, k = note.index("i", n), note.index("j", n), note.index("k", n)
    x = note.vector("x", n)
    top = Max(x[k], k)

    return note.chain(
        softmax(x)[i],
        equals(exp(x[i]) / Sum(exp(x[j]), j), by.definition),
        equals(exp(-top) * exp(x[i]) / (exp(-top) * Sum(exp(x[j]), j)), by.algebra),
        equals(exp(-(top - x[i])) / Sum(exp(-(top - x[j])), j), by.exponential),
    )


@derivation(title=("Softmax tends to argmax", "softmax 趋于 argmax"), source=BRIDLE)
def limit_unique_maximum(note: Note) -> Chain:
    """With one largest score, all weight goes to it as the scores grow."""
    n = note.dimension("n")
    i, j, m = note.index("i", n), note.index("j", n), note.index("m", n)
    t = note.scalar("t")
    x = note.vector("x", n)
    note.given(unique_maximum(x, m))

    return note.chain(
        limit(softmax(t * x)[i], t),
        equals(limit(exp(-(t * (x[m] - x[i]))) / Sum(exp(-(t * (x[m] - x[j]))), j), t), by.definition, by.exponential),
        equals(delta(i, m) / Sum(delta(j, m), j), by.limit, by.exponential),
        equals(delta(i, m), by.algebra),
    )


@derivation(title=("Softmax at a tie", "最大值不唯一时的 softmax"), source=BRIDLE)
def limit_with_ties(note: Note) -> Chain:
    """The weight is shared equally by the r largest scores; e marks them."""
    n, r = note.dimension("n"), note.dimension("r")
    i, j = note.index("i", n), note.index("j", n)
    t = note.scalar("t")
    x, e = note.vector("x", n), note.vector("e", n)
    note.given(maximal_entries(x, e), equation(Sum(e[j], j), r))

    return note.chain(
        limit(softmax(t * x)[i], t),
        equals(limit(exp(t * x[i]) / Sum(exp(t * x[j]), j), t), by.definition),
        equals(e[i] / Sum(e[j], j), by.limit, by.exponential),
        equals(e[i] / r, by.given),
    )


@derivation(title=("The weight outside the maximum", "最大分量以外的权重"), source=BRIDLE)
def tail_bound(note: Note) -> Chain:
    """If every other score lies at least g below, the others share at most (n - 1) exp(-g)."""
    n = note.dimension("n")
    i, j, m = note.index("i", n), note.index("j", n), note.index("m", n)
    g = note.scalar("g")
    x = note.vector("x", n)
    note.given(gap_below(x, m, g))
    others = Sum((1 - delta(i, m)) * exp(x[i] - x[m]), i)
    total = Sum(exp(x[j] - x[m]), j)

    return note.chain(
        1 - softmax(x)[m],
        equals(others / total, by.definition, by.exponential),
        at_most(others, by.exponential, by.nonnegativity, slack=others * others / total),
        at_most(Sum((1 - delta(i, m)) * exp(-g), i), by.order, by.nonnegativity, by.exponential),
        equals((n - 1) * exp(-g), by.summation),
    )


@derivation(title=("The squared norm of the softmax Jacobian", "softmax 雅可比矩阵范数的平方"), source=BRIDLE)
def jacobian_squared_norm(note: Note) -> Chain:
    """The sum of the squared entries of the Jacobian, in powers of y."""
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)

    return note.chain(
        norm(tabulate(Derivative(y[i], x[j]), i, j)) ** 2,
        equals(norm(tabulate(y[i] * (delta(i, j) - y[j]), i, j)) ** 2, by.definition, by.derivative),
        equals(Sum((y[i] * (delta(i, j) - y[j])) ** 2, i, j), by.definition),
        equals(Sum(y[i] ** 2, i) - 2 * Sum(y[i] ** 3, i) + Sum(y[i] ** 2, i) ** 2, by.algebra),
    )


@derivation(title=("The Jacobian vanishes at a one-hot output", "输出为 one-hot 时雅可比矩阵为零"), source=BRIDLE)
def jacobian_vanishes_at_one_hot(note: Note) -> Chain:
    """Where y is one at m and zero elsewhere, every entry y_i (delta_ij - y_j) is zero."""
    n = note.dimension("n")
    i, j, m = note.index("i", n), note.index("j", n), note.index("m", n)

    return note.chain(
        norm(tabulate(delta(i, m) * (delta(i, j) - delta(j, m)), i, j)),
        equals(sqrt(Sum((delta(i, m) * (delta(i, j) - delta(j, m))) ** 2, i, j)), by.definition),
        equals(0, by.algebra),
    )


@derivation(title=("The Jacobian at a tie does not vanish", "最大值不唯一时雅可比矩阵不趋于零"), source=BRIDLE)
def jacobian_norm_with_ties(note: Note) -> Chain:
    """With r equal largest scores the norm tends to sqrt(r - 1)/r, which is zero for r = 1 only."""
    n, r = note.dimension("n"), note.dimension("r")
    i, j, k = note.index("i", n), note.index("j", n), note.index("k", n)
    t = note.scalar("t")
    x, e = note.vector("x", n), note.vector("e", n)
    note.given(maximal_entries(x, e), equation(Sum(e[k], k), r))
    y = softmax(t * x)

    return note.chain(
        limit(norm(tabulate(y[i] * (delta(i, j) - y[j]), i, j)), t),
        equals(limit(sqrt(Sum((y[i] * (delta(i, j) - y[j])) ** 2, i, j)), t), by.definition),
        equals(
            sqrt(Sum((e[i] / r * (delta(i, j) - e[j] / r)) ** 2, i, j)),
            by.definition,
            by.exponential,
            by.limit,
            by.order,
            by.given,
        ),
        equals(sqrt(r - 1) / r, by.order, by.given),
    )


@derivation(title=("The norm of the Jacobian against its trace", "雅可比矩阵的范数与迹"), source=BRIDLE)
def jacobian_squared_norm_at_most_squared_trace(note: Note) -> Chain:
    """The difference is a sum over three different indices of y_i y_j y_k, which is not negative."""
    n = note.dimension("n")
    i, j, k = note.index("i", n), note.index("j", n), note.index("k", n)
    x = note.vector("x", n)
    y = softmax(x)

    return note.chain(
        Sum((y[i] * (delta(i, j) - y[j])) ** 2, i, j),
        at_most(
            Sum(y[i] * (1 - y[i]), i) ** 2,
            by.definition,
            by.nonnegativity,
            slack=DistinctSum(y[i] * y[j] * y[k], i, j, k),
        ),
    )


@derivation(title=("A bound on the softmax Jacobian", "softmax 雅可比矩阵的界"), source=BRIDLE)
def jacobian_norm_bound(note: Note) -> Chain:
    """The norm is at most the trace, that at most 2 (1 - y_m), and that falls exponentially with the gap."""
    n = note.dimension("n")
    i, j, m = note.index("i", n), note.index("j", n), note.index("m", n)
    g = note.scalar("g")
    x = note.vector("x", n)
    note.given(gap_below(x, m, g))
    y = softmax(x)
    jacobian = tabulate(y[i] * (delta(i, j) - y[j]), i, j)

    return note.chain(
        norm(jacobian),
        at_most(
            Sum(y[i] * (1 - y[i]), i),
            by.definition,
            by.order,
            note.cite("softmax.jacobian_squared_norm_at_most_squared_trace"),
        ),
        equals(trace(jacobian), by.definition),
        at_most(
            1 - y[m] ** 2,
            by.definition,
            by.nonnegativity,
            slack=Sum((1 - delta(i, m)) * y[i] ** 2, i),
        ),
        at_most(2 * (1 - y[m]), by.nonnegativity, slack=(1 - y[m]) ** 2),
        at_most(2 * ((n - 1) * exp(-g)), by.order, by.definition, by.exponential, note.cite("softmax.tail_bound")),
    )


@derivation(title=("A bound on the Jacobian for scaled scores", "得分放大后雅可比矩阵的界"), source=BRIDLE)
def jacobian_norm_at_scale(note: Note) -> Chain:
    """Scores sigma z with a gap g of z have the gap sigma g."""
    n = note.dimension("n")
    i, j, m = note.index("i", n), note.index("j", n), note.index("m", n)
    g = note.scalar("g", positive=True)
    sigma = note.scalar("sigma", nonnegative=True)
    z = note.vector("z", n)
    note.given(gap_below(z, m, g))
    y = softmax(sigma * z)

    return note.chain(
        norm(tabulate(y[i] * (delta(i, j) - y[j]), i, j)),
        at_most(
            2 * ((n - 1) * exp(-(sigma * g))),
            by.definition,
            by.exponential,
            note.cite("softmax.jacobian_norm_bound", x=sigma * z, g=sigma * g),
        ),
    )


@derivation(title=("The bound on the Jacobian vanishes", "雅可比矩阵的界趋于零"), source=BRIDLE)
def jacobian_norm_bound_vanishes(note: Note) -> Chain:
    """For a positive gap the bound tends to zero as the scores grow."""
    n = note.dimension("n")
    g = note.scalar("g", positive=True)
    sigma = note.scalar("sigma")

    return note.chain(
        limit(2 * (n - 1) * exp(-(sigma * g)), sigma),
        equals(2 * (n - 1) * limit(exp(-(sigma * g)), sigma), by.limit, by.exponential, by.nonnegativity),
        equals(0, by.limit, by.exponential, by.nonnegativity),
    )


@derivation(title=("What reaches the scores", "传回得分的梯度"), source=GOODFELLOW)
def backpropagated_gradient_bound(note: Note) -> Chain:
    """Whatever gradient v arrives, what is passed on to the scores is at most the norm of J times that of v."""
    n = note.dimension("n")
    i, j, k, m = note.index("i", n), note.index("j", n), note.index("k", n), note.index("m", n)
    g = note.scalar("g")
    x, v = note.vector("x", n), note.vector("v", n)
    note.given(gap_below(x, m, g))
    y = softmax(x)
    a, b = note.index("a", n), note.index("b", n)
    jacobian = tabulate(y[a] * (delta(a, b) - y[b]), a, b)

    return note.chain(
        norm(transpose(jacobian) @ v),
        equals(sqrt(Sum(Sum(jacobian[i, j] * v[i], i) ** 2, j)), by.definition),
        at_most(
            sqrt(Sum(Sum(jacobian[i, j] ** 2, i) * Sum(v[k] ** 2, k), j)),
            by.convexity,
            by.order,
            by.definition,
        ),
        equals(norm(jacobian) * norm(v), by.definition),
        at_most(
            2 * ((n - 1) * exp(-g)) * norm(v),
            by.order,
            by.nonnegativity,
            by.definition,
            by.exponential,
            note.cite("softmax.jacobian_norm_bound"),
        ),
    )
