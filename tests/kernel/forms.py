"""The value of a normal form in a small world: each atom by its meaning, whatever laws made it."""

from fractions import Fraction
from itertools import product

import mpmath

from derivations.kernel import terms

from . import worlds
from .worlds import Undefined, add, factor, inverse, times, total


def value(polynomial, world, bound=None):
    """The value of a polynomial; ``bound`` gives the indices of enclosing sums and closures."""
    scope = bound or {}
    return total(
        times(coefficient, factor(worlds.power(_atom(atom, world, scope), exponent) for atom, exponent in monomial))
        for monomial, coefficient in polynomial
    )


def defined_value(polynomial, world):
    """The value, or the exception that says why there is none to compare."""
    try:
        return add(0, value(polynomial, world))
    except Undefined as reason:
        return reason


def _monomial(monomial, world, scope):
    return value(((monomial, 1),), world, scope)


def _atom(atom, world, scope):
    return _ATOMS[type(atom)](atom, world, scope)


def _place(position, world, scope):
    assert position.level >= 0, "a fresh index survived"
    if position.level > 0:
        return scope[position]
    matching = [at for one, at in world.indices.items() if one.name == position.letter]
    assert len(matching) == 1, "a free index that the statement does not have"
    return matching[0]


def _size(dimension, world):
    return int(value(dimension, world))


def _named(atom, world, scope):
    if atom.kind == "dimension":
        return Fraction(world.sizes[atom.name])
    return mpmath.pi() if atom.kind == "constant" else world.scalars[atom.name]


def _places(positions, world, scope):
    return tuple(_place(one, world, scope) for one in positions)


def _everywhere(bound, world, scope):
    for place in product(*(range(_size(one.dimension, world)) for one in bound)):
        yield {**scope, **dict(zip(bound, place, strict=True))}


def _sum(atom, world, scope):
    return total(_monomial(atom.factors, world, inner) for inner in _everywhere(atom.bound, world, scope))


def _random_names(term):
    if isinstance(term, terms.Moment | terms.Average | terms.Covariance | terms.Position):
        return frozenset()
    if isinstance(term, terms.Entry):
        return frozenset([term.array] if term.kind == "random" else [])
    if isinstance(term, tuple):
        return frozenset().union(*(_random_names(part) for part in term if isinstance(part, tuple)))
    return frozenset()


def _average(atom, world, scope):
    return world.mean(_random_names(atom.operand), lambda one: value(atom.operand, one, scope))


def _covariance(atom, world, scope):
    names = _random_names(atom.first) | _random_names(atom.second)
    return world.covariance(
        names, lambda one: value(atom.first, one, scope), lambda one: value(atom.second, one, scope)
    )


def _moment(atom, world, scope):
    def at_the_start(one):
        entries = one.arrays[atom.array]
        return worlds.power(entries[min(entries)], atom.order)

    return world.mean(frozenset([atom.array]), at_the_start)


def _partial(atom, world, scope):
    variable = atom.variable
    if isinstance(variable, terms.Entry):
        name, place = variable.array, _places(variable.indices, world, scope)
        return worlds.slope(
            lambda at: value(atom.operand, world.with_entry(name, place, at), scope), world.arrays[name][place]
        )
    return worlds.slope(
        lambda at: value(atom.operand, world.with_scalar(variable.name, at), scope), world.scalars[variable.name]
    )


def _entries(closure, world, scope):
    return [value(closure.entry, world, inner) for inner in _everywhere(closure.bound, world, scope)]


def _entry_of(closure, place, world, scope):
    return value(closure.entry, world, {**scope, **dict(zip(closure.bound, place, strict=True))})


def _defined(atom, world, scope):
    at = _places(atom.at, world, scope)
    return _NOTIONS[atom.name](atom.arguments, at, world, scope)


def _dot(arguments, at, world, scope):
    return total(times(*pair) for pair in zip(*(_entries(one, world, scope) for one in arguments), strict=True))


def _norm(arguments, at, world, scope):
    return worlds.power(total(times(one, one) for one in _entries(arguments[0], world, scope)), Fraction(1, 2))


def _trace(arguments, at, world, scope):
    rows = _size(arguments[0].bound[0].dimension, world)
    return total(_entry_of(arguments[0], (k, k), world, scope) for k in range(rows))


def _transpose(arguments, at, world, scope):
    return _entry_of(arguments[0], at[::-1], world, scope)


def _product(arguments, at, world, scope):
    left, right = arguments
    inner = _size(right.bound[0].dimension, world)
    return total(
        times(_entry_of(left, (at[0], k), world, scope), _entry_of(right, (k, *at[1:]), world, scope))
        for k in range(inner)
    )


def _softmax(arguments, at, world, scope):
    exponentials = [worlds.function("exp", one) for one in _entries(arguments[0], world, scope)]
    return times(exponentials[at[0]], inverse(total(exponentials)))


def _log_sum_exp(arguments, at, world, scope):
    exponentials = [worlds.function("exp", one) for one in _entries(arguments[0], world, scope)]
    return worlds.function("log", total(exponentials))


def _ordered(atom, world, scope):
    entries = sorted(_entries(atom.vector, world, scope), key=worlds.real, reverse=True)
    if atom.rank > len(entries):
        raise Undefined("fewer entries than the rank")
    return entries[atom.rank - 1] if atom.rank > 0 else entries[-1]


_NOTIONS = {
    "dot": _dot,
    "norm": _norm,
    "trace": _trace,
    "transpose": _transpose,
    "product": _product,
    "softmax": _softmax,
    "logsumexp": _log_sum_exp,
}

_ATOMS = {
    terms.Named: _named,
    terms.Prime: lambda atom, world, scope: Fraction(atom.value),
    terms.Entry: lambda atom, world, scope: world.arrays[atom.array][_places(atom.indices, world, scope)],
    terms.Value: lambda atom, world, scope: Fraction(_place(atom.place, world, scope) + 1),
    terms.Delta: lambda atom, world, scope: Fraction(
        _place(atom.first, world, scope) == _place(atom.second, world, scope)
    ),
    terms.Sum: _sum,
    terms.Base: lambda atom, world, scope: value(atom.polynomial, world, scope),
    terms.Exponential: lambda atom, world, scope: worlds.function("exp", _monomial(atom.exponent, world, scope)),
    terms.Function: lambda atom, world, scope: worlds.function(atom.name, value(atom.arguments[0], world, scope)),
    terms.Defined: _defined,
    terms.Average: _average,
    terms.Covariance: _covariance,
    terms.Moment: _moment,
    terms.Count: lambda atom, world, scope: value(atom.dimension, world, scope),
    terms.Partial: _partial,
    terms.Ordered: _ordered,
}
