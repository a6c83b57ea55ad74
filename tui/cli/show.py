"""``phoropter show``: transcripts of what happened."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias

from core.benchmarks import registry
from core.config import Config, load_config
from core.errors import UsageError
from core.moments import utc
from core.records import Item, Origin, Recalled, Score, SentPicture, Step, Trajectory, named
from core.respondents.odds import odds
from core.scoring import scorers_of
from sessions import reading
from sessions.entries import properties
from sessions.notebook import Page, page_of
from sessions.runs import Run, every_run, find_run, runs
from sessions.served import Served, changes, served
from sessions.store import Store
from tui.cli.documents import item_document, turn_lines
from tui.cli.output import put, put_json
from tui.cli.raw import RawShow, saving_folder
from tui.cli.remarks import item_lines, item_remarks, step_lines, step_remarks, trajectory_remarks
from tui.cli.saving import save_made
from tui.counting import counted, more_than
from tui.inert import inert, one_line
from tui.rawtext import tokens, weighed
from tui.state.reading import readings

LONGEST_NUMBER = 18
"""Digits of a trajectory's number that SQLite can hold."""
LONGEST_ID = 200
RUNS_NAMED = 3
"""Of a mistyped id so much is compared and shown."""


def show_transcripts(
    store: Path | None,
    config: Path | None,
    what: str,
    run: str,
    *,
    raw: bool,
    save: Path | None,
    save_pictures: Path | None,
    as_json: bool,
) -> int:
    """All trajectories on an item, or the one of that number: each turn, picture, prompt, answer and score.

    ``raw`` adds the requests and replies as they went; ``save`` writes them into that folder too. ``save_pictures``:
    a folder that the pictures they were answered with are written into.
    """
    settings = load_config(config) if raw or save is not None else Config()
    with Store.open(store, create=False, read_only=True) as opened:
        found = _find(opened, what, find_run(opened, run) if run else None)
        names = {summary.run.id: summary.run for summary in runs(opened)}
        heard = {run_id: served(opened, run_id) for run_id, _ in found}
        if as_json:
            _refuse_several(what, found, names)
        if save_pictures is not None:
            save_made(opened, (trajectory for _, trajectory in found), save_pictures)
        pages = {trajectory.item.hash: page_of(opened, trajectory.item) for _, trajectory in found}
        calls = RawShow(opened, settings, saving_folder(save) if save is not None else None)
        raw = raw or save is not None
        if as_json:
            put_json(_document(found, names, pages[found[0][1].item.hash], calls if raw else None))
            return 0
        for index, (run_id, trajectory) in enumerate(found):
            if index:
                put("")
            _print(names[run_id], trajectory, heard[run_id], pages[trajectory.item.hash], calls, raw=raw)
    return 0


Found: TypeAlias = list[tuple[int, Trajectory]]


def _find(store: Store, what: str, run: Run | None) -> Found:
    """With the raw calls: what is said of odds and served models stands in them."""
    found = reading.trajectories_on(store, what, run.id if run is not None else None, calls=True)
    if not found and what.isdecimal() and len(what) <= LONGEST_NUMBER:
        one = reading.trajectory(store, int(what), calls=True)
        if one is not None and (run is None or one[0] == run.id):
            return [one]
    if not found:
        raise _nothing(store, what, run)
    return found


def _nothing(store: Store, what: str, run: Run | None) -> UsageError:
    """Why there is nothing to show: another run's, an item that nothing was asked of, or a name that is none."""
    where = what[:LONGEST_ID]
    if run is not None and (elsewhere := _in_other_runs(store, what)):
        several = more_than(RUNS_NAMED, len(elsewhere), "run")
        named_ones = ", ".join(elsewhere[:RUNS_NAMED]) + (f" {several}" if several else "")
        problem = f"nothing of it is stored in run {one_line(run.name)}"
        return UsageError(problem, where=where, remedy=f"It is in {named_ones}; without --run all are shown")
    known = reading.item_keys(store)
    if what in known:
        remedy = "`phoropter run` or the app asks it"
        return UsageError("nothing is stored of this item but what people wrote", where=where, remedy=remedy)
    near = get_close_matches(what, known, n=1) if len(what) <= LONGEST_ID else []
    hint = f"Did you mean {near[0]}?" if near else "`phoropter runs` says what has been run"
    return UsageError("the store holds no such item or trajectory", where=where, remedy=hint)


