"""Every false statement is refuted where it is wrong, with a small counterexample, and nothing false is proved."""

import re
from pathlib import Path

import pytest

from derivations.faces.examine import examine, real_engines
from derivations.loading import load_module
from derivations.records import Derivation
from derivations.verdict import StepResult, verdict

STATEMENTS = Path(__file__).parent / "statements"

# The step that is wrong, counted from 1. Every other step of the chain is right.
WRONG_STEP = {
    "attention.dimension_squared": 2,
    "attention.dimension_plus_one": 2,
    "attention.sigma_squared": 2,
    "attention.forgotten_mean": 2,
    "attention.independence_missing": 2,
    "attention.entries_dependent": 1,
    "attention.scaled_by_dimension": 1,
    "attention.scaled_by_fourth_root": 2,
    "attention.covariance_forgotten": 2,
    "attention.covariance_counted_twice": 1,
    "attention.pairwise_only": 1,
    "attention.square_of_mean": 2,
    "attention.fourth_moment_off_diagonal": 1,
    "attention.biased_sample_variance": 1,
    "attention.scores_of_one_query_independent": 1,
    "attention.difference_as_one_score": 2,
    "attention.variance_of_difference": 1,
    "attention.scale_is_dimension": 2,
    "attention.scale_of_any_sign": 2,
    "spread.range_of_any_sign": 1,
    "spread.maximum_of_sum": 1,
    "spread.maximum_of_negatives": 1,
    "spread.distance_of_normals": 1,
    "spread.maximum_without_factor": 1,
    "spread.sum_of_vanishing_terms": 1,
    "softmax.gradient_always_vanishes": 1,
    "softmax.one_hot_under_ties": 1,
    "softmax.norm_bound_with_one": 1,
    "softmax.tail_without_factor": 1,
    "softmax.trace_with_one": 1,
    "softmax.squared_norm_wrong_cube": 2,
    "softmax.scale_invariance": 1,
    "softmax.jacobian_plus": 1,
    "softmax.jacobian_diagonal_everywhere": 2,
    "softmax.jacobian_swapped": 1,
    "softmax.jacobian_two_classes": 1,
    "softmax.denominator_without_exp": 1,
    "softmax.logsumexp_gradient_unnormalised": 2,
    "softmax.cross_entropy_targets_not_normalised": 2,
    "softmax.jacobian_rows_sum_to_one": 1,
    "softmax.tanh_without_scale": 1,
    "softmax.log_of_ratio": 2,
}

# Where a statement is true up to some dimension, its counterexample needs a larger one.
SMALLEST_DIMENSION = {
    "softmax.jacobian_two_classes": 3,
    "softmax.tail_without_factor": 3,
    "spread.maximum_without_factor": 200,
}


def false_derivations() -> dict[str, Derivation]:
    from derivations.authoring import Entry

    found = {}
    for file in sorted(STATEMENTS.glob("*.py")):
        for value in vars(load_module(str(file))).values():
            if isinstance(value, Entry):
                one = value.read(f"{file.stem}.")
                found[one.name] = one
    return found


FALSE = false_derivations()


def test_every_false_statement_says_where_it_is_wrong():
    assert set(FALSE) == set(WRONG_STEP), "each statement needs a row in WRONG_STEP, and each row a statement"


@pytest.mark.parametrize("name", sorted(set(FALSE) & set(WRONG_STEP)))
@pytest.mark.parametrize("seed", [0, 1])
def test_a_false_statement_is_refuted_at_the_step_that_is_wrong(name: str, seed: int):
    *_, facts = examine(FALSE[name], real_engines(), seed)
    steps = {step["number"]: step for step in facts["steps"]}
    wrong = WRONG_STEP[name]

    results = [StepResult(step["proof"], step["evidence"]) for step in facts["steps"]]
    assert verdict(results) == "refuted"
    assert [number for number, step in steps.items() if step["evidence"] == "refutes"] == [wrong]
    assert steps[wrong]["proof"] == "open"
    counterexample = steps[wrong]["counterexample"]
    assert counterexample is not None
    assert counterexample["left"] != counterexample["right"]
    sizes = [int(size) for size in re.findall(r"\b(?:n|d_k) = (\d+)", counterexample["assignment"])]
    assert max(sizes, default=1) <= SMALLEST_DIMENSION.get(name, 2)
