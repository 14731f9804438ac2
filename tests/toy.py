"""Outpost, a toy to exercise the kernel: hidden strengths, pools of dice, cards, a retreat that interrupts.

It lives with the tests, not with the games; its rulebook and its sentences are in ``toy_files``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final, Self

from msgspec import Struct, convert

from legatus.kernel import (
    Action,
    BadFile,
    Decision,
    Game,
    Message,
    Option,
    Outcome,
    Play,
    Refusal,
    Seat,
    Setup,
    State,
    Step,
)
from legatus.kernel.rulebook import Folder
from legatus.scene.model import Area, Card, Piece, Scene, Track

RED, BLUE = 0, 1
SEATS = ("red", "blue")
WIDTH, HEIGHT, OUTPOST = 5, 5, "0202"  # T1.1
UNITS = tuple(f"{side}{row}" for side in SEATS for row in range(HEIGHT))  # T1.2
INDEX = {unit: i for i, unit in enumerate(UNITS)}
STRONGEST, HIDDEN = 3, 0
CARDS, DECK = ("clear", "rain", "storm"), (5, 3, 1)  # T1.3
CLEAR, RAIN, STORM = range(3)
TURNS = {"short": 3, "long": 6}  # T2.2
GONE = ""


def hex_name(q: int, r: int) -> str:
    return f"{q:02d}{r:02d}"


HEXES = tuple(hex_name(q, r) for q in range(WIDTH) for r in range(HEIGHT))


def _around(at: str) -> tuple[str, ...]:
    q, r = int(at[:2]), int(at[2:])
    around = (hex_name(q + a, r + b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)))
    return tuple(name for name in around if name in HEXES)


NEIGHBOURS = {at: _around(at) for at in HEXES}


class ToyState(State):
    def __init__(
        self,
        todo: list[Step],
        outcome: Outcome | None,
        weather: bool,
        turns: int,
        turn: int,
        card: int,  # -1: none is drawn
        deck: list[int],
        at: list[str],  # a unit each
        strength: list[int],
        shown: list[bool],
        acted: list[bool],
    ) -> None:
        super().__init__(todo, outcome)
        self.weather = weather
        self.turns = turns
        self.turn = turn
        self.card = card
        self.deck = deck
        self.at = at
        self.strength = strength
        self.shown = shown
        self.acted = acted

    def copy(self) -> Self:
        return type(self)(
            self.todo[:],
            self.outcome,
            self.weather,
            self.turns,
            self.turn,
            self.card,
            self.deck[:],
            self.at[:],
            self.strength[:],
            self.shown[:],
            self.acted[:],
        )


def side_of(unit: int) -> Seat:
    return RED if unit < HEIGHT else BLUE


def occupant(state: ToyState, at: str) -> int:
    """The unit that stands there, or -1."""
    return state.at.index(at) if at in state.at else -1


def units_of(state: ToyState, side: Seat) -> list[int]:
    return [i for i, at in enumerate(state.at) if at != GONE and side_of(i) == side]


# --- 2 Sequence of play --------------------------------------------------------------------------


class Deploy(Step):
    """T1.2: strengths are rolled in secret; each side knows its own."""

    def run(self, play: Play) -> None:
        state: ToyState = play.state
        for i in range(len(UNITS)):
            state.strength[i] = play.roll(STRONGEST)
        for side in (RED, BLUE):
            mine = tuple(state.strength[i] for i in units_of(state, side))
            play.tell("T1.2", "set.strengths", to=side, strengths=mine)
        play.then(Turn(1))


class Turn(Step):
    """T2.1: the weather, then Red, then Blue; T2.2: until the last turn."""

    def __init__(self, number: int) -> None:
        self.number: Final = number

    def run(self, play: Play) -> None:
        state: ToyState = play.state
        state.turn = self.number
        after: Step = EndOfGame() if self.number == state.turns else Turn(self.number + 1)
        play.tell("T2.1", "turn.begins", turn=self.number)
        play.then(Weather(), Ready(), Orders(RED), Ready(), Orders(BLUE), after)


class Weather(Step):
    """T1.3: a card is drawn and put aside."""

    def run(self, play: Play) -> None:
        state: ToyState = play.state
        if state.weather and any(state.deck):
            state.card = play.draw(state.deck)
            state.deck[state.card] -= 1
            play.tell("T1.3", "turn.weather", card=CARDS[state.card])


class Ready(Step):
    def run(self, play: Play) -> None:
        play.state.acted = [False] * len(UNITS)


class EndOfGame(Step):
    """T5.2: the side that holds the outpost wins."""

    def run(self, play: Play) -> None:
        holder = occupant(play.state, OUTPOST)
        if holder < 0:
            play.win(None, "T5.2", "end.nobody")
        else:
            play.win(side_of(holder), "T5.2", f"end.{SEATS[side_of(holder)]}_holds")


def refuse_unit(state: ToyState, unit: str) -> Iterator[Refusal]:
    """T2.1, T3.2: a unit of one's own that has not acted."""
    i = INDEX.get(unit, -1)
    if i < 0 or state.at[i] == GONE or side_of(i) != state.todo[-1].seat:
        yield Refusal("T2.1", "no.unit", {"unit": unit})
    elif state.acted[i]:
        yield Refusal("T3.2", "no.acted", {"unit": unit})


