"""The terminal renderer: any scene, drawn with words: areas as boxes, hexes as a map, an open table.

Sides differ by sign as well as by colour.
Segments are no boxes: what is to be known of them stands in the first line, their cards below the board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec.structs import replace
from rich.console import Group
from rich.text import Text

from ..model import HEXES, OPEN, SEGMENT, Card, Piece, Scene
from .boxes import Board
from .hexes import arrow as hex_arrow
from .hexes import codes, covers, group_names
from .hexes import draw as draw_map
from .ink import WORDS, common_key, condition, flow, piece_line, sign
from .listed import acting, hands, place_of, tags, vocabulary
from .open import draw as draw_table

__all__ = ["acting", "described", "flow", "render", "short_names", "sign"]

WIDEST = 160  # boxes wider than a fifth of this help nobody
HAND = "hand"


def render(scene: Scene, width: int, lang: str = "en") -> Group:
    """Everything of a scene for a terminal of ``width`` columns."""
    width = max(10, min(width, WIDEST))
    words = WORDS[lang]
    key = common_key(scene.pieces) if scene.grid != OPEN else ()
    lines = flow(_head(scene), width)
    notes = [_key_line(key, words)] if key else []
    if scene.grid == OPEN:
        lines += draw_table(scene, width, lang)
        notes += hands(card for card in scene.cards if card.text)
    elif scene.grid == HEXES:
        lines += draw_map(scene, width, key, words)
    else:
        lines += Board(scene, width, key, words).lines()
        notes += _off_board(scene, key, words)
    notes += _cards([card for card in scene.cards if not (card.text and scene.grid == OPEN)], words)
    for note in notes:
        lines += flow(note, width, 2)
    return Group(*lines)


def short_names(scene: Scene) -> dict[str, str]:
    """What pieces are called on the board, by id; nothing where their ids stand there."""
    if scene.grid == OPEN:
        return tags(scene.pieces)
    return codes(scene.pieces) if scene.grid == HEXES else {}


def described(scene: Scene, piece: Piece, lang: str) -> list[Text]:
    """Where a piece is, its figures with their names, and what has become of it: a line each."""
    words = vocabulary(lang)
    strips = {area.id: area.label for area in scene.areas if area.width > 1 and area.label}
    hexes = " + ".join(strips.get(place, place) for place in covers(piece))
    where = place_of(scene, piece, words) or hexes or words["off"]
    where += f" {hex_arrow(piece)}".rstrip() if scene.grid == HEXES else ""
    badge = [Text(f"[{piece.badge}]", style="bold")] if piece.badge else []
    group = [Text(group_names(scene).get(piece.group, piece.group))] if piece.group else []
    state = [Text(f"({words['unseen']})", style="italic")] if piece.hidden else []
    state += [Text(words["acting"], style="bold")] if piece.acting else []
    if piece.strength:
        state.append(Text(f"✗{piece.losses}/{piece.strength}", style="bold red" if piece.losses else "dim"))
    state += condition(replace(piece, losses=0) if piece.strength else piece, words)
    values = [Text(f"{name} {value}".strip()) for name, value in piece.values.items()]
    rows = ([Text(where), *group, *badge], values, state)
    return [Text("  ").join(row) for row in rows if row]


def _key_line(key: tuple[str, ...], words: dict[str, str]) -> list[Text]:
    return [Text(f"{words['key']} {'/'.join(key)}", style="dim")]


def _off_board(scene: Scene, key: tuple[str, ...], words: dict[str, str]) -> list[list[Text]]:
    """Pieces that stand in no area of the scene."""
    places = {area.id for area in scene.areas}
    notes = []
    for piece in scene.pieces:
        if piece.place not in places:
            where = piece.place or words["off"]
            notes.append([Text(where + words["colon"], style="dim"), *piece_line(piece, key, words)])
    return notes


def _cards(cards: Iterable[Card], words: dict[str, str]) -> list[list[Text]]:
    """A line for each side: its hand, then what it has laid and where."""
    groups: dict[int, dict[str, list[Card]]] = {}
    for card in cards:
        groups.setdefault(card.side, {}).setdefault(card.place, []).append(card)
    notes = []
    for side, places in groups.items():
        note = [sign(side)]
        for place, here in places.items():
            name = words["hand"] if place == HAND else place
            note.append(Text(("· " if len(note) > 1 else "") + name + words["colon"]))
            for label, n in Counter(card.label for card in here if not _is_back(card)).items():
                note.append(Text(f"[{label}]" + (f"×{n}" if n > 1 else ""), style="bold"))
            backs = sum(map(_is_back, here))
            if backs:
                note.append(Text(words["down"].format(n=backs), style="dim"))
        notes.append(note)
    return notes


def _is_back(card: Card) -> bool:
    return card.label in ("", "?")


def _head(scene: Scene) -> list[Text]:
    """The title, the tracks and the notes of segments, in one line if there is room."""
    head = [Text(scene.title, style="bold")] if scene.title else []
    notes = [(track.label, track.value) for track in scene.tracks]
    notes += [(area.id, area.note) for area in scene.areas if area.ground == SEGMENT and area.note]
    head += [Text.assemble((f"{label} ", "dim"), value) for label, value in notes]
    return [part if i == 0 else Text.assemble("· ", part) for i, part in enumerate(head)]
