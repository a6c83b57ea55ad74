"""``phoropter make leakage``: whether the words of an MMRA set give its answers away, and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.benchmarks.base import LoadOptions
from core.benchmarks.mmra.load import load
from core.benchmarks.mmra.question import Question, question
from core.curation.mmra.leakage import Checked, Leak, check, checked, sent_back
from core.errors import DataError
from core.planning import Request, mends
from core.records import Item
from core.selection import Filter
from sessions.curating.leaking import right_by_item
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.making.going import How, ended, go
from tui.cli.output import put_json, put_table, say
from tui.counting import counted

if TYPE_CHECKING:
    from core.config import Config
    from sessions.store import Store

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Found:
    """Every test of a check, and which items go back for what."""

    leaks: list[Leak]
    back: Mapping[str, str]
    items: int

    @property
    def flagged(self) -> list[Leak]:
        return [leak for leak in self.leaks if leak.flagged]

    def line(self) -> str:
        """In one line."""
        if not self.flagged:
            return f"nothing beats chance ({counted(len(self.leaks), 'test')} on {counted(self.items, 'item')})"
        return "; ".join(leak.reason() for leak in self.flagged[:3]) + (" ..." if len(self.flagged) > 3 else "")

    def to_json(self) -> dict[str, Any]:
        return {
            "tests": len(self.leaks),
            "flagged": [
                {
                    "subtask": leak.subtask,
                    "guesser": leak.guesser,
                    "right": leak.right,
                    "n": leak.n,
                    "expected": round(leak.expected, 2),
                    "p": leak.p,
                }
                for leak in self.flagged
            ],
        }


def found_by(
    store: Store,
    file: Path,
    made: Sequence[tuple[Item, Question]],
    text_only: Sequence[str],
    how: How,
    settings: Config,
    *,
    seed: int,
) -> Found | None:
    """Cues, and these respondents asked the questions alone; None where one of them could not answer everything."""
    said: dict[str, Mapping[str, bool]] = {}
    for name in text_only:
        request = Request("mmra", data=file, protocol="qo", respondent=name, filter=Filter({}, seed=seed))
        gone = go(store, request, how, settings)
        if gone.document["failed"] or gone.document["open"] or gone.document["stopped"]:
            say(f"{gone.run.name}: {name} did not answer everything; the same command goes on from there")
            return None
        said[gone.plan.respondent.name] = right_by_item(store, gone.run)
    items: list[Checked] = checked([(item.id, view) for item, view in made], said)
    leaks = check(items)
    return Found(leaks, sent_back(items, leaks), len(items))


def leakage(data: Path, text_only: Sequence[str], how: How, *, seed: int) -> int:
    """The check on any MMRA set, with a table of the likeliest leaks."""
    settings = how.settings()
    dataset = load(data, "", LoadOptions())
    if problems := dataset.problems():
        raise DataError(problems, remedy=mends(problems, "check"))
    made = [(item, question(item)) for item in dataset]
    try:
        with how.opened(settings) as store:
            found = found_by(store, data, made, text_only, how, settings, seed=seed)
    except (Interrupted, BrokenOff) as by:
        return ended(by, how)
    if found is None:
        return 1
    if how.as_json:
        put_json(found.to_json() | {"back": dict(found.back)})
        return 0
    from rich.table import Table

    table = Table(title=f"leakage of {data}: what beats chance without a picture", title_justify="left")
    for name in ("subtask", "guesser", "right", "n", "by chance", "p (Holm)", ""):
        table.add_column(name, justify="left" if name in ("subtask", "guesser", "") else "right")
    for leak in found.leaks[:SHOWN]:
        cells = (str(leak.right), str(leak.n), f"{leak.expected:.1f}", f"{leak.p:.4f}")
        table.add_row(leak.subtask, leak.guesser, *cells, "leaks" if leak.flagged else "")
    put_table(table)
    say(found.line())
    return 0
