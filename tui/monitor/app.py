"""The monitor's screen: redrawn once a second, at most twice, off a thread that alone touches the store."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar, Final, TypeVar, cast

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from core.errors import PhoropterError
from sessions.studies import claims, wishes
from sessions.studies.watched import Seen, Watched
from sessions.studies.watching import Watcher
from tui.counting import counted
from tui.grounded import Grounded
from tui.inert import inert, one_line
from tui.monitor.state import Board, Style
from tui.scopes import SCOPES
from tui.screens.confirm import ConfirmScreen
from tui.screens.dialog import Dialog
from tui.sitting.screen import Keys
from tui.widgets.keybar import KeyBar
from tui.widgets.lines import Lines

T = TypeVar("T")

EVERY_S: Final = 1.0
APART_S: Final = 0.5
"""The least time between two looks, whatever happens."""

KEYS: Final = (
    ("p", "pause", "wish('pause')"),
    ("g", "go on", "wish('go_on')"),
    ("n", "note", "note"),
    ("e", "end", "end"),
    ("b", "hand back", "hand_back"),
    ("q", "quit", "leave"),
)
STYLES: Final[dict[Style, str]] = {"muted": "muted", "warning": "wrong", "strong": "strong"}


class SessionLines(Lines):
    """The sessions, one a row."""

    def __init__(self, board: Board) -> None:
        super().__init__(id="sessions")
        self._board = board

    @property
    def count(self) -> int:
        return len(self._board.seen.sessions)

    def line(self, index: int, width: int) -> Text:
        text = Text(no_wrap=True, end="")
        for words, style in self._board.line(index, width):
            text.append(words, self.style(STYLES[style]) if style else None)
        text.truncate(width, overflow="ellipsis")
        return text


class SureScreen(ConfirmScreen):
    """Yes or no, without the application's other keys: there are none here."""

    CSS_PATH = "../screens/confirm.tcss"

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm"):
            yield Static(inert(self._question), id="question", markup=False)
            yield KeyBar([action for action in SCOPES["confirm"] if not action.method.startswith("app.")])


