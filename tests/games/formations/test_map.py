"""16 The grid: hexes, facings, the two hexes of a formation, who is before whom, what a hex holds."""

from __future__ import annotations

import pytest

from legatus.games.formations import FORMATIONS
from legatus.games.formations.state import CAPACITIES, LARGEST, WINDED, FormationsState, blank
from legatus.games.formations.units import angle_from, engagers, figures, front, is_weakened, load, points
from legatus.parts.hexes import CORNERS, FLANK, FRONT, OFF, REAR
from tests.rules import rule

from .phases import moving, ways
from .stage import acting, battle, facing, index, pile, place, refusals, run

# AH1.grid: the table of the rulebook, and the six neighbours of a hex of an odd and of an even row
FACINGS = {
    "ne": (("NE", "E"), ("NW", "SE"), ("SW", "W")),
    "se": (("E", "SE"), ("NE", "SW"), ("W", "NW")),
    "s": (("SE", "SW"), ("E", "W"), ("NW", "NE")),
    "sw": (("SW", "W"), ("SE", "NW"), ("NE", "E")),
    "nw": (("W", "NW"), ("SW", "NE"), ("E", "SE")),
    "n": (("NW", "NE"), ("W", "E"), ("SE", "SW")),
}
AROUND = {
    "0505": {"NE": "0604", "E": "0605", "SE": "0606", "SW": "0506", "W": "0405", "NW": "0504"},
    "0506": {"NE": "0505", "E": "0606", "SE": "0507", "SW": "0407", "W": "0406", "NW": "0405"},
}

# AH2.footprint: facing -> (left hex, right hex, front, flanks, rear)
FOOTPRINTS = {
    "n": ("0505", "0605", "0504 0604 0704", "0405 0705", "0506 0606 0706"),
    "s": ("0605", "0505", "0506 0606 0706", "0405 0705", "0504 0604 0704"),
    "ne": ("0505", "0606", "0604 0605 0706", "0504 0607", "0405 0506 0507"),
    "sw": ("0606", "0505", "0405 0506 0507", "0504 0607", "0604 0605 0706"),
    "se": ("0505", "0506", "0605 0606 0507", "0604 0407", "0405 0504 0406"),
    "nw": ("0506", "0505", "0405 0504 0406", "0604 0407", "0605 0606 0507"),
}


def zones(state: FormationsState, name: str) -> dict[str, set[str]]:
    look = FORMATIONS.look(state, 0, name, "en")
    assert look is not None
    return {zone.kind: set(zone.places) for zone in look.zones}


def angles(state: FormationsState, name: str) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for cell, hex_ in enumerate(state.roster.grid.names):
        found.setdefault(angle_from(state, index(state, name), cell), set()).add(hex_)
    return found


# --- hexes and facings ---------------------------------------------------------------------------


@rule("AH1.grid")
@pytest.mark.parametrize("place", AROUND)
def test_the_odd_rows_are_shifted_to_the_east(place: str) -> None:
    grid = battle().roster.grid
    around = [grid.names[cell] for cell in grid.neighbours[grid.cells[place]]]
    assert around == [AROUND[place][d] for d in ("NE", "E", "SE", "SW", "W", "NW")]


@rule("AH1.grid")
def test_a_hex_is_named_by_its_column_and_then_its_row() -> None:
    state = battle("A spear 0511", columns=14)
    cell = state.cell[index(state, "A")]
    assert (state.roster.grid.column(cell), state.roster.grid.row(cell)) == (5, 11)
    area = next(a for a in FORMATIONS.scene(state, 0, "en").areas if a.id == "0511")
    assert (area.column, area.row) == (5, 11)


@rule("AH1.grid", "A.def.orientation")
@pytest.mark.parametrize("place", AROUND)
@pytest.mark.parametrize("corner", FACINGS)
def test_two_hexes_are_front_two_are_flanks_and_two_rear(place: str, corner: str) -> None:
    state = battle(f"A spear {place} {corner}")
    wanted = [{AROUND[place][d] for d in directions} for directions in FACINGS[corner]]
    assert zones(state, "A") == dict(zip(("front", "flank", "rear"), wanted, strict=True))
    found = angles(state, "A")
    assert [found[FRONT], found[FLANK], found[REAR]] == wanted
    assert {state.roster.grid.names[cell] for cell in front(state, index(state, "A"))} == wanted[0]
    assert len(found[OFF]) == 12 * 12 - 6