def _in_other_runs(store: Store, what: str) -> list[str]:
    """The names of the runs that have something of that item, or the trajectory of that number."""
    found = reading.trajectories_on(store, what, None)
    if not found and what.isdecimal() and len(what) <= LONGEST_NUMBER:
        one = reading.trajectory(store, int(what))
        found = [one] if one is not None else []
    names = {run.id: one_line(run.name) for run in every_run(store)}
    return list(dict.fromkeys(names[number] for number, _ in found if number in names))


def _refuse_several(what: str, found: Found, names: dict[int, Run]) -> None:
    """One document is of one item: ids are a data set's own, and others may use them too."""
    of_item: dict[str, tuple[Item, dict[str, None]]] = {}
    for run_id, trajectory in found:
        _, its_runs = of_item.setdefault(trajectory.item.hash, (trajectory.item, {}))
        its_runs[names[run_id].name] = None
    if len(of_item) < 2:
        return
    items = [item for item, _ in of_item.values()]
    places = [f"{named(item.benchmark, item.subset)}/{item.id}" for item in items]
    told = [
        f"{place} in {', '.join(its_runs)}" for place, (_, its_runs) in zip(places, of_item.values(), strict=True)
    ]
    apart = len(set(places)) == len(places)
    raise UsageError(
        f"{counted(len(items), 'item')} have this id: {'; '.join(told)}",
        where=what,
        remedy=f"Name one, such as {places[0]}, or a run with --run" if apart else "Name a run with --run",
    )


def _print(
    run: Run, trajectory: Trajectory, heard: tuple[Served, ...], page: Page, calls: RawShow, *, raw: bool
) -> None:
    item = trajectory.item
    parent = (
        f", fork of trajectory {trajectory.parent} after {counted(trajectory.fork, 'step')}"
        if trajectory.parent
        else ""
    )
    repeat = f", repeat {trajectory.repeat}" if trajectory.repeat else ""
    put(f"# {one_line(item.id)}, trajectory {trajectory.id} of {one_line(run.name)}{repeat}{parent}")
    groups = ", ".join(f"{key} {value}" for key, value in item.groups.items())
    asked = f"{named(item.benchmark, item.subset)}, {run.config.protocol}, {one_line(run.config.respondent)}"
    put(f"{asked}; {inert(groups)}")
    for line in item_lines(page, trajectory):
        put(inert(line))
    changed = list(changes(heard))
    for line in changed:
        put(one_line(line))
    for index, step in enumerate(trajectory.steps):
        put("")
        _print_step(item, step, page, calls, told=bool(changed))
        if raw:
            calls.print(run, trajectory, index)
    if trajectory.reason:
        put("")
        put(inert(f"failed: {trajectory.reason}"))


def _print_step(item: Item, step: Step, page: Page, calls: RawShow, *, told: bool) -> None:
    """``told``: say who answered."""
    origin = "" if step.origin is Origin.RESPONDENT else f"  [{step.origin.value}, not the respondent's answer]"
    lane = f"  (what-if {step.lane})" if step.lane else ""
    put(f"## {step.turn.step}{origin}{lane}")
    for line in turn_lines(item, step.turn, words="> "):
        put(line)
    pictures = calls.pictures([step])
    for sent in step.answer.sent:
        put(f"  sent {weighed(pictures[sent.hash])}, sha256 {sent.hash[:12]}")
    if step.answer.call is not None and (counted := tokens(step.answer.call.usage)):
        put(f"  {counted}")
    status = "" if step.answer.status == "ok" else f"  (status {step.answer.status.value})"
    put(f"answer{status}:")
    made = step.answer.picture
    if made is not None:
        put(f"  a picture, {made.size[0]}x{made.size[1]} {made.mime}, sha256 {made.hash[:12]}, {one_line(made.name)}")
    if step.answer.text or made is None:
        put(_indented("  ", step.answer.text or "(nothing)"))
    if step.answer.recalled is not None:
        put(_source(step.answer.recalled))
    if step.answer.reasoning:
        put("reasoning:")
        put(_indented("  ", step.answer.reasoning))
    if told and step.answer.call is not None:
        put(f"served by {one_line(step.answer.call.served_model or '?')}")
    if found := odds(step, step.score()):
        put(f"odds: {', '.join(f'{one_line(option)} {chance:.3f}' for option, chance in found.items())}")
    put(_indented("gold: ", step.turn.gold_text))
    for score in step.scores:
        put(inert(f"{score.scorer} (version {score.version}): {verdict(item, step, score)}"))
    for line in step_lines(page, step.id):
        put(inert(line))


