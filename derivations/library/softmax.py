"""Softmax: its normalisation, its Jacobian, and the gradients of the losses built on it."""

from derivations import (
    Chain,
    Derivative,
    Note,
    Sum,
    by,
    delta,
    derivation,
    equals,
    equation,
    exp,
    log,
    logsumexp,
    softmax,
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