@rule("AH1.grid", "AH8.engage")
@pytest.mark.parametrize("corner", FACINGS)
@pytest.mark.parametrize("direction", ["NE", "E", "SE", "SW", "W", "NW"])
def test_a_unit_engages_only_who_is_in_its_front(corner: str, direction: str) -> None:
    state = battle(f"A spear {AROUND['0505'][direction]}", f"X orc 0505 {corner}")
    engaged = bool(engagers(state, index(state, "A")))
    assert engaged == (direction in FACINGS[corner][0])


@rule("AH1.grid")
def test_a_unit_faces_one_of_six_corners() -> None:
    state = run(moving(battle("A forester 0505"), "A"), "halt")
    assert refusals(state, "face e") == refusals(state, "face 3") == ["AH1.grid"]
    for corner in CORNERS:
        assert facing(run(state, f"face {corner}"), "A") == corner


@rule("AH1.grid")
def test_beyond_the_edge_there_is_nothing() -> None:
    state = battle("A forester 0000 nw", "X orc 1111 se")
    assert zones(state, "A") == {"front": set(), "flank": set(), "rear": {"0100", "0001"}}
    assert ways(moving(state, "A")) == {"0100", "0001"}


# --- two hexes -----------------------------------------------------------------------------------


@rule("AH2.footprint", "A.def.footprint")
@pytest.mark.parametrize("corner", FOOTPRINTS)
def test_a_formation_has_three_hexes_before_it_two_beside_and_three_behind(corner: str) -> None:
    left, right, *wanted = FOOTPRINTS[corner]
    state = battle(f"F spear {right}+{left} {corner}")
    assert place(state, "F") == f"{left}+{right}"
    ahead, flanks, rear = (set(text.split()) for text in wanted)
    assert zones(state, "F") == {"front": ahead, "flank": flanks, "rear": rear}
    found = angles(state, "F")
    assert (found[FRONT], found[FLANK] - {left, right}, found[REAR]) == (ahead, flanks, rear)
    assert {state.roster.grid.names[cell] for cell in front(state, index(state, "F"))} == ahead


@rule("AH2.footprint", "A.def.kinds")
def test_others_stand_in_one_hex() -> None:
    state = battle("A spear 0505; F spear 0707+0807; L leader 0505", "D drake 0202")
    assert [place(state, name) for name in "AFLD"] == ["0505", "0707+0807", "0505", "0202"]
    assert pile(state, "0807") == ["F"]
    beside = {piece.id: piece.beside for piece in FORMATIONS.scene(state, 0, "en").pieces}
    assert beside == {"A": "", "F": "0807", "L": "", "D": ""}


@rule("AH2.footprint")
@pytest.mark.parametrize("corner", FOOTPRINTS)
def test_a_formation_can_face_only_square_to_its_hexes(corner: str) -> None:
    left, right, *_ = FOOTPRINTS[corner]
    state = battle(f"F spear {left}+{right} {corner}")
    i = index(state, "F")
    for other, name in enumerate(CORNERS):
        state.facing[i] = other
        broken = [line.split(":")[0] for line in FORMATIONS.invariants(state)]
        assert broken == ([] if name == corner else ["AH2.footprint"])


@rule("AH8.engage", "A.def.engaged")
@pytest.mark.parametrize("hex_", ["0505", "0605"])
def test_either_hex_of_a_formation_will_do(hex_: str) -> None:
    """X has one of the two hexes before it, or the formation has X before one of its own."""
    corner = {"0505": "sw", "0605": "s"}[hex_]
    state = battle("F spear 0505+0605", f"X orc 0604 {corner}")  # sw: SW and W of 0604 (even): 0505, 0504
    assert engagers(state, index(state, "F")) == [index(state, "X")]
    for ahead in ("0504", "0604", "0704"):
        state = battle("F spear 0505+0605", f"X orc {ahead} n")
        assert engagers(state, index(state, "X")) == [index(state, "F")]
        assert engagers(state, index(state, "F")) == []


# --- stacking ------------------------------------------------------------------------------------

POINTS = {
    "A spear 0505 steps=1": 2,
    "A spear 0505": 4,
    "A guard 0505": 4,
    "A archer 0505": 4,
    "A orc 0505": 4,
    "A forester 0505 steps=1": 1,
    "A forester 0505": 2,
    "A goblin 0505": 2,
    "A wolf 0505 steps=1": 3,
    "A wolf 0505": 6,
    "A troll 0505": 6,
    "A drake 0505 steps=1": 3,
    "A leader 0505": 0,
    "A chief 0505": 0,
    "A spear 0505+0605 steps=3": 3,
    "A spear 0505+0605 steps=10": 10,
    "A wolf 0505+0605 steps=6": 6,
    "A goblin 0505+0605 steps=6": 6,
}


