"""The Textual application: screens over ready-made state, and good manners towards the terminal."""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from textual import work
from textual.app import SystemCommand
from textual.events import Event, InputEvent, Key
from textual.screen import Screen

from core.errors import PhoropterError
from tui.grounded import run_in_terminal
from tui.imaging import Imaging
from tui.inert import inert
from tui.key_names import key
from tui.mannered import Mannered
from tui.manners import Manners
from tui.screens.first_run import DATA, DEMO, FirstRunScreen
from tui.screens.opening import OpeningScreen

if TYPE_CHECKING:
    from core.config import Config
    from core.planning import Request
    from tui.state.models import Models
    from tui.state.ready import Ready


BETWEEN_LOOKS_S: Final = 0.1
"""A run that was opened waits so for the dialog over the one before to end."""


class Opener(Protocol):
    """Opens what the app shows; all are called in a thread and may take their time."""

    def stored(self) -> Ready | None:
        """The run to begin with, None where nothing is stored yet."""
        ...

    def demo(self) -> Ready:
        """The built-in questions."""
        ...

    def with_respondent(self, name: str, item: str, uid: str = "") -> Ready:
        """The items of the run of that ``uid``, "" for the one that was opened last, asked of another one: a run of
        its own, opened at that item. Raises what stands against it."""
        ...

    def run(self, uid: str, item: str = "") -> Ready:
        """Another run of the open store, at that item where it has it. Raises what stands against it."""
        ...

    def data(self, request: Request) -> Ready:
        """The run of a request, new or gone on with, in the store. Raises what stands against it."""
        ...


