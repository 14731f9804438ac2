"""DMG Damage: which attack gives which token, and the value that saves; 11.1 to 11.3, 15: weapons."""

from __future__ import annotations

import pytest

from legatus.games.virtus.army import TYPES, CustomType, UnitEntry
from legatus.games.virtus.attack import give
from legatus.games.virtus.damage import (
    BALLISTA_FAR,
    BLACK,
    BLUE,
    BOLT_FAR,
    BOLT_NEAR,
    RED,
    ROUND,
    SLING,
    TOKENS,
    VIOLET,
    WHITE,
    YELLOW,
    kind_of_hit,
    save_value,
)
from legatus.games.virtus.recruit import _unit
from legatus.games.virtus.state import CHARGED, Unit, VirtusState
from legatus.games.virtus.terrain import GROUND
from legatus.kernel import Play
from legatus.kernel.objects import replace
from tests.rules import rule

from .field import battle, cohesion, declares, do, fights, refusals, run, tokens, unit
from .field import tests as saves  # a name that pytest does not collect

FOE = "X warriors barb3 tokens=w"  # his test comes next: play stops there
MISSILES = {
    "lanciarii",
    "formed_archers",
    "javelinmen",
    "light_archers",
    "slingers",
    "light_cavalry",
    "horse_archers",
    "light_chariots",
}
NO_DARK_DIE = {"fanatics", "elephants"}

# VDMG.c: the save value of each row against each token, as the inventory of the sheet has it.
COLUMNS: dict[str, tuple[str, str, bool]] = {  # column: tokens to try, ground, defending a camp
    "white": (WHITE + RED, "clear", False),
    "blue": (BLUE, "clear", False),
    "green_round": (ROUND + BOLT_NEAR, "clear", False),
    "green_square_far": (BOLT_FAR + BALLISTA_FAR, "clear", False),
    "sling_near": (SLING, "clear", False),
    "violet": (VIOLET, "clear", False),
    "yellow": (YELLOW, "clear", False),
    "black": (BLACK, "clear", False),
    "white_in_marsh": (WHITE, "marsh", False),
    "white_in_woods": (WHITE, "woods", False),
    "camp_any": ("".join(set(TOKENS) - {BALLISTA_FAR}), "clear", True),
    "camp_ballista_far": (BALLISTA_FAR, "clear", True),
}
ORACLE = """
legionaries              3 2 4 3 3 2 3 2 1 3 4 3
veteran_legionaries      4 2 4 3 3 3 4 2 1 4 5 3
veteran_auxiliaries      3 2 4 3 3 2 3 2 1 3 4 3
trained_auxiliaries      3 2 4 3 3 2 3 3 1 3 4 3
barbarian_auxiliaries    2 2 2 2 2 1 2 3 1 2 3 3
palestinian_auxiliaries  2 2 2 2 2 1 2 3 1 2 3 3
lanciarii                3 2 4 3 3 2 3 3 1 3 4 3
formed_archers           2 2 2 2 2 1 2 3 1 2 3 3
javelinmen               2 2 3 3 3 1 2 4 2 4 3 3
light_archers            1 1 2 2 2 0 1 4 1 3 2 2
slingers                 1 1 2 2 2 0 1 4 1 3 2 2
cataphracts              4 2 4 3 3 3 1 2 1 4 5 3
heavy_cavalry            3 2 2 2 2 2 1 2 1 3 4 3
medium_cavalry           2 2 2 2 2 1 1 3 1 2 3 3
dromedarii               1 1 1 1 1 0 1 4 1 1 2 2
cataphract_dromedaries   2 2 2 2 2 1 2 2 1 2 3 3
light_cavalry            1 1 1 1 1 0 1 4 1 1 2 2
horse_archers            1 1 1 1 1 0 1 4 1 1 2 2
scorpions                2 2 2 2 2 1 2 2 1 2 3 3
ballistas                2 2 2 2 2 1 2 2 1 2 3 3
noble_warriors           3 2 4 3 3 2 3 3 1 3 4 3
warriors                 2 2 2 2 2 1 2 3 1 2 3 3
horde                    2 2 2 2 2 1 2 2 1 2 3 3
fanatics                 1 1 1 1 1 0 1 2 1 1 2 2
dacian_falxmen           1 1 1 1 1 0 1 2 1 1 2 2
light_chariots           2 2 2 2 2 1 2 4 1 2 3 3
elephants                3 2 2 2 2 2 3 2 1 3 4 3
"""
VALUES = {
    key: dict(zip(COLUMNS, map(int, numbers), strict=True))
    for key, *numbers in (line.split() for line in ORACLE.split("\n") if line)
}


