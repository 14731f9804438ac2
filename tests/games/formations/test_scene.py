"""The screen: a formation over two hexes, states and markers, a closer look, and the menu of a unit."""

from __future__ import annotations

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.cohesion import CohesionTest
from legatus.games.formations.endphase import Fires, Routs
from legatus.games.formations.melee import Losses, MeleePhase
from legatus.games.formations.state import FormationsState, Prize
from legatus.kernel import Scripted, Seeded, say, start, why_not
from legatus.scene.model import ICONS, Look, Marker, Piece, Scene
from legatus.scene.text import described
from tests.rules import rule

from .phases import moving, phase
from .stage import acting, at, battle, legal_lines, place, run

CELLS = battle().roster.grid.cells


def seen(state: FormationsState, lang: str = "en") -> Scene:
    return FORMATIONS.scene(state, 0, lang)


def piece(state: FormationsState, name: str, lang: str = "en") -> Piece:
    return next(one for one in seen(state, lang).pieces if one.id == name)


def markers(state: FormationsState) -> dict[str, Marker]:
    return {marker.id: marker for marker in seen(state).markers}


def looked(state: FormationsState, name: str, lang: str = "en") -> Look:
    look = FORMATIONS.look(state, 0, name, lang)
    assert look is not None
    return look


# --- the map -------------------------------------------------------------------------------------


@rule("AH1.grid", "A.def.terrain")
def test_the_map_is_made_of_hexes_with_their_ground() -> None:
    state = battle(rough="0202", difficult="0303", inflammable="0303 0404", indoor="0505")
    scene = seen(state)
    areas = {area.id: area for area in scene.areas}
    assert (scene.grid, len(areas)) == ("hexes", 144)
    assert [areas[name].ground for name in ("0101", "0202", "0303", "0404", "0505")] == [
        "clear",
        "rough",
        "difficult",
        "field",
        "indoor",
    ]
    assert areas["0303"].marks == ("Difficult", "Inflammable")
    assert areas["0303"].clauses == ("AH7.move", "A.set_fire.c1")
    assert areas["0505"].marks == ("not Outdoor",)
    assert areas["0101"].clauses == ("AH1.grid",)
    assert all((area.column, area.row) == (int(name[:2]), int(name[2:])) for name, area in areas.items())


# --- counters ------------------------------------------------------------------------------------


@rule("A.def.footprint", "AH2.footprint", "A.def.modes")
def test_a_formation_lies_over_two_hexes() -> None:
    state = battle("F spear 0505+0605 steps=5 mode=tortoise; A spear 0707 steps=1", "X orc 0302+0402 s")
    formed = piece(state, "F")
    assert (formed.place, formed.beside, formed.heading, formed.badge) == ("0505", "0605", 0, "Tort.")
    assert formed.kind == "formation, figures: 3, morale Steady, foot 4, command Superior, Manoeuvre"
    assert (formed.strength, formed.losses, formed.values) == (5, 0, {"N": "8", "P": "5"})
    assert formed.marks[0] == "Tortoise"
    facing_south = piece(state, "X")
    assert (facing_south.place, facing_south.beside, facing_south.heading) == ("0402", "0302", 180)
    simple = piece(state, "A")
    assert (simple.place, simple.beside, simple.badge) == ("0707", "", "")
    assert simple.kind.startswith("simple troop, ")
    assert (simple.strength, simple.losses) == (2, 1)


@rule("A.def.orientation")
@pytest.mark.parametrize(
    ("corner", "heading"), [("n", 0), ("ne", 60), ("se", 120), ("s", 180), ("sw", 240), ("nw", 300)]
)
def test_a_unit_is_turned_the_way_it_faces(corner: str, heading: int) -> None:
    assert piece(battle(f"A spear 0505 {corner}"), "A").heading == heading
    assert markers(battle(stakes=f"0505={corner}"))["stakes-0505"].heading == heading


STATES = {
    "winded": ("winded",),
    "exhausted": ("exhausted",),
    "shaken": ("shaken",),
    "rout": ("rout",),
    "diminished": ("diminished",),
    "spent": ("spent",),
    "contact": ("contact",),
    "charged": ("charge",),
    "ordered": ("order",),
    "activated": ("activated",),
    "moved": (),
    "fought": (),
    "shaken winded spent activated": ("shaken", "winded", "spent", "activated"),
}


@rule(
    "A.def.fatigue",
    "A.def.cohesion",
    "A.def.ammunition",
    "A.def.activated",
    "A.def.contact_charge",
    "A.def.special_order",
)
@pytest.mark.parametrize("mark", STATES)
def test_every_state_is_shown(mark: str) -> None:
    shown = piece(battle(f"A archer 0505 {mark}"), "A")
    assert shown.states == STATES[mark]
    assert len(shown.marks) == len(STATES[mark])
    assert piece(battle(f"A archer 0505 {mark}"), "A", "fr").states == STATES[mark]


