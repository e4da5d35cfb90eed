"""Scaled dot-product attention: why the scores are divided by sqrt(d_k)."""

from derivations import Chain, E, Note, Sum, Var, by, derivation, dot, equals, independent, sqrt

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
