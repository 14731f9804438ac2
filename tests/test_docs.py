"""What the pages say is true: examples run, links lead somewhere, lists name what there is and nothing else.

In a page, ``>>>`` examples are doctests.  In a ``console`` block every ``$ legatus`` line is run, in order,
in a folder that has ``docs`` in it; below stands what it prints (``...`` is anything), and its exit code is
0, or what stands below ``$ echo $?``.  A comment ``<!-- file: NAME -->`` above a block puts that block into
the folder as a file; ``<!-- wire: TYPE -->`` says that the block is a message of the server's API.

``python -m tests.test_docs`` replays the recorded battles of the pages and writes their fingerprints anew,
for a change of what a state holds.  A change of the rules may need another battle.
"""

import contextlib
import doctest
import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import typer

from legatus import bots, kernel, lab
from legatus.cli import main
from legatus.cli.commands import application
from legatus.games import GAMES
from legatus.games.formations import battlefield as formations
from legatus.games.formations.state import INSTRUCTIONS, MODES
from legatus.games.julian import battlefield as julian
from legatus.games.julian.results import CARD, DEFENDER
from legatus.games.julian.state import MARKERS
from legatus.games.metaurus import battlefield
from legatus.games.metaurus.state import ORDER
from legatus.games.onus import cards, sorts
from legatus.games.onus import scenario as onus
from legatus.games.onus.battlefield import enlist
from legatus.games.onus.kinds import kinds
from legatus.games.onus.state import FORMATIONS as SHAPES
from legatus.games.onus.state import GROUNDS, KINDS, TRAITS
from legatus.games.virtus.army import TYPES, Army, CustomType, GeneralEntry, UnitEntry, cost
from legatus.games.virtus.recruit import Scenario
from legatus.kernel import drafts
from legatus.kernel.codec import usage
from legatus.kernel.fields import field_names
from legatus.kernel.files import read_toml
from legatus.kernel.records import digest, parse_record
from legatus.scene import model
from legatus.server import Settings, create_app, wire
from legatus.server.faults import STATUS

