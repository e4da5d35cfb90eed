"""What many values of one quantity look like."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LOW, HIGH = 0.05, 0.95


@dataclass(frozen=True)
class Spread:
    """Mean with its standard error, median, and the quantiles at 5 % and 95 %."""

    mean: float
    standard_error: float
    low: float
    median: float
    high: float


def spread(values: Floats) -> Spread:
    """The spread of values; the standard error of a single value is not a number."""
    low, median, high = (float(one) for one in np.quantile(values, (LOW, 0.5, HIGH)))
    error = float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return Spread(float(np.mean(values)), error, low, median, high)
