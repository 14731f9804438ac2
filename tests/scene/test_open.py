"""The open table in the terminal: everything is drawn where it lies, and the list says it exactly."""

from itertools import product

import msgspec
import pytest
from rich.console import Console

from legatus.scene.model import OPEN, Area, Card, Marker, Piece, Scene, Track
from legatus.scene.text import acting
from legatus.scene.text.ink import OPEN_WORDS, WORDS
from legatus.scene.text.listed import GROUNDS, STATES, arrow, tags
from legatus.scene.text.open import card, seen

from .test_text import draw

CARD = (176, 88)
VALUES = {"A": "3/2", "M": "3"}
FACINGS = {0: "↑", 224: "↑", 225: "↗", 450: "↗", 900: "→", 1350: "↘", 1800: "↓", 2250: "↙", 2700: "←"}
FACINGS |= {3150: "↖", 3374: "↖", 3375: "↑", 3599: "↑"}


def rectangle(left: int, top: int, wide: int, high: int) -> tuple[tuple[int, int], ...]:
    return ((left, top), (left + wide, top), (left + wide, top + high), (left, top + high))


def unit(name: str, side: int, x: int, y: int, turn: int = 0, **rest: object) -> Piece:
    piece = Piece(
        name, name.capitalize(), "table", side, "foot", VALUES, strength=4, pose=(x, y, turn), size=CARD
    )
    return msgspec.structs.replace(piece, **rest)


def ground(name: str, kind: str, outline: tuple[tuple[int, int], ...], **rest: object) -> Area:
    area = Area(name, name.capitalize(), 0, 0, ground=kind, outline=outline)
    return msgspec.structs.replace(area, **rest)


FIELD = Scene(
    "Siege",
    areas=(
        ground("wood", "forest", rectangle(100, 100, 200, 150), level=1),
        ground("pond", "lake", ((850, 50), (1000, 50), (1000, 200))),
        ground("stream", "river", rectangle(0, 380, 1000, 40)),
        ground(
            "bridge", "wooden-bridge", rectangle(456, 356, 88, 88), label="Old bridge", heading=0, losses=2,
            strength=6, states=("burning",), marks=("on fire",),
        ),
        ground("tower", "watchtower", rectangle(706, 256, 88, 88), heading=180, side=1, level=2),
    ),
    pieces=(
        unit("a-foot-1", 0, 200, 550, losses=1, marks=("in melee",)),
        unit("a-foot-2", 0, 400, 500, 450, acting=True),
        unit("a-horse-1", 0, 850, 525, 2700, tokens=("general",)),
        unit("d-foot-1", 1, 425, 125, 1800),
        unit("d-bows-1", 1, 750, 300, 1800, place="tower"),
        unit("d-bows-2", 1, 0, 0, pose=None, place="aside", marks=("waits",)),
    ),
    cards=(
        Card("card-7", "Advance", 0, "hand", "Everybody moves."),
        Card("back-1", "", 1, "hand"),
        Card("back-2", "", 1, "hand"),
    ),
    tracks=(Track("turn", "Turn", "2"),),
    sides=("Rome", "Carthage"),
    grid=OPEN,
    size=(1000, 600),
)  # fmt: skip

