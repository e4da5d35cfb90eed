"""What the pages quote: verdicts, derivations, experiments, and single numbers by name."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from derivations.faces.tables import number, with_error
from derivations.loading import load
from derivations.records import Derivation
from derivations.registry import read_registry
from numerics.experiments.dot_product_variance import DotProductVariance, dot_product_variance
from numerics.experiments.saturated import saturated
from numerics.experiments.softmax_saturation import SoftmaxSaturation, softmax_saturation

EXAMPLES = Path(__file__).parent.parent / "examples"


@dataclass(frozen=True)
class Findings:
    """Everything that is found out when the pages are built."""

    derivations: Mapping[str, Derivation]
    facts: Mapping[str, Any]
    saturation: SoftmaxSaturation
    variance: DotProductVariance


def find(names: Iterable[str] = ()) -> Findings:
    """Verify the library and the examples, and run both experiments as the command line does by default."""
    registry = read_registry((EXAMPLES,))
    report = subprocess.run(
        [sys.executable, "-m", "derivations", "verify", "--json", "--library", str(EXAMPLES), *names],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,  # what is not proved is said on the page
    )
    facts = {one["name"]: one for one in json.loads(report.stdout)["derivations"]}
    derivations = {name: load(registry.by_name[name], registry) for name in facts}
    return Findings(derivations, facts, softmax_saturation(), dot_product_variance())


def values(found: Findings) -> dict[str, str]:
    """Single numbers by name, written as they stand in a sentence."""
    saturation, order = found.saturation, found.saturation.order
    low, high, last = saturation.levels[0], saturation.levels[-1], saturation.scaling[-1]
    library = [one for name, one in found.facts.items() if name.partition(".")[0] in _FAMILIES]
    worst = found.variance.farthest
    return {
        "derivations": str(len(library)),
        "proved": str(sum(one["verdict"] == "proved" for one in library)),
        "steps": str(sum(len(one["steps"]) for one in library)),
        "n": str(saturation.n),
        "seeds": str(len(saturation.seeds)),
        "low variance": f"{low.variance:g}",
        "high variance": f"{high.variance:g}",
        "deviation": number(high.deviation),
        "range": number(order.expected_range),
        "gap": number(order.expected_gap),
        "largest before": f"{100 * low.largest.median:.0f} %",
        "largest after": f"{100 * high.largest.median:.2f} %",
        "median before": number(low.norm.median),
        "median after": number(high.norm.median),
        "mean before": with_error(low.norm.mean, low.norm.standard_error),
        "mean after": with_error(high.norm.mean, high.norm.standard_error),
        "share": f"{100 * high.share_of_largest_tenth:.0f} %",
        "mean times deviation": with_error(last.mean_times_deviation, last.error_times_deviation),
        "last variance": f"{last.variance:g}",
        "draws": f"{last.samples:,}",
        "limit": number(order.gap_density_at_zero, 4),
        "above bound": str(sum(one.above_bound for one in saturation.levels)),
        "farthest": f"{abs(worst.deviations):.1f}",
        "measured": str(len(found.variance.rows)),
        **{f"tie {r}": number(_tie(saturation.n, r)) for r in (1, 2, 3)},
    }


_FAMILIES = frozenset(one.family for one in read_registry().listings)


def _tie(n: int, r: int) -> float:
    """The measured norm of the Jacobian where r of n scores are equal and lie 50 above the others."""
    return float(saturated(np.repeat([50.0, 0.0], [r, n - r])).norm)
