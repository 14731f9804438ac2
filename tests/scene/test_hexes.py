"""The map of hexes in the terminal: everything is drawn, and where its hex can be read off."""

import msgspec
import pytest

from legatus.games import GAMES
from legatus.kernel import Seeded, start
from legatus.scene.model import HEXES, Area, Marker, Piece, Scene, Track
from legatus.scene.text.hexes import codes, initials

from .test_text import draw

COLUMNS, ROWS = 6, 4
HEIGHTS = {"0201": 1, "0202": 2, "0303": 1}
FORESTS = {"0401", "0303"}
FACINGS = {0: "↑", 60: "↗", 120: "↘", 180: "↓", 240: "↙", 300: "↖"}
VALUES = {"Mor": "7", "Mvt": "4"}


def area(column: int, row: int) -> Area:
    name = f"{column:02}{row:02}"
    ground = "forest" if name in FORESTS else "clear"
    return Area(name, f"Hex {name}", row, column, ground=ground, level=HEIGHTS.get(name, 0))


FIELD = Scene(
    "Turn 3",
    areas=(
        Area("waiting", "not there yet", -1, 0, COLUMNS),
        *(area(column, row) for row in range(ROWS) for column in range(COLUMNS)),
        Area("south", "South", ROWS, 0, COLUMNS),
    ),
    pieces=(
        Piece(
            "livius-1", "Livius' foot 1", "0101", 0, "legion", VALUES, heading=0, group="red", badge="Move"
        ),
        Piece(
            "livius-12", "Livius' foot 12", "0201", 0, "legion", VALUES, 0, ("disordered",), heading=60,
            group="red", badge="Move", acting=True,
        ),
        Piece("livius-horse", "Livius' horse", "0000", 0, "CAV", VALUES, heading=300, group="red", badge="?"),
        Piece(
            "ligurian-2", "Ligurians 2", "0401", 1, "MI", VALUES, 0, ("disordered", "engaged"), heading=180,
            group="yellow",
        ),
        Piece("gaul-1", "Gauls 1", "waiting", 1, "MI", {"Mor": "5", "Mvt": "4"}, heading=240, group="green"),
    ),
    lines=(("0100", "0001", "river"), ("0503", "0502", "river")),
    sides=("Rome", "Carthage"),
    grid=HEXES,
)  # fmt: skip


