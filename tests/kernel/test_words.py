"""Keys with values become prose in both languages; what libraries say in English is told in French too."""

import errno
import json
import os
import pickle
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legatus.kernel import BadFile, Complaint, Message, Messages
from legatus.kernel.files import line_place, os_problem, read_text, read_toml
from legatus.kernel.words import KERNEL, KERNEL_MESSAGES, LANGS, Figure, Named, quoted, values_in
from tests.told import fields


def test_both_languages_have_the_same_sentences_with_the_same_values() -> None:
    one, two = ({key: fields(text) for key, text in KERNEL_MESSAGES[lang].items()} for lang in LANGS)
    assert one == two
    assert list(KERNEL_MESSAGES["en"]) == list(KERNEL_MESSAGES["fr"])


def test_a_message_may_hold_messages() -> None:
    messages = Messages("en", {"all": "all: {parts}", "part": "{name}.", "one": "<{part}>"})
    parts = (Message("part", {"name": "a"}), Message("part", {"name": "b"}))
    assert messages.fill(Message("all", {"parts": parts})) == "all: a. b."
    assert messages.render(Message("all", {"parts": parts}), str.upper) == "All: A. B."
    assert messages.fill(Message("one", {"part": parts[0]})) == "<a.>"


def test_a_complaint_is_english_for_programs_and_speaks_to_people() -> None:
    error = Complaint(Message("luck.face", {"face": 7, "sides": 6}))
    assert str(error) == error.say("en") == "7 is not a face of a d6"
    assert error.say("fr") == "7 n'est pas une face d'un d6"


def test_a_bad_file_has_its_parts_in_english_and_speaks_the_words_of_its_game() -> None:
    sentences = {"en": {"army": "army of {side}", "no": "{n} too many"}}
    sentences["fr"] = {"army": "armée de {side}", "no": "{n} de trop"}
    tables = {lang: Messages(lang, texts) for lang, texts in sentences.items()}
    error = BadFile(Message("army", {"side": "rome"}), line_place(3), Message("no", {"n": 2}), tables)
    assert (error.file, error.place, error.problem) == ("army of rome", "line 3", "2 too many")
    assert str(error) == "army of rome: line 3: 2 too many"
    assert error.say("fr") == "armée de rome : ligne 3 : 2 de trop"
    assert BadFile("a", "", Message("no", {"n": 2}), tables).say("fr") == "a : 2 de trop"


def test_complaints_travel_between_processes() -> None:
    error = BadFile("my.json", "version", Message("file.expected", {"expected": 1, "found": "2"}))
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, BadFile)
    assert (str(again), again.say("fr"), again.place) == (str(error), error.say("fr"), "version")


# --- what others say -----------------------------------------------------------------------------


class Row(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    pair: tuple[int, int] = (0, 0)
    kind: "One | Two | None" = None


class One(msgspec.Struct, tag=True):
    pass


class Two(msgspec.Struct, tag=True):
    pass


def words_of_msgspec(raw: str) -> str:
    with pytest.raises(msgspec.MsgspecError) as error:
        msgspec.json.decode(raw, type=Row)
    return str(error.value)


def words_of_json(raw: str) -> str:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        json.loads(raw)
    return str(error.value)


def words_of_toml(raw: str) -> str:
    with pytest.raises(tomllib.TOMLDecodeError) as error:
        tomllib.loads(raw)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "french"),
    [
        (words_of_msgspec('{"name": 3}'), "`str` attendu, `int` trouvé - dans `$.name`"),
        (words_of_msgspec("{}"), "il manque le champ obligatoire `name`"),
        (words_of_msgspec('{"name": "", "x": 1}'), "champ inconnu `x`"),
        (
            words_of_msgspec('{"name": "", "pair": [1]}'),
            "`array` de longueur 2 attendu - dans `$.pair`",
        ),
        ("Expected `array` of length 2, got 1", "`array` de longueur 2 attendu, longueur trouvée : 1"),
        (
            words_of_msgspec('{"name": "", "kind": {"type": "Three"}}'),
            "valeur non valable 'Three' - dans `$.kind.type`",
        ),
        (words_of_msgspec("{"), "le texte s'arrête trop tôt"),
        (words_of_msgspec('{"name": ""} 3'), "JSON mal formé : il reste des caractères à la fin (octet 14)"),
        (words_of_json("x"), "une valeur est attendue : ligne 1, colonne 1 (caractère 0)"),
        (
            words_of_json("{1}"),
            "un nom entre guillemets doubles est attendu : ligne 1, colonne 2 (caractère 1)",
        ),
        (words_of_json('{"a" 1}'), "séparateur ':' attendu : ligne 1, colonne 6 (caractère 5)"),
        (words_of_json("1 2"), "il y a autre chose après la fin : ligne 1, colonne 3 (caractère 2)"),
        (words_of_json('["a'), "chaîne non terminée, commencée ici : ligne 1, colonne 2 (caractère 1)"),
        (words_of_toml("a = ten"), "valeur non valable (ligne 1, colonne 5)"),
        (words_of_toml("a"), "'=' attendu après la clé (à la fin du document)"),
        (words_of_toml("a = 1\na = 2"), "une valeur ne peut pas être remplacée (à la fin du document)"),
        (
            words_of_toml("a = 1 b"),
            "fin de ligne ou fin du document attendue après une instruction (ligne 1, colonne 7)",
        ),
        (words_of_toml("[a]\n[a]"), "('a',) ne peut pas être déclaré deux fois (ligne 2, colonne 3)"),
        (words_of_toml("a = [1"), "tableau non fermé (à la fin du document)"),
    ],
)
def test_what_libraries_say_is_told_in_french_and_stays_itself_in_english(text: str, french: str) -> None:
    said = quoted(text)
    assert KERNEL["en"].fill(said) == text
    assert KERNEL["fr"].fill(said) == french


