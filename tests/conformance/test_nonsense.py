"""Whatever a client sends is answered by a refusal, never a crash; nothing is legal that is not offered.

Where lengths are measured, what is legal without being offered can be done.
"""

import json
from random import Random
from typing import Any, get_args

import pytest

from legatus.kernel import Action, Game, Match, Seeded, apply, legal, parse_action, say, why_not
from legatus.kernel.codec import BadAction
from legatus.kernel.fields import fields_of
from legatus.kernel.model import verb
from legatus.kernel.objects import field_values, replace

from .common import MEASURED, assert_said, sample

STATES = 25
TRIES = 5  # of every kind of action in every state
TWISTS = 20  # of the legal actions of every state
WORDS = ("", " ", "zz", "0", "-1", "999", "None", "__class__", "é–Ω", "a>b", "{unit}", "x" * 300)
NUMBERS = (-(10**20), -2, -1, 0, 1, 2, 3, 5, 6, 7, 99, 10**20)


def junk(kind: Any, ids: list[str], rng: Random) -> Any:
    """A value of the right type, of which half the words are ids that exist."""
    if kind is bool:
        return rng.random() < 0.5
    if kind is int:
        return rng.choice(NUMBERS)
    if kind is str:
        return rng.choice(ids) if ids and rng.random() < 0.6 else rng.choice(WORDS)
    if getattr(kind, "__origin__", None) is tuple:
        return tuple(junk(get_args(kind)[0], ids, rng) for _ in range(rng.choice((0, 1, 1, 2, 3, 9))))
    if options := [option for option in get_args(kind) if option is not Ellipsis]:
        chosen = rng.choice(options)
        return junk(chosen, ids, rng) if isinstance(chosen, type) else chosen
    return None


def nonsense(kind: type[Action], ids: list[str], rng: Random) -> Action:
    return kind(*(junk(field.type, ids, rng) for field in fields_of(kind)))


def twisted(action: Action, ids: list[str], rng: Random) -> Action:
    """A legal action with one word changed: nearly right, or right in another way."""
    own = fields_of(type(action))
    if not own:
        return action
    field = rng.choice(own)
    value = getattr(action, field.name)
    if isinstance(value, tuple) and rng.random() < 0.7:
        changed: Any = (*value, junk(get_args(field.type)[0], ids, rng))
    else:
        changed = junk(field.type, ids, rng)
    return replace(action, **{field.name: changed})


def is_measured(game: Game, action: Action) -> bool:
    """Whether it says a length or an angle of which there are endlessly many."""
    values = field_values(action)
    return game.key in MEASURED and any(type(value) is int for value in values)


def is_short(action: Action, offered: list[Action]) -> bool:
    """Whether it leaves out, at the end of its line, what an offered one says: ``break UNIT 3``."""
    return any(say(longer).startswith(f"{say(action)} ") for longer in offered)


def test_refuse_survives_nonsense_and_takes_only_what_is_offered(match: Match) -> None:
    game, rng = match.game, Random(len(match.journal))
    for state in sample(match, STATES):
        seen = {word for action in state.decision.candidates(state) for word in action.clicks()}
        ids, offered = sorted(seen), legal(state)
        tried = [nonsense(kind, ids, rng) for kind in game.actions]
        tried += [nonsense(kind, ids, rng) for kind in state.decision.accepts for _ in range(TRIES)]
        tried += [twisted(rng.choice(offered), ids, rng) for _ in range(TWISTS)]
        for action in tried:
            refusals = why_not(state, action)
            for refusal in refusals:
                assert_said(game, state, refusal)
            if not refusals and is_measured(game, action):
                broken = list(game.invariants(apply(state, action, Seeded("x")).state))
                assert not broken, f"{action}: {broken}"
            else:
                known = action in offered or is_short(action, offered)
                assert refusals or known, f"{action} is legal, but not offered"


def test_a_view_survives_nonsense_too(match: Match) -> None:
    game, rng = match.game, Random(len(match.journal))
    for state in sample(match, STATES):
        view = game.view(state, state.decision.seat)
        for kind in state.decision.accepts:
            action = nonsense(kind, [], rng)
            assert why_not(view, action) == why_not(state, action)


def test_lines_that_are_no_action_are_refused(game: Game) -> None:
    rng = Random(game.key)
    verbs = [verb(kind) for kind in game.actions]
    for _ in range(500):
        line = " ".join([rng.choice([*verbs, *WORDS]), *rng.choices(WORDS, k=rng.randrange(4))])
        try:
            action = parse_action(game, line)
        except BadAction as error:
            assert str(error)  # noqa: PT017
        else:
            assert isinstance(action, game.actions)
    for text in ("", "{", "{}", '{"do": 1}', '{"do": "zz"}', "[]", "null", '{"do": null, "unit": []}'):
        with pytest.raises(BadAction):
            parse_action(game, text)


def test_numbers_that_fit_in_no_sentence_are_refused(game: Game) -> None:
    """Hundreds of digits would break the sentences in which they are told."""
    samples: dict[Any, Any] = {str: "x", bool: True}
    for kind in game.actions:
        for field in (field for field in fields_of(kind) if field.type is int):
            for number in (10**6, -(10**400), 10**400):
                values = {other.name: samples.get(other.type, 1) for other in fields_of(kind)}
                with pytest.raises(BadAction):
                    parse_action(game, json.dumps({"do": verb(kind), **values, field.name: number}))
                for text in (number, "\udcff"):  # a byte that was no UTF-8, as a terminal gives it
                    texts = [text if other is field else values[other.name] for other in fields_of(kind)]
                    with pytest.raises(BadAction):
                        parse_action(game, " ".join([verb(kind), *map(str, texts)]))