@rule("A.def.engaged", "AH8.engage")
def test_who_is_engaged_is_shown_so() -> None:
    state = battle("A spear 0505; L leader 0505", "X orc 0504")
    assert piece(state, "A").states == ("engaged",)
    assert piece(state, "L").states == ()
    assert piece(battle("A spear 0505", "X orc 0504 n"), "A").states == ()


@rule("AH28.characters")
def test_characters_have_no_heading_and_no_strength() -> None:
    shown = piece(battle("L leader 0505 command=2"), "L")
    assert (shown.heading, shown.strength, shown.losses, shown.values) == (None, 0, 0, {"Cmd": "2"})
    assert (shown.kind, shown.group) == ("character", "boar")
    assert piece(battle("M chief 0505"), "M").group == ""


@rule("A.def.front_behind")
def test_of_several_in_a_hex_the_foremost_comes_first() -> None:
    state = battle("A spear 0505; B spear 0505")
    assert [one.id for one in seen(state).pieces] == ["A", "B"]
    moved = run(moving(battle("P spear 0504; A spear 0505"), "A"), "step-to 0504", "halt", "in-front")
    assert [one.id for one in seen(moved).pieces] == ["A", "P"]


def test_who_is_gone_is_not_shown() -> None:
    assert [one.id for one in seen(battle("A spear 0505; B spear 0505 gone")).pieces] == ["A"]


@rule("A.def.type_wing")
def test_units_are_grouped_by_wing_and_named_by_type() -> None:
    state = start(FORMATIONS, FORMATIONS.configure(), Scripted([6, 6, 1, 1])).state
    shown = {one.id: one for one in seen(state).pieces}
    assert (shown["spearmen-2"].group, shown["spearmen-2"].label) == ("boar", "Spearmen 2")
    assert (shown["troll"].group, shown["troll"].label) == ("red", "Troll")
    assert shown["marshal"].label == "The Marshal"
    assert piece(state, "marshal", "fr").label == "Le Maréchal"
    assert shown["archers-1"].values == {"N": "7", "P": "2", "R": "4"}
    assert {one.icon for one in shown.values()} <= set(ICONS)


@rule("AH30.new_units")
def test_units_that_are_made_have_names() -> None:
    state = start(FORMATIONS, FORMATIONS.configure(), Scripted([6, 6, 1, 1])).state
    for lang, troop, formation in (("en", "troop", "formation"), ("fr", "roupe", "ormation")):
        assert troop in FORMATIONS.name(state, "spearmen-n3", lang)
        assert formation in FORMATIONS.name(state, "spearmen-f3", lang)


# --- who is acting -------------------------------------------------------------------------------


def asked(state: FormationsState) -> list[str]:
    return [one.id for one in seen(state).pieces if one.acting]


def test_the_unit_about_which_is_decided_is_marked() -> None:
    assert asked(moving(battle("A forester 0505; B spear 0606"), "A")) == ["A"]
    assert asked(run(moving(battle("A forester 0505; B spear 0606"), "A"), "halt")) == ["A"]  # facing
    assert asked(run(moving(battle("A spear 0505; B spear 0504"), "A"), "step-to 0504", "halt")) == ["A"]
    assert asked(phase(battle("A spear 0505 rout"), Routs()).state) == ["A"]
    assert asked(phase(battle("F spear 0505+0605 steps=3"), Losses(0, 1)).state) == ["F"]
    burns = battle("A spear 0505", inflammable="0505", fire="0505=start")
    assert asked(phase(burns, Fires(), dice=[6]).state) == ["A"]
    two = battle("A spear 0505", "X orc 0504 n; Y orc 0604 n")
    assert asked(phase(two, MeleePhase()).state) == ["A"]
    routs = battle("A spear 0505 shaken; L leader 0505")
    assert asked(phase(routs, CohesionTest(0), dice=[6, 6]).state) == ["L"]
    assert asked(acting(battle("A spear 0505"))) == []


# --- markers and tracks --------------------------------------------------------------------------


@rule("A.def.fire_stakes", "AH22.fire", "AH23.stakes", "AH27.victory")
def test_markers_lie_on_the_map() -> None:
    prize = Prize(beacon=CELLS["0303"], granary=CELLS["0404"])
    state = battle(fire="0505=start 0506=blaze 0507=new", stakes="0606=se", prize=prize)
    found = {name: (one.kind, one.place, one.heading, one.side) for name, one in markers(state).items()}
    assert found == {
        "beacon-0303": ("beacon", "0303", None, None),
        "granary-0404": ("granary", "0404", None, 0),
        "fire-0505": ("fire", "0505", None, None),
        "blaze-0506": ("blaze", "0506", None, None),
        "blaze-0507": ("blaze", "0507", None, None),
        "stakes-0606": ("stakes", "0606", 120, None),
    }
    assert markers(state)["fire-0505"].clauses == ("A.douse.c1",)
    assert markers(state)["blaze-0506"].clauses == ("A.douse.c2",)
    state.beacon, state.burnt = 1, True
    assert (markers(state)["beacon-0303"].side, markers(state)["granary-0404"].side) == (1, 1)