class NoteForScreen(Dialog[str]):
    """A note on a session; "" where it was left with Esc."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "back", priority=True)]

    def __init__(self, person: str) -> None:
        super().__init__()
        self._person = person

    def compose(self) -> ComposeResult:
        with Vertical(id="note-for"):
            yield Static(f"A note on {one_line(self._person)}'s session (enter keeps it, esc leaves)", id="asked",
                         markup=False)  # fmt: skip
            yield Input(max_length=2000)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_leave(self) -> None:
        self.dismiss("")


class MonitorScreen(Screen[None]):
    """Who sits, how far it is, and whether all is well."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(key, action, words) for key, words, action in KEYS]

    @property
    def monitor(self) -> MonitorApp:
        return cast("MonitorApp", self.app)

    def compose(self) -> ComposeResult:
        board = self.monitor.board
        yield Static("", id="head", markup=False)
        yield Static("", id="titles", markup=False)
        yield SessionLines(board)
        yield Static(" Nobody sits at the moment.", id="none", markup=False)
        yield Static("", id="coverage", markup=False)
        yield Static("", id="health", markup=False)
        yield Keys(*KEYS)

    def on_mount(self) -> None:
        self.set_focus(self.query_one(SessionLines))
        self.draw()

    def on_resize(self) -> None:
        self.draw()

    def draw(self) -> None:
        """All of it, from the board."""
        board, lines = self.monitor.board, self.query_one(SessionLines)
        self.query_one("#head", Static).update(f" {board.heading()}")
        self.query_one("#titles", Static).update(board.titles(self.size.width))
        self.query_one("#none").display = not lines.count
        lines.display = bool(lines.count)
        lines.recount()
        if lines.cursor != board.index:
            lines.cursor = board.index
        self.query_one("#coverage", Static).update("\n".join(board.coverage()))
        styles = {"warning": "bold $text-warning"}
        told = [Content.styled(words, styles.get(style, "")) for words, style in board.health()]
        self.query_one("#health", Static).update(Content(" · ").join(told))

    def on_lines_pointed(self, event: Lines.Pointed) -> None:
        self.monitor.board.point(event.index)

    # -- what is wished of a session

    def _chosen(self) -> Watched | None:
        chosen = self.monitor.board.chosen
        if chosen is None:
            self.notify("nobody sits", severity="warning", timeout=2)
        elif not chosen.going_on:
            self.notify(f"this session is over ({chosen.state})", severity="warning", timeout=2, markup=False)
            return None
        return chosen

    def action_leave(self) -> None:
        self.app.exit()

    def action_wish(self, wish: str) -> None:
        if (chosen := self._chosen()) is not None:
            self._ask(chosen, wish)

    @work(group="dialogs")
    async def action_note(self) -> None:
        if (chosen := self._chosen()) is not None:
            text = await self.app.push_screen_wait(NoteForScreen(chosen.person))
            if text:
                self._ask(chosen, "note", text)

    @work(group="dialogs")
    async def action_end(self) -> None:
        if (chosen := self._chosen()) is not None and await self.app.push_screen_wait(
            SureScreen(
                f"End {one_line(chosen.person)}'s session? What was answered is kept, the rest is free again;"
                " the screen there says that it is over."
            )
        ):
            self._ask(chosen, "end")

    @work(group="dialogs")
    async def action_hand_back(self) -> None:
        if (chosen := self._chosen()) is not None and await self.app.push_screen_wait(
            SureScreen(
                f"Hand back what {one_line(chosen.person)} has not answered"
                f" ({max(chosen.given - chosen.number, 0)} of {chosen.given} items)? The session is over then, also"
                " where somebody still sits: meant for a station that died."
            )
        ):
            self._hand_back(chosen)

    def _ask(self, chosen: Watched, wish: str, text: str = "") -> None:
        app = self.monitor
        said = {"pause": "a pause", "go_on": "to go on", "note": "to note it", "end": "to end"}[wish]
        app.do(
            lambda: wishes.ask(app.watcher.store, chosen.session, wish, text, app.author),
            lambda _: f"{chosen.person}: asked {said}",
        )

    def _hand_back(self, chosen: Watched) -> None:
        app = self.monitor
        app.do(
            lambda: claims.hand_back(app.watcher.store, chosen.session),
            lambda freed: f"{chosen.person}: {counted(freed, 'item')} free again",
        )


class MonitorApp(Grounded):
    """Shows what ``watcher`` sees. ``author`` signs what is wished."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "monitor.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, watcher: Watcher, seen: Seen, *, author: str = "", theme: object = "") -> None:
        super().__init__(theme)
        self.watcher = watcher
        self.author = author
        self.board = Board(seen)
        self.board.update(seen)
        self.draws = 0
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._now = asyncio.Event()

    def first_screen(self) -> Screen[None]:
        return MonitorScreen()

    def on_ready(self) -> None:
        self._watch()

    @work(name="watch", group="watch")
    async def _watch(self) -> None:
        while True:
            seen = await self._in_thread(self.watcher.look)
            self.board.update(seen)
            self.draws += 1
            for screen in self.screen_stack:
                if isinstance(screen, MonitorScreen):
                    screen.draw()
            await asyncio.sleep(APART_S)
            try:
                await asyncio.wait_for(self._now.wait(), EVERY_S - APART_S)
            except TimeoutError:
                continue
            finally:
                self._now.clear()

    @work(name="wish", group="wishes")
    async def do(self, what: Callable[[], T], said: Callable[[T], str]) -> None:
        """Do it in the store's thread, and say how that went."""
        try:
            done = await self._in_thread(what)
        except (PhoropterError, sqlite3.Error, OSError) as error:
            self.notify(inert(str(error)), severity="error", markup=False)
        else:
            self.notify(inert(said(done)), timeout=3, markup=False)
            self._now.set()

    async def _in_thread(self, what: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, what)

    def close(self) -> None:
        """After the application: give the store back."""
        self._thread.submit(self.watcher.close).result()
        self._thread.shutdown()
