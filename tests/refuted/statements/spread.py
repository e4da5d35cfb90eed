"""False statements about range, gap and maximum. Each must be refuted, at the step that is wrong."""

from derivations import (
    Chain,
    E,
    Max,
    Note,
    Sum,
    absolute,
    at_most,
    by,
    derivation,
    dimension_at_least,
    distinct,
    equals,
    integrable,
    largest,
    log,
    normal,
    pi,
    smallest,
    sqrt,
)


@derivation(title=("The range scales with a negative factor too", "负的缩放因子"))
def range_of_any_sign(note: Note) -> Chain:
    n = note.dimension("n")
    i = note.index("i", n)
    sigma = note.scalar("sigma")
    z = note.random_vector("z", n, independent=False, identical=False)
    note.given(integrable(absolute(z[i])))
    return note.chain(
        E(largest(sigma * z) - smallest(sigma * z)),
        equals(sigma * E(largest(z) - smallest(z)), by.order, by.linearity, by.nonnegativity),
    )


@derivation(title=("The maximum of a sum", "和的最大值写成最大值之和"))
def maximum_of_sum(note: Note) -> Chain:
    n = note.dimension("n")
    x, y = note.vector("x", n), note.vector("y", n)
    return note.chain(largest(x + y), equals(largest(x) + largest(y), by.order))


@derivation(title=("The maximum of the negatives", "相反数的最大值"))
def maximum_of_negatives(note: Note) -> Chain:
    n = note.dimension("n")
    x = note.vector("x", n)
    return note.chain(largest(-x), equals(-largest(x), by.order))


@derivation(title=("The expected distance of two normal variables", "两个正态变量之差的期望"))
def distance_of_normals(note: Note) -> Chain:
    n = note.dimension("n")
    a, b = note.index("a", n), note.index("b", n)
    sigma = note.scalar("sigma", nonnegative=True)
    z = note.random_vector("z", n, law=normal(0, sigma**2))
    note.given(dimension_at_least(n, 2), distinct(a, b))
    return note.chain(
        E(absolute(z[a] - z[b])),
        equals(sigma * sqrt(2 / pi), by.gaussian, by.independence, by.nonnegativity),
    )


@derivation(title=("The expected maximum without its factor two", "最大值期望的界漏掉因子 2"))
def maximum_without_factor(note: Note) -> Chain:
    # True up to n = 7 or so; the maximum of many normal variables grows like sqrt(2 ln n).
    n = note.dimension("n")
    i = note.index("i", n)
    z = note.random_vector("z", n, law=normal(0, 1))
    return note.chain(E(Max(z[i], i)), at_most(sqrt(log(n)), by.order, by.gaussian))


@derivation(title=("A sum of vanishing terms", "趋于零的项之和"))
def sum_of_vanishing_terms(note: Note) -> Chain:
    # Each of the n terms 1/n tends to zero, and their sum is one.
    n = note.dimension("n")
    i = note.index("i", n)
    return note.chain(Sum(1 / n, i), equals(0, by.limit))
