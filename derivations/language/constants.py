"""Exact numbers: fractions, and those that have a name."""

from sympy import Rational, pi

__all__ = ["Rational", "pi"]