class Map:
    """Drawn lines, read as a person does: the column's number above, the row's beside."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.heads = [n for n, line in enumerate(lines) if set(line.split()) and _all_numbers(line)]
        self.top, self.bottom = self.heads[0], self.heads[1]
        first, second = lines[self.top].split()[:2]
        self.cell = lines[self.top].index(f" {second}") - lines[self.top].index(f" {first}")

    def row(self, row: int) -> int:
        body = range(self.top, self.bottom)
        return next(n for n in body if self.lines[n].startswith(f"{row:02} "))

    def left(self, name: str) -> int:
        """Where a hex begins: its number stands above its middle; odd rows begin half a hex later."""
        middle = self.lines[self.top].index(f" {name[:2]}") + 2
        return middle - self.cell // 2 + int(name[2:]) % 2 * self.cell // 2

    def hex(self, name: str) -> tuple[str, str]:
        """Both lines of a hex."""
        n, left = self.row(int(name[2:])), self.left(name)
        above, below = (self.lines[i][left : left + self.cell].strip() for i in (n, n + 1))
        return above, below


def _all_numbers(line: str) -> bool:
    return all(len(word) == 2 and word.isdecimal() for word in line.split())


def moved(place: str, heading: int = 0) -> Scene:
    """One unit alone, somewhere."""
    piece = msgspec.structs.replace(FIELD.pieces[0], place=place, heading=heading)
    return msgspec.structs.replace(FIELD, pieces=(piece,), lines=())


def test_a_unit_stands_in_its_hex_with_its_facing_its_disorder_and_its_ground() -> None:
    field = Map(draw(FIELD, 100))
    assert field.hex("0101") == ("■↑", "Li1")
    assert field.hex("0201") == ("■↗d*1", "Li12")
    assert field.hex("0000") == ("■↖", "LH")
    assert field.hex("0401") == ("▲↓de♣", "li2")


@pytest.mark.parametrize("width", [40, 100])
@pytest.mark.parametrize("place", ["0000", "0100", "0501", "0002", "0502", "0503"])
@pytest.mark.parametrize(("heading", "arrow"), FACINGS.items())
def test_a_unit_is_drawn_wherever_it_stands_and_nowhere_else(
    width: int, place: str, heading: int, arrow: str
) -> None:
    lines = draw(moved(place, heading), width)
    field = Map(lines)
    assert field.hex(place) == (f"■{arrow}", "Li1")
    drawn = "\n".join(lines[field.top : field.bottom])
    assert drawn.count("■") == drawn.count("Li1") == 1


def test_a_narrow_hex_keeps_the_first_mark_and_the_ground() -> None:
    field = Map(draw(FIELD, 40))
    assert field.cell == 4
    assert field.hex("0201") == ("■↗d1", "Li12")
    assert field.hex("0401") == ("▲↓d♣", "li2")


def test_the_ground_of_empty_hexes() -> None:
    field = Map(draw(FIELD, 100))
    assert field.hex("0202") == ("2", "")
    assert field.hex("0303") == ("♣1", "")
    assert field.hex("0302") == ("·", "")


@pytest.mark.parametrize("width", [40, 100])
@pytest.mark.parametrize(
    ("upper", "lower", "half"),
    [("0100", "0001", 0), ("0100", "0101", 1), ("0301", "0302", 0), ("0301", "0402", 1), ("0502", "0503", 1)],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_river_lies_between_its_hexes(width: int, upper: str, lower: str, half: int, turned: bool) -> None:
    """Below the upper one, in its western or its eastern half."""
    edge = (lower, upper, "river") if turned else (upper, lower, "river")
    field = Map(draw(msgspec.structs.replace(FIELD, lines=(edge,)), width))
    drawn = [n for n, line in enumerate(field.lines[: field.bottom]) if "≈" in line]
    assert drawn == [field.row(int(lower[2:])) - 1]
    assert drawn == [field.row(int(upper[2:])) + 2]
    start = field.left(upper) + half * field.cell // 2
    assert field.lines[drawn[0]] == " " * start + "≈" * (field.cell // 2)


def test_a_river_between_hexes_of_a_row_is_said_below_if_there_is_no_room() -> None:
    scene = msgspec.structs.replace(FIELD, lines=(("0101", "0201", "river"),))
    assert "0101 ≈ 0201: river" in draw(scene, 40)
    assert "0101 ≈ 0201: river" not in draw(scene, 100)


def test_strips_lie_beside_the_map_with_their_ids() -> None:
    field = Map(draw(FIELD, 100))
    above, below = field.lines[field.top + 1], field.lines[field.bottom - 1]
    assert "── waiting (not there yet) ──" in above
    assert "── south ──" in below


def test_units_are_listed_by_group_and_order() -> None:
    text = "\n".join(draw(FIELD, 100))
    line = "  Li Livius' foot (legion) 7/4: livius-1 0101↑  *livius-12 0201↗ disordered\n"
    assert f"■ red [Move]\n{line}" in text
    assert "■ red [?]\n  LH Livius' horse (CAV) 7/4: livius-horse 0000↖\n" in text
    assert "▲ yellow\n  li Ligurians (MI) 7/4: ligurian-2 0401↓ disordered engaged\n" in text
    assert "▲ green\n  ga Gauls (MI) 5/4: gaul-1 waiting↙\n" in text
    assert "Figures: Mor/Mvt" in text


def test_what_is_drawn_is_explained_and_nothing_else() -> None:
    signs = (
        "↑n ↗ne ↘se ↓s ↙sw ↖nw · ♣ forest · 1 2 height · ≈ river · d disordered · e engaged · * decides now"
    )
    assert signs in draw(FIELD, 100)
    assert "↑n ↗ne ↘se ↓s ↙sw ↖nw · ♣ forêt · 1 2 hauteur" in draw(moved("0000"), 100, "fr")


def test_two_in_a_hex_are_not_hidden() -> None:
    pieces = tuple(msgspec.structs.replace(piece, place="0202", marks=()) for piece in FIELD.pieces[2:])
    lines = draw(msgspec.structs.replace(FIELD, pieces=pieces), 100)
    assert Map(lines).hex("0202") == ("■↖+2", "LH")
    assert any("+ more in this hex" in line for line in lines)


@pytest.mark.parametrize("width", [1, 10, 20, 40, 80, 140, 500])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_width_shows_everything(width: int, lang: str) -> None:
    lines = draw(FIELD, width, lang)
    assert all(len(line) <= max(width, 10) for line in lines)
    whole = "".join("".join(lines).split())
    assert all(piece.id in whole for piece in FIELD.pieces)
    assert whole.count("■↗d") == 1
    assert whole.count("≈≈") >= 2


@pytest.mark.parametrize(("width", "cell", "parts"), [(80, 6, 2), (100, 4, 1), (140, 6, 1)])
def test_a_whole_battle_fits_the_terminal(width: int, cell: int, parts: int) -> None:
    game = GAMES["metaurus"]
    state = start(game, game.configure("historical"), Seeded("map")).state
    scene = game.scene(game.view(state, 0), 0, "en")
    lines = draw(scene, width)
    assert all(len(line) <= width for line in lines)
    heads = Map(lines).heads
    assert len(heads) == 2 * parts
    short, found = codes(scene.pieces), set()
    for first, last in zip(heads[::2], heads[1::2], strict=True):
        field = Map(lines[first : last + 1])
        assert field.cell == cell
        for piece in scene.pieces:
            if f" {piece.place[:2]}" in lines[first]:
                found.add(piece.id)
                above, below = field.hex(piece.place)
                assert above[:2] == "■▲"[piece.side] + FACINGS[piece.heading or 0]
                assert below == short[piece.id]
        for upper, lower, _ in scene.lines:
            if all(f" {name[:2]}" in lines[first] for name in (upper, lower)):
                river = field.lines[field.row(int(lower[2:])) - 1]
                left = max(field.left(upper), field.left(lower))
                assert river[left : left + cell // 2] == "≈" * (cell // 2)
    assert found == {piece.id for piece in scene.pieces}


def test_short_names_tell_units_apart_and_do_not_hang_on_who_else_is_left() -> None:
    game = GAMES["metaurus"]
    state = start(game, game.configure("historical"), Seeded("map")).state
    pieces = game.scene(game.view(state, 0), 0, "en").pieces
    every = codes(pieces)
    assert len(set(every.values())) == len(pieces)
    assert (every["livius-14"], every["nero-horse-2"], every["elephant"]) == ("Li14", "NH2", "el")
    for piece in pieces:
        assert codes([piece]) == {piece.id: every[piece.id]}


def test_names_that_begin_alike_get_other_letters() -> None:
    pieces = [Piece(ident, ident, "", 0, "") for ident in ("gaul-1", "gallic-1", "7")]
    assert codes(pieces) == {"gaul-1": "Ga1", "gallic-1": "Gl1", "7": "7"}
    assert initials(["disordered", "engaged", "enraged"]) == {
        "disordered": "d",
        "engaged": "e",
        "enraged": "n",
    }
    assert initials(["en désordre"]) == {"en désordre": "d"}


def spread() -> Scene:
    """A formation across two hexes with a leader in one of them, grounds and markers."""
    piece = FIELD.pieces[0]
    formed = msgspec.structs.replace(
        piece,
        id="spear-3",
        place="0101",
        beside="0201",
        badge="Tort.",
        marks=("Tortoise", "shaken"),
        group="boar",
    )
    leader = msgspec.structs.replace(
        piece, id="aldric", place="0201", heading=None, badge="", icon="general", group="boar", values={}
    )
    grounds = {"0000": ("rough", ("Rough",)), "0300": ("difficult", ("Difficult", "Inflammable"))}
    areas = [
        msgspec.structs.replace(one, ground=grounds[one.id][0], marks=grounds[one.id][1])
        if one.id in grounds
        else one
        for one in FIELD.areas
    ]
    markers = (
        Marker("stakes-0000", "stakes", "Stakes", "0000", 240),
        Marker("stakes-0101", "stakes", "Stakes", "0101", 0),
        Marker("blaze-0300", "blaze", "Blaze", "0300"),
        Marker("beacon", "beacon", "Beacon", "0502", side=1),
        Marker("post", "post", "Post", "0002"),
    )
    tracks = (Track("wing-boar", "The Boar", "Hold"),)
    return msgspec.structs.replace(
        FIELD, areas=tuple(areas), pieces=(leader, formed), lines=(), markers=markers, tracks=tracks
    )


def test_a_formation_stands_in_both_of_its_hexes_and_a_leader_hides_nobody() -> None:
    lines = draw(spread(), 100)
    field = Map(lines)
    assert field.hex("0101") == ("■↑ts#", "Sp3=")
    assert field.hex("0201") == ("■↑t+s1", "Sp3=")
    assert "■ The Boar" in lines
    assert "  Sp Livius' foot 1 (legion) 7/4: spear-3 0101+0201↑ Tortoise shaken" in lines
    assert any(line.endswith("· + more in this hex · = in two hexes") for line in lines)


def test_what_lies_in_hexes_is_drawn_and_said() -> None:
    lines = draw(spread(), 100)
    field = Map(lines)
    found = [field.hex(name)[0] for name in ("0000", "0300", "0502", "0002")]
    assert found == ["∴#", "♣¤", "!", "?"]
    assert "# Stakes 0000↙ 0101↑ · ¤ Blaze 0300 · ! Beacon 0502 (Carthage) · ? Post 0002" in lines
    assert "· ∴ Rough · ♣ Difficult, Inflammable / forest" in "\n".join(lines)
    assert not any("Stakes" in line for line in draw(FIELD, 100))


# --- a campaign: cities, roads, a river beside a hex, stacks, strips to the left and right ------------------

GAUL = Scene(
    "Turn 1",
    areas=(
        *(area(column, row) for row in range(ROWS) for column in range(COLUMNS)),
        Area("cup", "Chits", 0, -4, 3),
        Area("pool", "Force pool", 1, COLUMNS + 1, 3),
    ),
    pieces=(
        Piece("foot-1", "Foot 1 (Caesar)", "0201", 0, "foot", {"F": "4", "M": "3"}, group="c", badge="Σ7"),
        Piece("foot-2", "Foot 2 (Caesar)", "0201", 0, "foot", {"F": "3", "M": "3"}, group="c"),
        Piece("foot-3", "Foot 3 (Caesar)", "pool", 0, "foot", {"F": "4", "M": "3"}, group="c", badge="×2"),
        Piece("caesar", "Caesar", "cup", 0, "chit", {}, 0, ("in the cup",), group="c"),
    ),
    lines=(("0100", "0200", "Rhine"), ("0102", "0202", "road"), ("0202", "0303", "road")),
    sides=("Rome", "Franks"),
    grid=HEXES,
    markers=(
        Marker("colonia", "city", "Colonia, value 3", "0400", side=1, name="Colonia", note="3"),
        Marker("ruin", "sacked", "Ruin, value 1, sacked", "0402", side=0, name="Ruin", note="1"),
        Marker("land", "land", "Gallia", "0003", name="Gallia"),
    ),
)


def test_cities_show_holder_and_worth_and_stacks_their_sum() -> None:
    lines = draw(GAUL, 100)
    field = Map(lines)
    assert field.hex("0400") == ("@▲3", "")
    assert field.hex("0402") == ("×■1", "")
    assert field.hex("0201") == ("■+71", "Fo1")
    assert field.hex("0003") == ("·", "")
    below = "\n".join(lines[field.bottom :])
    assert "@▲3 Colonia 0400" in below
    assert "@ city" in below
    assert "× sacked city" in below
    assert "Gallia" not in below


def test_a_river_between_hexes_of_a_row_is_drawn_and_roads_are_told() -> None:
    lines = draw(GAUL, 100)
    field = Map(lines)
    left = field.left("0200")
    assert [lines[field.row(0) + i][left - 1] for i in (0, 1)] == ["≈", "≈"]
    assert sum(line.count("≈") for line in lines[field.top : field.bottom]) == 2
    assert "roads: 0102-0202-0303" in lines


def test_what_lies_beside_the_map_is_told_below_it() -> None:
    lines = draw(GAUL, 100)
    field = Map(lines)
    drawn, below = "\n".join(lines[: field.bottom]), "\n".join(lines[field.bottom :])
    assert "cup" not in drawn
    assert "Chits: ■ caesar in the cup" in below
    assert "Force pool: ■ foot-3 ×2 4/3" in below
    assert "■ Caesar\n  Fo Foot 4/3: foot-1 0201\n  Fo Foot 3/3: foot-2 0201" in below
    assert "t in the cup" not in below
