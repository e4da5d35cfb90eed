"""Objects that the tests of the language are written with."""

from derivations.language.arrays import array, random_array
from derivations.language.symbols import Dimension, Scalar, index

n, m = Dimension("n"), Dimension("m")
i, j, k = index("i", n), index("j", n), index("k", n)
r = index("r", m)
a, b = Scalar("a"), Scalar("b")
x, y = array("x", n), array("y", n)
z = array("z", m)
A, B = array("A", n, n), array("B", m, n)
X, Y = random_array("X"), random_array("Y")
V = random_array("V", n)