@pytest.mark.parametrize("text", ["a library has changed its mind", "{name} is in braces", ""])
def test_what_nobody_knows_stays_in_english(text: str) -> None:
    assert quoted(text) == Message("text", {"text": text})
    assert KERNEL["fr"].fill(quoted(text)) == text


def test_a_sentence_is_a_pattern_too() -> None:
    assert values_in("No such dog: Rex (brown)", "No such dog: {name} ({colour})") == {
        "name": "Rex",
        "colour": "brown",
    }
    assert values_in("No such cat: Tom", "No such dog: {name}") is None


@pytest.mark.parametrize("key", [key for key in KERNEL_MESSAGES["en"] if key.startswith("os.")])
def test_the_system_s_own_words_are_known(key: str) -> None:
    number = getattr(errno, key.removeprefix("os."))
    problem = os_problem(OSError(number, os.strerror(number), "x"))
    assert KERNEL["en"].fill(problem) == os.strerror(number)
    assert KERNEL["fr"].fill(problem) != os.strerror(number)


def test_other_words_of_the_system_stay_as_they_are() -> None:
    assert KERNEL["fr"].fill(os_problem(OSError(errno.EXDEV, "Cross-device link"))) == "Cross-device link"
    assert KERNEL["fr"].fill(os_problem(OSError("odd"))) == "odd"


def test_files_are_refused_in_french(tmp_path: Path) -> None:
    def told(path: Path, form: Any = None) -> str:
        with pytest.raises(BadFile) as bad:
            read_text(path) if form is None else read_toml(path, form)
        return bad.value.say("fr").removeprefix(f"{path} : ")

    path = tmp_path / "a.toml"
    assert told(path) == "fichier ou dossier introuvable"
    path.write_bytes(b"\xff")
    assert told(path) == "pas un fichier de texte UTF-8"
    path.write_text("name = ")
    assert told(path, Row) == "pas du TOML : valeur non valable (à la fin du document)"
    path.write_text("\nname = 3")
    assert told(path, Row) == "ligne 2 (name) : `str` attendu, `int` trouvé"


@pytest.mark.parametrize(
    ("number", "sentence", "said"),
    [
        (150, "{n} hundredths", "150 hundredths"),
        (150, "{n:/100} DU", "1.5 DU"),
        (150, "{n:/100,} UD", "1,5 UD"),
        (-450, "{n:/10}°", "−45°"),
        (300, "{n:/100,} UD", "3 UD"),
        (7, "{n:>3}", "  7"),
    ],
)
def test_a_figure_says_a_part_of_itself(number: int, sentence: str, said: str) -> None:
    assert sentence.format(n=Figure(number)) == said


def test_a_word_in_the_place_of_a_figure_is_said_with_the_part() -> None:
    assert "{n:/100} DU".format(n=Figure("DISTANCE")) == "DISTANCE/100 DU"
    assert "{n:/100,} UD".format_map(Named()) == "{n}/100 UD"
