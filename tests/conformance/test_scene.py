"""Every state can be drawn, for every seat and in every language."""

import json
from typing import Any

import msgspec

from legatus.games.onus.pieces import CORNER_NAMES
from legatus.kernel import Game, Match, legal
from legatus.kernel.words import LANGS
from legatus.parts.hexes import CORNERS
from legatus.scene.model import ICONS, Scene
from legatus.scene.text import render

from .common import MEASURED, sample

STATES = 12
WIDTH = 100  # of the terminal
CLAUSES = 8  # that a reader looks through

# What a player names that is not on the table: dice to choose, edges of it, tokens of a unit, formations;
# groups of units, orders for them, and corners to face; sides, wings, instructions and modes of formations;
# peoples, what pays for a leader, and lots; corners and edges of a card, and its formations.
BUTTONS = {
    "virtus": {"P", "M", "B", "north", "south", "normal", "testudo", "shieldwall", "orbis", "white", "red"}
    | {"blue", "green", "sling", "bolt-near", "bolt", "ballista", "violet", "yellow", "black"},
    "metaurus": {"red", "orange", "purple", "roman-horse", "white", "yellow", "green", "punic-horse"}
    | {"elephants", "attack", "stand", "move", "move-to-attack", "reform", "colour", *CORNERS},
    "formations": {"league", "horde", "boar", "heron", "black", "red", "hedge", "mill", "ember", "storm"}
    | {"advance", "hold", "regroup", "march", "tortoise", "rank-rotation", "hedgehog", "shield-wall"}
    | {"gatewing", "ridge", "road", "wood", "ground", "flying", "infiltrating"}
    | {"left", "right", "2", "3", "4", *CORNERS},
    "julian": {"salii", "batavi", "laeti", "burgundians", "treasury", "1", "2"},
    "onus": {"front", "rear", "left", "right", "both", "neither", "plain", *CORNER_NAMES}
    | {"phalanx", "shield-wall", "square", "wedge"},
}
# A letter or a number is its own name.
UNNAMED = {"virtus": {"P", "M", "B"}, "formations": {"2", "3", "4"}, "julian": {"1", "2"}}


def test_every_state_is_drawn_for_everybody(match: Match) -> None:
    game = match.game
    for state in [*sample(match, STATES), match.state]:
        for seat in (*range(len(game.seats)), None):
            view = game.view(state, seat)
            before = view.copy()
            for lang in LANGS:
                scene = game.scene(view, seat, lang)
                assert_whole(scene)
                assert_explained(game, scene)
                assert list(render(scene, WIDTH, lang).renderables)
            assert view == before


def assert_whole(scene: Scene) -> None:
    """Areas and pieces have their own ids, lines join areas, texts are there, and it goes over the wire."""
    ids = [thing.id for thing in (*scene.areas, *scene.pieces)]
    twice = {ident for ident in ids if ids.count(ident) > 1}
    assert not twice, f"two things of the scene are called {twice}"
    places = {area.id for area in scene.areas}
    assert {end for line in scene.lines for end in line[:2]} <= places
    assert scene.title
    assert all(thing.label for thing in (*scene.areas, *scene.pieces, *scene.tracks))
    assert msgspec.convert(json.loads(msgspec.json.encode(scene)), Scene) == scene


def assert_explained(game: Game, scene: Scene) -> None:
    """Labels tell areas apart, icons can be drawn, losses fit, and clauses are in the rulebook."""
    labels = [area.label for area in scene.areas]
    assert len(labels) == len(set(labels)), labels
    assert len(scene.sides) in (0, len(game.seats))
    for piece in scene.pieces:
        assert piece.icon in ("", *ICONS), piece
        assert not piece.strength or 0 <= piece.losses < piece.strength, piece
    for thing in (*scene.areas, *scene.pieces):
        assert len(set(thing.clauses)) == len(thing.clauses) <= CLAUSES, thing
        assert set(thing.clauses) <= set(game.folder.rulebooks["en"].clauses), thing


def clicked(game: Game, state: Any) -> set[str]:
    """What the legal actions name; but lengths and angles are measured on the table, not clicked."""
    words = {word for action in legal(state) for word in action.clicks()}
    return {word for word in words if game.key not in MEASURED or not word.lstrip("-").isdigit()}


def test_what_is_clicked_is_on_the_scene_or_is_a_button_with_a_name(match: Match) -> None:
    game = match.game
    for state in sample(match, STATES):
        seat = state.decision.seat
        scene = game.scene(game.view(state, seat), seat, "en")
        shown = {thing.id for thing in (*scene.areas, *scene.pieces, *scene.cards, *scene.markers)}
        buttons = clicked(game, state) - shown
        assert buttons <= BUTTONS.get(game.key, set()), state.decision
        for lang in LANGS:
            named = game.folder.messages[lang]
            for word in buttons - UNNAMED.get(game.key, set()):
                assert f"name.{word}" in named or game.name(state, word, lang) != word, word


def test_what_an_action_names_is_in_the_scene(match: Match) -> None:
    """An id that some scene shows is shown whenever an action names it; few words are never in any scene."""
    moments = sample(match, STATES)
    shown, named = [], []
    for state in moments:
        seat = state.decision.seat
        scene = match.game.scene(match.game.view(state, seat), seat, "en")
        shown.append({thing.id for thing in (*scene.areas, *scene.pieces, *scene.cards, *scene.markers)})
        named.append(clicked(match.game, state))
    ever = set().union(*shown)
    for state, here, words in zip(moments, shown, named, strict=True):
        missing = {word for word in words if word in ever and word not in here}
        assert not missing, f"{state.decision}: {missing} can be named but not clicked"
    # a colour or a formation is a button, not a thing on the board
    choices = set().union(*named) - BUTTONS.get(match.game.key, set())
    assert len(choices & ever) * 2 >= len(choices), f"not in any scene: {choices - ever}"
