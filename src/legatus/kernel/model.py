"""The nouns of the kernel.  Read this file first."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from msgspec import Meta, Struct

from .chance import Dice, Luck, NeedLuck
from .drafts import CheckedDesign, Workshop
from .files import BadFile, Source
from .muster import ArmyCard, Muster, Recruit, ScenarioCard
from .words import Message, Value, Values

if TYPE_CHECKING:
    from ..scene.model import Ghost, Look, Scene
    from .rulebook import Folder

Seat = int
"""A seat is its index in ``Game.seats``; records and screens use the name."""


class Refusal(Struct, frozen=True):
    """Why an action is not allowed, and the clause that says so."""

    clause: str
    key: str
    values: Values = {}


class Term(Struct, frozen=True):
    """One thing that counts for or against an action, and the clause that says so."""

    clause: str
    key: str
    value: int  # what it adds
    values: Values = {}


class Event(Struct, frozen=True):
    """One thing that happened, told with its clause.  ``to=None`` means everybody saw it."""

    clause: str
    key: str
    values: Values = {}
    to: Seat | None = None
    dice: tuple[int, ...] = ()  # that were thrown for it, in front of everybody


class Outcome(Struct, frozen=True):
    """How a game ended: a winner (None: drawn) and the clause that gave it to him."""

    winner: Seat | None
    clause: str
    key: str


class Step(Struct, frozen=True, tag=True, tag_field="step"):
    """Something that must happen.  Automatic steps ``run``; a Decision waits for its seat."""

    waits: ClassVar[bool] = False

    def run(self, play: Any) -> None:
        raise NotImplementedError


class Decision(Step, frozen=True):
    """A point where ``seat`` must choose one of the actions that it accepts."""

    seat: Seat
    waits: ClassVar[bool] = True
    secret: ClassVar[bool] = False  # whether actions here may be hidden from the other seats altogether
    clause: ClassVar[str] = ""
    accepts: ClassVar[tuple[type[Action], ...]] = ()

    def prompt(self, state: Any) -> Message:
        """What the player is asked, as a message."""
        raise NotImplementedError

    def is_moot(self, state: Any) -> bool:
        """Whether there is nothing to decide after all: the kernel then drops the question."""
        return False

    def candidates(self, state: Any) -> list[Action]:
        """Every action worth asking about: all the legal ones, and plausible illegal ones."""
        raise NotImplementedError


def _verb(name: str) -> str:
    return "".join("-" + c.lower() if c.isupper() else c for c in name).lstrip("-")


class Action(Struct, frozen=True, tag=_verb, tag_field="do"):
    """What a player says: a verb (the class) and plain ids.  ``refuse`` is the only judge of legality."""

    weighed: ClassVar[bool] = False  # an attack or the like: a player wants to see its odds before he commits

    def refuse(self, state: Any) -> Iterator[Refusal]:
        """Every reason against it, the first one first; an action without a reason against it is legal.

        It must survive nonsense ids: whatever a client sends is answered by a Refusal.
        """
        raise NotImplementedError

    def perform(self, play: Any) -> None:
        raise NotImplementedError

    def remark(self, state: Any) -> Message | None:
        """What a player wants to know before he does this: a price or a risk that is not plain."""
        return None

    def is_vain(self, state: Any) -> bool:
        """Whether it is allowed but for nothing: bots that look ahead do not think of it."""
        return False

    def terms(self, state: Any) -> list[Term]:
        """What is added up for it: the modifiers of its die, to be seen beside its odds."""
        return []

    def clicks(self) -> tuple[str, ...]:
        """The scene ids that a player clicks, in order, to say this; what is left empty is not clicked."""
        ids: list[str] = []
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, tuple):
                ids += value
            elif not isinstance(value, bool) and value != "":
                ids.append(str(value))
        return tuple(ids)


class State(Struct, omit_defaults=True):
    """Plain data.  ``todo[-1]`` is what happens now.  A game's subclass adds its own columns.

    A column that a later edition appends has a default and is left out where it stands at it: positions of
    earlier editions stay readable, and the fingerprints of matches that do not use it stay as they are.
    """

    todo: list[Step]
    outcome: Outcome | None

    @property
    def decision(self) -> Decision | None:
        """Who must choose what, or None when the game is over."""
        if self.outcome is not None or not self.todo:
            return None
        step = self.todo[-1]
        return step if isinstance(step, Decision) else None

    def copy(self) -> Self:
        """A state of its own; what is frozen is shared."""
        raise NotImplementedError


def uneven_columns(state: State, like: State, free: Collection[str] = ()) -> Iterator[str]:
    """Columns that are not as long as those of another state, but for those that are ``free``."""
    for name in state.__struct_fields__:
        found, expected = getattr(state, name), getattr(like, name)
        if isinstance(expected, list) and name != "todo" and name not in free and len(found) != len(expected):
            yield f"{name} has {len(found)} entries instead of {len(expected)}"


class Play:
    """One action being carried out: the only hands that touch a state."""

    __slots__ = ("dice", "events", "faces", "quiet", "sealed", "state", "taken", "thrown")

    def __init__(self, state: Any, dice: Dice, quiet: bool = False) -> None:
        self.state = state
        self.dice = dice
        self.quiet = quiet  # search and simulation: no log, no record of dice
        self.faces: list[int] = []  # what luck answered, for the journal
        self.events: list[Event] = []
        self.thrown: list[int] = []  # dice of which nothing has been told yet
        self.sealed = False  # luck spoke or a secret was shown: cannot be undone
        self.taken: Any = None  # the Decision that this action answers

    def roll(self, sides: int = 6, *bands: int, low: int = 1) -> int:
        """One die, marked from ``low`` on.  Give ``bands`` if a rule asks only in which of them it falls."""
        try:
            face = self.dice.roll(sides, bands, low)
        except NeedLuck as need:
            need.told, need.sealed = self.events, self.sealed
            raise
        self.sealed = True
        if not self.quiet:
            self.faces.append(face)
            self.thrown.append(face)
        return face

    def roll_pool(self, n: int, sides: int, bands: Sequence[int]) -> list[int]:
        """``n`` dice of which the rules ask only how many fell in each band."""
        if n <= 0:
            return []
        faces = self._ask(Luck(n, sides, bands))
        if not self.quiet:
            self.thrown += faces
        return faces

    def draw(self, weights: Sequence[int], names: Sequence[str] = ()) -> int:
        """One thing of several at random, the i-th ``weights[i]`` times as likely: a card, a lot, a chit."""
        if not any(weights):
            raise ValueError("nothing is left to draw from")
        return self._ask(Luck(1, 0, (), weights, names))[0]

    def _ask(self, luck: Luck) -> list[int]:
        try:
            answer = self.dice.answer(luck)
        except NeedLuck as need:
            need.told, need.sealed = self.events, self.sealed
            raise
        self.sealed = True
        if not self.quiet:
            self.faces += answer
        return answer

    def tell(self, clause: str, key: str, to: Seat | None = None, **values: Value) -> None:
        """Write a line of the log; ``to`` a seat only, if it is a secret.

        The dice thrown since the last line go with it; those thrown for a secret are shown to nobody.
        """
        if not self.quiet:
            dice = tuple(self.thrown) if to is None else ()
            self.events.append(Event(clause, key, values, to, dice))
            self.thrown.clear()

    def reveal(self, clause: str, key: str, **values: Value) -> None:
        """Show a secret to everybody: from here on nothing is undone."""
        self.sealed = True
        self.tell(clause, key, None, **values)

    def then(self, *steps: Step) -> None:
        """Do these steps next, in this order, before anything that already waits."""
        self.state.todo.extend(reversed(steps))

    def win(self, winner: Seat | None, clause: str, key: str) -> None:
        """End the game, with the reason.  The first ending stands."""
        if self.state.outcome is None:
            self.state.outcome = Outcome(winner, clause, key)
            self.tell(clause, key)


class Option(Struct, frozen=True):
    """A switch of a match: what the sheet calls optional, and alternatives that we offer."""

    key: str
    clause: str
    default: bool | str = True
    choices: tuple[str, ...] = ()  # empty: on or off
    earlier: dict[int, bool | str] = {}  # the default up to and including that edition

    def default_in(self, edition: int) -> bool | str:
        """The default of an edition of the rules."""
        return self.earlier.get(min((e for e in self.earlier if e >= edition), default=0), self.default)


def settle(
    known: Sequence[Option],
    given: Mapping[str, Any],
    source: Source,
    below: Mapping[str, bool | str] | None = None,
    edition: int | None = None,
) -> dict[str, bool | str]:
    """The options ``given`` over those ``below``, or over the defaults of an edition (None: of the latest).

    A BadFile says which one is wrong.
    """
    by_key = {option.key: option for option in known}
    for key, value in given.items():
        where = f"options.{key}"
        source.one_of(where, key, list(by_key))
        if by_key[key].choices:
            source.one_of(where, value, by_key[key].choices)
        elif not isinstance(value, bool):
            raise source.bad(where, Message("file.switch", {"found": repr(value)}))
    defaults = {o.key: o.default if edition is None else o.default_in(edition) for o in known}
    return {**(defaults if below is None else below), **given}


class Branch(Struct, frozen=True):
    """Where a match left another one: it begins at a position of that one."""

    of: Annotated[str, Meta(max_length=1_000)]  # the other match: its id on a server, or the name of its file
    entry: int  # the moment at which it was left
    seat: str  # who goes on
    dealt: bool  # whether secrets were dealt anew from what that seat could know
    state: dict[str, Any]  # the position


class Setup(Struct, frozen=True):
    """All that a match starts from, complete: it is the head of a record.

    An option that it does not name stands at the default of its edition.
    """

    scenario: dict[str, Any]
    armies: tuple[dict[str, Any], ...] = ()
    options: dict[str, bool | str] = {}
    branch: Branch | None = None
    edition: int = 1


class Game:
    """One game.  Subclass it once; page, bots, simulation, storage and conformance tests are generic."""

    key: str
    edition: int = 1  # of the rulebook: every change of a rule, a default or a house value raises it
    seats: tuple[str, ...]
    default_scenario: str
    options: tuple[Option, ...] = ()
    state_type: type[State]
    steps: tuple[type[Step], ...]
    actions: tuple[type[Action], ...]
    folder: Folder  # rulebook, messages and data of the game
    trials: int = (
        20_000  # branches of luck that odds are reckoned from; where there are more, so many samples
    )
    ahead: int = 20  # decisions that bots play on at least, and then to the end of a stage

    def configure(
        self, scenario: str | None = None, armies: Sequence[str | dict[str, Any]] = (), **options: bool | str
    ) -> Setup:
        """Look names up, fill in defaults and validate: a Setup that ``begin`` can take, or a BadFile.

        It may take a name for the path of a file: strangers are answered by ``configure_known``.
        """
        raise NotImplementedError

    def configure_known(
        self,
        scenario: str | None = None,
        armies: Sequence[str | dict[str, Any]] = (),
        options: Mapping[str, bool | str] | None = None,
    ) -> Setup:
        """The same for a stranger: only what the game itself has by that name, so that he reads no file."""
        scenarios = tuple(self.folder.names("scenarios")) or (self.default_scenario,)
        _known("scenario", scenario or self.default_scenario, scenarios)
        for army in armies:
            if not isinstance(army, dict):
                _known("army", army, tuple(self.folder.names("armies")))
        for key in options or {}:
            _known("options", key, tuple(option.key for option in self.options))
        return self.configure(scenario, armies, **(options or {}))

    def validate(self, setup: Setup) -> Setup:
        """The set-up of a record, checked and completed for this edition; a BadFile says what is wrong."""
        return setup

    def scenarios(self, lang: str) -> tuple[ScenarioCard, ...]:
        """The battles that ``configure`` knows by name."""
        return (ScenarioCard(self.default_scenario, self.default_scenario),)

    def armies(self, lang: str) -> tuple[ArmyCard, ...]:
        """The armies that ``configure`` knows by name; none if there is nothing to choose."""
        return ()

    def recruits(self, lang: str) -> tuple[Recruit, ...]:
        """What armies are built of; nothing if they cannot be built."""
        return ()

    def muster(
        self,
        army: dict[str, Any],
        lang: str,
        budget: int | None = None,
        options: Mapping[str, bool | str] | None = None,
    ) -> Muster:
        """A list priced and judged, for another budget than its own if given; a BadFile if it is none."""
        raise NotImplementedError

    def workshop(self, lang: str) -> Workshop | None:
        """What fortresses are designed of; None if they cannot be designed."""
        return None

    def judge_design(self, design: dict[str, Any], lang: str) -> CheckedDesign:
        """A design priced and judged; a BadFile if it is none."""
        raise NotImplementedError

    def begin(self, setup: Setup) -> State:
        """The state before the first step; ``todo`` holds the steps that set the game up, luck and all."""
        raise NotImplementedError

    def invariants(self, state: Any) -> Iterable[str]:
        """What must hold in every reachable state; say what is broken."""
        return ()

    def uneven(self, state: Any) -> Iterable[str]:
        """Columns that have not as many entries as there are units, places and the like.

        It is asked of states from files before anything else is.
        """
        return ()

    @property
    def has_secrets(self) -> bool:
        """Whether seats may know different things: a game that keeps ``view`` has none."""
        return type(self).view is not Game.view

    def view(self, state: Any, seat: Seat | None) -> Any:
        """What ``seat`` may know (None: a spectator).  Games without secrets keep this."""
        return state

    def guess(self, view: Any, seat: Seat, rng: Random) -> Any:
        """A full state of its own in which all that ``seat`` cannot know is dealt anew.

        Takes a view or a state.  Games without secrets keep this.
        """
        return view.copy()

    def cases(self, view: Any, seat: Seat, action: Action, rng: Random) -> list[tuple[Fraction, Any]]:
        """The full states, each with its weight, over which the odds of an action are reckoned.

        One guess will do unless the odds hang on a secret: then one for each thing that it can be.
        """
        return [(Fraction(1), self.guess(view, seat, rng))]

    def stilled(self, state: Any, action: Action) -> Any:
        """A full state without what would interrupt an action whose odds are asked: as ``cases`` has it."""
        return state

    def scene(self, view: Any, seat: Seat | None, lang: str) -> Scene:
        """What a screen shows."""
        raise NotImplementedError

    def look(self, view: Any, seat: Seat | None, piece: str, lang: str) -> Look | None:
        """More about one piece of the scene than the scene tells, if there is more: where it can go."""
        return None

    def ghost(
        self, view: Any, seat: Seat, piece: str, grip: str, to: tuple[int, int], lang: str
    ) -> Ghost | None:
        """Of a piece that is dragged by ``grip`` over an open table: where it can go, nearest to a point."""
        return None

    def menu(self, view: Any, piece: str) -> list[Action]:
        """All that a player may think of doing now with one piece, allowed or not."""
        decision: Decision | None = view.decision
        thought = decision.candidates(view) if decision else []
        return [action for action in thought if action.clicks()[:1] == (piece,)]

    def evaluate(self, state: Any, seat: Seat) -> float:
        """How good a position looks to ``seat``; bots that look ahead maximise it."""
        return 0.0

    def stage(self, state: Any) -> Hashable:
        """The part of the game that a position belongs to: as a rule the turn.

        Where it ends, nobody is in the middle of anything: there bots that play on compare positions.  So it
        must not hang on what they choose: after as many stages it is the same time.
        """
        return getattr(state, "turn", 0)

    def measure(self, before: Any, after: Any) -> dict[str, int]:
        """What matters of an action's result, as named numbers: the columns of an odds table."""
        return {}

    def name(self, state: Any, value: str, lang: str) -> str:
        """How an id is called in a sentence, from the beginning of a match to its end."""
        return value


def _known(what: str, name: object, known: Sequence[str]) -> None:
    if name not in known:
        problem = Message("file.one_of", {"known": tuple(map(repr, known)), "found": repr(name)})
        raise BadFile(what, "", problem)
