"""What goes over the wire: one typed definition for requests and answers, checked on the way in.

Requests refuse fields that they do not know.  Texts in answers are in the language that was asked for.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from ..kernel.muster import ArmyCard, Muster, Recruit, ScenarioCard
from ..scene.model import Scene

Lang = Literal["en", "fr"]
Short = Annotated[str, Meta(max_length=80)]
Id = Annotated[str, Meta(max_length=200)]
RequestId = Annotated[str, Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$(?!\n)")]
Faces = Annotated[tuple[int, ...], Meta(max_length=400)]
ContributionText = Annotated[str, Meta(max_length=64, pattern=r"^[0-9A-Za-z_-]*$(?!\n)")]
LuckMode = Literal["server", "dice", "all"]
"""Who throws: the server; the players their dice, the server draws the cards; the players everything."""


# --- errors --------------------------------------------------------------------------------------


class Reason(Struct, frozen=True):
    """Why not: a sentence and the clause that says so; ``action`` is the label of what it speaks of."""

    clause: str
    text: str
    action: str = ""


class Failure(Struct, frozen=True):
    """The body of every answer that is not a success."""

    code: str  # see docs/reference/api.md
    message: str
    reasons: tuple[Reason, ...] = ()
    number: int | None = None  # of a conflict: where the match stands now


# --- the lobby -----------------------------------------------------------------------------------


class SeatName(Struct, frozen=True):
    key: str
    label: str


class OptionInfo(Struct, frozen=True):
    key: str
    label: str
    clause: str
    default: bool | str
    choices: tuple[SeatName, ...]  # empty: on or off


class GameInfo(Struct, frozen=True):
    key: str
    name: str
    edition: int  # of its rules
    text: str  # one line about it
    seats: tuple[SeatName, ...]
    default_scenario: str
    scenarios: tuple[ScenarioCard, ...]
    options: tuple[OptionInfo, ...]
    armies: tuple[ArmyCard, ...]
    builder: bool  # whether armies can be built: see GET /api/games/{game}/recruits
    designer: bool = False  # whether fortresses can be designed: see GET /api/games/{game}/workshop


class BotInfo(Struct, frozen=True):
    key: str
    label: str
    text: str


class Lobby(Struct, frozen=True):
    version: str
    games: tuple[GameInfo, ...]
    bots: tuple[BotInfo, ...]


class ClauseInfo(Struct, frozen=True):
    id: str
    kind: str
    house: bool
    informative: bool
    text: str  # Markdown: paragraphs, lists, tables, emphasis; a ruling is a quote


class ChapterInfo(Struct, frozen=True):
    title: str
    clauses: tuple[ClauseInfo, ...]


class Rules(Struct, frozen=True):
    game: str
    edition: int
    lang: str
    chapters: tuple[ChapterInfo, ...]


class CheckArmy(Struct, frozen=True, forbid_unknown_fields=True):
    """An army as the text of a TOML file, or as the same thing in JSON."""

    text: Annotated[str, Meta(max_length=50_000)] | None = None
    army: dict[str, Any] | None = None
    budget: int | None = None
    options: dict[str, bool | str] = {}


class CheckedArmy(Struct, frozen=True):
    army: dict[str, Any]
    muster: Muster


class Recruits(Struct, frozen=True):
    recruits: tuple[Recruit, ...]


class CheckDesign(Struct, frozen=True, forbid_unknown_fields=True):
    """A design of a fortress as the text of a TOML file, or as the same thing in JSON."""

    text: Annotated[str, Meta(max_length=50_000)] | None = None
    design: dict[str, Any] | None = None


class Key(Struct, frozen=True):
    """What holds seats.  Keep it secret; send it as ``Authorization: Bearer <key>``."""

    key: str


# --- matches -------------------------------------------------------------------------------------


class AskCommitment(Struct, frozen=True, forbid_unknown_fields=True):
    """Of a match that is going to be opened with this ``request``."""

    request: RequestId


class Commitment(Struct, frozen=True):
    """The SHA-256 of the seed that a match will have: hear it before you contribute."""

    commitment: str


class SeatPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Who will sit there: the maker of the match, a friend by link, or the computer."""

    who: Literal["me", "friend", "bot"]
    bot: Short = ""  # the level, of a bot
    name: Short = ""


