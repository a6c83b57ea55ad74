"""The form of a turn, drawn: each property with what stands for it, and the values to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widgets import Static

from tui.inert import one_line
from tui.sitting.state.answering import Answering, Asked, Choice

OPEN = "…"
INDENT = 3


class FormText(Static):
    """``lists``: the values of the property that keys go to are shown, of all of them where there is room."""

    def __init__(self, answering: Answering, *, lists: bool, rows: int) -> None:
        super().__init__("", id="form", markup=False)
        self.answering = answering
        self._lists = lists
        self.rows = rows

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """The state as it is."""
        width = self.size.width or self.app.size.width
        drawn = form_lines(self.answering, width, lists=self._lists, rows=self.rows)
        self.update(Content("\n").join(drawn), layout=False)


def wanted_rows(answering: Answering, width: int, height: int, *, lists: bool) -> int:
    """How many rows it takes: with all lists on a screen that is high enough for that, else with the longest."""
    heads = len(_heads(answering))
    blocks = [_list_rows(one, width) if lists or one.texts else 1 for one in answering.fields]
    every = heads + sum(blocks)
    return every if every <= height // 3 else heads + max(blocks, default=0)


def form_lines(answering: Answering, width: int, *, lists: bool, rows: int) -> list[Content]:
    """Every row of it, at most ``rows`` where a list can be left out."""
    heads = _heads(answering)
    shown = {place: _listed(answering, place, width, lists=lists) for place in range(len(answering.fields))}
    grouped = any(len(places) > 1 for places in heads)
    every = not grouped and len(heads) + sum(map(len, shown.values())) <= rows
    lines: list[Content] = []
    for places in heads:
        if answering.fields[places[0]].label:
            lines.append(_head(answering, places, width, marked=len(answering.fields) > 1))
        lines.extend(line for place in places if every or place == answering.at for line in shown[place])
    return lines


def _heads(answering: Answering) -> list[list[int]]:
    """Places of the properties by row: those of one picture (``2.subject``) share one."""
    rows: dict[str, list[int]] = {}
    for place, one in enumerate(answering.fields):
        rows.setdefault(one.unit or f" {one.name}", []).append(place)
    return list(rows.values())


def _head(answering: Answering, places: Sequence[int], width: int, *, marked: bool) -> Content:
    wide = max(cell_len(one_line(one.label)) for one in answering.fields)
    grouped = len(places) > 1
    line = Content(f" {one_line(answering.fields[places[0]].unit)}  " if grouped else "")
    for place in places:
        one, here = answering.fields[place], place == answering.at and marked
        name = one_line(one.short if grouped else one.label)
        if not grouped:
            name += " " * (wide - cell_len(name))
        said = one_line(one.shown) or one_line(one.typed) or OPEN
        cursor = "▏" if here and one.typed and not one.shown else ""
        style = "bold" if one.chosen is not None else "$text-muted"
        part = Content.assemble(
            ("▌" if here else " ", "$text-accent"), (f"{name} ", "bold" if here else ""), (f"{said}{cursor} ", style)
        )
        line += part.stylize(f"@click=screen.to_field({place})")
    return line.truncate(width, ellipsis=True)


def _listed(answering: Answering, place: int, width: int, *, lists: bool) -> list[Content]:
    """The values of one property. Without lists, only what fits what was typed, and letters with their texts."""
    one = answering.fields[place]
    if one.texts:
        return [line for at, choice in enumerate(one.choices) for line in _lettered(one, place, at, choice, width)]
    fitting = one.matching(one.typed) if one.typed else []
    if not lists and not fitting and len(one.choices) > len(one.keyed):
        return []
    lines, line = [], Content(" " * INDENT)
    for at, choice in enumerate(one.choices):
        if not lists and not choice.key and at not in fitting:
            continue
        word = _word(one, place, at, choice, dim=bool(one.typed) and at not in fitting)
        if line.cell_length + word.cell_length > width and line.cell_length > INDENT:
            lines.append(line)
            line = Content(" " * INDENT)
        line += word
    return [*lines, line] if line.cell_length > INDENT else lines


def _word(one: Asked, place: int, at: int, choice: Choice, *, dim: bool) -> Content:
    style = "bold reverse" if at == one.chosen else "$text-disabled" if dim else ""
    key = (f"{choice.key} ", "bold $text-accent") if choice.key and choice.key != choice.label else ("", "")
    word = Content.assemble(key, (one_line(choice.label), style), "  ")
    return word.stylize(f"@click=screen.pick_value({place}, {at})")


def _lettered(one: Asked, place: int, at: int, choice: Choice, width: int) -> list[Content]:
    style = "bold reverse" if at == one.chosen else ""
    mark = "▶" if at == one.chosen else " "
    head = Content.assemble((f" {mark}", "$text-accent"), (f"{choice.label} ", "bold $text-accent"))
    texts = Content(one_line(choice.text)).wrap(max(width - head.cell_length, 8)) or [Content("")]
    lines = [head + texts[0].stylize(style) if style else head + texts[0]]
    lines.extend(Content(" " * head.cell_length) + (text.stylize(style) if style else text) for text in texts[1:])
    return [line.stylize(f"@click=screen.pick_value({place}, {at})") for line in lines]


def _list_rows(one: Asked, width: int) -> int:
    if one.texts:
        return sum(max(-(-(cell_len(choice.text) + 4) // max(width, 1)), 1) for choice in one.choices)
    room, rows, used = width - INDENT, 1, 0
    for choice in one.choices:
        need = cell_len(choice.label) + 2 + (len(choice.key) + 1 if choice.key else 0)
        if used and used + need > room:
            rows, used = rows + 1, 0
        used += need
    return rows
