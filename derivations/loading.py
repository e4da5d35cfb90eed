"""Running a library file and reading a derivation from it. Whatever goes wrong becomes a message with file and line."""

from __future__ import annotations

import difflib
import hashlib
import sys
import traceback
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from derivations.authoring import DerivationError, Entry
from derivations.records import Derivation
from derivations.registry import LIBRARY, Fault, Listing, Registry, read_registry


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


def load(listing: Listing, registry: Registry | None = None) -> Derivation:
    """Read one derivation. Raises :class:`LoadError`.

    What it cites is found in the registry; without one, in the package's library and the folder of its own file.
    """
    return _load(listing, registry, ())


def _load(listing: Listing, registry: Registry | None, citing: tuple[str, ...]) -> Derivation:
    entry = getattr(load_module(listing.file), listing.function, None)
    if not isinstance(entry, Entry):
        message = f"{listing.function} is replaced by something else further down in the file"
        raise LoadError(Fault(listing.file, listing.line, message), whole_file=False)
    path = (*citing, listing.name)
    try:
        return entry.read(f"{listing.family}.", lambda name: _cited(name, registry or _registry_near(listing), path))
    except DerivationError as error:
        message = str(error).removeprefix(f"{listing.name}: ")
        where = _fault(listing.file, error.__cause__ or error).line or listing.line
        raise LoadError(Fault(listing.file, where, message), whole_file=False) from error
    except (Exception, SystemExit) as error:
        raise LoadError(_fault(listing.file, error), whole_file=False) from error


def _registry_near(listing: Listing) -> Registry:
    folder = Path(listing.file).resolve().parent
    return read_registry(() if folder == LIBRARY.resolve() else (folder,))


def _cited(name: str, registry: Registry, path: tuple[str, ...]) -> Derivation:
    """The derivation that is cited. Raises :class:`DerivationError` for an unknown name and for a circle."""
    if name in path:
        raise DerivationError(f"it cites itself: {' cites '.join((*path[path.index(name) :], name))}")
    listing = registry.by_name.get(name)
    if listing is None:
        near = difflib.get_close_matches(name, registry.by_name, n=3)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise DerivationError(f"it cites {name}, which is not in the library{hint}")
    try:
        return _load(listing, registry, path)
    except LoadError as error:
        raise DerivationError(f"it cites {name}, which cannot be read: {error.fault.message}") from error


def _fault(file: str, error: BaseException) -> Fault:
    """The deepest line of the file itself that the error passed through."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return Fault(file, error.lineno or 0, f"{type(error).__name__}: {error.msg}")
    own = Path(file).resolve()
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == own]
    return Fault(file, (lines[-1] if lines else 0) or 0, f"{type(error).__name__}: {error}")
