"""Good manners towards the user: other keys, help, copying, the palette, a theme that is remembered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any, ClassVar

from textual import work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from core.errors import PhoropterError
from tui import themes
from tui.grounded import Grounded
from tui.inert import inert
from tui.key_names import key, use
from tui.keymap import Keymap
from tui.manners import Manners
from tui.scopes import APP
from tui.screens.bindings import bindings

QUIT_AGAIN = 2.0


class Mannered(Grounded):
    """What a screenful owes its user, wherever it is."""

    # opaque: to shine through half blocks costs up to a second
    CSS = "CommandPalette { background: $background; }"
    COMMAND_PALETTE_BINDING = "f2"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, priority=True), *bindings(APP)]

    def __init__(self, *, manners: Manners | None = None, theme: str = "") -> None:
        self.manners = manners or Manners()
        super().__init__(theme or self.manners.theme)
        self._quit_pressed = 0.0
        self.set_keymap(self.manners.keys.changed)
        use(self.manners.keys.named)

    async def on_unmount(self) -> None:
        use({})

    @property
    def keys(self) -> Keymap:
        """The keys that actions have now."""
        return self.manners.keys

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A command that broke is told; the application goes on."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            self.notify(
                inert(f"{event.worker.name}: {type(error).__name__}: {error}"), severity="error", markup=False
            )

    # -- what works on every screen

    def action_help(self) -> None:
        from tui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.screen))

    async def action_stop(self) -> None:
        """Copy what is selected, else quit when asked twice."""
        selected = self.screen.get_selected_text()
        if selected:
            self.copy(selected, "what is selected")
            self.screen.clear_selection()
        elif time.monotonic() - self._quit_pressed < QUIT_AGAIN:
            await self.run_action("app.quit")
        else:
            self._quit_pressed = time.monotonic()
            self.notify(f"{key('dialog.stop')} again quits", timeout=QUIT_AGAIN, markup=False)

    def copy(self, text: str, what: str) -> None:
        """Into the clipboard of the terminal, over ssh as well (OSC 52), with nothing in it that commands one."""
        self.copy_to_clipboard(inert(text))
        self.notify(f"copied {what}", timeout=2, markup=False)

    def action_next_theme(self) -> None:
        self.use_theme(themes.following(self.theme))

    def use_theme(self, name: str) -> None:
        """Show it, and remember it."""
        self.theme = name
        self.notify(themes.said(name), timeout=2, markup=False)
        self._remember(name)

    @work(name="remember", group="remember", exclusive=True, exit_on_error=False)
    async def _remember(self, theme: str) -> None:
        from core.config_writing import set_app

        if self.manners.file is not None:
            try:
                await asyncio.to_thread(set_app, self.manners.file, {"theme": theme})
            except PhoropterError as error:
                self.notify(inert(f"the theme is not remembered: {error}"), severity="warning", markup=False)

    @work(name="settings", group="dialogs", exit_on_error=False)
    async def action_settings(self) -> None:
        from tui.screens.settings import SettingsScreen
        from tui.state.settings import read

        file = self.manners.file
        if file is None:
            self.notify("there is no file for settings here", markup=False)
            return
        try:
            names = list(dict.fromkeys([*themes.OWN, *self.available_themes]))
            shown = await asyncio.to_thread(read, file, names)
        except PhoropterError as error:
            self.notify(inert(str(error)), severity="error", markup=False)
            return
        values = await self.push_screen_wait(SettingsScreen(file, shown))
        if values is not None:
            self.theme = str(values["theme"])
            self.notify("saved", timeout=2, markup=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every action that works there with its keys, and the themes."""
        from tui.screens.keys_here import keys_here

        for here in keys_here(screen):
            if here.id != "app.palette":
                yield SystemCommand(f"{here.group}: {here.label} ({here.shown})", here.help, here.run)
        for name, words in themes.OWN.items():
            yield SystemCommand(f"Theme: {words}", "Colours, remembered.", lambda name=name: self.use_theme(name))
