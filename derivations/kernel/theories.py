"""The theories a step may name as its reasons, and how each is said. What a theory contains is said by the laws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Theory:
    """A named set of laws. ``implies`` names theories that come with it, since nobody would say them separately."""

    name: str
    en: str
    zh: str
    implies: tuple[str, ...] = ()


_ROWS = (
    Theory("algebra", "algebra", "代数运算"),
    Theory("definition", "by definition", "由定义"),
    Theory("summation", "summing a constant", "对常数求和"),
    Theory("linearity", "linearity", "线性性质"),
    Theory("variance", "definition of variance and covariance", "方差与协方差公式", ("linearity",)),
    Theory("independence", "independence", "独立性", ("linearity",)),
    Theory("moments", "the given moments", "由已知矩", ("linearity",)),
    Theory("gaussian", "normal moments", "正态分布的矩", ("linearity",)),
    Theory("derivative", "rules of differentiation", "求导法则"),
    Theory("exponential", "rules of exp and log", "指数与对数的运算法则"),
    Theory("given", "by assumption", "由已知条件"),
    Theory("nonnegativity", "signs", "由符号（非负性）"),
    Theory("order", "order and monotonicity", "次序与单调性"),
    Theory("convexity", "convexity (Jensen, Cauchy–Schwarz)", "凸性不等式（Jensen、Cauchy–Schwarz）"),
    Theory("equivalence", "equivalent equations", "等价变形"),
    Theory("limit", "rules for limits", "极限的运算法则"),
    Theory("matrix", "matrix algebra", "矩阵运算"),
)

THEORIES: Mapping[str, Theory] = MappingProxyType({theory.name: theory for theory in _ROWS})


def closure(names: frozenset[str]) -> frozenset[str]:
    """The theories named and those that come with them."""
    return names.union(*(THEORIES[name].implies for name in names))