from .server.client import NO_LIMITS, SMALL, serving

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
LINKED = [*PAGES, *(ROOT / name for name in ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
VIRTUS, METAURUS, FORMATIONS = GAMES["virtus"], GAMES["metaurus"], GAMES["formations"]
JULIAN, ONUS = GAMES["julian"], GAMES["onus"]
PAGE_OF = {game.key: f"{game.key}.md" for game in GAMES.values()}

SCREENS = {  # of the guide: how they are come to
    "virtus": (["--scenario", "bridge", "--seed", "29"], "deploy-rest\ndone\nquit\n"),
    "metaurus": (["--scenario", "vanguard", "--seed", "3"], "quit\n"),
    "formations": (["--scenario", "drought", "--seed", "1"], "quit\n"),
    "onus": (["--seed", "305"], "quit\n"),
}
FEW = 2  # games of a simulation, whatever the page plays: its table is then not compared
LOOSE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


each_page = pytest.mark.parametrize("page", PAGES, ids=name_of)


# --- pages ---------------------------------------------------------------------------------------


class Block(NamedTuple):
    """A fenced block: its language, its text, where it begins, and what the comment above says."""

    lang: str
    text: str
    line: int
    file: str  # that it is to be
    wire: str  # the type of the message that it is


def blocks(page: Path) -> Iterator[Block]:
    lines = page.read_text(encoding="utf-8").splitlines()
    start, lang = 0, ""
    for n, line in enumerate(lines, 1):
        if line.startswith("```") and not start:
            start, lang = n, line[3:].strip()
        elif line.startswith("```"):
            above = re.fullmatch(r"<!-- (file|wire): (\S+) -->", lines[start - 2]) if start > 1 else None
            said = {above[1]: above[2]} if above else {}
            text = "\n".join(lines[start : n - 1]) + "\n"
            yield Block(lang, text, start, said.get("file", ""), said.get("wire", ""))
            start = 0
    assert not start, f"{name_of(page)}:{start}: a block without an end"


@pytest.fixture
def folder(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which the examples of a page run: in English, on 100 columns."""
    (tmp_path / "docs").symlink_to(DOCS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(bots, "BOTS", dict(bots.BOTS))
    for name, value in {"COLUMNS": "100", "LEGATUS_LANG": "en", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    return tmp_path


# --- examples ------------------------------------------------------------------------------------


@each_page
def test_python_examples(page: Path, folder: Path) -> None:
    globs: dict[str, Any] = {}
    runner = doctest.DocTestRunner(optionflags=LOOSE, verbose=False)
    said = io.StringIO()
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif ">>> " in block.text:
            test = doctest.DocTestParser().get_doctest(block.text, globs, name_of(page), None, block.line)
            runner.run(test, out=said.write, clear_globs=False)
            globs.update(test.globs)
    assert not runner.failures, said.getvalue()


class Command(NamedTuple):
    """A line of a console block with what the page says of it."""

    line: str
    shown: str
    code: int
    place: int


def commands(block: Block) -> list[Command]:
    found: list[Command] = []
    for n, line in enumerate(block.text.splitlines(), block.line + 1):
        if line == "$ echo $?":
            found[-1] = found[-1]._replace(code=-1)
        elif line.startswith("$ "):
            assert line.startswith("$ legatus "), f"line {n}: only legatus can be run here: {line}"
            found.append(Command(line[2:], "", 0, n))
        elif found[-1].code == -1:
            found[-1] = found[-1]._replace(code=int(line))
        else:
            found[-1] = found[-1]._replace(shown=f"{found[-1].shown}{line}\n")
    return found


def few_games(words: list[str]) -> bool:
    """Let a simulation play fewer games, in this process; whether there was anything to change."""
    changed = False
    for option, most in (("--games", FEW), ("--jobs", 1)):
        if words[0] in ("simulate", "balance") and option in words:
            at = words.index(option) + 1
            changed |= int(words[at]) > most
            words[at] = str(min(int(words[at]), most))
    return changed


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, bool]:
    """The exit code of a command line with ``|`` and ``>``, what is seen, and whether it was cut short."""
    screen, before, code, cut = io.StringIO(), "", 0, False
    words = shlex.split(line)
    target = words[words.index(">") + 1] if ">" in words else ""
    words = words[: words.index(">")] if target else words
    parts = " ".join(map(shlex.quote, words)).split(" '|' ")
    for n, part in enumerate(parts, 1):
        out = screen if n == len(parts) and not target else io.StringIO()
        args = shlex.split(part)[1:]
        cut |= few_games(args)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(before.encode()), encoding="utf-8"))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(screen):
            code = main(args)
        before = out.getvalue()
    if target:
        Path(target).write_text(before, encoding="utf-8")
    return code, screen.getvalue(), cut


@each_page
def test_shell_examples(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checker = doctest.OutputChecker()
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        if block.lang != "console":
            continue
        for command in commands(block):
            place = f"{name_of(page)}:{command.place}: {command.line}"
            code, seen, cut = run(command.line, monkeypatch)
            assert code == command.code, f"{place}: exit code {code}\n{seen}"
            if command.shown and not cut:
                assert checker.check_output(command.shown, seen, LOOSE), f"{place}\n{seen}"


@pytest.mark.parametrize("page", [DOCS / "guides" / "play.md"], ids=name_of)
@pytest.mark.parametrize("game", SCREENS)
def test_the_screen_of_the_terminal(
    page: Path, game: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    args, typed = SCREENS[game]
    screen = next(block.text for block in blocks(page) if f"\n{game.capitalize()} · " in block.text)
    assert max(map(len, screen.splitlines())) <= 100
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["play", game, *args, "--save", "play.legatus.jsonl"]) == 0
    assert " ".join(screen.split()) in " ".join(out.getvalue().split())


# --- the network ----------------------------------------------------------------------------------


API = DOCS / "reference" / "api.md"


MESSAGES = [block for block in blocks(API) if block.lang == "json"]


@pytest.mark.parametrize("block", MESSAGES, ids=lambda block: f"{block.wire}-{block.line}")
def test_messages_of_the_api(block: Block) -> None:
    """Every example is a message of its type; answers are shown with all their fields."""
    kind = next(getattr(home, block.wire) for home in (wire, model, drafts) if hasattr(home, block.wire))
    message = msgspec.json.decode(block.text, type=kind)  # a request refuses fields that it does not know
    if not kind.__struct_config__.forbid_unknown_fields:
        assert json.loads(msgspec.json.encode(message)) == json.loads(block.text)


def test_calls_of_the_api() -> None:
    app = create_app(Settings(database="sqlite://"))
    routes = [(method, route.path) for route in app.routes for method in route.methods or ["WS"]]
    calls = [(method, path) for method, path in routes if path.startswith("/api/") and method != "OPTIONS"]
    wanted = [f"{method} {path.replace(':str', '')}" for method, path in calls]
    found = [row[0].strip("`").partition("?")[0] for row in rows(section("api.md", "## Calls"))]
    assert sorted(found) == sorted(wanted)


def test_failures_of_the_api() -> None:
    found = {row[0].strip("`"): int(row[1]) for row in rows(section("api.md", "## Failures"))}
    assert found == STATUS


def test_metrics_are_all_described() -> None:
    text = (DOCS / "guides" / "serve.md").read_text(encoding="utf-8")
    code = (ROOT / "src" / "legatus" / "server" / "watch.py").read_text(encoding="utf-8")
    wanted = set(re.findall(r'"(legatus_\w+)"', code))
    assert {name.removesuffix("_total") for name in re.findall(r"`(legatus_\w+)`", text)} == wanted


def test_the_bot_of_the_network_guide(tmp_path: Path) -> None:
    """What the page shows is the file, and it plays a battle to the end against the server's own bot."""
    file = DOCS / "examples" / "network_bot.py"
    page = DOCS / "guides" / "write-a-bot.md"
    assert file.read_text(encoding="utf-8") in page.read_text(encoding="utf-8")
    with serving(tmp_path, *NO_LIMITS) as server:
        maker = server.player()
        match = maker.open("friend", "bot:random", **SMALL)
        link = f"{server.url}/join/{match['id']}#{match['seats'][0]['invite']}"
        bot = subprocess.run([sys.executable, str(file), link], capture_output=True, text=True, timeout=300)
        assert bot.returncode == 0, bot.stderr
        assert "won: " in bot.stdout
        over = maker.match(match["id"])
        assert over["over"]
        assert over["seats"][0]["name"] == "network bot"


# --- links and citations -------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    fenced = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    heads = re.findall(r"^#+ (.+)$", fenced, re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", LINKED, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        assert ":" not in path, f"{name_of(page)}: {target} leaves the repository"
        file = page.parent / path if path else page
        assert file.exists(), f"{name_of(page)}: {target} does not exist"
        assert not anchor or anchor in anchors(file), f"{name_of(page)}: {target} has no such heading"


@each_page
def test_cited_clauses_exist(page: Path) -> None:
    known = {clause for game in GAMES.values() for clause in game.folder.rulebooks["en"].clauses}
    forms = r"\bV(?:\d+(?=[a-z.-])\w*|REF|DMG|END)(?:[.-]\w+)*|\bMH?\d+(?:\.\w+)+|\bJ[0HSCQ]\.\w+(?:\.\w+)*"
    forms += r"|\bO[\dH]\.[a-z]\w*(?:[.-]\w+)*\b(?!\.\*)"
    cited = set(re.findall(forms, page.read_text(encoding="utf-8")))
    assert not cited - known, name_of(page)


@pytest.mark.parametrize("page", PAGES[1:], ids=name_of)
def test_every_page_is_linked_from_the_readme(page: Path) -> None:
    """Decisions are linked from the architecture, which tells what they are about."""
    start = "ARCHITECTURE.md" if page.parent.name == "decisions" else "README.md"
    assert f"]({name_of(page)})" in (ROOT / start).read_text(encoding="utf-8")


# --- lists ---------------------------------------------------------------------------------------


def section(page: str, heading: str) -> str:
    """The text below a heading, as far as the next one of its level or above."""
    text = (DOCS / "reference" / page).read_text(encoding="utf-8")
    level = heading.split()[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(level)}}} |\Z)", text, re.M | re.S)
    assert found, f"{page} has no {heading!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The rows of all tables in a text, without their heads."""
    table = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in table]
    heads = {n - 1 for n, row in enumerate(cells) if set("".join(row)) == {"-"}}
    return [row for n, row in enumerate(cells) if n not in heads and n - 1 not in heads]