def troop(kind: str, marks: str = "") -> Unit:
    return battle(f"A {kind} rome1 {marks}").roster.units[0]


def marked(
    kind: str,
    token: str,
    *,
    marks: str = "",
    ground: str = "clear",
    camp: bool = False,
    charged: bool = False,
) -> VirtusState:
    """A holds one token, received on that ground or while defending a camp."""
    state = battle(
        f"A {kind} rome1 {marks}; B legionaries rome2 tokens=w",
        FOE,
        terrain={"rome1": ground},
        camps=["rome1"] if camp else [],
    )
    i = unit(state, "A")
    give(state, i, token)
    if charged:
        state.flags[i] |= CHARGED
    return saves(state)


def save(state: VirtusState, light: int) -> Play:
    i = unit(state, "A")
    one_die = state.roster.units[i].type in NO_DARK_DIE
    return do(state, f"save A {TOKENS[state.tokens[i]]}", [light] if one_die else [light, 1])


def has_passed(play: Play) -> bool:
    return any(event.clause == "V3.1c" for event in play.events)


def assert_saves_at(state: VirtusState, value: int) -> None:
    """The light die passes at ``value`` and fails above it; the log tells the value."""
    limit = min(max(value, 1), 5)  # V3.1g
    passed, failed = save(state, limit), save(state, limit + 1)
    assert (has_passed(passed), has_passed(failed)) == (True, False)
    assert [e.values["value"] for e in passed.events if e.clause == "VDMG.b"] == [value]


# --- what saves ----------------------------------------------------------------------------------


@rule("VDMG.c")
def test_the_oracle_covers_every_row() -> None:
    assert list(VALUES) == list(TYPES)


@rule("VDMG.c", "VDMG.b")
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("kind", VALUES)
def test_every_row_saves_every_token_at_its_value(kind: str, column: str) -> None:
    letters, ground, camp = COLUMNS[column]
    for token in letters:
        assert_saves_at(marked(kind, token, ground=ground, camp=camp), VALUES[kind][column])


@rule("VDMG.d", "VDMG.b")
@pytest.mark.parametrize(
    ("kind", "token", "value", "more"),
    [
        ("legionaries", WHITE, 4, {"marks": "form=testudo"}),
        ("legionaries", ROUND, 5, {"marks": "form=testudo"}),
        ("legionaries", BOLT_FAR, 3, {"marks": "form=testudo"}),
        ("legionaries", VIOLET, 3, {"marks": "form=testudo"}),
        ("legionaries", BLUE, 2, {"marks": "form=testudo"}),
        ("legionaries", WHITE, 1, {"marks": "form=testudo", "ground": "marsh"}),
        ("javelinmen", ROUND, 5, {"ground": "woods"}),
        ("javelinmen", SLING, 3, {"ground": "woods"}),
        ("javelinmen", WHITE, 2, {"ground": "woods", "charged": True}),
        ("light_archers", BLUE, 2, {"ground": "woods"}),
        ("cataphracts", BOLT_FAR, 3, {}),
        ("cataphracts", YELLOW, 1, {}),
        ("cataphracts", YELLOW, 5, {"camp": True}),
        ("legionaries", BALLISTA_FAR, 3, {"camp": True}),
        ("legionaries", BLACK, 4, {"camp": True}),
        ("warriors", WHITE, 3, {"marks": "pikes"}),
        ("warriors", RED, 2, {"marks": "pikes"}),
        ("warriors", BLUE, 2, {"marks": "pikes"}),
        ("veteran_auxiliaries", WHITE, 5, {"marks": "form=shieldwall pikes"}),
    ],
)
def test_the_combined_cases_of_the_inventory(kind: str, token: str, value: int, more: dict[str, str]) -> None:
    assert_saves_at(marked(kind, token, **more), value)  # type: ignore[arg-type]


