"""Every action has a name in a menu, in every language; the toy has none and is called as it is said."""

import pytest

from legatus.games import GAMES
from legatus.kernel import Game, Match, legal, say
from legatus.kernel.codec import label, verb
from legatus.kernel.fields import fields_of
from legatus.kernel.words import LANGS, flatten
from tests.told import fields

from .common import sample

STATES = 20

each_game = pytest.mark.parametrize("registered", GAMES.values(), ids=GAMES)


@each_game
def test_every_verb_has_a_sentence_that_uses_all_its_fields(registered: Game) -> None:
    for lang in LANGS:
        sentences = registered.folder.messages[lang].sentences
        for kind in registered.actions:
            own = fields_of(kind)
            assert fields(sentences[f"action.{verb(kind)}"]) == {f.name for f in own if f.required}
            for field in own:
                if not field.required:
                    extra = sentences[f"extra.{verb(kind)}.{field.name}"]
                    assert fields(extra) == (set() if field.type is bool else {field.name})


@each_game
def test_there_is_no_sentence_for_what_nobody_can_do(registered: Game) -> None:
    """The kernel's own sentences on actions aside."""
    verbs = {verb(kind) for kind in registered.actions}
    own = flatten(registered.folder.toml("log.en.toml"))
    assert {key.split(".")[1] for key in own if key.startswith(("action.", "extra."))} == verbs


def test_labels_are_whole_and_tell_actions_apart(match: Match) -> None:
    game = match.game
    for state in sample(match, STATES):
        actions = legal(state)
        for lang in LANGS:
            labels = [label(game, state, action, lang) for action in actions]
            assert len(set(labels)) == len(labels)
            assert not any("{" in text or text != text.strip() for text in labels)
            if game.key in GAMES:
                assert not set(labels) & {say(action) for action in actions}
                assert all(text[0] == text[0].upper() for text in labels)


@each_game
def test_a_game_says_what_it_is(registered: Game) -> None:
    for lang in LANGS:
        sentences = registered.folder.messages[lang].sentences
        assert sentences["game.name"]
        assert sentences["game.text"].endswith(".")
