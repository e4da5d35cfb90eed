"""Vectors and matrices, random or not, and their entries."""

from __future__ import annotations

from sympy import Expr
from sympy.core.symbol import Str
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from derivations.language.errors import LanguageError
from derivations.language.structure import check_binding
from derivations.language.symbols import Index, check_size
from derivations.language.written import Operand, Shape, Written, exact, shape_of, shape_text


class ArrayValued(Written):
    """Base of what has entries: ``x[i]`` is an entry, ``A @ x`` a matrix product."""

    __slots__ = ()

    def __getitem__(self, position: Expr | tuple[Expr, ...]) -> Expr:
        return entry(self, position)

    def __matmul__(self, other: Expr) -> Expr:
        return matrix_product(self, other)


class Array(ArrayValued):
    """A vector of shape ``(n,)`` or a matrix of shape ``(m, n)``; a single random variable has shape ``()``."""

    __slots__ = ()

    def __new__(cls, name: Str, *sizes: Expr) -> Array:
        return Expr.__new__(cls, name, *(check_size(size, f"a size of {name.name}") for size in sizes))

    @property
    def name(self) -> str:
        """The letter that is printed."""
        return str(self.args[0].name)

    @property
    def shape(self) -> Shape:
        """One size for each index."""
        return tuple(self.args[1:])

    @property
    def free_symbols(self) -> set[Expr]:
        """The array itself and the symbols of its sizes."""
        return {self}.union(*(size.free_symbols for size in self.shape))

    def _sympystr(self, printer: StrPrinter) -> str:
        return self.name


class RandomArray(Array):
    """An array whose entries are real random variables; everything known of their law is a given."""

    __slots__ = ()


class Entry(Written):
    """One entry of an array-valued expression, ``x[i]`` or ``A[i, j]``. Arguments: the array, then its indices."""

    __slots__ = ()

    def __new__(cls, array: Expr, *indices: Expr) -> Entry:
        shape = shape_of(array)
        if len(indices) != len(shape):
            raise LanguageError(f"{array} is {shape_text(shape)} and takes {len(shape)} indices, not {len(indices)}")
        for position, size in zip(indices, shape, strict=True):
            if not isinstance(position, Index):
                raise LanguageError(f"{array}[{position}]: {position} is not an index made by note.index")
            if position.dimension != size:
                raise LanguageError(
                    f"{array}[{position.name}]: the index runs to {position.dimension} but the array has size {size}"
                )
        return Expr.__new__(cls, array, *indices)

    @property
    def array(self) -> Expr:
        """The array-valued expression."""
        value: Expr = self.args[0]
        return value

    @property
    def indices(self) -> tuple[Index, ...]:
        """The indices, one for each dimension."""
        return tuple(self.args[1:])

    def _sympystr(self, printer: StrPrinter) -> str:
        indices = ", ".join(one.name for one in self.indices)
        return f"{printer.parenthesize(self.array, PRECEDENCE['Atom'], strict=True)}[{indices}]"


class Transpose(ArrayValued):
    """The transpose of a matrix."""

    __slots__ = ()

    def __new__(cls, operand: Expr) -> Transpose:
        if len(shape_of(operand)) != 2:
            raise LanguageError(f"transpose takes a matrix; {operand} is {shape_text(shape_of(operand))}")
        return Expr.__new__(cls, operand)

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"transpose({printer.doprint(self.args[0])})"

    @property
    def shape(self) -> Shape:
        """The reversed shape of the argument."""
        return tuple(reversed(shape_of(self.args[0])))


class MatrixProduct(ArrayValued):
    """Matrix times matrix or matrix times vector."""

    __slots__ = ()
    precedence = PRECEDENCE["Mul"]

    def __new__(cls, first: Expr, second: Expr) -> MatrixProduct:
        left, right = shape_of(first), shape_of(second)
        if len(left) != 2 or len(right) not in (1, 2) or left[1] != right[0]:
            raise LanguageError(f"cannot multiply {first} ({shape_text(left)}) by {second} ({shape_text(right)})")
        return Expr.__new__(cls, first, second)

    def _sympystr(self, printer: StrPrinter) -> str:
        return " @ ".join(printer.parenthesize(one, PRECEDENCE["Mul"], strict=True) for one in self.args)

    @property
    def shape(self) -> Shape:
        """Rows of the first factor, then columns of the second if it is a matrix."""
        return (shape_of(self.args[0])[0], *shape_of(self.args[1])[1:])


class Tabulated(ArrayValued):
    """The array whose entries are a scalar body as a function of indices. Arguments: the body, then the indices."""

    __slots__ = ()

    def __new__(cls, body: Expr, *indices: Expr) -> Tabulated:
        if shape_of(body):
            raise LanguageError(f"the entries of an array are scalars; {body} is {shape_text(shape_of(body))}")
        check_binding(body, indices, "an array by entries")
        return Expr.__new__(cls, body, *indices)

    @property
    def indices(self) -> tuple[Index, ...]:
        """The indices of the entries."""
        return tuple(self.args[1:])

    @property
    def binds(self) -> tuple[Expr, ...]:
        """The same indices."""
        return self.indices

    @property
    def shape(self) -> Shape:
        """One size for each index."""
        return tuple(one.dimension for one in self.indices)

    def _sympystr(self, printer: StrPrinter) -> str:
        return f"tabulate({', '.join(printer.doprint(one) for one in self.args)})"


def entry(array: Expr, position: Expr | tuple[Expr, ...]) -> Expr:
    """The entry of an array-valued expression at an index or a tuple of indices."""
    return Entry(array, *(position if isinstance(position, tuple) else (position,)))


def array(name: str, *sizes: Operand) -> Array:
    """An array that is not random."""
    return Array(Str(name), *(exact(size) for size in sizes))


def random_array(name: str, *sizes: Operand) -> RandomArray:
    """An array of random variables; without sizes a single random variable."""
    return RandomArray(Str(name), *(exact(size) for size in sizes))


def tabulate(body: Operand, *indices: Expr) -> Tabulated:
    """The vector or matrix whose entry at the indices is the body."""
    return Tabulated(exact(body), *indices)


def transpose(operand: Expr) -> Transpose:
    """The transpose of a matrix."""
    return Transpose(operand)


def matrix_product(first: Expr, second: Expr) -> Expr:
    """The product of a matrix with a matrix or a vector, also written ``A @ B``."""
    return MatrixProduct(first, second)
