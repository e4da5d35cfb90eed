"""Order statistics of a vector: its largest entry, its second largest, its smallest."""

from __future__ import annotations

from sympy import Expr, Integer
from sympy.printing.str import StrPrinter

from derivations.language.arrays import Tabulated
from derivations.language.errors import LanguageError
from derivations.language.written import Operand, Written, exact, shape_of, shape_text


class OrderStatistic(Written):
    """The k-th largest entry of a vector (k = 1, 2, …) or, for k = -1, the smallest. Arguments: the vector, k."""

    __slots__ = ()

    def __new__(cls, vector: Expr, rank: Expr) -> OrderStatistic:
        if len(shape_of(vector)) != 1:
            raise LanguageError(f"an order statistic takes a vector; {vector} is {shape_text(shape_of(vector))}")
        if not isinstance(rank, Integer) or (rank.p < 1 and rank.p != -1):
            raise LanguageError(
                f"the rank of an order statistic is 1, 2, … from above or -1 for the smallest, not {rank}"
            )
        return Expr.__new__(cls, vector, rank)

    @property
    def rank(self) -> int:
        """1 for the largest entry, 2 for the second largest, -1 for the smallest."""
        return int(self.args[1])

    def _sympystr(self, printer: StrPrinter) -> str:
        names = {1: "largest", -1: "smallest"}
        if self.rank in names:
            return f"{names[self.rank]}({printer.doprint(self.args[0])})"
        return f"largest({printer.doprint(self.args[0])}, {self.rank})"


def largest(vector: Expr, rank: int = 1) -> Expr:
    """The largest entry of a vector, or with ``rank=2`` the second largest (equal to the largest at a tie)."""
    return OrderStatistic(exact(vector), Integer(rank))


def smallest(vector: Expr) -> Expr:
    """The smallest entry of a vector."""
    return OrderStatistic(exact(vector), Integer(-1))


def Max(body: Operand, index: Expr) -> Expr:
    """The largest value of ``body`` over the index."""
    return OrderStatistic(Tabulated(exact(body), index), Integer(1))


def Min(body: Operand, index: Expr) -> Expr:
    """The smallest value of ``body`` over the index."""
    return OrderStatistic(Tabulated(exact(body), index), Integer(-1))
