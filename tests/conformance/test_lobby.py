"""What a lobby needs of every game: scenarios and armies by name, and nothing read from elsewhere."""

import pytest

from legatus.kernel import BadFile, Game
from legatus.kernel.words import LANGS


def test_what_is_listed_can_be_set_up(game: Game) -> None:
    for lang in LANGS:
        keys = [card.key for card in game.scenarios(lang)]
        assert game.default_scenario in keys
        assert len(set(keys)) == len(keys)
        assert all(card.name for card in (*game.scenarios(lang), *game.armies(lang)))
    for key in keys:
        assert game.configure_known(key) == game.configure(key)


def test_a_stranger_is_refused_what_is_not_listed(game: Game) -> None:
    for name in ("nowhere", "nowhere.toml", "../nowhere", "/dev/zero"):
        with pytest.raises(BadFile):
            game.configure_known(name)
        with pytest.raises(BadFile):
            game.configure_known(game.default_scenario, [name] * len(game.seats))
        with pytest.raises(BadFile):
            game.configure_known(options={name: True})


def test_what_can_be_built_is_priced(game: Game) -> None:
    for lang in LANGS:
        for recruit in game.recruits(lang):
            assert recruit.label
            assert recruit.price >= 0
    if game.recruits("en"):
        with pytest.raises(BadFile):
            game.muster({"nonsense": 1}, "en")
