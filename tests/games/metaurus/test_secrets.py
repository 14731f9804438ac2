"""Secrets: orders that lie face down (M2.place, M2.reveal, MH18.placing), and what each seat sees of them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import msgspec
import pytest

from legatus.games.metaurus import METAURUS
from legatus.games.metaurus.orders import BeginPlacing, EndPlacing, Placing
from legatus.games.metaurus.retreat import Fallback
from legatus.games.metaurus.state import (
    CARTHAGE,
    DETACHED,
    GONE,
    HIDDEN,
    ORDERS,
    ROME,
    UNMARKED,
    MetaurusState,
    order_of,
    put,
)
from legatus.games.metaurus.turn import FirstChoice, Turn
from legatus.kernel import legal
from legatus.kernel.codec import state_to_json
from legatus.kernel.words import LANGS
from tests.rules import rule

from .stage import (
    NUMBER,
    activations,
    at,
    battle,
    combats,
    decision,
    do,
    go_on,
    legal_lines,
    run,
)

ROMANS = "A LEGION 0511; B LEGION 0711 group=orange; D CAV 0111"
PUNIC = "X HI 0500; W MI 0700; H CAV 0900"
MARKERS = ("stand", "move", "move-to-attack", "reform")
WATCHERS = [CARTHAGE, None]  # who must not know the orders of Rome


def seen(state: MetaurusState, seat: int | None) -> MetaurusState:
    return METAURUS.view(state, seat)  # type: ignore[no-any-return]


def orders(state: MetaurusState, *groups: str) -> list[str]:
    return [ORDERS[state.order[NUMBER[name]]] for name in groups]


def drawn(state: MetaurusState, seat: int | None) -> bytes:
    """All that a seat reads of a position: the scene in both languages and a closer look at everything."""
    view = seen(state, seat)
    looks = [METAURUS.look(view, seat, unit.id, lang) for unit in state.roster.units for lang in LANGS]
    return msgspec.json.encode([[METAURUS.scene(view, seat, lang) for lang in LANGS], looks])


def placing(**more: str) -> MetaurusState:
    state = battle(ROMANS, PUNIC, **more)  # type: ignore[arg-type]
    return go_on(at(state, BeginPlacing(), Placing(ROME), Placing(CARTHAGE), EndPlacing())).state  # type: ignore[no-any-return]


# --- while orders are placed ---------------------------------------------------------------------


@rule("M2.place", "MH18.placing")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_nothing_of_the_placing_is_seen_before_both_are_done(watcher: int | None) -> None:
    state = placing(orders="orange=stand roman-horse=move white=move", shown="orange white")
    before, picture = seen(state, watcher), drawn(state, watcher)
    for line in ("lay red move", "lay orange reform", "lay roman-horse colour"):
        play = do(state, line)
        state = play.state
        assert seen(state, watcher) == before, line
        assert drawn(state, watcher) == picture, line
        assert [event.to for event in play.events] == [ROME]
        assert not play.sealed
    assert orders(seen(state, watcher), "red", "orange", "roman-horse") == ["attack", "stand", "hidden"]
    done = run(state, "done")
    assert orders(seen(done, watcher), "red", "orange", "roman-horse") == ["attack", "stand", "hidden"]


@rule("MH18.placing")
@pytest.mark.parametrize("watcher", [ROME, None])
def test_nor_of_that_of_the_second_player(watcher: int | None) -> None:
    """Rome, which is done, sees the table as it was, and its own new orders."""
    state = run(placing(orders="white=move"), "lay red move", "done")
    before, picture = seen(state, watcher), drawn(state, watcher)
    for line in ("lay yellow reform", "lay white attack", "lay punic-horse attack"):
        state = run(state, line)
        assert seen(state, watcher) == before, line
        assert drawn(state, watcher) == picture, line
    assert orders(seen(state, ROME), "red", "white", "yellow") == ["move", "hidden", "attack"]


@rule("MH18.placing")
def test_who_places_second_places_without_knowing_what_the_first_has_done() -> None:
    """Whatever Rome has laid, and whether it has: Carthage sees and may do the same."""
    views, lines = [], []
    for laid in ((), ("lay red move",), ("lay red stand", "lay orange move", "lay roman-horse reform")):
        state = run(placing(), *laid, "done")
        views.append(seen(state, CARTHAGE))
        lines.append(legal_lines(state))
    assert views[0] == views[1] == views[2]
    assert lines[0] == lines[1] == lines[2]


@rule("MH18.placing", "M2.persist")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_the_table_as_it_was_is_that_at_the_end_of_the_last_turn(watcher: int | None) -> None:
    """With what was turned up in it, and without the markers of groups that are gone."""
    state = battle(f"{ROMANS}; C LEGION 0911 group=purple", PUNIC, orders="red=stand purple=move")
    state.shown[NUMBER["red"]] = 1
    put(state, state.roster.index["C"], GONE)
    state.killed = [0, 1]
    state = go_on(at(state, BeginPlacing(), Placing(ROME), Placing(CARTHAGE), EndPlacing())).state
    assert orders(seen(state, watcher), "red", "purple") == ["stand", "attack"]
    state = run(state, "lay red move", "done")
    assert orders(seen(state, watcher), "red", "purple") == ["stand", "attack"]


@rule("M2.place")
def test_a_player_sees_his_own_orders() -> None:
    state = run(placing(orders="white=move"), "lay red move", "lay roman-horse stand")
    view = seen(state, ROME)
    assert orders(view, "red", "roman-horse", "white") == ["move", "stand", "hidden"]
    assert view.changed == state.changed
    state = run(state, "done", "lay yellow reform")
    assert orders(seen(state, CARTHAGE), "white", "yellow") == ["move", "reform"]


@rule("MH18.placing")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_when_both_are_done_everybody_sees_who_has_a_marker_and_not_which(watcher: int | None) -> None:
    ends = []
    for first, second in (("move", "stand"), ("reform", "move-to-attack")):
        play = do(run(placing(), f"lay red {first}", f"lay roman-horse {second}", "done"), "done")
        state = play.state
        assert orders(seen(state, watcher), "red", "orange", "roman-horse") == ["hidden", "attack", "hidden"]
        ends.append((seen(state, watcher), drawn(state, watcher), play.events))
    assert ends[0] == ends[1]


@rule("MH18.placing")
def test_what_the_last_to_place_then_sees_he_cannot_take_back() -> None:
    """Else he could look at the enemy's markers and place anew."""
    play = do(run(placing(), "lay red move"), "done")
    assert not play.sealed  # Carthage has shown nothing yet
    assert do(run(play.state, "lay white stand"), "done").sealed