class NewMatch(Struct, frozen=True, forbid_unknown_fields=True):
    request: RequestId  # the same again makes no second match
    game: Short
    seats: Annotated[tuple[SeatPlan, ...], Meta(max_length=8)]
    scenario: Short | None = None
    armies: Annotated[tuple[Short | dict[str, Any], ...], Meta(max_length=8)] = ()
    options: dict[str, bool | str] = {}
    luck: LuckMode = "server"
    contribution: ContributionText = ""  # what you add to the dice, for the seats that are yours


class NewReplay(Struct, frozen=True, forbid_unknown_fields=True):
    """A record to look at: the text of a ``.legatus.jsonl`` file."""

    request: RequestId
    text: str


class NewBranch(Struct, frozen=True, forbid_unknown_fields=True):
    """What if: leave a match at a moment and go on as ``seat`` against the computer."""

    request: RequestId
    entry: Annotated[int, Meta(ge=0)]
    seat: Short
    bot: Short = ""  # the level of the others
    redeal: bool = False  # of a match that is over: deal secrets anew all the same
    contribution: ContributionText = ""


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    invite: Short
    name: Short = ""
    contribution: ContributionText = ""  # what you add to the dice, from the next row on


class SeatInfo(Struct, frozen=True):
    seat: str
    label: str
    who: Literal["human", "bot", "open", "record"]  # open: nobody has followed the invitation yet
    name: str  # what the player calls himself, or the level of the bot
    yours: bool
    online: bool
    invite: str = ""  # only to the maker of the match, while the seat is open


class BranchInfo(Struct, frozen=True):
    """Where a match left another one."""

    match: str  # the id of the other one; of an uploaded record, the name of its file
    entry: int
    seat: str
    dealt: bool  # whether secrets were dealt anew


class ContributionInfo(Struct, frozen=True):
    """What a player added to the dice."""

    seat: str
    row: int  # the first row whose dice depend on it
    text: str


class MatchInfo(Struct, frozen=True):
    id: str
    game: str
    title: str  # the scenario
    text: str
    seats: tuple[SeatInfo, ...]
    luck: LuckMode
    number: int  # of rows in the journal, as you count them: what your next command must carry
    entries: int  # moments that can be looked at: 0 .. entries - 1
    over: bool
    replay: bool  # an uploaded record: nothing can be played
    turn: str  # the seat that must decide; empty if over
    winner: str  # of a match that is over: a seat, or empty: drawn
    started: str  # ISO 8601
    moved: str  # when something was last done
    record: bool  # whether you may download the record now
    secrets: bool  # whether seats may know different things
    branch: BranchInfo | None = None
    edition: int = 1  # of the rules that it is played by
    notice: str = ""  # that the rules have changed since it was begun, and what became of it
    scheme: str = "seeded"  # how its dice follow from the seed: see docs/concepts/luck.md
    commitment: str = ""  # the SHA-256 of the seed
    contributions: tuple[ContributionInfo, ...] = ()  # of a match that was asked for itself
    seed: str = ""  # of a match that is over


class Matches(Struct, frozen=True):
    matches: tuple[MatchInfo, ...]


class LogLine(Struct, frozen=True):
    """One event: its sentence, its clause, the dice that fell for it."""

    clause: str
    text: str
    dice: tuple[int, ...] = ()
    private: bool = False  # only you were told


class LogEntry(Struct, frozen=True):
    """All that one entry of the journal told you."""

    entry: int
    seat: str  # who acted; empty for the set-up
    lines: tuple[LogLine, ...]