@rule("VDMG.b")
@pytest.mark.parametrize(
    ("kind", "token", "value", "more"),
    [
        # 1: a camp sets aside formation, pikes, terrain, charges and the order of black tokens
        ("legionaries", WHITE, 4, {"marks": "form=testudo pikes"}),
        ("javelinmen", WHITE, 3, {"ground": "woods"}),
        ("warriors", BLACK, 3, {"ground": "marsh"}),
        ("palestinian_auxiliaries", BLUE, 3, {}),
        ("veteran_legionaries", BOLT_FAR, 5, {}),
        ("veteran_legionaries", BALLISTA_FAR, 3, {"marks": "form=testudo"}),
    ],
)
def test_a_camp_comes_before_everything_else(kind: str, token: str, value: int, more: dict[str, str]) -> None:
    assert_saves_at(marked(kind, token, camp=True, **more), value)  # type: ignore[arg-type]


@rule("VDMG.b", "V16b")
@pytest.mark.parametrize("ground", ["woods", "marsh", "crevasse", "thick_forest"])
def test_black_tokens_know_neither_formation_nor_ground(ground: str) -> None:
    assert_saves_at(marked("legionaries", BLACK, marks="form=testudo pikes", ground=ground), 2)
    assert_saves_at(marked("javelinmen", BLACK, ground=ground), 4)
    assert_saves_at(marked("warriors", BLACK, ground=ground, charged=True), 3)


@rule("VDMG.b")
def test_bonuses_come_before_the_limits() -> None:
    """Limits first would give one more in each of these."""
    assert_saves_at(marked("veteran_auxiliaries", BLUE, marks="form=shieldwall"), 2)
    assert_saves_at(marked("veteran_legionaries", BOLT_FAR, marks="form=testudo"), 3)
    assert_saves_at(marked("legionaries", SLING, marks="form=testudo"), 3)
    assert_saves_at(marked("javelinmen", BLUE, ground="woods"), 2)
    assert_saves_at(marked("javelinmen", BALLISTA_FAR, ground="wooded_hill"), 3)


@rule("VDMG.b")
def test_values_set_to_1_come_after_bonuses_and_limits() -> None:
    for ground in ("marsh", "crevasse"):
        assert_saves_at(marked("warriors", WHITE, marks="pikes", ground=ground), 1)
        assert_saves_at(marked("legionaries", ROUND, marks="form=testudo", ground=ground), 1)
        assert_saves_at(marked("legionaries", VIOLET, ground=ground), 1)
        assert_saves_at(marked("javelinmen", ROUND, ground=ground), 3)
        assert_saves_at(marked("light_cavalry", ROUND, ground=ground), 1)
        assert_saves_at(marked("heavy_cavalry", YELLOW, ground=ground), 1)
    for ground in ("rocks", "hill", "steep_height"):
        assert_saves_at(marked("legionaries", WHITE, ground=ground), 3)


@rule("VDMG.b")
@pytest.mark.parametrize("ground", ["woods", "wooded_hill", "thick_forest"])
def test_woods_of_every_kind_add_2_for_dispersed_infantry_that_was_not_charged(ground: str) -> None:
    assert_saves_at(marked("javelinmen", WHITE, ground=ground), 4)
    assert_saves_at(marked("javelinmen", VIOLET, ground=ground), 3)
    assert_saves_at(marked("javelinmen", ROUND, ground=ground, charged=True), 3)
    assert_saves_at(marked("light_cavalry", WHITE, ground=ground), 1)
    assert_saves_at(marked("legionaries", WHITE, ground=ground), 3)


@rule("VDMG.b")
def test_formations_add_1_but_orbis_does_not() -> None:
    assert_saves_at(marked("legionaries", YELLOW, marks="form=testudo"), 4)
    assert_saves_at(marked("legionaries", RED, marks="form=shieldwall"), 4)
    assert_saves_at(marked("legionaries", WHITE, marks="form=orbis"), 3)


