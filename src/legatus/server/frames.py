"""What somebody may see of a match, as the wire has it.  This is the only door from states to clients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..kernel import Action, Event, Game, Luck, legal, say
from ..kernel.codec import label
from ..kernel.model import verb
from .counting import ALL
from .faults import Fault
from .live import Table, Wanted
from .wire import (
    ActionInfo,
    Ending,
    Frame,
    LogEntry,
    LogLine,
    LuckAsk,
    Prompt,
)

SPECTATOR = "spectator"
OPEN = "open"  # after the end: everything
MOST_ACTIONS = 2_000  # kept in words for a match


class Eyes(Struct, frozen=True):
    """Who looks: a seat, a spectator (None), or after the end everybody at everything (``open``)."""

    seat: int | None
    lang: str
    open: bool = False
    bits: int = ALL  # whose rows and entries he counts, see ``counting``

    def name(self, game: Game) -> str:
        return OPEN if self.open else SPECTATOR if self.seat is None else game.seats[self.seat]

    def view(self, game: Game, state: Any) -> Any:
        return state if self.open else game.view(state, self.seat)

    def sees(self, event: Event) -> bool:
        return self.open or event.to is None or event.to == self.seat


def eyes(table: Table, holder: str, seen_as: str, lang: str) -> Eyes:
    """By what somebody asks for and what he holds; a Fault if it is not his to see."""
    held, bits = table.seats_of(holder), table.bits_of(holder)
    if seen_as == OPEN or (table.head.replay and not seen_as):
        if not table.over:
            raise Fault("secret", "not-open")
        return Eyes(None, lang, open=True)
    if seen_as == SPECTATOR or (not seen_as and not held):
        return Eyes(None, lang, bits=bits)
    if not seen_as:
        return Eyes(table.turn if table.turn in held else held[0], lang, bits=bits)
    seat = table.game.seats.index(seen_as) if seen_as in table.game.seats else None
    if seat is None or seat not in held:
        raise Fault("not-yours", seat=seen_as)
    return Eyes(seat, lang, bits=bits)


def entry_of(table: Table, who: Eyes, entry: int | None) -> int:
    """The entry of the journal that ``who`` counts as ``entry``, without it the last one."""
    shown = table.counting.shown(table.counted(who.bits))
    last = len(shown) - 1
    if entry is None:
        return len(table.match.journal) - 1
    if not 0 <= entry <= last:
        raise Fault("not-found", "entry", entry=entry, last=last)
    return shown[entry]


def moment(table: Table, who: Eyes, entry: int | None) -> Any:
    """The state at a moment, without ``entry`` now; a Fault if there is no such moment."""
    return table.match.states[entry_of(table, who, entry)]


def frame(table: Table, who: Eyes, entry: int | None = None, log_from: int | None = None) -> Frame:
    """A moment as ``who`` sees it; without ``entry`` it is now.  The log is told from ``log_from`` on."""
    game = table.game
    state = moment(table, who, entry)
    bits = table.counted(who.bits)
    shown = table.counting.shown(bits)
    last = len(shown) - 1
    entry = last if entry is None else entry
    view = who.view(game, state)
    decision = view.decision if table.goes_on else None
    now = entry == last
    yours = now and decision is not None and not who.open and decision.seat == who.seat
    scene = game.scene(view, who.seat, who.lang)
    actions = tuple(_actions(table, view, who.lang)) if yours else ()
    clicked = {click for action in actions for click in action.clicks}
    for things in (scene.areas, scene.pieces, scene.cards) if clicked else ():
        clicked.difference_update([thing.id for thing in things])
    start = entry if log_from is None else log_from
    return Frame(
        match=table.head.id,
        number=table.counting.number(bits),
        entry=entry,
        seen_as=who.name(game),
        scene=scene,
        turn="" if decision is None else game.seats[decision.seat],
        yours=yours,
        thinking=now and bool(table.bot_to_move()),
        prompt=prompt_of(game, view, who.lang) if decision is not None else None,
        actions=actions,
        names={click: game.name(view, click, who.lang) for click in sorted(clicked)},
        undo=now and who.seat is not None and table.can_undo(who.seat, who.bits),
        ending=ending_of(game, state, who.lang),
        log_from=start,
        log=tuple(log_entry(table, who, k, shown[k]) for k in range(start, entry + 1)),
    )


def whole_log(table: Table, who: Eyes) -> tuple[LogEntry, ...]:
    """All that ``who`` was told."""
    shown = table.counting.shown(table.counted(who.bits))
    return tuple(log_entry(table, who, k, entry) for k, entry in enumerate(shown))


def _actions(table: Table, view: Any, lang: str) -> Iterator[ActionInfo]:
    """What may be done.  Names do not change during a match, so an action is put into words once."""
    for action in legal(view):
        info = table.actions.get((lang, action))
        if info is None:
            if len(table.actions) >= MOST_ACTIONS:
                table.actions.clear()
            info = table.actions[lang, action] = _action(table.game, view, action, lang)
        remark = action.remark(view)
        yield replace(info, remark=sentence(table.game, view, remark, lang)) if remark else info


def _action(game: Game, view: Any, action: Action, lang: str) -> ActionInfo:
    return ActionInfo(
        do=say(action),
        label=label(game, view, action, lang),
        clicks=action.clicks(),
        verb=verb(type(action)),
        odds=action.weighed,
    )


def sentence(game: Game, state: Any, said: Any, lang: str) -> str:
    return game.folder.messages[lang].render(said, lambda word: game.name(state, word, lang))


def prompt_of(game: Game, view: Any, lang: str) -> Prompt:
    return Prompt(sentence(game, view, view.decision.prompt(view), lang), view.decision.clause)


def ending_of(game: Game, state: Any, lang: str) -> Ending | None:
    outcome = state.outcome
    if outcome is None:
        return None
    winner = "" if outcome.winner is None else game.seats[outcome.winner]
    named = game.name(state, winner, lang) if winner else ""
    return Ending(winner, named, sentence(game, state, outcome, lang), outcome.clause)


# --- the log -------------------------------------------------------------------------------------


def log_entry(table: Table, who: Eyes, counted: int, entry: int) -> LogEntry:
    """What an entry told ``who``, who counts it as ``counted``; not its action, which may be a secret."""
    seat = table.match.journal[entry].seat
    lines = tuple(log_lines(table, who, table.match.events[entry], table.match.states[entry]))
    return LogEntry(counted, "" if seat is None else table.game.seats[seat], lines)


def log_lines(table: Table, who: Eyes, events: Sequence[Event], state: Any) -> Iterator[LogLine]:
    for event in events:
        if who.sees(event):
            text = sentence(table.game, state, event, who.lang)
            yield LogLine(event.clause, text, event.dice, event.to is not None)


def luck_ask(table: Table, who: Eyes, wanted: Wanted) -> LuckAsk:
    """What a player is to throw or draw."""
    luck: Luck = wanted.luck
    state = table.match.state
    names = luck.names or tuple(map(str, range(len(luck.weights))))
    choices = tuple(
        (i, table.game.name(state, names[i], who.lang)) for i, weight in enumerate(luck.weights) if weight > 0
    )
    told = tuple(log_lines(table, who, wanted.told, state))
    return LuckAsk(luck.n, 0 if luck.weights else luck.sides, choices, told, wanted.dice, luck.low)
