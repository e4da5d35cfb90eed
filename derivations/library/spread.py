"""How far apart the entries of a random vector lie: range, top gap and maximum."""

from derivations import (
    Chain,
    E,
    Max,
    Note,
    Sum,
    absolute,
    at_least,
    at_most,
    by,
    derivation,
    dimension_at_least,
    distinct,
    equals,
    exp,
    integrable,
    largest,
    log,
    normal,
    pi,
    smallest,
    sqrt,
)

DAVID = "David and Nagaraja 2003, Order Statistics, chapters 2 and 3"
BOUCHERON = "Boucheron, Lugosi and Massart 2013, Concentration Inequalities, section 2.5"


@derivation(title=("The range scales with the deviation", "极差随标准差成比例变化"), source=DAVID)
def range_scales_with_deviation(note: Note) -> Chain:
    """Scores sigma times as large lie sigma times as far apart."""
    n = note.dimension("n")
    i = note.index("i", n)
    sigma = note.scalar("sigma", nonnegative=True)
    z = note.random_vector("z", n, independent=False, identical=False)
    note.given(integrable(absolute(z[i])))

    return note.chain(
        E(largest(sigma * z) - smallest(sigma * z)),
        equals(E(sigma * (largest(z) - smallest(z))), by.order, by.nonnegativity),
        equals(sigma * E(largest(z) - smallest(z)), by.linearity),
    )


@derivation(title=("The top gap scales with the deviation", "最大值与次大值之差随标准差成比例变化"), source=DAVID)
def gap_scales_with_deviation(note: Note) -> Chain:
    """The largest score leads the second largest by sigma times as much."""
    n = note.dimension("n")
    i = note.index("i", n)
    sigma = note.scalar("sigma", nonnegative=True)
    z = note.random_vector("z", n, independent=False, identical=False)
    note.given(dimension_at_least(n, 2), integrable(absolute(z[i])))

    return note.chain(
        E(largest(sigma * z) - largest(sigma * z, 2)),
        equals(E(sigma * (largest(z) - largest(z, 2))), by.order, by.nonnegativity),
        equals(sigma * E(largest(z) - largest(z, 2)), by.linearity),
    )


@derivation(title=("The expected range of normal variables", "正态变量极差的期望"), source=DAVID)
def expected_range_of_normals_grows(note: Note) -> Chain:
    """The range is at least the distance of two entries, and that grows with sigma."""
    n = note.dimension("n")
    a, b = note.index("a", n), note.index("b", n)
    sigma = note.scalar("sigma", nonnegative=True)
    z = note.random_vector("z", n, law=normal(0, sigma**2))
    note.given(dimension_at_least(n, 2), distinct(a, b))

    return note.chain(
        E(largest(z) - smallest(z)),
        at_least(E(absolute(z[a] - z[b])), by.order),
        equals(2 * sigma / sqrt(pi), by.gaussian, by.independence, by.nonnegativity),
    )


@derivation(title=("The expected maximum of normal variables", "正态变量最大值的期望"), source=BOUCHERON)
def expected_maximum_of_normals(note: Note) -> Chain:
    """Jensen, a maximum is at most a sum, the moment generating function, and the best lambda."""
    n = note.dimension("n")
    i, j = note.index("i", n), note.index("j", n)
    sigma = note.scalar("sigma", positive=True)
    z = note.random_vector("z", n, law=normal(0, sigma**2))
    best = sqrt(2 * log(n)) / sigma
    top = Max(z[i], i)

    return note.cases(
        n,
        one=note.chain(
            E(top),
            equals(0, by.gaussian),
            equals(sigma * sqrt(2 * log(n)), by.algebra),
        ),
        more=note.chain(
            E(top),
            equals(log(exp(best * E(top))) / best, by.exponential),
            equals(log(exp(E(best * top))) / best, by.linearity, by.exponential),
            at_most(log(E(exp(best * top))) / best, by.convexity, by.order, by.nonnegativity),
            at_most(log(E(Sum(exp(best * z[j]), j))) / best, by.order, by.nonnegativity, by.exponential),
            equals(log(n * exp(best**2 * sigma**2 / 2)) / best, by.gaussian, by.exponential, by.summation),
            equals(log(n) / best + best * sigma**2 / 2, by.exponential),
            equals(sigma * sqrt(2 * log(n)), by.exponential),
        ),
    )
