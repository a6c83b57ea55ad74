"""``phoropter`` and ``phoropter demo``: the app on a run. Imports little, so that the first paint comes at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import UsageError
from tui.cli.output import say
from tui.imaging import wanted_kind

if TYPE_CHECKING:
    from core.planning import Request
    from tui.cli.opened import Opened
    from tui.state.ready import Ready


def open_app(store: Path | None, config: Path | None, run: str, images: str = "") -> int:
    """The app on that run, or on the latest one; a first screen that says what to do where there is none."""
    _need_terminal("phoropter --help lists the commands that need none")
    return _show(_Later(config, store=store, run=run), config, run or "the latest run", images)


def demonstrate(
    name: str, respondent: str, protocol: str, store: Path | None, config: Path | None, images: str = ""
) -> int:
    """A built-in pack in the app, where ``eyes`` answers if nobody is named; without a terminal a small batch of two
    baselines and its report, on all packs that know the protocol where none is named."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        asked = {"respondent": respondent} if respondent else {}
        later = _Later(config, demo_store=store, pack=name, protocol=protocol, **asked)
        return _show(later, config, name or "the demonstration", images, demo=True)
    wanted_kind("", option=images)  # nothing is shown here, but a word that means nothing is told
    return _demonstrate_headless(name, respondent, protocol, store, config)


class _Later:
    """Imports what opens a run only when it is asked to: by then the first screen is painted."""

    def __init__(self, config: Path | None, **given: Any) -> None:
        self._given = given
        self._config = config
        self._made: Opened | None = None

    def _opened(self) -> Opened:
        from core.respondents import eyes
        from tui.cli.opened import Opened

        self._made = self._made or Opened(self._config, **{"respondent": eyes.for_demo(), **self._given})
        return self._made

    def stored(self) -> Ready | None:
        return self._opened().stored()

    def demo(self) -> Ready:
        return self._opened().demo()

    def with_respondent(self, name: str, item: str, uid: str = "") -> Ready:
        return self._opened().with_respondent(name, item, uid)

    def run(self, uid: str, item: str = "") -> Ready:
        return self._opened().run(uid, item)

    def data(self, request: Request) -> Ready:
        return self._opened().data(request)

    def close(self) -> None:
        """Close what was opened."""
        if self._made is not None:
            self._made.close()


def _demonstrate_headless(name: str, respondent: str, protocol: str, store: Path | None, config: Path | None) -> int:
    from core.planning import Request
    from core.respondents import eyes
    from sessions.store import default_path
    from tui.cli.opened import DEMO_STORE, named_packs
    from tui.cli.report import DEMONSTRATION
    from tui.cli.running import run_batch

    packs: Sequence[str] = named_packs(name, protocol)
    respondent = respondent or eyes.RECORDED
    say("no terminal here: a small batch on the built-in packs, and its report")
    requests = [Request(pack, respondent=who, protocol=protocol) for pack in packs for who in ("oracle", respondent)]
    status = run_batch(
        requests,
        store=store if store is not None else default_path().with_name(DEMO_STORE),
        config=config,
        name="",
        fresh=False,
        concurrency=0,
        dry_run=False,
        as_json=False,
    )
    say(DEMONSTRATION)
    return status


def _show(later: _Later, config: Path | None, what: str, images: str, *, demo: bool = False) -> int:
    from tui.app import PhoropterApp, run_app
    from tui.imaging import decide
    from tui.manners import manners_of

    asked = manners_of(config)
    imaging = decide(asked.images, option=images)
    try:
        return run_app(PhoropterApp(imaging=imaging, opener=later, what=what, demo=demo, manners=asked))
    finally:
        later.close()


def _need_terminal(remedy: str) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the app needs a terminal", remedy=remedy)
