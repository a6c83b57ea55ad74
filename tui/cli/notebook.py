"""``phoropter notes`` and ``phoropter export notes``: the notebook without a screen."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from core.benchmarks import registry
from core.config import Config
from core.disputes import proposal
from core.errors import UsageError
from core.records import Item, Origin, Step, Trajectory, Turn, first_wrong, named
from core.tables import Report, Table
from sessions import disputes, grading, notebook, reading
from sessions.entries import Entry, entries
from sessions.notebook import Target
from sessions.runs import every_run, find_run, runs
from sessions.store import Store
from tui.cli.exporting import note_export, opened_to_export
from tui.cli.formats.delimited import cell
from tui.cli.formats.markdown import escaped
from tui.cli.formats.writing import Wanted, refuse_formulas, write
from tui.cli.output import put, put_json, put_table, say
from tui.counting import counted
from tui.inert import one_line
from tui.state.tagging import tag_table

FORMATS: Final = ("csv", "jsonl", "md")
JSON_FIELDS: Final = ("values",)


def export_notes(store: Path | None, format_: str, *, past: bool, formula_safe: bool = False) -> int:
    """Everything in the notebook on stdout."""
    if format_ not in FORMATS:
        raise UsageError(f"there is no format {format_!r}", where="--format", remedy=f"Known: {', '.join(FORMATS)}")
    refuse_formulas(format_, formula_safe=formula_safe)
    with opened_to_export(store) as opened:
        with opened.snapshot():
            if format_ == "jsonl":
                for entry in entries(opened, past=past):
                    put(json.dumps(entry.to_json(), ensure_ascii=True))
            else:
                found = list(entries(opened, past=past))
                put(_csv(found, formula_safe=formula_safe) if format_ == "csv" else _markdown(found))
        note_export(opened, "notes", None, "", [each.run.id for each in runs(opened)])
    return 0


def _csv(found: Sequence[Entry], *, formula_safe: bool) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(Entry.__dataclass_fields__), lineterminator="\n")
    writer.writeheader()
    for entry in found:
        row = entry.to_json()
        row |= {name: json.dumps(row[name], ensure_ascii=False) for name in JSON_FIELDS}
        writer.writerow({name: cell(value, formula_safe=formula_safe) for name, value in row.items()})
    return text.getvalue()


def _markdown(found: Sequence[Entry]) -> str:
    """By item; what people wrote is quoted and escaped, so that nothing of it is taken for markup."""
    by_item: dict[str, list[Entry]] = {}
    for entry in found:
        item = escaped(one_line(entry.item))
        by_item.setdefault(f"{named(entry.benchmark, entry.subset)} {item}", []).append(entry)
    lines = ["# Notebook", ""]
    for item, those in by_item.items():
        lines += [f"## {item}", ""]
        for entry in those:
            where = ", ".join(escaped(one_line(word)) for word in (entry.run, entry.step) if word)
            past = ", changed since" if entry.past else ""
            lines.append(f"- **{entry.kind}** by {escaped(one_line(entry.author))}, {when(entry.updated)}{past}"
                         + (f" ({where})" if where else ""))  # fmt: skip
            lines += [f"  > {escaped(line)}" for line in [said(entry), *entry.text.split("\n")] if line]
        lines.append("")
    return "\n".join(lines)


def said(entry: Entry) -> str:
    """What an entry says beside its text."""
    if entry.kind == "grade":
        held = [f"{name} {'right' if right else 'wrong'}" for name, right in entry.values.items()]
        return ", ".join([*([entry.reason] if entry.reason else []), *(held or ["unscored"])])
    return ", ".join(f"right: {name} {value}" for name, value in entry.values.items())


def when(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def list_notes(store: Path | None, tag: str, item: str, *, as_json: bool) -> int:
    """What stands in the notebook, of one item or with one tag where asked."""
    wanted = notebook.clean_tag(tag) if tag else ""
    with Store.open(store, create=False, read_only=True) as opened, opened.snapshot():
        found = [
            entry
            for entry in entries(opened)
            if (not item or entry.item == item) and (not wanted or (entry.kind, entry.text) == ("tag", wanted))
        ]
    if as_json:
        put_json([entry.to_json() for entry in found])
        return 0
    if not found:
        say("nothing is written there")
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("what", "by", "item", "run", "step", "says"):
        table.add_column(column, overflow="fold")
    for entry in found:
        words = " · ".join(filter(None, (said(entry), one_line(entry.text))))
        short = words if len(words) <= 200 else words[:199] + "…"
        row = (
            entry.kind,
            entry.author,
            f"{named(entry.benchmark, entry.subset)} {entry.item}",
            entry.run,
            entry.step,
        )
        table.add_row(*map(one_line, row), short)
    put_table(table)
    return 0


# -- writing into it


def write_note(
    store: Path | None, config: Config, what: str, text: str, run: str, step: str, *, item: bool, delete: bool
) -> int:
    """A note on a step, a trajectory, or (``item``) the item itself; ``delete`` takes its words away instead."""
    if delete and text:
        raise UsageError(
            "a note is written or taken away", where="--delete", remedy="Leave the words or --delete out"
        )
    if not delete and not text.strip():
        raise UsageError("the note is empty", where=what, remedy="Write its words, or take it away with --delete")
    with Store.open(store, create=False) as opened:
        if item:
            its_item, target = _item(opened, what), Target()
        else:
            found = _trajectory(opened, what, run)
            its_item, target = found.item, Target(found.id, _step(found, step).id if step else 0)
            target = Target(step=target.step) if target.step else target
        notebook.write(opened, its_item, target, config.pseudonym, text)
    say(f"noted on the {target.word} of {one_line(its_item.id)}" if text.strip() else "the note is empty now")
    return 0


def tag_step(store: Path | None, config: Config, what: str, tag: str, run: str, step: str) -> int:
    """Tag a step, the first wrong one where none is named; the same tag again takes it away."""
    with Store.open(store, create=False) as opened:
        found = _step(_trajectory(opened, what, run), step)
        given = notebook.toggle(opened, found.id, config.pseudonym, tag)
    say(f"{found.turn.step}: #{notebook.clean_tag(tag)} {'given' if given else 'taken away'}")
    return 0


def dispute_gold(
    store: Path | None,
    config: Config,
    what: str,
    reason: str,
    run: str,
    step: str,
    values: Mapping[str, str],
    *,
    withdraw: bool,
) -> int:
    """Dispute an item's gold, at a step with the right values or as a whole; or ``withdraw`` that."""
    with Store.open(store, create=False) as opened:
        if not step:
            item, corrected = _item(opened, what), {}
            if values:
                raise UsageError("right values belong to a step", where="--right", remedy="Name it with --step")
        else:
            item, turn = _turn(opened, what, run, step)
            corrected = proposal(registry.get(item.benchmark), item, turn, values)
        if withdraw:
            if not disputes.withdraw(opened, item, config.pseudonym, step):
                raise UsageError(f"{config.pseudonym} disputes nothing there", where=item.id)
        else:
            disputes.dispute(opened, item, config.pseudonym, reason, step, corrected)
    say(f"the gold of {one_line(item.id)} is {'no longer disputed' if withdraw else 'disputed'}")
    return 0


