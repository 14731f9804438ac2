"""What a complaint must be: a whole sentence in every language, from the first key to the last value."""

from string import Formatter

from legatus.kernel import Complaint, Message, Messages
from legatus.kernel.words import LANGS


def fields(sentence: str) -> set[str]:
    """The values that a sentence needs."""
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def assert_whole(messages: Messages, said: Message) -> None:
    """The message and every message in it has a sentence, and the sentence its values."""
    assert said.key in messages, f"no sentence for {said.key!r} in {messages.lang}"
    missing = fields(messages.sentences[said.key]) - set(said.values)
    assert not missing, f"{said.key!r} in {messages.lang} lacks {missing}"
    for value in said.values.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Message):
                assert_whole(messages, part)


def assert_told(error: Complaint) -> None:
    for lang in LANGS:
        assert_whole(error.tables[lang], error.said)
        assert error.say(lang).strip()
    assert str(error) == error.say("en")
    assert error.say("fr") != error.say("en"), f"only in English: {error}"
