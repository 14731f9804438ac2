#!/usr/bin/env python3
"""Compile the rules with mypyc: ``python native/build.py``; without it everything runs interpreted.

The modules of ``modules()`` become extensions beside their sources, which Python then prefers.
``--into DIR`` puts a compiled copy of the package elsewhere, ``--remove`` deletes what was compiled.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"
PACKAGE = "legatus"
GROUP = "legatus_native"  # the library that all compiled modules share is called after it
CHOSEN = (
    "kernel/objects.py",
    "kernel/model.py",
    "kernel/engine.py",
    "kernel/chance.py",
    "parts",
    "games",
    "bots",
)
INTERPRETED = ("bots/crew.py", "bots/thoughts.py", "bots/decoys.py", "parts/scenarios.py")
BUILD = """
import sys, setuptools
from mypyc.build import mypycify
found = mypycify(
    ["--python-version", "3.11", *sys.argv[4:]],
    opt_level=sys.argv[3], multi_file=True, group_name=sys.argv[1], target_dir="c",
)
setuptools.setup(
    name=sys.argv[1], packages=[], ext_modules=found,
    script_args=["-q", "build_ext", "--build-lib", "lib", "-j", sys.argv[2]],
)
"""


class Failed(Exception):
    """Said to whoever runs this, without a traceback."""


def modules(package: Path = SOURCE / PACKAGE) -> list[Path]:
    """What is compiled: rules and bots, but for modules with Structs of msgspec: mypyc cannot take them."""
    found: list[Path] = []
    for name in CHOSEN:
        path = package / name
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    left = {package / name for name in INTERPRETED}
    return [
        path for path in found if path not in left and path.name != "__init__.py" and not _has_structs(path)
    ]


def _has_structs(path: Path) -> bool:
    tree = ast.parse(path.read_text())
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    return any(isinstance(base, ast.Name) and base.id == "Struct" for node in classes for base in node.bases)


def has_compiler() -> bool:
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    return headers.is_file() and any(shutil.which(name) for name in ("cc", "gcc", "clang"))


def extensions(folder: Path) -> Iterator[Path]:
    """What a build has left in a folder."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    yield from folder.glob(f"{GROUP}__mypyc{suffix}")
    yield from (folder / PACKAGE).rglob(f"*{suffix}")


def stale(folder: Path = SOURCE) -> list[Path]:
    """Extensions that are older than their sources: Python would run what is no longer written."""
    found = []
    for path in extensions(folder):
        source = path.with_name(path.name.split(".")[0] + ".py")
        if source.exists() and source.stat().st_mtime > path.stat().st_mtime:
            found.append(path)
    return found


def remove(folder: Path = SOURCE) -> int:
    found = list(extensions(folder))
    for path in found:
        path.unlink()
    return len(found)


def build(into: Path = SOURCE, jobs: int = 2, level: str = "2") -> int:
    """Compile, and put the extensions into a folder; how many there are.  Level 0 is quickly done."""
    if not has_compiler():
        raise Failed(
            "no C compiler with the headers of Python was found (Debian: apt-get install gcc python3-dev)"
        )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(
            SOURCE / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("*.so", "__pycache__", "page")
        )
        names = [str(path.relative_to(folder)) for path in modules(folder / PACKAGE)]
        command = [sys.executable, "-c", BUILD, GROUP, str(jobs), level, *names]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            said = [line for line in (done.stdout + done.stderr).splitlines() if "warning:" not in line]
            raise Failed("the rules could not be compiled:\n" + "\n".join(said[-20:]))
        remove(into)
        found = list(extensions(folder / "lib"))
        for path in found:
            target = into / path.relative_to(folder / "lib")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return len(found)


def check() -> None:
    """Say in a line how the rules run; extensions that are out of date are deleted."""
    if stale():
        remove()
        print("The compiled rules were older than their sources and are deleted; see `make native`")
    elif not any(extensions(SOURCE)):
        print("The rules run interpreted; `make native` compiles them: bots think nearly twice as fast")


def copy_package(into: Path) -> None:
    """The sources and data of the package, for a compiled copy of it."""
    shutil.copytree(SOURCE / PACKAGE, into / PACKAGE, ignore=shutil.ignore_patterns("*.so", "__pycache__"))


def main(words: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--into", type=Path, help="put a compiled copy of the package into this folder")
    parser.add_argument("--remove", action="store_true", help="delete what was compiled")
    parser.add_argument(
        "--check", action="store_true", help="say how the rules run; delete what is out of date"
    )
    parser.add_argument("--list", action="store_true", help="list the modules that are compiled")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time")
    given = parser.parse_args(None if words is None else list(words))
    try:
        if given.list:
            print("\n".join(str(path.relative_to(SOURCE)) for path in modules()))
        elif given.check:
            check()
        elif given.remove:
            print(f"{remove()} compiled modules are gone; the rules run interpreted")
        else:
            into: Path = given.into or SOURCE
            if given.into and not (into / PACKAGE).exists():
                copy_package(into)
            print(f"Compiling {len(modules())} modules; this takes a few minutes", file=sys.stderr)
            print(f"{build(into, given.jobs)} libraries are in {into}")
    except Failed as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
