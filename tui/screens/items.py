"""The list of items: any number, filtered as you type."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.state.stepping import Stepping
from tui.widgets.items import ItemLines, matching
from tui.widgets.lines import Lines


class ItemsScreen(ModalScreen[int | None]):
    """Gives back the index of the chosen item, None where it was left with Esc."""

    CSS_PATH = "items.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,i,q", "leave", "back"),
        Binding("slash", "filter", "filter"),
    ]

    class Matched(Message):
        """The filter has been worked out."""

        def __init__(self, chosen: list[int]) -> None:
            super().__init__()
            self.chosen = chosen

    def __init__(self, stepping: Stepping, *, filtering: bool) -> None:
        super().__init__()
        self._stepping = stepping
        self._filtering = filtering

    def compose(self) -> ComposeResult:
        yield Static("", id="items-heading", markup=False)
        yield Input(placeholder="words: an id, a group, the question, what a picture shows, wrong, open", id="filter")
        yield ItemLines(self._stepping, id="items")
        yield Static(" enter open   / filter   esc back", classes="keys", markup=False)

    def on_mount(self) -> None:
        self._take(list(range(len(self._stepping.items))))
        self.query_one("#filter" if self._filtering else "#items").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._match(event.value)

    @work(name="filter", group="filter", exclusive=True)
    async def _match(self, wanted: str) -> None:
        chosen = await asyncio.to_thread(matching, self._stepping.items, self._stepping, wanted)
        self.post_message(self.Matched(chosen))

    def on_items_screen_matched(self, message: Matched) -> None:
        self._take(message.chosen)

    def _take(self, chosen: list[int]) -> None:
        self.query_one(ItemLines).show(chosen)
        total = len(self._stepping.items)
        heading = f" {total:,} items" if len(chosen) == total else f" {len(chosen):,} of {total:,} items"
        self.query_one("#items-heading", Static).update(heading)

    def on_input_submitted(self) -> None:
        lines = self.query_one(ItemLines)
        if len(lines.chosen) == 1:
            self.dismiss(lines.chosen[0])
        else:
            lines.focus()

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        self.dismiss(self.query_one(ItemLines).chosen[message.index])

    def on_key(self, event: Key) -> None:
        """Down leaves the filter for the list."""
        if event.key == "down" and self.query_one("#filter").has_focus:
            self.query_one(ItemLines).focus()

    def action_filter(self) -> None:
        self.query_one("#filter").focus()

    def action_leave(self) -> None:
        if self.query_one("#filter").has_focus:
            self.query_one(ItemLines).focus()
        else:
            self.dismiss(None)
