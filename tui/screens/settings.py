"""The settings of the screen, drawn from their schema."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Select, Static

from core.errors import PhoropterError
from tui.inert import inert, one_line
from tui.scopes import SCOPES
from tui.scopes.setting_up import SETTINGS as KEYS
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.state.settings import Setting, save
from tui.widgets.keybar import KeyBar


class SettingsScreen(Dialog[dict[str, object] | None]):
    """Writes what was changed into phoropter.toml, comments kept, and gives back all values; None where nothing was
    written."""

    CSS_PATH = "settings.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings(KEYS)
    HELP = "tab goes from one to the next, space or enter changes it."

    def __init__(self, file: Path, shown: Sequence[Setting]) -> None:
        super().__init__()
        self._file = file
        self._shown = shown

    def compose(self) -> ComposeResult:
        yield Static(f" settings, in {one_line(str(self._file))}", classes="heading", markup=False)
        with VerticalScroll(id="settings", can_focus=False):
            for setting in self._shown:
                with Horizontal(classes="field"):
                    yield Static(setting.name, classes="field-label", markup=False)
                    yield self._field(setting)
                yield Static(setting.says, classes="says", markup=False)
            yield Static("keys are changed in the file: [app.keys], with ids as the manual (docs/app.md) lists them",
                         classes="says", markup=False)  # fmt: skip
            yield Static("", id="problem", markup=False)
        yield KeyBar(SCOPES["settings"], typed=True)

    def _field(self, setting: Setting) -> Select[bool] | Select[str] | Input:
        name = f"setting-{setting.name}"
        if setting.is_switch:
            return Select([("on", True), ("off", False)], value=bool(setting.value), allow_blank=False, compact=True,
                          id=name)  # fmt: skip
        if setting.choices:
            options = [(choice, choice) for choice in setting.choices]
            return Select(options, value=str(setting.value), allow_blank=False, compact=True, id=name)
        return Input(str(setting.value), compact=True, id=name)

    def _values(self) -> dict[str, object]:
        return {each.name: getattr(self.query_one(f"#setting-{each.name}"), "value") for each in self._shown}  # noqa: B009

    @work(name="save", group="save", exclusive=True, exit_on_error=False)
    async def action_save(self) -> None:
        values = self._values()
        try:
            written = await asyncio.to_thread(save, self._file, self._shown, values)
        except PhoropterError as error:
            self.query_one("#problem", Static).update(inert(str(error)))
        else:
            self.dismiss(values if written is not None else None)

    def action_leave(self) -> None:
        self.dismiss(None)
