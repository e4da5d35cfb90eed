"""What each verdict means, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from derivations.writing.phrase import Phrase

VERDICTS: Mapping[str, Phrase] = MappingProxyType(
    {
        "proved": Phrase("proved, and the numerics agree", "已证明，数值检验一致"),
        "proved_symbolically": Phrase("proved; the numerics were not run", "已证明，未做数值检验"),
        "conditional": Phrase("proved under a condition that is not among the givens", "在假设之外的条件下成立"),
        "unconfirmed": Phrase("proved, but the numerics could not decide", "已证明，但数值检验没有定论"),
        "supported": Phrase("the numerics agree, but the proof does not close", "数值检验一致，但证明没有完成"),
        "refuted": Phrase("the numerics found a counterexample", "不成立，数值检验找到了反例"),
        "conflict": Phrase(
            "proved and yet refuted by the numerics, which is a bug of this program", "已证明却又有反例，说明本程序有错"
        ),
        "unknown": Phrase("neither proved nor refuted", "既没有证明，也没有推翻"),
        "vacuous": Phrase("the givens contradict each other, so nothing is shown", "假设自相矛盾，结论没有意义"),
    }
)

# The word itself, for a Chinese page; the English word stands beside it.
IN_CHINESE: Mapping[str, str] = MappingProxyType(
    {
        "proved": "已证明",
        "proved_symbolically": "已证明（未检验）",
        "conditional": "有条件成立",
        "unconfirmed": "未获数值证实",
        "supported": "有数值支持",
        "refuted": "已推翻",
        "conflict": "互相矛盾",
        "unknown": "未知",
        "vacuous": "假设矛盾",
    }
)
