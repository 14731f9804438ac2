"""What a screen shows of a battle, and the sentences beside it."""

from __future__ import annotations

import pytest
from shapely import Polygon
from shapely.geometry import Point

from legatus.games.onus import ONUS
from legatus.games.onus.cards import CARDS, DECK, card_id
from legatus.games.onus.combat import PlayEvent
from legatus.games.onus.forming import Extend, Form
from legatus.games.onus.melee import Engage, Fights
from legatus.games.onus.naming import say_name
from legatus.games.onus.orders import GiveOrder
from legatus.games.onus.setup import Deploying
from legatus.games.onus.state import GAINED, SEATS, OnusState
from legatus.kernel.codec import label
from legatus.kernel.words import LANGS
from legatus.scene.model import Area
from tests.rules import rule

from .stage import CALM, at, battle, do

FACE = ("A hastati 10 9", "X african-infantry 10 8.12")


def areas(state: OnusState, lang: str = "en") -> dict[str, Area]:
    return {area.id: area for area in ONUS.scene(state, 0, lang).areas}


# --- structures ----------------------------------------------------------------------------------


@rule("O6.fire.timing", "O1.fire-marker")
def test_fire_of_this_turn_is_shown_beside_that_of_before() -> None:
    state = at(battle(*FACE, structure="v village 4 4; w village 14 4; x village 4 12"), Fights(0))
    state.lit[0], state.fire[1], state.lit[1] = 2, 1, 3
    shown = areas(state)
    assert [shown[name].states for name in "vwx"] == [("lit",), ("burning", "lit"), ()]
    assert shown["v"].marks == ("set on fire this turn, fire markers 2",)
    assert areas(state, "fr")["w"].marks == (
        "en feu, marqueurs de feu 1",
        "incendié ce tour, marqueurs de feu 3",
    )


@rule("O4.value.durability")
def test_what_a_structure_can_take_is_shown() -> None:
    state = at(battle(*FACE, structure="v village 4 4; t trench 14 4 owner=defender"), Fights(0))
    state.damage[0] = 3
    shown = areas(state)
    assert (shown["v"].losses, shown["v"].strength) == (3, 7)
    assert shown["t"].strength == 0


# --- cards ---------------------------------------------------------------------------------------


@rule("OH.formation.6")
@pytest.mark.parametrize(("wings", "shown"), [(0, (0, 0)), (1, (1, 0)), (2, (0, 1)), (3, (1, 1))])
def test_added_sections_are_shown(wings: int, shown: tuple[int, int]) -> None:
    state = at(battle(f"A hastati 10 9 wings={wings}", "X hastati 2 2"), Fights(0))
    assert ONUS.scene(state, 0, "en").pieces[0].wings == shown


@rule("O5.assault.marker-red", "O5.ram.movement")
@pytest.mark.parametrize("seat", [0, 1])
def test_who_climbs_and_who_carries_a_ram_is_marked(seat: int) -> None:
    units = "A hastati 8.24 6.2 climbs=wall-2; B hastati 3 12 ram; C hastati 6 12"
    state = at(battle(units, "X hastati 18 2", fortress="standard 10 4"), Fights(0))
    climber, carrier, other, *_ = ONUS.scene(ONUS.view(state, seat), seat, "en").pieces
    assert [("climbing" in one.states, "ram" in one.marks) for one in (climber, carrier, other)] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    assert "climbing wall 2, level 0 of 1" in climber.marks


@rule("O5.assault.marker-red", "O5.assault.marker-green")
@pytest.mark.parametrize(
    ("climbed", "gained", "active", "shown"),
    [
        (0, False, "attacker", "climbing"),
        (1, True, "attacker", "climbed"),
        (1, True, "defender", "climbing"),
        (2, False, "defender", "climbed"),
    ],
)
def test_the_climbing_marker_turns_green(climbed: int, gained: bool, active: str, shown: str) -> None:
    """On a tower it is red again at the end of a turn that gained a level, and green at the top."""
    climber = f"A hastati 13.08 6.2 climbs=tower-1 climbed={climbed}"
    state = at(battle(climber, "X hastati 18 2", fortress="standard 10 4", active=active), Fights(0))
    state.flags[0] |= GAINED if gained else 0
    piece = ONUS.scene(state, 0, "en").pieces[0]
    assert [name for name in piece.states if name in ("climbing", "climbed")] == [shown]
    assert f"climbing tower 1, level {climbed} of 2" in piece.marks


@rule("O4.overlap.choose-top")
def test_who_lies_on_top_comes_last() -> None:
    state = at(battle("A hastati 3 12; B hastati 6 12", "X hastati 18 2"), Fights(0))
    state.over = [(0, 1)]
    assert [piece.id for piece in ONUS.scene(state, 0, "en").pieces] == ["B", "A", "X"]


@rule("O4.overlap.choose-top", "O4.overlap.target", "O4.wall.inner-contact")
@pytest.mark.parametrize(
    ("lang", "upper", "lower"),
    [("en", "on top of ", "under "), ("fr", "au-dessus de ", "sous ")],
)
def test_a_units_line_says_who_lies_on_top(lang: str, upper: str, lower: str) -> None:
    """X lies on Y behind the wall; Z is inside, face down, and lies under W."""
    garrison = "X hastati 8.24 4.88 over=Y; Y slingers 8.68 4.88; W hastati 10 3 over=Z; Z archers 10.44 3"
    state = at(battle("A hastati 3 12", garrison, fortress="standard 10 4"), Fights(0))
    state.hidden[state.roster.index["Z"]] = 1
    for seat in (0, 1):
        pieces = {piece.id: piece for piece in ONUS.scene(ONUS.view(state, seat), seat, lang).pieces}
        name = {key: say_name(state, key, lang) for key in ("W", "X", "Y", "wall-2", "back-1")}
        assert upper + name["Y"] in pieces["X"].marks
        assert lower + name["X"] in pieces["Y"].marks
        assert any(name["wall-2"] in mark for mark in pieces["X"].marks)
        assert upper + name["back-1"] in pieces["W"].marks
        assert lower + name["W"] in pieces["Z" if seat else "back-1"].marks
        assert ("Z" in pieces) == bool(seat)