def grade_step(
    store: Path | None,
    config: Config,
    what: str,
    run: str,
    step: str,
    verdicts: Mapping[str, str],
    reason: str,
    note: str,
) -> int:
    """Your own score of a step, beside the others'. Properties that are not named stay as the rule has them."""
    known = next((one for one in grading.REASONS if one == reason.replace("-", " ")), None)
    if known is None:
        told = ", ".join(one.replace(" ", "-") for one in grading.REASONS if one)
        raise UsageError(f"there is no reason {reason!r}", where="--reason", remedy=f"Known: {told}")
    with Store.open(store, create=False) as opened:
        path = _trajectory(opened, what, run)
        found = _step(path, step)
        if why := grading.against_grading(found.origin):
            raise UsageError(why, where=f"{one_line(path.item.id)} {found.turn.step}")
        layout = registry.get(path.item.benchmark).layout(found.turn.step)
        score = found.score()
        right, scored = (score.right, score.scored) if score is not None else (0, 0)
        for name, verdict in verdicts.items():
            unit, _, property_name = name.rpartition(".")
            units = range(layout.units)
            if property_name not in layout.properties or (unit and not (unit.isdigit() and int(unit) - 1 in units)):
                raise UsageError(
                    f"{found.turn.step} has no property {name!r}",
                    where=name,
                    remedy=f"It has: {', '.join(layout.properties)}",
                )
            if verdict not in ("right", "wrong", "unscored"):
                raise UsageError(f"a property is right, wrong or unscored, not {verdict!r}", where=name)
            for each in (int(unit) - 1,) if unit else units:
                bit = layout.bit(property_name, each)
                right = right | bit if verdict == "right" else right & ~bit
                scored = scored & ~bit if verdict == "unscored" else scored | bit
        given = grading.grade(opened, found.id, config.pseudonym, right, scored, known, note)
    verdict = "right" if given.correct else "wrong" if given.scored else "unscored"
    say(f"{one_line(path.item.id)} {found.turn.step}: {verdict}, by {given.author}")
    return 0


