"""How a name such as ``sigma_Q`` is read: a letter with subscripts; and how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_LETTERS = (
    "alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ "
    "sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ "
    "Phi Φ Psi Ψ Omega Ω"
)
GREEK: Mapping[str, str] = MappingProxyType(dict(zip(_LETTERS.split()[::2], _LETTERS.split()[1::2], strict=True)))
_SPELLED: Mapping[str, str] = MappingProxyType({letter: name for name, letter in GREEK.items()})
_ACCENTS = frozenset({"hat", "bar", "tilde", "dot"})
_OPERATORS = frozenset({"max", "min", "arg", "exp", "log"})
_ESCAPES = str.maketrans({"_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}"})
_RANK = re.compile(r"\(\d+\)")
_PRIMES = re.compile(r"'*$")
_NUMBERED = re.compile(r"([A-Za-z]+|\W)(\d+)")


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """The letter and its subscripts: ``mu_Q`` is mu with Q, ``x1`` is x with 1."""
    base, *subscripts = name.split("_")
    if not base or not all(subscripts):
        return name, ()
    numbered = _NUMBERED.fullmatch(base)
    if numbered:
        base, subscripts = numbered[1], [numbered[2], *subscripts]
    return base, tuple(subscripts)


def latex_word(word: str) -> str:
    """One part of a name: a letter, a Greek letter, a number, or a word set upright."""
    primes = _PRIMES.search(word)
    tail = primes[0] if primes else ""
    stem = word.removesuffix(tail) if tail else word
    stem = _SPELLED.get(stem, stem)
    if stem in GREEK:
        # LaTeX has no command for the capitals that look Latin; all those in the table exist.
        return f"\\{stem}{tail}"
    if stem in _OPERATORS:
        return f"\\{stem}{tail}"
    if len(stem) == 1 or stem.isdigit() or _RANK.fullmatch(stem):
        return stem.translate(_ESCAPES) + tail
    wrapped = "mathrm" if stem.isascii() else "text"
    return f"\\{wrapped}{{{stem.translate(_ESCAPES)}}}{tail}"


def braced(text: str) -> str:
    """A sub- or superscript: braces unless it is one letter, one digit or one command for a letter."""
    letter = len(text) == 1 or (re.fullmatch(r"\\[A-Za-z]+", text) and text[1:] not in _OPERATORS)
    return text if letter else f"{{{text}}}"


def latex_name(name: str, indices: tuple[str, ...] = ()) -> str:
    """A name with further indices: ``sigma_Q`` becomes ``\\sigma_Q``; ``x`` at i, j becomes ``x_{ij}``."""
    base, subscripts = split_name(name)
    accents = [one for one in subscripts if one in _ACCENTS]
    text = latex_word(base)
    for accent in accents:
        text = f"\\{accent}{{{text}}}"
    own = [latex_word(one) for one in subscripts if one not in _ACCENTS]
    below = [*own, joined_indices(indices)] if indices else own
    return f"{text}_{braced(','.join(below))}" if below else text


def joined_indices(indices: tuple[str, ...]) -> str:
    """Single letters stand side by side, longer names are parted by commas."""
    written = tuple(latex_name(one) for one in indices)
    return ("" if all(len(one) == 1 for one in written) else ",").join(written)


def text_name(name: str) -> str:
    """A name in Unicode: ``sigma_Q`` becomes ``σ_Q``."""
    return "_".join(GREEK.get(part, part) for part in name.split("_"))