def names(cell: str) -> list[str]:
    """What stands in code marks, up to its first word: ``--at N`` is ``--at``."""
    return [re.split(r"[ (=]", code)[0] for code in re.findall(r"`([^`]+)`", cell)]


def first_names(text: str) -> list[str]:
    return [name for row in rows(text) for name in names(row[0])]


def test_numbers_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    clauses, armies, scenarios = (
        len(VIRTUS.folder.rulebooks["en"].clauses),
        len(VIRTUS.folder.names("armies")),
        len(VIRTUS.folder.names("scenarios")),
    )
    book = METAURUS.folder.rulebooks["en"].clauses.values()
    house = sum(clause.house for clause in book)
    said = " ".join(text.split())
    assert f"all {clauses} clauses of its sheet, {armies} ready armies and {scenarios} scenarios" in said
    assert f"{len(book) - house} clauses of the sheet and {house} house rules" in said
    book = FORMATIONS.folder.rulebooks["en"].clauses.values()
    house = sum(clause.house for clause in book)
    assert f"{len(book) - house} clauses of a card of actions and {house} house rules" in said
    page = (DOCS / "reference" / "formations.md").read_text(encoding="utf-8")
    told = f"{len(book)} clauses: {len(book) - house} follow the sheet, ids that begin with `A.`,"
    assert f"{told} and {house} are house rules" in " ".join(page.split())
    book = JULIAN.folder.rulebooks["en"].clauses.values()
    house = sum(clause.house for clause in book)
    assert f"{len(book) - house} clauses of a player aid and {house} house rules" in said
    page = (DOCS / "reference" / "julian.md").read_text(encoding="utf-8")
    told = f"{len(book)} clauses: {len(book) - house} follow the sheet, and {house} are house rules"
    assert told in " ".join(page.split())
    book = ONUS.folder.rulebooks["en"].clauses.values()
    house = sum(clause.house for clause in book)
    fields = len(ONUS.folder.names("scenarios"))
    told = f"{len(book) - house} clauses of an expansion and {house} house rules for the base game"
    assert f"{told}, and {fields} scenarios" in said
    page = (DOCS / "reference" / "onus.md").read_text(encoding="utf-8")
    told = f"{len(book)} clauses: {len(book) - house} follow the sheet, ids that begin with `O` and a digit,"
    assert f"{told} and {house} are house rules" in " ".join(page.split())


