"""Who imports whom, read from the source without running it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TREES = ("app", "pages", "models", "tests")


@cache
def sources() -> dict[str, Path]:
    """Our modules by dotted name."""
    found: dict[str, Path] = {}
    for tree in TREES:
        for file in sorted((ROOT / tree).rglob("*.py")):
            parts = file.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def imports_of(module: str, everywhere: bool = True) -> frozenset[str]:
    """Dotted names that a module of ours imports. everywhere: also inside functions (lazily), or only on import."""
    tree = ast.parse(sources()[module].read_text("utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree) if everywhere else _on_import(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(found)


def _on_import(tree: ast.AST) -> list[ast.AST]:
    """Nodes that run when the module is imported: not those in functions or behind TYPE_CHECKING."""
    found: list[ast.AST] = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        found += [node, *_on_import(node)]
    return found


@cache
def closure(module: str) -> frozenset[str]:
    """Everything that is imported, ours and others', when this module of ours is imported."""
    seen: set[str] = set()
    todo = [module]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in sources():
            parts = name.split(".")
            todo += imports_of(name, everywhere=False)
            todo += [".".join(parts[:i]) for i in range(1, len(parts))]
    return frozenset(seen)


def tops(names: frozenset[str]) -> set[str]:
    """Top-level package names."""
    return {name.partition(".")[0] for name in names}
