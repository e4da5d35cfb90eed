"""Scaled dot-product attention: why the scores are divided by sqrt(d_k)."""

from derivations import (
    Chain,
    Cov,
    DistinctSum,
    E,
    Note,
    Sum,
    Var,
    by,
    derivation,
    dot,
    equal,
    equals,
    iff,
    independent,
    normal,
    sqrt,
)

VASWANI = "Vaswani et al. 2017, Attention is all you need, section 3.2.1"


@derivation(title=("Mean of a dot product", "点积的期望"), source=VASWANI)
def dot_product_mean(note: Note) -> Chain:
    """The dot product of independent vectors with mean zero has mean zero."""
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))

    return note.chain(
        E(dot(Q, K)),
        equals(E(Sum(Q[i] * K[i], i)), by.definition),
        equals(Sum(E(Q[i] * K[i]), i), by.linearity),
        equals(Sum(E(Q[i]) * E(K[i]), i), by.independence),
        equals(0, by.moments),
    )


@derivation(title=("Variance of a dot product", "点积的方差"), source=VASWANI)
def dot_product_variance(note: Note) -> Chain:
    """The dot product of independent vectors with standardised entries has variance d_k."""
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))

    return note.chain(
        Var(dot(Q, K)),
        equals(Var(Sum(Q[i] * K[i], i)), by.definition),
        equals(Sum(Var(Q[i] * K[i]), i), by.independence),
        equals(Sum(1, i), by.variance, by.independence, by.moments),
        equals(d_k, by.summation),
    )


@derivation(title=("Variance of a dot product, any means and variances", "点积的方差：一般均值与方差"), source=VASWANI)
def dot_product_variance_general(note: Note) -> Chain:
    """With means and variances of their own, two more terms appear; they vanish only for mean zero."""
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    mu_Q, mu_K = note.scalar("mu_Q"), note.scalar("mu_K")
    sigma_Q, sigma_K = note.scalar("sigma_Q"), note.scalar("sigma_K")
    Q = note.random_vector("Q", d_k, mean=mu_Q, variance=sigma_Q**2)
    K = note.random_vector("K", d_k, mean=mu_K, variance=sigma_K**2)
    note.given(independent(Q, K))

    return note.chain(
        Var(dot(Q, K)),
        equals(Sum(Var(Q[i] * K[i]), i), by.definition, by.independence),
        equals(Sum(E(Q[i] ** 2) * E(K[i] ** 2) - E(Q[i]) ** 2 * E(K[i]) ** 2, i), by.variance, by.independence),
        equals(Sum((sigma_Q**2 + mu_Q**2) * (sigma_K**2 + mu_K**2) - mu_Q**2 * mu_K**2, i), by.moments),
        equals(d_k * (sigma_Q**2 * sigma_K**2 + mu_Q**2 * sigma_K**2 + mu_K**2 * sigma_Q**2), by.summation),
    )


@derivation(title=("Variance of a scaled dot product", "缩放点积的方差"), source=VASWANI)
def scaled_dot_product_variance(note: Note) -> Chain:
    """Dividing by the square root of d_k brings the variance back to one."""
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))

    return note.chain(
        Var(dot(Q, K) / sqrt(d_k)),
        equals(Var(dot(Q, K)) / d_k, by.linearity),
        equals(Sum(Var(Q[i] * K[i]), i) / d_k, by.definition, by.independence),
        equals(Sum(1, i) / d_k, by.variance, by.independence, by.moments),
        equals(1, by.summation),
    )


