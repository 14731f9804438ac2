"""7 Designs of fortresses while they are drawn: pieces, their order, their file, what is against them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from math import dist
from typing import Any

from msgspec.structs import asdict, replace

from ...kernel.drafts import CheckedDesign, Joint, Part, Place, ReadyDesign, Way, Workshop
from ...kernel.files import read_text
from ...kernel.muster import MusterLine, MusterProblem
from ...parts import plane
from ...parts.plane import FULL, RIGHT_ANGLE, TOLERANCE, UNIT, XY, Pose
from .design import (
    BENDS,
    HOME,
    Design,
    DesignSource,
    lay_out,
    named,
    of_walk,
    parse_fortress,
    ready,
    told,
    walk_of,
)
from .fortress import Face, Fortress, Piece, Problem, check, is_joined
from .sorts import CORNER, GATE, MATERIALS, PIECES, TOWER

NAMES = {bend: name for name, bend in BENDS.items()}
APART = ("O7.design.gate", "O7.design.material")  # what is against a design that may well be closed
FIELDS = ("name", "name_fr", "text", "text_fr", "material", "agreed", "edge")


# --- what there is -------------------------------------------------------------------------------


def workshop(lang: str) -> Workshop:
    """OH.piece.1 O7.points.summary: the pieces with their sizes and prices, and the ready designs."""
    parts = [_part(kind, material, lang) for material in MATERIALS for kind in PIECES]
    return Workshop(tuple(parts), tuple(_ready(key, file, lang) for key, file in ready().items()))


def _part(kind: str, material: str, lang: str) -> Part:
    bends = BENDS.values() if kind == TOWER else (RIGHT_ANGLE if kind == CORNER else 0,)
    shapes = [Piece(kind, kind, material, Pose(0, 0), bend) for bend in bends]
    sort = shapes[0].sort
    outline = tuple(_place(point) for point in shapes[0].outline)
    return Part(sort.id, kind, material, named(sort.id, lang), sort.cost, outline, tuple(map(_way, shapes)))


def _way(piece: Piece) -> Way:
    """OH.piece.2: where the outer faces of two pieces are flush."""
    bend = NAMES[piece.bend] if piece.kind == TOWER else ""
    return Way(bend, _joint(piece.start, 0), _joint(piece.end, piece.bend))


def _joint(face: Face, turn: int) -> Joint:
    return *_place(face[0]), turn % FULL


def _place(point: XY) -> Place:
    return round(point[0]), round(point[1])


def _ready(key: str, file: str, lang: str) -> ReadyDesign:
    text = read_text(file)
    fortress = parse_fortress(text, file)
    french = lang == "fr"
    name, about = (fortress.name_fr, fortress.text_fr) if french else (fortress.name, fortress.text)
    return ReadyDesign(key, name, about, fortress.cost, text)


# --- a design that somebody has made -------------------------------------------------------------


def judged(raw: dict[str, Any], lang: str) -> CheckedDesign:
    """O7.points.summary O7.design.continuity: a design as its file has it, priced, and what is against it.

    Pieces with their places may come in any order: what counts is how they stand.
    """
    source = DesignSource("design", tables=HOME.messages)
    design = source.take(raw, Design)
    laid = lay_out(design, source)
    fortress = laid if design.walk else replace(laid, pieces=tuple(_in_order(laid)))
    problems = check(fortress)
    shift, words = _shift(design, laid), walk(fortress)
    return CheckedDesign(
        design=_plain(fortress, laid.pieces, shift),
        names=tuple(named(piece.id, lang) for piece in laid.pieces),
        file=written(fortress),
        do=f"raise {'>'.join(words)} {fortress.material}" if words else "",
        cost=fortress.cost,
        materials={material: fortress.cost_in(material) for material in MATERIALS},
        size=fortress.size,
        ok=not problems,
        closed=all(problem.refusal.clause in APART for problem in problems),
        gates=sum(piece.kind == GATE for piece in fortress.pieces),
        floor=tuple(
            (round(x) + shift[0], round(y) + shift[1]) for x, y in fortress.floor.exterior.coords[:-1]
        ),
        lines=tuple(
            MusterLine(line.sort, named(line.sort, lang), line.count, line.each, line.total, line.sort)
            for line in fortress.lines
        ),
        problems=tuple(_problem(problem, laid.pieces, lang) for problem in problems),
    )


def _problem(problem: Problem, pieces: tuple[Piece, ...], lang: str) -> MusterProblem:
    places = [piece.place for piece in pieces]
    where = f"piece[{places.index(problem.place)}]" if problem.place in places else ""
    return MusterProblem(where, "error", problem.refusal.clause, told(problem.refusal, lang))


def _shift(design: Design, laid: Fortress) -> Place:
    """How far the places that were given are from those around the middle."""
    if design.walk:
        return 0, 0
    (x, y), pose = design.piece[0].at, laid.pieces[0].pose
    return round(x * UNIT) - pose.x, round(y * UNIT) - pose.y


def _plain(fortress: Fortress, pieces: tuple[Piece, ...], shift: Place = (0, 0)) -> dict[str, Any]:
    """A design as its file has it, with the places of its pieces; what says nothing is left out."""
    about = {field: value for field, value in asdict(fortress).items() if field in FIELDS and value}
    for field in ("name", "text"):
        if about.get(f"{field}_fr") == about.get(field):
            about.pop(f"{field}_fr", None)
    return about | {"piece": [_entry(fortress, piece, shift) for piece in pieces]}


def _entry(fortress: Fortress, piece: Piece, shift: Place) -> dict[str, Any]:
    x, y, turn = piece.pose
    entry: dict[str, Any] = {"kind": piece.kind, "at": [(x + shift[0]) / UNIT, (y + shift[1]) / UNIT]}
    if turn:
        entry["turn"] = turn / 10
    if piece.kind == TOWER and piece.bend:
        entry["bend"] = NAMES[piece.bend]
    if piece.material != fortress.material:
        entry["material"] = piece.material
    return entry


# --- the order of a walk -------------------------------------------------------------------------


def _in_order(fortress: Fortress) -> Iterator[Piece]:
    """OH.piece.2: as one walks around; where nothing joins, to the nearest start of a stretch of wall."""
    left = list(fortress.pieces)
    before = {b: a for a, b in permutations(left, 2) if is_joined(a, b)}
    here = _beginning(before, left[0])
    while True:
        yield here
        left.remove(here)
        if not left:
            return
        heads = [piece for piece in left if before.get(piece) is here]
        heads = heads or [piece for piece in left if before.get(piece) not in left] or left
        here = min(heads, key=lambda piece: dist(piece.start[0], here.end[0]))


def _beginning(before: dict[Piece, Piece], piece: Piece) -> Piece:
    """Where the stretch of wall to which a piece belongs begins; of a ring, the piece itself."""
    here, seen = piece, {piece}
    while here in before:
        here = before[here]
        if here in seen:
            return piece
        seen.add(here)
    return here


# --- files ---------------------------------------------------------------------------------------


def written(fortress: Fortress) -> str:
    """A design as the text of a file: a walk if it can be walked, else the pieces with their places."""
    plain = _plain(fortress, fortress.pieces)
    entries = plain.pop("piece")
    lines = [f"{field} = {_value(value)}" for field, value in plain.items()]
    words = walk(fortress)
    if words:
        sides = _sides(words[fortress.edge :])
        return "\n".join([*lines, "walk = [", *(f"    {_value(side)}," for side in sides), "]", ""])
    for entry in entries:
        lines += ["", "[[piece]]", *(f"{field} = {_value(value)}" for field, value in entry.items())]
    return "\n".join([*lines, ""])


def _value(value: Any) -> str:
    """JSON, but for one sign, is TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def walk(fortress: Fortress) -> tuple[str, ...]:
    """OH.piece.2: the words of a walk to the same places, the front first; none if no walk leads there."""
    pieces = fortress.pieces
    fronts = [i for i, piece in enumerate(pieces) if not piece.end_turn and pieces[i - 1].end_turn]
    first = fronts[0] if fronts and not fortress.edge else 0
    ordered = (*pieces[first:], *pieces[:first])
    links = zip((ordered[-1], *ordered), ordered, strict=False)
    spaced = tuple(replace(piece, gap=_gap(before, piece)) for before, piece in links)
    words = walk_of(replace(fortress, pieces=spaced))
    again = of_walk(words, fortress.material)
    return words if [piece.pose for piece in again.pieces] == [piece.pose for piece in ordered] else ()


def _gap(piece: Piece, following: Piece) -> int:
    """O7.design.continuity: how far in line the next piece begins; 0 if it joins, or is not in line."""
    x, y = _place(piece.end[0])
    along, ahead = plane.seen(Pose(x, y, piece.end_turn), following.start[0])
    return round(along) if along > TOLERANCE and abs(ahead) <= TOLERANCE else 0


def _sides(words: tuple[str, ...]) -> list[str]:
    """A text for each side of a fortress: it begins with the piece at the corner."""
    sides = [""]
    for word in words:
        if word.endswith((CORNER, "-right", "-left")):
            sides.append("")
        sides[-1] = f"{sides[-1]} {word}".strip()
    return [side for side in sides if side]
