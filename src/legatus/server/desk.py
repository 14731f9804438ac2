"""The desk: where matches are opened, joined and described.  It joins store, hall, keys and limits."""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
from collections import Counter
from contextlib import suppress
from time import monotonic
from typing import Any
from uuid import uuid4

import msgspec

from ..bots import level_name
from ..games import GAMES
from ..kernel import Game, IllegalAction, Message, say, why_not
from ..kernel.codec import label, parse_action, state_to_json
from ..kernel.commitment import COMMITTED, Contribution, private_seed
from ..lab.audit import Sitting
from . import live
from .analyst import Analyst
from .editions import Closed, closed_of, standing_of, summary_of
from .faults import Fault
from .frames import Eyes, entry_of, eyes, sentence
from .honesty import Memory, promise
from .jobs import Opening, check, leave, odds, set_up
from .keys import Keys, digest
from .lab import Lab
from .limits import Limit, of_one_client
from .live import Hall, Table
from .lobby import game_of
from .notes import Notes
from .readers import Turns
from .settings import Settings
from .store import Damaged, MatchRow, SeatRow, Store, is_trouble, now
from .wire import (
    BranchInfo,
    ContributionInfo,
    Join,
    MatchInfo,
    NewBranch,
    NewMatch,
    NewReplay,
    OddsColumn,
    OddsInfo,
    OddsTerm,
    SeatInfo,
)
from .words import WORDS
from .workers import WorkerPool

log = logging.getLogger("legatus.server")

MOST_LISTED = 100
DRAGS = 3  # times as many ghosts as other requests: one is asked for at every move of a hand that drags
BOTS_AWAKE = 2  # matches for each worker, that are woken after a start
AWAKE_SECONDS = 0.2  # until it is seen whether the next can be woken
SWEEP_SECONDS = 5.0  # a note from another process may be lost; then this finds what it said
SILENT_SECONDS = 2.5 * SWEEP_SECONDS  # a process that says nothing for so long is dead


