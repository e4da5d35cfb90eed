"""Named probability laws of one real random variable. A law is an object; what it implies is said by the kernel's
laws and, independently, by the numerics."""

from __future__ import annotations

from sympy import Expr
from sympy.core.basic import Basic
from sympy.printing.str import StrPrinter

from derivations.language.written import Operand, exact


class Distribution(Basic):
    """A named law with its parameters as arguments."""

    __slots__ = ()

    def _sympystr(self, printer: StrPrinter) -> str:
        # SymPy's own printer has a method for a class called Uniform, but for another one.
        return f"{type(self).__name__}({', '.join(printer.doprint(one) for one in self.args)})"


class Normal(Distribution):
    """The normal law. Arguments: mean, variance."""

    __slots__ = ()


class Uniform(Distribution):
    """The uniform law on an interval. Arguments: lower end, upper end."""

    __slots__ = ()


class Rademacher(Distribution):
    """The values -1 and 1 with probability 1/2 each."""

    __slots__ = ()


class Bernoulli(Distribution):
    """The values 1 with probability p, else 0. Argument: p."""

    __slots__ = ()


def normal(mean: Operand, variance: Operand) -> Distribution:
    """The normal law with this mean and this variance (not the standard deviation)."""
    return Normal(exact(mean), exact(variance))


def uniform(lower: Operand, upper: Operand) -> Distribution:
    """The uniform law on [lower, upper]."""
    return Uniform(exact(lower), exact(upper))


def rademacher() -> Distribution:
    """A fair sign."""
    return Rademacher()


def bernoulli(probability: Operand) -> Distribution:
    """One with the given probability, else zero."""
    return Bernoulli(exact(probability))


def parameters(law: Distribution) -> tuple[Expr, ...]:
    """The parameters of a law, in the order of its constructor."""
    return tuple(argument for argument in law.args if isinstance(argument, Expr))