@derivation(title=("Fourth moment of a dot product", "点积的四阶矩"), source=VASWANI)
def dot_product_fourth_moment(note: Note) -> Chain:
    """Only terms in which each index occurs twice or four times have a mean other than zero."""
    d_k = note.dimension("d_k")
    i, j = note.index("i", d_k), note.index("j", d_k)
    kappa_Q, kappa_K = note.scalar("kappa_Q"), note.scalar("kappa_K")
    Q = note.random_vector("Q", d_k, mean=0, variance=1, fourth_moment=kappa_Q)
    K = note.random_vector("K", d_k, mean=0, variance=1, fourth_moment=kappa_K)
    note.given(independent(Q, K))

    return note.chain(
        E(dot(Q, K) ** 4),
        equals(E(Sum(Q[i] * K[i], i) ** 4), by.definition),
        equals(
            Sum(E(Q[i] ** 4) * E(K[i] ** 4), i)
            + 3 * DistinctSum(E(Q[i] ** 2) * E(K[i] ** 2) * E(Q[j] ** 2) * E(K[j] ** 2), i, j),
            by.independence,
            by.moments,
        ),
        equals(d_k * kappa_Q * kappa_K + 3 * d_k * (d_k - 1), by.moments, by.summation),
    )


@derivation(title=("Two scores of one query are uncorrelated", "同一查询的两个得分不相关"), source=VASWANI)
def covariance_of_scores(note: Note) -> Chain:
    """The scores of one query against two keys have covariance zero."""
    d_k = note.dimension("d_k")
    i, j = note.index("i", d_k), note.index("j", d_k)
    Q, K_a, K_b = (note.random_vector(name, d_k, mean=0, variance=1) for name in ("Q", "K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))

    return note.chain(
        Cov(dot(Q, K_a), dot(Q, K_b)),
        equals(E(dot(Q, K_a) * dot(Q, K_b)) - E(dot(Q, K_a)) * E(dot(Q, K_b)), by.variance),
        equals(
            Sum(E(Q[i] * Q[j]) * E(K_a[i]) * E(K_b[j]), i, j) - E(dot(Q, K_a)) * E(dot(Q, K_b)),
            by.definition,
            by.independence,
        ),
        equals(0, by.definition, by.independence, by.moments),
    )


@derivation(
    title=("The squares of two scores of one query are correlated", "同一查询的两个得分的平方相关"), source=VASWANI
)
def covariance_of_squared_scores(note: Note) -> Chain:
    """Both scores share the query, so they are not independent: their squares have a covariance."""
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    kappa_Q = note.scalar("kappa_Q")
    Q = note.random_vector("Q", d_k, mean=0, variance=1, fourth_moment=kappa_Q)
    K_a, K_b = (note.random_vector(name, d_k, mean=0, variance=1) for name in ("K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))

    return note.chain(
        Cov(dot(Q, K_a) ** 2, dot(Q, K_b) ** 2),
        equals(Var(Sum(Q[i] ** 2, i)), by.definition, by.variance, by.independence, by.moments),
        equals(Sum(Var(Q[i] ** 2), i), by.independence),
        equals(Sum(E(Q[i] ** 4) - E(Q[i] ** 2) ** 2, i), by.variance),
        equals(d_k * (kappa_Q - 1), by.moments, by.summation),
    )


@derivation(title=("The squares of two normal scores", "正态情形下两个得分平方的协方差"), source=VASWANI)
def covariance_of_squared_normal_scores(note: Note) -> Chain:
    """For normal entries the fourth moment is 3 and the covariance of the squares 2 d_k."""
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q, K_a, K_b = (note.random_vector(name, d_k, law=normal(0, 1)) for name in ("Q", "K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))

    return note.chain(
        Cov(dot(Q, K_a) ** 2, dot(Q, K_b) ** 2),
        equals(Sum(E(Q[i] ** 4) - E(Q[i] ** 2) ** 2, i), by.definition, by.variance, by.independence, by.gaussian),
        equals(Sum(3 - 1, i), by.gaussian),
        equals(2 * d_k, by.summation),
    )


@derivation(
    title=("The scores of one query are uncorrelated, not independent", "同一查询的得分不相关，但不独立"),
    source=VASWANI,
)
def scores_of_one_query_uncorrelated(note: Note) -> Chain:
    """Uncorrelated, and yet dependent, since they share the query."""
    return note.conjunction(
        note.cite("attention.covariance_of_scores"),
        note.cite("attention.covariance_of_squared_scores"),
        note.cite("attention.covariance_of_squared_normal_scores"),
    )


@derivation(title=("Variance of a difference of scores", "得分之差的方差"), source=VASWANI)
def score_difference_variance(note: Note) -> Chain:
    """Softmax sees only differences of scores; they spread like 2 d_k."""
    d_k = note.dimension("d_k")
    i = note.index("i", d_k)
    Q, K_a, K_b = (note.random_vector(name, d_k, mean=0, variance=1) for name in ("Q", "K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))

    return note.chain(
        Var(dot(Q, K_a) - dot(Q, K_b)),
        equals(Var(Sum(Q[i] * (K_a[i] - K_b[i]), i)), by.definition, by.linearity),
        equals(Sum(Var(Q[i] * (K_a[i] - K_b[i])), i), by.independence),
        equals(Sum(E(Q[i] ** 2) * E((K_a[i] - K_b[i]) ** 2), i), by.variance, by.independence, by.moments),
        equals(Sum(1 * 2, i), by.independence, by.moments),
        equals(2 * d_k, by.summation),
    )


@derivation(title=("Only the square root of d_k restores variance one", "只有 √d_k 能使方差恢复为 1"), source=VASWANI)
def scale_is_unique(note: Note) -> Chain:
    """Among positive scales, the square root of d_k and no other brings the variance to one."""
    d_k = note.dimension("d_k")
    c = note.scalar("c", positive=True)
    Q = note.random_vector("Q", d_k, mean=0, variance=1)
    K = note.random_vector("K", d_k, mean=0, variance=1)
    note.given(independent(Q, K))

    return note.chain(
        equal(Var(dot(Q, K) / c), 1),
        iff(equal(Var(dot(Q, K)) / c**2, 1), by.linearity, by.equivalence),
        iff(equal(d_k / c**2, 1), by.equivalence, note.cite("attention.dot_product_variance")),
        iff(equal(d_k, c**2), by.equivalence, by.nonnegativity, factor=c**2),
        iff(equal(c, sqrt(d_k)), by.equivalence, by.nonnegativity, factor=-(c + sqrt(d_k))),
    )


@derivation(
    title=(
        "Only the square root of d_k keeps differences of scores in place",
        "只有 √d_k 能使得分之差的方差不随 d_k 变化",
    ),
    source=VASWANI,
)
def difference_scale_is_unique(note: Note) -> Chain:
    """What softmax sees has variance two for the square root of d_k, whatever d_k is, and for no other scale."""
    d_k = note.dimension("d_k")
    c = note.scalar("c", positive=True)
    Q, K_a, K_b = (note.random_vector(name, d_k, mean=0, variance=1) for name in ("Q", "K_a", "K_b"))
    note.given(independent(Q, K_a, K_b))

    return note.chain(
        equal(Var((dot(Q, K_a) - dot(Q, K_b)) / c), 2),
        iff(equal(Var(dot(Q, K_a) - dot(Q, K_b)) / c**2, 2), by.linearity, by.equivalence),
        iff(equal(2 * d_k / c**2, 2), by.equivalence, note.cite("attention.score_difference_variance")),
        iff(equal(d_k, c**2), by.equivalence, by.nonnegativity, factor=c**2 / 2),
        iff(equal(c, sqrt(d_k)), by.equivalence, by.nonnegativity, factor=-(c + sqrt(d_k))),
    )


@derivation(title=("Why attention divides by the square root of d_k", "注意力为什么要除以 √d_k"), source=VASWANI)
def why_sqrt_d(note: Note) -> Chain:
    """The conjunction of what is true; the usual telling claims more."""
    return note.conjunction(
        note.cite("attention.dot_product_mean"),
        note.cite("attention.dot_product_variance"),
        note.cite("attention.scale_is_unique"),
        note.cite("attention.covariance_of_scores"),
        note.cite("attention.covariance_of_squared_scores"),
        note.cite("attention.score_difference_variance"),
        note.cite("attention.difference_scale_is_unique"),
        note.cite("spread.range_scales_with_deviation"),
        note.cite("spread.gap_scales_with_deviation"),
        note.cite("softmax.limit_unique_maximum"),
        note.cite("softmax.jacobian_norm_at_scale"),
        note.cite("softmax.jacobian_norm_bound_vanishes"),
        note.cite("softmax.jacobian_norm_with_ties"),
    )
