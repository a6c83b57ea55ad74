"""A study's report in words and tables."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, NamedTuple

from core.records import Json
from core.study.alpha import Alpha
from core.study.checklist import Filled
from core.study.figures import PEOPLE, Difficulty
from core.tally import ALL, Cell
from sessions.studies.reporting import StudyReport
from tui.cli.output import console, markdown_table, put, put_json, say
from tui.cli.report import print_cells
from tui.counting import counted
from tui.inert import one_line

HARDEST: Final = 15
"""So many items are listed where nobody asks for all."""


class Page(NamedTuple):
    """A table with what stands above and below it. ``left`` columns hold words."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1
    note: str = ""


def say_changes(told: StudyReport) -> None:
    """What applying the rules changed, on stderr: it changed the store."""
    for session, rule, reason in told.applied.excluded:
        say(f"session {session} is excluded by rule {rule}: {reason}")
    for session, rule in told.applied.lifted:
        say(f"session {session} no longer breaks rule {rule}")
    for person in told.stopped:
        say(f"{person} withdrew while sitting: phoropter study withdraw {person} removes what is left")


def print_report(told: StudyReport, filled: Sequence[Filled], format_: str, *, items: bool) -> None:
    """In one of the formats; csv holds the accuracies alone, told apart by column ``sessions``."""
    if format_ == "json":
        put_json(told.to_json() | {"checklist": _checklist_json(filled)})
        return
    if format_ == "csv":
        put(_csv(told))
        return
    put(_heading(told) if format_ == "table" else f"# {_heading(told)}\n")
    for page in _before(told):
        _print(page, format_)
    if not told.cells:
        say("nothing has been answered yet in sessions that count")
    print_cells(told.cells, format_)
    if told.all_cells:
        _print(_beside_excluded(told), format_)
    if told.together:
        print_cells(told.together, format_)
    for page in _after(told, items=items):
        _print(page, format_)
    open_ = sum(not each.said for each in filled)
    say(f"reporting checklist: {len(filled) - open_} of {len(filled)} filled in (--checklist shows it)")


def print_checklist(filled: Sequence[Filled], format_: str) -> None:
    """The checklist alone."""
    if format_ == "json":
        put_json({"checklist": _checklist_json(filled)})
        return
    rows = [[each.entry.stage, each.entry.asks, each.answer] for each in filled]
    header = ("stage", "item", "answer")
    if format_ == "csv":
        put(_as_csv(header, rows))
        return
    _print(Page("Reporting checklist, after arXiv 2506.13776", header, rows, left=3), format_)


def _checklist_json(filled: Sequence[Filled]) -> list[dict[str, Json]]:
    return [
        {"key": f.entry.key, "stage": f.entry.stage, "asks": f.entry.asks, "answer": f.answer, "said": f.said}
        for f in filled
    ]


def _heading(told: StudyReport) -> str:
    kind = {"main": "", "pilot": " (pilot sessions)", "simulated": " (simulated: nobody sat there)"}
    return f"{told.found.record.name}{kind[told.found.kind]}"


def _before(told: StudyReport) -> Iterator[Page]:
    done = told.completion
    states = ", ".join(f"{count} {state}" for state, count in done.states.items()) or "none"
    rows = [
        ("sessions", f"{states}; {len(told.excluded)} excluded"),
        ("people", f"{done.people} in sessions that count"),
        ("answers", f"{done.valid} that count, of {done.answers} to main items; {done.practice} to practice, "
                    f"{done.catch} to catch items; {counted(done.reported, 'item')} found fault with"),
        ("items", f"{done.items}, {done.raters} people each: {done.complete} complete, {done.short} with fewer, "
                  f"{done.over} with more"),
    ]  # fmt: skip
    for version in told.versions:
        reason = f", amended: {one_line(version.reason)}" if version.reason else ""
        what = f"{version.digest[:16]}, {counted(version.sessions, 'session')}, {version.state}{reason}"
        rows.append((f"version {version.version}", what))
    yield Page("Completion", ("what", "how far"), rows, left=2)
    if told.excluded:
        lines = [
            (str(s.id), one_line(s.person), each.rule or "by hand", one_line(each.reason))
            for s in told.excluded
            for each in s.exclusions
        ]
        yield Page("Excluded sessions", ("session", "participant", "rule", "why"), lines, left=4)


def _beside_excluded(told: StudyReport) -> Page:
    """Each accuracy without the excluded sessions and with them."""
    kept = {_place(cell): cell for cell in told.cells}
    rows = []
    for cell in told.all_cells:
        own = kept.get(_place(cell))
        group = [cell.group] if cell.group_by != ALL else []
        counts = (
            _percent(own.accuracy) if own else "-",
            str(own.n) if own else "0",
            _percent(cell.accuracy),
            str(cell.n),
        )
        rows.append([one_line(cell.run), *group, cell.step, cell.property, *counts])
    grouped = any(cell.group_by != ALL for cell in told.all_cells)
    header = ("run", *(("group",) if grouped else ()), "step", "property", "without", "n", "with", "n")
    return Page("Accuracy in %, without and with excluded sessions", header, rows, left=4 if grouped else 3)


