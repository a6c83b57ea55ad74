"""The form for a new respondent."""

from __future__ import annotations

import asyncio
from dataclasses import fields
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Select, Static

from core.errors import PhoropterError
from core.respondents.settings import KINDS
from tui.inert import inert, one_line
from tui.scopes import SCOPES
from tui.scopes.setting_up import ADD
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.edit import DRAFT_S
from tui.state.models import Form, Models
from tui.widgets.keybar import KeyBar

HINTS: Final = {
    "name": "as you call it: gpt-4o",
    "kind": "",
    "model": "as its server or hub calls it: gpt-4o-2024-11-20",
    "base_url": "http://localhost:8000/v1; empty: api.openai.com",
    "api_key_env": "the key's variable, OPENAI_API_KEY; never the key itself",
}


class AddModelScreen(Dialog[str | None]):
    """Writes the respondent into phoropter.toml and gives back its name; None where it was left with Esc."""

    CSS_PATH = "add_model.tcss"
    AUTO_FOCUS = "#add-name"
    BINDINGS: ClassVar[list[BindingType]] = bindings(ADD)
    HELP = (
        "tab goes from field to field. Keys are never written: only the name of the variable that holds one. "
        "base_url takes several addresses of one server, with commas between them."
    )

    def __init__(self, models: Models) -> None:
        super().__init__()
        self._models = models

    def compose(self) -> ComposeResult:
        yield Static(f" a new respondent, written into {one_line(str(self._models.file))}", classes="heading",
                     markup=False)  # fmt: skip
        with VerticalScroll(id="add"):
            for entry in fields(Form):
                value = getattr(self._models.form, entry.name)
                with Horizontal(classes="field", id=f"field-{entry.name}"):
                    yield Static(entry.name, classes="field-label", markup=False)
                    if entry.name == "kind":
                        yield Select(
                            [(kind, kind) for kind in KINDS],
                            value=value,
                            allow_blank=False,
                            compact=True,
                            id="add-kind",
                        )
                    else:
                        yield Input(value, placeholder=HINTS[entry.name], compact=True, id=f"add-{entry.name}")
            yield Static("", id="problem", markup=False)
        yield KeyBar(SCOPES["add"], typed=True)

    def on_mount(self) -> None:
        self._fit()
        self.set_interval(DRAFT_S, self._models.keep_form)

    def on_unmount(self) -> None:
        self._models.keep_form()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        setattr(self._models.form, str(event.input.id).removeprefix("add-"), event.value)

    @on(Select.Changed, "#add-kind")
    def _kind(self, event: Select.Changed) -> None:
        self._models.form.kind = str(event.value)
        self._fit()

    def _fit(self) -> None:
        """A model that runs here has no address and no key."""
        for name in ("base_url", "api_key_env"):
            self.query_one(f"#field-{name}").display = self._models.form.asks_server

    def on_input_submitted(self) -> None:
        self.focus_next()

    @work(name="save", group="save", exclusive=True, exit_on_error=False)
    async def action_save(self) -> None:
        form = self._models.form
        if not form.asks_server:
            form.base_url = form.api_key_env = ""
        try:
            name = await asyncio.to_thread(self._models.add)
        except PhoropterError as error:
            self.query_one("#problem", Static).update(inert(str(error)))
        else:
            self.dismiss(name)

    def action_leave(self) -> None:
        self.dismiss(None)