# --- 3 Movement ----------------------------------------------------------------------------------


class March(Action):
    """T3.1: one hex, or two in clear weather."""

    def __init__(self, unit: str, path: tuple[str, ...]) -> None:
        self.unit: Final = unit
        self.path: Final = path

    def refuse(self, state: ToyState) -> Iterator[Refusal]:
        refused = next(refuse_unit(state, self.unit), None)
        if refused is not None:
            yield refused
            return
        longest = 2 if state.card in (-1, CLEAR) else 1
        if not 1 <= len(self.path) <= longest:
            yield Refusal("T3.1", "no.length", {"longest": longest, "length": len(self.path)})
        here = state.at[INDEX[self.unit]]
        for at in self.path:
            if at not in NEIGHBOURS[here]:
                yield Refusal("T3.1", "no.step", {"here": here, "to": at})
                return
            if occupant(state, at) >= 0:
                yield Refusal("T3.1", "no.occupied", {"to": at})
            here = at

    def perform(self, play: Play) -> None:
        i = INDEX[self.unit]
        play.state.at[i] = self.path[-1]
        play.state.acted[i] = True
        play.tell("T3.1", "march", unit=self.unit, path=self.path)
        play.then(play.taken)


# --- 4 Combat ------------------------------------------------------------------------------------


class Attack(Action):
    """T4.1: on an adjacent enemy; T4.5: all out, it rolls two dice more and pays for each 1."""

    def __init__(self, unit: str, target: str, all_out: bool = False) -> None:
        self.unit: Final = unit
        self.target: Final = target
        self.all_out: Final = all_out

    def refuse(self, state: ToyState) -> Iterator[Refusal]:
        refused = next(refuse_unit(state, self.unit), None)
        if refused is not None:
            yield refused
            return
        enemy = INDEX.get(self.target, -1)
        if enemy < 0 or state.at[enemy] == GONE or side_of(enemy) == side_of(INDEX[self.unit]):
            yield Refusal("T4.1", "no.enemy", {"target": self.target})
        elif state.at[enemy] not in NEIGHBOURS[state.at[INDEX[self.unit]]]:
            yield Refusal("T4.1", "no.adjacent", {"unit": self.unit, "target": self.target})
        if state.card == STORM:
            yield Refusal("T4.2", "no.storm")

    def perform(self, play: Play) -> None:
        state: ToyState = play.state
        i, enemy = INDEX[self.unit], INDEX[self.target]
        state.shown[i] = state.shown[enemy] = state.acted[i] = True
        strengths = (state.strength[i], state.strength[enemy])
        play.reveal("T4.1", "attack", unit=self.unit, target=self.target, strengths=strengths)
        misses = 5 if state.card == RAIN else 4  # T4.2
        if self.all_out:
            faces = play.roll_pool(state.strength[i] + 2, 6, (1, misses, 6))
        else:
            faces = play.roll_pool(state.strength[i], 6, (misses, 6))
        hits = sum(face > misses for face in faces)
        play.tell("T4.2", "hits", hits=hits)
        play.then(play.taken)
        if hits:
            play.then(TakeHits(1 - side_of(i), state.at[i], self.target, hits))
        if self.all_out:
            lose(play, i, faces.count(1))