@rule("VDMG.b")
def test_pikes_add_1_against_white_tokens_only() -> None:
    for token in TOKENS:
        bare, armed = (
            save_value(troop("legionaries", marks), token, GROUND["clear"]) for marks in ("", "pikes")
        )
        assert armed - bare == (token == WHITE), token


# --- which attack gives which token --------------------------------------------------------------

IN_THE_SECTOR = dict.fromkeys(TYPES, WHITE)
IN_THE_SECTOR |= dict.fromkeys(MISSILES, ROUND)
IN_THE_SECTOR |= {"slingers": SLING, "scorpions": BOLT_NEAR, "ballistas": BOLT_NEAR}
IN_THE_SECTOR |= {"palestinian_auxiliaries": BLUE, "dacian_falxmen": BLUE}
IN_THE_SECTOR |= {"dromedarii": YELLOW, "cataphract_dromedaries": YELLOW, "elephants": BLACK}
INTO_ANOTHER = IN_THE_SECTOR | {"slingers": ROUND, "scorpions": BOLT_FAR, "ballistas": BALLISTA_FAR}
BY_A_CHARGE = IN_THE_SECTOR | dict.fromkeys(MISSILES, WHITE)
SHOOTERS = {
    "formed_archers": ROUND,
    "light_archers": ROUND,
    "slingers": ROUND,
    "horse_archers": ROUND,
    "scorpions": BOLT_FAR,
    "ballistas": BALLISTA_FAR,
}


@rule("VDMG.a", "V11.1a", "V11.2a", "V15a", "V16b")
@pytest.mark.parametrize("kind", TYPES)
def test_an_ordinary_fight_gives_the_tokens_of_its_unit(kind: str) -> None:
    dice = TYPES[kind].vc
    state = fights(battle(f"A {kind} rome1", f"{FOE}; Y horde rome1"), 1)
    assert tokens(do(state, "fight A", [1] * dice).state, "Y") == IN_THE_SECTOR[kind] * dice


@rule("VDMG.a", "V11.1a", "V11.2a", "V11.2c", "V15a", "V16b")
@pytest.mark.parametrize("kind", TYPES)
def test_outflanking_is_an_attack_from_afar(kind: str) -> None:
    dice = TYPES[kind].vc
    state = fights(battle(f"A {kind} rome1", f"{FOE}; Y horde rome2"), 1)
    assert tokens(do(state, "outflank A rome2", [1] * dice).state, "Y") == INTO_ANOTHER[kind] * dice


@rule("VDMG.a", "V11.1a", "V11.2a", "V15a", "V16b")
@pytest.mark.parametrize("kind", [kind for kind in TYPES if TYPES[kind].arm != "artillery"])
def test_a_charge_is_hand_to_hand(kind: str) -> None:
    dice = TYPES[kind].vc
    state = declares(battle(f"A {kind} rome1", f"{FOE}; Y horde rome1"), {1: 9})
    state = run(state, "declare-charge A", "activate seg1", "charge A Y", dice=[1] * dice)
    assert tokens(state, "Y") == BY_A_CHARGE[kind] * dice


@rule("VDMG.a", "V11.2a", "V11.2c")
@pytest.mark.parametrize("kind", SHOOTERS)
def test_shots_give_round_tokens_and_bolts_square_ones(kind: str) -> None:
    dice = TYPES[kind].vc
    state = fights(battle(f"A {kind} rome1", f"{FOE}; Y horde barb1"), 1)
    assert tokens(do(state, "shoot A", [1] * dice).state, "Y") == SHOOTERS[kind] * dice


@rule("VDMG.a")
def test_only_hits_give_tokens() -> None:
    state = fights(battle("A palestinian_auxiliaries rome1", f"{FOE}; Y horde rome1"), 1)
    assert tokens(do(state, "fight A", [4, 5, 6]).state, "Y") == BLUE


