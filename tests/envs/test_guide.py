"""What the guide tells of sections and columns is what there is."""

import re
from pathlib import Path

import msgspec

from legatus.envs import layout
from legatus.envs.dataset import Writer
from legatus.envs.encoding import BUCKETS, EMPTY, EMPTY_NUMBERS, INNER, LEAST, MOST, ROOM, ROW, WORDS
from legatus.games import GAMES

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "train-an-agent.md").read_text(encoding="utf-8")


def first_cells(heading: str) -> list[str]:
    """The names in the first column of the tables below a heading."""
    text = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", text, re.M)


def test_sections_of_the_head() -> None:
    names = [section.name for section in layout("virtus").sections]
    assert first_cells("The observation") == [name for name in names if name.startswith("head.")]


def test_columns_of_a_dataset() -> None:
    game = GAMES["virtus"]
    writer = Writer(game, msgspec.json.encode(game.configure()), ("random", "random"), "0", False, 9)
    assert first_cells("Datasets") == writer.schema.names


def test_numbers() -> None:
    for said in (
        f"room={ROOM}",
        f"{WORDS} × 2",
        f"{ROW} numbers each",
        f"{BUCKETS} buckets",
        f"for {LEAST} more at least",
        f"for {MOST} more at most",
        f"for {EMPTY_NUMBERS} numbers or {EMPTY} other entries",
        f"room for {INNER}",
    ):
        assert said in GUIDE