SEEN = """\
Siege · Turn 2
   0   1   2   3   4   5   6   7   8   9   10
  ┌┬───┬───┬───┬───┬───┬───┬───┬───┬───┬───┐
 0├·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ┤
  │                                   ~~~~~│
 1├·   ♣♣♣♣♣♣♣♣·▲▲▲f1↓▲▲   ·   ·   ·   ·~~~┤
  │    ♣♣♣♣♣♣♣♣                           ~│
 2├·   ♣♣♣♣♣♣♣♣·   ·   ·   ·   ·   ·   ·   ┤
  │                            ♜♜♜♜        │
 3├·   ·   ·   ·   ·   ·   ·   ♜b1↓·   ·   ┤
  │≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈¤=¤=≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈│
 4├≈≈≈≈≈≈≈≈≈≈≈≈≈≈■≈≈≈=¤=¤≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈≈┤
  │             □□■■               ■■□□    │
 5├·   ·■■■■■■ ·  F2↗* ·   ·   ·   ■H1←·   ┤
  │     □□F1↑□      □              ■■□□    │
 6└┴───┴───┴───┴───┴───┴───┴───┴───┴───┴───┘
   0   1   2   3   4   5   6   7   8   9   10
table 10×6 DU · x eastwards, y southwards from the north-west corner · ↑ 0° north, → 90° east · ■□ Rome
  · ▲△ Carthage · filled: front half · ♣ forest · ~ lake · ≈ river · = wooden bridge · ♜ watchtower
  · ¤ burning · * decides now · ✗ losses / life
♣ wood: x 1–3 y 1–2.5 height 1
~ pond: corners (x; y) (8.5; 0.5) (10; 0.5) (10; 2)
≈ stream: x 0–10 y 3.8–4.2
= bridge Old bridge: x 5 y 4 0.88×0.88 ↑ 0° ✗2/6 on fire
♜ tower: x 7.5 y 3 0.88×0.88 ↓ 180° height 2 ▲ Carthage
■ Rome
  F1 a-foot-1  x 2 y 5.5 ↑ 0°            A 3/2 M 3 ✗1/4 in melee
  F2 *a-foot-2 x 4 y 5 ↗ 45°             A 3/2 M 3 ✗0/4
  H1 a-horse-1 x 8.5 y 5.25 ← 270°       A 3/2 M 3 ✗0/4 ●general
▲ Carthage
  f1 d-foot-1  x 4.25 y 1.25 ↓ 180°      A 3/2 M 3 ✗0/4
  b1 d-bows-1  x 7.5 y 3 ↓ 180° in tower A 3/2 M 3 ✗0/4
▲ Carthage, not on the table
  b2 d-bows-2  A 3/2 M 3 ✗0/4 waits
■ card-7 [Advance] Everybody moves.
▲ hand: 2 face down
"""

NARROW = """\
Siege · Turn 2
   0  1  2  3  4  5  6  7  8  9  10
  ┌┬──┬──┬──┬──┬──┬──┬──┬──┬──┬──┐
 0├·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ┤
  │   ♣♣♣♣♣♣ △f1↓△            ~~~│
  │   ♣♣♣♣♣♣                    ~│
 2├·  ♣♣♣♣♣♣·  ·  ·  ·  ·  ·  ·  ┤
  │                     b1↓      │
  │≈≈≈≈≈≈≈≈≈≈≈≈≈≈¤=≈≈≈≈≈≈≈≈≈≈≈≈≈≈│
 4├≈≈≈≈≈≈≈≈≈≈■■≈≈=¤≈≈≈≈≈≈≈≈≈≈≈≈≈≈┤
  │          F2↗*          H1←   │
  │   □□F1↑□   □□          ■■□   │
 6└┴──┴──┴──┴──┴──┴──┴──┴──┴──┴──┘
   0  1  2  3  4  5  6  7  8  9  10
table de 10×6 UD · x vers l'est, y vers
  le sud depuis le coin nord-ouest
  · ↑ 0° nord, → 90° est · ■□ Rome
  · ▲△ Carthage · plein : moitié avant
  · ♣ forêt · ~ lac · ≈ rivière
  · = pont en bois · ♜ mirador
  · ¤ en feu · * à décider
  · ✗ pertes / vie
♣ wood : x 1–3 y 1–2,5 hauteur 1
~ pond : coins (x ; y) (8,5; 0,5)
  (10; 0,5) (10; 2)
≈ stream : x 0–10 y 3,8–4,2
= bridge Old bridge : x 5 y 4 0,88×0,88
  ↑ 0° ✗2/6 on fire
♜ tower : x 7,5 y 3 0,88×0,88 ↓ 180°
  hauteur 2 ▲ Carthage
■ Rome
  F1 a-foot-1 x 2 y 5,5 ↑ 0° A 3/2 M 3
    ✗1/4 in melee
  F2 *a-foot-2 x 4 y 5 ↗ 45° A 3/2 M 3
    ✗0/4
  H1 a-horse-1 x 8,5 y 5,25 ← 270° A 3/2
    M 3 ✗0/4 ●general
▲ Carthage
  f1 d-foot-1 x 4,25 y 1,25 ↓ 180° A 3/2
    M 3 ✗0/4
  b1 d-bows-1
    x 7,5 y 3 ↓ 180° dans tower A 3/2
    M 3 ✗0/4
▲ Carthage, hors de la table
  b2 d-bows-2 A 3/2 M 3 ✗0/4 waits
■ card-7 [Advance] Everybody moves.
▲ main : 2 cachée(s)
"""