def test_every_game_is_listed_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("## Games and credits")[2].partition("\n## ")[0]
    playable = [row[0].strip("`") for row in rows(table) if row[2] == "playable"]
    assert playable == list(GAMES)


def test_scenarios() -> None:
    wanted = []
    for key in VIRTUS.folder.names("scenarios"):
        raw = VIRTUS.folder.toml(f"data/scenarios/{key}.toml")
        field = "set piece" if "terrain" in raw else raw.get("nature", "by die")
        armies = ", ".join(f"`{army}`" for army in raw["armies"])
        wanted.append([f"`{key}`", raw["name"], str(raw["columns"]), str(raw["budget"]), field, armies])
    assert rows(section("virtus.md", "## Scenarios")) == wanted


def test_armies() -> None:
    wanted = []
    for key, path in VIRTUS.folder.names("armies").items():
        army = read_toml(path, Army)
        units = sum(entry.count for entry in army.unit)
        wanted.append([f"`{key}`", army.name, str(units), str(len(army.general)), str(cost(army))])
    assert rows(section("virtus.md", "## Armies")) == wanted


def plan_of(scenario: str) -> battlefield.Scenario:
    return msgspec.convert(METAURUS.configure(scenario).scenario, battlefield.Scenario)


def test_scenarios_of_metaurus() -> None:
    wanted = []
    for card in METAURUS.scenarios("en"):
        plan = plan_of(card.key)
        sides = {group.id: group.side for group in plan.group}
        units = [sum(len(unit.at) for unit in plan.unit if sides[unit.group] == s) for s in METAURUS.seats]
        goals = [str(plan.goals["rome"]), f"{plan.goals['carthage']}, or {plan.goals['exits']} led off"]
        size = f"{plan.columns} × {plan.rows}"
        wanted.append([f"`{card.key}`", card.name, size, *map(str, units), *goals, str(plan.turns)])
    assert rows(section("metaurus.md", "## Scenarios")) == wanted


