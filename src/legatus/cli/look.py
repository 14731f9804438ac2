"""``look UNIT``: all that is known of one counter or place, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from ..kernel import Game, Seat
from ..scene.model import OPEN, Area, Look, Piece, Scene
from ..scene.text import described, short_names, sign
from .common import cited, nearest
from .words import Words

COSTS = 40  # places in reach that are told; more help nobody


class NotSeen(Exception):
    """Nothing, or more than one thing, is called so: a sentence for the player."""


def look_at(game: Game, view: Any, seat: Seat | None, name: str, words: Words) -> list[Text]:
    """What ``seat`` may know of a counter or a place: its figures and state, what it can do, its clauses."""
    scene = game.scene(view, seat, words.lang)
    found = find(scene, name, words)
    if isinstance(found, Piece):
        lines = [_head(scene, found, words), *described(scene, found, words.lang)]
        lines += _closely(scene, game.look(view, seat, found.id, words.lang) or Look(), words)
    else:
        lines = list(_area(scene, found, words))
    book = game.folder.rulebooks[words.lang].clauses
    known = [book[clause] for clause in found.clauses if clause in book]
    return lines + [Text.assemble((f"{clause.id} ", "bold"), clause.summary) for clause in known]


def find(scene: Scene, name: str, words: Words) -> Piece | Area:
    """By its id, its short name on the map, its label, or the beginning of one of them if no other has it."""
    things: dict[str, Piece | Area] = {area.id: area for area in scene.areas}
    things |= {piece.id: piece for piece in scene.pieces}
    short = short_names(scene)
    wanted = " ".join(name.split())
    if not wanted:
        raise NotSeen(words("look_what"))
    if wanted in things:
        return things[wanted]
    by_short = [ident for ident, code in short.items() if code == wanted]
    folded = wanted.casefold()
    called = {ident: (ident.casefold(), thing.label.casefold()) for ident, thing in things.items()}
    whole = [ident for ident, names in called.items() if folded in names]
    begun = [ident for ident, names in called.items() if names[0].startswith(folded)]
    labelled = [ident for ident, names in called.items() if names[1].startswith(folded)]
    for hits in (by_short, whole, begun, labelled):
        if len(hits) == 1:
            return things[hits[0]]
        if hits:
            raise NotSeen(words("look_which", name=wanted, known=", ".join(hits[:12])))
    near = nearest(wanted, things)
    key = "look_near" if near else "look_unknown"
    raise NotSeen(words(key, name=wanted, known=", ".join(near)))


def _head(scene: Scene, piece: Piece, words: Words) -> Text:
    """``■ livius-2: Livius' foot 2 (legion), Rome``."""
    label = f"{words('colon')}{piece.label}" if piece.label.casefold() not in ("", piece.id) else ""
    named = not scene.grid or piece.kind.casefold() in piece.label.casefold()  # else a kind is a key
    kind = "" if named or not piece.kind else f" ({piece.kind})"
    side = f", {scene.sides[piece.side]}" if piece.side < len(scene.sides) else ""
    return Text.assemble(sign(piece.side), " ", (piece.id, "bold"), f"{label}{kind}{side}")


def _closely(scene: Scene, look: Look, words: Words) -> Iterator[Text]:
    """What the game tells of one piece only: sentences, zones, reach."""
    for sentence, clause in look.lines:
        yield cited(sentence, clause)
    for zone in look.zones:
        if zone.places:
            yield cited(_row(zone.label, zone.places, words), zone.clause)
    for reach in look.reaches:
        yield cited(_row(words(f"look_{reach.kind}"), (reach.label,), words), reach.clause)
    if look.costs:
        reached = [f"{place} ({cost})" for place, cost in look.costs.items()]
        more = [words("look_more", n=len(reached) - COSTS)] if len(reached) > COSTS else []
        yield Text(_row(words("look_costs"), [*reached[:COSTS], *more], words))


def _row(label: str, things: Sequence[str], words: Words) -> str:
    return f"{label[:1].upper()}{label[1:]}{words('colon')}{', '.join(things)}"


def _area(scene: Scene, area: Area, words: Words) -> Iterator[Text]:
    """A place: what it is, who is there."""
    label = f"{words('colon')}{area.label}" if area.label.casefold() not in ("", area.id) else ""
    side = f", {scene.sides[area.side]}" if area.side is not None and area.side < len(scene.sides) else ""
    yield Text.assemble((area.id, "bold"), f"{label}{side}")
    told = [*area.marks, *([area.note] if area.note else [])]
    told += [words("look_level", n=area.level)] if area.level else []
    told += [words("look_losses", n=area.losses, of=area.strength)] if area.strength else []
    if told:
        yield Text(", ".join(told))
    here = [piece.id for piece in scene.pieces if area.id in (piece.place, piece.beside)]
    here += [marker.label for marker in scene.markers if marker.place == area.id]
    if here and not (scene.grid == OPEN and area.outline == ()):
        yield Text(_row(words("look_here"), here, words))
