"""10 Combat: who attacks, the odds, Military, and the die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ...kernel import Action, Message, Play, Refusal, Step, Term, Values
from .federates import serve
from .markers import Asked, Pass, Spy, could, hand_size, lacks, spend
from .results import RESULTS, TABLE, carry_out
from .state import (
    DIE,
    FOUGHT,
    IMPERIUM,
    MARKERS,
    MILITARY,
    MOUNTAIN,
    NEUTRAL,
    SEATS,
    Battle,
    JulianState,
    cell_of,
    hex_name,
    holds,
    is_activated,
    is_frozen,
    leaders_at,
    men_at,
    names,
    other,
    printed,
    troops_at,
    unit_of,
)

ODDS = ((1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1))  # JH.crt: the columns
NO_MILITARY = ""


def column(attack: int, defence: int) -> int:
    """JH.combat JH.crt: the best column that the odds reach, in the defender's favour; -1 below 1:3."""
    return sum(attack * two >= defence * one for one, two in ODDS) - 1


def defence_factor(state: JulianState, side: int, cell: int, attackers: Sequence[int]) -> int:
    """JH.terrain_double: 2 in a friendly city, in mountains, or if every attacker strikes over the Rhine."""
    roster = state.roster
    across = not is_frozen(state) and all(roster.is_rhine(state.cell[i], cell) for i in attackers)
    return 2 if holds(state, side, cell) or roster.ground[cell] == MOUNTAIN or across else 1


def odds(
    state: JulianState, cell: int, attackers: Sequence[int], military: tuple[bool, bool] = (False, False)
) -> tuple[int, int]:
    """JH.combat JS.military.2 JS.military.2.triple: the factors; a Military makes x1 x2, and x2 x3."""
    attacker = state.side[attackers[0]]
    theirs = printed(state, troops_at(state, cell, foe_at(state, cell, attacker)))
    factor = defence_factor(state, other(attacker), cell, attackers) + military[1]
    return printed(state, list(attackers)) * (1 + military[0]), theirs * factor


def foe_at(state: JulianState, cell: int, attacker: int) -> int:
    """JH.6_0: who stands in an attacked hex, the enemy or a neutral people; the opponent defends both."""
    return NEUTRAL if men_at(state, NEUTRAL, cell) else other(attacker)


def able(state: JulianState, seat: int, cell: int) -> list[int]:
    """JH.combat: the activated combat units next to a hex that have not attacked yet."""
    return [
        i
        for to in state.roster.around[cell]
        for i in troops_at(state, to, seat)
        if is_activated(state, i) and not state.flags[i] & FOUGHT
    ]


def is_target(state: JulianState, seat: int, cell: int) -> bool:
    return bool(men_at(state, other(seat), cell) or men_at(state, NEUTRAL, cell))


def bonus(state: JulianState, leaders: Sequence[int]) -> int:
    """JH.leaders: once, for a (+1) leader; JH.23_0: one of a feuding command is not used."""
    units = state.roster.units
    feud = state.feud if state.feud_turn == state.turn else None
    return int(any(units[i].bonus > 0 and units[i].command != feud for i in leaders))


def die_terms(state: JulianState, battle: Battle) -> list[Term]:
    """JH.combat: what is added to the die."""
    ours = [
        i
        for cell in sorted(set(battle.stood))
        for i in leaders_at(state, cell, battle.seat)
        if is_activated(state, i)
    ]
    theirs = leaders_at(state, battle.hex, other(battle.seat))
    found = []
    if bonus(state, ours):
        found.append(Term("JH.leaders", "term.leader_attacks", 1))
    if bonus(state, theirs):
        found.append(Term("JH.leaders", "term.leader_defends", -1))
    return found


# --- declaring -----------------------------------------------------------------------------------