# --- after it ------------------------------------------------------------------------------------


@rule("M2.place", "M2.reveal")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_orders_that_lie_face_down_look_alike(watcher: int | None) -> None:
    states = [activations(battle(ROMANS, PUNIC, orders=f"red={name}")) for name in MARKERS]
    assert len({state_to_json(seen(state, watcher)) for state in states}) == 1
    assert len({drawn(state, watcher) for state in states}) == 1
    assert len({drawn(state, ROME) for state in states}) == len(MARKERS)
    bare = activations(battle(ROMANS, PUNIC))
    assert seen(bare, watcher) != seen(states[0], watcher)  # a marker lies there, or none


@rule("M2.reveal", "M2.independent")
def test_the_counters_of_a_group_show_its_order_or_a_question_mark() -> None:
    state = battle(ROMANS, PUNIC, orders="red=move roman-horse=stand white=reform", shown="red")

    def badges(seat: int | None) -> dict[str, str]:
        scene = METAURUS.scene(seen(state, seat), seat, "en")
        return {piece.id: piece.badge for piece in scene.pieces}

    own, theirs, public = badges(ROME), badges(CARTHAGE), badges(None)
    assert own["A"] == theirs["A"] == public["A"] not in ("", "?")
    assert own["B"] == theirs["B"] == public["B"] == ""
    assert (theirs["D"], public["D"], own["X"], public["X"]) == ("?",) * 4
    assert own["D"] not in ("", "?", own["A"])
    assert theirs["X"] not in ("", "?")


