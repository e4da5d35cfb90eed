"""Random inequalities between products of sums: some hold for every n and every vector, most do not."""

from derivations.language.functions import exp, norm, softmax
from derivations.language.operators import Sum
from derivations.language.symbols import delta
from derivations.language.written import exact, sqrt
from derivations.records import Relation

from .expressions import i, j, k, n, s, u, x, y

LETTERS = (lambda at: exp(x[at]), lambda at: u[at], lambda at: y[at], lambda at: softmax(x)[at])


class SumWriter:
    """Writes sums of products of power sums that are all of one degree, so that many differences have a sign."""

    def __init__(self, rng):
        self.rng = rng
        self.letters = rng.sample(LETTERS, rng.choice([1, 1, 2]))

    def product(self, degrees):
        """Each letter to its degree, spread over some sums and some free entries."""
        places = self.rng.randint(1, 4)
        powers = [dict.fromkeys(range(len(degrees)), 0) for _ in range(places)]
        for letter, degree in enumerate(degrees):
            for _ in range(degree):
                powers[self.rng.randrange(places)][letter] += 1
        if self.rng.randrange(8) == 0:
            powers[0][0] += 1
            powers[-1][0] -= 1
        result = exact(1)
        for one in powers:
            result = result * self.factor(one)
        return result

    def factor(self, powers):
        at = self.rng.choice([k, k, k, i, j])
        value = exact(1)
        for letter, power in powers.items():
            if power:
                value = value * (self.letters[letter](at) ** power if power != 1 else self.letters[letter](at))
        return Sum(value, k) if at is k else value

    def difference(self):
        degrees = [self.rng.choice([0, 1, 2, 2, 3, 4]) for _ in self.letters]
        result = self.rng.choice([1, 1, 2, 3]) * self.product(degrees)
        for _ in range(self.rng.randint(1, 3)):
            term = self.rng.choice([1, 1, 2]) * self.product(degrees)
            extra = self.rng.randrange(12)
            term = n * term if extra == 0 else delta(i, j) * term if extra == 1 else term
            result = result - term if self.rng.randrange(5) < 3 else result + term
        return result


def sides(rng):
    """Two sides and a relation: a difference against zero, or two norms."""
    writer = SumWriter(rng)
    relation = rng.choice([Relation.AT_MOST, Relation.AT_LEAST, Relation.LESS, Relation.GREATER])
    if rng.randrange(6) == 0:
        high = sqrt(Sum(writer.factor({0: 2}) ** 2, i)) * rng.choice([1, sqrt(n), n, s])
        return exact(norm(rng.choice([x, y, u]))), exact(high), relation
    return exact(writer.difference()), exact(0), relation