class Attack(Action):
    """JH.combat: a hex is attacked, by all who can; some may be held back before it is fought."""

    def __init__(self, hex: str) -> None:
        self.hex: Final = hex

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        combats = state.decision
        if not isinstance(combats, Combats):
            return
        cell = cell_of(state, self.hex)
        name: Values = {"hex": self.hex}
        if cell < 0 or not is_target(state, combats.seat, cell):
            yield Refusal("JH.combat", "refusal.nobody_to_attack", name)
            return
        units = able(state, combats.seat, cell)
        if cell in combats.fought:
            yield Refusal("JH.combat", "refusal.attacked_already", name)
        if not units:
            yield Refusal("JH.combat", "refusal.nobody_attacks", name)
        elif column(*odds(state, cell, units)) < 0:
            yield Refusal("JH.crt", "refusal.too_weak", name)

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        combats: Combats = play.taken
        cell = cell_of(state, self.hex)
        units = tuple(able(state, combats.seat, cell))
        play.then(Gathering(combats.seat, cell, units), Combats(combats.seat, (*combats.fought, cell)))


class Combats(Asked):
    """JH.ops_phase (4): the combat sub-phase; every hex is attacked once.

    JS.agentes.1 JH.windows: it ends the phase, so whoever holds a marker is asked even if nobody can attack.
    """

    clause = "JH.combat"
    accepts = (Attack, Pass, Spy)

    def __init__(self, seat: int, fought: tuple[int, ...] = ()) -> None:
        super().__init__(seat)
        self.fought: Final = fought

    def prompt(self, state: JulianState) -> Message:
        key = "prompt.combats" if self.cells(state) else "prompt.phase_ends"
        return Message(key, {"side": SEATS[self.seat]})

    def cells(self, state: JulianState) -> list[int]:
        around = state.roster.around
        fit = {
            state.cell[i]
            for i in range(len(state.cell))
            if state.cell[i] >= 0
            and state.side[i] == self.seat
            and not state.flags[i] & FOUGHT
            and not state.roster.units[i].leader
            and is_activated(state, i)
        }
        near = {to for cell in fit for to in around[cell] if is_target(state, self.seat, to)}
        return sorted(near - set(self.fought))

    def is_moot(self, state: JulianState) -> bool:
        return not hand_size(state, self.seat) and not self.cells(state)

    def options(self, state: JulianState) -> list[Action]:
        return [*(Attack(hex_name(state, cell)) for cell in self.cells(state)), Pass()]


class HoldBack(Action):
    """JH.combat: a unit does not take part."""

    def __init__(self, unit: str) -> None:
        self.unit: Final = unit

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        gathering = state.decision
        if not isinstance(gathering, Gathering):
            return
        i = unit_of(state, gathering.seat, self.unit)
        if i not in gathering.units:
            yield Refusal("JH.combat", "refusal.not_in_attack", {"unit": self.unit})
            return
        rest = [j for j in gathering.units if j != i]
        if not rest or column(*odds(state, gathering.hex, rest)) < 0:
            yield Refusal("JH.crt", "refusal.too_weak", {"hex": hex_name(state, gathering.hex)})

    def perform(self, play: Play) -> None:
        gathering: Gathering = play.taken
        i = play.state.roster.index[self.unit]
        rest = tuple(j for j in gathering.units if j != i)
        play.then(Gathering(gathering.seat, gathering.hex, rest))


class CallOff(Action):
    """JH.combat: the attack is not made; nothing was shown, and the hex may still be attacked."""

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        yield from ()

    def is_vain(self, state: JulianState) -> bool:
        """A bot that names an attack means it; else it would name and call off without end."""
        return True

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        gathering: Gathering = play.taken
        combats = state.todo.pop()
        assert isinstance(combats, Combats)
        fought = tuple(cell for cell in combats.fought if cell != gathering.hex)
        play.then(Combats(combats.seat, fought))


