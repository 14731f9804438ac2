"""7 Combat results: every effect of the seven results in its order, on several forces each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from legatus.games.julian import JULIAN
from legatus.games.julian.combat import Gathering
from legatus.games.julian.markers import Pass
from legatus.games.julian.pursuit import Pursuit
from legatus.games.julian.results import CARD, RESULTS, Losses
from legatus.games.julian.retreat import Retreating
from legatus.games.julian.state import BARBARIAN, ROMAN, SEATS, JulianState
from legatus.games.julian.throws import Again
from legatus.kernel import NeedLuck, Play, Scripted, apply
from legatus.kernel.engine import _advance
from tests.rules import rule

from .stage import at, campaign, clauses, do, fought, go_on, hand, legal_lines, run, told, where

ROMANS, BARBARIANS = "caesar equitum peditum", "alamanni southern franks"
C, A, E, L = "caesar-comitatenses-{}", "caesar-auxilia-{}", "caesar-equites-{}", "equitum-limitanei-{}"
R, W, S = "franks-retinue-{}", "franks-warband-{}", "franks-raiders-{}"


def units(kinds: str, side: int = ROMAN) -> list[str]:
    """``CCA`` are two comitatenses and an auxilia; ``RW`` a retinue and a warband."""
    sample = {"C": C, "A": A, "E": E, "L": L} if side == ROMAN else {"R": R, "W": W, "S": S}
    return [sample[kind].format(kinds[: n + 1].count(kind)) for n, kind in enumerate(kinds)]


def battle(
    result: str,
    attackers: str,
    defenders: str,
    *,
    seat: int = ROMAN,
    cells: tuple[str, ...] = ("0105",),
    hex_: str = "0205",
    more: str = "",
    **settings: Any,
) -> JulianState:
    """A combat in 0205, on open ground, with this result; its effects are still to be carried out."""
    ours, theirs = units(attackers, seat), units(defenders, 1 - seat)
    placed = [f"{name} {cells[n % len(cells)]}" for n, name in enumerate(ours)]
    placed += [f"{name} {hex_}" for name in theirs]
    settings = {"active": SEATS[seat], "acting": (ROMANS, BARBARIANS)[seat], **settings}
    return fought(campaign("; ".join([*placed, more]), **settings), result, hex_, *ours)


def through(state: JulianState, dice: Sequence[int] = ()) -> Play:
    """Go on; nobody has a die thrown again."""
    scripted = Scripted(dice)
    play = _advance(Play(state.copy(), scripted))
    events = play.events
    while isinstance(play.state.decision, Again):
        play = apply(play.state, Pass(), scripted)
        events += play.events
    assert not scripted.unused
    play.events = events
    return play


def gone(state: JulianState, names: Sequence[str]) -> list[str]:
    return [name for name in names if where(state, name) == "pool"]


def parts(play: Play) -> list[str]:
    """The clauses of what was told, each once in a row."""
    found: list[str] = []
    for event in play.events:
        if event.to is None and event.clause != (found or [""])[-1]:
            found.append(event.clause)
    return found


# --- the card ------------------------------------------------------------------------------------

SUMMARY = {  # loser, loss, retreat, who chooses the way, pursuit, the winner draws, the loser returns
    "AC": ("attacker", "all", None, None, 0, 2, 2),
    "AR": ("attacker", "half", "die", "defender", 0, 1, 1),
    "AD": ("attacker", "half", 1, "attacker", 0, 1, 1),
    "BB": ("weaker", "all", None, None, 1, 0, 0),
    "DD": ("defender", "half", 1, "defender", 1, 1, 1),
    "DR": ("defender", "half", "die", "attacker", 1, 1, 1),
    "DC": ("defender", "all", None, None, 2, 2, 2),
}
ROLES = ("attacker", "defender")


@rule("JC.summary", "JC.AC.0", "JC.AR.0", "JC.AD.0", "JC.BB.0", "JC.DD.0", "JC.DR.0", "JC.DC.0", "JC.0")
@pytest.mark.parametrize("result", SUMMARY)
def test_the_card_says_what_the_summary_says(result: str) -> None:
    loser, loss, retreat, by, pursue, draws, returns = SUMMARY[result]
    effects = {what: (role, number) for what, _, role, number in CARD[result]}
    if loser == "weaker":
        assert set(effects) == {"bloodbath", "pursue"}
    else:
        assert effects[str(loss)][0] == ROLES.index(loser)
    role, hexes = effects.get("rout", effects.get("retreat", (None, None)))
    if retreat is None:
        assert role is None
    else:
        assert ROLES[role or 0] == loser
        assert ("die" if "rout" in effects else hexes) == retreat
        chooser = 1 - (role or 0) if "rout" in effects else role or 0
        assert ROLES[chooser] == by
    assert effects.get("pursue", (0, 0)) == (0, pursue)
    assert effects.get("draw", (0, 0))[1] == draws
    assert effects.get("return", (0, 0))[1] == returns
    if draws:
        assert ROLES[1 - effects["draw"][0]] == ROLES[effects["return"][0]] == loser
    assert ("delay" in effects) == (result == "AC")


@rule("JC.0")
@pytest.mark.parametrize("result", RESULTS)
def test_the_effects_have_their_printed_order(result: str) -> None:
    numbered = [part for _, part, _, _ in CARD[result]]
    assert numbered == sorted(numbered)
    assert all(part.startswith(f"JC.{result}.") for part in numbered)


# --- AC ------------------------------------------------------------------------------------------

FORCES = ["C", "CCA", "AE", "LL", "CAEL"]


@rule("JC.AC.0", "JC.AC.1", "JC.AC.1.delay", "JC.0")
@pytest.mark.parametrize("attackers", FORCES)
def test_ac_eliminates_all_attackers(attackers: str) -> None:
    state = battle("AC", attackers, "WW", cells=("0105", "0304"), more=f"{A.format(3)} 0105")
    field = set(attackers) & set("CA")
    dice = [1] * len(attackers) + ([0, 0] if field else [])
    play = through(state, dice)
    assert gone(play.state, units(attackers)) == units(attackers)
    assert where(play.state, A.format(3)) == "0105"  # it did not attack
    assert [where(play.state, name) for name in units("WW", BARBARIAN)] == ["0205", "0205"]
    assert play.state.decision is None


@rule("JC.AC.2", "JC.AC.3", "JC.0")
def test_ac_moves_two_markers_each_way_in_this_order() -> None:
    state = battle("AC", "CA", "W", hands=("dux dux credo", "agentes"))
    play = through(state, [1, 1, 5, 5, 2, 1])  # two delays; two Military; a Dux and the Credo
    assert hand(play.state, "barbarian") == {"agentes": 1, "military": 2}
    assert hand(play.state, "roman") == {"dux": 1}
    assert parts(play) == ["JC.AC.1", "JH.15_10", "JC.AC.2", "JC.AC.3"]


@rule("JC.AC.3")
@pytest.mark.parametrize(("held", "drawn"), [("", []), ("dux", [2]), ("dux dux", [2, 2])])
def test_who_has_fewer_returns_all(held: str, drawn: list[int]) -> None:
    state = battle("AC", "C", "W", hands=(held, ""))
    play = through(state, [1, 0, 0, *drawn])
    assert hand(play.state, "roman") == {}
    assert hand(play.state, "barbarian") == {"agentes": 2}
    key = "event.returns" if held else "event.returns_nothing"
    assert ("JC.AC.3", key) in told(play)


@rule("JC.AC.2")
def test_an_empty_pool_gives_nothing_and_what_is_returned_is_not_drawn() -> None:
    state = battle("AC", "C", "W", hands=("dux dux", ""))
    state.pool = [0, 0, 0, 1, 0, 0]
    play = through(state, [1, 3, 2, 2])
    assert hand(play.state, "barbarian") == {"federate": 1}
    assert play.state.pool == [0, 0, 2, 0, 0, 0]


@rule("JC.AC.1", "JC.AC.2", "JC.AC.3")
def test_ac_of_barbarians() -> None:
    state = battle("AC", "RW", "C", seat=BARBARIAN, hands=("", "dux"))
    play = through(state, [1, 1, 0, 0, 2])
    assert gone(play.state, units("RW", BARBARIAN)) == units("RW", BARBARIAN)
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({"agentes": 2}, {})
    assert where(play.state, C.format(1)) == "0205"


# --- delays --------------------------------------------------------------------------------------


@rule("JH.15_10", "JC.AC.1.delay")
@pytest.mark.parametrize(
    ("face", "place", "due"),
    [
        (1, "pool", 0),
        (2, "pool", 0),
        (3, "delayed", 6),
        (4, "delayed", 6),
        (5, "delayed", 7),
        (6, "delayed", 7),
    ],
)
def test_when_a_unit_lost_by_a_catastrophe_comes_back(face: int, place: str, due: int) -> None:
    state = battle("AC", "L", "W", turn=5)
    after = go_on(state, [face]).state
    assert where(after, L.format(1)) == place
    assert after.due[after.roster.index[L.format(1)]] == due


@rule("JH.15_10")
def test_every_unit_has_a_die_of_its_own() -> None:
    after = go_on(battle("AC", "LLL", "W"), [1, 3, 5]).state
    assert [where(after, L.format(n)) for n in (1, 2, 3)] == ["pool", "delayed", "delayed"]
    assert [after.due[after.roster.index[L.format(n)]] for n in (1, 2, 3)] == [0, 2, 3]


@rule("JH.15_10", "JC.AC.1.delay")
@pytest.mark.parametrize("result", ["DC", "BB", "DD", "DR"])
def test_no_other_result_delays_anybody(result: str) -> None:
    play = go_on(battle(result, "LL", "W"))
    assert where(play.state, W.format(1)) == "pool"
    assert not [clause for clause, _ in told(play) if clause == "JH.15_10"]


@rule("JH.15_10", "JH.6_0")
@pytest.mark.parametrize("people", ["salii", "laeti", "burgundians"])
def test_federates_are_set_aside_and_roll_for_no_delay(people: str) -> None:
    units_ = f"{people}-band-1 0105; franks-warband-1 0205"
    state = campaign(units_, allies=f"{people}=roman", called=people)
    after = go_on(fought(state, "AC", "0205", f"{people}-band-1")).state
    assert where(after, f"{people}-band-1") == "aside"


@rule("JC.AC.1.delay", "JC.AC.3", "JS.imperium.2")
def test_a_delay_is_settled_before_markers_change_hands() -> None:
    """The Imperium that effect 3 takes away can still have it thrown again."""
    state = battle("AC", "C", "W", hands=("imperium", ""), turn=5)
    state = go_on(state, [6]).state
    assert "reroll" in legal_lines(state)
    assert hand(state, "barbarian") == {}
    play = do(state, "reroll", [1, 0, 0])
    assert where(play.state, C.format(1)) == "pool"
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({}, {"agentes": 2})


# --- leaders with their force --------------------------------------------------------------------


@rule("JC.DC.1", "JH.leaders")
@pytest.mark.parametrize("leaders", ["nebisgast", "nebisgast chnodomar"])
def test_dc_eliminates_leaders_with_the_force_that_they_lead(leaders: str) -> None:
    """Two warbands and their king: all are gone, and no die is thrown."""
    names = leaders.split()
    more = "; ".join(f"{name} 0205" for name in names)
    play = through(battle("DC", "E", "WW", more=more))
    assert gone(play.state, [*units("WW", BARBARIAN), *names]) == [*units("WW", BARBARIAN), *names]
    assert ("JC.DC.1", "event.destroyed") in told(play)


@rule("JC.AC.1", "JC.AC.1.delay", "JH.leaders")
def test_ac_eliminates_the_leaders_of_the_attackers_without_a_delay() -> None:
    more = "julian 0105; marcellus 0304; barbatio 0106"
    state = battle("AC", "LL", "WW", cells=("0105", "0304"), more=more)
    after = through(state, [6, 6]).state  # one die for each combat unit, none for the leaders
    assert [where(after, name) for name in units("LL")] == ["delayed", "delayed"]
    assert gone(after, ["julian", "marcellus", "barbatio"]) == ["julian", "marcellus"]


@rule("JC.AC.1", "JH.leaders")
@pytest.mark.parametrize("held", [E.format(1), "garrison-1", "peditum-limitanei-1"])
def test_a_leader_stacked_with_units_that_were_held_back_stays_with_them(held: str) -> None:
    state = battle("AC", "L", "WW", more=f"{held} 0105; julian 0105", acting="caesar equitum")
    after = through(state, [1]).state
    assert (where(after, held), where(after, "julian")) == ("0105", "0105")


@rule("JC.AC.1", "JH.leaders", "JH.retreat")
def test_a_leader_who_was_not_activated_did_not_count_and_throws_a_die() -> None:
    state = battle("AC", "L", "WW", more="barbatio 0105", acting="equitum")
    after = through(state, [2, 1]).state
    assert where(after, "barbatio") == "pool"  # by the die, not by the result
    state = go_on(battle("AC", "L", "WW", more="barbatio 0105", acting="equitum"), [3]).state
    assert where(run(state, "settle 0106", dice=[1]), "barbatio") == "0106"


@rule("JC.BB.1", "JC.BB.2", "JH.leaders")
def test_a_bloodbath_eliminates_the_leaders_of_the_weaker_side_and_of_equals() -> None:
    after = through(battle("BB", "CC", "W", more="julian 0105; nebisgast 0205")).state
    assert (where(after, "nebisgast"), where(after, "julian")) == ("pool", "0105")
    after = through(battle("BB", "E", "WW", more="julian 0105; nebisgast 0205")).state
    assert (where(after, "nebisgast"), where(after, "julian")) == ("0205", "pool")
    after = through(battle("BB", "E", "W", more="julian 0105; nebisgast 0205")).state
    assert (where(after, "nebisgast"), where(after, "julian")) == ("pool", "pool")


@rule("JC.BB.2", "JH.leaders", "JH.retreat")
def test_a_leader_whose_stronger_force_gives_up_its_last_unit_throws_a_die() -> None:
    after = through(battle("BB", "C", "W", more="julian 0105; nebisgast 0205"), [1]).state
    assert gone(after, [C.format(1), "julian", "nebisgast"]) == [C.format(1), "julian", "nebisgast"]
    state = through(battle("BB", "C", "W", more="julian 0105"), [3]).state
    assert state.decision is not None
    assert set(legal_lines(state)) == {"settle 0206", "settle 0106", "settle 0005", "settle 0204"}


@rule("JH.15_10", "JS.imperium.2")
def test_a_delay_may_be_thrown_again() -> None:
    state = battle("AC", "L", "W", hands=("imperium", ""), turn=5)
    state = go_on(state, [6]).state
    assert legal_lines(state) == ["reroll", "pass", "spy imperium"]
    assert where(run(state, "reroll", dice=[1]), L.format(1)) == "pool"
    assert where(run(state, "pass"), L.format(1)) == "delayed"


# --- half losses ---------------------------------------------------------------------------------

HALVES = {  # what is involved: the points to lose, and all that may be lost for them
    "CC": (4, "C"),
    "CA": (4, "C AC"),
    "CCA": (6, "CC AC"),
    "AAE": (4, "AA AE"),
    "CL": (3, "C CL"),
    "LL": (1, "L"),
    "LLL": (2, "LL"),
    "CAEL": (5, "AC CE CL AE ACL CEL AEL"),
}


def all_losses(state: JulianState, force: str) -> set[str]:
    """The kinds that can be lost, whatever is taken off first."""
    if not isinstance(state.decision, Losses):
        lost = [kind for kind, name in zip(force, units(force), strict=True) if where(state, name) == "pool"]
        return {"".join(sorted(lost))}
    found: set[str] = set()
    for name in index_of(state):
        found |= all_losses(until_luck(state, f"lose {name}"), force)
    return found


def index_of(state: JulianState) -> list[str]:
    decision = state.decision
    assert isinstance(decision, Losses)
    return [state.roster.units[i].id for i in decision.units]


def until_luck(state: JulianState, line: str) -> JulianState:
    """An action whose luck does not matter: whatever is thrown or drawn afterwards is a 1."""
    dice: list[int] = []
    while True:
        try:
            return do(state, line, dice).state
        except NeedLuck as need:
            dice.append(1 if not need.luck.weights else need.luck.weights.index(max(need.luck.weights)))


@rule("JC.losses", "JC.AD.1", "JC.AR.1")
@pytest.mark.parametrize("force", HALVES)
@pytest.mark.parametrize("result", ["AD", "AR"])
def test_half_of_the_attackers_are_lost_rounded_up(result: str, force: str) -> None:
    state = go_on(battle(result, force, "S", cells=("0105", "0304"))).state
    points, lost = HALVES[force]
    decision = state.decision
    assert isinstance(decision, Losses)
    assert (decision.seat, decision.points, decision.part) == (ROMAN, points, f"JC.{result}.1")
    assert all_losses(state, force) == set(lost.split())


@rule("JC.losses", "JC.DD.1", "JC.DR.1")
@pytest.mark.parametrize(("force", "points"), [("RW", 3), ("RWW", 4), ("WWS", 3), ("SS", 1), ("RRWWS", 6)])
@pytest.mark.parametrize("result", ["DD", "DR"])
def test_half_of_the_defenders_are_lost_rounded_up(result: str, force: str, points: int) -> None:
    decision = go_on(battle(result, "CCA", force)).state.decision
    assert isinstance(decision, Losses)
    assert (decision.seat, decision.points, decision.part) == (BARBARIAN, points, f"JC.{result}.1")


@rule("JC.losses")
def test_strength_points_are_printed_ones_even_in_a_city() -> None:
    state = battle("DD", "CCA", "RW", hex_="0206", holders="tricasses=barbarian")
    decision = go_on(state).state.decision
    assert isinstance(decision, Losses)
    assert decision.points == 3


@rule("JC.losses")
def test_only_units_in_the_combat_are_lost() -> None:
    state = go_on(battle("AD", "CA", "W", more=f"{A.format(3)} 0105; garrison-1 0105")).state
    assert legal_lines(state) == [f"lose {name}" for name in units("CA")]
    for name in (A.format(3), "garrison-1", W.format(1), "nobody"):
        assert clauses(state, f"lose {name}") == ["JC.losses"]


@rule("JC.losses", "JC.AD.1")
def test_a_unit_alone_is_lost_whatever_half_of_it_is() -> None:
    play = go_on(battle("AD", "L", "S"))
    assert where(play.state, L.format(1)) == "pool"
    assert ("JC.AD.1", "event.destroyed") in told(play)


# --- AD ------------------------------------------------------------------------------------------


@rule("JC.AD.0", "JC.AD.1", "JC.AD.2", "JC.AD.3", "JC.AD.4", "JC.0")
def test_ad_in_its_order() -> None:
    state = battle("AD", "CAE", "W", hands=("dux dux", ""))
    play = do(go_on(state).state, "lose caesar-comitatenses-1")  # 4 of 9
    assert parts(play) == ["JC.AD.1"]
    play = do(play.state, "lose caesar-equites-1")
    decision = play.state.decision
    assert isinstance(decision, Retreating)
    assert (decision.seat, decision.part) == (ROMAN, "JC.AD.2")  # the attacker himself
    play = do(play.state, "fall-back caesar-auxilia-1 0005", dice=[5, 2])
    assert parts(play) == ["JC.AD.2", "JC.AD.3", "JC.AD.4"]
    assert where(play.state, "caesar-auxilia-1") == "0005"
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({"dux": 1}, {"military": 1})
    assert play.state.decision is None


@rule("JC.AD.2")
def test_ad_retreats_every_survivor_by_one_hex() -> None:
    state = run(go_on(battle("AD", "CAA", "W", cells=("0105", "0304"))).state, "lose caesar-comitatenses-1")
    state = run(state, "lose caesar-auxilia-2")  # 5 of 10
    assert where(state, "caesar-auxilia-1") == "0304"
    after = run(state, "fall-back caesar-auxilia-1 0303", dice=[0])
    assert where(after, "caesar-auxilia-1") == "0303"
    assert where(after, W.format(1)) == "0205"


# --- AR ------------------------------------------------------------------------------------------


@rule("JC.AR.0", "JC.AR.1", "JC.AR.2.roll", "JC.AR.2.path", "JC.AR.3", "JC.AR.4", "JC.0")
def test_ar_in_its_order() -> None:
    state = run(go_on(battle("AR", "CAE", "W", hands=("dux dux", ""))).state, "lose caesar-comitatenses-1")
    play = do(state, "lose caesar-auxilia-1", dice=[2])  # equites go two hexes
    decision = play.state.decision
    assert isinstance(decision, Retreating)
    assert (decision.seat, decision.part) == (BARBARIAN, "JC.AR.2.roll")  # the enemy chooses
    assert ("JC.AR.2.roll", "event.routs") in told(play)
    play = do(play.state, "fall-back caesar-equites-1 0005")
    play = do(play.state, "fall-back caesar-equites-1 0004", dice=[5, 2])
    assert parts(play) == ["JC.AR.2.roll", "JC.AR.3", "JC.AR.4"]
    assert where(play.state, "caesar-equites-1") == "0004"
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({"dux": 1}, {"military": 1})


@rule("JC.AR.2.roll")
def test_ar_throws_a_die_for_every_survivor() -> None:
    state = go_on(battle("AR", "AAEL", "W")).state  # 9 points, 5 to lose
    state = run(state, "lose caesar-auxilia-1")
    play = do(state, "lose caesar-auxilia-2", dice=[1, 3])
    routs = [event.values for event in play.events if event.key == "event.routs"]
    assert [(values["unit"], values["hexes"]) for values in routs] == [
        ("caesar-equites-1", 1),
        ("equitum-limitanei-1", 3),
    ]


@rule("JC.AR.2.roll", "JS.imperium.2.exception")
def test_the_dice_of_a_rout_are_not_thrown_again() -> None:
    state = go_on(battle("AR", "AE", "W", hands=("imperium", "imperium"))).state
    state = do(state, "lose caesar-auxilia-1", dice=[2]).state
    assert isinstance(state.decision, Retreating)


# --- BB ------------------------------------------------------------------------------------------

BATHS = [  # attackers, defenders, what the stronger side must lose, and whose it is
    ("CCA", "RW", 5, ROMAN),  # 11 to 5
    ("CC", "R", 3, ROMAN),
    ("CA", "RRW", 7, BARBARIAN),  # 7 to 8
    ("L", "RW", 1, BARBARIAN),
    ("AE", "RWS", 5, BARBARIAN),  # 5 to 6
]


@rule("JC.BB.0", "JC.BB.1", "JC.BB.2", "JC.losses")
@pytest.mark.parametrize(("attackers", "defenders", "points", "seat"), BATHS)
def test_in_a_bloodbath_the_weaker_side_dies_and_the_other_pays_as_much(
    attackers: str, defenders: str, points: int, seat: int
) -> None:
    state = go_on(battle("BB", attackers, defenders, hands=("dux", "dux"))).state
    weaker = units(defenders, BARBARIAN) if seat == ROMAN else units(attackers)
    assert gone(state, weaker) == weaker
    decision = state.decision
    assert isinstance(decision, Losses)
    assert (decision.seat, decision.points, decision.part) == (seat, points, "JC.BB.2")


@rule("JC.BB.1", "JC.BB.2")
@pytest.mark.parametrize(("attackers", "defenders"), [("A", "R"), ("CE", "RR"), ("CC", "RRW")])
def test_equals_lose_everything(attackers: str, defenders: str) -> None:
    play = go_on(battle("BB", attackers, defenders))
    assert gone(play.state, units(attackers)) == units(attackers)
    assert gone(play.state, units(defenders, BARBARIAN)) == units(defenders, BARBARIAN)
    assert play.state.decision is None


@rule("JC.BB.1")
def test_a_bloodbath_compares_printed_factors() -> None:
    """In a city of theirs 5 count 10, but the bloodbath asks for the printed 5."""
    state = go_on(battle("BB", "CA", "RW", hex_="0206", holders="tricasses=barbarian")).state
    assert gone(state, units("RW", BARBARIAN)) == units("RW", BARBARIAN)
    decision = state.decision
    assert isinstance(decision, Losses)
    assert (decision.seat, decision.points) == (ROMAN, 5)


@rule("JC.BB.2")
def test_the_stronger_side_loses_at_least_as_much_by_whole_units() -> None:
    state = go_on(battle("BB", "CCA", "RW")).state  # 5 of 11
    state = run(state, "lose caesar-comitatenses-1")
    decision = state.decision
    assert isinstance(decision, Losses)
    assert decision.points == 1
    state = run(state, "lose caesar-auxilia-1")
    assert where(state, "caesar-comitatenses-2") == "0105"
    assert isinstance(state.decision, Pursuit)


@rule("JC.BB.0", "JC.BB.3")
def test_a_bloodbath_moves_no_marker_and_lets_survivors_pursue_one_hex() -> None:
    state = run(go_on(battle("BB", "CA", "W", hands=("dux", "dux"))).state, "lose caesar-auxilia-1")
    decision = state.decision
    assert isinstance(decision, Pursuit)
    assert (decision.seat, decision.hexes, decision.part) == (ROMAN, 1, "JC.BB.3")
    play = do(state, "pursue caesar-comitatenses-1 0205")
    assert where(play.state, "caesar-comitatenses-1") == "0205"
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({"dux": 1}, {"dux": 1})
    assert play.state.decision is None


@rule("JC.BB.3")
def test_without_survivors_or_an_empty_hex_nobody_pursues() -> None:
    state = run(go_on(battle("BB", "A", "RW")).state, "lose franks-retinue-1")
    assert state.decision is None
    assert where(state, W.format(1)) == "0205"


# --- DD ------------------------------------------------------------------------------------------


@rule("JC.DD.0", "JC.DD.1", "JC.DD.2", "JC.DD.3", "JC.DD.4", "JC.DD.5", "JC.0")
def test_dd_in_its_order() -> None:
    state = go_on(battle("DD", "CC", "RW", hands=("", "dux dux"))).state
    play = do(state, "lose franks-retinue-1")
    assert parts(play) == ["JC.DD.1"]
    decision = play.state.decision
    assert isinstance(decision, Retreating)
    assert (decision.seat, decision.part) == (BARBARIAN, "JC.DD.2")  # the defender himself
    play = do(play.state, "fall-back franks-warband-1 0305")
    assert parts(play) == ["JC.DD.2"]
    pursuit = play.state.decision
    assert isinstance(pursuit, Pursuit)
    assert (pursuit.seat, pursuit.hexes, pursuit.part) == (ROMAN, 1, "JC.DD.3")
    play = do(play.state, "pursue caesar-comitatenses-1 0205")
    assert parts(play) == ["JC.DD.3"]
    play = do(play.state, "pass", dice=[5, 2])
    assert parts(play) == ["JC.DD.4", "JC.DD.5"]
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({"military": 1}, {"dux": 1})
    assert where(play.state, "caesar-comitatenses-1") == "0205"
    assert where(play.state, "caesar-comitatenses-2") == "0105"


@rule("JC.DD.2")
@pytest.mark.parametrize(("force", "lost"), [("WWW", "WW"), ("RRSS", "RS"), ("RW", "R")])
def test_dd_retreats_all_survivors_one_hex(force: str, lost: str) -> None:
    state = go_on(battle("DD", "CC", force)).state
    for name in units(lost, BARBARIAN):
        state = run(state, f"lose {name}")
    left = [name for name in units(force, BARBARIAN) if where(state, name) == "0205"]
    assert len(left) == len(force) - len(lost)
    for name in left:
        state = run(state, f"fall-back {name} 0305")
    assert {where(state, name) for name in left} == {"0305"}
    assert isinstance(state.decision, Pursuit)


# --- DR ------------------------------------------------------------------------------------------


@rule("JC.DR.0", "JC.DR.1", "JC.DR.2.roll", "JC.DR.2.path", "JC.DR.3", "JC.DR.4", "JC.DR.5", "JC.0")
def test_dr_in_its_order() -> None:
    state = go_on(battle("DR", "CC", "RW", hands=("", "dux dux"))).state
    play = do(state, "lose franks-retinue-1", dice=[2])
    assert parts(play) == ["JC.DR.1", "JC.DR.2.roll"]
    decision = play.state.decision
    assert isinstance(decision, Retreating)
    assert (decision.seat, decision.part) == (ROMAN, "JC.DR.2.roll")  # the enemy chooses
    play = do(play.state, "fall-back franks-warband-1 0305")
    play = do(play.state, "fall-back franks-warband-1 0405")
    pursuit = play.state.decision
    assert isinstance(pursuit, Pursuit)
    assert (pursuit.seat, pursuit.hexes, pursuit.part) == (ROMAN, 1, "JC.DR.3")
    play = do(play.state, "pass", dice=[5, 2])
    assert parts(play) == ["JC.DR.4", "JC.DR.5"]
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({"military": 1}, {"dux": 1})


@rule("JC.DR.2.roll")
def test_dr_throws_a_die_for_every_survivor() -> None:
    state = go_on(battle("DR", "CC", "WWSS")).state
    state = run(state, "lose franks-warband-1")
    play = do(state, "lose franks-raiders-1", dice=[4, 1])
    routs = [event.values for event in play.events if event.key == "event.routs"]
    assert [(values["unit"], values["hexes"]) for values in routs] == [
        ("franks-warband-2", 4),
        ("franks-raiders-2", 1),
    ]


# --- DC ------------------------------------------------------------------------------------------


@rule("JC.DC.0", "JC.DC.1", "JC.DC.2", "JC.DC.3", "JC.DC.4", "JC.0")
def test_dc_in_its_order() -> None:
    play = go_on(battle("DC", "CC", "RWS", hands=("", "dux dux dux")))
    assert parts(play) == ["JC.DC.1"]
    assert gone(play.state, units("RWS", BARBARIAN)) == units("RWS", BARBARIAN)
    pursuit = play.state.decision
    assert isinstance(pursuit, Pursuit)
    assert (pursuit.seat, pursuit.hexes, pursuit.part) == (ROMAN, 2, "JC.DC.2")
    play = do(play.state, "pass", dice=[5, 5, 2, 2])
    assert parts(play) == ["JC.DC.3", "JC.DC.4"]
    assert (hand(play.state, "roman"), hand(play.state, "barbarian")) == ({"military": 2}, {"dux": 1})


@rule("JC.DC.1")
@pytest.mark.parametrize("force", ["W", "RW", "RRWWS"])
def test_dc_eliminates_all_defenders(force: str) -> None:
    state = go_on(battle("DC", "CC", force)).state
    assert gone(state, units(force, BARBARIAN)) == units(force, BARBARIAN)


# --- which battles move markers ------------------------------------------------------------------

THREES = [  # attackers, defenders, with exactly 3, with 3 or more
    ("E", "W", False, True),  # 4 and 2
    ("E", "S", False, True),
    ("L", "W", False, False),  # 1 and 2
    ("L", "S", False, True),
    ("C", "W", True, True),
    ("A", "S", True, True),
    ("E", "R", True, True),
    ("L", "RW", True, True),  # one is enough
    ("EL", "WS", False, True),
]


@rule("JC.important")
@pytest.mark.parametrize("switch", ["three", "three-or-more"])
@pytest.mark.parametrize(("attackers", "defenders", "exactly", "or_more"), THREES)
def test_markers_move_only_if_a_field_army_battle(
    attackers: str, defenders: str, exactly: bool, or_more: bool, switch: str
) -> None:
    state = battle("DC", attackers, defenders, field_armies=switch, hands=("", "dux dux"))
    moves = exactly if switch == "three" else or_more
    play = do(go_on(state).state, "pass", dice=[5, 5, 2, 2] if moves else [])
    assert hand(play.state, "roman") == ({"military": 2} if moves else {})
    assert hand(play.state, "barbarian") == ({} if moves else {"dux": 2})
    assert (("JC.important", "event.no_field_army") in told(play)) != moves
    assert gone(play.state, units(defenders, BARBARIAN)) == units(defenders, BARBARIAN)  # in any case


@rule("JC.important")
@pytest.mark.parametrize("attackers", ["C", "AE"])
def test_units_that_the_result_eliminated_were_involved(attackers: str) -> None:
    state = battle("AC", attackers, "W")
    play = through(state, [*[1] * len(attackers), 0, 0])
    assert hand(play.state, "barbarian") == {"agentes": 2}


@rule("JC.important")
def test_units_beside_the_combat_and_leaders_do_not_count() -> None:
    more = "caesar-comitatenses-1 0105; julian 0105; chnodomar 0205"
    state = battle("DC", "E", "W", more=more)
    play = go_on(state)  # Chnodomar is lost
    assert hand(do(play.state, "pass").state, "roman") == {}


@rule("JC.0")
def test_from_the_die_to_the_effects() -> None:
    units_ = "caesar-comitatenses-1 0105; franks-warband-1 0205"
    state = campaign(units_, acting="caesar")
    cells, index = state.roster.grid.cells, state.roster.index
    state = at(state, Gathering(ROMAN, cells["0205"], (index[C.format(1)],)))
    play = do(state, "fight", dice=[6])  # 2:1
    assert ("JC.0", "event.clash") in told(play)
    assert parts(play) == ["JH.combat", "JC.0", "JC.DC.1"]
    assert isinstance(play.state.decision, Pursuit)


@rule("JC.losses")
def test_odds_count_whole_units_for_what_is_still_to_be_lost() -> None:
    """Six factors in three units of 2: half of them is 3, and two units are lost."""
    state = JULIAN.begin(JULIAN.configure())
    units = state.roster.units
    twos = [i for i, unit in enumerate(units) if unit.combat == 2][:3]
    three = next(i for i, unit in enumerate(units) if unit.combat == 3)
    assert Losses(0, tuple(twos), 3, "JC.AD.1").least(state) == 4
    assert Losses(0, (*twos, three), 3, "JC.AD.1").least(state) == 3