@rule("VDMG.a")
def test_the_first_of_several_kinds_counts() -> None:
    """Elephants, then dromedaries, two-handed weapons, pila, bolts and missiles, and white last."""
    unit_ = troop("legionaries")
    everything = {"elephant": True, "dromedary": True, "two_handed": True, "missiles": True}
    armed = replace(unit_, **everything)

    def kind(*without: str, pila: bool = True, charge: bool = False) -> str:
        bare = replace(armed, **dict.fromkeys(without, False))
        return kind_of_hit(bare, charge=charge, far=False, pila=pila)

    assert kind() == BLACK
    assert kind("elephant") == YELLOW
    assert kind("elephant", "dromedary") == BLUE
    assert kind("elephant", "dromedary", "two_handed") == VIOLET
    assert kind("elephant", "dromedary", "two_handed", pila=False) == ROUND
    assert kind("elephant", "dromedary", "two_handed", pila=False, charge=True) == WHITE
    assert kind("elephant", "dromedary", "two_handed", "missiles", pila=False) == WHITE
    assert kind("elephant", "dromedary", pila=False, charge=True) == BLUE


@rule("VDMG.a")
def test_white_and_red_may_mix_and_other_kinds_do_not() -> None:
    foes = f"{FOE}; P horde rome1 pikes"
    state = fights(battle("A legionaries rome1; D dacian_falxmen rome1", foes), 1)
    assert tokens(do(state, "fight A", [1, 1, 2, 3]).state, "P") == "rrww"
    assert tokens(do(state, "fight D", [1, 1, 2, 3]).state, "P") == "uuuu"


@rule("VDMG.a")
def test_each_6_against_his_sector_is_a_token_on_a_general() -> None:
    state = battle("A legionaries rome1", f"{FOE}; Y horde rome1", generals="H barbarians rome1")
    after = do(fights(state, 1), "fight A", [6, 6, 5, 3]).state
    assert (after.gtokens, tokens(after, "Y")) == ([2], "w")


# --- 11.1 two-handed weapons ---------------------------------------------------------------------


@rule("V11.1a")
@pytest.mark.parametrize(
    ("kind", "value"), [("veteran_legionaries", 2), ("legionaries", 2), ("warriors", 2), ("light_archers", 1)]
)
def test_blue_tokens_hold_the_defence_value_to_2(kind: str, value: int) -> None:
    assert_saves_at(marked(kind, BLUE), value)


@rule("V11.1b")
def test_units_with_two_handed_weapons_get_their_camp_bonus_above_2() -> None:
    assert troop("palestinian_auxiliaries").vd == 2
    assert_saves_at(marked("palestinian_auxiliaries", WHITE, camp=True), 3)
    assert_saves_at(marked("palestinian_auxiliaries", WHITE), 2)


@rule("V11.1b")
@pytest.mark.parametrize(("abilities", "vd", "wall"), [((), 3, True), (("two_handed",), 2, False)])
def test_two_handed_weapons_leave_no_hand_for_a_better_shield(
    abilities: tuple[str, ...], vd: int, wall: bool
) -> None:
    kind = CustomType("Axemen", "Haches", "axemen", 4, 3, 3, 1, "infantry", "other", abilities=abilities)
    made = _unit(kind, UnitEntry("axemen"), 0, 1, {})
    assert (made.vd, made.shieldwall) == (vd, wall)


# --- 11.2 missiles -------------------------------------------------------------------------------


@rule("V11.2b")
@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("heavy_cavalry", 2),  # mounted: at most 2
        ("elephants", 2),
        ("medium_cavalry", 2),
        ("light_cavalry", 1),  # dispersed, but not on foot
        ("light_chariots", 2),
        ("cataphracts", 4),  # excepted
        ("javelinmen", 3),  # dispersed foot: one more
        ("slingers", 2),
        ("legionaries", 4),  # foot of VD 3: one more
        ("lanciarii", 4),
        ("veteran_legionaries", 4),  # VD 4: nothing
        ("warriors", 2),  # VD 2: nothing
        ("scorpions", 2),
    ],
)
def test_missiles_hurt_horse_and_spare_light_foot_and_foot_of_vd_3(kind: str, value: int) -> None:
    assert_saves_at(marked(kind, ROUND), value)


