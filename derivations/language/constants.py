"""Numbers that have a name."""

from sympy import pi

__all__ = ["pi"]
