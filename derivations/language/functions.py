"""Functions of scalars and of arrays. Array functions are nodes that bind no letter of the author's: their
definitions, which need an inner index, are laws of the kernel and take a fresh one at each use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sympy import Expr
from sympy.core.symbol import Str
from sympy.printing.str import StrPrinter

from derivations.language.arrays import ArrayValued
from derivations.language.errors import LanguageError
from derivations.language.written import Operand, Shape, Written, exact, shape_of, shape_text

# Name, and how the name is written in LaTeX. A function is real on all reals, but for log (positive arguments).
ELEMENTARY: Mapping[str, str] = MappingProxyType(
    {
        "exp": r"\exp",
        "log": r"\log",
        "abs": r"\left|\cdot\right|",
        "sin": r"\sin",
        "cos": r"\cos",
        "tanh": r"\tanh",
        "erf": r"\operatorname{erf}",
        "sigmoid": r"\sigma",
    }
)


class Elementary(Written):
    """A named function of one scalar, such as ``exp``. Arguments: its name, its operand."""

    __slots__ = ()

    def __new__(cls, name: Str, operand: Expr) -> Elementary:
        if name.name not in ELEMENTARY:
            raise LanguageError(f"there is no function {name.name}; there are {', '.join(ELEMENTARY)}")
        if shape_of(operand):
            raise LanguageError(f"{name.name} takes a scalar; {operand} is {shape_text(shape_of(operand))}")
        return Expr.__new__(cls, name, operand)

    @property
    def name(self) -> str:
        """One of the names in :data:`ELEMENTARY`."""
        return str(self.args[0].name)

    @property
    def operand(self) -> Expr:
        """The argument of the function."""
        value: Expr = self.args[1]
        return value

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"{self.name}({printer.doprint(self.operand)})"


def exp(operand: Operand) -> Expr:
    """The exponential function."""
    return Elementary(Str("exp"), exact(operand))


def log(operand: Operand) -> Expr:
    """The natural logarithm of a positive scalar."""
    return Elementary(Str("log"), exact(operand))


def absolute(operand: Operand) -> Expr:
    """The absolute value."""
    return Elementary(Str("abs"), exact(operand))


def sin(operand: Operand) -> Expr:
    """The sine."""
    return Elementary(Str("sin"), exact(operand))


def cos(operand: Operand) -> Expr:
    """The cosine."""
    return Elementary(Str("cos"), exact(operand))


def tanh(operand: Operand) -> Expr:
    """The hyperbolic tangent."""
    return Elementary(Str("tanh"), exact(operand))


def erf(operand: Operand) -> Expr:
    """The error function."""
    return Elementary(Str("erf"), exact(operand))


def sigmoid(operand: Operand) -> Expr:
    """The logistic function 1/(1 + exp(-z))."""
    return Elementary(Str("sigmoid"), exact(operand))


def _vector(expression: Expr, where: str) -> Expr:
    if len(shape_of(expression)) != 1:
        raise LanguageError(f"{where} takes a vector; {expression} is {shape_text(shape_of(expression))}")
    return expression


def _square(expression: Expr, where: str) -> Expr:
    shape = shape_of(expression)
    if len(shape) != 2 or shape[0] != shape[1]:
        raise LanguageError(f"{where} takes a square matrix; {expression} is {shape_text(shape)}")
    return expression


class Softmax(ArrayValued):
    """The vector exp(x_i)/sum_j exp(x_j), of the shape of its argument."""

    __slots__ = ()

    def __new__(cls, operand: Expr) -> Softmax:
        return Expr.__new__(cls, _vector(operand, "softmax"))

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"softmax({', '.join(printer.doprint(one) for one in self.args)})"

    @property
    def shape(self) -> Shape:
        """The shape of the argument."""
        return shape_of(self.args[0])


class LogSumExp(Written):
    """The scalar log(sum_j exp(x_j))."""

    __slots__ = ()

    def __new__(cls, operand: Expr) -> LogSumExp:
        return Expr.__new__(cls, _vector(operand, "logsumexp"))

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"logsumexp({', '.join(printer.doprint(one) for one in self.args)})"


class Dot(Written):
    """The inner product of two vectors of one dimension."""

    __slots__ = ()

    def __new__(cls, first: Expr, second: Expr) -> Dot:
        sizes = [shape_of(_vector(part, "dot")) for part in (first, second)]
        if sizes[0] != sizes[1]:
            raise LanguageError(
                f"dot({first}, {second}): the first vector has {sizes[0][0]} entries and the second {sizes[1][0]}"
            )
        return Expr.__new__(cls, first, second)

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"dot({', '.join(printer.doprint(one) for one in self.args)})"


class Norm(Written):
    """The Euclidean norm of a vector or the Frobenius norm of a matrix."""

    __slots__ = ()

    def __new__(cls, operand: Expr) -> Norm:
        if not shape_of(operand):
            raise LanguageError(f"norm takes a vector or a matrix; {operand} is a scalar (use absolute)")
        return Expr.__new__(cls, operand)

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"norm({', '.join(printer.doprint(one) for one in self.args)})"


class Trace(Written):
    """The sum of the diagonal entries of a square matrix."""

    __slots__ = ()

    def __new__(cls, operand: Expr) -> Trace:
        return Expr.__new__(cls, _square(operand, "trace"))

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"trace({', '.join(printer.doprint(one) for one in self.args)})"


def softmax(operand: Expr) -> Softmax:
    """The softmax of a vector, itself a vector: ``softmax(x)[i]``."""
    return Softmax(operand)


def logsumexp(operand: Expr) -> Expr:
    """The logarithm of the sum of exponentials of a vector."""
    return LogSumExp(operand)


def dot(first: Expr, second: Expr) -> Expr:
    """The inner product of two vectors."""
    return Dot(first, second)


def norm(operand: Expr) -> Expr:
    """The Euclidean norm of a vector, the Frobenius norm of a matrix."""
    return Norm(operand)


def trace(operand: Expr) -> Expr:
    """The trace of a square matrix."""
    return Trace(operand)