@rule("V11.2b")
def test_armoured_camels_are_cataphracts_too() -> None:
    armoured = replace(troop("cataphract_dromedaries"), vd=3)
    assert save_value(armoured, ROUND, GROUND["clear"]) == 3
    bare = replace(troop("dromedarii"), vd=3)
    assert save_value(bare, ROUND, GROUND["clear"]) == 2


@rule("V11.2b")
def test_it_is_the_printed_vd_3_that_counts_and_the_bonus_comes_once() -> None:
    assert_saves_at(marked("veteran_legionaries", ROUND, marks="form=testudo"), 5)
    light = replace(troop("javelinmen"), vd=3)
    assert save_value(light, ROUND, GROUND["clear"]) == 4
    walled = replace(troop("noble_warriors"), vd=2)
    assert save_value(walled, ROUND, GROUND["clear"], form=2) == 3


@rule("V11.2c")
@pytest.mark.parametrize("kind", ["veteran_legionaries", "legionaries", "cataphracts"])
def test_far_bolts_and_near_slings_hold_everybody_to_3(kind: str) -> None:
    for token in (BOLT_FAR, BALLISTA_FAR, SLING):
        assert_saves_at(marked(kind, token), 3)
    for token in (BOLT_NEAR, ROUND):
        assert_saves_at(marked(kind, token), 4)


@rule("V11.2c")
def test_horse_keeps_its_limit_of_2_against_hard_missiles() -> None:
    for token in (BOLT_FAR, BALLISTA_FAR, SLING):
        assert_saves_at(marked("heavy_cavalry", token), 2)


@rule("V11.2a", "V11.2c")
def test_a_slinger_is_hard_to_bear_in_the_same_sector_only() -> None:
    near = do(fights(battle("A slingers rome1", f"{FOE}; Y horde rome1"), 1), "fight A", [1, 3]).state
    assert tokens(near, "Y") == SLING
    far = do(fights(battle("A slingers rome1", f"{FOE}; Y horde barb1"), 1), "shoot A", [1, 3]).state
    assert tokens(far, "Y") == ROUND


# --- 11.3 pila -----------------------------------------------------------------------------------


@rule("V11.3a")
@pytest.mark.parametrize("kind", ["legionaries", "veteran_legionaries"])
def test_pila_make_an_ordinary_fight_give_violet_tokens(kind: str) -> None:
    state = fights(battle(f"A {kind} rome1; B legionaries rome1", f"{FOE}; Y horde rome1"), 1, points=3)
    assert tokens(do(state, "fight A pila", [1, 2, 3, 4]).state, "Y") == VIOLET * 3
    assert tokens(do(state, "fight A", [1, 2, 3, 4]).state, "Y") == WHITE * 3


@rule("V11.3a")
@pytest.mark.parametrize("kind", sorted(set(TYPES) - {"legionaries", "veteran_legionaries"}))
def test_others_have_no_pila(kind: str) -> None:
    state = fights(battle(f"A {kind} rome1", f"{FOE}; Y horde rome1"), 1)
    assert refusals(state, "fight A pila") == ["V11.3a"]


@rule("V11.3a")
@pytest.mark.parametrize(("kind", "value"), [("veteran_legionaries", 3), ("legionaries", 2), ("horde", 1)])
def test_violet_tokens_are_saved_at_one_less(kind: str, value: int) -> None:
    assert_saves_at(marked(kind, VIOLET), value)


@rule("V11.3a", "V3.1g")
def test_troops_of_vd_1_are_no_worse_off_against_pila() -> None:
    for token in (WHITE, VIOLET):
        state = marked("dacian_falxmen", token)
        assert cohesion(save(state, 1).state, "A") == 4
        assert cohesion(save(state, 2).state, "A") == 3


# --- 15 dromedaries ------------------------------------------------------------------------------


@rule("V15a")
@pytest.mark.parametrize("kind", TYPES)
def test_horsemen_and_nobody_else_save_against_yellow_on_1(kind: str) -> None:
    horsemen = {"cataphracts", "heavy_cavalry", "medium_cavalry", "light_cavalry", "horse_archers"}
    assert_saves_at(marked(kind, YELLOW), 1 if kind in horsemen else TYPES[kind].vd)
