"""``phoropter score``: stored answers scored again, by rule or by a judge; no respondent is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.benchmarks import registry
from core.config import load_config
from core.errors import UsageError
from core.events import Event, Judged
from core.records import Json
from core.scoring import RULE, scorers_of
from sessions.runs import Run, find_run
from sessions.scoring import Change, changed, rescore
from sessions.store import Store
from tui.cli.output import finish_output, put, put_json, say
from tui.counting import counted
from tui.inert import one_line

if TYPE_CHECKING:
    from sessions.judging import Judging


class _Changes:
    """Told one by one as they are found, or kept for the one document."""

    def __init__(self, *, diff: bool, as_json: bool) -> None:
        self.documents: list[Json] = []
        self.count = 0
        self._diff = diff
        self._as_json = as_json

    def tell(self, change: Change) -> None:
        self.count += 1
        if self._as_json:
            self.documents.append(change.to_json())
        elif self._diff:
            put(one_line(change.line()))


def score_again(store: Path | None, run: str, scorer: str, *, diff: bool, as_json: bool) -> int:
    """Scores of the scorer's present version beside those of earlier ones; ``diff`` lists what changed."""
    changes = _Changes(diff=diff, as_json=as_json)
    scorer = scorer or RULE
    with Store.open(store, create=False) as opened:
        found = find_run(opened, run)
        known = {one.name: one for one in scorers_of(registry.get(found.config.benchmark))}
        if scorer not in known:
            raise UsageError(
                f"there is no scorer {scorer!r} for stored answers",
                where="--scorer",
                remedy=f"Known: {', '.join(known)}; a model scores with --judge NAME",
            )
        outcome = rescore(opened, found, known[scorer], changes.tell)
    if as_json:
        put_json(
            {
                "run": found.name,
                "scorer": scorer,
                "version": outcome.version,
                "steps": outcome.steps,
                "added": outcome.added,
                "changed": changes.documents,
            }
        )
        return 0
    say(
        f"{found.name}: {counted(outcome.steps, 'answer')} read, {counted(outcome.added, 'score')} of {scorer} "
        f"{outcome.version} added, {outcome.changed:,} of them unlike the version before"
    )
    return 0


def score_by_judge(
    store: Path | None,
    run: str,
    name: str,
    *,
    config: Path | None,
    prompts: Path | None,
    concurrency: int,
    again: bool,
    diff: bool,
    as_json: bool,
) -> int:
    """A judge is asked about the answers that it has not scored; ``again`` about all of them. Returns 1 where some
    judgements failed."""
    from core.judging.judge import make_judge
    from sessions.cells import steps_of
    from sessions.judging import Judging
    from sessions.running import the_only_judging
    from tui.cli.ending import Interrupted
    from tui.cli.judging import judge_document, tell_judged
    from tui.cli.run_words import stopped_words

    settings = replace(load_config(config), concurrency=concurrency)
    changes = _Changes(diff=diff, as_json=as_json)

    with Store.open(store, create=False) as opened:
        found = find_run(opened, run)
        judge = make_judge(name, settings, registry.get(found.config.benchmark), steps_of(found), prompts)
        with the_only_judging(opened, found, judge.name):
            judging = Judging(opened, found, judge, again=again)

            def document(number: int | None = None) -> dict[str, Any]:
                totals = judging.totals
                return {
                    "run": found.name,
                    "scorer": judge.name,
                    "version": judging.version,
                    "steps": totals.judged + totals.errors,
                    "added": totals.judged,
                    "changed": changes.documents,
                    "signal": number,
                    "judge": judge_document(judging),
                }

            try:
                _judge(found, judging, changes)
            except Interrupted as interrupted:
                if as_json:
                    put_json(document(int(interrupted.number)))
                    finish_output()
                tell_judged(found.name, judging)
                say("interrupted; everything so far is kept, and the same command goes on from there")
                return 128 + interrupted.number
            except Exception as error:
                if as_json:
                    put_json(document() | {"stopped_by": stopped_words(error)})
                    finish_output()
                tell_judged(found.name, judging)
                raise
    totals = judging.totals
    if as_json:
        put_json(document())
    tell_judged(found.name, judging)
    if diff and not as_json:
        say(f"{found.name}: {changes.count} judged otherwise than by the version before")
    return 1 if totals.errors or totals.left or totals.stopped_by is not None else 0


def _judge(run: Run, judging: Judging, changes: _Changes) -> None:
    from tui.cli.interrupting import run_until_done
    from tui.cli.progress import JudgingProgress

    async def work() -> None:
        try:
            await judging.run()
        finally:
            await judging.judge.close()

    with JudgingProgress(run.name, judging.waiting()) as progress:

        def heard(event: Event) -> None:
            progress(event)
            if isinstance(event, Judged) and event.score is not None:
                change = changed(event.item, event.step, event.trajectory, event.score)
                if change is not None:
                    changes.tell(change)

        judging.listener = heard
        run_until_done(work())
