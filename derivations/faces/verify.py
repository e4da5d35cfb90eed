"""``verify``: examine derivations in worker processes and say what came out. Imports nothing that imports SymPy."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from derivations.faces.explain import explanation
from derivations.faces.facts import Facts, FaultFacts, Request
from derivations.faces.listing import report_faults
from derivations.faces.pool import Pool, Report, worker_command
from derivations.faces.progress import Progress
from derivations.faces.report import Outcome, conflicts, json_report, text_report
from derivations.registry import Listing, read_registry, select
from derivations.verdict import AGREES, INCONCLUSIVE, REFUTES, StepResult, passes, verdict

PASSED, FAILED, USAGE, CONFLICT, INTERRUPTED = 0, 1, 2, 3, 130


@dataclass(frozen=True)
class Options:
    """What ``verify`` is told on the command line."""

    seed: int = 0
    symbolic_only: bool = False
    allow_conditional: bool = False
    json: bool = False
    jobs: int = 1
    timeout: float = 120.0
    mutants: bool = False
    explain: bool = False
    library: tuple[Path, ...] = ()


def verify(names: Iterable[str], options: Options, command: Sequence[str] | None = None) -> int:
    """Verify derivations, print the report, return the exit code. ``command`` starts a worker."""
    begun = perf_counter()
    registry = read_registry(options.library)
    wanted = tuple(names)
    report_faults(registry)
    chosen = select(registry, wanted)
    if not chosen:
        print("derivations: there is nothing to verify", file=sys.stderr)
        return USAGE
    outcomes, interrupted = run(chosen, options, command or worker_command())
    # A broken file counts where everything is asked for, otherwise it was only mentioned; but of two derivations with
    # one name the other may have been meant.
    names_chosen = {one.name for one in chosen}
    faults = [fault for fault in registry.faults if not wanted or fault.name in names_chosen]
    arguments = (outcomes, options.seed, tuple(str(one) for one in options.library))
    if options.json:
        print(
            json_report(*arguments, registry.faults, interrupted=len(chosen) - len(outcomes) if interrupted else None)
        )
    elif options.explain:
        print("\n\n\n".join(explanation(one.facts) for one in outcomes))
    else:
        failing = [one for one in outcomes if not _passes(one, options)]
        total = len(chosen) if interrupted else None
        seconds = perf_counter() - begun
        print(text_report(*arguments, failing, seconds=seconds, interrupted_of=total, timeout=options.timeout))
    if interrupted:
        return INTERRUPTED
    if any(one.facts["verdict"] == "conflict" for one in outcomes):
        return CONFLICT
    return PASSED if not faults and all(_passes(one, options) for one in outcomes) else FAILED


def _passes(outcome: Outcome, options: Options) -> bool:
    word = outcome.facts["verdict"]
    return not outcome.facts.get("error") and passes(
        word, symbolic_only=options.symbolic_only, allow_conditional=options.allow_conditional
    )


def run(chosen: Sequence[Listing], options: Options, command: Sequence[str]) -> tuple[tuple[Outcome, ...], bool]:
    """Examine each derivation; return what was found, in the order asked, and whether Ctrl-C cut it short."""
    requests = [_request(one, options) for one in chosen]
    latest: dict[int, Outcome] = {}
    finished: set[int] = set()
    with (
        Progress(len(chosen)) as progress,
        Pool(requests, options.jobs, options.timeout, command) as pool,
        _on_ctrl_c(pool.interrupt),
    ):
        for report in pool.reports():
            latest[report.task] = _outcome(chosen[report.task], report, latest.get(report.task), options)
            if report.final:
                finished.add(report.task)
                progress.done(chosen[report.task].name)
    for task in set(latest) - finished:
        latest[task] = Outcome(chosen[task], _cut_short(latest[task].facts, "interrupted during the numerics"))
    return tuple(latest[task] for task in sorted(latest)), pool.interrupted


@contextmanager
def _on_ctrl_c(action: Callable[[], None]) -> Iterator[None]:
    """Run the action on Ctrl-C, once and again, instead of raising wherever the program happens to be."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: action())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _request(listing: Listing, options: Options) -> Request:
    return {
        "family": listing.family,
        "function": listing.function,
        "title_en": listing.title_en,
        "title_zh": listing.title_zh,
        "source": listing.source,
        "file": listing.file,
        "line": listing.line,
        "seed": options.seed,
        "symbolic_only": options.symbolic_only,
        "mutants": options.mutants or options.explain,
    }


def _outcome(listing: Listing, report: Report, before: Outcome | None, options: Options) -> Outcome:
    if report.event is None:
        known = before.facts if before else _unread(listing)
        if before and not options.symbolic_only:
            return Outcome(listing, _cut_short(known, f"{report.failure} during the numerics"))
        return Outcome(listing, {**known, "error": report.failure})
    fault = report.event.get("fault")
    if fault is not None:
        return Outcome(listing, {**_unread(listing), "error": _fault_text(fault)}, fault)
    facts = report.event.get("facts") or _unread(listing)
    return Outcome(listing, {**facts, "verdict": _verdict(facts)})


def _fault_text(fault: FaultFacts) -> str:
    place = f"{fault['file']}, line {fault['line']}" if fault["line"] else fault["file"]
    return f"{place}: {fault['message']}"


def _cut_short(facts: Facts, why: str) -> Facts:
    """The facts after a proof whose numerics did not come to an end: their evidence is inconclusive."""
    error = "; ".join(filter(None, [facts.get("error", ""), why]))
    steps = [
        step if step["evidence"] in (AGREES, REFUTES) else {**step, "evidence": INCONCLUSIVE} for step in facts["steps"]
    ]
    cut: Facts = {**facts, "steps": steps, "error": error}  # type: ignore[typeddict-item]  # mypy widens {**step}
    return {**cut, "verdict": _verdict(cut)}


def _unread(listing: Listing) -> Facts:
    """The facts of a derivation of which nothing was found out."""
    return {
        "name": listing.name,
        "title": {"en": listing.title_en, "zh": listing.title_zh},
        "verdict": "unknown",
        "statement": "",
        "steps": [],
        "numerics": [],
        "seconds": {"symbolic": 0.0, "numeric": 0.0},
        "contradiction": "",
    }


def _verdict(facts: Facts) -> str:
    if conflicts(facts):
        return "conflict"
    steps = [StepResult(step["proof"], step["evidence"]) for step in facts["steps"]]
    return verdict(steps, contradiction=bool(facts["contradiction"]))
