"""The HTTP API: each call is one function.  ``docs/reference/api.md`` describes it."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Any

from litestar import Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter, QueryParameter

from ..kernel.commitment import commitment_of
from ..kernel.drafts import CheckedDesign, Workshop
from ..kernel.records import record_text
from ..scene.model import Ghost, Look
from . import lobby
from .desk import Desk, holder_of
from .faults import Fault
from .frames import entry_of, eyes, frame, luck_ask, moment, whole_log
from .honesty import notes
from .jobs import check_army, check_design
from .limits import of_one_client
from .live import Table, Wanted
from .whynot import menu, reasons
from .wire import (
    Act,
    AnalysisInfo,
    Ask,
    AskCommitment,
    AskOdds,
    CheckArmy,
    CheckDesign,
    CheckedArmy,
    Commitment,
    Done,
    Failure,
    Frame,
    Join,
    Key,
    LabInfo,
    Lang,
    Lobby,
    Log,
    Matches,
    MatchInfo,
    Menu,
    NewBranch,
    NewLab,
    NewMatch,
    NewReplay,
    OddsInfo,
    Reasons,
    Recruits,
    Rules,
    ThoughtsInfo,
    Undo,
    VerdictInfo,
)

MatchId = Annotated[str, PathParameter(max_length=32, description="The id of a match.")]
LabId = Annotated[str, PathParameter(max_length=32, description="The id of a balance.")]
SeenAs = Annotated[
    str,
    QueryParameter(max_length=80, description='A seat that you hold, "spectator", or after the end "open".'),
]
Entry = Annotated[int | None, QueryParameter(ge=0, description="A moment: 0 is the set-up; without it, now.")]
Moment = Annotated[int, QueryParameter(ge=0, description="A moment at which the computer was to decide.")]
PieceId = Annotated[str, QueryParameter(max_length=80, description="The id of a piece of the scene.")]
Grip = Annotated[str, QueryParameter(max_length=20, description="By what it is held: card, turn, a corner.")]
Coordinate = Annotated[int, QueryParameter(ge=-10_000, le=20_000, description="In hundredths, on the table.")]
Asked = Request[Any, Any, Any]
TheDesk = NamedDependency[Desk]
InLang = FromQuery[Lang]
GameKey = FromPath[str]
BODY_BYTES = 200_000  # of a request that brings no record
FAILURES = {
    status: ResponseSpec(Failure, description=text, generate_examples=False)
    for status, text in {
        400: "Not understood, or it does not fit",
        401: "A key is needed, or this is not one of ours",
        403: "Not yours",
        404: "There is no such thing",
        409: "Not allowed, or not any more",
        413: "Too large",
        422: "It takes too much time or memory",
        429: "Too much: wait",
        500: "A fault of the server",
        503: "The database does not answer",
    }.items()
}
_get, _post_record = partial(get, responses=FAILURES), partial(post, responses=FAILURES)
_post = partial(_post_record, request_max_body_size=BODY_BYTES)


def _address(request: Asked) -> str:
    return request.client.host if request.client else ""


def holder_of_header(asked: ASGIConnection[Any, Any, Any, Any], desk: Desk) -> str:
    scheme, _, key = asked.headers.get("authorization", "").partition(" ")
    return holder_of(desk.keys, key.strip()) if scheme.lower() == "bearer" else ""


def _holder(request: Asked, desk: Desk, needed: bool = False) -> str:
    """Who asks, by his key; empty for somebody without one."""
    holder = holder_of_header(request, desk)
    if holder:
        desk.pool.seen(holder, of_one_client(_address(request)))
    if needed and not holder:
        raise Fault("bad-key", "no-key")
    return holder


# --- the lobby -----------------------------------------------------------------------------------


@_get("/lobby", summary="Games, scenarios, options, ready armies and bots")
async def get_lobby(lang: InLang = "en") -> Lobby:
    return lobby.lobby(lang)


@_get("/games/{game:str}/rules", summary="The rulebook of a game")
async def get_rules(game: GameKey, lang: InLang = "en") -> Rules:
    return lobby.rules(lobby.game_of(game), lang)


@_get("/games/{game:str}/recruits", summary="What armies are built of")
async def get_recruits(game: GameKey, lang: InLang = "en") -> Recruits:
    return Recruits(lobby.game_of(game).recruits(lang))


@_post("/games/{game:str}/army", status_code=200, summary="Price and judge an army")
async def post_army(
    request: Asked, desk: TheDesk, game: GameKey, data: JSONBody[CheckArmy], lang: InLang = "en"
) -> CheckedArmy:
    player = _holder(request, desk) or _address(request)
    return await desk.pool.ask("design", player, check_army, lobby.game_of(game).key, data, lang)


@_get("/games/{game:str}/workshop", summary="What fortresses are designed of")
async def get_workshop(game: GameKey, lang: InLang = "en") -> Workshop:
    return lobby.workshop(lobby.game_of(game), lang)


@_post("/games/{game:str}/design", status_code=200, summary="Price and judge a design of a fortress")
async def post_design(
    request: Asked, desk: TheDesk, game: GameKey, data: JSONBody[CheckDesign], lang: InLang = "en"
) -> CheckedDesign:
    player = _holder(request, desk) or _address(request)
    return await desk.pool.ask("design", player, check_design, lobby.game_of(game).key, data, lang)


@_post("/keys", summary="A new key, to hold seats with")
async def post_key(desk: TheDesk) -> Key:
    return Key(desk.keys.new())


# --- matches -------------------------------------------------------------------------------------


async def _may_open(request: Asked, desk: Desk, holder: str, wish: NewMatch | NewReplay | NewBranch) -> None:
    """A bound on what one client opens; to ask again opens nothing more."""
    if await asyncio.to_thread(desk.store.made_by, holder, wish.request):
        return
    wait = desk.openings.wait(_address(request))
    if wait:
        raise Fault("too-many", seconds=int(wait) + 1, wait=wait)
    if await asyncio.to_thread(desk.store.open_matches, holder) >= desk.settings.open_matches:
        raise Fault("too-many", "too-many-matches", limit=desk.settings.open_matches)


@_post("/commitments", status_code=200, summary="The hash of the seed of a match that you will open")
async def post_commitment(request: Asked, desk: TheDesk, data: JSONBody[AskCommitment]) -> Commitment:
    holder = _holder(request, desk, needed=True)
    return Commitment(commitment_of(desk.seed_for(holder, data.request)))


@_post("/matches", summary="Set a match up")
async def post_match(
    request: Asked, desk: TheDesk, data: JSONBody[NewMatch], lang: InLang = "en"
) -> MatchInfo:
    holder = _holder(request, desk, needed=True)
    await _may_open(request, desk, holder, data)
    return desk.info(await desk.open_match(data, holder), holder, lang)


def _has_key(asked: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard: it is asked before the body is read."""
    if not holder_of_header(asked, asked.app.state["desk"]):
        raise Fault("bad-key", "no-key")