def test_units_of_metaurus() -> None:
    plan = plan_of("historical")
    sides = {group.id: group.side for group in plan.group}
    wanted = []
    for unit in plan.unit:
        numbers = map(str, (len(unit.at), unit.morale, unit.move))
        wanted.append([f"`{unit.key}`", unit.name, sides[unit.group], f"`{unit.group}`", unit.arm, *numbers])
    assert rows(section("metaurus.md", "## Units")) == wanted
    own = {group.id for group in plan.group if group.kind != "colour"}
    assert own <= set(re.findall(r"`([\w-]+)`", section("metaurus.md", "## Units")))


def test_orders_of_metaurus() -> None:
    assert set(first_names(section("metaurus.md", "## Orders"))) == set(ORDER)


def battle_of(scenario: str) -> formations.Scenario:
    return msgspec.convert(FORMATIONS.configure(scenario).scenario, formations.Scenario)


def test_scenarios_of_formations() -> None:
    wanted = []
    for card in FORMATIONS.scenarios("en"):
        plan = battle_of(card.key)
        sides = {kind.key: kind.side for kind in plan.type}
        armies = []
        for seat in FORMATIONS.seats:
            numbers = [
                (1 if unit.formation else len(unit.at), unit.steps)
                for unit in plan.unit
                if sides[unit.type] == seat
            ]
            steps = sum(n * each for n, each in numbers)
            armies.append(f"{sum(n for n, _ in numbers)} of {steps} steps")
        size = f"{plan.columns} × {plan.rows}"
        more = [plan.weather or "by dice", str(plan.turns), str(len(plan.device))]
        wanted.append([f"`{card.key}`", card.name, size, *armies, *more])
    assert rows(section("formations.md", "## Scenarios")) == wanted


def test_types_of_formations() -> None:
    wanted = []
    for kind in [kind for card in FORMATIONS.scenarios("en") for kind in battle_of(card.key).type]:
        size, far = "small" if kind.small else "large", str(kind.range or "–")
        faculties = [name for name in ("manoeuvre", "regeneration") if getattr(kind, name)]
        faculties += [kind.special] if kind.special else []
        values = [size, kind.capacity, kind.weapon or "–", kind.morale, kind.move, far, kind.profile]
        wanted.append([f"`{kind.key}`", kind.name, kind.side, *values, ", ".join(faculties) or "–"])
    assert rows(section("formations.md", "## Types")) == wanted


def test_instructions_and_modes_of_formations() -> None:
    assert first_names(section("formations.md", "## Instructions")) == list(INSTRUCTIONS)
    assert first_names(section("formations.md", "## Modes")) == list(MODES)


def campaign_of(scenario: str) -> julian.Scenario:
    return msgspec.convert(JULIAN.configure(scenario).scenario, julian.Scenario)


def test_scenarios_of_julian() -> None:
    sizes, limits = [], []
    for card in JULIAN.scenarios("en"):
        plan = campaign_of(card.key)
        armies = []
        for seat, here, every in zip(
            JULIAN.seats, (len(plan.garrisons.at), 0), (plan.garrisons.count, 0), strict=True
        ):
            own = [command for command in plan.command if command.side == seat]
            here += sum(sum(command.on_map.values()) for command in own)
            every += sum(sum(command.units.values()) for command in own)
            armies += [str(len(own)), f"{here} of {every}"]
        size = f"{len(plan.terrain[0])} × {len(plan.terrain)}"
        more = map(str, (len(plan.people), len(plan.city), plan.values.turns))
        sizes.append([f"`{card.key}`", card.name, size, *armies, *more])
        a, b, c, d = plan.values.bands
        bands = [f"{a} or more", f"{b} to {a - 1}", f"{c} to {b - 1}", f"{d} to {c - 1}", f"{d - 1} or less"]
        sudden = ", ".join(f"`{city}`" for city in plan.values.sudden_cities)
        limits.append([f"`{card.key}`", *bands, sudden, str(plan.values.sudden_turn)])
    assert rows(section("julian.md", "## Scenarios")) == sizes + limits


