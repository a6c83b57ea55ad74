"""What every pipeline does: run or resume its steps, say what waits for whom, and write the set when all is done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.config import load_config
from core.curation import cards
from core.curation.cards import Making
from core.judging.judge import make_judge
from core.new_folder import refuse_used
from core.planning import Request, prepare
from core.records import Item, Progress
from core.respondents.budget import refuse_unpriced
from core.respondents.people import People
from sessions.curating.state import ACCEPTED, FAILED, REJECTED, WAITING, Standing, reviewers_of, standings
from sessions.journal import StoreJournal
from sessions.store import Store
from tui.cli.batches import LIVE
from tui.cli.ending import BrokenOff, Interrupted
from tui.cli.interrupting import run_until_done
from tui.cli.output import finish_output, put_json, say
from tui.cli.places import chosen_store
from tui.cli.run_words import tell_left_out
from tui.cli.running import run_one
from tui.counting import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.config import Config
    from core.judging.judge import Judge
    from core.plan import Plan
    from sessions.runs import Run


@dataclass(frozen=True, slots=True)
class How:
    """What the pipelines' commands have in common. ``out`` None: nothing is written yet."""

    store: Path | None
    config: Path | None
    out: Path | None = None
    name: str = ""
    concurrency: int = 0
    budget: float | None = None
    licence: str = cards.UNSTATED
    as_json: bool = False

    def settings(self) -> Config:
        """The configuration, with the command's own concurrency. Raises ConfigError."""
        return replace(load_config(self.config), concurrency=self.concurrency)

    @contextmanager
    def opened(self, settings: Config) -> Iterator[Store]:
        """The store, once it is sure that the set could be written."""
        if self.out is not None:
            refuse_used(self.out)
        with Store.open(chosen_store(self.store, settings)) as store:
            yield store


@dataclass(frozen=True, slots=True)
class Gone:
    """A pipeline's run as far as it could go: its items as they stand, and what `run --json` says of it."""

    store: Store
    run: Run
    plan: Plan
    found: list[Standing]
    document: dict[str, Any]
    judge: Judge | None = None

    def of(self, state: str) -> list[Standing]:
        """Those that stand so."""
        return [one for one in self.found if one.state == state]

    @property
    def counts(self) -> dict[str, int]:
        """For the card: what became of the items."""
        counts = cards.counted(one.state for one in self.found)
        return counts | {"edited": sum(one.edited for one in self.of(ACCEPTED))}

    def making(self, how: How) -> Making:
        """What the card says of how the set was made."""
        return Making(
            run=self.run.name,
            seed=int(self.plan.protocol.options.get("seed", "0")),
            options=self.plan.protocol.options,
            respondents=cards.respondents_of(self.plan, self.judge.respondent if self.judge else None),
            prompts=cards.prompts_of(self.plan),
            reviewers=reviewers_of(self.found),
            made=datetime.now(UTC).date().isoformat(),
            licence=how.licence,
        )


def go(store: Store, request: Request, how: How, settings: Config, *, judge: str = "") -> Gone:
    """Ask all that can be asked, and look at what there is then. Raises Interrupted, BrokenOff and as ``prepare``."""
    prepared = prepare(request, settings)
    tell_left_out(prepared)
    asker = None
    if judge:
        steps = prepared.protocol.steps
        asker = make_judge(judge, replace(settings, concurrency=0), prepared.benchmark, steps, request.prompts)
    if how.budget:
        refuse_unpriced((*prepared.respondents, *([asker.respondent] if asker else ())))
    document, run = run_one(
        store,
        prepared,
        how.name,
        asker,
        LIVE,
        fresh=False,
        concurrency=how.concurrency,
        budget=how.budget,
    )
    if isinstance(prepared.plan.respondent, People):
        run_until_done(_begin(StoreJournal(store, run), prepared.selection))
    found = list(standings(store, run, prepared.protocol))
    return Gone(store, run, prepared.plan, found, document, asker)


async def _begin(journal: StoreJournal, items: Iterable[Item]) -> None:
    """Open a trajectory for every item that has none: where the first turn is a person's, nothing has been stored."""
    for item in items:
        trajectory = await journal.take_up(item, 0)
        if not trajectory.id:
            await journal.finish(trajectory, Progress.OPEN)


def ended(by: Interrupted | BrokenOff, how: How) -> int:
    """What is said after a signal, and the status of it; the document says how far the run came. Raises the error
    that ended it."""
    if how.as_json:
        number = int(by.number) if isinstance(by, Interrupted) else None
        put_json({"run": (by.document or {}).get("run"), "signal": number, "so_far": by.document})
    if isinstance(by, BrokenOff):
        finish_output()
        raise by.error from None
    say("interrupted; everything so far is kept, and the same command goes on from there")
    return 128 + by.number


def finish(
    gone: Gone,
    how: How,
    write: Callable[[Path], Path],
    *,
    waiting: list[Standing] | None = None,
    more: Mapping[str, Any] | None = None,
) -> int:
    """Write the set where nothing waits and nothing failed, and say how things stand. Returns the exit status.

    ``waiting`` are those that have to be waited for, where that is not all that wait.
    """
    file = None
    failed = gone.of(FAILED)
    waiting = gone.of(WAITING) if waiting is None else waiting
    complete = not (failed or waiting or gone.document["stopped"])
    empty = complete and not gone.of(ACCEPTED)
    if empty:
        say(f"{gone.run.name}: no item was accepted, so there is no set to write")
    elif complete and how.out is not None:
        file = write(how.out)
    tell(gone, how, file, waiting)
    if how.as_json:
        put_json(
            {
                "run": gone.run.name,
                "counts": gone.counts,
                "waiting": cards.counted(one.step for one in waiting),
                "rejected": {_named(one): one.reason for one in gone.of(REJECTED)},
                "file": str(file) if file is not None else None,
                **(more or {}),
            }
        )
    return 1 if failed or gone.document["stopped"] or empty else 0


def _named(one: Standing) -> str:
    """An item, with the number of the candidate where there are several."""
    repeat = one.trajectory.repeat
    return f"{one.trajectory.item.id}/{repeat}" if repeat else one.trajectory.item.id


def tell(gone: Gone, how: How, file: Path | None, waiting: list[Standing]) -> None:
    """How things stand, and what to do next, on stderr."""
    counts = gone.counts
    order = (ACCEPTED, REJECTED, WAITING, FAILED)
    said = ", ".join(f"{counts[state]} {state}" for state in order if counts.get(state))
    say(f"{gone.run.name}: {said or 'nothing was made'}")
    for step, number in cards.counted(one.step for one in waiting).items():
        say(f"{counted(number, 'item')} at {step}: phoropter make review {gone.run.name} --reviewer NAME")
    if file is not None:
        say(f"written: {file}")
        return
    if not (waiting or gone.of(FAILED)) and gone.of(ACCEPTED) and how.out is None:
        say("all is done: add --out FOLDER to write the set")


def respondents_at(named: Mapping[str, str], steps: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """``--confuser NAME`` and the like as respondents of their steps; an empty name leaves them to the usual one."""
    return {step: named[who] for who, its in steps.items() for step in its if named.get(who)}
