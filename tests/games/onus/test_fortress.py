"""7 The design of fortresses: poses, prices, closing, and everything that is refused."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from shapely import Polygon
from shapely.geometry import box

from legatus.games.onus.design import (
    HOME,
    Design,
    PieceEntry,
    named,
    parse_fortress,
    read_fortress,
    ready,
    told,
)
from legatus.games.onus.fortress import Fortress, Piece, check, placed
from legatus.games.onus.naming import say_name
from legatus.games.onus.sketch import drawn, sketched
from legatus.games.onus.sorts import CORNER, GATE, PIECES, STONE, TOWER, WALL, WOOD, price, sort_of, sorts
from legatus.games.onus.state import CARD, GROUNDS
from legatus.kernel import BadFile
from legatus.kernel.words import LANGS
from legatus.parts import plane
from legatus.parts.plane import Pose, Size
from tests.rules import rule
from tests.told import assert_told, fields

from .stage import battle

ROOT = Path(__file__).parents[3]
SQUARE = "corner gate corner wall corner wall corner wall"
DESIGNS = {  # walls, towers, gates, corner walls; points in wood and in stone; width and depth
    "few-towers": ((7, 2, 1, 2), (510, 1020), (704, 352)),
    "gatehouse": ((4, 2, 1, 4), (430, 860), (528, 352)),
    "standard": ((7, 4, 1, 0), (630, 1260), (704, 352)),
    "unusual": ((4, 4, 1, 4), (590, 1180), (528, 440)),
    "small": ((3, 1, 1, 3), (290, 580), (352, 352)),
}


def fort(walk: str, **fields: str) -> Fortress:
    """A wooden fortress, unless a field says otherwise; fields are TOML."""
    more = "".join(f"{key} = {value}\n" for key, value in {"material": '"wood"', **fields}.items())
    return parse_fortress(f'name = "Fort"\n{more}walk = ["{walk}"]\n', "fort.toml")


def by_hand(fortress: Fortress, moves: dict[str, tuple[float, float] | None], **fields: str) -> Fortress:
    """The same fortress with every pose written down, some pieces moved by so many DU or left out."""
    text = 'name = "Fort"\nmaterial = "wood"\n'
    text += "".join(f"{key} = {value}\n" for key, value in fields.items())
    for piece in fortress.pieces:
        move = moves.get(piece.id, (0, 0))
        if move is None:
            continue
        x, y = move
        place = f"at = [{piece.pose.x / 100 + x}, {piece.pose.y / 100 + y}]\nturn = {piece.pose.turn / 10}\n"
        text += f'[[piece]]\nkind = "{piece.kind}"\n{place}'
        if piece.kind == TOWER and piece.bend:
            text += f'bend = "{"right" if piece.bend > 0 else "left"}"\n'
    return parse_fortress(text, "fort.toml")


def against(fortress: Fortress) -> list[tuple[str, str, str]]:
    """The place, the clause and the last word of the key of everything against it."""
    return [(p.place, p.refusal.clause, p.refusal.key.partition(".")[2]) for p in check(fortress)]


def piece(fortress: Fortress, ident: str) -> Piece:
    return next(piece for piece in fortress.pieces if piece.id == ident)


def beside(fortress: Fortress, ident: str) -> set[str]:
    n = fortress.pieces.index(piece(fortress, ident))
    return {fortress.pieces[j].id for j in fortress.neighbours[n]}


# --- values and prices ---------------------------------------------------------------------------


def names_of(row: str) -> str:
    """The id of a row of the rulebook's table."""
    material, _, rest = row.lower().partition(" ")
    special = {"corner wall": CORNER, "wall with gate": GATE}
    if row == "Village half":
        return "village"
    return f"{material}-{special.get(rest, rest)}".strip("-").replace(" ", "-")


