"""The command ``legatus``: one module a topic, put together here."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, Any

import typer

from .. import __version__
from ..games import GAMES
from ..kernel import BadFile, Complaint, IllegalAction
from ..kernel.files import os_problem
from ..lab.pool import GameFailed
from . import (
    analyse,
    army,
    audit,
    balance,
    dataset,
    fortress,
    play,
    replay,
    rules,
    serve,
    simulate,
    study,
    upgrade,
    verify,
)
from .common import BAD, INTERRUPTED, OK, REFUSED, Fault, speak, spoken, words_around
from .help import tell_help

with suppress(ImportError):  # not everywhere: lines at the prompt can be edited and called back
    import readline  # noqa: F401

app = typer.Typer(
    name="legatus",
    epilog="epilog",  # texts are keys here and in all commands: see ``help``
    rich_markup_mode="markdown",
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        editions = ", ".join(f"{game.key} {game.edition}" for game in GAMES.values())
        print(f"legatus {__version__}\n{words_around()('version_line', editions=editions)}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="version")
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


PLAY, STUDY, LAB, KEEP = "panel_play", "panel_study", "panel_lab", "panel_keep"
app.command("games", rich_help_panel=PLAY)(rules.games)
app.command("serve", rich_help_panel=PLAY)(serve.serve)
app.command("play", rich_help_panel=PLAY)(play.play)
app.command("replay", rich_help_panel=PLAY)(replay.replay)
app.command("rules", rich_help_panel=PLAY)(rules.rules)
app.add_typer(army.app, name="army", rich_help_panel=PLAY)
app.add_typer(fortress.app, name="fortress", rich_help_panel=PLAY)
app.command("position", rich_help_panel=STUDY)(study.position)
app.command("legal", rich_help_panel=STUDY)(study.legal_actions)
app.command("why", rich_help_panel=STUDY)(study.why)
app.command("apply", rich_help_panel=STUDY)(study.apply)
app.command("odds", rich_help_panel=STUDY)(study.odds)
app.command("analyse", rich_help_panel=STUDY)(analyse.analyse)
app.command("branch", rich_help_panel=STUDY)(analyse.branch)
app.command("audit", rich_help_panel=STUDY)(audit.audit)
app.command("verify", rich_help_panel=STUDY)(verify.verify)
app.command("simulate", rich_help_panel=LAB)(simulate.simulate)
app.command("balance", rich_help_panel=LAB)(balance.balance)
app.command("fuzz", rich_help_panel=LAB)(simulate.fuzz)
app.command("dataset", rich_help_panel=LAB)(dataset.dataset)
app.command("upgrade", rich_help_panel=KEEP)(upgrade.upgrade)
app.command("backup", rich_help_panel=KEEP)(upgrade.backup)
app.command("restore", rich_help_panel=KEEP)(upgrade.restore)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; what goes wrong is one line on the error output and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without our signs shows question marks
    try:
        code = _run(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        return _no_reader()
    return code


def _run(argv: Sequence[str] | None) -> int:
    try:
        command = typer.main.get_command(app)
        tell_help(command, speak(None).lang)
        result: Any = command.main(args=argv, prog_name="legatus", standalone_mode=False)
    except Fault as fault:
        return _fail(str(fault), fault.code)
    except Complaint as error:
        return _fail(error.say(spoken().lang), BAD)
    except (IllegalAction, GameFailed) as error:
        return _fail(str(error), REFUSED)
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        return INTERRUPTED
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else BAD
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        told = BadFile(str(error.filename), "", os_problem(error)).say(spoken().lang)
        return _fail(told if error.filename else spoken().tell(os_problem(error)), BAD)
    except Exception as error:
        if hasattr(error, "format_message"):  # what typer says of a command line
            return _fail(spoken().theirs(error.format_message()), BAD)
        if os.environ.get("LEGATUS_DEBUG"):
            raise
        return _fail(spoken()("broken", problem=repr(error)), REFUSED)
    return result if isinstance(result, int) else OK


def _fail(message: str, code: int) -> int:
    print(f"legatus: {' '.join(message.split())}", file=sys.stderr)
    return code


def _no_reader() -> int:
    """Whoever read our output has gone: say nothing more, not even at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return REFUSED
