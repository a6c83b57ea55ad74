"""A fault of the program in words: where it happened, no variables, no key, nothing that a terminal acts on."""

from __future__ import annotations

import os
import sqlite3
import traceback
from collections.abc import Mapping

from core.errors import joined
from core.respondents.secret import of_environment
from tui.inert import inert

DEBUG = "PHOROPTER_DEBUG"
"""The environment variable that lets a fault of the program show where it happened."""


def told(error: BaseException, environ: Mapping[str, str] = os.environ) -> str:
    """One line: a refusal of the system in its own words; all else is a fault of the program."""
    if isinstance(error, OSError) and error.strerror:
        words = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    elif isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.ProgrammingError):
        words = joined(f"the store: {error}", "`phoropter doctor` examines it")
    elif isinstance(error, MemoryError):
        words = "there is not enough memory"
    else:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        what = of_environment(environ).scrub(what)[:300]
        return joined(what, f"This is a fault of Phoropter: please report it ({DEBUG}=1 shows where it happened)")
    return of_environment(environ).scrub(words)


def trace(error: BaseException, environ: Mapping[str, str] = os.environ) -> str:
    """Where it happened, frame by frame. What the variables held is not in it."""
    return inert(of_environment(environ).scrub("".join(traceback.format_exception(error)))).rstrip("\n")
