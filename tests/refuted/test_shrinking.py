"""Hypothesis, told to find where a false statement fails, ends at the counterexample that ``verify`` prints."""

import pytest
from hypothesis import HealthCheck, find, settings
from test_refuted import FALSE, SMALLEST_DIMENSION, WRONG_STEP

from numerics.errors import NotEvaluated
from numerics.pointwise import check_points, compare_at
from numerics.route import Route
from numerics.statements import make_statement
from numerics.strategies import instances_of

# A gap that is neither too large nor too small is rare.
EXAMPLES = {"softmax.tail_without_factor": 300}

# The mean of a distance of normal variables takes half a second, so only the first example that fails is shrunk.
SLOW = {"spread.distance_of_normals"}


def wrong_statement(name: str):
    step = next(one for one in FALSE[name].steps if one.number == WRONG_STEP[name])
    return make_statement(step.givens, step.left, step.relation, step.right, ())


def printed(statement) -> str:
    (refuted,) = (one for one in check_points(statement, step=1, seed=0) if one.outcome == "refuted")
    return refuted.counterexample.assignment


def fails(statement):
    known = {}

    def failing(instance) -> bool:
        if instance.text not in known:
            try:
                known[instance.text] = compare_at(statement, instance, Route())[1].verdict == "fails"
            except (NotEvaluated, ArithmeticError):
                known[instance.text] = False
        return known[instance.text]

    return failing


@pytest.mark.parametrize("name", sorted(WRONG_STEP))
def test_both_end_at_the_same_counterexample(name: str):
    statement = wrong_statement(name)
    chosen = settings(
        max_examples=EXAMPLES.get(name, 100),
        deadline=None,
        database=None,
        derandomize=True,
        report_multiple_bugs=name not in SLOW,
        suppress_health_check=list(HealthCheck),
    )
    most = 12 if SMALLEST_DIMENSION.get(name, 1) > 3 else 3
    shrunk = find(instances_of(statement, most=most), fails(statement), settings=chosen).text
    found = printed(statement)
    # Where an equation has free indices, the printed one also says at which of their values it fails.
    assert found == shrunk or found.startswith(f"{shrunk}, ")