def test_units_of_julian() -> None:
    words = JULIAN.folder.messages["en"].sentences
    found = rows(section("julian.md", "## Units"))
    for card in JULIAN.scenarios("en"):
        assert found == [
            [
                f"`{kind.id}`",
                words[f"name.kind.{kind.id}"],
                kind.side,
                str(kind.combat),
                str(kind.move),
                str(kind.cost or "–"),
            ]
            for kind in campaign_of(card.key).kind
        ]


def test_commands_of_julian() -> None:
    wanted = []
    for card in JULIAN.scenarios("en"):
        for command in campaign_of(card.key).command:
            leaders = [
                f"`{leader.id}` ({f'{leader.bonus:+}' if leader.bonus else 0}"
                + (f", from turn {leader.turn})" if leader.turn else ")")
                for leader in command.leader
            ]
            units = [f"{command.on_map.get(kind, 0)} of {n} `{kind}`" for kind, n in command.units.items()]
            home = "{} to {}".format(*command.home_rows) if command.home_rows else "–"
            lists = [", ".join(leaders), ", ".join(units), ", ".join(command.start), home]
            wanted.append([f"`{card.key}`", f"`{command.id}`", command.name, command.side, *lists])
    assert rows(section("julian.md", "## Commands")) == wanted


def test_peoples_and_cities_of_julian() -> None:
    plans = [campaign_of(key) for key in ("gaul", "argentoratum")]
    homes = [{people.id: people.home for people in plan.people} for plan in plans]
    wanted = []
    for people in plans[0].people:
        units = ", ".join(f"{number} `{kind}`" for kind, number in people.units.items())
        places = [home.get(people.id, "–") for home in homes]
        wanted.append([f"`{people.id}`", people.name, *places, units])
    assert rows(section("julian.md", "## Peoples")) == wanted
    places_of = [{city.id: city.at for city in plan.city} for plan in plans]
    assert rows(section("julian.md", "## Hexes and cities")) == [
        [
            f"`{city.id}`",
            city.name,
            *(at.get(city.id, "–") for at in places_of),
            str(city.value),
            city.holder,
        ]
        for city in plans[0].city
    ]


def test_markers_and_results_of_julian() -> None:
    found = {
        row[0].strip("`"): int(row[1]) for row in rows(section("julian.md", "## Stratagem markers")) if row[0]
    }
    assert found == campaign_of("gaul").pool
    assert list(found) == list(MARKERS)
    wanted = []
    for result, effects in CARD.items():
        number = {what: n for what, _, _, n in effects}
        loser = "defender" if effects[0][2] == DEFENDER else "attacker"
        if result == "BB":
            loser = "who has fewer printed factors, or both"
        wanted.append([f"`{result}`", loser, number.get("pursue", 0), number.get("draw", 0)])
    shown = [
        [row[0], row[1], int(row[4].partition(" ")[0].replace("–", "0")), int(row[5])]
        for row in rows(section("julian.md", "## Combat results"))
    ]
    assert shown == wanted


def table(page: str, heading: str, head: str) -> list[list[str]]:
    """The rows of the one table of a section whose head begins so."""
    text = section(page, heading)
    below = text[text.index(head) :]
    return rows(below.partition("\n\n")[0])


def test_scenarios_of_onus() -> None:
    wanted = []
    for card in ONUS.scenarios("en"):
        setup = ONUS.configure(card.key)
        plan = msgspec.convert(setup.scenario, onus.Scenario)
        armies = {army.side: army.unit for army in plan.army}
        sizes = []
        for seat in ONUS.seats:
            units = armies.get(seat, ())
            points = sum(unit.count * kinds()[unit.kind].points for unit in units)
            sizes.append(f"{sum(unit.count for unit in units)} of {points} points" if units else "bought")
        roster, keep = enlist(setup), "–"
        if plan.fortress:
            design = plan.fortress.plan.name if plan.fortress.plan else f"`{plan.fortress.design}`"
            keep = f"{design}, {roster.structures[0].material}"
        size = f"{plan.size[0]:g} × {plan.size[1]:g}"
        more = [keep, str(plan.points or "–"), str(roster.goals.decks)]
        wanted.append([f"`{card.key}`", card.name, size, *sizes, *more])
    assert table("onus.md", "## Scenarios", "| scenario |") == wanted


