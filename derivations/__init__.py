"""A verifier for the derivations of machine-learning mathematics.

The public names are loaded when they are first used, so that ``derivations list`` starts without SymPy.
"""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derivations.authoring import Chain as Chain
    from derivations.authoring import Note as Note
    from derivations.authoring import at_least as at_least
    from derivations.authoring import at_most as at_most
    from derivations.authoring import by as by
    from derivations.authoring import derivation as derivation
    from derivations.authoring import equals as equals
    from derivations.authoring import greater_than as greater_than
    from derivations.authoring import iff as iff
    from derivations.authoring import less_than as less_than
    from derivations.faces.notebook import check as check
    from derivations.language.arrays import entry as entry
    from derivations.language.arrays import tabulate as tabulate
    from derivations.language.arrays import transpose as transpose
    from derivations.language.constants import Rational as Rational
    from derivations.language.constants import pi as pi
    from derivations.language.distributions import bernoulli as bernoulli
    from derivations.language.distributions import normal as normal
    from derivations.language.distributions import rademacher as rademacher
    from derivations.language.distributions import uniform as uniform
    from derivations.language.errors import LanguageError as LanguageError
    from derivations.language.functions import absolute as absolute
    from derivations.language.functions import cos as cos
    from derivations.language.functions import dot as dot
    from derivations.language.functions import erf as erf
    from derivations.language.functions import exp as exp
    from derivations.language.functions import log as log
    from derivations.language.functions import logsumexp as logsumexp
    from derivations.language.functions import norm as norm
    from derivations.language.functions import sigmoid as sigmoid
    from derivations.language.functions import sin as sin
    from derivations.language.functions import softmax as softmax
    from derivations.language.functions import tanh as tanh
    from derivations.language.functions import trace as trace
    from derivations.language.givens import dimension_at_least as dimension_at_least
    from derivations.language.givens import distinct as distinct
    from derivations.language.givens import equation as equation
    from derivations.language.givens import gap_below as gap_below
    from derivations.language.givens import has_law as has_law
    from derivations.language.givens import has_mean as has_mean
    from derivations.language.givens import has_moment as has_moment
    from derivations.language.givens import has_variance as has_variance
    from derivations.language.givens import identically_distributed as identically_distributed
    from derivations.language.givens import independent as independent
    from derivations.language.givens import independent_entries as independent_entries
    from derivations.language.givens import integrable as integrable
    from derivations.language.givens import maximal_entries as maximal_entries
    from derivations.language.givens import nonnegative as nonnegative
    from derivations.language.givens import nonzero as nonzero
    from derivations.language.givens import pairwise_independent as pairwise_independent
    from derivations.language.givens import positive as positive
    from derivations.language.givens import unique_maximum as unique_maximum
    from derivations.language.operators import Cov as Cov
    from derivations.language.operators import Derivative as Derivative
    from derivations.language.operators import DistinctSum as DistinctSum
    from derivations.language.operators import E as E
    from derivations.language.operators import Sum as Sum
    from derivations.language.operators import Var as Var
    from derivations.language.operators import limit as limit
    from derivations.language.order import Max as Max
    from derivations.language.order import Min as Min
    from derivations.language.order import largest as largest
    from derivations.language.order import smallest as smallest
    from derivations.language.propositions import equal as equal
    from derivations.language.symbols import delta as delta
    from derivations.language.written import sqrt as sqrt

__version__ = "0.1.0"

_MODULES = MappingProxyType(
    {
        "authoring": "Chain Note at_least at_most by derivation equals greater_than iff less_than",
        "faces.notebook": "check",
        "language.arrays": "entry tabulate transpose",
        "language.constants": "Rational pi",
        "language.distributions": "bernoulli normal rademacher uniform",
        "language.errors": "LanguageError",
        "language.functions": "absolute cos dot erf exp log logsumexp norm sigmoid sin softmax tanh trace",
        "language.givens": "dimension_at_least distinct equation gap_below has_law has_mean has_moment has_variance "
        "identically_distributed "
        "independent independent_entries integrable maximal_entries nonnegative nonzero pairwise_independent positive "
        "unique_maximum",
        "language.operators": "Cov Derivative DistinctSum E Sum Var limit",
        "language.order": "Max Min largest smallest",
        "language.propositions": "equal",
        "language.symbols": "delta",
        "language.written": "sqrt",
    }
)
_HOME = MappingProxyType({name: module for module, names in _MODULES.items() for name in names.split()})
__all__ = sorted(_HOME)  # noqa: PLE0605  # computed, so that a name stands in one table only


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"derivations.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
