"""7 Designs while they are drawn: pieces in any order, their file, their price, and what is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from legatus.games.onus.design import parse_fortress, read_fortress, ready
from legatus.games.onus.drafting import judged, workshop
from legatus.games.onus.fortress import check
from legatus.games.onus.sorts import MATERIALS, PIECES, sort_of
from legatus.kernel import BadFile
from legatus.kernel.drafts import Joint, Part
from legatus.kernel.files import parse_toml, read_text
from legatus.parts.plane import Pose, at
from tests.rules import rule


def drawn(name: str) -> dict[str, Any]:
    """A ready design with the places of its pieces."""
    return judged(parse_toml(read_text(ready()[name]), name), "en").design


def walked(*walk: str, **more: Any) -> dict[str, Any]:
    return judged({"name": "x", "material": "wood", "walk": walk, **more}, "en").design


# --- the pieces ----------------------------------------------------------------------------------


@rule("OH.piece.1", "O7.points.summary")
def test_the_workshop_has_every_piece_with_its_price() -> None:
    parts = {part.key: part for part in workshop("en").parts}
    assert {key: part.price for key, part in parts.items()} == {
        sort_of(kind, material).id: sort_of(kind, material).cost for kind in PIECES for material in MATERIALS
    }
    assert parts["wooden-wall"].outline == ((-88, -22), (88, -22), (88, 22), (-88, 22))
    assert [way.bend for way in parts["stone-tower"].ways] == ["", "right", "left"]


def laid(part: Part, at_joint: tuple[int, int, int], own: Joint) -> Pose:
    """Where a piece stands whose joint is there."""
    turn = (at_joint[2] - own[2]) % 3600
    x, y = at(Pose(at_joint[0], at_joint[1], turn), -own[0], own[1])
    return Pose(round(x), round(y), turn)


@rule("OH.piece.2")
def test_pieces_that_are_laid_at_joints_make_the_small_fort() -> None:
    """A page that knows nothing but the workshop comes to a closed fortress."""
    parts = {part.kind: part for part in workshop("en").parts if part.material == "wood"}
    joint = (0, 0, 2700)
    entries: list[dict[str, Any]] = []
    for word in ("tower-right", "gate", "corner", "wall", "corner", "wall", "corner", "wall"):
        kind, _, bend = word.partition("-")
        part = parts[kind]
        way = next(way for way in part.ways if way.bend == bend)
        pose = laid(part, joint, way.start)
        x, y = at(pose, way.end[0], -way.end[1])
        joint = (round(x), round(y), (pose.turn + way.end[2]) % 3600)
        entries.append(
            {"kind": kind, "bend": bend, "at": [pose.x / 100, pose.y / 100], "turn": pose.turn / 10}
        )
    assert joint == (0, 0, 2700)
    answer = judged({"name": "x", "material": "wood", "piece": entries}, "en")
    assert answer.ok
    assert answer.cost == 290


# --- the order -----------------------------------------------------------------------------------


@rule("OH.piece.2", "O7.design.example-1", "O7.design.example-2", "O7.design.example-3")
@pytest.mark.parametrize("name", ready())
def test_pieces_may_be_drawn_in_any_order(name: str) -> None:
    design = drawn(name)
    whole = judged(design, "en")
    Random(name).shuffle(design["piece"])
    answer = judged(design, "en")
    assert answer.ok
    assert answer.closed
    assert answer.gates == 1
    assert answer.cost == read_fortress(name).cost
    assert answer.file == whole.file
    assert answer.design["piece"] == design["piece"]  # what was given stays as it was given


@pytest.mark.parametrize("name", ready())
def test_the_file_is_the_fortress(name: str) -> None:
    fortress = parse_fortress(judged(drawn(name), "en").file, "file")
    ready_made = read_fortress(name)
    assert [piece.pose for piece in fortress.pieces] == [piece.pose for piece in ready_made.pieces]
    assert (fortress.name, fortress.name_fr, fortress.text) == (
        ready_made.name,
        ready_made.name_fr,
        ready_made.text,
    )


def test_places_are_told_as_they_were_given() -> None:
    design = drawn("small")
    here = judged(design, "en")
    for piece in design["piece"]:
        piece["at"] = [round(piece["at"][0] + 3, 2), round(piece["at"][1] - 2.5, 2)]
    there = judged(design, "en")
    assert there.design == design
    assert there.floor == tuple((x + 300, y - 250) for x, y in here.floor)
    assert there.file == here.file


def test_what_cannot_be_walked_is_written_with_places() -> None:
    """It is turned by 30 degrees, or its front is not to the north."""
    design = {"name": "Étoile", "material": "wood", "piece": [{"kind": "wall", "at": [0, 0], "turn": 30}]}
    answer = judged(design, "fr")
    assert answer.do == ""
    assert "[[piece]]" in answer.file
    again = parse_fortress(answer.file, "file")
    assert again.name == "Étoile"
    assert again.pieces[0].pose == Pose(0, 0, 300)


@pytest.mark.parametrize(
    ("design", "line"),
    [
        (drawn("small"), "raise tower-right>gate>corner>wall>corner>wall>corner>wall wood"),
        (
            walked("wall corner tower gate tower corner wall", edge=True, material="stone"),
            "raise edge>wall>corner>tower>gate>tower>corner>wall stone",
        ),
        (
            walked("corner gap-1.76 corner gate stone-tower-right wall corner wall", agreed=["gaps"]),
            "raise corner>gap-1.76>corner>gate>stone-tower-right>wall>corner>wall wood",
        ),
    ],
    ids=["closed", "edge", "gap"],
)
def test_a_design_is_built_by_one_action(design: dict[str, Any], line: str) -> None:
    assert judged(design, "en").do == line


# --- what is refused -----------------------------------------------------------------------------


def clauses(design: dict[str, Any]) -> list[tuple[str, str]]:
    return [(problem.clause, problem.place) for problem in judged(design, "en").problems]


@rule("O7.design.gate", "O7.design.continuity")
def test_a_gate_that_is_taken_away_leaves_a_gap() -> None:
    design = drawn("small")
    kinds = [piece["kind"] for piece in design["piece"]]
    del design["piece"][kinds.index("gate")]
    assert clauses(design) == [("O7.design.gate", ""), ("O7.design.continuity", "piece[0]")]
    assert not judged(design, "en").closed
    design["agreed"] = ["gaps"]
    assert clauses(design) == [("O7.design.gate", "")]
    assert judged(design, "en").closed


@rule("O7.design.material")
def test_a_tower_of_stone_needs_consent() -> None:
    design = drawn("small")
    design["piece"][0]["material"] = "stone"
    assert clauses(design) == [("O7.design.material", "piece[0]")]
    assert judged(design, "en").closed
    design["agreed"] = ["stone-towers"]
    assert judged(design, "en").ok
    assert judged(design, "en").cost == 290 + 80


@rule("OH.piece.2")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_first_pieces_are_not_closed_and_nothing_worse(count: int) -> None:
    """Of one or two pieces that join well, nobody says that they do not."""
    design = drawn("standard")
    design["piece"] = design["piece"][:count]
    [*_, last] = judged(design, "en").problems
    assert last.clause == ("OH.piece.2" if count < 3 else "O7.design.continuity")
    assert ("not closed" in last.text) == (count < 3)


@rule("OH.piece.2")
def test_a_piece_over_another_is_refused_at_its_place() -> None:
    design = drawn("small")
    design["piece"].append({**design["piece"][1]})
    assert ("OH.piece.2", "piece[8]") in clauses(design)


def test_ordering_hides_no_fault() -> None:
    """Whatever is taken out of a ready design, in any order: the file is as wrong as the drawing."""
    rng = Random(7)
    for name in ready():
        design = drawn(name)
        rng.shuffle(design["piece"])
        design["piece"] = design["piece"][: rng.randrange(1, len(design["piece"]))]
        answer = judged(design, "en")
        assert not answer.ok
        assert check(parse_fortress(answer.file, "file"))


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"name": "x", "material": "wood"},
        {"name": "x", "material": "wood", "piece": []},
        {"name": "x", "material": "straw", "walk": ["wall"]},
        {"name": "x", "material": "wood", "piece": [{"kind": "moat", "at": [0, 0]}]},
        {"name": "x", "material": "wood", "piece": [{"kind": "wall", "at": [0, 1e9]}]},
        {"name": "x", "material": "wood", "piece": [{"kind": "wall", "at": [0, 0]}] * 81},
        {"name": "x", "material": "wood", "walk": ["wall"], "moat": True},
    ],
    ids=range(8),
)
def test_what_is_no_design_is_refused_as_a_file(raw: dict[str, Any]) -> None:
    with pytest.raises(BadFile):
        judged(raw, "en")