class Log(Struct, frozen=True):
    entries: tuple[LogEntry, ...]


class ActionInfo(Struct, frozen=True):
    """A legal action: send ``do`` back as it is."""

    do: str
    label: str
    clicks: tuple[str, ...]  # ids of the scene, in order
    verb: str
    remark: str = ""  # a price or a risk to know beforehand
    odds: bool = False  # an attack or the like: its odds are worth a look


class Prompt(Struct, frozen=True):
    text: str
    clause: str


class Ending(Struct, frozen=True):
    winner: str  # a seat, or empty: drawn
    label: str
    text: str
    clause: str


class Frame(Struct, frozen=True, tag_field="type", tag="frame"):
    """A moment of a match as one seat, a spectator, or after the end everybody, sees it."""

    match: str
    number: int
    entry: int  # which moment this is
    seen_as: str  # a seat, "spectator" or "open"
    scene: Scene
    turn: str  # the seat that must decide; empty if over
    yours: bool  # whether you are to decide as ``seen_as``
    thinking: bool  # the computer is to decide
    prompt: Prompt | None
    actions: tuple[ActionInfo, ...]  # what you may do now
    names: dict[str, str]  # labels of ids in clicks that are not on the scene
    undo: bool
    ending: Ending | None
    log_from: int  # replace your log from this entry on by ``log``
    log: tuple[LogEntry, ...]
    board: bool = True  # False, on a socket: areas and lines of the scene are left out, they are as before


# --- commands ------------------------------------------------------------------------------------


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """Do something.  ``number`` is that of the frame you answer to; ``request`` is yours, one per try."""

    number: int
    request: RequestId
    do: Annotated[str, Meta(max_length=2000)]
    dice: Faces = ()  # where players throw: what fell so far


