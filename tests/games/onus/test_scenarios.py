"""7 Scenario files: everything that is refused, with the file, the line and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from legatus.games.onus import ONUS
from legatus.games.onus.battlefield import BATTLES, enlist
from legatus.games.onus.scenario import cost
from legatus.games.onus.state import CALTROPS
from legatus.kernel import BadFile, Setup
from tests.rules import rule
from tests.told import assert_told

TEXT = """name = "x"
size = [{size}]
{top}
[[army]]
side = "attacker"
[[army.unit]]
kind = "hastati"
general = true
count = 2
{attacker}
[[army]]
side = "defender"
[[army.unit]]
kind = "hastati"
general = true
{defender}
{more}
"""
LAKE = '[[ground]]\nid = "pond"\nkind = "lake"\nat = [10, 9]\nsize = [2, 2]\n'
FORT = '[fortress]\ndesign = "{}"\nat = [{}]\n'
EDGE = """[fortress]
at = [{}]
turn = {}
[fortress.plan]
name = "Fort"
material = "{}"
edge = true
walk = ["wall corner gate", "{}"]
"""


def configure(tmp_path: Path, **said: str) -> Setup:
    blanks = dict.fromkeys(("top", "attacker", "defender", "more"), "")
    path = tmp_path / "x.toml"
    path.write_text(TEXT.format(**{"size": "20, 18", **blanks, **said}))
    return ONUS.configure(str(path))


def wrong(tmp_path: Path, **said: str) -> BadFile:
    with pytest.raises(BadFile) as caught:
        configure(tmp_path, **said)
    assert caught.value.file.endswith("x.toml")
    assert_told(caught.value)
    return caught.value


def two(one: str, other: str = "15, 15, 0") -> str:
    return f"at = [[{one}], [{other}]]"


def test_a_plain_scenario_is_taken(tmp_path: Path) -> None:
    assert enlist(configure(tmp_path, attacker=two("10, 15, 0"), more=LAKE)).grounds


# --- where units begin ---------------------------------------------------------------------------


@rule("OH.field.1")
def test_units_begin_on_the_table(tmp_path: Path) -> None:
    """Half a card is 0.88 wide and 0.44 deep."""
    configure(tmp_path, attacker=two("0.88, 17.56, 0"))
    for place in ("0.8, 15, 0", "10, 17.7, 0", "19.3, 15, 0", "10, 0.3, 0", "-5, 5, 0"):
        error = wrong(tmp_path, attacker=two(place))
        assert error.place == "line 10 (army[0].unit[0].at)"
        assert "a-hastati-1" in error.problem


@rule("OH.move.8")
def test_units_do_not_begin_on_one_another(tmp_path: Path) -> None:
    configure(tmp_path, attacker=two("13.24, 15, 0"))
    error = wrong(tmp_path, attacker=two("13.3, 15, 0"))
    assert "a-hastati-2: this would end on a friend" in error.problem
    error = wrong(tmp_path, attacker=two("10, 9, 0"), defender="at = [[11, 9, 180]]")
    assert error.place == "line 16 (army[1].unit[0].at)"
    assert "in the way" in error.problem


@rule("O3.impassable", "O3.river.impassable")
@pytest.mark.parametrize("kind", ["lake", "mountain", "river"])
def test_units_do_not_begin_where_nobody_can_stand(tmp_path: Path, kind: str) -> None:
    more = LAKE.replace('"lake"', f'"{kind}"')
    configure(tmp_path, attacker=two("10, 10.44, 0"), more=more)
    assert "in the way" in wrong(tmp_path, attacker=two("10, 10.3, 0"), more=more).problem
    configure(tmp_path, attacker=two("10, 9, 0"), more=more.replace(kind, "forest"))


@rule("O3.river.scenario")
def test_units_may_begin_in_an_open_river(tmp_path: Path) -> None:
    more = LAKE.replace('"lake"', '"river"')
    wrong(tmp_path, attacker=two("10, 9, 0"), more=more)
    configure(tmp_path, attacker=two("10, 9, 0"), top='options = {{rivers = "open"}}'.format(), more=more)


@rule("O4.wall.inner-contact", "O3.impassable")
def test_units_do_not_begin_in_walls_or_towers(tmp_path: Path) -> None:
    """The fortress is 7.04 wide and 3.52 deep: its southern wall is at y 4.32 to 4.76."""
    fort = FORT.format("standard", "10, 3")
    configure(tmp_path, top=fort, defender="at = [[10, 3.88, 180]]")
    error = wrong(tmp_path, top=fort, defender="at = [[10, 4.2, 180]]")
    assert error.place.endswith("(army[1].unit[0].at)")
    assert "in the way" in error.problem
    tower = '[[structure]]\nid = "w"\nkind = "watchtower"\nat = [10, 9]\n'
    assert "in the way" in wrong(tmp_path, attacker=two("10, 9, 0"), more=tower).problem


@rule("O4.village.pass-friends")
def test_units_do_not_begin_over_a_village(tmp_path: Path) -> None:
    village = '[[structure]]\nid = "v"\nkind = "village"\nat = [10, 9]\n'
    assert "village" in wrong(tmp_path, attacker=two("10, 10, 0"), more=village).problem


# --- tiles ---------------------------------------------------------------------------------------


def test_the_size_of_the_table_is_told_in_du(tmp_path: Path) -> None:
    error = wrong(tmp_path, size="20, 6.5")
    assert error.place == "line 2 (size)"
    assert error.problem == "7 to 60 DU expected, 6.5 found"
    assert "60 DU expected, 61 found" in wrong(tmp_path, size="61, 20").problem


@pytest.mark.parametrize("size", ["0, 2", "2, -1", "2, nan", "inf, 2", "2, 61"])
def test_tiles_have_a_size(tmp_path: Path, size: str) -> None:
    error = wrong(tmp_path, more=LAKE.replace("[2, 2]", f"[{size}]"))
    assert "(ground[0].size)" in error.place
    assert "DU expected" in error.problem
    trench = f'[[structure]]\nid = "t"\nkind = "trench"\nowner = "defender"\nat = [9, 9]\nsize = [{size}]\n'
    assert "(structure[0].size)" in wrong(tmp_path, more=trench).place


@pytest.mark.parametrize("field", ["at = [nan, 3]", "at = [3, 1e9]", "turn = inf"])
def test_places_are_numbers(tmp_path: Path, field: str) -> None:
    name = field.partition(" ")[0]
    text = LAKE.replace("at = [10, 9]\n", "" if name == "at" else "at = [10, 9]\n") + field
    assert f"(ground[0].{name})" in wrong(tmp_path, more=text).place


def test_structures_stand_on_the_table(tmp_path: Path) -> None:
    tower = '[[structure]]\nid = "w"\nkind = "watchtower"\nat = [{}, 9]\n'
    configure(tmp_path, more=tower.format(19.56))
    error = wrong(tmp_path, more=tower.format(19.7))
    assert "(structure[0].at)" in error.place


@pytest.mark.parametrize("outline", ["[[1, 1], [3, 3], [3, 1], [1, 3]]", "[[1, 1], [2, 2], [3, 3]]"])
def test_outlines_do_not_cross_themselves(tmp_path: Path, outline: str) -> None:
    wood = '[[ground]]\nid = "wood"\nkind = "forest"\noutline = {}\n'
    configure(tmp_path, more=wood.format("[[1, 1], [3, 1], [3, 3], [1, 3]]"))
    error = wrong(tmp_path, more=wood.format(outline))
    assert "(ground[0].outline)" in error.place
    assert "cross" in error.problem


@pytest.mark.parametrize("ident", ["wall-1", "tower-4", "a-hastati-1", "d-archers-9", "card-5", "back-2"])
def test_ids_that_the_game_gives_itself(tmp_path: Path, ident: str) -> None:
    more = LAKE.replace("10, 9", "3, 9").replace("pond", ident)
    error = wrong(tmp_path, top=FORT.format("standard", "10, 3"), more=more)
    assert "(ground[0].id)" in error.place
    assert repr(ident) in error.problem
    if ident.startswith(("wall", "tower")):
        configure(tmp_path, more=more)  # without a fortress nobody has it


@rule("O7.points.summary", "OH.cost.2")
def test_small_caltrops_are_caltrops_at_half_the_price(tmp_path: Path) -> None:
    text = '[[structure]]\nid = "c"\nkind = "{}"\nat = [9, 9]\nowner = "defender"\n'
    spent, found = [], []
    for kind in ("caltrops", "small-caltrops"):
        setup = configure(tmp_path, more=text.format(kind))
        plan = BATTLES.plan(setup)
        spent.append(cost(plan, plan.army[1]) - 66)
        found.append(enlist(setup).structures[0])
    assert spent == [10, 5]
    assert [one.kind for one in found] == [CALTROPS, CALTROPS]
    assert [tuple(one.size) for one in found] == [(176, 44), (88, 44)]


# --- a fortress ----------------------------------------------------------------------------------


@rule("O7.design.edge")
def test_a_fortress_with_an_open_side_stands_at_an_edge(tmp_path: Path) -> None:
    walk = "corner wall"
    configure(tmp_path, top=EDGE.format("10, 1.32", 180, "wood", walk))
    configure(tmp_path, top=EDGE.format("18.68, 9", 270, "wood", walk))
    for place in ("10, 1.5", "10, 9"):
        error = wrong(tmp_path, top=EDGE.format(place, 180, "wood", walk))
        assert "(fortress.at)" in error.place
        assert "edge" in error.problem
    assert "edge" in wrong(tmp_path, top=EDGE.format("10, 1.32", 0, "wood", walk)).problem


@rule("O7.design.gate", "O7.deploy.fortress")
def test_a_design_is_one_that_there_is(tmp_path: Path) -> None:
    error = wrong(tmp_path, top=FORT.format("castle", "10, 3"))
    assert "(fortress.design)" in error.place
    assert "'standard'" in error.problem


def test_what_is_wrong_with_a_plan_is_found_in_the_scenario(tmp_path: Path) -> None:
    error = wrong(tmp_path, top=EDGE.format("10, 1.32", 180, "ice", "corner wall"))
    assert error.place == "line 8 (material)"
    error = wrong(tmp_path, top=EDGE.format("10, 1.32", 180, "wood", "corner gap-1 wall"))
    assert error.place == "line 10 (walk(4))"
