"""What the app shows, found in the store or made for the demonstration. Imported beside the first paint."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path

from core.benchmarks import registry
from core.config import Config, load_config
from core.errors import StoreError, UsageError
from core.packs import pack, packs_of
from core.plan import Plan
from core.planning import Request, prepare
from core.records import named
from sessions import damage
from sessions.drafts import Drafts
from sessions.left import LeftAt
from sessions.opening import open_prepared
from sessions.reopening import request_of
from sessions.running import looked_at, others_look, the_only_batch
from sessions.runs import Run, drop_untouched, find_run, runs
from sessions.store import EmptyStoreError, Store, default_path
from tui.cli.places import chosen_store
from tui.state.crew import Crew
from tui.state.ready import Ready, ready

DEMO_STORE = "demo.db"
OPENED = "voila:WD"
"""The pack that the app opens where none is named."""


class Opened:
    """Opens what the app shows, in the app's thread for it, and closes it when the app has ended."""

    def __init__(
        self,
        config: Path | None,
        store: Path | None = None,
        run: str = "",
        *,
        demo_store: Path | None = None,
        pack: str = "",
        respondent: str,
        protocol: str = "",
    ) -> None:
        self._config = config
        self._path = store
        self._run = run
        self._demo_store = demo_store
        self._pack = pack
        self._respondent = respondent
        self._protocol = protocol
        self._stores: list[Store] = []
        self._crews: list[Crew] = []
        self._left: list[LeftAt] = []
        self._plans: list[Plan] = []
        self._shown: tuple[Store, Run, bool] | None = None
        self._new: list[tuple[Store, Run, Drafts]] = []
        self._looks: set[str] = set()
        self._looking = ExitStack()

    def stored(self) -> Ready | None:
        settings = load_config(self._config)
        path = chosen_store(self._path, settings)
        if not self._run and not (path or default_path()).exists():
            return None
        try:
            store = self._opened(path)
        except EmptyStoreError:
            if self._run:
                raise
            return None  # what is run from the first screen fills it
        with damage.told(store.path):
            found = None if self._run else runs(store)
        if found == []:
            return None
        return self._ready(store, find_run(store, self._run) if found is None else found[0].run, settings)

    def demo(self) -> Ready:
        settings = load_config(self._config)
        name = named_packs(self._pack, self._protocol)[0] if self._pack else OPENED
        prepared = prepare(Request(name, respondent=self._respondent, protocol=self._protocol), settings)
        path = self._demo_store if self._demo_store is not None else default_path().with_name(DEMO_STORE)
        store = Store.open(path)
        self._stores.append(store)
        self._plans.append(prepared.plan)
        return self._ready(store, open_prepared(store, prepared).run, settings, demo=True)

    def with_respondent(self, name: str, item: str, uid: str = "") -> Ready:
        """The items of the run of that ``uid``, "" for the one that was opened last, with another respondent, at that
        item: the run that this resumes, or a new one, which goes with the app where nothing is done in it."""
        assert self._shown is not None
        store, run, demo = self._shown
        if uid:
            run = find_run(store, uid, exact=True)
        settings = load_config(self._config)
        prepared = prepare(request_of(run, told=True).asked_of(name), settings)
        self._plans.append(prepared.plan)
        made = open_prepared(store, prepared)
        shown = self._ready(store, made.run, settings, demo=demo, at=item)
        if not made.resumption.resumed:
            self._new.append((store, made.run, shown.stepping.drafts))
        return shown

    def run(self, uid: str, item: str = "") -> Ready:
        """Another run of the store that is open, at that item where the run has it."""
        assert self._shown is not None
        store, _, demo = self._shown
        return self._ready(store, find_run(store, uid, exact=True), load_config(self._config), demo=demo, at=item)

    def data(self, request: Request) -> Ready:
        """The run of this request in the store, which is made where there is none."""
        settings = load_config(self._config)
        prepared = prepare(request, settings)
        self._plans.append(prepared.plan)
        store = next(iter(self._stores), None) or Store.open(chosen_store(self._path, settings))
        if store not in self._stores:
            self._stores.append(store)
        return self._ready(store, open_prepared(store, prepared).run, settings)

    def _opened(self, path: Path | None) -> Store:
        """The store for reading and writing; for looking alone where nothing can be written there."""
        try:
            store = Store.open(path, create=False)
        except StoreError:
            with suppress(StoreError):  # what stood in the way of writing is told, not this
                store = Store.open(path, create=False, read_only=True)
                self._stores.append(store)
                return store
            raise
        self._stores.append(store)
        return store

    def _ready(self, store: Store, run: Run, settings: Config, *, demo: bool = False, at: str = "") -> Ready:
        if run.uid not in self._looks and not store.read_only:
            self._looks.add(run.uid)
            self._looking.enter_context(looked_at(store, run))
            run = find_run(store, run.uid, exact=True)  # whoever took it away had not seen that it is looked at
        with damage.told(store.path):
            made = ready(store, run, settings, demo=demo, at=at)
        self._plans.append(made.stepping.plan)
        self._left.append(made.stepping.left)
        self._shown = (store, run, demo)
        if made.stepping.crew is not None:
            self._crews.append(made.stepping.crew)
        return made

    def close(self) -> None:
        """Give connections back; what is queued is written."""
        for left in self._left:
            left.flush()
        for plan in self._plans:
            asyncio.run(_close(plan))
        for crew in self._crews:
            asyncio.run(crew.close())
        for store, run, drafts in self._new:
            if not any(place.run.endswith(run.uid) for place in drafts):
                with suppress(UsageError), the_only_batch(store, run):  # refused: another process works on it
                    drop_untouched(store, run, partial(others_look, store, run))
        self._looking.close()
        for store in self._stores:
            store.close()


async def _close(plan: Plan) -> None:
    for respondent in plan.respondents:
        await respondent.close()


def named_packs(name: str, protocol: str = "") -> list[str]:
    """The pack of that name, those of that benchmark, or all of the benchmarks that know the protocol.

    Raises UsageError for a name that none has.
    """
    if not name:
        known = (one for one in registry.BENCHMARKS.values() if not protocol or protocol in one.protocols)
        return [named(one.name, subset) for one in known for subset in packs_of(one.name)] or [OPENED]
    benchmark, subset = registry.parse_name(name)
    if subset:
        pack(benchmark.name, subset)  # raises, and says which there are
        return [named(benchmark.name, subset)]
    return [named(benchmark.name, each) for each in packs_of(benchmark.name)]
