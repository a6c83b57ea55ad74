"""The command line. ``main`` is the console script; each command's work sits in a module of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main() -> None:
    """The ``phoropter`` command."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status.

    A user's mistake becomes one message on stderr and status 2; an interruption 130; a reader of stdout that went
    away ends quietly.
    """
    import typer
    from typer.exceptions import TyperException

    from core.errors import PhoropterError
    from tui.cli.commands import application
    from tui.cli.output import say

    try:
        result = application()(list(arguments), prog_name="phoropter", standalone_mode=False)
        sys.stdout.flush()
    except typer.Exit as done:
        return done.exit_code
    except TyperException as error:
        show = getattr(error, "show", None)
        show() if show is not None else say(f"phoropter: {error}")
        return error.exit_code
    except PhoropterError as error:
        say(f"phoropter: {error}")
        return error.exit_status
    except (KeyboardInterrupt, typer.Abort):
        say("interrupted; everything so far is kept")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return result if isinstance(result, int) else 0