class PhoropterApp(Mannered):
    """Steps through the items of a ``Ready``, or of what an ``opener`` finds while the first screen is shown.

    ``demo`` opens the built-in questions. Batches that run end with it; else it closes nothing that it is given. An
    error of the opener ends the app and is left in ``failure``.
    """

    def __init__(
        self,
        shown: Ready | None = None,
        imaging: Imaging | None = None,
        *,
        opener: Opener | None = None,
        what: str = "",
        demo: bool = False,
        manners: Manners | None = None,
        theme: str = "",
    ) -> None:
        super().__init__(manners=manners, theme=theme)
        self._models: Models | None = None
        self.shown = shown
        self.failure: BaseException | None = None
        self._imaging = imaging or Imaging("halfcell")
        self._opener = opener
        self._what = what
        self._demo = demo
        self._typed: list[Key] = []

    def first_screen(self) -> Screen[None]:
        if self.shown is not None:
            return self._stepping_screen(self.shown)
        return OpeningScreen(self._what)

    def on_ready(self) -> None:
        """The first frame is on the screen: now anything may take its time."""
        if self._opener is not None and self.shown is None:
            self._open(self._opener.demo if self._demo else self._opener.stored)

    async def on_event(self, event: Event) -> None:
        """What is typed comes before the batches that run here."""
        if isinstance(event, InputEvent) and self.shown is not None and self.shown.bench is not None:
            self.shown.bench.manager.give_way()
        await super().on_event(event)

    async def on_unmount(self) -> None:
        """Whatever ended the app, no batch holds its run any longer."""
        if self.shown is not None and self.shown.backstage is not None:
            self.shown.backstage.stop()
        if self.shown is not None and self.shown.bench is not None:
            await self.shown.bench.manager.close()

    # -- leaving

    async def action_quit(self) -> None:
        """Ask first where a call or batches run; asked once more, leave at once."""
        from tui.screens.closing import ClosingScreen

        bench = self.shown.bench if self.shown is not None else None
        batches = bench.manager.live if bench is not None else ()
        running = self.shown.stepping.running if self.shown is not None else None
        if not (batches or running) or isinstance(self.screen, ClosingScreen):
            self.exit()
        else:
            call = f"{running.words}, on {running.item}" if running is not None else ""
            self.push_screen(ClosingScreen(batches, call), self._leave)

    def _leave(self, how: str | None) -> None:
        if how == "settled":
            self.notify(
                f"waiting for the calls under way; ctrl+q {key('closing.now')} leaves at once",
                timeout=60,
                markup=False,
            )
            self._settle()
        elif how is not None:
            self.exit()

    @work(name="settle", group="dialogs", exit_on_error=False)
    async def _settle(self) -> None:
        if self.shown is not None:
            await self.shown.stepping.settled()
            if self.shown.bench is not None:
                await self.shown.bench.manager.close(settle=True)
        self.exit()

    # -- opening

    def _open(self, opening: Callable[[], Ready | None]) -> None:
        threading.Thread(target=self._opened, args=(opening,), name="opening", daemon=True).start()

    def _opened(self, opening: Callable[[], Ready | None]) -> None:
        """In a thread: open it, and import what is shown next, both while the first screen stands."""
        try:
            found = opening()
            if found is not None:
                self._import_shown()
        except BaseException as error:  # noqa: BLE001  whatever it is, it must end the app and be told
            self.call_later(self._failed, error)
            return
        self.call_later(self._show, found)

    def _import_shown(self) -> None:
        importlib.import_module("tui.screens.stepping")
        self._imaging.load()

    def _failed(self, error: BaseException) -> None:
        self.failure = error
        self.exit(return_code=2)

    def _show(self, found: Ready | None) -> None:
        if found is None:
            self.switch_screen(FirstRunScreen())
            return
        self.shown = found
        if isinstance(self.screen, OpeningScreen):
            self._typed = self.screen.typed
        self.switch_screen(self._stepping_screen(found))

    def on_stepping_screen_shown(self) -> None:
        """Now the rest may be read, and what was typed while it was opened is acted on."""
        typed, self._typed = self._typed, []
        for one in typed:
            self.post_message(Key(one.key, one.character))
        if self.shown is not None and self.shown.backstage is not None:
            self.settle()
            self.shown.backstage.start(self.call_later, self.settle)

    def on_first_run_screen_wanted(self, message: FirstRunScreen.Wanted) -> None:
        """The newcomer has chosen a way."""
        if self._opener is None:
            return
        if message.choice == DEMO:
            self.switch_screen(OpeningScreen("the demonstration"))
            self._open(self._opener.demo)
        elif message.choice == DATA:
            self._point_at_data(self._opener)
        else:
            self._set_up_model()

    @work(name="data", group="dialogs", exit_on_error=False)
    async def _point_at_data(self, opener: Opener) -> None:
        from tui.screens.data import DataScreen
        from tui.state.models import usable_names

        def opening(request: Request) -> Ready:
            made = opener.data(request)
            self._import_shown()
            return made

        models = self._models = self._models or self._made_models()
        with suppress(PhoropterError):  # a file that cannot be read is told where the run is opened
            await asyncio.to_thread(models.read)
        made = await self.push_screen_wait(DataScreen(models.pointing, opening, usable_names(models.config)))
        if made is not None:
            self._show(made)

    @work(name="model", group="dialogs", exit_on_error=False)
    async def _set_up_model(self) -> None:
        from tui.screens.add_model import AddModelScreen

        models = self._models = self._models or self._made_models()
        name = await self.push_screen_wait(AddModelScreen(models))
        if name is not None:
            models.pointing.respondent = name
            self.notify(
                f"{inert(name)} is written; {key('first.data')} points it at data, {key('app.models')} and "
                f"{key('models.check')} check it",
                timeout=8,
                markup=False,
            )

    def _stepping_screen(self, shown: Ready) -> Screen[None]:
        from tui.screens.stepping import SteppingScreen
        from tui.widgets.pictures import Scaler

        drawn = shown.pictures is not None and bool(shown.pictures.identity.get("drawn"))
        note = "drawn stand-in" if drawn else ""
        scaler = Scaler(shown.pictures, self._imaging, shown.stored)
        return SteppingScreen(
            shown.stepping,
            scaler,
            title=shown.title,
            note=note,
            demo=shown.demo,
            live=shown.live,
            bench=shown.bench,
        )

    # -- the models

    @work(name="models", group="dialogs", exit_on_error=False)
    async def action_models(self) -> None:
        from tui.screens.models import ModelsScreen

        models = self._models = self._models or self._made_models()
        name = await self.push_screen_wait(ModelsScreen(models, models.protocol))
        self._pass_on(models.config)
        if name is None:
            return
        if self._opener is None or self.shown is None:
            self.notify("no run is open here: phoropter run DATA --respondent NAME makes one", markup=False)
        elif against := self._against_leaving():
            self.notify(against, markup=False)
        else:
            self._open_with(self._opener, name, self.shown.stepping.item.id)

    def _pass_on(self, config: Config) -> None:
        """Whom the open run can send a turn or its items to, as the file has it now."""
        if self.shown is None or not config.file:
            return
        if self.shown.stepping.crew is not None:
            self.shown.stepping.crew.take(config)
        if self.shown.bench is not None:
            self.shown.bench.config = config

    def _made_models(self) -> Models:
        from core.config import user_config
        from tui.state.models import Models

        plan = self.shown.stepping.plan if self.shown is not None else None
        subset = self.shown.stepping.item.subset if self.shown is not None else ""
        file = self.manners.file or user_config()
        drafts = self.shown.stepping.drafts if self.shown is not None else None
        models = Models.for_plan(file, plan, subset, drafts)
        models.loads = self._loading
        return models

    def _loading(self) -> dict[str, str]:
        """Whose models the open run's batches are loading, and how far each is."""
        bench = self.shown.bench if self.shown is not None else None
        live = [batch for batch in bench.batches if batch.live] if bench is not None else []
        return {who: stage for batch in live for who, stage in batch.loading.items()}

    def _open_with(self, opener: Opener, name: str, item: str) -> None:
        self.notify(f"opening the same items with {inert(name)} …", timeout=3, markup=False)
        archive = self.shown.stepping.archive if self.shown is not None else None
        uid = archive.run.uid if archive is not None else ""
        self._open_instead(lambda: opener.with_respondent(name, item, uid))

    # -- other runs

    @work(name="runs", group="dialogs", exit_on_error=False)
    async def action_runs(self) -> None:
        from tui.screens.runs import RunsScreen

        archive = self.shown.stepping.archive if self.shown is not None else None
        if archive is None or self._opener is None:
            self.notify("no store is open here, so there are no other runs", markup=False)
            return
        uid = await self.push_screen_wait(RunsScreen(archive.store, archive.run.uid))
        if uid is not None:
            self.open_run(uid)

    def open_run(self, uid: str) -> None:
        """That run of the store in the place of the one on the screen, at the same item where it has it."""
        opener, shown = self._opener, self.shown
        if opener is None or shown is None:
            self.notify("no store is open here, so there are no other runs", markup=False)
        elif shown.stepping.archive is not None and shown.stepping.archive.run.uid == uid:
            self.notify("this run is on the screen", timeout=3, markup=False)
        elif against := self._against_leaving():
            self.notify(against, markup=False)
        else:
            item = shown.stepping.item.id
            self._open_instead(lambda: opener.run(uid, item))

    def _open_instead(self, opening: Callable[[], Ready]) -> None:
        """In a thread: what is to be shown in the place of what is."""

        def opened() -> None:
            try:
                found = opening()
            except PhoropterError as error:
                self.call_later(self.notify, inert(str(error)), severity="error", timeout=10, markup=False)
            else:
                self.call_later(self._change_to, found)

        threading.Thread(target=opened, name="opening", daemon=True).start()

    def _against_leaving(self) -> str:
        """Why the open run cannot be left for another, "" where it can: only its own screen can stop its calls."""
        running = self.shown.stepping.running if self.shown is not None else None
        return f"{running.words}; {key('step.stop')} stops it" if running is not None else ""

    def _change_to(self, found: Ready) -> None:
        """Batches go on. A dialog that was opened meanwhile is ended first."""
        from tui.screens.stepping import SteppingScreen

        if against := self._against_leaving():  # begun while the other one was being opened
            self.notify(against, markup=False)
            return
        if not isinstance(self.screen, SteppingScreen):
            self.set_timer(BETWEEN_LOOKS_S, lambda: self._change_to(found))
            return
        before = self.shown
        if before is not None and before.backstage is not None:
            before.backstage.stop()
        if before is not None and before.bench is not None:
            if found.bench is not None:
                found.bench.take_over(before.bench)
            else:
                self.run_worker(before.bench.manager.close(), name="closing", exit_on_error=False)
        self._show(found)
        if self._models is not None:
            from tui.state.models import asked_in

            if self._models.protocol != asked_in(found.stepping.plan, found.stepping.item.subset):
                self._models = None  # its checks are for what was asked in the run before

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """What works there, and what only the palette has: gold by property."""
        yield from super().get_system_commands(screen)
        yield from getattr(screen, "more_commands", tuple)()


def run_app(app: PhoropterApp) -> int:
    """Run it in this terminal. Returns the exit status as :func:`run_in_terminal`. Raises what its opener raised.

    What was asked is in the journal by then; the caller closes store and respondents.
    """
    status = run_in_terminal(app, mouse=app.manners.mouse, instead="Use a full terminal, or phoropter run and show")
    if app.failure is not None and not app.caught:
        raise app.failure
    return status
