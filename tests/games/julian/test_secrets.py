"""Secrets: hands and pool (J0.title), what spying and Credo make known, and questions that betray nothing."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import msgspec
import pytest

from legatus.games.julian.activation import Activation
from legatus.games.julian.combat import Combats, Defence, Fight
from legatus.games.julian.crises import Crisis, Feud
from legatus.games.julian.markers import Counter
from legatus.games.julian.reinforcement import Reinforcing
from legatus.games.julian.results import ATTACKER, Effects
from legatus.games.julian.setup import Opening
from legatus.games.julian.state import BARBARIAN, HIDDEN, MARKERS, ROMAN, SEATS, Battle, JulianState, other
from legatus.games.julian.stratagems import HandLimit, Stratagems
from legatus.games.julian.throws import Again
from legatus.kernel import Play, Step, legal, outcomes, parse_action
from legatus.kernel.codec import state_to_json
from legatus.kernel.words import LANGS
from tests.rules import rule

from .stage import JULIAN, at, campaign, do, go_on, legal_lines, run

AGENTES, CREDO, DUX, FEDERATE, IMPERIUM, MILITARY = range(6)
FIELD = "caesar-auxilia-1 0304; caesar-auxilia-2 0304; alamanni-warband-1 0305; alamanni-warband-2 0305"
FIELD += "; salii-band-1 0201"
SEAT = {"roman": ROMAN, "barbarian": BARBARIAN, "spectator": None}
NOTHING = [0] * 6


def position(
    roman: str = "", barbarian: str = "", step: Step | None = None, dice: tuple[int, ...] = (), **more: object
) -> JulianState:
    """An operations phase of the Roman, at a question."""
    more.setdefault("acting", "caesar")
    state = campaign(FIELD, hands=(roman, barbarian), drawn="equitum", **more)  # type: ignore[arg-type]
    return go_on(at(state, step or Reinforcing(ROMAN)), dice).state  # type: ignore[no-any-return]


def seen(state: JulianState, seat: int | None) -> JulianState:
    return JULIAN.view(state, seat)


def drawn(state: JulianState, seat: int | None) -> bytes:
    """All that a seat reads of a position: the scene in both languages and a closer look at everything."""
    view = seen(state, seat)
    looks = [JULIAN.look(view, seat, unit.id, lang) for unit in state.roster.units for lang in LANGS]
    return msgspec.json.encode([[JULIAN.scene(view, seat, lang) for lang in LANGS], looks])


def heard(play: Play, seat: int | None) -> list[object]:
    """What was told to a seat, or to everybody."""
    return [event for event in play.events if event.to is None or (seat is not None and event.to == seat)]


# --- hands ---------------------------------------------------------------------------------------


@rule("J0.title")
def test_a_player_sees_his_own_hand_and_the_number_of_the_others_markers() -> None:
    state = position("agentes dux dux", "military credo")
    view = seen(state, ROMAN)
    assert view.hands[ROMAN] == [1, 0, 2, 0, 0, 0, 0]
    assert view.hands[BARBARIAN] == [0, 0, 0, 0, 0, 0, 2]
    view = seen(state, BARBARIAN)
    assert view.hands[ROMAN] == [0, 0, 0, 0, 0, 0, 3]
    assert view.hands[BARBARIAN] == [0, 1, 0, 0, 0, 1, 0]


@rule("J0.title")
def test_a_spectator_sees_numbers_only() -> None:
    state = position("agentes dux dux", "military credo")
    state.known = [[0, 1, 0, 0, 0, 1], [1, 0, 2, 0, 0, 0]]  # both have spied
    view = seen(state, None)
    assert [row[HIDDEN] for row in view.hands] == [3, 2]
    assert [row[:HIDDEN] for row in view.hands] == [NOTHING, NOTHING]
    assert view.known == [NOTHING, NOTHING]
    assert view.pool == list(state.roster.pool)


@rule("J0.title")
def test_what_cannot_be_told_is_counted_with_the_pool() -> None:
    state = position("agentes dux dux", "military credo")
    assert seen(state, ROMAN).pool == [5, 4, 3, 6, 4, 7]
    assert seen(state, BARBARIAN).pool == [6, 3, 5, 6, 4, 6]
    state.known[ROMAN] = [0, 0, 0, 0, 0, 1]
    assert seen(state, ROMAN).pool == [5, 4, 3, 6, 4, 6]
    assert seen(state, ROMAN).hands[BARBARIAN] == [0, 0, 0, 0, 0, 1, 1]


@rule("J0.title")
@pytest.mark.parametrize("watcher", [BARBARIAN, None])
def test_hands_of_one_size_look_alike(watcher: int | None) -> None:
    states = [position(f"{name} dux", "military") for name in MARKERS]
    assert len({state_to_json(seen(state, watcher)) for state in states}) == 1
    assert len({drawn(state, watcher) for state in states}) == 1
    assert len({drawn(state, ROMAN) for state in states}) == len(MARKERS)
    larger = position("military dux dux", "military")
    assert drawn(larger, watcher) != drawn(states[0], watcher)


@rule("J0.title")
def test_a_view_of_a_view_is_the_same_and_looking_changes_nothing() -> None:
    state = position("agentes dux", "military credo")
    state.known[ROMAN] = [0, 1, 0, 0, 0, 0]
    before = state.copy()
    for seat in (ROMAN, BARBARIAN, None):
        view = seen(state, seat)
        assert seen(view, seat) == view
        assert state == before


# --- what is known of a hand ---------------------------------------------------------------------


@rule("JS.agentes.1")
def test_who_has_spied_knows_that_hand_and_nobody_else_does() -> None:
    state = run(position("agentes", "dux military military"), "spy", "pass")
    assert seen(state, ROMAN).hands[BARBARIAN] == [0, 0, 1, 0, 0, 2, 0]
    assert seen(state, None).hands[BARBARIAN][HIDDEN] == 3
    assert seen(state, BARBARIAN).hands[ROMAN] == [0] * 7  # he has none left
    assert state.known[BARBARIAN] == NOTHING


@rule("JS.agentes.1", "J0.title")
def test_what_is_drawn_later_is_not_known() -> None:
    state = run(position("agentes", "dux"), "spy", "pass")
    state.operating = False
    state = go_on(at(state, Stratagems(BARBARIAN))).state
    state = run(state, "roll-markers", "pass", dice=[4, MILITARY, DUX])
    assert seen(state, ROMAN).hands[BARBARIAN] == [0, 0, 1, 0, 0, 0, 2]


@rule("J0.discard", "JS.agentes.1")
def test_what_has_left_the_hand_is_known_no_more() -> None:
    state = run(position("agentes agentes", "agentes agentes dux"), "spy", "pass")
    assert state.known[ROMAN] == [2, 0, 1, 0, 0, 0]
    state = run(state, "spy", "annul")
    assert state.known[ROMAN] == [1, 0, 1, 0, 0, 0]
    assert seen(state, ROMAN).hands[BARBARIAN] == [1, 0, 1, 0, 0, 0, 0]


@rule("J0.discard")
def test_a_marker_of_which_nothing_was_known_leaves_nothing_to_know() -> None:
    state = run(position("agentes agentes", "agentes dux"), "spy", "annul")
    assert state.known == [NOTHING, NOTHING]
    assert not list(JULIAN.invariants(state))


@rule("J0.discard")
def test_what_is_returned_or_discarded_is_shown_to_all() -> None:
    state = campaign(hands=("", "military " * 7 + "dux dux"), operating=False)
    state.known[ROMAN][DUX] = 2
    play = do(go_on(at(state, HandLimit(BARBARIAN))).state, "discard dux")
    (event,) = play.events
    assert (event.to, event.values["marker"]) == (None, "dux")
    assert play.state.known[ROMAN][DUX] == 1
    state = campaign(hands=("", "dux"), operating=False)
    play = do(go_on(at(state, Feud(BARBARIAN))).state, "quarrel franks", [DUX])
    (event,) = [event for event in play.events if event.key == "event.returns"]
    assert (event.to, event.values) == (None, {"side": "barbarian", "markers": ("dux",)})
    assert play.state.pool == list(play.state.roster.pool)
    play = do(go_on(at(campaign(operating=False), Feud(BARBARIAN))).state, "quarrel franks")
    assert (play.events[-1].key, play.events[-1].to) == ("event.returns_nothing", None)


@rule("JS.credo.2", "JS.credo.2.give")
def test_both_know_what_was_stolen_and_given() -> None:
    state = position("credo dux", "agentes military federate")
    state.known = [[1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 0]]
    after = run(state, "steal", dice=[AGENTES, MILITARY])
    assert after.known == [[0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1]]
    assert seen(after, ROMAN).hands[BARBARIAN] == [0, 1, 0, 0, 0, 0, 1]
    assert seen(after, BARBARIAN).hands[ROMAN] == [1, 0, 0, 0, 0, 1, 1]
    assert [row[HIDDEN] for row in seen(after, None).hands] == [3, 2]


@rule("JS.credo.2")
def test_a_spectator_is_not_told_what_was_stolen() -> None:
    plays = [
        do(position("credo", "agentes military federate"), "steal", [first, second])
        for first, second in ((AGENTES, MILITARY), (FEDERATE, AGENTES))
    ]
    assert heard(plays[0], None) == heard(plays[1], None)
    assert drawn(plays[0].state, None) == drawn(plays[1].state, None)
    for seat in (ROMAN, BARBARIAN):
        (event,) = [event for event in plays[0].events if event.to == seat]
        assert (event.clause, event.key) == ("JS.credo.2", "event.stolen")
        assert event.values == {"markers": ("agentes", "military")}


@rule("JS.credo.2.give")
def test_everybody_sees_what_is_handed_over() -> None:
    play = do(position("imperium", "dux"), "steal imperium", [DUX])
    (event,) = [event for event in play.events if event.clause == "JS.credo.2.give"]
    assert (event.to, event.values) == (None, {"side": "barbarian", "marker": "imperium"})


# --- drawing -------------------------------------------------------------------------------------


DRAWS = {
    "bought": ("roman", Stratagems(ROMAN), "buy-marker", [], 1),
    "by Credo": ("roman", Stratagems(ROMAN), "play-credo", [], 2),
    "rolled for": ("barbarian", Stratagems(BARBARIAN), "roll-markers", [6], 3),
}


@rule("J0.title", "JS.credo.1", "JH.stratagem_phase")
@pytest.mark.parametrize("name", list(DRAWS))
def test_only_who_draws_sees_what(name: str) -> None:
    who, step, line, dice, number = DRAWS[name]
    hands = ("credo", "") if who == "roman" else ("", "")
    plays = []
    for marker in (MILITARY, FEDERATE):
        state = go_on(at(campaign(hands=hands, operating=False), step)).state
        plays.append(do(state, line, [*dice, *[marker] * number]))
    seat = SEATS.index(who)
    for watcher in (other(seat), None):
        assert heard(plays[0], watcher) == heard(plays[1], watcher)
        assert seen(plays[0].state, watcher) == seen(plays[1].state, watcher)
        assert drawn(plays[0].state, watcher) == drawn(plays[1].state, watcher)
    assert heard(plays[0], seat) != heard(plays[1], seat)
    (event,) = [event for event in plays[0].events if event.to is not None]
    assert (event.to, event.values) == (seat, {"markers": ("military",) * number})
    (event,) = [event for event in plays[0].events if event.key == "event.draws"]
    assert (event.to, event.values) == (None, {"side": who, "number": number})
    assert all(play.sealed for play in plays)


@rule("J0.title", "JH.pool")
def test_nor_of_an_opening_hand() -> None:
    plays = [go_on(at(campaign(operating=False), Opening()), [1, 1, mine, 1, DUX]) for mine in (DUX, CREDO)]
    for watcher in (BARBARIAN, None):
        assert heard(plays[0], watcher) == heard(plays[1], watcher)
        assert seen(plays[0].state, watcher) == seen(plays[1].state, watcher)


@rule("J0.title", "JC.DD.4")
def test_nor_of_a_marker_won_in_a_combat() -> None:
    state = campaign(FIELD, hands=("dux", "dux"), acting="caesar")
    index, cells = state.roster.index, state.roster.grid.cells
    men, foes = (index["caesar-auxilia-1"],), (index["alamanni-warband-1"],)
    battle = Battle(ROMAN, cells["0305"], men, (cells["0304"],), foes)
    prize = Effects(battle, "draw", "JC.DD.4", ATTACKER, 1)
    plays = [go_on(at(state, prize), [marker]) for marker in (MILITARY, FEDERATE)]
    assert heard(plays[0], BARBARIAN) == heard(plays[1], BARBARIAN)
    assert seen(plays[0].state, BARBARIAN) == seen(plays[1].state, BARBARIAN)
    assert heard(plays[0], ROMAN) != heard(plays[1], ROMAN)


@rule("JS.agentes.1")
def test_what_a_spy_sees_is_told_to_nobody_else() -> None:
    plays = [do(run(position("agentes", hand_), "spy"), "pass") for hand_ in ("dux dux", "credo military")]
    for watcher in (BARBARIAN, None):
        assert heard(plays[0], watcher) == heard(plays[1], watcher) == []
    assert drawn(plays[0].state, None) == drawn(plays[1].state, None)
    assert [event.to for event in plays[0].events] == [ROMAN]
    assert plays[0].sealed  # it cannot be taken back


@rule("J0.discard", "JS.imperium.1")
def test_what_is_played_everybody_sees() -> None:
    play = do(position("imperium"), "spy imperium")
    assert [event.to for event in play.events if event.key in ("event.spies", "event.wild")] == [None, None]


# --- questions that betray nothing ---------------------------------------------------------------

# each reaction: who is asked, how it comes about, and what could be answered
WINDOWS = {
    "counter-spying": (BARBARIAN, Reinforcing(ROMAN), ("spy",), ("agentes", "imperium")),
    "against a Federate": (BARBARIAN, Activation(ROMAN), ("call-along salii",), ("agentes", "imperium")),
    "in defence": (BARBARIAN, Combats(ROMAN), ("attack 0305", "fight"), ("military", "imperium")),
    "re-roll": (BARBARIAN, Crisis(), (), ("imperium",)),
}
QUESTIONS = {
    "counter-spying": Counter,
    "against a Federate": Counter,
    "in defence": Defence,
    "re-roll": Again,
}


def window(name: str, held: str) -> JulianState:
    """The position after which a reaction may be asked for; the Roman has had his Imperium."""
    _, step, lines, _ = WINDOWS[name]
    state = campaign(FIELD, hands=("agentes federate military", held), acting="caesar", turn=2)
    state.imperium = [1, 0]
    state.operating = not isinstance(step, Crisis)
    state = go_on(at(state, step, HandLimit(ROMAN)), [4] if isinstance(step, Crisis) else []).state
    return run(state, *lines)


@rule("JH.windows", "JS.imperium.2")
@pytest.mark.parametrize("name", list(WINDOWS))
@pytest.mark.parametrize("held", MARKERS)
def test_who_holds_any_marker_is_asked(name: str, held: str) -> None:
    seat, _, _, fitting = WINDOWS[name]
    state = window(name, held)
    decision = state.decision
    assert isinstance(decision, QUESTIONS[name])
    assert decision.seat == seat
    answers = [line for line in legal_lines(state) if line != "pass"]
    assert bool(answers) == (held in fitting)
    assert "pass" in legal_lines(state)


@rule("JH.windows")
@pytest.mark.parametrize("name", list(WINDOWS))
@pytest.mark.parametrize("watcher", [ROMAN, None])
def test_the_question_looks_the_same_whatever_he_holds(name: str, watcher: int | None) -> None:
    states = [window(name, held) for held in MARKERS]
    assert len({state_to_json(seen(state, watcher)) for state in states}) == 1
    assert len({drawn(state, watcher) for state in states}) == 1
    decisions = [state.decision for state in states]
    assert all(decision == decisions[0] for decision in decisions)
    prompts = {str(decisions[0].prompt(state)) for state in states if decisions[0] is not None}
    assert len(prompts) == 1


@rule("JH.windows")
@pytest.mark.parametrize("name", list(WINDOWS))
def test_and_a_pass_tells_nothing(name: str) -> None:
    """Whether he could not or would not."""
    dice = [4] if name == "in defence" else []
    plays = [do(window(name, held), "pass", dice) for held in MARKERS]
    for watcher in (ROMAN, None):
        if name == "counter-spying" and watcher == ROMAN:
            continue  # now he sees the hand
        assert all(heard(play, watcher) == heard(plays[0], watcher) for play in plays)
        assert all(seen(play.state, watcher) == seen(plays[0].state, watcher) for play in plays)


@rule("JH.windows")
@pytest.mark.parametrize("name", list(WINDOWS))
def test_who_holds_none_is_not_asked(name: str) -> None:
    if name == "in defence":
        state = campaign(FIELD, hands=("military", ""), acting="caesar")
        play = do(run(go_on(at(state, Combats(ROMAN))).state, "attack 0305"), "fight", [4])
        assert not isinstance(play.state.decision, Defence)
    else:
        decision = window(name, "").decision
        assert not isinstance(decision, QUESTIONS[name])


@rule("JH.windows")
@pytest.mark.parametrize("name", list(WINDOWS))
@pytest.mark.parametrize("held", ["agentes", "imperium", "military"])
def test_who_is_asked_knows_from_his_view_what_he_may_do(name: str, held: str) -> None:
    state = window(name, held)
    view = seen(state, BARBARIAN)
    assert view.decision == state.decision
    assert legal(view) == legal(state)


@rule("JH.windows", "JS.imperium.2")
def test_whether_one_is_asked_for_a_re_roll_does_not_hang_on_what_is_known_of_him() -> None:
    """Not even if the other has seen that he holds no Imperium."""
    state = campaign(hands=("", "dux"), operating=False, turn=2)
    state.known[ROMAN] = [0, 0, 1, 0, 0, 0]
    state = go_on(at(state, Crisis()), [4]).state
    assert state.decision == Again(BARBARIAN)


# --- guesses -------------------------------------------------------------------------------------


@rule("J0.title")
@pytest.mark.parametrize("seat", [ROMAN, BARBARIAN])
def test_a_guess_deals_what_is_hidden_anew_and_keeps_what_is_known(seat: int) -> None:
    state = position("agentes dux", "military credo")
    state.known = [[0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]
    rng, found = Random(7), set()
    kept = (CREDO, DUX)[seat]
    for n in range(200):
        full = JULIAN.guess(state if n % 2 else seen(state, seat), seat, rng)
        assert seen(full, seat) == seen(state, seat)
        assert full.hands[seat] == state.hands[seat]
        theirs = full.hands[other(seat)]
        assert (sum(theirs), theirs[HIDDEN]) == (2, 0)
        assert theirs[kept] >= 1
        assert not list(JULIAN.invariants(full))
        theirs[kept] -= 1
        (dealt,) = [marker for marker, count in enumerate(theirs) if count]
        found.add(dealt)
    assert found == set(range(6))


@rule("J0.title")
def test_a_guess_deals_no_marker_that_the_seat_holds_itself() -> None:
    state = position("imperium imperium imperium imperium", "dux dux")
    rng = Random(1)
    for _ in range(50):
        assert JULIAN.guess(state, ROMAN, rng).hands[BARBARIAN][IMPERIUM] == 0


@rule("JH.windows", "JH.combat")
def test_the_odds_of_an_attack_are_those_without_a_military_of_the_defender() -> None:
    tables = []
    for held in ("", "military", "dux imperium"):
        state = run(position("military", held, Combats(ROMAN)), "attack 0305")
        view = seen(state, ROMAN)
        ((weight, full),) = JULIAN.cases(view, ROMAN, Fight(), Random(3))
        assert weight == Fraction(1)
        assert sum(full.hands[BARBARIAN]) == 0
        assert full.hands[ROMAN] == state.hands[ROMAN]
        assert not list(JULIAN.invariants(full))
        results = [after.result for _, after in outcomes(full, Fight(), alone=True)]
        assert len(set(results)) > 3, "the die has been thrown: nobody is asked before it"
        tables.append(sorted(results))
    assert tables[0] == tables[1] == tables[2]


@rule("J0.title")
def test_the_odds_of_anything_else_are_reckoned_on_a_guess() -> None:
    state = run(position("military", "dux dux", Combats(ROMAN)), "attack 0305")
    action = parse_action(JULIAN, "hold-back caesar-auxilia-1")
    ((_, full),) = JULIAN.cases(seen(state, ROMAN), ROMAN, action, Random(3))
    assert sum(full.hands[BARBARIAN]) == 2
    assert full.hands[BARBARIAN][HIDDEN] == 0


# --- invariants ----------------------------------------------------------------------------------


def broken(state: JulianState) -> list[str]:
    return [line.split(":")[0] for line in JULIAN.invariants(state)]


@rule("J0.title", "JH.pool")
def test_markers_that_are_nowhere_or_face_down_are_noticed() -> None:
    state = position("dux", "military")
    assert broken(state) == []
    assert "J0.title" in broken(seen(state, ROMAN))
    lost = state.copy()
    lost.pool[CREDO] -= 1
    assert broken(lost) == ["JH.pool"]
    lost = state.copy()
    lost.hands[ROMAN][CREDO] -= 1
    lost.pool[CREDO] += 1
    assert "J0.title" in broken(lost)


@rule("JS.agentes.1", "JH.treasury")
def test_knowing_more_than_there_is_and_debts_are_noticed() -> None:
    state = position("dux", "military")
    state.known[ROMAN][MILITARY] = 1
    assert broken(state) == []
    state.known[ROMAN][MILITARY] = 2
    assert broken(state) == ["JS.agentes.1"]
    state.known[ROMAN][MILITARY], state.tp = 0, -1
    assert broken(state) == ["JH.treasury"]


@rule("J0.title")
def test_a_hand_is_told_by_its_markers_in_the_scene() -> None:
    state = position("agentes", "dux military")
    state.known[ROMAN][DUX] = 1
    kinds = {
        watcher: sorted((card.side, card.kind) for card in JULIAN.scene(seen(state, seat), seat, "en").cards)
        for watcher, seat in SEAT.items()
    }
    assert kinds["roman"] == [(0, "stratagem"), (1, "back"), (1, "stratagem")]
    assert kinds["barbarian"] == [(0, "back"), (1, "stratagem"), (1, "stratagem")]
    assert kinds["spectator"] == [(0, "back"), (1, "back"), (1, "back")]
