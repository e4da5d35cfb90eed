"""Normal forms as text, for messages."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from derivations.kernel.terms import (
    Atom,
    Average,
    Base,
    Closure,
    Count,
    Covariance,
    Defined,
    Delta,
    Entry,
    Exponential,
    Function,
    Limiting,
    Moment,
    Monomial,
    Named,
    Number,
    Ordered,
    Partial,
    Polynomial,
    Position,
    Prime,
    Sum,
    Value,
)

_LETTERS = "ijklpqrstuv"


def show(polynomial: Polynomial) -> str:
    """A normal form as a person can read it."""
    if not polynomial:
        return "0"
    text = ""
    for monomial, coefficient in polynomial:
        sign = "-" if coefficient < 0 else "+"
        body = _term(monomial, max(coefficient, -coefficient))
        text = (f"-{body}" if sign == "-" else body) if not text else f"{text} {sign} {body}"
    return text


def _term(monomial: Monomial, coefficient: Number) -> str:
    factors = [_factor(atom, exponent) for atom, exponent in monomial]
    if coefficient != 1 or not factors:
        shown = str(coefficient)
        factors.insert(0, f"({shown})" if "/" in shown and factors else shown)
    return "*".join(factors)


def _factor(atom: Atom, exponent: Number) -> str:
    if isinstance(atom, Exponential):
        return f"exp({show(((atom.exponent, exponent),))})"
    text = _SHOWN[type(atom)](atom)
    if exponent == 1:
        return f"({text})" if isinstance(atom, Base) else text
    shown = str(exponent)
    body = f"({text})" if isinstance(atom, Base) else text
    return f"{body}^({shown})" if "/" in shown or exponent < 0 else f"{body}^{shown}"


def _position(one: Position) -> str:
    if one.level == 0:
        return one.letter
    name = _LETTERS[one.number % len(_LETTERS)] if one.level > 0 else f"t{one.number}"
    return name + "'" * max(0, one.level)


def _positions(places: tuple[Position, ...]) -> str:
    return ", ".join(_position(one) for one in places)


def _entry(atom: Any) -> str:
    return f"{atom.array}[{_positions(atom.indices)}]" if atom.indices else str(atom.array)


def _sum(atom: Any) -> str:
    return f"Sum({_term(atom.factors, 1)}, {_positions(atom.bound)})"


def _closure(closure: Closure) -> str:
    return f"({_positions(closure.bound)} -> {show(closure.entry)})"


def _defined(atom: Any) -> str:
    at = f"[{_positions(atom.at)}]" if atom.at else ""
    return f"{atom.name}({', '.join(_closure(one) for one in atom.arguments)}){at}"


_SHOWN: MappingProxyType[type, Callable[[Any], str]] = MappingProxyType(
    {
        Named: lambda atom: str(atom.name),
        Prime: lambda atom: str(atom.value),
        Entry: _entry,
        Value: lambda atom: _position(atom.place),
        Delta: lambda atom: f"delta({_position(atom.first)}, {_position(atom.second)})",
        Sum: _sum,
        Base: lambda atom: show(atom.polynomial),
        Function: lambda atom: f"{atom.name}({', '.join(show(one) for one in atom.arguments)})",
        Defined: _defined,
        Ordered: lambda atom: f"largest({_closure(atom.vector)}, {atom.rank})",
        Average: lambda atom: f"E({show(atom.operand)})",
        Covariance: lambda atom: (
            f"Var({show(atom.first)})" if atom.first == atom.second else f"Cov({show(atom.first)}, {show(atom.second)})"
        ),
        Moment: lambda atom: f"E({atom.array}^{atom.order})" if atom.order > 1 else f"E({atom.array})",
        Count: lambda atom: f"Sum(1 up to {show(atom.dimension)})",
        Limiting: lambda atom: f"Limit({show(atom.operand)}, {atom.variable.name})",
        Partial: lambda atom: f"Derivative({show(atom.operand)}, {_factor(atom.variable, 1)})",
    }
)