@rule("M2.reveal")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_an_order_is_seen_by_all_once_its_group_is_activated(watcher: int | None) -> None:
    state = activations(battle(ROMANS, PUNIC, orders="red=stand orange=stand"))
    play = do(state, "activate red")
    assert orders(seen(play.state, watcher), "red", "orange") == ["stand", "hidden"]
    assert play.sealed


@rule("M2.reveal")
def test_an_attacked_group_shows_its_order_to_the_attacker_and_no_other_group_does() -> None:
    state = battle(
        "A LEGION 0505",
        "X MI 0504; Y HI 0900",
        orders="yellow=stand white=move punic-horse=move",
        reserves=True,
    )
    state = combats(state, "red")
    assert orders(seen(state, ROME), "yellow", "white") == ["hidden", "hidden"]
    after = run(state, "attack A X", dice=[4])
    assert orders(seen(after, ROME), "yellow", "white") == ["stand", "hidden"]
    assert orders(seen(after, None), "yellow", "white") == ["stand", "hidden"]


@rule("M2.reveal")
def test_the_odds_of_an_attack_do_not_tell_a_hidden_order() -> None:
    """What is added up for it says that the order is not known."""
    found = []
    for name in MARKERS:
        state = battle("A LEGION 0505", "X MI 0504", orders=f"yellow={name}", reserves=True)
        view = seen(combats(state, "red"), ROME)
        (action,) = legal(view)
        found.append(action.terms(view))
    assert found[0] == found[1] == found[2] == found[3]
    assert ("M2.reveal", 0) in {(term.clause, term.value) for term in found[0]}


@rule("M2.persist", "M2.reveal")
@pytest.mark.parametrize("watcher", [ROME, CARTHAGE, None])
def test_what_was_revealed_stays_so_while_the_next_turn_begins(watcher: int | None) -> None:
    """Also before orders are placed: when somebody decides who plays first."""
    state = battle(ROMANS, "X HI 0500")
    state.todo = [Turn()]
    state = run(go_on(state, [9, 0]).state, "go-first", "lay red stand", "lay orange stand", "done")
    state = run(state, "lay white stand", "done", "activate red", "activate orange")
    play = do(state, "activate white", [9, 0])
    state = play.state
    for line in ("", "go-first", "done"):
        state = run(state, line) if line else state
        assert orders(seen(state, watcher), "red", "orange", "white") == ["stand"] * 3, decision(state)
    assert isinstance(decision(play.state), FirstChoice)


@rule("M2.persist")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_a_changed_order_is_hidden_again_when_both_are_done(watcher: int | None) -> None:
    state = placing(orders="red=stand orange=move", shown="red orange")
    state = run(state, "lay red reform", "done")
    assert orders(seen(state, watcher), "red", "orange") == ["stand", "move"]  # as it was before
    state = run(state, "done")
    assert orders(seen(state, watcher), "red", "orange") == ["hidden", "move"]


@rule("MH18.placing")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_a_marker_that_is_taken_off_is_seen_to_be_gone_when_both_are_done(watcher: int | None) -> None:
    state = run(placing(orders="red=stand"), "lay red attack", "done")
    assert orders(seen(state, watcher), "red") == ["hidden"]
    assert orders(seen(run(state, "done"), watcher), "red") == ["attack"]


@rule("MH14.gauls")
def test_gauls_that_do_not_stir_are_seen_standing() -> None:
    carthage = "G MI 0500 group=green; X HI 0900"
    state = battle("A LEGION 0511", carthage, orders="green=move", active="carthage", gauls=True)
    state = run(activations(state), "activate green", dice=[0])
    look = METAURUS.look(seen(state, ROME), ROME, "G", "en")
    assert look is not None
    assert look.lines[0][1] == "M2.stand.1"


# --- views and guesses ---------------------------------------------------------------------------


def test_a_view_of_a_view_is_the_same_and_looking_changes_nothing() -> None:
    state = run(placing(orders="orange=stand white=move", shown="orange"), "lay red move")
    before = state.copy()
    for seat in (ROME, CARTHAGE, None):
        view = seen(state, seat)
        assert seen(view, seat) == view
        assert state == before


