"""Generated from the registry: every derivation is proved, and every step of it agrees with the numerics.

A derivation added to the library is tested here without being named.
"""

import pytest

import numerics
from derivations.kernel.prove import prove
from derivations.kernel.record import Status
from derivations.loading import load
from derivations.records import Derivation
from derivations.registry import read_registry

REGISTRY = read_registry()
DERIVATIONS = {listing.name: load(listing) for listing in REGISTRY.listings}
SEEDS = (0, 20261129)

# The names that were promised. A derivation may be added; none of these may go.
PROMISED = {
    "attention.dot_product_mean",
    "attention.dot_product_variance",
    "attention.dot_product_variance_general",
    "attention.scaled_dot_product_variance",
    "softmax.sums_to_one",
    "softmax.jacobian",
    "softmax.jacobian_symmetric",
    "softmax.jacobian_rows_sum_to_zero",
    "softmax.logsumexp_gradient",
    "softmax.cross_entropy_gradient",
}


def test_the_library_reads_without_fault():
    assert REGISTRY.faults == ()
    assert set(DERIVATIONS) >= PROMISED


@pytest.mark.parametrize("derivation", DERIVATIONS.values(), ids=list(DERIVATIONS))
def test_every_step_is_proved(derivation: Derivation):
    proof = prove(derivation)

    assert proof.contradiction == ""
    for step in proof.steps:
        assert step.unused == (), f"step {step.number} gives reasons that it does not use"
        assert step.status is Status.CLOSED, f"step {step.number}: {step.residual} {step.message} {step.missing}"


@pytest.mark.parametrize("derivation", DERIVATIONS.values(), ids=list(DERIVATIONS))
@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_agrees_with_the_numerics(derivation: Derivation, seed: int):
    checks = numerics.check_derivation(derivation, seed=seed)

    found = {step.number: numerics.evidence(checks, step.number) for step in derivation.steps}
    assert found == {step.number: "agrees" for step in derivation.steps}


@pytest.mark.parametrize("derivation", DERIVATIONS.values(), ids=list(DERIVATIONS))
def test_every_title_is_in_both_languages(derivation: Derivation):
    assert derivation.title.en.strip()
    assert any("\u4e00" <= letter <= "\u9fff" for letter in derivation.title.zh)
    assert derivation.source.strip()
