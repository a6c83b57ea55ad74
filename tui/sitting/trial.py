"""The screen of one turn: pictures, question, form; a pause that hides them, a zoom, and the clock."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual._time import get_time
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key, Paste, Resize
from textual.timer import Timer
from textual.widgets import Static, TextArea

from core.errors import PictureError
from tui.inert import inert, one_line
from tui.sitting.asking import Put, QuestionScreen
from tui.sitting.examples import ExamplesScreen, told
from tui.sitting.form_text import FormText
from tui.sitting.pictures import SightRow, SittingZoom, sight
from tui.sitting.scenes import Scene, laid_out
from tui.sitting.screen import Keys, SittingScreen
from tui.sitting.state.trial import End, TurnState
from tui.widgets.pictures import PictureBox, Scaler

BAR = 20


class TrialScreen(SittingScreen[End]):
    """Gives back how the turn ended; what was answered is in the scene's state."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+l", "zoom", priority=True),
        Binding("ctrl+e", "examples", priority=True),
        Binding("ctrl+w", "problem", priority=True),
        Binding("ctrl+p", "hide", priority=True),
        Binding("ctrl+s", "send", priority=True),
        Binding("escape", "back", priority=True),
        Binding("pageup", "read(-1)", priority=True),
        Binding("pagedown", "read(1)", priority=True),
    ]

    def __init__(self, scene: Scene, scaler: Scaler) -> None:
        super().__init__()
        self.scene = scene
        self._scaler = scaler
        self._limit: Timer | None = None
        self._ticks: Timer | None = None
        self._over = False

    @property
    def state(self) -> TurnState:
        return self.scene.state

    def compose(self) -> ComposeResult:
        scene, words = self.scene, self.scene.wording
        yield Static(self._head(), id="head", markup=False)
        with Horizontal(id="trial"):
            with Vertical(id="main"):
                yield SightRow(scene.seen, self._scaler.imaging, scene.layout.rows)
                with VerticalScroll(id="words", can_focus=False):
                    yield Static(self._question(), markup=False)
                if self.state.form is not None:
                    yield FormText(self.state.form, lists=scene.way.lists, rows=scene.layout.form)
                else:
                    yield TextArea(self.state.text, id="text", soft_wrap=True)
            if scene.layout.side and scene.worked:
                with VerticalScroll(id="side", can_focus=False) as side:
                    side.styles.width = scene.layout.side
                    for number, each in enumerate(scene.worked, 1):
                        yield Static(told(each, number, words), classes="worked", markup=False)
        yield Keys(*self._keys())

    def _keys(self) -> list[tuple[str, str, str]]:
        words, scene = self.scene.wording, self.scene
        keys = [("enter", words.ui("next"), "enter") if self.state.form else ("ctrl+s", words.ui("done"), "send")]
        keys += [("ctrl+l", words.ui("zoom"), "zoom")] if scene.seen.shows else []
        keys += [("ctrl+e", words.ui("example"), "examples")] if scene.worked else []
        keys += [("esc", words.ui("back"), "back")] if scene.back else []
        keys += [("ctrl+p", words.ui("pause"), "hide"), ("ctrl+w", words.ui("report"), "problem")]
        return keys

    def on_mount(self) -> None:
        if self.state.put.later:
            self.query_one("#words").scroll_end(animate=False)
        if self.state.form is not None:
            self.query_one("#form").styles.height = self.scene.layout.form
        else:
            text = self.query_one(TextArea)
            text.cursor_blink = False  # nothing on the screen moves by itself
            text.focus()

    # -- time

    def painted(self, at: float) -> None:
        self.state.clock.painted(at)
        if self._limit is not None:
            self._limit.stop()
        left = self.state.clock.left(get_time())
        if left is not None and left <= 0:  # it ran out under what lay over it: no timer is as short as that
            self._time_up()
        elif left is not None:
            self._limit = self.set_timer(left, self._time_up, name="limit")
            if self._ticks is None:
                self._ticks = self.set_interval(1.0, self._tick, name="time left")

    def _tick(self) -> None:
        for head in self.query("#head").results(Static):
            head.update(self._head(), layout=False)

    def _time_up(self) -> None:
        if not self._over and not self.state.clock.is_paused:
            self._end("timed out")

    def _end(self, how: End) -> None:
        if not self._over:
            self._over = True
            self._take_text()
            if self.app.screen is self:
                self.answer(how)
            else:  # the zoom or the examples lie over it
                self.sitting.guard.shut()
                self.app.screen.dismiss(None)
                self.call_later(self.answer, how)

    # -- keys

    def on_key(self, event: Key) -> None:
        form = self.state.form
        if form is None:
            return
        event.stop()
        event.prevent_default()
        moves = {"tab": 1, "right": 1, "shift+tab": -1, "left": -1}
        if event.key == "enter":
            self._enter()
        elif event.key in moves:
            form.point(moves[event.key])
        elif event.key in ("down", "up"):
            form.turn(1 if event.key == "down" else -1, event.time)
        elif event.key in ("backspace", "delete"):
            form.erase(event.time)
        elif event.character is not None and event.is_printable:
            form.type(event.character, event.time)
        self._redraw()

    def on_paste(self, event: Paste) -> None:
        """Into a form nothing is pasted; into free words it is, by the field."""
        if self.state.form is not None:
            event.stop()

    def _redraw(self) -> None:
        self.state.changed()
        for text in self.query(FormText):
            text.draw()

    def _enter(self) -> None:
        form = self.state.form
        if form is not None and form.enter():
            self._end("answered")

    def action_enter(self) -> None:
        """A click on the key."""
        self._enter()
        self._redraw()

    async def action_send(self) -> None:
        """Free words are done with a key of their own; a form is with Enter."""
        if self.state.form is None:
            await self.in_order()
            self._take_text()
            if self.state.text.strip():
                self._end("answered")

    def action_to_field(self, place: int) -> None:
        if self.state.form is not None:
            self.state.form.at = place
            self._redraw()

    def action_pick_value(self, place: int, choice: int) -> None:
        if self.state.form is not None:
            self.state.form.pick(place, choice, self.sitting.event_at)
            self._redraw()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        self.state.retype(event.text_area.text, self.sitting.event_at)

    def _take_text(self) -> None:
        for field in self.query(TextArea):
            self.state.retype(field.text, self.sitting.event_at)

    def action_back(self) -> None:
        if self.scene.back:
            self._end("back")

    @work(name="problem", group="over")
    async def action_problem(self) -> None:
        """Why the item cannot be answered; without a reason it goes on."""
        if self.app.screen is not self or not self.hold(self.sitting.event_at):
            return
        words = self.scene.wording
        asked = Put(words.ui("problem_what"), "line", words.texts.title, required=False, leave="")
        self.state.reason = await self.sitting.ask(QuestionScreen(asked, words)) or ""
        if self.state.reason:
            self._end("problem")

    def action_read(self, pages: int) -> None:
        for words in self.query("#words"):
            words.scroll_relative(y=pages * max(words.size.height - 1, 1), animate=False)

    # -- what lies over it

    def action_hide(self) -> None:
        """The pause: the clock stands, and nothing of the trial is to be seen."""
        if self.hold(self.sitting.event_at):
            self.sitting.pause_over("participant")

    def hold(self, at: float) -> bool:
        """The clock stands from then on, until the trial is painted again; False where it does already."""
        if self._over or self.state.clock.is_paused:
            return False
        self.state.clock.pause(at)
        if self._limit is not None:
            self._limit.stop()
        return True

    @work(name="zoom", group="over")
    async def action_zoom(self, index: int = 0) -> None:
        seen = self.scene.seen
        if not seen.shows or self.app.screen is not self:
            return
        self.state.clock.zoom(get_time(), on=True)
        back = self.scene.wording.ui("back")
        zoom = SittingZoom(self._scaler, seen.item, seen.shows, seen.captions, index, back)
        await self.app.push_screen_wait(zoom)
        self.state.clock.zoom(get_time(), on=False)

    @work(name="examples", group="over")
    async def action_examples(self) -> None:
        if self.scene.worked and self.app.screen is self:
            await self.app.push_screen_wait(ExamplesScreen(self.scene.worked, self._scaler, self.scene.wording))

    def on_picture_box_clicked(self, message: PictureBox.Clicked) -> None:
        self.action_zoom(message.index)

    # -- another size

    def on_resize(self, event: Resize) -> None:
        if self._painted_once:
            self._fit_anew()

    @work(name="fit", group="fit", exclusive=True)
    async def _fit_anew(self) -> None:
        """The same for the room there is now; the new sizes are noted with the trial. While it is made anew its parts
        are away for a moment: what a key or the clock does meanwhile finds none of them and is drawn with it."""
        scene, size = self.scene, self.app.size
        layout = laid_out(scene, (size.width, size.height), self._scaler.imaging)
        if layout == scene.layout:  # the terminal says its size once more
            return
        scene.layout, seen = layout, scene.seen
        try:
            scene.seen = await sight(self._scaler, seen.item, seen.shows, seen.captions, scene.layout)
        except PictureError:  # no room for them: nothing is drawn, and the note says so
            scene.seen = replace(seen, scaled=())
        await self.recompose()
        if self.is_attached:  # it may have ended meanwhile
            self.on_mount()
        self.sitting.conductor.resized(scene)

    # -- words

    def _head(self) -> Content:
        words, progress = self.scene.wording, self.scene.progress
        filled, left = round(progress.share * BAR), self.state.clock.left(get_time())
        what = f"{words.ui('practice')}  " if progress.practice else ""
        return Content.assemble(
            f" {what}",
            words.ui("progress", done=progress.here, total=progress.total),
            ("  " + "━" * filled, "$text-accent"),
            ("─" * (BAR - filled), "$text-disabled"),
            f"  {one_line(words.texts.title)}",
            ("" if left is None else f"  {words.ui('time_left', seconds=math.ceil(left))}", "$text-muted"),
        )

    def _question(self) -> Content:
        before = [
            Content.assemble((f"{one_line(asked)}: ", "$text-muted"), (one_line(said), "$text-muted"))
            for asked, said in self.state.put.before
        ]
        return Content("\n").join([*before, Content(inert(self.state.put.words))])