@_post_record("/replays", summary="Open a record to look at it", guards=[_has_key])
async def post_replay(
    request: Asked, desk: TheDesk, data: JSONBody[NewReplay], lang: InLang = "en"
) -> MatchInfo:
    holder = _holder(request, desk, needed=True)
    await _may_open(request, desk, holder, data)
    return desk.info(await desk.open_replay(data, holder), holder, lang)


@_get("/matches", summary="The matches in which you hold a seat")
async def get_matches(request: Asked, desk: TheDesk, lang: InLang = "en") -> Matches:
    return Matches(await desk.mine(_holder(request, desk, needed=True), lang))


@_get("/matches/{match_id:str}", summary="A match: who sits where and how it stands")
async def get_match(request: Asked, desk: TheDesk, match_id: MatchId, lang: InLang = "en") -> MatchInfo:
    return desk.info(await desk.hall.table(match_id), _holder(request, desk), lang)


@_post("/matches/{match_id:str}/join", status_code=200, summary="Take the seat of an invitation")
async def post_join(
    request: Asked, desk: TheDesk, match_id: MatchId, data: JSONBody[Join], lang: InLang = "en"
) -> MatchInfo:
    holder = _holder(request, desk, needed=True)
    table = await desk.hall.table(match_id)
    await desk.join(table, data, holder)
    return desk.info(table, holder, lang)


@_get("/matches/{match_id:str}/frame", summary="What is to be seen, now or at a moment")
async def get_frame(
    request: Asked,
    desk: TheDesk,
    match_id: MatchId,
    seen_as: SeenAs = "",
    entry: Entry = None,
    lang: InLang = "en",
) -> Frame:
    table = await desk.hall.table(match_id)
    who = eyes(table, _holder(request, desk), seen_as, lang)
    known = entry_of(table, who, entry)
    return await desk.hall.look(
        _address(request), table, lambda seen: frame(seen, who, entry), known, who.bits
    )


