"""False statements next to the true ones about softmax. Each must be refuted, at the step that is wrong."""

from derivations import (
    Chain,
    Derivative,
    Note,
    Sum,
    at_most,
    by,
    delta,
    derivation,
    equals,
    exp,
    gap_below,
    limit,
    log,
    logsumexp,
    maximal_entries,
    norm,
    sigmoid,
    softmax,
    tabulate,
    tanh,
    trace,
    unique_maximum,
)


@derivation(title=("A plus sign in the Jacobian", "雅可比矩阵中的符号错误"))
def jacobian_plus(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)
    return note.chain(Derivative(y[i], x[j]), equals(y[i] * (delta(i, j) + y[j]), by.definition, by.derivative))


@derivation(title=("The diagonal formula off the diagonal", "把对角元公式用于所有元素"))
def jacobian_diagonal_everywhere(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)
    return note.chain(
        Derivative(y[i], x[j]),
        equals(y[i] * (delta(i, j) - y[j]), by.definition, by.derivative),
        equals(y[i] * (1 - y[j]), by.algebra),
    )


@derivation(title=("Swapped indices", "下标写反"))
def jacobian_swapped(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)
    return note.chain(Derivative(y[i], x[j]), equals(y[j] * (delta(i, j) - y[j]), by.definition, by.derivative))


@derivation(title=("A Jacobian for two classes only", "只对两类成立的雅可比矩阵"))
def jacobian_two_classes(note: Note) -> Chain:
    # For n = 2 the off-diagonal entry is -y_i (1 - y_i); for n = 3 it is not.
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)
    return note.chain(
        Derivative(y[i], x[j]),
        equals((2 * delta(i, j) - 1) * y[i] * (1 - y[i]), by.definition, by.derivative),
    )


@derivation(title=("Softmax without exp in its denominator", "softmax 分母漏掉 exp"))
def denominator_without_exp(note: Note) -> Chain:
    n = note.dimension("n")
    i, k = note.index("i", n), note.index("k", n)
    x = note.vector("x", n)
    return note.chain(softmax(x)[i], equals(exp(x[i]) / Sum(x[k], k), by.definition))


@derivation(title=("The gradient of log-sum-exp, not normalised", "log-sum-exp 的梯度未归一化"))
def logsumexp_gradient_unnormalised(note: Note) -> Chain:
    n = note.dimension("n")
    i, k = note.index("i", n), note.index("k", n)
    x = note.vector("x", n)
    return note.chain(
        Derivative(logsumexp(x), x[i]),
        equals(Derivative(log(Sum(exp(x[k]), k)), x[i]), by.definition),
        equals(exp(x[i]), by.derivative),
    )


@derivation(title=("Cross-entropy with targets that need not sum to one", "目标之和不必为一的交叉熵"))
def cross_entropy_targets_not_normalised(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x, t = note.vector("x", n), note.vector("t", n)
    y = softmax(x)
    return note.chain(
        Derivative(-Sum(t[i] * log(y[i]), i), x[j]),
        equals(y[j] * Sum(t[i], i) - t[j], by.definition, by.derivative, by.exponential),
        equals(y[j] - t[j], by.given),
    )


@derivation(title=("The rows of the Jacobian sum to one", "雅可比矩阵各行之和为一"))
def jacobian_rows_sum_to_one(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)
    return note.chain(Sum(Derivative(y[i], x[j]), j), equals(1, by.definition, by.derivative))


@derivation(title=("tanh with the scale forgotten", "tanh 与 sigmoid 的关系漏掉缩放"))
def tanh_without_scale(note: Note) -> Chain:
    z = note.scalar("z")
    return note.chain(tanh(z), equals(2 * sigmoid(z) - 1, by.definition, by.exponential))


@derivation(title=("The logarithm of a ratio", "比值的对数写成对数的比值"))
def log_of_ratio(note: Note) -> Chain:
    p, q = note.scalar("p", positive=True), note.scalar("q", positive=True)
    return note.chain(
        log(p / q), equals(log(p) - log(q), by.exponential, by.nonnegativity), equals(log(p) - q, by.exponential)
    )


@derivation(title=("The gradient always vanishes", "梯度总会消失"))
def gradient_always_vanishes(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    t = note.scalar("t")
    x, e = note.vector("x", n), note.vector("e", n)
    note.given(maximal_entries(x, e))
    y = softmax(t * x)
    return note.chain(
        limit(norm(tabulate(y[i] * (delta(i, j) - y[j]), i, j)), t),
        equals(0, by.limit, by.exponential, by.definition, by.order),
    )


@derivation(title=("A one-hot limit under ties", "并列最大时的 one-hot 极限"))
def one_hot_under_ties(note: Note) -> Chain:
    n = note.dimension("n")
    i = note.index("i", n)
    t = note.scalar("t")
    x, e = note.vector("x", n), note.vector("e", n)
    note.given(maximal_entries(x, e))
    return note.chain(limit(softmax(t * x)[i], t), equals(e[i], by.limit, by.exponential, by.definition, by.order))


@derivation(title=("The bound with one in place of two", "界中的 2 写成 1"))
def norm_bound_with_one(note: Note) -> Chain:
    n = note.dimension("n")
    i, j, m = note.index("i", n), note.index("j", n), note.index("m", n)
    g = note.scalar("g")
    x = note.vector("x", n)
    note.given(gap_below(x, m, g))
    y = softmax(x)
    return note.chain(
        norm(tabulate(y[i] * (delta(i, j) - y[j]), i, j)),
        at_most((n - 1) * exp(-g), by.definition, by.order, by.exponential),
    )


@derivation(title=("The tail without its factor", "尾部权重漏掉因子 n − 1"))
def tail_without_factor(note: Note) -> Chain:
    n = note.dimension("n")
    m = note.index("m", n)
    g = note.scalar("g")
    x = note.vector("x", n)
    note.given(gap_below(x, m, g))
    return note.chain(1 - softmax(x)[m], at_most(exp(-g), by.definition, by.order, by.exponential))


@derivation(title=("The trace at most one minus the largest", "迹不超过 1 减最大分量"))
def trace_with_one(note: Note) -> Chain:
    n = note.dimension("n")
    i, j, m = note.index("i", n), note.index("j", n), note.index("m", n)
    x = note.vector("x", n)
    note.given(unique_maximum(x, m))
    y = softmax(x)
    return note.chain(
        trace(tabulate(y[i] * (delta(i, j) - y[j]), i, j)), at_most(1 - y[m], by.definition, by.nonnegativity)
    )


@derivation(title=("The squared norm with a wrong cube", "范数平方中立方项的系数错误"))
def squared_norm_wrong_cube(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    x = note.vector("x", n)
    y = softmax(x)
    return note.chain(
        norm(tabulate(y[i] * (delta(i, j) - y[j]), i, j)) ** 2,
        equals(Sum((y[i] * (delta(i, j) - y[j])) ** 2, i, j), by.definition),
        equals(Sum(y[i] ** 2, i) - Sum(y[i] ** 3, i) + Sum(y[i] ** 2, i) ** 2, by.algebra),
    )


@derivation(title=("Softmax does not see a scale", "softmax 对缩放不变"))
def scale_invariance(note: Note) -> Chain:
    n = note.dimension("n")
    i = note.index("i", n)
    x = note.vector("x", n)
    return note.chain(softmax(2 * x)[i], equals(softmax(x)[i], by.definition, by.exponential))