def test_units_of_onus() -> None:
    words = ONUS.folder.messages["en"].sentences
    wanted = []
    for kind in kinds().values():
        ranged = f"{kind.ranged}({kind.long / 100:g}; {kind.short / 100:g})" if kind.shoots else "–"
        figures = map(str, (kind.move, kind.morale, kind.life, kind.points))
        traits = ", ".join(trait for trait in TRAITS if trait in kind.traits) or "–"
        forms = ", ".join(SHAPES[form] for form in kind.formations) or "–"
        pairs = ["{}/{}".format(*kind.melee), ranged, "{}/{}".format(*kind.defence)]
        wanted.append([f"`{kind.id}`", words[f"name.{kind.id}"], *pairs, *figures, traits, forms])
    assert table("onus.md", "## Units", "| kind |") == wanted
    assert [row[0] for row in table("onus.md", "## Units", "| trait |")] == [f"`{t}`" for t in TRAITS]
    assert [row[0] for row in table("onus.md", "## Units", "| formation |")] == [f"`{f}`" for f in SHAPES[1:]]
    generals = [[f"`{key}`", *map(str, figures)] for key, figures in onus.GENERALS.items()]
    assert table("onus.md", "## Units", "| general |") == generals


def test_deck_of_onus() -> None:
    orders = [[f"`{key}`", str(number)] for key, number in cards.ORDERS.items()]
    assert [row[:2] for row in table("onus.md", "## The deck", "| order |")] == orders
    events = [
        [f"`{key}`", str(number), "–" if key == cards.NO_EVENT else cards.PHASES.get(key, cards.ANY)]
        for key, number in cards.EVENTS.items()
    ]
    assert [row[:3] for row in table("onus.md", "## The deck", "| event |")] == events


def test_terrain_and_structures_of_onus() -> None:
    assert {row[0].strip("`") for row in rows(section("onus.md", "## Terrain"))} == set(GROUNDS)
    words, wanted = ONUS.folder.messages["en"].sentences, []
    for sort in sorts.sorts().values():
        size = f"{sort.size.front / 100:g} × {sort.size.depth / 100:g}"
        cover = ["{:+}/{:+}".format(*pair) if any(pair) else "–" for pair in (sort.melee, sort.ranged)]
        strength = [str(sort.resistance or "–"), str(sort.durability or "–")]
        gate = f"{sort.gate_resistance}, {sort.gate_durability}" if sort.gate_resistance else "–"
        room = f"{sort.units} unit" if sort.units else "–"
        if sort.sections:
            room = f"{sort.sections} section" + "s" * (sort.sections > 1)
        burns = "the gate" if sort.burns == "gate" else sort.burns
        more = [gate, burns, room, str(sort.cost or "–")]
        wanted.append(
            [f"`{sort.id}`", words[f"name.{sort.id}"], size, str(sort.height), *cover, *strength, *more]
        )
    assert table("onus.md", "## Structures and the fortress", "| structure |") == wanted
    kinds_told = names(
        next(row for row in rows(section("files.md", "### structure")) if row[0] == "`kind`")[3]
    )
    assert tuple(kinds_told) == KINDS


@pytest.mark.parametrize("key", GAMES)
def test_options(key: str) -> None:
    game, wanted = GAMES[key], []
    for option in game.options:
        default = option.default if option.choices else "on" if option.default else "off"
        wanted.append([f"`{option.key}`", default, option.clause])
    found = rows(section(PAGE_OF[key], "## Options"))
    assert [row[:3] for row in found] == wanted
    for option, row in zip(game.options, found, strict=True):
        assert set(option.choices) <= set(names(row[3]))


def test_troop_types() -> None:
    wanted = []
    for key, kind in TYPES.items():
        values = [kind.vo, kind.vt or "–", kind.vd, kind.vc, kind.mvt, kind.cost]
        abilities = ", ".join(kind.abilities) or "–"
        wanted.append([f"`{key}`", kind.en, *map(str, values), kind.order, abilities])
    assert rows(section("virtus.md", "## Troop types")) == wanted


@pytest.mark.parametrize("key", GAMES)
def test_actions(key: str) -> None:
    found = rows(section(PAGE_OF[key], "## Actions"))
    assert [row[0].strip("`") for row in found] == [usage(kind) for kind in GAMES[key].actions]


