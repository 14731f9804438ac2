"""Matches in memory.  A Table is a match being played here; the Hall knows them all.

A command is judged and carried out on a copy, written to the database, and only then is it so: memory follows
the journal, never the other way round.  Other processes write to the same journals; a note from them, or a
row number that was taken, makes a table read on.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from ..games import GAMES
from ..kernel import (
    Action,
    Complaint,
    Event,
    Game,
    IllegalAction,
    Luck,
    NeedLuck,
    Play,
    Scripted,
    Seeded,
    Setup,
    State,
    apply,
)
from ..kernel.chance import Dice
from ..kernel.codec import parse_action, say
from ..kernel.match import Entry, Match
from .brains import Brains, think
from .faults import Fault
from .store import MatchRow, Row, SeatRow, Standing, Store, StoreDown, now
from .wire import Act, Undo

log = logging.getLogger("legatus.server")

UNDO = "undo"
PATIENCE = 2.0  # seconds that a bot waits for a database that does not answer


class Wanted(Exception):
    """Players throw in this match: this luck is wanted before the action can be carried out."""

    def __init__(self, luck: Luck, told: Sequence[Event], dice: Sequence[int]) -> None:
        super().__init__("dice wanted")
        self.luck, self.told, self.dice = luck, told, tuple(dice)


class Pledge(msgspec.Struct, frozen=True):
    """An action that was begun, and the dice that had fallen for it, before row ``number``."""

    number: int
    do: str
    dice: tuple[int, ...]


class OwnDice(Dice):
    """Dice from the table of the players, draws from the server."""

    def __init__(self, faces: Sequence[int], draws: Dice) -> None:
        self.thrown = Scripted(faces)
        self.draws = draws

    def answer(self, luck: Luck) -> list[int]:
        return self.draws.answer(luck) if luck.weights else self.thrown.answer(luck)


class Table:
    """One match.  ``watchers`` are told after every row."""

    def __init__(self, head: MatchRow, seats: list[SeatRow], rows: list[Row]) -> None:
        self.head = head
        self.game: Game = GAMES[head.game]
        self.setup = msgspec.json.decode(head.setup, type=Setup)
        self.seats = seats
        self.match = Match.new(self.game, self.setup, Scripted(_faces(rows[0])))
        self.requests = {rows[0].request: 0}
        self.number = 1
        self.moved = rows[0].at
        self.last_undo = 0  # the number of the row that took back last
        self.follow(rows[1:])
        self.lock = asyncio.Lock()
        self.watchers: list[Any] = []
        self.actions: dict[tuple[str, Action], Any] = {}  # by language: how actions are shown
        self.elsewhere: dict[str, tuple[int, ...]] = {}  # other processes: seats that look on there
        self.asked = False  # whether they were asked who looks on there
        self.thinking: asyncio.Task[None] | None = None

    @property
    def turn(self) -> int | None:
        decision = self.match.state.decision
        return None if decision is None or self.head.replay else decision.seat

    @property
    def over(self) -> bool:
        return self.head.replay or self.match.state.outcome is not None

    def follow(self, rows: Sequence[Row]) -> None:
        """Do what the journal says; every row was legal when it was written."""
        for row in rows:
            if row.do == UNDO:
                self.match.undo(row.seat if row.seat is not None else -1)
                self.last_undo = row.number
            else:
                self.match.play(parse_action(self.game, row.do), Scripted(_faces(row)))
            self._note(row)

    def adopt(self, row: Row, action: Action | None, play: Play | None) -> None:
        """Take over what was carried out for a row that is now durable."""
        if play is None:
            self.follow([row])
            return
        self.match.journal.append(Entry(row.seat, action, tuple(play.faces), play.sealed))
        self.match.states.append(play.state)
        self.match.events.append(play.events)
        self._note(row)

    def _note(self, row: Row) -> None:
        self.requests[row.request] = row.number
        self.number = row.number + 1
        self.moved = row.at

    def seats_of(self, holder: str) -> list[int]:
        return [row.seat for row in self.seats if holder and row.holder == holder]

    def bot_to_move(self) -> str:
        turn = self.turn
        return "" if turn is None else self.seats[turn].bot

    def dice_for(self, typed: Sequence[int], human: bool) -> Dice:
        """The luck of the next row.  The computer throws nothing itself: the server throws for it."""
        own = Seeded(f"{self.head.seed}/{self.number}")
        if not human or self.head.luck == "server":
            return own
        return OwnDice(typed, own) if self.head.luck == "dice" else Scripted(typed)


def _table(found: tuple[MatchRow, list[SeatRow], list[Row]]) -> Table:
    try:
        return Table(*found)
    except (
        IllegalAction,
        NeedLuck,
        Complaint,
    ):  # the rules have changed since, or somebody wrote into the database
        log.exception("a journal cannot be replayed", extra={"match": found[0].id})
        raise Fault("broken", "unreadable") from None


def _faces(row: Row) -> tuple[int, ...]:
    return msgspec.json.decode(row.dice, type=tuple[int, ...])


class Hall:
    """All tables of this process."""

    def __init__(self, store: Store, brains: Brains, keep: int, announce: Callable[[Table], None]) -> None:
        self.store = store
        self.brains = brains
        self.keep = keep
        self.announce = announce  # tells the other processes
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Future[Table]] = {}

    @property
    def tables(self) -> list[Table]:
        return list(self._tables.values())

    async def table(self, match_id: str) -> Table:
        """A match, from memory or from the database."""
        table = self._tables.get(match_id)
        if table is None:
            if match_id not in self._loading:
                self._loading[match_id] = asyncio.ensure_future(self._load(match_id))
            loaded = await asyncio.shield(self._loading[match_id])
            table = self._tables.setdefault(match_id, loaded)  # it may be forgotten again already
        self._tables.move_to_end(match_id)
        self.wake(table)
        return table

    def find(self, match_id: str) -> Table | None:
        return self._tables.get(match_id)

    def at_hand(self, match_id: str) -> Table:
        """A match that is in memory."""
        return self._tables[match_id]

    async def _load(self, match_id: str) -> Table:
        try:
            found = await asyncio.to_thread(self.store.load, match_id)
            if found is None:
                raise Fault("not-found")
            table = await asyncio.to_thread(_table, found)
            self._tables[match_id] = table
            self._forget()
            return table
        finally:
            del self._loading[match_id]

    def _forget(self) -> None:
        """The longest unused tables at which nobody is go back to being rows."""
        for match_id, table in list(self._tables.items()):
            if len(self._tables) <= self.keep:
                return
            if not table.watchers and table.thinking is None and not table.lock.locked():
                del self._tables[match_id]

    async def catch_up(self, table: Table) -> None:
        """Read what other processes have written."""
        async with table.lock:
            await self._catch_up(table)

    async def _catch_up(self, table: Table) -> None:
        rows = await asyncio.to_thread(self.store.rows, table.head.id, table.number)
        for row in rows:
            table.follow([row])
            self.tell(table)
        self.wake(table)

    # --- commands

    async def act(self, table: Table, holder: str, wish: Act) -> int:
        """Do something for whoever holds ``holder``; the number at which the match stands then."""
        async with table.lock:
            done = await self._repeated(table, wish)
            if done is not None:
                return done
            self._may_play(table)
            turn = table.turn
            if turn is None or turn not in table.seats_of(holder):
                name = "" if turn is None else table.game.seats[turn]
                raise Fault("not-yours", "not-your-turn", seat=name)
            if wish.dice and table.head.luck == "server":
                raise Fault("wrong-dice", "no-dice")
            await self._keeps_pledge(table, wish.do, wish.dice)
            action = parse_action(table.game, wish.do)
            dice = table.dice_for(wish.dice, human=True)
            try:
                play = apply(table.match.state, action, dice)
            except NeedLuck as need:
                if need.sealed:
                    await self._pledge(table, wish)
                raise Wanted(need.luck, need.told, wish.dice) from None  # type: ignore[arg-type]
            unused = getattr(getattr(dice, "thrown", dice), "unused", 0)
            if unused:
                raise Fault("wrong-dice", "dice-left", left=unused)
            return await self._write(table, turn, action, play, wish.request)

    async def undo(self, table: Table, holder: str, wish: Undo) -> int:
        """Take the last action back, if it was the holder's and nothing forbids it."""
        async with table.lock:
            done = await self._repeated(table, wish)
            if done is not None:
                return done
            self._may_play(table)
            seat = table.match.journal[-1].seat
            if seat is None or seat not in table.seats_of(holder) or not table.match.can_undo(seat):
                raise Fault("no-undo")
            await self._keeps_pledge(table, UNDO, ())
            return await self._write(table, seat, None, None, wish.request)

    async def _pledge(self, table: Table, wish: Act) -> None:
        """An action with own dice has shown something before it asks for more: it must be gone on with."""
        pledge = Pledge(table.number, wish.do, wish.dice)
        await asyncio.to_thread(self.store.set_pledge, table.head.id, msgspec.json.encode(pledge).decode())

    async def _keeps_pledge(self, table: Table, do: str, dice: Sequence[int]) -> None:
        if table.head.luck == "server":
            return
        found = await asyncio.to_thread(self.store.pledge, table.head.id)
        pledge = msgspec.json.decode(found, type=Pledge) if found else Pledge(0, "", ())
        kept = do == pledge.do and tuple(dice[: len(pledge.dice)]) == pledge.dice
        if pledge.number == table.number and not kept:
            raise Fault("pledged", action=pledge.do, dice=" ".join(map(str, pledge.dice)))

    @staticmethod
    def _may_play(table: Table) -> None:
        if table.over:
            raise Fault("over", "replay" if table.head.replay else "over")

    async def _repeated(self, table: Table, wish: Act | Undo) -> int | None:
        """The answer to a request that was carried out before; a Fault if the match has gone on."""
        if wish.number != table.number:
            await self._catch_up(table)
        number = table.requests.get(wish.request)
        if number is not None:
            return number + 1
        if wish.number != table.number:
            raise Fault("conflict", number=table.number)
        return None

    async def _write(
        self, table: Table, seat: int, action: Action | None, play: Play | None, request: str
    ) -> int:
        """Make a row durable, then let it be so and tell everybody."""
        dice = msgspec.json.encode(play.faces if play else ()).decode()
        do = say(action) if action else UNDO
        row = Row(table.head.id, table.number, seat, do, dice, request, now())
        if not await self.store.append(row, _standing(table, play)):
            await self._catch_up(table)
            if table.requests.get(request) is not None:
                return table.requests[request] + 1
            raise Fault("conflict", number=table.number)
        table.adopt(row, action, play)
        self.tell(table)
        self.announce(table)
        self.wake(table)
        return table.number

    @staticmethod
    def tell(table: Table) -> None:
        for watcher in list(table.watchers):
            try:
                watcher.row(table)
            except Exception:  # the row is written all the same
                log.exception("a watcher could not be told", extra={"match": table.head.id})

    # --- bots

    def wake(self, table: Table) -> None:
        """If the computer is to decide here, let it think."""
        if table.thinking is None and table.bot_to_move():
            table.thinking = asyncio.create_task(self._think(table))

    async def _think(self, table: Table) -> None:
        try:
            while bot := table.bot_to_move():
                try:
                    await self._bot_acts(table, bot)
                except StoreDown:
                    await asyncio.sleep(PATIENCE)
        except Exception:
            log.exception("the computer could not move", extra={"match": table.head.id})
        finally:
            table.thinking = None

    async def _bot_acts(self, table: Table, bot: str) -> None:
        number, seat = table.number, table.turn
        assert seat is not None
        view = msgspec.json.encode(table.game.view(table.match.state, seat))
        entry = len(table.match.journal)
        do = await self.brains.ask(think, table.game.key, view, seat, bot, table.head.seed, entry)
        async with table.lock:
            if table.number != number:  # another process was faster
                return
            action = parse_action(table.game, do)
            play = apply(table.match.state, action, table.dice_for((), human=False))
            try:
                await self._write(table, seat, action, play, f"bot:{number:08d}")
            except Fault:
                return  # another process was faster


def _standing(table: Table, play: Play | None) -> Standing:
    """How the match will stand; after an undo its state before is the one to look at."""
    state = play.state if play else table.match.states[-2]
    return standing_of(state)


def standing_of(state: State) -> Standing:
    turn = state.decision.seat if state.decision else None
    return Standing(turn, state.outcome is not None, state.outcome.winner if state.outcome else None)