@rule("M2.reveal")
@pytest.mark.parametrize("seat", [ROME, CARTHAGE])
def test_a_guess_deals_hidden_orders_anew_and_keeps_what_is_known(seat: int) -> None:
    known = "red=stand orange=move white=reform punic-horse=stand yellow=move"
    state = activations(battle(ROMANS, PUNIC, orders=known, shown="orange white"))
    hidden = ("red",) if seat == CARTHAGE else ("punic-horse", "yellow")
    kept = [name for name in NUMBER if name not in (*hidden, "roman-horse")]  # which has no marker
    rng, found = Random(7), set()
    for n in range(80):
        full = METAURUS.guess(state if n % 2 else seen(state, seat), seat, rng)
        assert seen(full, seat) == seen(state, seat)
        assert orders(full, *kept) == orders(state, *kept)
        assert HIDDEN not in full.order
        assert not list(METAURUS.invariants(full))
        found.add(tuple(orders(full, *hidden)))
    assert (
        found == {(a,) for a in MARKERS} if seat == CARTHAGE else {(a, b) for a in MARKERS for b in MARKERS}
    )


@rule("MH18.placing", "M2.reveal")
def test_a_guess_made_while_orders_are_placed_knows_the_table_as_it_was() -> None:
    state = run(placing(orders="orange=stand", shown="orange"), "lay red move", "lay orange reform", "done")
    rng = Random(3)
    for _ in range(20):
        full = METAURUS.guess(state, CARTHAGE, rng)
        assert orders(full, "red", "orange") == ["attack", "stand"]
        assert seen(full, CARTHAGE) == seen(state, CARTHAGE)
        assert orders(run(full, "lay white move", "done"), "white") == ["move"]


@rule("M2.reveal")
def test_an_order_that_is_nowhere_is_noticed() -> None:
    view = seen(battle(ROMANS, PUNIC, orders="red=move"), CARTHAGE)
    assert [line.split(":")[0] for line in METAURUS.invariants(view)] == ["M2.reveal"] * 2  # the horse too


@rule("M2.place", "M2.independent")
def test_a_battle_without_markers_hides_only_who_has_left_his_colour() -> None:
    state = battle("A LEGION 0511", "X HI 0500")
    assert seen(state, ROME) == seen(state, CARTHAGE) == seen(state, None) == state
    state = battle(ROMANS, PUNIC)
    assert orders(seen(state, CARTHAGE), "red", "roman-horse", "elephants") == [
        "attack",
        "unmarked",
        "attack",
    ]
    assert orders(seen(state, ROME), "red", "roman-horse", "punic-horse") == ["attack", "attack", "unmarked"]


# --- horse under Attack without a marker ---------------------------------------------------------

ALONE = ("", "lay roman-horse attack")


def placed(*lines: str, before: str = "", shown: str = "") -> MetaurusState:
    """Rome lays this, Carthage nothing; then Rome activates."""
    lines = tuple(line for line in lines if line)
    state = placing(orders=before, shown=shown)
    return activations(run(state, *lines, "done", "done"))


@rule("M2.independent", "M2.reveal", "MH18.placing")
@pytest.mark.parametrize("watcher", WATCHERS)
@pytest.mark.parametrize("before", ["", "red=stand", "red=move orange=move"])
def test_horse_that_leaves_its_colour_is_not_seen_to_do_so(watcher: int | None, before: str) -> None:
    ends = []
    for line in ALONE:
        state = placing(orders=before)
        play = do(run(state, *filter(None, [line]), "done"), "done")
        ends.append((seen(play.state, watcher), drawn(play.state, watcher), play.events))
    assert ends[0] == ends[1]


@rule("M2.independent", "M2.reveal")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_nor_is_it_seen_which_of_both_follows_when_its_marker_is_gone(watcher: int | None) -> None:
    """That the marker is gone everybody sees."""
    ends = []
    for name in ("attack", "colour"):
        state = placed(f"lay roman-horse {name}", before="red=stand roman-horse=move", shown="roman-horse")
        assert orders(seen(state, watcher), "roman-horse") == ["unmarked"]
        ends.append((seen(state, watcher), drawn(state, watcher)))
    assert ends[0] == ends[1]