class Undo(Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    request: RequestId


class LuckAsk(Struct, frozen=True):
    """What must be thrown or drawn next; send the action again with the answer after ``dice``."""

    n: int
    sides: int  # 0: a draw among ``choices``
    choices: tuple[tuple[int, str], ...]  # of a draw: number to send, and what it is
    told: tuple[LogLine, ...]  # what happened so far: what it is for
    dice: tuple[int, ...]
    low: int = 1  # the lowest face: some dice are marked from 0 on


class Done(Struct, frozen=True):
    """A command is durable and the match stands at ``number``; or ``luck`` is wanted and nothing was done."""

    number: int
    luck: LuckAsk | None = None


class Ask(Struct, frozen=True, forbid_unknown_fields=True):
    """Why not?  Of an action as text, or of what was clicked so far."""

    do: Annotated[str, Meta(max_length=2000)] | None = None
    clicks: Annotated[tuple[Id, ...], Meta(max_length=40)] = ()


class Reasons(Struct, frozen=True):
    legal: bool
    reasons: tuple[Reason, ...]


class MenuEntry(Struct, frozen=True):
    """Something to do with a piece, allowed or not; ``do`` of what is not allowed is one case of several."""

    do: str
    label: str
    verb: str
    legal: bool
    reasons: tuple[Reason, ...] = ()  # every one that is against it


class Menu(Struct, frozen=True):
    entries: tuple[MenuEntry, ...]


class AskOdds(Struct, frozen=True, forbid_unknown_fields=True):
    do: Annotated[str, Meta(max_length=2000)]


class Chance(Struct, frozen=True):
    value: int
    p: float
    odds: str  # as a fraction


class OddsColumn(Struct, frozen=True):
    key: str
    label: str
    mean: float
    values: tuple[Chance, ...]


class OddsTerm(Struct, frozen=True):
    """What is added to a die, and the clause that says so."""

    clause: str
    text: str
    value: int


class OddsInfo(Struct, frozen=True):
    label: str
    exact: bool
    runs: int
    columns: tuple[OddsColumn, ...]
    terms: tuple[OddsTerm, ...] = ()


# --- the lab -------------------------------------------------------------------------------------


class NewLab(Struct, frozen=True, forbid_unknown_fields=True):
    """A balance to be played: every army against every army on every field, by bots."""

    request: RequestId
    game: Short
    scenarios: Annotated[tuple[Short, ...], Meta(max_length=20)] = ()  # none: as ``legatus balance``
    armies: Annotated[tuple[Short, ...], Meta(max_length=20)] = ()
    bot: Short = "greedy"  # on all seats
    games: Annotated[int, Meta(ge=1, le=1000)] = 10  # for each battle
    effects: Annotated[tuple[Short, ...], Meta(max_length=40)] = ()  # options whose effect is wanted
    handicap: bool = False
    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None


class LabInfo(Struct, frozen=True):
    """How far it is; ``html`` is the report when it is done."""

    id: str
    game: str
    state: Literal["running", "done", "failed"]
    done: int  # games
    total: int
    mine: bool
    html: str


# --- analysis -----------------------------------------------------------------------------------


class AnalysisMoment(Struct, frozen=True):
    """The first seat's chance after an entry; the one before, luck, decision and rest make it up exactly."""

    entry: int
    seat: str  # who acted; empty for the set-up
    value: float
    low: float  # 95 % interval
    high: float
    luck: float
    luck_give: float  # half the width of its 95 % interval
    decision: float
    decision_give: float
    rest: float


class TurningPoint(Struct, frozen=True):
    """One of the largest swings."""

    entry: int
    done: str  # the label of what was done
    best: str  # of the best action found, if another one was done
    lines: tuple[LogLine, ...]  # as the log tells it


class AnalysisInfo(Struct, frozen=True):
    """How far an analysis is, and what it found; lists are in seat order."""

    state: Literal["none", "waiting", "working", "done", "failed"]
    done: int = 0
    total: int = 0
    moments: tuple[AnalysisMoment, ...] = ()
    turning: tuple[TurningPoint, ...] = ()  # the largest first
    luck: tuple[float, ...] = ()  # all that luck gave each seat
    decisions: tuple[float, ...] = ()  # all that its own decisions cost it
    outlook: tuple[float, ...] = ()  # what else changed: neither luck nor decisions
    error: float = 0.0  # mean squared error of the estimate; a guess has 0.25
    playouts: int = 0
    problem: str = ""  # why it failed, if that is known


class ThoughtInfo(Struct, frozen=True):
    """An action that the computer looked at."""

    label: str
    value: float  # how good it looked to its seat; a game that is won counts a million
    tries: int  # how often it was looked at
    done: bool  # whether this is what it did


class ThoughtsInfo(Struct, frozen=True):
    """What the computer considered at a moment of a match that is over: thought again from the view alone."""

    entry: int
    seat: str
    bot: str  # how its level is called
    done: str  # the label of what it did
    same: bool  # whether it does the same now
    considered: int  # actions in all
    thoughts: tuple[ThoughtInfo, ...]  # the best first, what it did among them


class VerdictInfo(Struct, frozen=True):
    """Whether the dice of a match fell as they had to."""

    verified: bool
    finding: str
    dice: int  # dice and cards that were recomputed
    typed: int  # that people threw or drew themselves
    entry: int | None  # the first that differs
    text: tuple[str, ...]  # what was found, the most important thing first


# --- the socket ----------------------------------------------------------------------------------


class Hello(Struct, frozen=True, forbid_unknown_fields=True):
    """The first message on a socket, and again to change seat or language."""

    key: Short = ""
    seen_as: Short = ""  # empty: the seat you hold (of several, the one to decide), else spectator
    lang: Lang = "en"
    number: int = 0  # what you have already: 0 and 0 for nothing
    entries: int = 0


class Presence(Struct, frozen=True, tag_field="type", tag="match"):
    """Somebody joined, came or went."""

    match: MatchInfo


class Trouble(Struct, frozen=True, tag_field="type", tag="error"):
    failure: Failure