class Desk:
    """Everything that the API works with; one for each process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process = uuid4().hex[:8]
        self.store = Store(settings.database)
        self.pool = WorkerPool(settings.workers, settings.limits, settings.memory, settings.waiting)
        self.hall = Hall(self.store, self.pool, settings.tables, self._announce, settings.tables_memory)
        self.requests = Limit(settings.requests, 60)
        self.drags = Limit(DRAGS * settings.requests, 60)
        self.openings = Limit(settings.openings, 3600)
        self.sockets: Counter[str] = Counter()  # open ones by address
        self.lists = Turns()
        self.lab = Lab(settings.lab, WorkerPool(1, settings.limits, settings.memory))
        self.analyst = Analyst(self.hall)
        self.memory = Memory(self.hall)
        self.keys = Keys("")  # the real one when the store is open
        self._seeds = ""  # the secret from which seeds are made
        self.notes = Notes(self.store.plain_url, self.heard, self.sweep) if self.store.is_postgres else None
        self._alive: dict[str, float] = {}  # other processes: when they were heard last

    def open(self) -> None:
        self.store.open()
        self.keys = Keys(self.store.secret("keys"))
        self._seeds = self.store.secret("seeds")

    def close(self) -> None:
        self.hall.close()
        self.lab.close()
        self.pool.close()
        self.store.close()

    async def wake_bots(self) -> None:
        """After a start, let bots go on where it was their turn, a few matches at a time."""
        most = BOTS_AWAKE * self.settings.workers
        for match_id in await asyncio.to_thread(self.store.waiting_for_bots):
            while sum(table.thinking is not None for table in self.hall.tables) >= most:
                await asyncio.sleep(AWAKE_SECONDS)
            try:
                await self.hall.table(match_id)
            except Fault:
                pass
            except Exception as error:
                if is_trouble(error):
                    continue  # the log has been told
                log.exception("a bot could not be woken", extra={"match": match_id})

    def enter(self, address: str) -> bool:
        """A socket more of this address, if it may have one."""
        client = of_one_client(address)
        if self.settings.sockets and self.sockets[client] >= self.settings.sockets:
            return False
        self.sockets[client] += 1
        return True

    def leave(self, address: str) -> None:
        self.sockets[of_one_client(address)] -= 1
        self.sockets += Counter()  # forget those at 0

    # --- other processes

    def _announce(self, table: Table) -> None:
        if self.notes is not None:
            self.notes.publish({"from": self.process, "match": table.head.id, "number": table.number})

    def announce_presence(self, table: Table) -> None:
        """Tell watchers here, and other processes, who looks on here."""
        self._tell_presence(table)
        self._say_who_is_here(table)

    def _say_who_is_here(self, table: Table) -> None:
        """The first time the others are asked too."""
        if self.notes is not None:
            here = [w.eyes.seat for w in table.watchers if w.eyes and w.eyes.seat is not None]
            note = {"from": self.process, "match": table.head.id, "here": here, "ask": not table.asked}
            self.notes.publish(note)
            table.asked = True

    async def heard(self, note: dict[str, Any]) -> None:
        """Another process has written a row, or its watchers have changed, or it is just alive."""
        if note["from"] == self.process:
            return
        self._alive[note["from"]] = monotonic()
        table = self.hall.find(note.get("match", ""))
        if table is None:
            return
        if "here" in note:
            table.elsewhere[note["from"]] = tuple(note["here"])
            table.seats = await asyncio.to_thread(self.store.seats_of, table.head.id)
            self._tell_presence(table)
            if note["ask"] and table.watchers:
                self._say_who_is_here(table)
        elif note["number"] > table.number:
            with suppress(Fault):  # who looks on has been told
                await self.hall.catch_up(table)

    async def sweep(self) -> None:
        """Whatever notes should have said: rows and players of matches in memory, processes that died."""
        tables = {table.head.id: table for table in self.hall.tables}
        numbers = await asyncio.to_thread(self.store.numbers, tables)
        for match_id, number in numbers.items():
            if number > tables[match_id].number:
                with suppress(Fault, Damaged):  # one that is damaged keeps no other from going on
                    await self.hall.catch_up(tables[match_id])
        if self.notes is not None:
            self.notes.publish({"from": self.process})
        silent = {p for p, then in self._alive.items() if monotonic() - then > SILENT_SECONDS}
        for process in silent:
            del self._alive[process]
        for table in tables.values():
            gone = silent & set(table.elsewhere)
            for process in gone:
                del table.elsewhere[process]
            is_open = any(row.holder is None and not row.bot for row in table.seats) and not table.head.replay
            seats = await asyncio.to_thread(self.store.seats_of, table.head.id) if is_open else table.seats
            if gone or seats != table.seats:
                table.seats = seats
                self._tell_presence(table)

    @staticmethod
    def _tell_presence(table: Table) -> None:
        for watcher in table.watchers:
            watcher.presence()

    # --- opening

    def seed_for(self, holder: str, request: str) -> str:
        """The seed of the match that a request makes, so that its hash can be told before it is made."""
        return hmac.digest(self._seeds.encode(), f"{holder}/{request}".encode(), "sha256").hex()

    async def open_match(self, wish: NewMatch, holder: str) -> Table:
        game = game_of(wish.game)
        if len(wish.seats) != len(game.seats):
            found, expected = len(wish.seats), len(game.seats)
            raise Fault("bad-request", "seats", game=game.key, expected=expected, found=found)
        seats = [
            SeatRow(
                "",
                seat,
                holder if plan.who == "me" else None,
                level_name(plan.bot or "greedy") if plan.who == "bot" else "",
                _plain(plan.name),
            )
            for seat, plan in enumerate(wish.seats)
        ]
        seed, sat = self.seed_for(holder, wish.request), _promise(game, seats, wish.contribution)
        args = (game.key, wish.scenario, wish.armies, wish.options, seed, sat)
        opening = await self.pool.ask("check", holder, set_up, *args)
        fairness = msgspec.json.encode(sat).decode()
        return await self._create(opening, seats, wish.luck, seed, holder, wish.request, fairness)

    async def open_replay(self, wish: NewReplay, holder: str) -> Table:
        """A record to look at; it is verified first."""
        found = await self.pool.ask("check", holder, check, wish.text)
        opening, seats, seed, request = found.opening, found.seats, found.seed, wish.request
        return await self._create(
            opening, seats, "server", seed, holder, request, found.fairness, replay=True, closed=found.cut
        )

    async def open_branch(self, table: Table, wish: NewBranch, holder: str) -> Table:
        """What if: of a match that is not over, only who sits there, and with what he may know."""
        game = table.game
        seat = game.seats.index(wish.seat) if wish.seat in game.seats else None
        if seat is None or not (table.over or seat in table.seats_of(holder)):
            raise Fault("not-yours", seat=wish.seat)
        who = eyes(table, holder, "", "en")
        entry = entry_of(table, who, wish.entry)
        level = level_name(wish.bot or "greedy")
        seats = [
            SeatRow("", n, holder) if n == seat else SeatRow("", n, None, level)
            for n in range(len(game.seats))
        ]
        seed, sat = self.seed_for(holder, wish.request), _promise(game, seats, wish.contribution)
        deal = private_seed(sat.scheme, seed, "branch") if wish.redeal or not table.over else None
        state = await self.hall.look(
            holder, table, lambda seen: state_to_json(seen.match.states[entry]), entry, who.bits
        )
        setup = msgspec.json.encode(table.match.setup)
        args = (game.key, setup, state, wish.entry, seat, table.head.id, deal)
        opening = await self.pool.ask("move", holder, leave, *args)
        fairness = msgspec.json.encode(sat).decode()
        return await self._create(opening, seats, "server", seed, holder, wish.request, fairness)

    async def _create(
        self,
        opening: Opening,
        seats: list[SeatRow],
        luck: str,
        seed: str,
        holder: str,
        request: str,
        fairness: str | None,
        replay: bool = False,
        closed: Closed | None = None,
    ) -> Table:
        ident, at = secrets.token_urlsafe(9), now()
        standing = opening.standing
        head = MatchRow(
            id=ident,
            game=opening.game,
            setup=opening.setup,
            luck=luck,
            seed=seed,
            replay=replay,
            maker=holder,
            request=request,
            started=at,
            moved=at,
            number=opening.rows[-1].number + 1,
            turn=None if replay else standing.turn,
            over=replay or standing.over,
            winner=standing.winner,
            edition=GAMES[opening.game].edition,
            closed=None if closed is None else msgspec.json.encode(closed).decode(),
            fairness=fairness,
        )
        rows = [msgspec.structs.replace(row, match_id=ident, at=at) for row in opening.rows]
        its_seats = [msgspec.structs.replace(seat, match_id=ident) for seat in seats]
        if not await asyncio.to_thread(self.store.create, head, its_seats, rows, opening.position):
            made = await asyncio.to_thread(self.store.made_by, holder, request)
            return await self.hall.table(made or "")
        log.info("match opened", extra={"match": ident, "game": opening.game, "replay": replay})
        return await self.hall.table(ident)

    async def join(self, table: Table, wish: Join, holder: str) -> None:
        """Take the seat of an invitation."""
        ident = table.head.id
        seat = next((s.seat for s in table.seats if self.keys.is_invite(wish.invite, ident, s.seat)), None)
        if seat is None:
            raise Fault("no-invitation")
        if not await asyncio.to_thread(self.store.sit, ident, seat, holder, _plain(wish.name)):
            raise Fault("taken")
        if wish.contribution:
            await self.hall.contribute(table, seat, wish.contribution)
        table.seats = await asyncio.to_thread(self.store.seats_of, ident)
        self.announce_presence(table)

    # --- describing

    async def mine(self, holder: str, lang: str) -> tuple[MatchInfo, ...]:
        """The matches of a key; for each address one list at a time."""
        async with self.lists.of(self.pool.client_of(holder)):
            return await asyncio.to_thread(self._listed, holder, lang)

    def _listed(self, holder: str, lang: str) -> tuple[MatchInfo, ...]:
        found = self.store.held_by(holder, MOST_LISTED)
        known = ((row, seats) for row, seats in found if row.game in GAMES)  # a later version knows others
        listed = []
        for row, seats in known:
            with suppress(Exception):  # one that is damaged keeps no other from being listed
                listed.append(self._info(row, seats, holder, lang))
        return tuple(listed)

    def info(self, table: Table, holder: str, lang: str) -> MatchInfo:
        bits = table.bits_of(holder)
        head = msgspec.structs.replace(
            table.head,
            number=table.number,
            shown=table.counting.number(bits),
            moved=table.counting.moved(bits),
            turn=table.turn,
            over=table.over,
            winner=table.head.winner if table.match.difference else standing_of(table.match.state).winner,
        )
        return self._info(head, table.seats, holder, lang, table)

    def _info(
        self, head: MatchRow, seats: list[SeatRow], holder: str, lang: str, table: Table | None = None
    ) -> MatchInfo:
        game = GAMES[head.game]
        setup = table.summary if table else summary_of(head)
        left = setup.branch
        number = head.number if head.shown is None or head.over else head.shown
        held = [row.seat for row in seats if holder and row.holder == holder]
        promised = promise(head, table.contributions if table else ())
        watched = {w.eyes.seat for w in table.watchers if w.eyes} if table else set()
        if table is not None:
            watched |= {seat for here in table.elsewhere.values() for seat in here}
        return MatchInfo(
            id=head.id,
            game=head.game,
            title=setup.scenario.told("name", lang),
            text=setup.scenario.told("text", lang),
            seats=tuple(self._seat(game, head, row, holder, lang, row.seat in watched) for row in seats),
            luck=head.luck,  # type: ignore[arg-type]
            number=number,
            entries=len(table.counting.shown(table.bits_of(holder))) if table else number,
            over=head.over,
            replay=head.replay,
            turn="" if head.turn is None else game.seats[head.turn],
            winner="" if head.winner is None else game.seats[head.winner],
            started=head.started,
            moved=head.moved,
            record=head.over or (bool(held) and len(held) == len(seats)),
            secrets=game.has_secrets,
            branch=BranchInfo(left.of, left.entry, left.seat, left.dealt) if left else None,
            edition=head.edition,
            notice=notice(head, setup.edition, table, lang),
            scheme=promised.scheme,
            commitment=promised.commitment,
            contributions=tuple(
                ContributionInfo(
                    c.seat, c.row if head.over or table is None else table.counted_row(c.row, holder), c.text
                )
                for c in promised.contributions
            ),
            seed=head.seed if head.over else "",
        )

    def _seat(
        self, game: Game, head: MatchRow, row: SeatRow, holder: str, lang: str, online: bool
    ) -> SeatInfo:
        words = game.folder.messages[lang].sentences
        is_open = row.holder is None and not row.bot and not head.replay
        return SeatInfo(
            seat=game.seats[row.seat],
            label=words.get(f"name.{game.seats[row.seat]}", game.seats[row.seat]),
            who="bot" if row.bot else "record" if head.replay else "open" if is_open else "human",
            name=WORDS[lang].sentences.get(f"bot.{row.bot}.label", row.bot) if row.bot else row.name,
            yours=bool(holder) and row.holder == holder,
            online=bool(row.bot) or online,
            invite=self.keys.invite(head.id, row.seat) if is_open and head.maker == holder else "",
        )

    async def odds(self, table: Table, holder: str, who: Eyes, do: str) -> OddsInfo:
        """Reckoned by a worker from what the seat knows."""
        assert who.seat is not None
        question = await self.hall.look(holder, table, lambda seen: _question(seen, who, do))
        args = (table.game.key, question.known, who.seat, question.do)
        plain = await self.pool.ask("odds", holder, odds, *args)
        words = table.game.folder.messages[who.lang].sentences
        columns = tuple(
            msgspec.convert({"key": key, "label": words.get(f"measure.{key}", key), **column}, OddsColumn)
            for key, column in plain["columns"].items()
        )
        return OddsInfo(question.label, plain["exact"], plain["runs"], columns, question.terms)


class Question(msgspec.Struct, frozen=True):
    """Odds that somebody wants, and what he knows."""

    known: bytes
    do: str
    label: str
    terms: tuple[OddsTerm, ...]


def _question(table: Table, who: Eyes, do: str) -> Question:
    game, view = table.game, who.view(table.game, table.match.state)
    action = parse_action(game, do)
    against = why_not(view, action)
    if against:
        raise IllegalAction(against)
    terms = tuple(
        OddsTerm(term.clause, sentence(game, view, term, who.lang), term.value) for term in action.terms(view)
    )
    known, named = state_to_json(view), label(game, view, action, who.lang)
    return Question(known, say(action), named, terms)


def _promise(game: Game, seats: list[SeatRow], contribution: str) -> Sitting:
    """What the dice of a new match follow from, but for its seed: the maker contributes for his own seats."""
    mine = [game.seats[row.seat] for row in seats if row.holder and contribution]
    return Sitting(
        scheme=COMMITTED, contributions=tuple(Contribution(seat, 0, contribution) for seat in mine)
    )


def notice(head: MatchRow, begun: int, table: Table | None, lang: str) -> str:
    """What players are to know: that the rules have changed, and what became of the match."""
    closed = table.closed if table else closed_of(head)
    if closed is not None:
        if closed.reason == "length":
            return WORDS[lang].render(Message("server.was-ended", {"rows": live.MOST_ROWS}))
        key = "was-cut" if head.replay or head.closed is None else "was-closed"
        values = {**msgspec.to_builtins(closed), "last": closed.entries - 1}
        return WORDS[lang].render(Message(f"server.{key}", values))
    if table is not None and not table.over and table.fullness >= live.NEAR:
        return WORDS[lang].render(Message("server.near-end", {"rows": live.MOST_ROWS}))
    resumed = [n for n, entry in enumerate(table.match.journal) if entry.resumed] if table else []
    if table is not None and resumed:
        return sentence(table.game, table.match.state, table.match.events[resumed[-1]][0], lang)
    unverified = table is not None and table.fate == "unverified"
    ended = head.over or head.replay
    if begun < head.edition and (unverified or not ended):
        key = "goes-on" if not unverified else "unverified" if ended else "goes-on-unverified"
        return WORDS[lang].render(Message(f"server.{key}", {"before": begun, "edition": head.edition}))
    return ""


def _plain(name: str) -> str:
    """PostgreSQL cannot hold a NUL."""
    return name.replace("\0", "")


def holder_of(keys: Keys, key: str) -> str:
    """The hash of a key, empty for none; a Fault if it is not one of ours."""
    if not key:
        return ""
    if not keys.is_ours(key):
        raise Fault("bad-key")
    return digest(key)