class Fight(Action):
    """JH.combat JS.military.2: the attack is declared; ``by`` a Military or an Imperium it is doubled."""

    weighed = True

    def __init__(self, by: str = NO_MILITARY) -> None:
        self.by: Final = by

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        gathering = state.decision
        if not isinstance(gathering, Gathering) or self.by == NO_MILITARY:
            return
        yield from military_refusals(state, gathering.seat, self.by)

    def clicks(self) -> tuple[str, ...]:
        return (self.by,) if self.by else ()

    def remark(self, state: JulianState) -> Message | None:
        gathering = state.decision
        if not isinstance(gathering, Gathering):
            return None
        own = bool(self.by)
        plain, doubled = (
            _ratio(column(*odds(state, gathering.hex, gathering.units, (own, theirs))))
            for theirs in (False, True)
        )
        return Message("remark.odds", {"odds": plain, "doubled": doubled})

    def terms(self, state: JulianState) -> list[Term]:
        gathering = state.decision
        return die_terms(state, gathering.battle(state)) if isinstance(gathering, Gathering) else []

    def perform(self, play: Play) -> None:
        state: JulianState = play.state
        gathering: Gathering = play.taken
        battle = gathering.battle(state)
        for i in battle.attackers:
            state.flags[i] |= FOUGHT
        play.tell(
            "JH.combat",
            "event.attacks",
            side=SEATS[battle.seat],
            units=names(state, battle.attackers),
            hex=hex_name(state, battle.hex),
        )
        _ally_neutrals(play, battle)
        if self.by:
            play_military(play, battle.seat, self.by)
        foe = other(battle.seat)
        asked = hand_size(state, foe)
        play.then(Defence(foe, battle, bool(self.by)) if asked else Clash(battle, (bool(self.by), False)))


def _ratio(n: int) -> str:
    """A column by its name; below the lowest one the lowest is used (JH.crt)."""
    one, two = ODDS[max(n, 0)]
    return f"{one}:{two}"


def _ally_neutrals(play: Play, battle: Battle) -> None:
    """JH.6_0: an attack, once declared, allies neutrals to the other side."""
    state: JulianState = play.state
    for p in {state.roster.units[i].people for i in battle.defenders if state.side[i] == NEUTRAL}:
        serve(play, p, other(battle.seat), "JH.6_0")


def military_refusals(state: JulianState, seat: int, by: str) -> Iterator[Refusal]:
    """JS.military.2 JS.military.limit: one Military, or an Imperium as one."""
    if by not in (MARKERS[MILITARY], MARKERS[IMPERIUM]):
        yield Refusal("JS.military.2", "refusal.by_what", {"by": by})
    else:
        yield from lacks(state, seat, MILITARY, by == MARKERS[IMPERIUM])


def play_military(play: Play, seat: int, by: str) -> None:
    play.tell("JS.military.2", "event.military", side=SEATS[seat])
    spend(play, seat, MILITARY, by == MARKERS[IMPERIUM])


def military_means(state: JulianState, seat: int) -> list[str]:
    return [MARKERS[IMPERIUM if wild else MILITARY] for wild in could(state, seat, MILITARY)]


class Gathering(Asked):
    """JH.combat: who attacks, and whether with a Military (JH.windows: the attacker declares first)."""

    clause = "JH.combat"
    accepts = (Fight, HoldBack, CallOff, Spy)

    def __init__(self, seat: int, hex: int, units: tuple[int, ...]) -> None:
        super().__init__(seat)
        self.hex: Final = hex
        self.units: Final = units

    def prompt(self, state: JulianState) -> Message:
        ours, theirs = odds(state, self.hex, self.units)
        values: Values = {
            "side": SEATS[self.seat],
            "hex": hex_name(state, self.hex),
            "attack": ours,
            "defence": theirs,
            "odds": _ratio(column(ours, theirs)),
        }
        return Message("prompt.gathering", values)

    def battle(self, state: JulianState) -> Battle:
        defenders = tuple(troops_at(state, self.hex, foe_at(state, self.hex, self.seat)))
        return Battle(self.seat, self.hex, self.units, tuple(state.cell[i] for i in self.units), defenders)

    def options(self, state: JulianState) -> list[Action]:
        fights = [Fight(), *(Fight(by) for by in military_means(state, self.seat))]
        held = [HoldBack(name) for name in names(state, self.units)] if len(self.units) > 1 else []
        return [*fights, *held, CallOff()]


