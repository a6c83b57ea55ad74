"""What every screen of a sitting is: painted before it takes keys, and without any key but its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from tui.screens.settling import settled

if TYPE_CHECKING:
    from tui.sitting.app import SittingApp

Result = TypeVar("Result")


class SittingScreen(Screen[Result], inherit_bindings=False):
    """Base. ``answer`` ends it; from then on keys count for nothing until the next screen has been seen."""

    ALLOW_SELECT = False
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = []

    _awaited = False
    _painted_once = False

    @property
    def sitting(self) -> SittingApp:
        return cast("SittingApp", self.app)

    def on_mount(self) -> None:
        self._awaited = True

    def on_screen_resume(self) -> None:
        """Something that lay over it is gone. Told late, when the next one lies there already, it is no matter."""
        if self._painted_once and self.app.screen is self:
            self.sitting.expect(self)
            self._awaited = True

    def takes_display(self) -> bool:
        """Whether what is being drawn now is its first frame, or the first after an overlay."""
        awaited, self._awaited = self._awaited, False
        return awaited

    def displayed(self, at: float) -> None:
        """That frame went out to the terminal then."""
        self._painted_once = True
        self.painted(at)

    def painted(self, at: float) -> None:
        """It was painted then (seconds of the monotonic clock): for the first time, or once more after an overlay."""

    async def in_order(self) -> None:
        """Returns when what was typed before has arrived where it was typed: keys of the screen overtake it."""
        await settled(self)

    def answer(self, result: Result) -> None:
        """Give that back and close."""
        self.sitting.guard.shut()
        self.dismiss(result)


class Keys(Static):
    """The line of keys at the bottom; a click does what the key does."""

    DEFAULT_CSS = "Keys { height: 1; background: $panel-darken-1; text-wrap: nowrap; text-overflow: ellipsis; }"

    def __init__(self, *keys: tuple[str, str, str]) -> None:
        """Each is (key, its words, the screen's action; "" for none)."""
        super().__init__("", id="keys", markup=False)
        self._keys = keys

    def on_mount(self) -> None:
        self.say(*self._keys)

    def say(self, *keys: tuple[str, str, str]) -> None:
        """Other keys from now on."""
        parts = []
        for key, words, action in keys:
            said = Content.assemble((f" {key}", "bold $text-accent"), f" {words} ")
            parts.append(said.stylize(f"@click=screen.{action}") if action else said)
        self.update(Content("").join(parts))
