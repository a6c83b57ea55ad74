"""Disputing the gold of a step, or of an item."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.suggester import SuggestFromList
from textual.widgets import Input, Static

from core.disputes import Dispute
from core.records import Turn
from sessions.drafts import Fields
from tui.inert import one_line
from tui.scopes import SCOPES
from tui.scopes.notebook import DISPUTE
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.edit import DRAFT_S
from tui.screens.settling import settled
from tui.widgets.keybar import KeyBar
from tui.widgets.turn_pictures import TurnPictures

ROWS_BESIDE: Final = 5
"""Of a heading, a problem, the keys and the pictures' captions."""


class DisputeScreen(Dialog[bool]):
    """True where the dispute is to be withdrawn. ``save`` stores one and says why it could not, else "": it takes the
    reason and the right values by field."""

    CSS_PATH = "dispute.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(DISPUTE, priority=True)

    def __init__(
        self,
        item: str,
        turn: Turn | None,
        before: Dispute | None,
        typed: Fields,
        save: Callable[[str, Mapping[str, str]], Awaitable[str]],
        pictures: TurnPictures,
    ) -> None:
        """``typed`` holds what was typed and not saved, the reason under ""; it is told once a second, and when the
        screen goes, however it goes. The ``pictures`` stand above the fields: what is right is seen there."""
        super().__init__()
        self._pictures = pictures
        self._item, self._turn, self._before, self._typed, self._save = item, turn, before, typed, save
        self._values = {"": before.reason if before else ""}
        for field in turn.form if turn else ():
            known = before.corrected.get(field.name) if before else None
            self._values[field.name] = known.value if known else ""
        self._stored = dict(self._values)
        self._values.update({name: text for name, text in typed.items() if name in self._values})
        self._ended = False

    def compose(self) -> ComposeResult:
        what = f"{one_line(self._turn.step)} of {one_line(self._item)}" if self._turn else one_line(self._item)
        with Vertical(id="dispute"):
            yield Static(f" dispute the gold of {what}", classes="heading", markup=False)
            yield self._pictures
            with VerticalScroll(can_focus=False):
                with Horizontal(classes="field"):
                    yield Static("why", classes="label", markup=False)
                    yield Input(self._values[""], id="why")
                for number, field in enumerate(self._turn.form if self._turn else ()):
                    with Horizontal(classes="field"):
                        yield Static(one_line(field.label or field.name), classes="label", markup=False)
                        gold = one_line(self._turn.gold.get(field.name, "")) if self._turn else ""
                        yield Input(
                            self._values[field.name],
                            placeholder=f"gold {gold}",
                            suggester=SuggestFromList(field.options, case_sensitive=False),
                            id=f"value-{number}",
                        )
            yield Static("", id="problem", markup=False)
            keys = [one for one in SCOPES["dispute"] if self._before or one.id != "dispute.withdraw"]
            yield KeyBar(keys, before="the right values, as far as you know them", typed=True)

    def on_mount(self) -> None:
        self.set_focus(self.query_one("#why", Input))
        self.set_interval(DRAFT_S, self._keep)

    def on_unmount(self) -> None:
        self._keep()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._values[self._field(event.input)] = event.value

    def _keep(self) -> None:
        changed = {name: text for name, text in self._values.items() if text != self._stored[name]}
        if changed != dict(self._typed) and not self._ended:
            self._typed.put(changed)

    async def on_resize(self) -> None:
        """The pictures have the room that the fields leave."""
        await self._pictures.fit(self.size.height - len(self.query(Input)) - ROWS_BESIDE)

    def _field(self, field: Input) -> str:
        if field.id == "why" or self._turn is None:
            return ""
        return self._turn.form[int((field.id or "").rpartition("-")[2])].name

    async def on_input_submitted(self) -> None:
        await self.action_move(1)

    @work(name="dispute", group="commands", exit_on_error=False)
    async def action_save(self) -> None:
        await self._take()
        values = dict(self._values)
        problem = await self._save(values.pop(""), values)
        if problem:
            self.query_one("#problem", Static).update(f" {one_line(problem)}")
        else:
            self._forget()
            self.dismiss(False)

    def action_withdraw(self) -> None:
        if self._before is not None:
            self._forget()
            self.dismiss(True)

    def _forget(self) -> None:
        """It is saved, or taken back: nothing of it is a draft any more."""
        self._ended = True
        self._typed.clear()

    async def action_leave(self) -> None:
        await self._take()
        self.dismiss(False)

    async def action_move(self, by: int) -> None:
        """Onwards, with what the field suggested."""
        await settled(self)
        if by > 0 and isinstance(self.focused, Input) and self.focused._suggestion:
            self.focused.value = self.focused._suggestion
        await self._take()
        fields = list(self.query(Input))
        at = fields.index(self.focused) if isinstance(self.focused, Input) else 0
        self.set_focus(fields[(at + by) % len(fields)])

    async def _take(self) -> None:
        """What stands in the fields now."""
        await settled(self)
        self._values.update({self._field(field): field.value for field in self.query(Input)})
        self._keep()