@_get("/matches/{match_id:str}/look", summary="More about one piece: its front, where it can go")
async def get_look(
    request: Asked,
    desk: TheDesk,
    match_id: MatchId,
    piece: PieceId,
    seen_as: SeenAs = "",
    entry: Entry = None,
    lang: InLang = "en",
) -> Look:
    table = await desk.hall.table(match_id)
    who = eyes(table, _holder(request, desk), seen_as, lang)

    def made(seen: Table) -> Look:
        view = who.view(seen.game, moment(seen, who, entry))
        return seen.game.look(view, who.seat, piece, lang) or Look()

    return await desk.hall.look(_address(request), table, made, entry_of(table, who, entry), who.bits)


@_get("/matches/{match_id:str}/ghost", summary="A piece that is dragged over an open table: where it can go")
async def get_ghost(
    request: Asked,
    desk: TheDesk,
    match_id: MatchId,
    piece: PieceId,
    grip: Grip,
    x: Coordinate,
    y: Coordinate,
    seen_as: SeenAs = "",
    lang: InLang = "en",
) -> Ghost | None:
    table = await desk.hall.table(match_id)
    who = eyes(table, _holder(request, desk), seen_as, lang)

    def made(seen: Table) -> Ghost | None:
        if seen.over or who.seat is None:
            return None
        return seen.game.ghost(who.view(seen.game, seen.match.state), who.seat, piece, grip, (x, y), lang)

    return await desk.hall.look(_address(request), table, made)


@_get("/matches/{match_id:str}/menu", summary="All that one piece might do now, with what is against it")
async def get_menu(
    request: Asked,
    desk: TheDesk,
    match_id: MatchId,
    piece: PieceId,
    seen_as: SeenAs = "",
    lang: InLang = "en",
) -> Menu:
    table = await desk.hall.table(match_id)
    who = eyes(table, _holder(request, desk), seen_as, lang)
    return await desk.hall.look(_address(request), table, lambda seen: menu(seen, who, piece))


@_get("/matches/{match_id:str}/log", summary="All that you were told")
async def get_log(
    request: Asked, desk: TheDesk, match_id: MatchId, seen_as: SeenAs = "", lang: InLang = "en"
) -> Log:
    table = await desk.hall.table(match_id)
    who = eyes(table, _holder(request, desk), seen_as, lang)
    return Log(await desk.hall.look(_address(request), table, lambda seen: whole_log(seen, who), 0, who.bits))


@_get("/matches/{match_id:str}/record", media_type="text/plain", summary="The record of a match, as a file")
async def get_record(request: Asked, desk: TheDesk, match_id: MatchId) -> Response[str]:
    table = await desk.hall.table(match_id)
    holder = _holder(request, desk)
    if not desk.info(table, holder, "en").record:
        raise Fault("secret")
    name = f"{table.game.key}-{table.head.id}.legatus.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    text = await desk.hall.look(
        _address(request), table, lambda seen: record_text(seen.match, **notes(seen)), 1
    )
    return Response(text, headers=headers, media_type="text/plain")


# --- commands and questions ----------------------------------------------------------------------


@_post("/matches/{match_id:str}/act", status_code=200, summary="Do something")
async def post_act(
    request: Asked, desk: TheDesk, match_id: MatchId, data: JSONBody[Act], lang: InLang = "en"
) -> Done:
    holder = _holder(request, desk, needed=True)
    table = await desk.hall.table(match_id)
    try:
        return Done(await desk.hall.act(table, holder, data))
    except Wanted as wanted:
        return Done(data.number, luck_ask(table, eyes(table, holder, "", lang), wanted))


@_post("/matches/{match_id:str}/undo", status_code=200, summary="Take the last action back")
async def post_undo(request: Asked, desk: TheDesk, match_id: MatchId, data: JSONBody[Undo]) -> Done:
    holder = _holder(request, desk, needed=True)
    return Done(await desk.hall.undo(await desk.hall.table(match_id), holder, data))


@_post("/matches/{match_id:str}/why", status_code=200, summary="Why is this not allowed?")
async def post_why(
    request: Asked,
    desk: TheDesk,
    match_id: MatchId,
    data: JSONBody[Ask],
    seen_as: SeenAs = "",
    lang: InLang = "en",
) -> Reasons:
    table = await desk.hall.table(match_id)
    who = eyes(table, _holder(request, desk), seen_as, lang)
    return await desk.hall.look(_address(request), table, lambda seen: reasons(seen, who, data))


