"""A stored run opened for looking, whatever became of its data, its pictures and whoever answered.

``reopen`` reads the store alone and takes milliseconds. ``source`` then reads the data file, however large, and says
whether the run can be gone on with: it belongs in a thread.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.benchmarks import registry
from core.benchmarks.base import Dataset, LoadOptions
from core.config import Config
from core.errors import PhoropterError, Problem, UsageError
from core.interventions import from_stored
from core.plan import Plan
from core.planning import (
    DRAWN,
    Prepared,
    Request,
    choose,
    covers_of,
    drawer_of,
    folder_of_pictures,
    largest_side,
    load,
    make_plan,
    make_protocol,
)
from core.records import Item, Progress, Step, named
from core.respondents.absent import Absent
from core.scoring import scorers_of
from core.selection import Filter, Selection
from sessions import encoding
from sessions.browsing import outcomes
from sessions.identity import differences
from sessions.journal import StoreJournal
from sessions.opening import config_of
from sessions.replay import Replay
from sessions.runs import Run, find_run
from sessions.sent import StoredPictures
from sessions.store import Store

STORED_ONLY: Final = "stored items only"


@dataclass(frozen=True, slots=True)
class Reopened:
    """A run of the store with its plan. ``hindrance`` says why nobody can be asked whatever its data is, "" where
    nothing stands against it."""

    store: Store
    run: Run
    request: Request
    plan: Plan
    pictures: StoredPictures
    journal: StoreJournal
    hindrance: str = ""

    @property
    def base(self) -> Callable[[Item, int], Awaitable[Sequence[Step]]] | None:
        """Where the steps of ``--from`` come from, None without it."""
        return self.journal.base_steps if self.journal.base is not None else None


@dataclass(frozen=True, slots=True)
class Source:
    """Where the items come from. ``missing`` says plainly what is not as it was, "" where all is: then ``items`` are
    those of the data file, in its order, and else (``stored``) those the run has anything of. ``request`` is the
    run's, with what is there."""

    items: Iterable[Item]
    request: Request
    missing: str = ""
    stored: bool = False


def reopen(store: Store, run: Run, config: Config, pictures_at: str = "") -> Reopened:
    """The run without a look at its data. ``pictures_at``: where its pictures lie now (a folder, or ``drawn``).

    Raises UsageError only where this program does not know its protocol, or there are no pictures to be had there.
    """
    benchmark, request = registry.get(run.config.benchmark), request_of(run)
    folder = LoadOptions(folder_of_pictures(benchmark, pictures_at)).pictures
    seen = replace(request, pictures=pictures_at or request.pictures)
    drawer = drawer_of(benchmark, seen)
    pictures = StoredPictures(store, run.id, drawer=drawer, max_side=largest_side(request), folder=folder)
    why: list[str] = []
    try:
        plan = make_plan(benchmark, run.config.subset, request, config, pictures)
    except PhoropterError as error:
        why.append(_line(error))
        plan = _plan_as_stored(run, request, why[0])
    base = None
    if run.config.base_run:
        try:
            base = find_run(store, run.config.base_run, exact=True)
        except PhoropterError:
            why.append("the run it starts from is gone")
    return Reopened(
        store, run, request, plan, pictures, StoreJournal(store, run, base=base), "; ".join(dict.fromkeys(why))
    )


def request_of(run: Run, *, told: bool = False) -> Request:
    """How the run was asked for; from its configuration where it keeps no recipe. ``told``: UsageError there, for
    whoever is to ask again."""
    if run.recipe:
        return Request.from_json(run.recipe)
    if told:
        raise UsageError("this run does not say how it was asked", where=run.name)
    config = run.config
    where = {key: tuple(values) for key, values in (config.filter or {}).get("where", {}).items()}
    return Request(
        named(config.benchmark, config.subset),
        protocol=config.protocol,
        options=config.options,
        respondent=config.respondent,
        filter=Filter(where, seed=config.seed),
    )


def item_of_id(store: Store, run: Run, key: str) -> Item | None:
    """The item of that id, None where the run has nothing of it."""
    db = store.reader()
    found = db.execute(
        "SELECT id FROM items WHERE benchmark = ? AND subset = ? AND key = ? AND EXISTS"
        " (SELECT 1 FROM trajectories WHERE run = ? AND item = items.id) ORDER BY id DESC LIMIT 1",
        (run.config.benchmark, run.config.subset, encoding.to_text(key), run.id),
    ).fetchone()
    return None if found is None else Replay(db).item(found[0])


