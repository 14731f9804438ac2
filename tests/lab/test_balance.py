"""Balances: who meets whom, what is told of it, and what would make it even."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legatus.games import GAMES
from legatus.lab.balance import Battle, Examination, battles, changes
from legatus.lab.figures import Balance, Played, tally
from legatus.lab.handicap import in_evaluation, in_points, thinned
from legatus.lab.ledger import BadLedger
from legatus.lab.pool import Local
from legatus.lab.report import WORDS, page
from legatus.lab.simulate import Task

VIRTUS, METAURUS = GAMES["virtus"], GAMES["metaurus"]
TWO = battles(VIRTUS, ["plain-small"], ["gauls-150", "parthians-150"])
BOTS = ("random", "random")


def untimed(report: Balance) -> Balance:
    return msgspec.structs.replace(report, seconds=0.0)


def run(games: int = 3, jobs: int = 1, **more: Any) -> Balance:
    return untimed(Examination(VIRTUS, TWO, BOTS, games, 1, engine=Local(jobs), **more).run())


@pytest.fixture(scope="module")
def report() -> Balance:
    exam = Examination(VIRTUS, TWO, BOTS, 6, 1, effects=["pips", "decoys"], handicap=True, engine=Local(2))
    return exam.run()


# --- who meets whom ------------------------------------------------------------------------------


def test_every_army_meets_every_army_of_the_budget() -> None:
    found = battles(VIRTUS, ["plain-small"])
    assert len(found) == 81
    assert {army for battle in found for army in battle.armies} == {
        card.key for card in VIRTUS.armies("en") if card.budget == 150
    }
    assert {battle.scenario for battle in battles(VIRTUS)} == {VIRTUS.default_scenario}


def test_who_is_named_twice_plays_once() -> None:
    once = battles(VIRTUS, ["plain-small"], ["gauls-150", "parthians-150"])
    assert battles(VIRTUS, ["plain-small"] * 2, ["gauls-150", "parthians-150", "gauls-150"]) == once
    assert len(once) == 4


def test_a_game_with_given_armies_plays_its_scenarios() -> None:
    assert battles(METAURUS) == tuple(Battle(card.key) for card in METAURUS.scenarios("en"))


def test_the_other_settings_of_an_option() -> None:
    assert changes(VIRTUS, {}, ["pips", "decoys"]) == (("pips", True), ("decoys", "none"), ("decoys", "free"))
    assert changes(VIRTUS, {"pips": True}, ["pips"]) == (("pips", False),)


# --- figures -------------------------------------------------------------------------------------


def test_the_number_of_processes_changes_nothing() -> None:
    assert run(jobs=1, effects=["pips"]) == run(jobs=2, effects=["pips"])


def test_games_are_those_of_a_simulation_with_the_same_name(report: Balance) -> None:
    setup = VIRTUS.configure("plain-small", TWO[1].armies)
    task = Task(
        VIRTUS, msgspec.json.encode(setup), BOTS, f"1/plain-small/{'/'.join(TWO[1].armies)}", False, 20_000
    )
    played = [task(n) for n in range(6)]
    told = report.battles[1]
    assert told.wins == tuple(sum(p.winner == seat for p in played) for seat in range(2))
    assert told.mean_length * 6 == sum(p.decisions for p in played)


def test_figures_add_up(report: Balance) -> None:
    assert [b.armies for b in report.battles] == [battle.armies for battle in TWO]
    assert all(sum(b.wins) + b.draws + b.unfinished == b.games == 6 for b in report.battles)
    (field,) = report.scenarios
    assert field.games == 24
    assert field.wins == tuple(sum(b.wins[seat] for b in report.battles) for seat in range(2))
    assert sum(field.endings.values()) == 24 - field.unfinished
    assert report.played == 24 * 4 + sum(n for h in report.handicaps for _, n, _ in h.tried[1:])
    best, worst = report.armies
    assert (best.army, worst.army) == ("gauls-150", "parthians-150")
    assert best.games == worst.games == 12, "an army against itself tells nothing"
    assert best.share.value + worst.share.value == pytest.approx(1)


def test_an_option_that_changes_nothing_has_no_effect() -> None:
    (effect,) = run(effects=["dromedaries"]).effects  # neither army has any
    assert (effect.pairs, effect.usual, effect.value) == (12, True, False)
    assert (effect.share.value, effect.share.low, effect.share.high) == (0, 0, 0)
    assert effect.length.value == 0


def test_effects_are_differences_of_pairs(report: Balance) -> None:
    pips = report.effects[0]
    assert (pips.option, pips.value, pips.pairs) == ("pips", True, 24)
    assert pips.before == pytest.approx(report.scenarios[0].share.value)
    assert pips.share.value == pytest.approx(pips.after - pips.before)
    assert pips.length.value != 0


def test_a_draw_and_a_game_without_end_are_half_a_win() -> None:
    games = [Played(0, True, None, "x", 5), Played(1, False, None, "", 9), Played(2, True, 1, "y", 7)]
    found = tally("field", (), games)
    assert (found.wins, found.draws, found.unfinished) == ((0, 1), 1, 1)
    assert found.share.value == pytest.approx(1 / 3)
    assert found.lengths == (5, 5, 7, 9, 9)


def test_an_interrupted_balance_goes_on(tmp_path: Path) -> None:
    def interrupt(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    file = tmp_path / "balance.jsonl"
    first = Examination(VIRTUS, TWO, BOTS, 3, 1, effects=["pips"], file=file).run(interrupt)
    assert first.interrupted
    assert sum(b.games for b in first.battles) < 12
    assert run(effects=["pips"], file=file) == run(effects=["pips"])
    with pytest.raises(BadLedger, match="effects"):
        run(file=file)


def test_a_file_of_an_army_that_has_changed_is_refused(tmp_path: Path) -> None:
    army = tmp_path / "army.toml"
    for count, expected in ((2, None), (3, BadLedger)):
        army.write_text(
            'name = "Some"\nbudget = 150\n[[general]]\nname = "One"\n'
            f'[[unit]]\ntype = "warriors"\ncount = {count}\n'
        )
        fights = battles(VIRTUS, ["plain-small"], [str(army)])
        exam = Examination(VIRTUS, fights, BOTS, 1, 1, file=tmp_path / "balance.jsonl")
        if expected is None:
            exam.run()
        else:
            with pytest.raises(expected, match="setups"):
                exam.run()


# --- handicaps -----------------------------------------------------------------------------------


def test_a_list_is_thinned_one_unit_at_a_time() -> None:
    army = VIRTUS.configure("plain-small", ["gauls-150", "gauls-150"]).armies[0]
    cost = VIRTUS.muster(army, "en").cost
    fewer, saved = thinned(VIRTUS, army, 20)
    assert 20 <= saved < 40
    assert VIRTUS.muster(fewer, "en").cost == cost - saved
    assert fewer["general"] == army["general"]
    assert VIRTUS.muster(army, "en").cost == cost, "the list itself is as it was"
    least, _ = thinned(VIRTUS, army, 1000)
    assert sum(line.get("count", 1) for line in least["unit"]) == 1


def test_points_are_told_only_as_far_as_they_were_tried() -> None:
    still_ahead = [(0.0, 1.0)] * 20 + [(20.0, 1.0)] * 14 + [(20.0, 0.0)] * 6
    assert in_points(still_ahead, "seed") is None
    crossed = [(0.0, 1.0)] * 16 + [(0.0, 0.0)] * 4 + [(20.0, 1.0)] * 4 + [(20.0, 0.0)] * 16
    found = in_points(crossed, "seed")
    assert found is not None
    assert found.value == pytest.approx(10, abs=0.01)


def test_a_lead_of_evaluation_is_taken_where_nearly_all_games_came() -> None:
    games = [([0.0, lead], float(lead > 4)) for lead in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)]
    games += [([0.0], 1.0)]  # over early: nine tenths have a second look
    found = in_evaluation(games, "seed")
    assert found is not None
    assert found.value == pytest.approx(5.5 - 4.5, abs=0.2)
    assert in_evaluation([], "seed") is None


def test_the_stronger_side_of_an_unequal_battle_is_weakened(report: Balance) -> None:
    assert report.sought
    one = next(h for h in report.handicaps if h.armies == ("parthians-150", "gauls-150"))
    assert (one.seat, one.unit) == (1, "points")
    assert [n for _, n, _ in one.tried] == [6, 6, 6, 6]
    assert [x for x, _, _ in one.tried] == sorted({x for x, _, _ in one.tried})
    assert one.tried[0][2] > 0.9
    assert all(h.armies[0] != h.armies[1] for h in report.handicaps)


def test_where_armies_have_no_price_the_evaluation_is_told() -> None:
    report = Examination(METAURUS, battles(METAURUS, ["vanguard"]), BOTS, 24, 1, handicap=True).run()
    (one,) = report.handicaps
    assert (one.unit, one.armies, one.seat) == ("evaluation", (), 0)
    assert one.size is not None
    assert one.size.low < one.size.value < one.size.high


# --- the report ----------------------------------------------------------------------------------


class Tags(HTMLParser):
    """Every element must be closed, and nothing may come from elsewhere."""

    VOID = ("meta", "circle", "rect", "line")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_report_is_one_file_that_needs_no_other(report: Balance, lang: str) -> None:
    text = page(report, VIRTUS, lang)
    tags = Tags()
    tags.feed(text)
    assert not tags.open
    names = [tag for tag, _ in tags.seen]
    assert not {"script", "link", "img", "iframe"} & set(names)
    assert not re.search(r"https?:|url\(|@import", text)
    assert "nan" not in text.replace("financ", "")
    assert names.count("svg") == 6, "heat map, armies, scenarios, lengths, endings, options"
    assert names.count("table") == 7, "a table for each plot, and the handicaps"
    assert all(attrs["aria-label"] for tag, attrs in tags.seen if tag == "svg")
    assert ("html", {"lang": lang}) in tags.seen
    assert "color-scheme: light dark" in text
    assert {"en": "Suggested handicap", "fr": "Handicap suggéré"}[lang] in text


def test_the_report_says_everything_in_both_languages() -> None:
    holes = {
        lang: {key: set(re.findall(r"{\w+}", text)) for key, text in WORDS[lang].items()} for lang in WORDS
    }
    assert holes["en"] == holes["fr"]


def test_names_are_escaped(report: Balance) -> None:
    nasty = msgspec.structs.replace(report, bots=("<script>", "b"), seed="<b>")
    assert "<script>" not in page(nasty, VIRTUS, "en")


def test_an_effect_without_figures_is_told_too() -> None:
    """Of one pair of games nobody knows how far the truth may lie from it."""
    alone = Examination(VIRTUS, TWO[1:2], BOTS, 1, 1, effects=["pips"], engine=Local(1)).run()
    assert not any(isfinite(v) for effect in alone.effects for v in (effect.share.low, effect.share.high))
    assert "<svg" in page(alone, VIRTUS, "en")
