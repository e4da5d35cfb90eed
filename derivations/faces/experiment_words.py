"""What the experiments show, as tables and sentences in English and Chinese."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import erf, exp, sqrt
from types import MappingProxyType

from derivations.faces.tables import Table, number, with_error
from derivations.records import Language
from derivations.writing.phrase import Phrase
from numerics.experiments.dot_product_variance import DotProductVariance
from numerics.experiments.softmax_saturation import Level, SoftmaxSaturation

_MOST_OUTPUTS = 12
_WORDS: Mapping[str, Phrase] = MappingProxyType(
    {
        "saturation": Phrase(
            "Softmax of {n} normal scores with mean 0, {count} seeds ({first} to {last})",
            "对 {n} 个均值为 0 的正态得分作 softmax，共 {count} 个种子（{first} 至 {last}）",
        ),
        "draw": Phrase("One draw, seed {seed}", "一次抽样（种子 {seed}）"),
        "variance": Phrase("variance {}", "方差 {}"),
        "range": Phrase("range", "极差"),
        "gap": Phrase("top gap g", "最大值与次大值之差 g"),
        "output": Phrase("output {}", "输出 {}"),
        "ranked": Phrase("largest outputs: {}", "最大的输出：第 {}"),
        "norm": Phrase("‖J‖_F", "‖J‖_F"),
        "bound": Phrase("bound 2(n−1)e^(−g)", "上界 2(n−1)e^(−g)"),
        "seeds": Phrase("All seeds, variance {variance}", "全部种子，方差 {variance}"),
        "mean": Phrase("mean", "均值"),
        "median": Phrase("median", "中位数"),
        "theory": Phrase("theory", "理论值"),
        "expected": Phrase("mean {}", "均值 {}"),
        "both": Phrase("mean {}, median {}", "均值 {}，中位数 {}"),
        "at_most": Phrase("median ≤ {}", "中位数 ≤ {}"),
        "largest": Phrase("largest output", "最大的输出"),
        "scaling": Phrase("‖J‖_F by variance, {samples} draws each", "‖J‖_F 随方差的变化，各抽 {samples} 次"),
        "times": Phrase("mean · σ", "均值 · σ"),
        "limit": Phrase("limit", "极限"),
        "median_bound": Phrase("median at most", "中位数的上界"),
        "variances": Phrase(
            "Variance of q·k, {samples} draws each, seed {seed}", "q·k 的方差，各抽 {samples} 次，种子 {seed}"
        ),
        "scaled": Phrase(
            "Variance of q·k/√d_k, the same draws; theory: 1", "q·k/√d_k 的方差，用同一批样本；理论值为 1"
        ),
        "law": Phrase("d_k = theory", "d_k（理论值）"),
        "dimension": Phrase("d_k", "d_k"),
    }
)  # fmt: skip
LAW_NAMES: Mapping[str, Phrase] = MappingProxyType(
    {
        "normal": Phrase("normal", "正态分布"),
        "uniform": Phrase("uniform", "均匀分布"),
        "Rademacher": Phrase("Rademacher", "Rademacher 分布"),
        "Laplace": Phrase("Laplace", "拉普拉斯分布"),
    }
)
Say = Callable[..., str]


def _speaker(language: Language) -> Say:
    def say(key: str, *parts: object, **named: object) -> str:
        return _WORDS[key].in_language(language).format(*parts, **named)

    return say


def law_name(law: str, language: Language) -> str:
    """The name of a law."""
    return LAW_NAMES[law].in_language(language) if law in LAW_NAMES else law


def median_bound(result: SoftmaxSaturation, deviation: float) -> float:
    """The bound at the median gap bounds the median norm, since the bound falls with the gap."""
    return 2 * (result.n - 1) * exp(-deviation * result.order.median_gap)


# ------------------------------------------------------------------------------------ saturation of softmax


def saturation_title(result: SoftmaxSaturation, language: Language) -> str:
    """What was drawn."""
    say = _speaker(language)
    return say("saturation", n=result.n, count=len(result.seeds), first=result.seeds[0], last=result.seeds[-1])


def saturation_tables(result: SoftmaxSaturation, language: Language) -> tuple[Table, ...]:
    """One draw; all seeds for each variance; the norm by variance."""
    say = _speaker(language)
    return (
        _draw_table(result, say),
        *(_level_table(result, one, say) for one in result.levels),
        _scaling_table(result, say),
    )


def _draw_table(result: SoftmaxSaturation, say: Say) -> Table:
    levels = result.levels
    draws = [one.draw for one in levels]
    if result.n <= _MOST_OUTPUTS:
        names = [say("output", k + 1) for k in range(result.n)]
        outputs = [draw.outputs for draw in draws]
    else:
        names = [say("ranked", k + 1) for k in range(_MOST_OUTPUTS)]
        outputs = [tuple(sorted(draw.outputs, reverse=True)) for draw in draws]
    rows = [
        (say("range"), *(number(draw.range) for draw in draws)),
        (say("gap"), *(number(draw.gap) for draw in draws)),
        *((name, *(number(one[k]) for one in outputs)) for k, name in enumerate(names)),
        (say("norm"), *(number(draw.norm) for draw in draws)),
        (say("bound"), *(number(draw.bound) for draw in draws)),
    ]
    head = ("", *(say("variance", f"{one.variance:g}") for one in levels))
    return Table(say("draw", seed=draws[0].seed), head, tuple(rows))


def _level_table(result: SoftmaxSaturation, level: Level, say: Say) -> Table:
    order, scale = result.order, level.deviation
    theory = {
        "range": say("expected", number(order.expected_range * scale)),
        "gap": say("both", number(order.expected_gap * scale), number(order.median_gap * scale)),
        "norm": say("at_most", number(median_bound(result, scale))),
    }
    spreads = {"range": level.range, "gap": level.gap, "largest": level.largest, "norm": level.norm}
    rows = tuple(
        (
            say(key),
            with_error(one.mean, one.standard_error),
            number(one.low),
            number(one.median),
            number(one.high),
            theory.get(key, ""),
        )
        for key, one in spreads.items()
    )
    head = ("", say("mean"), "5 %", say("median"), "95 %", say("theory"))
    return Table(say("seeds", variance=f"{level.variance:g}"), head, rows)


def _scaling_table(result: SoftmaxSaturation, say: Say) -> Table:
    rows = tuple(
        (
            f"{one.variance:g}",
            number(one.deviation),
            number(one.norm.mean),
            with_error(one.mean_times_deviation, one.error_times_deviation),
            number(one.norm.median),
            number(median_bound(result, one.deviation)),
        )
        for one in result.scaling
    )
    limit = (say("limit"), "∞", "0", number(result.order.gap_density_at_zero, 4), "0", "0")
    head = (say("variance", "").strip(), "σ", say("mean"), say("times"), say("median"), say("median_bound"))
    return Table(say("scaling", samples=result.scaling[0].samples), head, (*rows, limit))


_SEEN: Mapping[str, Phrase] = MappingProxyType(
    {
        "scale": Phrase(
            "Range and top gap are proportional to σ: for {n} normal scores their means are {range} σ and {gap} σ.",
            "极差、最大值与次大值之差都与 σ 成正比：{n} 个正态得分下，二者的均值分别为 {range} σ 和 {gap} σ。",
        ),
        "typical": Phrase(
            "The typical norm collapses: from variance {low} to {high}, where σ grows {sigma}-fold, the median of "
            "‖J‖_F falls from {before} to {after}, by a factor of {factor}.",
            "范数的典型值急剧下降：方差由 {low} 增至 {high}，即 σ 增至 {sigma} 倍时，‖J‖_F 的中位数从 {before} 降到 "
            "{after}，为原来的 1/{factor}。",
        ),
        "mean": Phrase(
            "The mean falls far less, from {before} to {after}, by a factor of {factor}.",
            "均值下降得少得多：从 {before} 降到 {after}，为原来的 1/{factor}。",
        ),
        "ties": Phrase(
            "Near-ties keep some gradients alive: at variance {high} a tenth of the draws makes up {share} % of the "
            "sum of all norms.",
            "最大值几乎并列时，梯度并不消失：方差为 {high} 时，范数最大的十分之一样本占范数总和的 {share}%。",
        ),
        "limit": Phrase(
            "For large σ the mean falls like 1/σ: mean · σ is {value} at variance {high}, and tends to {limit}, the "
            "density of the top gap of standard scores at 0.",
            "σ 很大时，均值按 1/σ 下降：方差为 {high} 时，均值 · σ 为 {value}，其极限是 {limit}，"
            "即标准正态得分的最大值与次大值之差在 0 处的概率密度。",
        ),
        "bound": Phrase("No draw exceeds the bound 2(n−1)e^(−g).", "没有一次抽样超过上界 2(n−1)e^(−g)。"),
        "above": Phrase("{count} draws exceed the bound 2(n−1)e^(−g).", "有 {count} 次抽样超过上界 2(n−1)e^(−g)。"),
    }
)


def saturation_seen(result: SoftmaxSaturation, language: Language) -> tuple[str, ...]:
    """What is to be seen. A sentence that these numbers do not bear out is left out."""

    def say(key: str, **named: object) -> str:
        return _SEEN[key].in_language(language).format(**named)

    low, high = (choose(result.levels, key=lambda one: one.variance) for choose in (min, max))
    last, order = result.scaling[-1], result.order
    above = sum(one.above_bound for one in result.levels)
    seen = [say("scale", n=result.n, range=number(order.expected_range), gap=number(order.expected_gap))]
    of_median, of_mean = _ratio(low.norm.median, high.norm.median), _ratio(low.norm.mean, high.norm.mean)
    if of_median >= 10:
        seen.append(
            say(
                "typical",
                low=f"{low.variance:g}",
                high=f"{high.variance:g}",
                sigma=number(high.deviation / low.deviation),
                before=number(low.norm.median),
                after=number(high.norm.median),
                factor=number(of_median),
            )
        )
        if of_mean < of_median / 2:
            before, after = number(low.norm.mean), number(high.norm.mean)
            seen.append(say("mean", before=before, after=after, factor=number(of_mean)))
    if high.share_of_largest_tenth >= 0.5:
        share = f"{100 * high.share_of_largest_tenth:.0f}"
        seen.append(say("ties", high=f"{high.variance:g}", share=share))
    value = with_error(last.mean_times_deviation, last.error_times_deviation)
    seen.append(say("limit", value=value, high=f"{last.variance:g}", limit=number(order.gap_density_at_zero, 4)))
    seen.append(say("above", count=above) if above else say("bound"))
    return tuple(seen)


def _ratio(before: float, after: float) -> float:
    return before / after if after else float("inf")


# ------------------------------------------------------------------------------------ variance of a dot product


def variance_tables(result: DotProductVariance, language: Language) -> tuple[Table, ...]:
    """The variance of q . k and of q . k / sqrt(d_k): a row for each dimension, a column for each law."""
    say = _speaker(language)
    samples = result.rows[0].samples
    plain = [with_error(one.variance, one.standard_error) for one in result.rows]
    scaled = [with_error(one.scaled_variance, one.scaled_error) for one in result.rows]
    names = tuple(law_name(law, language) for law in result.laws)
    return (
        Table(say("variances", samples=samples, seed=result.seed), (say("law"), *names), _by_dimension(result, plain)),
        Table(say("scaled"), (say("dimension"), *names), _by_dimension(result, scaled)),
    )


def _by_dimension(result: DotProductVariance, cells: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    dimensions = dict.fromkeys(one.dimension for one in result.rows)
    return tuple(
        (str(size), *(cell for one, cell in zip(result.rows, cells, strict=True) if one.dimension == size))
        for size in dimensions
    )


_FARTHEST = Phrase(
    "Theory: d_k without the scale, 1 with it, for every law. Of {count} measured variances the farthest lies "
    "{deviations} standard errors off ({law}, d_k = {dimension}); chance alone puts one that far off {chance} % of the "
    "time.",
    "理论值：不缩放为 d_k，缩放后为 1，与分布无关。{count} 个测得的方差中，偏离最大的是 {deviations} 个标准误"
    "（{law}，d_k = {dimension}）；仅由随机波动产生这么大偏离的概率为 {chance}%。",
)


def variance_seen(result: DotProductVariance, language: Language) -> tuple[str, ...]:
    """How far the farthest measurement lies from its line, and how often chance alone does that."""
    worst = result.farthest
    distance = abs(worst.deviations)
    chance = 1 - erf(distance / sqrt(2)) ** len(result.rows)
    return (
        _FARTHEST.in_language(language).format(
            count=len(result.rows),
            deviations=f"{distance:.1f}",
            law=law_name(worst.law, language),
            dimension=worst.dimension,
            chance=number(100 * chance, 2),
        ),
    )
