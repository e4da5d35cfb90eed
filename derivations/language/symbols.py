"""Named objects without entries: dimensions, scalars, indices, and the Kronecker delta of two indices."""

from __future__ import annotations

from sympy import Expr, Integer, Symbol
from sympy.core.symbol import Str
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from derivations.language.errors import LanguageError
from derivations.language.written import Operand, Plus, Times, Written, exact


class Dimension(Written, Symbol):
    """A positive integer that stays a symbol, such as ``d_k``."""

    __slots__ = ()

    def __new__(cls, name: str, **assumptions: bool) -> Dimension:
        if assumptions not in ({}, {"integer": True, "positive": True}):
            raise LanguageError(f"the dimension {name} is a positive integer and takes no other assumption")
        return Symbol.__new__(cls, name, integer=True, positive=True)

    def _sympystr(self, printer: StrPrinter) -> str:
        return self.name

    def _latex(self, printer: LatexPrinter) -> str:
        return printer._print_Symbol(self)


class Scalar(Written, Symbol):
    """A real number; anything else about it (a sign, an equation) is a given."""

    __slots__ = ()

    def __new__(cls, name: str, **assumptions: bool) -> Scalar:
        if assumptions not in ({}, {"real": True}):
            raise LanguageError(f"the scalar {name} is a real number; what else is known of it is a given")
        return Symbol.__new__(cls, name, real=True)

    def _sympystr(self, printer: StrPrinter) -> str:
        return self.name

    def _latex(self, printer: LatexPrinter) -> str:
        return printer._print_Symbol(self)


def check_size(size: Expr, what: str) -> Expr:
    """Return a size that is a positive integer whatever its symbols are: built from dimensions and positive integers by
    sums and products. Raises :class:`LanguageError` for any other."""
    if isinstance(size, Dimension) or (isinstance(size, Integer) and size.p > 0):
        return size
    if isinstance(size, (Plus, Times)):
        for part in size.args:
            check_size(part, what)
        return size
    raise LanguageError(
        f"{what} is a dimension or a positive integer, or a sum or product of such, not {size}: it could be empty"
    )


class Index(Written):
    """An index that runs from 1 to its dimension; as a number it is its own position."""

    __slots__ = ()
    is_integer = True

    def __new__(cls, name: Str, dimension: Expr) -> Index:
        if not str(name.name).strip() or name.name == "·":
            raise LanguageError("an index is called by a letter")
        return Expr.__new__(cls, name, check_size(dimension, f"the range of the index {name.name}"))

    @property
    def name(self) -> str:
        """The letter that is printed."""
        return str(self.args[0].name)

    @property
    def dimension(self) -> Expr:
        """How far the index runs."""
        value: Expr = self.args[1]
        return value

    @property
    def free_symbols(self) -> set[Expr]:
        """The index itself and the symbols of its dimension."""
        return {self} | self.dimension.free_symbols

    def _sympystr(self, printer: StrPrinter) -> str:
        return self.name


def index(name: str, dimension: Operand) -> Index:
    """An index called ``name`` that runs from 1 to ``dimension``."""
    return Index(Str(name), exact(dimension))


class Delta(Written):
    """The Kronecker delta of two indices of one dimension."""

    __slots__ = ()

    def __new__(cls, first: Expr, second: Expr) -> Delta:
        if not isinstance(first, Index) or not isinstance(second, Index):
            raise LanguageError(f"delta takes two indices, not {first} and {second}")
        if first.dimension != second.dimension:
            raise LanguageError(
                f"delta({first.name}, {second.name}) compares an index that runs to {first.dimension} "
                f"with one that runs to {second.dimension}"
            )
        return Expr.__new__(cls, first, second)

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"delta({', '.join(printer.doprint(one) for one in self.args)})"


def delta(first: Expr, second: Expr) -> Expr:
    """The Kronecker delta: 1 where the two indices are equal, else 0. Raises on different dimensions."""
    return Delta(first, second)
