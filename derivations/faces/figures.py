"""The figures of the experiments, by matplotlib (the extra ``plot``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

from derivations.faces.experiment_words import law_name, median_bound
from derivations.records import Language
from derivations.writing.phrase import Phrase
from numerics.experiments.dot_product_variance import DotProductVariance
from numerics.experiments.softmax_saturation import SoftmaxSaturation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, told apart by readers who see colours differently.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_MARKS = ("o", "s", "^", "D", "v", "P")
_CHINESE_FONTS = (
    "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", "SimHei",
    "Noto Sans CJK JP",
)  # fmt: skip
_FAINTEST, _LOWEST = 1e-18, 1e-40
_WORDS: Mapping[str, Phrase] = MappingProxyType(
    {
        "outputs": Phrase("Outputs of one draw (seed {})", "一次抽样的输出（种子 {}）"),
        "index": Phrase("entry", "分量"),
        "variance": Phrase("variance {:g}", "方差 {:g}"),
        "norms": Phrase("Jacobian norm over {} seeds", "{} 个种子的雅可比矩阵范数"),
        "share": Phrase("share of seeds at or below", "不超过该值的种子所占比例"),
        "median": Phrase("median", "中位数"),
        "mean": Phrase("mean", "均值"),
        "decline": Phrase("Mean and median against $\\sigma$", "均值与中位数随 $\\sigma$ 的变化"),
        "deviation": Phrase("standard deviation $\\sigma$ of the scores", "得分的标准差 $\\sigma$"),
        "slow": Phrase("mean: limit {:.2f}/$\\sigma$", "均值的极限：{:.2f}/$\\sigma$"),
        "fast": Phrase("bound on the median", "中位数的上界"),
        "both": Phrase("Variance against dimension", "方差随维数的变化"),
        "unscaled": Phrase("$q\\cdot k$: theory $d_k$", "$q\\cdot k$：理论值 $d_k$"),
        "scaled": Phrase("$q\\cdot k/\\sqrt{d_k}$: theory 1", "$q\\cdot k/\\sqrt{d_k}$：理论值 1"),
        "close": Phrase(
            "$q\\cdot k/\\sqrt{d_k}$, with 2 standard errors", "$q\\cdot k/\\sqrt{d_k}$，误差线为 2 个标准误"
        ),
        "measured": Phrase("measured variance", "测得的方差"),
        "dimension": Phrase("dimension $d_k$", "维数 $d_k$"),
    }
)  # fmt: skip


def chinese_font() -> str:
    """A font with Chinese characters, or "" if none is installed."""
    installed = {one.name for one in fontManager.ttflist}
    return next((one for one in _CHINESE_FONTS if one in installed), "")


@contextmanager
def _style(language: Language) -> Iterator[Language]:
    """Set the style, and give the language the labels can be written in: English where no font has Chinese."""
    font = chinese_font() if language == "zh" else ""
    settings: dict[Any, Any] = {
        "font.family": [*([font] if font else []), "DejaVu Sans"],
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
        "legend.fontsize": 9,
        "svg.hashsalt": "derivations",
        "svg.fonttype": "path",
        "figure.constrained_layout.use": True,
    }
    with mpl.rc_context(settings):
        yield "zh" if font else "en"


def _save(figure: Figure, file: Path) -> None:
    metadata = {"Date": None} if file.suffix.lower() == ".svg" else {}
    figure.savefig(file, dpi=150, metadata=metadata)


# ------------------------------------------------------------------------------------ saturation of softmax


def saturation_figure(result: SoftmaxSaturation, file: Path, language: Language = "en") -> None:
    """Outputs of one draw; the norms of all seeds; mean and median norm against the deviation."""
    with _style(language) as labels:
        figure = Figure(figsize=(11, 4.2))
        left, middle, right = figure.subplots(1, 3)
        _outputs(left, result, labels)
        _norms(middle, result, labels)
        _decline(right, result, labels)
        _save(figure, file)


def _say(key: str, language: Language, *parts: object) -> str:
    words = _WORDS[key].in_language(language)
    return words.format(*parts) if parts else words


def _outputs(axes: Axes, result: SoftmaxSaturation, language: Language) -> None:
    levels = result.levels
    shown = np.arange(1, min(result.n, 30) + 1)
    width = 0.8 / len(levels)
    for k, (one, colour) in enumerate(zip(levels, _cycle(_COLOURS, len(levels)), strict=True)):
        heights = one.draw.outputs[: len(shown)]
        label = _say("variance", language, one.variance)
        axes.bar(shown + (k - (len(levels) - 1) / 2) * width, heights, width, color=colour, label=label)
    axes.set(title=_say("outputs", language, levels[0].draw.seed), xlabel=_say("index", language), ylabel="$y_i$")
    if len(shown) <= 12:
        axes.xaxis.set_major_locator(FixedLocator(shown.tolist()))
    axes.set_ylim(0, 1.02)
    axes.legend()


def _norms(axes: Axes, result: SoftmaxSaturation, language: Language) -> None:
    levels = result.levels
    for one, colour in zip(levels, _cycle(_COLOURS, len(levels)), strict=True):
        ordered = np.maximum(np.sort(one.norms), _FAINTEST)
        shares = np.arange(1, len(ordered) + 1) / len(ordered)
        axes.step(ordered, shares, where="post", color=colour, label=_say("variance", language, one.variance))
        axes.plot(max(one.norm.median, _FAINTEST), 0.5, "o", color=colour, markersize=8)
        below = float(np.mean(np.asarray(one.norms) <= one.norm.mean))
        axes.plot(one.norm.mean, below, "D", color=colour, markersize=8, markerfacecolor="white", markeredgewidth=1.6)
    axes.plot([], [], "o", color="0.3", label=_say("median", language))
    axes.plot([], [], "D", color="0.3", markerfacecolor="white", label=_say("mean", language))
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(numticks=6))
    axes.set(
        title=_say("norms", language, len(result.seeds)),
        xlabel=r"$\Vert J\Vert_F$",
        ylabel=_say("share", language),
        ylim=(0, 1.02),
    )
    axes.legend(loc="upper left")


def _decline(axes: Axes, result: SoftmaxSaturation, language: Language) -> None:
    deviations = np.array([one.deviation for one in result.scaling])
    means = [one.norm.mean for one in result.scaling]
    errors = [2 * one.norm.standard_error for one in result.scaling]
    medians = [one.norm.median for one in result.scaling]
    lowest = max(min(medians) / 10, _LOWEST)
    line = np.geomspace(deviations[0], deviations[-1], 200)
    density = result.order.gap_density_at_zero
    axes.plot(line, density / line, color=_COLOURS[2], linewidth=1.2, label=_say("slow", language, density))
    bound = [median_bound(result, one) for one in line]
    axes.plot(line, bound, color=_COLOURS[3], linewidth=1.2, linestyle="--", label=_say("fast", language))
    axes.errorbar(
        deviations, means, errors, fmt="D", color="0.2", markerfacecolor="white", label=_say("mean", language)
    )
    axes.plot(deviations, medians, "o", color="0.2", label=_say("median", language))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set(
        title=_say("decline", language),
        xlabel=_say("deviation", language),
        ylabel=r"$\Vert J\Vert_F$",
        ylim=(lowest, 30),
    )
    axes.legend(loc="lower left")


# ------------------------------------------------------------------------------------ variance of a dot product


def variance_figure(result: DotProductVariance, file: Path, language: Language = "en") -> None:
    """Both variances beside their lines; and the scaled one close up, with its errors."""
    with _style(language) as labels:
        figure = Figure(figsize=(9.5, 4.4))
        left, right = figure.subplots(1, 2)
        dimensions = sorted({one.dimension for one in result.rows})
        for axes in (left, right):
            axes.set_xscale("log", base=2)
            axes.xaxis.set_major_locator(FixedLocator(dimensions))
            axes.xaxis.set_minor_locator(NullLocator())
            axes.set_xticklabels([str(one) for one in dimensions])
            axes.set(xlabel=_say("dimension", labels), ylabel=_say("measured", labels))
        _both(left, result, dimensions, labels)
        _close(right, result, labels)
        _save(figure, file)


def _both(axes: Axes, result: DotProductVariance, dimensions: Sequence[int], language: Language) -> None:
    ends = np.array([dimensions[0], dimensions[-1]], dtype=float)
    axes.plot(ends, ends, color="0.2", linewidth=1.2, label=_say("unscaled", language))
    axes.plot(ends, np.ones(2), color="0.2", linewidth=1.2, linestyle="--", label=_say("scaled", language))
    # All laws lie on one line, so the marks are nested: the first is the largest.
    for k, (law, colour, mark, _) in enumerate(_laws(result)):
        rows = result.of_law(law)
        sizes = [one.dimension for one in rows]
        size = max(12 - 2.7 * k, 3)
        style: dict[str, Any] = {"color": colour, "linestyle": "none", "marker": mark, "markersize": size}
        axes.plot(sizes, [one.variance for one in rows], **style, label=law_name(law, language))
        axes.plot(sizes, [one.scaled_variance for one in rows], **style, markerfacecolor="white")
    axes.set_yscale("log", base=10)
    axes.set_title(_say("both", language))
    axes.legend()


def _close(axes: Axes, result: DotProductVariance, language: Language) -> None:
    axes.axhline(1, color="0.2", linewidth=1.2, linestyle="--")
    for law, colour, mark, beside in _laws(result):
        rows = result.of_law(law)
        axes.errorbar(
            [one.dimension * beside for one in rows],
            [one.scaled_variance for one in rows],
            [2 * one.scaled_error for one in rows],
            fmt=mark,
            color=colour,
            markerfacecolor="white",
            markersize=6,
            capsize=2,
            label=law_name(law, language),
        )
    axes.set_title(_say("close", language))
    axes.legend(ncols=2)


def _laws(result: DotProductVariance) -> Iterator[tuple[str, str, str, float]]:
    """Each law with its colour, its mark, and a factor that sets its marks beside those of the others."""
    count = len(result.laws)
    factors = [2 ** (0.16 * (k - (count - 1) / 2)) for k in range(count)]
    return zip(result.laws, _cycle(_COLOURS, count), _cycle(_MARKS, count), factors, strict=True)


def _cycle(items: Sequence[str], count: int) -> list[str]:
    return [items[k % len(items)] for k in range(count)]