@rule("M2.independent", "M2.reveal", "M2.persist")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_what_was_learned_of_it_holds_until_orders_are_placed_anew(watcher: int | None) -> None:
    """No marker lies there that could stay face up: it may have returned to its colour since."""
    state = run(placed("lay roman-horse attack"), "activate roman-horse")
    ends = []
    for line in ("", "lay roman-horse colour"):
        turn = go_on(at(state, BeginPlacing(), Placing(ROME), Placing(CARTHAGE), EndPlacing())).state
        assert orders(seen(turn, watcher), "roman-horse") == ["detached"]
        turn = run(turn, *filter(None, [line]))
        assert orders(seen(turn, watcher), "roman-horse") == ["detached"]  # as it was
        turn = run(turn, "done", "done")
        ends.append((seen(turn, watcher), drawn(turn, watcher)))
        assert orders(ends[-1][0], "roman-horse") == ["unmarked"]
    assert ends[0] == ends[1]


@rule("M2.independent", "M2.reveal")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_it_is_learned_when_horse_or_its_colour_is_activated(watcher: int | None) -> None:
    """Its colour tells it as well, as horse either acts with it or does not; another tells nothing."""
    for line, value in zip(ALONE, ("attack", "detached"), strict=True):
        state = placed(line, before="red=stand")
        assert orders(seen(run(state, "activate orange"), watcher), "roman-horse") == ["unmarked"]
        play = do(state, "activate red")
        assert orders(seen(play.state, watcher), "roman-horse") == [value]
        told = [event.values for event in play.events if event.key == "event.detached"]
        assert told == ([{"group": "roman-horse"}] if line else [])
    play = do(state, "activate roman-horse")
    assert orders(seen(play.state, watcher), "roman-horse") == ["detached"]
    assert play.sealed


@rule("M2.independent", "M2.reveal")
@pytest.mark.parametrize(("lines", "value"), [((), "attack"), (("lay punic-horse attack",), "detached")])
def test_it_is_learned_when_one_of_them_is_attacked(lines: tuple[str, ...], value: str) -> None:
    state = battle("A LEGION 0505", "X CAV 0504; Y CAV 0900; V HI 0901", orders="white=stand", reserves=True)
    state = go_on(at(state, BeginPlacing(), Placing(CARTHAGE), EndPlacing())).state
    state = combats(run(state, *lines, "done"), "red")
    assert orders(seen(state, ROME), "punic-horse") == ["unmarked"]
    after = run(state, "attack A X", dice=[4])  # +1, and -1 if it stands: 4 or 5, engaged
    assert orders(seen(after, ROME), "punic-horse") == [value]


@rule("M2.independent", "M2.reveal")
def test_an_attack_on_foot_tells_nothing_of_its_horse() -> None:
    state = battle("A LEGION 0505", "X HI 0504; Y CAV 0900", orders="white=stand", reserves=True)
    after = run(combats(state, "red"), "attack A X", dice=[5])
    assert orders(seen(after, ROME), "white", "punic-horse") == ["stand", "unmarked"]


@rule("M2.independent", "M2.reveal")
def test_the_odds_count_horse_as_with_its_colour_or_under_attack() -> None:
    """A marker of the colour that lies face up says -1, Attack says nothing: half and half."""
    state = battle("A LEGION 0505", "X CAV 0504", orders="white=stand", shown="white", reserves=True)
    view = seen(combats(state, "red"), ROME)
    (action,) = legal(view)
    assert ("M2.reveal", 0) in {(term.clause, term.value) for term in action.terms(view)}
    cases = METAURUS.cases(view, ROME, action, Random(1))
    found = [(part, orders(case, "white", "punic-horse")) for part, case in cases]
    assert found == [(Fraction(1, 2), ["stand", "attack"]), (Fraction(1, 2), ["stand", "detached"])]
    state = battle("A LEGION 0505", "X CAV 0504", orders="white=stand", reserves=True)
    cases = METAURUS.cases(seen(combats(state, "red"), ROME), ROME, action, Random(1))
    assert sum(part for part, _ in cases) == 1
    assert [part for part, _ in cases] == [Fraction(1, 8)] * 4 + [Fraction(1, 2)]
    under = [ORDERS[order_of(case, case.roster.index["X"])] for _, case in cases]
    assert under == [*MARKERS, "attack"]


