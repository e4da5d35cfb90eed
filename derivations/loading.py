"""Running a library file and reading a derivation from it. Whatever goes wrong becomes a message with file and line."""

from __future__ import annotations

import hashlib
import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from derivations.authoring import DerivationError, Entry
from derivations.records import Derivation
from derivations.registry import Fault, Listing


class LoadError(Exception):
    """A library file that cannot be run or a derivation that cannot be read from it."""

    def __init__(self, fault: Fault, *, whole_file: bool) -> None:
        super().__init__(str(fault))
        self.fault = fault
        self.whole_file = whole_file


def load_module(file: str) -> ModuleType:
    """Run a library file as a module of its own. Raises :class:`LoadError` for whatever it raises."""
    digest = hashlib.blake2b(str(Path(file).resolve()).encode(), digest_size=6).hexdigest()
    name = f"derivations_library_{Path(file).stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise LoadError(Fault(file, 0, "this is not a Python file"), whole_file=True)
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up here
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise LoadError(_fault(file, error), whole_file=True) from error
    return module


def load(listing: Listing) -> Derivation:
    """Read one derivation. Raises :class:`LoadError`."""
    entry = getattr(load_module(listing.file), listing.function, None)
    if not isinstance(entry, Entry):
        message = f"{listing.function} is replaced by something else further down in the file"
        raise LoadError(Fault(listing.file, listing.line, message), whole_file=False)
    try:
        return entry.read(f"{listing.family}.")
    except DerivationError as error:
        message = str(error).removeprefix(f"{listing.name}: ")
        where = _fault(listing.file, error.__cause__ or error).line or listing.line
        raise LoadError(Fault(listing.file, where, message), whole_file=False) from error
    except (Exception, SystemExit) as error:
        raise LoadError(_fault(listing.file, error), whole_file=False) from error


def _fault(file: str, error: BaseException) -> Fault:
    """The deepest line of the file itself that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return Fault(file, error.lineno or 0, f"{type(error).__name__}: {error.msg}")
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return Fault(file, (lines[-1] if lines else 0) or 0, f"{type(error).__name__}: {error}")
