"""The family of errors a user can meet: each says what is wrong, where, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from core.records import Call


_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+(?=>)")


class PhoropterError(Exception):
    """Base of all errors that are shown to a user as one message instead of a traceback.

    ``what`` is one sentence, ``where`` names file, row, field, option or run, ``remedy`` says what to do. Where a
    library names an object, where that lay in memory is left out: the same is told alike each time, and counted as
    one.
    """

    exit_status = 2

    def __init__(self, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what)
        self.what = _ADDRESS.sub("", what)
        self.where = where
        self.remedy = remedy

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return joined(text, self.remedy)


def joined(what: str, remedy: str) -> str:
    """A sentence, which may end with a full stop of its own, and what to do about it."""
    if not remedy:
        return what
    return f"{what} {remedy}" if what.endswith((".", "!", "?", "…")) else f"{what}. {remedy}"


class UsageError(PhoropterError):
    """An argument, option, name or combination of them that cannot be used."""


class ConfigError(PhoropterError):
    """phoropter.toml, a prompts file or a study file is unusable."""


class StoreError(PhoropterError):
    """The store cannot be opened, is newer than this program, or lies where SQLite is not safe."""


class PictureError(PhoropterError):
    """A picture is missing, torn, too large or of a kind that cannot be read."""


class RespondentError(PhoropterError):
    """A respondent cannot be used at all (unknown, no key, a server that refuses the first request)."""


class VariableError(RespondentError):
    """An environment variable that a respondent's settings name is not set."""


class CallError(PhoropterError):
    """One call failed for good, after its retries: the trajectory fails at this step, the run goes on.

    ``fatal`` marks a failure that every later call would meet too (a bad key, an unknown model, a spent
    quota): the run stops. ``call`` is the ledger entry of the call that failed, where one was made.
    """

    exit_status = 1

    def __init__(
        self, what: str, *, where: str = "", remedy: str = "", fatal: bool = False, call: Call | None = None
    ) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.fatal = fatal
        self.call = call


class BatchError(PhoropterError):
    """A batch could not be submitted or collected: nothing failed, what is out stays out, the command ends.

    ``passing``: the same may well succeed a little later.
    """

    exit_status = 1

    def __init__(self, what: str, *, where: str = "", remedy: str = "", passing: bool = False) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.passing = passing


class BudgetError(PhoropterError):
    """The next request might pass the run's budget: the run stops, and its trajectory stays open where it is."""

    exit_status = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One unusable place in the data: ``row`` counts from 1 at the first row of data, 0 where none applies."""

    file: str
    row: int
    field: str
    what: str

    def __str__(self) -> str:
        place = self.file + (f", row {self.row}" if self.row else "") + (f", {self.field}" if self.field else "")
        return f"{place}: {self.what}"


class DataError(PhoropterError):
    """Unusable data, all problems together; nothing was run and nothing was written."""

    SHOWN = 20

    def __init__(self, problems: Sequence[Problem], *, remedy: str = "") -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        lines = [str(problem) for problem in self.problems[: self.SHOWN]]
        if count > self.SHOWN:
            lines.append(f"... and {count - self.SHOWN} more")
        head = "one problem in the data" if count == 1 else f"{count} problems in the data"
        super().__init__(head + "\n  " + "\n  ".join(lines), remedy=remedy)

    def __str__(self) -> str:
        return f"{self.what}\n{self.remedy}" if self.remedy else self.what
