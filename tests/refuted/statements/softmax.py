"""False statements next to the true ones about softmax. Each must be refuted, at the step that is wrong."""

from derivations import (
    Chain,
    Derivative,
    Note,
    Sum,
    by,
    delta,
    derivation,
    equals,
    exp,
    log,
    logsumexp,
    sigmoid,
    softmax,
    tanh,
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
