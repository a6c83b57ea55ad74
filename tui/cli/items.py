"""``phoropter items``: what a data file holds."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from core.benchmarks.base import Benchmark
from core.errors import DataError, UsageError
from core.planning import Request, load, make_protocol, mends, protocol_name
from core.records import Item, named
from core.selection import Selection
from tui.cli.documents import item_document
from tui.cli.output import put, put_json, put_table, say
from tui.counting import counted
from tui.inert import inert, one_line


def _selected(request: Request, protocol: str = "") -> tuple[Benchmark, str, Selection]:
    benchmark, subset, dataset = load(request, protocol)
    problems = dataset.problems()
    if problems and not request.skip_bad:
        raise DataError(problems, remedy=mends(problems, "see"))
    if problems:
        say(f"left out, {counted(len(problems), 'problem')} in the data; the first: {problems[0]}")
    selection = Selection(dataset, request.filter, skip_bad=request.skip_bad)
    selection.refuse_nothing()
    return benchmark, subset, selection


def list_items(request: Request, *, as_json: bool) -> int:
    """A line an item: id, groups, and what it asks."""
    benchmark, subset, selection = _selected(request)
    if as_json:
        put_json([item_document(item) for item in selection])
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("item", *benchmark.groups, "asks"):
        table.add_column(column, overflow="fold")
    count = 0
    for item in selection:
        count += 1
        table.add_row(
            item.id, *(item.groups.get(group, "") for group in benchmark.groups), one_line(benchmark.title(item))
        )
    put_table(table)
    say(f"{counted(count, 'item')} of {named(benchmark.name, subset)}")
    return 0


def show_items(request: Request, ids: Sequence[str], *, as_json: bool) -> int:
    """Items whole: pictures, groups, and what the protocol asks first to last with the gold."""
    benchmark, subset, selection = _selected(request, protocol_name(request))
    wanted = dict.fromkeys(ids)
    found: dict[str, Item] = {}
    known: list[str] = []
    for item in selection:
        known.append(item.id)
        if item.id in wanted:
            found[item.id] = item
    for item_id in wanted:
        if item_id not in found:
            near = get_close_matches(item_id, known, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"`phoropter items {request.benchmark}` lists them"
            raise UsageError("there is no such item", where=item_id, remedy=hint)
    if as_json:
        put_json([item_document(found[item_id]) for item_id in wanted])
        return 0
    protocol = make_protocol(benchmark, subset, request)
    for item_id in wanted:
        item = found[item_id]
        groups = "  ".join(f"{key} {value}" for key, value in item.groups.items())
        put(inert(f"{item.id}  {named(benchmark.name, subset)}  {groups}"))
        put(inert(f"  {benchmark.title(item)}"))
        for number, picture in enumerate(item.pictures, 1):
            shown = f" ({picture.depicts})" if picture.depicts else ""
            put(inert(f"  picture {number}: {picture.path or picture.name}{shown}"))
        first = protocol.next_turn(item, ())
        if first is not None:
            put(inert(f"  asked first ({first.step}):\n    " + first.text.replace("\n", "\n    ")))
        put(inert(f"  answer: {_answer(item)}"))
        put("")
    return 0


def _answer(item: Item) -> str:
    answer = item.facts.get("answer", "")
    return " ".join(answer) if isinstance(answer, (list, tuple)) else str(answer)
