"""The dialogs of the stepping screen: one at a time, however fast keys come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from textual import work
from textual.events import Key
from textual.screen import Screen

from tui.inert import one_line
from tui.screens.bindings import means
from tui.screens.confirm import ConfirmScreen
from tui.screens.edit import EditScreen
from tui.screens.items import ItemsScreen
from tui.screens.pick import PickScreen
from tui.state.partners import title_of

if TYPE_CHECKING:
    from tui.state.live import Live
    from tui.state.stepping import Stepping

OPENERS: Final = (
    "fork.edit",
    "fork.pick",
    "fork.remove",
    "fork.menu",
    "fork.repeats",
    "fork.sweep",
    "step.to",
    "compare",
    "items.list",
    "items.filter",
)
"""Actions that open a dialog."""


class Dialogs(Screen[None]):
    """A screen over ``stepping`` that asks things of its user. What is typed before a dialog stands commands nothing
    below it."""

    def __init__(self, stepping: Stepping, live: Live | None) -> None:
        super().__init__()
        self.stepping = stepping
        self._live = live
        self._dialog = False
        self._expected = False
        self._typed = ""
        self._ahead: list[Key] = []
        self._items_screen: ItemsScreen | None = None

    @work(name="command", group="commands", exit_on_error=False)
    async def _run(self, command: Callable[[], Awaitable[object]]) -> None:
        """A command in a worker: it changes the state, and the state's news redraws the screen. One that comes before
        the first item has been read waits for that."""
        await self.stepping.begin()
        await command()

    @work(name="open", group="items", exclusive=True, exit_on_error=False)
    async def _open(self, position: int) -> None:
        await self.stepping.begin()
        await self.stepping.open_item(position)

    def _begin(self, dialog: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._expected = False
        if not self._dialog:
            self._dialog = True
            self._talk(dialog)

    def on_key(self, event: Key) -> None:
        """Keys that are meant for a dialog that does not stand yet: they come here before the key that opens it has
        been acted on, which is done further up."""
        if self._dialog or self._expected:
            event.stop()
            self._ahead.append(event)
            self._type(event.character if event.is_printable and event.character else "")
        elif means(self, event.key, *OPENERS):
            self._expected, self._typed = True, ""
            self._ahead.clear()

    def on_screen_resume(self) -> None:
        self._expected = False

    def on_screen_suspend(self) -> None:
        """A dialog has come: once it stands, it gets what was typed for it."""
        if self._ahead:
            dialog = self.app.screen
            dialog.call_after_refresh(self._hand_on, dialog)

    def _hand_on(self, dialog: Screen[Any]) -> None:
        keys, self._ahead = self._ahead, []
        for key in keys if self.app.screen is dialog else ():
            self.app.post_message(Key(key.key, key.character))

    def take_ahead(self, event: Key, *, behind: Screen[Any]) -> None:
        """A key that came to a dialog which had ended: it is meant for the one that comes behind it, if one does."""
        if self.app.screen not in (self, behind):
            self.app.post_message(Key(event.key, event.character))
        elif self._dialog:
            self._ahead.append(event)

    def _type(self, text: str) -> None:
        if self._items_screen is not None:
            self._ahead.clear()
            self._items_screen.type(text)
        else:
            self._typed += text

    @work(name="dialog", group="dialogs", exit_on_error=False)
    async def _talk(self, dialog: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await dialog()
        finally:
            self._dialog, self._items_screen = False, None
            self._ahead.clear()

    def action_edit(self) -> None:
        self._begin(self._edit)

    async def _edit(self) -> None:
        stepping = self.stepping
        look, place = stepping.look(), stepping.place
        if look.turn is None or stepping.running is not None:
            running = stepping.running
            self.notify("there is no turn here to answer" if running is None else running.words, markup=False)
            return
        if look.turn.makes == "picture":
            self.notify("this turn is answered with a picture, not with words", markup=False)
            return
        if stepping.gate.writing:
            self.notify(stepping.gate.writing, markup=False)
            return
        before = look.step.answer.text if look.step is not None else ""

        def keep(text: str) -> None:
            if text != before:
                stepping.drafts[place] = text

        text = stepping.drafts.get(place, before)
        screen = EditScreen(look.turn.step, text, keep, selected=text == before, asked=look.turn.text)
        text, kept = await self.app.push_screen_wait(screen)
        if kept:
            self._run(lambda: stepping.edit(text))
        elif text == before:
            stepping.drafts.pop(place, None)

    def action_pick(self) -> None:
        self._begin(self._pick)

    async def _pick(self) -> None:
        stepping = self.stepping
        look, choices = stepping.look(), stepping.choices()
        if look.turn is None or choices is None or stepping.running is not None:
            running = stepping.running
            self.notify(
                "this turn offers no options to pick from" if running is None else running.words, markup=False
            )
            return
        letter = await self.app.push_screen_wait(PickScreen(look.turn.step, choices))
        if letter is not None:
            self._run(lambda: stepping.pick(letter))

    def action_items(self, filtering: bool) -> None:
        if not self._dialog:
            self._items_screen = ItemsScreen(self.stepping, self._live, filtering=filtering)
            self._type(self._typed)
            self._ahead.clear()
        self._begin(self._items)

    async def _items(self) -> None:
        assert self._items_screen is not None
        position = await self.app.push_screen_wait(self._items_screen)
        if position is not None:
            self._open(position)

    def action_remove_fork(self) -> None:
        self._begin(self._remove_fork)

    async def _remove_fork(self) -> None:
        fork = self.stepping.fork_here()
        if fork is None:
            return
        which = one_line(title_of(fork, self.stepping))
        question = (
            f"Remove the {which}, on {one_line(fork.item.id)}, and the forks made from it?\n\nThis is for good."
        )
        if await self.app.push_screen_wait(ConfirmScreen(question)):
            self._run(lambda: self.stepping.remove_fork(fork))