def table(clause: str) -> dict[str, list[str]]:
    """The first table of a clause by the first cell of its rows."""
    lines = HOME.rulebooks["en"].clauses[clause].text.split("\n\n")
    rows = next(part for part in lines if part.startswith("|")).splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {row[0]: row[1:] for row in cells}


@rule("O4.structures-table", "O4.gate.resistance", "O4.gate.durability", "OH.village.1")
def test_the_values_are_those_of_the_rulebook() -> None:
    rows = {names_of(name): cells for name, cells in table("O4.structures-table").items()}
    assert set(rows) == set(sorts()) - {"small-caltrops"}
    for ident, (height, defence, resistance, durability, burns, room, *_) in rows.items():
        sort = sorts()[ident]
        assert sort.height == int(height), ident
        bonus = [tuple(map(int, pair)) for pair in re.findall(r"\+(\d)/\+(\d)", defence)]
        assert bonus == list(dict.fromkeys(pair for pair in (sort.melee, sort.ranged) if pair != (0, 0))), (
            ident
        )
        numbers = [int(number) for number in re.findall(r"\d", resistance)]
        if sort.gate_resistance:
            assert numbers == [sort.resistance, sort.resistance, sort.gate_resistance], ident
            assert [sort.gate_durability, sort.durability] == [int(n) for n in re.findall(r"\d", durability)]
        else:
            assert numbers == [sort.resistance] * bool(sort.resistance), ident
            assert [int(n) for n in re.findall(r"\d", durability)] == [sort.durability] * bool(
                sort.durability
            )
        assert sort.burns == ("gate" if "gate" in burns else burns.split()[0]), ident
        if ident.split("-")[0] in ("wooden", "stone"):
            assert sort.sections or sort.units == int(room), ident


@rule("O4.wall.values", "O4.tower.values", "O3.bridge.values")
@pytest.mark.parametrize(("clause", "kind"), [("O4.wall.values", WALL), ("O4.tower.values", TOWER)])
def test_stone_is_harder_by_one_than_wood(clause: str, kind: str) -> None:
    for word, material in (("Wooden", WOOD), ("Stone", STONE)):
        resistance, durability, burns = table(clause)[word]
        sort = sort_of(kind, material)
        assert [str(sort.resistance), str(sort.durability), sort.burns] == [resistance, durability, burns]
    bridges = [sorts()[f"{word}-bridge"] for word in ("wooden", "stone")]
    assert [(bridge.resistance, bridge.durability) for bridge in bridges] == [(7, 7), (8, 8)]


@rule("O7.points.summary", "O7.design.stone-cost", "OH.cost.1", "OH.cost.2")
def test_prices() -> None:
    costs = [[sort_of(kind, material).cost for kind in PIECES] for material in (WOOD, STONE)]
    assert costs == [[40, 30, 20, 80], [80, 60, 40, 160]]
    bought = ("ram", "siege-tower", "watchtower", "trench", "barricade", "small-caltrops", "caltrops")
    assert [price(ident) for ident in bought] == [20, 70, 80, 10, 10, 5, 10]
    assert {price(ident) for ident in ("village", "wooden-bridge", "stone-bridge", *GROUNDS)} == {0}


@rule("O7.cost-derivation", "O7.design.example-4")
def test_the_printed_total_of_the_fourth_example_cannot_be() -> None:
    """Each of the other four agrees with the prices; with 3 walls instead of 4 the fourth would too."""
    printed = {"few-towers": 510, "gatehouse": 430, "standard": 630, "unusual": 550, "small": 290}
    wrong = {key for key, total in printed.items() if read_fortress(key).cost != total}
    assert wrong == {"unusual"}
    assert read_fortress("unusual").cost - sort_of(WALL, WOOD).cost == 550
    text = Path(ready()["unusual"]).read_text(encoding="utf-8")
    assert "550" in text
    assert "misprint" in text


# --- the sheet's designs -------------------------------------------------------------------------


