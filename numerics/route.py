"""The instruments of the pointwise checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from numerics.arithmetic import DOUBLES, EXACT, Arithmetic, high_precision
from numerics.environments import Readers
from numerics.evaluation import READERS
from numerics.instances import Instance, draw_instance

DrawInstance = Callable[..., Instance]


@dataclass(frozen=True)
class Route:
    """The instruments of the pointwise checks; a test replaces one by a faulty one."""

    draw: DrawInstance = draw_instance
    exact: Arithmetic = EXACT
    high_precision: Callable[[int], Arithmetic] = high_precision
    doubles: Arithmetic = DOUBLES
    readers: Readers = field(default_factory=lambda: READERS)
    most_exact_outcomes: int = 800
    most_outcomes: int = 300
    most_nodes: int = 4000
