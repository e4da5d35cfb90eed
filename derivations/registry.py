"""Which derivations there are. Library files are parsed, not imported, so that a list needs no SymPy and one bad
file hides no other."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

LIBRARY = Path(__file__).parent / "library"


@dataclass(frozen=True)
class Listing:
    """A derivation as its decorator announces it."""

    family: str
    function: str
    title_en: str
    title_zh: str
    source: str
    file: str
    line: int

    @property
    def name(self) -> str:
        """The family, a dot, the function."""
        return f"{self.family}.{self.function}"


@dataclass(frozen=True)
class Fault:
    """Something wrong with a library file, and where. Line 0 means the file as a whole; ``name`` is the derivation that
    cannot be read for it, where it is known."""

    file: str
    line: int
    message: str
    name: str = ""

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}: {self.message}"


@dataclass(frozen=True)
class Registry:
    """The derivations found, in the order of families and of lines, and what could not be read."""

    listings: tuple[Listing, ...]
    faults: tuple[Fault, ...] = ()

    @property
    def by_name(self) -> Mapping[str, Listing]:
        """The derivations by name."""
        return {one.name: one for one in self.listings}


class UnknownName(LookupError):
    """No derivation or family has this name. ``unread`` is true where the file that might have it has a fault."""

    def __init__(self, name: str, near: tuple[str, ...], *, unread: bool = False) -> None:
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `list` shows all names"
        super().__init__(f"there is no derivation {name}{hint}")
        self.name = name
        self.near = near
        self.unread = unread


def read_registry(folders: Iterable[Path] = ()) -> Registry:
    """Read the package's own library and then each of the folders."""
    listings: dict[str, Listing] = {}
    faults: list[Fault] = []
    for folder in (LIBRARY, *folders):
        if not folder.is_dir():
            there = folder.exists()
            faults.append(Fault(str(folder), 0, "is a file; give its folder" if there else "there is no such folder"))
            continue
        for file in sorted(folder.glob("*.py")):
            if file.name.startswith("_"):
                continue
            for found in _read_file(file):
                if isinstance(found, Fault):
                    faults.append(found)
                elif found.name in listings:
                    first = listings[found.name]
                    message = (
                        f"{found.name} is already defined in {first.file}, line {first.line}; rename one of the two"
                    )
                    faults.append(Fault(found.file, found.line, message, found.name))
                else:
                    listings[found.name] = found
    return Registry(tuple(listings.values()), tuple(faults))


def _read_file(file: Path) -> Iterator[Listing | Fault]:
    try:
        tree = ast.parse(file.read_bytes(), filename=str(file))
    except SyntaxError as error:
        yield Fault(str(file), error.lineno or 0, f"{type(error).__name__}: {error.msg}")
        return
    except (OSError, ValueError) as error:
        yield Fault(str(file), 0, f"{type(error).__name__}: {error}")
        return
    constants = _constants(tree)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if any(isinstance(one, ast.Name) and one.id == "derivation" for one in node.decorator_list):
                yield Fault(str(file), node.lineno, f"above {node.name} write @derivation(title=(English, Chinese))")
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and _called(call) == "derivation":
                    yield _read_decorator(file, node, call, constants)


def _constants(tree: ast.Module) -> dict[str, object]:
    """Module-level names bound to literals, such as a source shared by several derivations."""
    found: dict[str, object] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = _literal(value, {})
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = _literal(value, {})
    return found


def _literal(node: ast.expr, constants: Mapping[str, object]) -> object:
    """The value of a literal or of a named literal; None for anything that would have to be run."""
    if isinstance(node, ast.Name):
        return constants.get(node.id)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return None


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return name
    return ""


def _read_decorator(
    file: Path, node: ast.FunctionDef, call: ast.Call, constants: Mapping[str, object]
) -> Listing | Fault:
    values = {keyword.arg: _literal(keyword.value, constants) for keyword in call.keywords}
    match values.get("title"):
        case (str() as en, str() as zh):
            source = values.get("source", "")
            if not isinstance(source, str):
                return Fault(str(file), call.lineno, f"the source of {node.name} must be a literal string")
            return Listing(file.stem, node.name, en, zh, source, str(file), node.lineno)
    return Fault(str(file), call.lineno, f"the title of {node.name} must be two literal strings, English and Chinese")


def select(registry: Registry, names: Iterable[str]) -> tuple[Listing, ...]:
    """The derivations that the names ask for, in the order asked, each once; without names all of them.

    A name is a derivation, a family, or a pattern such as ``attention.*``. Raises :class:`UnknownName`.
    """
    wanted = tuple(names)
    if not wanted:
        return registry.listings
    chosen: dict[str, Listing] = {}
    for name in wanted:
        matching = [one for one in registry.listings if name in (one.name, one.family) or fnmatchcase(one.name, name)]
        if not matching:
            raise unknown(registry, name)
        chosen.update((one.name, one) for one in matching)
    return tuple(chosen.values())


def unknown(registry: Registry, name: str) -> UnknownName:
    """The error for a name that does not exist, or that stands in a file with a fault."""
    family = name.partition(".")[0]
    unread = any(fnmatchcase(Path(one.file).stem, family) for one in registry.faults)
    return UnknownName(name, nearest(registry, name), unread=unread)


def nearest(registry: Registry, name: str) -> tuple[str, ...]:
    """Up to three names close to one that does not exist; the part after the dot may stand alone."""
    names = [one.name for one in registry.listings]
    by_function = [one.name for one in registry.listings if one.function == name]
    families = sorted({one.family for one in registry.listings})
    close = difflib.get_close_matches(name, [*names, *families], n=3)
    functions = difflib.get_close_matches(name.rpartition(".")[2], [one.function for one in registry.listings], n=2)
    close_functions = [one.name for one in registry.listings if one.function in functions]
    return tuple(dict.fromkeys([*by_function, *close, *close_functions]))[:3]
