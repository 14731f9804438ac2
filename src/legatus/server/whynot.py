"""Why not?  Answered for an action as text, or for what somebody clicked and may have meant by it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ..kernel import Action, Game, Refusal, say, why_not
from ..kernel.codec import action_from, label, parse_action
from ..kernel.fields import fields_of
from ..kernel.model import verb
from ..scene.model import Scene
from .faults import Fault
from .frames import Eyes, ending_of, prompt_of, sentence
from .live import Table
from .wire import Ask, Menu, MenuEntry, Reason, Reasons

MOST_REASONS = 6


def reasons(table: Table, who: Eyes, ask: Ask) -> Reasons:
    """Why something cannot be done, judged from what ``who`` knows."""
    game, lang = table.game, who.lang
    view = who.view(game, table.match.state)
    if table.over or view.decision is None:
        ending = ending_of(game, table.match.state, lang)
        return Reasons(False, (Reason(ending.clause, ending.text),) if ending else ())
    if view.decision.seat != who.seat:
        seat = game.name(view, game.seats[view.decision.seat], lang)
        text = Fault("not-yours", "not-your-turn", seat=seat).say(lang)
        return Reasons(False, (Reason(view.decision.clause, text[:1].upper() + text[1:] + "."),))
    if ask.do is not None:
        return _judge(game, view, parse_action(game, ask.do), lang)
    if any(not why_not(view, action) for action in _candidates(view, ask.clicks)):
        return Reasons(True, ())
    return Reasons(False, tuple(_against(game, view, ask.clicks, who)) or (_nothing(game, view, lang),))


def menu(table: Table, who: Eyes, piece: str) -> Menu:
    """All that one piece might do now: what is allowed, and of every other verb one case with all reasons."""
    game, lang = table.game, who.lang
    view = who.view(game, table.match.state)
    if table.over or view.decision is None or view.decision.seat != who.seat:
        return Menu(())
    allowed: list[MenuEntry] = []
    barred: dict[str, MenuEntry] = {}
    for action in game.menu(view, piece):
        name = verb(type(action))
        against = why_not(view, action)
        told = tuple(Reason(r.clause, sentence(game, view, r, lang)) for r in against)
        entry = MenuEntry(say(action), label(game, view, action, lang), name, not against, told)
        if not against:
            allowed.append(entry)
        elif name not in barred or len(told) < len(barred[name].reasons):  # the case that is nearest
            barred[name] = entry
    legal = {entry.verb for entry in allowed}
    return Menu((*allowed, *(entry for name, entry in barred.items() if name not in legal)))


def _judge(game: Game, view: Any, action: Action, lang: str) -> Reasons:
    """Every reason against one action."""
    against = why_not(view, action)
    return Reasons(not against, tuple(_reason(game, view, refusal, action, lang) for refusal in against))


def _reason(game: Game, view: Any, refusal: Refusal, action: Action, lang: str) -> Reason:
    return Reason(refusal.clause, sentence(game, view, refusal, lang), label(game, view, action, lang))


def _nothing(game: Game, view: Any, lang: str) -> Reason:
    prompt = prompt_of(game, view, lang)
    text = sentence(game, view, Refusal(prompt.clause, "kernel.not_with_this"), lang)
    return Reason(prompt.clause, f"{text} {prompt.text}")


# --- what clicks may mean -------------------------------------------------------------------------


def _candidates(view: Any, clicks: tuple[str, ...]) -> list[Action]:
    """What the game offers and begins with these clicks."""
    return [a for a in view.decision.candidates(view) if a.clicks()[: len(clicks)] == clicks]


def _against(game: Game, view: Any, clicks: tuple[str, ...], who: Eyes) -> Iterator[Reason]:
    """For each kind of action that is asked for, what speaks most often against it with these clicks."""
    sorts = _sorts(game.scene(view, who.seat, who.lang))
    candidates = view.decision.candidates(view)
    given: set[tuple[str, str]] = set()
    for kind in view.decision.accepts if clicks else ():
        meant = _meant(kind, clicks, [a.clicks() for a in candidates if isinstance(a, kind)], sorts)
        found = Counter(next((r.key for r in why_not(view, action)), "") for action in meant)
        found.pop("", None)
        if not found or len(given) == MOST_REASONS:
            continue
        key = found.most_common(1)[0][0]
        action, refusal = next((a, r[0]) for a in meant if (r := why_not(view, a)) and r[0].key == key)
        reason = _reason(game, view, refusal, action, who.lang)
        if len(action.clicks()) > len(clicks):  # we have guessed the rest, so it is not to be named
            reason = msgspec.structs.replace(reason, action="")
        if (reason.clause, reason.text) not in given:
            given.add((reason.clause, reason.text))
            yield reason


def _sorts(scene: Scene) -> dict[str, str]:
    """What sort of thing each id of the scene is; generals and units are not mistaken for each other."""
    sorts = {area.id: "area" for area in scene.areas} | {card.id: "card" for card in scene.cards}
    return sorts | {p.id: "general" if p.icon == "general" else "piece" for p in scene.pieces}


def _meant(
    kind: type[Action], clicks: tuple[str, ...], said: list[tuple[str, ...]], sorts: dict[str, str]
) -> list[Action]:
    """Actions of a kind that may be meant: the clicks fit where others of that kind (``said``) have such."""
    columns = [set(column) for column in zip(*said, strict=False)]
    if not columns:
        return []
    places = [{sorts.get(i, "") for i in column} for column in columns]
    first = () if sorts.get(clicks[0], "") in places[0] else said[0][:1]
    ids = (*first, *clicks)
    if any(sorts.get(i, "") not in place for i, place in zip(ids, places, strict=False)):
        return []
    rest: set[str] = set()
    if len(ids) < len(columns):
        rest = columns[len(ids)] | {i for i, sort in sorts.items() if sort in places[len(ids)]}
    return list(_filled(kind, ids, sorted(rest)))


def _filled(kind: type[Action], clicks: Sequence[str], others: Sequence[str]) -> Iterator[Action]:
    """Actions of a kind with these ids; one that is wanting is every other one in turn."""
    parts = [field for field in fields_of(kind) if field.type is not bool]
    wanting = [field for field in parts[len(clicks) :] if field.required]
    is_path = bool(parts) and "tuple" in str(parts[-1].type)
    if not parts or (len(clicks) > len(parts) and not is_path) or len(wanting) > 1:
        return
    for other in others if wanting else ("",):
        ids: list[Any] = [*clicks, other] if wanting else list(clicks)
        if is_path and len(ids) >= len(parts):
            ids = [*ids[: len(parts) - 1], tuple(ids[len(parts) - 1 :])]
        values = {field.name: value for field, value in zip(parts, ids, strict=False)}
        try:
            yield action_from(kind, values)
        except msgspec.ValidationError:
            return
