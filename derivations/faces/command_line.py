"""The command line: what can be asked. Each command imports what it needs when it runs, so that ``list`` is quick."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from derivations.faces.experiment import add_experiments
from derivations.registry import UnknownName

PASSED, FAILED, USAGE, CONFLICT, INTERRUPTED = 0, 1, 2, 3, 130


def _list(arguments: argparse.Namespace) -> int:
    from derivations.faces.listing import list_derivations

    return list_derivations(arguments.names, arguments.library, arguments.lang)


def _show(arguments: argparse.Namespace) -> int:
    from derivations.faces.reading import show

    return show(arguments.names, arguments.library, arguments.lang)


def _latex(arguments: argparse.Namespace) -> int:
    from derivations.faces.reading import write_latex

    return write_latex(
        arguments.names, arguments.library, arguments.lang, arguments.output, whole_file=arguments.standalone
    )


def _why(arguments: argparse.Namespace) -> int:
    from derivations.faces.why import why

    return why(arguments.name, arguments.step, arguments.library)


def _verify(arguments: argparse.Namespace) -> int:
    from derivations.faces.verify import Options, verify

    return verify(
        arguments.names,
        Options(
            seed=arguments.seed,
            symbolic_only=arguments.symbolic_only,
            allow_conditional=arguments.allow_conditional,
            json=arguments.json,
            jobs=arguments.jobs,
            timeout=arguments.timeout,
            mutants=arguments.mutants,
            explain=arguments.explain,
            library=tuple(arguments.library),
        ),
    )


def _experiment(arguments: argparse.Namespace) -> int:
    from derivations.faces.experiment import run_experiment

    return run_experiment(arguments)


COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = MappingProxyType(
    {"list": _list, "show": _show, "latex": _latex, "verify": _verify, "why": _why, "experiment": _experiment}
)
_NAMES = "a name, a family, or a pattern such as 'attention.*'"


def _at_least_one(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return value


def _natural(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no positive number of seconds")
    return value


# argparse names the type in its message.
_at_least_one.__name__ = _natural.__name__ = "whole number"
_seconds.__name__ = "number of seconds"


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    top = argparse.ArgumentParser(prog="derivations", description="Verify derivations of machine-learning mathematics.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    library = argparse.ArgumentParser(add_help=False)
    library.add_argument(
        "--library", action="append", type=Path, default=[], metavar="DIR", help="a folder of further library files"
    )
    lang = argparse.ArgumentParser(add_help=False)
    lang.add_argument("--lang", choices=("en", "zh"), default="en", help="language (default: en)")

    command = commands.add_parser("list", parents=[library, lang], help="names and titles")
    command.add_argument("names", nargs="*", metavar="NAME", help=_NAMES)

    command = commands.add_parser("show", parents=[library, lang], help="a derivation, with reasons beside the lines")
    command.add_argument("names", nargs="+", metavar="NAME", help=_NAMES)

    command = commands.add_parser("latex", parents=[library, lang], help="a derivation as LaTeX")
    command.add_argument("names", nargs="+", metavar="NAME", help=_NAMES)
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file")
    command.add_argument(
        "--standalone", action="store_true", help="a whole document, for pdflatex or, in Chinese, for xelatex"
    )

    command = commands.add_parser("verify", parents=[library], help="prove and cross-check")
    command.add_argument("names", nargs="*", metavar="NAME", help=f"{_NAMES} (default: everything)")
    command.add_argument("--seed", type=_natural, default=0, metavar="N", help="seed of the numerics (default: 0)")
    command.add_argument("--symbolic-only", action="store_true", help="prove only; run no numerics")
    command.add_argument("--allow-conditional", action="store_true", help="let conditional results pass")
    command.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    command.add_argument(
        "--mutants", action="store_true", help="break each statement on purpose, and drop each given by itself"
    )
    command.add_argument(
        "--explain", action="store_true", help="print all that is known of each derivation, with its mutants"
    )
    command.add_argument(
        "--jobs", type=_at_least_one, default=os.cpu_count() or 1, metavar="N", help="processes (default: all cores)"
    )
    command.add_argument(
        "--timeout", type=_seconds, default=120.0, metavar="SECONDS", help="for each derivation (default: 120)"
    )

    command = commands.add_parser("why", parents=[library], help="what one step rests on, or where it fails")
    command.add_argument("name", metavar="NAME", help="the name of a derivation")
    command.add_argument("--step", type=_at_least_one, required=True, metavar="K", help="the step, counted from 1")

    add_experiments(commands.add_parser("experiment", help="draw, measure, and compare with the theory"), lang)
    return top


def _make_printable() -> None:
    """Where a terminal cannot show a sign, it shows an escape rather than failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and "utf" not in stream.encoding.lower():
            stream.reconfigure(errors="backslashreplace")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = parser().parse_args(argv)
    _make_printable()
    try:
        code = COMMANDS[arguments.command](arguments)
        sys.stdout.flush()
    except UnknownName as error:
        # The fault of the file that should have it has been told already.
        if not error.unread:
            print(f"derivations: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever reads has read enough; keep Python from complaining when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code
