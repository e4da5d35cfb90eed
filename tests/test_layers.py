"""Who may import whom. Imports inside functions count: they are no way around a layer."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# A module belongs to the longest prefix. Each layer: what it may import of this project, and of others.
LAYERS: dict[str, tuple[set[str], set[str]]] = {
    "derivations.language": ({"derivations.language"}, {"sympy"}),
    "derivations.records": ({"derivations.language"}, {"sympy"}),
    "derivations.kernel": ({"derivations.language", "derivations.records", "derivations.kernel"}, {"sympy"}),
    "derivations.authoring": (
        {"derivations.language", "derivations.records", "derivations.kernel"},
        {"sympy"},
    ),
    "derivations.library": ({"derivations"}, set()),
    "derivations.writing": (
        {"derivations.language", "derivations.records", "derivations.authoring", "derivations.writing"},
        {"sympy"},
    ),
    "derivations.verdict": (set(), set()),
    "derivations.registry": (set(), set()),
    "derivations.loading": ({"derivations.authoring", "derivations.records", "derivations.registry"}, set()),
    "numerics": ({"derivations.language", "derivations.records", "numerics"}, {"sympy", "numpy", "scipy", "mpmath"}),
    "numerics.balls": ({"derivations.language", "derivations.records", "numerics"}, {"numpy", "flint"}),
    "numerics.ball_derivatives": ({"derivations.language", "numerics"}, {"numpy", "flint"}),
    "numerics.registration": ({"numerics"}, {"hypothesis"}),
    "numerics.strategies": ({"derivations.language", "numerics"}, {"sympy", "hypothesis"}),
}
# These may import everything; the next test says who may import them.
FREE = ("derivations.faces", "derivations.__main__")
STANDARD = {
    "abc", "argparse", "ast", "bisect", "cmath", "collections", "concurrent", "contextlib", "dataclasses", "difflib",
    "enum", "fnmatch", "fractions", "functools", "hashlib", "heapq", "html", "importlib", "inspect", "io", "itertools",
    "json", "math", "numbers", "operator", "os", "pathlib", "queue", "random", "re", "secrets", "shlex", "signal",
    "statistics", "subprocess", "sys", "textwrap", "threading", "time", "traceback", "types", "typing", "unicodedata",
    "__future__",
}  # fmt: skip


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


FILES = {
    module_name(path): path
    for package in ("derivations", "numerics")
    for path in sorted((ROOT / package).rglob("*.py"))
}


def imports(path: Path) -> set[str]:
    """Every module that a file imports anywhere, and for ``from a import b`` the module a.b if it is one."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports hide who imports whom"
            module = node.module or ""
            names = {f"{module}.{alias.name}" for alias in node.names}
            found |= {name if name in FILES else module for name in names}
    return found


IMPORTS = {name: imports(path) for name, path in FILES.items()}


def within(module: str, layer: str) -> bool:
    return module == layer or module.startswith(f"{layer}.")


def allowed(layer: str, imported: str) -> bool:
    own, foreign = LAYERS[layer]
    if layer == "derivations.library":
        return imported == "derivations" or imported in STANDARD
    root = imported.partition(".")[0]
    if root in ("derivations", "numerics"):
        return any(within(imported, one) for one in own)
    return root in foreign or root in STANDARD


@pytest.mark.parametrize("module", FILES)
def test_a_module_imports_only_what_its_layer_may(module):
    if module == "derivations":
        # Its imports serve the type checker only; at run time names are looked up in the table.
        return
    if any(within(module, one) for one in FREE):
        return
    layer = max((one for one in LAYERS if within(module, one)), key=len, default=None)
    assert layer, f"{module} belongs to no layer; add it to the table"
    wrong = sorted(imported for imported in IMPORTS[module] if not allowed(layer, imported))
    assert not wrong, f"{module} may not import {', '.join(wrong)}"


def test_nothing_imports_the_faces_but_the_entry_points():
    users = {
        module for module, found in IMPORTS.items() for one in found
        if within(one, "derivations.faces") and not within(module, "derivations.faces")
    }  # fmt: skip
    assert users <= {"derivations", "derivations.__main__"}


def test_the_package_itself_imports_nothing_at_run_time():
    tree = ast.parse(FILES["derivations"].read_bytes())
    imported = {node.module for node in tree.body if isinstance(node, ast.ImportFrom)}
    assert imported <= STANDARD | {"collections.abc"}


def test_there_are_no_cycles():
    edges = {
        module: {one for one in found if one in FILES and one != "derivations"}
        for module, found in IMPORTS.items()
        if module != "derivations"
    }
    done: set[str] = set()

    def walk(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in done:
            for one in sorted(edges[module]):
                walk(one, (*path, module))
            done.add(module)

    for module in sorted(edges):
        walk(module, ())


def test_the_rules_would_notice():
    assert not allowed("derivations.language", "derivations.kernel.terms")
    assert not allowed("derivations.writing", "derivations.kernel.theories")
    assert not allowed("numerics", "derivations.authoring")
    assert not allowed("numerics", "hypothesis")
    assert not allowed("numerics", "derivations.kernel.laws")
    assert not allowed("derivations.library", "sympy")
    assert not allowed("derivations.library", "derivations.language.symbols")
    assert not allowed("derivations.kernel", "numpy")
