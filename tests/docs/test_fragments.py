"""What the pages are made of. The whole site is built by ``docs/build.sh``, with every warning an error."""

from __future__ import annotations

import re
import sys
from html import escape
from pathlib import Path

import pytest

from derivations.faces.tables import Table
from derivations.kernel.laws.table import LAWS
from derivations.loading import load
from derivations.registry import read_registry
from derivations.writing.verdicts import IN_CHINESE, VERDICTS

DOCS = Path(__file__).parent.parent.parent / "docs"
sys.path.insert(0, str(DOCS / "_ext"))

from fragments import Writer, conjunction_html, derivation_html, laws_html, list_html, table_html  # noqa: E402

REGISTRY = read_registry()
FACTS = {
    "verdict": "proved",
    "steps": [{"proof": "closed", "evidence": "agrees"}],
    "numerics": [{"method": "monte_carlo", "outcome": "confirmed", "samples": 1200}],
}


def maths(latex, *, display=False):
    return f"<math>{latex}</math>"


def read(name):
    return load(REGISTRY.by_name[name], REGISTRY)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_derivation_stands_there_with_every_line(language):
    derivation = read("attention.dot_product_variance")
    html = derivation_html(derivation, FACTS, Writer(maths, language))
    assert html.count('class="line"') == len(derivation.lines)
    assert html.count('class="reason"') == len(derivation.lines)
    assert derivation.title.in_language(language) in html
    assert '<span class="verdict proved"' in html
    assert "1,200" in html
    assert ("独立性" in html) == (language == "zh")


def test_the_verdict_is_the_one_that_was_found():
    html = derivation_html(read("softmax.jacobian"), {**FACTS, "verdict": "refuted"}, Writer(maths, "en"))
    assert '<span class="verdict refuted"' in html
    assert "proved</span>" not in html


def test_a_chinese_page_has_the_verdict_in_chinese_with_the_english_word_beside():
    assert {*IN_CHINESE} == {*VERDICTS}
    html = derivation_html(read("softmax.jacobian"), FACTS, Writer(maths, "zh"))
    assert ">已证明 proved</span>" in html
    assert "设 <math>x</math> 为" in html
    assert "<math>i, j = 1, \\dots, n</math>" in html


def test_cases_and_certificates_are_told():
    html = derivation_html(read("spread.expected_maximum_of_normals"), FACTS, Writer(maths, "en"))
    assert html.count('class="case"') == 2
    html = derivation_html(read("softmax.jacobian_norm_bound"), FACTS, Writer(maths, "en"))
    assert 'class="certificate"' in html
    assert "The weight outside the maximum" in html


def test_each_part_of_a_conjunction_has_its_own_verdict():
    derivation = read("attention.why_sqrt_d")
    facts = {part.name: FACTS for part in derivation.parts} | {derivation.parts[2].name: {"verdict": "unknown"}}
    html = conjunction_html(derivation, FACTS, facts, Writer(maths, "en"))
    assert html.count("<tr>") == len(derivation.parts) + 1
    assert html.count('class="verdict unknown"') == 1


def test_the_table_of_laws_is_complete():
    html = laws_html(LAWS.values(), Writer(maths, "en"))
    for law in LAWS.values():
        assert f"<code>{law.name}</code>" in html
        assert escape(law.zh) in html


def test_signs_are_escaped_and_subscripts_lowered():
    writer = Writer(maths, "en")
    assert "a &lt; b" in list_html(["a < b"], writer)
    assert "d<sub>k</sub>" in table_html(Table("d_k", ("", "e^(−g)"), (("‖J‖_F", "1"),)), writer)
    assert "e<sup>−g</sup>" in table_html(Table("", ("e^(−g)",), ()), writer)


@pytest.mark.parametrize("page", ["why_sqrt_d.md", "zh/why_sqrt_d.md"])
def test_the_page_tells_every_part_of_the_argument(page):
    text = (DOCS / page).read_text(encoding="utf-8")
    told = set(re.findall(r"\{derivation\} (\S+)", text))
    assert told <= set(REGISTRY.by_name)
    assert {part.name for part in read("attention.why_sqrt_d").parts} <= told
    # Statements of mathematics come from the library; what is typed are names and single symbols.
    typed = re.findall(r"\$([^$]+)\$", text)
    assert max(map(len, typed)) < 24


def test_both_languages_tell_the_same():
    pages = [(DOCS / page).read_text(encoding="utf-8") for page in ("why_sqrt_d.md", "zh/why_sqrt_d.md")]
    for pattern in (r"```\{.*", r"^:show:.*", r"^:claim:"):
        english, chinese = (re.findall(pattern, page, re.MULTILINE) for page in pages)
        assert english == chinese
    assert len(pages[0].split("\n## ")) == len(pages[1].split("\n## "))
    assert set(re.findall(r"\{value\}`([^`]+)`", pages[0])) == set(re.findall(r"\{value\}`([^`]+)`", pages[1]))


def test_mathml_of_every_formula():
    pytest.importorskip("latex2mathml", reason="the extra docs is not installed")
    from mathml import mathml

    from derivations.writing.latex import latex

    for listing in REGISTRY.listings:
        for line in load(listing, REGISTRY).expressions:
            shown = re.sub(r'alttext="[^"]*"', "", mathml(latex(line), display=True))
            assert "\\" not in shown
            assert "&" not in shown.replace("&lt;", "").replace("&gt;", "").replace("&amp;", "")