@rule("OH.formation.6", "OH.melee.7", "OH.unit.1")
def test_a_units_line_says_where_it_is_extended_whom_it_envelops_and_its_traits() -> None:
    state = at(battle("A triarii 10 9 wings=2", "X african-infantry 10 8.12"), Fights(0))
    state.hooks = [(0, 1, 3, 2)]
    marks = ONUS.scene(state, 0, "en").pieces[0].marks
    assert {"extended, right", f"enveloping {say_name(state, 'X', 'en')}, left, sections 2"} <= {*marks}
    assert marks[-1] == "professional"


# --- where one deploys ---------------------------------------------------------------------------


def zones(state: OnusState, seat: int) -> list[Polygon]:
    shown = ONUS.scene(at(state, Deploying(seat)), seat, "en").areas
    return [Polygon(area.outline) for area in shown if area.ground == "zone"]


def covers(found: list[Polygon], x: float, y: float) -> bool:
    return any(one.covers(Point(x * 100, y * 100)) for one in found)


@rule("OH.field.2", "O7.deploy.depth")
def test_the_zone_is_the_strip_along_the_own_edge() -> None:
    state = battle("A hastati 2 2", "X hastati 4 4")
    south, north = zones(state, 0), zones(state, 1)
    assert len(south) == len(north) == 1
    assert covers(south, 10, 15.1)
    assert not covers(south, 10, 14.9)
    assert covers(north, 10, 2.9)


@rule("O7.deploy.defender")
def test_the_defender_of_a_fortress_sees_its_court_too() -> None:
    found = zones(battle("A hastati 2 2", "X hastati 4 4", fortress="standard 10 6"), 1)
    assert covers(found, 10, 6)
    assert not covers(found, 10, 9)


@rule("O7.deploy.fortress", "OH.field.2")
def test_around_a_central_fortress_the_attacker_sees_four_strips() -> None:
    state = battle("A hastati 2 2", "X hastati 4 4", fortress="small 12 12", size=(24, 24))
    found = zones(state, 0)
    assert all(covers(found, *spot) for spot in ((12, 23), (12, 1), (1, 12), (23, 12)))
    assert not covers(found, 12, 8)


@rule("OH.field.2", "O7.field.minimum")
def test_a_besieger_sees_only_what_is_far_from_the_walls() -> None:
    """The walls end at y 5.76."""
    found = zones(battle("A hastati 2 2", "X hastati 4 4", fortress="standard 8 4", size=(16, 16)), 0)
    assert not covers(found, 8, 13.6)
    assert covers(found, 8, 13.9)


# --- sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_not_there_is_called_by_what_it_would_be(lang: str) -> None:
    state = battle(*FACE)
    names = [say_name(state, word, lang) for word in ("no-event", "plain", "neither")]
    assert len(set(names)) == 3
    assert "none" not in [key.removeprefix("name.") for key in ONUS.folder.messages[lang].sentences]
    labels = [label(ONUS, state, action, lang) for action in (Form("plain"), Extend("neither"))]
    assert names[1] in labels[0]
    assert names[2] in labels[1]


@pytest.mark.parametrize("lang", LANGS)
def test_the_end_says_who_has_won(lang: str) -> None:
    words = ONUS.folder.messages[lang].sentences
    sides = [say_name(battle(*FACE), seat, lang) for seat in SEATS]
    for how in ("army_breaks", "deck", "destroyed", "no_general", "prize"):
        for seat, name in zip(SEATS, sides, strict=True):
            end = words[f"end.{seat}_{how}"]
            assert name in end.rpartition(", ")[2] or name in end.rpartition(": ")[2], end


@rule("OH.dice.2", "OH.melee.8")
def test_a_blow_tells_what_had_to_be_rolled_and_why() -> None:
    """Hastati 3/2 against 6/5, on the flank 5/4: a 3 is needed to hit and to wound."""
    state = battle("A hastati 10 9", "X african-infantry 10 7.68 90")
    play = do(at(state, Fights(0)), Engage("A", "X"), [CALM, *[1] * 4])
    event = next(event for event in play.events if event.key == "event.strikes")
    said = {lang: ONUS.folder.messages[lang].render(event, lambda word: word) for lang in LANGS}
    assert said == {
        "en": "A: dice 2, hits 0 (on 3 or more), wounds 0 (on 3 or more). "
        "Modifiers of the hit: (attacked on the flank +1).",
        "fr": "A : dés 2, touches 0 (à 3 ou plus), blessures 0 (à 3 ou plus). "
        "Modificateurs du jet pour toucher : (attaque de flanc +1).",
    }


@pytest.mark.parametrize("lang", LANGS)
def test_cards_are_told_apart_where_one_chooses(lang: str) -> None:
    state = battle(*FACE)
    for kind in (GiveOrder, PlayEvent):
        said = [label(ONUS, state, kind(card_id(card)), lang) for card in range(DECK)]
        assert len(set(said)) == DECK
    double = next(card for card in range(DECK) if CARDS.count(CARDS[card]) > 1)
    text = label(ONUS, state, GiveOrder(card_id(double)), lang)
    order, event = (say_name(state, word, lang) for word in CARDS[double])
    assert text.endswith(f"{order} / {event} (I)")
    assert text != label(ONUS, state, PlayEvent(card_id(double)), lang)
