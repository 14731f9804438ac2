"""Secrets: hands (V4.2a), piles (V1.4b), blind deployment (V1.7c), markers (V7d): what each seat sees."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from legatus.games.virtus import VIRTUS
from legatus.games.virtus.combat import Fights
from legatus.games.virtus.moves import Moves
from legatus.games.virtus.segments import Segments, StartActivation
from legatus.games.virtus.sequence import check_conquest, is_stalemate
from legatus.games.virtus.state import CARD, FACEDOWN, GONE, KINDS, PLACE, UNKNOWN, WAITING, VirtusState
from legatus.kernel import Match, Play, Scripted, Seeded, Setup, legal, say, start
from tests.games.virtus.field import (
    at,
    battle,
    cards_of,
    do,
    face_down,
    general,
    give_hand,
    go_on,
    hand_and_cards,
    legal_lines,
    moves,
    run,
    segments,
    skirmish,
    unit,
)
from tests.rules import rule

ROMANS = {
    "name": "Romans",
    "budget": 150,
    "unit": [{"type": "legionaries", "count": 2}],
    "general": [{"name": "Varus"}],
    "camp": True,
}
GERMANS = {
    "name": "Germans",
    "budget": 150,
    "unit": [{"type": "warriors", "count": 2}],
    "general": [{"name": "Arminius"}],
}


def seen(state: VirtusState, seat: int | None) -> VirtusState:
    return VIRTUS.view(state, seat)  # type: ignore[no-any-return]


# --- cards ---------------------------------------------------------------------------------------


@rule("V4.2a", "V1.4b")
@pytest.mark.parametrize("watcher", [1, None])
def test_others_see_how_many_cards_a_hand_has_and_not_which(watcher: int | None) -> None:
    """That is what a bluff lives on: any two hands of a size look alike."""
    one = seen(give_hand(skirmish("A legionaries rome1"), "rome", "6", "joker"), watcher)
    two = seen(give_hand(skirmish("A legionaries rome1"), "rome", "face", "face"), watcher)
    assert one == two
    assert one.hidden[0] == 2
    assert cards_of(one.hand, "rome") == []
    assert sum(one.pile[:KINDS]) == 19


@rule("V4.2a")
def test_a_player_sees_his_own_hand() -> None:
    state = give_hand(skirmish("A legionaries rome1"), "rome", "6", "face")
    assert cards_of(seen(state, 0).hand, "rome") == ["6", "face"]
    assert seen(state, 0).hidden == [0, 0]


@rule("V4.3c")
def test_nobody_else_sees_that_a_face_card_is_kept() -> None:
    state = give_hand(skirmish("A legionaries rome1; B legionaries rome2"), "rome", "face", "4")
    state = go_on(hand_and_cards(state)).state
    play = do(state, "keep")
    assert [event.to for event in play.events] == [0]
    assert seen(play.state, 1) == seen(state, 1)


@rule("V4.1b")
def test_a_draw_is_seen_and_the_cards_only_by_their_owner() -> None:
    play = go_on(hand_and_cards(skirmish("A legionaries rome1; B legionaries rome2")), [5, 7])
    told = [(event.key, event.to, event.values) for event in play.events]
    assert ("event.draws", None, {"side": "rome", "cards": 2}) in told
    assert ("event.drawn", 0, {"cards": ("6", "joker")}) in told
    assert not any(to is None and "joker" in str(values) for _, to, values in told)


def test_discards_lie_open() -> None:
    state = skirmish("A legionaries rome1")
    state.discard[5] = 1
    assert cards_of(seen(give_hand(state, "rome", "4"), 1).discard, "rome") == ["6"]


@rule("V17a")
def test_dice_lie_open() -> None:
    state = go_on(hand_and_cards(skirmish("A legionaries rome1", pips=True)), [4]).state
    assert cards_of(seen(state, 1).hand, "rome") == ["3"]


# --- deployment ----------------------------------------------------------------------------------


def opening(**terrain: str) -> VirtusState:
    plan = {"name": "x", "columns": 3, "budget": 150, "armies": ("a", "b"), "attacker": "rome"}
    setup = VIRTUS.validate(Setup({**plan, "terrain": terrain or {"rome1": "clear"}}, (ROMANS, GERMANS), {}))
    return start(VIRTUS, setup, Scripted()).state  # type: ignore[no-any-return]


@rule("V1.7c")
@pytest.mark.parametrize("watcher", [1, None])
def test_nothing_of_a_deployment_is_seen_before_both_are_done(watcher: int | None) -> None:
    state = opening(rome1="thick_forest")
    before = seen(state, watcher)
    for line in (
        "deploy legion-1 rome1 hidden",
        "decoy rome1",
        "deploy legion-2 rome2",
        "deploy varus rome3",
    ):
        state = run(state, line)
        assert seen(state, watcher) == before, line
    state = run(state, "fortify rome3")
    assert seen(state, watcher) == before
    state = run(state, "done")
    theirs = seen(state, watcher)
    assert [theirs.place[unit(state, f"legion-{n}")] for n in (1, 2)] == [WAITING, WAITING]
    assert theirs.gplace[general(state, "varus")] == WAITING
    assert not any(theirs.camp)
    assert not any(theirs.markers)


@rule("V1.7c")
def test_a_player_sees_his_own_deployment() -> None:
    state = run(opening(rome1="thick_forest"), "deploy legion-1 rome1 hidden", "decoy rome1", "fortify rome2")
    assert seen(state, 0) == state


@rule("V1.7c")
def test_the_second_to_deploy_hides_from_the_first() -> None:
    state = run(opening(), "deploy-rest", "done")
    before = seen(state, 0)
    assert seen(run(state, "deploy warriors-1 barb2", "deploy arminius barb3"), 0) == before


@rule("V1.7c")
def test_both_armies_and_the_camp_are_revealed_together() -> None:
    state = run(opening(), "deploy legion-1 rome1", "deploy legion-2 rome1", "deploy varus rome2")
    state = run(state, "fortify rome3", "done", "deploy warriors-1 barb2", "deploy warriors-2 barb2")
    state = run(state, "deploy arminius barb3", "done", dice=[1, 6, 0])
    for watcher in (0, 1, None):
        view = seen(state, watcher)
        assert view.place == state.place
        assert view.gplace == state.gplace
        assert view.camp[PLACE["rome3"]]


# --- markers -------------------------------------------------------------------------------------


def ambush(hidden: str, barbarians: str, **decoys: int) -> VirtusState:
    terrain = dict.fromkeys(("barb1", "barb2"), "thick_forest")
    more: dict[str, Any] = {"terrain": terrain, "active": "rome"}
    state = skirmish("A legionaries rome1; B legionaries rome3", barbarians, **more)
    return face_down(state, *hidden.split(), **decoys)


@rule("V7d")
@pytest.mark.parametrize("watcher", [0, None])
def test_markers_look_alike_whatever_is_under_them(watcher: int | None) -> None:
    one = ambush("X Y", "X warriors barb1; Y horde barb2", barb1=1, barb2=1)
    two = ambush("X Y", "X warriors barb2; Y horde barb1", barb1=1, barb2=1)
    three = ambush("X Y", "X warriors barb1; Y horde barb1", barb2=2)
    views = [seen(state, watcher) for state in (one, two, three)]
    assert views[0] == views[1] == views[2]
    assert [views[0].markers[PLACE[name]] for name in ("barb1", "barb2")] == [2, 2]
    assert [views[0].place[unit(one, name)] for name in "XY"] == [UNKNOWN, UNKNOWN]


@rule("V7d")
def test_the_owner_knows_his_markers() -> None:
    state = ambush("X", "X warriors barb1; Y horde barb2", barb2=1)
    assert seen(state, 1).place == state.place
    assert seen(state, 1).decoys == state.decoys


@rule("V7d")
def test_units_in_the_open_are_seen_in_the_forest() -> None:
    state = ambush("X", "X warriors barb1; Y horde barb1", barb1=1)
    assert seen(state, 0).place[unit(state, "Y")] == PLACE["barb1"]


@rule("V7d")
def test_a_unit_that_is_turned_up_is_seen_and_the_others_are_not() -> None:
    state = ambush("X Y", "X warriors barb1; Y horde barb1", barb1=1)
    state.active = 1
    view = seen(do(moves(state, 1), "move X rome1").state, 0)
    assert view.place[unit(state, "X")] == PLACE["rome1"]
    assert view.place[unit(state, "Y")] == UNKNOWN
    assert view.markers[PLACE["barb1"]] == 2
    assert not any(view.decoys)


@rule("V7d", "V4.2a")
def test_a_guess_deals_hands_and_markers_anew_and_keeps_what_is_seen() -> None:
    state = give_hand(
        ambush("X Y", "X warriors barb1; Y horde barb2", barb1=1, barb2=1), "barbarians", "6", "6"
    )
    rng = Random(7)
    places, hands = set(), set()
    for _ in range(60):
        full = VIRTUS.guess(state, 0, rng)
        assert seen(full, 0) == seen(state, 0)
        assert list(VIRTUS.invariants(full)) == []
        places.add(tuple(full.place[unit(state, name)] for name in "XY"))
        hands.add(tuple(cards_of(full.hand, "barbarians")))
    assert places == {(p, q) for p in (6, 7) for q in (6, 7)}
    assert len(hands) > 10


@rule("V7d")
def test_what_a_player_may_do_is_known_from_what_he_sees() -> None:
    state = ambush("X", "X warriors barb1; Z warriors rome2", barb2=1)
    for segment in (1, 3):
        open_ = moves(state, segment)
        assert legal_lines(seen(open_, 0)) == legal_lines(open_)


@rule("V1.4b")
def test_a_battle_without_hands_or_markers_hides_nothing() -> None:
    state = battle("A legionaries rome1", "X warriors barb1")
    assert seen(state, 0) == seen(state, 1) == seen(state, None) == state


# --- questions that tell nothing -----------------------------------------------------------------


def forest_markers(hidden: bool) -> VirtusState:
    """Two markers in the forest barb1: a decoy and archers, or two decoys, the archers lying in barb3."""
    wood = {"barb1": "thick_forest", "barb3": "thick_forest"}
    where = "barb1" if hidden else "barb3"
    state = skirmish(
        "A legionaries rome1", f"X light_archers {where}; Y warriors barb2", terrain=wood, active="barbarians"
    )
    return face_down(state, "X", barb1=1 if hidden else 2, barb3=2 if hidden else 1)


@rule("V7d")
@pytest.mark.parametrize("watcher", [0, None])
def test_whether_a_side_is_asked_to_fight_and_to_move_does_not_tell_decoys_from_units(
    watcher: int | None,
) -> None:
    views = []
    for hidden in (True, False):
        state = run(segments(forest_markers(hidden), {1: 2}), "activate seg1")
        views.append([seen(state, watcher)])
        assert isinstance(state.decision, Fights)
        assert any(line.startswith("shoot X") for line in legal_lines(state)) == hidden
        state = run(state, "done")
        assert isinstance(state.decision, Moves)
        views[-1].append(seen(state, watcher))
    assert views[0] == views[1]


@rule("V7d", "V5.4e")
def test_who_learns_from_a_victory_or_none_what_lies_under_markers_cannot_undo() -> None:
    wood = {"barb2": "thick_forest"}
    state = skirmish("A legionaries barb1", "X warriors barb2; Y warriors barb3", terrain=wood)
    for masked in (True, False):
        new = face_down(state.copy(), "X", barb2=1) if masked else state.copy()
        new = at(new, StartActivation(0), Segments(0))
        new.laid[1] = CARD["6"]
        play = go_on(new)
        assert play.state.outcome is None
        assert play.sealed == masked


@rule("V7d", "V1.8a", "V1.8d")
def test_other_checks_of_victory_do_not_hang_on_what_lies_under_a_marker() -> None:
    """With the hidden units under other markers the same battles end, by conquest, draw or losses."""
    setup, checked = VIRTUS.configure("thick-forest"), 0
    for seed in range(6):
        match, rng = Match.new(VIRTUS, setup, Seeded(f"{seed}/0")), Random(seed)
        while match.state.decision is not None and len(match.journal) < 120:
            options = legal(match.state)
            hiding = [action for action in options if say(action).endswith("hidden")]
            match.play(rng.choice(hiding or options), match.seeded(seed))
        for state in match.states:
            if state.turn and any(flag & FACEDOWN for flag in state.flags):
                for seat in (0, 1):
                    dealt = VIRTUS.guess(state, seat, rng)
                    checked += dealt.place != state.place
                    assert verdicts(dealt) == verdicts(state)
    assert checked > 20


def verdicts(state: VirtusState) -> list[Any]:
    """What the checks at the end of a turn and after a loss would say now."""
    found: list[Any] = [is_stalemate(state)]
    for side in (0, 1):
        play = Play(state.copy(), Scripted([]))
        check_conquest(play, side)
        found += [play.state.outcome, play.state.holder, play.events]
        found.append(sum(state.place[i] not in (GONE, WAITING) for i in state.roster.of[side]))
    return found


@rule("V7d", "V5.4e")
def test_a_battle_that_goes_on_tells_that_a_marker_is_a_unit() -> None:
    """The ruling: at a table its owner would have to say so, for with decoys alone the battle is lost."""
    wood = {"barb2": "thick_forest"}
    views, ends = [], []
    for hidden in (True, False):
        units = "X warriors barb3; Y warriors " + ("barb2" if hidden else "barb3")
        state = skirmish("A legionaries barb1", units, terrain=wood)
        state = face_down(state, "Y", barb2=1) if hidden else face_down(state, barb2=2)
        new = at(state, StartActivation(0), Segments(0))
        new.laid[1] = CARD["6"]
        views.append(new.markers)
        ends.append(go_on(new).state.outcome is not None)
    assert views[0] == views[1]
    assert ends == [False, True]