# --- defending and rolling -----------------------------------------------------------------------


class Double(Action):
    """JS.military.2: the defender's Military, or an Imperium as one."""

    weighed = True

    def __init__(self, by: str) -> None:
        self.by: Final = by

    def refuse(self, state: JulianState) -> Iterator[Refusal]:
        decision = state.decision
        assert decision is not None
        yield from military_refusals(state, decision.seat, self.by)

    def remark(self, state: JulianState) -> Message | None:
        defence = state.decision
        return defence.odds_remark(state, True) if isinstance(defence, Defence) else None

    def terms(self, state: JulianState) -> list[Term]:
        defence = state.decision
        return die_terms(state, defence.battle) if isinstance(defence, Defence) else []

    def perform(self, play: Play) -> None:
        defence: Defence = play.taken
        play_military(play, defence.seat, self.by)
        play.then(Clash(defence.battle, (defence.doubled, True)))


class Defence(Asked):
    """JH.windows: after the attacker the defender is asked for a Military and told the odds; then the die."""

    clause = "JS.military.2"
    accepts = (Double, Pass, Spy)

    def __init__(
        self,
        seat: int,
        battle: Battle,
        doubled: bool,  # the attacker has played one
    ) -> None:
        super().__init__(seat)
        self.battle: Final = battle
        self.doubled: Final = doubled

    def prompt(self, state: JulianState) -> Message:
        ours, theirs = self._factors(state, False)
        values: Values = {
            "side": SEATS[self.seat],
            "hex": hex_name(state, self.battle.hex),
            "attack": ours,
            "defence": theirs,
            "odds": _ratio(column(ours, theirs)),
            "doubled": _ratio(column(*self._factors(state, True))),
        }
        return Message("prompt.defence", values)

    def _factors(self, state: JulianState, military: bool) -> tuple[int, int]:
        return odds(state, self.battle.hex, self.battle.attackers, (self.doubled, military))

    def odds_remark(self, state: JulianState, military: bool) -> Message:
        """JH.combat: the odds with a Military of the defender, or without."""
        return Message("remark.defence", {"odds": _ratio(column(*self._factors(state, military)))})

    def pass_remark(self, state: JulianState) -> Message | None:
        return self.odds_remark(state, False)

    def pass_terms(self, state: JulianState) -> list[Term]:
        return die_terms(state, self.battle)

    def passed(self, play: Play) -> None:
        play.then(Clash(self.battle, (self.doubled, False)))

    def options(self, state: JulianState) -> list[Action]:
        return [*(Double(by) for by in military_means(state, self.seat)), Pass()]


class Clash(Step):
    """JH.combat JH.crt JC.0: the odds, the die, and the effects of the result in their order."""

    def __init__(self, battle: Battle, military: tuple[bool, bool]) -> None:
        self.battle: Final = battle
        self.military: Final = military

    def run(self, play: Play) -> None:
        state: JulianState = play.state
        battle = self.battle
        ours, theirs = odds(state, battle.hex, battle.attackers, self.military)
        n = max(column(ours, theirs), 0)
        face = play.roll(DIE)
        added = sum(term.value for term in die_terms(state, battle))
        row = min(max(face + added, 1), DIE)
        state.result = RESULTS.index(TABLE[row - 1][n])
        play.tell(
            "JC.0",
            "event.clash",
            attack=ours,
            defence=theirs,
            odds=_ratio(n),
            face=face,
            added=f"{added:+}",
            result=TABLE[row - 1][n],
        )
        carry_out(play, battle)
