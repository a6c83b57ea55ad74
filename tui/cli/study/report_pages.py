"""A study's report in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from core.cells import ALL, Cell
from core.records import Json
from core.study.alpha import Alpha
from core.study.checklist import Filled
from core.study.figures import PEOPLE, Difficulty
from core.tables import Report, Table, Words
from core.version import own_version
from sessions.studies.reporting import StudyReport
from tui.cli.cell_tables import cell_tables, percent
from tui.cli.output import say
from tui.counting import counted
from tui.inert import one_line

HARDEST: Final = 15
"""So many items are listed where nobody asks for all."""


def say_changes(told: StudyReport) -> None:
    """What applying the rules changed, on stderr: it changed the store."""
    for session, rule, reason in told.applied.excluded:
        say(f"session {session} is excluded by rule {rule}: {reason}")
    for session, rule in told.applied.lifted:
        say(f"session {session} no longer breaks rule {rule}")


def study_report(told: StudyReport, filled: Sequence[Filled], *, items: bool) -> Report:
    """Everything; csv holds the accuracies alone, told apart by column ``sessions``."""
    parts: list[Table | Words] = [Words(_heading(told), heading=True), *_before(told), *cell_tables(told.cells)]
    if told.all_cells:
        parts.append(_beside_excluded(told))
    parts += [*cell_tables(told.together), *_after(told, items=items), Words(_stood_on(told))]
    document = told.to_json() | {"checklist": _checklist_json(filled), "version": own_version()}
    return Report(_heading(told), parts, document, _records(told), ["sessions", *Cell.__dataclass_fields__])


def say_what_lacks(told: StudyReport, filled: Sequence[Filled]) -> None:
    """On stderr, what is not there yet."""
    if not told.cells:
        say("nothing has been answered yet in sessions that count")
    open_ = sum(not each.said for each in filled)
    say(f"reporting checklist: {len(filled) - open_} of {len(filled)} filled in (--checklist shows it)")


def checklist_report(filled: Sequence[Filled]) -> Report:
    """The checklist alone."""
    header = ("stage", "item", "answer")
    rows = [[each.entry.stage, each.entry.asks, each.answer] for each in filled]
    records = [dict(zip(header, row, strict=True)) for row in rows]
    title = "Reporting checklist, after arXiv 2506.13776"
    return Report(
        "", [Table(title, header, rows, words=header)], {"checklist": _checklist_json(filled)}, records, header
    )


def _checklist_json(filled: Sequence[Filled]) -> list[dict[str, Json]]:
    return [
        {"key": f.entry.key, "stage": f.entry.stage, "asks": f.entry.asks, "answer": f.answer, "said": f.said}
        for f in filled
    ]


def _heading(told: StudyReport) -> str:
    kind = {"main": "", "pilot": " (pilot sessions)", "simulated": " (simulated: nobody sat there)"}
    return f"{told.found.record.name}{kind[told.found.kind]}"


def _stood_on(told: StudyReport) -> str:
    digests = ", ".join(f"version {version.version} {version.digest[:16]}" for version in told.versions)
    return f"Phoropter {own_version()}; scored by {told.scorer}; study {told.found.record.name}: {digests}"


def _before(told: StudyReport) -> Iterator[Table]:
    done = told.completion
    states = ", ".join(f"{count} {state}" for state, count in done.states.items()) or "none"
    rows = [
        ("sessions", f"{states}; {len(told.excluded)} excluded"),
        ("people", f"{done.people} were asked items in sessions that count"),
        ("answers", f"{done.valid} that count, of {done.answers} to main items; {done.practice} to practice, "
                    f"{done.catch} to catch items; {counted(done.reported, 'item')} found fault with"),
        ("items", f"{done.items}, {done.raters} people each: {done.complete} complete, {done.short} with fewer, "
                  f"{done.over} with more"),
    ]  # fmt: skip
    for version in told.versions:
        reason = f", amended: {one_line(version.reason)}" if version.reason else ""
        what = f"{version.digest[:16]}, {counted(version.sessions, 'session')}, {version.state}{reason}"
        rows.append((f"version {version.version}", what))
    yield _table("Completion", ("what", "how far"), rows, left=2)
    if told.excluded:
        lines = [
            (str(s.id), one_line(s.person), each.rule or "by hand", one_line(each.reason))
            for s in told.excluded
            for each in s.exclusions
        ]
        yield _table("Excluded sessions", ("session", "participant", "rule", "why"), lines, left=4)


def _beside_excluded(told: StudyReport) -> Table:
    """Each accuracy without the excluded sessions and with them."""
    kept = {_place(cell): cell for cell in told.cells}
    rows = []
    for cell in told.all_cells:
        own = kept.get(_place(cell))
        group = [cell.group] if cell.group_by != ALL else []
        counts = (
            percent(own.accuracy) if own else "-",
            str(own.n) if own else "0",
            percent(cell.accuracy),
            str(cell.n),
        )
        rows.append([one_line(cell.run), *group, cell.step, cell.property, *counts])
    grouped = any(cell.group_by != ALL for cell in told.all_cells)
    header = ("run", *(("group",) if grouped else ()), "step", "property", "without", "n", "with", "n")
    return _table("Accuracy in %, without and with excluded sessions", header, rows, left=4 if grouped else 3)


def _table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1, note: str = ""
) -> Table:
    """``left`` columns hold words."""
    words = [name for index, name in enumerate(header) if index < left or name == "why"]
    return Table(title, header, rows, words=words, notes=(note,))


def _place(cell: Cell) -> tuple[str, str, str, str]:
    return cell.run, cell.group, cell.step, cell.property


def _after(told: StudyReport, *, items: bool) -> Iterator[Table]:
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
        yield _table("Agreement of people on what they chose: Krippendorff's alpha", header, rows, left=2 + several)
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
        yield _table("Response times in seconds", header, rows, left=2 + several, note=note)
    if told.difficulty:
        shown: Sequence[Difficulty] = told.difficulty if items else _hardest(told)
        rows = [
            [*_condition(row.condition, several), row.step, one_line(row.item), str(row.people), percent(row.share)]
            for row in shown
        ]
        header = (*_condition("condition", several), "step", "item", "people", "right")
        note = "" if len(shown) == len(told.difficulty) else f"{len(told.difficulty) - len(shown)} more with --items"
        yield _table("Items, the hardest first: % right", header, rows, left=3 + several, note=note)
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
        yield _table("Items where people agree against the gold", header, rows, left=5 + several)
    yield from _reported(told, several)


def _reported(told: StudyReport, several: bool) -> Iterator[Table]:
    if told.reported:
        rows = [
            [
                *_condition(row.condition, several),
                *map(one_line, (row.item, row.step, row.person, row.reason, row.words)),
            ]
            for row in told.reported
        ]
        header = (*_condition("condition", several), "item", "step", "participant", "what is wrong", "words")
        yield _table("Items that people found fault with, instead of answering", header, rows, left=6)


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


def _records(told: StudyReport) -> list[dict[str, Json]]:
    parts = (("without excluded", told.cells), ("with excluded", told.all_cells), (PEOPLE, told.together))
    return [{"sessions": what, **cell.to_json()} for what, cells in parts for cell in cells]
