"""Averages of independent variables."""

from derivations import Chain, Note, Sum, Var, by, derivation, equals


@derivation(title=("Variance of a mean", "均值的方差"))
def variance_of_mean(note: Note) -> Chain:
    """The mean of n independent variables has one n-th of their variance."""
    n, sigma = note.dimension("n"), note.scalar("sigma")
    i = note.index("i", n)
    x = note.random_vector("x", n, mean=0, variance=sigma**2)
    return note.chain(
        Var(Sum(x[i], i) / n),
        equals(Sum(Var(x[i]), i) / n**2, by.linearity, by.independence),
        equals(sigma**2 / n, by.variance, by.moments, by.summation),
    )
