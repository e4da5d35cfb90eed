"""The table that tells the arithmetic about every kind of atom, and contexts made with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from derivations.kernel.context import Context, Facts, Operations, Rule
from derivations.kernel.defined import rebuild_defined
from derivations.kernel.derivative import rebuild_partial
from derivations.kernel.expectation import rebuild_average, rebuild_covariance
from derivations.kernel.functions import rebuild_exponential, rebuild_function
from derivations.kernel.limits import rebuild_limiting
from derivations.kernel.maxima import settle_entry
from derivations.kernel.normals import of_absolute_value, of_exponential
from derivations.kernel.ordered import rebuild_ordered
from derivations.kernel.powers import raise_to, settle_base, settle_function, settle_prime
from derivations.kernel.sums import rebuild_delta, rebuild_sum
from derivations.kernel.symmetry import of_symmetric
from derivations.kernel.terms import Atom, Base, Count, Entry, Polynomial, Position, Value, single


def _rebuild_entry(
    context: Context,
    atom: Entry,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    return single(Entry(atom.kind, atom.array, tuple(position(one) for one in atom.indices)))


def _rebuild_value(
    context: Context,
    atom: Value,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    return single(Value("value", position(atom.place)))


def _rebuild_base(
    context: Context,
    atom: Base,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    return polynomial(atom.polynomial)


def _rebuild_constant(
    context: Context,
    atom: Atom,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    return single(atom)


def _rebuild_count(
    context: Context,
    atom: Count,
    polynomial: Callable[[Polynomial], Polynomial],
    position: Callable[[Position], Position],
) -> Polynomial:
    return single(Count("count", polynomial(atom.dimension)))


OPERATIONS = Operations(
    rebuild=MappingProxyType(
        {
            "symbol": _rebuild_constant,
            "dimension": _rebuild_constant,
            "constant": _rebuild_constant,
            "prime": _rebuild_constant,
            "moment": _rebuild_constant,
            "entry": _rebuild_entry,
            "random": _rebuild_entry,
            "value": _rebuild_value,
            "delta": rebuild_delta,
            "sum": rebuild_sum,
            "base": _rebuild_base,
            "exponential": rebuild_exponential,
            "function": rebuild_function,
            "defined": rebuild_defined,
            "ordered": rebuild_ordered,
            "average": rebuild_average,
            "covariance": rebuild_covariance,
            "count": _rebuild_count,
            "partial": rebuild_partial,
            "limiting": rebuild_limiting,
        }
    ),
    settle=MappingProxyType(
        {"prime": settle_prime, "base": settle_base, "function": settle_function, "entry": settle_entry}
    ),
    raise_to=raise_to,
    special_expectations=(of_exponential, of_absolute_value, of_symmetric),
)


def make_context(laws: Mapping[str, Rule], facts: Facts | None = None) -> Context:
    """A fresh context with these laws switched on."""
    return Context(laws, OPERATIONS, facts or Facts())
