"""What is drawn of a battle: rows and columns, counters, cards, and the clauses beside them."""

from __future__ import annotations

import pytest

from legatus.games.virtus import VIRTUS, about
from legatus.games.virtus.army import TYPES
from legatus.games.virtus.attack import give
from legatus.games.virtus.scene import icon_of
from legatus.games.virtus.setup import Deployment
from legatus.games.virtus.state import CARD, CHARGING, WAITING, Unit, VirtusState
from legatus.kernel.objects import replace
from legatus.scene.model import ICONS, SEGMENT, Area, Piece, Scene
from tests.games.virtus.field import at, battle, give_hand, unit


def look(state: VirtusState, seat: int | None = 0, lang: str = "en") -> Scene:
    return VIRTUS.scene(VIRTUS.view(state, seat), seat, lang)


def piece(state: VirtusState, name: str) -> Piece:
    return next(piece for piece in look(state).pieces if piece.id == name)


def area(state: VirtusState, name: str) -> Area:
    return next(area for area in look(state).areas if area.id == name)


# --- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, None])
@pytest.mark.parametrize("columns", [3, 4])
def test_six_rows_with_the_viewers_camp_nearest_and_columns_that_meet(columns: int, seat: int | None) -> None:
    areas = look(battle("A legionaries rome1", columns=columns), seat).areas
    own, foe = ("barb", "rome") if seat == 1 else ("rome", "barb")
    rows = {n: [a.id for a in sorted(areas, key=lambda a: a.column) if a.row == n] for n in range(6)}
    order = range(1, columns + 1) if seat != 1 else range(columns, 0, -1)
    assert rows == {
        0: [f"{foe}-reserve"],
        1: [f"{foe}{n}" for n in order],
        2: [f"seg{n}" for n in order],
        3: [f"{own}{n}" for n in order],
        4: [f"{own}-reserve"],
        5: [],
    }


def test_what_is_not_deployed_waits_in_a_row_of_its_own() -> None:
    state = at(battle("A legionaries rome1", generals="G rome rome1"), Deployment(0))
    assert not any(a.id == "waiting" for a in look(state).areas)
    state.turn, state.gplace[0] = 0, WAITING  # only a general is left
    assert area(state, "waiting").row == 5
    assert piece(state, "G").place == "waiting"


def test_a_segment_says_its_points_and_whether_it_was_activated() -> None:
    state = battle("A legionaries rome1", rivers={"seg2": "deep"})
    state.points[1:4], state.opened[3] = [1, 999, 0], 1
    one, two, three = (area(state, f"seg{n}") for n in (1, 2, 3))
    assert [a.note for a in (one, two, three)] == ["1 pt", "∞ pts", ""]
    assert {a.ground for a in (one, two, three)} == {SEGMENT}
    assert (two.marks, three.marks) == (("deep river",), ("activated",))
    assert two.clauses[0] == "V14.1a"


def test_a_place_has_the_clauses_of_its_ground_its_works_and_its_fights() -> None:
    state = battle(
        "A legionaries rome1", "X horde rome1", terrain={"rome1": "hill"}, camps=["rome1"], columns=3
    )
    assert area(state, "rome1").clauses == ("V5c", "V14.2b", "V14.2d", "V7a")
    state.holder[1] = 1
    assert "V1.8b" in area(state, "rome1").clauses
    assert area(state, "rome-reserve").clauses[0] == "V9a"


def test_the_sides_are_named() -> None:
    assert look(battle(), lang="en").sides == ("Rome", "The barbarians")
    assert look(battle(), lang="fr").sides == ("Rome", "Les Barbares")


# --- counters ------------------------------------------------------------------------------------


def test_every_type_has_an_icon_and_pikes_show() -> None:
    assert {kind.icon for kind in TYPES.values()} <= set(ICONS)
    state = battle("A legionaries rome1; B legionaries rome1 pikes", generals="G rome rome1")
    assert [piece(state, name).icon for name in "ABG"] == ["heavy-infantry", "pikemen", "general"]


@pytest.mark.parametrize("arm", ["infantry", "artillery", "cavalry", "dromedary", "chariot", "elephant"])
@pytest.mark.parametrize("order", ["dense", "dispersed", "other", "artillery"])
def test_a_type_of_an_armys_own_looks_like_its_arm(arm: str, order: str) -> None:
    own = Unit("x-1", "x", 0, 1, 3, 0, 3, 3, 1, arm, order, "X")
    assert icon_of(own) in ICONS


def test_losses_are_of_the_printed_cohesion() -> None:
    hurt = piece(battle("A legionaries rome1 vc=1"), "A")
    assert (hurt.losses, hurt.strength) == (3, 4)


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("A legionaries rome2", ("V11.3a", "V11.3b", "V12.2a", "V12.3a", "V12.4a", "VREF.b")),
        ("A legionaries rome2 tokens=uu", ("V3.1b", "V11.1a")),
        ("A legionaries rome2 form=testudo", ("V12.2c", "V12.2d")),
        ("A legionaries rome1", ("V5c",)),
        ("A legionaries rome-reserve vc=2", ("V9a",)),
        ("A elephants rome2", ("V16b", "V16c", "V16d")),
        ("A warriors rome2 elite", ("V10-troops.1a", "V10-troops.1b", "V10-troops.4a")),
        ("A slingers rome2", ("V5.3a", "V11.2c", "V11.2a", "V6.4-evade-b", "V12.4a", "VREF.b")),
        ("A light_cavalry rome2", ("V11.2a", "V6.4-evade-b", "V6.4-evade-c", "VREF.b")),
    ],
)
def test_a_unit_has_the_clauses_of_its_plight_then_of_its_kind(line: str, first: tuple[str, ...]) -> None:
    assert piece(battle(line, "X horde rome1"), "A").clauses[: len(first)] == first


