"""The command line. ``main`` is the console script; each command's work sits in a module of its own."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence

from tui.collecting import COLLECTING


def main() -> None:
    """The ``phoropter`` command."""
    gc.set_threshold(*COLLECTING)
    from tui.cli.ending import heed_termination

    heed_termination()
    status = run(sys.argv[1:])
    gc.freeze()  # else all that is loaded is looked through for circles on the way out: 0.15 s with the openai client
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status.

    A user's mistake becomes one message on stderr and status 2, a fault of the program too; an interruption 130 or
    143; a reader of stdout that went away ends quietly, with the status that the command has without it.
    """
    from core.errors import PhoropterError
    from tui.cli.output import finish_output, ready_streams, say

    ready_streams()
    status = _status(arguments)
    try:
        finish_output()
    except PhoropterError as error:
        say(f"phoropter: {error}")
        return error.exit_status
    return status


def _status(arguments: Sequence[str]) -> int:
    import typer
    from typer.exceptions import TyperException

    from core.errors import PhoropterError
    from tui.cli.commands import application
    from tui.cli.ending import Interrupted
    from tui.cli.output import say

    try:
        result = application()(list(arguments), prog_name="phoropter", standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    except TyperException as error:
        say(_misused(error))
        return error.exit_code
    except PhoropterError as error:
        say(f"phoropter: {error}")
        return error.exit_status
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted; everything so far is kept")
        return 130
    except Interrupted as interrupted:
        say("interrupted; everything so far is kept")
        return 128 + interrupted.number
    except BrokenPipeError:
        return 0
    except SystemExit as ended:  # typer's way out when a help page is not read to its end
        if isinstance(ended.__context__, BrokenPipeError):
            return 0
        raise
    except Exception as error:  # noqa: BLE001  the last net: a traceback helps nobody who has not asked for it
        from tui.crashing import DEBUG, told, trace

        if os.environ.get(DEBUG):
            say(trace(error))
        say(f"phoropter: {told(error)}")
        return 2
    return result if isinstance(result, int) else 0


def _in_words(told: str) -> str:
    """Typer's words on a number, without the names that types have in the program."""
    for kind, words in (("integer", "whole number"), ("int", "whole number"), ("float", "number")):
        told = re.sub(rf"is not a valid {kind}(?: range)?\.", f"is not a {words}.", told)
    return re.sub(r"is not in the range (-?[\d.]+)<=x<=(-?[\d.]+)\.", r"is not from \1 to \2.", told)


def _misused(error: Exception) -> str:
    """What typer says of a command's arguments, with the usage of the command."""
    context = getattr(error, "ctx", None)
    if context is not None and type(error).__name__ == "NoArgsIsHelpError":  # a group without its subcommand
        return str(context.get_help())
    usage = f"{context.get_usage()}\nTry '{context.command_path} --help' for help.\n" if context is not None else ""
    told = _in_words(getattr(error, "format_message", error.__str__)())
    return f"{usage}phoropter: {told if len(told) <= 1000 else told[:999] + '…'}"
