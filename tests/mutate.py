"""Mutation testing: ``python -m tests.mutate --since v0.1 --count 60 --seed 1`` breaks changed lines.

Lines of ``src/legatus`` that changed since a revision are drawn at random.  Each is broken in a copy of the
tree: another comparison, a constant that is one off, a condition reversed, a statement left out.  Then
the tests near it run, and wider ones if these pass.  A mutant that no test notices has survived: a test is
missing, or the line does not matter.  What was found is kept as JSON lines; an interrupted run goes on there.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = "src/legatus"
PAGE = f"{SOURCE}/server/page"  # is built, and no part of the repository
TIMEOUT = 300.0  # seconds for the tests of one mutant, in all
COUNT = 60
SWAPPED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
COUNTED = {ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*"}
TOLD = ("tell", "assemble", "Message", "Refusal", "Term", "print")  # text and nothing else
EQUAL = ("isinstance", "min", "max")  # calls whose arguments may stand in any order, or in one only
LEADING = ("state", "play", "game", "scene", "view", "self", "look")
WIDER = ("tests/bots", "tests/lab", "tests/cli", "tests/scene", "tests/envs")
KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timeout"


class Mutant(NamedTuple):
    """A change of one place in a file: ``old``, from ``start`` to ``end`` in its text, becomes ``new``."""

    file: str
    line: int
    kind: str
    old: str
    new: str
    start: int
    end: int

    @property
    def key(self) -> str:
        return f"{self.file}:{self.line} {self.kind} {self.old!r} {self.new!r}"


class Result(NamedTuple):
    mutant: str
    file: str
    line: int
    kind: str
    old: str
    new: str
    status: str
    test: str  # that killed it
    seconds: float


# --- what is mutated -----------------------------------------------------------------------------


def changed_lines(since: str) -> dict[str, set[int]]:
    """The lines of each source file that are new or different since a revision."""
    diff = _git("diff", "-U0", "--no-renames", since, "--", f"{SOURCE}/*.py", f"{SOURCE}/**/*.py")
    found: dict[str, set[int]] = {}
    file = ""
    for line in diff.splitlines():
        if line.startswith("+++ "):
            file = line.removeprefix("+++ ").removeprefix("b/")
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, number = int(match[1]), int(match[2] or 1)
            found.setdefault(file, set()).update(range(first, first + number))
    return {file: lines for file, lines in found.items() if lines and (ROOT / file).exists()}


def _git(*args: str) -> str:
    return subprocess.run(["git", *args], cwd=ROOT, check=True, capture_output=True, text=True).stdout


class Mutator:
    """All mutants of a file, by line."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line.encode()))
        self.bytes = text.encode()
        self.found: dict[int, list[Mutant]] = {}
        self._visit(ast.parse(text))

    def _span(self, node: ast.AST) -> tuple[int, int]:
        assert isinstance(node, ast.expr | ast.stmt)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset

    def _said(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.bytes[start:end].decode()

    def _add(self, node: ast.expr | ast.stmt, kind: str, new: str, line: int = 0) -> None:
        start, end = self._span(node)
        mutant = Mutant(self.file, line or node.lineno, kind, self._said(node), new, start, end)
        if mutant.old != new:
            self.found.setdefault(mutant.line, []).append(mutant)

    def _visit(self, node: ast.AST) -> None:
        """Everything but docstrings, annotations, imports and what only a type checker reads."""
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "type_params") or isinstance(
                node, ast.Import | ast.ImportFrom
            ):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_for_readers(child):
                    self._mutate(child)
                    self._visit(child)

    def _mutate(self, node: ast.AST) -> None:
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            new = f"{self._said(node.left)} {SWAPPED[type(node.ops[0])]} {self._said(node.comparators[0])}"
            self._add(node, "comparison", f"({new})", node.comparators[0].lineno)
        elif isinstance(node, ast.BoolOp):
            word = " or " if isinstance(node.op, ast.And) else " and "
            self._add(node, "and/or", f"({word.join(f'({self._said(v)})' for v in node.values)})")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._add(node, "not", f"(bool({self._said(node.operand)}))")
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
            self._add(node, "constant", str(not node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            self._add(node, "constant", str(node.value + 1))
            self._add(node, "constant", f"({node.value - 1})")
        elif isinstance(node, ast.BinOp) and type(node.op) in COUNTED:
            new = f"({self._said(node.left)} {COUNTED[type(node.op)]} {self._said(node.right)})"
            self._add(node, "arithmetic", new, node.right.lineno)
        elif isinstance(node, ast.IfExp):
            new = f"({self._said(node.orelse)} if {self._said(node.test)} else {self._said(node.body)})"
            self._add(node, "branches", new)
        elif isinstance(node, ast.Call):
            self._swap_arguments(node)
        elif isinstance(node, ast.If | ast.While):
            self._add(node.test, "condition", f"(not ({self._said(node.test)}))")
        elif isinstance(node, ast.Return) and node.value is not None and self._said(node.value) != "None":
            self._add(node, "return", "return None")
        elif isinstance(node, ast.Expr | ast.AugAssign) or _sets_something(node):
            self._add(node, "left out", "pass")

    def _swap_arguments(self, call: ast.Call) -> None:
        """The first two that may be of one type: a state at their head is not taken for a number."""
        if _name_of(call) in (*TOLD, *EQUAL) or any(isinstance(arg, ast.Starred) for arg in call.args):
            return
        said = [self._said(arg) for arg in call.args]
        first = int(bool(said) and said[0] in LEADING)
        if len(said) < first + 2:
            return
        said[first], said[first + 1] = said[first + 1], said[first]
        for keyword in call.keywords:
            value = self._said(keyword.value)
            said.append(f"{keyword.arg}={value}" if keyword.arg else f"**{value}")
        self._add(call, "arguments", f"{self._said(call.func)}({', '.join(said)})")


def _is_for_readers(node: ast.AST) -> bool:
    """Docstrings, texts, calls that only write the log, and blocks for the type checker."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        return True
    if not isinstance(node, ast.Expr):
        return isinstance(node, ast.JoinedStr | ast.Assert | ast.Raise)
    return isinstance(node.value, ast.Constant) or _name_of(node.value) in TOLD


def _name_of(call: ast.AST) -> str:
    """The name of a function that is called."""
    if not isinstance(call, ast.Call):
        return ""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _sets_something(node: ast.AST) -> bool:
    """Leaving out the making of a name would be an error that anything notices."""
    return isinstance(node, ast.Assign) and all(
        isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets
    )


def drawn(since: str, count: int, seed: str) -> list[Mutant]:
    """So many changed lines at random, and of each line one mutant."""
    rng = Random(seed)
    lines: list[list[Mutant]] = []
    for file, changed in sorted(changed_lines(since).items()):
        found = Mutator(file, (ROOT / file).read_text(encoding="utf-8")).found
        lines += [found[line] for line in sorted(changed & found.keys())]
    return [rng.choice(line) for line in rng.sample(lines, min(count, len(lines)))]


# --- what is run ---------------------------------------------------------------------------------


def stages(file: str, near: bool) -> Iterator[list[str]]:
    """Arguments for pytest: the tests of the same game or area first; unless ``near``, then wider ones."""
    path = Path(file).relative_to(SOURCE)
    own = Path("tests") / Path(*path.parts[:2] if path.parts[0] == "games" else path.parts[:1])
    if (ROOT / own).is_dir():
        same = [str(test.relative_to(ROOT)) for test in sorted(ROOT.glob(f"tests/**/test_{path.stem}.py"))]
        if path.parts[0] == "games":  # other games have modules of the same name
            same = [test for test in same if test.startswith(str(own))]
        if same:
            yield same
        yield [str(own)]
        if near:
            return
    if path.parts[0] == "games" and len(path.parts) > 2:
        yield ["tests/conformance", "-k", path.parts[1]]
        yield [*WIDER, "-k", path.parts[1]]
    else:
        yield ["tests/conformance"]
    yield [folder for folder in WIDER if folder != str(own)]


class Copy:
    """A copy of the tree in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.green: set[str] = set()  # tests that were seen to pass without a mutant
        if not (ROOT / PAGE).is_dir():
            raise SystemExit("error: without the page every test of the server fails: run `make page`")
        shutil.copytree(ROOT / PAGE, folder / PAGE)
        for name in _git("ls-files", "--cached", "--others", "--exclude-standard").splitlines():
            if (ROOT / name).is_file() and not name.startswith(("web/", "docs/screenshots/")):
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)

    def pytest(self, args: Sequence[str], seconds: float) -> tuple[str, str]:
        """Whether the tests passed, and if not, the first that did not."""
        path = os.pathsep.join((str(self.folder / "src"), os.environ.get("PYTHONPATH", "")))
        env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", "-p", "no:cacheprovider", *args]
        with subprocess.Popen(
            command, cwd=self.folder, env=env, text=True, start_new_session=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as running:  # fmt: skip
            try:
                out, _ = running.communicate(timeout=max(seconds, 1))
            except subprocess.TimeoutExpired:
                os.killpg(running.pid, signal.SIGKILL)
                return TIMED_OUT, ""
        if running.returncode in (0, 5):  # 5: there was no test
            return SURVIVED, ""
        found = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", out, re.MULTILINE)
        return KILLED, found[0] if found else out.strip().splitlines()[-1] if out.strip() else "?"

    def run(self, mutant: Mutant, timeout: float, near: bool) -> tuple[str, str]:
        file = self.folder / mutant.file
        whole = file.read_bytes()
        left = timeout
        status, test = SURVIVED, ""
        file.write_bytes(whole[: mutant.start] + mutant.new.encode() + whole[mutant.end :])
        try:
            for args in stages(mutant.file, near):
                began = time.monotonic()
                status, test = self.pytest([*args, "-x"], left)
                left -= time.monotonic() - began
                if status != SURVIVED:
                    break
        finally:
            file.write_bytes(whole)
        if status == KILLED:
            self.check(test)
        return status, test

    def check(self, test: str) -> None:
        """A test that fails without a mutant as well kills nothing."""
        if test in self.green or not test.startswith("tests/"):
            return
        if self.pytest([test], TIMEOUT)[0] != SURVIVED:
            raise SystemExit(f"error: {test} fails without a mutant, too: begin with a green tree")
        self.green.add(test)


# --- the run -------------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> None:
    options = _options().parse_args(argv)
    mutants = drawn(options.since, options.count, str(options.seed))
    kept: Path = options.results or ROOT / "build" / f"mutants-{options.seed}.jsonl"
    kept.parent.mkdir(parents=True, exist_ok=True)
    done = read(kept)
    waiting = [mutant for mutant in mutants if mutant.key not in done]
    print(f"{len(mutants)} mutants, {len(mutants) - len(waiting)} of them tried before; results in {kept}")
    if options.list:
        for mutant in mutants:
            print(f"{mutant.file}:{mutant.line}  {describe(mutant.kind, mutant.old, mutant.new)}")
        return
    with tempfile.TemporaryDirectory(prefix="legatus-mutants-") as folder:
        copies: Queue[Copy] = Queue()
        for n in range(options.jobs):
            copies.put(Copy(Path(folder) / str(n)))
        with ThreadPoolExecutor(options.jobs) as pool, kept.open("a", encoding="utf-8") as out:
            tried = pool.map(lambda one: attempt(one, copies, options.timeout, options.near), waiting)
            for n, result in enumerate(tried, 1):
                out.write(json.dumps(result._asdict(), ensure_ascii=False) + "\n")
                out.flush()
                done[result.mutant] = result
                print(f"{n}/{len(waiting)} {line_of(result)}", flush=True)
    report([done[mutant.key] for mutant in mutants])


def attempt(mutant: Mutant, copies: Queue[Copy], timeout: float, near: bool) -> Result:
    copy = copies.get()
    began = time.monotonic()
    try:
        status, test = copy.run(mutant, timeout, near)
    finally:
        copies.put(copy)
    seconds = round(time.monotonic() - began, 1)
    return Result(mutant.key, *mutant[:5], status=status, test=test, seconds=seconds)


def read(file: Path) -> dict[str, Result]:
    """What earlier runs found."""
    if not file.exists():
        return {}
    rows = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return {row["mutant"]: Result(**row) for row in rows}


def describe(kind: str, old: str, new: str) -> str:
    one, two = (" ".join(text.split()) for text in (old, new))
    return f"{kind}: {one[:50]} → {two[:50]}"


def line_of(result: Result) -> str:
    what = describe(result.kind, result.old, result.new)
    return f"{result.status:<8} {result.file}:{result.line}  {what}  {result.test} ({result.seconds:g} s)"


def report(results: Sequence[Result]) -> None:
    """A table, those that survived last, and how many were killed."""
    print()
    for result in sorted(results, key=lambda one: (one.status == SURVIVED, one.file, one.line)):
        print(line_of(result))
    dead, slow = (sum(result.status == status for result in results) for status in (KILLED, TIMED_OUT))
    share = dead / len(results) if results else 1.0
    rest = f"{slow} not decided in time, {len(results) - dead - slow} survived"
    print(f"\n{dead} of {len(results)} mutants killed ({share:.0%}), {rest}")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.add_argument("--since", required=True, metavar="REV", help="lines changed since this revision")
    parser.add_argument("--count", type=int, default=COUNT, help="mutants, each of another line")
    parser.add_argument("--seed", default="1", help="which lines are drawn")
    parser.add_argument("--jobs", type=int, default=1, help="mutants tried at the same time")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="seconds for the tests of one mutant")
    parser.add_argument("--near", action="store_true", help="only the tests of the same game or area")
    parser.add_argument("--results", type=Path, help="JSON lines; a second run goes on where the first ended")
    parser.add_argument("--list", action="store_true", help="only show what would be tried")
    return parser


if __name__ == "__main__":
    main()
