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
from contextlib import suppress
from copy import copy
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from ..bots.decoys import is_searching
from ..games import GAMES
from ..kernel import Action, Event, Game, Luck, Message, NeedLuck, Play, Scripted, State, apply
from ..kernel.chance import Dice
from ..kernel.codec import parse_action, say, state_to_json
from ..kernel.commitment import SEEDED, Contribution, bot_seed, dice_of
from ..kernel.journal import Differs, follow, go_on, resumption
from ..kernel.match import Match
from ..lab.audit import Sitting
from .counting import ALL, Counting, bits_of, who_notices
from .editions import (
    Closed,
    Fate,
    Judged,
    Mark,
    closed_of,
    is_unnoticed,
    judge,
    line_of,
    resumed_text,
    standing_of,
    summary_of,
)
from .faults import Fault
from .jobs import rehearse, think
from .readers import Readers
from .store import CONTRIBUTE, UNDO, MatchRow, Row, Standing, Store, Stored, StoreDown, now
from .wire import Act, Frame, Undo
from .workers import WorkerPool

if TYPE_CHECKING:
    from .frames import Eyes

log = logging.getLogger("legatus.server")

T = TypeVar("T")

MOST_ROWS = 20_000  # of a journal: then the match is over
MOST_BYTES = 5_000_000  # of a journal
NEAR = 0.9  # of them, from which on players are told
ROW_BYTES = 1_000  # that a row costs in memory, with its events, beside what it says
ACTION_BYTES = 1_500  # that an action put into words costs
MOST_FRAMES = 8  # viewers whose frames of now are kept: seats, spectators, languages; and of each so many
QUICK_ENTRIES = 20  # of a log, whose states are made again at once
TRIES = 20  # to load a match into which other processes write
PACE = 0.25  # seconds: where its time could tell a secret, a searching bot answers at the end of a step
PATIENCE = 2.0  # seconds that a bot waits for a database that does not answer
REST = 60.0  # seconds until a bot tries again whose decision was too much work


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

    match: Match

    def __init__(self, stored: Stored, judged: Judged) -> None:
        self.head: MatchRow = stored.head
        self.game: Game = GAMES[stored.head.game]
        self.restore(stored, judged)
        self.lock = asyncio.Lock()
        self.watchers: list[Any] = []
        self.actions: dict[tuple[str, Action], Any] = {}  # by language: how actions are shown
        self.elsewhere: dict[str, tuple[int, ...]] = {}  # other processes: seats that look on there
        self.asked = False  # whether they were asked who looks on there
        self.thinking: asyncio.Task[None] | None = None
        self.rests_until = 0.0  # monotonic: when a bot whose decision was too much work may try again

    def copy(self) -> Table:
        """The match as it stands, to be looked at in another thread."""
        other = copy(self)
        other.match, other.counting = self.match.copy(), self.counting.copy()
        return other

    @property
    def is_odd(self) -> bool:
        """True of what may have been uploaded: its field may be larger than any of ours."""
        return self.head.replay or self.match.setup.branch is not None

    def place_of(self, who: Eyes) -> tuple[int, int]:
        """How often somebody has been told something: what he sees now is the same until he is told more."""
        bits = self.counted(who.bits)
        return bits, self.counting.number(bits)

    def kept_frame(self, who: Eyes, start: int) -> Frame | None:
        """What somebody else was sent who sees the same, with the log from ``start`` on."""
        place, frames = self.frames.get(who, (None, {}))
        return frames.get(start) if place == self.place_of(who) else None

    def keep_frame(self, who: Eyes, start: int, place: tuple[int, int], frame: Frame) -> None:
        """Keep a frame for others who see the same; those of earlier moments are forgotten."""
        if place != self.place_of(who) or len(frame.log) > QUICK_ENTRIES:
            return
        if who not in self.frames and len(self.frames) >= MOST_FRAMES:
            self.frames.clear()
        before, frames = self.frames.get(who, (place, {}))
        if before != place or len(frames) >= MOST_FRAMES:
            frames = {}
        self.frames[who] = place, {**frames, start: frame}

    def is_quick(self, first: int, bits: int) -> bool:
        """True if what somebody sees from the entry ``first`` on is made in a moment.

        That does not depend on how much others did that he was not told of.
        """
        states, made = self.match.states, 0
        for entry in reversed(self.counting.shown(self.counted(bits))):
            if entry < first or made > QUICK_ENTRIES:
                break
            made += not states.is_at_hand(entry)
        return not self.is_odd and made + states.to_make(first) <= QUICK_ENTRIES

    def restore(self, stored: Stored, judged: Judged) -> None:
        """Be what the database says."""
        assert judged.match is not None
        self.head, self.seats, self.match, self.fate = stored.head, stored.seats, judged.match, judged.fate
        self.summary = summary_of(stored.head)
        self.requests: dict[str, int] = {}
        self.frames: dict[Eyes, tuple[tuple[int, int], dict[int, Frame]]] = {}  # of now, by their first entry
        self.counting = Counting()
        self.bytes = 0  # of the journal
        self.position_bytes = len(stored.position or "")
        self.fairness = fairness_of(stored.head)
        self.contributions = list(self.fairness.contributions)
        self.joinings: set[int] = set()  # rows that change no state: somebody contributed to the dice
        for row in stored.rows:
            self._note(row)
        self.counting.settle(len(self.match.journal))

    @property
    def turn(self) -> int | None:
        decision = self.match.state.decision
        return None if decision is None or not self.goes_on else decision.seat

    @property
    def goes_on(self) -> bool:
        """Whether it is a match in which something can be done, unless it is over."""
        is_open = not self.head.replay and self.head.closed is None and self.match.difference is None
        return is_open and self.fullness < 1

    @property
    def over(self) -> bool:
        return not self.goes_on or self.match.state.outcome is not None

    @property
    def closed(self) -> Closed | None:
        """What is not shown, and why."""
        shown = Judged(self.fate, self.match, self.head.edition).closed
        stored = closed_of(self.head)
        if shown is None and stored is None and self.fullness >= 1 and self.match.state.outcome is None:
            return too_long(self.match)
        return shown or stored

    @property
    def fullness(self) -> float:
        """How much of a journal's length is used up; at 1 the match is over.  Records have any length."""
        return 0.0 if self.head.replay else fullness(self.number, self.bytes)

    @property
    def size(self) -> int:
        """About how many bytes it takes up in memory."""
        rest = 2 * len(self.head.setup) + ACTION_BYTES * len(self.actions)
        states = self.match.states.in_memory * self.position_bytes
        return states + 3 * self.bytes + ROW_BYTES * self.number + rest

    def follow(self, row: Row) -> None:
        """Do what the journal says; Differs if it does not lead where it led."""
        line = line_of(row, self.game.seats)
        if line.resumed is not None:  # all of it must be seen together
            raise Differs(Message("record.other_state"))
        follow(self.match, line)
        self._note(row)

    def adopt(self, row: Row, action: Action | None, play: Play | None) -> None:
        """Take over what was carried out for a row that is now durable."""
        if play is None:
            self.follow(row)
            return
        self.match.rows = row.number
        self.match.add(row.seat, action, play)
        if is_unnoticed(row):
            self.match.states.hide()
        self._note(row)

    def _note(self, row: Row) -> None:
        if row.do.startswith(CONTRIBUTE) and row.seat is not None:
            seat, text = self.game.seats[row.seat], row.do.removeprefix(CONTRIBUTE)
            self.contributions.append(Contribution(seat, row.number + 1, text))
            self.joinings.add(row.number)
        self.requests[row.request] = row.number
        self.bytes += row_bytes(row)
        self.number = row.number + 1
        self.counting.add(row)

    def seats_of(self, holder: str) -> list[int]:
        return [row.seat for row in self.seats if holder and row.holder == holder]

    def is_watched(self) -> bool:
        """Whether somebody looks on, here or elsewhere."""
        return bool(self.watchers) or any(self.elsewhere.values())

    def can_undo(self, seat: int, bits: int) -> bool:
        """Whether a seat may take the last action back, for somebody with these ``bits``.

        Not while somebody else decides in secret: that it cannot any more would tell that he has begun.
        """
        decision = self.match.state.decision
        hidden = decision is not None and decision.secret and not bits & 1 << decision.seat
        return not self.over and not hidden and self.match.can_undo(seat)

    def bits_of(self, holder: str) -> int:
        """Whose rows and entries somebody counts."""
        return self.counted(bits_of(self.game, self.seats_of(holder)))

    def counted_row(self, row: int, holder: str) -> int:
        """How somebody counts a row."""
        return self.counting.number(self.bits_of(holder), row)

    def counted(self, bits: int) -> int:
        """When a match is over, everybody counts all."""
        return ALL if self.over else bits

    def bot_to_move(self) -> str:
        turn = self.turn
        return "" if turn is None else self.seats[turn].bot

    def as_now(self, number: int) -> int:
        """The number at which a match stands for somebody who has not heard of those who joined since."""
        while number in self.joinings:
            number += 1
        return number

    @property
    def mind(self) -> int | str:
        """The seed of the bots' own chance."""
        return bot_seed(self.fairness.scheme, self.head.seed)

    def dice_for(self, typed: Sequence[int], human: bool) -> Dice:
        """The luck of the next row.  The computer throws nothing itself: the server throws for it."""
        scheme, seats = self.fairness.scheme, self.game.seats
        own = dice_of(scheme, self.head.seed, self.number, self.contributions, seats)
        if not human or self.head.luck == "server":
            return own
        return OwnDice(typed, own) if self.head.luck == "dice" else Scripted(typed)


