"""Luck: bands, exact branches, scripts and seeds."""

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legatus.kernel import Luck, NeedLuck, Play, Scripted, Seeded
from legatus.kernel.chance import WrongLuck
from legatus.kernel.words import KERNEL

dice = st.tuples(st.integers(0, 4), st.integers(2, 6), st.lists(st.integers(1, 6), max_size=4))


def band(face: int, sides: int, bands: list[int]) -> int:
    """The highest face that the rules cannot tell from this one."""
    return min([top for top in bands if face <= top < sides] + [sides]) if bands else face


@given(dice)
def test_branches_are_the_multinomials_that_counting_every_face_gives(
    case: tuple[int, int, list[int]],
) -> None:
    n, sides, bands = case
    counted: Counter[tuple[int, ...]] = Counter()
    for faces in product(range(1, sides + 1), repeat=n):
        counted[tuple(sorted(band(face, sides, bands) for face in faces))] += 1
    branches = list(Luck(n, sides, bands).branches())
    assert {faces: chance * sides**n for chance, faces in branches} == counted
    assert len(branches) == len(counted), "a branch stands twice"


@given(dice)
def test_branches_sum_to_one_and_could_fall(case: tuple[int, int, list[int]]) -> None:
    luck = Luck(*case)
    branches = list(luck.branches())
    assert sum(chance for chance, _ in branches) == 1
    assert all(luck.wrong(faces) is None for _, faces in branches)


@given(st.lists(st.integers(0, 9), min_size=1).filter(any))
def test_a_draw_is_as_likely_as_its_weight(weights: list[int]) -> None:
    branches = {answer: chance for chance, answer in Luck(1, 0, (), weights).branches()}
    assert branches == {(i,): Fraction(w, sum(weights)) for i, w in enumerate(weights) if w}
    assert sum(branches.values()) == 1


def test_three_dice_against_four_have_four_branches() -> None:
    branches = {faces.count(4): chance for chance, faces in Luck(3, 6, (4, 6)).branches()}
    assert branches == {
        n: Fraction(ways * 4**n * 2 ** (3 - n), 216) for n, ways in {0: 1, 1: 3, 2: 3, 3: 1}.items()
    }


def test_a_die_without_bands_has_a_branch_for_each_face() -> None:
    branches = list(Luck(1, 6).branches())
    assert sorted(branches) == [(Fraction(1, 6), (face,)) for face in range(1, 7)]


@pytest.mark.parametrize(
    ("luck", "answer", "wrong"),
    [
        (Luck(2, 6), [1, 6], None),
        (Luck(2, 6), [1], "2 result(s) expected, 1 given"),
        (Luck(1, 6), [1, 2], "1 result(s) expected, 2 given"),
        (Luck(1, 6), [0], "0 is not a face of a d6"),
        (Luck(1, 6), [7], "7 is not a face of a d6"),
        (Luck(1, 0, (), (1, 0, 2)), [2], None),
        (Luck(1, 0, (), (1, 0, 2)), [1], "1 cannot be drawn"),
        (Luck(1, 0, (), (1, 0, 2)), [3], "3 cannot be drawn"),
        (Luck(1, 0, (), (1, 0, 2)), [-1], "-1 cannot be drawn"),
    ],
)
def test_what_cannot_have_fallen_is_told(luck: Luck, answer: list[int], wrong: str | None) -> None:
    problem = luck.wrong(answer)
    assert (problem if problem is None else KERNEL["en"].fill(problem)) == wrong


def test_a_script_gives_its_faces_in_order_and_then_asks() -> None:
    script = Scripted([3, 1, 6])
    assert script.answer(Luck(2, 6)) == [3, 1]
    assert script.unused == 1
    assert script.roll(6, ()) == 6
    assert script.unused == 0
    with pytest.raises(NeedLuck) as needed:
        script.answer(Luck(2, 8, (3, 8)))
    assert (needed.value.luck.n, needed.value.luck.sides, needed.value.luck.bands) == (2, 8, (3, 8))


@pytest.mark.parametrize("faces", [[7], [0], [1]])
def test_a_script_that_cannot_be_right_is_refused(faces: list[int]) -> None:
    with pytest.raises(WrongLuck):
        Scripted(faces).answer(Luck(2, 6))


@pytest.mark.parametrize("weights", [(), (0, 0)])
def test_nothing_is_drawn_from_nothing(weights: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="nothing is left"):
        Play(None, Seeded("x")).draw(weights)


PINNED = [[5, 5, 4, 5, 2, 4, 6, 2, 2, 1, 2, 3], [10, 2, 8, 7], [2, 2, 0, 0, 2, 2, 2, 2]]
ANSWERS = """
from legatus.kernel import Luck, Seeded
dice = Seeded("match-7/42")
print([[dice.roll(6, ()) for _ in range(12)], dice.answer(Luck(4, 10)),
       [dice.answer(Luck(1, 0, (), (1, 0, 3)))[0] for _ in range(8)]])
"""


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_a_seed_gives_the_same_luck_on_every_machine(hash_seed: str) -> None:
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", ANSWERS], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(PINNED)


def test_seeds_differ() -> None:
    assert Seeded("a").answer(Luck(20, 6)) != Seeded("b").answer(Luck(20, 6))


@given(st.text(), dice)
def test_seeded_luck_could_fall(name: str, case: tuple[int, int, list[int]]) -> None:
    luck = Luck(*case)
    assert luck.wrong(Seeded(name).answer(luck)) is None
    assert 1 <= Seeded(name).roll(luck.sides, luck.bands) <= luck.sides


@given(st.text(), st.lists(st.integers(0, 9), min_size=1).filter(any))
def test_a_seeded_draw_takes_what_is_there(name: str, weights: list[int]) -> None:
    luck = Luck(1, 0, (), weights)
    assert luck.wrong(Seeded(name).answer(luck)) is None


def test_seeded_luck_is_fair() -> None:
    fell = Counter(Seeded("fair").answer(Luck(60_000, 6)))
    assert all(abs(fell[face] - 10_000) < 400 for face in range(1, 7))
    source = Seeded("fair")
    drawn = Counter(source.answer(Luck(1, 0, (), (1, 2, 0, 3)))[0] for _ in range(60_000))
    assert all(abs(drawn[i] - 10_000 * weight) < 500 for i, weight in enumerate((1, 2, 0, 3)))