def test_fields_of_files() -> None:
    """Every field of an army and a scenario is described, with its default if it may be left out."""
    forms = {"The army itself": Army, "unit": UnitEntry, "general": GeneralEntry, "type": CustomType}
    texts = [(section("files.md", f"### {heading}"), kind) for heading, kind in forms.items()]
    texts.append((section("files.md", "## Scenario"), Scenario))
    forms = {"The scenario itself": battlefield.Scenario, "Hills and rivers": battlefield.Band}
    forms |= {"group": battlefield.GroupEntry, "Units of Metaurus": battlefield.UnitEntry}
    forms |= {"The battle": formations.Scenario, "Type of Formations": formations.TypeEntry}
    forms |= {
        "wing": formations.WingEntry,
        "leader": formations.LeaderEntry,
        "device": formations.DeviceEntry,
    }
    forms |= {"Units of Formations": formations.UnitEntry}
    forms |= {"The campaign": julian.Scenario, "values": julian.Figures, "Kind of unit": julian.Kind}
    forms |= {"city": julian.CityEntry, "command": julian.CommandEntry, "Leader of a command": julian.Leader}
    forms |= {"people": julian.PeopleEntry, "garrisons": julian.Garrisons}
    forms |= {"The battlefield": onus.Scenario, "ground": onus.GroundEntry, "structure": onus.StructureEntry}
    forms |= {"fortress": onus.FortressEntry, "goals": onus.GoalsEntry, "building": onus.BuildingEntry}
    forms |= {"Army of Onus": onus.ArmyEntry, "Units of Onus": onus.UnitEntry}
    texts += [(section("files.md", f"### {heading}"), kind) for heading, kind in forms.items()]
    for text, kind in texts:
        found = {name: row for row in rows(text) for name in names(row[0])}
        if kind in (battlefield.Scenario, formations.Scenario, julian.Scenario, onus.Scenario):
            del found["like"]  # it is gone when the file has been read
        required = {field for field in found if found[field][2] == "required"}
        assert set(found) == set(kind.__struct_fields__)
        needed = len(kind.__struct_fields__) - len(kind.__struct_defaults__)
        assert required == set(kind.__struct_fields__[:needed])


@pytest.mark.parametrize("key", GAMES)
def test_columns_of_a_position(key: str) -> None:
    found = ["todo", "outcome", *first_names(section("files.md", f"### The columns of {key.capitalize()}"))]
    assert found == list(field_names(GAMES[key].state_type))


def every_command(group: Any, above: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from every_command(command, f"{above} {name}")
        else:
            yield f"{above} {name}", command


COMMANDS = dict(every_command(typer.main.get_command(application()), "legatus"))


def test_commands_are_all_described() -> None:
    text = (DOCS / "reference" / "command-line.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^## (legatus .+)$", text, re.M)) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_options_of_commands_are_all_described(name: str) -> None:
    options = [p for p in COMMANDS[name].params if p.param_type_name == "option"]
    wanted = {opt for p in options for opt in p.opts} - {"--help"}
    assert set(first_names(section("command-line.md", f"## {name}"))) == wanted


@pytest.mark.parametrize("module", [kernel, lab, bots], ids=lambda module: module.__name__)
def test_names_of_the_python_interface(module: Any) -> None:
    found = first_names(section("python.md", f"## {module.__name__}"))
    assert sorted(found) == sorted(module.__all__)


# --- recorded battles ----------------------------------------------------------------------------


def refreshed(record: str) -> str:
    """The same head and actions, replayed, with the fingerprints of the states that follow now."""
    head, *lines = record.splitlines()
    match = parse_record(GAMES, record, verify=False)
    fresh = [
        json.loads(line) | {"check": digest(state)} for line, state in zip(lines, match.states, strict=True)
    ]
    return "\n".join([head, *(json.dumps(line, ensure_ascii=False) for line in fresh)]) + "\n"


def refresh() -> None:
    for path in DOCS.glob("examples/*.jsonl"):
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in blocks(page):
            if block.file.endswith(".legatus.jsonl"):
                text = text.replace(block.text, refreshed(block.text))
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    refresh()