def first_item(store: Store, run: Run, scorer: str) -> Item | None:
    """The item to begin with in a run that nobody has looked at, of those that it has anything of, in the order they
    were first seen: the first one with a wrong step, else the first with a failed call, else the first. None where
    there is none."""
    failed = ""
    for page in outcomes(store, run, scorer):
        wrong = next((one.key for one in page if one.first_wrong), "")
        failed = failed or next((one.key for one in page if one.progress is Progress.FAILED), "")
        if wrong:
            return item_of_id(store, run, wrong)
    return item_of_id(store, run, failed) if failed else next(stored_items(store, run), None)


def stored_items(store: Store, run: Run) -> Iterator[Item]:
    """The items that the run has anything of, in the order they were first seen."""
    db = store.reader()
    replay = Replay(db)
    rows = db.execute("SELECT DISTINCT item FROM trajectories WHERE run = ? ORDER BY item", (run.id,)).fetchall()
    return (replay.item(row) for (row,) in rows)


def source(opened: Reopened) -> Source:
    """Where the items come from: the data file where it is the one that the run was made on. Reads it whole once."""
    run, request, missing = opened.run, opened.request, []
    folder = request.pictures
    if folder not in ("", DRAWN) and not Path(folder).expanduser().is_dir():
        missing.append(f"the pictures' folder {folder} is not there")
        request = replace(request, pictures="")
    if request.data is not None and not request.data.exists():
        return _only_stored(opened, f"data file {request.data} is not there")
    try:
        _, _, dataset = load(request, opened.plan.protocol.name)
        changed = dataset.digest != run.config.data_digest
    except (PhoropterError, OSError) as error:
        return _only_stored(opened, _line(error))
    if changed:
        return _only_stored(opened, f"data file {dataset.source} has changed since this run")
    try:
        items = _selection(opened, request, dataset)
    except PhoropterError as error:
        return _only_stored(opened, _line(error))
    return Source(items, request, "; ".join(missing))


def difference(opened: Reopened, found: Source) -> str:
    """What of the run's identity is not as it was, "" where going on would be the same run. Reads the beginning of
    every picture where somebody looks at them: the slow part."""
    before, request = opened.run.config, found.request
    dataset: Dataset = _Nothing(before.subset, before.data_digest)
    try:
        if not found.stored:
            dataset = load(request, opened.plan.protocol.name)[2]
        selection = Selection(dataset, request.filter)
        benchmark, pictures = opened.plan.benchmark, opened.pictures
        now = config_of(
            Prepared(request, benchmark, before.subset, dataset, selection, pictures, opened.plan),
            opened.journal.base,
        )
    except PhoropterError as error:
        return _line(error)
    if found.stored and opened.plan.looks and not pictures.drawn:
        now = replace(now, filter=before.filter)  # asked with what was sent, not with files
    return ", ".join(differences(before, now))


# -- inside


@dataclass(frozen=True, slots=True)
class _Nothing:
    """A data set that is not there, under the digest it had."""

    subset: str
    digest: str
    source: str = ""

    def __iter__(self) -> Iterator[Item]:
        return iter(())

    def good(self) -> Iterator[Item]:
        return iter(())

    def problems(self) -> list[Problem]:
        return []


def _only_stored(opened: Reopened, missing: str) -> Source:
    opened.pictures.stored_first = True
    items = stored_items(opened.store, opened.run)
    return Source(items, opened.request, f"{STORED_ONLY}: {missing}", stored=True)


def _selection(opened: Reopened, request: Request, dataset: Dataset) -> Iterable[Item]:
    """As the run was made: the same bytes need no second look at each row, but for what was left out."""
    if request.skip_bad:
        return choose(request, dataset, opened.plan, opened.pictures)[0]
    return Selection(dataset, request.filter, covers=covers_of(opened.plan.protocol))


def _plan_as_stored(run: Run, request: Request, why: str) -> Plan:
    """The plan where somebody who answered, or a file of an intervention, is not at hand any more."""
    config = run.config
    benchmark = registry.get(config.benchmark)
    return Plan(
        benchmark,
        make_protocol(benchmark, config.subset, request),
        Absent(config.respondent, config.respondent_kind, why),
        scorers_of(benchmark),
        {step: Absent(other["name"], "model", why) for step, other in config.respondents_at.items()},
        from_stored(config.interventions),
        request.repeats,
        request.filter.seed,
    )


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())
