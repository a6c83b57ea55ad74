"""What the screens of graders and reviewers share: one case that is read, looked at closely and judged by keys."""

from __future__ import annotations

import sqlite3
from abc import abstractmethod
from typing import ClassVar, Final

from textual import events, work
from textual.binding import Binding, BindingType
from textual.screen import Screen

from core.errors import PhoropterError
from sessions.replay import Replay
from sessions.store import Store
from tui.grading.cases import Case
from tui.grading.state import Presses
from tui.grounded import Grounded
from tui.imaging import Imaging
from tui.inert import inert
from tui.sitting.pictures import PlainZoom
from tui.widgets.pictures import PictureBox, PicturesLike, Scaler

FAULTS: Final = (PhoropterError, sqlite3.Error, OSError)
"""What may keep a verdict from the disk."""


class CaseScreen(Screen[None]):
    """The words of the case stand in ``#case``, which takes no focus: keys scroll it a page at a time."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("z", "zoom", "zoom"),
        Binding("q", "leave", "quit"),
        Binding("pagedown,space,down,j", "read(1)"),
        Binding("pageup,up,k", "read(-1)"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._drawing = False
        self._again = False

    @property
    @abstractmethod
    def judging(self) -> CaseApp:
        """The application."""

    @property
    def case(self) -> Case | None:
        """What is on the screen; None where nothing is left."""
        return self.judging.case

    def on_mount(self) -> None:
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """What is asked now; once more where something changes meanwhile, and never two at once."""
        self._again = True
        if not self._drawing:
            self._drawing = True
            self._draw_on()

    @work(name="draw", group="draw")
    async def _draw_on(self) -> None:
        try:
            while self._again:
                self._again = False
                await self._draw()
        finally:
            self._drawing = False
        self.call_after_refresh(self._open)

    @abstractmethod
    async def _draw(self) -> None: ...

    def _open(self) -> None:
        self.judging.presses.open = True

    # -- keys

    def action_leave(self) -> None:
        self.app.exit()

    def action_read(self, pages: int) -> None:
        box = self.query_one("#case")
        box.scroll_relative(y=pages * max(box.size.height - 1, 1), animate=False)

    def action_zoom(self) -> None:
        self._zoom(0)

    def on_picture_box_clicked(self, event: PictureBox.Clicked) -> None:
        self._zoom(event.index)

    def _zoom(self, index: int) -> None:
        case = self.case
        if case is not None and case.pictures:
            zoom = PlainZoom(self.judging.scaler, case.item, case.pictures, case.captions, index, "back")
            self.app.push_screen(zoom)


class CaseApp(Grounded):
    """Shows cases of a store; the keys ``JUDGING`` count once a press, and only when what they judge is seen."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]
    JUDGING: ClassVar[tuple[str, ...]]

    def __init__(self, store: Store, pictures: PicturesLike, imaging: Imaging, *, theme: object = "") -> None:
        super().__init__(theme)
        self.store = store
        self.presses = Presses()
        self.case: Case | None = None
        self.scaler = Scaler(pictures, imaging, self._stored)

    async def on_event(self, event: events.Event) -> None:
        """A key that is held, or was pressed before the case stood there, judges nothing."""
        if (
            isinstance(event, events.Key)
            and not event.is_forwarded
            and event.key in self.JUDGING
            and isinstance(self.screen, CaseScreen)
            and not self.presses.counts(event.key, event.time)
        ):
            return
        await super().on_event(event)

    def not_kept(self, error: Exception) -> None:
        """Say so; nothing moves on then."""
        self.notify(inert(f"not kept: {error}"), severity="error", markup=False)

    def _stored(self, digest: str) -> bytes | None:
        return Replay(self.store.reader()).picture(digest)
