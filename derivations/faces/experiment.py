"""``experiment``: draw, measure, and say beside the theory what is to be seen. NumPy is imported when one runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derivations.records import Language  # imports SymPy

USAGE = 2
_MOST_SCORES, _MOST_SEEDS, _MOST_DIMENSION, _MOST_SAMPLES = 10**6, 10**6, 10**6, 10**8
_FORMATS = (".svg", ".png")
_NO_MATPLOTLIB = "a figure needs matplotlib: pip install 'derivations[plot]'"


# ------------------------------------------------------------------------------------ what is asked


def add_experiments(parser: argparse.ArgumentParser, language: argparse.ArgumentParser) -> None:
    """Add the experiments and their options to the parser of the command."""
    names = parser.add_subparsers(dest="experiment", required=True, metavar="NAME")
    plot = argparse.ArgumentParser(add_help=False)
    plot.add_argument("--plot", type=_figure_file, metavar="FILE", help="also draw a figure, to an .svg or .png file")

    one = names.add_parser(
        "softmax-saturation", parents=[plot, language], help="what softmax does with scores of large variance"
    )
    one.add_argument("--n", type=_whole(2, _MOST_SCORES), default=10, metavar="N", help="how many scores (default: 10)")
    one.add_argument(
        "--variances", type=_variances, default=(1.0, 512.0), metavar="V,V", help="of the scores (default: 1,512)"
    )
    one.add_argument(
        "--seeds",
        type=_seeds,
        default=range(200),
        metavar="A:B",
        help="from A up to, not including, B (default: 0:200)",
    )
    one.set_defaults(run_experiment=_softmax_saturation)

    one = names.add_parser(
        "dot-product-variance", parents=[plot, language], help="the variance of q·k for several laws and dimensions"
    )
    one.add_argument(
        "--dimensions", type=_dimensions, default=None, metavar="D,D", help="values of d_k (default: 1,2,4,…,256)"
    )
    one.add_argument(
        "--samples", type=_whole(2, _MOST_SAMPLES), default=40_000, metavar="N", help="draws of each (default: 40000)"
    )
    one.add_argument("--seed", type=_whole(0, 2**63), default=0, metavar="N", help="of the draws (default: 0)")
    one.set_defaults(run_experiment=_dot_product_variance)


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        value = int(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most}")
        return value

    read.__name__ = "whole number"  # argparse names the type in its message
    return read


def _variances(text: str) -> tuple[float, ...]:
    try:
        values = tuple(float(one) for one in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no list of numbers such as 1,512") from None
    if not all(0 < one <= 1e100 for one in values):
        raise argparse.ArgumentTypeError(f"{text}: a variance must be positive and finite")
    return values


def _seeds(text: str) -> range:
    first, colon, after = text.partition(":")
    try:
        found = range(int(first), int(after) if colon else int(first) + 1)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no range of seeds such as 0:200") from None
    if found.start < 0 or not 0 < len(found) <= _MOST_SEEDS:
        raise argparse.ArgumentTypeError(
            f"{text}: seeds run from A ≥ 0 up to some B > A, at most {_MOST_SEEDS} of them"
        )
    return found


def _dimensions(text: str) -> tuple[int, ...]:
    read = _whole(1, _MOST_DIMENSION)
    try:
        return tuple(read(one) for one in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no list of dimensions such as 1,16,256") from None


def _figure_file(text: str) -> Path:
    file = Path(text)
    if file.suffix.lower() not in _FORMATS:
        raise argparse.ArgumentTypeError(f"{text} does not end in {' or '.join(_FORMATS)}")
    return file


# ------------------------------------------------------------------------------------ what is done


def run_experiment(arguments: argparse.Namespace) -> int:
    """Run one experiment and print it. Returns 2 if a figure is asked for that cannot be drawn."""
    if arguments.plot is not None and not _can_plot(arguments.plot):
        return USAGE
    run: Callable[[argparse.Namespace], int] = arguments.run_experiment
    return run(arguments)


def _can_plot(file: Path) -> bool:
    """Whether a figure can be written there; said before the time is spent on drawing samples."""
    message = "" if find_spec("matplotlib") else _NO_MATPLOTLIB
    if not message and not file.absolute().parent.is_dir():
        message = f"cannot write {file}: there is no such folder"
    if message:
        print(f"derivations: {message}", file=sys.stderr)
    return not message


def _softmax_saturation(arguments: argparse.Namespace) -> int:
    from derivations.faces.experiment_words import saturation_seen, saturation_tables, saturation_title
    from numerics.experiments.softmax_saturation import softmax_saturation

    result = softmax_saturation(arguments.n, arguments.variances, arguments.seeds)
    language: Language = arguments.lang
    _print(saturation_title(result, language), saturation_tables(result, language), saturation_seen(result, language))
    if arguments.plot is None:
        return 0
    from derivations.faces.figures import saturation_figure

    return _write(lambda file: saturation_figure(result, file, language), arguments.plot)


def _dot_product_variance(arguments: argparse.Namespace) -> int:
    from derivations.faces.experiment_words import variance_seen, variance_tables
    from numerics.experiments.dot_product_variance import DIMENSIONS, dot_product_variance

    result = dot_product_variance(arguments.dimensions or DIMENSIONS, samples=arguments.samples, seed=arguments.seed)
    language: Language = arguments.lang
    _print("", variance_tables(result, language), variance_seen(result, language))
    if arguments.plot is None:
        return 0
    from derivations.faces.figures import variance_figure

    return _write(lambda file: variance_figure(result, file, language), arguments.plot)


def _print(title: str, tables: Sequence[object], seen: Sequence[str]) -> None:
    from derivations.faces.tables import Table, table_text

    shown = [table_text(one) for one in tables if isinstance(one, Table)]
    print("\n\n".join([*([title] if title else []), *shown, "\n".join(seen)]))


def _write(draw: Callable[[Path], None], file: Path) -> int:
    try:
        draw(file)
    except OSError as error:
        print(f"derivations: cannot write {file}: {error.strerror}", file=sys.stderr)
        return USAGE
    return 0
