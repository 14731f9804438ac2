"""The terminal renderer: any scene, any width, both languages."""

import msgspec
import pytest
from rich.console import Console

from legatus.scene.model import SEGMENT, Area, Card, Piece, Scene, Track
from legatus.scene.text import render

VALUES = {"VO": "3", "VD": "4"}
GROUNDS = ("clear", "hill", "thick_forest")
FIELD = Scene(
    "Turn 3",
    areas=(
        Area("barb-reserve", "Barbarian reserve", 0, 0, 3, side=1),
        *(
            Area(f"barb{c}", f"Sector {c}", 1, c - 1, 1, GROUNDS[c - 1], 1, (GROUNDS[c - 1],))
            for c in (1, 2, 3)
        ),
        *(Area(f"rome{c}", "", 2, c - 1, side=0, marks=("held by the barbarians",)) for c in (1, 2, 3)),
        Area("rome-reserve", "Roman reserve", 3, 0, 3, side=0),
    ),
    pieces=(
        Piece(
            "vet-legion-1",
            "Veterans",
            "rome1",
            0,
            "legion",
            VALUES,
            2,
            ("testudo",),
            ("white", "white", "red"),
        ),
        Piece("horde-1", "Horde", "rome1", 1, "horde", {**VALUES, "VT": "2"}, facing="back"),
        Piece("trajan", "Trajan", "rome-reserve", 0, "general", marks=("chief",)),
        Piece("marker-1", "Marker", "barb3", 1, "marker", hidden=True),
        *(Piece(f"aux-{n}", "Auxiliaries", "rome-reserve", 0, "aux", VALUES) for n in range(1, 6)),
    ),
    cards=(
        Card("a", "3", 0, "hand"),
        Card("b", "face", 0, "hand"),
        Card("c", "face", 0, "hand"),
        Card("d", "", 1, "hand"),
        Card("e", "?", 1, "hand"),
        Card("f", "5", 0, "seg2"),
    ),
    tracks=(Track("turn", "turn", "3"), Track("points", "points", "2")),
    lines=(("barb1", "rome1", "river"), ("barb2", "rome2", "bridge"), ("rome1", "rome2", "ditch")),
)


def draw(scene: Scene, width: int, lang: str = "en") -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(render(scene, width, lang))
    return capture.get().splitlines()


@pytest.mark.parametrize("width", [1, 5, 12, 20, 40, 60, 80, 120, 200, 500])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_width_shows_everything(width: int, lang: str) -> None:
    lines = draw(FIELD, width, lang)
    assert all(len(line) <= max(width, 10) for line in lines)
    whole = "".join("".join(lines).split())
    if width >= 60:
        for piece in FIELD.pieces:
            assert piece.id in whole
        for area in FIELD.areas:
            assert area.id in whole


def test_the_enemy_stands_at_the_top_and_reserves_span_the_width() -> None:
    lines = draw(FIELD, 80)
    row = {area.id: next(n for n, line in enumerate(lines) if area.id in line) for area in FIELD.areas}
    assert row["barb-reserve"] < row["barb1"] == row["barb3"] < row["rome1"] < row["rome-reserve"]
    assert lines[row["rome-reserve"]].count("│") == 2
    assert lines[row["rome1"]].count("│") == 4


def test_sides_differ_without_colour() -> None:
    text = "\n".join(draw(FIELD, 120))
    assert "■ vet-legion-1" in text
    assert "▲ horde-1" in text


def test_a_piece_shows_figures_losses_tokens_and_marks() -> None:
    text = "\n".join(draw(FIELD, 160))
    assert "■ vet-legion-1 3/4 ✗2 ●white×2 ●red testudo" in text
    assert "▲ horde-1 3/4 VT 2 (turned)" in text
    assert "▲ marker-1 (face down)" in text
    assert "Figures: VO/VD" in text


def test_rivers_lie_on_the_border_between_their_areas() -> None:
    lines = draw(FIELD, 80)
    border = next(line for line in lines if "river" in line)
    assert "≈ river ≈" in border
    assert "≈ bridge ≈" in border
    assert border.startswith("├")
    assert "rome1 ≈ rome2: ditch" in "\n".join(lines)  # no border between rows: said below


def test_cards_and_tracks_stand_below_the_field() -> None:
    text = "\n".join(draw(FIELD, 80))
    assert "■ hand: [3] [face]×2 · seg2: [5]" in text
    assert "▲ hand: 2 face down" in text
    assert "turn 3 · points 2" in text


def test_the_renderers_own_words_are_translated() -> None:
    text = "\n".join(draw(FIELD, 80, "fr"))
    assert "main : [3]" in text
    assert "face cachée" in text
    assert "hand" not in text


def test_a_narrow_terminal_gets_a_list() -> None:
    lines = draw(FIELD, 30)
    assert "│" not in "".join(lines)
    assert "barb1 ≈ rome1: river" in lines


def test_a_scene_without_anything_is_drawn_too() -> None:
    assert draw(Scene(""), 80) == [""] or draw(Scene(""), 80) == []


def test_segments_are_no_boxes_and_their_notes_stand_in_the_first_line() -> None:
    segments = tuple(
        Area(f"seg{c}", f"Segment {c}", 2, c - 1, ground=SEGMENT, note="3 pts" if c == 2 else "")
        for c in (1, 2, 3)
    )
    spread = tuple(msgspec.structs.replace(a, row=a.row + (a.row > 1)) for a in FIELD.areas)
    for width in (30, 80):
        plain = draw(FIELD, width)
        lines = draw(msgspec.structs.replace(FIELD, areas=(*spread, *segments)), width)
        assert "seg2 3 pts" in " ".join(lines[:2])
        assert lines[-len(plain) + 2 :] == plain[2:]
