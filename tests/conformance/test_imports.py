"""Imports point one way: games → parts, kernel; bots, lab → kernel.  No game reads files or clocks."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from .common import ROOT

SOURCE = ROOT / "src"
PACKAGE = SOURCE / "legatus"
FILES = sorted(PACKAGE.rglob("*.py"))

# What each package may import of ours; what is not listed (server, cli) may import all.
MAY = {
    "kernel": ("legatus.kernel",),
    "parts": ("legatus.kernel", "legatus.parts"),
    "scene": ("legatus.kernel", "legatus.scene"),
    "games": ("legatus.kernel", "legatus.parts", "legatus.scene.model"),
    "bots": ("legatus.kernel", "legatus.bots"),
    "lab": ("legatus.kernel", "legatus.bots", "legatus.lab", "legatus.games"),
    "envs": tuple(f"legatus.{name}" for name in ("kernel", "bots", "lab", "games", "scene", "envs")),
}
# No files, no clock, no luck but the kernel's, no network; ``from random import Random`` names a parameter.
NOT_IN_GAMES = {
    "asyncio", "datetime", "io", "multiprocessing", "os", "pathlib", "random", "secrets", "shutil", "socket",
    "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip


def module_of(path: Path) -> list[str]:
    parts = list(path.relative_to(SOURCE).with_suffix("").parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All of the tree but what only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        yield node
        yield from statements(node)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Every module that a file imports, with the name that it takes from it (or "")."""
    module = module_of(path)
    package = module if path.name == "__init__.py" else module[:-1]
    for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            for alias in node.names:
                inner = SOURCE.joinpath(*source.split("."), alias.name)
                if inner.is_dir() or inner.with_suffix(".py").is_file():
                    yield f"{source}.{alias.name}", ""
                else:
                    yield source, alias.name


def within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == package or module.startswith(package + ".") for package in packages)


@pytest.mark.parametrize("path", FILES, ids=lambda path: ".".join(module_of(path)))
def test_imports_point_one_way(path: Path) -> None:
    module = module_of(path)
    layer = module[1] if len(module) > 1 else ""
    if layer not in MAY:
        return
    allowed = MAY[layer]
    if layer == "games":
        allowed += (".".join(module[:3]),)  # a game itself; the registry: all games
    wrong = [name for name, _ in imports(path) if within(name, ("legatus",)) and not within(name, allowed)]
    assert not wrong, f"{'.'.join(module)} must not import {wrong}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: ".".join(module_of(path)))
def test_luck_has_one_door(path: Path) -> None:
    """Nobody uses the global generator: it could not be replayed."""
    wrong = [f"{module}.{name}" for module, name in imports(path) if module == "random" and name != "Random"]
    assert not wrong


@pytest.mark.parametrize("path", [p for p in FILES if module_of(p)[1:2] in (["games"], ["parts"])], ids=str)
def test_games_read_no_files_and_no_clock(path: Path) -> None:
    wrong = [
        module
        for module, name in imports(path)
        if module.split(".")[0] in NOT_IN_GAMES and (module, name) != ("random", "Random")
    ]
    calls = [
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
    ]
    wrong += [
        c.func.id for c in calls if isinstance(c.func, ast.Name) and c.func.id in ("open", "print", "input")
    ]
    assert not wrong