class Picture:
    """Drawn lines, read as a person does: the numbers above and beside."""

    def __init__(self, scene: Scene, width: int) -> None:
        self.lines = draw(scene, width)
        top = next((n for n, line in enumerate(self.lines) if line.startswith("  ┌")), None)
        assert top is not None
        bottom = next(n for n, line in enumerate(self.lines) if n > top and "└" in line[:3])
        self.rows = [line[3:].rstrip("│┤") for line in self.lines[top + 1 : bottom]]
        self.sides = [line[:3] for line in self.lines[top + 1 : bottom + 1]]
        numbers = self.lines[top - 1]
        self.columns = {int(word): numbers.index(f" {word}") - 2 for word in numbers.split()}
        (a, at_a), (b, at_b) = list(self.columns.items())[:2]
        self.scale = (at_b - at_a) // (b - a)

    def at(self, x: float, y: float) -> str:
        """The sign at a place, in units of distance."""
        row = self.rows[int(y * self.scale / 2 + 1e-6)]
        column = int(x * self.scale + 1e-6)
        return row[column] if column < len(row) else " "


def only(*things: Piece | Area, size: tuple[int, int] = (1000, 600)) -> Scene:
    pieces = tuple(thing for thing in things if isinstance(thing, Piece))
    areas = tuple(thing for thing in things if isinstance(thing, Area))
    return Scene("", areas, pieces, sides=("Rome", "Carthage"), grid=OPEN, size=size)


def test_the_whole_table() -> None:
    assert draw(FIELD, 110) == SEEN.splitlines()


def test_a_narrow_terminal_in_french() -> None:
    assert draw(FIELD, 40, "fr") == NARROW.splitlines()


@pytest.mark.parametrize("width", [1, 10, 14, 15, 20, 25, 30, 40, 60, 80, 109, 110, 160, 500])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_width_shows_everything(width: int, lang: str) -> None:
    lines = draw(FIELD, width, lang)
    assert all(len(line) <= max(width, 10) for line in lines)
    assert sum("10" in line.split() for line in lines) == 2 * (width >= 15)  # no ruler is broken
    whole = "".join("".join(lines).split())
    for thing in (*FIELD.pieces, *FIELD.areas):
        assert thing.id in whole
        assert thing.label.replace(" ", "") in whole or thing.label.lower() == thing.id
    for piece in FIELD.pieces:
        for word in (*piece.marks, *piece.tokens):
            assert word.replace(" ", "") in whole
    for place in ("x2y5.5", "x4y5↗45°", "x8.5y5.25←270°", "x7.5y3↓180°intower"):
        said = place.replace(".", ",").replace("in", "dans") if lang == "fr" else place
        assert said in whole
    assert "card-7[Advance]Everybodymoves." in whole


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_sign_has_a_name_and_no_other_has_it(lang: str) -> None:
    words = WORDS[lang] | OPEN_WORDS[lang]
    assert set(OPEN_WORDS["en"]) == set(OPEN_WORDS["fr"])
    assert {*GROUNDS, *STATES} <= set(words)
    marks = [mark for mark, _ in GROUNDS.values()]
    assert {mark for mark in marks if marks.count(mark) > 1} == {"~", "▓"}


@pytest.mark.parametrize(("width", "scale"), [(15, 1), (24, 1), (25, 2), (35, 3), (45, 4), (160, 4)])
def test_the_table_is_as_large_as_the_width_allows(width: int, scale: int) -> None:
    picture = Picture(only(unit("foot-1", 0, 500, 300)), width)
    assert picture.scale == scale
    assert picture.columns[10] == 10 * scale
    assert len(picture.rows) == 3 * scale