def _source(recalled: Recalled) -> str:
    run = f"run {one_line(recalled.run)}" if recalled.run else "a run that was deleted"
    return f"  from the cache: asked {utc(recalled.asked)} in {run}"


def _indented(mark: str, text: str) -> str:
    return "\n".join(mark + line for line in inert(text).split("\n"))


def verdict(item: Item, step: Step, score: Score) -> str:
    """What was read, property by property; of a scorer that reads no values, such as a judge, what it holds right."""
    benchmark = registry.get(item.benchmark)
    words = []
    if score.scorer in {scorer.name for scorer in scorers_of(benchmark)}:
        for each in readings(benchmark, step.turn, score) if score.scored or score.parsed else ():
            read = each.read if each.read is not None else "-"
            words.append(f"{each.field.name} {read}" + ("" if each.agrees else f" (gold {each.gold})"))
    else:
        held = properties(benchmark.layout(step.turn.step), score.right, score.scored)
        words += [f"{name} {'right' if right else 'wrong'}" for name, right in held.items()]
    verdict = "right" if score.correct else "wrong" if score.scored else "not scored"
    told = score.status == "refusal" or (score.status != "ok" and score.scored)
    status = f" ({score.status.value})" if told else ""
    return f"{verdict}{status}" + (f"; {', '.join(words)}" if words else "")


def _document(found: Found, names: dict[int, Run], page: Page, calls: RawShow | None) -> dict[str, Any]:
    return {
        "item": item_document(found[0][1].item) | item_remarks(page),
        "trajectories": [
            {
                "id": trajectory.id,
                "run": names[run_id].name,
                "respondent": names[run_id].config.respondent,
                "protocol": names[run_id].config.protocol,
                "parent": trajectory.parent,
                "fork": trajectory.fork,
                "repeat": trajectory.repeat,
                "progress": trajectory.progress.value,
                "reason": trajectory.reason,
                "steps": [
                    _step(trajectory.item, step)
                    | step_remarks(page, step.id)
                    | _call(calls.document(names[run_id], trajectory, index) if calls is not None else None)
                    for index, step in enumerate(trajectory.steps)
                ],
                **trajectory_remarks(page, trajectory.id),
            }
            for run_id, trajectory in found
        ],
    }


def _call(document: dict[str, Any] | None) -> dict[str, Any]:
    return {} if document is None else {"call": document}


def _step(item: Item, step: Step) -> dict[str, Any]:
    layout = registry.get(item.benchmark).layout(step.turn.step)
    return {
        "id": step.id,
        "step": step.turn.step,
        "origin": step.origin.value,
        "interventions": step.lane,
        "repeat": step.repeat,
        "prompt": step.turn.text,
        "gold": dict(step.turn.gold),
        "gold_text": step.turn.gold_text,
        "status": step.answer.status.value,
        "text": step.answer.text,
        "reasoning": step.answer.reasoning,
        "choice": step.choice,
        "odds": odds(step, step.score()),
        "served_model": step.answer.call.served_model if step.answer.call is not None else "",
        "made": _picture(step.answer.picture) if step.answer.picture is not None else None,
        "pictures": [_picture(sent) for sent in step.answer.sent],
        "scores": [
            {
                "scorer": score.scorer,
                "version": score.version,
                "status": score.status.value,
                "parsed": dict(score.parsed),
                "span": {name: list(span) for name, span in score.spans.items()},
                "properties": properties(layout, score.right, score.scored),
                "correct": score.correct,
            }
            for score in step.scores
        ],
        **_recalled(step.answer.recalled),
    }


def _recalled(recalled: Recalled | None) -> dict[str, Any]:
    return {} if recalled is None else {"recalled": {"asked": utc(recalled.asked), "run": recalled.run}}


def _picture(picture: SentPicture) -> dict[str, Any]:
    return {
        "sha256": picture.hash,
        "mime": picture.mime,
        "size": picture.size,
        "original_size": picture.original_size,
    }
