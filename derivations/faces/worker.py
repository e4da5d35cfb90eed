"""A process that examines derivations: requests come in as JSON lines, events go out as JSON lines.

Run by ``verify``; a derivation that hangs or crashes takes only its worker with it.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import TextIO

from derivations.faces.examine import Engines, examine, real_engines
from derivations.faces.facts import Event, Request
from derivations.loading import LoadError, load
from derivations.registry import Listing


def answer(request: Request, engines: Callable[[bool], Engines]) -> Iterator[Event]:
    """The events that answer one request; the last one is final."""
    listing = Listing(
        request["family"],
        request["function"],
        request["title_en"],
        request["title_zh"],
        request["source"],
        request["file"],
        request["line"],
    )
    try:
        derivation = load(listing)
    except LoadError as error:
        fault = error.fault
        yield {
            "final": True,
            "fault": {
                "file": fault.file,
                "line": fault.line,
                "message": fault.message,
                "whole_file": error.whole_file,
            },
        }
        return
    expected = 1 if request["symbolic_only"] else 2
    further = request.get("mutants", False)
    try:
        found = examine(derivation, engines(request["symbolic_only"]), request["seed"])
        for number, facts in enumerate(found, start=1):
            yield {"final": number == expected and not further, "facts": facts}
        if further:
            # Imported here: who only wants a verdict does not wait for it.
            from derivations.faces.further import add_further

            yield {"final": True, "facts": add_further(derivation, facts, request["seed"])}
    except Exception as raised:
        message = f"examining {derivation.name} raised {type(raised).__name__}: {raised}"
        yield {
            "final": True,
            "fault": {"file": listing.file, "line": listing.line, "message": message, "whole_file": False},
        }


def _read(source: TextIO, requests: SimpleQueue[Request]) -> None:
    for line in source:
        requests.put(json.loads(line))
    # The parent has closed its end, or is gone; nobody would read what is still being computed.
    os._exit(0)


def serve(engines: Callable[[bool], Engines]) -> None:
    """Answer requests until standard input ends."""
    # What a library file prints must not end up among the events.
    events = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests: SimpleQueue[Request] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin, requests), daemon=True).start()
    while True:
        for event in answer(requests.get(), engines):
            print(json.dumps(event), file=events, flush=True)


def main() -> None:
    """Serve with the real engines."""
    serve(lambda symbolic_only: real_engines(symbolic_only=symbolic_only))


if __name__ == "__main__":
    main()
