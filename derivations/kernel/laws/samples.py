"""Objects that the examples of the laws are written with."""

from __future__ import annotations

from derivations.language.arrays import array, random_array
from derivations.language.symbols import Dimension, Scalar, index

n = Dimension("n")
m = Dimension("m")
i, j, k = index("i", n), index("j", n), index("k", n)
row, column = index("r", m), index("c", m)
a, b, s, t = Scalar("a"), Scalar("b"), Scalar("s"), Scalar("t")
mu, sigma = Scalar("mu"), Scalar("sigma")
x, y, marks = array("x", n), array("y", n), array("e", n)
A = array("A", n, n)
B = array("B", m, n)
X, Y = random_array("X"), random_array("Y")
V, W = random_array("V", n), random_array("W", n)
