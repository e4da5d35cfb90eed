"""Worker processes: one thread each hands out requests, reads events, and ends what takes too long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Self

from derivations.faces.facts import Event, Request

# The worker gets this process's own search path: ``-m`` would put the current folder first, whatever lies in it.
_START = "import sys; sys.path[:] = {path!r}; from derivations.faces.worker import main; main()"


def worker_command() -> tuple[str, ...]:
    """The command that starts a worker."""
    return (sys.executable, "-c", _START.format(path=sys.path))


@dataclass(frozen=True)
class Report:
    """An event of one task, by its number. ``failure`` says how the worker ended, if it ended without an answer."""

    task: int
    final: bool
    event: Event | None = None
    failure: str = ""


@dataclass
class Pool:
    """Runs requests in worker processes. Used as a context manager; leaving it ends every worker."""

    requests: Sequence[Request]
    jobs: int
    timeout: float
    command: Sequence[str] = field(default_factory=worker_command)
    _waiting: SimpleQueue[tuple[int, Request]] = field(default_factory=SimpleQueue)
    interrupted: bool = False
    _reports: SimpleQueue[Report | None] = field(default_factory=SimpleQueue)
    _workers: list[subprocess.Popen[str]] = field(default_factory=list)
    _threads: list[threading.Thread] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _closed: bool = False

    def __enter__(self) -> Self:
        for item in enumerate(self.requests):
            self._waiting.put(item)
        for _ in range(min(self.jobs, len(self.requests))):
            thread = threading.Thread(target=self._serve, daemon=True)
            self._threads.append(thread)
            thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """End every worker."""
        with self._lock:
            self._closed = True
            for worker in self._workers:
                _kill(worker)
        for thread in self._threads:
            thread.join()

    def interrupt(self) -> None:
        """Stop. May be called by a signal handler: it only puts a mark among the reports."""
        self._reports.put(None)

    def reports(self) -> Iterator[Report]:
        """The reports as they come, until each task has its final one or the pool is interrupted.

        What had come in by then is still reported.
        """
        outstanding = len(self.requests)
        while outstanding:
            report = self._reports.get()
            if report is None:
                self.interrupted = True
                self.close()
                while not self._reports.empty():
                    late = self._reports.get()
                    if late is not None:
                        yield late
                return
            outstanding -= report.final
            yield report

    def _start(self) -> subprocess.Popen[str] | None:
        with self._lock:
            if self._closed:
                return None
            worker = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                env=_environment(self.jobs),
                # A group of its own: Ctrl-C reaches this process only, which then ends the workers.
                process_group=0,
            )
            self._workers.append(worker)
            return worker

    def _serve(self) -> None:
        worker: subprocess.Popen[str] | None = None
        while True:
            try:
                task, request = self._waiting.get_nowait()
            except Empty:
                break
            if worker is None or worker.poll() is not None:
                _close(worker)
                worker = self._start()
                if worker is None:
                    return
            self._answer(worker, task, request)
        _close(worker)

    def _answer(self, worker: subprocess.Popen[str], task: int, request: Request) -> None:
        late = threading.Event()

        def end() -> None:
            late.set()
            _kill(worker)

        timer = threading.Timer(self.timeout, end)
        timer.daemon = True
        timer.start()
        try:
            for event in _exchange(worker, request):
                self._reports.put(Report(task, event["final"], event))
                if event["final"]:
                    return
        finally:
            timer.cancel()
            timer.join()
        code = worker.wait()
        if self._closed:
            return
        failure = f"timed out after {self.timeout:g} s" if late.is_set() else f"its process ended {_how(code)}"
        self._reports.put(Report(task, True, failure=failure))


def _exchange(worker: subprocess.Popen[str], request: Request) -> Iterator[Event]:
    """Send a request and read events until the worker ends."""
    if worker.stdin is None or worker.stdout is None:
        return
    try:
        worker.stdin.write(json.dumps(request) + "\n")
        worker.stdin.flush()
    except OSError:
        return
    for line in worker.stdout:
        try:
            event: Event = json.loads(line)
        except ValueError:  # the last words of a process that was ended while it wrote
            return
        yield event


def _environment(jobs: int) -> dict[str, str]:
    """With several workers, one thread each; their libraries would otherwise start one for each core."""
    threads = {} if jobs == 1 else dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**threads, **os.environ}


def _how(code: int) -> str:
    if code >= 0:
        return f"with exit code {code}"
    try:
        return f"by {signal.Signals(-code).name}"
    except ValueError:
        return f"by signal {-code}"


def _kill(worker: subprocess.Popen[str]) -> None:
    """End a worker and whatever it has started."""
    if worker.poll() is None:
        try:
            os.killpg(worker.pid, signal.SIGKILL)
        except ProcessLookupError:
            worker.kill()


def _close(worker: subprocess.Popen[str] | None) -> None:
    """Let an idle worker end, and free its pipes."""
    if worker is None:
        return
    for stream in (worker.stdin, worker.stdout):
        if stream is not None:
            with suppress(OSError):  # what was not flushed goes nowhere: the worker is dead
                stream.close()
    _kill(worker)
    worker.wait()