@rule(
    "O7.design.example-1",
    "O7.design.example-2",
    "O7.design.example-3",
    "O7.design.example-4",
    "O7.design.example-5",
    "OH.piece.2",
)
@pytest.mark.parametrize("key", DESIGNS)
def test_the_designs_of_the_sheet(key: str) -> None:
    fortress = read_fortress(key)
    numbers, costs, size = DESIGNS[key]
    counts = Counter(piece.kind for piece in fortress.pieces)
    assert tuple(counts[kind] for kind in (WALL, TOWER, GATE, CORNER)) == numbers
    assert (fortress.cost, fortress.cost_in(STONE)) == costs
    assert fortress.size == size
    assert against(fortress) == []
    text = Path(ready()[key]).read_text(encoding="utf-8").replace('"wood"', '"stone"')
    assert parse_fortress(text, "stone.toml").cost == costs[1]


def test_there_are_no_other_designs() -> None:
    assert sorted(ready()) == sorted(DESIGNS)
    assert all(fortress.name != fortress.name_fr for fortress in map(read_fortress, DESIGNS))


@rule("OH.piece.1")
def test_shapes() -> None:
    fortress = fort("tower-right gate corner wall corner wall corner wall")
    gate, corner, tower = (piece(fortress, ident) for ident in ("gate-1", "corner-1", "tower-1"))
    assert gate.pose == Pose(0, -154, 0)
    assert gate.shape.equals(box(-88, -176, 88, -132))
    assert gate.opening is not None
    assert gate.opening.equals(box(-44, -176, 44, -132))
    assert tower.shape.equals(box(-176, -176, -88, -88))
    assert corner.cell is not None
    assert corner.cell.equals(box(88, -132, 132, -88))
    assert corner.shape.equals(box(88, -176, 176, -88) - corner.cell)
    assert tower.opening is tower.cell is None


def test_the_front_is_the_first_side_and_the_outer_faces_look_outwards() -> None:
    fortress = read_fortress("standard")
    assert [piece.pose.turn for piece in fortress.pieces if piece.kind in (WALL, GATE)] == [
        *(0, 0, 0),
        900,
        *(1800, 1800, 1800),
        2700,
    ]
    for wall in (piece for piece in fortress.pieces if piece.kind in (WALL, GATE)):
        inside = plane.at(wall.pose, 0, -wall.size.depth / 2 - 10)
        assert fortress.floor.contains(plane.card(Pose(round(inside[0]), round(inside[1])), Size(2, 2)))


def test_the_floor_of_a_standard_fortress() -> None:
    """Three cards deep behind the walls, the towers reaching one section further in."""
    towers = [box(x, y, x + 44, y + 44) for x in (-308, 264) for y in (-132, 88)]
    wanted = box(-308, -132, 308, 132)
    for tower in towers:
        wanted -= tower
    assert read_fortress("standard").floor.equals(wanted)


def test_the_cells_of_corner_walls_are_inside() -> None:
    fortress = fort(SQUARE)
    assert fortress.floor.equals(box(-132, -132, 132, 132))
    assert all(fortress.floor.covers(piece.cell) for piece in fortress.pieces if piece.cell is not None)
    towers = fort("corner tower gate tower corner tower wall corner wall wall corner wall tower")
    assert against(towers) == []
    cells = [piece.cell for piece in towers.pieces if piece.cell is not None]
    assert [towers.floor.covers(cell) for cell in cells] == [False, False, True, True]
    assert all(towers.inside.covers(cell) for cell in cells)
    assert towers.inside.area == towers.floor.area + 2 * 44 * 44