def test_without_room_for_the_table_there_is_the_list() -> None:
    lines = draw(FIELD, 14)
    assert not any("┌" in line for line in lines)


@pytest.mark.parametrize("width", [15, 25, 35, 45])
def test_numbers_stand_where_their_unit_begins(width: int) -> None:
    picture = Picture(only(ground("pond", "lake", rectangle(400, 200, 200, 200))), width)
    for x, y in product(range(10), range(0, 6, 2)):
        assert (picture.at(x, y) == "~") == (4 <= x < 6 and 2 <= y < 4)
    row = next(n for n, side in enumerate(picture.sides) if side.startswith(" 4"))
    assert row == 2 * picture.scale
    assert picture.sides[-1] == " 6└"


@pytest.mark.parametrize(("turn", "shown"), FACINGS.items())
@pytest.mark.parametrize("width", [25, 35, 45])
def test_a_card_has_its_tag_its_facing_and_its_side(turn: int, shown: str, width: int) -> None:
    for side, tag, signs in ((0, "F1", "■□"), (1, "f1", "▲△")):
        picture = Picture(only(unit("foot-1", side, 500, 300, turn)), width)
        drawn = "".join(picture.rows)
        assert drawn.count(tag + shown) == 1
        assert set(drawn) <= {*signs, *tag, shown, " ", "·"}


@pytest.mark.parametrize(
    ("turn", "front", "rear"),
    [
        (0, (500, 270), (430, 330)),
        (1800, (430, 330), (500, 270)),
        (900, (530, 230), (470, 370)),
        (2700, (470, 370), (530, 230)),
        (450, (490, 270), (440, 270)),
    ],
)
def test_the_front_half_is_filled(turn: int, front: tuple[int, int], rear: tuple[int, int]) -> None:
    picture = Picture(only(unit("foot-1", 0, 500, 300, turn)), 45)
    assert picture.at(front[0] / 100, front[1] / 100) == "■"
    assert picture.at(rear[0] / 100, rear[1] / 100) == "□"


@pytest.mark.parametrize("turn", range(0, 3600, 150))
def test_a_card_covers_the_cells_under_it_and_no_others(turn: int) -> None:
    piece = unit("foot-1", 0, 513, 307, turn)
    cells = seen(card(piece, 0), (25, 50))
    assert 0.75 * CARD[0] * CARD[1] < len(cells) * 25 * 50 < 1.25 * CARD[0] * CARD[1]
    for row, column in cells:
        x, y = column * 25 + 12.5 - 513, row * 50 + 25 - 307
        assert x * x + y * y <= (CARD[0] ** 2 + CARD[1] ** 2) / 4


def test_a_gap_between_cards_is_seen() -> None:
    picture = Picture(only(unit("foot-1", 0, 300, 300), unit("foot-2", 0, 500, 300)), 45)
    assert picture.at(3.5, 2.75) == "■"
    assert picture.at(4, 2.75) == " "
    assert picture.at(4.5, 2.75) == "■"


def test_tags_of_cards_in_contact_are_all_there() -> None:
    cards = [unit(f"foot-{n}", 0, 200 + 176 * n, 344) for n in (1, 2, 3)]
    cards += [unit(f"bows-{n}", 1, 200 + 176 * n, 256, 1800) for n in (1, 2, 3)]
    for width in (25, 35, 45):
        drawn = "\n".join(Picture(only(*cards), width).rows)
        for n in (1, 2, 3):
            assert f"F{n}↑" in drawn
            assert f"b{n}↓" in drawn


@pytest.mark.parametrize("width", [15, 25, 35, 45])
def test_what_is_thin_is_drawn_along_its_whole_length(width: int) -> None:
    for y in (310, 333, 350, 372, 399):
        picture = Picture(only(ground("ditch", "trench", rectangle(0, y, 1000, 20), heading=0)), width)
        drawn = [row for row in picture.rows if "_" in row]
        assert drawn == ["_" * 10 * picture.scale]


