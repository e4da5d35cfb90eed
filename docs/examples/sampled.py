"""A Hypothesis test that samples at each example and spends one error rate on all of them."""

from hypothesis import given, settings

from derivations import Note, Var, dot, independent
from derivations.records import Relation
from numerics.instances import Instance
from numerics.statements import make_statement
from numerics.strategies import check_instance, error_budget, instances_of, seeds

note = Note()
d = note.dimension("d")
q = note.random_vector("q", d, mean=0, variance=1)
k = note.random_vector("k", d, mean=0, variance=1)
note.given(independent(q, k))

STATEMENT = make_statement(note.givens, Var(dot(q, k)), Relation.EQUALS, d)
BUDGET = error_budget(1e-6, examples=50)


@settings(max_examples=BUDGET.examples, deadline=None)
@given(instances_of(STATEMENT, law="continuous"), seeds())
def test_variance_of_a_dot_product(instance: Instance, seed: int) -> None:
    """If the claim is true, this fails with probability at most 1e-6 over all its examples together."""
    check = check_instance(STATEMENT, instance, seed=seed, alpha=BUDGET.share)
    assert check.outcome != "refuted", check.counterexample
