"""The command line put together: each command is imported when it is asked for, all of them for help."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any

import typer

from ..kernel import BadFile, Complaint, IllegalAction
from ..kernel.errors import GameFailed
from ..kernel.files import os_problem
from .common import BAD, INTERRUPTED, OK, REFUSED, Fault, harmless, speak, spoken
from .help import tell_help
from .version import version_text

with suppress(ImportError):  # not everywhere: lines at the prompt can be edited and called back
    import readline  # noqa: F401

PLAY, STUDY, LAB, KEEP = "panel_play", "panel_study", "panel_lab", "panel_keep"
COMMANDS = {  # name: its panel in the help, its module, and its function or its own commands
    "games": (PLAY, "rules", "games"),
    "serve": (PLAY, "serve", "serve"),
    "play": (PLAY, "play", "play"),
    "replay": (PLAY, "replay", "replay"),
    "rules": (PLAY, "rules", "rules"),
    "army": (PLAY, "army", "app"),
    "fortress": (PLAY, "fortress", "app"),
    "position": (STUDY, "study", "position"),
    "legal": (STUDY, "study", "legal_actions"),
    "why": (STUDY, "study", "why"),
    "apply": (STUDY, "study", "apply"),
    "odds": (STUDY, "study", "odds"),
    "analyse": (STUDY, "analyse", "analyse"),
    "branch": (STUDY, "analyse", "branch"),
    "audit": (STUDY, "audit", "audit"),
    "verify": (STUDY, "verify", "verify"),
    "simulate": (LAB, "simulate", "simulate"),
    "balance": (LAB, "balance", "balance"),
    "fuzz": (LAB, "simulate", "fuzz"),
    "dataset": (LAB, "dataset", "dataset"),
    "upgrade": (KEEP, "upgrade", "upgrade"),
    "backup": (KEEP, "upgrade", "backup"),
    "restore": (KEEP, "upgrade", "restore"),
}


def _version(wanted: bool) -> None:
    if wanted:
        print(version_text())
        raise typer.Exit


def _root(
    ctx: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="version")
    ] = False,
) -> None:
    if ctx.invoked_subcommand is None:
        print(ctx.get_help())


def application(argv: Sequence[str] = ()) -> typer.Typer:
    """The command that a command line names, or all commands if it names none."""
    app = typer.Typer(
        name="legatus",
        epilog="epilog",  # texts are keys here and in all commands: see ``help``
        rich_markup_mode="markdown",
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(_root)
    for name in argv[:1] if argv and argv[0] in COMMANDS else COMMANDS:
        panel, module, member = COMMANDS[name]
        found = getattr(import_module(f"{__package__}.{module}"), member)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=name, rich_help_panel=panel)
        else:
            app.command(name, rich_help_panel=panel)(found)
    return app


def run(argv: Sequence[str]) -> int:
    """Run a command line; what goes wrong is one line on the error output and an exit code."""
    try:
        command = typer.main.get_command(application(argv))
        tell_help(command, speak(None).lang)
        result: Any = command.main(args=list(argv), prog_name="legatus", standalone_mode=False)
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
    print(f"legatus: {harmless(' '.join(message.split()))}", file=sys.stderr)
    return code
