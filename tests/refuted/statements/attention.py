"""False statements next to the true ones about dot products. Each must be refuted, at the step that is wrong."""

from derivations import (
    Chain,
    Cov,
    E,
    Note,
    Sum,
    Var,
    by,
    delta,
    derivation,
    dot,
    equal,
    equals,
    iff,
    independent,
    pairwise_independent,
    sqrt,
)


@derivation(title=("d_k squared for d_k", "把 d_k 写成 d_k 的平方"))
def dimension_squared(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))
    return note.chain(
        Var(dot(Q, K)),
        equals(Sum(Var(Q[i] * K[i]), i), by.definition, by.independence),
        equals(d_k**2, by.variance, by.independence, by.moments, by.summation),
    )


@derivation(title=("One more than d_k", "多了一个 1"))
def dimension_plus_one(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))
    return note.chain(
        Var(dot(Q, K)),
        equals(Sum(1, i), by.definition, by.variance, by.independence, by.moments),
        equals(d_k + 1, by.summation),
    )


@derivation(title=("sigma squared for sigma to the fourth", "把 σ⁴ 写成 σ²"))
def sigma_squared(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    sigma = note.scalar("sigma")
    Q = note.random_vector("Q", d_k, mean=0, variance=sigma**2)
    K = note.random_vector("K", d_k, mean=0, variance=sigma**2)
    note.given(independent(Q, K))
    return note.chain(
        Var(dot(Q, K)),
        equals(Sum(Var(Q[i]) * Var(K[i]), i), by.definition, by.variance, by.independence, by.moments),
        equals(sigma**2 * d_k, by.variance, by.moments, by.summation),
    )


@derivation(title=("The mean terms are forgotten", "漏掉了均值项"))
def forgotten_mean(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    mu = note.scalar("mu")
    Q = note.random_vector("Q", d_k, mean=mu, variance=1)
    K = note.random_vector("K", d_k, mean=mu, variance=1)
    note.given(independent(Q, K))
    return note.chain(
        Var(dot(Q, K)),
        equals(Sum(Var(Q[i] * K[i]), i), by.definition, by.independence),
        equals(Sum(Var(Q[i]) * Var(K[i]), i), by.variance, by.independence),
        equals(d_k, by.variance, by.moments, by.summation),
    )


@derivation(title=("Q and K are not said to be independent", "没有假设 Q 与 K 独立"))
def independence_missing(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    return note.chain(
        E(dot(Q, K)),
        equals(Sum(E(Q[i] * K[i]), i), by.definition, by.linearity),
        equals(Sum(E(Q[i]) * E(K[i]), i), by.independence),
        equals(0, by.moments),
    )


@derivation(title=("The entries are not said to be independent", "没有假设各分量独立"))
def entries_dependent(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    X = note.random_vector("X", d_k, independent=False, mean=0, variance=1)
    return note.chain(
        Var(Sum(X[i], i)),
        equals(Sum(Var(X[i]), i), by.independence),
        equals(d_k, by.variance, by.moments, by.summation),
    )


@derivation(title=("Scaling by d_k", "除以 d_k 而不是 √d_k"))
def scaled_by_dimension(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))
    return note.chain(
        Var(dot(Q, K) / d_k),
        equals(Var(dot(Q, K)) / d_k, by.linearity),
        equals(1, by.definition, by.variance, by.independence, by.moments, by.summation),
    )


@derivation(title=("Scaling by the fourth root", "除以 d_k 的四次方根"))
def scaled_by_fourth_root(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))
    return note.chain(
        Var(dot(Q, K) / sqrt(sqrt(d_k))),
        equals(Var(dot(Q, K)) / sqrt(d_k), by.linearity),
        equals(1, by.definition, by.variance, by.independence, by.moments, by.summation),
    )


@derivation(title=("The variance of a sum without covariances", "和的方差漏掉协方差"))
def covariance_forgotten(note: Note) -> Chain:
    X = note.random_scalar("X", mean=0, variance=1)
    Y = note.random_scalar("Y", mean=0, variance=1)
    return note.chain(
        Var(X + Y),
        equals(Var(X) + 2 * Cov(X, Y) + Var(Y), by.linearity),
        equals(Var(X) + Var(Y), by.independence),
    )


@derivation(title=("Covariances counted twice", "协方差重复计算"))
def covariance_counted_twice(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    X = note.random_vector("X", n, independent=False, mean=0, variance=1)
    return note.chain(
        Var(Sum(X[i], i)),
        equals(Sum(Var(X[i]), i) + 2 * Sum((1 - delta(i, j)) * Cov(X[i], X[j]), i, j), by.linearity),
    )


@derivation(title=("Pairwise is not mutual independence", "两两独立不等于相互独立"))
def pairwise_only(note: Note) -> Chain:
    X, Y, Z = (note.random_scalar(name, mean=0, second_moment=1, third_moment=0) for name in "XYZ")
    note.given(pairwise_independent(X, Y, Z))
    return note.chain(
        E(X * Y * Z),
        equals(E(X) * E(Y) * E(Z), by.independence),
        equals(0, by.moments),
    )


@derivation(title=("The square of a mean", "平方的期望写成期望的平方"))
def square_of_mean(note: Note) -> Chain:
    X = note.random_scalar("X", variance=1)
    return note.chain(Var(X), equals(E(X**2) - E(X) ** 2, by.variance), equals(E(X**2), by.moments))


@derivation(title=("The fourth moment without its diagonal", "四阶矩漏掉对角项"))
def fourth_moment_off_diagonal(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    kappa = note.scalar("kappa")
    Q = note.random_vector("Q", d_k, mean=0, variance=1, fourth_moment=kappa)
    K = note.random_vector("K", d_k, mean=0, variance=1, fourth_moment=kappa)
    note.given(independent(Q, K))
    return note.chain(
        E(dot(Q, K) ** 4),
        equals(3 * d_k**2, by.definition, by.independence, by.moments, by.summation),
    )


@derivation(title=("The sample variance divided by n", "样本方差除以 n 的无偏性"))
def biased_sample_variance(note: Note) -> Chain:
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    sigma = note.scalar("sigma")
    X = note.random_vector("X", n, mean=0, variance=sigma**2)
    return note.chain(
        E(Sum((X[i] - Sum(X[j], j) / n) ** 2, i) / n),
        equals(sigma**2, by.independence, by.moments, by.summation),
    )


@derivation(title=("The scores of one query are independent", "同一查询的得分相互独立"))
def scores_of_one_query_independent(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    Q, K_a, K_b = (note.random_vector(name, d_k, mean=0, variance=1) for name in ("Q", "K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))
    return note.chain(
        Cov(dot(Q, K_a) ** 2, dot(Q, K_b) ** 2),
        equals(0, by.definition, by.variance, by.independence, by.moments, by.summation),
    )


@derivation(title=("A difference of scores has the variance of one score", "得分之差的方差等于单个得分的方差"))
def difference_as_one_score(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    Q, K_a, K_b = (note.random_vector(name, d_k, mean=0, variance=1) for name in ("Q", "K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))
    return note.chain(
        Var(dot(Q, K_a) - dot(Q, K_b)),
        equals(Var(dot(Q, K_a)) - 2 * Cov(dot(Q, K_a), dot(Q, K_b)) + Var(dot(Q, K_b)), by.linearity),
        equals(d_k, by.definition, by.variance, by.independence, by.moments, by.summation),
    )


@derivation(title=("The variance of a difference is a difference of variances", "差的方差写成方差之差"))
def variance_of_difference(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    Q, K_a, K_b = (note.random_vector(name, d_k, mean=0, variance=1) for name in ("Q", "K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))
    return note.chain(
        Var(dot(Q, K_a) - dot(Q, K_b)),
        equals(Var(dot(Q, K_a)) - Var(dot(Q, K_b)), by.independence),
        equals(0, by.definition, by.variance, by.independence, by.moments, by.summation),
    )


@derivation(title=("The scale is d_k", "缩放因子是 d_k"))
def scale_is_dimension(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    c = note.scalar("c", positive=True)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))
    return note.chain(
        equal(Var(dot(Q, K) / c), 1),
        iff(equal(Var(dot(Q, K)) / c**2, 1), by.linearity, by.equivalence),
        iff(equal(c, d_k), by.equivalence),
    )


@derivation(title=("The scale without its sign", "忘记 c 的符号"))
def scale_of_any_sign(note: Note) -> Chain:
    d_k = note.dimension("d_k")
    c = note.scalar("c", nonzero=True)
    return note.chain(
        equal(d_k / c**2, 1),
        iff(equal(d_k, c**2), by.equivalence, by.nonnegativity, factor=c**2),
        iff(equal(c, sqrt(d_k)), by.equivalence),
    )