@rule("AH3.turn", "AH5.command", "AH24.weather")
def test_turn_weather_side_and_instructions_are_on_tracks() -> None:
    state = battle(
        "A spear 0505", "X orc 0101", instructions="boar=regroup red=hold", weather="rain", active="horde"
    )
    tracks = {track.id: track.value for track in seen(state).tracks}
    assert (tracks["turn"], tracks["weather"], tracks["active"]) == ("3/12", "rain or storm", "the Horde")
    assert [tracks[f"wing-{wing}"] for wing in ("boar", "heron", "black", "red")] == [
        "Regroup",
        "Advance",
        "Advance",
        "Hold",
    ]
    assert seen(state).sides == ("The League", "The Horde")


def test_both_languages_are_spoken() -> None:
    state = battle("A spear 0505 winded", "X orc 0101", fire="0505=start")
    english, french = seen(state), seen(state, "fr")
    assert english.pieces[0].marks != french.pieces[0].marks
    assert english.markers[0].label != french.markers[0].label
    assert english.areas[0].label == "hex 0000"


# --- a closer look -------------------------------------------------------------------------------


@rule("AH2.footprint", "AH1.grid")
def test_a_look_shows_front_flanks_and_rear() -> None:
    look = looked(battle("F spear 0505+0605"), "F")
    assert {zone.kind: set(zone.places) for zone in look.zones} == {
        "front": {"0504", "0604", "0704"},
        "flank": {"0405", "0705"},
        "rear": {"0506", "0606", "0706"},
    }
    assert {zone.kind: zone.clause for zone in look.zones} == {
        "front": "AH8.engage",
        "flank": "AH11.melee",
        "rear": "AH11.melee",
    }


@rule("AH21.modes")
def test_a_hedgehog_has_neither_flanks_nor_rear() -> None:
    look = looked(battle("F spear 0505+0605 mode=hedgehog"), "F")
    assert {zone.kind: len(zone.places) for zone in look.zones} == {"front": 8, "flank": 0, "rear": 0}


@rule("A.def.front_behind", "AH6.instructions", "A.def.command_profile")
def test_a_look_tells_of_stack_values_and_instruction() -> None:
    state = battle("A guard 0505; B spear 0505; L leader 0808", instructions="boar=regroup")
    assert looked(state, "A").lines == (
        ("Stacked with it, the foremost first: B.", "A.def.front_behind"),
        (
            "Weapon capacity Superior, morale Elite, heavy foot 3, command Superior, Manoeuvre.",
            "A.def.command_profile",
        ),
        ("Boar: instruction Regroup, with which this unit complies.", "AH6.instructions"),
    )
    assert looked(state, "L").zones == ()
    assert looked(state, "L").lines == ()


@rule("A.def.front_behind")
def test_a_look_names_troops_before_characters() -> None:
    state = battle(
        "L leader 0505; A guard 0505; F spear 0505+0605 steps=3; M chief 0605; B spear 0605 steps=1"
    )
    told = {name: looked(state, name).lines[0][0] for name in ("A", "F", "L")}
    assert told == {
        "A": "Stacked with it, the foremost first: F, L.",
        "F": "Stacked with it, the foremost first: A, B, L, M.",
        "L": "Stacked with it, the foremost first: A, F.",
    }


def test_there_is_no_look_at_what_is_not_there() -> None:
    state = battle("A spear 0505 gone")
    assert FORMATIONS.look(state, 0, "A", "en") is None
    assert FORMATIONS.look(state, 0, "0505", "en") is None


# --- the menu ------------------------------------------------------------------------------------

ALL = {
    *("move", "charge", "shoot", "rest", "reorganise", "rally", "reload", "merge", "change-mode", "join"),
    *("constitute", "leave", "break", "work", "set-fire", "douse", "plant-stakes", "remove-stakes"),
}


@rule("A.def.sheet", "AH4.activation")
@pytest.mark.parametrize("unit", ["A spear 0505", "A archer 0505", "A spear 0505+0605", "A leader 0505"])
def test_the_menu_of_a_unit_has_every_action_of_the_sheet(unit: str) -> None:
    state = acting(battle(f"{unit}; B spear 0101", "X orc 0501"))
    menu = FORMATIONS.menu(state, "A")
    assert {say(action).split()[0] for action in menu} == ALL
    assert all(action.clicks()[0] == "A" for action in menu)
    for action in menu:  # each is legal, or there is a clause against it
        assert all(refusal.clause for refusal in why_not(state, action))
    mine = {line for line in legal_lines(state) if line.split()[-1] != "end-wing" and line.split()[1] == "A"}
    assert mine <= {say(action) for action in menu}


