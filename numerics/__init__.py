"""The independent route: both sides of a step are evaluated, by no rule of the prover."""

from numerics.checking import Instruments, check_derivation, check_step
from numerics.checks import Check, Counterexample, Evidence, evidence

__all__ = ["Check", "Counterexample", "Evidence", "Instruments", "check_derivation", "check_step", "evidence"]