def _item(store: Store, what: str) -> Item:
    rows = reading.find_items(store, what)
    if len(rows) != 1:
        told = "there is no such item" if not rows else f"{counted(len(rows), 'item')} have this id"
        raise UsageError(
            told, where=what[:200], remedy="Name BENCHMARK:SUBSET/ID, or the beginning of its hash (items --json)"
        )
    return reading.item(store, rows[0])


def _trajectory(store: Store, what: str, run: str) -> Trajectory:
    """The trajectory of that number, or the main one on an item in that run, or in the only one that has it."""
    wanted = find_run(store, run) if run else None
    names = {summary.run.id: summary.run.name for summary in runs(store)}
    found = [
        one
        for one in reading.trajectories_on(store, what, wanted.id if wanted is not None else None)
        if one[1].parent is None and one[1].repeat == 0
    ]
    if not found and what.isdecimal() and len(what) <= 18:
        one = reading.trajectory(store, int(what))
        found = [one] if one is not None and (wanted is None or one[0] == wanted.id) else []
    if len(found) != 1:
        told = "nothing is stored on it" if not found else "several runs have it"
        listed = ", ".join(f"{names[number]} ({one.id})" for number, one in found)
        raise UsageError(
            told,
            where=what[:200],
            remedy=f"Name a run with --run, or a trajectory's number: {listed}"
            if found
            else "`phoropter show ITEM` lists trajectories",
        )
    return found[0][1]


def _turn(store: Store, what: str, run: str, step: str) -> tuple[Item, Turn]:
    """The item, and how it was asked at that step: a dispute is of the item, so that where no run is named any will
    do that asked the same and took the same for right."""
    paths = [] if run else [path for _, path in reading.trajectories_on(store, what, None)]
    asked = [(path.item, one.turn) for path in paths for one in path.steps if one.turn.step == step]
    if len({_what_is_right(item, turn) for item, turn in asked}) == 1:
        return asked[0]
    path = paths[0] if paths and not asked else _trajectory(store, what, run)
    return path.item, _step(path, step).turn


def _what_is_right(item: Item, turn: Turn) -> tuple[object, ...]:
    """Alike for two turns where a correction means the same in both: a letter does under the same options alone."""
    offer = registry.get(item.benchmark).offer(item, turn)
    options = [(letter, option.text) for letter, option in offer.options.items()] if offer is not None else []
    return item.hash, turn.form, tuple(sorted(turn.gold.items())), tuple(options)


def _step(path: Trajectory, name: str) -> Step:
    """The step of that name, without one the first wrong one."""
    if not name:
        wrong = first_wrong(path.steps)
        if wrong is None:
            raise UsageError("no step of it is wrong", where=path.item.id, remedy="Name one with --step")
        return path.steps[wrong]
    own = [step for step in path.steps if step.turn.step == name]
    if not own:
        known = ", ".join(step.turn.step for step in path.steps) or "none"
        raise UsageError(f"it has no step {name!r}", where=path.item.id, remedy=f"It has: {known}")
    return next((step for step in own if step.origin is Origin.RESPONDENT), own[-1])


# -- tags by model and step


def report_tags(store: Path | None, names: Sequence[str], how: Wanted) -> int:
    """How often each tag stands at each step, by run."""
    with Store.open(store, create=False, read_only=True) as opened:
        chosen = [find_run(opened, name) for name in names] if names else every_run(opened)[::-1]
        counts = notebook.tag_counts(opened, [run.id for run in chosen])
    rows = [{name: getattr(count, name) for name in notebook.TagCount.__dataclass_fields__} for count in counts]
    if not counts and how.format != "json":
        say("no step of these runs has a tag")
        return 0
    header, lines = tag_table(counts)
    table = Table("tags by run and step", header, lines, words=header[:3])
    write(Report("Tags", [table], {"tags": rows}, rows), how)
    return 0