@rule("M2.independent")
def test_with_its_colour_under_attack_the_order_of_horse_is_known_anyway() -> None:
    state = combats(battle("A LEGION 0505", "X CAV 0504", reserves=True), "red")
    view = seen(state, ROME)
    (action,) = legal(view)
    assert "M2.reveal" not in {term.clause for term in action.terms(view)}


@rule("M2.independent", "M2.reveal")
def test_a_guess_leaves_open_whether_horse_has_left_its_colour() -> None:
    state = placed("lay roman-horse attack", before="red=stand")
    rng, found = Random(5), set()
    for _ in range(40):
        full = METAURUS.guess(state, CARTHAGE, rng)
        assert seen(full, CARTHAGE) == seen(state, CARTHAGE)
        assert not list(METAURUS.invariants(full))
        found |= {*orders(full, "roman-horse")}
    assert found == {"attack", "detached"}
    known = run(state, "activate red")
    assert {orders(METAURUS.guess(known, CARTHAGE, rng), "roman-horse")[0] for _ in range(20)} == {"detached"}


@rule("M2.independent")
def test_the_counters_of_detached_horse_say_so_to_their_owner_and_others_once_it_is_known() -> None:
    state = placed("lay roman-horse attack", before="red=stand", shown="red")

    def badge(state: MetaurusState, seat: int | None) -> str:
        scene = METAURUS.scene(seen(state, seat), seat, "en")
        return next(piece.badge for piece in scene.pieces if piece.id == "D")

    assert (badge(state, ROME), badge(state, CARTHAGE), badge(state, None)) == ("Attack", "?", "?")
    state = run(state, "activate roman-horse")
    assert badge(state, CARTHAGE) == badge(state, None) == "Attack"
    look = METAURUS.look(seen(placed(before="red=stand"), CARTHAGE), CARTHAGE, "D", "en")
    assert look is not None
    assert "by itself" in look.lines[0][0]
    assert look.lines[0][1] == "M2.independent"


@rule("M2.reveal")
@pytest.mark.parametrize("value", [UNMARKED, DETACHED])
def test_an_order_that_a_colour_cannot_have_is_noticed(value: int) -> None:
    state = battle(ROMANS, PUNIC)
    state.order[NUMBER["red"]] = value
    assert [line.split(":")[0] for line in METAURUS.invariants(state)] == ["M2.reveal"]


@rule("M2.independent", "M2.reveal")
@pytest.mark.parametrize("lines", [(), ("lay punic-horse attack",)])
def test_an_attack_that_tells_whether_horse_follows_its_colour_is_not_undone(lines: tuple[str, ...]) -> None:
    """The marker of the colour is face up, so no marker is turned; yet the attacker learns something."""
    state = battle("A LEGION 0505", "X CAV 0504", orders="white=move", shown="white", reserves=True)
    state = go_on(at(state, BeginPlacing(), Placing(CARTHAGE), EndPlacing())).state
    state = combats(run(state, *lines, "done"), "red")
    assert orders(seen(state, ROME), "punic-horse") == ["unmarked"]
    play = do(state, "attack A X", dice=[4] if lines else [])  # else it is asked whether it falls back
    assert isinstance(decision(play.state), Fallback) == (not lines)
    assert play.sealed


@rule("M2.independent", "M2.reveal")
def test_nor_is_the_activation_of_a_colour_that_its_horse_follows() -> None:
    assert do(placed(), "activate red").sealed
    footmen = activations(battle("A LEGION 0511; B LEGION 0711 group=orange", PUNIC))
    assert not do(footmen, "activate red").sealed


@rule("M2.reveal", "M2.independent")
@pytest.mark.parametrize("watcher", WATCHERS)
def test_the_activation_of_a_colour_does_not_turn_the_marker_of_its_horse(watcher: int | None) -> None:
    state = placed("lay roman-horse stand", before="red=move")
    play = do(state, "activate red")
    assert orders(seen(play.state, watcher), "red", "roman-horse") == ["move", "hidden"]
    assert [event.values["group"] for event in play.events if event.key == "event.reveals"] == ["red"]