@rule("OH.piece.3")
def test_all_eight_walls_of_a_standard_fortress_can_be_manned() -> None:
    fortress = read_fortress("standard")
    walls = [piece for piece in fortress.pieces if piece.kind in (WALL, GATE)]
    cards = {wall.id: plane.card(wall.posts[0], CARD) for wall in walls}
    assert len(cards) == 8
    for wall in walls:
        assert wall.posts[0].turn == wall.pose.turn
        assert cards[wall.id].intersection(wall.shape).length == 176
        assert fortress.floor.covers(cards[wall.id])
    shared = {
        frozenset(pair): cards[pair[0]].intersection(cards[pair[1]]).bounds
        for pair in combinations(cards, 2)
        if cards[pair[0]].intersection(cards[pair[1]]).area
    }
    assert set(shared) == {
        frozenset(pair)
        for pair in (("wall-7", "wall-1"), ("wall-2", "wall-3"), ("wall-3", "wall-4"), ("wall-6", "wall-7"))
    }
    assert {(east - west, south - north) for west, north, east, south in shared.values()} == {(44, 44)}


@rule("O7.design.corner-overlap")
def test_a_card_that_holds_a_corner_lies_over_the_tower_beside_it() -> None:
    fortress = read_fortress("gatehouse")
    corner, tower = piece(fortress, "corner-1"), piece(fortress, "tower-1")
    assert corner.cell is not None
    to_the_left, to_the_front = (plane.card(post, CARD) for post in corner.posts)
    assert [post.turn for post in corner.posts] == [2700, 0]
    for card in (to_the_left, to_the_front):
        assert card.covers(corner.cell)
        assert not card.intersection(corner.shape).area
    assert to_the_front.intersection(tower.shape).area == 2 * 44 * 44
    assert to_the_left.intersection(tower.shape).area == 44 * 44
    for card in (to_the_left, to_the_front):
        assert [p.id for p in fortress.pieces if card.intersection(p.shape).area] == ["tower-1"]
    assert tower.posts == ()


def test_neighbours_adjoin_side_by_side() -> None:
    fortress = read_fortress("small")
    assert beside(fortress, "gate-1") == {"tower-1", "corner-1"}
    assert beside(fortress, "tower-1") == {"gate-1", "wall-3"}
    angle = fort("corner wall tower-left wall corner gate corner wall wall tower corner wall tower wall")
    assert beside(angle, "wall-1") == {"corner-1", "tower-1"}  # it meets wall-2 in a point only
    assert beside(angle, "tower-1") == {"wall-1", "wall-2"}


def test_an_angle_that_points_inwards_has_a_tower() -> None:
    walk = "tower-right wall tower-left wall tower-right gate"
    walk += " tower-right wall wall tower tower-right wall tower wall tower-right wall wall tower"
    fortress = fort(walk)
    tower, before, after = (piece(fortress, ident) for ident in ("tower-2", "wall-1", "wall-2"))
    assert before.end[0] == after.start[0] == plane.corners(tower.pose, tower.size)[plane.FRONT_LEFT]
    assert after.pose.turn == 2700


def test_a_fortress_with_a_re_entrant_angle_closes() -> None:
    """A square with one of its corners cut out."""
    walk = "tower-right gate tower-right wall tower-left wall tower-right wall"
    walk += " tower-right wall wall tower tower-right wall tower wall"
    assert against(fort(walk)) == []
    assert fort(walk).size == (616, 616)
    assert fort(walk).floor.area == 96 * 44 * 44


@pytest.mark.parametrize("turn", [0, 900, 1800, 333, 3599])
def test_a_fortress_on_the_table(turn: int) -> None:
    """Turned by any angle it stays closed, in whole hundredths."""
    fortress = read_fortress("gatehouse")
    there = placed(fortress, Pose(1000, 700, turn))
    assert against(there) == []
    assert there.neighbours == fortress.neighbours
    assert there.floor.area == pytest.approx(fortress.floor.area, rel=0.01)
    gate = piece(there, "gate-1")
    assert gate.pose.turn == turn
    assert plane.seen_side(Pose(1000, 700, turn), Size(10, 10), (gate.pose.x, gate.pose.y)) == plane.FRONT