def _place(cell: Cell) -> tuple[str, str, str, str]:
    return cell.run, cell.group, cell.step, cell.property


def _after(told: StudyReport, *, items: bool) -> Iterator[Page]:
    several = len({row.condition for row in told.agreement}) > 1
    if told.agreement:
        rows = [
            [
                *_condition(row.condition, several),
                row.step,
                row.property,
                *_alpha(row.alpha),
                str(row.alpha.units),
                str(row.alpha.values),
                row.alpha.why,
            ]
            for row in told.agreement
        ]
        header = (*_condition("condition", several), "step", "property", "alpha", "95%", "units", "values", "why")
        yield Page("Agreement of people on what they chose: Krippendorff's alpha", header, rows, left=2 + several)
    if told.times:
        rows = [
            [
                *_condition(row.condition, several), row.step, row.measure, str(row.n),
                *(f"{value:.2f}" for value in (row.q05, row.q25, row.median, row.q75, row.q95)),
                f"{row.person_low:.2f} to {row.person_high:.2f}",
            ]
            for row in told.times
        ]  # fmt: skip
        header = (*_condition("condition", several), "step", "answer", "n", "5%", "25%", "median", "75%", "95%",
                  "people's medians")  # fmt: skip
        note = "Pauses taken out. Terminals and keyboards add tens of milliseconds."
        yield Page("Response times in seconds", header, rows, left=2 + several, note=note)
    if told.difficulty:
        shown: Sequence[Difficulty] = told.difficulty if items else _hardest(told)
        rows = [
            [*_condition(row.condition, several), row.step, one_line(row.item), str(row.people), _percent(row.share)]
            for row in shown
        ]
        header = (*_condition("condition", several), "step", "item", "people", "right")
        note = "" if len(shown) == len(told.difficulty) else f"{len(told.difficulty) - len(shown)} more with --items"
        yield Page("Items, the hardest first: % right", header, rows, left=3 + several, note=note)
    if told.against_gold:
        rows = [
            [
                *_condition(row.condition, several), one_line(row.item),
                row.step, f"{row.unit}.{row.property}" if row.unit else row.property,
                one_line(row.said), one_line(row.gold), f"{row.count} of {row.people}",
            ]
            for row in told.against_gold
        ]  # fmt: skip
        header = (*_condition("condition", several), "item", "step", "property", "people say", "gold", "how many")
        yield Page("Items where people agree against the gold", header, rows, left=5 + several)
    yield from _reported(told, several)


def _reported(told: StudyReport, several: bool) -> Iterator[Page]:
    if told.reported:
        rows = [
            [
                *_condition(row.condition, several),
                *map(one_line, (row.item, row.step, row.person, row.reason, row.words)),
            ]
            for row in told.reported
        ]
        header = (*_condition("condition", several), "item", "step", "participant", "what is wrong", "words")
        yield Page("Items that people found fault with, instead of answering", header, rows, left=6)


def _hardest(told: StudyReport) -> list[Difficulty]:
    """The hardest items of the last step of each condition."""
    last = {row.condition: row.step for row in told.difficulty}
    return [
        row
        for condition, step in last.items()
        for row in [row for row in told.difficulty if (row.condition, row.step) == (condition, step)][:HARDEST]
    ]


def _alpha(alpha: Alpha) -> tuple[str, str]:
    if alpha.value is None:
        return "undefined", ""
    between = "" if alpha.low is None or alpha.high is None else f"{alpha.low:.3f} to {alpha.high:.3f}"
    return f"{alpha.value:.3f}", between


def _condition(name: str, several: bool) -> tuple[str, ...]:
    return (one_line(name),) if several else ()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _print(page: Page, format_: str) -> None:
    if format_ == "md":
        put(f"\n**{page.title}**\n\n")
        put(markdown_table(page.header, page.rows))
        if page.note:
            put(page.note)
        return
    from rich.table import Table

    table = Table(title=page.title, caption=page.note or None, title_justify="left", caption_justify="left")
    for index, name in enumerate(page.header):
        words = index < page.left or name == "why"
        table.add_column(name, justify="left" if words else "right", overflow="fold")
    for row in page.rows:
        table.add_row(*row)
    console().print(table)


def _csv(told: StudyReport) -> str:
    names = ["sessions", *Cell.__dataclass_fields__]
    parts = (("without excluded", told.cells), ("with excluded", told.all_cells), (PEOPLE, told.together))
    rows = chain.from_iterable(([{"sessions": what, **cell.to_json()} for cell in cells] for what, cells in parts))
    return _as_csv(names, [[str(row[name]) if row[name] is not None else "" for name in names] for row in rows])


def _as_csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