def test_a_general_has_the_clauses_of_his_danger_then_of_his_qualities() -> None:
    state = battle("A legionaries rome1", generals="G rome rome1 tokens=1 with=A charismatic; H rome rome2")
    assert piece(state, "G").clauses[:3] == ("V13.1c", "V13.1b", "V8b")
    assert piece(state, "A").clauses[0] == "V13.1a"
    assert piece(state, "H").clauses[-1] == "V8a"


def test_a_charge_to_come_is_explained() -> None:
    state = battle("A legionaries rome1", "X horde rome1")
    state.flags[unit(state, "A")] |= CHARGING
    assert piece(state, "A").clauses[0] == "V5.2c"


def test_every_clause_of_the_tables_is_in_the_rulebook() -> None:
    tables = (about.OF_TOKEN, about.OF_FLAG, about.OF_FORMATION, about.OF_TRAIT, about.OF_QUALITY)
    entries = [entry for table in tables for entry in table.values()]
    named = {clause for entry in entries for clause in ((entry,) if isinstance(entry, str) else entry)}
    assert named <= set(VIRTUS.folder.rulebooks["en"].clauses)


# --- cards ---------------------------------------------------------------------------------------


def test_cards_say_what_they_give() -> None:
    state = give_hand(battle("A legionaries rome1"), "rome", "1", "3", "face", "joker")
    state.laid[2] = CARD["6"]
    state.hidden[1] = 1
    cards = VIRTUS.scene(state, 0, "en").cards
    assert [(card.id, card.place, card.text, card.kind) for card in cards] == [
        ("1", "hand", "1 activation point", "number"),
        ("3", "hand", "3 activation points", "number"),
        ("face", "hand", "no activation points, but can be kept as a bluff", "face"),
        ("joker", "hand", "as many activation points as you like", "joker"),
        ("", "hand", "", "back"),
        ("6", "seg2", "6 activation points", "number"),
    ]


def test_dice_in_place_of_cards() -> None:
    state = give_hand(battle("A legionaries rome1", pips=True), "rome", "0", "2")
    cards = look(state, lang="fr").cards
    assert [(card.text, card.kind) for card in cards] == [
        ("2 points d'activation", "die"),
        ("aucun point d'activation", "die"),
    ]


# --- a closer look -------------------------------------------------------------------------------


def lines(state: VirtusState, name: str, lang: str = "en") -> list[str]:
    found = VIRTUS.look(VIRTUS.view(state, 1), 1, name, lang)
    return [text for text, _ in found.lines] if found else []


def test_a_closer_look_gives_artillery_no_order() -> None:
    """V16b saves artillery like dense units: it is not in ordinary order."""
    state = battle("B ballistas rome1; L light_cavalry rome1; O formed_archers rome1")
    assert lines(state, "B")[0] == "Arm: artillery."
    assert lines(state, "B", "fr")[0] == "Arme : artillerie."
    assert lines(state, "L")[0] == "Arm and order: cavalry, dispersed."
    assert lines(state, "O")[0] == "Arm and order: infantry, ordinary order."


def test_a_closer_look_tells_the_type_of_a_unit_with_a_name_of_its_own() -> None:
    """One without is called by its type and number."""
    state = battle("A formed_archers rome1; B formed_archers rome1")
    units = [replace(one, name="Cohors Hamiorum" * (one.id == "A")) for one in state.roster.units]
    state.roster = replace(state.roster, units=tuple(units))
    assert lines(state, "A")[:2] == ["Type: Formed archers.", "Arm and order: infantry, ordinary order."]
    assert lines(state, "A", "fr")[0] == "Type : Archers formés."
    assert lines(state, "B")[0] == "Arm and order: infantry, ordinary order."


def test_a_ballista_token_in_a_camp_points_to_its_exception() -> None:
    """V14.2c: the camp gives no more than 3 against it; elsewhere it is a hard missile."""
    for camps, clause, not_this in ((["rome1"], "V14.2c", "V14.2d"), ([], "V11.2c", "V14.2c")):
        state = battle("A legionaries rome1", "B ballistas barb1", camps=camps)
        give(state, unit(state, "A"), "b")
        clauses = about.unit_clauses(state, unit(state, "A"))
        assert clause in clauses
        assert not_this not in clauses


def test_a_general_who_fights_with_a_unit_brings_no_activation_points() -> None:
    army = ("A legionaries rome1; B legionaries rome2", "X horde rome1")
    state = battle(*army, generals="G rome rome1 with=A superior; H rome rome2 superior")
    assert lines(state, "G") == ["Fights with Legionaries 1."]
    assert lines(state, "H") == ["Activation points for his segment: 2."]
