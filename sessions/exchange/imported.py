"""Another tool's replies as a run: matched with items, scored by our rule, marked with where they come from."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from core.config import Config
from core.errors import DataError, UsageError
from core.foreign.matching import Matched, match
from core.foreign.replies import IMPORTED, Judged, Results, Verdicts
from core.foreign.respondent import Imported
from core.foreign.voila_results import TOOL
from core.pictures import Pictures
from core.planning import Prepared, Request, load, make_plan, mends, protocol_name
from core.records import EMPTY, JUDGING, Call, Parse, Score, digest
from core.selection import Filter, Selection
from core.totals import Totals
from core.version import own_version
from sessions import encoding, ledger
from sessions.grading import is_grader
from sessions.identity import safe_name
from sessions.journal import StoreJournal
from sessions.opening import OpenRun, config_of
from sessions.runs import Run, open_run
from sessions.scoring import answers, keeping
from sessions.store import Store

SEPARATOR: Final = ":"


@dataclass(frozen=True, slots=True)
class Taken:
    """What came of it: the run, how it went, what matched no item, and how many verdicts were kept."""

    run: Run
    resumed: bool
    totals: Totals
    matched: Matched
    verdicts: Mapping[str, int] = field(default_factory=lambda: EMPTY)
    unjudged: tuple[str, ...] = ()


Ready: TypeAlias = tuple[Prepared, Matched]
"""A run and the replies that it is made of."""


def take_results(
    store: Store,
    results: Results,
    request: Request,
    name: str | None = None,
    judged: Sequence[Verdicts] = (),
    ready: Ready | None = None,
) -> Taken:
    """Replay a file's replies into a run of the store. The same file a second time resumes that run and adds nothing.

    ``ready`` is what :func:`ready_results` gave before there was a store. Raises UsageError where no reply matches an
    item of the data, where the protocol has steps that the file cannot hold, and for a judge with a grader's name;
    DataError for bad data.
    """
    for verdicts in judged:
        if is_grader(store.reader(), verdicts.judge):
            raise UsageError("the judge has the pseudonym of somebody who graded here", where=verdicts.judge)
    prepared, matched = ready or ready_results(results, request)
    plan = replace(
        prepared.plan,
        respondent=Imported(results, request.respondent, matched.found),
        repeats=1 + max(repeat for _, _, repeat in matched.found),
    )
    prepared = replace(prepared, plan=plan)
    recipe = replace(
        request, prompt_texts=prepared.protocol.prompts, respondent=f"{IMPORTED}{SEPARATOR}{results.file}"
    )
    words = [prepared.benchmark.name, prepared.subset, prepared.protocol.name, request.respondent, IMPORTED]
    run, resumption = open_run(
        store,
        config_of(prepared, None),
        name,
        versions={"phoropter": own_version(), IMPORTED: results.tool, "file": results.file, "sha256": results.digest},
        recipe=recipe.to_json(),
        suggested=safe_name(words),
    )
    opened = OpenRun(store, prepared, run, resumption, StoreJournal(store, run))
    engine = opened.engine()
    asyncio.run(engine.run(matched.items))
    kept: dict[str, int] = {}
    unjudged: list[str] = []
    for verdicts in judged:
        kept[verdicts.file] = _keep(store, prepared, run, verdicts, unjudged)
    return Taken(run, resumption.resumed, engine.totals, matched, kept, tuple(unjudged))


def ready_results(results: Results, request: Request) -> Ready:
    """The replies matched with the items. Raises as :func:`take_results` does, but for judges, and needs no store."""
    benchmark, subset, dataset = load(request, protocol_name(request))
    problems = dataset.problems()
    if problems:
        raise DataError(problems, remedy=mends(problems, "import"))
    pictures = Pictures(drawer=None)
    plan = make_plan(benchmark, subset, replace(request, respondent="oracle"), Config(), pictures)
    told = {reply.step for reply in results.replies}
    unknown = sorted(told - {"", *plan.protocol.steps})
    if unknown:
        raise UsageError(
            f"the file holds replies to {', '.join(unknown)}, which this protocol does not ask",
            where=f"--protocol {plan.protocol.name}",
        )
    if "" in told and len(plan.protocol.steps) > 1:
        raise UsageError(
            f"{results.tool} asks one turn an item, and this protocol has {len(plan.protocol.steps)} steps",
            where=f"--protocol {plan.protocol.name}",
            remedy="Name one with a single step: direct, iq, qo ...",
        )
    matched = match(results.replies, list(dataset), benchmark, plan.protocol)
    if not matched.found:
        first = matched.left[0] if matched.left else "it holds no reply"
        raise UsageError(
            f"none of its replies matches an item: {first}", where=results.file, remedy="Name the data with --data"
        )
    selection = Selection(dataset, Filter({}))
    return Prepared(request, benchmark, subset, dataset, selection, pictures, plan), matched


def _keep(store: Store, prepared: Prepared, run: Run, verdicts: Verdicts, unjudged: list[str]) -> int:
    """Store a judge's verdicts as scores under its name; how many are new."""
    wanted = {one.item: one for one in verdicts.judged}
    steps = {
        answer.item.id: answer.step.id
        for answer in answers(store, run)
        if answer.step.turn.step == verdicts.step and answer.item.id in wanted
    }
    unjudged += [f"{one.where}: no answer of {one.item} is stored" for key, one in wanted.items() if key not in steps]
    unjudged += [f"{one.where}: {one.error}" for key, one in wanted.items() if key in steps and one.error]
    version = f"{verdicts.step}-{verdicts.digest[:12]}"
    layout = prepared.benchmark.layout(verdicts.step)

    def change(db: sqlite3.Connection) -> int:
        words = store.vocabulary
        scorer = words.scorer(db, verdicts.judge, version)
        known = {step for (step,) in db.execute("SELECT step FROM judgements WHERE scorer = ?", (scorer,))}
        new = 0
        for key, step in steps.items():
            if step in known:
                continue
            one = wanted[key]
            score = None if one.error else _score(one, verdicts.judge, version, layout.mask, layout.bit_of)
            if score is not None:
                new += keeping(store, run, [(step, score)])(db)
            asked = {"tool": TOOL, "where": one.where}
            call = Call(JUDGING, digest([verdicts.digest, key]), asked, one.raw, verdicts.judge)
            (trajectory,) = db.execute("SELECT trajectory FROM steps WHERE id = ?", (step,)).fetchone()
            row = ledger.enter(db, words, call, run.id, trajectory, 0)
            db.execute(
                "INSERT INTO judgements (step, scorer, call, error, created) VALUES (?, ?, ?, ?, ?)",
                (step, scorer, row, encoding.to_text(one.error), encoding.now_ms()),
            )
        return new

    return store.write(change)


def _score(one: Judged, judge: str, version: str, mask: int, bit_of: object) -> Score:
    assert callable(bit_of)
    right = 0
    for name, value in one.right.items():
        bit = bit_of(name)
        if bit is not None and value:
            right |= bit
    return Score(judge, version, Parse.OK, right, mask)
