"""Hypothesis draws dimensions, numbers, laws and joint laws that satisfy the givens; every step must hold there.

The generator is the one that ``verify`` uses; here its choices come from Hypothesis, so that a failure shrinks.
"""

import pytest
from hypothesis import HealthCheck, Phase, assume, event, given, settings
from hypothesis import strategies as st

from derivations.loading import load
from derivations.registry import read_registry
from numerics.errors import NotEvaluated
from numerics.instances import draw_instance
from numerics.pointwise import compare_at
from numerics.route import Route
from numerics.sources import Seeded
from numerics.statements import make_statement
from numerics.strategies import instances_of

REGISTRY = read_registry()
STEPS = [
    (f"{listing.name}, step {step.number}", make_statement(step.givens, step.left, step.relation, step.right, ()))
    for listing in REGISTRY.listings
    for derivation in [load(listing, REGISTRY)]
    if not derivation.parts  # each part is a derivation that is drawn by itself
    for step in derivation.steps
]


@pytest.mark.parametrize("statement", [statement for _, statement in STEPS], ids=[name for name, _ in STEPS])
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.generate, Phase.shrink),
)
@given(data=st.data())
def test_a_step_holds_wherever_its_givens_do(statement, data):
    instance = data.draw(instances_of(statement), label="instance")
    try:
        _, comparison = compare_at(statement, instance, Route())
    except NotEvaluated:
        assume(False)
    event(comparison.verdict)
    assert comparison.verdict != "fails", comparison.counterexample


def test_most_steps_are_reached():
    # A step whose instances are all out of reach would pass the test above for nothing.
    reached = 0
    for _, statement in STEPS:
        for size in (1, 2, 3):
            sizes = {one: max(size, statement.facts.least.get(one, 1)) for one in statement.letters.dimensions}
            try:
                instance = draw_instance(statement.letters, statement.facts, sizes, Seeded(f"reach/{size}"))
                _, comparison = compare_at(statement, instance, Route())
            except NotEvaluated:
                continue
            if comparison.verdict == "holds":
                reached += 1
                break
    assert reached >= 0.85 * len(STEPS)