def row_bytes(row: Row) -> int:
    return len(row.do) + len(row.dice) + len(row.request)


def fullness(rows: int, size: int) -> float:
    return max(rows / MOST_ROWS, size / MOST_BYTES)


def too_long(match: Match) -> Closed:
    return Closed(match.game.edition, match.game.edition, len(match.journal), 0, "length")


class Hall:
    """All tables of this process: at most ``keep`` of them, and ``memory`` bytes, at which nobody is."""

    def __init__(
        self,
        store: Store,
        pool: WorkerPool,
        keep: int,
        announce: Callable[[Table], None],
        memory: int = 256_000_000,
    ) -> None:
        self.readers, self.loaders, self.uploads = Readers("reader"), Readers("loader"), Readers("upload")
        self.store = store
        self.pool = pool
        self.keep, self.memory = keep, memory
        self.announce = announce  # tells the other processes
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Future[Table]] = {}

    def close(self) -> None:
        for readers in (self.readers, self.loaders, self.uploads):
            readers.close()

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

    async def look(
        self,
        client: str,
        table: Table,
        work: Callable[[Table], T],
        entry: int | None = None,
        bits: int = ALL,
    ) -> T:
        """What ``work`` makes of a match from ``entry`` on, in a thread if that may take long.

        ``client`` is an address or a key: for each address one thing is done at a time.  ``bits`` are those
        whose entries he counts.
        """
        if table.is_quick(len(table.match.journal) - 1 if entry is None else entry, bits):
            return work(table)
        return await self.readers_of(table).ask(self.pool.client_of(client), work, table.copy())

    def readers_of(self, table: Table) -> Readers:
        """The threads in which a match is looked at; who looks at uploads waits for other uploads only."""
        return self.uploads if table.is_odd else self.readers

    def find(self, match_id: str) -> Table | None:
        return self._tables.get(match_id)

    def at_hand(self, match_id: str) -> Table:
        """A match that is in memory."""
        return self._tables[match_id]

    async def _load(self, match_id: str) -> Table:
        try:
            table = await self.read(match_id)
            self._tables[match_id] = table
            self._forget()
            return table
        finally:
            del self._loading[match_id]

    async def read(self, match_id: str) -> Table:
        """A match from the database; a Fault if it is damaged."""
        try:
            return Table(*await self.settled(match_id))
        except (Fault, StoreDown, SQLAlchemyError, OSError, MemoryError):
            raise
        except Exception as error:
            extra = {"match": match_id, "problem": repr(error)}
            log.warning("a match is damaged, and cannot be read", extra=extra)
            raise Fault("unreadable", "damaged") from error

    async def settled(self, match_id: str) -> tuple[Stored, Judged]:
        """A match from the database.  If the rules have changed it is pinned, resumed or closed first."""
        for _ in range(TRIES):
            stored = await asyncio.to_thread(self.store.load, match_id)
            if stored is None:
                raise Fault("not-found")
            client = self.pool.client_of(stored.head.maker)
            is_odd = stored.head.replay or summary_of(stored.head).branch is not None
            judged = await (self.uploads if is_odd else self.loaders).ask(client, judge, stored)
            head, match = stored.head, judged.match
            if judged.fate == "newer" or match is None:
                known = GAMES[head.game].edition if head.game in GAMES else 0
                raise Fault("newer", edition=judged.before, known=known)
            if judged.fate == "resumed":
                if await self.resume(stored, match):
                    continue  # it is read again, as everybody reads it from now on
            elif judged.fate in ("closed", "lost") and not head.over:
                await asyncio.to_thread(self._close, stored, judged)
                continue
            elif self._is_too_long(stored, match):
                closed = msgspec.json.encode(too_long(match)).decode()
                await asyncio.to_thread(self.store.close_match, head.id, closed)
                continue
            elif match.difference is None and head.edition != match.game.edition:
                await asyncio.to_thread(self._pin, stored, judged.fate)
                stored = msgspec.structs.replace(
                    stored, head=msgspec.structs.replace(head, edition=match.game.edition)
                )
            if judged.fate == "lost":
                raise Fault("unreadable", before=judged.before, edition=match.game.edition)
            if judged.fate != "resumed":
                return stored, judged
        raise Fault("conflict", number=stored.head.number if stored else 0)

    async def resume(self, stored: Stored, match: Match) -> bool:
        """Let a match go on from its position, with a row that says so; False if somebody else was first."""
        resumed, head = resumption(match), stored.head
        assert resumed is not None
        go_on(match, resumed)
        mark, number = Mark.of(match.state), stored.rows[-1].number + 1
        do, request = resumed_text(resumed, 0), f"edition:{number:08d}"
        row = Row(head.id, number, None, do, "[]", request, now(), mark.check, position=mark.position)
        counting = Counting()
        for earlier in (*stored.rows, row):
            counting.add(earlier)
        shown = counting.number(bits_of(match.game, ()))
        standing = msgspec.structs.replace(standing_of(match.state, mark), shown=shown)
        done = await self.store.append(row, standing)
        if done:
            await asyncio.to_thread(self.store.pin, head.id, match.game.edition)
            log.warning(
                "the rules have changed: a match goes on from its stored position",
                extra={"match": head.id, "before": resumed.edition, "lost": resumed.lost},
            )
        return done

    @staticmethod
    def _is_too_long(stored: Stored, match: Match) -> bool:
        """Whether a match should be over because of its length, and is not yet."""
        if stored.head.over or stored.head.closed is not None or match.state.outcome is not None:
            return False
        return fullness(len(stored.rows), sum(map(row_bytes, stored.rows))) >= 1

    def _close(self, stored: Stored, judged: Judged) -> None:
        closed = judged.closed
        self.store.close_match(stored.head.id, msgspec.json.encode(closed).decode())
        extra = {"match": stored.head.id, "before": judged.before}
        extra |= msgspec.to_builtins(closed) if closed else {}
        log.warning("the rules have changed: a match cannot be gone on with", extra=extra)

    def _pin(self, stored: Stored, fate: Fate) -> None:
        head, edition = stored.head, GAMES[stored.head.game].edition
        self.store.pin(head.id, edition)
        told = {"match": head.id, "before": head.edition, "edition": edition, "verified": fate == "same"}
        log.info("a match goes on under another edition of the rules", extra=told)

    def _forget(self) -> None:
        """The longest unused tables at which nobody is go back to being rows."""
        size = sum(table.size for table in self._tables.values())
        for match_id, table in list(self._tables.items()):
            if len(self._tables) <= self.keep and size <= self.memory:
                return
            if not table.watchers and table.thinking is None and not table.lock.locked():
                del self._tables[match_id]
                size -= table.size

    async def catch_up(self, table: Table) -> None:
        """Read what other processes have written."""
        async with table.lock:
            await self._catch_up(table)

    async def _catch_up(self, table: Table) -> None:
        rows = await asyncio.to_thread(self.store.rows, table.head.id, table.number)
        for row in rows:
            try:
                table.follow(row)
            except Differs:  # another version writes here, or has resumed it
                await self._read_again(table)
                break
            self.tell(table)
            await asyncio.sleep(0)  # whose line is free is sent every row
        self.wake(table)

    async def _read_again(self, table: Table) -> None:
        """Be what the database says; if it is not for this version any more, the table is forgotten."""
        try:
            table.restore(*await self.settled(table.head.id))
        except Fault as fault:
            self._tables.pop(table.head.id, None)
            for watcher in list(table.watchers):
                watcher.complain(fault)
            raise
        self.tell(table)

    # --- commands

    async def act(self, table: Table, holder: str, wish: Act) -> int:
        """Do something for whoever holds ``holder``; the number at which the match stands for him then."""
        async with table.lock:
            done = await self._repeated(table, wish, holder)
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
                play = await self._carried_out(table, holder, action, dice)
            except NeedLuck as need:
                if need.sealed:
                    await self._pledge(table, wish)
                raise Wanted(need.luck, need.told, wish.dice) from None  # type: ignore[arg-type]
            unused = getattr(getattr(dice, "thrown", dice), "unused", 0)
            if unused:
                raise Fault("wrong-dice", "dice-left", left=unused)
            row = await self._write(table, turn, action, play, wish.request)
            return table.counting.number(table.bits_of(holder), row)

    async def undo(self, table: Table, holder: str, wish: Undo) -> int:
        """Take the last action back, if it was the holder's and nothing forbids it."""
        async with table.lock:
            done = await self._repeated(table, wish, holder)
            if done is not None:
                return done
            self._may_play(table)
            seat = table.match.journal[-1].seat
            if (
                seat is None
                or seat not in table.seats_of(holder)
                or not table.can_undo(seat, table.bits_of(holder))
            ):
                raise Fault("no-undo")
            await self._keeps_pledge(table, UNDO, ())
            states = table.match.states  # the one before the last one is wanted then
            if not states.is_at_hand(len(states) - 2):
                ask, client = self.readers_of(table).ask, self.pool.client_of(holder)
                states.hold(len(states) - 2, await ask(client, states.made, len(states) - 2))
            row = await self._write(table, seat, None, None, wish.request)
            return table.counting.number(table.bits_of(holder), row)

    async def _carried_out(self, table: Table, client: str, action: Action, dice: Dice) -> Play:
        """What comes of an action; in a battle that was uploaded it is tried by a worker first."""
        state = table.match.state
        if not table.is_odd:
            return apply(state, action, dice)
        known, sat = state_to_json(state), table.fairness
        sat = msgspec.structs.replace(sat, contributions=tuple(table.contributions))
        args = (table.game.key, known, say(action), table.head.seed, table.number, sat)
        await self.pool.ask("move", client, rehearse, *args, is_watched=table.is_watched)
        return await self.uploads.ask(self.pool.client_of(client), apply, state, action, dice)

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
        if table.as_now(pledge.number) == table.number and not kept:
            raise Fault("pledged", action=pledge.do, dice=" ".join(map(str, pledge.dice)))

    async def contribute(self, table: Table, seat: int, text: str) -> None:
        """What a player adds to the dice from the next row on; the first contribution of a seat is the one.

        Nothing is taken while an action is under way of which dice were shown: it would draw others then.
        """
        request = f"join:{seat:08d}"
        async with table.lock:
            for _ in range(TRIES):
                given = {one.seat for one in table.contributions}
                if table.over or table.fairness.scheme == SEEDED or table.game.seats[seat] in given:
                    return
                try:
                    await self._keeps_pledge(table, "", ())
                    await self._write(table, seat, None, None, request, CONTRIBUTE + text)
                except Fault as fault:
                    if fault.code == "pledged":
                        return
                else:
                    return

    @staticmethod
    def _may_play(table: Table) -> None:
        if table.over:
            closed = table.closed
            key = "over" if closed is None else "closed" if closed.reason == "rules" else "ended"
            raise Fault("over", "replay" if table.head.replay else key)

    async def _repeated(self, table: Table, wish: Act | Undo, holder: str) -> int | None:
        """The answer to a request that was carried out before; a Fault if the match has gone on."""
        if wish.number != table.counting.number(table.bits_of(holder)):
            await self._catch_up(table)
        row, bits = table.requests.get(wish.request), table.bits_of(holder)
        if row is not None:
            return table.counting.number(bits, row + 1)
        number = table.counting.number(bits)
        if wish.number != number:
            raise Fault("conflict", number=number)
        return None

    async def _write(
        self, table: Table, seat: int, action: Action | None, play: Play | None, request: str, do: str = UNDO
    ) -> int:
        """Make a row durable, then let it be so and tell everybody; how many rows there are then.

        Without an action it does ``do``.
        """
        dice = msgspec.json.encode(play.faces if play else ()).decode()
        do = say(action) if action else do
        left = table.match.states[-2 if do == UNDO else -1]  # after an undo, as it was before
        state = play.state if play else left
        mark, number, noticed = Mark.of(state), table.number, 0  # who contributes changes nothing to see
        if play is not None:
            noticed = who_notices(table.game, table.match.state, state, play.events)
        elif do == UNDO:
            noticed = table.counting.entries[-1]
        row = Row(
            table.head.id, number, seat, do, dice, request, now(), mark.check, noticed, mark.in_row(number)
        )
        if not await self.store.append(row, _standing(table, row, state, mark)):
            await self._catch_up(table)
            if table.requests.get(request) is not None:
                return table.requests[request] + 1
            holder = table.bits_of(table.seats[seat].holder or "")
            raise Fault("conflict", number=table.counting.number(holder))
        table.adopt(row, action, play)
        table.position_bytes = len(mark.position)
        await self._end(table)
        self.tell(table)
        self.announce(table)
        self.wake(table)
        return table.number

    async def _end(self, table: Table) -> None:
        """Close a match that has become too long; if that fails, it is done when it is read again."""
        closed = table.closed
        if closed is None or table.head.closed is not None:
            return
        text = msgspec.json.encode(closed).decode()
        table.head = msgspec.structs.replace(table.head, closed=text, over=True)
        log.info("a match is too long and was closed", extra={"match": table.head.id, "rows": table.number})
        with suppress(SQLAlchemyError):
            await asyncio.to_thread(self.store.close_match, table.head.id, text)

    @staticmethod
    def tell(table: Table) -> None:
        for watcher in table.watchers:
            if watcher.row() and table.fullness >= NEAR:  # of which its description tells
                watcher.presence()

    # --- bots

    def wake(self, table: Table) -> None:
        """If the computer is to decide here, let it think."""
        if table.thinking is None and table.bot_to_move() and monotonic() >= table.rests_until:
            table.thinking = asyncio.create_task(self._think(table))

    async def _think(self, table: Table) -> None:
        try:
            while bot := table.bot_to_move():
                try:
                    await self._bot_acts(table, bot)
                except StoreDown:
                    await asyncio.sleep(PATIENCE)
        except Fault as fault:  # its decision is too much work, or the match is not for this version any more
            log.warning("the computer cannot go on", extra={"match": table.head.id, "problem": str(fault)})
            table.rests_until = monotonic() + REST
            for watcher in list(table.watchers):
                watcher.complain(fault)
        except Exception:
            log.exception("the computer could not move", extra={"match": table.head.id})
            table.rests_until = monotonic() + REST  # else whoever looks at it would have it tried again
        finally:
            table.thinking = None

    async def _bot_acts(self, table: Table, bot: str) -> None:
        number, seat = table.number, table.turn
        assert seat is not None
        view = state_to_json(table.game.view(table.match.state, seat))
        entry, began = len(table.match.journal), monotonic()
        watched = table.game.has_secrets and any(not row.bot for row in table.seats)
        args = (table.game.key, view, seat, bot, str(table.mind), entry, watched)
        kind = "odd_bot" if table.is_odd else "bot"
        do = await self.pool.ask(kind, table.head.maker, think, *args, is_watched=table.is_watched)
        if watched and is_searching(bot):
            await asyncio.sleep(PACE - (monotonic() - began) % PACE)
        async with table.lock:
            if table.number != number:  # another process was faster
                return
            action = parse_action(table.game, do)
            dice = table.dice_for((), human=False)
            play = await self._carried_out(table, table.head.maker, action, dice)
            try:
                await self._write(table, seat, action, play, f"bot:{number:08d}")
            except Fault as fault:
                if fault.code != "conflict":  # that would say: another process was faster
                    raise


def fairness_of(head: MatchRow) -> Sitting:
    """What the dice of a match follow from, but for its seed; of a record, all that it says."""
    return msgspec.json.decode(head.fairness, type=Sitting) if head.fairness is not None else Sitting()


def _standing(table: Table, row: Row, state: State, mark: Mark) -> Standing:
    """How the match stands after a row, and when spectators noticed something last."""
    bits, counting = bits_of(table.game, ()), table.counting
    seen = row.noticed is None or bool(row.noticed & bits)
    moved, shown = row.at if seen else counting.moved(bits), counting.number(bits) + seen
    return msgspec.structs.replace(standing_of(state, mark), moved=moved, shown=shown)