def test_cards_lie_on_structures_and_structures_on_ground() -> None:
    wood, bridge = ground("w", "forest", rectangle(0, 0, 1000, 600)), rectangle(300, 200, 400, 200)
    scene = only(ground("b", "wooden-bridge", bridge, heading=0), wood, unit("foot-1", 0, 600, 300))
    picture = Picture(scene, 45)
    assert [picture.at(x, 3) for x in (1, 4, 5.25, 9)] == ["♣", "=", "□", "♣"]


def test_who_is_inside_is_written_on_it() -> None:
    tower = ground("tower", "watchtower", rectangle(400, 200, 200, 200), heading=0)
    picture = Picture(only(tower, unit("foot-1", 0, 500, 300, place="tower")), 45)
    drawn = "".join(picture.rows)
    assert "F1↑" in drawn
    assert "■" not in drawn


def test_a_structure_that_burns_or_has_collapsed() -> None:
    tower = ground("tower", "watchtower", rectangle(400, 200, 200, 200), heading=0, states=("burning",))
    drawn = "".join(Picture(only(tower), 45).rows)
    assert drawn.count("¤") == drawn.count("♜") == 16
    fallen = msgspec.structs.replace(tower, states=("collapsed",))
    assert "∴" in "".join(Picture(only(fallen), 45).rows)


def test_a_ground_and_a_thing_of_an_unknown_kind() -> None:
    scene = only(ground("pit", "tar pit", rectangle(400, 200, 200, 200)))
    scene = msgspec.structs.replace(scene, markers=(Marker("e", "eagle", "The eagle", "pit"),))
    lines = draw(scene, 60)
    assert Picture(scene, 60).at(5, 3) == "%"
    assert "% pit: x 4–6 y 2–4" in lines
    assert "% The eagle pit" in lines
    assert any("% tar pit" in line for line in lines)


def test_what_stands_off_the_table_does_no_harm() -> None:
    cards = (unit("foot-1", 0, -500, 300), unit("foot-2", 0, 990, 595, 300), unit("foot-3", 0, 1000, 600))
    drawn = "".join(Picture(only(*cards), 45).rows)
    assert "F2↗" in drawn
    assert "F1" not in drawn


def test_a_scene_without_anything() -> None:
    assert draw(Scene("Empty", grid=OPEN), 40)[0] == "Empty"


def test_arrows() -> None:
    assert {turn: arrow(turn) for turn in FACINGS} == FACINGS


def test_tags_are_short_and_different() -> None:
    names = ("a-hastati-1", "a-hastati-12", "a-roman-cavalry-1", "a-horse-1", "a-rams-1", "a-rams-2")
    found = tags([unit(name, 0, 0, 0) for name in names])
    assert list(found.values()) == ["H1", "H12", "R1", "O1", "A1", "A2"]
    both = tags([unit("a-foot-1", 0, 0, 0), unit("d-foot-1", 1, 0, 0)])
    assert list(both.values()) == ["F1", "f1"]
    assert tags([unit("foot-1", 0, 0, 0), unit("caesar", 0, 0, 0)]) == {"foot-1": "F1", "caesar": "Ca"}
    many = tags([unit(f"foot{'x' * n}-1", 0, 0, 0) for n in range(40)])
    assert len(set(many.values())) == 40


def test_the_one_who_acts_is_told_by_itself() -> None:
    console = Console(width=60, color_system=None)
    with console.capture() as capture:
        for line in acting(FIELD, 60, "en"):
            console.print(line)
    assert capture.get() == "  F2 *a-foot-2 x 4 y 5 ↗ 45° A 3/2 M 3 ✗0/4\n"
    assert acting(msgspec.structs.replace(FIELD, grid=""), 60, "en") == []


@pytest.mark.parametrize("kind", ["wall", "wooden-wall", "stone-wall"])
def test_a_wall_of_any_material_is_drawn_as_a_wall(kind: str) -> None:
    scene = only(ground("w", kind, rectangle(400, 200, 200, 200)))
    assert Picture(scene, 60).at(5, 3) == "▒"
    assert any("▒ wall" in line for line in draw(scene, 60))
