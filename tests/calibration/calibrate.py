"""Measure the error rates of the sampling test and record them beside this file.

Run ``python tests/calibration/calibrate.py`` (about ten minutes on one core). ``test_calibration.py`` runs a short
version and holds the recorded result to the claims.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path

import rates

RESULT = Path(__file__).with_name("result.json")
STATISTICS = ("X", "X^2", "XY")


def measure(runs: int, pipeline: int, full: int, seeds: int) -> dict[str, object]:
    """All figures, as plain data."""
    pairs = list(product(rates.LAWS, STATISTICS))
    return {
        "confidence": rates.CONFIDENCE,
        "e_values": [rates.plain(one) for law, name in pairs for one in rates.e_values(law, name, runs, seed=1)],
        "false_refutations": [
            rates.plain(rates.refutation_rate(law, name, alpha, runs, seed=2))
            for law, name in pairs
            for alpha in rates.LEVELS
        ],
        "false_refutations_of_the_loop": [
            rates.plain(rates.pipeline_rate(alpha, pipeline, pairs=many))
            for alpha in rates.LEVELS
            for many in (False, True)
        ],
        "full_runs_at_the_default": rates.full_runs(full),
        "detection": rates.plain(rates.detection(seeds)),
    }


def failures(result: dict[str, object]) -> list[str]:
    """Which claims the figures contradict."""
    wrong = [str(one) for one in result["e_values"] if not rates.EValue(**one).holds]
    for group in ("false_refutations", "false_refutations_of_the_loop"):
        wrong += [str(one) for one in result[group] if not rates.Rate(**one).holds]
    if result["full_runs_at_the_default"]["refuted"]:
        wrong.append("a true claim was refuted at the default error rate")
    found = rates.Detection(**result["detection"])
    if found.caught < found.runs:
        wrong.append(f"d + 1 was caught in {found.caught} of {found.runs} seeds")
    if found.time_ratio > 3:
        wrong.append(f"the check takes {found.time_ratio:.2f} times as long as drawing alone")
    return wrong


def main() -> None:
    """Measure, record, and print what contradicts a claim."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=100_000)
    parser.add_argument("--pipeline", type=int, default=2000)
    parser.add_argument("--full", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=200)
    options = parser.parse_args()
    result = measure(options.runs, options.pipeline, options.full, options.seeds)
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for law in rates.LAWS:
        means = [one["mean"] for one in result["e_values"] if one["law"] == law]
        print(f"{law:20} mean e-values {min(means):.3f} to {max(means):.3f}")
    for alpha in rates.LEVELS:
        found = [one["refuted"] / one["runs"] for one in result["false_refutations"] if one["alpha"] == alpha]
        print(f"alpha = {alpha:<5} refuted {min(found):.5f} to {max(found):.5f}")
    print("full runs at the default:", result["full_runs_at_the_default"])
    print("detection:", result["detection"])
    wrong = failures(result)
    print("\n".join(wrong) or "every claim holds")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
