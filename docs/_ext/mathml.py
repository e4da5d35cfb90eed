"""LaTeX as MathML, which browsers show by themselves, so that the pages need no network."""

from __future__ import annotations

import re
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
# What the converter does not read, and what it does.
_REWRITTEN = ((re.compile(r"\\operatorname\*\{max(\^\{[^{}]*\})?\}"), r"\\max\1"), (re.compile(r"\\iff\b"), r"⟺"))
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
    for child in node:
        text = child.text or ""
        if _kind(child) == "mo" and text in _LIMITS:
            child.attrib.update({"lspace": "0", "rspace": "0.17em", "movablelimits": "true"})
        elif _kind(child) == "mo" and text.isalpha() and text.isascii() and len(text) > 1:
            child.tag = f"{{{_NAMESPACE}}}mi"
        elif _kind(child) == "mi" and text == "⟺":
            child.tag = f"{{{_NAMESPACE}}}mo"
            child.attrib.update({"lspace": "0.4em", "rspace": "0.4em"})
        elif display and _kind(child) == "msub" and child[0].text in _LIMITS:
            child.tag = f"{{{_NAMESPACE}}}munder"
        _mend(child, display=display)


def _set_apart(node: ElementTree.Element) -> None:
    """A thin space between a factor and the name of a function after it, as in 2 log n."""
    if _kind(node) not in ("mrow", "math"):
        return
    for position, child in reversed(list(enumerate(node))):
        before = node[position - 1] if position else None
        if before is not None and _kind(before) not in ("mo", "mspace") and _is_function(child):
            node.insert(position, ElementTree.Element(f"{{{_NAMESPACE}}}mspace", width="0.17em"))


def _is_function(node: ElementTree.Element) -> bool:
    name = node[0] if _kind(node) in ("msub", "munder") and len(node) else node
    text = name.text or ""
    return _kind(name) == "mo" and len(text) > 1 and text.isascii() and text.isalpha()


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


def _kind(node: ElementTree.Element) -> str:
    return node.tag.removeprefix(f"{{{_NAMESPACE}}}")
