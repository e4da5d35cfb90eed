"""Random limits: what the kernel says of f(q) as q tends to infinity, against the value of f at a large q."""

from dataclasses import replace
from fractions import Fraction

from derivations.kernel.theories import THEORIES
from derivations.language import givens
from derivations.language.arrays import array
from derivations.language.functions import absolute, exp, sigmoid, softmax, tanh
from derivations.language.operators import Sum, limit
from derivations.language.order import Max, largest
from derivations.language.structure import free_indices
from derivations.language.symbols import Scalar, index
from derivations.language.written import exact, sqrt

from . import direct, forms, worlds
from .expressions import SIGNS, Writer, a, b, i, j, k, n, s, u, world_of, x, y
from .worlds import Disagreement, Undefined

q = Scalar("q")
peak = index("m", n)
marks = array("e", n)
FAR = Fraction(4000)
CLOSE = worlds.mpf(10) ** -25


class LimitWriter(Writer):
    """Writes expressions that depend on q, many of which have a limit."""

    def vanishing(self, scope):
        one = self.index(scope, n)
        return self.pick(
            lambda: exp(-(q * s)),
            lambda: exp(-(q * u[one])),
            lambda: exp(-(q * (s + u[one]))),
            lambda: exp(-q * a),
            lambda: exp(q * x[one] - q * largest(x)),
            lambda: exp(-(q * (Max(x[k], k) - x[one]))) if k not in scope else exp(-q),
            lambda: softmax(q * x)[one],
            lambda: softmax(2 * q * x)[one],
            lambda: softmax(-q * x)[one],
            lambda: exp(2 * q * x[one]) / Sum(exp(q * x[k]), k) ** 2 if k not in scope else exp(-2 * q * s),
        )()

    def limiting(self, depth, scope):
        if depth <= 0:
            return self.pick(a, b, y[self.index(scope, n)], s) if self.rng.randrange(3) == 0 else self.vanishing(scope)
        kind = self.rng.randrange(8)
        first = exact(self.limiting(depth - 1, scope))
        if kind < 2:
            return first + self.limiting(depth - 1, scope)
        if kind < 4:
            return first * self.limiting(depth - 1, scope)
        if kind == 4:
            return self.pick(tanh, sigmoid, absolute, exp)(first)
        if kind == 5:
            return self.limiting(depth - 1, scope) / (1 + first**2)
        if kind == 6:
            return sqrt(s + first**2)
        inner = index("l", n)
        if inner in scope:
            return first**2
        return Sum(exact(self.limiting(depth - 1, (*scope, inner))), inner)


def _setting(rng):
    """Signs, and where x is maximal: at one place, where the marks are, or unsaid."""
    kind = rng.randrange(3)
    extra = ((), (givens.unique_maximum(x, peak),), (givens.maximal_entries(x, marks),))[kind]
    return (*SIGNS, *extra), kind == 1


def _worlds(rng, unique):
    for size in (1, 2, 3):
        world = world_of(rng, size)
        values = world.arrays["x"]
        top = max(values.values())
        places = [place for place, one in values.items() if one == top]
        if unique and len(places) > 1:
            continue
        shares = {place: Fraction(int(place in places)) for place in values}
        yield replace(
            world, arrays={**world.arrays, "e": shares}, indices={peak: places[0][0]} if unique else {}, largest=10**7
        )


def check_limit(rng, form_of):
    """Check one limit; returns a word for what happened. Raises ``Disagreement``.

    ``form_of`` reads an expression under givens and theories.
    """
    expression = exact(LimitWriter(rng).limiting(rng.choice([0, 1, 1, 2, 2]), (i, j)))
    given, unique = _setting(rng)
    found = form_of(limit(expression, q), given, tuple(THEORIES))
    if found is None:
        return "declined"
    compared = 0
    for world in _worlds(rng, unique):
        for here in direct.assignments(free_indices(expression), world):
            point = replace(here, indices={**world.indices, **here.indices})
            far = direct.defined_value(expression, point.with_scalar("q", FAR))
            value = forms.defined_value(found[1], point)
            if isinstance(far, Undefined) or isinstance(value, Undefined):
                continue
            compared += 1
            gap = abs(worlds.real(far) - worlds.real(value))
            if gap > CLOSE * (1 + abs(worlds.real(value))):
                raise Disagreement(f"limit of {expression}\nunder {given}\nis near {far}, not {value}, at {point}")
    return "agrees" if compared else "undefined"
