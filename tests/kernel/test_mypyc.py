"""The style of the kernel can be compiled: mypyc takes ``kernel/chance.py`` as it stands."""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from legatus.kernel import chance

TO_C = """
import setuptools
from mypyc.build import mypycify

extensions = mypycify(["kernel/chance.py"], opt_level="0", target_dir="c")
"""
TO_MACHINE_CODE = """
build = ["-q", "build_ext", "--inplace"]
setuptools.setup(name="chance", packages=[], ext_modules=extensions, script_args=build)
"""
ANSWERS = """
from kernel import chance
dice = chance.Seeded("mypyc")
print(not chance.__file__.endswith(".py"))
print(dice.answer(chance.Luck(5, 6)), dice.roll(6, ()), dice.answer(chance.Luck(1, 0, (), (1, 2, 3))))
print(list(chance.Luck(3, 6, (4, 6)).branches()))
try:
    chance.Scripted([7]).answer(chance.Luck(1, 6))
except chance.WrongLuck as error:
    print(error, error.say("fr"))
"""


def has_compiler() -> bool:
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    return headers.is_file() and any(shutil.which(name) for name in ("cc", "gcc", "clang"))


def run(script: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package of the module and of what it imports of ours."""
    pytest.importorskip("setuptools", reason="mypyc builds with setuptools")
    package = tmp_path / "kernel"
    package.mkdir()
    package.joinpath("__init__.py").touch()
    for path in (Path(chance.__file__), *Path(chance.__file__).parent.glob("words.*")):
        shutil.copy(path, package)
    return tmp_path


def test_mypyc_translates_the_door_of_luck_to_c(folder: Path) -> None:
    run(TO_C, folder)
    assert list((folder / "c").rglob("*.c"))


@pytest.mark.skipif(not has_compiler(), reason="no C compiler with the headers of Python")
def test_compiled_luck_answers_as_interpreted_luck_does(folder: Path) -> None:
    interpreted = run(ANSWERS, folder).splitlines()
    run(TO_C + TO_MACHINE_CODE, folder)
    compiled = run(ANSWERS, folder).splitlines()
    assert (interpreted[0], compiled[0]) == ("False", "True")
    assert compiled[1:] == interpreted[1:]