@_post("/matches/{match_id:str}/odds", status_code=200, summary="What can come of it, and how probably")
async def post_odds(
    request: Asked, desk: TheDesk, match_id: MatchId, data: JSONBody[AskOdds], lang: InLang = "en"
) -> OddsInfo:
    holder = _holder(request, desk, needed=True)
    table = await desk.hall.table(match_id)
    who = eyes(table, holder, "", lang)
    if table.over or who.seat is None or table.turn != who.seat:
        seat = "" if table.turn is None else table.game.seats[table.turn]
        raise Fault("not-yours", "not-your-turn", seat=seat)
    return await desk.odds(table, holder, who, data.do)


# --- what if, and why ----------------------------------------------------------------------------


@_post("/matches/{match_id:str}/branch", summary="Leave a match at a moment and go on against the computer")
async def post_branch(
    request: Asked, desk: TheDesk, match_id: MatchId, data: JSONBody[NewBranch], lang: InLang = "en"
) -> MatchInfo:
    holder = _holder(request, desk, needed=True)
    table = await desk.hall.table(match_id)
    await _may_open(request, desk, holder, data)
    return desk.info(await desk.open_branch(table, data, holder), holder, lang)


@_post("/matches/{match_id:str}/analysis", status_code=200, summary="Have a match that is over analysed")
async def post_analysis(
    request: Asked, desk: TheDesk, match_id: MatchId, lang: InLang = "en"
) -> AnalysisInfo:
    holder = _holder(request, desk, needed=True)
    table = await desk.hall.table(match_id)
    desk.analyst.begin(table, holder)
    return await desk.analyst.info(table, _address(request), lang)


@_get("/matches/{match_id:str}/analysis", summary="How far the analysis is, and what it found")
async def get_analysis(request: Asked, desk: TheDesk, match_id: MatchId, lang: InLang = "en") -> AnalysisInfo:
    table = await desk.hall.table(match_id)
    return await desk.analyst.info(table, _address(request), lang)


@_get("/matches/{match_id:str}/thoughts", summary="What the computer considered, when the match is over")
async def get_thoughts(
    request: Asked, desk: TheDesk, match_id: MatchId, entry: Moment, lang: InLang = "en"
) -> ThoughtsInfo:
    holder = _holder(request, desk, needed=True)
    table = await desk.hall.table(match_id)
    return await desk.memory.considered(table, entry, _address(request), holder, lang)


@_get("/matches/{match_id:str}/verify", summary="Whether the dice fell as they had to")
async def get_verdict(request: Asked, desk: TheDesk, match_id: MatchId, lang: InLang = "en") -> VerdictInfo:
    holder = _holder(request, desk, needed=True)
    return await desk.memory.verdict(await desk.hall.table(match_id), _address(request), holder, lang)


# --- the lab -------------------------------------------------------------------------------------


@_post("/lab", summary="Let bots play a balance")
async def post_lab(request: Asked, desk: TheDesk, data: JSONBody[NewLab], lang: InLang = "en") -> LabInfo:
    holder = _holder(request, desk, needed=True)
    wait = desk.openings.wait(_address(request))
    if wait:
        raise Fault("too-many", seconds=int(wait) + 1, wait=wait)
    job = await desk.lab.begin(data, holder)
    return job.info(holder, lang)


@_get("/lab/{lab_id:str}", summary="How far a balance is, and its report")
async def get_lab(request: Asked, desk: TheDesk, lab_id: LabId, lang: InLang = "en") -> LabInfo:
    job, holder = desk.lab.find(lab_id), _holder(request, desk)
    return await asyncio.to_thread(job.info, holder, lang)


@_post("/lab/{lab_id:str}/stop", status_code=200, summary="Stop a balance; what is finished is told")
async def post_lab_stop(request: Asked, desk: TheDesk, lab_id: LabId, lang: InLang = "en") -> LabInfo:
    holder = _holder(request, desk, needed=True)
    return desk.lab.stop(lab_id, holder).info(holder, lang)


router = Router(
    path="/api",
    tags=["legatus"],
    route_handlers=[
        get_lobby,
        get_rules,
        get_recruits,
        post_army,
        get_workshop,
        post_design,
        post_key,
        post_commitment,
        post_match,
        post_replay,
        get_matches,
        get_match,
        post_join,
        get_frame,
        get_look,
        get_ghost,
        get_menu,
        get_log,
        get_record,
        post_act,
        post_undo,
        post_why,
        post_odds,
        post_branch,
        post_analysis,
        get_analysis,
        get_thoughts,
        get_verdict,
        post_lab,
        get_lab,
        post_lab_stop,
    ],
)