def test_a_fortress_that_looks_south() -> None:
    there = placed(read_fortress("standard"), Pose(700, 176, 1800))
    assert there.bounds == (348, 0, 1052, 352)
    assert piece(there, "gate-1").pose == Pose(700, 330, 1800)


# --- what is refused -----------------------------------------------------------------------------


@rule("O7.design.gate")
def test_there_must_be_a_gate() -> None:
    assert against(fort(SQUARE)) == []
    assert against(fort(SQUARE.replace("gate", "wall"))) == [("walk", "O7.design.gate", "no_gate")]
    assert against(fort(SQUARE.replace("wall", "gate"))) == []


@rule("O7.design.material")
def test_one_material() -> None:
    walk = SQUARE.replace("corner", "tower-right")
    stone, agreed = {"material": '"stone"'}, {"agreed": '["stone-towers"]'}
    mixed = walk.replace("tower-right", "stone-tower-right", 1)
    assert against(fort(mixed)) == [("walk(1)", "O7.design.material", "stone_tower")]
    assert against(fort(mixed, **agreed)) == []
    assert fort(mixed, **agreed).cost == fort(walk).cost + 80
    assert against(fort(mixed, **stone)) == []
    for odd in (walk.replace("gate", "stone-gate"), walk.replace("wall", "stone-wall", 1)):
        assert [found[1:] for found in against(fort(odd, **agreed))] == [("O7.design.material", "mixed")]
    wooden = walk.replace("tower", "wooden-tower", 1)
    assert [f[1:] for f in against(fort(wooden, **stone, **agreed))] == [("O7.design.material", "mixed")]


@rule("O7.design.continuity")
def test_an_agreed_gap_may_be_at_a_corner() -> None:
    square = fort(SQUARE)
    assert against(by_hand(square, {"corner-3": None})) == [("piece[3]", "O7.design.continuity", "gap")]
    assert against(by_hand(square, {"corner-3": None}, agreed='["gaps"]')) == []


@rule("O7.design.continuity")
def test_a_gap_needs_consent() -> None:
    walk = "corner gate gap-1.76 corner wall corner wall wall corner wall"
    fortress = fort(walk)
    assert against(fortress) == [("walk(2)", "O7.design.continuity", "gap")]
    assert check(fortress)[0].refusal.values["wide"] == "1.76"
    agreed = fort(walk, agreed='["gaps"]')
    assert against(agreed) == []
    assert [(a.id, b.id) for a, b in agreed.gaps] == [("gate-1", "corner-2")]
    assert beside(agreed, "gate-1") == {"corner-1"}
    assert agreed.floor.equals(box(-220, -132, 220, 132))
    assert agreed.cost == fort(SQUARE).cost + 40


@rule("OH.piece.2")
def test_it_must_close() -> None:
    fortress = fort("corner gate corner wall corner wall wall corner wall")
    assert against(fortress) == [("walk(9)", "OH.piece.2", "open")]
    sentence = told(check(fortress)[0].refusal, "en")
    assert "1.76 DU to the left" in sentence
    assert "360 of 360" in sentence
    assert [f[2] for f in against(fort("corner gate corner wall corner wall corner"))] == ["open"]
    assert "270 of 360" in told(check(fort("corner gate corner wall corner wall"))[0].refusal, "en")
    gaps, short = {"agreed": '["gaps"]'}, "corner gate corner wall corner wall corner"
    for walk in (short, f"{short} gap-1.73"):  # only a gap that was written is agreed to
        assert [found[2] for found in against(fort(walk, **gaps))] == ["open"]
    for walk in (f"{short} gap-1.76", f"gap-0.76 {short} gap-1"):
        assert against(fort(walk, **gaps)) == []
        assert [found[1] for found in against(fort(walk))] == ["O7.design.continuity"]


