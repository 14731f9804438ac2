"""Files with designs of fortresses: a walk around the perimeter, or pieces with their poses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated

import shapely
from msgspec import Meta, Struct
from msgspec.structs import replace

from ...kernel import Message, Refusal
from ...kernel.files import Source, parse_toml, read_text
from ...kernel.rulebook import folder
from ...kernel.words import Values
from ...parts import plane
from ...parts.plane import FULL, RIGHT_ANGLE, UNIT, Pose
from .fortress import AGREEMENTS, ANY, Fortress, Piece, made_of, shifted
from .sorts import ADJECTIVES, CORNER, MATERIALS, PIECES, STONE, TOWER, WOOD, sort_of
from .state import MAX_STRUCTURES

HOME = folder(__file__)

BENDS = {"": 0, "right": RIGHT_ANGLE, "left": -RIGHT_ANGLE}
EDGE = "edge"  # before a walk in one line: its open side lies along an edge of the table
FARTHEST = 50  # of a piece from the middle, in DU
MOST_PIECES = 80

_PIECE = re.compile(r"(?:(stone|wooden)-)?(?:(wall|gate|corner)|(tower)(?:-(left|right))?)")
_GAP = re.compile(r"gap-(\d{1,2}(?:\.\d+)?)")
_WORD = re.compile(r"""[^\s"',\[\]]+""")


def named(ident: str, lang: str) -> str:
    """A piece or a sort of pieces in words: ``tower-2`` is tower 2."""
    words = HOME.messages[lang].sentences
    kind, _, number = ident.rpartition("-")
    if number.isdigit():
        return f"{words[f'name.{kind}']} {number}"
    return words.get(f"name.{ident}", ident)


def told(refusal: Refusal, lang: str) -> str:
    """What is against a design, as a sentence."""
    return HOME.messages[lang].render(refusal, lambda word: named(word, lang))


# --- files ---------------------------------------------------------------------------------------


class PieceEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece with its middle and the direction of its outer face, in DU and degrees."""

    kind: str
    at: tuple[float, float]
    turn: float = 0.0
    bend: str = ""
    material: str = ""


class Design(Struct, frozen=True, forbid_unknown_fields=True):
    """A design as it is written."""

    name: str
    material: str
    walk: Annotated[tuple[str, ...], Meta(max_length=MAX_STRUCTURES // 2)] = ()
    piece: Annotated[tuple[PieceEntry, ...], Meta(max_length=MAX_STRUCTURES // 2)] = ()
    agreed: tuple[str, ...] = ()
    edge: bool = False
    name_fr: str = ""
    text: str = ""
    text_fr: str = ""


class DesignSource(Source):
    """Where a design was written: it finds the lines of the words of a walk too."""

    def place(self, where: str) -> Message:
        """The line; ``walk(3)`` is the third piece or gap of the walk."""
        found = re.fullmatch(r"walk\((\d+)\)", where)
        lines = self.text.splitlines()
        start = next((n for n, line in enumerate(lines) if re.match(r"\s*walk\s*=", line)), None)
        if found is None or start is None:
            return super().place(where)
        count = 0
        for n, line in enumerate(lines[start:], start + 1):
            row = line.partition("=")[2] if n == start + 1 else line
            count += len(_WORD.findall(row.partition("#")[0]))
            if count >= int(found[1]):
                return Message("file.line_at", {"line": n, "path": where})
        return super().place("walk")


def ready() -> dict[str, str]:
    """The designs that come with the game: their names and files."""
    return {name: str(path) for name, path in HOME.names("fortresses").items()}


def read_fortress(name: str) -> Fortress:
    """A ready design by its name, or a TOML file; a BadFile says what is wrong with its form."""
    path = ready().get(name, name)
    return parse_fortress(read_text(path), path)


def parse_fortress(text: str, file: str) -> Fortress:
    """The text of a design as a fortress."""
    source = DesignSource(file, text, HOME.messages)
    return lay_out(source.take(parse_toml(text, file), Design), source)


def of_walk(walk: Sequence[str], material: str, agreed: Sequence[str] = ()) -> Fortress:
    """A walk in one line: the words of ``walk``, perhaps after ``edge``, or the name of a ready design."""
    if len(walk) == 1 and walk[0] in ready():
        return made_of(read_fortress(walk[0]), material)
    edge = tuple(walk[:1]) == (EDGE,)
    design = Design("", material, tuple(walk[edge:]), agreed=tuple(agreed), edge=edge)
    return lay_out(design, DesignSource("walk", "", HOME.messages))


def walk_of(fortress: Fortress) -> tuple[str, ...]:
    """A fortress as a walk in one line, if that is how it was made."""
    words = [EDGE] if fortress.edge else []
    for piece in fortress.pieces:
        words += [f"gap-{piece.gap / UNIT:g}"] if piece.gap > 0 else []
        other = f"{ADJECTIVES[piece.material]}-" if piece.material != fortress.material else ""
        bend = {90: "-right", -90: "-left"}.get(piece.bend // 10, "") if piece.kind == TOWER else ""
        words.append(f"{other}{piece.kind}{bend}")
    return tuple(words)


def lay_out(design: Design, source: DesignSource) -> Fortress:
    """The pieces of a design with their poses, around their common middle."""
    source.one_of("material", design.material, MATERIALS)
    for word in design.agreed:
        source.one_of("agreed", word, AGREEMENTS)
    if bool(design.walk) == bool(design.piece):
        raise source.bad("walk", Message("fortress.walk_or_piece"))
    pieces = _walked(design, source) if design.walk else _given(design, source)
    if not 0 < len(pieces) <= MOST_PIECES:
        raise source.bad(
            "walk" if design.walk else "piece",
            Message("fortress.count", {"most": MOST_PIECES, "found": len(pieces)}),
        )
    return Fortress(
        name=design.name,
        name_fr=design.name_fr or design.name,
        text=design.text,
        text_fr=design.text_fr or design.text,
        material=design.material,
        agreed=design.agreed,
        edge=design.edge,
        pieces=tuple(_centred(pieces)),
    )


def _given(design: Design, source: DesignSource) -> list[Piece]:
    counts: Counter[str] = Counter()
    pieces = []
    for n, entry in enumerate(design.piece):
        where = f"piece[{n}]"
        source.one_of(f"{where}.kind", entry.kind, PIECES)
        source.one_of(f"{where}.material", entry.material, ("", *MATERIALS))
        source.one_of(f"{where}.bend", entry.bend, tuple(BENDS) if entry.kind == TOWER else ("",))
        for field, value, most in (
            *(("at", value, FARTHEST) for value in entry.at),
            ("turn", entry.turn, FULL // 10),
        ):
            if not -most <= value <= most:  # nor what is no number at all
                values: Values = {"most": most, "found": str(value)}
                raise source.bad(f"{where}.{field}", Message("fortress.range", values))
        counts[entry.kind] += 1
        pose = Pose(round(entry.at[0] * UNIT), round(entry.at[1] * UNIT), round(entry.turn * 10) % FULL)
        pieces.append(
            Piece(
                id=f"{entry.kind}-{counts[entry.kind]}",
                kind=entry.kind,
                material=entry.material or design.material,
                pose=pose,
                bend=RIGHT_ANGLE if entry.kind == CORNER else BENDS[entry.bend],
                place=where,
                gap=ANY,
            )
        )
    return pieces


class _Word(Struct, frozen=True):
    """A word of a walk: a piece, or a gap of so many hundredths."""

    place: str
    kind: str = ""
    material: str = ""
    bend: int = 0
    gap: int = 0


def _words(design: Design, source: DesignSource) -> Iterator[_Word]:
    for n, word in enumerate((word for run in design.walk for word in run.split()), 1):
        where = f"walk({n})"
        if gap := _GAP.fullmatch(word):
            yield _Word(where, gap=round(float(gap[1]) * UNIT))
        elif piece := _PIECE.fullmatch(word):
            kind = piece[2] or piece[3]
            bend = RIGHT_ANGLE if kind == CORNER else BENDS[piece[4] or ""]
            material = STONE if piece[1] == "stone" else WOOD if piece[1] else design.material
            yield _Word(where, kind, material, bend)
        else:
            raise source.bad(where, Message("fortress.word", {"word": repr(word)}))


def _walked(design: Design, source: DesignSource) -> list[Piece]:
    """OH.piece.2: end to end, outer faces flush.

    The side on which a walk begins looks to the north; at a table edge it begins there and goes northwards.
    """
    words = list(_words(design, source))
    first = next((word.bend for word in words if word.kind), 0)
    here = Pose(0, 0, -RIGHT_ANGLE % FULL if design.edge else -first % FULL)
    counts: Counter[str] = Counter()
    pieces, gap = list[Piece](), 0
    for word in words:
        if not word.kind:
            here, gap = plane.moved(here, word.gap, 0), gap + word.gap
            continue
        counts[word.kind] += 1
        size = sort_of(word.kind, word.material).size
        pose = plane.moved(here, size.front / 2, -size.depth / 2)
        ident = f"{word.kind}-{counts[word.kind]}"
        piece = Piece(ident, word.kind, word.material, pose, word.bend, word.place, gap)
        pieces.append(piece)
        x, y = piece.end[0]
        here, gap = Pose(round(x), round(y), piece.end_turn), 0
    if pieces and gap:  # at the end of the walk it is before the first piece
        pieces[0] = replace(pieces[0], gap=pieces[0].gap + gap)
    return pieces


def _centred(pieces: list[Piece]) -> list[Piece]:
    west, north, east, south = shapely.total_bounds([piece.shape for piece in pieces])
    x, y = round((west + east) / 2), round((north + south) / 2)
    return [shifted(piece, Pose(piece.pose.x - x, piece.pose.y - y, piece.pose.turn)) for piece in pieces]
