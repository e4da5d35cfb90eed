"""LaTeX as MathML, which browsers show by themselves, so that the pages need no network."""

from __future__ import annotations

import re
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
# The converter does not know bars that do not grow as brackets.
_BARS = tuple(
    (re.compile(rf"\\{side}{bar}(?![A-Za-z])"), instead)
    for side, bar, instead in (
        ("l", "vert", r"\\left|"),
        ("r", "vert", r"\\right|"),
        ("l", "Vert", r"\\left\\lVert"),
        ("r", "Vert", r"\\right\\rVert"),
    )
)
# What the converter does not read, and what it does.
_REWRITTEN = (
    (re.compile(r"\\operatorname\*\{max(\^\{[^{}]*\})?\}"), r"\\max\1"),
    (re.compile(r"\\iff\b"), r"⟺"),
    *_BARS,
)
_CLOSING = frozenset(")]")
_BEFORE_SIGN = frozenset(("", "(", "[", "=", "≤", "≥", ",", "⟺"))
_LIMITS = frozenset({"lim", "max", "min"})


@lru_cache(maxsize=4096)
def mathml(latex: str, *, display: bool = False) -> str:
    """The formula as a ``math`` element, with its LaTeX as the text that is read where there is no MathML."""
    text = latex
    for pattern, instead in _REWRITTEN:
        text = pattern.sub(instead, text)
    ElementTree.register_namespace("", _NAMESPACE)
    root = ElementTree.fromstring(convert(text, display="block" if display else "inline"))
    root.set("alttext", latex)
    _mend(root, display=display)
    return ElementTree.tostring(root, encoding="unicode")


def _mend(node: ElementTree.Element, *, display: bool) -> None:
    """Names are identifiers, not operators with space on both sides; letters of one word belong together."""
    _join_letters(node)
    _set_apart(node)
    before = ""
    for child in node:
        text = child.text or ""
        if _kind(child) == "mo" and text in _LIMITS:
            child.attrib.update({"lspace": "0", "rspace": "0.17em", "movablelimits": "true"})
        elif _kind(child) == "mo" and (text == "∞" or _is_word(text)):
            child.tag = _tag("mi")
        elif _kind(child) == "mo" and text == "−" and before in _BEFORE_SIGN:
            child.attrib.update({"form": "prefix", "lspace": "0", "rspace": "0"})
        elif _kind(child) == "mi" and text == "⟺":
            child.tag = _tag("mo")
            child.attrib.update({"lspace": "0.4em", "rspace": "0.4em"})
        elif display and _kind(child) == "msub" and child[0].text in _LIMITS:
            child.tag = _tag("munder")
        _mend(child, display=display)
        before = text if _kind(child) == "mo" else "term"


def _set_apart(node: ElementTree.Element) -> None:
    """A thin space between a factor and the name of a function after it, as in 2 log n."""
    if _kind(node) not in ("mrow", "math"):
        return
    for position, child in reversed(list(enumerate(node))):
        before = node[position - 1] if position else None
        if before is not None and _is_function(child) and (_kind(before) != "mo" or before.text in _CLOSING):
            node.insert(position, ElementTree.Element(_tag("mspace"), width="0.17em"))


def _is_function(node: ElementTree.Element) -> bool:
    name = node
    while _kind(name) in ("msub", "munder", "mrow") and len(name):
        name = name[0]
    return _kind(name) in ("mo", "mi") and _is_word(name.text or "")


def _is_word(text: str) -> bool:
    return len(text) > 1 and text.isascii() and text.isalpha()


def _join_letters(node: ElementTree.Element) -> None:
    word: ElementTree.Element | None = None
    for child in list(node):
        if _kind(child) == "mi" and child.attrib.get("mathvariant") == "normal" and (child.text or "").isalpha():
            if word is None:
                word = child
            else:
                word.text = f"{word.text}{child.text}"
                node.remove(child)
            if len(word.text or "") > 1:
                word.attrib.pop("mathvariant", None)
        else:
            word = None


def _tag(kind: str) -> str:
    return f"{{{_NAMESPACE}}}{kind}"


def _kind(node: ElementTree.Element) -> str:
    return node.tag.removeprefix(f"{{{_NAMESPACE}}}")