@rule("OH.piece.2", "O7.design.edge")
def test_an_edge_of_the_table_closes_the_open_side() -> None:
    walk = "wall corner gate corner wall"
    fortress = fort(walk, edge="true")
    assert against(fortress) == []
    assert fortress.size == (352, 264)
    assert fortress.floor.equals(box(-132, -88, 132, 132))
    assert beside(fortress, "wall-1") == {"corner-1"}
    assert against(fort(walk)) != []
    for uneven in (f"wall {walk}", f"{walk} wall", "corner gate", "wall corner gate tower-left wall"):
        assert [found[1:] for found in against(fort(uneven, edge="true"))] == [("OH.piece.2", "edge")]
    beyond = "wall corner gate corner wall wall tower-left wall tower-left wall wall corner gate corner wall"
    inside_out = "wall tower-left gate tower-left wall"
    for walk in (beyond, inside_out):
        assert [found[1:] for found in against(fort(walk, edge="true"))] == [("OH.piece.2", "edge")]
    south = placed(fortress, Pose(500, 132, 1800))
    assert south.bounds == (324, 0, 676, 264)
    assert against(south) == []


@rule("O7.design.marks")
def test_the_marks_of_towers_and_walls_coincide() -> None:
    fortress = read_fortress("gatehouse")
    assert against(by_hand(fortress, {})) == []
    assert by_hand(fortress, {}).pieces[3].pose == fortress.pieces[3].pose
    half = by_hand(fortress, {"tower-1": (0, -0.22)})
    assert against(half) == [
        ("piece[1]", "O7.design.marks", "marks"),
        ("piece[2]", "O7.design.marks", "marks"),
    ]


@rule("OH.piece.2")
def test_the_outer_faces_are_flush() -> None:
    fortress = read_fortress("gatehouse")
    tower = against(by_hand(fortress, {"tower-1": (0, -0.44)}))  # the marks do coincide
    assert tower == [("piece[1]", "OH.piece.2", "not_flush"), ("piece[2]", "OH.piece.2", "not_flush")]
    walls = against(by_hand(fortress, {"wall-2": (0, -0.1)}))
    assert walls == [("piece[7]", "OH.piece.2", "not_flush"), ("piece[8]", "OH.piece.2", "not_flush")]


@rule("OH.piece.2")
def test_the_tolerance() -> None:
    fortress = read_fortress("gatehouse")
    assert against(by_hand(fortress, {"tower-1": (0.02, 0)})) == []
    assert against(by_hand(fortress, {"tower-1": (0.03, 0)})) == [
        ("piece[0]", "O7.design.continuity", "gap"),
        ("piece[2]", "OH.piece.2", "overlap"),
    ]


@rule("OH.piece.2")
def test_no_piece_lies_over_another() -> None:
    assert against(fort(f"{SQUARE} wall")) == [("walk(9)", "OH.piece.2", "overlap")]
    moved = against(by_hand(read_fortress("small"), {"wall-2": (0.44, 0)}))
    assert moved == [("piece[5]", "O7.design.continuity", "gap"), ("piece[5]", "OH.piece.2", "overlap")]


@rule("OH.piece.2")
def test_the_outer_faces_are_outside_and_there_is_ground_within() -> None:
    assert against(fort(SQUARE.replace("corner", "tower-left"))) == [("walk", "OH.piece.2", "turns")]
    solid = fort("tower-right tower-right tower-right tower-right")
    assert solid.floor.is_empty
    assert [found[1:] for found in against(solid)] == [
        ("O7.design.gate", "no_gate"),
        ("OH.piece.2", "no_floor"),
    ]
    assert isinstance(solid.floor, Polygon)


# --- files ---------------------------------------------------------------------------------------

