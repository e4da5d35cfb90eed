"""The Sphinx side: directives and roles that put what was found out on the page, and MathML for all mathematics."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import ziamath
from docutils import nodes
from docutils.parsers.rst import directives
from fragments import (
    Writer,
    conjunction_html,
    derivation_html,
    laws_html,
    list_html,
    table_html,
    verdict_badge,
)
from mathml import mathml
from measurements import EXAMPLES, Findings, find, values
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.writers.html5 import HTML5Translator

from derivations.faces.experiment_words import saturation_seen, saturation_tables, variance_seen, variance_tables
from derivations.faces.figures import saturation_figure, variance_figure
from derivations.kernel.laws.table import LAWS
from derivations.records import Language
from derivations.writing.document import statement
from derivations.writing.latex import latex

_log = logging.getLogger(__name__)
_FOUND: dict[str, Findings] = {}
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


def language_of(document: str) -> Language:
    """The pages in the folder ``zh`` are Chinese."""
    return "zh" if document.startswith("zh/") else "en"


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


class _Page(SphinxDirective):
    """What all directives here know."""

    @property
    def found(self) -> Findings:
        """Verdicts and experiments."""
        return _FOUND["all"]

    @property
    def language(self) -> Language:
        """The language of the page."""
        return language_of(self.env.docname)

    @property
    def writer(self) -> Writer:
        """Writes in that language."""
        return Writer(mathml, self.language)

    def facts_of(self, name: str) -> Mapping[str, Any]:
        """What ``verify`` says of a derivation; the text of the pages is true only if that is ``proved``."""
        facts: Mapping[str, Any] = self.found.facts[name]
        if facts["verdict"] != "proved":
            _log.warning("%s is %s", name, facts["verdict"], location=self.get_location())
        return facts


class DerivationDirective(_Page):
    """``{derivation} name``: all lines with their reasons; with ``:claim:`` only what is shown."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"claim": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The derivation as HTML."""
        name = self.arguments[0]
        derivation, facts = self.found.derivations[name], self.facts_of(name)
        if derivation.parts:
            return [_raw(conjunction_html(derivation, facts, self.found.facts, self.writer))]
        return [_raw(derivation_html(derivation, facts, self.writer, whole="claim" not in self.options))]


class ExperimentDirective(_Page):
    """``{experiment} saturation`` or ``variance``: ``:show:`` figure, tables or findings."""

    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "show": lambda text: directives.choice(text, ("figure", "tables", "findings")),
        "alt": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """The figure, the tables, or the sentences."""
        name, show = self.arguments[0], self.options["show"]
        if show == "figure":
            up = "../" * self.env.docname.count("/")
            file = f"{up}_static/{name}-{self.language}.svg"
            return [_raw(f'<img class="figure" src="{file}" alt="{self.options["alt"]}">')]
        found, language = self.found, self.language
        if show == "findings":
            seen = {
                "saturation": lambda: saturation_seen(found.saturation, language),
                "variance": lambda: variance_seen(found.variance, language),
            }
            return [_raw(list_html(seen[name](), self.writer))]
        tables = {
            "saturation": lambda: saturation_tables(found.saturation, language),
            "variance": lambda: variance_tables(found.variance, language),
        }
        return [_raw("".join(table_html(one, self.writer) for one in tables[name]()))]


class LawsDirective(_Page):
    """``{laws}``: the table of laws."""

    def run(self) -> list[nodes.Node]:
        """The tables as HTML."""
        return [_raw(laws_html(LAWS.values(), self.writer))]


class OutputDirective(_Page):
    """``{output} show averages``: what the command line prints, with the examples in its library."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """The output as a literal block."""
        words = self.arguments[0].split()
        done = subprocess.run(
            [sys.executable, "-m", "derivations", *words, "--library", EXAMPLES.name],
            capture_output=True, text=True, encoding="utf-8", check=False, cwd=EXAMPLES.parent,
        )  # fmt: skip
        block = nodes.literal_block(done.stdout, done.stdout)
        block["language"] = "text"
        return [block]


class VerdictRole(SphinxRole):
    """``{verdict}`name```: the verdict on a derivation, or a verdict itself."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The badge."""
        facts = _FOUND["all"].facts
        word = facts[self.text]["verdict"] if self.text in facts else self.text
        return [_raw(verdict_badge(word, language_of(self.env.docname)))], []


class ValueRole(SphinxRole):
    """``{value}`median after```: a number that was found out."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The number as text."""
        return [nodes.inline("", values(_FOUND["all"])[self.text], classes=["value"])], []


class FormulaRole(SphinxRole):
    """``{formula}`name```: what a derivation shows; ``{formula}`name:start``` and ``name:end`` its two ends."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The formula."""
        name, _, part = self.text.partition(":")
        derivation = _FOUND["all"].derivations[name]
        text = latex(getattr(derivation, part)) if part else statement(derivation)
        return [_raw(mathml(text))], []


def _prepare(app: Sphinx) -> None:
    """Find everything out once, and put the figures and the font for mathematics among the static files."""
    folder = Path(app.srcdir) / "_build" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    font = Path(ziamath.__file__).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    shutil.copyfile(font, folder / font.name)
    _FOUND["all"] = find()
    for language in _LANGUAGES:
        saturation_figure(_FOUND["all"].saturation, folder / f"saturation-{language}.svg", language)
        variance_figure(_FOUND["all"].variance, folder / f"variance-{language}.svg", language)


def _page_language(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: object) -> None:
    context["language"] = language_of(page)


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(mathml(node.astext()))
    raise nodes.SkipNode


def _display(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(mathml(node.astext(), display=True))
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything."""
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.add_directive("derivation", DerivationDirective)
    app.add_directive("experiment", ExperimentDirective)
    app.add_directive("laws", LawsDirective)
    app.add_directive("output", OutputDirective)
    app.add_role("verdict", VerdictRole())
    app.add_role("value", ValueRole())
    app.add_role("formula", FormulaRole())
    app.connect("builder-inited", _prepare)
    app.connect("html-page-context", _page_language)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
