"""``phoropter`` and ``phoropter demo``: the app on a run of the store."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.benchmarks import registry
from core.config import Config, load_config
from core.errors import UsageError
from core.packs import pack, packs_of
from core.planning import Prepared, Request, prepare
from core.records import named
from sessions import reading
from sessions.cells import run_tally
from sessions.opening import OpenRun, open_prepared
from sessions.runs import find_run, runs
from sessions.store import Store, default_path
from tui.cli.output import say
from tui.cli.places import chosen_store

if TYPE_CHECKING:
    from tui.state.crew import Crew

DEMO_STORE = "demo.db"
OPENED = "voila:WD"
"""The pack that the app opens where none is named."""


def open_app(store: Path | None, config: Path | None, run: str) -> int:
    """The app on that run, or on the latest one; a first screen that says what to do where there is none."""
    _need_terminal("phoropter --help lists the commands that need none")
    settings = load_config(config)
    path = chosen_store(store, settings)
    if not run and not (path or default_path()).exists():
        return _first_screen()
    with Store.open(path, create=False) as opened:
        found = runs(opened)
        if not found and not run:
            return _first_screen()
        chosen = find_run(opened, run) if run else found[0].run
        if not chosen.recipe:
            raise UsageError("this run does not say how it was asked", where=chosen.name)
        prepared = prepare(Request.from_json(chosen.recipe), settings)
        return _show(open_prepared(opened, prepared, chosen.name), settings)


def demonstrate(name: str, respondent: str, protocol: str, store: Path | None, config: Path | None) -> int:
    """A built-in pack in the app; without a terminal a small batch of two baselines and its report, on all packs
    that know the protocol where none is named."""
    settings = load_config(config)
    packs = [*named_packs(name, protocol)]
    path = store if store is not None else default_path().with_name(DEMO_STORE)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return _demonstrate_headless(packs, respondent, protocol, path, config)
    request = Request(packs[0] if name else OPENED, respondent=respondent, protocol=protocol)
    with Store.open(path) as opened:
        return _show(open_prepared(opened, prepare(request, settings)), settings, demo=True)


def _demonstrate_headless(
    packs: Sequence[str], respondent: str, protocol: str, store: Path, config: Path | None
) -> int:
    from tui.cli.report import DEMONSTRATION
    from tui.cli.running import run_batch

    say("no terminal here: a small batch on the built-in packs, and its report")
    requests = [Request(pack, respondent=who, protocol=protocol) for pack in packs for who in ("oracle", respondent)]
    status = run_batch(
        requests,
        store=store,
        config=config,
        name="",
        fresh=False,
        concurrency=0,
        dry_run=False,
        as_json=False,
    )
    say(DEMONSTRATION)
    return status


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


def _show(opened: OpenRun, settings: Config, *, demo: bool = False) -> int:
    from tui.app import PhoropterApp, run_app
    from tui.imaging import decide
    from tui.state.archive import Archive
    from tui.state.crew import Crew
    from tui.state.notebook import Notebook
    from tui.state.standing import NOT_RUN, stored_standing
    from tui.state.stepping import Stepping

    prepared = opened.prepared
    items = list(prepared.selection)
    latest = reading.last_touched(opened.store, opened.run.id)
    standings = dict.fromkeys((item.id for item in items), NOT_RUN)
    for status in reading.items(opened.store, opened.run):
        if status.trajectory is not None:
            standings[status.key] = stored_standing(status)
    stepping = Stepping(
        prepared.plan,
        opened.journal,
        items,
        run_tally(opened.store, opened.run),
        standings=standings,
        base=opened.base,
        start=next((index for index, item in enumerate(items) if item.id == latest), 0),
    )
    stepping.crew = crew = Crew(settings, prepared.pictures)
    stepping.archive = Archive(opened.store, opened.run)
    stepping.notebook = Notebook(opened.store, settings.pseudonym)
    title = f"{opened.run.name}{' (demonstration)' if demo else ''}"
    try:
        stored = partial(reading.picture, opened.store)
        return run_app(PhoropterApp(stepping, prepared.pictures, decide(), title=title, demo=demo, stored=stored))
    finally:
        asyncio.run(_close(prepared, crew))


async def _close(prepared: Prepared, crew: Crew) -> None:
    await prepared.close()
    await crew.close()


def _first_screen() -> int:
    from tui.app import FirstApp, run_app

    return run_app(FirstApp())


def _need_terminal(remedy: str) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal", remedy=remedy)