HEAD = 'name = "Fort"\nmaterial = "wood"\n'


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('name = "Fort"\nwalk = ["wall"]\n', "", "material"),
        ('name = "Fort"\nmaterial = "mud"\nwalk = ["wall"]\n', "line 2 (material)", "'wood', 'stone'"),
        (HEAD, "walk", "either a walk or pieces"),
        (f"{HEAD}walk = []\n", "line 3 (walk)", "either a walk or pieces"),
        (f'{HEAD}walk = [""]\n', "line 3 (walk)", "0 found"),
        (f'{HEAD}walk = ["{"wall " * 81}"]\n', "line 3 (walk)", "81 found"),
        (f'{HEAD}walk = [\n  "corner gate", # wall\n  "corner wal",\n]\n', "line 5 (walk(4))", "'wal'"),
        (f'{HEAD}walk = ["wall-left"]\n', "line 3 (walk(1))", "'wall-left'"),
        (f'{HEAD}walk = ["corner-left"]\n', "line 3 (walk(1))", "'corner-left'"),
        (f'{HEAD}walk = ["gap-"]\n', "line 3 (walk(1))", "'gap-'"),
        (f"{HEAD}walk = [3]\n", "walk[0]", "str"),
        (f'{HEAD}agreed = ["all"]\nwalk = ["wall"]\n', "line 3 (agreed)", "'gaps'"),
        (f'{HEAD}edge = 3\nwalk = ["wall"]\n', "line 3 (edge)", "bool"),
        (f'{HEAD}wlak = ["wall"]\n', "", "wlak"),
        (f'{HEAD}walk = ["wall"]\n[[piece]]\nkind = "wall"\nat = [0, 0]\n', "line 3 (walk)", "either"),
        (f'{HEAD}[[piece]]\nkind = "moat"\nat = [0, 0]\n', "line 4 (piece[0].kind)", "'moat'"),
        (f'{HEAD}[[piece]]\nkind = "wall"\nat = [nan, 0]\n', "line 5 (piece[0].at)", "nan"),
        (f'{HEAD}[[piece]]\nkind = "wall"\nat = [51, 0]\n', "line 5 (piece[0].at)", "-50 to 50"),
        (f'{HEAD}[[piece]]\nkind = "wall"\nat = [0]\n', "line 5 (piece[0].at)", "length 2"),
        (f'{HEAD}[[piece]]\nkind = "wall"\nat = [0, 0]\nturn = inf\n', "line 6 (piece[0].turn)", "360"),
        (f'{HEAD}[[piece]]\nkind = "wall"\nat = [0, 0]\nbend = "left"\n', "line 6 (piece[0].bend)", "'left'"),
        (
            f'{HEAD}[[piece]]\nkind = "wall"\nat = [0, 0]\nmaterial = "ice"\n',
            "line 6 (piece[0].material)",
            "'ice'",
        ),
        ("name = ", "", "TOML"),
    ],
)
def test_what_is_no_design(text: str, place: str, words: str) -> None:
    with pytest.raises(BadFile) as caught:
        parse_fortress(text, "fort.toml")
    assert caught.value.file == "fort.toml"
    assert caught.value.place == place
    assert words in str(caught.value)
    assert_told(caught.value)


def test_pieces_are_called_alike_in_designs_and_in_battle() -> None:
    state = battle(fortress="small 10 9")
    for lang in LANGS:
        words = HOME.messages[lang].sentences
        assert not any(key.startswith("fortress.name.") for key in words)
        for structure in state.roster.structures:
            number = structure.id.rpartition("-")[2]
            called = say_name(state, structure.id, lang)
            assert named(structure.id, lang) in (called, f"{called} {number}")  # one alone has no number


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadFile, match="nowhere"):
        read_fortress("nowhere")


def test_sentences_are_there_in_both_languages_with_the_same_values() -> None:
    one, two = ({key: fields(text) for key, text in HOME.messages[lang].sentences.items()} for lang in LANGS)
    assert one == two
    forts = [fort(SQUARE.replace("gate", "wall")), fort("corner gate"), fort(f"{SQUARE} gap-1 wall")]
    for fortress in forts:
        for problem in check(fortress):
            texts = [told(problem.refusal, lang) for lang in LANGS]
            assert texts[0] != texts[1]
            assert not any("{" in text or "fortress." in text for text in texts)


