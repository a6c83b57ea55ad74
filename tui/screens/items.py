"""The list of items: any number, filtered as you type or by their values, sorted, kept up to date."""

from __future__ import annotations

import asyncio
import time
from itertools import count
from typing import TYPE_CHECKING, ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.events import Key
from textual.message import Message
from textual.widgets import Input

from tui.actions import BROWSING
from tui.counting import counted
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.filtering import parse, toggled
from tui.state.roster import ORDERS, Facet, Order, View
from tui.widgets.items import FacetLines, ItemLines
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines
from tui.widgets.one_line import OneLine

if TYPE_CHECKING:
    from tui.mannered import Mannered
    from tui.state.live import Live
    from tui.state.stepping import Stepping

DEBOUNCE_S = 0.12
LOOK_S = 0.5
PLACEHOLDER = "words, rule=19, status=wrong, wrong=relate"


class ItemsScreen(Dialog[int | None]):
    """Gives back the position of the chosen item, None where it was left with Esc. The filter is kept in either case:
    it is the view of ``stepping.roster``."""

    CSS_PATH = "items.tcss"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings(BROWSING)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012  as Textual declares it

    class Matched(Message):
        """The filter has been worked out."""

        def __init__(self, view: View, facets: tuple[Facet, ...], keep: bool) -> None:
            super().__init__()
            self.view, self.facets, self.keep = view, facets, keep

    def __init__(self, stepping: Stepping, live: Live | None = None, *, filtering: bool = False) -> None:
        super().__init__()
        self._stepping = stepping
        self._roster = stepping.roster
        self._live = live
        self._filtering = filtering
        self._typed = ""
        self._ready = False
        self._order: Order = stepping.roster.view.order
        self._seen = -1
        self._matched_at = 0.0
        self._turns = count(1)
        self._turn = 0

    def compose(self) -> ComposeResult:
        yield OneLine(id="items-heading")
        # no selection on focus: it comes after what was typed ahead, and the next key would replace that
        yield Input(self._roster.view.text, placeholder=PLACEHOLDER, select_on_focus=False, id="filter")
        with Horizontal(id="browse"):
            yield ItemLines(self._stepping, id="items")
            yield FacetLines(id="values")
        yield KeyBar(SCOPES["items"])

    def on_mount(self) -> None:
        self.query_one(ItemLines).show(self._stepping.position)
        self.set_focus(self.query_one("#filter" if self._filtering else "#items"))
        self._seen = self._roster.version
        self._heading()
        self._ready = True
        self.type(self._typed)
        self._match(self._roster.view.text, 0, keep=True)
        self.set_interval(LOOK_S, self._look)

    # -- matching: debounced, in a thread, the latest alone counts

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.value.strip() != self._roster.view.text:
            self._match(event.value, DEBOUNCE_S, keep=False)

    @work(name="filter", group="filter", exclusive=True)
    async def _match(self, text: str, wait: float, *, keep: bool) -> None:
        turn = self._turn = next(self._turns)
        await asyncio.sleep(wait)
        if keep:
            await cast("Mannered", self.app).stillness.waiting()()
        if self._order != ORDERS[0] and not self._roster.knows_difficulty and self._live is not None:
            await self._live.learn_difficulty()
        order = self._order

        def matched() -> tuple[View, tuple[Facet, ...]]:
            view = self._roster.match(text, order, lambda: turn != self._turn)
            return view, self._roster.facets(view) if turn == self._turn else ()

        view, facets = await asyncio.to_thread(matched)
        if turn == self._turn:
            self.post_message(self.Matched(view, facets, keep))

    def on_items_screen_matched(self, message: Matched) -> None:
        lines = self.query_one(ItemLines)
        under = lines.chosen[lines.cursor] if message.keep and lines.cursor < lines.count else None
        self._stepping.take_view(message.view)
        self._seen, self._matched_at = self._roster.version, time.monotonic()
        lines.show(self._stepping.position if under is None else under)
        self.query_one(FacetLines).show(message.facets)
        self._heading()

    def _look(self) -> None:
        """Take over what others stored, or what has been read of the data, since."""
        if self._roster.version == self._seen or not self.is_active:
            return
        self._seen = self._roster.version
        self.query_one(ItemLines).show()
        self._heading()
        text = self.query_one("#filter", Input).value
        if text.strip() == self._roster.view.text and time.monotonic() - self._matched_at > 4 * LOOK_S:
            self._match(text, 0, keep=True)

    def _heading(self) -> None:
        view, total = self._roster.view, counted(len(self._roster.items), "item")
        lines = self.query_one(ItemLines)
        lines.empty = tuple(map(one_line, self._roster.why_none()))
        if lines.empty:
            lines.refresh()
        said = f" {total}" if view.chosen is None else f" {len(view.chosen):,} of {total}"
        missing = "; ".join(one_line(each.what) for each in self._roster.nowhere())
        parts = [said, missing, "" if self._roster.complete else "reading on …", one_line(view.text)]
        parts.append("" if view.order == ORDERS[0] else view.order)
        self.query_one("#items-heading", OneLine).say(" · ".join(filter(None, parts)))

    # -- keys

    def on_input_submitted(self) -> None:
        lines = self.query_one(ItemLines)
        if lines.count == 1 and self.query_one("#filter", Input).value.strip() == self._roster.view.text:
            self.dismiss(lines.chosen[0])
        else:
            self.set_focus(lines)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        if isinstance(message.lines, FacetLines):
            row = message.lines.row(message.index)
            if row.value is not None:
                field = self.query_one("#filter", Input)
                field.value = toggled(parse(field.value, self._roster.items.groups), row.name, row.value).text
        elif isinstance(message.lines, ItemLines):
            self.dismiss(message.lines.chosen[message.index])

    async def on_key(self, event: Key) -> None:
        """Keys are acted on here, where they come in their order, and not further up: what is typed faster than the
        filter gets its focus goes in there. Down leaves the filter for the list."""
        field, focused = self.query_one("#filter", Input), self.focused
        if focused is not field:
            own = () if focused is None else focused._bindings.key_to_bindings
            bound = self._bindings.key_to_bindings.get(event.key, [])
            if bound and event.key not in own:
                event.stop()
                await self.run_action(bound[0].action)
        elif event.key == "down":
            self.set_focus(self.query_one(ItemLines))
        elif event.is_printable and event.character:
            event.stop()
            field.insert_text_at_cursor(event.character)

    def type(self, text: str) -> None:
        """What was typed for the filter before it stood."""
        if not self._ready:
            self._typed += text
        elif text and self._filtering:
            self.query_one("#filter", Input).insert_text_at_cursor(text)

    def action_open(self) -> None:
        self.query_one(ItemLines).action_choose()

    def action_filter(self) -> None:
        self.set_focus(self.query_one("#filter"))

    def action_values(self) -> None:
        values = self.query_one(FacetLines)
        if self.focused is values:
            self.remove_class("-values")
            self.set_focus(self.query_one(ItemLines))
        else:
            self.add_class("-values")
            self.set_focus(values)

    def action_order(self) -> None:
        self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self._match(self.query_one("#filter", Input).value, 0, keep=False)

    def action_all(self) -> None:
        self._order = ORDERS[0]
        field = self.query_one("#filter", Input)
        field.value = ""
        self._match("", 0, keep=False)

    def action_failing(self, by: int) -> None:
        if not self.query_one(ItemLines).next_failing(by):
            self.notify("no further failing item in this list", timeout=2, markup=False)

    def action_leave(self) -> None:
        if self.focused is self.query_one(ItemLines):
            self.dismiss(None)
        else:
            self.remove_class("-values")
            self.set_focus(self.query_one(ItemLines))