@rule("A.def.sheet")
def test_what_is_barred_is_shown_by_a_sensible_case() -> None:
    """The nearest enemy, a partner of the same type and wing, a mode that the type can take."""
    words = "A spear 0505 s; B archer 0506; C spear 0808 wing=heron; D spear 0909"
    state = acting(battle(words, "X orc 0501; Y orc 0411; Z goblin 0604"))
    cases = {line.split()[0]: line for line in map(say, FORMATIONS.menu(state, "A"))}
    assert (cases["merge"], cases["constitute"]) == ("merge A D", "constitute A D")
    assert (cases["shoot"], cases["change-mode"]) == ("shoot A Z", "change-mode A tortoise")
    assert cases["leave"] == "leave A 0505"
    hexes = {"0503", "0603", "0704"}  # next to the goblins, two hexes from the unit
    assert cases["charge"] in {f"charge A {cell}" for cell in hexes}
    shots = [line for line in map(say, FORMATIONS.menu(state, "B")) if line.startswith("shoot")]
    assert shots == ["shoot B Z", "shoot B X", "shoot B Y"]
    alone = acting(battle("A orc 0505"))
    cases = {line.split()[0]: line for line in map(say, FORMATIONS.menu(alone, "A"))}
    assert (cases["merge"], cases["shoot"], cases["change-mode"]) == (
        "merge A",
        "shoot A",
        "change-mode A shield-wall",
    )
    assert cases["charge"] != "charge A 0505"


def test_the_menu_elsewhere() -> None:
    state = acting(battle("A spear 0505; B spear 0101", "X orc 0501"))
    assert FORMATIONS.menu(state, "nobody") == []
    assert FORMATIONS.menu(moving(battle("A spear 0505"), "A"), "0504") != []
    gone = acting(battle("A spear 0505 gone; B spear 0101", "X orc 0501"))
    assert all(why_not(gone, action) for action in FORMATIONS.menu(gone, "A"))


# --- what must hold ------------------------------------------------------------------------------


@rule("AH7.move", "AH22.fire", "A.def.footprint")
@pytest.mark.parametrize("place", ["0505", "0605"])
def test_both_hexes_of_a_formation_are_watched(place: str) -> None:
    fine = battle("F spear 0505+0605", f"X leader {place}", fire=f"{place}=start")
    assert list(FORMATIONS.invariants(fine)) == []
    assert list(FORMATIONS.invariants(battle("F spear 0505+0605 steps=3", f"X orc {place}"))) == [
        f"AH7.move: enemies share {place}"
    ]
    burning = battle("F spear 0505+0605", fire=f"{place}=blaze")
    assert list(FORMATIONS.invariants(burning)) == ["AH22.fire: F stands in a blaze"]


def test_looking_changes_nothing() -> None:
    state = at(battle("A spear 0505; F spear 0707+0807", "X orc 0501"))
    before = state.copy()
    seen(state)
    looked(state, "F")
    FORMATIONS.menu(acting(state), "A")
    assert state == before
    assert place(state, "F") == "0707+0807"


@rule("A.def.morale_profile", "A.def.faculties", "A.def.command_profile", "AH7.move", "A.def.weapon_class")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("spear 0505", "simple troop, morale Steady, foot 4, command Superior, Manoeuvre"),
        ("troll 0505", "simple troop, morale Steady, monster 5, command Poor, Monstrous, Regeneration"),
        ("goblin 0505", "simple troop, morale Fragile, foot 4, command Poor, small"),
        ("wolf 0505", "simple troop, morale Fragile, mounted 7, command Poor, Bestial"),
        ("hawk 0505", "simple troop, morale Steady, foot 4, command Mediocre, can fly"),
        ("hawk 0505 flying", "simple troop, morale Steady, foot 4, command Mediocre"),
    ],
)
def test_the_line_of_a_unit_says_what_decides_its_fights(words: str, said: str) -> None:
    state = battle(f"A {words}", types="hawk archer special=flying")
    shown = piece(state, "A")
    assert shown.kind == said
    assert ("flying" in shown.marks) == ("flying" in words)


@rule("A.def.type_wing")
def test_the_terminal_names_the_wing_of_a_unit() -> None:
    state = start(FORMATIONS, FORMATIONS.configure("crows"), Seeded(1)).state
    for lang, wing in (("en", "The Gate"), ("fr", "La Porte")):
        shown = FORMATIONS.scene(state, 0, lang)
        (unit,) = (piece for piece in shown.pieces if piece.id == "wardens-1")
        assert wing in described(shown, unit, lang)[0].plain