def test_what_the_page_lists() -> None:
    page = (ROOT / "docs" / "reference" / "fortress.md").read_text(encoding="utf-8")

    def listed(heading: str) -> list[list[str]]:
        below = page.partition(f"# {heading}\n")[2].partition("\n#")[0]
        rows = [line.strip("|").split("|") for line in below.splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in row] for row in rows[2:]]

    for heading, form in (("Fields", Design), ("Pieces with their places", PieceEntry)):
        rows = listed(heading)
        assert [row[0].strip("`") for row in rows] == list(form.__struct_fields__)
        needed = len(form.__struct_fields__) - len(form.__struct_defaults__)
        assert [row[2] == "required" for row in rows] == [n < needed for n in range(len(rows))]
    wanted = []
    for key in ready():
        fortress = read_fortress(key)
        counts = Counter(piece.kind for piece in fortress.pieces)
        numbers = [counts[kind] for kind in PIECES]
        size = " × ".join(f"{length / 100:.2f}" for length in fortress.size)
        costs = [fortress.cost, fortress.cost_in(STONE)]
        wanted.append([f"`{key}`", fortress.name, size, *map(str, numbers + costs)])
    assert listed("Ready designs") == wanted
    words = [row[0].strip("`") for row in listed("Words of a walk")]
    assert words == ["wall", "gate", "tower", "corner", "tower-right", "tower-left", "gap-N"]
    for word, row in zip(words[:-1], listed("Words of a walk")[:-1], strict=True):
        assert fort(f"{word} gate").pieces[0].kind == word.partition("-")[0], row


@pytest.mark.parametrize("seed", range(60))
def test_any_walk_can_be_judged_and_drawn(seed: int) -> None:
    rng = Random(seed)
    words = ("wall", "gate", "tower", "corner", "tower-right", "tower-left", "stone-tower", "gap-0.3")
    walk = " ".join(rng.choices(words, k=rng.randint(0, 12)))
    fortress = fort(f"{walk} wall", edge=rng.choice(("true", "false")), agreed=rng.choice(("[]", '["gaps"]')))
    near = fortress.neighbours
    assert all(i in near[j] for i in range(len(near)) for j in near[i])
    assert all(told(problem.refusal, lang) for problem in check(fortress) for lang in LANGS)
    assert fortress.floor.is_valid
    assert sketched(fortress)
    ElementTree.fromstring(drawn(fortress))


# --- pictures ------------------------------------------------------------------------------------


def test_the_sketch() -> None:
    assert sketched(read_fortress("small")).splitlines() == [
        "████▒▒╌╌╌╌▒▒▓▓▓▓",
        "████          ▓▓",
        "▒▒            ▒▒",
        "▒▒            ▒▒",
        "▒▒            ▒▒",
        "▒▒            ▒▒",
        "▓▓            ▓▓",
        "▓▓▓▓▒▒▒▒▒▒▒▒▓▓▓▓",
    ]
    assert sketched(fort("wall corner gate corner wall", edge="true")).splitlines()[-1] == "═" * 16


def test_the_drawing() -> None:
    fortress = fort("wall corner gate corner wall", edge="true", name_fr='"Fort « & »"')
    root = ElementTree.fromstring(drawn(fortress, "fr"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.attrib["viewBox"] == "-220 -176 440 352"
    assert [title.text for title in root.iter(f"{space}title")] == [
        "Fort « & »",
        "mur 1 (mur en bois)",
        "mur d'angle 1 (mur d'angle en bois)",
        "porte 1 (mur en bois avec porte)",
        "mur d'angle 2 (mur d'angle en bois)",
        "mur 2 (mur en bois)",
    ]
    assert len(list(root.iter(f"{space}polygon"))) == 1 + 5 + 1  # the floor, the pieces, the opening
    assert len(list(root.iter(f"{space}line"))) == 1
