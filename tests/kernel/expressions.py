"""Random expressions, random worlds for them, and changes of an expression that keep or do not keep its value.

All randomness comes from a ``random.Random``, which may be one that Hypothesis drives.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from sympy import Expr, Integer, Rational

from derivations.language import givens, operators, written
from derivations.language.arrays import Array, Entry, array, entry, random_array, transpose
from derivations.language.functions import (
    absolute,
    cos,
    dot,
    exp,
    log,
    logsumexp,
    norm,
    sigmoid,
    sin,
    softmax,
    tanh,
    trace,
)
from derivations.language.operators import Cov, Derivative, DistinctSum, E, Sum, Var
from derivations.language.order import Max, Min, largest
from derivations.language.structure import bound_indices, free_indices, substitute
from derivations.language.symbols import Delta, Dimension, Index, Scalar, delta, index
from derivations.language.written import Negative, Plus, Power, Quotient, Times, exact, shape_of, sqrt

from .worlds import Block, World, factor, places, times

n, m = Dimension("n"), Dimension("m")
i, j, r = index("i", n), index("j", n), index("r", m)
INNER = {n: tuple(index(letter, n) for letter in "klpqi"), m: tuple(index(letter, m) for letter in "cdr")}
k = INNER[n][0]
a, b, s, t = Scalar("a"), Scalar("b"), Scalar("s"), Scalar("t")
x, y, u = array("x", n), array("y", n), array("u", n)
A, B = array("A", n, n), array("B", m, n)
X, Y, Z = random_array("X"), random_array("Y"), random_array("Z")
V, W = random_array("V", n), random_array("W", n)
SIGNS = (givens.positive(s), givens.nonnegative(t), givens.positive(u))
RANDOM = {"X": X, "Y": Y, "Z": Z, "V": V, "W": W}


@dataclass
class Writer:
    """Writes random expressions; ``scope`` are the indices that may be used."""

    rng: object

    def pick(self, *choices):
        return self.rng.choice(choices)

    def index(self, scope, dimension):
        return self.rng.choice([one for one in scope if one.dimension == dimension])

    def number(self):
        return self.pick(Integer(1), Integer(2), Integer(-1), Rational(1, 2), Integer(3), Rational(-2, 3))

    def leaf(self, scope):
        kind = self.rng.randrange(12)
        if kind < 2:
            return self.number()
        if kind < 4:
            return self.pick(a, b, s, t)
        if kind < 8:
            return self.pick(x, y, u)[self.index(scope, n)]
        if kind == 8:
            return A[self.index(scope, n), self.index(scope, n)]
        if kind == 9:
            return delta(self.index(scope, n), self.index(scope, n))
        if kind == 10:
            return B[self.index(scope, m), self.index(scope, n)]
        return self.pick(n, m, self.index(scope, n))

    def scalar(self, depth, scope):
        if depth <= 0:
            return self.leaf(scope)
        return self.pick(*_SCALAR_KINDS)(self, depth - 1, scope)

    def positive(self, depth, scope):
        kind = self.rng.randrange(6)
        if kind == 0:
            return s
        if kind == 1:
            return u[self.index(scope, n)]
        if kind == 2:
            return exp(self.scalar(depth - 1, scope))
        if kind == 3:
            return 1 + exact(self.scalar(depth - 1, scope)) ** 2 if depth > 0 else s
        if kind == 4:
            return s * u[self.index(scope, n)]
        return self.summed(depth, scope, self.positive)

    def summed(self, depth, scope, body):
        dimension = self.pick(n, n, n, m)
        chosen = self.rng.sample(INNER[dimension], self.pick(1, 1, 2))
        inner = [one for one in scope if one not in chosen]
        written_body = exact(body(depth - 1, (*inner, *chosen)))
        taken = bound_indices(written_body)
        renaming = {}
        for one in chosen:
            if one in taken:
                free = [
                    other
                    for other in INNER[dimension]
                    if other not in taken and other not in chosen and other not in free_indices(written_body)
                ]
                if not free:
                    return written_body if one not in free_indices(written_body) else s
                renaming[one] = free[0]
                taken |= {free[0]}
        if renaming:
            written_body = substitute(written_body, renaming)
        return Sum(written_body, *(renaming.get(one, one) for one in chosen))

    def distinct_sum(self, depth, scope):
        one, other = self.rng.sample(INNER[n][:4], 2)
        body = exact(self.scalar(depth - 1, (*(index for index in scope if index not in (one, other)), one, other)))
        return DistinctSum(body, one, other) if not {one, other} & bound_indices(body) else body * 0 + a

    def extreme(self, depth, scope):
        kind = self.rng.randrange(4)
        if kind == 0:
            return largest(self.vector(depth, scope), self.pick(1, 1, 2))
        chosen = self.rng.choice(INNER[n])
        inner = (*(index for index in scope if index != chosen), chosen)
        body = exact(self.scalar(depth - 1, inner))
        if chosen in bound_indices(body):
            return s
        return (Max if kind < 3 else Min)(body, chosen)

    def vector(self, depth, scope):
        kind = self.rng.randrange(7) if depth > 0 else 0
        if kind <= 1:
            return self.pick(x, y, u)
        if kind == 2:
            return A @ self.vector(depth - 1, scope)
        if kind == 3:
            return transpose(B) @ (B @ self.pick(x, y))
        if kind == 4:
            return self.pick(a, 2, -1, s) * self.vector(depth - 1, scope)
        if kind == 5:
            return self.vector(depth - 1, scope) + self.vector(depth - 1, scope)
        return softmax(self.vector(depth - 1, scope))

    def notion(self, depth, scope):
        kind = self.rng.randrange(9)
        if kind == 0:
            return dot(self.vector(depth, scope), self.vector(depth, scope))
        if kind == 1:
            return norm(self.pick(self.vector(depth, scope), A, B))
        if kind == 2:
            return trace(self.pick(A, A @ A, transpose(A), transpose(B) @ B, A + transpose(A)))
        if kind == 3:
            return logsumexp(self.vector(depth, scope))
        if kind == 4:
            return entry(transpose(A), (self.index(scope, n), self.index(scope, n)))
        if kind == 5:
            return entry(B @ self.vector(depth, scope), self.index(scope, m))
        return entry(softmax(self.vector(depth, scope)), self.index(scope, n))

    def derivative(self, depth, scope):
        variable = self.pick(a, s, x[self.index(scope, n)], x[self.index(scope, n)], A[self.index(scope, n), i])
        if not free_indices(variable) <= set(scope):
            variable = a
        return Derivative(self.scalar(depth, scope), variable)

    # Expectations

    def random_leaf(self, scope):
        kind = self.rng.randrange(8)
        if kind < 3:
            return self.pick(V, V, W)[self.index(scope, n)]
        if kind < 5:
            return self.pick(X, Y, Z)
        return self.leaf(scope)

    def polynomial(self, depth, scope):
        """A polynomial in random entries with other factors as coefficients."""
        if depth <= 0:
            return self.random_leaf(scope)
        kind = self.rng.randrange(9)
        if kind < 2:
            return exact(self.polynomial(depth - 1, scope)) + self.polynomial(depth - 1, scope)
        if kind < 5:
            return exact(self.polynomial(depth - 1, scope)) * self.polynomial(depth - 1, scope)
        if kind == 5:
            return Power(exact(self.polynomial(depth - 2, scope)), Integer(2))
        if kind == 6:
            return self.pick(dot(V, W), dot(V, x), dot(V, V), dot(W, y), dot(V, A @ W))
        if kind == 7:
            return self.summed(depth, scope, self.polynomial)
        return Negative(exact(self.polynomial(depth - 1, scope)))

    def averaged(self, depth, scope):
        """The operand of an expectation, now and then one that is no polynomial."""
        if self.rng.randrange(6):
            return self.polynomial(depth, scope)
        inner = exact(self.polynomial(depth - 1, scope))
        return self.pick(exp, tanh, absolute, cos)(inner) * self.random_leaf(scope)

    def expected(self, depth, scope):
        kind = self.rng.randrange(10)
        if kind < 4:
            return E(self.averaged(depth, scope))
        if kind < 6:
            return Var(self.averaged(depth - 1, scope))
        if kind < 8:
            return Cov(self.averaged(depth - 1, scope), self.averaged(depth - 1, scope))
        if kind == 8:
            return self.summed(depth, scope, self.expected)
        return exact(self.expected(depth - 1, scope)) * self.leaf(scope) + self.expected(depth - 1, scope)


def _unary(make):
    return lambda writer, depth, scope: make(exact(writer.scalar(depth, scope)))


def _power(writer, depth, scope):
    return Power(exact(writer.scalar(depth, scope)), writer.pick(Integer(2), Integer(3), Integer(-1), Integer(-2)))


def _root(writer, depth, scope):
    return Power(
        exact(writer.positive(depth, scope)),
        writer.pick(Rational(1, 2), Rational(-1, 2), Rational(3, 2), Rational(2, 3)),
    )


def _binary(make):
    return lambda writer, depth, scope: make(exact(writer.scalar(depth, scope)), exact(writer.scalar(depth, scope)))


def _sum(writer, depth, scope):
    return writer.summed(depth, scope, writer.scalar)


_SCALAR_KINDS = (
    _binary(lambda one, other: one + other),
    _binary(lambda one, other: one + other),
    _binary(lambda one, other: one - other),
    _binary(lambda one, other: one * other),
    _binary(lambda one, other: one * other),
    _binary(lambda one, other: one * other),
    _binary(lambda one, other: one / other),
    lambda writer, depth, scope: exact(writer.scalar(depth, scope)) / writer.positive(depth, scope),
    _unary(lambda one: -one),
    _power,
    _root,
    _unary(lambda one: sqrt(one**2)),
    _unary(exp),
    _unary(lambda one: log(1 + exp(one))),
    lambda writer, depth, scope: log(writer.positive(depth, scope)),
    _unary(lambda one: log(one**2)),
    _unary(sigmoid),
    _unary(tanh),
    _unary(absolute),
    _unary(sin),
    _unary(cos),
    _sum,
    _sum,
    _sum,
    _sum,
    Writer.notion,
    Writer.notion,
    Writer.notion,
    Writer.derivative,
    Writer.derivative,
    Writer.distinct_sum,
    Writer.extreme,
)


# Worlds


def _value(rng, *, positive=False):
    size = Fraction(rng.randint(1, 9), rng.randint(1, 6))
    return size if positive or rng.randrange(2) else -size


def _entries(rng, *shape, positive=False):
    return {place: _value(rng, positive=positive) for place in places(shape)}


def world_of(rng, size, blocks=(), scalars=(), arrays=()):
    """Numbers for every symbol of this file at n = size; the random arrays stand at one of their outcomes."""
    rows = rng.randint(1, 2)
    values = {"a": _value(rng), "b": _value(rng), "s": _value(rng, positive=True)}
    if rng.randrange(8) == 0:
        values["a"] = Fraction(0)
    values["t"] = _value(rng, positive=True) if rng.randrange(4) else Fraction(0)
    known = {"x": _entries(rng, size), "y": _entries(rng, size), "u": _entries(rng, size, positive=True)}
    known |= {"A": _entries(rng, size, size), "B": _entries(rng, rows, size), **dict(arrays)}
    if rng.randrange(4) == 0:
        known["x"] = dict.fromkeys(known["x"], rng.choice([_value(rng), Fraction(0)]))
    for block in blocks:
        known.update(rng.choice(block.outcomes)[1])
    return World({"n": size, "m": rows}, {**values, **dict(scalars)}, known, tuple(blocks))


def _law(rng, most=2):
    """A law on two or three numbers."""
    points = rng.sample(
        [Fraction(-1), Fraction(1), Fraction(2), Fraction(-1, 2), Fraction(0)], rng.choice([2, 2, most])
    )
    weights = [rng.randint(1, 3) for _ in points]
    return [(Fraction(weight, sum(weights)), point) for weight, point in zip(weights, points, strict=True)]


def _joint(laws, name, where):
    """Independent entries with these laws, as one block."""
    outcomes = []
    for joint in product(*laws):
        values = dict(zip(where, (value for _, value in joint), strict=True))
        outcomes.append((factor(weight for weight, _ in joint), {name: values}))
    return Block(frozenset([name]), tuple(outcomes))


def _moment(law, order):
    return sum(weight * point**order for weight, point in law)


class Randomness:
    """What the random arrays are like: their givens, and for each size blocks that satisfy them."""

    def __init__(self, rng):
        self.rng = rng
        self.scalars_kind = rng.choice(["mutual", "pairwise", "dependent", "only two"])
        self.vectors = {name: rng.choice(["iid", "independent", "dependent"]) for name in ("V", "W")}
        self.together = rng.choice([True, True, False])
        self.laws = {name: _law(rng, 3 if name in "XYZ" else 2) for name in RANDOM}
        self.declared = {name: rng.choice([(), (1,), (1, 2), (1, "variance"), (2,), (1, 2, 3)]) for name in RANDOM}
        if self.scalars_kind == "pairwise":
            self.laws |= {name: [(Fraction(1, 2), Fraction(-1)), (Fraction(1, 2), Fraction(1))] for name in "XYZ"}
        self.scalar_values = {}
        self.givens = (*SIGNS, *self._independence(), *self._moments())

    def _independence(self):
        # Either everything is independent of everything else, or V and W are one block and nothing ties them.
        for name, kind in self.vectors.items():
            if kind in ("iid", "independent"):
                yield givens.independent_entries(RANDOM[name])
            if kind == "iid":
                yield givens.identically_distributed(RANDOM[name])
        vectors = (V, W) if self.together else (V,)
        if self.scalars_kind == "mutual":
            yield givens.independent(X, Y, Z, *vectors)
        elif self.scalars_kind == "pairwise":
            yield givens.pairwise_independent(X, Y, Z)
            yield givens.independent(X, *vectors)
        elif self.scalars_kind == "only two":
            yield givens.independent(X, Y)
            yield givens.independent(Z, *vectors)
        elif self.together:
            yield givens.independent(V, W)

    def _moments(self):
        for name, orders in self.declared.items():
            constant = self.vectors.get(name, "iid") == "iid"
            for order in orders:
                value = self._named(name, order) if constant else array(f"mu_{name}_{order}", n)
                if order == "variance":
                    yield givens.has_variance(RANDOM[name], value)
                else:
                    yield givens.has_moment(RANDOM[name], order, value)

    def _named(self, name, order):
        number = _spread(self.laws[name]) if order == "variance" else _moment(self.laws[name], order)
        if self.rng.randrange(2):
            return Rational(number.numerator, number.denominator)
        symbol = Scalar(f"mu_{name}_{order}")
        self.scalar_values[symbol.name] = number
        return symbol

    def world(self, rng, size):
        """A world in which all the givens hold."""
        known, blocks = {}, list(self._scalar_blocks(rng))
        laws = {}
        for name, kind in self.vectors.items():
            laws[name] = [self.laws[name]] * size if kind == "iid" else [_law(rng) for _ in range(size)]
        if self.together:
            blocks += [self._vector_block(name, laws[name]) for name in ("V", "W")]
        else:
            blocks.append(self._tied_vectors(laws))
        for name, kind in self.vectors.items():
            if kind != "iid":
                for order in self.declared[name]:
                    known[f"mu_{name}_{order}"] = _marginal_moments(blocks, name, order)
        return world_of(rng, size, blocks, self.scalar_values, known)

    def _vector_block(self, name, laws):
        where = [(place,) for place in range(len(laws))]
        if self.vectors[name] != "dependent":
            return _joint(laws, name, where)
        return _dependent(name, laws, where)

    def _tied_vectors(self, laws):
        pair = (self._vector_block(name, laws[name]).outcomes for name in ("V", "W"))
        return Block(frozenset("VW"), tuple(_coupled(*pair)))

    def _scalar_blocks(self, rng):
        if self.scalars_kind == "mutual":
            for name in "XYZ":
                yield _joint([self.laws[name]], name, [()])
        elif self.scalars_kind == "pairwise":
            outcomes = [
                (Fraction(1, 4), {"X": {(): one}, "Y": {(): other}, "Z": {(): one * other}})
                for one, other in product((Fraction(-1), Fraction(1)), repeat=2)
            ]
            yield Block(frozenset("XYZ"), tuple(outcomes))
        else:
            first, second, third = (_joint([self.laws[name]], name, [()]).outcomes for name in "XYZ")
            if self.scalars_kind == "only two":
                two = [(times(*pair), {**one, **other}) for (*pair, one, other) in _product_of(first, second)]
            else:
                two = list(_coupled(first, second))
            yield Block(frozenset("XYZ"), tuple(_coupled(two, third)))


def _product_of(first, second):
    for (weight, one), (other_weight, other) in product(first, second):
        yield weight, other_weight, one, other


def _spread(law):
    return _moment(law, 2) - _moment(law, 1) ** 2


def _coupled(first, second):
    """Two lists of outcomes run through in step: the marginal laws stay, and the two are dependent."""
    one, other = [list(pair) for pair in first], [list(pair) for pair in second]
    while one and other:
        weight = min(one[0][0], other[0][0])
        yield weight, {**one[0][1], **other[0][1]}
        for queue in (one, other):
            queue[0][0] -= weight
            if not queue[0][0]:
                queue.pop(0)


def _dependent(name, laws, where):
    """Entries with these laws, all run through in step."""
    outcomes = [(weight, {where[0]: value}) for weight, value in laws[0]]
    for place, law in zip(where[1:], laws[1:], strict=True):
        outcomes = list(_coupled(outcomes, [(weight, {place: value}) for weight, value in law]))
    return Block(frozenset([name]), tuple((weight, {name: values}) for weight, values in outcomes))


def _marginal_moments(blocks, name, order):
    outcomes = next(block.outcomes for block in blocks if name in block.names)
    where = outcomes[0][1][name]

    def moment(place, degree):
        return sum(times(weight, values[name][place] ** degree) for weight, values in outcomes)

    if order == "variance":
        return {place: moment(place, 2) - moment(place, 1) ** 2 for place in where}
    return {place: moment(place, order) for place in where}


# Changes


def disguised(expression, rng):
    """The same expression with bound indices renamed, terms and factors in another order and grouping, sums swapped."""
    if isinstance(expression, Index) or not expression.args or not isinstance(expression, written.Written):
        return expression
    if isinstance(expression, operators.Summation):
        return _disguised_sum(expression, rng)
    if isinstance(expression, Entry | Delta):
        return expression
    parts = [disguised(one, rng) if isinstance(one, Expr) else one for one in expression.args]
    if isinstance(expression, Plus | Times):
        rng.shuffle(parts)
        kind = type(expression)
        if len(parts) > 2 and rng.randrange(2):
            cut = rng.randint(1, len(parts) - 1)
            head = kind(*parts[:cut]) if cut > 1 else parts[0]
            tail = kind(*parts[cut:]) if len(parts) - cut > 1 else parts[cut]
            return kind(head, tail)
        return kind(*parts)
    return expression.func(*parts)


def _disguised_sum(expression, rng):
    body = disguised(expression.body, rng)
    taken = {one.name for one in bound_indices(body) | free_indices(body)}
    renaming = {}
    for one in expression.indices:
        if rng.randrange(2):
            name = next(letter for letter in _letters(rng) if letter not in taken)
            taken.add(name)
            renaming[one] = index(name, one.dimension)
    body = substitute(body, renaming) if renaming else body
    indices = [renaming.get(one, one) for one in expression.indices]
    rng.shuffle(indices)
    if any(one in bound_indices(body) for one in indices):
        return expression
    if type(expression) is operators.Summation and len(indices) > 1 and rng.randrange(2):
        return Sum(Sum(body, *indices[1:]), indices[0])
    return expression.func(body, *indices)


def _letters(rng):
    letters = list("efghoz") + [f"{letter}{number}" for letter in "efgh" for number in range(9)]
    rng.shuffle(letters)
    return letters


def mutated(expression, rng):
    """The expression with one part changed, most often to another value."""
    parts = [path for path in _paths(expression) if path]
    rng.shuffle(parts)
    for path in parts:
        old = _at(expression, path)
        changed = _changed(old, rng)
        if changed is None or shape_of(changed) != shape_of(old):
            continue
        try:
            return _with(expression, path, changed)
        except (ValueError, TypeError):
            continue
    return expression


def _paths(expression, path=()):
    yield path
    if isinstance(expression, Index | Array) or not isinstance(expression, written.Written):
        return
    for place, one in enumerate(expression.args):
        if isinstance(one, Expr):
            yield from _paths(one, (*path, place))


def _at(expression, path):
    for place in path:
        expression = expression.args[place]
    return expression


def _with(expression, path, part):
    if not path:
        return part
    arguments = list(expression.args)
    arguments[path[0]] = _with(arguments[path[0]], path[1:], part)
    return expression.func(*arguments)


def _changed(part, rng):
    if isinstance(part, Integer):
        return rng.choice([part + 1, -part, part - 1])
    if isinstance(part, Index):
        return rng.choice([one for one in INNER[part.dimension] if one != part]) if part.dimension in INNER else None
    if isinstance(part, Scalar):
        return rng.choice([a, b, s, -part, 2 * part])
    if shape_of(part):
        return rng.choice([x, y, u, -part]) if shape_of(part) == (n,) else None
    choices = [lambda: -part, lambda: part * part, lambda: exact(1) * part / 1, lambda: part + 0, lambda: 2 * part]
    if isinstance(part, Plus):
        choices += [lambda: Plus(part.args[0], Negative(part.args[1])), lambda: part.args[0]]
    if isinstance(part, Times):
        choices += [lambda: part.args[0], lambda: Times(*part.args[1:], part.args[0])]
    if isinstance(part, Quotient):
        choices += [lambda: part.args[0] * part.args[1], lambda: part.args[0] * part.args[1] ** -1]
    if isinstance(part, Power):
        choices += [lambda: part.args[0], lambda: Power(absolute(part.args[0]), part.args[1])]
    if isinstance(part, operators.Variance):
        choices += [lambda: E(part.args[0] ** 2) - E(part.args[0]) ** 2, lambda: E(part.args[0] ** 2)]
    if isinstance(part, operators.Covariance):
        first, second = part.args
        choices += [lambda: E(first * second) - E(first) * E(second), lambda: E(first * second)]
    if isinstance(part, operators.Expectation) and isinstance(part.args[0], Times):
        first, *rest = part.args[0].args
        choices += [lambda: E(first) * E(Times(*rest) if len(rest) > 1 else rest[0])] * 3
    if isinstance(part, operators.Expectation) and isinstance(part.args[0], operators.Summation):
        choices += [lambda: Sum(E(part.args[0].body), *part.args[0].indices)]
    if isinstance(part, operators.Summation) and isinstance(part.body, Plus):
        choices += [lambda: Plus(*(Sum(one, *part.indices) for one in part.body.args))]
    return rng.choice(choices)()