def lose(play: Play, i: int, hits: int) -> None:
    """T4.4: a unit without strength is removed; T5.1: a side without units has lost."""
    state: ToyState = play.state
    state.strength[i] = max(0, state.strength[i] - hits)
    if state.strength[i]:
        return
    state.at[i] = GONE
    play.tell("T4.4", "destroyed", unit=UNITS[i])
    if not units_of(state, side_of(i)):
        play.win(1 - side_of(i), "T5.1", f"end.{SEATS[side_of(i)]}_gone")


class Done(Action):
    """T2.1: nobody must act."""

    def refuse(self, state: ToyState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        play.tell("T2.1", "done", side=SEATS[play.taken.seat])


class Orders(Decision):
    """T2.1: each unit may act once, in any order."""

    clause: ClassVar[str] = "T2.1"
    accepts: ClassVar[tuple[type[Action], ...]] = (March, Attack, Done)

    def prompt(self, state: ToyState) -> Message:
        return Message("ask.orders", {"side": SEATS[self.seat]})

    def candidates(self, state: ToyState) -> list[Action]:
        asked: list[Action] = [Done()]
        for i in units_of(state, self.seat):
            for at in NEIGHBOURS[state.at[i]]:
                asked.append(March(UNITS[i], (at,)))
                asked += [March(UNITS[i], (at, to)) for to in NEIGHBOURS[at]]
                enemy = occupant(state, at)
                if enemy >= 0:
                    asked += [Attack(UNITS[i], UNITS[enemy]), Attack(UNITS[i], UNITS[enemy], all_out=True)]
        return asked


class Hold(Action):
    """T4.3: stand and lose a strength for each hit."""

    def refuse(self, state: ToyState) -> Iterator[Refusal]:
        yield from ()

    def perform(self, play: Play) -> None:
        play.tell("T4.3", "hold", unit=play.taken.unit)
        lose(play, INDEX[play.taken.unit], play.taken.hits)


class Retreat(Action):
    """T4.3: one hex away from the attacker; the first hit costs nothing."""

    def __init__(self, to: str) -> None:
        self.to: Final = to

    def refuse(self, state: ToyState) -> Iterator[Refusal]:
        step: Any = state.todo[-1]
        here = state.at[INDEX[step.unit]]
        if self.to not in NEIGHBOURS[here] or occupant(state, self.to) >= 0:
            yield Refusal("T4.3", "no.retreat", {"to": self.to})
        elif self.to in NEIGHBOURS[step.before] or self.to == step.before:
            yield Refusal("T4.3", "no.away", {"to": self.to})

    def perform(self, play: Play) -> None:
        i = INDEX[play.taken.unit]
        play.state.at[i] = self.to
        play.tell("T4.3", "retreat", unit=play.taken.unit, hex=self.to)
        lose(play, i, play.taken.hits - 1)


class TakeHits(Decision):
    """T4.3: retreat or hold; it interrupts the attacker's turn."""

    clause: ClassVar[str] = "T4.3"
    accepts: ClassVar[tuple[type[Action], ...]] = (Hold, Retreat)

    def __init__(
        self,
        seat: int,
        before: str,  # where the attacker stood
        unit: str,
        hits: int,
    ) -> None:
        super().__init__(seat)
        self.before: Final = before
        self.unit: Final = unit
        self.hits: Final = hits

    def prompt(self, state: ToyState) -> Message:
        return Message("ask.hits", {"unit": self.unit, "hits": self.hits})

    def candidates(self, state: ToyState) -> list[Action]:
        return [Hold(), *(Retreat(at) for at in NEIGHBOURS[state.at[INDEX[self.unit]]])]


# --- the game ------------------------------------------------------------------------------------


class Switches(Struct, frozen=True, forbid_unknown_fields=True):
    """The options, typed."""

    weather: bool = True
    length: str = "short"


class Toy(Game):
    key = "outpost"
    seats = SEATS
    default_scenario = "plain"
    options = (Option("weather", "T1.3"), Option("length", "T2.2", "short", ("short", "long")))
    state_type = ToyState
    steps = (Deploy, Turn, Weather, Ready, EndOfGame, Orders, TakeHits)
    actions = (March, Attack, Done, Hold, Retreat)
    folder = Folder(Path(__file__).parent / "toy_files")

    def configure(
        self, scenario: str | None = None, armies: Sequence[str | dict[str, Any]] = (), **options: bool | str
    ) -> Setup:
        return self.validate(Setup({"name": scenario or self.default_scenario}, (), options))

    def validate(self, setup: Setup) -> Setup:
        if setup.scenario != {"name": "plain"}:
            found = repr(setup.scenario.get("name"))
            problem = Message("file.expected", {"expected": "'plain'", "found": found})
            raise BadFile("scenario", "name", problem)
        switches = convert(setup.options, Switches)
        if switches.length not in TURNS:
            problem = Message("file.one_of", {"known": tuple(TURNS), "found": repr(switches.length)})
            raise BadFile("options", "length", problem)
        return Setup(setup.scenario, (), {"weather": switches.weather, "length": switches.length})

    def begin(self, setup: Setup) -> ToyState:
        """T1.2: Red stands in the first column, Blue in the last."""
        switches = convert(setup.options, Switches)
        at = [hex_name(column, row) for column in (0, WIDTH - 1) for row in range(HEIGHT)]
        n = len(UNITS)
        return ToyState(
            todo=[Deploy()],
            outcome=None,
            weather=switches.weather,
            turns=TURNS[switches.length],
            turn=0,
            card=-1,
            deck=list(DECK),
            at=at,
            strength=[HIDDEN] * n,
            shown=[False] * n,
            acted=[False] * n,
        )

    def invariants(self, state: ToyState) -> Iterator[str]:
        standing = [at for at in state.at if at != GONE]
        if len(set(standing)) != len(standing) or not set(standing) <= set(HEXES):
            yield "T3.1: a hex on the map holds at most one unit"
        for unit, at, strength in zip(UNITS, state.at, state.strength, strict=True):
            if not (0 if at == GONE else 1) <= strength <= (0 if at == GONE else STRONGEST):
                yield f"T4.4: {unit} at {at!r} has strength {strength}"

    def view(self, state: ToyState, seat: Seat | None) -> ToyState:
        """T1.2: enemy strengths are hidden until T4.1 shows them."""
        seen = state.copy()
        for i in range(len(UNITS)):
            if side_of(i) != seat and not state.shown[i]:
                seen.strength[i] = HIDDEN
        return seen

    def guess(self, view: ToyState, seat: Seat, rng: Random) -> ToyState:
        full = view.copy()
        for i in range(len(UNITS)):
            if side_of(i) != seat and not view.shown[i]:
                full.strength[i] = rng.randint(1, STRONGEST)
        return full

    def scene(self, view: ToyState, seat: Seat | None, lang: str) -> Scene:
        words = self.folder.messages[lang].sentences
        areas = tuple(
            Area(at, at, int(at[2:]), int(at[:2]), marks=(words["scene.outpost"],) if at == OUTPOST else ())
            for at in HEXES
        )
        pieces = tuple(
            Piece(
                UNITS[i],
                self.name(view, UNITS[i], lang),
                view.at[i],
                side_of(i),
                "infantry",
                {words["scene.strength"]: str(view.strength[i] or "?")},
                hidden=view.strength[i] == HIDDEN,
            )
            for side in (RED, BLUE)
            for i in units_of(view, side)
        )
        cards = () if view.card < 0 else (Card("weather", words[f"name.{CARDS[view.card]}"], RED, OUTPOST),)
        tracks = (Track("turn", words["scene.turn"], f"{view.turn}/{view.turns}"),)
        return Scene(words["scene.title"], areas, pieces, cards, tracks)

    def evaluate(self, state: ToyState, seat: Seat) -> float:
        return float(sum(s if side_of(i) == seat else -s for i, s in enumerate(state.strength)))

    def measure(self, before: ToyState, after: ToyState) -> dict[str, int]:
        lost = [b - a for b, a in zip(before.strength, after.strength, strict=True)]
        return {"red": sum(lost[:HEIGHT]), "blue": sum(lost[HEIGHT:])}

    def name(self, state: ToyState, value: str, lang: str) -> str:
        words = self.folder.messages[lang].sentences
        if value in INDEX:
            return f"{words['name.' + value[:-1]]} {int(value[-1]) + 1}"
        return words.get(f"name.{value}", value)


TOY = Toy()