@rule("AH18.stacking", "A.def.size")
@pytest.mark.parametrize("unit", POINTS)
def test_what_a_unit_weighs(unit: str) -> None:
    state = battle(unit)
    assert points(state, index(state, "A")) == POINTS[unit]
    for hex_ in place(state, "A").split("+"):
        assert load(state, state.roster.grid.cells[hex_]) == POINTS[unit]


@rule("AH18.stacking", "A.def.stacking_limit")
@pytest.mark.parametrize(
    ("there", "mover", "fits"),
    [
        ("P wolf 0504; Q spear 0504 steps=1", "spear 0505 steps=1", True),  # 6 + 2 + 2
        ("P wolf 0504; Q spear 0504 steps=1", "forester 0505", True),
        ("P wolf 0504; Q spear 0504 steps=1", "wolf 0505 steps=1", False),  # 11
        ("P wolf 0504; Q spear 0504 steps=1", "spear 0505", False),
        ("P wolf 0504; Q spear 0504", "forester 0505 steps=1", False),  # 11
        ("P wolf 0504; Q spear 0504", "leader 0505", True),  # 10 and nothing
        ("P spear 0404+0504 steps=6", "spear 0505", True),  # 10
        ("P spear 0404+0504 steps=7", "spear 0505", False),
        ("P spear 0504+0604 steps=7", "spear 0505", False),
        ("P spear 0504+0604 steps=8", "forester 0505", True),
        ("P spear 0504", "spear 0505+0605 steps=6", True),
        ("P spear 0504", "spear 0505+0605 steps=7", False),
        ("P spear 0604", "spear 0505+0605 steps=7", False),
        ("P spear 0704", "spear 0505+0605 steps=7", True),
    ],
)
def test_a_hex_holds_ten_points(there: str, mover: str, fits: bool) -> None:
    """The mover steps north-west with its last point."""
    state = moving(battle(f"{there}; A {mover}"), "A")
    state.todo[-1] = type(state.todo[-1])(0, index(state, "A"), 1, state.todo[-1].start, ())  # type: ignore[attr-defined]
    assert refusals(state, "step-to 0504") == ([] if fits else ["AH18.stacking"])


@rule("AH18.stacking", "A.def.stacking_limit")
def test_too_much_in_a_hex_is_noticed() -> None:
    assert list(FORMATIONS.invariants(battle("A wolf 0505; B spear 0505"))) == []
    broken = list(FORMATIONS.invariants(battle("A wolf 0505; B spear 0505; C forester 0505 steps=1")))
    assert [line.split(":")[0] for line in broken] == ["A.def.stacking_limit"]


@rule("AH18.stacking", "A.rest.p3")
def test_regeneration_does_not_overfill_a_hex() -> None:
    """A Troll of one step (3) with orcs of three (6): with a second step of the Troll it would be 12."""
    state = acting(battle("T troll 0505 steps=1 winded; A orc 0505; B orc 0505 steps=1; Z orc 0101"))
    after = run(state, "rest T", dice=[3, 3])
    assert load(after, after.roster.grid.cells["0505"]) == 9
    roomy = acting(battle("T troll 0505 steps=1 winded; A orc 0505; Z orc 0101"))
    assert load(run(roomy, "rest T", dice=[3, 3]), roomy.roster.grid.cells["0505"]) == 10


@rule("A.rest.p3")
def test_the_original_number_of_steps_is_that_of_the_set_up() -> None:
    """A Troll that begins with one step does not grow to two."""
    state = blank(battle("T troll 0505 steps=1; U troll 0707; F orc 0202+0302 steps=5; Z orc 0101").roster)
    assert state.full == [1, 2, 5, 2]
    state.fatigue[0] = WINDED
    assert run(acting(state), "rest T", dice=[3, 3]).steps[0] == 1


@rule("AH18.stacking", "AH20.command_profile", "AH19.capacity_names", "A.def.weapon_capacity")
def test_capacities_and_the_largest_formations() -> None:
    assert list(CAPACITIES.items()) == [
        ("exceptional", 10),
        ("superior", 9),
        ("ordinary", 8),
        ("mediocre", 7),
        ("poor", 6),
    ]
    assert LARGEST == {"exceptional": 10, "superior": 8, "ordinary": 6, "mediocre": 0, "poor": 0}
    assert [figures(LARGEST[name]) for name in CAPACITIES] == [5, 4, 3, 0, 0]


