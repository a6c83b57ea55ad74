"""Pointing at data: a path that is looked at as it is typed, and opened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.suggester import Suggester, SuggestFromList
from textual.widgets import Input, Static

from core.errors import PhoropterError
from core.planning import Request
from tui.inert import inert
from tui.scopes import SCOPES
from tui.scopes.setting_up import DATA
from tui.screens.bindings import bindings
from tui.screens.dialog import Dialog
from tui.screens.settling import settled
from tui.state.own_ways import DATA as WAYS
from tui.state.own_ways import on_screen
from tui.state.pointing import Pointing, entries, found_words, refused_words
from tui.widgets.keybar import KeyBar

if TYPE_CHECKING:
    from tui.state.ready import Ready

LOOK_AFTER_S: Final = 0.3
FIELDS: Final = (
    ("path", "data", "file or folder of a benchmark: ~/data/VOILA_ND_Testing.csv"),
    ("pictures", "pictures", "their folder; drawn: drawings of the same; empty: beside the data"),
    ("respondent", "asked", "who answers: oracle answers the gold"),
)


class Paths(Suggester):
    """Goes on with what lies in the folder."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        return await asyncio.to_thread(entries, value)


class DataScreen(Dialog["Ready | None"]):
    """Gives back what was opened, None where it was left with Esc. What was typed stays in ``pointing``.

    ``opening`` opens a request, in a thread; what it raises is told in place. ``names`` are offered as who answers.
    """

    CSS_PATH = "data.tcss"
    AUTO_FOCUS = "#data-path"
    BINDINGS: ClassVar[list[BindingType]] = bindings(DATA, priority=True)
    HELP = "tab goes from field to field, → takes what is offered, enter goes on and opens from the last one."

    def __init__(self, pointing: Pointing, opening: Callable[[Request], Ready], names: Sequence[str]) -> None:
        super().__init__()
        self._pointing = pointing
        self._opening = opening
        self._names = names

    def compose(self) -> ComposeResult:
        yield Static(" data to look at", classes="heading", markup=False)
        with VerticalScroll(id="data", can_focus=False):
            for name, label, hint in FIELDS:
                with Horizontal(classes="field"):
                    yield Static(label, classes="field-label", markup=False)
                    suggester = SuggestFromList(self._names) if name == "respondent" else Paths()
                    yield Input(
                        getattr(self._pointing, name), placeholder=hint, compact=True, suggester=suggester,
                        select_on_focus=False, id=f"data-{name}",
                    )  # fmt: skip
            yield Static("", id="data-found", markup=False)
            yield Static("", id="problem", markup=False)
            yield Static(f"who can be asked: {', '.join(map(inert, self._names))}", id="data-names", markup=False)
        yield KeyBar(SCOPES["data"], before="tab next field   → takes what is offered", typed=True)

    def on_mount(self) -> None:
        if self._pointing.path:
            self._look()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        name = str(event.input.id).removeprefix("data-")
        if getattr(self._pointing, name) == event.value:
            return
        setattr(self._pointing, name, event.value)
        self._problem("")
        if name != "respondent":
            self._look()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "data-respondent":
            self.action_open()
        else:
            self.focus_next()

    @work(name="look", group="look", exclusive=True, exit_on_error=False)
    async def _look(self) -> None:
        """Look there once nobody has typed for a moment."""
        await asyncio.sleep(LOOK_AFTER_S)
        await self._looked()

    async def _looked(self) -> None:
        pointing, place = self._pointing, self._pointing.place
        if not place[0]:
            pointing.take(place, None)
            self._say("")
            return
        if pointing.found is None or pointing.looked != place:
            self._say("looking …")
            try:
                pointing.take(place, await asyncio.to_thread(pointing.look, place))
            except PhoropterError as error:
                pointing.take(place, None)
                self._say("\n".join(map(inert, refused_words(error))))
                return
        if pointing.found is not None:
            self._say("\n".join(map(inert, found_words(pointing.found, place[1]))))

    def action_open(self) -> None:
        self._open()

    @work(name="open", group="look", exclusive=True, exit_on_error=False)
    async def _open(self) -> None:
        await settled(self)
        for name, _, _ in FIELDS:
            setattr(self._pointing, name, self.query_one(f"#data-{name}", Input).value)
        await self._looked()
        try:
            request = self._pointing.request()
            self._problem("opening …")
            made = await asyncio.to_thread(self._opening, request)
        except PhoropterError as error:
            self._problem(on_screen(error, WAYS))
        else:
            self.dismiss(made)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _say(self, words: str) -> None:
        self.query_one("#data-found", Static).update(Content(words))

    def _problem(self, words: str) -> None:
        self.query_one("#problem", Static).update(Content(inert(words)))
