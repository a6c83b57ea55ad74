"""What the screens of graders and reviewers share: one case that is read and looked at more nearly."""

from __future__ import annotations

from abc import abstractmethod

from textual.screen import Screen

from tui.grading.cases import Case
from tui.sitting.pictures import PlainZoom, Sight
from tui.widgets.pictures import PictureBox, Scaler


class CaseScreen(Screen[None]):
    """The words of the case stand in ``#case``, which takes no focus: keys scroll it a page at a time."""

    @property
    @abstractmethod
    def case(self) -> Case | None:
        """What is on the screen; None where nothing is left."""

    @property
    @abstractmethod
    def scaler(self) -> Scaler: ...

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
        if case is not None and case.shows:
            seen = Sight(case.item, case.shows, case.captions, ())
            self.app.push_screen(PlainZoom(self.scaler, seen, min(index, len(case.shows) - 1), "back"))