@rule("AH20.command_profile", "A.def.command_profile")
@pytest.mark.parametrize(
    ("profile", "most"), [("exceptional", 10), ("superior", 8), ("ordinary", 6), ("mediocre", 0), ("poor", 0)]
)
@pytest.mark.parametrize("total", [4, 6, 7, 8, 9, 10])
def test_the_command_profile_sets_the_size_of_formations(profile: str, most: int, total: int) -> None:
    """Troops of so many steps in two hexes want to be one; the commander in chief has ordered them all."""
    left = [2] * (total // 4) + [1] * (total // 2 % 2)
    shares = [left, [2] * ((total - sum(left)) // 2) + [1] * ((total - sum(left)) % 2)]
    units = "; ".join(
        f"U{n}{k} kin {hex_} steps={steps} ordered"
        for n, hex_ in enumerate(("0505", "0605"))
        for k, steps in enumerate(shares[n])
    )
    state = acting(battle(units, types=f"kin spear profile={profile}"))
    clause = "A.constitute.c9" if not most else "A.constitute.c10"
    assert refusals(state, "constitute U00 U10") == ([] if total <= most else [clause])


@rule("A.def.figures", "A.def.steps")
@pytest.mark.parametrize(
    ("steps", "shown", "weak"),
    [
        (3, 2, True),
        (4, 2, False),
        (5, 3, True),
        (6, 3, False),
        (7, 4, True),
        (8, 4, False),
        (9, 5, True),
        (10, 5, False),
    ],
)
def test_a_figure_for_every_two_steps(steps: int, shown: int, weak: bool) -> None:
    state = battle(f"F spear 0505+0605 steps={steps}")
    (piece,) = FORMATIONS.scene(state, 0, "en").pieces
    assert piece.kind.startswith(f"formation, figures: {shown}, ")
    assert (figures(steps), is_weakened(state, 0)) == (shown, weak)
    assert (piece.strength, piece.values["P"]) == (steps, str(steps))


@rule("A.def.steps", "A.def.figures")
@pytest.mark.parametrize(("unit", "wrong"), [("A spear 0505", (0, 3)), ("A spear 0505+0605", (2, 11))])
def test_how_many_steps_a_troop_can_have(unit: str, wrong: tuple[int, int]) -> None:
    state = battle(unit)
    clause = "A.def.figures" if "+" in unit else "A.def.steps"
    for steps in range(1, 13):
        state.steps[0] = steps
        broken = {line.split(":")[0] for line in FORMATIONS.invariants(state)} - {"A.def.stacking_limit"}
        assert broken == ({clause} if steps <= wrong[0] or steps >= wrong[1] else set())


# --- the pile ------------------------------------------------------------------------------------


@rule("A.def.stacked", "A.def.front_behind", "AH29.stack_order")
def test_a_stack_is_a_pile_and_a_formation_has_one_place_in_it() -> None:
    state = battle("A spear 0505; F spear 0505+0605 steps=3; B spear 0605")
    assert pile(state, "0505") == ["A", "F"]
    assert pile(state, "0605") == ["F", "B"]
    look = FORMATIONS.look(state, 0, "F", "en")
    assert look is not None
    assert look.lines[0] == ("Stacked with it, the foremost first: A, B.", "A.def.front_behind")


@rule("AH29.stack_order", "A.def.front_behind")
@pytest.mark.parametrize(("line", "wanted"), [("in-front", ["A", "P", "Q"]), ("behind", ["P", "Q", "A"])])
def test_who_enters_goes_in_front_or_behind(line: str, wanted: list[str]) -> None:
    state = run(
        moving(battle("P spear 0504 steps=1; Q spear 0504; A spear 0505; L leader 0504"), "A"),
        "step-to 0504",
        "halt",
    )
    assert refusals(state, "halt") == ["AH29.stack_order"]
    after = run(state, line)
    assert [name for name in pile(after, "0504") if name != "L"] == wanted


@rule("AH29.stack_order")
@pytest.mark.parametrize(("line", "wanted"), [("in-front", "FPQ"), ("behind", "PQF")])
def test_a_formation_takes_the_same_place_in_both_hexes(line: str, wanted: str) -> None:
    state = battle("P spear 0504; Q spear 0604; F spear 0505+0605")
    state = run(moving(state, "F"), "step-to 0504", "halt", line)
    assert "".join(pile(state, "0504")) == wanted.replace("Q", "")
    assert "".join(pile(state, "0604")) == wanted.replace("P", "")


@rule("AH29.stack_order", "AH28.characters")
def test_without_friendly_troops_there_is_no_order_to_choose() -> None:
    state = battle("L leader 0504; M chief 0505; A spear 0505", "C leader 0604")
    after = run(moving(state, "A"), "step-to 0504", "halt")
    assert isinstance(after.decision, type(acting(state).decision))
