"""0 Terms and states: what holds for all fifteen actions of the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.activation import WingTurn
from legatus.games.formations.forming import Leave
from legatus.games.formations.state import CHARACTER, MODES, FormationsState
from legatus.kernel import say, why_not
from legatus.kernel.model import verb
from legatus.parts.hexes import CORNERS
from tests.rules import rule

from .stage import (
    NUMBER,
    acting,
    at,
    battle,
    decision,
    do,
    index,
    legal_lines,
    marks,
    over,
    refusals,
    run,
    units,
)

# One position for every action in which it is allowed: a line, the units, what the map has, and whether it is
# done with dice.
SHEET: dict[str, tuple[str, str, dict[str, str], bool]] = {
    "rest": ("rest A", "A spear 0505 winded", {}, True),
    "reorganise": ("reorganise A", "A spear 0505 shaken ordered", {}, True),
    "rally": ("rally A", "A spear 0505 rout ordered", {}, True),
    "reload": ("reload A", "A archer 0505 spent; M chief 0805", {}, True),
    "merge": ("merge A B", "A spear 0505 steps=1 ordered; B spear 0505 steps=1 ordered", {}, False),
    "change-mode": ("change-mode A tortoise", "A spear 0505+0605", {}, False),
    "join": ("join A", "A spear 0505+0605 ordered; B spear 0505 ordered", {}, False),
    "constitute": ("constitute A B", "A spear 0505 ordered; B spear 0605 ordered", {}, False),
    "leave": ("leave A 0505", "A spear 0505+0605 ordered", {}, False),
    "break": ("break A 4", "A spear 0505+0605 ordered", {}, False),
    "work": ("work A", "A spear 0505", {"devices": "winch 0505"}, True),
    "set-fire": ("set-fire A", "A spear 0505", {"inflammable": "0505"}, True),
    "douse": ("douse A", "A spear 0505", {"fire": "0505=start"}, True),
    "plant-stakes": ("plant-stakes A", "A spear 0505", {}, True),
    "remove-stakes": ("remove-stakes A", "A spear 0505", {"stakes": "0505=se"}, True),
}
# These ask it of all troops in their hexes, and the unit is one of them.
ASKED_TWICE = {"merge": "A.merge.c7", "join": "A.join.c8", "constitute": "A.constitute.c11"}

PAIRS = ("merge", "constitute")


def position(verb: str, wing: str = "boar", also: str = "") -> FormationsState:
    _, words, more, _ = SHEET[verb]
    state = battle(f"{words}; {also}", "X orc 0511", **more)
    return acting(state, wing)


def line(verb: str) -> str:
    return SHEET[verb][0]


@rule("A.def.sheet")
def test_there_are_fifteen_actions() -> None:
    verbs = {verb(kind) for kind in WingTurn.accepts}
    assert len(SHEET) == 15
    assert set(SHEET) <= verbs
    assert verbs - set(SHEET) == {"move", "charge", "disengage", "shoot", "take-position", "end-wing"}


@rule("A.def.sheet")
@pytest.mark.parametrize("verb", SHEET)
def test_each_is_allowed_if_all_its_conditions_are_met(verb: str) -> None:
    assert refusals(position(verb), line(verb)) == []
    assert line(verb) in legal_lines(position(verb))


@rule("A.def.sheet", "A.def.activated", "AH4.activation")
@pytest.mark.parametrize("verb", SHEET)
@pytest.mark.parametrize("dice", [(1, 1), (6, 6)])
def test_each_fills_the_activation_of_the_unit_whether_it_succeeds_or_not(
    verb: str, dice: tuple[int, int]
) -> None:
    state = position(verb, also="Z spear 1111")
    after = do(state, line(verb), dice if SHEET[verb][3] else ()).state
    mine = [name for name in units(after) if after.side[index(after, name)] == 0 and name not in ("Z", "M")]
    assert all("activated" in marks(after, name) for name in mine)
    assert "activated" not in marks(after, "Z")
    assert decision(after) == decision(state)
    assert not [said for said in legal_lines(after) if said.split()[1:2] not in (["Z"], ["M"], [])]
    assert "activated" not in marks(state, "A"), "the position before is untouched"


@rule("A.def.activated", "A.def.sheet")
@pytest.mark.parametrize("verb", SHEET)
def test_an_activated_unit_takes_none(verb: str) -> None:
    """Where the card asks the same of all troops in the hexes, that fails together with it."""
    _, words, more, _ = SHEET[verb]
    first, *others = words.split(";")
    state = acting(battle("; ".join([f"{first} activated", *others, "Z spear 1111"]), **more))
    also = [ASKED_TWICE[verb]] if verb in ASKED_TWICE else []
    assert refusals(state, line(verb)) == ["A.def.activated", *also]


@rule("A.def.sheet", "AH4.activation")
@pytest.mark.parametrize("verb", SHEET)
def test_its_turn_must_have_come(verb: str) -> None:
    assert refusals(position(verb, "heron"), line(verb)) == ["AH4.activation"]
    assert refusals(position(verb, "black"), line(verb)) == ["A.def.kinds"]
    assert refusals(at(position(verb)), line(verb)) == ["AH3.turn"]


@rule("A.def.kinds", "A.def.sheet")
@pytest.mark.parametrize("verb", SHEET)
@pytest.mark.parametrize("name", ["X", "nobody", "G", "0505", "A-1"])
def test_it_must_be_a_unit_of_ones_own_on_the_map(verb: str, name: str) -> None:
    said = " ".join([verb, name, *line(verb).split()[2:]])
    clauses = refusals(position(verb, also="G spear 0505 gone"), said)
    if verb in PAIRS:  # the other one of the two acts, and has no partner
        assert clauses[0] == f"A.{verb}.c1"
    else:
        assert clauses == ["A.def.kinds"]


@rule("AH16.rout", "A.def.cohesion")
@pytest.mark.parametrize("verb", SHEET)
def test_in_rout_a_unit_rests_rallies_or_breaks_and_does_nothing_else(verb: str) -> None:
    _, words, more, _ = SHEET[verb]
    first, *others = words.split(";")
    state = acting(battle("; ".join([f"{first.replace('shaken', '')} rout", *others]), **more))
    found = refusals(state, line(verb))
    assert (found == []) if verb in ("rest", "rally", "break") else (found[0] == "AH16.rout")


@rule("A.def.sheet", "AH4.activation")
def test_every_unit_of_the_wing_does_one_thing_and_then_the_wing_is_done() -> None:
    words = "A spear 0505 winded; B spear 0507 shaken ordered; L leader 0509"
    state = run(acting(battle(words)), "rest A", "reorganise B", dice=[2, 3, 6, 6])
    assert (marks(state, "A"), marks(state, "B")) == ({"activated"}, {"shaken", "ordered", "activated"})
    assert not over(state)
    assert over(run(state, "plant-stakes L n", dice=[6, 5]))


@rule("A.def.cinc", "AH4.activation", "AH28.characters")
def test_the_commander_in_chief_acts_with_any_wing() -> None:
    for wing in ("boar", "heron"):
        state = acting(battle("M chief 0505; A spear 0909; B spear 1111 wing=heron"), wing)
        after = run(state, "plant-stakes M n", dice=[1, 1])
        assert marks(after, "M") == {"activated"}
        assert refusals(after, "plant-stakes M n") == ["A.def.activated", "A.plant_stakes.p3"]


@rule("A.def.sheet", "A.def.kinds")
@pytest.mark.parametrize("unit", ["A spear 0505", "A spear 0505+0605", "A leader 0505"])
def test_the_menu_of_a_unit_has_every_action_of_the_sheet(unit: str) -> None:
    """Allowed or not: a player can ask of each why not."""
    state = acting(battle(f"{unit}; B spear 1111"))
    verbs = {say(action).split()[0] for action in FORMATIONS.menu(state, "A")}
    assert sorted(set(SHEET) - verbs) == []


RICH = (
    "A spear 0505 winded steps=1; B spear 0505 steps=1; C spear 0605 steps=1; D spear 0405; "
    "E spear 0605 steps=1; F spear 0708+0808 steps=4; G spear 0708; H spear 0808; I archer 0909 diminished; "
    "J archer 1009 spent; K spear 0208 shaken; L leader 0507; M chief 0209; N goblin 0210 ordered shaken; "
    "O guard 0310 rout; P forester 0411; Q guard 0911+1011 steps=7 ordered; "
    "R spear 0711 wing=heron steps=1 ordered; S spear 0711 steps=1 ordered"
)


def lines(state: FormationsState) -> Iterator[Any]:
    """All that could be said by the fifteen verbs, and a little nonsense."""
    ids, cells = [*state.ids, "nobody"], state.roster.grid.names
    for unit in ids:
        i = state.ids.index(unit) if unit in state.ids else -1
        here = [cells[cell] for cell in (state.cell[i], state.cell2[i]) if cell >= 0] if i >= 0 else []
        for kind in WingTurn.accepts:
            said = verb(kind)
            if said == "leave":
                yield from (
                    kind(unit, chosen) for n in (0, 1, 2) for chosen in combinations([*here, "0101"], n)
                )
            elif said == "break":
                for n in range(6):
                    ways = [kind(unit, n, cell) for cell in (*here, "0101")]
                    yield from ways
                    if all(why_not(state, way) for way in ways):  # else it is short for one of them
                        yield kind(unit, n)
            elif said == "change-mode":
                yield from (kind(unit, mode) for mode in (*MODES, "phalanx"))
            elif said in ("merge", "constitute"):
                yield from (kind(unit, partner) for partner in ids)
            elif said == "plant-stakes" and i >= 0 and state.kind[i] == CHARACTER:
                yield from (kind(unit, corner) for corner in (*CORNERS, "up"))  # not as he happens to face
            elif said == "plant-stakes":
                yield from (kind(unit, corner) for corner in ("", *CORNERS))
            elif said in SHEET:
                yield kind(unit)


@rule("A.def.sheet")
@pytest.mark.parametrize("wing", ["boar", "heron"])
@pytest.mark.parametrize("instruction", ["regroup", "advance"])
@pytest.mark.parametrize("foes", ["X orc 0500", "X orc 0504", "X orc 0707 contact; Y orc 0912"])
def test_all_that_is_allowed_is_offered(wing: str, instruction: str, foes: str) -> None:
    state = battle(
        RICH,
        foes,
        instructions=f"boar={instruction} heron={instruction}",
        rows=13,
        inflammable="0209 0411",
        fire="0507=start",
        stakes="0208=n 0405=s",
        devices="bell 0507 difficulty=2",
    )
    assert list(FORMATIONS.invariants(state)) == []
    state = acting(state, wing)
    allowed = {say(action) for action in lines(state) if not why_not(state, action)}
    offered = {said for said in legal_lines(state) if said.split()[0] in SHEET}
    assert offered == allowed
    if wing == "boar" and instruction == "regroup" and foes == "X orc 0500":
        assert {said.split()[0] for said in allowed} == set(SHEET)


@rule("A.def.type_wing", "A.def.kinds")
def test_every_troop_has_a_type_and_a_wing_and_every_unit_is_of_a_kind() -> None:
    state = battle(RICH)
    for i, name in enumerate(state.ids):
        assert 0 <= state.kind[i] <= 2
        assert (state.wing[i] in NUMBER.values()) or name == "M"
        assert state.roster.types[state.type[i]].character == (state.kind[i] == CHARACTER)


@rule("A.def.sheet")
@pytest.mark.parametrize("hexes", [(), ("",), ("0505", "0505"), ("x",) * 5])
def test_nonsense_is_refused(hexes: tuple[str, ...]) -> None:
    assert why_not(position("leave"), Leave("A", hexes))
