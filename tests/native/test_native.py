"""The rules can be compiled, and play the same games to the last fingerprint."""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from native import build

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "build" / "native"  # compiled copies, by what they were compiled of
needs_compiler = pytest.mark.skipif(
    not build.has_compiler(), reason="no C compiler with the headers of Python"
)


@pytest.fixture(scope="module")
def compiled() -> Path:
    """A compiled copy of the package; it is made again only when a source has changed."""
    sources = sorted((build.SOURCE / build.PACKAGE).rglob("*.py"))
    content = b"".join(path.read_bytes() for path in [*sources, Path(build.__file__)])
    folder = KEPT / hashlib.sha256(content).hexdigest()[:16]
    if not (folder / "complete").exists():
        build.copy_package(folder)
        build.build(folder, level="0")
        (folder / "complete").touch()
    return folder


def played(source: Path) -> list[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(source), str(ROOT)])}
    command = [sys.executable, "-m", "tests.native.games"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@needs_compiler
def test_compiled_rules_play_the_same_games(compiled: Path, tmp_path: Path) -> None:
    build.copy_package(tmp_path)  # without the extensions that `make native` may have put beside the sources
    interpreted, found = played(tmp_path), played(compiled)
    assert (interpreted[0], found[0]) == ("interpreted", "compiled")
    assert found[1:] == interpreted[1:]


@needs_compiler
def test_every_chosen_module_is_compiled(compiled: Path) -> None:
    names = {path.name.split(".")[0] for path in build.extensions(compiled)}
    assert {path.stem for path in build.modules()} <= names


def test_extensions_older_than_their_sources_are_found(tmp_path: Path) -> None:
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    source, extension = tmp_path / "legatus" / "engine.py", tmp_path / "legatus" / f"engine{suffix}"
    source.parent.mkdir()
    source.touch()
    extension.touch()
    os.utime(source, (1_000, 1_000))
    assert build.stale(tmp_path) == []
    os.utime(extension, (999, 999))
    assert build.stale(tmp_path) == [extension]
    assert build.remove(tmp_path) == 1
    assert not extension.exists()


# --- what compiles but runs otherwise ------------------------------------------------------------


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in build.modules():
        yield str(path.relative_to(build.SOURCE)), ast.parse(path.read_text())


def test_compiled_classes_have_no_cached_properties() -> None:
    """They would be computed at every look: a compiled object has nowhere to keep them."""
    assert [name for name, tree in trees() if "cached_property" in ast.unparse(tree)] == []


def test_nothing_is_looked_for_in_a_generator_expression() -> None:
    """``x in (... for ...)`` fails when compiled."""
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
        and any(isinstance(right, ast.GeneratorExp) for right in node.comparators)
    ]
    assert found == []


def test_tuples_with_stars_are_not_searched_where_they_are_written() -> None:
    """``x in (*a, b)`` is more than mypyc can translate."""
    found = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for right in node.comparators
        if isinstance(right, ast.Tuple | ast.List) and any(isinstance(e, ast.Starred) for e in right.elts)
    ]
    assert found == []
